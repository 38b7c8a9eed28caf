// SPDX-License-Identifier: GPL-3.0-or-later
/// Sorts the sets that are to be sorted, so that who adds elements need not.
#include "scene/complete.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

/// An element, and what it is sorted by: a comparison knows nothing else.
typedef struct item {
  vb_key_member key;
  const char *element;
} item;

static int compare_items(const void *left, const void *right) {
  const item *a = left;
  const item *b = right;
  int order = vb_key_compare(a->key, a->element, b->element);
  return order ? order : (a->element > b->element) - (a->element < b->element);
}

static vb_status sort_set(vb_builder *builder, vb_tag tag, vb_error *error) {
  vb_key_member key = vb_schema_key(tag);
  size_t n, size = vb_element_size(tag);
  char *elements = vb_builder_elements(builder, tag, &n);
  if (n < 2 || !key.first)
    return VB_OK;
  item *items = reallocarray(NULL, n, sizeof *items);
  char *sorted = reallocarray(NULL, n, size);
  vb_status status = items && sorted ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; status == VB_OK && i < n; i++)
    items[i] = (item){key, elements + i * size};
  if (status == VB_OK) {
    qsort(items, n, sizeof *items, compare_items);
    for (size_t i = 0; i < n; i++)
      memcpy(sorted + i * size, items[i].element, size);
    memcpy(elements, sorted, n * size);
  }
  free(sorted);
  free(items);
  return status;
}

vb_status vb_complete_order(vb_builder *builder, vb_error *error) {
  vb_status status = VB_OK;
  for (vb_tag tag = VB_SET_BODY; status == VB_OK && tag < VB_SET_COUNT; tag++)
    status = sort_set(builder, tag, error);
  return status;
}
