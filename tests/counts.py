# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the instructions of steps on the CPU, and compares them with tests/bench/counts.txt: "make counts".

  tests/counts.py PROGRAM            counts and compares
  tests/counts.py PROGRAM REASON     counts, tells what changed, and writes the file anew with this reason
  tests/counts.py --self-test        checks that planted changes are found

PROGRAM is build/tests/count_steps, run by valgrind's callgrind: one thread, x86-64-v3, so that counts are the same on
every machine and need no rights. The file holds for each case a mean over the counted steps: a row for each function
with 1 % of the step or more, one for all others, one for the step. Functions are as the compiler leaves them, with what
it inlined. Counts depend on the compiler and the C library, which the first line names: with others the comparison is
skipped. Exit code: 0 no change or skipped, 1 otherwise.
"""
import collections, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

GOLD = Path('tests/bench/counts.txt')
STEPS = 4  # counted by the program in each case
# A step, or a function, may become so much longer or shorter. Counts of one program repeat within 1 %; 2 % is below what
# users see and above what unrelated changes move by another order of registers.
MOST_CHANGE = 0.02
# Functions are compared where they changed by so much of their step: small ones come and go as the compiler inlines.
LEAST_PART = 0.005
# Functions of the C library's allocator, which OpenMP calls where it begins a region of one thread. What they do depends
# on where the heap begins, and varies by a half from run to run: they are one row, which may double.
ALLOCATION = re.compile(r'(_int_)?(malloc|free|memalign|calloc|realloc)|malloc_consolidate|unlink_chunk|sysmalloc|systrim')
MOST_ALLOCATION = 1.0
HEAD = 'instructions of a step by function, with what is inlined into it; by one thread, x86-64-v3, and valgrind'
# Copies and fills of memory by vectors, whatever the processor prefers.
TUNABLES = ':'.join(f'glibc.cpu.x86_{name}={1 << 40 if name == "non_temporal_threshold" else 1 << 30}'
                    for name in ('rep_movsb_threshold', 'rep_stosb_threshold', 'non_temporal_threshold'))


def origin(compiler):
    """What counts depend on beside the sources; of GCC whatever name it was called by"""
    compiler = re.sub(r'^\S+ \(.*\) (\d\S*).*$', r'gcc \1', compiler)
    return f'{compiler}, {" ".join(os.confstr("CS_GNU_LIBC_VERSION").split())}'


def plain(function):
    """A function without what the compiler and the C library add to its name"""
    if library := re.match(r'__(mem[a-z]+?)_[a-z0-9_]+$', function):
        return library[1]
    if ALLOCATION.fullmatch(function.partition('.')[0].removesuffix("'2")):
        return 'allocation'
    return re.sub(r"(\.(constprop|isra|part|cold|lto_priv|_omp_fn)(\.\d+)?)+|'\d+$", '', function)


def read_part(path):
    """function -> instructions of its own, of one part of callgrind's record"""
    counts, function, of_callee = collections.Counter(), None, False
    for line in path.read_text('utf-8', 'replace').splitlines():
        if line.startswith('fn='):
            function = plain(line[3:])
        elif line.startswith('calls='):
            of_callee = True
        elif re.match(r'[-+*\d]', line):
            if not of_callee:
                counts[function] += int(line.split()[1])
            of_callee = False
    return counts


def rows_of(counts, names=None):
    """Rows of a case: these functions, or by default the greatest first; then all others and the step"""
    step = sum(counts.values())
    if names is None:
        names = [name for name, number in counts.most_common() if number >= 0.01 * step or name == 'allocation']
    rows = {name: counts[name] // STEPS for name in names if name not in ('others', 'step')}
    rows['others'] = step // STEPS - sum(rows.values())
    rows['step'] = step // STEPS
    return rows


def count_study(program, study):
    """case -> function -> instructions of its own in the counted steps, of a study"""
    with tempfile.TemporaryDirectory(prefix='viperbench-counts.') as folder:
        command = ['valgrind', '--quiet', '--tool=callgrind', f'--callgrind-out-file={folder}/part',
                   '--toggle-collect=counted_steps', '--dump-after=counted_steps', '--compress-strings=no',
                   '--compress-pos=no', program, study]
        environment = os.environ | {'GLIBC_TUNABLES': TUNABLES, 'VIPERBENCH_HOME': '.', 'OMP_WAIT_POLICY': 'passive'}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f'counts: {program} ended with {done.returncode} in valgrind')
        names = done.stdout.splitlines()
        parts = [Path(f'{folder}/part.{i + 1}') for i in range(len(names))]
        if not names or not all(part.exists() for part in parts):
            sys.exit('counts: valgrind wrote no part of its record for some case')
        return {name: read_part(part) for name, part in zip(names, parts)}


