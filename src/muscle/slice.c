// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/slice.h"

#include "base/components.h"
#include "base/time_limit.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void vb_slice_clear(vb_slice *slice) {
  free(slice->sample);
  free(slice->middle);
  *slice = (vb_slice){0};
}

/// A polygon where a tetrahedron is cut: its corners lie on edges of the mesh.
typedef struct polygon {
  int n;
  double x[4][3];
  size_t tetrahedron;
} polygon;

static void cut_edge(const vb_mesh *m, const double *field, double level, int32_t a, int32_t b,
                     polygon *p) {
  int32_t low = a < b ? a : b, high = a < b ? b : a;
  double t = (level - field[low]) / (field[high] - field[low]);
  for (int i = 0; i < 3; i++)
    p->x[p->n][i] = (1 - t) * m->vertex[low][i] + t * m->vertex[high][i];
  p->n++;
}

/// The cut through tetrahedron `k`; n is 0 where there is none.
static polygon cut(const vb_mesh *m, const double *field, double level, size_t k) {
  const int32_t *t = m->tetrahedron[k];
  int32_t below[4], above[4];
  int n_below = 0, n_above = 0;
  polygon p = {.tetrahedron = k};
  for (int c = 0; c < 4; c++)
    if (field[t[c]] < level)
      below[n_below++] = t[c];
    else
      above[n_above++] = t[c];
  if (n_below == 2) { // around the quadrangle
    static const int order[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    for (int c = 0; c < 4; c++)
      cut_edge(m, field, level, below[order[c][0]], above[order[c][1]], &p);
  } else if (n_below && n_above)
    for (int i = 0; i < n_below; i++)
      for (int j = 0; j < n_above; j++)
        cut_edge(m, field, level, below[i], above[j], &p);
  return p;
}

/// Twice the area of a triangle, and its unit normal.
static double area2(const double a[3], const double b[3], const double c[3], double normal[3]) {
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  vb_cross(u, v, normal);
  double size = sqrt(vb_dot(normal, normal));
  for (int i = 0; i < 3; i++)
    normal[i] = size > 0 ? normal[i] / size : 0;
  return size;
}

/// Adds a triangle in m x m equal pieces; to no list where that is null. Returns their number.
static size_t add_triangle(vb_slice_sample *list, const double a[3], const double b[3],
                           const double c[3], double piece) {
  double normal[3], area = area2(a, b, c, normal) / 2;
  if (!(area > 0))
    return 0;
  int m = (int)fmin(ceil(sqrt(area / piece)), 200);
  size_t n = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 2 * (m - i) - 1; j++, n++) {
      if (!list)
        continue;
      // Pieces point up at even j, down at odd j.
      double center = (j % 2 ? 2.0 : 1.0) / 3, v = ((j - j % 2) / 2.0 + center) / m,
             u = (i + center) / m;
      for (int k = 0; k < 3; k++)
        list[n].x[k] = a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]);
      memcpy(list[n].normal, normal, sizeof normal);
      list[n].area = area / ((double)m * m);
    }
  return n;
}

/// Adds all polygons, fans of triangles; returns how many pieces.
static size_t add_all(const polygon *list, size_t n, double piece, vb_slice_sample *out) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    for (int c = 2; c < list[i].n; c++)
      count += add_triangle(out ? out + count : NULL, list[i].x[0], list[i].x[c - 1], list[i].x[c],
                            piece);
  return count;
}

/// Joins edges of the mesh that a polygon connects.
static void join_cut(const vb_mesh *mesh, const double *field, double level, const polygon *list,
                     size_t n, vb_edges *edges) {
  for (size_t i = 0; i < edges->n; i++)
    edges->parent[i] = (int32_t)i;
  for (size_t i = 0; i < n; i++) {
    size_t k = list[i].tetrahedron;
    int32_t first = -1;
    for (int e = 0; e < 6; e++) {
      bool a = field[mesh->tetrahedron[k][vb_edge_corner[e][0]]] < level;
      bool b = field[mesh->tetrahedron[k][vb_edge_corner[e][1]]] < level;
      if (a == b)
        continue;
      if (first >= 0)
        vb_component_join(edges->parent, first, edges->of[k][e]);
      else
        first = edges->of[k][e];
    }
  }
}

