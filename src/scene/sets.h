// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/scene: the memory layout of a scene, and its sets with their types.
#ifndef VB_SCENE_SETS_H
#define VB_SCENE_SETS_H

#include "scene/scene.h"

/// The first bytes of a blob, its terminating zero included.
#define VB_SCENE_MAGIC "VBSCENE"

/// The head of a blob. It is followed by `n_sets` vb_set_entry of increasing tags, and these by the
/// arrays in the same order without gaps: all sizes are multiples of 8, so that nothing is padding.
struct vb_scene {
  char magic[8];
  uint32_t version;
  uint32_t n_sets;
  uint64_t bytes; ///< of the whole blob
};

/// Where a set lies in the blob.
typedef struct vb_set_entry {
  uint32_t tag;
  uint32_t element_size; ///< bytes
  uint64_t count;        ///< elements, >= 1
  uint64_t offset;       ///< bytes from the head
} vb_set_entry;

/// One more than the greatest tag of any set, known or not: a solver's `sets` has 64 bits.
enum { VB_TAG_LIMIT = 64 };

/// Every set: its tag, its name in messages, the type of its elements, and what vb_sets calls it.
#define VB_SCENE_SETS(X)                                                                           \
  X(WORLD, "world", vb_world, worlds)                                                              \
  X(BODY, "body", vb_body, bodies)                                                                 \
  X(NODE, "node", vb_node, nodes)                                                                  \
  X(SEGMENT, "segment", vb_segment, segments)                                                      \
  X(JOINT, "joint", vb_joint, joints)                                                              \
  X(PIN, "pin", vb_pin, pins)                                                                      \
  X(DRIVER, "driver", vb_driver, drivers)                                                          \
  X(LOAD, "load", vb_load, loads)                                                                  \
  X(CURVE, "curve", vb_curve, curves)                                                              \
  X(KEY, "key", vb_key, keys)                                                                      \
  X(TETRAHEDRON, "tetrahedron", vb_tetrahedron, tetrahedra)                                        \
  X(BUNDLE, "bundle", vb_bundled, bundled)                                                         \
  X(SURFACE_VERTEX, "surface vertex", vb_surface_vertex, surface_vertices)                         \
  X(TRIANGLE, "triangle", vb_triangle, triangles)                                                  \
  X(HALF_PLANE, "half-plane", vb_half_plane, half_planes)                                          \
  X(CONTACT, "contact", vb_contact, contacts)                                                      \
  X(FILTER, "filter", vb_filter, filters)                                                          \
  X(REST_CURVATURE, "rest curvature", vb_rest_curvature, rest_curvatures)                          \
  X(BENDING, "bending", vb_bending, bendings)                                                      \
  X(FRAME_PIN, "frame pin", vb_frame_pin, frame_pins)                                              \
  X(FOLLOWER_LOAD, "follower load", vb_follower_load, follower_loads)                              \
  X(ACTIVATION, "activation", vb_activation, activations)                                          \
  X(PARENT, "parent", vb_parent, parents)                                                          \
  X(FOLLOW, "follow", vb_follow, follows)                                                          \
  X(BONE, "bone", vb_bone, bones)                                                                  \
  X(TIE, "tie", vb_tie, ties)                                                                      \
  X(LINK, "link", vb_link, links)                                                                  \
  X(FRICTION, "friction", vb_friction, frictions)                                                  \
  X(PLANE_DRIVER, "plane driver", vb_plane_driver, plane_drivers)                                  \
  X(COLLIDER, "collider", vb_collider, colliders)

/// The sets of a scene with their types; null and 0 where there is none.
typedef struct vb_sets {
#define VB_SET_MEMBERS(tag, name, type, array)                                                     \
  const type *array;                                                                               \
  size_t n_##array;
  VB_SCENE_SETS(VB_SET_MEMBERS)
#undef VB_SET_MEMBERS
} vb_sets;

/// Bytes of an element of set `tag`; 0 for an unknown tag.
size_t vb_element_size(vb_tag tag);

/// The table of sets behind the head.
const vb_set_entry *vb_scene_entries(const vb_scene *scene);

/// The sets of a scene of sound layout.
vb_sets vb_scene_sets(const vb_scene *scene);

/// The value at `time` of a curve through the `n` >= 1 keys at `key`.
double vb_curve_at(const vb_key *key, size_t n, double time);

/// The array of set `tag` and its number of elements.
const void *vb_sets_get(const vb_sets *sets, vb_tag tag, size_t *count);

/// A set whose elements are sorted, with at most one of a key.
typedef struct vb_sorted_set {
  vb_tag tag;
  size_t key;       ///< offset of the key, one or two int32_t, in the element
  int n;            ///< 2: the location and the index of a place
  const char *name; ///< of the key, in messages; null for a place
} vb_sorted_set;

/// All of them, and how many there are.
extern const vb_sorted_set vb_sorted_sets[];
extern const size_t vb_n_sorted_sets;

/// The order of the keys of two elements: below, equal to or above 0.
int vb_sorted_compare(const vb_sorted_set *set, const void *left, const void *right);

/// "node", "segment", ..: what an index at `location` is of. Null where that is no set.
const char *vb_place_name(int32_t location);

/// As vb_driver_motion, of sets whose drivers, curves, keys and parents are sound.
void vb_sets_motion(const vb_sets *sets, int32_t driver, double time, double q[4], double b[3]);

/// Where a bone's material point that is at `x` at rest is at time 0.
void vb_bone_point(const vb_bone *bone, const double x[3], double out[3]);

/// The size of a bone that carries nothing: the radius sqrt(tr J/m) [m].
double vb_bone_radius(const vb_bone *bone);

/// Writes the connected component of each of `n_nodes` nodes under segments and tetrahedra that
/// name existing nodes. Components are numbered in the order of their lowest nodes. Returns how
/// many there are.
int32_t vb_components(int32_t *component, size_t n_nodes, const vb_segment *segments,
                      size_t n_segments, const vb_tetrahedron *tetrahedra, size_t n_tetrahedra);

#endif
