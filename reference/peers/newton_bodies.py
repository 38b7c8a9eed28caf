# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of one segment as free rigid capsules of Newton, in contact with each other and with planes: what newton_cables.py
makes of a scene with contact.

Mapping. A capsule has the segment's length and radius, and its mass and moments (bodies.py), its z axis along the segment.
Contacts are those of the package's example_cable_pile.py: kept from step to step ("sticky"), undamped, and of the stiffness
`ke`, here so stiff that the weight of all bodies presses one in by 1e-4 of its radius. Friction is Coulomb's by one
coefficient; the package's friction against rolling and torsion is 0."""
import numpy as np

import bodies
import rods

# The moment of a body that must not spin about its axis, over its own: its solver takes moments, not their inverses.
HEAVY = 1e6


class Piece(bodies.Body):
    """A body, and how it is held and moves at time 0."""

    def __init__(self, scene, j):
        segment = scene.segments[j]
        super().__init__(scene, segment)
        self.hold, self.frame = bodies.holding(scene, j), segment['frame']
        self.about = self.moments[[1, 2, 0]]  # about the axes of the frame, whose w is along
        self.velocity = scene.nodes['velocity'][segment['node']].mean(axis=0)
        self.spin = segment['angular_velocity']


def pieces(scene):
    bodies.still(scene)
    return [Piece(scene, j) for j in range(len(scene.segments))]


def shape(newton, scene, all_pieces):
    """What all shapes have: no mass, friction, and the stiffness of contacts."""
    weight = sum(piece.mass for piece in all_pieces if piece.hold != 'whole') * np.linalg.norm(scene.gravity)
    stiff = 1e4 * weight / min(piece.radius for piece in all_pieces)
    return newton.ModelBuilder.ShapeConfig(density=0.0, ke=stiff, kd=0.0, mu=bodies.friction(scene), mu_torsional=0.0, mu_rolling=0.0)


def add(newton, wp, builder, scene, all_pieces):
    """Adds the capsules and planes to a builder."""
    builder.rigid_gap = 0.0
    like = shape(newton, scene, all_pieces)
    for piece in all_pieces:
        turn = wp.quat(*(float(q) for q in piece.frame[[1, 2, 3, 0]]))
        place, free = wp.transform(wp.vec3(*map(float, piece.center)), turn), piece.hold != 'whole'
        body = builder.add_body(xform=place)
        # The shape of a body that is held belongs to the world.
        builder.add_shape_capsule(body if free else -1, xform=wp.transform() if free else place, radius=float(piece.radius),
                                  half_height=float(piece.length / 2), cfg=like)
        about = piece.about * [1, 1, 1 if piece.hold == 'free' else HEAVY]
        builder.body_mass[body], builder.body_inv_mass[body] = (float(piece.mass), 1 / float(piece.mass)) if free else (0.0, 0.0)
        builder.body_inertia[body] = wp.mat33(np.diag(about * free))
        builder.body_inv_inertia[body] = wp.mat33(np.diag(free / about))
    for plane in scene.half_planes:
        u, v = bodies.plane_axes(plane)
        turn = rods.quaternions(np.stack((u, v, plane['normal']), axis=1)[None])[0]
        builder.add_shape_plane(xform=wp.transform(wp.vec3(*map(float, plane['normal'] * plane['offset'])),
                                                   wp.quat(*(float(q) for q in turn[[1, 2, 3, 0]]))),
                                width=0.0, length=0.0, body=-1, cfg=like)