def count(program):
    """The same of all studies, as many at a time as there are processors"""
    studies = subprocess.run([program, '--studies'], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    with ThreadPoolExecutor(int(os.environ.get('JOBS') or os.cpu_count())) as pool:
        parts = pool.map(lambda study: count_study(program, study), studies)
        return {name: counts for part in parts for name, counts in part.items()}


def text_of(compiler, reason, cases):
    lines = [compiler, HEAD, f'why: {reason}']
    for name, counts in cases.items():
        lines += ['', name] + [f'  {function:<44} {number:>11}' for function, number in rows_of(counts).items()]
    return '\n'.join(lines) + '\n'


def read_gold(text):
    """The first line, and case -> rows"""
    cases, rows = {}, None
    for line in text.splitlines()[3:]:
        if line.startswith('  '):
            function, number = line.rsplit(None, 1)
            rows[function.strip()] = int(number)
        elif line:
            rows = cases[line] = {}
    return text.partition('\n')[0], cases


def changes_of(case, old, counts):
    """Sentences on what changed in a case by more than it may"""
    told, step, new = [], old['step'], rows_of(counts, old)
    for name, a in old.items():
        b = new[name]
        most = MOST_ALLOCATION if name == 'allocation' else MOST_CHANGE
        least = most * a if name == 'step' else max(most * a, LEAST_PART * step)
        if abs(b - a) > least:
            told.append(f'{case.partition(":")[0]}: {name}: {b}, was {a}' + (f' ({100 * (b / a - 1):+.1f} %)' if a else ''))
    return told


def compare(gold, cases):
    told = [f'{name.partition(":")[0]}: {"is new" if name in cases else "is gone"}' for name in gold.keys() ^ cases.keys()]
    for name in gold.keys() & cases.keys():
        told += changes_of(name, gold[name], cases[name])
    return sorted(told)


def skip(what, reason):
    """Tells that nothing was compared; a failure where REQUIRE names what is missing"""
    if what in os.environ.get('REQUIRE', '').split():
        sys.exit(f'counts: {what} is required: {reason}')
    print(f'SKIPPED ({what}): {reason}\n0 cases compared, all skipped')
    sys.exit(0)


def self_test():
    def case(**numbers):
        return {'a: direct': collections.Counter({name: STEPS * number for name, number in numbers.items()})}
    sound = case(factor=60000, assemble=39000, small=990, least=10)
    first, gold = read_gold(text_of('gcc', 'x', sound))
    assert first == 'gcc' and gold == {'a: direct': {'factor': 60000, 'assemble': 39000, 'others': 1000, 'step': 100000}}
    assert origin('cc (Debian 12.2.0-14+deb12u1) 12.2.0').startswith('gcc 12.2.0, glibc')
    assert plain('xpbd.constprop.0.isra.0') == 'xpbd' and plain('__memset_avx2_unaligned_erms') == 'memset'
    assert plain('_int_malloc') == plain('free') == 'allocation' and plain('viper_free') == 'viper_free'
    varied = {allocation: case(factor=900000, allocation=allocation) for allocation in (10000, 15000, 25000)}
    had = read_gold(text_of('gcc', 'x', varied[10000]))[1]
    assert not compare(had, varied[15000]) and len(compare(had, varied[25000])) == 1
    for told, numbers in ((0, (60000, 39000, 1000)), (2, (65000, 39000, 1000)), (2, (55000, 39000, 1000)),
                          (2, (61400, 37600, 1000)), (2, (60000, 39000, 4000)), (0, (60900, 39000, 1000))):
        now = case(**dict(zip(('factor', 'assemble', 'new'), numbers)))
        assert len(compare(gold, now)) == told, f'{numbers}: {compare(gold, now)}'
    assert compare(gold, {}) == ['a: is gone'] and compare({}, sound) == ['a: is new']


def main(arguments):
    if arguments == ['--self-test']:
        return self_test()
    if not 1 <= len(arguments) <= 2 or (len(arguments) == 2 and not arguments[1].strip()):
        sys.exit('counts: wants PROGRAM [REASON]')
    now = origin(os.environ.get('COMPILER', 'compiler unknown'))
    had, gold = read_gold(GOLD.read_text('utf-8')) if GOLD.exists() else (now, {})
    if not shutil.which('valgrind'):
        skip('valgrind', 'valgrind is not installed (Debian: valgrind)')
    if 'avx2' not in Path('/proc/cpuinfo').read_text('utf-8'):
        skip('avx2', 'this processor has no x86-64-v3')
    if len(arguments) == 1 and had != now:
        skip('compiler', f'counts are of {had}; here is {now}')
    cases = count(arguments[0])
    told = compare(gold, cases)
    print('\n'.join(told + [f'{len(cases)} cases compared, {len(told)} changes of more than {100 * MOST_CHANGE:.0f} %']))
    if len(arguments) == 2:
        GOLD.write_text(text_of(now, arguments[1].strip(), cases), 'utf-8')
        print(f'wrote {GOLD}')
    elif told:
        sys.exit(f'counts: steps take other numbers of instructions than {GOLD} has. Where that is meant, write it anew '
                 "and commit it: make counts REASON='what costs or saves them'")


if __name__ == '__main__':
    main(sys.argv[1:])
