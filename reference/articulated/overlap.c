// SPDX-License-Identifier: GPL-3.0-or-later
#include "overlap.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Cells that a box of at most a cell's size reaches into, along each axis and in all.
enum { REACH = 2, CELLS = REACH * REACH * REACH };

static int32_t cell_of(const ar_cells *c, double x) {
  return (int32_t)fmax(fmin(floor(x / c->size), 1e9), -1e9);
}

static size_t bucket_of(const ar_cells *c, int32_t i, int32_t j, int32_t k) {
  uint32_t hash = ((uint32_t)i * 73856093U) ^ ((uint32_t)j * 19349663U) ^ ((uint32_t)k * 83492791U);
  return hash & (c->n - 1);
}

/// The buckets that the box of some nodes reaches into, CELLS of them; some may be the same.
static void buckets_of(const ar_cells *c, const double *x, const int32_t *node, int n,
                       size_t out[CELLS]) {
  int32_t low[3], high[3];
  for (int a = 0; a < 3; a++) {
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < n; k++) {
      least = fmin(least, x[3 * (size_t)node[k] + (size_t)a]);
      most = fmax(most, x[3 * (size_t)node[k] + (size_t)a]);
    }
    low[a] = cell_of(c, least);
    high[a] = cell_of(c, most);
  }
  for (int k = 0; k < CELLS; k++)
    out[k] =
        bucket_of(c, k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]);
}

/// Whether a bucket is among the first `n`.
static bool listed(const size_t *bucket, int n, size_t wanted) {
  int k = 0;
  while (k < n && bucket[k] != wanted)
    k++;
  return k < n;
}

/// Sorts the elements into cells: those of a bucket rise. `stride` bytes lie between their nodes.
static void fill_cells(const ar_cells *c, const double *x, const void *elements, size_t stride,
                       int n_nodes, size_t n) {
  const char *at = elements;
  size_t bucket[CELLS];
  memset(c->first, 0, (c->n + 1) * sizeof *c->first);
  for (int pass = 0; pass < 2; pass++) { // count, then put
    for (size_t i = n; i-- > 0;) {
      buckets_of(c, x, (const int32_t *)(const void *)(at + stride * i), n_nodes, bucket);
      for (int k = 0; k < CELLS; k++) {
        if (listed(bucket, k, bucket[k]))
          continue;
        if (pass == 0)
          c->first[bucket[k]]++;
        else
          c->element[--c->first[bucket[k]]] = (int32_t)i;
      }
    }
    for (size_t b = 0; pass == 0 && b < c->n; b++)
      c->first[b + 1] += c->first[b];
  }
}

/// The greatest extent of a tetrahedron along an axis.
static double extent_of(const vb_tetrahedron *t, size_t n, const double *x) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    for (int c = 1; c < 4; c++)
      for (int b = 0; b < c; b++)
        for (size_t a = 0; a < 3; a++)
          most =
              fmax(most, fabs(x[3 * (size_t)t[i].node[c] + a] - x[3 * (size_t)t[i].node[b] + a]));
  return most;
}

/// Whether a point is inside of a tetrahedron, which is not inverted, or on a side of it; and its
/// barycentric coordinates there.
static bool contains(const vb_tetrahedron *t, const double *x, const double p[3],
                     double weight[4]) {
  const double *a[4];
  for (int c = 0; c < 4; c++)
    a[c] = x + 3 * (size_t)t->node[c];
  double whole = vb_volume6(a[0], a[1], a[2], a[3]);
  weight[0] = vb_volume6(p, a[1], a[2], a[3]) / whole;
  weight[1] = vb_volume6(a[0], p, a[2], a[3]) / whole;
  weight[2] = vb_volume6(a[0], a[1], p, a[3]) / whole;
  weight[3] = vb_volume6(a[0], a[1], a[2], p) / whole;
  return whole > 0 && weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0 && weight[3] >= 0;
}

static int32_t body_of(const ar_overlap *o, int32_t node) {
  size_t n;
  return vb_scene_nodes(o->scene, &n)[node].body;
}

