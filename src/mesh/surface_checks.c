// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_checks.h"

#include "base/components.h"
#include "base/time_limit.h"
#include "mesh/box_tree.h"
#include "scene/rotation.h"

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

/// A mesh with its parts and the tree of its triangles.
typedef struct mesh {
  const double *vertex;
  const int32_t *triangle;
  const vb_bounds *bounds;
  int32_t *component;
  vb_box_tree tree;
  const bool *asked; ///< of which triangles pairs are wanted; null: of all
  bool *crosses;     ///< which of them cross any; or null
} mesh;

/// Whether the piece from `p` to `q` goes through the inside of triangle abc.
static bool goes_through(const double *p, const double *q, const double *const t[3]) {
  double side_p = vb_volume6(t[0], t[1], t[2], p), side_q = vb_volume6(t[0], t[1], t[2], q);
  if (!((side_p < 0 && side_q > 0) || (side_p > 0 && side_q < 0)))
    return false;
  double a = vb_volume6(p, q, t[0], t[1]), b = vb_volume6(p, q, t[1], t[2]);
  double c = vb_volume6(p, q, t[2], t[0]);
  return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

/// Whether an edge of triangle `s` that has no corner of triangle `t` goes through it.
static bool pierces(const mesh *m, int32_t s, int32_t t) {
  const int32_t *v = m->triangle + 3 * (size_t)s, *w = m->triangle + 3 * (size_t)t;
  const double *corner[3];
  for (int c = 0; c < 3; c++)
    corner[c] = m->vertex + 3 * (size_t)w[c];
  for (int c = 0; c < 3; c++) {
    int32_t p = v[c], q = v[(c + 1) % 3];
    bool apart = p != w[0] && p != w[1] && p != w[2] && q != w[0] && q != w[1] && q != w[2];
    if (apart && goes_through(m->vertex + 3 * (size_t)p, m->vertex + 3 * (size_t)q, corner))
      return true;
  }
  return false;
}

static bool overlap(const vb_bounds *a, const vb_bounds *b) {
  for (int k = 0; k < 3; k++)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
      return false;
  return true;
}

/// Whether a pair is found from triangle `t`, and not from `other`.
static bool is_turn(const mesh *m, int32_t t, int32_t other) {
  return other > t || (other < t && m->asked && !m->asked[other]);
}

/// Adds the pairs of triangle `t` with others. `*first` is the lowest of these.
static void count_from(const mesh *m, int32_t t, size_t *within, size_t *between, int32_t *first) {
  int32_t stack[VB_BOX_TREE_DEPTH] = {0};
  int n = 1;
  while (n > 0) {
    const vb_box_node *node = &m->tree.node[stack[--n]];
    if (!overlap(&node->bounds, &m->bounds[t]))
      continue;
    for (int32_t i = 0; i < node->count; i++) {
      int32_t other = m->tree.item[node->first + i];
      if (!is_turn(m, t, other) || !overlap(&m->bounds[other], &m->bounds[t]) ||
          !(pierces(m, t, other) || pierces(m, other, t)))
        continue;
      *first = other < *first ? other : *first;
      if (m->crosses) {
        __atomic_store_n(&m->crosses[t], true, __ATOMIC_RELAXED);
        __atomic_store_n(&m->crosses[other], true, __ATOMIC_RELAXED);
      }
      if (m->component[m->triangle[3 * (size_t)t]] == m->component[m->triangle[3 * (size_t)other]])
        (*within)++;
      else
        (*between)++;
    }
    if (node->count == 0) {
      stack[n++] = node->first;
      stack[n++] = node->first + 1;
    }
  }
}

vb_status vb_surface_crossings_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                                  size_t n_triangles, vb_surface_crossings *out, vb_error *error) {
  return vb_surface_mark_crossings(vertex, n_vertices, triangle, n_triangles, NULL, NULL, out,
                                   error);
}

vb_status vb_surface_mark_crossings(const double *vertex, size_t n_vertices,
                                    const int32_t *triangle, size_t n_triangles, const bool *asked,
                                    bool *crosses, vb_surface_crossings *out, vb_error *error) {
  vb_bounds *bounds = reallocarray(NULL, n_triangles + 1, sizeof *bounds);
  mesh m = {vertex, triangle, bounds, reallocarray(NULL, n_vertices + 1, sizeof *m.component),
            .asked = asked};
  m.crosses = crosses;
  vb_status status = bounds && m.component ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < 3 * n_vertices; i++)
    if (!isfinite(vertex[i]))
      status = vb_bad_input(error, "vertex %zu of a surface is not finite", i / 3);
  for (size_t t = 0; !status && t < n_triangles; t++) {
    bounds[t] = vb_bounds_none();
    for (size_t c = 0; c < 3; c++)
      vb_bounds_grow(&bounds[t], vertex + 3 * (size_t)triangle[3 * t + c], 0);
  }
  if (!status)
    status = vb_box_tree_build(bounds, n_triangles, &m.tree, error);
  if (!status) {
    size_t within = 0, between = 0;
    int over = 0;
    int64_t first = INT64_MAX, n = (int64_t)n_triangles;
    vb_surface_components(m.component, n_vertices, triangle, n_triangles);
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : within, between) reduction(min : first)
    for (size_t t = 0; t < n_triangles; t++) {
      int32_t other = INT32_MAX;
      if (t % 8 == 0 && vb_time_limit_over())
        __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
      if (__atomic_load_n(&over, __ATOMIC_RELAXED) || (asked && !asked[t]))
        continue;
      count_from(&m, (int32_t)t, &within, &between, &other);
      if (other < INT32_MAX && (int64_t)t * n + other < first)
        first = (int64_t)t * n + other;
    }
    status = over ? vb_time_limit_check(error) : VB_OK;
    bool any = within + between > 0;
    *out = (vb_surface_crossings){
        within, between, {any ? (int32_t)(first / n) : -1, any ? (int32_t)(first % n) : -1}};
  }
  vb_box_tree_clear(&m.tree);
  free(m.component);
  free(bounds);
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
