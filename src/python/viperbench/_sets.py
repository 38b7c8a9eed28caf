# SPDX-License-Identifier: GPL-3.0-or-later
"""The sets of a scene as numpy has them: scene/scene.h, struct by struct, in the order of its tags."""
import numpy as np

_F8, _I4, _U4, _I8 = 'f8', 'i4', 'u4', 'i8'
_NAME = ('name', 'S48')


def _struct(*members):
    return np.dtype([member if len(member) > 1 else (member[0], _F8) for member in members], align=True)


def _reserved():
    return ('reserved', _I4)


# By name: the plural, and the type of an element. A set's tag is its place here, from 1.
SETS = {
    'world': ('worlds', _struct(('gravity', _F8, 3), ('step',), ('damping',), ('n_steps', _I8))),
    'body': ('bodies', _struct(_NAME)),
    'node': ('nodes', _struct(('rest_position', _F8, 3), ('rest_radius',), ('position', _F8, 3), ('scale',),
                              ('velocity', _F8, 3), ('scale_rate',), ('body', _I4), _reserved())),
    'segment': ('segments', _struct(('node', _I4, 2), ('rest_length',), ('rest_frame', _F8, 4), ('frame', _F8, 4),
                                    ('angular_velocity', _F8, 3), ('density',), ('stiffness', _F8, 6))),
    'joint': ('joints', _struct(('segment', _I4, 2), ('node', _I4), _reserved())),
    'pin': ('pins', _struct(('location', _I4), ('index', _I4), ('mask', _U4), ('driver', _I4))),
    'driver': ('drivers', _struct(_NAME, ('origin', _F8, 3), ('axis', _F8, 3), ('translation', _I4, 3),
                                  ('angle', _I4))),
    'load': ('loads', _struct(_NAME, ('location', _I4), ('index', _I4), ('force', _F8, 3), ('scale_force',),
                              ('torque', _F8, 3), ('amplitude', _I4), _reserved())),
    'curve': ('curves', _struct(('first_key', _I4), ('n_keys', _I4))),
    'key': ('keys', _struct(('time',), ('value',), ('interpolation', _I4), _reserved())),
    'tetrahedron': ('tetrahedra', _struct(('node', _I4, 4), ('young',), ('poisson',), ('density',))),
    'bundle': ('bundled', _struct(('bundle', _I4), ('segment', _I4))),
    'surface vertex': ('surface_vertices', _struct(('rest_position', _F8, 3), ('segment', _I4), _reserved())),
    'triangle': ('triangles', _struct(('vertex', _I4, 3), _reserved())),
    'half-plane': ('half_planes', _struct(('normal', _F8, 3), ('offset',), ('static_friction',),
                                          ('kinetic_friction',))),
    'contact': ('contacts', _struct(('margin',), ('static_friction',), ('kinetic_friction',), ('self', _I4),
                                    _reserved())),
    'filter': ('filters', _struct(('segment', _I4), ('groups', _U4), ('meets', _U4), _reserved())),
    'rest curvature': ('rest_curvatures', _struct(('joint', _I4), _reserved(), ('darboux', _F8, 3))),
    'bending': ('bendings', _struct(('segment', _I4), _reserved(), ('factor', _F8, 2))),
    'frame pin': ('frame_pins', _struct(('segment', _I4), ('mask', _U4), ('driver', _I4), _reserved())),
    'follower load': ('follower_loads', _struct(('load', _I4), ('segment', _I4))),
    'activation': ('activations', _struct(_NAME, ('location', _I4), ('index', _I4), ('active', _I4),
                                          ('curve', _I4), ('direction', _F8, 3))),
    'parent': ('parents', _struct(('driver', _I4), ('parent', _I4))),
    'follow': ('follows', _struct(('node', _I4), ('driver', _I4, 2), _reserved(), ('weight', _F8, 2))),
    'bone': ('bones', _struct(_NAME, ('mass',), ('center', _F8, 3), ('inertia', _F8, 6), ('position', _F8, 3),
                              ('frame', _F8, 4), ('velocity', _F8, 3), ('angular_velocity', _F8, 3))),
    'tie': ('ties', _struct(('location', _I4), ('index', _I4), ('bone', _I4), _reserved())),
    'link': ('links', _struct(_NAME, ('type', _I4), ('bone', _I4, 2), ('driver', _I4), ('at', _F8, 3),
                              ('axis', _F8, (2, 3)), ('limit', _F8, 2))),
    'friction': ('frictions', _struct(('body', _I4), _reserved(), ('static_friction',), ('kinetic_friction',))),
    'plane driver': ('plane_drivers', _struct(('half_plane', _I4), ('driver', _I4))),
    'collider': ('colliders', _struct(_NAME, ('shape', _I4), ('inside', _I4), ('driver', _I4), _reserved(),
                                      ('point', _F8, (2, 3)), ('radius',), ('static_friction',),
                                      ('kinetic_friction',))),
}
TAGS = {name: tag for tag, name in enumerate(SETS, 1)}

# vb_location, and the set whose elements a field there has one value for each of.
LOCATIONS = {'node': 0, 'segment': 1, 'joint': 2, 'vertex': 3, 'scene': 4, 'own': 5, 'tetrahedron': 6, 'body': 7,
             'half-plane': 8, 'collider': 9, 'bone': 10, 'link': 11}


def set_of(location):
    return 'surface vertex' if location == 'vertex' else location
