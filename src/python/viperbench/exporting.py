# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of a scene as models of other packages: texts that these read or run. What would not be the same is refused.

Shapes at rest, stiffnesses, masses, what is held at a rod's start, and gravity are exported. Loads, drivers and damping
are left to the reader, for packages apply them from their own programs."""
import numpy as np

from . import chains
from ._library import BadInput, Unavailable

KINDS = ('mujoco', 'newton', 'pyelastica')


def export(scene, kind, **settings):
    """The rods of a scene (a Scene, a FrozenScene or a SceneView) for another package.

    "mujoco": a model in MJCF, with the plugin cable (MuJoCo 3): for rods that are held at their start or free, at rest at
    time 0, each of one material, radius and density; joints do not stretch or shear. A chain, all of whose joints are
    hinges, has half of the mass of each segment at either end, as scenes do. Settings: timestep [s], integrator,
    and damping_time [s], the damping of joints over their bending stiffness. "newton" and "pyelastica": a module in Python
    with a function that makes the rods (add_rods(builder) of Newton 1.8, make_rods() of PyElastica 1.0)."""
    if kind not in KINDS:
        raise BadInput(f'there is no export to {kind!r}; there are {", ".join(KINDS)}')
    frozen = scene.freeze() if hasattr(scene, 'freeze') else scene
    rods = list(chains.chains(frozen))
    refuse(rods)
    if len(frozen.bendings):
        raise Unavailable('an exported rod bends by its material alone; the scene has factors on that')
    for rod in rods:
        disc = (chains.density(rod.segments) * np.pi * rod.radius ** 4 * rod.segments['rest_length'] / 4)[:, None] * [1, 1, 2]
        if np.abs(rod.segments['frame_inertia'] - disc).max() > 1e-9 * disc.max():
            raise Unavailable(f'an exported rod has the inertia of its sections; that from node {rod.node0} on has another')
    if kind != 'mujoco' and any(chains.hinged(frozen, rod) for rod in rods):
        raise Unavailable(f'rods with hinges are exported to "mujoco" alone, not to "{kind}"')
    return {'mujoco': mujoco, 'newton': newton, 'pyelastica': pyelastica}[kind](frozen, rods, **settings)


def refuse(rods, moving=False):
    """Raises Unavailable where a rod has what no export keeps; unless `moving`, velocities, too."""
    for rod in rods:
        s = rod.segments
        for name, values in (('material', s['stiffness']), ('radius', rod.radius), ('density', s['density'])):
            if np.ptp(values, axis=0).max() > 1e-9 * np.abs(values).max():
                raise Unavailable(f'an exported rod has one {name}; that from node {rod.node0} on has several')
        if np.abs(rod.nodes['position'] - rod.nodes['rest_position']).max() > 0:
            raise Unavailable(f'an exported rod is in its shape at rest; that from node {rod.node0} on is not')
        if not moving and np.any(rod.nodes['velocity']):
            raise Unavailable(f'an exported rod is at rest; that from node {rod.node0} on is not')


def words(values):
    return ' '.join(repr(float(value)) for value in np.atleast_1d(values))


def axes_along_x(frames, positions):
    """Rotations of bodies whose x axis goes from node to node, turned least from the frames (u, v, w)."""
    along = np.diff(positions, axis=0)
    w = along / np.linalg.norm(along, axis=1)[:, None]
    u = frames[:, :, 0] - np.einsum('na,na->n', frames[:, :, 0], w)[:, None] * w
    u /= np.linalg.norm(u, axis=1)[:, None]
    return np.stack((w, u, np.cross(w, u)), axis=2)


def mujoco(scene, rods, timestep=None, integrator='implicitfast', damping_time=0.0, bending=1.0, option='',
           geom='type="cylinder" contype="0" conaffinity="0"'):
    """The model in MJCF: see `export`. Of an adapter also a factor on the stiffness in bending, and attributes of the options
    and of the geoms."""
    plugins = bodies = ''
    for number, rod in enumerate(rods):
        if chains.hinged(scene, rod):
            bodies += mujoco_bodies(rod, None, chains.held(scene), 0.0, geom)
            continue
        # The plugin multiplies these by pi r^4 / 4 and by pi r^4 / 2.
        plugins += (f'<instance name="rod{number}"><config key="bend" value="{words(bending * chains.bending(rod.segments)[0])}"/>'
                    f'<config key="twist" value="{words(chains.twisting(rod.segments)[0] / 2)}"/></instance>')
        bodies += mujoco_bodies(rod, number, chains.held(scene), damping_time, geom)
    return (f'<mujoco><compiler angle="radian"/><option timestep="{words(timestep or scene.step)}" '
            f'gravity="{words(scene.gravity)}" integrator="{integrator}"{option}/><size memory="{16 + len(scene.segments) // 64}M"/>'
            f'<extension><plugin plugin="mujoco.elasticity.cable">{plugins}</plugin></extension>'
            f'<worldbody>{bodies}</worldbody></mujoco>')


def first_joint(rod, held):
    """The joint of a rod's first body with the world."""
    nodes, segments = held
    clamped, hinged = rod.segment0 in segments, rod.node0 in nodes
    inside = set(range(rod.node0 + 1, rod.node1)) - ({rod.node0 + 1} if clamped else set())
    if nodes & inside or segments & set(range(rod.segment0 + 1, rod.segment0 + len(rod.segments))):
        raise Unavailable('an exported rod is held at its start alone')
    if clamped and not hinged:
        raise Unavailable('a segment is exported as held only together with its first node')
    return '' if clamped else '<joint type="ball"/>' if hinged else '<freejoint/>'


