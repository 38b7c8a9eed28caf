# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that public names, and the names of sources, are made of the words of the glossary in src/README.md and of the
list tests/words.txt.

  tests/words.py                checks the sources in the working folder, the root of the repository
  tests/words.py --self-test    checks that planted errors are found

Public names are declared by headers below src/ and reference/: functions, types, enum constants, macros (and parts of
names that these put together with ##), variables and fields; not parameters, local variables and include guards. The
name of a source there is that of its file, without folder and ending. Names are split into words at "_", at digits,
and where a capital letter follows a small one. The glossary is the table in the section "Glossary"; each word of its
first column counts. Lines of the list (# comments), sorted by word:

  word            a word that names may use
  word / REASON   a word that names may use, but none of a source
  !word REASON    a word that no name may use; REASON says what to use instead

Errors are unknown and forbidden words in names, and words of the list that no name uses or that the glossary has. Exit
code: 0 no errors, 1 errors (each on a line FILE:LINE: SENTENCE), 2 bad use or files.
"""
import os, re, sys, tempfile
from pathlib import Path

ENDINGS = ('.c', '.h', '.cu', '.cuh', '.cpp', '.hpp', '.py', '.js', '.lua')
LIST, GLOSSARY = Path('tests/words.txt'), Path('src/README.md')
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.)*', re.S | re.M)
DEFINE = re.compile(r'[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?(.*)', re.S)
GROUP = r'\([^()]*\)|\[[^][]*\]'
TEMPLATE = re.compile(r'\btemplate\s*<[^>]*>')
BRACE = re.compile(r'([)=]\s*(?:const\s*)?{|[{}])')
POINTER = re.compile(r'\(\s*\*+\s*(?:const\s+)?(\w+)\s*\)(?=\s*[([])')
NO_NAMES = ('_Static_assert', 'static_assert', 'struct', 'union', 'enum', 'extern', 'namespace', 'operator', 'float')
WORD = re.compile(r'[A-Z]?[a-z]+|[A-Z]+(?![a-z])')


def blank(text):
    return re.sub(r'[^\n]', ' ', text)


def in_macros(text):
    """Names of macros, and parts of the names that these put together, each with its place in the text"""
    for directive in DIRECTIVE.finditer(text):
        define = DEFINE.match(directive[0])
        if define and (define[3].strip() or not re.search(rf'#ifndef {define[1]}\s*$', text[:directive.start()])):
            parts = re.findall(r'\w+(?=\s*##)|(?<=##)\w+', define[3])
            for name in [define[1]] + [part for part in parts if part not in re.findall(r'\w+', define[2] or '')]:
                yield name, directive.start()


def without_bodies(text):
    """The text with semicolons for bodies of functions and initializers in braces"""
    result, depth = '', 0
    for part in BRACE.split(text):
        inside = depth > 0
        if inside or part.endswith('{') and part[0] in ')=':
            depth += part.endswith('{') - (part == '}')
        result += blank(part) if inside else part.replace('{', ';') if depth else part
    return result


def in_code(text):
    """Names that declarations declare, each with its place in the text"""
    text = TEMPLATE.sub(lambda m: blank(m[0]), without_bodies(DIRECTIVE.sub(lambda m: blank(m[0]), text)))
    for body in re.finditer(r'\benum\b[^;{}()]*{([^}]*)}', text):
        for constant in re.finditer(r'(?:^|,)\s*(\w+)\s*(?=[=,]|$)', body[1]):
            yield constant[1], body.start(1) + constant.start(1)
        text = text[:body.start(1)] + blank(body[1]) + text[body.end(1):]
    text = POINTER.sub(lambda m: ' ' * (m.start(1) - m.start()) + m[1] + ' ' * (m.end() - m.end(1)), text)
    while re.search(GROUP, text):  # what was in parentheses is "@" and blanks
        text = re.sub(GROUP, lambda m: ('@' if m[0][0] == '(' else ' ') + blank(m[0][1:]), text)
    text = re.sub(r'__attribute__\s*@', lambda m: blank(m[0]), text)
    for piece in re.finditer(r'[^;{}]+', text):
        function = re.search(r'(?!\b[A-Z0-9_]+\s*@)\b(\w+)\s*@', piece[0])
        for name in [function] if function else re.finditer(r'(\w+)\s*(?:[=:][^,]*)?(?=,|$)', piece[0]):
            yield name[1], piece.start() + name.start()


def collect_files():
    """word -> {name of a source: FILE:1}"""
    words = {}
    for path in sorted(path for top in ('src', 'reference') for path in Path(top).rglob('*') if path.suffix in ENDINGS):
        for word in WORD.findall(path.name.partition('.')[0]):
            words.setdefault(word.lower(), {}).setdefault(path.name, f'{path}:1')
    return words


def collect():
    """word -> {name: FILE:LINE of its first declaration}"""
    words = {}
    for path in sorted([*Path('src').rglob('*.h'), *Path('reference').rglob('*.h')]):
        text = HIDDEN.sub(lambda m: blank(m[0]), path.read_text('utf-8'))
        for name, place in [*in_macros(text), *in_code(text)]:
            for word in WORD.findall(name) if name not in NO_NAMES else ():
                line = text.count('\n', 0, place) + 1
                words.setdefault(word.lower(), {}).setdefault(name, f'{path}:{line}')
    return words


def read_list():
    """word -> (line, REASON why no name may use it or '', REASON why no name of a source may or '')"""
    words, last = {}, ''
    for number, line in enumerate(LIST.read_text('utf-8').splitlines(), 1):
        if line := line.partition('#')[0].strip():
            entry = re.fullmatch(r'(?:([a-z]+)(?: / (.+))?|!([a-z]+)\s+(.+))', line)
            if not entry or (entry[1] or entry[3]) <= last:
                raise ValueError(f'{LIST}:{number}: expected "word", "word / REASON" or "!word REASON", '
                                 f'and a word after "{last}"')
            last = entry[1] or entry[3]
            words[last] = (number, entry[4] or '', entry[2] or entry[4] or '')
    return words


def check():
    section = re.search(r'^#+ Glossary\n(.*?)(?=^#|\Z)', GLOSSARY.read_text('utf-8'), re.S | re.M)
    terms = re.findall(r'^\|([^|]*\w[^|]*)\|', section[1] if section else '', re.M)[1:]
    used, files, listed, errors = collect(), collect_files(), read_list(), []
    glossary = set(re.findall('[a-z]+', ' '.join(terms).lower()))
    for names_of, kind in (used, 1), (files, 2):
        for word, names in sorted(names_of.items()):
            reason = listed.get(word, (0, '', ''))[kind]
            why = f'is forbidden{" in names of sources" * (kind - 1)}: {reason}' if reason else \
                f'is neither in the glossary of {GLOSSARY} nor in {LIST}'
            if reason or word not in listed and word not in glossary:
                errors += [f'{place}: {name}: the word "{word}" {why}' for name, place in names.items()]
    for word, (line, _, reason) in listed.items():
        if word in glossary or not reason and word not in used and word not in files:
            why = f'is in the glossary of {GLOSSARY}' if word in glossary else 'is in no name'
            errors.append(f'{LIST}:{line}: "{word}" {why}; remove it')
    return errors


HEADER = '''#ifndef GUARD_H
#define GUARD_H
#define MACRO_ONE(parameter) void parameter##_glued(int local);
/* int hidden; */ enum sort { FIRST = sizeof(int), SECOND };
typedef struct item { int field, *others[2]; void (*call)(struct item *argument); } thing;
static inline int function2(int argument) { int local = argument; return local; }
#endif
'''
TABLE = '## Glossary\n\n| word | meaning |\n|---|---|\n| one item | x |\n'
LISTED = 'call\nfield\nfirst\nfunction\nglued\nmacro\nothers\nsecond\nsort\nthing\n'
PLANTED = [  # name of a source, the list of words, and the beginnings of the errors that they must cause
    ('item_call', LISTED, []),
    ('item', LISTED.replace('glued\n', ''), ['src/item.h:3: _glued: the word "glued" is neither']),
    ('item', LISTED.replace('others\n', '!others no\n'), ['src/item.h:5: others: the word "others" is forbidden: no']),
    ('item', LISTED + 'unused\n', [f'{LIST}:11: "unused" is in no']),
    ('item', LISTED.replace('glued\n', 'glued\nitem\n'), [f'{LIST}:6: "item" is in the glossary']),
    ('item_odd', LISTED, ['src/item_odd.h:1: item_odd.h: the word "odd" is neither']),
    ('odd', LISTED.replace('others\n', 'odd\nothers\n'), []),
    ('call', LISTED.replace('call\n', 'call / no\n'), ['src/call.h:1: call.h: the word "call" is forbidden in names']),
    ('misc', LISTED.replace('others\n', '!misc no\nothers\n'), ['src/misc.h:1: misc.h: the word "misc" is forbidden'])]


def self_test():
    for source, listed, expected in PLANTED:
        with tempfile.TemporaryDirectory() as root:
            os.chdir(root)
            for path, text in (Path(f'src/{source}.h'), HEADER), (GLOSSARY, TABLE), (LIST, listed):
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, 'utf-8')
            found, words = check(), sorted(collect())
            if words != sorted([*LISTED.split(), 'item', 'one']) or len(found) != len(expected) \
                    or not all(map(str.startswith, found, expected)):
                return [f'self-test: expected {expected}, found {found}, of the words {words}']
    return []


if __name__ == '__main__':
    if sys.argv[1:] not in ([], ['--self-test']):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        lines = self_test() if sys.argv[1:] else check()
    except (OSError, ValueError) as error:
        sys.exit(print(error, file=sys.stderr) or 2)
    print(*lines, sep='\n', end='\n' if lines else '')
    sys.exit(1 if lines else 0)
