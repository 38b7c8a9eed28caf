# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact in MuJoCo: rods of one segment as free rigid capsules, in contact with each other and with planes, and cables of
capsules in contact with each other and with rods that are held; what mujoco_cables.py makes of a scene with contact.

Mapping. A capsule has the segment's length and radius, and its mass and moments (bodies.py). Scenes have Coulomb's friction
with a hard contact; MuJoCo's contacts are soft ("Computation: soft contact model"): their time constant is two steps, the
shortest that it allows, and friction lets bodies creep. Its documentation recommends elliptic cones with impratio above 1,
and iterations of its solver `noslip`, against slip: both are in use. A package's own cable in contact has capsules, too
(model/plugin/elasticity/coil.xml)."""
import numpy as np

from viperbench import Unavailable, exporting

import bodies
import rods

JOINTS = {'whole': '', 'free': '<freejoint/>',
          'spin': ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in ('1 0 0', '0 1 0', '0 0 1'))
                  + '<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>'}


OPTION = ' cone="elliptic" impratio="10" noslip_iterations="3"'


def rubbing(scene, h):
    """Attributes of a geom in contact."""
    return f'friction="{exporting.words(bodies.friction(scene))} 0 0" solref="{exporting.words(2 * h)} 1"'


def ropes(scene, chains, h, damping_time):
    """MJCF of cables in contact with steps of h seconds; bodies of one segment are held."""
    if len(scene.half_planes):
        raise Unavailable('cables touch rods, and no planes')
    if any(len(rod.segments) == 1 and bodies.holding(scene, rod.segment0) != 'whole' for rod in chains):
        raise Unavailable('beside cables, a rod of one segment is held at both nodes')
    long = [j for rod in chains if len(rod.segments) > 1 for j in range(rod.segment0, rod.segment0 + len(rod.segments))]
    factors = scene.bendings['factor']
    if len(factors) and (np.ptp(factors) > 0 or scene.bendings['segment'].tolist() != long):
        raise Unavailable('all cables have one factor on their stiffness in bending')
    return exporting.mujoco(scene, chains, timestep=h, damping_time=damping_time, bending=float(factors[0, 0]) if len(factors) else 1.0, option=OPTION,
                            geom=f'type="capsule" {rubbing(scene, h)}')


def model(scene, h):
    """MJCF of rigid bodies with steps of h seconds."""
    bodies.still(scene)
    rub, made = rubbing(scene, h), ''
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
            f'integrator="implicitfast"{OPTION}/>'
            f'<worldbody>{made}</worldbody></mujoco>')
