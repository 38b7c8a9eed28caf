// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes with bundles that the CUDA backend is tried on, in the emulator and on a device.
#ifndef VB_TESTS_SUPPORT_CUDA_BUNDLE_CASES_H
#define VB_TESTS_SUPPORT_CUDA_BUNDLE_CASES_H

#include "cuda/cuda_contact_cases.h"

/// `rods` parallel bars of `n` segments along x, 0.15 m apart, the thicker the farther, each
/// cross-section a bundle. Returns the first node.
static inline int32_t bundle_band(vb_builder *b, int rods, int n, double z,
                                  const scenes_material *m) {
  size_t segments, bundled;
  vb_builder_elements(b, VB_SET_SEGMENT, &segments);
  const vb_bundled *before = vb_builder_elements(b, VB_SET_BUNDLE, &bundled);
  int32_t bundle = bundled ? before[bundled - 1].bundle + 1 : 0, first = 0;
  for (int k = 0; k < rods; k++)
    for (int i = 0; i <= n; i++) {
      int32_t at = fixture_node(b, 1.0 * i / n, 0.15 * k, z, 0.05 * (1 + 0.1 * k));
      first = k + i ? first : at;
      if (i > 0)
        scenes_segment(b, at - 1, at, m);
    }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < rods; k++)
      fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){bundle + j, (int32_t)segments + k * n + j});
  return first;
}

/// Adds a band across one of `rods` bars of `n` segments, which is all that the scene has: a
/// quarter turn about z further, at height `z`, moving along z at `speed`. The two bands touch each
/// other alone.
static inline void bundle_cross(vb_builder *b, int rods, int n, double z, double speed) {
  int32_t segments = rods * n;
  int32_t first = bundle_band(b, rods, n, 0, &scenes_rubber);
  size_t n_nodes;
  contact_move(b, first, (double[]){-0.5, -0.15, z}, (double[]){0, 0, speed});
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n_nodes);
  for (size_t i = (size_t)first; i < n_nodes; i++) {
    double *at[] = {node[i].position, node[i].rest_position};
    for (int k = 0; k < 2; k++) {
      double x = at[k][0];
      at[k][0] = -at[k][1];
      at[k][1] = x;
    }
  }
  for (int32_t j = 0; j < 2 * segments; j++)
    fixture_add(
        b, VB_SET_FILTER,
        &(vb_filter){.segment = j, .groups = j < segments ? 1 : 2, .meets = j < segments ? 2 : 1});
}

/// A band and a bar in it, disturbed, in one surface.
static inline vb_scene *bundle_surface(void) {
  enum { ALONG = 9, ACROSS = 5 };
  vb_builder *b = scenes_begin(0.005, 9.81);
  bundle_band(b, 3, 6, 0, &scenes_rubber);
  scenes_bar(b, 6, 1, 0.05, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 5);
  for (int i = 0; i < ALONG * ACROSS; i++) {
    const int along = i / ACROSS, across = i % ACROSS;
    fixture_add(
        b, VB_SET_SURFACE_VERTEX,
        &(vb_surface_vertex){.rest_position = {(double)along / (ALONG - 1), 0.1 * across, 0.07},
                             .segment = i ? -1 : 2});
  }
  for (int32_t i = 0; i + ACROSS < ALONG * ACROSS; i++)
    if (i % ACROSS + 1 < ACROSS) {
      fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{i, i + 1, i + ACROSS}, 0});
      fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{i + 1, i + 1 + ACROSS, i + ACROSS}, 0});
    }
  return fixture_freeze(b);
}

/// Free bands of two to five rods, and a rod that is in none.
static inline vb_scene *bundle_bands(void) {
  vb_builder *b = scenes_begin(0.005, 9.81);
  for (int k = 0; k < 4; k++)
    bundle_band(b, 2 + k, 7 - k, k, &scenes_rubber);
  scenes_bar(b, 5, 0.5, 0.03, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 5);
  return fixture_freeze(b);
}

/// A band with one end at a wall, the other turned and pulled by a driver, some of it pinned in
/// part; pushed and twisted.
static inline vb_scene *bundle_driven(void) {
  enum { RODS = 3, N = 6 };
  vb_builder *b = scenes_begin(0.01, 9.81);
  vb_driver hand = {.name = "hand", .axis = {1, 0, 0}, .translation = {-1, -1, -1}};
  int32_t wall = scenes_wall(b, "wall");
  hand.angle = scenes_curve(b, VB_CUBIC, 2, (const double[][2]){{0, 0}, {1, 2}});
  hand.translation[0] = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.2}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand);
  int32_t first = bundle_band(b, RODS, N, 0, &scenes_rubber);
  for (int32_t k = 0; k < RODS; k++) {
    scenes_pin_node(b, first + k * (N + 1), VB_PIN_CENTER | VB_PIN_SCALE, wall);
    scenes_pin_node(b, first + k * (N + 1) + N, VB_PIN_CENTER, moved);
    scenes_pin_frame(b, k * N + N - 1, moved);
  }
  scenes_pin_node(b, first + 2, VB_PIN_Y, wall);
  scenes_pin_node(b, first + N + 1 + 3, VB_PIN_SCALE, wall);
  scenes_push(b, first + N + 1 + 4, 1, 3, 2, 0.01);
  scenes_twist(b, 3, 0.05, 0.02, 0.01);
  return fixture_freeze(b);
}

