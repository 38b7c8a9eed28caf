#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step of tests/bisect.sh looks at, from the document of "viperbench run --json".

  bisect_value.py GATE DOCUMENT      a line for each gate whose name has GATE: runs, name, verdict, value; where GATE is
                                     empty a line of how many gates have which verdict. 1 where there is none
  bisect_value.py --same OLD NEW     0 where two such texts are the same, but for 1e-6 of each value, else 1
"""
import collections
import json
import sys

# As of "viperbench history": more than compilers change.
NOISE = 1e-6


def look(gate, path):
    with open(path) as file:
        gates = [g for study in json.load(file)['studies'] for g in study['gates']]
    if not gate:
        counts = collections.Counter(g['verdict'] for g in gates)
        return ['\t'.join(['all', 'gates', f'{count} {verdict}', '0']) for verdict, count in sorted(counts.items())]
    return ['\t'.join([' '.join(g['runs']), g['name'], g['verdict'], repr(g['value'])]) for g in gates if gate in g['name']]


def close(a, b):
    try:
        a, b = float(a), float(b)
    except ValueError:  # None: not a number
        return a == b
    return abs(a - b) <= NOISE * max(abs(a), abs(b))


def is_same(old, new):
    with open(old) as a, open(new) as b:
        a, b = [[line.rstrip('\n').split('\t') for line in file] for file in (a, b)]
    return len(a) == len(b) and all(x[:3] == y[:3] and close(x[3], y[3]) for x, y in zip(a, b))


def main():
    if sys.argv[1] == '--same':
        return 0 if is_same(*sys.argv[2:4]) else 1
    lines = look(*sys.argv[1:3])
    print('\n'.join(lines))
    return 0 if lines else 1


if __name__ == '__main__':
    sys.exit(main())
