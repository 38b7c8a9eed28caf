# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's rods by its solver VBD (vertex block descent; on the CPU by Warp, in single precision) as a solver.

What it models: chains of rigid capsules whose joints stretch, shear, bend and twist by penalties; rest shapes of any
curvature, gravity, forces, torques; implicit in time, by iterations over bodies. Any number of rods, which are free or
whose first segment is held, from rest. Rigid capsules in contact with each other and with planes, with friction
(newton_bodies.py).
What it does not: scales and volume; here, contact of rods of several segments, ends held anywhere but at the start, drivers
that move.

Mapping (newton.Rod and ModelBuilder.add_rod of 1.8: "section rigidities"). A rod takes the rigidities E A, k G A, E I and
G J, which add_rod divides by lengths; here they are E A of a slow pull, (kz + kv) A, (kz + kv) I and (kx + ky) I of the
scene, or for the material model solid E A, k G A, E I and G J. The mass and inertia of a body are set to those of a cylinder of the segment's length: a capsule of the package has
the mass of its caps, too. Forces act at centers of mass with their moments. All velocities decay with the scene's rate, or
the option's, in each substep; the package's damping of joints is left at zero, but for its options.

Settings. The package's cable examples take 5 to 10 iterations in substeps of 1/600 s. Swept: the number of segments, the
substep, the iterations, and the radius of rods that a problem calls rigid.

