# SPDX-License-Identifier: GPL-3.0-or-later
"""What a class of solvers says of itself, as vb_solver_description."""
import ctypes
import platform

import numpy as np

from ._library import BadInput, CDescription, CEnergy, CField, COptionInfo
from ._sets import LOCATIONS, sets, tag
from .solver import ENERGIES, FEATURES, FIELDS


def _table(given, known, what):
    """A dict from names to descriptions, of one or of names that are known."""
    kind = type(next(iter(known.values())))
    if isinstance(given, dict):
        wrong = [name for name, about in given.items()
                 if not isinstance(about, tuple) or len(about) != len(kind._fields)]
        if wrong:
            raise BadInput(f'{what} {wrong[0]!r} is {given[wrong[0]]!r}; it must be a viperbench.{kind.__name__}')
        return dict(given)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise BadInput(f'{what} {unknown[0]!r} has no known meaning; give a dict that says what it is, or one of '
                       f'{", ".join(known)}')
    return {name: known[name] for name in given}


def _array(struct, items):
    return (struct * max(1, len(items)))(*items)


class Description:
    """The attributes of a class, checked for their names, and the structure that the host reads."""

    def __init__(self, cls):
        told = cls.describe()
        get = lambda name: told.get(name, getattr(cls, name))
        self.cls = cls
        self.name = get('name') or cls.__name__.lower()
        self.fields = _table(get('fields'), FIELDS, 'field')
        self.energies = _table(get('terms'), ENERGIES, 'energy')
        self.settings = dict(get('settings'))
        self.phases = ('step', *get('phases'))
        for name, field in self.fields.items():
            if field[0] not in LOCATIONS:
                raise BadInput(f'field {name} is at {field[0]!r}, not at one of {", ".join(LOCATIONS)}')
        for name in get('sets'):
            if name not in sets():
                raise BadInput(f'a scene has no set {name!r}; it has {", ".join(sets())}')
        for name in get('features'):
            if name not in FEATURES:
                raise BadInput(f'a scene has no feature {name!r}; there are {", ".join(FEATURES)}')
        self.features = sum(FEATURES[name] for name in get('features'))
        self.sets = sum(1 << tag(name) for name in get('sets'))
        self.long_name = get('long_name') or (cls.__doc__ or self.name).strip().splitlines()[0]
        self.has = {name: hasattr(cls, name) for name in ('residual', 'reactions', 'cost', 'device', 'convergence', 'close')}
        self._texts = []
        self.c = self._structure()

    def _text(self, text):
        data = None if text is None else str(text).encode()
        self._texts.append(data)
        return data

    def _structure(self):
        text = self._text
        versions = f'{self.long_name} (Python {platform.python_version()}, numpy {np.__version__})'
        fields = [CField(text(name), LOCATIONS[where], n, text(unit), text(about))
                  for name, (where, n, unit, about) in self.fields.items()]
        energies = [CEnergy(text(name), text(about), potential) for name, (about, potential) in self.energies.items()]
        options = [COptionInfo(text(name), text(o.text(o.default)), text(o.choices and '|'.join(o.choices)), o.minimum,
                               o.maximum, o.integer, o.at_any_time, text(o.long_name))
                   for name, o in self.settings.items()]
        phases = [text(name) for name in self.phases]
        return CDescription(
            text(self.name), text(versions), self.sets, self.features, _array(CField, fields), len(fields),
            _array(CEnergy, energies), len(energies), _array(COptionInfo, options), len(options),
            _array(ctypes.c_char_p, phases), len(phases), self.has['residual'], self.has['reactions'])
