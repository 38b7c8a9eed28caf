// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/shapes.h"

#include "scene/rotation.h"

#include <stdlib.h>

/// Cosine of the angle between a triangle and the mean at its corner from which on it is shown
/// flat.
#define SHARP 0.75

/// A vector along the normal of triangle `t`, twice as long as its area.
static void cross_sides(const vb_shapes *s, size_t t, double normal[3]) {
  const double *x = s->vertex[s->triangle[t][0]];
  double e[3], f[3];
  vb_subtract(s->vertex[s->triangle[t][1]], x, e);
  vb_subtract(s->vertex[s->triangle[t][2]], x, f);
  vb_cross(e, f, normal);
}

/// Vertex normals: the mean of the triangles' ones, weighted by area.
static vb_status make_normals(vb_shapes *s, vb_error *error) {
  if (!VB_TAKE(&s->memory, s->normal, s->n_vertices))
    return vb_error_memory(error);
  for (size_t t = 0; t < s->n_triangles; t++) {
    double n[3];
    cross_sides(s, t, n);
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++)
        s->normal[s->triangle[t][c]][k] += n[k];
  }
  for (size_t i = 0; i < s->n_vertices; i++) {
    double size = sqrt(vb_dot(s->normal[i], s->normal[i]));
    for (int k = 0; k < 3; k++)
      s->normal[i][k] = size > 0 ? s->normal[i][k] / size : 0;
  }
  return VB_OK;
}

vb_status vb_shapes_prepare(vb_shapes *s, vb_error *error) {
  size_t n = s->n_capsules + s->n_triangles;
  vb_box_tree tree;
  vb_status status = make_normals(s, error);
  if (status)
    return status;
  vb_bounds *bounds = reallocarray(NULL, n + 1, sizeof *bounds);
  if (!bounds)
    return vb_error_memory(error);
  for (size_t i = 0; i < s->n_capsules; i++)
    bounds[i] = vb_capsule_bounds(&s->capsule[i]);
  for (size_t t = 0; t < s->n_triangles; t++) {
    vb_bounds *b = &bounds[s->n_capsules + t];
    *b = vb_bounds_none();
    for (int c = 0; c < 3; c++)
      vb_bounds_grow(b, s->vertex[s->triangle[t][c]], 0);
  }
  status = vb_box_tree_build(bounds, n, &tree, error);
  free(bounds);
  if (status)
    return status;
  vb_box_tree_clear(&s->tree);
  s->tree = tree;
  return VB_OK;
}

void vb_shapes_clear(vb_shapes *s) {
  vb_arena_clear(&s->memory);
  vb_box_tree_clear(&s->tree);
  *s = (vb_shapes){0};
}

/// Where a ray meets triangle `t`: distance, and the shares of its second and third corner. By
/// Cramer's rule for origin + distance direction = x0 + u (x1 - x0) + v (x2 - x0).
static double intersect_triangle(const vb_shapes *s, size_t t, const vb_ray *ray, double uv[2]) {
  const double *x = s->vertex[s->triangle[t][0]], *y = s->vertex[s->triangle[t][1]];
  const double *z = s->vertex[s->triangle[t][2]];
  double e[3], f[3], from[3], p[3], q[3];
  vb_subtract(y, x, e);
  vb_subtract(z, x, f);
  vb_subtract(ray->origin, x, from);
  vb_cross(ray->direction, f, p);
  vb_cross(from, e, q);
  double volume = vb_dot(e, p);
  uv[0] = vb_dot(from, p) / volume; // seen edge on: not a number
  uv[1] = vb_dot(ray->direction, q) / volume;
  double distance = vb_dot(f, q) / volume;
  return uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] <= 1 && distance >= 0 ? distance : INFINITY;
}

static double intersect_item(const vb_shapes *s, int32_t item, const vb_ray *ray) {
  double uv[2];
  return (size_t)item < s->n_capsules
             ? vb_capsule_intersect(&s->capsule[item], ray, 0)
             : intersect_triangle(s, (size_t)item - s->n_capsules, ray, uv);
}

/// Distance to the box, 0 inside it; infinite where the ray misses it. A ray within a side's plane
/// counts as in the box.
static inline double intersect_box(const vb_bounds *b, const vb_ray *ray, const double inverse[3]) {
  double near = 0, far = INFINITY;
  for (int k = 0; k < 3; k++) {
    double s = (b->low[k] - ray->origin[k]) * inverse[k];
    double t = (b->high[k] - ray->origin[k]) * inverse[k];
    double first = s < t ? s : t, last = s < t ? t : s;
    near = first > near ? first : near;
    far = last < far ? last : far;
  }
  return near <= far ? near : INFINITY;
}

