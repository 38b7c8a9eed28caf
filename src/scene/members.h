// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to schema.c: the members of every set, in the order of scene.h. A row is
/// M(T, KIND, name, components, .attribute = .., ..) with the attributes of vb_member; T stands for
/// the type of the element.
#ifndef VB_SCENE_MEMBERS_H
#define VB_SCENE_MEMBERS_H

#define AT(location) (1u << VB_AT_##location)

/// A dataset: its name, its numbers for each element, its long name, and its unit where that is not
/// the member's.
#define DATASET(title, count, text, ...)                                                           \
  { .name = (title), .components = (count), .long_name = (text), __VA_ARGS__ }
/// The only dataset that begins at a member.
#define IN(title, count, text) .datasets = {DATASET(title, count, text, .unit = NULL)}

/// Of a half-plane, as of all that touches: static and kinetic friction.
#define FRICTION(M, T, array, long_text)                                                           \
  M(T, REAL, static_friction, 1, .rule = VB_RULE_FRICTION,                                         \
    .text = "maximum tangential over normal force of a contact that sticks",                       \
    IN(array, 2, long_text))                                                                       \
  M(T, REAL, kinetic_friction, 1, .rule = VB_RULE_OWN,                                             \
    .text = "of a contact that slides; from 0 to static_friction")

#define RESERVED(M, T) M(T, RESERVED, reserved, 1, .text = "0")

#define MEMBERS_WORLD(M, T)                                                                        \
  M(T, REAL, gravity, 3, .unit = "m s-2", .text = "acceleration of gravity")                       \
  M(T, REAL, step, 1, .rule = VB_RULE_POSITIVE, .unit = "s", .text = "length of a time step")      \
  M(T, REAL, damping, 1, .rule = VB_RULE_NOT_NEGATIVE, .unit = "s-1",                              \
    .text = "rate at which velocities are damped; 0 for none")                                     \
  M(T, LONG, n_steps, 1, .rule = VB_RULE_NOT_NEGATIVE, .title = "number of steps",                 \
    .text = "steps to the end of the scene")

#define MEMBERS_BODY(M, T) M(T, NAME, name, VB_NAME_SIZE, IN("body_name", 1, "names of bodies"))

#define MEMBERS_NODE(M, T)                                                                         \
  M(T, REAL, rest_position, 3, .unit = "m", IN("rest_position", 3, "rest positions of nodes"))     \
  M(T, REAL, rest_radius, 1, .rule = VB_RULE_OWN, .unit = "m",                                     \
    IN("rest_radius", 1, "rest radii at nodes"))                                                   \
  M(T, REAL, position, 3, .unit = "m", .text = "at time 0")                                        \
  M(T, REAL, scale, 1, .text = "radius over rest radius at time 0, 0.05 or more; 1 where it is 0") \
  M(T, REAL, velocity, 3, .unit = "m s-1", .text = "at time 0")                                    \
  M(T, REAL, scale_rate, 1, .unit = "s-1", .text = "at time 0")                                    \
  M(T, INDEX, body, 1, .of = VB_SET_BODY, IN("body", 1, "body of each node"))                      \
  RESERVED(M, T)

