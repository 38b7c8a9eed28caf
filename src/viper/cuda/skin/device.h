// SPDX-License-Identifier: GPL-3.0-or-later
/// Device data of a scene's surface (skin/README.md), and the phase functions that move it, in one
/// precision.
#ifndef VIPER_CUDA_SKIN_DEVICE_H
#define VIPER_CUDA_SKIN_DEVICE_H

#include "viper/cuda/skin/host.h"
#include "viper/skin/skin_transform.h"

#include <stddef.h>

/// Sums of the volume: triangle t is in sum t modulo VIPER_SKIN_SUMS, sum p in sum p modulo
/// VIPER_SKIN_FEW of those; so the order of a sum does not depend on the device.
#define VIPER_SKIN_SUMS 4096
#define VIPER_SKIN_FEW  64

/// Indexes of nodes and segments are the model's. Vertices and triangles are in the scene's order.
typedef struct viper_skin_device {
  const viper_real *node;         ///< [n_nodes x 4] state
  const viper_real *frame;        ///< [n_segments x 4]
  const int32_t *segment_node;    ///< [n_segments x 2]
  const viper_carrier_rest *rest; ///< [n_segments]
  const int32_t *weight_segment;  ///< [n_weights x n_vertices]
  const viper_real *weight;       ///< [n_weights x n_vertices]; 0 behind a vertex's last
  const viper_real *vertex_rest;  ///< [n_vertices x 3]
  const int32_t *triangle;        ///< [n_triangles x 3]
  viper_carrier *carrier;         ///< [n_segments]
  const viper_bundle *bundle;     ///< [n_bundles]
  const viper_bundle_member *member;
  viper_bundle_place *place; ///< by member
  viper_real *vertex;        ///< [n_vertices x 3] m
  double *sum;               ///< [VIPER_SKIN_SUMS + VIPER_SKIN_FEW] m^3
  double *volume;            ///< m^3
  int32_t n_segments, n_bundles, n_vertices, n_triangles, n_weights;
} viper_skin_device;

VIPER_FN viper_vec3 viper_skin_vec3(const viper_real *p) {
  return viper_vec3_make(p[0], p[1], p[2]);
}

VIPER_FN viper_node_x viper_skin_node(const viper_skin_device *s, int32_t i) {
  const viper_real *p = s->node + 4 * (size_t)i;
  viper_node_x x = {viper_skin_vec3(p), p[3]};
  return x;
}

VIPER_FN void viper_skin_place_carrier(const viper_skin_device *s, int32_t j) {
  const viper_real *q = s->frame + 4 * (size_t)j;
  const int32_t *node = s->segment_node + 2 * (size_t)j;
  s->carrier[j] = viper_carrier_at(viper_skin_node(s, node[0]), viper_skin_node(s, node[1]),
                                   viper_quat_make(q[0], q[1], q[2], q[3]), s->rest[j]);
}

/// Puts the transform of a bundle in place of its segments'.
VIPER_FN void viper_skin_place_bundle(const viper_skin_device *s, int32_t k) {
  const viper_bundle *bundle = &s->bundle[k];
  const viper_bundle_member *member = s->member + bundle->first;
  viper_bundle_place *place = s->place + bundle->first;
  for (int32_t i = 0; i < bundle->n; i++) {
    const viper_real *q = s->frame + 4 * (size_t)member[i].segment;
    const int32_t *node = s->segment_node + 2 * (size_t)member[i].segment;
    place[i] = viper_bundle_place_of(viper_skin_node(s, node[0]), viper_skin_node(s, node[1]),
                                     viper_quat_make(q[0], q[1], q[2], q[3]));
  }
  viper_bundle_transform t = viper_bundle_fit(bundle, member, place);
  for (int32_t i = 0; i < bundle->n; i++)
    s->carrier[member[i].segment] = viper_carrier_of_bundle(&t, bundle->rest_mean);
}

