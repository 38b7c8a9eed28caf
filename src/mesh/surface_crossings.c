// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_crossings.h"

#include "base/time_limit.h"
#include "mesh/surface_checks.h"
#include "scene/rotation.h"

#include <math.h>

/// A watched mesh where its vertices are now.
typedef struct mesh {
  const vb_surface_watch *watch;
  const double *vertex;
  const bool *asked; ///< of which triangles pairs are wanted; null: of all
  bool *crosses;     ///< which of them cross any; or null
} mesh;

/// Whether the piece from `p` to `q` goes through the inside of triangle abc, both made longer by
/// `grow` of themselves.
static bool goes_through(const double *p, const double *q, const double *const t[3], double grow) {
  double end[2][3], corner[3][3];
  double side_p = vb_volume6(t[0], t[1], t[2], p), side_q = vb_volume6(t[0], t[1], t[2], q);
  const double more = grow * (side_q - side_p);
  side_p -= more;
  side_q += more;
  if (!((side_p < 0 && side_q > 0) || (side_p > 0 && side_q < 0)))
    return false;
  for (int k = 0; k < 3; k++) {
    const double middle = (t[0][k] + t[1][k] + t[2][k]) / 3, on = grow * (q[k] - p[k]);
    end[0][k] = p[k] - on;
    end[1][k] = q[k] + on;
    for (int c = 0; c < 3; c++)
      corner[c][k] = t[c][k] + grow * (t[c][k] - middle);
  }
  double a = vb_volume6(end[0], end[1], corner[0], corner[1]);
  double b = vb_volume6(end[0], end[1], corner[1], corner[2]);
  double c = vb_volume6(end[0], end[1], corner[2], corner[0]);
  return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

/// Whether edge `c` of triangle `s`, if it has no corner of triangle `t`, goes through it.
static bool edge_pierces(const mesh *m, int32_t s, int c, int32_t t) {
  const int32_t *v = m->watch->triangle + 3 * (size_t)s, *w = m->watch->triangle + 3 * (size_t)t;
  const int32_t p = v[c], q = v[(c + 1) % 3];
  const double *corner[3];
  if (p == w[0] || p == w[1] || p == w[2] || q == w[0] || q == w[1] || q == w[2])
    return false;
  for (int k = 0; k < 3; k++)
    corner[k] = m->vertex + 3 * (size_t)w[k];
  return goes_through(m->vertex + 3 * (size_t)p, m->vertex + 3 * (size_t)q, corner, m->watch->grow);
}

static bool pierces(const mesh *m, int32_t s, int32_t t) {
  return edge_pierces(m, s, 0, t) || edge_pierces(m, s, 1, t) || edge_pierces(m, s, 2, t);
}

/// Whether a pair is found from triangle `t`, and not from `other`.
static bool is_turn(const mesh *m, int32_t t, int32_t other) {
  return other > t || (other < t && m->asked && !m->asked[other]);
}

/// A walk over the triangles whose boxes overlap that of triangle `t`, itself as well.
typedef struct walk {
  const vb_surface_watch *watch;
  int32_t t, stack[VB_BOX_TREE_DEPTH];
  int n; ///< nodes that wait
  int32_t item, end;
} walk;

static walk begin_walk(const vb_surface_watch *watch, int32_t t) {
  return (walk){.watch = watch, .t = t, .n = 1};
}

/// The next triangle; -1 where there is none.
static int32_t next_of(walk *w) {
  const vb_bounds *bounds = w->watch->bounds;
  for (;;) {
    while (w->item < w->end) {
      const int32_t other = w->watch->tree.item[w->item++];
      if (vb_bounds_overlap(&bounds[other], &bounds[w->t]))
        return other;
    }
    if (w->n == 0)
      return -1;
    const vb_box_node *node = &w->watch->tree.node[w->stack[--w->n]];
    if (!vb_bounds_overlap(&node->bounds, &bounds[w->t]))
      continue;
    if (node->count == 0) {
      w->stack[w->n++] = node->first;
      w->stack[w->n++] = node->first + 1;
    }
    w->item = node->first;
    w->end = node->first + node->count;
  }
}

/// Adds the pairs of triangle `t` with others. `*first` is the lowest of these.
static void count_from(const mesh *m, int32_t t, size_t *within, size_t *between, int32_t *first) {
  const int32_t *triangle = m->watch->triangle, *component = m->watch->component;
  walk w = begin_walk(m->watch, t);
  for (int32_t other; (other = next_of(&w)) >= 0;) {
    if (!is_turn(m, t, other) || !(pierces(m, t, other) || pierces(m, other, t)))
      continue;
    *first = other < *first ? other : *first;
    if (m->crosses) {
      __atomic_store_n(&m->crosses[t], true, __ATOMIC_RELAXED);
      __atomic_store_n(&m->crosses[other], true, __ATOMIC_RELAXED);
    }
    if (component[triangle[3 * (size_t)t]] == component[triangle[3 * (size_t)other]])
      (*within)++;
    else
      (*between)++;
  }
}

/// The boxes of the triangles. VB_BAD_INPUT where a coordinate is not finite.
static vb_status bound(const vb_surface_watch *w, const double *vertex, vb_error *error) {
  for (size_t i = 0; i < 3 * w->n_vertices; i++)
    if (!isfinite(vertex[i]))
      return vb_bad_input(error, "vertex %zu of a surface is not finite", i / 3);
  const int64_t n = (int64_t)w->n_triangles;
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < n; t++) {
    const double *x[3];
    for (size_t c = 0; c < 3; c++)
      x[c] = vertex + 3 * (size_t)w->triangle[3 * (size_t)t + c];
    for (int k = 0; k < 3; k++) { // not by fmin and fmax, which are calls
      const double low = x[1][k] < x[2][k] ? x[1][k] : x[2][k];
      const double high = x[1][k] > x[2][k] ? x[1][k] : x[2][k];
      w->bounds[t].low[k] = x[0][k] < low ? x[0][k] : low;
      w->bounds[t].high[k] = x[0][k] > high ? x[0][k] : high;
      const double more = w->grow * (w->bounds[t].high[k] - w->bounds[t].low[k]);
      w->bounds[t].low[k] -= more;
      w->bounds[t].high[k] += more;
    }
  }
  return VB_OK;
}

