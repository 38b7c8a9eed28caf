// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/contact/overlap.h"

#include "viper/contact/closest.h"
#include "viper/contact/filter.h"
#include "viper/contact/grid.h"
#include "viper/model/boundary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Relative rounding of a double as a float, and then some.
#define ROUND_OUT 1e-6
/// Segments from which on a loop over them is worth waking up threads.
#define PARALLEL 1024

struct viper_overlap {
  const viper_model *model;
  viper_filter filter;
  viper_grid *grid; ///< null where capsules do not touch each other
  viper_sphere *sphere;
  double *rest; ///< [n_nodes][4] center and scale of each node at rest; null as `grid`
};

/// The depth of a pair i < j that counts, m.
typedef double pair_depth(const viper_overlap *o, const double *node, int32_t i, int32_t j);

static vb_status take_rest(viper_overlap *o, vb_error *error) {
  const viper_model *m = o->model;
  size_t n;
  const vb_node *node = vb_scene_nodes(m->scene, &n);
  o->rest = reallocarray(NULL, 4 * m->n_nodes, sizeof *o->rest);
  if (!o->rest)
    return vb_error_memory(error);
  for (size_t i = 0; i < m->n_nodes; i++) {
    memcpy(o->rest + 4 * i, node[m->node[i].scene_index].rest_position, 3 * sizeof *o->rest);
    o->rest[4 * i + 3] = 1;
  }
  return VB_OK;
}

vb_status viper_overlap_create(const viper_model *model, viper_overlap **out, vb_error *error) {
  if (!viper_has_contact(model))
    return VB_OK;
  vb_status status = VB_OK;
  viper_overlap *o = calloc(1, sizeof *o);
  if (!o)
    return vb_error_memory(error);
  o->model = model;
  if (vb_scene_contact(model->scene)) {
    o->sphere = calloc(model->n_segments + 1, sizeof *o->sphere);
    status = o->sphere ? viper_filter_create(model, &o->filter, error) : vb_error_memory(error);
    if (!status)
      status = viper_grid_create(model->n_segments, &o->grid, error);
    if (!status)
      status = take_rest(o, error);
  }
  if (status)
    viper_overlap_destroy(o);
  else
    *out = o;
  return status;
}

void viper_overlap_destroy(viper_overlap *o) {
  if (!o)
    return;
  viper_filter_destroy(&o->filter);
  viper_grid_destroy(o->grid);
  free(o->sphere);
  free(o->rest);
  free(o);
}

static viper_capsule capsule_of(const viper_model *m, const double *node, int32_t j) {
  viper_capsule p;
  for (int end = 0; end < 2; end++) {
    int32_t i = m->segment[j].node[end];
    const double *x = node + (size_t)4 * (size_t)i;
    p.c[end] = viper_vec3_make(x[0], x[1], x[2]);
    p.r[end] = m->node[i].radius * x[3];
  }
  return p;
}

static viper_sphere sphere_of(const viper_overlap *o, const double *node, int32_t j) {
  viper_capsule p = capsule_of(o->model, node, j);
  viper_vec3 u = viper_sub(p.c[1], p.c[0]), middle = viper_capsule_at(&p, 0.5);
  double size = fabs(middle.x) + fabs(middle.y) + fabs(middle.z);
  double radius = 0.5 * sqrt(viper_dot(u, u)) + fmax(p.r[0], p.r[1]);
  return (viper_sphere){{(float)middle.x, (float)middle.y, (float)middle.z},
                        (float)(radius * (1 + ROUND_OUT) + size * ROUND_OUT),
                        o->filter.body[j],
                        o->filter.groups[j],
                        o->filter.meets[j]};
}

static bool is_held(const viper_model_node *node) {
  const uint32_t all = VB_PIN_CENTER | VB_PIN_SCALE;
  return (node->pinned & all) == all;
}

static bool is_held_segment(const viper_model *m, int32_t j) {
  return is_held(&m->node[m->segment[j].node[0]]) && is_held(&m->node[m->segment[j].node[1]]);
}

