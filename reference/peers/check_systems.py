# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of systems.py: entries of two machines, written here, and the rows that they make. Machines that are mixed, errors
that are taken from another run, and lost runs that count as solved are planted, and must be seen. It needs h5py."""
import os
import sys
import tempfile

import h5py
import numpy as np

import systems

TEXT = h5py.string_dtype()


def write(folder, entry, cpu, runs):
    """An entry's index and its runs: name, error, seconds of its steps, and status."""
    with h5py.File(os.path.join(folder, entry + '.h5'), 'w') as index:
        index['scenario/runs'] = np.array([run[0] for run in runs], TEXT)
        index.create_group('runs')
        for name, values in (('runs', [run[0] for run in runs]), ('value', [1 + run[1] for run in runs]),
                             ('reference', [1.0] * len(runs)), ('tolerance', [1e-6] * len(runs))):
            index[f'gates/{name}'] = np.array(values, TEXT if name == 'runs' else float)
        for name, _, seconds, status in runs:
            if status == 'refused':
                continue
            with h5py.File(os.path.join(folder, f'{entry}-{name}.h5'), 'w') as file:
                for key, value in (('cpu', cpu), ('system', 'Linux'), ('host', 'here')):
                    file[f'provenance/{key}'] = value
                file['provenance/cores'], file['timing/step'] = 2, np.array([seconds / 2, seconds / 2])
                file['solver/description'], file['solver/long_name'] = '{"sets": ["segment", "bundle"]}', 'made up'
                file['scenario/parameters'] = '{"without": "knot: no contact"}'
                file.create_group('run').attrs['status'] = status
            index['runs'][name] = h5py.ExternalLink(f'{entry}-{name}.h5', '/')


def rows(folder, *entries):
    """Times and least errors by machine, system and problem, and what broke."""
    found = systems.Systems()
    for entry in entries:
        found.entry(os.path.join(folder, entry + '.h5'))
    found.judge()
    return {(key[0][0], *key[1:]): (row['times'], round(row['best'], 9)) for key, row in found.rows.items()}, found.breaks


def right(folder):
    """Whether the rows are those that the entries below must make."""
    made, broke = rows(folder, 'peer_solid', 'viper_direct_solid', 'other')
    nan = np.nan
    wanted = {('a', 'viper_direct_solid', 'elastica-1'): ([1.0, 2.0, nan], 0.005),
              ('a', 'viper_direct_solid, bundles', 'twisted_band-rest'): ([nan, nan, nan], 0.5),
              ('b', 'viper_direct_solid', 'elastica-1'): ([0.1, 0.1, 0.1], 0.0005), ('b', 'other', 'elastica-1'): ([nan] * 3, np.inf)}
    same = made.keys() == wanted.keys() and all(
        np.array_equal(made[key][0], wanted[key][0], equal_nan=True) and made[key][1] == wanted[key][1] for key in wanted)
    broke = {key: set(value) for key, value in broke.items()}
    told = broke == {'viper_direct_solid': {'not knot: no contact'},
                     'other': {'elastica-2: 1 refused or not run', 'not knot: no contact', 'elastica-1: 1 of 1 runs diverged'},
                     'viper_direct_solid, bundles': {'not knot: no contact', 'twisted_band-rest: off by 0.5 at best'}}
    return same and told


def main():
    failed = 0

    def tell(what, good):
        nonlocal failed
        failed += not good
        print(f'systems: {what}: {"yes" if good else "NO"}')
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 'peer_solid', 'a', [('elastica-1-n8', 0.05, 1.0, 'complete'), ('elastica-1-n16-s2', 0.005, 2.0, 'complete'),
                                          ('elastica-1-n16-all', 1e-5, 0.01, 'complete'), ('twisted_band-rest-n8', 0.5, 1.0, 'complete')])
        write(folder, 'viper_direct_solid', 'b', [('elastica-1-n8', 0.0005, 0.1, 'complete')])
        write(folder, 'other', 'b', [('elastica-1-n8', 0.0, 0.1, 'diverged'), ('elastica-2-n8', 0.0, 0.1, 'refused')])
        tell('rows of two machines are those of their runs', right(folder))
        for name, fault in (('machine_of', lambda _: ('a', '2', 'Linux', 'here')), ('seconds', lambda _: 1.0), ('errors', lambda _: {}),
                            ('system_of', lambda entry, _: entry)):
            true = getattr(systems, name)
            setattr(systems, name, fault)
            tell(f'planted {name} is seen', not right(folder))
            setattr(systems, name, true)
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
