# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene as numpy arrays that lie where the scene itself does."""
import ctypes

import numpy as np

from ._library import library
from ._sets import sets, tag


class SceneView:
    """The sets of a scene: `scene.nodes['position']`, `scene.segments['node']`, .. are read-only arrays of the members
    that scene/scene.h describes, without a copy; empty ones where the scene has no such set. `scene.world`, and of it
    `step` [s], `n_steps`, `gravity` [m/s^2] and `damping` [1/s], are single values."""

    def __init__(self, address, owner=None):
        self._address, self._owner = address, owner
        for name, set in sets().items():
            setattr(self, set.plural, self._array(name, set.dtype))
        self.world = self.worlds[0]
        self.step, self.damping = float(self.world['step']), float(self.world['damping'])
        self.n_steps, self.gravity = int(self.world['n_steps']), self.world['gravity']

    def _array(self, name, dtype):
        count = ctypes.c_size_t()
        data = library().vb_scene_set(self._address, tag(name), ctypes.byref(count))
        if not count.value:
            array = np.zeros(0, dtype)
        else:
            memory = (ctypes.c_char * (count.value * dtype.itemsize)).from_address(data)
            memory.owner = self._owner  # lives as long as an array of it
            array = np.frombuffer(memory, dtype)
        array.flags.writeable = False
        return array

    def __getitem__(self, name):
        """The set of that name: 'node', 'half-plane', .."""
        return getattr(self, sets()[name].plural)

    @property
    def sha256(self):
        text = ctypes.create_string_buffer(65)
        library().vb_scene_sha256(self._address, text)
        return text.value.decode()

    @property
    def dofs(self):
        return library().vb_scene_dofs(self._address)

    def curve(self, curve, time, otherwise=0.0):
        """The value of a curve at a time [s]; `otherwise` where `curve` is -1."""
        return library().vb_scene_curve(self._address, curve, time, otherwise)

    def driver_moves(self, driver):
        return library().vb_driver_moves(self._address, driver)

    def driver_motion(self, driver, time):
        """The motion x -> R x + b of a driver at a time [s]: R as a unit quaternion (w, x, y, z), and b [m]."""
        q, b = np.zeros(4), np.zeros(3)
        library().vb_driver_motion(self._address, driver, time, q.ctypes.data, b.ctypes.data)
        return q, b
