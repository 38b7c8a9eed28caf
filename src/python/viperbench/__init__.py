# SPDX-License-Identifier: GPL-3.0-or-later
"""viperbench from Python: solvers, results, scenes and runs. README.md beside this package tells how."""
from ._library import BadInput, Damaged, Denied, Error, Unavailable
from .solver import Diverged, Energy, Field, Option, Solver

# Found when they are used: figures need matplotlib, a solver does not.
_LATER = {'load': 'results', 'plot': 'plotting', 'Scene': 'scene', 'load_scene': 'scene', 'run': 'runs', 'study': 'runs',
          'export': 'exporting'}
__all__ = ['BadInput', 'Damaged', 'Denied', 'Diverged', 'Energy', 'Error', 'Field', 'Option', 'Solver', 'Unavailable',
           *_LATER]


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from importlib import import_module
    return getattr(import_module('.' + _LATER[name], __name__), name)
