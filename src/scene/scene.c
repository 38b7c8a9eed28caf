// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/scene.h"
#include "scene/sets.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

/// Name and element size of a set.
typedef struct set_kind {
  const char *name;
  size_t element_size;
} set_kind;

static const set_kind kinds[VB_SET_COUNT] = {
#define KIND(tag, name, type, array) [VB_SET_##tag] = {name, sizeof(type)},
    VB_SCENE_SETS(KIND)
#undef KIND
};

// Without padding inside or between, equal scenes are equal bytes.
_Static_assert(sizeof(vb_scene) == 24 && sizeof(vb_set_entry) == 24, "layout of the head");
_Static_assert(sizeof(vb_world) == 48 && sizeof(vb_body) == 48 && sizeof(vb_node) == 104,
               "padding");
_Static_assert(sizeof(vb_segment) == 160 && sizeof(vb_joint) == 16 && sizeof(vb_pin) == 16,
               "padding");
_Static_assert(sizeof(vb_driver) == 112 && sizeof(vb_load) == 120, "padding");
_Static_assert(sizeof(vb_curve) == 8 && sizeof(vb_key) == 24, "padding");
_Static_assert(sizeof(vb_tetrahedron) == 40, "padding");
_Static_assert(sizeof(vb_bundled) == 8 && sizeof(vb_surface_vertex) == 32, "padding");
_Static_assert(sizeof(vb_triangle) == 16, "padding");
_Static_assert(sizeof(vb_rest_curvature) == 32 && sizeof(vb_bending) == 24, "padding");
_Static_assert(sizeof(vb_frame_pin) == 16 && sizeof(vb_follower_load) == 8, "padding");
_Static_assert(sizeof(vb_activation) == 88 && sizeof(vb_parent) == 8 && sizeof(vb_follow) == 32,
               "padding");
_Static_assert(sizeof(vb_bone) == 232 && sizeof(vb_tie) == 16 && sizeof(vb_link) == 152, "padding");
_Static_assert(sizeof(vb_friction) == 24 && sizeof(vb_plane_driver) == 8, "padding");
_Static_assert(sizeof(vb_collider) == 136, "padding");
_Static_assert(sizeof(vb_half_plane) == 48 && sizeof(vb_contact) == 32 && sizeof(vb_filter) == 16,
               "padding");

size_t vb_element_size(vb_tag tag) {
  return tag > 0 && tag < VB_SET_COUNT ? kinds[tag].element_size : 0;
}

const char *vb_tag_name(vb_tag tag) {
  return tag > 0 && tag < VB_SET_COUNT ? kinds[tag].name : NULL;
}

const vb_set_entry *vb_scene_entries(const vb_scene *scene) {
  return (const vb_set_entry *)(scene + 1);
}

const void *vb_scene_set(const vb_scene *scene, vb_tag tag, size_t *count) {
  const vb_set_entry *entries = vb_scene_entries(scene);
  for (uint32_t i = 0; i < scene->n_sets; i++)
    if (entries[i].tag == (uint32_t)tag) {
      *count = (size_t)entries[i].count;
      return (const char *)scene + entries[i].offset;
    }
  *count = 0;
  return NULL;
}

const vb_world *vb_scene_world(const vb_scene *scene) {
  size_t count;
  return vb_scene_set(scene, VB_SET_WORLD, &count);
}

/// Defines the function that gives a set by its type.
#define DEFINE_SET(type, name, tag)                                                                \
  const type *vb_scene_##name(const vb_scene *scene, size_t *count) {                              \
    return vb_scene_set(scene, tag, count);                                                        \
  }
DEFINE_SET(vb_body, bodies, VB_SET_BODY)
DEFINE_SET(vb_node, nodes, VB_SET_NODE)
DEFINE_SET(vb_segment, segments, VB_SET_SEGMENT)
DEFINE_SET(vb_joint, joints, VB_SET_JOINT)
DEFINE_SET(vb_pin, pins, VB_SET_PIN)
DEFINE_SET(vb_driver, drivers, VB_SET_DRIVER)
DEFINE_SET(vb_load, loads, VB_SET_LOAD)
DEFINE_SET(vb_tetrahedron, tetrahedra, VB_SET_TETRAHEDRON)
DEFINE_SET(vb_bundled, bundled, VB_SET_BUNDLE)
DEFINE_SET(vb_surface_vertex, surface_vertices, VB_SET_SURFACE_VERTEX)
DEFINE_SET(vb_triangle, triangles, VB_SET_TRIANGLE)
DEFINE_SET(vb_half_plane, half_planes, VB_SET_HALF_PLANE)
DEFINE_SET(vb_filter, filters, VB_SET_FILTER)
DEFINE_SET(vb_rest_curvature, rest_curvatures, VB_SET_REST_CURVATURE)
DEFINE_SET(vb_bending, bendings, VB_SET_BENDING)
DEFINE_SET(vb_frame_pin, frame_pins, VB_SET_FRAME_PIN)
DEFINE_SET(vb_follower_load, follower_loads, VB_SET_FOLLOWER_LOAD)
DEFINE_SET(vb_activation, activations, VB_SET_ACTIVATION)
DEFINE_SET(vb_parent, parents, VB_SET_PARENT)
DEFINE_SET(vb_follow, follows, VB_SET_FOLLOW)
DEFINE_SET(vb_bone, bones, VB_SET_BONE)
DEFINE_SET(vb_tie, ties, VB_SET_TIE)
DEFINE_SET(vb_link, links, VB_SET_LINK)
DEFINE_SET(vb_friction, frictions, VB_SET_FRICTION)
DEFINE_SET(vb_plane_driver, plane_drivers, VB_SET_PLANE_DRIVER)
DEFINE_SET(vb_collider, colliders, VB_SET_COLLIDER)

