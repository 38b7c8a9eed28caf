# SPDX-License-Identifier: GPL-3.0-or-later
"""Results files, read where and when something of them is asked for. results/README.md describes what they hold."""
import json
import os
import re
from collections.abc import Mapping

import numpy as np

from ._library import Damaged, Unavailable
from ._reading import open_file


# Lists of one text each in files since schema 2.6.
_LONG_TEXTS = ('scenario/script', 'solver/description')


def _value(dataset, name=''):
    """One number or text as Python's, several as an array or a list."""
    if dataset.kind == 't':
        texts = dataset.texts()
        return texts[0] if dataset.shape == () or name in _LONG_TEXTS and len(texts) == 1 else texts
    values = dataset.numbers()
    return values if dataset.shape else values.item()


def _described(place, path):
    """What an energy or a field is, by what the solver said of itself; '' for another quantity."""
    said = place.dataset('solver/description')
    try:
        said = json.loads(said.texts()[0])
        return next((one['long_name'] for one in said['fields'] + said['energies']
                     if one['name'] == path.rpartition('/')[2]), '')
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return ''


class Column:
    """A recorded quantity. It is read as it is indexed: `column[-1]` is the last row alone, `column[:]` or
    `numpy.asarray(column)` all. `units` and `long_name` say what it is."""

    def __init__(self, dataset, described=None):
        self._dataset = dataset
        self.shape, self.dtype = dataset.shape, dataset.dtype
        self.units, self.long_name = dataset.units, dataset.long_name or described or ''
        self.rows = self.shape[0] if self.shape else None

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        first, rest = (index[0], index[1:]) if isinstance(index, tuple) and index else (index, ())
        if self.rows is None or not isinstance(first, (slice, int, np.integer)):
            return self._dataset.numbers()[index]
        chosen = range(self.rows)[first]
        if isinstance(chosen, int):
            return self._dataset.numbers(chosen, chosen + 1)[(0, *rest)]
        if not len(chosen):
            return self._dataset.numbers(0, 0)[(slice(None), *rest)]
        begin = min(chosen[0], chosen[-1])
        rows = self._dataset.numbers(begin, max(chosen[0], chosen[-1]) + 1)
        at = slice(chosen[0] - begin, None if chosen[-1] == begin and chosen.step < 0 else chosen[-1] - begin + 1,
                   chosen.step)
        return rows[(at, *rest)]

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._dataset.numbers(), dtype)

    def __repr__(self):
        return f'<{self.long_name} [{self.units}], {self.shape}>'


class Columns(Mapping):
    """The quantities below a group, by their paths: `run.energy['stretch']`, `run['frames/position']`."""

    def __init__(self, place, group):
        self._place, self._group = place, group

    def __getitem__(self, path):
        name = f'{self._group}/{path}'
        dataset = self._place.dataset(name)
        if dataset is None:
            if self._place.names(name):
                return Columns(self._place, name)
            raise KeyError(f'{path}: {self._place.path} has no such quantity; there are '
                           f'{", ".join(self._place.names(self._group))}')
        if dataset.kind == 't':
            return _value(dataset)
        return Column(dataset, None if dataset.long_name else _described(self._place, name))

    def __iter__(self):
        """Paths of all datasets below."""
        return iter(self._place.names(self._group, below=True))

    def __len__(self):
        return sum(1 for _ in self)

    def __repr__(self):
        return f'<{self._group}: {", ".join(self._place.names(self._group))}>'


def _values(place, group):
    """All single values below a group, as a dict."""
    values = {}
    for name in place.names(group):
        path = f'{group}/{name}'
        dataset = place.dataset(path)
        values[name] = _values(place, path) if dataset is None else _value(dataset, path)
    return values


class Gate:
    """A gate and its verdict: `name`, `value`, `reference`, `tolerance`, `passed`, `reason` and the like."""

    def __init__(self, values):
        self.__dict__.update(values)
        self.passed = bool(self.passed)

    def __repr__(self):
        return f'<{self.name}: {self.value:.10g}, {"passed" if self.passed else "FAILED"}>'


