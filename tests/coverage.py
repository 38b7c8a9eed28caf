# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells by folder how much of src/ and reference/ the tests run, and checks that it is not less than it was.

  tests/coverage.py BUILD            the table of a build that the tests were run with ("make coverage")
  tests/coverage.py BUILD --write    writes the floors anew, a percent below what is measured
  tests/coverage.py --self-test      checks counts of a small program, and that planted errors are found

It reads what gcov knows of every object in BUILD. A folder is at most two levels below src/ or reference/; what lies
deeper belongs to it. A line counts where it has code, and is executed where any object that has it was there: sources
are compiled once per precision and instruction set, headers with everything that includes them. A branch is one way
out of a condition as the compiler sees it: each part of && and || has two, a loop has two, a switch one per case. The
ways of a line have numbers; the same number in several objects or functions is one branch. Those of exceptions are
left out.

Floors stand in tests/coverage.txt. Errors are a value below its floor, a folder without one, a floor of a folder that
is gone, and objects that gcov cannot read. Exit code: 0 no errors, 1 errors, 2 bad use or files.

  GCOV   the program that reads the counts (gcov), of the compiler's version
  JOBS   how many of them at a time (processors at hand)
"""
import json, math, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLOORS = 'tests/coverage.txt'
HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
# Least percentages of lines executed and of branches taken by all tests, by folder: see tests/coverage.py, which
# checks them and writes them anew.

'''
MARGIN = 1.0  # percent: what a change may leave out, and what processes that are killed at any moment do not count
LEVELS = 3    # src, and two below
SHOWN = 10    # of the files least executed
# What gcov says of objects whose code never ran, which are counted as such, and of those without code.
HARMLESS = 'assuming not executed', 'no functions found'
SMALL = 20    # lines of files that are not among these


class Counts:
    """Lines and branches of one file, each with whether any object was there"""

    def __init__(self):
        self.lines, self.branches = {}, {}

    def add(self, line):
        number = line['line_number']
        self.lines[number] = self.lines.get(number, False) or line['count'] > 0
        for index, branch in enumerate(branch for branch in line['branches'] if not branch['throw']):
            key = number, index
            self.branches[key] = self.branches.get(key, False) or branch['count'] > 0


def add_object(files, document, root):
    """Adds what one object says of the files of src/ and reference/ that are there"""
    for part in document['files']:
        path = os.path.relpath(os.path.join(document['current_working_directory'], part['file']), root)
        if path.startswith(('src/', 'reference/')) and os.path.exists(os.path.join(root, path)):
            counts = files.setdefault(path, Counts())
            for line in part['lines']:
                counts.add(line)


def ask_gcov(objects):
    """Documents of these objects, and complaints"""
    ended = subprocess.run([os.environ.get('GCOV', 'gcov'), '--json-format', '--stdout', '--branch-probabilities',
                            *objects], capture_output=True, text=True)
    complaints = [line for line in ended.stderr.splitlines() if not line.endswith(HARMLESS)]
    if ended.returncode:
        complaints.append(f'gcov ended with {ended.returncode} over {objects[0]} and others')
    return [json.loads(line) for line in ended.stdout.splitlines() if line.strip()], complaints


def read_build(build, root='.'):
    """file -> Counts, and complaints of gcov"""
    objects = sorted(str(path) for path in Path(build).rglob('*.gcno'))
    if not objects:
        raise ValueError(f'{build}: no object in it was built to count; make coverage builds and runs all')
    files, errors = {}, []
    with ThreadPoolExecutor(int(os.environ.get('JOBS') or os.cpu_count())) as pool:
        for documents, complaints in pool.map(ask_gcov, (objects[i:i + 20] for i in range(0, len(objects), 20))):
            errors += complaints
            for document in documents:
                add_object(files, document, os.path.realpath(root))
    return files, errors


def folder_of(path):
    return '/'.join(path.split('/')[:-1][:LEVELS])


def percent(flags):
    return 100 * sum(flags) / len(flags) if flags else 100.0


def by_folder(files):
    """folder -> flags of all lines, and of all branches"""
    folders = {}
    for path, counts in sorted(files.items()):
        lines, branches = folders.setdefault(folder_of(path), ([], []))
        lines += counts.lines.values()
        branches += counts.branches.values()
    return dict(sorted(folders.items()))


def read_floors(text):
    """folder -> percentages of lines and branches"""
    floors = {}
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.partition('#')[0].split():
            try:
                folder, lines, branches = words
                floors[folder] = float(lines), float(branches)
            except ValueError:
                raise ValueError(f'{FLOORS}:{number}: expected a folder, and percentages of lines and branches, as in '
                                 '"src/base 90.5 80.0"') from None
    return floors


def written_floors(folders):
    def floor(flags):
        return max(0.0, math.floor(10 * (percent(flags) - MARGIN)) / 10)

    width = max(map(len, folders))
    return HEAD + ''.join(f'{folder:{width}} {floor(lines):5.1f} {floor(branches):5.1f}\n'
                          for folder, (lines, branches) in folders.items())


def errors_of(folders, floors):
    errors = []
    for folder, flags in folders.items():
        if folder not in floors:
            errors.append(f'{folder} has no floor; {FLOORS} wants one: {percent(flags[0]):.1f} % of lines are executed '
                          f'and {percent(flags[1]):.1f} % of branches taken')
            continue
        for what, values, floor in zip(('lines are executed', 'branches are taken'), flags, floors[folder]):
            if percent(values) < floor:
                errors.append(f'{folder}: {percent(values):.2f} % of {what}, less than its floor of {floor} %')
    return errors + [f'{FLOORS}: there is no {folder}; remove its floor' for folder in floors if folder not in folders]


def tell(files, folders):
    width = max(map(len, folders))
    print(f'{"folder":{width}}   lines  executed  branches   taken')
    every = [sum((flags[i] for flags in folders.values()), []) for i in (0, 1)]
    for folder, (lines, branches) in [*folders.items(), ('all', every)]:
        print(f'{folder:{width}} {len(lines):7d} {percent(lines):7.1f} % {len(branches):9d} {percent(branches):5.1f} %')
    print(f'\nLeast executed, of files with at least {SMALL} lines of code:')
    large = [(percent(counts.lines.values()), path, counts) for path, counts in files.items()
             if len(counts.lines) >= SMALL]
    for value, path, counts in sorted(large, key=lambda row: row[:2])[:SHOWN]:
        print(f'  {value:5.1f} % of {len(counts.lines):4d} lines  {path}')
    absent = [str(path) for top in ('src', 'reference') for path in sorted(Path(top).rglob('*'))
              if path.suffix in ('.c', '.cu') and str(path) not in files]
    print(f'\nNot counted, because this build has no code of it: {len(absent)} files')
    print(*(f'  {path}' for path in absent), sep='\n')


SMALL_PROGRAM = '''#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int sign(int x) {
  if (x < 0)
    return -1;
  return x > 0;
}
int main(int argc, char **argv) {
  int code = 0;
  pid_t child = fork();
  if (child == 0)
    _exit(sign(atoi(argv[1])) < 0);
  waitpid(child, &code, 0);
  return argc > 1 ? WEXITSTATUS(code) : 2;
}
'''


def counts_of_small_program():
    """Its lines never executed and its branches not taken where a fork of it has seen a negative number"""
    header = os.path.abspath('tests/coverage.h')
    with tempfile.TemporaryDirectory() as root:
        source = Path(root, 'src/low/small.c')
        source.parent.mkdir(parents=True)
        source.write_text(SMALL_PROGRAM, 'utf-8')
        subprocess.run([os.environ.get('GCC', 'gcc'), '--coverage', '-include', header, '-o', 'small', 'src/low/small.c'],
                       cwd=root, check=True)
        code = subprocess.run(['./small', '-3'], cwd=root, check=False).returncode
        files, errors = read_build(root, root)
        small = files['src/low/small.c']
        return (code, errors, [line for line, there in small.lines.items() if not there],
                sorted(key for key, there in small.branches.items() if not there))


HALF = {'src/low': ([True, False], [True, True]), 'src': ([True], [])}
PLANTED = [  # floors, and the beginnings of the errors that they must cause
    ('src/low 50 100 # all\nsrc 100 0\n', []),
    ('src/low 50.1 100\nsrc 100 0\n', ['src/low: 50.00 % of lines are executed, less than its floor of 50.1 %']),
    ('src/low 40 100.1\nsrc 100 0\n', ['src/low: 100.00 % of branches']),
    ('src 100 0\n', ['src/low has no floor']),
    ('src/low 50 100\nsrc 100 0\nsrc/gone 0 0\n', [f'{FLOORS}: there is no src/gone'])]


def self_test():
    errors = []
    for text, expected in PLANTED:
        found = errors_of(HALF, read_floors(text))
        if len(found) != len(expected) or not all(map(str.startswith, found, expected)):
            errors.append(f'self-test: expected {expected}, found {found}')
    if errors_of(HALF, read_floors(written_floors(HALF))):
        errors.append('self-test: what is measured is below the floors that are written of it')
    if (seen := counts_of_small_program()) != (1, [], [7], [(5, 1), (15, 1)]):
        errors.append(f'self-test: of a small program there are other counts than expected: {seen}')
    return errors


def run(build, write):
    files, errors = read_build(build)
    folders = by_folder(files)
    tell(files, folders)
    if write:
        Path(FLOORS).write_text(written_floors(folders), 'utf-8')
        return errors
    return errors + errors_of(folders, read_floors(Path(FLOORS).read_text('utf-8')))


if __name__ == '__main__':
    words = sys.argv[1:]
    if not words or len(words) > 2 or words[1:] not in ([], ['--write']) or words[0].startswith('-') and \
            words != ['--self-test']:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        found = self_test() if words == ['--self-test'] else run(words[0], words[1:] == ['--write'])
    except (OSError, ValueError) as error:
        sys.exit(print(error, file=sys.stderr) or 2)
    print(*found, sep='\n', end='\n' if found else '')
    sys.exit(1 if found else 0)
