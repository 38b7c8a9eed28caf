# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of one segment as free rigid bodies in contact, with each other and with planes, as the adapters take them: their size
and mass, how they are held, and their friction."""
import numpy as np

import viperbench
from viperbench import Unavailable, exporting

import rods


class Body:
    """A segment as a body: both ends, the center, the rotation whose x axis is along it, length, radius, mass, and the moments
    about x, y and z. Half of the mass is at either end, and the moments of its frame are those of a disc, as in scenes."""

    def __init__(self, scene, segment):
        self.ends = scene.nodes['position'][segment['node']]
        self.center = self.ends.mean(axis=0)
        self.turn = exporting.axes_along_x(rods.matrices(segment['frame'][None]), self.ends)[0]
        self.length = np.linalg.norm(self.ends[1] - self.ends[0])
        self.radius = scene.nodes['rest_radius'][segment['node']].mean()
        self.mass = rods.density(segment) * np.pi * self.radius ** 2 * self.length
        self.moments = self.mass * np.array([self.radius ** 2 / 2, *[self.length ** 2 / 4 + self.radius ** 2 / 4] * 2])


def holding(scene, j):
    """How segment j is held: 'whole', 'spin' (its frame about w alone), or 'free'."""
    pins, (first, last) = scene.pins, scene.segments['node'][j]
    held = {(int(p['location']), int(p['index'])) for p in pins if p['location'] == 1 or p['mask'] & 7}
    if {(0, int(first)), (0, int(last))} <= held:
        return 'whole'
    if held & {(0, int(first)), (0, int(last)), (1, j)}:
        raise Unavailable('a rigid body is held at both nodes, or free')
    spin = scene.frame_pins[scene.frame_pins['segment'] == j]
    if not len(spin):
        return 'free'
    if int(spin['mask'][0]) != 4:
        raise Unavailable('of a rigid body the frame is held about w alone')
    return 'spin'


def friction(scene):
    """The coefficient of friction of all contacts."""
    found = {(float(c['static_friction']), float(c['kinetic_friction'])) for c in (*scene.contacts, *scene.half_planes)}
    if len(found) != 1 or any(a != b for a, b in found):
        raise Unavailable('one coefficient of friction, static and kinetic, is supported')
    return found.pop()[0]


def still(scene):
    """Refuses loads, and drivers that move."""
    if any(scene.driver_moves(i) for i in range(len(scene.drivers))) or len(scene.loads):
        raise Unavailable('rigid bodies in contact have neither loads nor drivers that move')


def plane_axes(plane):
    """Two directions along a half-plane."""
    w = plane['normal']
    u = np.cross(w, [1.0, 0, 0] if abs(w[0]) < 0.9 else [0, 1.0, 0])
    u /= np.linalg.norm(u)
    return u, np.cross(w, u)


def touching(scene):
    return len(scene.contacts) + len(scene.half_planes) > 0


def taken(scene):
    """Whether the scene is one of rigid bodies in contact; raises Unavailable where it is one of others."""
    if not touching(scene):
        return False
    if len(scene.segments) != len(scene.bodies):
        raise viperbench.Unavailable('in contact only rods of one segment, which are rigid, are supported')
    return True
