# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of pyelastica.py. The example is the package's examples/TimoshenkoBeamCase, shortened to half a second of its
motion: a beam that is clamped and pulled across at its end."""
import elastica as ea
import numpy as np

import checks
import rods
import viperbench
from pyelastica import PyElastica


class Beam(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
    pass


def own_example(n, force, h, steps, frame):
    sim = Beam()
    # The shear factor of the package, its default, is in the stiffnesses of the option "isotropic".
    beam = ea.CosseratRod.straight_rod(n, np.zeros(3), np.array([0, 0, 1.0]), rods.matrices(frame[None])[0][:, 0], 3.0,
                                       0.25, 5000, youngs_modulus=1e6, shear_modulus=5e5)
    sim.append(beam)
    sim.constrain(beam).using(ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    sim.add_forcing_to(beam).using(ea.EndpointForces, np.zeros(3), np.array([-force, 0, 0]), ramp_up_time=1e-12)
    sim.dampen(beam).using(ea.AnalyticalLinearDamper, uniform_damping_constant=0.1, time_step=h)
    sim.finalize()
    stepper, time = ea.PositionVerlet(), 0.0
    for _ in range(steps):
        time = stepper.step(sim, time, h)
    return beam.position_collection.T


def example(n=20, force=10.0, h=1e-3, steps=500):
    scene = viperbench.Scene(step=h, steps=steps, damping=0.1)
    rod = scene.rod(start=(0, 0, 0), to=(0, 0, 3), nodes=n + 1, radius=0.25, density=5000, material={'E': 1e6, 'nu': 0})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    scene.load(node=rod.nodes[-1], force=(-force, 0, 0))
    found = checks.run(PyElastica, scene, courant=1.0, stiffness='isotropic')['position']
    own = own_example(n, force, h, steps, scene.freeze().segments['rest_frame'][0])
    return np.abs(own - found).max() / np.abs(found[:, 0]).max()


def exported():
    """The greatest relative difference of the arrays of an exported helix from the adapter's."""
    scene = viperbench.Scene(step=0.1, steps=1)
    s = np.linspace(0, 1, 13)
    rod = scene.rod(points=np.column_stack((0.2 * np.cos(6 * s), 0.2 * np.sin(6 * s), 0.3 * s)), radius=0.02, density=900,
                    material={'E': 1e6, 'nu': 0.3})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    names, mine = {}, checks.start(PyElastica, scene).rods[0].rod
    exec(viperbench.export(scene, 'pyelastica'), names)
    theirs = names['make_rods']()[0]
    arrays = ('position_collection', 'director_collection', 'mass', 'shear_matrix', 'bend_matrix', 'rest_sigma', 'rest_kappa',
              'rest_lengths', 'radius', 'mass_second_moment_of_inertia')
    return max(np.abs(getattr(mine, name) - getattr(theirs, name)).max() / np.abs(getattr(mine, name)).max() for name in arrays)


tally = checks.Tally('pyelastica')
# Rounding of 500 steps: positions are 1e5 times the deflection in its last digits.
tally.holds('TimoshenkoBeamCase by PyElastica and by the adapter', example(), 1e-9)
# Rounding: radii of segments are means of those of nodes.
tally.holds('a helix by viperbench.export and by the adapter', exported(), 1e-12)
tally.mapping(PyElastica, 1.0, courant=0.6)
# Eight elements vibrate by 1 % other than the continuum; a planted mass is off by 0.2.
tally.moving(lambda: checks.sudden_error(PyElastica, courant=0.6), 4e-2)
tally.end()