vb_status vb_surface_watch_create(const double *vertex, size_t n_vertices, const int32_t *triangle,
                                  size_t n_triangles, vb_surface_watch *out, vb_error *error) {
  *out = (vb_surface_watch){
      .triangle = triangle, .n_vertices = n_vertices, .n_triangles = n_triangles};
  VB_TAKE(&out->memory, out->bounds, n_triangles);
  VB_TAKE(&out->memory, out->component, n_vertices);
  vb_status status = vb_arena_status(&out->memory, error);
  if (!status)
    status = bound(out, vertex, error);
  if (status)
    return status;
  vb_surface_components(out->component, n_vertices, triangle, n_triangles);
  return vb_box_tree_build(out->bounds, n_triangles, &out->tree, error);
}

void vb_surface_watch_clear(vb_surface_watch *watch) {
  vb_box_tree_clear(&watch->tree);
  vb_arena_clear(&watch->memory);
}

/// Counts pairs where the boxes are up to date.
static vb_status count_all(const mesh *m, vb_surface_crossings *out, vb_error *error) {
  const int64_t n = (int64_t)m->watch->n_triangles;
  size_t within = 0, between = 0;
  int over = 0;
  int64_t first = INT64_MAX;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : within, between) reduction(min : first)
  for (int64_t t = 0; t < n; t++) {
    int32_t other = INT32_MAX;
    if (t % 8 == 0 && vb_time_limit_over())
      __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&over, __ATOMIC_RELAXED) || (m->asked && !m->asked[t]))
      continue;
    count_from(m, (int32_t)t, &within, &between, &other);
    if (other < INT32_MAX && t * n + other < first)
      first = t * n + other;
  }
  const bool any = within + between > 0;
  *out = (vb_surface_crossings){
      within, between, {any ? (int32_t)(first / n) : -1, any ? (int32_t)(first % n) : -1}};
  return over ? vb_time_limit_check(error) : VB_OK;
}

