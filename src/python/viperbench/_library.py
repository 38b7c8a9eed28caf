# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library of viperbench: the structures of its headers in ctypes, and its functions."""
import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, \
    c_size_t, c_uint32, c_uint64, c_void_p

OK, FAILED, BAD_INPUT, UNAVAILABLE = 0, 1, 2, 3


class Error(Exception):
    """A failure, in one sentence; `status` is the exit code that the program has for it."""
    status = FAILED


class BadInput(Error, ValueError):
    """What was given is wrong: an option, an element of a scene."""
    status = BAD_INPUT


class Damaged(BadInput):
    """A results file cannot be read, or does not hold what it says."""


class Denied(BadInput):
    """A results file may not be read: by the system (rights, a lock, a pipe or device in its place), or because it refers to
    another file or to a plug-in."""


class Unavailable(Error):
    """What was asked for is not to be had here: a set of a scene, a package, a device."""
    status = UNAVAILABLE


class CError(Structure):
    _fields_ = [('status', c_int), ('message', c_char * 1024)]

    def raise_it(self):
        kind = {BAD_INPUT: BadInput, UNAVAILABLE: Unavailable}.get(self.status, Error)
        raise kind(self.message.decode('utf-8', 'replace'))


class CField(Structure):
    _fields_ = [('name', c_char_p), ('location', c_int), ('components', c_int), ('unit', c_char_p),
                ('long_name', c_char_p)]


class CEnergy(Structure):
    _fields_ = [('name', c_char_p), ('long_name', c_char_p), ('potential', c_bool)]


class COptionInfo(Structure):
    _fields_ = [('name', c_char_p), ('default_value', c_char_p), ('choices', c_char_p), ('minimum', c_double),
                ('maximum', c_double), ('integer', c_bool), ('at_any_time', c_bool), ('long_name', c_char_p)]


class COption(Structure):
    _fields_ = [('name', c_char_p), ('value', c_char_p)]


class CDescription(Structure):
    _fields_ = [('name', c_char_p), ('long_name', c_char_p), ('sets', c_uint64), ('features', c_uint64),
                ('fields', POINTER(CField)),
                ('n_fields', c_size_t), ('energies', POINTER(CEnergy)), ('n_energies', c_size_t),
                ('options', POINTER(COptionInfo)), ('n_options', c_size_t), ('phases', POINTER(c_char_p)),
                ('n_phases', c_size_t), ('has_residual', c_bool), ('has_reactions', c_bool)]


class CDataset(Structure):
    """vb_python_dataset."""
    _fields_ = [('letter', c_char), ('size', c_int32), ('rank', c_int32), ('extent', c_uint64 * 3), ('rows', c_uint64),
                ('units', c_char * 64), ('long_name', c_char * 256)]


class CDivergence(Structure):
    _fields_ = [('diverged', c_bool), ('step', c_int64), ('what', c_char * 128)]


class CDevice(Structure):
    _fields_ = [('name', c_char * 96), ('uuid', c_char * 48), ('seconds', c_double)]


class CConvergence(Structure):
    _fields_ = [('evaluated', c_int64), ('missed', c_int64), ('worst', c_double), ('tolerance', c_double),
                ('what', c_char * 128)]


_error = POINTER(CError)
_numbers = c_void_p


class CSolver(Structure):
    """vb_solver, function by function."""
    _fields_ = [
        ('version', c_uint32), ('scene_version', c_uint32),
        ('describe', CFUNCTYPE(c_void_p, c_void_p)),
        ('create', CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(COption), c_size_t, POINTER(c_void_p), _error)),
        ('set_option', CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, _error)),
        ('get_option', CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p, c_size_t, _error)),
        ('step', CFUNCTYPE(c_int, c_void_p, c_int64, _error)),
        ('sync', CFUNCTYPE(c_int, c_void_p, POINTER(CDivergence), _error)),
        ('state_size', CFUNCTYPE(c_size_t, c_void_p)),
        ('save', CFUNCTYPE(c_int, c_void_p, c_void_p, _error)),
        ('restore', CFUNCTYPE(c_int, c_void_p, c_void_p, _error)),
        ('count', CFUNCTYPE(c_size_t, c_void_p, c_size_t)),
        ('read', CFUNCTYPE(c_int, c_void_p, c_size_t, _numbers, _error)),
        ('energies', CFUNCTYPE(c_int, c_void_p, _numbers, _error)),
        ('work', CFUNCTYPE(c_int, c_void_p, _numbers, _error)),
        ('residual', CFUNCTYPE(c_int, c_void_p, _numbers, _error)),
        ('reactions', CFUNCTYPE(c_int, c_void_p, _numbers, _numbers, _error)),
        ('timings', CFUNCTYPE(c_int, c_void_p, _numbers, _error)),
        ('destroy', CFUNCTYPE(None, c_void_p)),
        ('cost', CFUNCTYPE(None, c_void_p, POINTER(c_double), POINTER(c_double))),
        ('device', CFUNCTYPE(c_int, c_void_p, POINTER(CDevice), _error)),
        ('warning', CFUNCTYPE(c_char_p, c_void_p)),
        ('convergence', CFUNCTYPE(c_int, c_void_p, POINTER(CConvergence), _error)),
    ]


FIND = CFUNCTYPE(c_int, POINTER(c_void_p), _error)

