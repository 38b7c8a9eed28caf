# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import viperbench


class Chain(viperbench.Solver):
    """a planar chain of rigid bars and springs between them: the elastica, in statics"""
    fields, terms, state = ('position',), ('bend', 'gravity'), ('angle', 'time', 'done')
    sets = viperbench.Solver.sets + ('load', 'curve', 'key')

    def create(self):
        nodes, segments = self.scene.nodes, self.scene.segments
        if np.any(self.scene.loads['torque']):
            raise viperbench.Unavailable('the chain takes no torques')
        x = nodes['position']
        if np.ptp(x[:, 1]) > 1e-9 or np.any(self.scene.gravity[:2]):
            raise viperbench.Unavailable('the chain lies in the plane of x and z')
        edge = np.diff(x, axis=0)
        self.origin, self.length = x[0], segments['rest_length']
        self.angle = np.arctan2(edge[:, 2], edge[:, 0])
        radius = nodes['rest_radius'].mean()
        self.spring = segments['stiffness'][1:, 2] * np.pi * radius ** 4 / 4 / self.length[1:]  # B / l
        self.rest = np.diff(self.angle)
        area = np.pi * radius ** 2
        share = segments['density'] * area * self.length / 2  # of mass: half a bar at each node
        self.mass = np.append(share, 0) + np.insert(share, 0, 0)
        self.time, self.done = 0.0, np.zeros(len(self.scene.drivers) + len(self.scene.loads))

    def factor(self, load, time):
        """Where the curve of a load is at a time, between its keys."""
        first, n = self.scene.curves[load['amplitude']][['first_key', 'n_keys']]
        keys = self.scene.keys[first:first + n]
        return np.interp(time, keys['time'], keys['value'])

    def pull(self):
        """Forces on nodes, summed from the tip to each bar."""
        force = np.outer(self.mass, self.scene.gravity)
        for load in self.scene.loads:
            force[load['index']] += load['force'] * self.factor(load, self.time)
        return np.cumsum(force[::-1], axis=0)[::-1][1:]

    def step(self):
        before = self.read()['position']
        self.time += self.scene.step
        pull = self.pull()
        for _ in range(50):
            c, s = np.cos(self.angle), np.sin(self.angle)
            moment = np.zeros(len(c) + 1)
            moment[1:-1] = self.spring * (np.diff(self.angle) - self.rest)
            gradient = moment[:-1] - moment[1:] - self.length * (c * pull[:, 2] - s * pull[:, 0])
            diagonal = self.length * (s * pull[:, 2] + c * pull[:, 0])
            diagonal[:-1] += self.spring
            diagonal[1:] += self.spring
            matrix = np.diag(diagonal) - np.diag(self.spring, 1) - np.diag(self.spring, -1)
            change = np.zeros_like(c)
            change[1:] = np.linalg.solve(matrix[1:, 1:], -gradient[1:])  # the first bar is held
            self.angle = self.angle + change * min(1, 0.5 / max(np.abs(change).max(), 1e-30))
            if np.abs(change).max() < 1e-12:
                break
        moved = self.read()['position'] - before
        for k, load in enumerate(self.scene.loads):
            mean = self.factor(load, self.time - self.scene.step / 2)
            self.done[len(self.scene.drivers) + k] += mean * load['force'] @ moved[load['index']]

    def read(self):
        edge = self.length[:, None] * np.stack((np.cos(self.angle), 0 * self.angle, np.sin(self.angle)), axis=1)
        return {'position': self.origin + np.vstack((np.zeros(3), np.cumsum(edge, axis=0)))}

    def energies(self):
        return {'bend': self.spring @ (np.diff(self.angle) - self.rest) ** 2 / 2,
                'gravity': -np.sum(self.mass * (self.read()['position'] @ self.scene.gravity))}

    def work(self):
        return self.done  # of drivers, then of loads