/// Bundles in one body: neighbors along a helix that grows thicker, and arms of an octopus across
/// from each other, which lie in a line; all that is in a bundle meets others in its nodes.
static inline vb_scene *bundle_bodies(void) {
  enum { N = 13, RING = 6, ARM = 3 };
  vb_builder *b = scenes_begin(0.005, 9.81);
  scenes_helix(b, N, 0, &scenes_rubber);
  scenes_octopus(b, RING, ARM, 2, &scenes_no_surface);
  for (int32_t k = 0; k < 3; k++)
    for (int32_t i = 0; i < 4; i++)
      fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){k, 4 * k + i});
  for (int32_t k = 0; k < ARM; k++)
    for (int32_t i = 0; i < RING / 2; i++)
      fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){3 + k, N + RING + ARM * i + k});
  scenes_disturb(b, 0.005, 0.3, 6);
  return fixture_freeze(b);
}

/// So many bands that a grid moves their bundles on a device: 1500 segments.
static inline vb_scene *bundle_many(void) {
  vb_builder *b = scenes_begin(0.005, 9.81);
  for (int k = 0; k < 25; k++)
    bundle_band(b, 3, 20, k, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 7);
  return fixture_freeze(b);
}

/// A band at a wall that contracts, some segments by strain and some by a force.
static inline vb_scene *bundle_active(void) {
  enum { RODS = 3, N = 5 };
  static const vb_active how[] = {VB_ACTIVE_STRAIN, VB_ACTIVE_FORCE};
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t first = bundle_band(b, RODS, N, 0, &scenes_rubber);
  for (int32_t k = 0; k < RODS; k++)
    scenes_pin_node(b, first + k * (N + 1), VB_PIN_CENTER, k == 0 ? scenes_wall(b, "wall") : 0);
  for (int32_t j = 1; j < RODS * N; j += 2) {
    const double keys[][2] = {{0, j % 4 == 1 ? 1 : 0}, {0.1, j % 4 == 1 ? 0.7 : 5}};
    scenes_activate(b, j, how[j % 4 == 3], scenes_curve(b, VB_LINEAR, 2, keys));
  }
  scenes_disturb(b, 0.01, 0.2, 5);
  return fixture_freeze(b);
}

/// Bands that fall on each other and on a ground, and roll by friction; one that a wall holds in
/// part, and a half-plane that a driver moves against them.
static inline vb_scene *bundle_heap(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 3; k++) {
    int32_t first = bundle_band(b, 2 + k % 2, 6 - k, 0, &scenes_rubber);
    contact_move(b, first, (double[]){0.1 * k, 0.05 * k, 0.06 + 0.11 * k},
                 (double[]){0.3 * k, 0.2, -1});
  }
  scenes_pin_node(b, 2, VB_PIN_Y | VB_PIN_SCALE, scenes_wall(b, "wall"));
  contact_add(b, 0.4, false);
  contact_ground(b, 0.1, 0, 0.5);
  vb_driver hand = {.axis = {0, 0, 1}, .angle = -1, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.translation[0] = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 2}});
  vb_half_plane wall = {.normal = {1, 0, 0}, .offset = -0.07, .static_friction = 0.4};
  int32_t at = fixture_add(b, VB_SET_HALF_PLANE, &wall);
  fixture_add(b, VB_SET_PLANE_DRIVER, &(vb_plane_driver){at, fixture_add(b, VB_SET_DRIVER, &hand)});
  return fixture_freeze(b);
}

static const cuda_case bundle_cases[] = {
    {"bands", bundle_bands},
    {"a driven band", bundle_driven},
    {"bundles in a body", bundle_bodies},
    {"an active band", bundle_active},
    {"bands in a heap", bundle_heap},
};
enum { N_BUNDLE_CASES = sizeof bundle_cases / sizeof *bundle_cases };

/// Whether two instances have the same state and residual, bit by bit, and the same work but for
/// rounding; says so where not.
static inline bool bundle_same(const handle *cpu, const handle *cuda, int v, const char *what) {
  double x = handle_residual(cpu), y = handle_residual(cuda);
  bool same = case_same_state(cpu, cuda) && !memcmp(&x, &y, sizeof x);
  if (!same)
    fprintf(stderr, "%s: differs; residuals %.17g and %.17g, first position %.17g and %.17g\n",
            what, x, y, handle_value(cpu, "position", 0), handle_value(cuda, "position", 0));
  case_check_work(cpu, cuda, v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON);
  return same;
}

#endif
