// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/rod_measures.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

/// The two errors.
enum { VOLUME, STRETCH, N_ERRORS };

struct vb_rod_measures {
  const vb_scene *scene;
  size_t n_bodies;
  double *weight[N_ERRORS]; ///< (segments) share of r^2 l, or of l, in its body's sum
  double *share[N_ERRORS];  ///< (bodies) share of the body's sum in the sum over all
  vb_arena memory;          ///< of both
};

static int32_t body_of(const vb_node *nodes, const vb_segment *segment) {
  return nodes[segment->node[0]].body;
}

/// Turns weights into shares of their body's sum, and the bodies' sums into shares of the whole.
static void normalize(const vb_scene *scene, size_t n_bodies, double *weight, double *share) {
  size_t n_segments, n_nodes;
  const vb_node *nodes = vb_scene_nodes(scene, &n_nodes);
  const vb_segment *segments = vb_scene_segments(scene, &n_segments);
  double sum = 0;
  for (size_t j = 0; j < n_segments; j++)
    share[body_of(nodes, &segments[j])] += weight[j];
  for (size_t j = 0; j < n_segments; j++)
    weight[j] /= share[body_of(nodes, &segments[j])];
  for (size_t b = 0; b < n_bodies; b++)
    sum += share[b];
  for (size_t b = 0; b < n_bodies && sum > 0; b++)
    share[b] /= sum;
}

static void weigh(vb_rod_measures *measures) {
  size_t n_segments, n_nodes;
  const vb_node *nodes = vb_scene_nodes(measures->scene, &n_nodes);
  const vb_segment *segments = vb_scene_segments(measures->scene, &n_segments);
  for (size_t j = 0; j < n_segments; j++) {
    const vb_segment *s = &segments[j];
    double r = 0.5 * (nodes[s->node[0]].rest_radius + nodes[s->node[1]].rest_radius);
    measures->weight[VOLUME][j] = r * r * s->rest_length;
    measures->weight[STRETCH][j] = s->rest_length;
  }
  for (int k = 0; k < N_ERRORS; k++)
    normalize(measures->scene, measures->n_bodies, measures->weight[k], measures->share[k]);
}

vb_status vb_rod_measures_create(const vb_scene *scene, vb_rod_measures **out, vb_error *error) {
  size_t n = vb_scene_count(scene, VB_SET_SEGMENT), b = vb_scene_count(scene, VB_SET_BODY);
  vb_rod_measures *measures = calloc(1, sizeof *measures);
  if (!measures)
    return vb_error_memory(error);
  measures->scene = scene;
  measures->n_bodies = b;
  for (int k = 0; k < N_ERRORS; k++) {
    VB_TAKE(&measures->memory, measures->weight[k], n);
    VB_TAKE(&measures->memory, measures->share[k], b);
  }
  if (measures->memory.failed) {
    vb_rod_measures_destroy(measures);
    return vb_error_memory(error);
  }
  weigh(measures);
  *out = measures;
  return VB_OK;
}

void vb_rod_measures_destroy(vb_rod_measures *measures) {
  if (measures)
    vb_arena_clear(&measures->memory);
  free(measures);
}

/// The greater magnitude, and NaN where either is.
static double greater(double a, double b) {
  if (isnan(a) || isnan(b))
    return NAN;
  return fabs(b) > a ? fabs(b) : a;
}

static void clear(const vb_error_norms *norms, size_t n_bodies) {
  *norms->rms = *norms->max = 0;
  for (size_t b = 0; b < n_bodies; b++)
    norms->rms_by_body[b] = norms->max_by_body[b] = 0;
}

static void add(const vb_error_norms *norms, int32_t body, double value, double weight) {
  norms->rms_by_body[body] += weight * value * value;
  norms->max_by_body[body] = greater(norms->max_by_body[body], value);
}

static void finish(const vb_error_norms *norms, size_t n_bodies, const double *share) {
  for (size_t b = 0; b < n_bodies; b++) {
    *norms->rms += share[b] * norms->rms_by_body[b];
    *norms->max = greater(*norms->max, norms->max_by_body[b]);
    norms->rms_by_body[b] = sqrt(norms->rms_by_body[b]);
  }
  *norms->rms = sqrt(*norms->rms);
}

void vb_rod_measures_evaluate(const vb_rod_measures *measures, const double *position,
                              const double *scale, const vb_error_norms *volume,
                              const vb_error_norms *stretch) {
  size_t n_segments, n_nodes;
  const vb_node *nodes = vb_scene_nodes(measures->scene, &n_nodes);
  const vb_segment *segments = vb_scene_segments(measures->scene, &n_segments);
  clear(volume, measures->n_bodies);
  clear(stretch, measures->n_bodies);
  for (size_t j = 0; j < n_segments; j++) {
    size_t a = (size_t)segments[j].node[0], b = (size_t)segments[j].node[1];
    double square = 0;
    for (size_t k = 0; k < 3; k++) {
      double d = position[3 * b + k] - position[3 * a + k];
      square += d * d;
    }
    double length = sqrt(square) / segments[j].rest_length, sm = 0.5 * (scale[a] + scale[b]);
    int32_t body = body_of(nodes, &segments[j]);
    add(volume, body, sm * sm * length - 1, measures->weight[VOLUME][j]);
    add(stretch, body, length - 1, measures->weight[STRETCH][j]);
  }
  finish(volume, measures->n_bodies, measures->share[VOLUME]);
  finish(stretch, measures->n_bodies, measures->share[STRETCH]);
}