vb_status
vb_surface_watch_mark(vb_surface_watch *watch, const double *vertex, const bool *asked,
                      // NOLINTNEXTLINE(readability-non-const-parameter): written through the mesh
                      bool *crosses, vb_surface_crossings *out, vb_error *error) {
  const mesh m = {watch, vertex, asked, crosses};
  const vb_status status = bound(watch, vertex, error);
  if (status)
    return status;
  vb_box_tree_update(&watch->tree, watch->bounds);
  return count_all(&m, out, error);
}

vb_status vb_surface_crossings_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                                  size_t n_triangles, vb_surface_crossings *out, vb_error *error) {
  vb_surface_watch watch;
  const mesh m = {&watch, vertex, NULL, NULL};
  vb_status status =
      vb_surface_watch_create(vertex, n_vertices, triangle, n_triangles, &watch, error);
  if (!status)
    status = count_all(&m, out, error);
  vb_surface_watch_clear(&watch);
  return status;
}

/// The least cosine of an edge to a triangle's normal that counts: along the triangle an edge would
/// have to go far.
#define LEAST_COSINE 0.1

/// A vector's direction; zero for zero.
static void unit(double v[3]) {
  const double size = sqrt(vb_dot(v, v));
  for (int k = 0; k < 3; k++)
    v[k] = size > 0 ? v[k] / size : 0;
}

/// Adds the way of the two vertices of edge `c` of triangle `s`, which goes through triangle `t`,
/// and of the corners of this one. The edge ends, on `t`, the line that `s` and `t` have in common,
/// which runs from there along `line` in `s`. If the edge moves by d, the end moves by
/// d - edge (normal . d) / (normal . edge), and the line shortens by that along `line`.
static void add_direction(const mesh *m, int32_t s, int c, int32_t t, double (*direction)[3]) {
  const int32_t *v = m->watch->triangle + 3 * (size_t)s, *w = m->watch->triangle + 3 * (size_t)t;
  const double *p = m->vertex + 3 * (size_t)v[c], *o = m->vertex + 3 * (size_t)w[0];
  double edge[3], arm[3], side[2][3], own[3], normal[3], line[3], inward[3];
  vb_subtract(m->vertex + 3 * (size_t)v[(c + 1) % 3], p, edge);
  vb_subtract(m->vertex + 3 * (size_t)v[(c + 2) % 3], p, arm);
  vb_subtract(m->vertex + 3 * (size_t)w[1], o, side[0]);
  vb_subtract(m->vertex + 3 * (size_t)w[2], o, side[1]);
  vb_cross(edge, arm, own);
  vb_cross(side[0], side[1], normal);
  vb_cross(normal, own, line);
  vb_cross(own, edge, inward);
  unit(edge);
  unit(normal);
  unit(line);
  const double sign = vb_dot(inward, line) < 0 ? -1 : 1, cosine = vb_dot(edge, normal);
  const double slope =
      vb_dot(line, edge) / (fabs(cosine) < LEAST_COSINE ? copysign(LEAST_COSINE, cosine) : cosine);
  for (int k = 0; k < 3; k++) {
    const double half = 0.5 * sign * (line[k] - slope * normal[k]); // either side moves half
    for (int i = 0; i < 2; i++)
      direction[v[(c + i) % 3]][k] += half;
    for (int i = 0; i < 3; i++)
      direction[w[i]][k] -= half;
  }
}

/// Adds the ways of all edges of triangle `s` that go through triangle `t`.
static void add_directions(const mesh *m, int32_t s, int32_t t, double (*direction)[3]) {
  for (int c = 0; c < 3; c++)
    if (edge_pierces(m, s, c, t))
      add_direction(m, s, c, t, direction);
}

void vb_surface_watch_shorten(const vb_surface_watch *watch, const double *vertex,
                              const bool *crosses, double (*direction)[3]) {
  const mesh m = {watch, vertex, NULL, NULL};
  for (int32_t t = 0; t < (int32_t)watch->n_triangles; t++) {
    if (!crosses[t])
      continue;
    walk w = begin_walk(watch, t);
    for (int32_t s; (s = next_of(&w)) >= 0;)
      if (s != t && crosses[s])
        add_directions(&m, s, t, direction);
  }
}
