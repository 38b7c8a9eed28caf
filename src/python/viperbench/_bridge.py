# SPDX-License-Identifier: GPL-3.0-or-later
"""A class of solvers as vb_solver: the functions that the process which serves it calls.

All that a class gives is checked here for its names and shapes; guards, finite numbers and promises are checked by the
library, as of a solver in C."""
import ctypes
import errno
import math
import os
import resource
import sys
import time
import traceback

import numpy as np

from . import _library
from ._describe import Description
from ._library import BAD_INPUT, FAILED, OK, UNAVAILABLE, BadInput, CSolver, Unavailable
from ._sets import set_of
from ._state import State
from .solver import Diverged
from .view import SceneView


def limit_reached(exception):
    """Which limit of this process an exception comes from, or nothing."""
    if isinstance(exception, MemoryError):
        gigabytes = round(resource.getrlimit(resource.RLIMIT_DATA)[0] / 1e9, 1)  # what the interpreter had is no part of it
        return f'{"; " if str(exception) else ""}its process may have {gigabytes:g} GB (option memory_limit)'
    if isinstance(exception, OSError) and exception.errno == errno.EMFILE:
        return f'; its process may have {resource.getrlimit(resource.RLIMIT_NOFILE)[0]} open'
    return ''


def where(exception, path):
    """One sentence: the line of the solver's file that an exception came through last, its kind and what it says."""
    if os.environ.get('VIPERBENCH_TRACEBACK'):  # run --verbose
        traceback.print_exception(exception, file=sys.stderr)
    lines = [frame.lineno for frame in traceback.extract_tb(exception.__traceback__) if frame.filename == path]
    place = path
    if isinstance(exception, SyntaxError) and exception.filename == path:
        lines = [exception.lineno]
    elif not lines and exception.__traceback__:
        last = traceback.extract_tb(exception.__traceback__)[-1]
        if not last.filename.startswith(_library.PACKAGE):
            place, lines = last.filename, [last.lineno]
    what = exception.msg if isinstance(exception, SyntaxError) else str(exception)
    what += limit_reached(exception)
    kind = '' if type(exception) in (BadInput, Unavailable, NotImplementedError) else type(exception).__name__
    return ': '.join(part for part in (f'{place}:{lines[-1]}' if lines else place, kind, what) if part)


def numbers(value, what):
    """An array of float64 of what a solver gave, in which nothing is lost or left out."""
    array = np.asarray(value)
    if array.dtype.kind in 'cO' or array.dtype == np.float16:
        kind = {'c': 'complex numbers', 'O': 'objects'}.get(array.dtype.kind, 'numbers of half precision')
        raise BadInput(f'{what} of {kind} ({array.dtype}); it should give real numbers, such as float64')
    return array.astype(float)


def write_error(error, status, text):
    if error:
        error.contents.status = status
        error.contents.message = ' '.join(text.split()).encode()[:1023]
    return status


class Instance:
    """A solver that was made for a scene, and what the host may ask of it."""

    def __init__(self, about, scene, options):
        self.about, self.scene = about, scene
        self.n_steps, self.divergence, self.seconds = 0, None, 0.0
        self._fields = None  # what read gave, until the state changes
        self.solver = about.cls(scene, options)
        self.state = State(self.solver, self.solver.state)
        self.counts = [self._count(name, field) for name, field in about.fields.items()]
        self.n_work = len(scene.drivers) + len(scene.loads) + len(scene.activations)

    def _count(self, name, field):
        if field[0] == 'scene':
            return 1
        if field[0] == 'own':
            return len(np.asarray(self.fields()[name]))
        return len(self.scene[set_of(field[0])])

    def step(self, n):
        start = time.perf_counter()
        self._fields = None
        if self.divergence or n == 0:
            return
        try:
            self.solver.steps(n)
        except Diverged as reason:
            self.divergence = self.n_steps + reason.step, str(reason).encode()[:127]
        self.n_steps += n
        self.seconds += time.perf_counter() - start

    def fields(self):
        if self._fields is None:
            self._fields = self.solver.read()
        return self._fields

    def field(self, number):
        name, field = list(self.about.fields.items())[number]
        return self._table(self.fields(), 'read', 'field', name, (self.counts[number], field[1]))

    @staticmethod
    def _table(given, function, kind, name, shape):
        """The entry of a dict that a method gave, of the shape that it must have."""
        if not isinstance(given, dict):
            raise BadInput(f'{function} gave {type(given).__name__}, not a dict')
        if name not in given:
            raise BadInput(f'{function} gave no {kind} {name}')
        value = numbers(given[name], f'{function} gave {kind} {name}')
        if value.size != math.prod(shape) or value.shape[:1] != shape[:1] and value.ndim > 1:
            raise BadInput(f'{function} gave {kind} {name} of shape {value.shape}, not {shape}')
        return value

    def energies(self):
        given = self.solver.energies()
        return [float(self._table(given, 'energies', 'energy', name, ())) for name in self.about.energies]

    def array(self, function, value, n):
        value = numbers(value, f'{function} gave an array')
        if value.size != n:
            raise BadInput(f'{function} gave {value.size} numbers, not {n}')
        return value

    def timings(self):
        rest = self.solver.timings() if len(self.about.phases) > 1 else {}
        return [self.seconds] + [float(self._table(rest, 'timings', 'phase', name, ()))
                                 for name in self.about.phases[1:]]


