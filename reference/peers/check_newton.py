# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of newton_cables.py. The example is the rod of the package's example_cable_initial_rest_pose.py in short: a
straight rod of the class Rod that is held at one end and falls, by the package's calls directly and through the adapter."""
import numpy as np

import checks
import newton_cables
import viperbench
from newton_cables import VERSION, Newton

newton_cables.load()  # with its settings of the compiler
wp, newton = newton_cables.wp, newton_cables.newton

STEPS, H, N, RADIUS, LENGTH = 30, 1 / 600, 10, 0.02, 0.1
STRETCH, BEND = 1e5, 2.0
MASS = 1000 * np.pi * RADIUS ** 2 * LENGTH


def own_example():
    """Centers of the capsules, whose mass is set to that of cylinders, as the adapter does."""
    builder = newton.ModelBuilder()
    builder.gravity = (0.0, 0.0, -9.81)
    shape = newton.ModelBuilder.ShapeConfig(density=0.0, has_shape_collision=False)
    rod = newton.Rod([wp.vec3(j * LENGTH, 0.0, 0.0) for j in range(N + 1)], radius=RADIUS, stretch_rigidity=STRETCH,
                     shear_rigidity=STRETCH, bend_rigidity=BEND, twist_rigidity=BEND)
    bodies, _ = builder.add_rod(rod=rod, cfg=shape)
    across = MASS * (3 * RADIUS ** 2 + LENGTH ** 2) / 12
    moments = np.array([across, across, MASS * RADIUS ** 2 / 2])
    for body in bodies:
        free = body != bodies[0]
        builder.body_mass[body], builder.body_inv_mass[body] = (MASS, 1 / MASS) if free else (0.0, 0.0)
        builder.body_inertia[body] = wp.mat33(np.diag(moments * free))
        builder.body_inv_inertia[body] = wp.mat33(np.diag(1 / moments if free else 0 * moments))
    builder.color()
    model = builder.finalize(device='cpu')
    solver = newton.solvers.SolverVBD(model, iterations=10)
    now, after, control = model.state(), model.state(), model.control()
    for _ in range(STEPS):
        now.clear_forces()
        solver.step(now, after, control, None, H)
        now, after = after, now
    return now.body_q.numpy()[:, :3]


def by_adapter():
    scene = viperbench.Scene(step=H, steps=STEPS, gravity=(0, 0, -9.81))
    area, inertia = np.pi * RADIUS ** 2, np.pi * RADIUS ** 4 / 4
    young = STRETCH / area
    rod = scene.rod(start=(0, 0, 0), to=(N * LENGTH, 0, 0), nodes=N + 1, radius=RADIUS, density=1000,
                    material={'kx': young / 2, 'ky': young / 2, 'kz': young})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    return checks.run(Newton, scene, iterations=10)['position'], young * inertia


tally = checks.Tally('newton')
with wp.ScopedDevice('cpu'):
    found, BEND = by_adapter()
    own = own_example()
# Single precision, and gravity as a force in place of an acceleration; the rod falls by 1 cm.
tally.holds('falling rod by Newton and by the adapter', np.abs((found[1:] + found[:-1]) / 2 - own)[1:].max(), 1e-5)
# In substeps of 2 ms bending is 0.6 % off, and twist 0.1 %; the planted fault is 6 %.
tally.mapping(Newton, 1.0, 2e-2, steps=10, substep=0.002, iterations=10)


def exported():
    """The greatest relative difference of a model of an exported rod from the adapter's."""
    scene, _ = checks.bar(0.1, 1, 0.0)
    names, builder = {}, newton.ModelBuilder()
    exec(viperbench.export(scene, 'newton'), names)
    names['add_rods'](builder)
    builder.color()
    theirs, mine = builder.finalize(device='cpu'), checks.start(Newton, scene).model
    arrays = ('body_mass', 'body_inv_mass', 'body_inertia', 'body_q', 'joint_target_ke', 'joint_X_p', 'joint_X_c')
    pairs = [(getattr(mine, name).numpy(), getattr(theirs, name).numpy()) for name in arrays]
    return max(np.abs(a - b).max() / np.abs(a).max() for a, b in pairs)


def elongation(solver, damping=6.0, **options):
    """How far a soft bar that hangs from its first segment is longer at rest, over the length."""
    scene = viperbench.Scene(step=0.1, steps=20, gravity=(0, 0, -9.81), damping=damping)
    rod = scene.rod(start=(0, 0, 0), to=(0, 0, -1), nodes=9, radius=0.05, density=1000, material={'E': 1e5, 'nu': 0})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    return -1 - checks.run(solver, scene, **options)['position'][-1, 2]


