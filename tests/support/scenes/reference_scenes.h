// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes whose steps are compared with the independent minimizer, and the comparison.
#ifndef VB_TESTS_SUPPORT_REFERENCE_SCENES_H
#define VB_TESTS_SUPPORT_REFERENCE_SCENES_H

#include "handle.h"
#include "scenes/reference_step.h"
#include "scenes/scenes.h"

/// Greatest difference of the solver's state from a reference's: centers, scales, frames (as 3x3
/// matrices, so that the sign of a quaternion does not count).
static inline double difference(const handle *s, const ref_problem *p, const ref_state *x) {
  double *position = handle_read(s, "position"), *scale = handle_read(s, "scale");
  double *frame = handle_read(s, "frame"), most = 0;
  for (size_t i = 0; i < p->n_nodes; i++) {
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(position[3 * i + (size_t)k] - (double)x->node[i][k]));
    most = fmax(most, fabs(scale[i] - (double)x->node[i][3]));
  }
  for (size_t j = 0; j < p->n_segments; j++) {
    ref_real m[3][3];
    ref_matrix(frame + 4 * j, m);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        most = fmax(most, fabs((double)(m[a][b] - x->frame[j][a][b])));
  }
  free(position);
  free(scale);
  free(frame);
  return most;
}

enum { BAR, HELIX, OCTOPUS, GRAPH, ACTIVE, HELD, N_SCENES };

/// Segments of a helix that contract or expand in each of the three ways, from the first step on.
static inline void add_activations(vb_builder *b) {
  static const vb_active how[4] = {VB_ACTIVE_STRAIN, VB_ACTIVE_FIBER, VB_ACTIVE_FORCE,
                                   VB_ACTIVE_STRAIN};
  const double to[4] = {0.7, 0.8, 20, 1.2};
  for (int32_t j = 0; j < 4; j++) {
    const double keys[2][2] = {{0, how[j] == VB_ACTIVE_FORCE ? 0 : 1}, {0.02, to[j]}};
    scenes_activate(b, j, how[j], scenes_curve(b, VB_LINEAR, 2, keys));
  }
}

/// Small scenes in motion under gravity: free or pinned to a moving driver, loaded, disturbed; two
/// of them with bending factors.
static inline vb_scene *make_scene(int kind, double step) {
  vb_builder *b = scenes_begin(step, 9.81);
  if (kind == BAR) {
    scenes_bar(b, 4, 0.4, 0.05, &scenes_no_surface);
    scenes_curve_joint(b, 0, 3, -2, 1); // drawn straight, curved at rest
    scenes_curve_joint(b, 2, 0, 4, -3);
  } else if (kind == HELIX || kind == ACTIVE || kind == HELD)
    scenes_helix(b, 5, 0, &scenes_rubber);
  else if (kind == OCTOPUS)
    scenes_octopus(b, 4, 2, 0, &scenes_rubber);
  else if (kind == GRAPH)
    scenes_graph(b, 7, 2, 5, &scenes_rubber);
  if (kind == GRAPH || kind == HELD)
    scenes_bend(b, 5, 23);
  scenes_disturb(b, 0.02, 0.3, 17);
  if (kind != GRAPH) {
    const double keys[3][2] = {{0, 0}, {0.05, 0.4}, {0.2, 1}};
    int32_t curve = scenes_curve(b, VB_CUBIC, 3, keys);
    vb_driver hand = {"hand", {0.1, -0.2, 0.3}, {0.6, 0, 0.8}, {-1, curve, -1}, curve};
    int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
    scenes_pin_node(b, 0, VB_PIN_CENTER | (kind == HELIX ? VB_PIN_SCALE : 0), driver);
    scenes_pin_node(b, 2, VB_PIN_Y, driver);
    scenes_pin_node(b, 4, VB_PIN_SCALE, driver);
    scenes_pin_node(b, 1, VB_PIN_X | VB_PIN_Z, driver);
    scenes_pin_frame(b, 0, driver);
    if (kind == HELD) {
      scenes_hold(b, 2, VB_FRAME_U | VB_FRAME_V, driver);
      scenes_hold(b, 4, VB_FRAME_U | VB_FRAME_W, driver);
    }
  }
  if (kind == ACTIVE)
    add_activations(b);
  scenes_push(b, 3, 1, -2, 0.5, 0.02);
  scenes_twist(b, 2, 0.02, 0.01, -0.03);
  vb_builder_world(b)->damping = kind == HELIX ? 3 : 0;
  return fixture_freeze(b);
}

/// Straight, frames held, no volume: W is linear (bending and twist stay 0), so that stretch,
/// section, taper and surface_bend have constant gradients.
static inline vb_scene *linear_bar(int n) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_material m = {1000, {4e4, 5e4, 6e4, 400, 500, 0}};
  scenes_bar(b, n, 0.1 * n, 0.05, &m);
  int32_t wall = scenes_wall(b, "wall");
  for (int j = 0; j < n; j++)
    scenes_pin_frame(b, j, wall);
  scenes_pin_node(b, 0, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  scenes_push(b, n, 1, 2, 0, 0.1);
  vb_scene *at_rest = fixture_freeze(b);
  size_t n_nodes;
  vb_node *node = (vb_node *)vb_scene_nodes(at_rest, &n_nodes); // before any solver sees it
  uint64_t seed = 3;
  for (size_t i = 1; i < n_nodes; i++) {
    node[i].scale = 1 + 0.1 * scenes_random(&seed);
    for (int k = 0; k < 3; k++)
      node[i].position[k] += 0.02 * scenes_random(&seed);
  }
  return at_rest;
}

#endif
