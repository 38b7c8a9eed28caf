# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes, made of numpy arrays. The builder, its defaults and its checks are the program's own: equal elements make an
equal scene, to the last bit, wherever they come from."""
import ctypes
import math
from collections import namedtuple

import numpy as np

from ._library import BadInput, call, library
from ._sets import LOCATIONS, coded, sets, tag
from .view import SceneView


# What `rod` returns: numbers of its nodes and segments.
Rod = namedtuple('Rod', 'nodes segments')
Mesh = namedtuple('Mesh', 'nodes tetrahedra')


def _mask(letters, known, what):
    unknown = [letter for letter in letters if letter not in known]
    if unknown:
        raise BadInput(f'{what} has {unknown[0]!r}; it takes the letters {", ".join(known)}')
    return sum(1 << known.index(letter) for letter in set(letters))


def _unit(vector, what):
    """As the program makes unit vectors, to the last bit."""
    x, y, z = (float(c) for c in vector)
    length = math.sqrt(x * x + y * y + z * z)
    if not length > 0:
        raise BadInput(f'{what} is zero; it must have a direction')
    return [x / length, y / length, z / length]


def _friction(friction, static, kinetic):
    static = friction if static is None else static
    return static, static if kinetic is None else kinetic


class FrozenScene(SceneView):
    """A scene that was checked and is not changed any more; its sets are read-only arrays."""

    def __init__(self, data):
        self.bytes = bytes(data)
        # Aligned for all that a scene holds, which bytes need not be.
        self._memory = np.frombuffer(self.bytes, 'u8').copy()
        call('vb_scene_check', self._memory.ctypes.data, len(self.bytes))
        super().__init__(self._memory.ctypes.data, self._memory)

    def save(self, path):
        """Writes the scene as scripts read it: vb.read_scene{ file = NAME }."""
        with open(path, 'wb') as file:
            file.write(self.bytes)


def load_scene(path):
    with open(path, 'rb') as file:
        return FrozenScene(file.read())


class Scene:
    """A scene being built. All units are SI; indexes count from 0. Numbers stand for all elements, arrays have a row
    for each. What is wrong with it is told by `freeze`, and by name."""

    def __init__(self, step, duration=None, steps=None, gravity=(0, 0, 0), damping=0.0):
        if (duration is None) == (steps is None):
            raise BadInput('a scene needs either duration or steps')
        handle = ctypes.c_void_p()
        call('vb_builder_create', ctypes.byref(handle))
        self._builder, self._pins, self._fixed = handle, {}, None
        if steps is None:  # up to whole steps, but not for the rounding of duration / step
            steps = math.ceil(duration / step * (1 - 1e-9))
        world = sets()['world'].initial.copy()
        world['step'], world['n_steps'], world['gravity'], world['damping'] = step, steps, gravity, damping
        ctypes.memmove(library().vb_builder_world(handle), world.ctypes.data, world.nbytes)

    def __del__(self):
        if getattr(self, '_builder', None):
            library().vb_builder_destroy(self._builder)

    def count(self, name):
        """Elements of a set so far."""
        n = ctypes.c_size_t()
        library().vb_builder_elements(self._builder, tag(name), ctypes.byref(n))
        return n.value

    def add(self, set, /, n=None, **members):
        """Adds elements of any set ('node', 'half-plane', ..) by the members that scene/scene.h describes; returns
        their indexes. `n` is needed only where all members are single values and there are several elements."""
        if set not in sets() or set in ('world', 'body'):
            raise BadInput(f'there is no set {set!r} to add to; there are {", ".join(sets())}')
        dtype = sets()[set].dtype
        unknown = [name for name in members if name not in dtype.names]
        if unknown:
            raise BadInput(f'{set} has no member {unknown[0]!r}; it has {", ".join(dtype.names)}')
        members = {name: coded(set, name, value) for name, value in members.items()}
        if n is None:
            n = max((len(value) for name, value in members.items()
                     if np.ndim(value) > len(dtype[name].shape)), default=1)
        table = np.repeat(sets()[set].initial, n)
        for name, value in members.items():
            table[name] = value.encode() if isinstance(value, str) else value
        if set == 'node' and 'position' not in members:
            table['position'] = table['rest_position']
        first = ctypes.c_int32(self.count(set))
        call('vb_python_add', self._builder, tag(set), table.ctypes.data, n, ctypes.byref(first))
        return np.arange(first.value, first.value + n)

    @staticmethod
    def _material(material, radius):
        """What a material gives segments of some radii [m], as members of theirs."""
        names = sets()['segment'].words['stiffness']
        unknown = [name for name in material if name not in ('E', 'nu', 'model', *names)]
        if unknown or not material:
            raise BadInput(f'material has {unknown or "nothing"}; it takes E and nu, or {", ".join(names)}')
        out = {'stiffness': np.zeros((len(radius), 6)), 'model': material.get('model', 'published')}
        if 'E' in material or 'nu' in material:
            E, nu = material['E'], material['nu']
            out.update(young=E, shear=library().vb_shear_of_material(E, nu))
            for row, r in zip(out['stiffness'], radius):
                library().vb_stiffness_of_material(E, nu, r, row.ctypes.data)
        for i, name in enumerate(names):
            if name in material:
                out['stiffness'][:, i] = material[name]
        return out

    def rod(self, points=None, start=None, to=None, nodes=None, radius=None, material=None, density=None, name=None,
            frame=None, twist=None, turn=None, bending=None, rest_curvature=None, loop=None, friction=None, **at_start):
        """Adds a chain through `points` (n x 3), or of `nodes` nodes on the line from `start` to `to`. `radius` is of
        nodes; `material` is a dict of E and nu, or of stiffnesses, and perhaps of a model, 'published' or 'solid';
        `frame_inertia` [kg m^2] are moments of inertia of segments about u, v, w, in place of a disc's; `frame` (n - 1 x 4) are rest frames, or `twist`
        [rad] turns those of parallel transport about the rod; `turn` (n - 1 x 3) are rotation vectors from rest to
        time 0. `position`, `scale`, `velocity`, `scale_rate` are of nodes at time 0, `angular_velocity` of segments.
        Returns a Rod."""
        if points is None:
            t = (np.arange(nodes) / (nodes - 1))[:, None]
            points = (1 - t) * np.asarray(start, float) + t * np.asarray(to, float)
        points = np.ascontiguousarray(points, dtype=float)
        n = len(points)
        radius = np.broadcast_to(np.asarray(radius, float), n)
        own = {name: at_start.pop(name) for name in ('angular_velocity', 'frame_inertia') if name in at_start}
        at = self.add('node', n, rest_position=points, rest_radius=radius, **at_start)
        frames = self._frames(points, frame, twist, turn)
        segments = self.add('segment', n - 1, node=np.stack((at[:-1], at[1:]), axis=1), density=density,
                            **self._material(material, (radius[:-1] + radius[1:]) / 2), **frames, **own)
        if bending is not None:
            self.add('bending', n - 1, segment=segments, factor=bending)
        if rest_curvature is not None:
            for i, row in enumerate(np.broadcast_to(np.asarray(rest_curvature, float), (n - 2, 3))):
                self.rest_curvature(segments[i:i + 2], at[i + 1], row)
        if friction is not None:
            self.friction(at[0], friction)
        if loop == 'spread':
            call('vb_builder_spread_loop', self._builder, int(at[0]))
        if name:
            self.name(at[0], name)
        return Rod(at, segments)

    @staticmethod
    def _frames(points, frame, twist, turn):
        n = len(points)
        if frame is None and twist is None and turn is None:
            return {}  # the builder finds them
        rest = np.array(np.broadcast_to(np.asarray(frame if frame is not None else 0, float), (n - 1, 4)), order='C')
        if frame is None:
            twist = np.ascontiguousarray(np.broadcast_to(np.asarray(twist or 0.0 if np.ndim(twist) == 0 else twist,
                                                                    float), n - 1))
            call('vb_python_frames', n, points.ctypes.data, twist.ctypes.data, rest.ctypes.data)
        if turn is None:
            return {'rest_frame': rest}
        start = np.zeros_like(rest)
        turn = np.ascontiguousarray(np.broadcast_to(np.asarray(turn, float), (n - 1, 3)))
        library().vb_python_turn(n - 1, turn.ctypes.data, rest.ctypes.data, start.ctypes.data)
        return {'rest_frame': rest, 'frame': start}

    def mesh(self, vertices, tetrahedra, young, poisson, density, name=None, **at_start):
        """Adds a solid; returns a Mesh of its nodes and tetrahedra."""
        at = self.add('node', rest_position=vertices, scale=0.0, **at_start)
        elements = self.add('tetrahedron', node=at[np.asarray(tetrahedra)], young=young, poisson=poisson,
                            density=density)
        if name:
            self.name(at[0], name)
        return Mesh(at, elements)

    def name(self, node, name):
        """Names the body that holds a node."""
        call('vb_builder_name', self._builder, int(node), name.encode())

    def joint(self, segments, node, rest_curvature=None):
        """Lists a joint by hand: at its node there are then the listed ones only."""
        self.hinge(node)
        self.add('joint', segment=[segments], node=node)
        if rest_curvature is not None:
            self.rest_curvature(segments, node, rest_curvature)

    def hinge(self, node):
        """No joints at a node, but those that are listed."""
        call('vb_builder_own_joints', self._builder, int(node))

    def rest_curvature(self, segments, node, darboux):
        pair, darboux = np.asarray(segments, 'i4'), np.asarray(darboux, float)
        call('vb_builder_rest_curvature', self._builder, pair.ctypes.data, int(node), darboux.ctypes.data)

    def friction(self, node, friction=0.0, static_friction=None, kinetic_friction=None):
        """Friction of the body that holds a node."""
        call('vb_builder_friction', self._builder, int(node), *_friction(friction, static_friction, kinetic_friction))

    def friction_pair(self, nodes, friction=0.0, static_friction=None, kinetic_friction=None):
        """Friction between the two bodies that hold two nodes, in place of theirs."""
        pair = np.asarray(nodes, 'i4')
        call('vb_builder_friction_pair', self._builder, pair.ctypes.data,
             *_friction(friction, static_friction, kinetic_friction))

    def look(self, node=None, vertex=None, collider=None, material='default', color=None):
        """What the body of a node, the part of the surface that a vertex is of, or a collider looks like in pictures: a
        material ('solid', 'bone', 'muscle', 'skin', 'rope', 'glass') and red, green and blue from 0 to 1."""
        given = [(k, i) for k, i in (('node', node), ('vertex', vertex), ('collider', collider)) if i is not None]
        if len(given) != 1:
            raise BadInput('look: needs exactly one of node, vertex and collider')
        location, index = given[0]
        self.add('look', location=location, index=int(index), material=material,
                 color=[(-1.0, -1.0, -1.0) if color is None else color])

    def curve(self, keys):
        """A function of time: a number, or keys (time, value) or (time, value, 'hold' | 'linear' | 'cubic')."""
        if keys is None:
            return -1
        keys = [(0.0, keys)] if isinstance(keys, (int, float, np.number)) else list(keys)
        rows = [(*key, 'linear') if len(key) == 2 else tuple(key) for key in keys]
        first = self.add('key', len(rows), time=[row[0] for row in rows], value=[row[1] for row in rows],
                         interpolation=[row[2] for row in rows])
        return int(self.add('curve', first_key=first[0], n_keys=len(rows))[0])

    def driver(self, name=None, origin=(0, 0, 0), axis=(0, 0, 1), x=None, y=None, z=None, angle=None, parent=None):
        """A rigid motion by curves of time, of a translation [m] and an angle [rad]; returns its index."""
        axis = _unit(axis, 'axis')
        curves = [self.curve(keys) for keys in (x, y, z)]
        index = int(self.add('driver', name=name or f'driver{self.count("driver")}', origin=[origin], axis=[axis],
                             translation=[curves], angle=self.curve(angle))[0])
        if parent is not None:
            self.add('parent', driver=index, parent=parent)
        return index

    def pin(self, nodes=(), segments=(), components='xyz', frame='uvw', driver=None, ends=None):
        """Holds components of nodes ('x', 'y', 'z', 's' for the scale) and frames of segments, all of them or
        components of 'u', 'v', 'w', moved by a driver; without one they stay. What a call holds ends at the time
        `ends` [s]."""
        if driver is None:
            if self._fixed is None:
                self._fixed = int(self.add('driver', name='fixed')[0])
            driver = self._fixed
        nodes, segments = np.atleast_1d(np.asarray(nodes, int)), np.atleast_1d(np.asarray(segments, int))
        held = _mask(components, 'xyzs', 'components')
        self._hold('node', nodes, held, driver)
        if ends is not None and len(nodes):
            self.add('pin end', location='node', index=nodes, mask=held, time=ends)
        if ends is not None and len(segments):
            self.add('pin end', location='segment', index=segments, mask=16, time=ends)
        mask = _mask(frame, 'uvw', 'frame')
        if mask == 7:
            self._hold('segment', segments, 16, driver)
        elif len(segments):
            self.add('frame pin', segment=segments, mask=mask, driver=driver)

    def _hold(self, location, indexes, mask, driver):
        """New pins, and more of what is pinned already by the same driver."""
        new = [i for i in dict.fromkeys(indexes.tolist()) if (location, i) not in self._pins]
        known = [i for i in indexes.tolist() if (location, i) in self._pins]
        if known:
            n = ctypes.c_size_t()
            data = library().vb_builder_elements(self._builder, tag('pin'), ctypes.byref(n))
            dtype = sets()['pin'].dtype
            pins = np.frombuffer((ctypes.c_char * (n.value * dtype.itemsize)).from_address(data), dtype)
            for i in known:
                pin = pins[self._pins[location, i]:][:1]
                if pin['driver'][0] != driver:
                    raise BadInput(f'{location} {i} is pinned to another driver already; one driver moves all of it')
                pin['mask'] |= np.uint32(mask)
        if new:
            rows = self.add('pin', len(new), location=LOCATIONS[location], index=new, mask=mask, driver=driver)
            self._pins.update(zip(((location, i) for i in new), rows.tolist()))

    def load(self, node=None, segment=None, bone=None, link=None, force=(0, 0, 0), scale_force=0.0, torque=(0, 0, 0),
             amplitude=None, name=None, turns_with=None):
        """A load on a node, a segment, a bone or a link; returns its index."""
        places = [(where, index) for where, index in
                  (('node', node), ('segment', segment), ('bone', bone), ('link', link)) if index is not None]
        if len(places) != 1:
            raise BadInput('a load needs one of node, segment, bone and link')
        name = name or f'load{self.count("load")}'
        torque = (torque, 0, 0) if np.ndim(torque) == 0 else torque
        index = int(self.add('load', name=name, location=LOCATIONS[places[0][0]], index=places[0][1], force=[force],
                             scale_force=scale_force, torque=[torque], amplitude=self.curve(amplitude))[0])
        if turns_with is not None:
            self.add('follower load', load=index, segment=turns_with)
        return index

    def half_plane(self, normal=(0, 0, 1), offset=0.0, driver=None, friction=0.0, static_friction=None,
                   kinetic_friction=None):
        """Keeps all bodies where normal . x >= offset; returns its index."""
        static, kinetic = _friction(friction, static_friction, kinetic_friction)
        index = int(self.add('half-plane', normal=[_unit(normal, 'normal')], offset=offset, static_friction=static,
                             kinetic_friction=kinetic)[0])
        if driver is not None:
            self.add('plane driver', half_plane=index, driver=driver)
        return index

    def contact(self, margin, friction=0.0, static_friction=None, kinetic_friction=None, self_contact=False):
        """Lets pills touch each other; `margin` [m] is the gap up to which pairs are candidates."""
        static, kinetic = _friction(friction, static_friction, kinetic_friction)
        self.add('contact', margin=margin, static_friction=static, kinetic_friction=kinetic, **{'self': self_contact})

    def bundle(self, segments):
        """Makes segments one cross-section; returns the bundle's number."""
        number = self._bundles = getattr(self, '_bundles', -1) + 1
        self.add('bundle', bundle=number, segment=list(segments))
        return number

    def activation(self, amount, segments=None, tetrahedra=None, kind='strain', direction=(0, 0, 0), name=None,
                   law=None):
        """Lets segments, or tetrahedra along a direction, contract by a curve; with kind='hill' by Hill's law, of which
        `law` has at least stress [Pa] and velocity [1/s]."""
        where, indexes = ('segment', segments) if tetrahedra is None else ('tetrahedron', tetrahedra)
        self.add('activation', name=name or f'activation{self.count("activation")}', location=LOCATIONS[where],
                 index=list(indexes), active=kind, curve=self.curve(amount), direction=direction)
        if law:
            usual = dict(curvature=0.25, eccentric=1.4, optimum=1.0, width=0.5, passive=0.6, damping=0.0)
            self.add('hill', location=LOCATIONS[where], index=list(indexes), **{**usual, **law})

    def collider(self, shape, points, radius, inside=False, driver=-1, friction=0.0, name=None):
        """A rigid 'sphere', 'cylinder' or 'capsule' that bodies stay out of; returns its index."""
        both = np.zeros((1, 2, 3))
        both[0, :len(np.atleast_2d(points))] = points
        return int(self.add('collider', name=name or f'collider{self.count("collider")}', shape=shape,
                            inside=inside, driver=driver, point=both, radius=radius, static_friction=friction,
                            kinetic_friction=friction)[0])

    def bone(self, name=None, nodes=(), segments=(), **members):
        """A rigid body that moves freely and carries nodes and segments; returns its index."""
        index = int(self.add('bone', name=name or f'bone{self.count("bone")}',
                             **{key: [value] if np.ndim(value) else value for key, value in members.items()})[0])
        for where, list_ in (('node', nodes), ('segment', segments)):
            if len(list_):
                self.add('tie', location=LOCATIONS[where], index=list(list_), bone=index)
        return index

    def link(self, kind, bones, at, axes=((0, 0, 0), (0, 0, 0)), limit=(0, 0), driver=-1, name=None):
        """A joint of two bones, or of one with a driver or the world; returns its index."""
        bones = [*np.atleast_1d(bones), -1][:2]
        return int(self.add('link', name=name or f'link{self.count("link")}', type=kind, bone=[bones],
                            driver=driver, at=[at], axis=[axes], limit=[limit])[0])

    def surface(self, vertices, triangles, segments=-1):
        """A surface that segments carry; returns the number of its first vertex."""
        first = self.add('surface vertex', rest_position=vertices, segment=segments)
        self.add('triangle', vertex=np.asarray(triangles) + first[0])
        return int(first[0])

    def freeze(self):
        """Completes and checks the scene: a FrozenScene. BadInput says in one sentence what is wrong, and where."""
        blob = ctypes.c_void_p()
        call('vb_builder_freeze', self._builder, ctypes.byref(blob))
        try:
            return FrozenScene(ctypes.string_at(blob.value, library().vb_scene_bytes(blob)))
        finally:
            library().vb_python_free(blob)
