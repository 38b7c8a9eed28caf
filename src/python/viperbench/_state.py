# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of an instance as bytes: its steps, its divergence, and the attributes that its class lists."""
import struct

import numpy as np

from ._library import BadInput

_HEAD = struct.Struct('=qq128s')


class State:
    """How the attributes of an instance lie in a block of bytes, as they were when it was made."""

    def __init__(self, solver, names):
        self._layout = []
        for name in names:
            if not hasattr(solver, name):
                raise BadInput(f'state lists {name!r}, which create has not set')
            value = np.asarray(getattr(solver, name))
            if value.dtype.hasobject:
                raise BadInput(f'state lists {name!r}, which is neither a number nor an array of numbers')
            self._layout.append((name, value.dtype, value.shape))
        self.size = _HEAD.size + sum(self._bytes(dtype, shape) for _, dtype, shape in self._layout)

    @staticmethod
    def _bytes(dtype, shape):
        return dtype.itemsize * int(np.prod(shape, dtype=int))

    def save(self, solver, n_steps, divergence):
        step, what = divergence or (0, b'')
        parts = [_HEAD.pack(n_steps, step, what)]
        for name, dtype, shape in self._layout:
            value = np.asarray(getattr(solver, name))
            if value.dtype != dtype or value.shape != shape:
                raise BadInput(f'state {name} is now of type {value.dtype} and shape {value.shape}; it was of type '
                               f'{dtype} and shape {shape}')
            parts.append(value.tobytes())
        return b''.join(parts)

    def restore(self, solver, data):
        """Puts the attributes back; returns steps and divergence."""
        n_steps, step, what = _HEAD.unpack_from(data)
        at = _HEAD.size
        for name, dtype, shape in self._layout:
            n = self._bytes(dtype, shape)
            value = np.frombuffer(data, dtype, n // dtype.itemsize, at).reshape(shape)
            at += n
            now = getattr(solver, name)
            if not isinstance(now, np.ndarray):
                setattr(solver, name, type(now)(value[()]))
            elif now.flags.writeable and now.shape == shape and now.dtype == dtype:
                now[...] = value  # what else refers to the array sees it, too
            else:
                setattr(solver, name, value.copy())
        return n_steps, ((step, what.rstrip(b'\0')) if step else None)
