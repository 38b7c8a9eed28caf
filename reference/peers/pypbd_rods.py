# SPDX-License-Identifier: GPL-3.0-or-later
"""PositionBasedDynamics (Bender et al.) by its Python binding pypbd as a solver: its direct position-based solver for
stiff rods (Deul, Kugelstadt, Weiler and Bender 2018), and its local constraints of the same rods.

What it models: rods of rigid segments, which bend and twist at joints and do not stretch; implicit in time (position
based, with compliance), first order. Chains with hinges: its ball joints, one by one, with masses at joints, as scenes do.
What it does not: stretch, shear, scales, volume, reaction forces and elastic energies; contact, bundles and solids of a
scene, which are refused, and here drivers that move and rods that branch. Its other rods, Cosserat rods by position
(Kugelstadt and Schoemer 2016), cannot be made from Python in this version: the quaternions that addLineModel takes have
no Python type. Its library holds one simulation in a process, so that `check:` cannot compare instances.

Mapping (README of PositionBasedDynamics, "Stiff rods"; StretchBendingTwistingConstraint and
DirectPositionBasedSolverForStiffRodsConstraint in Constraints.cpp). Its constraints take Young's modulus, a shear modulus
and a radius, and from them E I of bending, with I = pi r^4 / 4, and 2 G I of twist. "matched", the default, gives it
E = kz + kv and G = (kx + ky) / 2, which are the scene's stiffnesses exactly; "isotropic" the E of a slow pull and
G = (kx + ky) / 4. Bodies have the mass and inertia of cylinders. Gravity and loads are changes of velocity before each
substep, as its own gravity is; damping multiplies velocities before these, so that forces are whole.

Settings. One iteration of the direct solver in a substep is its own advice for small steps; the number of substeps is
what its accuracy depends on, and is swept with the number of segments.

Unfair to pypbd: it is made for speed in graphics; loads and velocities pass through Python in each substep, which the
phase "package" leaves out. Unfair to others: rigid segments need no stiff unknowns, which a problem without stretch does
not ask for.
"""
import time as clock
from importlib.metadata import version

import numpy as np

import viperbench
from viperbench import Option, Unavailable

import rods

pypbd = rods.package('pypbd')
VERSION = '2.2.2'  # what this was written for; `make peers` installs it
OWN_GRAVITY = np.array([0, -9.81, 0])  # of its simulation, which cannot be set from Python


def to_pbd(frames):
    """Its rotations (x, y, z, w) of frames whose w goes along the rod: there the y axis does."""
    q = rods.quaternions(np.stack((frames[:, :, 1], frames[:, :, 2], frames[:, :, 0]), axis=2))
    return q[:, [1, 2, 3, 0]]


def from_pbd(rotations):
    turned = rods.matrices(rotations[:, [3, 0, 1, 2]])
    return np.stack((turned[:, :, 2], turned[:, :, 0], turned[:, :, 1]), axis=2)


