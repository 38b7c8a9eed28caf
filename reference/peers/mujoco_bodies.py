# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of one segment as free rigid capsules of MuJoCo, in contact with each other and with planes: what mujoco_cables.py
makes of a scene with contact.

Mapping. A capsule has the segment's length and radius, and its mass and moments (bodies.py). Scenes have Coulomb's friction
with a hard contact; MuJoCo's contacts are soft ("Computation: soft contact model"): their time constant is two steps, the
shortest that it allows, and friction lets bodies creep. Its documentation recommends elliptic cones with impratio above 1,
and iterations of its solver `noslip`, against slip: both are in use."""
from viperbench import exporting

import bodies
import rods

JOINTS = {'whole': '', 'free': '<freejoint/>',
          'spin': ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in ('1 0 0', '0 1 0', '0 0 1'))
                  + '<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>'}


def model(scene, h):
    """MJCF of the scene with steps of h seconds."""
    bodies.still(scene)
    rub, made = f'friction="{exporting.words(bodies.friction(scene))} 0 0" solref="{exporting.words(2 * h)} 1"', ''
    for j, segment in enumerate(scene.segments):
        body = bodies.Body(scene, segment)
        half = body.length / 2
        made += (f'<body pos="{exporting.words(body.center)}" quat="{exporting.words(rods.quaternions(body.turn[None])[0])}">'
                 f'{JOINTS[bodies.holding(scene, j)]}<inertial pos="0 0 0" mass="{exporting.words(body.mass)}" '
                 f'diaginertia="{exporting.words(body.moments)}"/><geom type="capsule" '
                 f'fromto="{exporting.words([-half, 0, 0])} {exporting.words([half, 0, 0])}" '
                 f'size="{exporting.words(body.radius)}" {rub}/></body>')
    for plane in scene.half_planes:
        u, v = bodies.plane_axes(plane)
        made += (f'<geom type="plane" size="1 1 1" pos="{exporting.words(plane["normal"] * plane["offset"])}" '
                 f'xyaxes="{exporting.words(u)} {exporting.words(v)}" {rub}/>')
    return (f'<mujoco><compiler angle="radian"/><option timestep="{exporting.words(h)}" gravity="{exporting.words(scene.gravity)}" '
            f'integrator="implicitfast" cone="elliptic" impratio="10" noslip_iterations="3"/>'
            f'<worldbody>{made}</worldbody></mujoco>')
