# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the adapters share: check_PEER.py runs in the environment of its peer, and calls these.

A test of an adapter has two parts. The mapping of stiffnesses: a cantilever under a small force, and one under a small
torque, against the closed forms of the discrete rod; and the same with planted faults, each of which must be seen. And
an example that the authors of the package published, by the package itself and through the adapter."""
import math
import sys

import numpy as np

import rods
import viperbench
import viperbench.chains

E, RADIUS, DENSITY, N = 1e6, 0.05, 1000.0, 8
BENDING = E * math.pi * RADIUS ** 4 / 4  # of the bar; the published model resists twist by twice that, without Poisson's ratio
# Rotations are below 0.01, whose square is left out of the closed forms; the rest is what is left of the motion.
TOLERANCE = 3e-4
# A tube whose hole has half the radius bends by 1 - 1/2^4 of a solid bar's stiffness: 6 %.
TUBE = 1 - 0.5 ** 4


def start(solver, scene, /, **options):
    """An instance of an adapter in this process."""
    values = {name: option.default for name, option in solver.settings.items()}
    unknown = set(options) - set(values)
    assert not unknown, f'{solver.__name__} has no options {unknown}'
    return solver(scene.freeze(), {**values, **options})


def run(solver, scene, /, **options):
    """The fields at the end of a scene."""
    instance = start(solver, scene, **options)
    for _ in range(instance.scene.n_steps):
        instance.step()
    return instance.read()


def bar(step, steps, damping):
    scene = viperbench.Scene(step=step, steps=steps, damping=damping)
    rod = scene.rod(name='bar', start=(0, 0, 0), to=(0, 0, 1), nodes=N + 1, radius=RADIUS, density=DENSITY,
                    material={'E': E, 'nu': 0})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    return scene, rod


def bending_error(solver, shear, /, step=0.2, steps=60, damping=6.0, **options):
    """Relative error of the deflection under a force; `shear` is the stiffness k G A over E A that the package has, 0
    for joints that do not shear."""
    scene, rod = bar(step, steps, damping)
    force, l = 0.05, 1 / N
    scene.load(node=rod.nodes[-1], force=(force, 0, 0))
    exact = force * l ** 3 * N * (N - 1) * (2 * N - 1) / (6 * BENDING)
    exact += force * N * l / (shear * E * math.pi * RADIUS ** 2) if shear else 0
    return run(solver, scene, **options)['position'][-1, 0] / exact - 1


def beam_error(solver, /, **options):
    """Relative error of the deflection of statics by beams of two nodes, of which the first is half as long and clamped,
    under a small force at the end: their bending is constant in each, that of the force in its middle, and so is the shear
    of k G A = E A."""
    scene, rod = bar(1.0, 1, 0.0)
    force, ends = 0.05, np.concatenate(([0.5], np.arange(1, N + 1))) / N
    scene.load(node=rod.nodes[-1], force=(force, 0, 0))
    lengths, arms = np.diff(ends), 1 - (ends[1:] + ends[:-1]) / 2
    exact = force * (lengths * arms ** 2).sum() / BENDING + force * lengths.sum() / (E * math.pi * RADIUS ** 2)
    return run(solver, scene, **options)['position'][-1, 0] / exact - 1


def twist_error(solver, /, step=0.2, steps=60, damping=6.0, **options):
    """Relative error of the angle under a torque about the axis."""
    scene, rod = bar(step, steps, damping)
    torque = 0.05
    scene.load(segment=rod.segments[-1], torque=(0, 0, torque))
    frozen = scene.freeze()
    before, after = rods.matrices(np.stack((frozen.segments['frame'][-1], run(solver, scene, **options)['frame'][-1])))
    turn = after @ before.T
    return math.atan2(turn[1, 0] - turn[0, 1], turn[0, 0] + turn[1, 1]) / (torque * (N - 1) / N / (2 * BENDING)) - 1


class Tally:
    """Counts what holds and what does not, and tells each in a line."""

    def __init__(self, peer):
        self.peer, self.failed = peer, 0

    def holds(self, what, value, limit):
        good = abs(value) <= limit
        self.failed += not good
        print(f'{self.peer}: {what}: {value:.1e}, {"within" if good else "NOT within"} {limit:.1e}')

    def sees(self, what, value, limit):
        """A planted fault, which must be outside of the limit."""
        good = not abs(value) <= limit
        self.failed += not good
        print(f'{self.peer}: {what}: {value:.1e}, {"seen" if good else "NOT seen"} (limit {limit:.1e})')

    def trouble(self, what, value, limit):
        """A trouble that users reported, as this version has it: a line of the page, no failure."""
        print(f'trouble: {self.peer}: {what}: {value:.2g}, {"not seen" if abs(value) <= limit else "seen"} (limit {limit:.2g})')

    def planted(self, name, error, tolerance=TOLERANCE):
        """A stiffness (a function of rods.py) of a tube in the place of the solid bar's must be seen by an error."""
        right, places = getattr(rods, name), (rods, viperbench.chains)
        for place in places:
            setattr(place, name, lambda segments: TUBE * right(segments))
        self.sees(f'planted {name} of a tube', error(), tolerance)
        for place in places:
            setattr(place, name, right)

    def mapping(self, solver, shear, /, tolerance=TOLERANCE, twist=True, **options):
        """Both stiffnesses, and each with that of a tube planted in the place of the solid bar's."""
        self.holds('bending against its closed form', bending_error(solver, shear, **options), tolerance)
        if twist:
            self.holds('twist against its closed form', twist_error(solver, **options), tolerance)
        self.planted('bending', lambda: bending_error(solver, shear, **options), tolerance)
        if twist:
            self.planted('twisting', lambda: twist_error(solver, **options), tolerance)

    def end(self):
        sys.exit(self.failed > 0)