class Bridge:
    """The table of functions of one class."""

    def __init__(self, cls, path):
        self.about, self.path = Description(cls), path
        self.instances, self.next = {}, 1
        version, scene_version = _library.library().versions
        self.table = CSolver(version=version, scene_version=scene_version)
        kinds = dict(CSolver._fields_)
        for name in ('create', 'set_option', 'get_option', 'step', 'sync', 'save', 'restore', 'read', 'energies',
                     'work', 'timings', *(name for name in ('residual', 'reactions', 'device', 'convergence')
                                          if self.about.has[name])):
            setattr(self.table, name, kinds[name](self._told(getattr(self, '_' + name))))
        for name in ('describe', 'state_size', 'count', 'destroy', *(['cost'] if self.about.has['cost'] else [])):
            setattr(self.table, name, kinds[name](getattr(self, '_' + name)))

    def _told(self, function):
        """The function with its exceptions told to its last argument."""
        def call(*arguments):
            error = arguments[-1]
            try:
                function(*arguments[:-1])
            except BadInput as reason:
                # Only settings and scenes are bad input; whatever else a solver does wrong is its failure.
                status = BAD_INPUT if function.__name__ in ('_create', '_set_option', '_get_option') or \
                    getattr(reason, 'asked', False) else FAILED
                return write_error(error, status, where(reason, self.path))
            except Unavailable as reason:
                return write_error(error, UNAVAILABLE, where(reason, self.path))
            except BaseException as reason:  # SystemExit, too: a solver ends no program
                return write_error(error, FAILED, where(reason, self.path))
            return OK
        return call

    def _of(self, key):
        return self.instances[key]

    def _describe(self, solver):
        return ctypes.addressof(self.about.c)

    def _create(self, solver, scene, options, n, out):
        about = self.about
        _library.call('vb_solver_check_options', about.c, options, n)
        _library.call('vb_solver_check_scene', about.c, scene)
        values = {name: option.default for name, option in about.settings.items()}
        for i in range(n):
            name = options[i].name.decode()
            values[name] = about.settings[name].value(options[i].value.decode())
        self.instances[self.next] = Instance(about, SceneView(scene), values)
        out[0] = self.next
        self.next += 1

    def _option(self, name):
        option = self.about.settings.get(name.decode())
        if option is None:
            raise BadInput(f'there is no option "{name.decode()}"')
        return option

    def _set_option(self, key, name, value):
        option, pair = self._option(name), _library.COption(name, value)
        _library.call('vb_solver_check_options', self.about.c, pair, 1)
        if not option.at_any_time:
            raise BadInput(f'option {name.decode()} cannot be changed after creation')
        instance = self._of(key)
        instance._fields = None
        instance.solver.set_option(name.decode(), option.value(value.decode()))

    def _get_option(self, key, name, out, size):
        option = self._option(name)
        text = option.text(self._of(key).solver.get_option(name.decode())).encode()
        if len(text) >= size:
            raise BadInput(f'get_option gave a value of {len(text)} bytes')
        ctypes.memmove(out, text + b'\0', len(text) + 1)

    def _step(self, key, n):
        self._of(key).step(n)

    def _sync(self, key, out):
        divergence = self._of(key).divergence
        if divergence:
            out.contents.diverged, (out.contents.step, out.contents.what) = True, divergence

    def _state_size(self, key):
        return self._of(key).state.size

    def _save(self, key, out):
        instance = self._of(key)
        data = instance.state.save(instance.solver, instance.n_steps, instance.divergence)
        ctypes.memmove(out, data, len(data))

    def _restore(self, key, data):
        instance = self._of(key)
        instance._fields = None
        saved = ctypes.string_at(data, instance.state.size)
        instance.n_steps, instance.divergence = instance.state.restore(instance.solver, saved)
        instance.solver.restored()

    def _count(self, key, field):
        counts = self._of(key).counts
        return counts[field] if field < len(counts) else 0

    @staticmethod
    def _write(out, value):
        value = np.ascontiguousarray(value, dtype=float)
        ctypes.memmove(out, value.ctypes.data, value.nbytes)

    def _read(self, key, field, out):
        if field >= len(self.about.fields):
            reason = BadInput(f'there is no field number {field}')
            reason.asked = True
            raise reason
        self._write(out, self._of(key).field(field))

    def _energies(self, key, out):
        self._write(out, self._of(key).energies())

    def _work(self, key, out):
        instance = self._of(key)
        self._write(out, instance.array('work', instance.solver.work(), instance.n_work))

    def _residual(self, key, out):
        self._write(out, float(self._of(key).solver.residual()))

    def _reactions(self, key, force, torque):
        instance = self._of(key)
        n = 3 * len(instance.scene.drivers)
        forces, torques = instance.solver.reactions()
        forces = instance.array('reactions (forces)', forces, n)
        torques = instance.array('reactions (torques)', torques, n)
        self._write(force, forces)
        self._write(torque, torques)

    def _timings(self, key, out):
        self._write(out, self._of(key).timings())

    def _device(self, key, out):
        told = self._of(key).solver.device()
        out.contents.name, out.contents.uuid = told.get('name', '').encode(), told.get('uuid', '').encode()
        out.contents.seconds = told.get('seconds', math.nan)

    def _convergence(self, key, out):
        told = self._of(key).solver.convergence()
        for name in ('evaluated', 'missed', 'worst', 'tolerance'):
            setattr(out.contents, name, told.get(name, 0))
        out.contents.what = told.get('what', '').encode()[:127]

    def _cost(self, key, bytes_, operations):
        try:
            bytes_[0], operations[0] = self._of(key).solver.cost()
        except Exception as reason:  # there is nowhere to say why
            bytes_[0] = operations[0] = math.nan
            print(f'viperbench: {where(reason, self.path)}', file=sys.stderr)

    def _destroy(self, key):
        instance = self.instances.pop(key, None)
        try:
            if instance and self.about.has['close']:
                instance.solver.close()
        except Exception as reason:
            print(f'viperbench: {where(reason, self.path)}', file=sys.stderr)
