// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene: the bodies, boundary conditions and settings of a simulation, as plain data.
///
/// A scene is one relocatable, pointer-free blob: a header, a table of tagged sets, and the arrays
/// of their elements. It is what is hashed, stored, handed to solvers and mapped into other
/// processes. SI units throughout. Indexes are zero-based and are the rows of the arrays in a
/// results file. Made by scene/builder.h; read by every solver; never changed once made.
#ifndef VB_SCENE_SCENE_H
#define VB_SCENE_SCENE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VB_SCENE_VERSION 3

/// Longest name of a body, driver or load, its terminating zero included.
#define VB_NAME_SIZE 48

/// Every set: its tag, its name in messages, the type of its elements, what they are called
/// together, and what they are. A new set needs a row here, its struct, and its members in
/// src/scene/members.h; all else follows from these.
#define VB_SCENE_SETS(X)                                                                           \
  X(WORLD, "world", vb_world, worlds, "global properties of the scene; exactly one")               \
  X(BODY, "body", vb_body, bodies, "connected components of the elastic graph")                    \
  X(NODE, "node", vb_node, nodes, "points of center lines, and vertices of tetrahedra")            \
  X(SEGMENT, "segment", vb_segment, segments, "parts of rods between two nodes")                   \
  X(JOINT, "joint", vb_joint, joints, "pairs of segments that bend and twist")                     \
  X(PIN, "pin", vb_pin, pins, "components of nodes and segments that are held")                    \
  X(DRIVER, "driver", vb_driver, drivers, "rigid motions that pins follow")                        \
  X(LOAD, "load", vb_load, loads, "external forces and torques")                                   \
  X(CURVE, "curve", vb_curve, curves, "functions of time")                                         \
  X(KEY, "key", vb_key, keys, "points that curves go through")                                     \
  X(TETRAHEDRON, "tetrahedron", vb_tetrahedron, tetrahedra, "solid elements")                      \
  X(BUNDLE, "bundle", vb_bundled, bundled, "segments that share a similarity transform")           \
  X(SURFACE_VERTEX, "surface vertex", vb_surface_vertex, surface_vertices,                         \
    "vertices of a surface that segments carry")                                                   \
  X(TRIANGLE, "triangle", vb_triangle, triangles, "triangles of that surface")                     \
  X(HALF_PLANE, "half-plane", vb_half_plane, half_planes, "half-spaces that bodies stay out of")   \
  X(CONTACT, "contact", vb_contact, contacts, "contact between capsules; at most one")             \
  X(FILTER, "filter", vb_filter, filters, "which other segments a segment may touch")              \
  X(REST_CURVATURE, "rest curvature", vb_rest_curvature, rest_curvatures,                          \
    "joints with a rest shape other than as drawn")                                                \
  X(BENDING, "bending", vb_bending, bendings,                                                      \
    "segments that bend differently about u and about v")                                          \
  X(FRAME_PIN, "frame pin", vb_frame_pin, frame_pins, "pins of single components of a frame")      \
  X(FOLLOWER_LOAD, "follower load", vb_follower_load, follower_loads,                              \
    "loads that rotate with a segment")                                                            \
  X(ACTIVATION, "activation", vb_activation, activations, "segments and tetrahedra that contract") \
  X(PARENT, "parent", vb_parent, parents, "drivers that move relative to others")                  \
  X(FOLLOW, "follow", vb_follow, follows, "where the iterations of a step may begin")              \
  X(BONE, "bone", vb_bone, bones, "rigid bodies that move freely")                                 \
  X(TIE, "tie", vb_tie, ties, "nodes and segments that a bone carries")                            \
  X(LINK, "link", vb_link, links, "joints between bones")                                          \
  X(FRICTION, "friction", vb_friction, frictions, "friction by body")                              \
  X(PLANE_DRIVER, "plane driver", vb_plane_driver, plane_drivers,                                  \
    "half-planes that a driver moves")                                                             \
  X(COLLIDER, "collider", vb_collider, colliders, "rigid shapes that bodies stay out of, or in")   \
  X(FRICTION_PAIR, "friction pair", vb_friction_pair, friction_pairs,                              \
    "friction between two bodies")                                                                 \
  X(LOOK, "look", vb_look, looks, "what bodies, surfaces and colliders look like in pictures")     \
  X(ATTACHMENT, "attachment", vb_attachment, attachments,                                          \
    "ends of rods that are clamped in triangles of nodes")                                         \
  X(HILL, "hill", vb_hill, hills, "muscles whose force depends on length and velocity")            \
  X(PIN_END, "pin end", vb_pin_end, pin_ends, "times at which pins end")

