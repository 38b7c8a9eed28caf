# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo's cables (Todorov, Erez and Tassa 2012; plugin mujoco.elasticity.cable) as a solver.

What it models: chains of rigid cylinders with ball joints, which bend and twist; the plugin resists the rotation of each
joint from its rest. Curved and twisted rest shapes, large rotations, gravity, forces and torques, motion at time 0. Chains
with hinges, which have masses at their joints, as scenes do; and in contact rigid bodies, and cables that touch rods which
are held (mujoco_bodies.py).
What it does not: stretch, shear, scales and volume, sections that are not round; here, contact of cables with planes, ends
of rods that are held anywhere but at the start, drivers that move, and rods that branch.

Mapping (plugin/elasticity/README.md and cable.cc of MuJoCo 3.17; "XML reference: composite"). A body is a segment: its
geom is a cylinder of the segment's radius, length and mass. The plugin takes two moduli [Pa]: "bend", times pi r^4 / 4 the
bending stiffness, and "twist", times pi r^4 / 2 the twisting stiffness; it divides them by the length of the segment before
the joint, as a discrete rod does. Here bend = kz + kv and twist = (kx + ky) / 2, which are the scene's stiffnesses exactly.
The torque of a joint is the stiffness times its rotation vector. That derives from no energy where bending and twist
together are large in a joint and their stiffnesses differ; it converges, as the rotation of a joint gets small.

Settings. The integrator is implicitfast, which the documentation recommends ("Computation: numerical integration"): it
is implicit in the damping of joints, and explicit in the plugin's torques. As in the package's own cable.xml, joints have a
damping, without which stiff cables need very short steps; the option damping_time is that damping over the joint's
bending stiffness. Chains with hinges are not damped; the documentation recommends RK4 for smooth motions that keep their
energy, and so does their entry. Swept: the number of segments, the substep, the time for which the load is held.

