# SPDX-License-Identifier: GPL-3.0-or-later
"""PyElastica (Gazzola, Dudte, McCormick and Mahadevan 2018) as a solver.

What it models: Cosserat rods, with stretch, shear, bending and twist; of each element the volume is kept, so that its
radius follows its length. Its time integration is explicit (position Verlet, second order).
What it does not: a scale as an unknown, and with it kv as a stiffness of its own, and pinned scales, which are passed
over; contact, bundles and solids of a scene, which are refused; here, rods that branch or close.

Mapping (docs "Cosserat rod", elastica/rod/factory_function.py of 1.0.0). The package makes, of E, G and a circular
section, the stiffnesses E A of stretch, alpha G A of shear (alpha = 27/28), E I of bending and G J of twist, and mass and
inertia of the density. A scene has stiffnesses, not E and G. "matched", the default, sets its arrays shear_matrix and
bend_matrix to what VIPER's rod has in small deformation: (kz + kv) A of shear, (kz + kv) I of bending, (kx + ky) I of
twist, and for stretch that of a slow pull with free sections, E A; for the material model solid k G A, E I, G J and E A. "isotropic" takes its own formulas, with the E of that
pull and G = (kx + ky) / 4. Strains at rest are those of the scene's rest shape. Damping is its AnalyticalLinearDamper with
one constant of velocities: the scene's, which is the same law, or where the option `damping` gives it.

Settings. The substep is 0.3 of the least element's length, or radius, over the fastest wave's speed: its integrator is
stable below about 1, and elements turn against their own inertia within a radius. The package's own rule, a hundredth of
an element's length in seconds per meter ("Tutorials"), is of that size for its examples. Swept: the number of segments,
and with it the radius of rods that a problem calls rigid.

Unfair to PyElastica: it is explicit, made for motion, contact and many rods. A static study asks it to move until damping
brings it to rest; and a thin rod needs substeps as short as its thickness. Loads are called from Python in each substep; the
phase "package" leaves that time out. Unfair to others: nothing that is known.
Torques of drivers are without the rotational inertia of the segments that they hold.
"""
import time as clock
from importlib.metadata import version

import numpy as np

import viperbench
from viperbench import Option, Unavailable

import rods

ea = rods.package('elastica')
VERSION = '1.0.0'  # what this was written for; `make peers` installs it