/// Tags of the sets: VB_SET_NODE, .. A solver's description lists those that it supports. New tags
/// keep old readers working: they pass over sets that they do not know. A change of an element
/// needs a new VB_SCENE_VERSION.
typedef enum vb_tag {
  VB_SET_NONE,
#define VB_TAG(tag, name, type, array, text) VB_SET_##tag,
  VB_SCENE_SETS(VB_TAG) VB_SET_COUNT
#undef VB_TAG
} vb_tag;

/// What holds for the whole scene.
typedef struct vb_world {
  double gravity[3]; ///< m/s^2
  double step;       ///< length of a time step, s, > 0
  double damping;    ///< rate at which velocities are damped, 1/s, 0 for none
  int64_t n_steps;   ///< steps to the end of the scene, >= 0
} vb_world;

/// A connected component of the elastic graph: of nodes tied by segments and tetrahedra.
typedef struct vb_body {
  char name[VB_NAME_SIZE];
} vb_body;

/// A point of a rod's center line, with the rod's radius there; or a vertex of tetrahedra.
typedef struct vb_node {
  double rest_position[3]; ///< m
  double rest_radius; ///< m, > 0; or 0 at a vertex of tetrahedra that no segment touches, which
                      ///< has no scale
  double position[3]; ///< at time 0, m
  double scale;       ///< at time 0; the current radius is scale * rest_radius
  double velocity[3]; ///< at time 0, m/s
  double scale_rate;  ///< at time 0, 1/s
  int32_t body;
  int32_t reserved;
} vb_node;

/// How the elasticity of a segment follows from its material.
typedef enum vb_material_model {
  VB_MATERIAL_PUBLISHED, ///< by its six stiffnesses, as published
  VB_MATERIAL_SOLID      ///< by Young's and the shear modulus, as of a solid rod
} vb_material_model;

/// The part of a rod between two nodes, with the frame [u v w] of its cross-sections.
/// Its radius is the mean of its nodes'.
typedef struct vb_segment {
  int32_t node[2];
  double rest_length;   ///< distance of its nodes' rest positions, m
  double rest_frame[4]; ///< unit quaternion (w, x, y, z); turns e_z into w, which is along the
                        ///< segment from node[0] to node[1]
  double frame[4];      ///< at time 0
  double angular_velocity[3]; ///< at time 0, in world axes, rad/s
  double density;             ///< kg/m^3
  double frame_inertia[3];    ///< moments of inertia of the frame about u, v, w at scale 1, kg m^2
  double stiffness[6];        ///< kx, ky, kz [Pa], kbx, kby [Pa m^2], kv [Pa]; see vb_stiffness
  double young;  ///< Young's modulus, Pa; this and shear are 0 where the stiffnesses were given one
                 ///< by one
  double shear;  ///< shear modulus, Pa
  int32_t model; ///< vb_material_model
  int32_t reserved;
} vb_segment;

/// Order of the stiffnesses of a segment.
typedef enum vb_stiffness { VB_KX, VB_KY, VB_KZ, VB_KBX, VB_KBY, VB_KV } vb_stiffness;

/// Two segments that bend and twist against each other at a node they share.
/// Oriented along the path segment[0] -> node -> segment[1].
typedef struct vb_joint {
  int32_t segment[2];
  int32_t node;
  int32_t reserved;
} vb_joint;