/// The first tetrahedron that node `i` is in, of those that it may meet.
static void find_inside(const ar_overlap *o, const double *x, int32_t i) {
  const ar_cells *c = &o->tetrahedra;
  const double *p = x + 3 * (size_t)i;
  size_t n, bucket = bucket_of(c, cell_of(c, p[0]), cell_of(c, p[1]), cell_of(c, p[2]));
  const vb_tetrahedron *t = vb_scene_tetrahedra(o->scene, &n);
  int32_t body = body_of(o, i);
  o->inside[i] = -1;
  o->depth[i] = 0;
  for (int32_t k = c->first[bucket]; k < c->first[bucket + 1] && o->inside[i] < 0; k++) {
    const int32_t *node = t[c->element[k]].node;
    bool meets = body_of(o, node[0]) != body ||
                 (o->own && node[0] != i && node[1] != i && node[2] != i && node[3] != i);
    if (meets && contains(&t[c->element[k]], x, p, o->weight[i]))
      o->inside[i] = c->element[k];
  }
}

/// The body that node `i` is inside of, or -1.
static int32_t body_around(const ar_overlap *o, int32_t i) {
  size_t n;
  const vb_tetrahedron *t = vb_scene_tetrahedra(o->scene, &n);
  return o->inside[i] < 0 ? -1 : body_of(o, t[o->inside[i]].node[0]);
}

/// Where the edge from `out`, outside, to `in` enters through a side, as a part of it, and the
/// normal there; 2 where it does not.
static double enters(const ar_side *s, const double *x, const double out[3], const double in[3],
                     double normal[3]) {
  const double *a = x + 3 * (size_t)s->node[0], *b = x + 3 * (size_t)s->node[1],
               *c = x + 3 * (size_t)s->node[2];
  double u[3], v[3], w[3], area;
  vb_subtract(b, a, u);
  vb_subtract(c, a, v);
  vb_subtract(out, a, w);
  vb_cross(u, v, normal);
  area = sqrt(vb_dot(normal, normal));
  for (int k = 0; k < 3; k++)
    normal[k] = area > 0 ? normal[k] / area : 0;
  double above = vb_dot(w, normal);
  vb_subtract(in, a, w);
  double below = vb_dot(w, normal);
  // By the signs of volumes: the edge passes all three lines around the side on the same hand.
  bool through = above >= 0 && below < 0 && vb_volume6(out, in, a, b) <= 0 &&
                 vb_volume6(out, in, b, c) <= 0 && vb_volume6(out, in, c, a) <= 0;
  return through ? above / (above - below) : 2;
}

/// Where the edge from `out` to node `in` first enters the body around that: the point, and the
/// normal. False where no side is crossed.
static bool find_entry(const ar_overlap *o, const double *x, int32_t out, int32_t in,
                       double point[3], double normal[3]) {
  const double *from = x + 3 * (size_t)out, *to = x + 3 * (size_t)in;
  const ar_cells *c = &o->sides;
  size_t bucket[CELLS];
  double best = 2, n[3];
  buckets_of(c, x, (const int32_t[]){out, in}, 2, bucket);
  for (int b = 0; b < CELLS; b++)
    for (int32_t k = c->first[bucket[b]]; k < c->first[bucket[b] + 1]; k++) {
      const ar_side *s = &o->side[c->element[k]];
      bool touches = false;
      for (int d = 0; d < 3; d++)
        touches = touches || s->node[d] == in || s->node[d] == out;
      if (touches || body_of(o, s->node[0]) != body_around(o, in))
        continue;
      double part = enters(s, x, from, to, n);
      if (part >= best)
        continue;
      best = part;
      memcpy(normal, n, sizeof n);
    }
  for (int k = 0; k < 3; k++)
    point[k] = from[k] + best * (to[k] - from[k]);
  return best < 2;
}

/// Takes the means of depths and directions that were summed with weights; false where there were
/// none.
static bool take_means(const ar_overlap *o, int32_t i, double weights, double depth,
                       double direction[3]) {
  double size = sqrt(vb_dot(direction, direction));
  if (!(weights > 0) || !(size > 0))
    return false;
  o->depth[i] = depth / weights;
  for (int k = 0; k < 3; k++)
    o->direction[i][k] = direction[k] / size;
  return true;
}

/// A node inside with neighbors outside: by where their edges enter.
static void find_border(const ar_overlap *o, const double *x, int32_t i) {
  double weights = 0, depth = 0, direction[3] = {0};
  for (int32_t k = o->first[i]; o->inside[i] >= 0 && k < o->first[i + 1]; k++) {
    double point[3], normal[3], arm[3];
    int32_t out = o->neighbor[k];
    if (body_around(o, out) == body_around(o, i) || !find_entry(o, x, out, i, point, normal))
      continue;
    vb_subtract(point, x + 3 * (size_t)i, arm);
    if (!(vb_dot(arm, arm) > 0)) // on the surface, no deeper
      continue;
    double weight = 1 / vb_dot(arm, arm);
    weights += weight;
    depth += weight * vb_dot(arm, normal);
    vb_add_scaled(direction, weight, normal, direction);
  }
  if (take_means(o, i, weights, depth, direction))
    o->round[i] = 1;
}

