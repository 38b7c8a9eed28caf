# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes an index of systems from results of `viperbench score` and of `make peers`, of which the page "Which system for
which job" is made.

  systems.py FOLDER     writes FOLDER/systems.h5 of the entries in FOLDER and in FOLDER/score

A system is a solver with its method and material. For each machine, system and problem the group `scores` of INDEX has the
least time to each error of LEVELS, of runs on one thread, and the least error; for each system what its solver declares to
take, and what broke. It needs h5py."""
import json
import os
import sys

import h5py
import numpy as np

from join import TEXT, copy

LEVELS = (0.1, 0.01, 1e-3)
# Entries of the peers' page that are systems of scenarios/entries, too.
SAME = {'peer_viper': 'viper_direct_published', 'peer_solid': 'viper_direct_solid', 'peer_xpbd': 'viper_xpbd_published',
        'peer_umetani': 'umetani_xpbd', 'peer_cosserat': 'cosserat', 'peer_neohookean': 'neohookean'}
# Problems that a solver takes as bundles of its rods, which are a system of their own.
BUNDLED = ('twisted_band',)
# What of a solver's declared sets a reader chooses by.
TELLING = {'segment': 'rods', 'tetrahedron': 'tetrahedra', 'bundle': 'bundles', 'activation': 'activation', 'contact': 'contact',
           'half-plane': 'planes', 'collider': 'colliders', 'bone': 'bones', 'follower load': 'follower loads'}


def text(dataset):
    value = dataset[()] if dataset.shape == () else dataset[0]
    return value.decode() if isinstance(value, bytes) else value


def named(run):
    """Problem and case of a run PROBLEM-CASE-nN[-SETTINGS], its number of segments, and its settings; None if it is none."""
    head, found, tail = run.rpartition('-n')
    number, _, settings = tail.partition('-')
    return (head, int(number), settings) if found and number.isdigit() else None


def system_of(entry, problem):
    system = SAME.get(entry, entry.removeprefix('peer_'))
    bundled = problem.partition('-')[0] in BUNDLED and system.startswith('viper')
    return system + ', bundles' if bundled else system


def errors(gates):
    """The greatest error of each run; gates allow a millionth of what errors are relative to."""
    found = {}
    for run, value, reference, tolerance in zip(*(gates[name][:] for name in ('runs', 'value', 'reference', 'tolerance'))):
        error = abs(value - reference) / (1e6 * tolerance)
        old = found.get(run.decode(), 0.0)
        found[run.decode()] = error if not error <= old else old  # nan, too
    return found


def machine_of(file):
    """The processor, its number, the system and the host, of the file of a run."""
    said = file['provenance']
    return tuple(str(text(said[name])) for name in ('cpu', 'cores', 'system', 'host'))


def seconds(file):
    """Wall time of the steps; of another package, inside of its own calls."""
    timing = file['timing']
    return float(np.sum(timing['phases/package'] if 'phases/package' in timing else timing['step']))


def begin(index, entry):
    """What every index has, as the program wrote it for an entry; of no runs, for those are in several folders."""
    with h5py.File(entry) as first:
        for name, value in first.attrs.items():
            index.attrs[name] = value
        index.attrs['figure'] = './systems'  # of the script systems.lua
        first.copy('provenance', index)
        told = {'study': 'systems', 'title': 'Which system for which job', 'settings': '', 'script': '',
                'tier': first['scenario/tier'][()], 'runs': np.array([], TEXT)}
        for name, value in told.items():
            copy(first['scenario'][name], index.require_group('scenario'), name, value)
        index.create_group('runs')


class Systems:
    """What the runs of all entries say of each system."""

    def __init__(self):
        self.told = {}  # by system: what its solver is and takes
        self.breaks = {}  # by system: what broke, and how often
        self.rows = {}  # by machine, system and problem: times, least error and the file of its run, numbers of runs

    def broke(self, system, what):
        if what not in self.breaks.setdefault(system, []):
            self.breaks[system].append(what)

    def entry(self, path):
        name, folder = os.path.splitext(os.path.basename(path))[0], os.path.dirname(os.path.abspath(path))
        with h5py.File(path) as index:
            of_run, lost = errors(index['gates']), {}
            for run in (r.decode() for r in index['scenario/runs'][:]):
                parts = named(run)
                if not parts or parts[2].endswith('all'):
                    continue
                system = system_of(name, parts[0])
                link = index['runs'].get(run, getlink=True)
                at = os.path.join(folder, link.filename) if link else None
                if not at or not os.path.exists(at):
                    lost.setdefault((system, parts[0]), []).append(run)
                    continue
                with h5py.File(at) as file:
                    self.run(system, parts[0], os.path.abspath(at), file, of_run.get(run, np.nan))
            for (system, problem), runs in lost.items():
                self.broke(system, f'{problem}: {len(runs)} refused or not run')

    def run(self, system, problem, path, file, error):
        if system not in self.told:
            said = json.loads(text(file['solver/description']))
            takes = [word for tag, word in TELLING.items() if tag in said['sets']]
            self.told[system] = text(file['solver/long_name']), ', '.join(takes)
        for reason in json.loads(text(file['scenario/parameters'])).get('without', '').split('; '):
            if reason and not reason.endswith('the entry has no key of this name'):
                self.broke(system, f'not {reason}')
        row = self.rows.setdefault((machine_of(file), system, problem),
                                   {'times': [np.nan] * len(LEVELS), 'best': np.inf, 'file': path, 'runs': 0, 'lost': 0})
        row['runs'] += 1
        if not np.isfinite(error) or file['run'].attrs['status'] not in ('complete', b'complete'):
            row['lost'] += 1
            return
        if error < row['best']:
            row['best'], row['file'] = error, path
        time = seconds(file)
        row['times'] = [time if error <= level and not time >= old else old for level, old in zip(LEVELS, row['times'])]

    def judge(self):
        """Problems that a system takes and never has within 10 %, and runs that diverged."""
        for (_, system, problem), row in self.rows.items():
            if row['lost']:
                self.broke(system, f'{problem}: {row["lost"]} of {row["runs"]} runs diverged')
            if not row['best'] <= LEVELS[0] and row['lost'] < row['runs']:
                self.broke(system, f'{problem}: off by {row["best"]:.2g} at best')

    def write(self, path, first):
        found = [key[0] for key in self.rows]
        machines = sorted(set(found), key=lambda machine: (-found.count(machine), machine))  # the first has most rows
        beside = os.path.dirname(os.path.abspath(path))
        with h5py.File(path, 'w') as index:
            begin(index, first)
            group = index.create_group('scores')

            def put(name, values, kind=None):
                data = group.create_dataset(name, data=np.array(values, kind or float) if kind is not TEXT else values, dtype=kind)
                data.attrs['units'], data.attrs['long_name'] = '1', name
            systems = list(self.told)
            put('name', systems, TEXT)
            put('long_name', [self.told[s][0] for s in systems], TEXT)
            put('takes', [self.told[s][1] for s in systems], TEXT)
            put('breaks', ['; '.join(self.breaks.get(s, [])) for s in systems], TEXT)
            put('machine', [f'{cpu}, {cores} cores, {system}' for cpu, cores, system, _ in machines], TEXT)
            keys = list(self.rows)
            put('row/machine', [machines.index(k[0]) for k in keys])
            put('row/system', [k[1] for k in keys], TEXT)
            put('row/problem', [k[2] for k in keys], TEXT)
            put('row/file', [os.path.relpath(self.rows[k]['file'], beside) for k in keys], TEXT)
            put('row/best', [self.rows[k]['best'] for k in keys])
            for i, level in enumerate(('10', '1', '01')):
                put(f'row/time_{level}', [self.rows[k]['times'][i] for k in keys])


def entries_in(folder):
    """The indexes of entries: those of `make peers`, and of `viperbench score`."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = ((os.path.join(here, 'entries'), folder), (os.path.join(here, '..', '..', 'scenarios', 'entries'), os.path.join(folder, 'score')))
    found = [os.path.join(place, os.path.splitext(script)[0] + '.h5') for scripts, place in places for script in sorted(os.listdir(scripts))]
    return [path for path in found if os.path.exists(path)]


def main(folder):
    entries = entries_in(folder)
    if not entries:
        sys.exit(f'systems.py: {folder} has no results of entries; viperbench score and make peers write them')
    systems = Systems()
    for entry in entries:
        systems.entry(entry)
    systems.judge()
    systems.write(os.path.join(folder, 'systems.h5'), entries[0])


if __name__ == '__main__':
    main(sys.argv[1])
