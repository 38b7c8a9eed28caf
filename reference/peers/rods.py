# SPDX-License-Identifier: GPL-3.0-or-later
"""What the adapters share: their packages, loads of a scene, and its rods (viperbench.chains)."""
import importlib
from collections import namedtuple
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from viperbench import Unavailable
from viperbench.chains import (bending, chains, density, held, hinged, matrices, modulus, quaternions, shearing,  # noqa: F401
                               twisting)

# A load of the scene: its number among the works of a solver, the segment that it acts on, and where on it, from 0 at
# its first node to 1 at its second.
Load = namedtuple('Load', 'number segment part force torque amplitude')


def package(name):
    """Imports the package of an adapter."""
    try:
        return importlib.import_module(name)
    except ImportError as reason:
        raise Unavailable(f'the package {name} is not here: {reason}; make peers installs it') from reason


def installed(name):
    """The version of a package, which is not imported."""
    try:
        return version(name)
    except PackageNotFoundError as reason:
        raise Unavailable(f'the package {name} is not here; make peers installs it') from reason


def require(name, wanted, found):
    """Refuses other versions of a package than that which an adapter was written for."""
    if found != wanted:
        raise Unavailable(f'this adapter is for {name} {wanted}, not {found}')


def loads(scene):
    """The loads of the scene as Loads of segments."""
    found = []
    for number, load in enumerate(scene.loads, len(scene.drivers)):
        if load['location'] > 1 or load['scale_force']:
            raise Unavailable('only loads of nodes and segments are supported, and none of scales')
        segment, part = int(load['index']), 0.5
        if load['location'] == 0:
            after = np.flatnonzero(scene.segments['node'][:, 0] == load['index'])
            before = np.flatnonzero(scene.segments['node'][:, 1] == load['index'])
            segment, part = (int(after[0]), 0.0) if len(after) else (int(before[0]), 1.0)
        found.append(Load(number, segment, part, load['force'], load['torque'], load['amplitude']))
    return found
