// SPDX-License-Identifier: GPL-3.0-or-later
/// The table of fields (solver/fields.h): the description has one half of it, fields.c the other,
/// with the functions that it names.
#ifndef VIPER_FIELDS_H
#define VIPER_FIELDS_H

#include "solver/fields.h"
#include "viper/skin/skin.h"

#define VIPER_FIELDS(X)                                                                            \
  X("position", VB_AT_NODE, 3, "m", "center of each node", .fill = read_position)                  \
  X("scale", VB_AT_NODE, 1, "1", "radius over rest radius", .fill = read_scale)                    \
  X("frame", VB_AT_SEGMENT, 4, "1", "frame of each segment as a unit quaternion (w, x, y, z)",     \
    .fill = read_frame)                                                                            \
  X("velocity", VB_AT_NODE, 3, "m s-1", "velocity of each center", .fill = read_velocity)          \
  X("scale_rate", VB_AT_NODE, 1, "s-1", "rate of each scale", .fill = read_scale_rate)             \
  X("angular_velocity", VB_AT_SEGMENT, 3, "rad s-1", "angular velocity of each frame, world axes", \
    .fill = read_angular_velocity)                                                                 \
  X("momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum", .fill = read_momentum)              \
  X("mass", VB_AT_NODE, 1, "kg", "lumped mass of each node", .fill = read_mass)                    \
  X("vertices", VB_AT_VERTEX, 3, "m", "vertices of the surface that segments carry",               \
    .read = read_vertices)                                                                         \
  X("skin_segment", VB_AT_VERTEX, VIPER_SKIN_MOST, "1",                                            \
    "segments that each vertex of the surface follows, or -1", .fill = read_skin_segments,         \
    .count = count_weighted)                                                                       \
  X("skin_weight", VB_AT_VERTEX, VIPER_SKIN_MOST, "1", "weights of these segments",                \
    .fill = read_skin_weights, .count = count_weighted)                                            \
  X("enclosed_volume", VB_AT_SCENE, 1, "m3", "volume that this surface encloses",                  \
    .read = read_volume, .count = count_enclosed)                                                  \
  X(VB_NEWTON_STEP, VB_AT_SCENE, 1, "m",                                                           \
    "largest displacement of a node in one Newton step with the full Hessian",                     \
    .read = read_newton_step)                                                                      \
  X("contacts", VB_AT_SCENE, 1, "1", "contacts that push, of pills and on half-planes",            \
    .read = read_contacts, .count = count_in_contact)                                              \
  X("penetration", VB_AT_SCENE, 1, "m", "how deep a pill is in another or in a half-plane",        \
    .read = read_penetration, .count = count_in_contact)                                           \
  X("excluded_penetration", VB_AT_SCENE, 1, "m",                                                   \
    "how much deeper than at rest a pill is in another that it may not touch: of the same body, "  \
    "by a filter, or because they overlap at rest",                                                \
    .read = read_excluded, .count = count_in_contact_of_pills)                                     \
  X("complementarity", VB_AT_SCENE, 1, "m",                                                        \
    "greatest error of a contact that should be closed or without push",                           \
    .read = read_complementarity, .count = count_in_contact)                                       \
  X("contact_speed", VB_AT_SCENE, 1, "1",                                                          \
    "predicted motion of two pills in a substep over the sum of their radii; above 1 contacts "    \
    "may be found late",                                                                           \
    .read = read_contact_speed, .count = count_in_contact)                                         \
  X("contact_truncated", VB_AT_SCENE, 1, "1",                                                      \
    "nodes whose motion was truncated in the latest step, for a pill would have passed through "   \
    "another",                                                                                     \
    .read = read_contact_truncated, .count = count_in_contact)                                     \
  X("contact_work", VB_AT_SCENE, 2, "J",                                                           \
    "work of contacts and half-planes in the latest substep, over how their two surfaces moved "   \
    "against each other: of pushes, of friction",                                                  \
    .read = read_contact_work, .count = count_in_contact)                                          \
  X("contact_force", VB_AT_BODY, 3, "N",                                                           \
    "sum of the forces that contacts and half-planes exert on each body, in the latest substep",   \
    .read = read_contact_force, .count = count_in_contact)                                         \
  X("half_plane_force", VB_AT_HALF_PLANE, 3, "N",                                                  \
    "force that the bodies exert on each half-plane, in the latest substep",                       \
    .read = read_half_plane_force, .count = count_in_contact)

#endif