# A cable dropped on the floor, a little askew, as in issue 3125; twenty segments, 5 s.
CABLE = {'length': 0.5, 'radius': 5e-3, 'drop': 0.02, 'young': 1e7, 'density': 1000.0, 'segments': 20, 'seconds': 5.0}


def cable_points():
    along = CABLE['length'] * np.array([np.cos(np.radians(10)), np.sin(np.radians(10)), 0])
    return np.outer(np.linspace(0, 1, CABLE['segments'] + 1), along) + [0, 0, CABLE['radius'] + CABLE['drop']]


def dropped():
    """The kinetic energy in the end, over that of the drop, by the package's own calls as in its example_cable_pile.py."""
    area, builder = np.pi * CABLE['radius'] ** 2, newton.ModelBuilder()
    builder.rigid_gap = 0.0
    shape = newton.ModelBuilder.ShapeConfig(density=CABLE['density'], ke=1e5, kd=0.0, mu=1.0)
    builder.add_ground_plane(cfg=shape)
    stretch, bend = CABLE['young'] * area, CABLE['young'] * area * CABLE['radius'] ** 2 / 4
    rod = newton.Rod([wp.vec3(*map(float, x)) for x in cable_points()], radius=CABLE['radius'], stretch_rigidity=stretch,
                     shear_rigidity=stretch, bend_rigidity=bend, twist_rigidity=bend)
    bodies, _ = builder.add_rod(rod=rod, cfg=shape)
    builder.color()
    model = builder.finalize(device='cpu')
    pipeline = newton.CollisionPipeline(model, contact_matching='sticky')
    solver, contacts = newton.solvers.SolverVBD(model, iterations=10, rigid_contact_history=True), pipeline.contacts()
    now, after, control = model.state(), model.state(), model.control()
    for _ in range(int(CABLE['seconds'] / H)):
        now.clear_forces()
        pipeline.collide(now, contacts)
        solver.step(now, after, control, contacts, H)
        now, after = after, now
    mass, moments, v = model.body_mass.numpy(), model.body_inertia.numpy(), now.body_qd.numpy()
    # Moments of short segments are about equal in all directions; the greatest bounds the energy of their rotation.
    most = np.array([np.linalg.eigvalsh(m).max() for m in moments])
    return (mass @ (v[:, :3] ** 2).sum(axis=1) + most @ (v[:, 3:] ** 2).sum(axis=1)) / 2 / (mass.sum() * 9.81 * CABLE['drop'])


def dropped_ours():
    scene = viperbench.Scene(step=1 / 600, steps=int(CABLE['seconds'] * 600), gravity=(0, 0, -9.81))
    scene.rod(points=cable_points(), radius=CABLE['radius'], density=CABLE['density'], material={'E': CABLE['young'], 'nu': 0})
    scene.half_plane(friction=1.0)
    energy = checks.record(scene, method='direct', threads=1).energy
    mass = CABLE['density'] * np.pi * CABLE['radius'] ** 2 * CABLE['length']
    return float(energy['kinetic'][-1]) / (mass * 9.81 * CABLE['drop'])


tally.holds('a rod by viperbench.export and by the adapter', exported(), 1e-6)  # single precision
# First order in substeps of a fiftieth of a quarter period, which damp: a few percent; a planted mass is off by 0.2.
tally.moving(lambda: checks.sudden_error(Newton, substep=1e-3, iterations=10), 6e-2)
# Of first order in the step, 5 ms.
tally.touching(lambda: checks.thrown_error(Newton, substep=1, iterations=10), 1e-2)
with wp.ScopedDevice('cpu'):
    settings = {'substep': 1 / 300, 'iterations': 5}
    free, ours = elongation(Newton, **settings), elongation('viper', method='direct')
    for damping in (1.0, 100.0):
        tally.trouble(VERSION, f'issue 2557: a damping of stretch, here {damping:g} N s/m, changes the length at rest of a hanging bar, as'
                      ' this part of its elongation', elongation(Newton, stretch_damping=damping, **settings) / free - 1, 2e-2,
                      'direct, ten times the damping', elongation('viper', damping=60.0, method='direct') / ours - 1)
    bar = {'steps': 20, 'substep': 0.002, 'iterations': 10}
    tally.trouble(VERSION, 'the same of bending: a damping of 5 N m s changes the deflection at rest of a cantilever, as this part',
                  checks.bending_error(Newton, 1.0, bend_damping=5.0, **bar), 2e-2, 'direct, twice the damping',
                  checks.bending_error('viper', 1.0, steps=30, damping=12.0, method='direct'))
    tally.trouble(VERSION, 'issue 3125: a thin cable dropped on the floor gains energy: its kinetic energy after 5 s, over that of the drop',
                  dropped(), 1e-3, 'direct', dropped_ours())
tally.end()
