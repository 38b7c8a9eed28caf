// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/scene.h"
#include "scene/material.h"
#include "scene/schema.h"
#include "scene/sets.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(vb_scene) == 24 && sizeof(vb_set_entry) == 24, "layout of the head");

size_t vb_element_size(vb_tag tag) {
  return tag > 0 && tag < VB_SET_COUNT ? vb_schema[tag].size : 0;
}

const char *vb_tag_name(vb_tag tag) {
  return tag > 0 && tag < VB_SET_COUNT ? vb_schema[tag].name : NULL;
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

#define DEFINE(tag, name, type, array, text)                                                       \
  const type *vb_scene_##array(const vb_scene *scene, size_t *count) {                             \
    return vb_scene_set(scene, VB_SET_##tag, count);                                               \
  }
VB_SCENE_SETS(DEFINE)

const vb_contact *vb_scene_contact(const vb_scene *scene) {
  size_t count;
  return vb_scene_set(scene, VB_SET_CONTACT, &count);
}

vb_sets vb_scene_sets(const vb_scene *scene) {
  vb_sets sets;
#define FIND(tag, name, type, array, text)                                                         \
  sets.array = vb_scene_set(scene, VB_SET_##tag, &sets.n_##array);
  VB_SCENE_SETS(FIND)
#undef FIND
  return sets;
}

const void *vb_sets_get(const vb_sets *sets, vb_tag tag, size_t *count) {
  switch (tag) {
#define GET(tag, name, type, array, text)                                                          \
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
  vb_sets sets = vb_scene_sets(scene);
  uint64_t features = 0;
  for (size_t j = 0; j < sets.n_segments; j++) {
    const vb_segment *segment = &sets.segments[j];
    double disc[3];
    vb_disc_inertia(segment, sets.nodes, disc);
    if (segment->model == VB_MATERIAL_SOLID)
      features |= VB_FEATURE_SOLID;
    if (memcmp(segment->frame_inertia, disc, sizeof disc) != 0)
      features |= VB_FEATURE_FRAME_INERTIA;
  }
  return features;
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
      bytes += sizeof(vb_set_entry) + count[tag] * vb_schema[tag].size;
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
      size_t size = count[tag] * vb_schema[tag].size;
      *entry++ = (vb_set_entry){(uint32_t)tag, (uint32_t)vb_schema[tag].size, count[tag], offset};
      memcpy((char *)scene + offset, element[tag], size);
      offset += size;
    }
  *out = scene;
  return VB_OK;
}