class Simulator(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
    pass


STILL = np.eye(3), np.zeros(3)


class Group:
    """What one driver holds of a rod: components of nodes (mask, 3 x n) and whole frames of elements."""

    def __init__(self, scene, driver, rod, nodes, mask, elements):
        self.scene, self.driver, self.moving = scene, driver, scene.driver_moves(driver)
        self.nodes, self.mask, self.elements = nodes, mask, elements
        self.zero = np.zeros((3, len(nodes)))
        self.positions = rod.position_collection[:, nodes].copy()
        self.directors = rod.director_collection[:, :, elements].copy()

    def motion(self, time):
        """Rotation matrix and shift."""
        if not self.moving:
            return STILL
        q, b = self.scene.driver_motion(self.driver, time)
        return rods.matrices(q[None])[0], b

    def rates(self, time, h=1e-6):
        """Velocities of the nodes and the angular velocity, by differences of the motion."""
        if not self.moving:
            return self.zero, STILL[1]
        (R, b), (P, a) = self.motion(time + h), self.motion(time - h)
        rate = (R - P) / (2 * h)
        spin = rate @ self.motion(time)[0].T
        return rate @ self.positions + ((b - a) / (2 * h))[:, None], np.array([spin[2, 1], spin[0, 2], spin[1, 0]])


class Held(ea.ConstraintBase):
    """Nodes and frames of a rod where the drivers of their pins take them, and what that needs of force and work."""

    def __init__(self, owner, groups, **kwargs):
        super().__init__(**kwargs)
        self.owner, self.groups = owner, groups

    def constrain_values(self, system, time):
        for g in self.groups:
            turn, shift = g.motion(time)
            now = system.position_collection[:, g.nodes]
            system.position_collection[:, g.nodes] = np.where(g.mask, turn @ g.positions + shift[:, None], now)
            system.director_collection[:, :, g.elements] = np.einsum('abn,cb->acn', g.directors, turn)

    def constrain_rates(self, system, time):
        for g in self.groups:
            velocity, omega = g.rates(time)
            self.note(system, g, time, velocity, omega)
            now = system.velocity_collection[:, g.nodes]
            system.velocity_collection[:, g.nodes] = np.where(g.mask, velocity, now)
            system.omega_collection[:, g.elements] = np.einsum('abn,b->an', system.director_collection[:, :, g.elements],
                                                               omega)

    def note(self, system, g, time, velocity, omega):
        """The reaction is what the forces of the substep leave of the change of momentum that the driver imposes."""
        owner, before = self.owner, g.rates(time - self.owner.h)[0]
        force = system.mass[g.nodes] * (velocity - before) / owner.h - \
            (system.internal_forces + system.external_forces)[:, g.nodes]
        force = np.where(g.mask, force, 0)
        torques = -(system.internal_torques + system.external_torques)[:, g.elements]
        turning = np.einsum('abn,an->b', system.director_collection[:, :, g.elements], torques)
        turn, shift = g.motion(time)
        arm = system.position_collection[:, g.nodes] - (turn @ owner.scene.drivers['origin'][g.driver] + shift)[:, None]
        owner.force[g.driver] += force.sum(axis=1)
        owner.torque[g.driver] += np.cross(arm, force, axis=0).sum(axis=1) + turning
        owner.done[g.driver] += owner.h * (np.sum(force * velocity) + turning @ omega)


class Loads(ea.NoForces):
    """Gravity and the scene's loads, and their work."""

    def __init__(self, owner, rod):
        super().__init__()
        self.owner, scene = owner, owner.scene
        nodes, elements = range(rod.node0, rod.node1), range(rod.segment0, rod.segment0 + rod.node1 - rod.node0 - 1)
        self.loads = [(i, load, load['index'] - (rod.node0 if load['location'] == 0 else rod.segment0))
                      for i, load in enumerate(scene.loads, len(scene.drivers))
                      if load['index'] in (nodes if load['location'] == 0 else elements)]

    def apply_forces(self, system, time=0.0):
        scene, start = self.owner.scene, clock.perf_counter()
        system.external_forces += system.mass * scene.gravity[:, None]
        for i, load, at in self.loads:
            if load['location'] == 0:
                force = load['force'] * scene.curve(load['amplitude'], time, 1.0)
                system.external_forces[:, at] += force
                self.owner.done[i] += self.owner.h * (force @ system.velocity_collection[:, at])
        self.owner.seconds -= clock.perf_counter() - start

    def apply_torques(self, system, time=0.0):
        scene, start = self.owner.scene, clock.perf_counter()
        for i, load, at in self.loads:
            if load['location'] == 1:
                torque = system.director_collection[:, :, at] @ (
                    load['torque'] * scene.curve(load['amplitude'], time, 1.0))
                system.external_torques[:, at] += torque
                self.owner.done[i] += self.owner.h * (torque @ system.omega_collection[:, at])
        self.owner.seconds -= clock.perf_counter() - start


class PyElastica(viperbench.Solver):
    """Cosserat rods of PyElastica, explicit in time"""
    name, compiles = 'pyelastica', True  # functions (interpreter.py)
    fields = ('position', 'velocity', 'frame', 'momentum')
    terms = ('elastic', 'kinetic', 'gravity')
    sets = (*viperbench.Solver.sets, 'load', 'curve', 'key')
    features = ('solid',)
    settings = {
        'stiffness': Option('matched', 'matched: to the scene\'s in small deformation; isotropic: its own of E and G',
                            choices=('matched', 'isotropic')),
        'damping': Option(-1.0, 'rate of damping, 1/s; -1: the scene\'s', minimum=-1.0, maximum=1e6),
        'courant': Option(0.3, 'substep over the least element\'s length at the speed of the fastest wave', maximum=1.0),
    }
    phases = ('package', 'preparation')
    state = ('time', 'done', 'force', 'torque')

    @classmethod
    def describe(cls):
        rods.require('pyelastica', VERSION, version('pyelastica'))
        return {'long_name': f'Cosserat rods of PyElastica {VERSION}, position Verlet, one thread'}

    def create(self):
        start = clock.perf_counter()
        scene, self.sim, self.rods = self.scene, Simulator(), []
        for load in scene.loads:
            if load['location'] > 1 or load['scale_force']:
                raise Unavailable('PyElastica takes loads of nodes and segments, and none of scales')
        for rod in rods.chains(scene):
            self.add(rod)
        self.damping = scene.damping if self.options['damping'] < 0 else self.options['damping']
        self.substeps = int(np.ceil(scene.step / (self.options['courant'] * min(r.stable for r in self.rods))))
        self.h = scene.step / self.substeps
        self.done = np.zeros(len(scene.drivers) + len(scene.loads))
        self.force, self.torque = np.zeros((2, len(scene.drivers), 3))
        pins = scene.pins
        self.still = not any(scene.driver_moves(i) for i in range(len(scene.drivers))) and \
            not any((pins['location'] == 0) & (pins['mask'] & 7 > 0) & (pins['mask'] & 7 != 7))
        for rod in self.rods:
            self.load(rod)
        self.sim.finalize()  # which applies constraints
        self.force[:] = self.torque[:] = self.done[:] = 0
        self.stepper, self.time, self.seconds = ea.PositionVerlet(), 0.0, 0.0
        for i, rod in enumerate(self.rods):  # the arrays lie in blocks now
            for name in ('position', 'velocity', 'director', 'omega'):
                self.state += (f'{name}{i}',)
                setattr(self, f'{name}{i}', getattr(rod.rod, name + '_collection'))
        self.compile()
        self.restored()
        self.preparation, self.prepared, self.seconds = clock.perf_counter() - start, 0.0, 0.0

    def compile(self):
        """A substep, which compiles what it calls, and back to time 0."""
        before = {name: np.copy(getattr(self, name)) for name in self.state[4:]}
        self.stepper.step(self.sim, 0.0, self.h)
        for name, value in before.items():
            getattr(self, name)[:] = value
        self.force[:] = self.torque[:] = self.done[:] = 0

    def add(self, rod):
        nodes, segments, radius = rod.nodes, rod.segments, rod.radius
        if np.ptp(segments['density']):
            raise Unavailable('PyElastica takes one density in a rod')
        rest = nodes['rest_position'].T.copy()
        directors = rods.matrices(segments['rest_frame']).transpose(2, 1, 0).copy()  # rows are u, v, w
        along = (rest[:, 1] - rest[:, 0]) / np.linalg.norm(rest[:, 1] - rest[:, 0])
        kx, ky, kz, _, _, kv = segments['stiffness'].T
        young = rods.modulus(segments)
        rod.rod = ea.CosseratRod.straight_rod(
            len(segments), rest[:, 0], along, directors[0, :, 0], segments['rest_length'].sum(), radius,
            rods.density(segments)[0], youngs_modulus=young[0], shear_modulus=(kx[0] + ky[0]) / 4, position=rest,
            directors=directors)
        rod.rod.compute_internal_forces_and_torques(0.0)  # strains at rest, which the package takes for zero
        rod.rod.rest_sigma[:], rod.rod.rest_kappa[:] = rod.rod.sigma, rod.rod.kappa
        if self.options['stiffness'] == 'matched':
            area, moment = np.pi * radius ** 2, np.pi * radius ** 4 / 4
            joint = lambda values: (values[1:] + values[:-1]) / 2
            shear, bend = rods.shearing(segments) * area, joint(rods.bending(segments) * moment)
            for i, values in enumerate((shear, shear, young * area)):
                rod.rod.shear_matrix[i, i] = values
            for i, values in enumerate((bend, bend, joint(rods.twisting(segments) * moment))):
                rod.rod.bend_matrix[i, i] = values
        speed = np.sqrt(np.max(kz + kv) / segments['density'][0])
        # Bending and shear of an element turn it, against its own inertia: no slower than its section.
        rod.stable = min(segments['rest_length'].min(), radius.min()) / speed
        rod.rod.position_collection[:] = nodes['position'].T
        rod.rod.velocity_collection[:] = nodes['velocity'].T
        rod.rod.director_collection[:] = rods.matrices(segments['frame']).transpose(2, 1, 0)
        rod.rod.omega_collection[:] = np.einsum('abn,nb->an', rod.rod.director_collection,
                                                segments['angular_velocity'])
        self.sim.append(rod.rod)
        self.rods.append(rod)

    def load(self, rod):
        pins, groups = self.scene.pins, []
        for driver in range(len(self.scene.drivers)):
            of_nodes = (pins['driver'] == driver) & (pins['location'] == 0) & (pins['index'] >= rod.node0) & \
                (pins['index'] < rod.node1) & (pins['mask'] & 7 > 0)
            nodes = pins['index'][of_nodes] - rod.node0
            elements = pins['index'][(pins['driver'] == driver) & (pins['location'] == 1)] - rod.segment0
            elements = elements[(elements >= 0) & (elements < rod.rod.n_elems)]
            if len(nodes) + len(elements) == 0:
                continue
            mask = (pins['mask'][of_nodes][None] >> np.arange(3)[:, None] & 1).astype(bool)
            groups.append(Group(self.scene, driver, rod.rod, nodes, mask, elements))
        rod.groups = groups
        if groups and self.still:  # the package's own, which is compiled
            self.sim.constrain(rod.rod).using(
                ea.FixedConstraint, constrained_position_idx=tuple(int(i) for g in groups for i in g.nodes),
                constrained_director_idx=tuple(int(i) for g in groups for i in g.elements))
        elif groups:
            self.sim.constrain(rod.rod).using(Held, owner=self, groups=groups)
        self.sim.add_forcing_to(rod.rod).using(Loads, owner=self, rod=rod)
        if self.damping > 0:
            self.sim.dampen(rod.rod).using(ea.AnalyticalLinearDamper, uniform_damping_constant=self.damping,
                                           time_step=self.h)

    def step(self):
        start = clock.perf_counter()
        for _ in range(self.substeps):
            if not self.still:
                self.force[:] = self.torque[:] = 0  # of the latest substep
            self.time = float(self.stepper.step(self.sim, self.time, self.h))
        self.seconds += clock.perf_counter() - start
        self.prepared = self.preparation  # told with the first step, before which no phase is recorded
        if not all(np.isfinite(rod.rod.position_collection).all() for rod in self.rods):
            raise viperbench.Diverged('a position is not finite')
        self.restored()

    def restored(self):
        for rod in self.rods:  # strains, which energies are made of
            rod.rod.compute_internal_forces_and_torques(self.time)

    def join(self, name):
        return np.concatenate([getattr(rod.rod, name) for rod in self.rods], axis=-1)

    def read(self):
        return {'position': self.join('position_collection').T, 'velocity': self.join('velocity_collection').T,
                'frame': rods.quaternions(np.moveaxis(self.join('director_collection'), 2, 0).transpose(0, 2, 1)),
                'momentum': (self.join('mass') * self.join('velocity_collection')).sum(axis=1)}

    def energies(self):
        each = [rod.rod for rod in self.rods]
        weight = self.join('mass') * self.join('position_collection')
        return {'elastic': sum(rod.compute_shear_energy() + rod.compute_bending_energy() for rod in each),
                'kinetic': sum(rod.compute_translational_energy() + rod.compute_rotational_energy() for rod in each),
                'gravity': -self.scene.gravity @ weight.sum(axis=1)}

    def work(self):
        return self.done

    def reactions(self):
        if self.still:
            self.react()
        return self.force, self.torque

    def react(self):
        """Reactions of parts that stay: what balances the forces on them."""
        self.force[:] = self.torque[:] = 0
        for rod in self.rods:
            for g in rod.groups:
                force = np.where(g.mask, -(rod.rod.internal_forces + rod.rod.external_forces)[:, g.nodes], 0)
                torques = -(rod.rod.internal_torques + rod.rod.external_torques)[:, g.elements]
                arm = g.positions - self.scene.drivers['origin'][g.driver][:, None]
                self.force[g.driver] += force.sum(axis=1)
                self.torque[g.driver] += np.cross(arm, force, axis=0).sum(axis=1) + np.einsum(
                    'abn,an->b', g.directors, torques)

    def timings(self):
        return {'package': max(self.seconds, 0.0), 'preparation': self.prepared}
