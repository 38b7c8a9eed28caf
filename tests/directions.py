# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks which folders of the sources include which, against the table in tests/directions.txt.

  tests/directions.py                checks the sources in the working folder, the root of the repository
  tests/directions.py --graph        prints which folder includes which, and how often
  tests/directions.py --self-test    checks that planted errors are found

It reads the #include lines of all C, C++ and CUDA files below src/ and reference/. A folder is named by its path,
without "src/". A header in quotes is looked for beside the file, below src/, and below the root. Lines of the table (# begins
a comment):

  FOLDER: FOLDER...       all folders that FOLDER includes; each has its own line above this one
  HEADER...: FOLDER...    the only folders that include these headers, written with their <> or ""; * is any text

Errors are an include that the table does not allow, an include of no file, a cycle of folders, and an entry of the
table that nothing needs. Exit code: 0 no errors, 1 errors (each on a line FILE:LINE: SENTENCE), 2 bad use or table.
"""
import collections, fnmatch, graphlib, os, re, sys, tempfile
from pathlib import Path

TABLE = 'tests/directions.txt'
ENDINGS = ('.c', '.h', '.cu', '.cuh', '.cpp', '.hpp')
INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*("[^"]+"|<[^>]+>)')


def folder_of(path):
    return os.path.dirname(path.removeprefix('src/'))


def target_of(path, header):
    """The folder of a header: '' for the system's, None where there is no such file"""
    for base in (os.path.dirname(path), 'src', ''):
        candidate = os.path.normpath(os.path.join(base, header[1:-1]))
        if header[0] == '"' and os.path.isfile(candidate):
            return folder_of(candidate)
    return '' if header[0] == '<' else None


def includes():
    """All includes: FILE:LINE, folder of the file, header as written, folder of the header"""
    files = [str(path) for top in ('src', 'reference') for path in Path(top).rglob('*') if path.suffix in ENDINGS]
    for path in sorted(files):
        for number, line in enumerate(Path(path).read_text('utf-8').splitlines(), 1):
            if found := INCLUDE.match(line):
                yield f'{path}:{number}', folder_of(path), found[1], target_of(path, found[1])


def read_table():
    """Two dictionaries: folder -> (line, folders that it includes), header -> (line, folders that include it)"""
    folders, headers = {}, {}
    for number, line in enumerate(Path(TABLE).read_text('utf-8').splitlines(), 1):
        keys, colon, values = line.partition('#')[0].partition(':')
        if keys.strip() and not colon:
            raise ValueError(f'{TABLE}:{number}: expected "FOLDER: FOLDER..." or "HEADER...: FOLDER..."')
        for key in keys.split():
            rows = headers if key[0] in '<"' else folders
            if key in rows:
                raise ValueError(f'{TABLE}:{number}: {key} has a line already, {rows[key][0]}')
            rows[key] = (number, values.split())
    return folders, headers


def check():
    folders, headers = read_table()
    edges, used, errors = {}, set(), []
    for at, folder, header, target in includes():
        for pattern, (_, allowed) in headers.items():
            if fnmatch.fnmatchcase(header, pattern):
                used.add((pattern, folder))
                if folder not in allowed:
                    may = ', '.join(allowed) or 'no folder'
                    errors.append(f'{at}: {folder} includes {header}, which only {may} may include')
        if target is None:
            errors.append(f'{at}: no such file: {header}; expected a path from src/, or a file beside this one')
        elif target not in ('', folder):
            edges.setdefault(folder, {}).setdefault(target, f'{at}: {folder} includes {header}')
            if folder not in folders:
                errors.append(f'{at}: {folder} includes {header}, but {TABLE} has no line for {folder}')
            elif target not in folders[folder][1]:
                allowed = ', '.join(folders[folder][1]) or 'itself'
                errors.append(f'{at}: {folder} includes {header}, but may include only {allowed}')
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        cycle = error.args[1][::-1]
        errors += [f'{edges[a][b]}: part of the cycle {" -> ".join(cycle)}' for a, b in zip(cycle, cycle[1:])]
    for folder, (line, targets) in folders.items():
        if not os.path.isdir(os.path.join('src', folder)) and not os.path.isdir(folder):
            errors.append(f'{TABLE}:{line}: no such folder: {folder}; remove this line')
        for target in targets:
            if target not in edges.get(folder, ()):
                errors.append(f'{TABLE}:{line}: {folder} includes nothing of {target}; remove {target} from this line')
            elif folders.get(target, (line, 0))[0] >= line:
                errors.append(f'{TABLE}:{line}: {target} has no line above this one')
    for header, (line, targets) in headers.items():
        errors += [f'{TABLE}:{line}: nothing of {target} includes {header}; remove {target} from this line'
                   for target in targets if (header, target) not in used]
    return errors


SOUND = {'src/low/a.h': '', 'src/low/a.c': '#include "low/a.h"\n', 'src/high/b.h': '#include "low/a.h"\n',
         'src/high/b.c': '#include "b.h"\n# include <lua.h>\n', TABLE: 'low:\nhigh: low\n<lua*.h>: high\n'}
PLANTED = [  # files that replace those of the sound tree, and the beginnings of the errors that they must cause
    ({}, []), ({'src/low/a.h': '#include "high/b.h"\n', TABLE: 'low: high\nhigh: low\n<lua*.h>: high\n'},
     ['src/high/b.h:1: high includes "low/a.h": part of the cycle high -> low -> high',
      'src/low/a.h:1: low includes "high/b.h": part of the cycle', TABLE + ':1: high has no line above']),
    ({TABLE: 'low:\nhigh:\n<lua*.h>: high\n'}, ['src/high/b.h:1: high includes "low/a.h", but may include only it']),
    ({'src/low/a.c': '#include <lua.h>\n'}, ['src/low/a.c:1: low includes <lua.h>, which only high may']),
    ({'src/low/a.c': '\n#include "low/none.h"\n'}, ['src/low/a.c:2: no such file: "low/none.h"']),
    ({'reference/c/c.c': '#include "low/a.h"\n'}, ['reference/c/c.c:1: reference/c includes "low/a.h", but ' + TABLE]),
    ({'src/high/b.h': ''}, [TABLE + ':2: high includes nothing of low']),
    ({TABLE: 'low:\nhigh: low\n<lua*.h>: high\nold:\n'}, [TABLE + ':4: no such folder: old']),
    ({'src/high/b.c': ''}, [TABLE + ':3: nothing of high includes <lua*.h>'])]


def self_test():
    for files, expected in PLANTED:
        with tempfile.TemporaryDirectory() as root:
            os.chdir(root)
            for path, text in {**SOUND, **files}.items():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_text(text, 'utf-8')
            found = check()
        if len(found) != len(expected) or not all(map(str.startswith, found, expected)):
            return [f'self-test: expected {expected}, found {found}']
    return []


def graph():
    counts = collections.Counter((a, b) for _, a, _, b in includes() if b not in (None, '', a))
    return [f'{a} -> {b} {counts[a, b]}' for a, b in sorted(counts)]


OPTIONS = {(): check, ('--graph',): graph, ('--self-test',): self_test}
if __name__ == '__main__':
    if tuple(sys.argv[1:]) not in OPTIONS:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        lines = OPTIONS[tuple(sys.argv[1:])]()
    except (OSError, ValueError) as error:
        sys.exit(print(error, file=sys.stderr) or 2)
    print(*lines, sep='\n', end='\n' if lines else '')
    sys.exit(1 if lines and sys.argv[1:] != ['--graph'] else 0)
