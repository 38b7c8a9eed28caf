#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of the CUDA backend's host code that no test has executed: executed.py FOLDER, where
objects compiled with --coverage lie beside what programs noted of them. Ends with 1 where there are
any."""
import gzip
import json
import os
import subprocess
import sys


def functions(notes):
    """(source, line, name, executions, share of lines executed) of what one object notes."""
    out = subprocess.run(["gcov", "--json-format", "--stdout", notes], capture_output=True,
                         check=True).stdout
    text = gzip.decompress(out) if out[:2] == b"\x1f\x8b" else out
    for file in json.loads(text)["files"]:
        for f in file["functions"]:
            yield file["file"], f["start_line"], f["demangled_name"], f["execution_count"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    executed = {}
    for folder, _, names in os.walk(sys.argv[1]):
        for name in names:
            if name.endswith(".gcda"):
                for source, line, function, n in functions(os.path.join(folder, name)):
                    if "viper/cuda/" in source:
                        key = (source, line, function)
                        executed[key] = executed.get(key, 0) + n
    if not executed:
        sys.exit(f"{sys.argv[1]} has no notes: run the tests that are linked with its objects")
    never = sorted(key for key, n in executed.items() if n == 0)
    print(f"{len(executed)} functions of the CUDA backend's host code, {len(never)} never executed")
    for source, line, function in never:
        print(f"  {source}:{line} {function}")
    sys.exit(1 if never else 0)


if __name__ == "__main__":
    main()
