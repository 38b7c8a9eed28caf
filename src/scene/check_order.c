// SPDX-License-Identifier: GPL-3.0-or-later
/// The sets of a scene that are sorted, and whether they are.
#include "scene/checks.h"

#include <stddef.h>
#include <string.h>

const vb_sorted_set vb_sorted_sets[] = {
    {VB_SET_FILTER, offsetof(vb_filter, segment), 1, "segment"},
    {VB_SET_REST_CURVATURE, offsetof(vb_rest_curvature, joint), 1, "joint"},
    {VB_SET_BENDING, offsetof(vb_bending, segment), 1, "segment"},
    {VB_SET_FRAME_PIN, offsetof(vb_frame_pin, segment), 1, "segment"},
    {VB_SET_FOLLOWER_LOAD, offsetof(vb_follower_load, load), 1, "load"},
    {VB_SET_ACTIVATION, offsetof(vb_activation, location), 2, NULL},
    {VB_SET_PARENT, offsetof(vb_parent, driver), 1, "driver"},
    {VB_SET_FOLLOW, offsetof(vb_follow, node), 1, "node"},
    {VB_SET_TIE, offsetof(vb_tie, location), 2, NULL},
    {VB_SET_FRICTION, offsetof(vb_friction, body), 1, "body"},
    {VB_SET_PLANE_DRIVER, offsetof(vb_plane_driver, half_plane), 1, "half-plane"},
};
const size_t vb_n_sorted_sets = sizeof vb_sorted_sets / sizeof *vb_sorted_sets;

_Static_assert(offsetof(vb_tie, index) == offsetof(vb_tie, location) + sizeof(int32_t) &&
                   offsetof(vb_activation, index) ==
                       offsetof(vb_activation, location) + sizeof(int32_t),
               "a place is two numbers side by side");

const char *vb_place_name(int32_t location) {
  static const vb_tag TAG[] = {
      [VB_AT_NODE] = VB_SET_NODE,
      [VB_AT_SEGMENT] = VB_SET_SEGMENT,
      [VB_AT_JOINT] = VB_SET_JOINT,
      [VB_AT_VERTEX] = VB_SET_SURFACE_VERTEX,
      [VB_AT_TETRAHEDRON] = VB_SET_TETRAHEDRON,
      [VB_AT_BODY] = VB_SET_BODY,
      [VB_AT_HALF_PLANE] = VB_SET_HALF_PLANE,
      [VB_AT_COLLIDER] = VB_SET_COLLIDER,
      [VB_AT_BONE] = VB_SET_BONE,
      [VB_AT_LINK] = VB_SET_LINK,
  };
  if (location < 0 || (size_t)location >= sizeof TAG / sizeof *TAG)
    return NULL;
  return vb_tag_name(TAG[location]);
}

int vb_sorted_compare(const vb_sorted_set *set, const void *left, const void *right) {
  int32_t a[2] = {0}, b[2] = {0};
  size_t size = (size_t)set->n * sizeof *a;
  memcpy(a, (const char *)left + set->key, size);
  memcpy(b, (const char *)right + set->key, size);
  if (a[0] != b[0])
    return a[0] < b[0] ? -1 : 1;
  return (a[1] > b[1]) - (a[1] < b[1]);
}

/// What the key of an element names: "node", 3.
static const char *key_of(const vb_sorted_set *set, const char *element, int32_t *index) {
  int32_t key[2];
  memcpy(key, element + set->key, (size_t)set->n * sizeof *key);
  *index = key[set->n - 1];
  return set->name ? set->name : vb_place_name(key[0]);
}

static vb_status check_set(const vb_sets *sets, const vb_sorted_set *set, vb_error *error) {
  size_t n, size = vb_element_size(set->tag);
  const char *element = vb_sets_get(sets, set->tag, &n);
  for (size_t i = 1; i < n; i++, element += size) {
    int order = vb_sorted_compare(set, element, element + size);
    if (order < 0)
      continue;
    int32_t before, index;
    const char *of = key_of(set, element, &before), *name = key_of(set, element + size, &index);
    if (order == 0)
      return vb_bad_input(error, "%s %zu: %s %d has one already, %s %zu; it can have one only",
                          vb_tag_name(set->tag), i, name, index, vb_tag_name(set->tag), i - 1);
    return vb_bad_input(error, "%s %zu: its %s %d does not follow %s %d; they should increase",
                        vb_tag_name(set->tag), i, name, index, of, before);
  }
  return VB_OK;
}

vb_status vb_check_order(const vb_sets *sets, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t k = 0; status == VB_OK && k < vb_n_sorted_sets; k++)
    status = check_set(sets, &vb_sorted_sets[k], error);
  return status;
}
