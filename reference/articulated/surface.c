// SPDX-License-Identifier: GPL-3.0-or-later
#include "surface.h"

#include <stdlib.h>
#include <string.h>

/// Its nodes in increasing order.
static void sort_nodes(const ar_side *side, int32_t out[3]) {
  for (int c = 0; c < 3; c++) {
    int at = c;
    for (; at > 0 && out[at - 1] > side->node[c]; at--)
      out[at] = out[at - 1];
    out[at] = side->node[c];
  }
}

static int compare_sides(const void *a, const void *b) {
  int32_t f[3], g[3];
  sort_nodes(a, f);
  sort_nodes(b, g);
  int c = 0;
  while (c < 2 && f[c] == g[c])
    c++;
  return (f[c] > g[c]) - (f[c] < g[c]);
}

/// Side `i` of a tetrahedron of positive volume.
static ar_side side_of(const vb_tetrahedron *t, int32_t tetrahedron, int i) {
  static const int corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  ar_side out = {.tetrahedron = tetrahedron};
  for (int c = 0; c < 3; c++)
    out.node[c] = t->node[corner[i][c]];
  return out;
}

vb_status ar_surface_create(const vb_scene *scene, ar_side **side, size_t *n, vb_error *error) {
  size_t n_tetrahedra, kept = 0;
  const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n_tetrahedra);
  size_t n_sides = 4 * n_tetrahedra;
  ar_side *all = reallocarray(NULL, n_sides + 1, sizeof *all);
  if (!all)
    return vb_error_memory(error);
  for (size_t i = 0; i < n_sides; i++)
    all[i] = side_of(&t[i / 4], (int32_t)(i / 4), (int)(i % 4));
  qsort(all, n_sides, sizeof *all, compare_sides);
  for (size_t i = 0; i < n_sides; i++) {
    bool twice = i + 1 < n_sides && compare_sides(&all[i], &all[i + 1]) == 0;
    if (twice)
      i++;
    else
      all[kept++] = all[i];
  }
  *side = all;
  *n = kept;
  return VB_OK;
}