/// A solid element between four nodes, of an isotropic elastic material.
typedef struct vb_tetrahedron {
  int32_t node[4]; ///< with a positive volume at rest: (x1 - x0) x (x2 - x0) . (x3 - x0) > 0
  double young;    ///< Young's modulus at rest, Pa, > 0
  double poisson;  ///< Poisson's ratio at rest, in (-1, 0.5)
  double density;  ///< at rest, kg/m^3, > 0
} vb_tetrahedron;

/// What a pin holds. A mask of these bits; the first four are of a node, the last of a segment.
typedef enum vb_pin_mask {
  VB_PIN_X = 1,
  VB_PIN_Y = 2,
  VB_PIN_Z = 4,
  VB_PIN_SCALE = 8,
  VB_PIN_FRAME = 16,
  VB_PIN_CENTER = 7
} vb_pin_mask;

/// Where an element of a field, pin or load lives.
typedef enum vb_location {
  VB_AT_NODE,
  VB_AT_SEGMENT,
  VB_AT_JOINT,
  VB_AT_VERTEX,
  VB_AT_SCENE, ///< one value for the whole
  VB_AT_OWN,   ///< elements of a solver's own making (ghost points, ..)
  VB_AT_TETRAHEDRON,
  VB_AT_BODY,
  VB_AT_HALF_PLANE,
  VB_AT_COLLIDER,
  VB_AT_BONE,
  VB_AT_LINK
} vb_location;

/// Holds components of one node or segment at their initial values, moved rigidly by a driver.
typedef struct vb_pin {
  int32_t location; ///< vb_location: node or segment
  int32_t index;    ///< of the node or segment; at most one pin each
  uint32_t mask;    ///< of vb_pin_mask
  int32_t driver;   ///< the driver that moves it; every pin has one
} vb_pin;

/// A rigid motion that pins follow, and the group over which reactions are summed. It may ride on
/// another (vb_parent); see vb_driver_motion. By itself, at time t a pinned point x0 is at origin +
/// R (x0 - origin) + d and a pinned frame Q0 is R Q0, with R the rotation by angle(t) about axis, d
/// = (translation[0](t), ..). A scale stays what it was.
typedef struct vb_driver {
  char name[VB_NAME_SIZE]; ///< its own: no other driver or load has it
  double origin[3];        ///< m; reaction torques are about origin + d
  double axis[3];          ///< unit vector
  int32_t translation[3];  ///< curves [m], or -1 for none
  int32_t angle;           ///< curve [rad], any number of turns, or -1 for none
} vb_driver;

/// An external load on one node, segment, bone (force at its center, and torque) or link (a hinge:
/// torque[0] about its axis, on bone[0], and the opposite on bone[1]).
typedef struct vb_load {
  char name[VB_NAME_SIZE]; ///< loads of one name are summed in the record of their work; not a
                           ///< driver's
  int32_t location;        ///< vb_location: node (force, scale_force), segment (torque), bone, link
  int32_t index;
  double force[3];    ///< N
  double scale_force; ///< J (per unit of scale)
  double torque[3];   ///< in world axes, N m
  int32_t amplitude;  ///< curve of a factor on all of these, or -1 for 1
  int32_t reserved;
} vb_load;

/// A function of time through keys; constant before the first and after the last.
typedef struct vb_curve {
  int32_t first_key;
  int32_t n_keys; ///< >= 1
} vb_curve;

/// How a curve goes from a key to the next.
typedef enum vb_interpolation {
  VB_HOLD,   ///< keeps the value, jumps at the next key
  VB_LINEAR, ///< straight
  VB_CUBIC   ///< monotone cubic (Fritsch and Butland), at rest at the first and the last key
} vb_interpolation;

typedef struct vb_key {
  double time;           ///< s, increasing within a curve
  double value;          ///< unit of the curve
  int32_t interpolation; ///< vb_interpolation from here to the next key
  int32_t reserved;
} vb_key;

/// A segment's membership of a bundle: the segments of one cross-section, which move by one
/// similarity transform. Elements are sorted by bundle; bundles are numbered from 0 without gaps
/// and hold two segments or more; a segment is in one bundle at most.
typedef struct vb_bundled {
  int32_t bundle;
  int32_t segment;
} vb_bundled;

