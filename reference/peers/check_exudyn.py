# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of exudyn_beams.py. The example is the Princeton beam of Exudyn's TestModels/geometricallyExactBeamTest.py (case
PrincetonBeamF2, at 45 degrees) with a round section in place of its rectangular one: a cantilever under a force across its
end, in five load steps, by the package's items directly and through the adapter."""
import exudyn as exu
import exudyn.itemInterface as items
import numpy as np

import checks
import viperbench
from exudyn_beams import Exudyn

LENGTH, RADIUS, YOUNG, FORCE, N = 0.508, 3e-3, 71.7e9, 8.896, 8


def own_example():
    """The tip of the beam, as the test model makes it: nodes with Euler parameters, two-node beams, a joint to ground."""
    mbs = exu.SystemContainer().AddSystem()
    area, inertia = np.pi * RADIUS ** 2, np.pi * RADIUS ** 4 / 4
    section = exu.BeamSection()
    section.stiffnessMatrix = np.diag([YOUNG * area, YOUNG * area, YOUNG * area, 2 * YOUNG * inertia,
                                       YOUNG * inertia, YOUNG * inertia])
    section.massPerLength, section.inertia = 100 * area, 100 * inertia * np.diag([2, 1, 1])
    nodes = [mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[x, 0, 0, 1, 0, 0, 0]))
             for x in np.linspace(0, LENGTH, N + 1)]
    for pair in zip(nodes[:-1], nodes[1:]):
        mbs.AddObject(items.ObjectBeamGeometricallyExact(nodeNumbers=list(pair), length=LENGTH / N, sectionData=section))
    ground = mbs.AddNode(items.NodePointGround())
    joint = [mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=n)) for n in (ground, nodes[0])]
    mbs.AddObject(items.GenericJoint(markerNumbers=joint))
    tip = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=nodes[-1]))
    mbs.AddLoad(items.Force(markerNumber=tip, loadVector=[0, -FORCE * np.cos(np.pi / 4), FORCE * np.sin(np.pi / 4)]))
    mbs.Assemble()
    how = exu.SimulationSettings()
    how.solutionSettings.writeSolutionToFile = False
    how.linearSolverType = exu.LinearSolverType.EigenSparse
    how.staticSolver.numberOfLoadSteps, how.staticSolver.adaptiveStep, how.staticSolver.verboseMode = 5, True, 0
    how.staticSolver.newton.relativeTolerance = 1e-6
    mbs.SolveStatic(how)
    return mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position)


def by_adapter():
    """The same beam. Its first segment, of which the adapter takes the half from the clamp on, is twice as long."""
    scene = viperbench.Scene(step=1, steps=5)
    x = np.concatenate(([-LENGTH / N], np.linspace(LENGTH / N, LENGTH, N)))
    points = np.column_stack((x, np.zeros((N + 1, 2))))
    rod = scene.rod(points=points, radius=RADIUS, density=100, material={'E': YOUNG, 'nu': 0})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    scene.load(node=rod.nodes[-1], force=(0, -FORCE * np.cos(np.pi / 4), FORCE * np.sin(np.pi / 4)),
               amplitude=[(0, 0), (5, 1)])
    return checks.run(Exudyn, scene, relative=1e-6)['position'][-1]


def bending_error():
    """Of a cable under a small force, which bends as the continuum from the middle of its first segment on does."""
    scene, rod = checks.bar(1.0, 1, 0.0)
    scene.load(node=rod.nodes[-1], force=(0.05, 0, 0))
    length = 1 - 0.5 / checks.N
    return checks.run(Exudyn, scene, element='cable', relative=1e-8)['position'][-1, 0] / (
        0.05 * length ** 3 / (3 * checks.BENDING)) - 1


tally = checks.Tally('exudyn')
own = own_example()
tally.holds('geometricallyExactBeamTest by Exudyn and by the adapter', np.abs(by_adapter() - own).max() / LENGTH, 1e-7)
tally.holds('bending of a cable against its closed form', bending_error(), checks.TOLERANCE)
tally.planted('bending', bending_error)
# Beams of two nodes bend by slopes that are linear: off by 1/(4 n^2) of the deflection.
tally.holds('bending of beams against its closed form', checks.beam_error(Exudyn), checks.TOLERANCE)
tally.planted('bending', lambda: checks.beam_error(Exudyn))
tally.holds('twist of beams against its closed form', checks.twist_error(Exudyn, 1.0, 1, 0.0), checks.TOLERANCE)
tally.planted('twisting', lambda: checks.twist_error(Exudyn, 1.0, 1, 0.0))
# Eight elements vibrate by less than 1 % other than the continuum; a planted mass is off by 0.2.
for element in ('beam', 'cable'):
    tally.moving(lambda: checks.sudden_error(Exudyn, dynamics='trapezoidal', element=element, relative=1e-8, absolute=1e-11), 4e-2)
tally.end()