#define MEMBERS_SEGMENT(M, T)                                                                      \
  M(T, INDEX, node, 2, .of = VB_SET_NODE, IN("segment", 2, "nodes of each segment"))               \
  M(T, REAL, rest_length, 1, .rule = VB_RULE_OWN, .unit = "m",                                     \
    IN("rest_length", 1, "rest lengths of segments"))                                              \
  M(T, REAL, rest_frame, 4, .rule = VB_RULE_UNIT,                                                  \
    IN("rest_frame", 4, "rest frames of segments, unit quaternions (w, x, y, z)"))                 \
  M(T, REAL, frame, 4, .rule = VB_RULE_UNIT, .text = "frame at time 0")                            \
  M(T, REAL, angular_velocity, 3, .unit = "rad s-1", .text = "at time 0, in world axes")           \
  M(T, REAL, density, 1, .rule = VB_RULE_POSITIVE, .unit = "kg m-3",                               \
    IN("density", 1, "densities of segments"))                                                     \
  M(T, REAL, frame_inertia, 3, .rule = VB_RULE_POSITIVE, .unit = "kg m2",                          \
    IN("frame_inertia", 3, "moments of inertia of frames about u, v, w at scale 1"))               \
  M(T, REAL, stiffness, 6, .rule = VB_RULE_NOT_NEGATIVE, .words = "kx ky kz kbx kby kv",           \
    .unit = "Pa", .text = "kx, ky, kz, kv [Pa], kbx, kby [Pa m2]",                                 \
    .datasets = {DATASET("stiffness", 3, "stiffnesses kx, ky, kz of segments", .unit = "Pa"),      \
                 DATASET("surface_stiffness", 2,                                                   \
                         "stiffnesses kbx, kby of the surface of segments", .unit = "Pa m2"),      \
                 DATASET("volume_stiffness", 1, "volume stiffness kv of segments", .unit = "Pa")}) \
  M(T, REAL, young, 1, .rule = VB_RULE_NOT_NEGATIVE, .unit = "Pa", .title = "Young's modulus",     \
    IN("segment_young", 1, "Young's moduli of segments; 0 where not given"))                       \
  M(T, REAL, shear, 1, .rule = VB_RULE_NOT_NEGATIVE, .unit = "Pa", .title = "shear modulus",       \
    IN("segment_shear", 1, "shear moduli of segments; 0 where not given"))                         \
  M(T, CHOICE, model, 1, .words = "published solid", .title = "material model",                    \
    IN("material_model", 1, "material models of segments: 0 published, 1 solid"))                  \
  RESERVED(M, T)

#define MEMBERS_JOINT(M, T)                                                                        \
  M(T, INDEX, segment, 2, .of = VB_SET_SEGMENT, IN("joint", 2, "segments of each joint"))          \
  M(T, INDEX, node, 1, .of = VB_SET_NODE, IN("joint_node", 1, "node of each joint"))               \
  RESERVED(M, T)

#define MEMBERS_PIN(M, T)                                                                          \
  M(T, LOCATION, location, 1, .locations = AT(NODE) | AT(SEGMENT), .text = "where it is",          \
    IN("pin", 4,                                                                                   \
       "pins: location (0 node, 1 segment), index, mask (1 x, 2 y, 4 z, 8 scale, 16 "              \
       "frame), driver"))                                                                          \
  M(T, PLACE, index, 1, .text = "of the node or segment, which has at most one pin")               \
  M(T, MASK, mask, 1, .words = "x y z scale frame", .text = "held components")                     \
  M(T, INDEX, driver, 1, .of = VB_SET_DRIVER, .text = "the driver that moves it")

#define MEMBERS_DRIVER(M, T)                                                                       \
  M(T, NAME, name, VB_NAME_SIZE, IN("driver_name", 1, "names of drivers"))                         \
  M(T, REAL, origin, 3, .unit = "m", IN("driver_origin", 3, "origins of drivers"))                 \
  M(T, REAL, axis, 3, .rule = VB_RULE_UNIT, .initial = {0, 0, 1},                                  \
    IN("driver_axis", 3, "unit vectors of the rotation axes of drivers"))                          \
  M(T, INDEX, translation, 3, .of = VB_SET_CURVE, .optional = 7,                                   \
    .text = "curves along x, y, z [m], or -1 for none",                                            \
    IN("driver_curve", 4,                                                                          \
       "curves of drivers: translations along x, y, z [m], angle [rad]; -1 for none"))             \
  M(T, INDEX, angle, 1, .of = VB_SET_CURVE, .optional = 1, .text = "curve [rad], or -1 for none")

