# SPDX-License-Identifier: GPL-3.0-or-later
"""Exudyn (Gerstmayr 2023) as a solver of equilibria: its geometrically exact beams, and its ANCF cables.

What it models, by the option `element`. "beam": stretch, shear, bending and twist by elements of two nodes with rotations
(ObjectBeamGeometricallyExact), rest shapes of any curvature, forces, torques and gravity. "cable": stretch and bending of a
straight round rod by cubic elements of two nodes with slopes (ObjectANCFCable), which neither twist nor shear, under forces
and gravity.
What it does not: scales and volume. Here: motion (each step is an equilibrium by its static solver, under the loads of
that time), contact, ends held but at the start, or at both where nothing bends, drivers that move.

Mapping (reference manual, "ObjectBeamGeometricallyExact", "BeamSection", "ObjectANCFCable"). The section's stiffness
matrix is diagonal: E A of a slow pull, (kz + kv) A of shear twice, (kx + ky) I of twist, (kz + kv) I of bending twice; the
mass per length is that of the scene. A cable takes E A and (kz + kv) I. Nodes are those of the scene, but for the first: a
scene holds its first segment, and the continuum is clamped in the middle of that, where the first element begins.

Settings. The example geometricallyExactBeamTest.py uses the static solver with five adaptive load steps and a sparse
matrix; here a step of the scene is a load step, and adaptive, too. Relative tolerances are looser than the default
(1e-8), which Newton's method does not reach with stiff thin beams, whose matrices it differentiates in part. Swept: the
number of elements; for beams the radius of rods that a problem calls rigid, too.

Unfair to Exudyn: its documentation calls the beam "under construction", and its solver is made for multibody systems.
Unfair to others: ANCF cables are of fourth order on smooth problems, where chains of segments are of second.
"""
import time as clock
from importlib.metadata import version

import numpy as np

import viperbench
from viperbench import Option, Unavailable

import rods

exu = rods.package('exudyn')
items = rods.package('exudyn.itemInterface')
VERSION = '1.13.6'  # what this was written for; `make peers` installs it


def mean(q, p):
    """The rotation between two, as unit quaternions."""
    middle = q + p * np.sign(q @ p)
    return middle / np.linalg.norm(middle)


def along_x(frames):
    """Quaternions whose x axis is w, of frames (u, v, w)."""
    R = rods.matrices(frames)
    return rods.quaternions(np.stack((R[:, :, 2], R[:, :, 0], R[:, :, 1]), axis=2))