Unfair to Newton: it is made for GPUs and for many bodies in contact; one rod on a CPU spends its time in calls of
kernels. Its steps are implicit and of first order, and damp what vibrates. Unfair to others: nothing that is known.
"""
import os
import sys
import time as clock

import numpy as np

import viperbench
from viperbench import Option, Unavailable

import bodies
import newton_bodies
import rods

os.environ.setdefault('WARP_CACHE_PATH', os.path.join(sys.prefix, 'kernels'))  # of the package's environment
VERSION = '1.8.0'  # what this was written for; `make peers` installs it
wp = newton = None  # imported by the first instance, for that takes longer than a solver's import may


def load():
    global wp, newton
    wp = rods.package('warp')
    wp.config.log_level = max(wp.config.log_level, wp.LOG_WARNING)
    wp.config.enable_backward = False  # derivatives, which take most of the compilation and are not used here
    newton = rods.package('newton')


def scalar_last(q):
    return q[:, [1, 2, 3, 0]]


class Newton(viperbench.Solver):
    """rods of Newton by vertex block descent, on the CPU"""
    name, compiles = 'newton', True  # kernels (interpreter.py)
    fields = ('position', 'velocity', 'frame', 'momentum')
    terms = ('kinetic', 'gravity')
    sets = (*viperbench.Solver.sets, 'load', 'curve', 'key', 'contact', 'half-plane', 'frame pin')
    features = ('solid',)
    settings = {
        'substep': Option(1 / 600, 'the longest substep, s', minimum=1e-9, maximum=1e6),
        'iterations': Option(10, 'iterations of a substep', minimum=1, maximum=1e6, integer=True),
        'damping': Option(-1.0, 'rate of damping of all velocities, 1/s; -1: the scene\'s', minimum=-1.0, maximum=1e6),
        'bend_damping': Option(0.0, 'the package\'s damping of a joint in bending, N m s', maximum=1e300),
        'stretch_damping': Option(0.0, 'the package\'s damping of a joint in stretch, N s/m', maximum=1e300),
    }
    phases = ('package', 'preparation')
    state = ('q', 'v', 'time', 'done')

    @classmethod
    def describe(cls):
        rods.require('newton', VERSION, rods.installed('newton'))
        return {'long_name': f'rods of Newton {VERSION}, VBD on the CPU, one thread, single precision'}

    def create(self):
        begun, scene = clock.perf_counter(), self.scene
        load()
        self.rigid = bodies.taken(scene)
        if self.rigid:
            self.rods, self.loads, self.pieces = [], [], newton_bodies.pieces(scene)
            self.held = {j for j, piece in enumerate(self.pieces) if piece.hold == 'whole'}
        else:
            self.rods, self.loads = list(rods.chains(scene)), rods.loads(scene)
            self.held = self.clamped()
        self.substeps = max(1, int(np.ceil(scene.step / self.options['substep'] * (1 - 1e-9))))
        self.h = scene.step / self.substeps
        self.keep = np.exp(-self.h * (scene.damping if self.options['damping'] < 0 else self.options['damping']))
        self.length = np.array([piece.length for piece in self.pieces]) if self.rigid else np.concatenate(
            [np.linalg.norm(np.diff(rod.nodes['rest_position'], axis=0), axis=1) for rod in self.rods])
        with wp.ScopedDevice('cpu'):
            self.build()
            self.time, self.seconds, self.done = 0.0, 0.0, np.zeros(len(scene.drivers) + len(scene.loads))
            self.substep()  # which compiles kernels
            self.build()  # anew, for a solver keeps multipliers of its joints
        self.time, self.seconds, self.prepared = 0.0, 0.0, 0.0
        self.done[:] = 0
        self.q, self.v = self.begin
        self.keep_multipliers()
        self.preparation = clock.perf_counter() - begun

    def clamped(self):
        """Segments that are held: the first of a rod, or none."""
        scene = self.scene
        nodes, held = rods.held(scene)
        first = {(rod.segment0, node) for rod in self.rods for node in (rod.node0, rod.node0 + 1)}
        if held - {j for j, _ in first} or nodes - {i for j, i in first if j in held}:
            raise Unavailable('this adapter holds the first segment of a rod, or none')
        if np.any(scene.nodes['velocity']) or np.any(scene.segments['angular_velocity']):
            raise Unavailable('this adapter takes rods at rest')
        return held

    def build(self):
        builder = newton.ModelBuilder()
        builder.gravity = (0.0, 0.0, 0.0)  # forces are given
        if self.rigid:
            self.mass, self.inertia = (np.array([getattr(piece, name) for piece in self.pieces]) for name in ('mass', 'about'))
            newton_bodies.add(newton, wp, builder, self.scene, self.pieces)
        else:
            self.add_rods(builder)
        builder.color()
        self.model = builder.finalize(device='cpu')
        self.contacts, history = None, {}
        if self.rigid:
            self.pipeline = newton.CollisionPipeline(self.model, contact_matching='sticky')
            self.contacts, history = self.pipeline.contacts(), {'rigid_contact_history': True}
        self.solver = newton.solvers.SolverVBD(self.model, iterations=self.options['iterations'], **history)
        self.now, self.next, self.control = self.model.state(), self.model.state(), self.model.control()
        if self.rigid:
            speeds = np.array([np.concatenate((piece.velocity, piece.spin)) for piece in self.pieces], np.float32)
            self.now.body_qd.assign(speeds)
        self.begin = self.now.body_q.numpy().copy(), self.now.body_qd.numpy().copy()

    def add_rods(self, builder):
        area = np.pi * np.concatenate([rod.radius for rod in self.rods]) ** 2
        self.mass = np.concatenate([rods.density(rod.segments) for rod in self.rods]) * area * self.length
        across = self.mass * (3 * area / np.pi + self.length ** 2) / 12
        self.inertia = np.stack((across, across, self.mass * area / np.pi / 2), axis=1)
        for rod in self.rods:
            self.add(builder, rod)

    def add(self, builder, rod):
        s, area = rod.segments, np.pi * rod.radius ** 2
        inertia = area * rod.radius ** 2 / 4
        if any(np.ptp(v) > 1e-9 * np.abs(v).max() for v in (rods.bending(s) * inertia, rods.twisting(s) * inertia, area)):
            raise Unavailable('a rod of Newton has one section')
        points = [wp.vec3(*map(float, x)) for x in rod.nodes['position']]
        bodies, _ = builder.add_rod(
            rod=newton.Rod(points, quaternions=[wp.quat(*map(float, q)) for q in scalar_last(s['frame'])],
                           rest_points=[wp.vec3(*map(float, x)) for x in rod.nodes['rest_position']],
                           rest_quaternions=[wp.quat(*map(float, q)) for q in scalar_last(s['rest_frame'])],
                           radius=float(rod.radius[0]), stretch_rigidity=float((rods.modulus(s) * area)[0]),
                           shear_rigidity=float((rods.shearing(s) * area)[0]),
                           bend_rigidity=float((rods.bending(s) * inertia)[0]),
                           twist_rigidity=float((rods.twisting(s) * inertia)[0])),
            cfg=newton.ModelBuilder.ShapeConfig(density=0.0, has_shape_collision=False), bend_damping=self.options['bend_damping'],
            stretch_damping=self.options['stretch_damping'])
        if bodies[0] != rod.segment0:
            raise Unavailable('segments of rods are supported in the order of the rods')
        for body in bodies:
            free = body not in self.held
            builder.body_mass[body] = float(self.mass[body]) if free else 0.0
            builder.body_inv_mass[body] = 1 / float(self.mass[body]) if free else 0.0
            moments = self.inertia[body] if free else np.zeros(3)
            builder.body_inertia[body] = wp.mat33(np.diag(moments))
            builder.body_inv_inertia[body] = wp.mat33(np.diag(1 / moments if free else moments))

    def keep_multipliers(self):
        """All numbers that the package's solver keeps from step to step belong to the state; they are views of its own."""
        for name, value in vars(self.solver).items():
            if isinstance(value, wp.array) and value.size and value.numpy().dtype.kind in 'fiub':
                setattr(self, f'solver_{name}', value.numpy())
                self.state += (f'solver_{name}',)

    def turned(self):
        """Rotation matrices of the bodies."""
        return rods.matrices(self.now.body_q.numpy()[:, [6, 3, 4, 5]].astype(float))

    def substep(self):
        scene, state = self.scene, self.now
        wrench, axes, rate = np.zeros((len(self.mass), 6)), self.turned(), state.body_qd.numpy().astype(float)
        wrench[:, :3] = self.mass[:, None] * scene.gravity
        for load in self.loads:
            factor, j = scene.curve(load.amplitude, self.time, 1.0), load.segment
            force = load.force * factor
            torque = load.torque * factor + np.cross((load.part - 0.5) * self.length[j] * axes[j, :, 2], force)
            wrench[j] += np.concatenate((force, torque))
            self.done[load.number] += self.h * np.concatenate((force, torque)) @ rate[j]
        state.body_f.assign(wrench.astype(np.float32))
        start = clock.perf_counter()
        with wp.ScopedDevice('cpu'):
            if self.rigid:
                self.pipeline.collide(self.now, self.contacts)
            self.solver.step(self.now, self.next, self.control, self.contacts, self.h)
        self.seconds += clock.perf_counter() - start
        self.now, self.next = self.next, self.now
        self.now.body_qd.assign(self.now.body_qd.numpy() * np.float32(self.keep))
        self.time += self.h

    def step(self):
        for _ in range(self.substeps):
            self.substep()
        self.prepared = self.preparation  # told with the first step, before which no phase is recorded
        self.q, self.v = self.now.body_q.numpy().copy(), self.now.body_qd.numpy().copy()
        if not np.isfinite(self.q).all():
            raise viperbench.Diverged('a position is not finite')

    def restored(self):
        self.now.body_q.assign(self.q)
        self.now.body_qd.assign(self.v)

    def read(self):
        turned, x = self.turned(), self.q[:, :3].astype(float)
        along = turned[:, :, 2] * self.length[:, None]
        half = np.cross(self.v[:, 3:], along) / 2
        ends, speed = [x - along / 2, x + along / 2], [self.v[:, :3] - half, self.v[:, :3] + half]

        def join(a, b):
            if self.rigid:  # of each body both nodes, in their order
                return np.stack((a, b), axis=1).reshape(-1, 3)
            rows = []
            for rod in self.rods:
                of = slice(rod.segment0, rod.segment0 + len(rod.segments))
                rows += [a[of][:1], (a[of][1:] + b[of][:-1]) / 2, b[of][-1:]]
            return np.concatenate(rows)
        free = self.mass * [j not in self.held for j in range(len(self.mass))]
        return {'position': join(*ends), 'velocity': join(*speed), 'frame': rods.quaternions(turned),
                'momentum': free @ self.v[:, :3]}

    def energies(self):
        spin = np.einsum('nba,nb->na', self.turned(), self.v[:, 3:].astype(float))
        return {'kinetic': (self.mass @ self.v[:, :3].astype(float) ** 2).sum() / 2 + np.sum(self.inertia * spin ** 2) / 2,
                'gravity': -(self.mass @ self.q[:, :3]) @ self.scene.gravity}

    def work(self):
        return self.done

    def timings(self):
        return {'package': self.seconds, 'preparation': self.prepared}
