# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile results files: neither the package's load nor the program reads anything outside of them, waits, or crashes.

  check_hostile.py FOLDER            with files made in FOLDER by h5py
  check_hostile.py --only FILES...    of files that others made

Exit code: 0 where all are refused or read in order; an AssertionError tells what is not."""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

import numpy as np

import hostile_bytes
import viperbench
from viperbench.results import Column, Columns, Run
from viperbench.runs import program

SECRET = 8191.0625  # in a file that nobody names
SECONDS = 20
CONTROL = re.compile('[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]')


def sound(h5py, path, form=('v108', 'v110')):
    """A small file of a run, in a format of HDF5."""
    file = h5py.File(path, 'w', libver=form)
    text = h5py.string_dtype()
    for name, value in (('schema_name', 'viperbench-run'), ('schema_version', '2.1.0')):
        file.attrs.create(name, value, dtype=text)
    file['run/time'], file['run/energy/total'] = np.arange(4.0), np.arange(4.0)
    file['run/energy/kinetic'], file['topology/segment'] = np.arange(4.0), np.array([[0, 1], [1, 2]], 'i4')
    file['run/frames/time'], file['run/frames/position'] = np.arange(2.0), np.zeros((2, 3, 3))
    file.create_dataset('provenance/commit', data='0' * 40, dtype=text)
    file.create_dataset('scenario/label', data='a', dtype=text)
    file['run'].attrs.create('status', 'complete', dtype=text)
    file['run'].attrs['steps'] = np.int64(4)
    return file


def made_of(h5py, file, *sources):
    layout = h5py.VirtualLayout(shape=(len(sources),), dtype='f8')
    for i, (path, name) in enumerate(sources):
        layout[i:i + 1] = h5py.VirtualSource(path, name, shape=(4,))[:1]
    del file['run/energy/total']
    file.create_virtual_dataset('run/energy/total', layout, fillvalue=0)


def replace(file, name, value):
    if name in file:
        del file[name]
    file[name] = value


def stored(file, name, where):
    del file[name]
    file.create_dataset(name, (4,), 'f8', external=[(where, 0, 32)])


def changes(h5py, folder):
    """What each file has in place of what is sound; and whether it is still read, without what it wants."""
    secret = os.path.join(folder, 'secret.h5')
    link, soft = h5py.ExternalLink, h5py.SoftLink
    pipe = os.path.join(folder, 'pipe')
    os.mkfifo(pipe)

    def filtered(file, number):
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((4,))
        plist.set_filter(number, h5py.h5z.FLAG_OPTIONAL, (1, 2))
        del file['run/energy/total']
        h5py.h5d.create(file['run/energy'].id, b'total', h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((4,)), plist)

    def in_itself(file):
        for name in ('run/energy/a', 'run/energy/b', 'topology/c', 'provenance/d'):
            file[name] = file['/']

    def attribute(file, where, name, value):
        file[where].attrs[name] = value

    def huge(file, shape, chunks=None):
        del file['run/energy/total']
        file.create_dataset('run/energy/total', shape, 'f8', chunks=chunks)

    return {
        'link_of_energies': lambda f: replace(f, 'run/energy', link(secret, '/run/energy')),
        'link_of_total': lambda f: replace(f, 'run/energy/total', link('secret.h5', '/run/energy/total')),
        'link_of_run': lambda f: replace(f, 'run', link('secret.h5', '/run')),
        'link_to_pipe': lambda f: replace(f, 'run/energy', link('pipe', '/')),
        'link_to_device': lambda f: replace(f, 'run/frames', link('/dev/zero', '/')),
        'link_to_terminal': lambda f: replace(f, 'topology', link('/dev/tty', '/')),
        'link_by_soft': lambda f: (replace(f, 'x', link('secret.h5', '/run')), replace(f, 'run/energy', soft('/x/energy'))),
        'links_in_a_ring': lambda f: (replace(f, 'x', soft('/y')), replace(f, 'y', soft('/x')),
                                      replace(f, 'run/energy', soft('/x'))),
        'stored_outside': lambda f: stored(f, 'run/energy/total', secret),
        'stored_beside': lambda f: stored(f, 'run/energy/kinetic', 'secret.h5'),
        'stored_in_passwd': lambda f: stored(f, 'run/time', '/etc/passwd'),
        'stored_in_pipe': lambda f: stored(f, 'run/energy/total', pipe),
        'made_of_other': lambda f: made_of(h5py, f, ('secret.h5', '/run/energy/total')),
        'made_of_path': lambda f: made_of(h5py, f, (secret, '/run/energy/total')),
        'made_of_both': lambda f: made_of(h5py, f, ('.', '/run/time'), ('secret.h5', '/run/energy/total')),
        'made_of_pipe': lambda f: made_of(h5py, f, (pipe, '/run/energy/total')),
        'made_of_link': lambda f: (replace(f, 'x', link('secret.h5', '/run')),
                                   made_of(h5py, f, ('.', '/x/energy/total'))),
        'filter_blosc': lambda f: filtered(f, 32001),
        'filter_unknown': lambda f: filtered(f, 12345),
        'root_in_itself': in_itself,
        'rows_negative': lambda f: attribute(f, 'run', 'rows', np.int64(-1)),
        'rows_beyond': lambda f: attribute(f, 'run', 'rows', np.int64(2**62)),
        'rows_text': lambda f: attribute(f, 'run', 'rows', 'all'),
        'huge_rows': lambda f: huge(f, (2**60,), (1024,)),
        'huge_axes': lambda f: huge(f, (2**31, 2**31), (64, 64)),
        'huge_never_written': lambda f: huge(f, (2**40,)),
        'many_axes': lambda f: huge(f, (1,) * 20),
        'compound': lambda f: replace(f, 'run/energy/total', np.zeros(4, [('a', 'f8'), ('b', 'i4')])),
        'no_schema': lambda f: attribute(f, '/', 'schema_name', 'viperbench-other'),
        'later_schema': lambda f: attribute(f, '/', 'schema_version', '9.0.0'),
        'name_that_climbs': lambda f: replace(f, 'scenario/study', '../../x'),
        'user_block': None,
    }


def walk(found):
    """Reads all that there is; yields arrays of numbers."""
    if isinstance(found, Run):
        parts = [found.columns, found.topology, found.timing, found.convergence, found.frames, found.energy]
        for part in parts:
            for name in part:
                try:
                    value = part[name]
                    if isinstance(value, Column):
                        yield np.asarray(value)
                except viperbench.Error:
                    pass
        for words in (lambda: found.status, lambda: found.steps, lambda: found.converged, lambda: found.provenance,
                      lambda: found.scenario, lambda: found.solver, lambda: found.gates, lambda: found.to_pandas()):
            try:
                words()
            except (viperbench.Error, KeyError):  # a quantity may be lacking
                pass
    else:
        for name in found.runs:
            try:
                yield from walk(found.runs[name])
            except viperbench.Error:
                pass


def check_load(path):
    """It is refused, in a sentence, or read without the secret, and in time."""
    begin = time.monotonic()
    try:
        with viperbench.load(path) as found:
            for values in walk(found):
                assert not (values.dtype.kind == 'f' and np.any(values == SECRET)), f'{path}: the secret was read'
    except viperbench.Error as reason:
        assert len(str(reason)) > 20 and '\n' not in str(reason), f'{path}: {reason!r}'
    assert time.monotonic() - begin < SECONDS, f'{path}: it took {time.monotonic() - begin:.0f} s'


def check_program(path):
    for words in (['info', path], ['table', path, 'energy/total'], ['compare', path, path],
                  ['render', path, '--size', '24x16', '--plain', '--out', path + '.png']):
        done = subprocess.run([program(), *words], capture_output=True, text=True, timeout=SECONDS, errors='replace')
        assert done.returncode in (0, 1, 2), f'{words}: code {done.returncode}: {done.stderr}'
        assert str(SECRET) not in done.stdout, f'{words}: the secret was read'
        assert done.returncode != 2 or done.stderr.count('\n') == 1, f'{words}: {done.stderr}'
        assert not CONTROL.search(done.stdout + done.stderr), f'{words}: control characters: {done.stderr!r}'
        lacking = re.search(r'has no series "(?:\S*/)?(\S+)"; below \S+ it has (.*)', done.stderr)
        assert not lacking or lacking[1] not in lacking[2].split(', '), f'{words}: it says both: {done.stderr}'


def expect(kind, words, path):
    try:
        viperbench.load(path)
    except kind as reason:
        assert type(reason) is kind and words in str(reason), f'{path}: {reason!r} lacks "{words}"'
    else:
        raise AssertionError(f'{path}: it was read')


def check_kinds(folder, good):
    """What is no file, is not there, is locked or damaged: each has its kind of error."""
    expect(viperbench.Denied, 'it is a pipe, not a file', os.path.join(folder, 'pipe'))
    expect(viperbench.Denied, 'not a file', '/dev/zero')
    expect(viperbench.Denied, 'it is a folder, not a file', folder)
    expect(viperbench.BadInput, 'No such file', os.path.join(folder, 'none.h5'))
    cut = os.path.join(folder, 'cut.h5')
    with open(good, 'rb') as file, open(cut, 'wb') as half:
        half.write(file.read(3000))
    expect(viperbench.Damaged, 'cut.h5 is ', cut)
    expect(viperbench.Damaged, 'is no HDF5 file', __file__)


def check_columns(good):
    """The types and rows of a sound file are the file's."""
    with viperbench.load(good) as run:
        assert run['time'].dtype == 'f8' and run.topology['segment'].dtype == 'i4'
        assert run.topology['segment'][:].tolist() == [[0, 1], [1, 2]] and run['time'][-1] == 3
        assert run['time'][::-2].tolist() == [3, 1] and run['time'][1:3].tolist() == [1, 2]
        assert run['frames/position'][1, 2].shape == (3,) and run['time'][4:].shape == (0,)
        kept = run['time']
    try:
        kept[:]
    except viperbench.BadInput as reason:
        assert 'is closed' in str(reason)
    else:
        raise AssertionError('a closed file was read')