_FUNCTIONS = {
    'vb_python_serve': (c_int, [c_char_p, FIND, _error]),
    'vb_python_schema': (c_char_p, []),
    'vb_python_sizes': (None, [POINTER(c_size_t)]),
    'vb_python_add': (c_int, [c_void_p, c_int, c_void_p, c_size_t, POINTER(c_int32), _error]),
    'vb_python_frames': (c_int, [c_size_t, c_void_p, c_void_p, c_void_p, _error]),
    'vb_python_turn': (None, [c_size_t, c_void_p, c_void_p, c_void_p]),
    'vb_python_free': (None, [c_void_p]),
    'vb_python_open': (c_int, [c_char_p, POINTER(c_int64), POINTER(c_bool), POINTER(c_int), _error]),
    'vb_python_open_run': (c_int, [c_char_p, c_int64, c_char_p, POINTER(c_int64), POINTER(c_int), _error]),
    'vb_python_close': (None, [c_int64]),
    'vb_python_list': (c_int, [c_char_p, c_int64, c_char_p, c_bool, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_int),
                               _error]),
    'vb_python_drop': (None, [c_void_p]),
    'vb_python_describe': (c_int, [c_char_p, c_int64, c_char_p, POINTER(CDataset), POINTER(c_bool), POINTER(c_int), _error]),
    'vb_python_numbers': (c_int, [c_char_p, c_int64, c_char_p, c_void_p, c_void_p, c_bool, POINTER(c_void_p),
                                  POINTER(c_size_t), POINTER(c_int), _error]),
    'vb_python_texts': (c_int, [c_char_p, c_int64, c_char_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_int), _error]),
    'vb_python_attribute': (c_bool, [c_char_p, c_int64, c_char_p, c_char_p, c_char_p, c_size_t]),
    'vb_python_integer': (c_int64, [c_char_p, c_int64, c_char_p, c_char_p, c_int64]),
    'vb_shear_of_material': (c_double, [c_double, c_double]),
    'vb_stiffness_of_material': (None, [c_double, c_double, c_double, c_void_p]),
    'vb_element_size': (c_size_t, [c_int]),
    'vb_tag_name': (c_char_p, [c_int]),
    'vb_scene_set': (c_void_p, [c_void_p, c_int, POINTER(c_size_t)]),
    'vb_scene_bytes': (c_size_t, [c_void_p]),
    'vb_scene_dofs': (c_int64, [c_void_p]),
    'vb_scene_sha256': (None, [c_void_p, c_char_p]),
    'vb_scene_check': (c_int, [c_void_p, c_size_t, _error]),
    'vb_scene_curve': (c_double, [c_void_p, c_int32, c_double, c_double]),
    'vb_driver_motion': (None, [c_void_p, c_int32, c_double, c_void_p, c_void_p]),
    'vb_driver_moves': (c_bool, [c_void_p, c_int32]),
    'vb_solver_check_options': (c_int, [POINTER(CDescription), POINTER(COption), c_size_t, _error]),
    'vb_solver_check_scene': (c_int, [POINTER(CDescription), c_void_p, _error]),
    'vb_builder_create': (c_int, [POINTER(c_void_p), _error]),
    'vb_builder_destroy': (None, [c_void_p]),
    'vb_builder_world': (c_void_p, [c_void_p]),
    'vb_builder_elements': (c_void_p, [c_void_p, c_int, POINTER(c_size_t)]),
    'vb_builder_name': (c_int, [c_void_p, c_int32, c_char_p, _error]),
    'vb_builder_own_joints': (c_int, [c_void_p, c_int32, _error]),
    'vb_builder_rest_curvature': (c_int, [c_void_p, c_void_p, c_int32, c_void_p, _error]),
    'vb_builder_spread_loop': (c_int, [c_void_p, c_int32, _error]),
    'vb_builder_friction': (c_int, [c_void_p, c_int32, c_double, c_double, _error]),
    'vb_builder_friction_pair': (c_int, [c_void_p, c_void_p, c_double, c_double, _error]),
    'vb_builder_freeze': (c_int, [c_void_p, POINTER(c_void_p), _error]),
}

PACKAGE = os.path.dirname(os.path.abspath(__file__))
_library = None


def _candidates(folder):
    name = 'libviperbench.so'
    folders = [PACKAGE] + ([os.path.join(folder, '..', 'lib'), folder] if folder else [])
    # In a wheel; beside the sources: this build's, and that of a portable folder.
    folders += [os.path.join(PACKAGE, 'home', 'lib')]
    folders += [os.path.join(PACKAGE, '..', '..', '..', place) for place in ('bin', 'lib')]
    return [os.path.normpath(os.path.join(place, name)) for place in folders]


def library(folder=None):
    """The library, loaded once; `folder` is that of the program, where it is known."""
    global _library
    if _library is None:
        path = next((path for path in _candidates(folder) if os.path.exists(path)), None)
        if path is None:
            raise Unavailable(f'libviperbench.so is not beside the package viperbench in {PACKAGE}; "make" builds it, '
                              '"make install" installs it')
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
        _check_sizes(loaded, path)
        _library = loaded
    return _library


def _check_sizes(loaded, path):
    """A library and a package of two versions are told apart before they do harm."""
    structs = (CSolver, CDescription, CField, CEnergy, COptionInfo, COption, CDivergence, CDevice, CConvergence,
               CError, CDataset)
    sizes = (c_size_t * 13)()
    loaded.vb_python_sizes(sizes)
    if list(sizes[:11]) != [ctypes.sizeof(struct) for struct in structs]:
        raise Unavailable(f'{path} is of another version than the package viperbench in {PACKAGE}')
    loaded.versions = sizes[11], sizes[12]


def call(name, *arguments):
    """Calls a function that takes an error last, and raises what it says."""
    error = CError()
    if getattr(library(), name)(*arguments, byref(error)):
        error.raise_it()
