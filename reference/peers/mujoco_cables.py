# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo's cables (Todorov, Erez and Tassa 2012; plugin mujoco.elasticity.cable) as a solver.

What it models: chains of rigid cylinders with ball joints, which bend and twist; the plugin resists the rotation of each
joint from its rest. Curved and twisted rest shapes, large rotations, gravity, forces and torques.
What it does not: stretch, shear, scales and volume, sections that are not round; here, contact, ends of rods that are
held anywhere but at the start, drivers that move, rods that branch, and motion at time 0.

Mapping (plugin/elasticity/README.md and cable.cc of MuJoCo 3.17; "XML reference: composite"). A body is a segment: its
geom is a cylinder of the segment's radius, length and mass. The plugin takes two moduli [Pa]: "bend", times pi r^4 / 4 the
bending stiffness, and "twist", times pi r^4 / 2 the twisting stiffness; it divides them by the length of the segment before
the joint, as a discrete rod does. Here bend = kz + kv and twist = (kx + ky) / 2, which are the scene's stiffnesses exactly.
The torque of a joint is the stiffness times its rotation vector. That derives from no energy where bending and twist
together are large in a joint and their stiffnesses differ; it converges, as the rotation of a joint gets small.

Settings. The integrator is implicitfast, which the documentation recommends ("Computation: numerical integration"): it
is implicit in the damping of joints, and explicit in the plugin's torques. As in the package's own cable.xml, joints have a
damping, without which stiff cables need very short steps; the option damping_time is that damping over the joint's
bending stiffness. Swept: the number of segments, the substep, the time for which the load is held.

