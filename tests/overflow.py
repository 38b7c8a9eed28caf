# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no source computes a size that may wrap, or a place in a text that may lie behind it.

  tests/overflow.py                checks the sources in the working folder, the root of the repository
  tests/overflow.py --self-test    checks that planted errors are found

It reads all C, C++ and CUDA files below src/ and reference/. Errors are

  - malloc, realloc, alloca or lua_newuserdatauv of a product, unless one factor is a number: calloc, reallocarray,
    vb_lua_array and those of base/arena.h check it;
  - what snprintf or vsnprintf would have written, added up: vb_text_add (base/text.h) ends with the buffer.

A line with the words "cannot wrap" in a comment is passed over: it says why. Exit code: 0 no errors, 1 errors (each on
a line FILE:LINE: SENTENCE), 2 bad use.
"""
import os, re, sys, tempfile
from pathlib import Path

ENDINGS = ('.c', '.h', '.cu', '.cuh', '.cpp', '.hpp')
WORDLESS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)  # comments and texts
ALLOCATION = re.compile(r'\b(malloc|realloc|alloca|lua_newuserdatauv)\s*\(')
SUM = re.compile(r'\+=\s*(?:\([\w ]+\)\s*)?v?snprintf\s*\(|\b(\w+)\s*=\s*\1\s*\+\s*(?:\([\w ]+\)\s*)?v?snprintf\s*\(')
OPERAND = r'(?:\)|\]|\b[A-Za-z_]\w*)'
PRODUCT = re.compile(rf'{OPERAND}\s*\*\s*[A-Za-z_(*]')
CAST = re.compile(r'(?<!sizeof)\((?:size_t|u?int\d*(?:_t)?|void|char|double|float) ?\**\)')


def arguments(text, begin):
    """The text between the parenthesis that ends at `begin` and the one that closes it"""
    depth = 1
    for end in range(begin, len(text)):
        depth += (text[end] == '(') - (text[end] == ')')
        if depth == 0:
            return text[begin:end]
    return text[begin:]


def is_product(argument):
    plain = re.sub(r'\bsizeof\s*\*\s*', 'sizeof ', CAST.sub('', argument))
    return bool(PRODUCT.search(plain))


def errors_in(path, source):
    lines = source.splitlines()
    text = WORDLESS.sub(lambda found: re.sub(r'[^\n]', ' ', found[0]), source)
    found = [(m.start(), f'{m[1]} of a product, which may wrap; use reallocarray, calloc or vb_lua_array')
             for m in ALLOCATION.finditer(text) if is_product(arguments(text, m.end()))]
    found += [(m.start(), 'adds up what snprintf would have written; use vb_text_add') for m in SUM.finditer(text)]
    for at, sentence in sorted(found):
        number = text.count('\n', 0, at) + 1
        if 'cannot wrap' not in lines[number - 1]:
            yield f'{path}:{number}: {sentence}'


def check():
    files = [path for top in ('src', 'reference') for path in Path(top).rglob('*') if path.suffix in ENDINGS]
    return [error for path in sorted(files) for error in errors_in(path, path.read_text('utf-8'))]


PLANTED = [  # lines, and whether each is an error
    ('double *x = malloc(n * sizeof *x);', True), ('x = realloc(x, (n + 1) * sizeof *x);', True),
    ('x = malloc(sizeof(double) * n);', True), ('x = lua_newuserdatauv(L, n * size, 0);', True),
    ('x = malloc((size_t)n *\n  sizeof *x);', True), ('x = alloca(rows[i] * width);', True),
    ('x = malloc(sizeof *x); // n * size', False), ('x = malloc(2 * room + 1);', False), ('x = calloc(n, 3 * m);', False),
    ('x = reallocarray(NULL, n, sizeof *x);', False), ('x = lua_newuserdatauv(L, sizeof *x, 0);', False),
    ('x = malloc(n * size); // cannot wrap: both are bytes', False), ('puts("malloc(n * size)");', False),
    ('n += snprintf(out + n, size - n, "a");', True), ('n += (size_t)snprintf(out + n, size - n, "a");', True),
    ('n = n + snprintf(out, 2, "a");', True), ('at += vsnprintf(out, 2, "a", list);', True),
    ('int n = snprintf(out, 2, "a");', False)]


def self_test():
    with tempfile.TemporaryDirectory() as root:
        os.chdir(root)
        for top in ('src', 'reference'):
            os.mkdir(top)
            for text, bad in PLANTED:
                Path(top, 'a.c').write_text(f'\n{text}\n', 'utf-8')
                found = check()
                if [error.startswith(f'{top}/a.c:2: ') for error in found] != [True] * bad:
                    return [f'self-test: of "{text}" in {top}/ found {found}']
            os.remove(Path(top, 'a.c'))
    return []


OPTIONS = {(): check, ('--self-test',): self_test}
if __name__ == '__main__':
    if tuple(sys.argv[1:]) not in OPTIONS:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    lines = OPTIONS[tuple(sys.argv[1:])]()
    print(*lines, sep='\n', end='\n' if lines else '')
    sys.exit(bool(lines))
