# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of pypbd_rods.py. The example is the cantilever of the package's data/scenes and of Deul et al. 2018: a rod of
rigid segments that is held at one end and falls under gravity, by the package's calls directly and through the adapter.

Its library holds one simulation in a process, so that each case runs in a child of this one."""
import functools
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import checks
import viperbench
from pypbd_rods import OWN_GRAVITY, VERSION, PyPBD, pypbd

STEPS, H, E, N, RADIUS, LENGTH = 100, 2e-3, 1e7, 10, 0.05, 0.2


def own_example():
    """Positions of the segments: the demos' way of making bodies and the constraint, with no adapter."""
    sim = pypbd.Simulation.getCurrent()
    sim.initDefault()
    model = pypbd.SimulationModel()
    model.init()
    sim.setModel(model)
    stepper = sim.getTimeStep()
    stepper.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, 1)
    stepper.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
    pypbd.TimeManager.getCurrent().setTimeStepSize(H)
    vertices, mesh = pypbd.VertexData(), pypbd.IndexedFaceMesh()
    for corner in np.vstack((np.zeros(3), np.eye(3))) * 1e-3:
        vertices.addVertex(corner)
    mesh.initMesh(4, 6, 4)
    for face in ([0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]):
        mesh.addFace(face)
    mesh.buildNeighbors()
    mass = 1000 * np.pi * RADIUS ** 2 * LENGTH
    across, along = mass * (3 * RADIUS ** 2 + LENGTH ** 2) / 12, mass * RADIUS ** 2 / 2
    turn = np.array([0, 0, -0.5 ** 0.5, 0.5 ** 0.5])  # x, y, z, w: the y axis of a segment along x
    bodies = []
    for j in range(N):
        body = model.addRigidBody(1.0, vertices, mesh)
        body.initBody(mass if j else 0.0, np.array([(j + 0.5) * LENGTH, 0, 0]), np.array([across, along, across]), turn,
                      vertices, mesh, np.ones(3))
        bodies.append(body)
    pairs = [(j, j + 1) for j in range(N - 1)]
    places = [np.array([(j + 1) * LENGTH, 0, 0]) for j in range(N - 1)]
    model.addDirectPositionBasedSolverForStiffRodsConstraint(
        pairs, places, [RADIUS] * (N - 1), [LENGTH] * (N - 1), [E] * (N - 1), [E] * (N - 1))
    for _ in range(STEPS):
        stepper.step(model)
    return np.array([body.getPosition() for body in bodies])


def by_adapter():
    scene = viperbench.Scene(step=H, steps=STEPS, gravity=OWN_GRAVITY)
    # The package's moduli are kz + kv, and (kx + ky) / 2.
    rod = scene.rod(start=(0, 0, 0), to=(N * LENGTH, 0, 0), nodes=N + 1, radius=RADIUS, density=1000,
                    material={'kx': E, 'ky': E, 'kz': E})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    x = checks.run(PyPBD, scene, substeps=1)['position']
    return (x[1:] + x[:-1]) / 2


def alone(function, *arguments):
    """What a function returns in a process of its own."""
    with ProcessPoolExecutor(1, get_context('fork')) as pool:
        return pool.submit(function, *arguments).result()


def bending():
    return checks.bending_error(PyPBD, 0, steps=30, substeps=25)


def twist():
    return checks.twist_error(PyPBD, steps=20, substeps=5)


def motion():
    return checks.sudden_error(PyPBD, substeps=10)


def softness(solver, shear, iterations, /, **options):
    """What the stiffness lacks of the material's, after some iterations in each substep of 1/60 s."""
    return 1 - 1 / (1 + checks.bending_error(solver, shear, step=1 / 6, steps=24, substeps=10, iterations=iterations, **options))


def main():
    tally = checks.Tally('pypbd')
    own = alone(own_example)
    tally.holds('falling cantilever by pypbd and by the adapter', np.abs(alone(by_adapter) - own).max(), 1e-5)
    # Of first order in the substep, 8 ms: the limit is that error, and the planted fault is 6 %.
    tally.holds('bending against its closed form', alone(bending), 1e-2)
    tally.planted('bending', lambda: alone(bending), 1e-2)
    tally.holds('twist against its closed form', alone(twist), 1e-2)
    tally.planted('twisting', lambda: alone(twist), 1e-2)
    # Eight segments vibrate by 1 % other than the continuum, and steps are of first order; a planted mass is off by 0.2.
    tally.moving(lambda: alone(motion), 4e-2)
    for iterations in (1, 10, 100):
        tally.trouble(VERSION, f'local constraints bend less stiffly than the material by this part, {iterations} iterations',
                      alone(functools.partial(softness, PyPBD, 0, iterations, solver='local')), 0.05,
                      f'xpbd, {iterations} iterations', softness('viper', 1.0, iterations, method='xpbd'))
    tally.trouble(VERSION, 'the same of the direct solver, 1 iteration', alone(functools.partial(softness, PyPBD, 0, 1)), 0.05,
                  'direct, 1 iteration', softness('viper', 1.0, 1, method='direct'))
    tally.end()


main()
