# SPDX-License-Identifier: GPL-3.0-or-later
"""Exudyn (Gerstmayr 2023) as a solver of equilibria: its geometrically exact beams, and its ANCF cables.

What it models, by the option `element`. "beam": stretch, shear, bending and twist by elements of two nodes with rotations
(ObjectBeamGeometricallyExact), rest shapes of any curvature, forces, torques and gravity. "cable": stretch and bending of a
straight round rod by cubic elements of two nodes with slopes (ObjectANCFCable), which neither twist nor shear, under forces
and gravity.
By the option `dynamics`: "static" (each step is an equilibrium by its static solver, under the loads of that time), or
motion from rest by its implicit trapezoidal rule with constraints of velocities ("trapezoidal"), or its generalized-alpha
method ("alpha"): of rods that are free, clamped at their start, which a driver may turn about z ("alpha" alone), or, of cables,
held at their first node.
What it does not: scales and volume. Here: contact, ends held elsewhere, or at both where nothing bends, initial velocities.

Mapping (reference manual, "ObjectBeamGeometricallyExact", "BeamSection", "ObjectANCFCable"). The section's stiffness
matrix is diagonal: E A of a slow pull, (kz + kv) A of shear twice, (kx + ky) I of twist, (kz + kv) I of bending twice; the
mass per length and the inertia of sections, those of discs, are the scene's. For the material model solid these are E A,
k G A, G J and E I. A cable takes E A and (kz + kv) I, and has no inertia of sections. Nodes are those of the scene, but for the first: a
scene holds its first segment, and the continuum is clamped in the middle of that, where the first element begins.

Settings. Its documentation offers both methods of motion; the trapezoidal rule conserves energy, and was better here. A
motor's angle is an offset of its joint, which has no velocity constraint, so that it needs "alpha", with its default spectral
radius of 0.9. Tolerances of motions are tighter than the default. The example geometricallyExactBeamTest.py uses the static solver with five adaptive load steps and a sparse
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
    features = ('solid',)
    settings = {
        'dynamics': Option('static', 'static: equilibria; alpha: motion by the generalized-alpha method', choices=('static', 'alpha', 'trapezoidal')),
        'spectral': Option(1.0, 'spectral radius of the generalized-alpha method', maximum=1.0),
        'element': Option('beam', 'beam: stretch, shear, bending, twist; cable: stretch and bending', choices=('beam', 'cable')),
        'relative': Option(1e-5, 'tolerance of residuals over those of the begin', maximum=1.0),
        'absolute': Option(1e-8, 'tolerance of residuals', maximum=1e300),
    }
    phases = ('package', 'preparation')
    state = ('q', 'v', 'a', 'multipliers', 'time', 'done')

    @classmethod
    def describe(cls):
        rods.require('exudyn', VERSION, version('exudyn'))
        return {'long_name': f'beams and cables of Exudyn {VERSION}, one thread'}

    def create(self):
        begun = clock.perf_counter()
        self.rods = list(rods.chains(self.scene))
        if len(self.rods) != 1 or self.scene.damping != 0:
            raise Unavailable('this adapter takes one rod, without damping')
        self.rod, self.loads, self.cable = self.rods[0], rods.loads(self.scene), self.options['element'] == 'cable'
        self.moves = self.options['dynamics'] != 'static'
        self.turning = any(self.scene.driver_moves(i) for i in range(len(self.scene.drivers)))
        nodes, segments = ({self.rod.node0}, {self.rod.segment0}) if self.turning else rods.held(self.scene)
        self.free, self.hung = self.moves and not nodes | segments, self.moves and nodes == {self.rod.node0} and not segments
        self.string = not segments and nodes == {self.rod.node0, self.rod.node1 - 1}
        self.whole = self.string or self.free or self.hung  # its first segment is not held
        if self.hung and not self.cable or self.turning and (self.cable or not self.moves):
            raise Unavailable('this adapter hangs cables, and turns beams in motion')
        if np.any(self.rod.nodes['velocity']) or np.any(self.rod.segments['angular_velocity']):
            raise Unavailable('this adapter takes motions from rest')
        if not self.whole and (segments != {self.rod.segment0} or not nodes <= {self.rod.node0, self.rod.node0 + 1}):
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
        self.time, self.seconds, self.done = 0.0, 0.0, np.zeros(len(self.scene.drivers) + len(self.scene.loads))
        self.take()
        self.prepared, self.preparation = 0.0, clock.perf_counter() - begun

    def places(self):
        """Positions, and rotations, of the nodes of elements at rest and at time 0."""
        rod, s = self.rod, self.rod.segments
        self.rest, self.turned = rod.nodes['rest_position'].copy(), along_x(s['rest_frame'])
        w = rods.matrices(s['rest_frame'])[:, :, 2]
        self.length = s['rest_length'].copy()
        if not self.whole:  # the curve, not the chord, is clamped
            self.rest[0] = self.rest[:2].mean(axis=0) - self.length[0] / 8 * (w[1] - w[0])
            self.length[0] /= 2
        self.at_nodes = self.of_nodes(self.turned)

    def of_nodes(self, turned):
        """Rotations at nodes, of those of segments, the first of which ends at the first node if it is held, or is in its middle."""
        between = [mean(q, p) for q, p in zip(turned[:-1], turned[1:])]

        def beyond(q, p):
            end = q + (q - p * np.sign(q @ p))
            return end / np.linalg.norm(end)
        first = beyond(turned[0], between[0]) if self.whole else turned[0]
        return np.array([first, *between, beyond(turned[-1], between[-1])])

    def elements(self):
        rod, s, mbs, area = self.rod, self.rod.segments, self.system, np.pi * self.rod.radius ** 2
        inertia = area * rod.radius ** 2 / 4
        stretch, bend, twist = rods.modulus(s) * area, rods.bending(s) * inertia, rods.twisting(s) * inertia
        slope = rods.matrices(self.at_nodes)[:, :, 0]
        if self.cable and np.abs(slope - slope[0]).max() > 1e-9:
            raise Unavailable('cables of Exudyn are straight at rest')
        self.start()
        made = [items.NodePointSlope1(referenceCoordinates=[*x, *d], initialCoordinates=list(u)) if self.cable else
                items.NodeRigidBodyEP(referenceCoordinates=[*x, *q], initialCoordinates=list(u), initialVelocities=[0] * 7)
                for x, d, q, u in zip(self.rest, slope, self.at_nodes, self.begin)]
        self.nodes = [mbs.AddNode(node) for node in made]
        for j, length in enumerate(self.length):
            pair, mass = [self.nodes[j], self.nodes[j + 1]], rods.density(s)[j] * area[j]
            if self.cable:
                body = items.ObjectANCFCable(nodeNumbers=pair, length=length, massPerLength=mass, axialStiffness=stretch[j],
                                             bendingStiffness=0 if self.string else bend[j])
            else:
                section = exu.BeamSection()
                section.massPerLength = mass
                section.inertia = rods.density(s)[j] * inertia[j] * np.diag([2, 1, 1])
                shear = rods.shearing(s)[j] * area[j]
                section.stiffnessMatrix = np.diag([stretch[j], shear, shear, twist[j], bend[j], bend[j]])
                body = items.ObjectBeamGeometricallyExact(nodeNumbers=pair, length=length, sectionData=section)
            marker = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=mbs.AddObject(body)))
            if np.any(self.scene.gravity):
                mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=list(self.scene.gravity)))

    def start(self):
        """Coordinates at time 0: positions and slopes, or rotations, relative to those at rest."""
        rod, lengths = self.rod, np.concatenate(([0], np.cumsum(self.length)))
        self.begin = np.zeros((len(self.rest), 6 if self.cable else 7))
        if self.whole or self.moves:  # where its first segment is held, that node is not in its middle
            moved = rod.nodes['position'] - rod.nodes['rest_position']
            self.begin[:, :3] = moved
            if not self.whole:
                self.begin[0, :3] = moved[:2].mean(axis=0) if not self.moves else 0
            if self.cable:
                self.begin[:, 3:] = np.gradient(self.begin[:, :3], lengths, axis=0, edge_order=2)
                if not self.whole:
                    self.begin[0, 3:] = 0
            else:
                now = self.of_nodes(along_x(rod.segments['frame']))
                self.begin[:, 3:] = now * np.sign((now * self.at_nodes).sum(axis=1))[:, None] - self.at_nodes

    def hold(self):
        mbs = self.system
        if self.free:
            return
        ground = mbs.AddNode(items.NodePointGround())
        if not self.cable:
            rigid = [mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=self.nodes[0]))]
            base = mbs.AddObject(items.ObjectGround(referencePosition=self.rest[0],
                                                    referenceRotation=rods.matrices(self.at_nodes[:1])[0]))
            rigid.insert(0, mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=base)))
            if not self.turning:
                mbs.AddObject(items.GenericJoint(markerNumbers=rigid))
                return
            # Joint axes are the world's, in which the driver turns by angles of Tait and Bryan.
            back = rods.matrices(self.at_nodes[:1])[0].T
            mbs.AddObject(items.GenericJoint(markerNumbers=rigid, rotationMarker0=back, rotationMarker1=back,
                                             offsetUserFunctionParameters=[0.0] * 6, offsetUserFunction=self.turn))
            return
        fixed = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        for i, n in ((0, 3), (-1, 3)) if self.string else ((0, 3 if self.hung else 6),):
            for coordinate in range(n):
                marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=self.nodes[i], coordinate=coordinate))
                mbs.AddObject(items.CoordinateConstraint(markerNumbers=[fixed, marker],
                                                         offset=self.begin[i, coordinate]))

    def turn(self, system, time, number, parameters):
        """Offsets of the joint at a time: the angle about z by which the driver has turned."""
        begun = clock.perf_counter()
        driver = next(i for i in range(len(self.scene.drivers)) if self.scene.driver_moves(i))
        angle = self.scene.curve(int(self.scene.drivers['angle'][driver]), time)
        self.seconds -= clock.perf_counter() - begun
        return [0.0] * 5 + [angle]

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

        motion = self.how.timeIntegration
        motion.verboseMode, motion.newton.useModifiedNewton = 0, True
        motion.newton.relativeTolerance, motion.newton.absoluteTolerance = self.options['relative'], self.options['absolute']
        alpha, trapezoidal = motion.generalizedAlpha, self.options['dynamics'] == 'trapezoidal'
        alpha.useNewmark = alpha.useIndex2Constraints = trapezoidal
        alpha.spectralRadius = 1 if trapezoidal else self.options['spectral']

    def load_at(self, time):
        for load, number in zip(self.loads, self.forces):
            vector = load.torque if np.any(load.torque) else load.force
            self.system.SetLoadParameter(number, 'loadVector', list(vector * self.scene.curve(load.amplitude, time, 1.0)))

    def steps(self, n):
        """Steps of motion without loads are taken at once."""
        together = n if self.moves and not self.loads else 1
        for k in range(0, n, together):
            try:
                self.advance(together)
            except viperbench.Diverged as reason:
                reason.step = k + 1
                raise

    def step(self):
        self.steps(1)

    def advance(self, n):
        """n steps of a motion, or one of statics. Loads of a motion are those in the middle of the step, which is as accurate as
        its method of second order is."""
        begun, self.time = self.time, self.time + n * self.scene.step
        self.load_at((begun + self.time) / 2 if self.moves else self.time)
        motion = self.how.timeIntegration
        motion.startTime, motion.endTime, motion.numberOfSteps = begun, self.time, n
        motion.generalizedAlpha.computeInitialAccelerations = begun == 0
        start = clock.perf_counter()
        try:
            (self.system.SolveDynamic if self.moves else self.system.SolveStatic)(self.how)
        except Exception as reason:
            raise viperbench.Diverged(f'the solver of Exudyn did not converge: {str(reason)[:80]}') from reason
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
        self.v, self.a = np.array(data.GetODE2Coordinates_t()), np.array(data.GetODE2Coordinates_tt())

    def restored(self):
        """The next load step begins where this state is."""
        data = self.system.systemData
        for configuration in (exu.ConfigurationType.Initial, exu.ConfigurationType.Current):
            data.SetODE2Coordinates(self.q, configuration)
            data.SetAECoordinates(self.multipliers, configuration)
            data.SetODE2Coordinates_t(self.v, configuration)
            data.SetODE2Coordinates_tt(self.a, configuration)
        if self.moves:
            data.SetTime(self.time, exu.ConfigurationType.Initial)
            data.SetTime(self.time, exu.ConfigurationType.Current)

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
        if not self.whole:  # its first segment is held, and moves with its driver
            q, b = self.scene.driver_motion(int(self.scene.pins['driver'][0]), self.time)
            turn = rods.matrices(q[None])
            x[0] = turn[0] @ self.rod.nodes['position'][0] + b
            frame[0] = rods.quaternions(turn @ rods.matrices(self.rod.segments['frame'][:1]))[0]
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