class Exudyn(viperbench.Solver):
    """beams and cables of Exudyn, in statics"""
    name = 'exudyn'
    fields = ('position', 'frame')
    terms = ()
    sets = (*viperbench.Solver.sets, 'load', 'curve', 'key')
    settings = {
        'element': Option('beam', 'beam: stretch, shear, bending, twist; cable: stretch and bending', choices=('beam', 'cable')),
        'relative': Option(1e-5, 'tolerance of residuals over those of the begin', maximum=1.0),
        'absolute': Option(1e-8, 'tolerance of residuals', maximum=1e300),
    }
    phases = ('package', 'preparation')
    state = ('q', 'multipliers', 'time', 'done')

    @classmethod
    def describe(cls):
        rods.require('exudyn', VERSION, version('exudyn'))
        return {'long_name': f'beams and cables of Exudyn {VERSION}, statics, one thread'}

    def create(self):
        begun = clock.perf_counter()
        self.rods = list(rods.chains(self.scene))
        if len(self.rods) != 1 or self.scene.damping != 0:
            raise Unavailable('this adapter takes one rod, without damping')
        self.rod, self.loads, self.cable = self.rods[0], rods.loads(self.scene), self.options['element'] == 'cable'
        nodes, segments = rods.held(self.scene)
        self.string = nodes == {self.rod.node0, self.rod.node1 - 1} and not segments
        if not self.string and (segments != {self.rod.segment0} or not nodes <= {self.rod.node0, self.rod.node0 + 1}):
            raise Unavailable('this adapter holds the first segment, or both ends of a cable')
        if self.string and not self.cable:
            raise Unavailable('this adapter holds both ends of cables alone')
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.places()
        self.elements()
        self.hold()
        self.push()
        self.system.Assemble()
        self.settings_of_solver()
        self.time, self.done = 0.0, np.zeros(len(self.scene.drivers) + len(self.scene.loads))
        self.take()
        self.seconds, self.prepared, self.preparation = 0.0, 0.0, clock.perf_counter() - begun

    def places(self):
        """Positions, and rotations, of the nodes of elements at rest and at time 0."""
        rod, s = self.rod, self.rod.segments
        self.rest, self.turned = rod.nodes['rest_position'].copy(), along_x(s['rest_frame'])
        w = rods.matrices(s['rest_frame'])[:, :, 2]
        self.length = s['rest_length'].copy()
        if not self.string:  # the curve, not the chord, is clamped
            self.rest[0] = self.rest[:2].mean(axis=0) - self.length[0] / 8 * (w[1] - w[0])
            self.length[0] /= 2
        between = [mean(q, p) for q, p in zip(self.turned[:-1], self.turned[1:])]
        first, last = (self.turned[0], self.turned[-1])
        end = last + (last - between[-1] * np.sign(last @ between[-1]))
        self.at_nodes = np.array([first, *between, end / np.linalg.norm(end)])

    def elements(self):
        rod, s, mbs, area = self.rod, self.rod.segments, self.system, np.pi * self.rod.radius ** 2
        inertia = area * rod.radius ** 2 / 4
        stretch, bend, twist = rods.modulus(s) * area, rods.bending(s) * inertia, rods.twisting(s) * inertia
        slope = rods.matrices(self.at_nodes)[:, :, 0]
        if self.cable and np.abs(slope - slope[0]).max() > 1e-9:
            raise Unavailable('cables of Exudyn are straight at rest')
        self.begin = np.zeros((len(self.rest), 6))  # a string hangs at time 0 as it is in the scene
        if self.string:
            self.begin[:, :3] = rod.nodes['position'] - self.rest
            self.begin[:, 3:] = np.gradient(self.begin[:, :3], np.concatenate(([0], np.cumsum(self.length))), axis=0)
        made = [items.NodePointSlope1(referenceCoordinates=[*x, *d], initialCoordinates=list(u)) if self.cable else
                items.NodeRigidBodyEP(referenceCoordinates=[*x, *q])
                for x, d, q, u in zip(self.rest, slope, self.at_nodes, self.begin)]
        self.nodes = [mbs.AddNode(node) for node in made]
        for j, length in enumerate(self.length):
            pair, mass = [self.nodes[j], self.nodes[j + 1]], s['density'][j] * area[j]
            if self.cable:
                body = items.ObjectANCFCable(nodeNumbers=pair, length=length, massPerLength=mass, axialStiffness=stretch[j],
                                             bendingStiffness=0 if self.string else bend[j])
            else:
                section = exu.BeamSection()
                section.massPerLength = mass
                section.inertia = s['density'][j] * inertia[j] * np.diag([2, 1, 1])
                shear = (s['stiffness'][j, 2] + s['stiffness'][j, 5]) * area[j]
                section.stiffnessMatrix = np.diag([stretch[j], shear, shear, twist[j], bend[j], bend[j]])
                body = items.ObjectBeamGeometricallyExact(nodeNumbers=pair, length=length, sectionData=section)
            marker = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=mbs.AddObject(body)))
            if np.any(self.scene.gravity):
                mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=list(self.scene.gravity)))

    def hold(self):
        mbs = self.system
        ground = mbs.AddNode(items.NodePointGround())
        if not self.cable:
            rigid = [mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=self.nodes[0]))]
            base = mbs.AddObject(items.ObjectGround(referencePosition=self.rest[0],
                                                    referenceRotation=rods.matrices(self.at_nodes[:1])[0]))
            rigid.insert(0, mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=base)))
            mbs.AddObject(items.GenericJoint(markerNumbers=rigid))
            return
        fixed = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        for i, n in ((0, 3), (-1, 3)) if self.string else ((0, 6),):
            for coordinate in range(n):
                marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=self.nodes[i], coordinate=coordinate))
                mbs.AddObject(items.CoordinateConstraint(markerNumbers=[fixed, marker],
                                                         offset=self.begin[i, coordinate]))

    def push(self):
        """Loads at nodes; a load of a segment acts at its second node, as the continuum's end does."""
        mbs, self.forces = self.system, []
        for load in self.loads:
            node = self.nodes[load.segment + (load.part > 0)]
            if self.cable and np.any(load.torque):
                raise Unavailable('cables of Exudyn take no torque here')
            kind = items.MarkerNodePosition if self.cable else items.MarkerNodeRigid
            marker = mbs.AddMarker(kind(nodeNumber=node))
            make = items.Torque if np.any(load.torque) else items.Force
            self.forces.append(mbs.AddLoad(make(markerNumber=marker, loadVector=[0, 0, 0])))

    def settings_of_solver(self):
        self.how = exu.SimulationSettings()
        self.how.solutionSettings.writeSolutionToFile = False
        self.how.linearSolverType = exu.LinearSolverType.EigenSparse
        static = self.how.staticSolver
        static.numberOfLoadSteps, static.adaptiveStep, static.verboseMode = 1, True, 0
        static.newton.relativeTolerance, static.newton.absoluteTolerance = self.options['relative'], self.options['absolute']

    def step(self):
        self.time += self.scene.step
        for load, number in zip(self.loads, self.forces):
            vector = load.torque if np.any(load.torque) else load.force
            self.system.SetLoadParameter(number, 'loadVector', list(vector * self.scene.curve(load.amplitude, self.time, 1.0)))
        start = clock.perf_counter()
        try:
            self.system.SolveStatic(self.how)
        except Exception as reason:
            raise viperbench.Diverged(f'the static solver of Exudyn did not converge: {str(reason)[:80]}') from reason
        finally:
            self.seconds, self.prepared = self.seconds + clock.perf_counter() - start, self.preparation
        before = self.positions()
        self.take()
        self.count(before)
        self.restored()

    def count(self, before):
        """The work of loads along the step, by their values at its end."""
        moved = self.positions() - before
        for load in self.loads:
            if not np.any(load.torque):
                node = load.segment + (load.part > 0)
                self.done[load.number] += load.force @ moved[node] * self.scene.curve(load.amplitude, self.time, 1.0)

    def take(self):
        data = self.system.systemData
        self.q, self.multipliers = np.array(data.GetODE2Coordinates()), np.array(data.GetAECoordinates())

    def restored(self):
        """The next load step begins where this state is."""
        data = self.system.systemData
        for configuration in (exu.ConfigurationType.Initial, exu.ConfigurationType.Current):
            data.SetODE2Coordinates(self.q, configuration)
            data.SetAECoordinates(self.multipliers, configuration)

    def positions(self):
        return self.rest + self.q.reshape(len(self.nodes), -1)[:, :3]

    def read(self):
        x = self.positions()
        if self.cable:
            slope = rods.matrices(self.at_nodes)[:, :, 0] + self.q.reshape(len(x), 6)[:, 3:]
            frame = self.transported((slope[1:] + slope[:-1]) / 2)
        else:
            at = self.at_nodes + self.q.reshape(len(x), 7)[:, 3:]
            middle = np.array([mean(q, p) for q, p in zip(at[:-1], at[1:])])
            R = rods.matrices(middle)
            frame = rods.quaternions(np.stack((R[:, :, 1], R[:, :, 2], R[:, :, 0]), axis=2))
        if not self.string:  # its first segment is held
            x[0], frame[0] = self.rod.nodes['position'][0], self.rod.segments['frame'][0]
        return {'position': x, 'frame': frame}

    def transported(self, slope):
        """Frames along a cable, which does not twist: those at rest, turned least onto the slopes."""
        w = slope / np.linalg.norm(slope, axis=1)[:, None]
        rest = rods.matrices(self.rod.segments['rest_frame'])
        u = rest[:, :, 0] - np.einsum('na,na->n', rest[:, :, 0], w)[:, None] * w
        u /= np.linalg.norm(u, axis=1)[:, None]
        return rods.quaternions(np.stack((u, np.cross(w, u), w), axis=2))

    def work(self):
        return self.done

    def timings(self):
        return {'package': self.seconds, 'preparation': self.prepared}