/// A vertex of a surface that segments carry.
typedef struct vb_surface_vertex {
  double rest_position[3]; ///< m
  int32_t segment;         ///< the segment it is fastened to, or -1 to follow those around it
  int32_t reserved;
} vb_surface_vertex;

/// A triangle of that surface, counterclockwise seen from outside.
typedef struct vb_triangle {
  int32_t vertex[3]; ///< three different vertices
  int32_t reserved;
} vb_triangle;

/// A half-space that bodies stay out of: they are where normal . x >= offset. It stands still, or
/// follows a driver (vb_plane_driver).
typedef struct vb_half_plane {
  double normal[3];        ///< unit vector, towards the bodies
  double offset;           ///< m
  double static_friction;  ///< tangential over normal force up to which a contact sticks
  double kinetic_friction; ///< of one that slides; in [0, static_friction]
} vb_half_plane;

/// How capsules (segments, as the hulls of two spheres) touch each other. Without this element they
/// do not; half-planes need none.
typedef struct vb_contact {
  double margin; ///< gap up to which pairs are contact candidates, beyond what their speed adds, m
  double static_friction;  ///< between capsules, as of a half-plane
  double kinetic_friction; ///< likewise
  int32_t self; ///< 1: capsules of one body touch, too, but for those that overlap at rest
  int32_t reserved;
} vb_contact;

/// Which others a segment may touch: two segments may touch if each lists a group of the other in
/// `meets`. A segment without a filter is in group 0 and lists all groups.
typedef struct vb_filter {
  int32_t segment; ///< in increasing order, at most one filter each
  uint32_t groups; ///< bit g: it is in group g
  uint32_t meets;  ///< bit g: it touches those of group g
  int32_t reserved;
} vb_filter;

/// Rest curvature and twist of a joint, in place of those of the rest frames: Im P_rest = lm/2
/// darboux, Re P_rest > 0, so that |darboux| lm/2 < 1. The closed ring of a straight rod has 0.
typedef struct vb_rest_curvature {
  int32_t joint; ///< in increasing order
  int32_t reserved;
  double darboux[3]; ///< in the frame midway between the joint's two, along its path, 1/m
} vb_rest_curvature;

/// Factors on the bending stiffness of a segment (that of kz and that of kv; not of kbx and kby). A
/// joint takes the mean of its segments' stiffnesses. 1 where a segment is not listed.
typedef struct vb_bending {
  int32_t segment; ///< in increasing order
  int32_t reserved;
  double factor[2]; ///< for turns about u and about v, >= 0
} vb_bending;

/// Components of a frame that are held. A mask of these bits.
typedef enum vb_frame_mask { VB_FRAME_U = 1, VB_FRAME_V = 2, VB_FRAME_W = 4 } vb_frame_mask;

/// Holds one or two components of the frame of a segment, moved by a driver: with R the driver's
/// rotation and Q0 the frame at time 0, component u (1) and v (2) of conj(R Q0) Q are 0; w is held
/// by the twist angle of conj(R Q0) Q = swing twist about its w axis, which is 0. A segment is in
/// one vb_frame_pin or in one vb_pin (which holds all three) at most.
typedef struct vb_frame_pin {
  int32_t segment; ///< in increasing order
  uint32_t mask;   ///< of vb_frame_mask, neither none nor all three
  int32_t driver;  ///< the driver that moves it
  int32_t reserved;
} vb_frame_pin;

/// A load on a node or segment that turns with a segment: its force and torque are those of the
/// load, turned as the segment's frame has turned since time 0. Within a time step the direction is
/// that of the prediction. Such a load has no potential: it is not conservative.
typedef struct vb_follower_load {
  int32_t load; ///< in increasing order
  int32_t segment;
} vb_follower_load;

/// What an activation does.
typedef enum vb_active {
  VB_ACTIVE_STRAIN, ///< the rest shape contracts to a times its length and keeps its volume: a
                    ///< segment rests at dc = a w, scale a^(-1/2)
  VB_ACTIVE_FIBER,  ///< length alone: the rest scale stays 1
  VB_ACTIVE_FORCE,  ///< a pair of forces along w pulls a segment's two nodes together
  VB_ACTIVE_HILL    ///< strain, whose a follows Hill's law (vb_hill); the curve is the excitation
} vb_active;