def mujoco_bodies(rod, number, held, damping_time, geom):
    """The segments of a rod as bodies, each in the one before; of a chain with hinges, whose `number` is None, with masses at
    their ends."""
    s, x = rod.segments, rod.nodes['rest_position']
    length = np.linalg.norm(np.diff(x, axis=0), axis=1)
    axes = axes_along_x(chains.matrices(s['rest_frame']), x)
    mass = chains.density(s) * np.pi * rod.radius ** 2 * length
    damping = damping_time * chains.bending(s) * np.pi * rod.radius ** 4 / 4
    moments = mass * np.stack((rod.radius ** 2 / 2, length ** 2 / 4 + rod.radius ** 2 / 4, length ** 2 / 4 + rod.radius ** 2 / 4))
    text = ''
    for j in range(len(s)):
        place, turn, joint = x[0], axes[0], first_joint(rod, held)
        if j:
            place, turn = [length[j - 1], 0, 0], axes[j - 1].T @ axes[j]
            joint = f'<joint type="ball" damping="{words(damping[j] / length[j - 1])}"/>'
        half = length[j] / 2
        point = '' if number is not None else (f'<inertial pos="{words([half, 0, 0])}" mass="{words(mass[j])}" '
                                                f'diaginertia="{words(moments[:, j])}"/>')
        plugin = '' if number is None else f'<plugin instance="rod{number}"/>'
        text += (f'<body pos="{words(place)}" quat="{words(chains.quaternions(turn[None])[0])}">{joint}{point}'
                 f'<geom {geom} pos="{words([half, 0, 0])}" quat="{words([0.5 ** 0.5, 0, 0.5 ** 0.5, 0])}" '
                 f'size="{words([rod.radius[j], half])}" mass="{words(mass[j])}"/>{plugin}')
    return text + '</body>' * len(s)


def listed(values):
    return repr(np.asarray(values, float).tolist())


def sections(rod):
    """E A of a slow pull, k G A, E I and G J of a rod."""
    s, area = rod.segments, np.pi * rod.radius ** 2
    inertia = area * rod.radius ** 2 / 4
    return [float(values[0]) for values in (chains.modulus(s) * area, chains.shearing(s) * area, chains.bending(s) * inertia,
                                            chains.twisting(s) * inertia)]


