# SPDX-License-Identifier: GPL-3.0-or-later
"""Results files, read where and when something of them is asked for. results/README.md describes what they hold."""
import json
import os
from collections.abc import Mapping

import numpy as np

from ._library import BadInput, Unavailable

try:
    import h5py
except ImportError as reason:
    raise Unavailable('results are read by h5py, which this Python has not; install it (python3-h5py, or pip install '
                      'h5py)') from reason

# Groups whose datasets may hold rows behind those that count.
_COUNTED = ('run', 'run/frames', 'timing', 'convergence')


def _plain(value):
    """Texts as str, numbers as Python's."""
    if isinstance(value, bytes):
        return value.decode('utf-8', 'replace')
    return value.item() if isinstance(value, np.generic) else value


class Column:
    """A recorded quantity. It is read as it is indexed: `column[-1]` is the last row alone, `column[:]` or
    `numpy.asarray(column)` all. `units` and `long_name` say what it is."""

    def __init__(self, dataset, rows=None):
        self._dataset = dataset
        length = dataset.shape[0] if dataset.shape else None
        self.rows = length if rows is None or length is None else min(rows, length)
        self.shape = dataset.shape if length is None else (self.rows, *dataset.shape[1:])
        self.dtype = dataset.dtype

    units = property(lambda self: _plain(self._dataset.attrs.get('units', '')))
    long_name = property(lambda self: _plain(self._dataset.attrs.get('long_name', '')))

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        if self.rows is None or self.rows == self._dataset.shape[0]:
            return self._dataset[index]
        first, rest = (index[0], index[1:]) if isinstance(index, tuple) else (index, ())
        if isinstance(first, (slice, int, np.integer)):
            chosen = range(self.rows)[first]  # counts from the last row that counts
            first = chosen if isinstance(chosen, int) else \
                slice(chosen.start, chosen.stop if chosen.stop >= 0 else None, chosen.step)
            return self._dataset[(first, *rest)]
        return self._dataset[:self.rows][index]

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self[:] if self.rows is not None else self._dataset[()], dtype)

    def __repr__(self):
        return f'<{self.long_name} [{self.units}], {self.shape}>'


class Columns(Mapping):
    """The quantities below a group, by their paths: `run.energy['stretch']`, `run['frames/position']`."""

    def __init__(self, group, counted=None):
        self._group, self._counted = group, counted

    def _rows(self, path):
        """How many rows of the dataset count, by the nearest group above it that says so."""
        group = self._group[path].parent
        while True:
            if 'rows' in group.attrs:
                return int(group.attrs['rows'])
            if group == self._group.file or group.name == '/':
                return None
            group = group.parent

    def __getitem__(self, path):
        if path not in self._group:
            raise KeyError(f'{path}: {self._group.file.filename} has no such quantity; there are '
                           f'{", ".join(self._group)}')
        found = self._group[path]
        if isinstance(found, h5py.Group):
            return Columns(found)
        if h5py.check_string_dtype(found.dtype):
            return _plain(found[()]) if not found.shape else [_plain(text) for text in found[:]]
        return Column(found, self._rows(path))

    def __iter__(self):
        """Paths of all datasets below."""
        paths = []
        self._group.visititems(lambda path, item: paths.append(path) if isinstance(item, h5py.Dataset) else None)
        return iter(paths)

    def __len__(self):
        return sum(1 for _ in self)

    def __repr__(self):
        return f'<{self._group.name}: {", ".join(self._group)}>'