/// An edge that a polygon's part cuts, the least of the component.
static int32_t part_edge(const vb_mesh *mesh, const double *field, double level, const polygon *p,
                         const vb_edges *edges) {
  size_t k = p->tetrahedron;
  int e = 0;
  while ((field[mesh->tetrahedron[k][vb_edge_corner[e][0]]] < level) ==
         (field[mesh->tetrahedron[k][vb_edge_corner[e][1]]] < level))
    e++;
  return vb_component_of(edges->parent, edges->of[k][e]);
}

static double area_of(const polygon *list, size_t n) {
  double normal[3], sum = 0;
  for (size_t i = 0; i < n; i++)
    for (int c = 2; c < list[i].n; c++)
      sum += area2(list[i].x[0], list[i].x[c - 1], list[i].x[c], normal) / 2;
  return sum;
}

/// Makes the pieces of polygons.
static vb_status sample_all(const polygon *list, size_t n, double piece, vb_slice *out,
                            vb_error *error) {
  out->area = area_of(list, n);
  out->n = add_all(list, n, piece, NULL);
  out->sample = reallocarray(NULL, out->n + 1, sizeof *out->sample);
  out->middle = reallocarray(NULL, 3 * out->n + 1, sizeof *out->middle);
  if (!out->sample || !out->middle)
    return vb_error_memory(error);
  add_all(list, n, piece, out->sample);
  for (size_t i = 0; i < out->n; i++)
    for (int k = 0; k < 3; k++) {
      out->middle[(size_t)k * out->n + i] = out->sample[i].x[k];
      out->center[k] += out->sample[i].x[k] * out->sample[i].area / out->area;
    }
  return VB_OK;
}

/// The order of polygons by part, of parts by their first polygon.
typedef struct place {
  int32_t first, index; ///< the first polygon of its part; its own
  int32_t edge;
} place;

static int by_part(const void *left, const void *right) {
  const place *a = left, *b = right;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/// Sorts polygons by part, keeping their order in each; `at` gets their parts, and `room` is for n.
static void sort_parts(const vb_mesh *mesh, const double *field, double level, vb_edges *edges,
                       polygon *list, size_t n, place *at, polygon *room) {
  join_cut(mesh, field, level, list, n, edges);
  for (size_t i = 0; i < n; i++) {
    at[i].index = (int32_t)i;
    at[i].edge = part_edge(mesh, field, level, &list[i], edges);
  }
  for (size_t i = n; i-- > 0;) // the last to be written is the first: there, parents are free now
    edges->parent[at[i].edge] = (int32_t)i;
  for (size_t i = 0; i < n; i++)
    at[i].first = edges->parent[at[i].edge];
  qsort(at, n, sizeof *at, by_part);
  memcpy(room, list, n * sizeof *list);
  for (size_t i = 0; i < n; i++)
    list[i] = room[at[i].index];
}

/// Makes a slice of each part.
static vb_status make_parts(const polygon *list, const place *at, size_t n, double piece,
                            vb_slice **out, size_t *n_out, vb_error *error) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += i == 0 || at[i].first != at[i - 1].first;
  vb_slice *slice = calloc(count, sizeof *slice);
  vb_status status = slice ? VB_OK : vb_error_memory(error);
  size_t part = 0;
  for (size_t begin = 0, end; !status && begin < n; begin = end, part++) {
    for (end = begin; end < n && at[end].first == at[begin].first;)
      end++;
    slice[part].edge = at[begin].edge;
    status = sample_all(list + begin, end - begin, piece, &slice[part], error);
  }
  for (size_t i = 0; status && slice && i < count; i++)
    vb_slice_clear(&slice[i]);
  if (status) {
    free(slice);
    return status;
  }
  *out = slice;
  *n_out = count;
  return VB_OK;
}

vb_status vb_slice_make(const vb_mesh *mesh, const double *field, double level, size_t n_samples,
                        vb_edges *edges, vb_slice **out, size_t *n_out, vb_error *error) {
  size_t most = mesh->n_tetrahedra + 1, n = 0;
  polygon *list = reallocarray(NULL, 2 * most, sizeof *list);
  place *at = reallocarray(NULL, most, sizeof *at);
  vb_status status = list && at ? VB_OK : vb_error_memory(error);
  for (size_t k = 0; !status && k < mesh->n_tetrahedra; k++) {
    list[n] = cut(mesh, field, level, k);
    n += list[n].n > 0;
  }
  if (!status && n == 0)
    status = vb_bad_input(error, "the slice at %.3g of the way is empty", level);
  double area = status ? 0 : area_of(list, n);
  if (!status && !(area > 0))
    status = vb_bad_input(error, "a slice has no area");
  if (!status) {
    sort_parts(mesh, field, level, edges, list, n, at, list + most);
    status = make_parts(list, at, n, area / (double)n_samples, out, n_out, error);
  }
  free(list);
  free(at);
  return status;
}