const vb_contact *vb_scene_contact(const vb_scene *scene) {
  size_t count;
  return vb_scene_set(scene, VB_SET_CONTACT, &count);
}

vb_sets vb_scene_sets(const vb_scene *scene) {
  vb_sets sets;
#define FIND(tag, name, type, array)                                                               \
  sets.array = vb_scene_set(scene, VB_SET_##tag, &sets.n_##array);
  VB_SCENE_SETS(FIND)
#undef FIND
  return sets;
}

const void *vb_sets_get(const vb_sets *sets, vb_tag tag, size_t *count) {
  switch (tag) {
#define GET(tag, name, type, array)                                                                \
  case VB_SET_##tag:                                                                               \
    *count = sets->n_##array;                                                                      \
    return sets->array;
    VB_SCENE_SETS(GET)
#undef GET
  default:
    *count = 0;
    return NULL;
  }
}

size_t vb_scene_count(const vb_scene *scene, vb_tag tag) {
  size_t count;
  vb_scene_set(scene, tag, &count);
  return count;
}

size_t vb_scene_bytes(const vb_scene *scene) {
  return (size_t)scene->bytes;
}

/// Degrees of freedom of a node.
static int64_t node_dofs(const vb_sets *sets, int32_t node) {
  return sets->nodes[node].rest_radius == 0 ? 3 : 4;
}

/// What pins hold.
static int64_t pinned_dofs(const vb_sets *sets) {
  int64_t dofs = 0;
  for (size_t i = 0; i < sets->n_pins; i++) {
    const vb_pin *pin = &sets->pins[i];
    uint32_t mask = pin->mask;
    if (pin->location == VB_AT_NODE && node_dofs(sets, pin->index) == 3)
      mask &= ~(uint32_t)VB_PIN_SCALE;
    for (uint32_t bit = VB_PIN_X; bit <= VB_PIN_SCALE; bit <<= 1)
      dofs += (mask & bit) != 0;
    dofs += mask & VB_PIN_FRAME ? 3 : 0;
  }
  for (size_t i = 0; i < sets->n_frame_pins; i++)
    for (uint32_t bit = VB_FRAME_U; bit <= VB_FRAME_W; bit <<= 1)
      dofs += (sets->frame_pins[i].mask & bit) != 0;
  return dofs;
}

int64_t vb_scene_dofs(const vb_scene *scene) {
  vb_sets sets = vb_scene_sets(scene);
  int64_t dofs = 3 * (int64_t)sets.n_segments + 6 * (int64_t)sets.n_bones - pinned_dofs(&sets);
  for (size_t i = 0; i < sets.n_nodes; i++)
    dofs += node_dofs(&sets, (int32_t)i);
  for (size_t i = 0; i < sets.n_ties; i++)
    dofs -= sets.ties[i].location == VB_AT_NODE ? node_dofs(&sets, sets.ties[i].index) : 3;
  return dofs;
}

uint64_t vb_scene_features(const vb_scene *scene) {
  (void)scene; // it has no set yet that says so
  return 0;
}

void vb_scene_sha256(const vb_scene *scene, char hex[65]) {
  SHA256Data((const uint8_t *)scene, vb_scene_bytes(scene), hex);
}

vb_status vb_scene_pack(const void *const element[VB_SET_COUNT], const size_t count[VB_SET_COUNT],
                        vb_scene **out, vb_error *error) {
  uint32_t n_sets = 0;
  size_t bytes = sizeof(vb_scene);
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    if (count[tag]) {
      n_sets++;
      bytes += sizeof(vb_set_entry) + count[tag] * kinds[tag].element_size;
    }
  vb_scene *scene = calloc(1, bytes);
  if (!scene)
    return vb_error_memory(error);
  memcpy(scene->magic, VB_SCENE_MAGIC, sizeof scene->magic);
  scene->version = VB_SCENE_VERSION;
  scene->n_sets = n_sets;
  scene->bytes = bytes;

  vb_set_entry *entry = (vb_set_entry *)(scene + 1);
  size_t offset = sizeof *scene + n_sets * sizeof *entry;
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    if (count[tag]) {
      size_t size = count[tag] * kinds[tag].element_size;
      *entry++ =
          (vb_set_entry){(uint32_t)tag, (uint32_t)kinds[tag].element_size, count[tag], offset};
      memcpy((char *)scene + offset, element[tag], size);
      offset += size;
    }
  *out = scene;
  return VB_OK;
}
