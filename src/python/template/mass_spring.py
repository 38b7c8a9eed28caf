# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import viperbench


class MassSpring(viperbench.Solver):
    """points of mass and springs along the segments, in Python"""
    fields, terms, state = ('position', 'velocity'), ('stretch', 'kinetic', 'gravity'), ('x', 'v')

    def create(self):
        # Pins of nodes alone: points have no frames, which those of segments hold.
        nodes, segments, pins = self.scene.nodes, self.scene.segments, self.scene.pins[self.scene.pins['location'] == 0]
        self.x, self.v = nodes['position'].copy(), nodes['velocity'].copy()
        self.ends, self.rest = segments['node'], segments['rest_length']
        area = np.pi * nodes['rest_radius'][self.ends].mean(axis=1) ** 2
        k, kv = segments['stiffness'][:, 2], segments['stiffness'][:, 5]
        self.k = k * (1 + kv / (k + 2 * kv)) * area / self.rest  # E A / l: the section shrinks
        self.mass = self.at_nodes(np.repeat(segments['density'] * area * self.rest / 2, 2))
        self.held = np.zeros(self.x.shape, bool)
        self.held[pins['index']] = pins['mask'][:, None] & [1, 2, 4]
        fastest = np.sqrt(2 * self.at_nodes(np.repeat(self.k, 2)) / self.mass).max()
        self.substeps = int(self.scene.step * fastest) + 1  # stable: it turns by 1 rad at most

    def at_nodes(self, values):
        return np.bincount(self.ends.ravel(), values, len(self.x))[:, None]

    def forces(self):
        edge = self.x[self.ends[:, 1]] - self.x[self.ends[:, 0]]
        self.longer = np.linalg.norm(edge, axis=1) - self.rest
        pull = (self.k * self.longer / (self.longer + self.rest))[:, None] * edge
        both = np.stack((pull, -pull), axis=1).reshape(-1, 3)
        return np.hstack([self.at_nodes(c) for c in both.T]) + self.mass * self.scene.gravity

    def step(self):
        h = self.scene.step / self.substeps
        for _ in range(self.substeps):
            self.v = np.exp(-h * self.scene.damping) * (self.v + h * self.forces() / self.mass)
            self.v[self.held] = 0
            self.x = self.x + h * self.v

    def read(self):
        return {'position': self.x, 'velocity': self.v}

    def energies(self):
        self.forces()
        return {'stretch': self.k @ self.longer ** 2 / 2, 'kinetic': np.sum(self.mass * self.v ** 2) / 2,
                'gravity': -np.sum(self.mass * self.scene.gravity * self.x)}

    def reactions(self):
        push = np.where(self.held, -self.forces(), 0)
        return push.sum(axis=0), np.cross(self.x, push).sum(axis=0)  # of the one driver, about 0
