// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/edges.h"

#include "base/components.h"

#include <stdlib.h>

const int vb_edge_corner[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// An edge by its vertices, the lower first, and where its number goes.
typedef struct named {
  int32_t low, high;
  int32_t *number;
} named;

static int by_vertices(const void *left, const void *right) {
  const named *a = left, *b = right;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

vb_status vb_edges_create(const vb_mesh *mesh, vb_edges *out, vb_error *error) {
  size_t n = 6 * mesh->n_tetrahedra;
  named *list = reallocarray(NULL, n + 1, sizeof *list);
  *out = (vb_edges){.of = reallocarray(NULL, mesh->n_tetrahedra + 1, sizeof *out->of)};
  if (!list || !out->of) {
    free(list);
    vb_edges_clear(out);
    return vb_error_memory(error);
  }
  for (size_t k = 0; k < mesh->n_tetrahedra; k++)
    for (int e = 0; e < 6; e++) {
      int32_t a = mesh->tetrahedron[k][vb_edge_corner[e][0]];
      int32_t b = mesh->tetrahedron[k][vb_edge_corner[e][1]];
      list[6 * k + (size_t)e] = (named){a < b ? a : b, a < b ? b : a, &out->of[k][e]};
    }
  qsort(list, n, sizeof *list, by_vertices);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || by_vertices(&list[i], &list[i - 1]) != 0)
      out->n++;
    *list[i].number = (int32_t)out->n - 1;
  }
  free(list);
  out->parent = reallocarray(NULL, out->n + 1, sizeof *out->parent);
  if (out->parent)
    return VB_OK;
  vb_edges_clear(out);
  return vb_error_memory(error);
}

void vb_edges_clear(vb_edges *edges) {
  free(edges->of);
  free(edges->parent);
  *edges = (vb_edges){0};
}

void vb_edges_join(vb_edges *edges, const vb_mesh *mesh, const double *field, double low,
                   double high) {
  for (size_t i = 0; i < edges->n; i++)
    edges->parent[i] = (int32_t)i;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    int32_t first = -1;
    for (int e = 0; e < 6; e++) {
      double a = field[mesh->tetrahedron[k][vb_edge_corner[e][0]]];
      double b = field[mesh->tetrahedron[k][vb_edge_corner[e][1]]];
      if ((a < low && b < low) || (a > high && b > high))
        continue;
      if (first >= 0)
        vb_component_join(edges->parent, first, edges->of[k][e]);
      else
        first = edges->of[k][e];
    }
  }
}
