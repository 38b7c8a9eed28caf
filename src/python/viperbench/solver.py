# SPDX-License-Identifier: GPL-3.0-or-later
"""The base class of solvers in Python: `viperbench run STUDY --solver mine.py` runs a study with the class in mine.py."""
from collections import namedtuple

from ._library import BadInput, Error, Unavailable  # noqa: F401 - what solvers raise

# A field that a solver offers: where (a location of _sets.LOCATIONS), how many numbers an element has, the unit in
# UDUNITS spelling, and what it means.
Field = namedtuple('Field', 'location components unit long_name')
# An energy [J]: what it means, and whether it is a potential.
Energy = namedtuple('Energy', 'long_name potential', defaults=(True,))


class Option:
    """An option that a solver takes: a number from `minimum` to `maximum`, or, by `choices`, one of some words."""

    def __init__(self, default, long_name, minimum=0.0, maximum=1e300, integer=False, choices=None, at_any_time=False):
        self.default, self.long_name, self.choices = default, long_name, choices
        self.minimum, self.maximum = minimum, maximum
        self.integer, self.at_any_time = integer, at_any_time

    def value(self, text):
        return text if self.choices else int(float(text)) if self.integer else float(text)

    def text(self, value):
        return repr(value) if isinstance(value, float) else str(value)


# What a name alone means, in `fields` and `energies`: as with the solvers of the program.
FIELDS = {
    'position': Field('node', 3, 'm', 'positions of nodes'),
    'velocity': Field('node', 3, 'm s-1', 'velocities of nodes'),
    'scale': Field('node', 1, '1', 'scale of each node: radius over rest radius'),
    'frame': Field('segment', 4, '1', 'frames of segments: unit quaternions w, x, y, z'),
    'angular_velocity': Field('segment', 3, 'rad s-1', 'angular velocity of each frame, world axes'),
    'momentum': Field('scene', 3, 'kg m s-1', 'linear momentum'),
    'angular_momentum': Field('scene', 3, 'kg m2 s-1', 'angular momentum about the origin'),
}
ENERGIES = {
    'stretch': Energy('of stretching'),
    'shear': Energy('of shear'),
    'bend': Energy('of bending'),
    'twist': Energy('of twist'),
    'elastic': Energy('of all deformation'),
    'gravity': Energy('potential of gravity, 0 at the origin'),
    'kinetic': Energy('kinetic', potential=False),
}

# Features of a scene beyond its sets, of vb_feature.
FEATURES = {'solid': 1, 'frame_inertia': 2}


class Diverged(Error):
    """Raised by `step`: the state blew up. This is a result, not a failure."""
    step = 1  # of those that were asked for at once


class Solver:
    """A solver. Derive a class, describe it by the attributes below, and write `create`, `step`, `read`, `energies`.

    An instance has `scene` (a viperbench.view.SceneView: read-only arrays that are the scene's own memory) and
    `options` (a dict of the settings in use). An exception in any method ends the run and is told with its file and
    line; Unavailable, in `create`, refuses a scene or what else there is not, and Diverged, in `step`, ends the run as
    a result."""

    name = None  # by default the name of the class, in small letters
    long_name = None  # by default the first line of the class's documentation
    # Sets of a scene that it supports; any other is refused before `create`. (A scene has a driver for each pin, and
    # only one that has a 'curve' moves.)
    sets = ('world', 'body', 'node', 'segment', 'joint', 'pin', 'driver')
    features = ()  # names in FEATURES that it supports; a scene with any other is refused, too
    fields = ('position',)  # names in FIELDS, or a dict from names to Fields
    terms = ()  # names in ENERGIES, or a dict from names to Energies
    settings = {}  # a dict from names to Options
    phases = ()  # of `timings`, beside "step", which is timed for every solver
    # Names of attributes: arrays and numbers, all that the next step depends on. An instance may add to it in `create`.
    state = ()

    def __init__(self, scene, options):
        self.scene, self.options = scene, options
        self.create()

    @classmethod
    def describe(cls):
        """What the attributes say, for a class that must find it out: a dict of any of them."""
        return {}

    def create(self):
        """Prepares an instance at time 0."""

    def step(self):
        """Advances one step of `scene.step` seconds."""
        raise NotImplementedError('the class has no step')

    def steps(self, n):
        """Advances n steps; to be written instead of `step` by a class that takes many at a time in less. Its Diverged
        has the attribute `step`, which of the n it was, counted from 1."""
        for k in range(n):
            try:
                self.step()
            except Diverged as reason:
                reason.step = k + 1
                raise

    def read(self):
        """All fields: a dict from names to arrays of the shape (elements, components)."""
        raise NotImplementedError('the class has no read')

    def energies(self):
        """All energies [J]: a dict from names to numbers."""
        return {}

    def work(self):
        """Work [J] done since time 0 by each driver, then by each load, then by each activation. By default 0 for
        drivers that never move; a solver that lets others in must say what they did."""
        scene = self.scene
        moving = [i for i in range(len(scene.drivers)) if scene.driver_moves(i)]
        if moving or len(scene.loads) or len(scene.activations):
            raise NotImplementedError('drivers that move, loads and activations do work: the class has no work')
        return [0.0] * len(scene.drivers)

    def restored(self):
        """What follows from the state is found anew: the attributes in `state` have just been replaced."""

    def set_option(self, name, value):
        """Takes an option that may change at any time."""
        self.options[name] = value

    def get_option(self, name):
        """The value in use: what was set, or what "auto" and the like came to."""
        return self.options[name]

    # Defined only where a class has them: residual() -> float, reactions() -> (forces, torques), each of the shape
    # (drivers, 3), timings() -> dict of seconds by phase, cost() -> (bytes, operations), device() -> dict of name,
    # uuid and seconds, convergence() -> dict of evaluated, missed, worst, tolerance and what (vb_convergence; what it
    # counts belongs to `state`), and close(), the last call of all.