vb_status vb_viperize_slice(const vb_mesh *mesh, const double *field, double level, vb_mesh *out,
                            vb_error *error) {
  size_t n = 0, most = 2 * mesh->n_tetrahedra + 1; // a quadrangle at most of each
  *out = (vb_mesh){.vertex = reallocarray(NULL, 3 * most, sizeof *out->vertex),
                   .triangle = reallocarray(NULL, most, sizeof *out->triangle)};
  if (!out->vertex || !out->triangle) {
    vb_mesh_clear(out);
    return vb_error_memory(error);
  }
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    polygon p = cut(mesh, field, level, k);
    for (int c = 2; c < p.n; c++, n++)
      for (int i = 0; i < 3; i++) {
        memcpy(out->vertex[3 * n + (size_t)i], p.x[i ? c - 2 + i : 0], sizeof *out->vertex);
        out->triangle[n][i] = (int32_t)(3 * n) + i;
      }
  }
  out->n_triangles = n;
  out->n_vertices = 3 * n;
  return VB_OK;
}

/// Squared distances of `n` points from `x`, many at once; the components of the points lie
/// `stride` apart.
static void square_distances(const double *point, size_t stride, size_t n, const double x[3],
                             double *out) {
  const double *a = point, *b = a + stride, *c = b + stride;
#pragma omp simd
  for (size_t i = 0; i < n; i++) {
    double u = a[i] - x[0], v = b[i] - x[1], w = c[i] - x[2];
    out[i] = u * u + v * v + w * w;
  }
}

void vb_slice_project(const vb_slice *slice, const double x[3], double out[3]) {
  enum { BLOCK = 128 };
  size_t best = 0;
  double least = INFINITY, off = 0, distance[BLOCK];
  for (size_t i = 0; i < slice->n; i += BLOCK) {
    size_t n = slice->n - i < BLOCK ? slice->n - i : BLOCK;
    square_distances(slice->middle + i, slice->n, n, x, distance);
    for (size_t k = 0; k < n; k++)
      if (distance[k] < least) {
        least = distance[k];
        best = i + k;
      }
  }
  const vb_slice_sample *s = &slice->sample[best];
  for (int k = 0; k < 3; k++)
    off += (x[k] - s->x[k]) * s->normal[k];
  // Within the piece's size its plane is the slice; beyond it is left.
  bool near = least - off * off <= 4 * s->area;
  for (int k = 0; k < 3; k++)
    out[k] = near ? x[k] - off * s->normal[k] : s->x[k];
}

void vb_slice_relax(const vb_slice *slice, double (*point)[3], size_t n, const double (*target)[3],
                    double pull, int32_t *owner, double *room) {
  size_t farthest = 0;
  double most = -1, *by_component = room + 4 * n, *distance = room + 7 * n;
  memset(room, 0, 4 * n * sizeof *room);
  for (size_t p = 0; p < n; p++)
    for (size_t k = 0; k < 3; k++)
      by_component[k * n + p] = point[p][k];
  for (size_t i = 0; i < slice->n; i++) {
    const vb_slice_sample *s = &slice->sample[i];
    double least = INFINITY;
    if (i % 256 == 0 && vb_time_limit_over())
      return;
    square_distances(by_component, n, n, s->x, distance);
    for (size_t p = 0; p < n; p++)
      if (distance[p] < least) {
        least = distance[p];
        owner[i] = (int32_t)p;
      }
    if (least > most) {
      most = least;
      farthest = i;
    }
    double *sum = room + 4 * (size_t)owner[i];
    for (int k = 0; k < 3; k++)
      sum[k] += s->area * s->x[k];
    sum[3] += s->area;
  }
  for (size_t p = 0; p < n; p++) {
    const double *sum = room + 4 * p;
    double x[3];
    for (int k = 0; k < 3; k++) {
      x[k] = sum[3] > 0 ? sum[k] / sum[3] : slice->sample[farthest].x[k];
      if (target)
        x[k] = (x[k] + pull * target[p][k]) / (1 + pull);
    }
    vb_slice_project(slice, x, point[p]);
  }
}
