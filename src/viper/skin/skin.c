// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/skin/skin.h"

#include "scene/rotation.h"
#include "viper/skin/skin_transform.h"
#include "viper/skin/skin_weights.h"

#include <stdlib.h>
#include <string.h>

static vb_status allocate(viper_skin *s, size_t n_segments, vb_error *error) {
  s->rest = calloc(n_segments + 1, sizeof *s->rest);
  s->carrier = calloc(n_segments + 1, sizeof *s->carrier);
  s->weight = calloc(s->n_vertices * VIPER_SKIN_MOST + 1, sizeof *s->weight);
  s->n_weights = calloc(s->n_vertices + 1, sizeof *s->n_weights);
  return s->rest && s->carrier && s->weight && s->n_weights ? VB_OK : vb_error_memory(error);
}

static void fill_rest(viper_skin *s, const viper_model *model) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(model->scene, &n);
  const vb_segment *segments = vb_scene_segments(model->scene, &n);
  for (size_t j = 0; j < model->n_segments; j++) {
    const vb_segment *from = &segments[model->segment[j].scene_index];
    for (int k = 0; k < 3; k++)
      s->rest[j].middle[k] =
          0.5 * (nodes[from->node[0]].rest_position[k] + nodes[from->node[1]].rest_position[k]);
    memcpy(s->rest[j].frame, from->rest_frame, sizeof from->rest_frame);
  }
}

vb_status viper_skin_create(const viper_model *model, viper_skin *out, vb_error *error) {
  viper_skin s = {0};
  s.vertex = vb_scene_surface_vertices(model->scene, &s.n_vertices);
  s.triangle = vb_scene_triangles(model->scene, &s.n_triangles);
  vb_status status = allocate(&s, s.n_vertices > 0 ? model->n_segments : 0, error);
  if (!status && s.n_vertices > 0) {
    fill_rest(&s, model);
    status = viper_skin_begin(&s, model, error);
    if (!status)
      status = viper_skin_fair(&s, model, error);
  }
  if (status)
    viper_skin_destroy(&s);
  else
    *out = s;
  return status;
}

void viper_skin_destroy(viper_skin *s) {
  free(s->rest);
  free(s->carrier);
  free(s->weight);
  free(s->n_weights);
  *s = (viper_skin){0};
}

static viper_vec3 vec3_from(const double v[3]) {
  return viper_vec3_make(v[0], v[1], v[2]);
}

static viper_node_x node_from(const double v[4]) {
  return (viper_node_x){vec3_from(v), v[3]};
}

static viper_quat quat_from(const double v[4]) {
  return viper_quat_make(v[0], v[1], v[2], v[3]);
}

static void place_carriers(const viper_skin *skin, const viper_model *model, const double *node,
                           const double *frame) {
  for (size_t j = 0; j < model->n_segments; j++) {
    const int32_t *at = model->segment[j].node;
    viper_carrier_rest rest = {vec3_from(skin->rest[j].middle), quat_from(skin->rest[j].frame)};
    skin->carrier[j] = viper_carrier_at(node_from(node + (size_t)4 * (size_t)at[0]),
                                        node_from(node + (size_t)4 * (size_t)at[1]),
                                        quat_from(frame + 4 * j), rest);
  }
}

void viper_skin_vertices(const viper_skin *skin, const viper_model *model, const double *node,
                         const double *frame, double *out) {
  if (skin->n_vertices == 0)
    return;
  place_carriers(skin, model, node, frame);
  for (size_t i = 0; i < skin->n_vertices; i++) {
    viper_vec3 sum = {0}, x = vec3_from(skin->vertex[i].rest_position);
    for (int e = 0; e < skin->n_weights[i]; e++) {
      const viper_skin_weight *w = &skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
      sum = viper_add(sum, viper_scale(w->weight, viper_carry(&skin->carrier[w->segment], x)));
    }
    out[3 * i] = sum.x;
    out[3 * i + 1] = sum.y;
    out[3 * i + 2] = sum.z;
  }
}

double viper_skin_volume(const viper_skin *skin, const double *vertices) {
  double sum = 0;
  for (size_t i = 0; i < skin->n_triangles; i++) {
    double corner[3][3], normal[3];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) // from the first vertex: far from the origin less is lost
        corner[c][k] = vertices[3 * skin->triangle[i].vertex[c] + k] - vertices[k];
    vb_cross(corner[1], corner[2], normal);
    sum += vb_dot(corner[0], normal) / 6;
  }
  return sum;
}