static double depth_in_plane(const viper_model *m, const double *node, const double normal[3],
                             double offset) {
  double deepest = 0;
  for (size_t i = 0; i < m->n_nodes; i++) {
    const double *x = node + 4 * i;
    double height = normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2] - offset;
    if (!is_held(&m->node[i]))
      deepest = fmax(deepest, m->node[i].radius * x[3] - height);
  }
  return deepest;
}

static double depth_in_planes(const viper_model *m, const double *node, double time) {
  size_t n, n_driven, d = 0;
  const vb_half_plane *plane = vb_scene_half_planes(m->scene, &n);
  const vb_plane_driver *driven = vb_scene_plane_drivers(m->scene, &n_driven);
  double deepest = 0;
  for (size_t p = 0; p < n; p++) {
    double normal[3], offset = plane[p].offset;
    memcpy(normal, plane[p].normal, sizeof normal);
    if (d < n_driven && driven[d].half_plane == (int32_t)p) // they come in the same order
      viper_driven_plane_at(m->scene, &driven[d++], time, normal, &offset);
    deepest = fmax(deepest, depth_in_plane(m, node, normal, offset));
  }
  return deepest;
}

static double overlap_of(const viper_model *m, const double *node, int32_t i, int32_t j) {
  viper_capsule a = capsule_of(m, node, i), b = capsule_of(m, node, j);
  return fmax(0, -viper_capsule_closest(&a, &b).gap);
}

/// Of pairs that may touch.
static double allowed_depth(const viper_overlap *o, const double *node, int32_t i, int32_t j) {
  const viper_model *m = o->model;
  if (!viper_filter_allows(&o->filter, i, j) || (is_held_segment(m, i) && is_held_segment(m, j)))
    return 0;
  return overlap_of(m, node, i, j);
}

/// Of pairs that may not, beyond that at rest.
static double excluded_depth(const viper_overlap *o, const double *node, int32_t i, int32_t j) {
  const viper_model *m = o->model;
  if (!viper_filter_excludes(&o->filter, i, j) || (is_held_segment(m, i) && is_held_segment(m, j)))
    return 0;
  double depth = overlap_of(m, node, i, j);
  return depth > 0 ? fmax(0, depth - overlap_of(m, o->rest, i, j)) : 0;
}

/// The greatest of `depth` over the pairs whose spheres overlap and may meet.
static vb_status greatest(viper_overlap *o, const double *node, int threads, pair_depth *depth,
                          double *out, vb_error *error) {
  int32_t n = (int32_t)o->model->n_segments;
  double deepest = 0;
  viper_sphere_pairs pairs = {0};
  vb_status status = viper_grid_pairs(o->grid, o->sphere, (size_t)n, threads, &pairs, error);
  if (status)
    return status;
#pragma omp parallel for num_threads(threads) reduction(max : deepest) if (n > PARALLEL)
  for (int32_t i = 0; i < n; i++)
    for (int32_t k = pairs.first[i]; k < pairs.first[i + 1]; k++)
      deepest = fmax(deepest, depth(o, node, i, pairs.other[k]));
  *out = deepest;
  return VB_OK;
}

/// Places the spheres; `all` makes pairs of those, too, whose segments may not touch.
static void place_spheres(viper_overlap *o, const double *node, int threads, bool all) {
  int32_t n = (int32_t)o->model->n_segments;
#pragma omp parallel for num_threads(threads) if (n > PARALLEL)
  for (int32_t j = 0; j < n; j++) {
    o->sphere[j] = sphere_of(o, node, j);
    if (all) {
      o->sphere[j].body = -1;
      o->sphere[j].groups = o->sphere[j].meets = 1;
    }
  }
}

vb_status viper_overlap_depth(viper_overlap *o, const double *node, double time, int threads,
                              double *depth, vb_error *error) {
  double pills = 0;
  vb_status status = VB_OK;
  if (o->grid) {
    place_spheres(o, node, threads, false);
    status = greatest(o, node, threads, allowed_depth, &pills, error);
  }
  if (!status)
    *depth = fmax(pills, depth_in_planes(o->model, node, time));
  return status;
}

vb_status viper_overlap_excluded(viper_overlap *o, const double *node, int threads, double *depth,
                                 vb_error *error) {
  *depth = 0;
  if (!o->grid)
    return VB_OK;
  place_spheres(o, node, threads, true);
  return greatest(o, node, threads, excluded_depth, depth, error);
}