#define MEMBERS_LOAD(M, T)                                                                         \
  M(T, NAME, name, VB_NAME_SIZE, IN("load_name", 1, "names of loads"))                             \
  M(T, LOCATION, location, 1, .locations = AT(NODE) | AT(SEGMENT) | AT(BONE) | AT(LINK),           \
    .text = "what it acts on",                                                                     \
    IN("load_element", 2,                                                                          \
       "what loads act on: location (0 node, 1 segment, 10 bone, 11 link), index"))                \
  M(T, PLACE, index, 1, .text = "of the node, segment, bone or link")                              \
  M(T, REAL, force, 3, .unit = "N", IN("load_force", 3, "forces of loads"))                        \
  M(T, REAL, scale_force, 1, .unit = "J",                                                          \
    IN("load_scale_force", 1, "forces of loads on a scale, per unit of scale"))                    \
  M(T, REAL, torque, 3, .unit = "N m", IN("load_torque", 3, "torques of loads"))                   \
  M(T, INDEX, amplitude, 1, .of = VB_SET_CURVE, .optional = 1,                                     \
    IN("load_amplitude", 1, "curves of factors on loads, or -1 for 1"))                            \
  RESERVED(M, T)

#define MEMBERS_CURVE(M, T)                                                                        \
  M(T, INDEX, first_key, 1, .of = VB_SET_KEY, .rule = VB_RULE_OWN, .text = "its first key",        \
    IN("curve", 2, "curves: first key, number of keys"))                                           \
  M(T, NUMBER, n_keys, 1, .rule = VB_RULE_OWN, .text = "number of its keys")

#define MEMBERS_KEY(M, T)                                                                          \
  M(T, REAL, time, 1, .unit = "s", IN("key_time", 1, "times of keys of curves"))                   \
  M(T, REAL, value, 1, IN("key_value", 1, "values of keys, in the unit of what uses the curve"))   \
  M(T, CHOICE, interpolation, 1, .words = "hold linear cubic",                                     \
    IN("key_interpolation", 1,                                                                     \
       "interpolation of a curve from a key to the next: 0 hold, 1 linear, 2 cubic"))              \
  RESERVED(M, T)

#define MEMBERS_TETRAHEDRON(M, T)                                                                  \
  M(T, INDEX, node, 4, .of = VB_SET_NODE, IN("tetrahedron", 4, "nodes of each tetrahedron"))       \
  M(T, REAL, young, 1, .rule = VB_RULE_OWN, .unit = "Pa",                                          \
    IN("young", 1, "Young's moduli of tetrahedra"))                                                \
  M(T, REAL, poisson, 1, .rule = VB_RULE_OWN, IN("poisson", 1, "Poisson's ratios of tetrahedra"))  \
  M(T, REAL, density, 1, .rule = VB_RULE_OWN, .unit = "kg m-3",                                    \
    IN("tetrahedron_density", 1, "densities of tetrahedra"))

#define MEMBERS_BUNDLE(M, T)                                                                       \
  M(T, NUMBER, bundle, 1, .rule = VB_RULE_OWN, .text = "its number, from 0 without gaps",          \
    IN("bundle", 2, "pairs of a bundle and its segment"))                                          \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .rule = VB_RULE_OWN, .text = "a segment of it")

#define MEMBERS_SURFACE_VERTEX(M, T)                                                               \
  M(T, REAL, rest_position, 3, .unit = "m",                                                        \
    IN("rest_vertex", 3, "rest positions of the surface's vertices"))                              \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .optional = 1, .rule = VB_RULE_OWN,                \
    IN("vertex_segment", 1, "segment that carries a vertex, or -1"))                               \
  RESERVED(M, T)

#define MEMBERS_TRIANGLE(M, T)                                                                     \
  M(T, INDEX, vertex, 3, .of = VB_SET_SURFACE_VERTEX, .rule = VB_RULE_OWN,                         \
    IN("triangle", 3, "vertices of each triangle"))                                                \
  RESERVED(M, T)

