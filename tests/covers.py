# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells which test programs cover a source file, and checks that each is covered.

  tests/covers.py FILE...        prints the test programs that cover these files, a line each
  tests/covers.py                checks the table, in the working folder, the root of the repository
  tests/covers.py --self-test    checks that planted errors are found

A test tests/FOLDER/test_MODULE.c covers FOLDER/MODULE.* and FOLDER/MODULE_*, where FOLDER is one of src/ or reference/.
What else it covers stands in the comments at its head, in lines of patterns (* is any text within a folder):

  /// Covers: src/gate/*.c src/results/h5.*

Errors are a pattern that matches no file, a source file of src/ or reference/ that no test covers, unless a line
"PATTERN: REASON" of tests/covers.txt leaves it out, and such a line that leaves nothing out. Exit code: 0 no errors, 1
errors (each on a line FILE:LINE: SENTENCE) or no test of a file, 2 bad use or files.
"""
import glob, os, re, sys, tempfile
from pathlib import Path

LIST = 'tests/covers.txt'
SOURCES = ('.c', '.h', '.cu', '.cuh', '.cpp', '.hpp', '.py', '.js')
HEAD = re.compile(r'(?:[ \t]*(?://.*)?\n)*')
LINE = re.compile(r'^//+ Covers:(.*)$', re.M)


def mirrored(test):
    """The patterns of a test's name"""
    folder, module = test.parent.relative_to('tests'), test.stem.removeprefix('test_')
    top = '' if folder.parts[:1] == ('reference',) else 'src/'
    return [f'{top}{folder}/{module}{rest}' for rest in ('.*', '_*')]


def declared(test):
    """The patterns at a test's head, each with its line"""
    text = test.read_text('utf-8')
    head = HEAD.match(text)[0]
    for found in LINE.finditer(head):
        for pattern in found[1].split():
            yield pattern, head.count('\n', 0, found.start()) + 1


def tests():
    return sorted(path for path in Path('tests').rglob('test_*') if path.suffix in ('.c', '.cpp'))


def table():
    """file -> the tests that cover it"""
    covered = {}
    for test in tests():
        for pattern in dict.fromkeys(mirrored(test) + [pattern for pattern, _ in declared(test)]):
            for path in glob.glob(pattern):
                if test not in covered.setdefault(path, []):
                    covered[path].append(test)
    return covered


def read_list():
    """PATTERN -> line"""
    lines = {}
    for number, line in enumerate(Path(LIST).read_text('utf-8').splitlines(), 1):
        if line := line.partition('#')[0].strip():
            pattern, colon, reason = line.partition(': ')
            if not colon or not reason.strip():
                raise ValueError(f'{LIST}:{number}: expected "PATTERN: REASON"')
            lines[pattern] = number
    return lines


def check():
    covered, errors = table(), []
    for test in tests():
        errors += [f'{test}:{line}: no file matches {pattern}'
                   for pattern, line in declared(test) if not glob.glob(pattern)]
    sources = {str(path) for top in ('src', 'reference') for path in Path(top).rglob('*') if path.suffix in SOURCES}
    alone = sources - covered.keys()
    for pattern, line in read_list().items():
        left_out = set(glob.glob(pattern)) & alone
        if not left_out:
            errors.append(f'{LIST}:{line}: {pattern} leaves out nothing; remove it')
        alone -= left_out
    return errors + [f'{path}:1: no test covers it; name it in a line "Covers:" of one that does, or in {LIST}'
                     for path in sorted(alone)]


SOUND = {'src/low/a.c': '', 'src/low/a_part.h': '', 'src/low/b.c': '', 'reference/rod/rod.c': '', 'src/main.c': '',
         'src/low/README.md': '', 'tests/low/test_a.c': '// License\n// Covers: src/low/b.*\n#include "a.h"\n',
         'tests/reference/rod/test_rod.c': '', LIST: 'src/main.c: prints alone\n'}
PLANTED = [  # files that replace those of the sound tree, and the beginnings of the errors that they must cause
    ({}, []),
    ({'src/low/c.cu': ''}, ['src/low/c.cu:1: no test covers it']),
    ({'tests/low/test_a.c': '#include "a.h"\n// Covers: src/low/b.*\n'}, ['src/low/b.c:1: no test covers it']),
    ({'tests/reference/rod/test_rod.c': '/// Covers: reference/rod/none.c\n'},
     ['tests/reference/rod/test_rod.c:1: no file matches reference/rod/none.c']),
    ({'tests/low/test_a.c': '/// Covers: src/low/b.c src/main.c\n'}, [f'{LIST}:1: src/main.c leaves out nothing']),
    ({'tests/low/test_a.c': '/// Covers: src/*.c\n'}, [f'{LIST}:1: src/main.c leaves', 'src/low/b.c:1: no test'])]


def self_test():
    for files, expected in PLANTED:
        with tempfile.TemporaryDirectory() as root:
            os.chdir(root)
            for path, text in {**SOUND, **files}.items():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_text(text, 'utf-8')
            found, of_part = check(), tests_of('src/low/a_part.h')
        if len(found) != len(expected) or not all(map(str.startswith, found, expected)) \
                or of_part != ['test_a  tests/low/test_a.c']:
            return [f'self-test: expected {expected}, found {found}, and {of_part} for src/low/a_part.h']
    return []


def tests_of(path):
    if not os.path.isfile(path):
        raise ValueError(f'{path}: there is no such file; expected a path from the root of the repository')
    return [f'{test.stem}  {test}' for test in table().get(os.path.normpath(path), [])]


if __name__ == '__main__':
    names = sys.argv[1:]
    if any(name.startswith('-') for name in names) and names != ['--self-test']:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        if names and names != ['--self-test']:
            lines = list(dict.fromkeys(line for name in names for line in tests_of(name)))
            sys.exit(print(*lines or ['no test covers this'], sep='\n') or int(not lines))
        lines = self_test() if names else check()
    except (OSError, ValueError) as error:
        sys.exit(print(error, file=sys.stderr) or 2)
    print(*lines, sep='\n', end='\n' if lines else '')
    sys.exit(1 if lines else 0)
