// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/scene: the memory layout of a scene, and its sets with their types.
#ifndef VB_SCENE_SETS_H
#define VB_SCENE_SETS_H

#include "scene/schema.h"

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

/// The sets of a scene with their types; null and 0 where there is none.
typedef struct vb_sets {
#define VB_SET_MEMBERS(tag, name, type, array, text)                                               \
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

/// The order of two elements by their keys: below, equal to or above 0.
int vb_key_compare(vb_key_member key, const void *left, const void *right);

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