#define MEMBERS_HALF_PLANE(M, T)                                                                   \
  M(T, REAL, normal, 3, .rule = VB_RULE_OWN, .initial = {0, 0, 1},                                 \
    IN("half_plane_normal", 3, "unit normals of half-planes, towards the bodies"))                 \
  M(T, REAL, offset, 1, .unit = "m",                                                               \
    IN("half_plane_offset", 1, "offsets of half-planes from the origin, along their normals"))     \
  FRICTION(M, T, "half_plane_friction", "static and kinetic friction of half-planes")

#define MEMBERS_CONTACT(M, T)                                                                      \
  M(T, REAL, margin, 1, .rule = VB_RULE_OWN, .unit = "m",                                          \
    .text = "gap up to which pairs are contact candidates",                                        \
    IN("contact_margin", 1, "margin of contact"))                                                  \
  FRICTION(M, T, "contact_friction", "static and kinetic friction between pills")                  \
  M(T, FLAG, self, 1, .rule = VB_RULE_OWN,                                                         \
    IN("contact_self", 1, "1: pills of one body also touch each other"))                           \
  RESERVED(M, T)

#define MEMBERS_FILTER(M, T)                                                                       \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .key = true, .text = "the segment it is of",       \
    IN("filter", 3,                                                                                \
       "segments with filters, and as bits the groups they are in and those they "                 \
       "touch"))                                                                                   \
  M(T, MASK, groups, 1, .initial = {1}, .text = "bit g: the segment is in group g")                \
  M(T, MASK, meets, 1, .initial = {UINT32_MAX},                                                    \
    .text = "bit g: the segment touches those of group g")                                         \
  RESERVED(M, T)

#define MEMBERS_REST_CURVATURE(M, T)                                                               \
  M(T, INDEX, joint, 1, .of = VB_SET_JOINT, .key = true,                                           \
    IN("rest_curvature_joint", 1, "joints whose rest shape is not the drawn one"))                 \
  RESERVED(M, T)                                                                                   \
  M(T, REAL, darboux, 3, .unit = "m-1", .title = "Darboux vector",                                 \
    IN("rest_curvature", 3,                                                                        \
       "their rest curvature and twist, in the frame midway between their segments"))

#define MEMBERS_BENDING(M, T)                                                                      \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .key = true,                                       \
    IN("bending_segment", 1, "segments that bend differently about u and about v"))                \
  RESERVED(M, T)                                                                                   \
  M(T, REAL, factor, 2, .rule = VB_RULE_NOT_NEGATIVE, .initial = {1, 1},                           \
    IN("bending_factor", 2, "factors on their bending stiffness about u and about v"))

#define MEMBERS_FRAME_PIN(M, T)                                                                    \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .key = true, .text = "the segment it holds",       \
    IN("frame_pin", 3, "pins of components of a frame: segment, mask (1 u, 2 v, 4 w), driver"))    \
  M(T, MASK, mask, 1, .rule = VB_RULE_OWN, .words = "u v w", .text = "one or two components")      \
  M(T, INDEX, driver, 1, .of = VB_SET_DRIVER, .text = "the driver that moves it")                  \
  RESERVED(M, T)

#define MEMBERS_FOLLOWER_LOAD(M, T)                                                                \
  M(T, INDEX, load, 1, .of = VB_SET_LOAD, .key = true, .text = "on a node or segment",             \
    IN("follower_load", 2, "pairs of a load and the segment that it turns with"))                  \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .text = "the segment that it turns with")

#define MEMBERS_ACTIVATION(M, T)                                                                   \
  M(T, NAME, name, VB_NAME_SIZE, IN("activation_name", 1, "names of activations"))                 \
  M(T, LOCATION, location, 1, .locations = AT(SEGMENT) | AT(TETRAHEDRON), .key = true,             \
    .text = "what contracts",                                                                      \
    IN("activation_element", 2, "what is activated: location (1 segment, 6 tetrahedron), index"))  \
  M(T, PLACE, index, 1, .key = true, .text = "of the segment or tetrahedron")                      \
  M(T, CHOICE, active, 1, .words = "strain fiber force hill", .title = "",                         \
    IN("activation_kind", 1, "what activations do: 0 strain, 1 fiber, 2 force, 3 hill"))           \
  M(T, INDEX, curve, 1, .of = VB_SET_CURVE,                                                        \
    IN("activation_curve", 1,                                                                      \
       "curves of activations: length over rest length, force [N], or excitation"))                \
  M(T, REAL, direction, 3, .rule = VB_RULE_OWN,                                                    \
    IN("activation_direction", 3,                                                                  \
       "unit vectors at rest along which tetrahedra contract; 0 of segments"))

