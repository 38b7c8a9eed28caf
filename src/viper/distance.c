// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/distance.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// Part of the scene's size that is rounding: some 1e-16 (L/r)^2 in bending, and more near
/// buckling.
#define LEAST_PART 1e-9

/// Part of how far a node has come that a Newton step from there may be.
#define MOST_PART 0.01

/// Nodes of a scene up to which a Newton step of all of it is asked for: some tenths of a second.
#define MOST_NODES 20000

/// Whether it can be told: of a step to a tolerance that Newton's method of a whole scene would
/// make.
static bool is_known(const viper *v) {
  return v->n_steps > 0 && v->model->n_nodes <= MOST_NODES && v->settings.tolerance > 0 &&
         !v->divergence.diverged && viper_method_has(v->settings.method, VIPER_FACTORS) &&
         v->variant.precision == VIPER_DOUBLE && !viper_has_contact(v->model) &&
         !viper_has_bundles(v->model);
}

/// The greatest extent of the scene along an axis, m.
static double measure_size(const viper *v) {
  double size = 0;
  for (int c = 0; c < 3; c++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < v->model->n_nodes; i++) {
      low = fmin(low, v->state.node[4 * i + (size_t)c]);
      high = fmax(high, v->state.node[4 * i + (size_t)c]);
    }
    size = fmax(size, high - low);
  }
  return size;
}

/// How far node `i` has come along `d` since time 0, and in the latest substep, m.
static double measure_way(const viper *v, size_t i, const double d[3]) {
  size_t n;
  const vb_node *node = vb_scene_nodes(v->scene, &n) + v->model->node[i].scene_index;
  const double *x = v->state.node + 4 * i, *rate = v->state.node_rate + 4 * i;
  double way[3], length = sqrt(vb_dot(d, d));
  for (int c = 0; c < 3; c++)
    way[c] = x[c] - node->position[c];
  return fabs(vb_dot(way, d)) / length + v->substep * sqrt(vb_dot(rate, rate));
}

/// The node that is farthest beyond what is allowed, or n_nodes; `*by` becomes how far it moves, m.
static size_t find_farthest(const viper *v, const double *displacement, double *by) {
  const double least = LEAST_PART * measure_size(v);
  size_t worst = v->model->n_nodes;
  *by = 0;
  for (size_t i = 0; i < v->model->n_nodes; i++) {
    const double *d = displacement + 3 * i, length = sqrt(vb_dot(d, d));
    if (length > least && length > *by && length > MOST_PART * measure_way(v, i, d)) {
      worst = i;
      *by = length;
    }
  }
  return worst;
}

vb_status viper_look_at_distance(viper *v, vb_convergence *out, vb_error *error) {
  const size_t n = v->model->n_nodes;
  double by, residual;
  *out = (vb_convergence){0};
  if (!is_known(v))
    return VB_OK;
  double *displacement = reallocarray(NULL, n + 1, 3 * sizeof *displacement);
  if (!displacement)
    return vb_error_memory(error);
  viper_evaluation_at(v->evaluation, (double)v->n_steps * vb_scene_world(v->scene)->step);
  vb_status status = viper_evaluation_moves(v->evaluation, v->substep, displacement, error);
  if (!status)
    status = viper_residual(v, &residual, error);
  const size_t worst = status ? n : find_farthest(v, displacement, &by);
  if (worst < n) {
    *out = (vb_convergence){.evaluated = 1, .missed = 1, .worst = residual};
    snprintf(out->what, sizeof out->what,
             "step %lld ends %.2g m from its minimizer at node %d, more than 1 %% of its "
             "displacement; use a smaller tolerance",
             (long long)v->n_steps, by, v->model->node[worst].scene_index);
  }
  free(displacement);
  return status;
}