Unfair to MuJoCo: it is made for contact and robots; its cables are one plugin, used here for accuracy, and loads are
applied from Python in each substep (the phase "package" leaves most of that out). Unfair to others: joints that do not
stretch need no stiff unknowns, which a problem without stretch does not ask for.
"""
import time as clock
from importlib.metadata import version

import numpy as np

import viperbench
from viperbench import Option
from viperbench import exporting

import bodies
import mujoco_bodies
import rods

mujoco = rods.package('mujoco')
mujoco.set_mju_user_warning(lambda _: None)  # which go to a file otherwise; a state that is lost is told by `step`
VERSION = '3.17.0'  # what this was written for; `make peers` installs it


class MuJoCo(viperbench.Solver):
    """cables of MuJoCo: rigid segments with ball joints"""
    name = 'mujoco'
    fields = ('position', 'velocity', 'frame', 'momentum')
    terms = ('kinetic', 'gravity')
    sets = (*viperbench.Solver.sets, 'load', 'curve', 'key', 'contact', 'half-plane', 'frame pin', 'bending')
    features = ('solid',)
    settings = {
        'substep': Option(1e-3, 'the longest substep, s', minimum=1e-9, maximum=1e6),
        'damping_time': Option(0.0, 'damping of joints over their bending stiffness, s', maximum=1e9),
        'damping': Option(-1.0, 'rate of damping of all velocities, 1/s; -1: the scene\'s', minimum=-1.0, maximum=1e6),
        'integrator': Option('implicitfast', 'MuJoCo\'s integrator', choices=('implicitfast', 'implicit', 'Euler', 'RK4')),
    }
    phases = ('package', 'preparation')
    state = ('qpos', 'qvel', 'time', 'done')

    @classmethod
    def describe(cls):
        rods.require('mujoco', VERSION, version('mujoco'))
        return {'long_name': f'cables of MuJoCo {version("mujoco")}, one thread'}

    def create(self):
        begun, scene = clock.perf_counter(), self.scene
        self.roped = bodies.touching(scene) and len(scene.segments) != len(scene.bodies)
        self.rigid = not self.roped and bodies.taken(scene)
        self.loads, self.chains = rods.loads(scene), [] if self.rigid else list(rods.chains(scene, 1 if self.roped else 2))
        self.substeps = max(1, int(np.ceil(scene.step / self.options['substep'] * (1 - 1e-9))))
        self.h = scene.step / self.substeps
        self.damping = scene.damping if self.options['damping'] < 0 else self.options['damping']
        self.model = mujoco.MjModel.from_xml_string(self.text())
        self.data = mujoco.MjData(self.model)
        self.qpos, self.qvel, self.time = self.data.qpos, self.data.qvel, 0.0
        self.done = np.zeros(len(scene.drivers) + len(scene.loads))
        self.seconds, self.prepared = 0.0, 0.0
        self.length = scene.segments['rest_length'] if self.rigid else np.concatenate(
            [np.linalg.norm(np.diff(rod.nodes['rest_position'], axis=0), axis=1) for rod in self.chains])
        self.throw()
        self.restored()
        self.preparation = clock.perf_counter() - begun

    def text(self):
        """The model in MJCF."""
        if self.rigid:
            return mujoco_bodies.model(self.scene, self.h)
        exporting.refuse(self.chains, moving=True)
        if self.roped:
            return mujoco_bodies.ropes(self.scene, self.chains, self.h, self.options['damping_time'])
        if len(self.scene.bendings):
            raise viperbench.Unavailable('a factor on the stiffness in bending is supported with contact alone')
        return exporting.mujoco(self.scene, self.chains, timestep=self.h, integrator=self.options['integrator'],
                                damping_time=self.options['damping_time'])

    def throw(self):
        """Velocities at time 0: of a free body, and of each joint that of its segment relative to the segment before."""
        mujoco.mj_kinematics(self.model, self.data)
        turned = self.data.xmat.reshape(-1, 3, 3)
        for j, segment in enumerate(self.scene.segments):
            body, before = 1 + j, self.model.body_parentid[1 + j]
            relative = segment['angular_velocity'] - (self.scene.segments['angular_velocity'][before - 1] if before else 0)
            if not self.model.body_jntnum[body]:
                continue
            at, free = self.model.body_dofadr[body], self.model.body_dofnum[body] == 6
            if free:
                self.data.qvel[at:at + 3] = self.scene.nodes['velocity'][segment['node'][0] if not self.rigid else segment['node']
                                                                         ].reshape(-1, 3).mean(axis=0)
            if free or self.model.body_dofnum[body] == 3:
                self.data.qvel[at + 3 * free:at + 3 * free + 3] = turned[body].T @ relative
            elif np.any(relative) or np.any(self.scene.nodes['velocity'][segment['node']]):
                raise viperbench.Unavailable('a body whose frame is held about w rests at time 0')

    def push(self):
        """Loads of the substep that follows, and their work in it, by the velocities before it."""
        data = self.data
        data.qfrc_applied[:] = 0
        for load in self.loads:
            factor, body = self.scene.curve(load.amplitude, self.time, 1.0), 1 + load.segment
            point = data.xpos[body] + data.xmat[body, [0, 3, 6]] * load.part * self.length[load.segment]
            before = data.qfrc_applied.copy()
            mujoco.mj_applyFT(self.model, data, load.force * factor, load.torque * factor, point, body, data.qfrc_applied)
            self.done[load.number] += self.h * ((data.qfrc_applied - before) @ data.qvel)

    def step(self):
        each = 1 if self.loads or self.damping > 0 else self.substeps
        for _ in range(0, self.substeps, each):
            self.push()
            start = clock.perf_counter()
            mujoco.mj_step(self.model, self.data, each)
            self.seconds += clock.perf_counter() - start
            self.data.qvel *= np.exp(-self.damping * self.h)
            self.time += self.h * each
        self.prepared = self.preparation  # told with the first step, before which no phase is recorded
        if not np.isfinite(self.data.qpos).all() or self.data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
            raise viperbench.Diverged('MuJoCo found a state that is not finite, or too large')
        self.restored()

    def restored(self):
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def velocities(self, points):
        """Of points in all bodies, which move with them."""
        arm = points - self.data.subtree_com[self.model.body_rootid]
        return self.data.cvel[:, 3:] + np.cross(self.data.cvel[:, :3], arm)

    def read(self):
        data, position, velocity = self.data, [], []
        axes = data.xmat[1:].reshape(-1, 3, 3)
        if self.rigid:  # of each body both nodes, in their order
            half = axes[:, :, 0] * self.length[:, None] / 2
            ends = [data.xpos[1:] - half, data.xpos[1:] + half]
            rates = [self.velocities(np.concatenate((data.xpos[:1], end)))[1:] for end in ends]
            return {'position': np.stack(ends, axis=1).reshape(-1, 3), 'velocity': np.stack(rates, axis=1).reshape(-1, 3),
                    'frame': rods.quaternions(np.stack((axes[:, :, 1], axes[:, :, 2], axes[:, :, 0]), axis=2)),
                    'momentum': self.model.body_mass @ self.velocities(data.xipos)}
        ends = data.xpos.copy()
        ends[1:] += axes[:, :, 0] * self.length[:, None]
        at_start, at_end = self.velocities(data.xpos), self.velocities(ends)
        for rod in self.chains:
            bodies = 1 + rod.segment0 + np.arange(len(rod.segments))
            position += [data.xpos[bodies], ends[bodies[-1:]]]
            velocity += [at_start[bodies], at_end[bodies[-1:]]]
        return {'position': np.concatenate(position), 'velocity': np.concatenate(velocity),
                'frame': rods.quaternions(np.stack((axes[:, :, 1], axes[:, :, 2], axes[:, :, 0]), axis=2)),
                'momentum': self.model.body_mass @ self.velocities(data.xipos)}

    def energies(self):
        mujoco.mj_energyVel(self.model, self.data)
        mujoco.mj_energyPos(self.model, self.data)
        return {'kinetic': self.data.energy[1], 'gravity': -(self.model.body_mass @ self.data.xipos) @ self.scene.gravity}

    def work(self):
        return self.done

    def timings(self):
        return {'package': self.seconds, 'preparation': self.prepared}