class _File:
    """What runs and studies share."""

    def __init__(self, place, path):
        self._place, self.path = place, path

    def _dict(self, name):
        return _values(self._place, name)

    @property
    def provenance(self):
        return self._dict('provenance')

    @property
    def scenario(self):
        return self._dict('scenario')

    @property
    def gates(self):
        table = self._dict('gates')
        try:
            return [Gate({name: column[i] for name, column in table.items()}) for i in range(len(table.get('name', ())))]
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as reason:
            raise Damaged(f'{self.path}: its table of gates is not whole') from reason

    @property
    def passed(self):
        """Whether every gate passed; findings are to be inside their bands, missed or not."""
        moved = ('worse', 'better', 'unmeasured')
        return all(getattr(gate, 'finding_verdict', '') not in moved if getattr(gate, 'finding', False) else gate.passed
                   for gate in self.gates)

    def close(self):
        self._place.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Run(_File):
    """The record of a run. `run['energy/stretch']`, `run['frames/position']`, .. are quantities below /run."""

    @property
    def columns(self):
        return Columns(self._place, 'run')

    def __getitem__(self, path):
        return self.columns[path]

    def _part(self, path):
        return Columns(self._place, path) if self._place.names(path) else {}

    time = property(lambda self: self['time'])
    energy = property(lambda self: self._part('run/energy'))
    work = property(lambda self: self._part('run/work'))
    frames = property(lambda self: self._part('run/frames'))
    topology = property(lambda self: self._part('topology'))
    timing = property(lambda self: self._part('timing'))
    convergence = property(lambda self: self._part('convergence'))
    status = property(lambda self: self._place.attribute('run', 'status'))
    converged = property(lambda self: self._place.attribute('run', 'convergence', 'not judged'))
    steps = property(lambda self: self._place.integer('run', 'steps'))

    @property
    def solver(self):
        solver = self._dict('solver')
        try:
            return {name: json.loads(value) if name in ('options', 'description') else value
                    for name, value in solver.items()}
        except (TypeError, ValueError) as reason:
            raise Damaged(f'{self.path}: what it says of its solver is no JSON') from reason

    def to_pandas(self):
        """The series of single numbers as a DataFrame over the time."""
        columns, time = self.columns, self.time
        if not isinstance(time, Column) or len(time.shape) != 1:
            raise Damaged(f'{self.path}: its times are no list of numbers')
        series = {path: columns[path][:] for path in columns
                  if not path.startswith('frames/') and path != 'time' and isinstance(columns[path], Column)
                  and len(columns[path].shape) == 1 and len(columns[path]) == len(time)}
        return _pandas().DataFrame(series, index=_pandas().Index(time[:], name='time'))

    def __repr__(self):
        return f'<run {os.path.basename(self.path)}: {self.status}, {self.steps} steps>'


def _by_number(name):
    """The key by which n8 comes before n16."""
    return [int(part) if part.isdigit() else part for part in re.split('([0-9]+)', name)]


class Runs(Mapping):
    """The runs of a study by their names, each opened when it is asked for."""

    def __init__(self, place, benchmark):
        self._place, self._opened = place, {}
        # Those of a benchmark have no record of their own.
        names = [name for name in place.names('runs') if not benchmark or place.names(f'runs/{name}/run')]
        self._names = sorted(names, key=_by_number)

    def __getitem__(self, name):
        if name not in self._opened:
            if name not in self._names:
                raise KeyError(f'there is no run {name}; there are {", ".join(self._names)}')
            self._opened[name] = Run(self._place.run(name), f'{self._place.path}:{name}')
        return self._opened[name]

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def close(self):
        for run in self._opened.values():
            run.close()


class Study(_File):
    """The index of a study: `runs`, by name, and all `gates`; of a benchmark `bench`, its cases."""

    def __init__(self, place, path):
        super().__init__(place, path)
        self.runs = Runs(place, benchmark=bool(place.names('bench')))

    @property
    def bench(self):
        return {name: _values(self._place, f'bench/{name}') for name in self._place.names('bench')}

    @property
    def grid(self):
        """By axis, the place of each run in the order of `scenario['runs']`."""
        return self.scenario.get('grid', {})

    def __getitem__(self, name):
        return self.runs[name]

    def to_pandas(self):
        """The gates as a DataFrame."""
        return _pandas().DataFrame([vars(gate) for gate in self.gates])

    def close(self):
        self.runs.close()
        super().close()

    def __repr__(self):
        gates = self.gates
        return f'<study {os.path.basename(self.path)}: {len(self.runs)} runs, ' \
               f'{sum(gate.passed for gate in gates)} of {len(gates)} gates passed>'


def _pandas():
    try:
        import pandas
    except ImportError as reason:
        raise Unavailable('tables are pandas\', which this Python has not') from reason
    return pandas


def load(path):
    """Opens a results file: a Run or, of an index, a packed or a benchmark's file, a Study. Raises Damaged for what cannot be
    read or is no results file, and Denied for what may not be."""
    path = os.fsdecode(path)
    place = open_file(path)
    return Study(place, path) if place.index else Run(place, path)
