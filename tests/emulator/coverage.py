#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the kernels no test has done: coverage.py FOLDER, which programs filled that ran with
EMULATOR_COVERAGE=FOLDER. A kernel's variants (template arguments, arithmetic, precision) are told
together: how many of them were launched, and the share of their instructions that was done."""
import os
import re
import subprocess
import sys


def read(path):
    """A kernel's mangled name; and of its instructions how many there are, and were done."""
    with open(path, encoding="ascii") as file:
        name = file.readline().strip()
        done = [line.split()[1] == "1" for line in file]
    return name, len(done), sum(done)


def plain(name):
    """The name of a function without namespaces, template arguments and parameters."""
    name = re.sub(r"\(anonymous namespace\)::|^void ", "", name)
    return re.sub(r".*::", "", re.split(r"[<(]", name)[0])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    kernels = [read(entry.path) for entry in os.scandir(sys.argv[1])]
    if not kernels:
        sys.exit(f"{sys.argv[1]} is empty: run tests with EMULATOR_COVERAGE set to it")
    text = "\n".join(name for name, _, _ in kernels)
    names = subprocess.run(["c++filt"], input=text, capture_output=True, text=True, check=True)
    groups, variants = {}, {}
    for (_, n, done), name in zip(kernels, names.stdout.splitlines()):
        groups.setdefault(plain(name), []).append((n, done))
        word = re.sub(r"\(anonymous namespace\)::|^void |\(viper_\w+\)", "", name).split("(")[0]
        variants.setdefault(word, []).append(done > 0)
    print(f"  {'kernel':32} {'variants':>8} {'launched':>8} {'instructions':>12} {'done':>7}")
    for name, group in sorted(groups.items()):
        n, done = sum(g[0] for g in group), sum(g[1] for g in group)
        share = f"{100 * done / n:.1f} %" if n else ""
        print(f"  {name:32} {len(group):8} {sum(g[1] > 0 for g in group):8} {n:12} {share:>7}")
    never = [f"{name} ({done.count(False)} of {len(done)})"
             for name, done in sorted(variants.items()) if not all(done)]
    print(f"Never launched, of each arithmetic and precision: {', '.join(never) or 'none'}")


if __name__ == "__main__":
    main()