def _values(group):
    """All single values below a group, as a dict."""
    values = {}
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            values[name] = _values(item)
        else:
            value = item[()]
            values[name] = _plain(value) if not item.shape else \
                [_plain(text) for text in value] if value.dtype == object else value
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

    def __init__(self, group, path):
        self._group, self.path = group, path

    def _dict(self, name):
        return _values(self._group[name]) if name in self._group else {}

    @property
    def provenance(self):
        return self._dict('provenance')

    @property
    def scenario(self):
        return self._dict('scenario')

    @property
    def gates(self):
        table = self._dict('gates')
        return [Gate({name: column[i] for name, column in table.items()}) for i in range(len(table.get('name', ())))]

    @property
    def passed(self):
        """Whether every gate passed; findings are to be inside their bands, missed or not."""
        moved = ('worse', 'better', 'unmeasured')
        return all(getattr(gate, 'finding_verdict', '') not in moved if getattr(gate, 'finding', False) else gate.passed
                   for gate in self.gates)

    def close(self):
        if self._group:  # runs of a packed file are closed with it
            self._group.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Run(_File):
    """The record of a run. `run['energy/stretch']`, `run['frames/position']`, .. are quantities below /run."""

    @property
    def columns(self):
        return Columns(self._group['run'])

    def __getitem__(self, path):
        return self.columns[path]

    def _part(self, path):
        return Columns(self._group[path]) if path in self._group else {}

    time = property(lambda self: self['time'])
    energy = property(lambda self: self._part('run/energy'))
    work = property(lambda self: self._part('run/work'))
    frames = property(lambda self: self._part('run/frames'))
    topology = property(lambda self: self._part('topology'))
    timing = property(lambda self: self._part('timing'))
    convergence = property(lambda self: self._part('convergence'))
    status = property(lambda self: _plain(self._group['run'].attrs['status']))
    converged = property(lambda self: _plain(self._group['run'].attrs.get('convergence', 'not judged')))
    steps = property(lambda self: int(self._group['run'].attrs['steps']))

    @property
    def solver(self):
        solver = self._dict('solver')
        return {name: json.loads(value) if name in ('options', 'description') else value
                for name, value in solver.items()}

    def to_pandas(self):
        """The series of single numbers as a DataFrame over the time."""
        columns = self.columns
        series = {path: columns[path][:] for path in columns
                  if not path.startswith('frames/') and path != 'time' and isinstance(columns[path], Column)
                  and len(columns[path].shape) == 1 and len(columns[path]) == len(self.time)}
        return _pandas().DataFrame(series, index=_pandas().Index(self.time[:], name='time'))

    def __repr__(self):
        return f'<run {os.path.basename(self.path)}: {self.status}, {self.steps} steps>'


class Runs(Mapping):
    """The runs of a study by their names, each opened when it is asked for."""

    def __init__(self, group, folder):
        self._group, self._folder, self._opened = group, folder, {}
        # Those of a benchmark have no record of their own.
        self._names = [name for name in group if isinstance(group.get(name, getlink=True), h5py.ExternalLink)
                       or 'run' in group[name]]

    def __getitem__(self, name):
        if name not in self._opened:
            if name not in self._names:
                raise KeyError(f'there is no run {name}; there are {", ".join(self._names)}')
            link = self._group.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                if os.path.basename(link.filename) != link.filename:
                    raise BadInput(f'the run {name} is in {link.filename}, which is not in the folder of its study')
                path = os.path.join(self._folder, link.filename)
                self._opened[name] = Run(h5py.File(path, 'r')['/'], path)
            else:
                group = self._group[name]
                self._opened[name] = Run(group, f'{group.file.filename}:{name}')
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

    def __init__(self, group, path):
        super().__init__(group, path)
        self.runs = Runs(group['runs'] if 'runs' in group else {}, os.path.dirname(path))

    @property
    def bench(self):
        return {name: _values(case) for name, case in self._group['bench'].items()} if 'bench' in self._group else {}

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
    """Opens a results file: a Run or, of an index, a packed or a benchmark's file, a Study."""
    path = os.fspath(path)
    try:
        file = h5py.File(path, 'r')
    except OSError as reason:
        raise BadInput(f'{path}: cannot be read as HDF5: {reason}') from reason
    kind = _plain(file.attrs.get('schema_name', ''))
    if kind == 'viperbench-run':
        return Run(file['/'], path)
    if kind.startswith('viperbench-'):
        return Study(file['/'], path)
    file.close()
    raise BadInput(f'{path}: is no results file of viperbench')