VIPER_FN void viper_skin_place_vertex(const viper_skin_device *s, int32_t i) {
  viper_vec3 x = viper_skin_vec3(s->vertex_rest + 3 * (size_t)i);
  viper_vec3 sum = viper_vec3_make(VIPER_R(0), VIPER_R(0), VIPER_R(0));
  for (int32_t e = 0; e < s->n_weights; e++) {
    size_t at = (size_t)e * (size_t)s->n_vertices + (size_t)i;
    viper_real weight = s->weight[at];
    if (weight == 0)
      break;
    sum = viper_add(sum, viper_scale(weight, viper_carry(&s->carrier[s->weight_segment[at]], x)));
  }
  viper_real *out = s->vertex + 3 * (size_t)i;
  out[0] = sum.x;
  out[1] = sum.y;
  out[2] = sum.z;
}

/// Six times the volume between a triangle and the first vertex, m^3: in double, for the sum goes
/// over terms that cancel.
VIPER_FN double viper_skin_term(const viper_skin_device *s, int32_t t) {
  const int32_t *at = s->triangle + 3 * (size_t)t;
  double a[3], b[3], c[3];
  for (int k = 0; k < 3; k++) {
    double origin = (double)s->vertex[k];
    a[k] = (double)s->vertex[3 * (size_t)at[0] + (size_t)k] - origin;
    b[k] = (double)s->vertex[3 * (size_t)at[1] + (size_t)k] - origin;
    c[k] = (double)s->vertex[3 * (size_t)at[2] + (size_t)k] - origin;
  }
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

VIPER_FN void viper_skin_add_triangles(const viper_skin_device *s, int32_t p) {
  double sum = 0;
  for (int32_t t = p; t < s->n_triangles; t += VIPER_SKIN_SUMS)
    sum += viper_skin_term(s, t);
  s->sum[p] = sum;
}

VIPER_FN void viper_skin_add_sums(const viper_skin_device *s, int32_t p) {
  double sum = 0;
  for (int32_t k = p; k < VIPER_SKIN_SUMS; k += VIPER_SKIN_FEW)
    sum += s->sum[k];
  s->sum[VIPER_SKIN_SUMS + p] = sum;
}

VIPER_FN void viper_skin_add_few(const viper_skin_device *s) {
  double sum = 0;
  for (int32_t k = 0; k < VIPER_SKIN_FEW; k++)
    sum += s->sum[VIPER_SKIN_SUMS + k];
  *s->volume = sum / 6;
}

/// How many elements a phase has.
VIPER_FN int32_t viper_skin_elements(const viper_skin_device *s, viper_skin_phase phase) {
  switch (phase) {
  case VIPER_SKIN_CARRIERS:
    return s->n_segments;
  case VIPER_SKIN_BUNDLES:
    return s->n_bundles;
  case VIPER_SKIN_VERTICES:
    return s->n_vertices;
  case VIPER_SKIN_TRIANGLES:
    return VIPER_SKIN_SUMS;
  case VIPER_SKIN_SUM_SUMS:
    return VIPER_SKIN_FEW;
  default:
    return 1;
  }
}

/// Element `i` of a phase; the elements of one can be worked on in any order.
VIPER_FN void viper_skin_element(const viper_skin_device *s, viper_skin_phase phase, int32_t i) {
  switch (phase) {
  case VIPER_SKIN_CARRIERS:
    viper_skin_place_carrier(s, i);
    break;
  case VIPER_SKIN_BUNDLES:
    viper_skin_place_bundle(s, i);
    break;
  case VIPER_SKIN_VERTICES:
    viper_skin_place_vertex(s, i);
    break;
  case VIPER_SKIN_TRIANGLES:
    viper_skin_add_triangles(s, i);
    break;
  case VIPER_SKIN_SUM_SUMS:
    viper_skin_add_sums(s, i);
    break;
  default:
    viper_skin_add_few(s);
  }
}

#endif