def check_pandas(good):
    try:
        import pandas  # noqa: F401
    except ImportError:
        print('SKIPPED (pandas): tables are its')
        return
    table = viperbench.load(good).to_pandas()
    assert list(table.columns) == ['energy/kinetic', 'energy/total'] and table.index.tolist() == [0, 1, 2, 3]


def main():
    folder = sys.argv[1]
    if folder == '--only':
        for path in sys.argv[2:]:
            check_load(path)
        return
    os.makedirs(folder, exist_ok=True)
    try:
        import h5py
    except ImportError:
        print('SKIPPED (h5py): hostile files are made by it')
        return
    good, secret = os.path.join(folder, 'good.h5'), os.path.join(folder, 'secret.h5')
    sound(h5py, good).close()
    with sound(h5py, secret) as file:
        for name in ('run/time', 'run/energy/total', 'run/energy/kinetic', 'run/frames/position'):
            file[name][...] = SECRET
    for name, change in changes(h5py, folder).items():
        path = os.path.join(folder, f'{name}.h5')
        if change is None:  # bytes of somebody else's before it
            with open(path, 'wb') as to, open(secret, 'rb') as file:
                to.write(b'#!/bin/sh\n'.ljust(512, b'#') + file.read()[:2000])
        else:
            with sound(h5py, path) as file:
                change(file)
        check_load(path)
        check_program(path)
    for name in hostile_bytes.FILES:
        path = os.path.join(folder, f'{name}.h5')
        hostile_bytes.make(h5py, sound, name, path)
        check_load(path)
        check_program(path)
    os.symlink('/dev/zero', os.path.join(folder, 'zero.h5'))
    check_load(os.path.join(folder, 'zero.h5'))
    check_kinds(folder, good)
    check_columns(good)
    check_pandas(good)
    # One that is open in h5py, too, is read: both only read.
    with h5py.File(good, 'r'):
        check_columns(good)
    with h5py.File(good, 'r+'):
        expect(viperbench.Denied, 'in use by another process', good)
    check_columns(good)
    print(f'{len(glob.glob(os.path.join(folder, "*.h5")))} files')


if __name__ == '__main__':
    main()