#define MEMBERS_PARENT(M, T)                                                                       \
  M(T, INDEX, driver, 1, .of = VB_SET_DRIVER, .key = true,                                         \
    .text = "the driver that moves relative to its parent",                                        \
    IN("driver_parent", 2, "pairs of a driver and its parent"))                                    \
  M(T, INDEX, parent, 1, .of = VB_SET_DRIVER, .text = "its parent")

#define MEMBERS_FOLLOW(M, T)                                                                       \
  M(T, INDEX, node, 1, .of = VB_SET_NODE, .key = true, .text = "the node, which is not pinned",    \
    IN("follow", 3,                                                                                \
       "nodes that follow drivers as a step begins, and two drivers, the second "                  \
       "perhaps -1"))                                                                              \
  M(T, INDEX, driver, 2, .of = VB_SET_DRIVER, .optional = 2,                                       \
    .text = "the drivers it follows; the second may be -1 with the weight 0")                      \
  RESERVED(M, T)                                                                                   \
  M(T, REAL, weight, 2, .rule = VB_RULE_NOT_NEGATIVE, .initial = {1},                              \
    IN("follow_weight", 2, "weights of these drivers"))

#define MEMBERS_BONE(M, T)                                                                         \
  M(T, NAME, name, VB_NAME_SIZE, IN("bone_name", 1, "names of bones"))                             \
  M(T, REAL, mass, 1, .rule = VB_RULE_POSITIVE, .unit = "kg",                                      \
    IN("bone_mass", 1, "masses of bones"))                                                         \
  M(T, REAL, center, 3, .unit = "m", IN("bone_center", 3, "centers of mass of bones at rest"))     \
  M(T, REAL, inertia, 6, .unit = "kg m2",                                                          \
    IN("bone_inertia", 6,                                                                          \
       "inertia of bones about their centers at rest, world axes: xx, yy, zz, yz, xz, "            \
       "xy"))                                                                                      \
  M(T, REAL, position, 3, .unit = "m", IN("bone_position", 3, "centers of bones at time 0"))       \
  M(T, REAL, frame, 4, .rule = VB_RULE_UNIT,                                                       \
    IN("bone_frame", 4, "rotations of bones from rest to time 0, unit quaternions (w, x, y, z)"))  \
  M(T, REAL, velocity, 3, .unit = "m s-1",                                                         \
    IN("bone_velocity", 3, "velocities of their centers at time 0"))                               \
  M(T, REAL, angular_velocity, 3, .unit = "rad s-1",                                               \
    IN("bone_angular_velocity", 3, "angular velocities of bones at time 0, world axes"))

#define MEMBERS_TIE(M, T)                                                                          \
  M(T, LOCATION, location, 1, .locations = AT(NODE) | AT(SEGMENT), .key = true,                    \
    .text = "what is carried",                                                                     \
    IN("tie", 3, "what bones carry: location (0 node, 1 segment), index, bone"))                   \
  M(T, PLACE, index, 1, .key = true, .text = "of the node or segment, which has no pin")           \
  M(T, INDEX, bone, 1, .of = VB_SET_BONE, .text = "the bone that carries it")                      \
  RESERVED(M, T)