/// Makes a segment or a tetrahedron contract.
typedef struct vb_activation {
  char name[VB_NAME_SIZE]; ///< work is summed by name; not a driver's or load's
  int32_t location;        ///< vb_location: segment or tetrahedron; sorted by location, then index
  int32_t index;           ///< at most one activation each
  int32_t active;          ///< vb_active
  int32_t curve;           ///< a(t), > 0 and 1 where it is passive; of a force, N
  double direction[3];     ///< unit vector at rest, of a tetrahedron; 0 of a segment, whose is w
} vb_activation;

/// Driver `driver` rides on `parent`: with g a driver's own motion x -> R (x - origin) + origin +
/// d, its motion is g_parent after its own.
typedef struct vb_parent {
  int32_t driver; ///< in increasing order, no cycle
  int32_t parent;
} vb_parent;

/// Where the iterations of a step may begin at a node: its prediction, moved by the weighted mean
/// of what the drivers do within the step. It changes no minimizer, and a solver that lists the set
/// may pass over it.
typedef struct vb_follow {
  int32_t node;      ///< in increasing order, not pinned
  int32_t driver[2]; ///< the second may be -1 with the weight 0
  int32_t reserved;
  double weight[2]; ///< >= 0, with the sum 1
} vb_follow;

/// A rigid body without elasticity that moves freely. (One that follows curves is a driver.) At
/// rest it is where the rest positions of its ties are.
typedef struct vb_bone {
  char name[VB_NAME_SIZE];    ///< its own among bones, drivers and loads
  double mass;                ///< kg, > 0
  double center[3];           ///< of mass, at rest, m
  double inertia[6];          ///< about it, at rest, world axes: xx yy zz yz xz xy, kg m^2
  double position[3];         ///< of the center at time 0, m
  double frame[4];            ///< turn from rest to time 0, unit quaternion (w, x, y, z)
  double velocity[3];         ///< of the center at time 0, m/s
  double angular_velocity[3]; ///< at time 0, world axes, rad/s
} vb_bone;

/// A node or segment that a bone carries, and which has no unknowns of its own.
typedef struct vb_tie {
  int32_t location; ///< vb_location: node or segment; sorted by location, then index
  int32_t index;    ///< at most one tie each, and no pin
  int32_t bone;
  int32_t reserved;
} vb_tie;

typedef enum vb_link_type {
  VB_LINK_BALL,
  VB_LINK_HINGE,    ///< turns about axis[0] alone
  VB_LINK_UNIVERSAL ///< turns about one axis on either side
} vb_link_type;

/// A joint of two bones, or of a bone with a driver or with the world: the material points of both
/// sides that are at `at` at rest stay together.
typedef struct vb_link {
  char name[VB_NAME_SIZE]; ///< its own among links
  int32_t type;            ///< vb_link_type
  int32_t bone[2];         ///< two different ones; the second is -1 for a driver's or the world's
  int32_t driver;          ///< where bone[1] is -1: the driver, or -1 for the world; else -1
  double at[3];            ///< at rest, m
  double axis[2][3];       ///< unit vectors at rest; hinge: the first; universal: one on each side
  double limit[2];         ///< hinge: least and greatest angle, rad; infinite where none
} vb_link;

/// Friction of a body, beside that of the scene: of two that touch the greatest coefficients count.
typedef struct vb_friction {
  int32_t body; ///< in increasing order
  int32_t reserved;
  double static_friction;  ///< as of a half-plane
  double kinetic_friction; ///< likewise
} vb_friction;

/// Friction between two bodies, in place of what the scene and the bodies say. A solver that does
/// not list the set refuses the scene.
typedef struct vb_friction_pair {
  int32_t body[2];         ///< the lower first; pairs in increasing order
  double static_friction;  ///< as of a half-plane
  double kinetic_friction; ///< likewise
} vb_friction_pair;