class PyPBD(viperbench.Solver):
    """stiff rods of rigid segments of PositionBasedDynamics"""
    name = 'pypbd'
    fields = ('position', 'velocity', 'frame', 'momentum')
    terms = ('kinetic', 'gravity')
    sets = (*viperbench.Solver.sets, 'load', 'curve', 'key')
    features = ('solid',)
    settings = {
        'solver': Option('direct', 'direct: all joints of a rod at once; local: one by one', choices=('direct', 'local')),
        'stiffness': Option('matched', 'matched: to the scene\'s in small deformation; isotropic: its own of E and G',
                            choices=('matched', 'isotropic')),
        'substeps': Option(10, 'substeps of a step', minimum=1, maximum=1e6, integer=True),
        'iterations': Option(1, 'iterations of a substep', minimum=1, maximum=1e6, integer=True),
        'damping': Option(-1.0, 'rate of damping, 1/s; -1: the scene\'s', minimum=-1.0, maximum=1e6),
    }
    phases = ('package', 'preparation')
    state = ('x', 'q', 'v', 'w', 'time', 'done')
    made = False

    @classmethod
    def describe(cls):
        rods.require('pypbd', VERSION, version('pypbd'))
        return {'long_name': f'stiff rods of PositionBasedDynamics (pypbd {VERSION})'}

    def create(self):
        begun, scene = clock.perf_counter(), self.scene
        if PyPBD.made:
            raise Unavailable('pypbd holds one simulation in a process')
        self.loads = rods.loads(scene)
        self.rods = list(rods.chains(scene))
        self.segments = np.concatenate([rod.segments for rod in self.rods])
        self.radius = np.concatenate([rod.radius for rod in self.rods])
        self.length = self.segments['rest_length']
        self.mass = rods.density(self.segments) * np.pi * self.radius ** 2 * self.length
        self.hinged = np.concatenate([np.full(len(rod.segments), rods.hinged(scene, rod)) for rod in self.rods])
        # Of chains half of the mass is at either end of a segment.
        across = self.mass * (3 * self.radius ** 2 + self.length ** 2 * np.where(self.hinged, 3, 1)) / 12
        self.inertia = np.stack((across, self.mass * self.radius ** 2 / 2, across), axis=1)
        self.damping = scene.damping if self.options['damping'] < 0 else self.options['damping']
        self.h, self.time, self.done = scene.step / self.options['substeps'], 0.0, \
            np.zeros(len(scene.drivers) + len(scene.loads))
        self.start()
        self.model()
        PyPBD.made = True
        for body, v, w, held in zip(self.bodies, self.v, self.w, self.held):
            if not held:
                body.setVelocity(v)
                body.setAngularVelocity(w)
        self.take()
        self.seconds, self.prepared, self.preparation = 0.0, 0.0, clock.perf_counter() - begun

    def start(self):
        """Segments at time 0, and which are held whole."""
        scene, ends = self.scene, self.scene.nodes['position'][self.segments['node']]
        velocity = scene.nodes['velocity'][self.segments['node']]
        self.x, self.v = ends.mean(axis=1), velocity.mean(axis=1)
        self.q, self.w = to_pbd(rods.matrices(self.segments['frame'])), self.segments['angular_velocity'].copy()
        self.pinned, held = rods.held(scene)
        self.held = np.zeros(len(self.segments), bool)
        self.held[list(held)] = True
        for j in held:
            if not self.pinned & set(self.segments['node'][j].tolist()):
                raise Unavailable(f'pypbd holds a segment whole; segment {j} is pinned by its frame alone')

    def model(self):
        self.sim = pypbd.Simulation.getCurrent()
        self.sim.initDefault()
        self.pbd = pypbd.SimulationModel()
        self.pbd.init()
        self.sim.setModel(self.pbd)
        self.stepper = self.sim.getTimeStep()
        self.stepper.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, 1)
        self.stepper.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, self.options['iterations'])
        pypbd.TimeManager.getCurrent().setTimeStepSize(self.h)
        self.shape = pypbd.VertexData(), pypbd.IndexedFaceMesh()  # which every rigid body must have
        for corner in np.vstack((np.zeros(3), np.eye(3))) * 1e-3:
            self.shape[0].addVertex(corner)
        self.shape[1].initMesh(4, 6, 4)
        for face in ([0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]):
            self.shape[1].addFace(face)
        self.shape[1].buildNeighbors()
        self.bodies = [self.body(0.0 if held else m, x, i, q)
                       for held, m, x, i, q in zip(self.held, self.mass, self.x, self.inertia, self.q)]
        for rod in self.rods:
            self.join(rod)
        held = set(self.segments['node'][self.held].ravel().tolist())
        for node in sorted(self.pinned - held):  # a ball joint with the world
            place = self.scene.nodes['position'][node]
            self.body(0.0, place, np.ones(3), np.array([0, 0, 0, 1.0]))
            segment = np.flatnonzero((self.segments['node'] == node).any(axis=1))[0]
            self.pbd.addBallJoint(len(self.pbd.getRigidBodies()) - 1, int(segment), place)

    def body(self, mass, x, inertia, q):
        body = self.pbd.addRigidBody(1.0, *self.shape)
        body.initBody(float(mass), x, inertia, q, *self.shape, np.ones(3))
        return body

    def join(self, rod):
        """The joints of a rod, at its inner nodes."""
        n, first = len(rod.segments), int(rod.segment0)
        if self.hinged[first]:
            for j, place in enumerate(self.scene.nodes['position'][rod.node0 + 1:rod.node1 - 1]):
                self.pbd.addBallJoint(first + j, first + j + 1, place)
            return
        matched = self.options['stiffness'] == 'matched'
        mean = lambda values: ((values[1:] + values[:-1]) / 2).tolist()
        young, shear = mean(rods.bending(rod.segments) if matched else rods.modulus(rod.segments)), \
            mean(rods.twisting(rod.segments) / (2 if matched else 4))
        pairs = [(first + j, first + j + 1) for j in range(n - 1)]
        places = list(self.scene.nodes['position'][rod.node0 + 1:rod.node1 - 1])
        radius, length = mean(rod.radius), mean(rod.segments['rest_length'])
        if self.options['solver'] == 'direct':
            self.pbd.addDirectPositionBasedSolverForStiffRodsConstraint(pairs, places, radius, length, young, shear)
            return
        for pair, *values in zip(pairs, places, radius, length, young, shear):
            self.pbd.addStretchBendingTwistingConstraint(*pair, *values)

    def take(self):
        """Reads the segments."""
        for name, get in (('x', 'getPosition'), ('q', 'getRotation'), ('v', 'getVelocity'), ('w', 'getAngularVelocity')):
            setattr(self, name, np.array([getattr(body, get)() for body in self.bodies]))

    def restored(self):
        for body, x, q, v, w in zip(self.bodies, self.x, self.q, self.v, self.w):
            for name, value in (('Position', x), ('Rotation', q)):
                for which in ('', 'Old', 'Last'):
                    getattr(body, f'set{which}{name}')(value)
            body.rotationUpdated()
            body.setVelocity(v)
            body.setAngularVelocity(w)

    def push(self):
        """Gravity, loads and damping, for one substep."""
        scene, free = self.scene, ~self.held
        frames = rods.matrices(self.q[:, [3, 0, 1, 2]])
        dv, dw = np.tile((scene.gravity - OWN_GRAVITY) * self.h, (len(self.x), 1)), np.zeros_like(self.w)
        for load in self.loads:
            factor, j = scene.curve(load.amplitude, self.time, 1.0), load.segment
            force, arm = load.force * factor, (load.part - 0.5) * self.length[j] * frames[j, :, 1]
            torque = load.torque * factor + np.cross(arm, force)
            dv[j] += force * self.h / self.mass[j]
            dw[j] += frames[j] @ ((frames[j].T @ torque) / self.inertia[j]) * self.h
            self.done[load.number] += self.h * (force @ self.v[j] + torque @ self.w[j]) * free[j]
        keep = np.exp(-self.damping * self.h)
        for j in np.flatnonzero(free):
            self.bodies[j].setVelocity(keep * self.v[j] + dv[j])
            self.bodies[j].setAngularVelocity(keep * self.w[j] + dw[j])

    def step(self):
        for _ in range(self.options['substeps']):
            self.push()
            start = clock.perf_counter()
            self.stepper.step(self.pbd)
            self.seconds += clock.perf_counter() - start
            self.take()
            self.time += self.h
        self.prepared = self.preparation  # told with the first step, before which no phase is recorded
        if not np.isfinite(self.x).all():
            raise viperbench.Diverged('a position is not finite')

    def nodes(self, centers, turned):
        """Values at nodes: of the end of each segment, or the mean of two."""
        out, n = np.zeros((len(self.scene.nodes), 3)), np.zeros((len(self.scene.nodes), 1))
        for side, end in ((0, -0.5), (1, 0.5)):
            np.add.at(out, self.segments['node'][:, side], centers + end * turned)
            np.add.at(n, self.segments['node'][:, side], 1)
        return out / n

    def read(self):
        frames = from_pbd(self.q)
        along = frames[:, :, 2] * self.length[:, None]
        return {'position': self.nodes(self.x, along), 'velocity': self.nodes(self.v, np.cross(self.w, along)),
                'frame': rods.quaternions(frames), 'momentum': self.mass[~self.held] @ self.v[~self.held]}

    def energies(self):
        spin = np.einsum('nba,nb->na', rods.matrices(self.q[:, [3, 0, 1, 2]]), self.w)
        return {'kinetic': (self.mass @ self.v ** 2).sum() / 2 + np.sum(self.inertia * spin ** 2) / 2,
                'gravity': -(self.mass @ self.x) @ self.scene.gravity}

    def work(self):
        return self.done

    def timings(self):
        return {'package': self.seconds, 'preparation': self.prepared}

    def close(self):
        PyPBD.made = False