#define MEMBERS_LINK(M, T)                                                                         \
  M(T, NAME, name, VB_NAME_SIZE, IN("link_name", 1, "names of links"))                             \
  M(T, CHOICE, type, 1, .words = "ball hinge universal",                                           \
    IN("link_type", 1, "0 ball, 1 hinge, 2 universal"))                                            \
  M(T, INDEX, bone, 2, .of = VB_SET_BONE, .optional = 2,                                           \
    .text = "two bones; the second is -1 for a driver's or the world's",                           \
    IN("link_side", 3,                                                                             \
       "two bones of links, the second perhaps -1, and then the driver, or -1 for the "            \
       "world"))                                                                                   \
  M(T, INDEX, driver, 1, .of = VB_SET_DRIVER, .optional = 1,                                       \
    .text = "in place of the second bone, or -1")                                                  \
  M(T, REAL, at, 3, .unit = "m", .title = "point", IN("link_point", 3, "points of links at rest")) \
  M(T, REAL, axis, 6, .rows = 2, .rule = VB_RULE_OWN,                                              \
    IN("link_axis", 6, "unit vectors of links at rest: two of three components"))                  \
  M(T, REAL, limit, 2, .rule = VB_RULE_OWN, .unit = "rad",                                         \
    IN("link_limit", 2, "minimum and maximum angle of hinges"))

#define MEMBERS_FRICTION(M, T)                                                                     \
  M(T, INDEX, body, 1, .of = VB_SET_BODY, .key = true,                                             \
    IN("friction_body", 1, "bodies with a friction of their own"))                                 \
  RESERVED(M, T)                                                                                   \
  FRICTION(M, T, "friction", "static and kinetic friction of these bodies")

#define MEMBERS_PLANE_DRIVER(M, T)                                                                 \
  M(T, INDEX, half_plane, 1, .of = VB_SET_HALF_PLANE, .key = true, .text = "the half-plane",       \
    IN("half_plane_driver", 2, "pairs of a half-plane and the driver that moves it"))              \
  M(T, INDEX, driver, 1, .of = VB_SET_DRIVER, .text = "the driver that moves it")

#define MEMBERS_COLLIDER(M, T)                                                                     \
  M(T, NAME, name, VB_NAME_SIZE, IN("collider_name", 1, "names of colliders"))                     \
  M(T, CHOICE, shape, 1, .rule = VB_RULE_OWN, .words = "sphere cylinder capsule",                  \
    .text = "about a point, or about the line through two",                                        \
    IN("collider", 3,                                                                              \
       "colliders: shape (0 sphere, 1 cylinder, 2 capsule), 1 where bodies stay "                  \
       "inside, driver or -1"))                                                                    \
  M(T, FLAG, inside, 1, .rule = VB_RULE_OWN, .text = "1: a cylinder within which bodies stay")     \
  M(T, INDEX, driver, 1, .of = VB_SET_DRIVER, .optional = 1,                                       \
    .text = "the driver that moves it, or -1")                                                     \
  RESERVED(M, T)                                                                                   \
  M(T, REAL, point, 6, .rows = 2, .unit = "m",                                                     \
    IN("collider_point", 6, "points of colliders at time 0: two of three components"))             \
  M(T, REAL, radius, 1, .rule = VB_RULE_POSITIVE, .unit = "m",                                     \
    IN("collider_radius", 1, "radii of colliders"))                                                \
  FRICTION(M, T, "collider_friction", "static and kinetic friction of colliders")

#define MEMBERS_FRICTION_PAIR(M, T)                                                                \
  M(T, INDEX, body, 2, .of = VB_SET_BODY, .key = true,                                             \
    IN("friction_pair", 2, "pairs of bodies with a friction of their own"))                        \
  FRICTION(M, T, "friction_pair_friction", "static and kinetic friction between these bodies")

#define MEMBERS_LOOK(M, T)                                                                         \
  M(T, LOCATION, location, 1, .locations = AT(NODE) | AT(VERTEX) | AT(COLLIDER), .key = true,      \
    .text = "a node, for its body; a vertex, for its connected part of the surface; a collider",   \
    IN("look", 3,                                                                                  \
       "looks: location (0 node, 3 vertex, 9 collider), index, material (0 default, 1 solid, "     \
       "2 bone, 3 muscle, 4 skin, 5 rope, 6 glass)"))                                              \
  M(T, PLACE, index, 1, .key = true, .text = "of the node, vertex or collider")                    \
  M(T, CHOICE, material, 1, .words = "default solid bone muscle skin rope glass",                  \
    .text = "what it looks like it is made of")                                                    \
  RESERVED(M, T)                                                                                   \
  M(T, REAL, color, 3, .rule = VB_RULE_OWN, .initial = {-1, -1, -1},                               \
    IN("look_color", 3, "colors of looks: red, green, blue (sRGB) from 0 to 1; -1 for none"))

