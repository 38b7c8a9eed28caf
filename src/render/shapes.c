// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/ray_search.h"
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

/// Lays the corners of triangles side by side, as the tree has these.
static vb_status gather_corners(vb_shapes *s, vb_error *error) {
  s->corner = reallocarray(NULL, s->tree.n_items + 1, sizeof *s->corner);
  if (!s->corner)
    return vb_error_memory(error);
  for (size_t i = 0; i < s->tree.n_items; i++) {
    size_t item = (size_t)s->tree.item[i];
    for (int c = 0; c < 3 && item >= s->n_capsules; c++)
      memcpy(s->corner[i][c], s->vertex[s->triangle[item - s->n_capsules][c]],
             sizeof s->corner[i][c]);
  }
  return VB_OK;
}

static void clear_tree(vb_shapes *s) {
  vb_ray_tree_clear(&s->tree);
  free(s->corner);
  s->corner = NULL;
}

vb_status vb_shapes_prepare(vb_shapes *s, vb_error *error) {
  size_t n = s->n_capsules + s->n_triangles;
  vb_ray_tree tree;
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
  status = vb_ray_tree_build(bounds, n, &tree, error);
  free(bounds);
  if (status)
    return status;
  clear_tree(s);
  s->tree = tree;
  return gather_corners(s, error);
}

void vb_shapes_clear(vb_shapes *s) {
  vb_arena_clear(&s->memory);
  clear_tree(s);
  *s = (vb_shapes){0};
}

static const double *own_color(const vb_shapes *s, const uint16_t *color, size_t i) {
  return color && color[i] > 0 ? s->own_color[color[i] - 1] : NULL;
}

static void describe_triangle(const vb_shapes *s, const vb_ray *ray, vb_hit *hit) {
  double uv[2], face[3];
  size_t t = (size_t)hit->item - s->n_capsules;
  vb_ray_intersect_triangle(s, t, ray, uv);
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
  hit->color = own_color(s, s->triangle_color, t);
}

static void describe_capsule(const vb_shapes *s, const vb_ray *ray, vb_hit *hit) {
  double x[3], place;
  const double *value = s->capsule_value[hit->item];
  vb_add_scaled(ray->origin, hit->distance, ray->direction, x);
  vb_capsule_distance(&s->capsule[hit->item], x, hit->normal, &place);
  memcpy(hit->face, hit->normal, sizeof hit->face);
  hit->value = (1 - place) * value[0] + place * value[1];
  hit->appearance = s->capsule_appearance ? s->capsule_appearance[hit->item] : VB_APPEARANCE_SOLID;
  hit->color = own_color(s, s->capsule_color, (size_t)hit->item);
}

bool vb_shapes_first(const vb_shapes *s, const vb_ray *ray, vb_hit *out) {
  out->item = vb_ray_search(s, ray, false, &out->distance);
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
  return vb_ray_search(s, ray, true, &distance) >= 0;
}