def newton(scene, rods):
    text = ('import newton\nimport numpy as np\nimport warp as wp\n\n\ndef add_rods(builder):\n'
            '    """Adds the rods to a newton.ModelBuilder; returns the bodies of each. Masses are those of cylinders."""\n'
            f'    builder.gravity = {tuple(float(g) for g in scene.gravity)!r}\n    made = []\n'
            '    shape = newton.ModelBuilder.ShapeConfig(density=0.0)\n'
            '    for points, turned, radius, density, (stretch, shear, bend, twist), held in RODS:\n'
            '        rod = newton.Rod([wp.vec3(*x) for x in points], quaternions=[wp.quat(*q) for q in turned], radius=radius,\n'
            '                         stretch_rigidity=stretch, shear_rigidity=shear, bend_rigidity=bend, twist_rigidity=twist)\n'
            '        bodies, _ = builder.add_rod(rod=rod, cfg=shape)\n'
            '        lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)\n'
            '        for j, (body, length) in enumerate(zip(bodies, lengths)):\n'
            '            mass = 0.0 if held and j == 0 else density * np.pi * radius ** 2 * length\n'
            '            across = mass * (3 * radius ** 2 + length ** 2) / 12\n'
            '            moments = np.array([across, across, mass * radius ** 2 / 2])\n'
            '            builder.body_mass[body], builder.body_inv_mass[body] = mass, 1 / mass if mass else 0.0\n'
            '            builder.body_inertia[body] = wp.mat33(np.diag(moments))\n'
            '            builder.body_inv_inertia[body] = wp.mat33(np.diag(1 / moments if mass else moments))\n'
            '        made.append(bodies)\n    return made\n\n\n'
            '# Nodes, frames (x, y, z, w), radius, density, rigidities, and whether the first segment is held.\nRODS = [\n')
    for rod in rods:
        joint = first_joint(rod, chains.held(scene))
        if 'ball' in joint:
            raise Unavailable('a rod of Newton is exported free, or with its first segment held')
        turned = rod.segments['rest_frame'][:, [1, 2, 3, 0]]
        text += (f'    ({listed(rod.nodes["rest_position"])},\n     {listed(turned)},\n     {float(rod.radius[0])!r}, '
                 f'{float(rod.segments["density"][0])!r}, {sections(rod)!r}, {joint == ""}),\n')
    return text + ']\n'


def pyelastica(scene, rods):
    text = ('import elastica as ea\nimport numpy as np\n\n\ndef make_rods():\n'
            '    """The rods, to be appended to a system; those whose start is held are to be constrained by\n'
            '    ea.OneEndFixedBC, and gravity is a forcing of the reader."""\n    made = []\n'
            '    for points, directors, radius, density, (stretch, shear, bend, twist) in RODS:\n'
            '        x, d = np.array(points).T.copy(), np.array(directors).transpose(1, 2, 0).copy()\n'
            '        lengths = np.linalg.norm(np.diff(x, axis=1), axis=0)\n'
            '        rod = ea.CosseratRod.straight_rod(\n'
            '            len(lengths), x[:, 0], (x[:, 1] - x[:, 0]) / lengths[0], d[0, :, 0], lengths.sum(), radius, density,\n'
            '            youngs_modulus=stretch / (np.pi * radius ** 2), position=x, directors=d)\n'
            '        rod.compute_internal_forces_and_torques(0.0)\n'
            '        rod.rest_sigma[:], rod.rest_kappa[:] = rod.sigma, rod.kappa\n'
            '        for i, value in enumerate((shear, shear, stretch)):\n            rod.shear_matrix[i, i] = value\n'
            '        for i, value in enumerate((bend, bend, twist)):\n            rod.bend_matrix[i, i] = value\n'
            '        made.append(rod)\n    return made\n\n\n'
            f'GRAVITY = {listed(scene.gravity)}\n'
            '# Nodes, directors (rows u, v, w of each element), radius, density, stiffnesses.\nRODS = [\n')
    for rod in rods:
        directors = chains.matrices(rod.segments['rest_frame']).transpose(0, 2, 1)
        text += (f'    ({listed(rod.nodes["rest_position"])},\n     {listed(directors)},\n     {float(rod.radius[0])!r}, '
                 f'{float(rod.segments["density"][0])!r}, {sections(rod)!r}),\n')
    return text + ']\n'