#define MEMBERS_ATTACHMENT(M, T)                                                                   \
  M(T, INDEX, segment, 1, .of = VB_SET_SEGMENT, .key = true,                                       \
    .text = "the segment that is clamped",                                                         \
    IN("attachment", 5,                                                                            \
       "ends of segments that are clamped in triangles: segment, node, nodes of the triangle"))    \
  M(T, INDEX, node, 1, .of = VB_SET_NODE, .key = true, .text = "its end that is in the triangle")  \
  M(T, INDEX, corner, 3, .of = VB_SET_NODE,                                                        \
    .text = "nodes of the triangle; at rest the end is in its plane")                              \
  RESERVED(M, T)

#define MEMBERS_HILL(M, T)                                                                         \
  M(T, LOCATION, location, 1, .locations = AT(SEGMENT) | AT(TETRAHEDRON), .key = true,             \
    .text = "what has an activation of the kind hill",                                             \
    IN("hill_element", 2, "what follows Hill's law: location (1 segment, 6 tetrahedron), index"))  \
  M(T, PLACE, index, 1, .key = true, .text = "of the segment or tetrahedron")                      \
  M(T, REAL, stress, 1, .rule = VB_RULE_POSITIVE, .unit = "Pa",                                    \
    .text = "of the excitation 1 at the optimum, held",                                            \
    IN("hill", 8,                                                                                  \
       "Hill's law: stress [Pa], velocity [1/s], curvature, eccentric, optimum, width, passive, "  \
       "damping [Pa s]"))                                                                          \
  M(T, REAL, velocity, 1, .rule = VB_RULE_POSITIVE, .unit = "s-1",                                 \
    .text = "rate of the stretch at which it shortens without load")                               \
  M(T, REAL, curvature, 1, .rule = VB_RULE_POSITIVE, .text = "Hill's a over that stress")          \
  M(T, REAL, eccentric, 1, .rule = VB_RULE_OWN,                                                    \
    .text = "stress of fast lengthening over that held, greater than 1")                           \
  M(T, REAL, optimum, 1, .rule = VB_RULE_POSITIVE, .text = "stretch of the greatest stress")       \
  M(T, REAL, width, 1, .rule = VB_RULE_POSITIVE,                                                   \
    .text = "from the optimum to the stretches without active stress")                             \
  M(T, REAL, passive, 1, .rule = VB_RULE_NOT_NEGATIVE,                                             \
    .text = "beyond the optimum, where the passive stress is `stress`; 0 for none")                \
  M(T, REAL, damping, 1, .rule = VB_RULE_NOT_NEGATIVE, .unit = "Pa s",                             \
    .text = "stress over the rate of the stretch")

#define MEMBERS_PIN_END(M, T)                                                                      \
  M(T, LOCATION, location, 1, .locations = AT(NODE) | AT(SEGMENT), .key = true,                    \
    .text = "where it is",                                                                         \
    IN("pin_end", 3,                                                                               \
       "ends of pins: location (0 node, 1 segment), index, mask (1 x, 2 y, 4 z, 8 scale, 16 "      \
       "frame)"))                                                                                  \
  M(T, PLACE, index, 1, .key = true, .text = "of the node or segment")                             \
  M(T, MASK, mask, 1, .words = "x y z scale frame", .text = "components that are no longer held")  \
  RESERVED(M, T)                                                                                   \
  M(T, REAL, time, 1, .rule = VB_RULE_POSITIVE, .unit = "s",                                       \
    IN("pin_end_time", 1, "times at which pins end"))

#endif
