# SPDX-License-Identifier: GPL-3.0-or-later
"""The sets of a scene as numpy has them, by the schema that the library hands out."""
import functools
from collections import namedtuple

import numpy as np

from ._library import BadInput, library

# The plural, the tag, the type of an element, one element with the members that are not given, and the words of choices
# and masks by member.
Set = namedtuple('Set', 'plural tag dtype initial words kinds')

_TYPES = {'real': 'f8', 'long': 'i8', 'mask': 'u4'}  # the others are int32_t


def _type(kind, n, rows):
    if kind == 'name':
        return f'S{n}', ()
    return _TYPES.get(kind, 'i4'), (rows, n // rows) if rows else (n,) if n > 1 else ()


def _set(tag, plural, size, members):
    types = [_type(m[1], int(m[3]), int(m[4])) for m in members]
    dtype = np.dtype({'names': [m[0] for m in members], 'formats': types, 'offsets': [int(m[2]) for m in members],
                      'itemsize': size})
    initial = np.zeros(1, dtype)
    for m, (_, shape) in zip(members, types):
        if m[1] != 'name':
            initial[m[0]] = np.array([float(v) for v in m[5].split()]).reshape(shape)
    return Set(plural, tag, dtype, initial, {m[0]: m[6].split() for m in members}, {m[0]: m[1] for m in members})


@functools.lru_cache(maxsize=None)
def sets():
    """All sets by name, in the order of their tags."""
    found = {}
    for tag, block in enumerate(('\n' + library().vb_python_schema().decode()).split('\nset\t')[1:], 1):
        (name, plural, size), *members = [line.split('\t') for line in block.splitlines()]
        found[name] = _set(tag, plural, int(size), members)
    return found


def tag(name):
    return sets()[name].tag


# vb_location, and the set whose elements a field there has one value for each of.
LOCATIONS = {'node': 0, 'segment': 1, 'joint': 2, 'vertex': 3, 'scene': 4, 'own': 5, 'tetrahedron': 6, 'body': 7,
             'half-plane': 8, 'collider': 9, 'bone': 10, 'link': 11}


def set_of(location):
    return 'surface vertex' if location == 'vertex' else location


def coded(set, member, value):
    """Numbers for words: of a choice or a location its place, of a mask the bits of its words; numbers stay."""
    kind, words = sets()[set].kinds[member], sets()[set].words[member]
    if kind not in ('choice', 'mask', 'location'):
        return value
    if isinstance(value, (list, tuple)):
        return [coded(set, member, one) for one in value]
    if not isinstance(value, str):
        return value
    known = list(LOCATIONS) if kind == 'location' else words
    codes = [known.index(word) if word in known else None for word in value.split(' ')]
    if None in codes or (kind != 'mask' and len(codes) > 1):
        raise BadInput(f'{set}: {member} {value!r} is none of {", ".join(known)}')
    return sum(1 << code for code in codes) if kind == 'mask' else codes[0]
