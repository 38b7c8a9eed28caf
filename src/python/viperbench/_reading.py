# SPDX-License-Identifier: GPL-3.0-or-later
"""Results files through the shared library: what is open of them, and arrays. The library's readers are confined processes."""
import ctypes
import os
import threading
from ctypes import byref

import numpy as np

from ._library import BAD_INPUT, BadInput, CDataset, CError, Damaged, Denied, library

_WRONG, _DAMAGED, _DENIED = range(3)
# One call at a time: the library knows no threads, and ctypes lets others go on. A finalizer may come in the same thread.
_lock = threading.RLock()


def _call(name, *arguments):
    """Calls a function that takes a fault and an error last, and raises what it says."""
    fault, error = ctypes.c_int(_WRONG), CError()
    with _lock:
        status = getattr(library(), name)(*arguments, byref(fault), byref(error))
    if status == BAD_INPUT or status and fault.value == _DENIED:
        kind = {_DAMAGED: Damaged, _DENIED: Denied}.get(fault.value, BadInput)
        raise kind(error.message.decode('utf-8', 'replace'))
    if status:
        error.raise_it()


def _take(pointer, size):
    """The bytes of the library's memory, which is given back."""
    try:
        return ctypes.string_at(pointer, size) if size else b''
    finally:
        library().vb_python_drop(pointer)


def _texts(pointer, size):
    return [text.decode('utf-8', 'replace') for text in _take(pointer, size).split(b'\0')[:-1]]


class Dataset:
    """A dataset of an open object: its shape as it counts, and its numbers or texts."""

    def __init__(self, place, name, described):
        self._place, self._name = place, name
        rank, self.kind = described.rank, described.letter.decode()
        self.shape = (described.rows, *described.extent[1:rank]) if rank else ()
        self.dtype = np.dtype(f'{self.kind}{described.size}') if self.kind in 'fiu' else np.dtype(object)
        self.units = described.units.decode('utf-8', 'replace')
        self.long_name = described.long_name.decode('utf-8', 'replace')

    def texts(self):
        """All texts, as a list."""
        pointer, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._place.call('texts', self._name.encode(), byref(pointer), byref(size))
        return _texts(pointer, size.value)

    def numbers(self, first=0, last=None):
        """Rows `first` to before `last`, as an array of the type that the file has."""
        count = [1, 1, 1]
        count[:len(self.shape)] = self.shape
        if self.shape:
            count[0] = (self.shape[0] if last is None else last) - first
        integer = self.kind in 'iu'
        pointer, n = ctypes.c_void_p(), ctypes.c_size_t()
        extent = ctypes.c_uint64 * 3
        self._place.call('numbers', self._name.encode(), byref(extent(first, 0, 0)), byref(extent(*count)), integer,
                          byref(pointer), byref(n))
        values = np.frombuffer(_take(pointer, 8 * n.value), 'i8' if integer else 'f8')
        return values.astype(self.dtype).reshape((count[0], *self.shape[1:]) if self.shape else ())


class Object:
    """An open file or a run in it."""

    def __init__(self, path, handle, index=False):
        self.path, self.index, self._handle = path, index, handle

    def call(self, name, *arguments):
        if self._handle is None:
            raise BadInput(f'{self.path} is closed')
        _call(f'vb_python_{name}', os.fsencode(self.path), self._handle, *arguments)

    def run(self, name):
        """Opens a run of an index."""
        handle = ctypes.c_int64()
        self.call('open_run', name.encode(), byref(handle))
        return Object(self.path, handle.value)

    def names(self, group, below=False):
        """Names of a group's members or, below it, paths of all datasets; none where there is no such group."""
        pointer, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.call('list', group.encode(), below, byref(pointer), byref(size))
        return _texts(pointer, size.value)

    def dataset(self, name):
        """The dataset of that name, or None."""
        described, found = CDataset(), ctypes.c_bool()
        self.call('describe', name.encode(), byref(described), byref(found))
        return Dataset(self, name, described) if found.value else None

    def attribute(self, group, name, otherwise=''):
        """A text attribute of a group."""
        text = ctypes.create_string_buffer(1024)
        with _lock:
            found = self._handle is not None and library().vb_python_attribute(
                os.fsencode(self.path), self._handle, group.encode(), name.encode(), text, len(text))
        return text.value.decode('utf-8', 'replace') if found else otherwise

    def integer(self, group, name, otherwise=0):
        with _lock:
            return library().vb_python_integer(os.fsencode(self.path), self._handle, group.encode(), name.encode(),
                                               otherwise) if self._handle is not None else otherwise

    def close(self):
        with _lock:
            if self._handle is not None:
                library().vb_python_close(self._handle)
            self._handle = None

    def __del__(self):
        try:
            self.close()
        except TypeError:  # the interpreter is ending
            pass


def open_file(path):
    """Opens a results file of the program."""
    handle, index = ctypes.c_int64(), ctypes.c_bool()
    _call('vb_python_open', os.fsencode(path), byref(handle), byref(index))
    return Object(path, handle.value, index.value)