/// A half-plane that a driver moves; it is at time 0 where its own numbers say.
typedef struct vb_plane_driver {
  int32_t half_plane; ///< in increasing order
  int32_t driver;
} vb_plane_driver;

typedef enum vb_collider_shape {
  VB_COLLIDER_SPHERE,   ///< about point[0]
  VB_COLLIDER_CYLINDER, ///< without ends, about the line through both points
  VB_COLLIDER_CAPSULE   ///< about the line from point[0] to point[1]
} vb_collider_shape;

/// A rigid shape that bodies stay out of, or inside of; at rest, or moved by a driver.
typedef struct vb_collider {
  char name[VB_NAME_SIZE]; ///< its own among colliders
  int32_t shape;           ///< vb_collider_shape
  int32_t inside;          ///< 1: a cylinder within which bodies stay
  int32_t driver;          ///< -1 where it rests
  int32_t reserved;
  double point[2][3];      ///< at time 0, m; the second of a sphere is 0
  double radius;           ///< m, > 0
  double static_friction;  ///< as of a half-plane
  double kinetic_friction; ///< likewise
} vb_collider;

/// Materials in pictures, by what they look like (render/appearance.h has their colors).
typedef enum vb_look_material {
  VB_LOOK_DEFAULT, ///< as if no material was given
  VB_LOOK_SOLID,
  VB_LOOK_BONE,
  VB_LOOK_MUSCLE,
  VB_LOOK_SKIN,
  VB_LOOK_ROPE,
  VB_LOOK_GLASS
} vb_look_material;

/// What something looks like. Solvers do not read it, and need not support it.
typedef struct vb_look {
  int32_t location; ///< vb_location: node, for its body; vertex, for the connected part of the
                    ///< surface that it is of; collider
  int32_t index;    ///< of the node, vertex or collider; at most one look each
  int32_t material; ///< vb_look_material
  int32_t reserved;
  double color[3]; ///< red, green, blue as in files (sRGB), from 0 to 1; -1 each: the material's
} vb_look;

/// Clamps the end of a segment in the triangle of three nodes, such as those of a cloth. In the
/// axes of the triangle, its first edge and its normal, the end stays where it is at rest, in the
/// triangle's plane, and the segment's frame stays as it is at rest.
typedef struct vb_attachment {
  int32_t segment;   ///< in increasing order, and then by node
  int32_t node;      ///< one of the segment's
  int32_t corner[3]; ///< nodes of the triangle, none of which is of the segment
  int32_t reserved;
} vb_attachment;

/// Hill's law of an activation of the kind hill, per section at rest. The stretch a of the active
/// rest shape, 1 at rest, is that of a contractile element: the material around it is in series.
/// With the excitation e in [0, 1], and v the rate of a over `velocity`, its stress is `stress` (e
/// L(a) V(v) + P(a)) + `damping` da/dt: L = 1 - ((a - optimum)/width)^2, where positive; V = (1 +
/// v)/(1 - v/curvature) as it shortens, 0 below v = -1, and a hyperbola of the same slope at 0
/// towards `eccentric` as it lengthens; P = ((a - optimum)/passive)^2 above the optimum.
typedef struct vb_hill {
  int32_t location; ///< vb_location: segment or tetrahedron; sorted by location, then index
  int32_t index;    ///< each that has an activation of the kind hill has one
  double stress;    ///< of the excitation 1 at the optimum, held, Pa
  double velocity;  ///< at which it shortens without load, 1/s
  double curvature; ///< Hill's a over that stress
  double eccentric; ///< stress of fast lengthening over that held, > 1
  double optimum;   ///< the stretch a of the greatest stress
  double width;     ///< from the optimum to the stretches without
  double passive;   ///< beyond the optimum, where the passive stress is `stress`; 0 for none
  double damping;   ///< Pa s
} vb_hill;