/// A node further inside: by its neighbors of earlier rounds. Whether it was one.
static bool find_deeper(const ar_overlap *o, const double *x, int32_t i, int32_t round) {
  double weights = 0, depth = 0, direction[3] = {0};
  if (o->inside[i] < 0 || o->round[i] > 0)
    return false;
  for (int32_t k = o->first[i]; k < o->first[i + 1]; k++) {
    int32_t j = o->neighbor[k];
    double arm[3];
    if (o->round[j] == 0 || o->round[j] == round || body_around(o, j) != body_around(o, i))
      continue;
    vb_subtract(x + 3 * (size_t)j, x + 3 * (size_t)i, arm);
    double weight = 1 / vb_dot(arm, arm);
    weights += weight;
    depth += weight * (vb_dot(arm, o->direction[j]) + o->depth[j]);
    vb_add_scaled(direction, weight, o->direction[j], direction);
  }
  bool found = take_means(o, i, weights, depth, direction);
  if (found)
    o->round[i] = round;
  return found;
}

int32_t ar_overlap_locate(const ar_overlap *overlap, const double *x, int threads) {
  ar_overlap o = *overlap; // its arrays are the same
  size_t n_tetrahedra;
  const vb_tetrahedron *t = vb_scene_tetrahedra(o.scene, &n_tetrahedra);
  int32_t n = (int32_t)o.n_nodes, found = 0;
  // Somewhat more than the extent, which rounding may move across another cell's end.
  o.tetrahedra.size = 1.001 * extent_of(t, n_tetrahedra, x);
  if (!(o.tetrahedra.size > 0) || !isfinite(o.tetrahedra.size)) {
    for (int32_t i = 0; i < n; i++)
      o.inside[i] = -1;
    return 0;
  }
  fill_cells(&o.tetrahedra, x, t->node, sizeof *t, 4, n_tetrahedra);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : found)
  for (int32_t i = 0; i < n; i++) {
    find_inside(&o, x, i);
    found += o.inside[i] >= 0;
  }
  return found;
}

void ar_overlap_find(const ar_overlap *overlap, const double *x, int threads) {
  ar_overlap o = *overlap; // its arrays are the same
  size_t n_tetrahedra;
  const vb_tetrahedron *t = vb_scene_tetrahedra(o.scene, &n_tetrahedra);
  int32_t n = (int32_t)o.n_nodes;
  memset(o.round, 0, o.n_nodes * sizeof *o.round);
  if (ar_overlap_locate(overlap, x, threads) == 0)
    return;
  o.sides.size = 1.001 * extent_of(t, n_tetrahedra, x);
  fill_cells(&o.sides, x, o.side->node, sizeof *o.side, 3, o.n_sides);
  for (int32_t i = 0; i < n; i++)
    find_border(&o, x, i);
  int32_t more = 1;
  for (int32_t round = 2; more > 0; round++) {
    more = 0;
    for (int32_t i = 0; i < n; i++)
      more += find_deeper(&o, x, i, round);
  }
}

/// Whether node `i` came through a side: it was in front, but for `slack`, and is no further from
/// the side's nearest point, whose weights are `weight`, than it moved against that.
static bool came_through(const ar_side *side, const double *x, const double *before, double slack,
                         int32_t i, const double weight[3], double square) {
  double unused[3], normal[3], arm[3], way[3];
  ar_side_distance(side, before, before + 3 * (size_t)i, unused, normal);
  vb_subtract(before + 3 * (size_t)side->node[0], before + 3 * (size_t)i, arm);
  vb_subtract(x + 3 * (size_t)i, before + 3 * (size_t)i, way);
  for (int k = 0; k < 3; k++) {
    size_t j = 3 * (size_t)side->node[k];
    vb_add_scaled(way, -weight[k], x + j, way);
    vb_add_scaled(way, weight[k], before + j, way);
  }
  return vb_dot(arm, normal) <= slack && sqrt(square) <= sqrt(vb_dot(way, way)) + slack;
}

