// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether the sets of a scene that are sorted are so, and how their elements compare.
#include "scene/checks.h"

#include <stdio.h>
#include <string.h>

const char *vb_place_name(int32_t location) {
  return vb_tag_name(vb_location_tag(location));
}

int vb_key_compare(vb_key_member key, const void *left, const void *right) {
  int32_t a[2] = {0}, b[2] = {0};
  size_t size = (size_t)key.n * sizeof *a;
  memcpy(a, (const char *)left + key.first->offset, size);
  memcpy(b, (const char *)right + key.first->offset, size);
  if (a[0] != b[0])
    return a[0] < b[0] ? -1 : 1;
  return (a[1] > b[1]) - (a[1] < b[1]);
}

/// What the key of an element names: "node 3", "bodies 0 and 1".
typedef struct named {
  char text[64];
} named;

static named name_key(vb_key_member key, const char *element) {
  named out;
  int32_t value[2];
  memcpy(value, element + key.first->offset, (size_t)key.n * sizeof *value);
  if (key.first->kind == VB_KIND_LOCATION)
    snprintf(out.text, sizeof out.text, "%s %d", vb_place_name(value[0]), value[1]);
  else if (key.n == 1)
    snprintf(out.text, sizeof out.text, "%s %d", vb_tag_name(key.first->of), value[0]);
  else
    snprintf(out.text, sizeof out.text, "pair of %s %d and %s %d", vb_tag_name(key.first->of),
             value[0], vb_tag_name(key.first->of), value[1]);
  return out;
}

static vb_status check_set(const vb_sets *sets, vb_tag tag, vb_key_member key, vb_error *error) {
  size_t n, size = vb_element_size(tag);
  const char *element = vb_sets_get(sets, tag, &n), *set = vb_tag_name(tag);
  for (size_t i = 1; i < n; i++, element += size) {
    int order = vb_key_compare(key, element, element + size);
    if (order < 0)
      continue;
    named before = name_key(key, element), name = name_key(key, element + size);
    if (order == 0)
      return vb_bad_input(error, "%s %zu: %s has one already, %s %zu; it can have one only", set, i,
                          name.text, set, i - 1);
    return vb_bad_input(error, "%s %zu: its %s does not follow %s; they should increase", set, i,
                        name.text, before.text);
  }
  return VB_OK;
}

vb_status vb_check_order(const vb_sets *sets, vb_error *error) {
  vb_status status = VB_OK;
  for (vb_tag tag = VB_SET_WORLD; status == VB_OK && tag < VB_SET_COUNT; tag++) {
    vb_key_member key = vb_schema_key(tag);
    if (key.first)
      status = check_set(sets, tag, key, error);
  }
  return status;
}
