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
  free(slice->box);
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

/// Finds the boxes about the middles of samples.
static void bound_samples(vb_slice *slice) {
  for (size_t i = 0; i < slice->n; i++) {
    vb_slice_box *box = &slice->box[i / VB_SLICE_BLOCK];
    const bool first = i % VB_SLICE_BLOCK == 0;
    for (int k = 0; k < 3; k++) {
      const double x = slice->sample[i].x[k];
      box->low[k] = first || x < box->low[k] ? x : box->low[k];
      box->high[k] = first || x > box->high[k] ? x : box->high[k];
    }
  }
}

/// Makes the pieces of polygons.
static vb_status sample_all(const polygon *list, size_t n, double piece, vb_slice *out,
                            vb_error *error) {
  out->area = area_of(list, n);
  out->n = add_all(list, n, piece, NULL);
  out->sample = reallocarray(NULL, out->n + 1, sizeof *out->sample);
  out->middle = reallocarray(NULL, 3 * out->n + 1, sizeof *out->middle);
  out->box = reallocarray(NULL, out->n / VB_SLICE_BLOCK + 1, sizeof *out->box);
  if (!out->sample || !out->middle || !out->box)
    return vb_error_memory(error);
  add_all(list, n, piece, out->sample);
  for (size_t i = 0; i < out->n; i++)
    for (int k = 0; k < 3; k++) {
      out->middle[(size_t)k * out->n + i] = out->sample[i].x[k];
      out->center[k] += out->sample[i].x[k] * out->sample[i].area / out->area;
    }
  bound_samples(out);
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

/// The square of a distance that no point of the box is nearer to `x` than. Rounding is monotonic,
/// so that square_distances gives no less for any of them.
static double least_square(const vb_slice_box *box, const double x[3]) {
  double d[3];
  for (int k = 0; k < 3; k++) {
    const double below = box->low[k] - x[k], above = x[k] - box->high[k];
    d[k] = below > 0 ? below : above > 0 ? above : 0;
  }
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static size_t samples_of(const vb_slice *slice, size_t block) {
  const size_t left = slice->n - block * VB_SLICE_BLOCK;
  return left < VB_SLICE_BLOCK ? left : VB_SLICE_BLOCK;
}

/// The nearest sample to `x` of those in a block that are nearer than `*least`, and how near; or
/// `best`.
static size_t search_block(const vb_slice *slice, size_t block, const double x[3], double *least,
                           size_t best) {
  double distance[VB_SLICE_BLOCK];
  const size_t first = block * VB_SLICE_BLOCK, n = samples_of(slice, block);
  square_distances(slice->middle + first, slice->n, n, x, distance);
  for (size_t i = 0; i < n; i++)
    if (distance[i] < *least) {
      *least = distance[i];
      best = first + i;
    }
  return best;
}

/// The sample nearest to `x`, the first of several. Only blocks are looked at whose boxes are as
/// near as a sample of the nearest box.
static size_t nearest_sample(const vb_slice *slice, const double x[3], double *least) {
  const size_t n_blocks = (slice->n + VB_SLICE_BLOCK - 1) / VB_SLICE_BLOCK;
  size_t near = 0, best = 0;
  double nearest = INFINITY, most = INFINITY;
  for (size_t b = 0; b < n_blocks; b++) {
    const double bound = least_square(&slice->box[b], x);
    if (bound < nearest) {
      nearest = bound;
      near = b;
    }
  }
  if (n_blocks > 0)
    search_block(slice, near, x, &most, 0);
  *least = INFINITY;
  for (size_t b = 0; b < n_blocks; b++)
    if (least_square(&slice->box[b], x) <= most)
      best = search_block(slice, b, x, least, best);
  return best;
}

void vb_slice_project(const vb_slice *slice, const double x[3], double out[3]) {
  double least, off = 0;
  const size_t best = nearest_sample(slice, x, &least);
  const vb_slice_sample *s = &slice->sample[best];
  for (int k = 0; k < 3; k++)
    off += (x[k] - s->x[k]) * s->normal[k];
  // Within the piece's size its plane is the slice; beyond it is left.
  bool near = least - off * off <= 4 * s->area;
  for (int k = 0; k < 3; k++)
    out[k] = near ? x[k] - off * s->normal[k] : s->x[k];
}

/// Squares of distances between which those of `n` points from all samples of a box are, as
/// square_distances has them.
static void bound_distances(const vb_slice_box *box, const double *point, size_t n, double *low,
                            double *high) {
  memset(low, 0, n * sizeof *low);
  memset(high, 0, n * sizeof *high);
  for (int k = 0; k < 3; k++) {
    const double *x = point + (size_t)k * n, from = box->low[k], to = box->high[k];
#pragma omp simd
    for (size_t p = 0; p < n; p++) {
      const double below = from - x[p], above = x[p] - to;
      const double near = below > 0 ? below : above > 0 ? above : 0;
      const double far = below * below > above * above ? below : above;
      low[p] += near * near;
      high[p] += far * far;
    }
  }
}

/// Points among which is the nearest of each sample of a block: their numbers, in order, and their
/// coordinates by component. Returns how many there are. `room` is for 2 n.
static size_t gather_near(const vb_slice_box *box, const double *point, size_t n, int32_t *index,
                          double *out, double *room) {
  double *low = room, *high = room + n, most = INFINITY;
  size_t count = 0;
  bound_distances(box, point, n, low, high);
  for (size_t p = 0; p < n; p++)
    most = high[p] < most ? high[p] : most;
  for (size_t p = 0; p < n; p++)
    if (low[p] <= most)
      index[count++] = (int32_t)p;
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < count; i++)
      out[k * count + i] = point[k * n + (size_t)index[i]];
  return count;
}

/// Moves each of `n` points to the middle of its cell: `sum` has the moment and the area of each.
static void move_points(const vb_slice *slice, double (*point)[3], size_t n,
                        const double (*target)[3], double pull, const double *sum,
                        size_t farthest) {
  for (size_t p = 0; p < n; p++, sum += 4) {
    double x[3];
    for (int k = 0; k < 3; k++) {
      x[k] = sum[3] > 0 ? sum[k] / sum[3] : slice->sample[farthest].x[k];
      if (target)
        x[k] = (x[k] + pull * target[p][k]) / (1 + pull);
    }
    vb_slice_project(slice, x, point[p]);
  }
}

void vb_slice_relax(const vb_slice *slice, double (*point)[3], size_t n, const double (*target)[3],
                    double pull, double *room) {
  size_t farthest = 0, near = 0;
  double *sum = room, *by_component = room + 4 * n, *few = room + 7 * n, *bound = room + 10 * n;
  double *distance = bound, most = -1;
  void *last = room + 12 * n;
  int32_t *index = last;
  memset(sum, 0, 4 * n * sizeof *sum);
  for (size_t p = 0; p < n; p++)
    for (size_t k = 0; k < 3; k++)
      by_component[k * n + p] = point[p][k];
  for (size_t i = 0; i < slice->n; i++) {
    const vb_slice_sample *s = &slice->sample[i];
    double least = INFINITY;
    size_t owner = 0;
    if (i % 256 == 0 && vb_time_limit_over())
      return;
    if (i % VB_SLICE_BLOCK == 0)
      near = gather_near(&slice->box[i / VB_SLICE_BLOCK], by_component, n, index, few, bound);
    square_distances(few, near, near, s->x, distance);
    for (size_t p = 0; p < near; p++)
      if (distance[p] < least) {
        least = distance[p];
        owner = (size_t)index[p];
      }
    if (least > most) {
      most = least;
      farthest = i;
    }
    for (int k = 0; k < 3; k++)
      sum[4 * owner + (size_t)k] += s->area * s->x[k];
    sum[4 * owner + 3] += s->area;
  }
  move_points(slice, point, n, target, pull, sum, farthest);
}
