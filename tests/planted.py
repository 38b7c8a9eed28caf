# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs studies with planted solvers, which have a known fault, and checks that their gates see it.

  tests/planted.py [--kinds KIND,KIND | --kinds all] [--limit SECONDS | --all] [--without STUDY,STUDY:KIND] [--page FILE.md]
                   [STUDY...]

Without names, all studies below scenarios/. Kinds are those of src/study/planted.h (by default the four below); of
these a study is run with those that its gates must see (the key "planted" of its table) and those that it exempts.
With --limit, no run of a study is begun once so many seconds of a processor are spent on it; a kind that is left then is
undecided, which is counted and no error. What --without names, studies and kinds of studies, is left out, which is told. With --all,
every study is run with every kind, to its end; --page writes who sees what as a page.

A kind is caught where a gate that is no finding fails, or a run diverges. Errors are a kind that must be caught and is
not, one that is exempt and is caught, and a run that cannot be executed. Exit code: 0 none, 1 errors, 2 bad use.

  JUDGE  the program that runs a study (build/planted/judge)
  JOBS   how many run at a time (the number of processors)
"""
import argparse, json, os, re, resource, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

KINDS = ['still', 'free-fall', 'half-step', 'stale']
EVERY = re.findall(r'^  X\(\w+, "([\w-]+)"', Path('src/study/planted.h').read_text('utf-8'), re.M)
NO_STUDIES = {'lib', 'meshes', 'scenes', 'first_steps', 'problems', 'entries'}


def studies():
    # A page's template, NAME.md.lua, is no study.
    return sorted(path.stem for path in Path('scenarios').rglob('*.lua')
                  if not NO_STUDIES & set(path.parts) and not path.stem.endswith('.md'))


def judge(study, kinds, how):
    """The rows of a study, a kind each, and what went wrong"""
    command = [os.environ.get('JUDGE', 'build/planted/judge')] + how + [study] + kinds
    environment = dict(os.environ, OMP_NUM_THREADS='1', VIPERBENCH_HOME=os.environ.get('VIPERBENCH_HOME', '.'))
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [done.stderr.strip() or f'{study}: its process ended with code {done.returncode}'] if done.returncode else []
    return rows, wrong


def caught(row):
    return bool(row['failed'] or row['diverged'])


def seen_by(row):
    """What saw the fault, in words"""
    names = [f'"{name}"' for name in row['failed']] + [f'run {name} diverged' for name in row['diverged']]
    return ', '.join(names[:3]) + (f' and {len(names) - 3} more' if len(names) > 3 else '')


def error_of(row):
    """What is wrong with a row, or nothing"""
    where = f'{row["study"]}, {row["kind"]}'
    if row['error']:
        return f'{where}: {row["error"]}'
    if row['must'] and not caught(row) and not row['undecided']:
        return f'{where}: must be caught, and passes all of {row["gates"]} gates'
    if row['exempt'] and caught(row):
        return f'{where}: is exempt ({row["exempt"]}), and is caught by {seen_by(row)}'
    return None


def tell(row):
    verdict = 'caught by ' + seen_by(row) if caught(row) else 'undecided' if row['undecided'] else \
        'exempt: ' + row['exempt'] if row['exempt'] else 'not caught'
    print(f'  {row["study"]:22} {row["kind"]:14} {row["runs"]:3} of {row["of"]:3} runs {row["seconds"]:6.1f} s  '
          f'{"ERROR" if row["error"] else verdict}', flush=True)


def page(rows, kinds):
    """Who sees what, as Markdown"""
    by = {(row['study'], row['kind']): row for row in rows}
    names = sorted({row['study'] for row in rows})
    lines = ['# Planted solvers', '',
             'How many gates of a study fail with a solver that has a known fault; in bold where some must. `x`: exempt; '
             '`-`: none fails.', '', '| study | gates | ' + ' | '.join(kinds) + ' |', '|---|' + '---|' * (len(kinds) + 1)]
    for name in names:
        cells = []
        for kind in kinds:
            row = by.get((name, kind))
            n = len(row['failed']) + len(row['diverged']) if row else 0
            text = '' if not row else 'error' if row['error'] else str(n) if n else 'x' if row['exempt'] else '-'
            cells.append(f'**{text}**' if row and row['must'] else text)
        gates = next(row['gates'] for row in rows if row['study'] == name)
        lines.append(f'| `{name}` | {gates} | ' + ' | '.join(cells) + ' |')
    exempt = [row for row in rows if row['exempt']]
    lines += ['', f'## Exemptions ({len(exempt)})', ''] + [f'- `{r["study"]}`, {r["kind"]}: {r["exempt"]}' for r in exempt]
    lines += ['', '## Gates that fail', '']
    for row in rows:
        if caught(row):
            names = row['failed'] + [f'run {run} diverged' for run in row['diverged']]
            lines.append(f'- `{row["study"]}`, {row["kind"]}: ' + '; '.join(names))
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--kinds', default=','.join(KINDS))
    parser.add_argument('--limit', type=float)
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--without', default='')
    parser.add_argument('--page')
    parser.add_argument('studies', nargs='*')
    asked = parser.parse_args()
    kinds = EVERY if asked.all or asked.kinds == 'all' else asked.kinds.split(',')
    without = [] if asked.studies else [name for name in asked.without.split(',') if name]
    for name in without:
        study, _, kind = name.partition(':')
        if study not in studies() or kind and kind not in EVERY:
            parser.error(f'--without {name}: there is no such study or kind')
    names, begun = asked.studies or [name for name in studies() if name not in without], time.monotonic()
    how = ['--all'] if asked.all else ['--limit', str(asked.limit)] if asked.limit else []
    rows, wrong = [], []
    with ThreadPoolExecutor(int(os.environ.get('JOBS') or os.cpu_count())) as pool:
        for done in as_completed([pool.submit(judge, name, [kind for kind in kinds if f'{name}:{kind}' not in without], how)
                                  for name in names]):
            some, errors = done.result()
            rows += some
            wrong += errors
            for row in some:
                tell(row)
    rows.sort(key=lambda row: (row['study'], EVERY.index(row['kind']) if row['kind'] in EVERY else -1))
    wrong += [text for text in map(error_of, rows) if text]
    if asked.page:
        Path(asked.page).write_text(page(rows, kinds), 'utf-8')
    for text in wrong:
        print(f'planted: {text}')
    if without:
        print(f'planted: left to --all: {", ".join(without)}')
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f'planted: {sum(map(caught, rows))} of {len(rows)} caught, {sum(bool(r["exempt"]) for r in rows)} exempt, '
          f'{sum(r["undecided"] for r in rows)} undecided, {len(wrong)} errors, {len(names)} studies, {time.monotonic() - begun:.0f} s '
          f'({used.ru_utime + used.ru_stime:.0f} s of a processor)')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
