# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of a scene as chains of segments, as other packages take them: stiffnesses, rotations, what is held."""
import numpy as np

from ._library import Unavailable


def matrices(q):
    """Rotation matrices of quaternions w, x, y, z."""
    w, x, y, z = q.T
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), 2, 0)


def quaternions(frames):
    """Unit quaternions w, x, y, z of rotation matrices."""
    trace = np.einsum('nii->n', frames)
    four = np.empty((len(frames), 4, 4))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        four[:, 0, 0] = 1 + trace
        four[:, 0, i + 1] = four[:, i + 1, 0] = frames[:, k, j] - frames[:, j, k]
        four[:, i + 1, i + 1] = 1 + 2 * frames[:, i, i] - trace
        four[:, j + 1, k + 1] = four[:, k + 1, j + 1] = frames[:, j, k] + frames[:, k, j]
    best = np.argmax(np.einsum('nii->ni', four), axis=1)
    rows = four[np.arange(len(four)), best]
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def modulus(segments):
    """Young's modulus [Pa] of a slow pull with free sections."""
    kx, ky, kz, _, _, kv = segments['stiffness'].T
    return solid(segments, segments['young'], kz + kv - 4 * kv ** 2 / (kx + ky + 4 * kv))


def solid(segments, of_solid, published):
    """A modulus [Pa], by the model of each segment's material."""
    return np.where(segments['model'] == 1, of_solid, published)


def bending(segments):
    """Modulus [Pa] that, times pi r^4 / 4, is the stiffness of a segment in bending."""
    return solid(segments, segments['young'], segments['stiffness'][:, 2] + segments['stiffness'][:, 5])


def twisting(segments):
    """Modulus [Pa] that, times pi r^4 / 4, is the stiffness of a segment in twist."""
    return solid(segments, 2 * segments['shear'], segments['stiffness'][:, 0] + segments['stiffness'][:, 1])


def shearing(segments):
    """Modulus [Pa] that, times pi r^2, is the stiffness of a segment in shear: of a solid, k G with k of a circle."""
    young, shear = segments['young'], segments['shear']
    return solid(segments, 3 * young * shear / np.maximum(shear + 3 * young, 1e-300),
                 segments['stiffness'][:, 2] + segments['stiffness'][:, 5])


def density(segments):
    """Mass [kg/m^3] of a segment over its volume."""
    return segments['density']


def held(scene):
    """Sets of the nodes and of the segments that are held where they are."""
    pins = scene.pins
    if any(scene.driver_moves(i) for i in range(len(scene.drivers))):
        raise Unavailable('this adapter holds parts of rods, but does not move them')
    nodes = pins[(pins['location'] == 0) & (pins['mask'] & 7 > 0)]
    segments = pins[pins['location'] == 1]
    if any(nodes['mask'] & 7 != 7):
        raise Unavailable('this adapter holds nodes and segments whole, not single components of them')
    return set(nodes['index'].tolist()), set(segments['index'].tolist())


def hinged(scene, rod):
    """Whether all inner nodes of a rod are hinges, which do not resist rotation; none may be, too."""
    joined = len(set(scene.joints['node'].tolist()) & set(range(rod.node0 + 1, rod.node1 - 1)))
    if joined not in (0, len(rod.segments) - 1):
        raise Unavailable(f'a rod is supported with hinges at all inner nodes, or at none; that from node {rod.node0} on has some')
    return joined == 0


class Rod:
    """A body of the scene: its nodes from `node0` to before `node1`, its segments from `segment0` on. An adapter keeps
    what its package made of it here, too."""

    def __init__(self, scene, node0, node1, segment0):
        self.node0, self.node1, self.segment0 = node0, node1, segment0
        self.nodes = scene.nodes[node0:node1]
        self.segments = scene.segments[segment0:segment0 + node1 - node0 - 1]
        self.radius = (self.nodes['rest_radius'][1:] + self.nodes['rest_radius'][:-1]) / 2


def chains(scene, least=2):
    """The bodies of a scene as rods: segment j of each joins its nodes j and j + 1. They have `least` segments or more."""
    nodes, segments = scene.nodes, scene.segments
    for body in range(len(scene.bodies)):
        at = np.flatnonzero(nodes['body'] == body)
        of = np.flatnonzero(nodes['body'][segments['node'][:, 0]] == body)
        chain = np.stack((at[:-1], at[1:]), axis=1)
        if len(of) < least or len(of) != len(chain) or (segments['node'][of] != chain).any() or (np.diff(of) != 1).any():
            raise Unavailable(f'only rods of {("one segment", "two segments")[least > 1]} or more without branches, with segments in a row, are '
                              f'supported; body {body} is none')
        yield Rod(scene, at[0], at[-1] + 1, of[0])