/// When a pin, or some of the components that it holds, ends. It holds in all steps that end no
/// later than `time`. Solvers do not read it: who steps a solver hands it the scene without the
/// pins that have ended, and its state (solver/held_pins.h).
typedef struct vb_pin_end {
  int32_t location; ///< vb_location: node or segment; sorted by location, then index
  int32_t index;    ///< of the node or segment; at most one end each
  uint32_t mask;    ///< what is no longer held, of what its pin holds; of a frame pin VB_PIN_FRAME
  int32_t reserved;
  double time; ///< s, not before the first step ends
} vb_pin_end;

/// The head of the blob. Opaque: use the functions below.
typedef struct vb_scene vb_scene;

/// The elements of set `tag`, and their number in `*count`; null and 0 where the scene has no such
/// set. The array belongs to the scene.
const void *vb_scene_set(const vb_scene *scene, vb_tag tag, size_t *count);

/// The same by type: vb_scene_nodes gives the nodes, and so on for what each set is called.
#define VB_ACCESSOR(tag, name, type, array, text)                                                  \
  const type *vb_scene_##array(const vb_scene *scene, size_t *count);
VB_SCENE_SETS(VB_ACCESSOR)
#undef VB_ACCESSOR

const vb_world *vb_scene_world(const vb_scene *scene);
/// Null where capsules do not touch each other.
const vb_contact *vb_scene_contact(const vb_scene *scene);

/// The number of elements of set `tag`.
size_t vb_scene_count(const vb_scene *scene, vb_tag tag);

/// The name of a set ("node"), or null for an unknown tag.
const char *vb_tag_name(vb_tag tag);

/// Size of the blob in bytes.
size_t vb_scene_bytes(const vb_scene *scene);

/// Degrees of freedom: 4 per node (3 where it has no radius), 3 per segment and 6 per bone. Pinned
/// components and what bones carry are left out; links are not subtracted.
int64_t vb_scene_dofs(const vb_scene *scene);

/// What a solver must know beyond the sets it lists, as bits.
typedef enum vb_feature {
  VB_FEATURE_SOLID = 1,        ///< a segment's material model is solid
  VB_FEATURE_FRAME_INERTIA = 2 ///< a segment's frame inertia is not that of a solid disc
} vb_feature;

/// The features of a scene (vb_feature).
uint64_t vb_scene_features(const vb_scene *scene);

/// The SHA-256 of the blob as 64 hexadecimal digits and a terminating zero.
void vb_scene_sha256(const vb_scene *scene, char hex[65]);

/// Lays out a blob from the arrays of its sets: `element[tag]`, `count[tag]` of them, one world
/// among them. Empty sets are left out; equal arrays make equal blobs. The caller frees `*out` with
/// free(). Checks nothing: see vb_scene_check. Fails only for want of memory.
vb_status vb_scene_pack(const void *const element[VB_SET_COUNT], const size_t count[VB_SET_COUNT],
                        vb_scene **out, vb_error *error);

/// Whether `bytes` bytes at `blob` are a sound scene: layout, indexes, values. Safe on any bytes,
/// at any alignment of 8. On failure VB_BAD_INPUT and one sentence that names the element.
vb_status vb_scene_check(const void *blob, size_t bytes, vb_error *error);

/// The value of curve `curve` at `time`; `otherwise` where `curve` is -1.
double vb_scene_curve(const vb_scene *scene, int32_t curve, double time, double otherwise);

/// The displacement `d` [m] and angle [rad] of a driver's own motion at `time`, without those that
/// it rides on.
void vb_driver_at(const vb_scene *scene, const vb_driver *driver, double time, double d[3],
                  double *angle);

/// The motion x -> R x + b of driver number `driver` at `time`, that of the drivers it rides on
/// included: R as the unit quaternion `q` (w, x, y, z), `b` in m. A pinned point x0 is at R x0 + b,
/// a pinned frame Q0 is q Q0, and reaction torques are about R origin + b.
void vb_driver_motion(const vb_scene *scene, int32_t driver, double time, double q[4], double b[3]);

/// Whether driver number `driver`, or one that it rides on, has a curve.
bool vb_driver_moves(const vb_scene *scene, int32_t driver);

#ifdef __cplusplus
}
#endif

#endif
