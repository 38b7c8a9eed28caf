# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the answers of peers with those that the pinned versions gave, so that a new version's change is seen.

  gold.py INDEX GOLD.json [--regold all|new]

INDEX is that of join.py. Exit code: 0 if all answers that both have agree, 1 if one differs. With --regold the file is
written, with "new" those answers that it lacks; answers of runs that INDEX lacks are kept. It needs h5py."""
import json
import os
import sys

import h5py

# Of the length: other processors and compilers sum in another order. No answer is chaotic, for all are at rest, but for UNSETTLED;
# those of explicit solvers keep some motion, and iterations that stop at a tolerance as much as that leaves. Of answers that are many
# times what errors are relative to, such as an amplitude, it is a part of the answer: eight digits are stored.
TOLERANCE = 1e-5
# With half of its substeps this rod does not come to rest: three runs had three answers.
UNSETTLED = ('peer_pypbd-helical_spring-50-n8-s05 ',)
OURS = tuple(f'peer_{name}-' for name in ('viper', 'solid', 'xpbd', 'cosserat', 'umetani', 'neohookean'))  # their gold is that of the project's tests


def answers(path):
    """Value over the length of the rod, by run and gate."""
    with h5py.File(path) as index:
        gates = index['gates']
        rows = zip(*(gates[name][:] for name in ('runs', 'name', 'value', 'tolerance')))
        return {f'{run.decode()} {name.decode()}': value / (1e6 * tolerance) for run, name, value, tolerance in rows
                if not f'{run.decode()} '.startswith(OURS + UNSETTLED) and value == value}


def main():
    found, path = answers(sys.argv[1]), sys.argv[2]
    gold = json.load(open(path)) if os.path.exists(path) else {}
    if '--regold' in sys.argv:
        taken = {key: float(f'{value:.8g}') for key, value in found.items()}
        kept = {**gold, **taken} if sys.argv[-1] == 'all' else {**taken, **gold}
        with open(path, 'w') as file:
            json.dump(dict(sorted(kept.items())), file, indent=0)
            file.write('\n')
        print(f'gold: {len(kept) - len(gold)} answers are added')
        if sys.argv[-1] == 'all':
            return 0
    apart = [key for key in found if key in gold and abs(found[key] - gold[key]) > TOLERANCE * max(1, abs(gold[key]))]
    for key in apart:
        print(f'gold: {key} is {found[key]:.8g} of the length; it was {gold[key]:.8g}')
    print(f'gold: {sum(key in gold for key in found) - len(apart)} answers agree, {len(apart)} differ, '
          f'{sum(key not in gold for key in found)} are new')
    return len(apart) > 0


if __name__ == '__main__':
    sys.exit(main())
