// SPDX-License-Identifier: GPL-3.0-or-later
/// Connected components, as a forest of parents: parent[i] is i for the least of a component, and
/// less than i for all others. It begins as parent[i] = i for all i.
#ifndef VB_BASE_COMPONENTS_H
#define VB_BASE_COMPONENTS_H

#include <stdint.h>

/// The least of the component that `i` belongs to; halves the path there.
static inline int32_t vb_component_of(int32_t *parent, int32_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/// Makes one component of those of `i` and `j`.
static inline void vb_component_join(int32_t *parent, int32_t i, int32_t j) {
  i = vb_component_of(parent, i);
  j = vb_component_of(parent, j);
  parent[i > j ? i : j] = i > j ? j : i;
}

#endif