int32_t ar_overlap_nearest(const ar_overlap *o, const double *x, const double *before, double slack,
                           int32_t i, double weight[3], double normal[3], double *depth) {
  double least = INFINITY, part[3], out[3], arm[3];
  int32_t best = -1;
  bool entered = false; // through the best
  for (size_t k = 0; k < o->n_sides; k++) {
    const ar_side *s = &o->side[k];
    if (body_of(o, s->node[0]) != body_around(o, i) || s->node[0] == i || s->node[1] == i ||
        s->node[2] == i)
      continue;
    double square = ar_side_distance(s, x, x + 3 * (size_t)i, part, out);
    vb_subtract(x + 3 * (size_t)s->node[0], x + 3 * (size_t)i, arm);
    double below = vb_dot(arm, out);
    if (below < 0 || (entered && square >= least))
      continue;
    bool enters_here = before && came_through(s, x, before, slack, i, part, square);
    if ((entered && !enters_here) || (enters_here == entered && square >= least))
      continue;
    entered = enters_here;
    least = square;
    best = (int32_t)k;
    *depth = below;
    memcpy(weight, part, sizeof part);
    memcpy(normal, out, sizeof out);
  }
  return best;
}

static int compare_pairs(const void *a, const void *b) {
  const int32_t *p = a, *q = b;
  int c = p[0] == q[0];
  return (p[c] > q[c]) - (p[c] < q[c]);
}

/// Lists the nodes that share edges.
static vb_status list_neighbors(ar_overlap *o, vb_error *error) {
  size_t n_tetrahedra, n = 0;
  const vb_tetrahedron *t = vb_scene_tetrahedra(o->scene, &n_tetrahedra);
  int32_t(*pair)[2] = reallocarray(NULL, 12 * n_tetrahedra + 1, sizeof *pair);
  o->first = calloc(o->n_nodes + 1, sizeof *o->first);
  o->neighbor = reallocarray(NULL, 12 * n_tetrahedra + 1, sizeof *o->neighbor);
  if (!pair || !o->first || !o->neighbor) {
    free(pair);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < n_tetrahedra; i++)
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        if (a != b) {
          pair[n][0] = t[i].node[a];
          pair[n++][1] = t[i].node[b];
        }
  qsort(pair, n, sizeof *pair, compare_pairs);
  int32_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || compare_pairs(pair[i], pair[i - 1]) != 0) {
      o->neighbor[kept++] = pair[i][1];
      o->first[pair[i][0] + 1] = kept;
    }
  for (size_t i = 0; i < o->n_nodes; i++) // of nodes without an edge, too
    o->first[i + 1] = o->first[i + 1] > o->first[i] ? o->first[i + 1] : o->first[i];
  free(pair);
  return VB_OK;
}

static vb_status make_cells(ar_cells *c, size_t n, vb_error *error) {
  for (c->n = 16; c->n < 2 * n;)
    c->n *= 2;
  c->first = reallocarray(NULL, c->n + 1, sizeof *c->first);
  c->element = reallocarray(NULL, CELLS * n + 1, sizeof *c->element);
  return c->first && c->element ? VB_OK : vb_error_memory(error);
}

vb_status ar_overlap_create(const vb_scene *scene, ar_overlap *out, vb_error *error) {
  size_t n;
  ar_overlap o = {.scene = scene,
                  .n_nodes = vb_scene_count(scene, VB_SET_NODE),
                  .own = vb_scene_contact(scene)->self != 0};
  vb_scene_tetrahedra(scene, &n);
  o.inside = calloc(o.n_nodes + 1, sizeof *o.inside);
  o.weight = calloc(o.n_nodes + 1, sizeof *o.weight);
  o.depth = calloc(o.n_nodes + 1, sizeof *o.depth);
  o.direction = calloc(o.n_nodes + 1, sizeof *o.direction);
  o.round = calloc(o.n_nodes + 1, sizeof *o.round);
  vb_status status =
      o.inside && o.weight && o.depth && o.direction && o.round ? VB_OK : vb_error_memory(error);
  if (!status)
    status = list_neighbors(&o, error);
  if (!status)
    status = ar_surface_create(scene, &o.side, &o.n_sides, error);
  if (!status)
    status = make_cells(&o.tetrahedra, n, error);
  if (!status)
    status = make_cells(&o.sides, o.n_sides, error);
  *out = o;
  return status;
}

void ar_overlap_clear(ar_overlap *o) {
  free(o->side);
  free(o->tetrahedra.first);
  free(o->tetrahedra.element);
  free(o->sides.first);
  free(o->sides.element);
  free(o->first);
  free(o->neighbor);
  free(o->inside);
  free(o->weight);
  free(o->depth);
  free(o->direction);
  free(o->round);
  *o = (ar_overlap){0};
}
