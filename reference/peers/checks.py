# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the adapters share: check_PEER.py runs in the environment of its peer, and calls these.

A test of an adapter has three parts. The mapping of stiffnesses, masses and friction: a cantilever under a small force, one
under a small torque, one that is let go under a force, and a cylinder thrown on a rough plane, against closed forms; and the
same with planted faults, each of which must be seen. An example that the authors of the package published, by the package
itself and through the adapter. And troubles that users reported, each beside the same scene by viper."""
import math
import sys

import numpy as np

import bodies
import rods
import viperbench
import viperbench.chains

E, RADIUS, DENSITY, N = 1e6, 0.05, 1000.0, 8
BENDING = E * math.pi * RADIUS ** 4 / 4  # of the bar; the published model resists twist by twice that, without Poisson's ratio
# Rotations are below 0.01, whose square is left out of the closed forms; the rest is what is left of the motion.
TOLERANCE = 3e-4
# A tube whose hole has half the radius bends by 1 - 1/2^4 of a solid bar's stiffness: 6 %.
TUBE = 1 - 0.5 ** 4
HOLLOW = 1 - 0.5 ** 2  # of its mass


def start(solver, scene, /, **options):
    """An instance of an adapter in this process."""
    values = {name: option.default for name, option in solver.settings.items()}
    unknown = set(options) - set(values)
    assert not unknown, f'{solver.__name__} has no options {unknown}'
    return solver(scene.freeze(), {**values, **options})


def record(scene, /, **options):
    """The run of a scene by the program's own solver, viper."""
    return viperbench.run(scene, 'viper', every=1, frames=1, fields=['position', 'frame'], **options)


def run(solver, scene, /, **options):
    """The fields at the end of a scene, by an adapter, or by the program's own solver 'viper'."""
    if solver == 'viper':
        done = record(scene, **options)
        return {name: done[f'frames/{name}'][-1] for name in ('position', 'frame')}
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


def sudden_error(solver, /, **options):
    """Error, over the deflection at rest, of the deflection under a small force that comes at once, after a quarter of the
    slowest period, against the continuum clamped in the middle of the first segment: the sum over modes b_i, each of which
    has the part 12/b_i^4 of it and the frequency b_i^2 sqrt(B/m)/L^2."""
    length, mass = 1 - 0.5 / N, DENSITY * math.pi * RADIUS ** 2
    unit = math.sqrt(BENDING / mass) / length ** 2
    b = np.array([1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349])
    time = math.pi / 2 / (b[0] ** 2 * unit)
    scene, rod = bar(time / 50, 50, 0.0)
    scene.load(node=rod.nodes[-1], force=(0.05, 0, 0))
    rest = 0.05 * length ** 3 / (3 * BENDING)
    exact = (12 / b ** 4 * (1 - np.cos(b ** 2 * unit * time))).sum()
    return run(solver, scene, **options)['position'][-1, 0] / rest - exact


def thrown_error(solver, /, **options):
    """Error of the place, over the way, of a cylinder thrown on a rough plane, which slides: v t - mu g t^2/2."""
    speed, rub, time, steps = 1.0, 0.3, 1.0, 200
    scene = viperbench.Scene(step=time / steps, steps=steps, gravity=(0, 0, -1))
    rod = scene.rod(start=(0, -0.5, 1), to=(0, 0.5, 1), nodes=2, radius=1.0, density=1.0, material={'E': 1e4, 'nu': 0},
                    velocity=(speed, 0, 0))
    scene.half_plane(friction=rub)
    return run(solver, scene, **options)['position'][rod.nodes[0], 0] / (speed * time - rub * time ** 2 / 2) - 1


def askew_error(solver, /, step=0.5, steps=60, damping=4.0, **options):
    """Error, over the length, of the tip of a bar under a moment at 45 degrees to its axis, which bends and twists it to a
    helix: its tangent turns about the moment M by M/B per length, whatever its stiffness C of twist (here 2 B), for the
    moment along it and the twist are constant. It is clamped in the middle of the first segment, and the moment acts in the
    middle of the last, behind which it is straight."""
    scene, rod = bar(step, steps, damping)
    turn, axis = math.pi, np.array([math.sqrt(0.5), 0, math.sqrt(0.5)])
    length = 1 - 1 / N
    scene.load(segment=rod.segments[-1], torque=turn / length * BENDING * axis, amplitude=[(0, 0), (step * steps / 2, 1)])
    tangent = np.array([0, 0, 1.0])
    along = (tangent @ axis) * axis
    across = tangent - along
    aside = np.cross(axis, across)
    end = along + math.cos(turn) * across + math.sin(turn) * aside
    exact = np.array([0, 0, 0.5 / N]) + length * (along + (math.sin(turn) * across + (1 - math.cos(turn)) * aside) / turn) + 0.5 / N * end
    return np.linalg.norm(run(solver, scene, **options)['position'][-1] - exact)


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

    def trouble(self, version, what, value, limit, by, ours):
        """A trouble that users reported, as this version has it: a row of the page, no failure; and what the same scene has
        by viper, with the settings `by`."""
        print('trouble: ' + ' | '.join([f'{self.peer} {version}', what, f'{value:.2g}', 'no' if abs(value) <= limit else 'yes',
                                        f'{ours:.2g} ({by})', f'{limit:.2g}']), flush=True)

    def planted(self, name, error, tolerance=TOLERANCE, part=TUBE, of='of a tube', place=None):
        """A value (a function of rods.py, or of `place`) that is a part of the right one must be seen by an error."""
        places = (place,) if place else (rods, viperbench.chains)
        right = getattr(places[0], name)
        for one in places:
            setattr(one, name, lambda argument: part * right(argument))
        self.sees(f'planted {name} {of}', error(), tolerance)
        for one in places:
            setattr(one, name, right)

    def moving(self, error, tolerance):
        """The mass in motion, and the mass of a tube planted. The force makes the deflection grow in a quarter of a period, of
        which a quarter less mass is a seventh less."""
        self.holds('motion against its closed form', error(), tolerance)
        self.planted('density', error, tolerance, HOLLOW)

    def touching(self, error, tolerance):
        """Friction, and 0.8 of it planted, which is 4 % of the way."""
        self.holds('a thrown cylinder against its closed form', error(), tolerance)
        self.planted('friction', error, tolerance, 0.8, 'of 0.8 of the coefficient', bodies)

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
