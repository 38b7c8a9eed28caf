# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of one segment as free rigid capsules of MuJoCo, in contact with each other and with planes: what mujoco_cables.py
makes of a scene with contact.

Mapping. A capsule has the segment's length and radius, half of its mass at either end, and the moments of its frame, a
disc's, as scenes do. Scenes have Coulomb's friction with a hard contact; MuJoCo's contacts are soft ("Computation: soft
contact model"): their time constant is two steps, the shortest that it allows, and friction lets bodies creep. Its
documentation recommends elliptic cones with impratio above 1, and iterations of its solver `noslip`, against slip:
both are in use."""
import numpy as np

import viperbench
from viperbench import Unavailable, exporting

import rods


def place(scene, segment):
    """Ends, center and rotation (whose x axis is along the segment) of a body that is one segment."""
    ends = scene.nodes['position'][segment['node']]
    return ends, ends.mean(axis=0), exporting.axes_along_x(rods.matrices(segment['frame'][None]), ends)[0]


def joints(scene, j):
    """The joints of a body: none if it is held, slides and hinges about u and v if its frame's w is, or all."""
    pins, (first, last) = scene.pins, scene.segments['node'][j]
    held = {(int(p['location']), int(p['index'])) for p in pins if p['location'] == 1 or p['mask'] & 7}
    if {(0, int(first)), (0, int(last))} <= held:
        return ''
    if held & {(0, int(first)), (0, int(last)), (1, j)}:
        raise Unavailable('a rigid body is held at both nodes, or free')
    spin = scene.frame_pins[scene.frame_pins['segment'] == j]
    if not len(spin):
        return '<freejoint/>'
    if int(spin['mask'][0]) != 4:
        raise Unavailable('of a rigid body the frame is held about w alone')
    return ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in ('1 0 0', '0 1 0', '0 0 1')) + \
        '<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>'


def model(scene, h):
    """MJCF of the scene with steps of h seconds."""
    if any(scene.driver_moves(i) for i in range(len(scene.drivers))) or len(scene.loads):
        raise Unavailable('rigid bodies in contact have neither loads nor drivers that move')
    friction = {(float(c['static_friction']), float(c['kinetic_friction'])) for c in (*scene.contacts, *scene.half_planes)}
    if len(friction) != 1 or any(a != b for a, b in friction):
        raise Unavailable('one coefficient of friction, static and kinetic, is supported')
    rub, bodies = f'friction="{exporting.words(friction.pop()[0])} 0 0" solref="{exporting.words(2 * h)} 1"', ''
    for j, segment in enumerate(scene.segments):
        ends, center, turn = place(scene, segment)
        length, radius = np.linalg.norm(ends[1] - ends[0]), scene.nodes['rest_radius'][segment['node']].mean()
        mass = segment['density'] * np.pi * radius ** 2 * length
        moments = mass * np.array([radius ** 2 / 2, *[length ** 2 / 4 + radius ** 2 / 4] * 2])
        bodies += (f'<body pos="{exporting.words(center)}" quat="{exporting.words(rods.quaternions(turn[None])[0])}">'
                   f'{joints(scene, j)}<inertial pos="0 0 0" mass="{exporting.words(mass)}" '
                   f'diaginertia="{exporting.words(moments)}"/><geom type="capsule" '
                   f'fromto="{exporting.words([-length / 2, 0, 0])} {exporting.words([length / 2, 0, 0])}" '
                   f'size="{exporting.words(radius)}" {rub}/></body>')
    for plane in scene.half_planes:
        w = plane['normal']
        u = np.cross(w, [1.0, 0, 0] if abs(w[0]) < 0.9 else [0, 1.0, 0])
        u /= np.linalg.norm(u)
        bodies += (f'<geom type="plane" size="1 1 1" pos="{exporting.words(w * plane["offset"])}" '
                   f'xyaxes="{exporting.words(u)} {exporting.words(np.cross(w, u))}" {rub}/>')
    return (f'<mujoco><compiler angle="radian"/><option timestep="{exporting.words(h)}" gravity="{exporting.words(scene.gravity)}" '
            f'integrator="implicitfast" cone="elliptic" impratio="10" noslip_iterations="3"/>'
            f'<worldbody>{bodies}</worldbody></mujoco>')


def velocities(scene, j):
    """Linear velocity, and angular velocity in the body's axes, of a free body at time 0."""
    _, _, turn = place(scene, scene.segments[j])
    return scene.nodes['velocity'][scene.segments['node'][j]].mean(axis=0), turn.T @ scene.segments['angular_velocity'][j]


def taken(scene):
    """Whether the scene is one of rigid bodies in contact; raises Unavailable where it is one of others."""
    if not len(scene.contacts) and not len(scene.half_planes):
        return False
    if len(scene.segments) != len(scene.bodies):
        raise viperbench.Unavailable('in contact only rods of one segment, which are rigid, are supported')
    return True