Unfair to MuJoCo: it is made for contact and robots; its cables are one plugin, used here for accuracy, and loads are
applied from Python in each substep (the phase "package" leaves most of that out). Unfair to others: joints that do not stretch need no stiff
unknowns, which a problem without stretch does not ask for.
"""
import time as clock
from importlib.metadata import version

import numpy as np

import viperbench
from viperbench import Option, Unavailable

import rods

mujoco = rods.package('mujoco')
VERSION = '3.17.0'  # what this was written for; `make peers` installs it


def along_x(frames, positions):
    """Quaternions of bodies whose x axis goes from node to node, turned least from the frames (u, v, w)."""
    chords = np.diff(positions, axis=0)
    w = chords / np.linalg.norm(chords, axis=1)[:, None]
    u = frames[:, :, 0] - np.einsum('na,na->n', frames[:, :, 0], w)[:, None] * w
    u /= np.linalg.norm(u, axis=1)[:, None]
    return rods.quaternions(np.stack((w, u, np.cross(w, u)), axis=2))


def words(values):
    return ' '.join(repr(float(value)) for value in np.atleast_1d(values))


class Chain:
    """A rod as bodies of MuJoCo, each in the one before."""

    def __init__(self, owner, number, rod):
        self.number, self.rod, s = number, rod, rod.segments
        nodes, segments = owner.held
        self.clamped, self.hinged = rod.segment0 in segments, rod.node0 in nodes
        inside = set(range(rod.node0 + 1, rod.node1)) - ({rod.node0 + 1} if self.clamped else set())
        if nodes & inside or segments & set(range(rod.segment0 + 1, rod.segment0 + len(s))):
            raise Unavailable('this adapter holds MuJoCo\'s cables at their start alone')
        if self.clamped and not self.hinged:
            raise Unavailable('this adapter holds a segment together with its first node')
        if any(np.ptp(values, axis=0).max() > 1e-9 * np.abs(values).max() for values in
               (s['stiffness'], rod.radius, s['density'])):
            raise Unavailable('a cable of MuJoCo has one material, radius and density')
        self.length = np.linalg.norm(np.diff(rod.nodes['rest_position'], axis=0), axis=1)
        self.turned = along_x(rods.matrices(s['rest_frame']), rod.nodes['rest_position'])
        self.bend, self.twist = float(rods.bending(s)[0]), float(rods.twisting(s)[0] / 2)
        self.mass = s['density'] * np.pi * rod.radius ** 2 * self.length
        self.damping = owner.options['damping_time'] * self.bend * np.pi * rod.radius[0] ** 4 / 4

    def plugin(self):
        return (f'<instance name="rod{self.number}"><config key="bend" value="{self.bend!r}"/>'
                f'<config key="twist" value="{self.twist!r}"/></instance>')

    def bodies(self):
        """The nested bodies as text."""
        rotations, n = rods.matrices(self.turned), len(self.length)
        text = ''
        for j in range(n):
            place, turn = self.rod.nodes['rest_position'][0], rotations[0]
            if j:
                place, turn = [self.length[j - 1], 0, 0], rotations[j - 1].T @ rotations[j]
            joint = '<freejoint/>' if j == 0 else f'<joint type="ball" damping="{words(self.damping / self.length[j - 1])}"/>'
            if j == 0 and self.hinged:
                joint = '' if self.clamped else '<joint type="ball"/>'
            half = self.length[j] / 2
            text += (f'<body pos="{words(place)}" quat="{words(rods.quaternions(turn[None])[0])}">{joint}'
                     f'<geom type="cylinder" pos="{words([half, 0, 0])}" quat="{words([0.5 ** 0.5, 0, 0.5 ** 0.5, 0])}" '
                     f'size="{words([self.rod.radius[j], half])}" mass="{words(self.mass[j])}" contype="0" conaffinity="0"/>'
                     f'<plugin instance="rod{self.number}"/>')
        return text + '</body>' * n


class MuJoCo(viperbench.Solver):
    """cables of MuJoCo: rigid segments with ball joints"""
    name = 'mujoco'
    fields = ('position', 'velocity', 'frame', 'momentum')
    terms = ('kinetic', 'gravity')
    sets = (*viperbench.Solver.sets, 'load', 'curve', 'key')
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
        self.held, self.loads = rods.held(scene), rods.loads(scene)
        self.chains = [Chain(self, i, rod) for i, rod in enumerate(rods.chains(scene))]
        if any(np.abs(scene.nodes['velocity']).max(initial=0) > 0 or
               np.abs(c.rod.nodes['position'] - c.rod.nodes['rest_position']).max() > 0 for c in self.chains):
            raise Unavailable('this adapter starts from rest')
        self.substeps = max(1, int(np.ceil(scene.step / self.options['substep'] * (1 - 1e-9))))
        self.h = scene.step / self.substeps
        self.damping = scene.damping if self.options['damping'] < 0 else self.options['damping']
        self.model = mujoco.MjModel.from_xml_string(self.text())
        self.data = mujoco.MjData(self.model)
        self.qpos, self.qvel, self.time = self.data.qpos, self.data.qvel, 0.0
        self.done = np.zeros(len(scene.drivers) + len(scene.loads))
        self.seconds, self.prepared = 0.0, 0.0
        self.length = np.concatenate([c.length for c in self.chains])
        self.restored()
        self.preparation = clock.perf_counter() - begun

    def text(self):
        return (f'<mujoco><compiler angle="radian"/><option timestep="{self.h!r}" gravity="{words(self.scene.gravity)}" '
                f'integrator="{self.options["integrator"]}"/><size memory="16M"/>'
                f'<extension><plugin plugin="mujoco.elasticity.cable">{"".join(c.plugin() for c in self.chains)}</plugin>'
                f'</extension><worldbody>{"".join(c.bodies() for c in self.chains)}</worldbody></mujoco>')

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
        ends = data.xpos.copy()
        ends[1:] += axes[:, :, 0] * self.length[:, None]
        at_start, at_end = self.velocities(data.xpos), self.velocities(ends)
        for c in self.chains:
            bodies = 1 + c.rod.segment0 + np.arange(len(c.length))
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
