// SPDX-License-Identifier: GPL-3.0-or-later
/// Sorts the sets that are to be sorted, so that who adds elements need not.
#include "scene/complete.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

/// An element, and the set it is of: a comparison knows nothing else.
typedef struct item {
  const vb_sorted_set *set;
  const char *element;
} item;

static int compare_items(const void *left, const void *right) {
  const item *a = left;
  const item *b = right;
  int order = vb_sorted_compare(a->set, a->element, b->element);
  return order ? order : (a->element > b->element) - (a->element < b->element);
}

static vb_status sort_set(vb_builder *builder, const vb_sorted_set *set, vb_error *error) {
  size_t n, size = vb_element_size(set->tag);
  char *elements = vb_builder_elements(builder, set->tag, &n);
  if (n < 2)
    return VB_OK;
  item *items = malloc(n * sizeof *items);
  char *sorted = malloc(n * size);
  vb_status status = items && sorted ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; status == VB_OK && i < n; i++)
    items[i] = (item){set, elements + i * size};
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
  for (size_t k = 0; status == VB_OK && k < vb_n_sorted_sets; k++)
    status = sort_set(builder, &vb_sorted_sets[k], error);
  return status;
}
