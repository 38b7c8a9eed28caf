// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_checks.h"

#include "base/components.h"
#include "scene/rotation.h"

#include <stdbool.h>
#include <stdlib.h>

/// An edge as a triangle runs along it.
typedef struct edge {
  int32_t low, high;
  bool forward; ///< from low to high
} edge;

static int by_ends(const void *left, const void *right) {
  const edge *a = left;
  const edge *b = right;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  if (a->high != b->high)
    return a->high < b->high ? -1 : 1;
  return (int)a->forward - (int)b->forward;
}

void vb_surface_components(int32_t *component, size_t n_vertices, const int32_t *triangle,
                           size_t n_triangles) {
  for (size_t i = 0; i < n_vertices; i++)
    component[i] = (int32_t)i;
  for (size_t t = 0; t < n_triangles; t++)
    for (size_t c = 1; c < 3; c++)
      vb_component_join(component, triangle[3 * t], triangle[3 * t + c]);
  for (size_t i = 0; i < n_vertices; i++)
    component[i] = vb_component_of(component, (int32_t)i);
}

static void count_edges(edge *edges, size_t n, vb_surface_shape *out) {
  qsort(edges, n, sizeof *edges, by_ends);
  for (size_t i = 0, next; i < n; i = next) {
    for (next = i + 1;
         next < n && edges[next].low == edges[i].low && edges[next].high == edges[i].high;)
      next++;
    out->n_edges++;
    out->n_boundary_edges += next - i == 1;
    out->n_crowded_edges +=
        next - i > 2 || (next - i == 2 && edges[i].forward == edges[i + 1].forward);
  }
}

static double enclosed_volume(const double *vertex, const int32_t *triangle, size_t n_triangles) {
  double sum = 0;
  for (size_t t = 0; t < n_triangles; t++) {
    double x[3][3], normal[3];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) // from the first vertex: far from the origin less is lost
        x[c][k] = vertex[3 * (size_t)triangle[3 * t + (size_t)c] + (size_t)k] - vertex[k];
    vb_cross(x[1], x[2], normal);
    sum += vb_dot(x[0], normal) / 6;
  }
  return sum;
}

vb_status vb_surface_shape_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                              size_t n_triangles, vb_surface_shape *out, vb_error *error) {
  vb_surface_shape shape = {0};
  edge *edges = reallocarray(NULL, 3 * n_triangles + 1, sizeof *edges);
  int32_t *component = reallocarray(NULL, n_vertices + 1, sizeof *component);
  bool *used = calloc(n_vertices + 1, sizeof *used);
  vb_status status = edges && component && used ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < 3 * n_triangles; i++) {
    int32_t a = triangle[i], b = triangle[i - i % 3 + (i + 1) % 3];
    edges[i] = (edge){a < b ? a : b, a < b ? b : a, a < b};
    used[a] = true;
  }
  if (!status) {
    count_edges(edges, 3 * n_triangles, &shape);
    vb_surface_components(component, n_vertices, triangle, n_triangles);
    for (size_t i = 0; i < n_vertices; i++) {
      shape.n_vertices += used[i];
      shape.n_components += used[i] && component[i] == (int32_t)i;
    }
    shape.euler = (int64_t)shape.n_vertices - (int64_t)shape.n_edges + (int64_t)n_triangles;
    shape.volume = enclosed_volume(vertex, triangle, n_triangles);
    *out = shape;
  }
  free(edges);
  free(component);
  free(used);
  return status;
}

/// Says what is wrong with an edge of `n` triangles.
static vb_status fail_edge(const double *vertex, const edge *e, size_t n, vb_error *error) {
  const double *a = vertex + 3 * (size_t)e->low, *b = vertex + 3 * (size_t)e->high;
  const char *what = n == 1 ? "has one triangle: the surface is open there"
                     : n > 2
                         ? "has more than two triangles"
                         : "has two triangles that run along it the same way: one is turned over";
  return vb_bad_input(error, "the edge from (%g, %g, %g) to (%g, %g, %g) %s", a[0], a[1], a[2],
                      b[0], b[1], b[2], what);
}

vb_status vb_surface_check_closed(const double *vertex, const int32_t *triangle, size_t n_triangles,
                                  vb_error *error) {
  size_t n = 3 * n_triangles;
  edge *edges = reallocarray(NULL, n + 1, sizeof *edges);
  vb_status status = edges ? VB_OK : vb_error_memory(error);
  if (!status && n == 0)
    status = vb_bad_input(error, "there are no triangles");
  for (size_t i = 0; !status && i < n; i++) {
    int32_t a = triangle[i], b = triangle[i - i % 3 + (i + 1) % 3];
    edges[i] = (edge){a < b ? a : b, a < b ? b : a, a < b};
    if (a == b)
      status =
          vb_bad_input(error, "triangle %zu has a corner twice, at (%g, %g, %g)", i / 3,
                       vertex[3 * (size_t)a], vertex[3 * (size_t)a + 1], vertex[3 * (size_t)a + 2]);
  }
  if (!status)
    qsort(edges, n, sizeof *edges, by_ends);
  for (size_t i = 0, next; !status && i < n; i = next) {
    for (next = i + 1;
         next < n && edges[next].low == edges[i].low && edges[next].high == edges[i].high;)
      next++;
    if (next - i != 2 || edges[i].forward == edges[i + 1].forward)
      status = fail_edge(vertex, &edges[i], next - i, error);
  }
  free(edges);
  return status;
}

double vb_surface_winding(const double *vertex, const int32_t *triangle, size_t n_triangles,
                          const double x[3]) {
  double sum = 0;
  for (size_t t = 0; t < n_triangles; t++) {
    double r[3][3], length[3], normal[3];
    for (int c = 0; c < 3; c++) {
      for (int k = 0; k < 3; k++)
        r[c][k] = vertex[3 * (size_t)triangle[3 * t + (size_t)c] + (size_t)k] - x[k];
      length[c] = sqrt(vb_dot(r[c], r[c]));
    }
    vb_cross(r[1], r[2], normal);
    double below = length[0] * length[1] * length[2] + vb_dot(r[0], r[1]) * length[2] +
                   vb_dot(r[1], r[2]) * length[0] + vb_dot(r[2], r[0]) * length[1];
    sum += 2 * atan2(vb_dot(r[0], normal), below);
  }
  return sum / (4 * acos(-1));
}
