// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_inside.h"

#include "mesh/surface_checks.h"
#include "scene/rotation.h"

#include <math.h>

/// Steps of Newton's method: the first leaves an error of second order in the offset.
#define STEPS 2

/// Volume, area and normals (of twice the area of the triangles around) for `x`.
static void measure(const viper_skin *skin, const viper_skin_inside *in, const double *x) {
  memset(in->normal, 0, skin->n_vertices * sizeof *in->normal);
  memset(in->volume, 0, skin->n_vertices * sizeof *in->volume);
  memset(in->area, 0, skin->n_vertices * sizeof *in->area);
  for (size_t t = 0; t < skin->n_triangles; t++) {
    const int32_t *v = skin->triangle[t].vertex, c = in->component[v[0]];
    const double *a = x + 3 * (size_t)v[0];
    double edge[2][3], normal[3], from[3];
    vb_subtract(x + 3 * (size_t)v[1], a, edge[0]);
    vb_subtract(x + 3 * (size_t)v[2], a, edge[1]);
    vb_subtract(a, x + 3 * (size_t)c, from); // far from the origin less is lost
    vb_cross(edge[0], edge[1], normal);
    in->volume[c] += vb_dot(from, normal) / 6;
    in->area[c] += sqrt(vb_dot(normal, normal)) / 2;
    for (int k = 0; k < 3; k++)
      vb_add_scaled(in->normal[v[k]], 1, normal, in->normal[v[k]]);
  }
}

void viper_skin_restore_volume(const viper_skin *skin, const viper_skin_inside *inside,
                               double *vertices) {
  for (int step = 0; step < STEPS; step++) {
    measure(skin, inside, vertices);
    for (size_t i = 0; i < skin->n_vertices; i++) {
      const int32_t c = inside->component[i];
      const double size = sqrt(vb_dot(inside->normal[i], inside->normal[i]));
      const double offset = (inside->target[c] - inside->volume[c]) / inside->area[c];
      if (skin->vertex[i].segment < 0 && size > 0 && isfinite(offset))
        vb_add_scaled(vertices + 3 * i, offset / size, inside->normal[i], vertices + 3 * i);
    }
  }
}

/// s^2 l / l_rest, in the mean over the segments that vertex `i` follows.
static double volume_ratio(const viper_skin_pills *p, size_t i, const double *node) {
  double sum = 0;
  for (int e = 0; e < p->skin->n_weights[i]; e++) {
    const viper_skin_weight *w = &p->skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
    const viper_model_segment *s = &p->model->segment[w->segment];
    const double *scale = p->scale[w->segment], mean = 0.5 * (scale[0] + scale[1]);
    const double l =
        vb_distance(node + 4 * (size_t)s->node[0], node + 4 * (size_t)s->node[1]) * s->inv_l;
    sum += w->weight * mean * mean * l;
  }
  return sum;
}

/// A component is open where a vertex has more neighbors than triangles: `n` counts the latter.
static void mark_open(const viper_skin *skin, const viper_skin_inside *in, const double *n) {
  for (size_t i = 0; i < skin->n_vertices; i++)
    if ((double)(skin->mesh.first[i + 1] - skin->mesh.first[i]) > n[i])
      in->target[in->component[i]] = NAN;
}

/// Fills `target`; `rest` are the vertices at rest, `below` and `count` scratch of n_vertices.
static void want(const viper_skin_pills *p, const double *node, const viper_skin_inside *in,
                 const double *rest, double *below, double *count) {
  const viper_skin *skin = p->skin;
  measure(skin, in, rest);
  for (size_t t = 0; t < skin->n_triangles; t++) {
    const int32_t *v = skin->triangle[t].vertex;
    double edge[2][3], normal[3];
    vb_subtract(rest + 3 * (size_t)v[1], rest + 3 * (size_t)v[0], edge[0]);
    vb_subtract(rest + 3 * (size_t)v[2], rest + 3 * (size_t)v[0], edge[1]);
    vb_cross(edge[0], edge[1], normal);
    for (int k = 0; k < 3; k++) {
      below[v[k]] += sqrt(vb_dot(normal, normal)) / 6;
      count[v[k]]++;
    }
  }
  memset(in->area, 0, skin->n_vertices * sizeof *in->area); // for the sums of weights
  for (size_t i = 0; i < skin->n_vertices; i++) {
    const int32_t c = in->component[i];
    double axis = 0;
    viper_skin_nearest_pill(skin, p->rest, i, rest + 3 * i, &axis);
    below[i] *= axis;
    in->target[c] += below[i] * volume_ratio(p, i, node);
    in->area[c] += below[i];
  }
  for (size_t i = 0; i < skin->n_vertices; i++)
    if ((size_t)in->component[i] == i)
      in->target[i] *= in->volume[i] / in->area[i];
  mark_open(skin, in, count);
}

vb_status viper_skin_inside_create(const viper_skin_pills *pills, const double *node,
                                   viper_skin_inside *out, vb_error *error) {
  const viper_skin *skin = pills->skin;
  const size_t n = skin->n_vertices;
  vb_arena scratch = {0};
  double *rest = NULL, *below = NULL, *count = NULL;
  int32_t *triangle = NULL;
  *out = (viper_skin_inside){0};
  VB_TAKE(&out->memory, out->component, n);
  VB_TAKE(&out->memory, out->target, n);
  VB_TAKE(&out->memory, out->normal, n);
  VB_TAKE(&out->memory, out->volume, n);
  VB_TAKE(&out->memory, out->area, n);
  VB_TAKE(&scratch, rest, 3 * n);
  VB_TAKE(&scratch, below, n);
  VB_TAKE(&scratch, count, n);
  VB_TAKE(&scratch, triangle, 3 * skin->n_triangles);
  vb_status status = vb_arena_status(&out->memory, error);
  if (!status)
    status = vb_arena_status(&scratch, error);
  if (!status) {
    for (size_t t = 0; t < skin->n_triangles; t++)
      memcpy(triangle + 3 * t, skin->triangle[t].vertex, 3 * sizeof *triangle);
    for (size_t i = 0; i < n; i++)
      memcpy(rest + 3 * i, skin->vertex[i].rest_position, 3 * sizeof *rest);
    vb_surface_components(out->component, n, triangle, skin->n_triangles);
    want(pills, node, out, rest, below, count);
  }
  vb_arena_clear(&scratch);
  return status;
}