/// A node that waits to be looked at, and the distance to its box.
typedef struct waiting_node {
  int32_t node;
  double distance;
} waiting_node;

/// Puts the two nodes below a node aside, the nearer one on top.
static int put_aside(const vb_box_tree *tree, const vb_box_node *node, const vb_ray *ray,
                     const double inverse[3], waiting_node *stack, int n) {
  double a = intersect_box(&tree->node[node->first].bounds, ray, inverse);
  double b = intersect_box(&tree->node[node->first + 1].bounds, ray, inverse);
  bool swap = b < a;
  if ((swap ? a : b) < INFINITY)
    stack[n++] = (waiting_node){node->first + !swap, swap ? a : b};
  if ((swap ? b : a) < INFINITY)
    stack[n++] = (waiting_node){node->first + swap, swap ? b : a};
  return n;
}

/// The first item (or just any, where `any`) that the ray meets, or -1, and its distance.
static int32_t search(const vb_shapes *s, const vb_ray *ray, bool any, double *distance) {
  double inverse[3], best = INFINITY;
  waiting_node stack[VB_BOX_TREE_DEPTH];
  int32_t found = -1;
  int n = s->tree.n_items > 0;
  stack[0] = (waiting_node){0, 0};
  for (int k = 0; k < 3; k++)
    inverse[k] = 1 / ray->direction[k];
  while (n > 0 && !(any && found >= 0)) {
    waiting_node next = stack[--n];
    const vb_box_node *node = &s->tree.node[next.node];
    if (next.distance > best)
      continue;
    if (node->count == 0)
      n = put_aside(&s->tree, node, ray, inverse, stack, n);
    for (int32_t i = 0; i < node->count; i++) {
      int32_t item = s->tree.item[node->first + i];
      double d = intersect_item(s, item, ray);
      if (d < best || (d == best && d < INFINITY && item < found)) {
        best = d;
        found = item;
      }
    }
  }
  *distance = best;
  return found;
}

static void describe_triangle(const vb_shapes *s, const vb_ray *ray, vb_hit *hit) {
  double uv[2], face[3];
  size_t t = (size_t)hit->item - s->n_capsules;
  intersect_triangle(s, t, ray, uv);
  cross_sides(s, t, face);
  double area = sqrt(vb_dot(face, face));
  for (int k = 0; k < 3; k++)
    face[k] /= area; // which is not zero: the ray meets it
  memcpy(hit->share, (double[3]){1 - uv[0] - uv[1], uv[0], uv[1]}, sizeof hit->share);
  const double *share = hit->share;
  hit->value = 0;
  memset(hit->normal, 0, sizeof hit->normal);
  for (int c = 0; c < 3; c++) {
    const double *smooth = s->normal[s->triangle[t][c]];
    bool sharp = vb_dot(smooth, face) < SHARP;
    hit->value += share[c] * s->value[s->triangle[t][c]];
    for (int k = 0; k < 3; k++)
      hit->normal[k] += share[c] * (sharp ? face[k] : smooth[k]);
  }
  double size = sqrt(vb_dot(hit->normal, hit->normal));
  double sign = vb_dot(hit->normal, ray->direction) > 0 ? -1 : 1;
  for (int k = 0; k < 3; k++)
    hit->normal[k] = size > 0 ? sign * hit->normal[k] / size : -ray->direction[k];
  sign = vb_dot(face, ray->direction) > 0 ? -1 : 1;
  for (int k = 0; k < 3; k++)
    hit->face[k] = sign * face[k];
  hit->appearance = s->triangle_appearance ? s->triangle_appearance[t] : VB_APPEARANCE_SOLID;
}

static void describe_capsule(const vb_shapes *s, const vb_ray *ray, vb_hit *hit) {
  double x[3], place;
  const double *value = s->capsule_value[hit->item];
  vb_add_scaled(ray->origin, hit->distance, ray->direction, x);
  vb_capsule_distance(&s->capsule[hit->item], x, hit->normal, &place);
  memcpy(hit->face, hit->normal, sizeof hit->face);
  hit->value = (1 - place) * value[0] + place * value[1];
  hit->appearance = s->capsule_appearance ? s->capsule_appearance[hit->item] : VB_APPEARANCE_SOLID;
}

bool vb_shapes_first(const vb_shapes *s, const vb_ray *ray, vb_hit *out) {
  out->item = search(s, ray, false, &out->distance);
  if (out->item < 0)
    return false;
  if ((size_t)out->item >= s->n_capsules)
    describe_triangle(s, ray, out);
  else
    describe_capsule(s, ray, out);
  return true;
}

bool vb_shapes_block(const vb_shapes *s, const vb_ray *ray) {
  double distance;
  return search(s, ray, true, &distance) >= 0;
}
