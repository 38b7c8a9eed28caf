# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins the results of entries in one index, from which a page about all of them is written.

  join.py INDEX ENTRY.h5...     INDEX links to the runs of the entries, which are called ENTRY-RUN there

The program writes such an index for studies of studies. Entries of other packages are run one by one, each with a solver
that only the command line may name, so that their index is made here. It needs h5py."""
import os
import sys

import h5py
import numpy as np

TEXT = h5py.string_dtype()


def copy(source, target, name, values):
    """Stores values, or a single one, as `source` is stored; texts of one width, if that has such, as wide as the longest."""
    kind = source.dtype
    if kind.kind == 'S':
        texts = [value if isinstance(value, bytes) else value.encode() for value in ([values] if np.ndim(values) == 0 else values)]
        kind = h5py.string_dtype('utf-8', max((len(value) for value in texts), default=1) or 1)
        values = np.array(texts, kind).reshape(np.shape(values))
    data = target.create_dataset(name, data=values, dtype=kind)
    for key, value in source.attrs.items():
        data.attrs[key] = value


def join(path, parts):
    folder = os.path.dirname(os.path.abspath(path))
    files = {os.path.splitext(os.path.basename(part))[0]: h5py.File(part) for part in parts}
    first = next(iter(files.values()))
    with h5py.File(path, 'w') as index:
        for name, value in first.attrs.items():
            index.attrs[name] = value
        index.attrs['figure'] = './peers'  # of the script peers.lua
        first.copy('provenance', index)
        told = {'study': 'peers', 'title': 'Other packages of rods', 'settings': '', 'script': '',
                'tier': first['scenario/tier'][()],
                'runs': [f'{entry}-{run.decode()}' for entry, file in files.items() for run in file['scenario/runs'][:]]}
        for name, value in told.items():
            copy(first['scenario'][name], index.require_group('scenario'), name, value)
        gates = index.create_group('gates')
        for name, source in first['gates'].items():
            values = [file['gates'][name][:] for file in files.values()]
            if name == 'runs':
                values = [np.array([f'{entry}-{run.decode()}' for run in runs], object) for entry, runs in zip(files, values)]
            copy(source, gates, name, np.concatenate(values))
        for (entry, file), part in zip(files.items(), parts):
            for run in file['runs']:
                link = file['runs'].get(run, getlink=True)
                place = os.path.relpath(os.path.join(os.path.dirname(os.path.abspath(part)), link.filename), folder)
                index.require_group('runs')[f'{entry}-{run}'] = h5py.ExternalLink(place, '/')


if __name__ == '__main__':
    join(sys.argv[1], sys.argv[2:])
