// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes and runs of the tests of vector lanes: bodies of several kinds, and the instruction sets
/// that are here.
#ifndef VB_TESTS_SUPPORT_SCENES_LANE_CASES_H
#define VB_TESTS_SUPPORT_SCENES_LANE_CASES_H

#include "handle.h"
#include "scenes/scenes.h"
#include "viper/cpu/core/lanes.h"

enum { BAR, HELIX, OCTOPUS, LOOP, LONG, N_SHAPES };
enum { METHODS = 4, VARIANTS = 2 * METHODS };

static const char *const methods[METHODS] = {"direct", "xpbd", "block-descent", "jacobi-published"};
static const char *const precisions[] = {"double", "float"};

/// What a body is: its shape, whether surface_bend acts, and whether it is pinned; and how it
/// differs from others of its kind.
typedef struct recipe {
  int shape;
  bool surface, pinned;
  bool uniform; ///< the same rest data whatever its number
} recipe;

#ifdef __x86_64__
static const char *const instruction_sets[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
#else
static const char *const instruction_sets[] = {"base"};
#endif

/// The instruction sets of this build that this machine has, narrowest first; returns how many.
static inline int sets_here(const char *out[3]) {
  int n = 0;
  for (size_t i = 0; i < sizeof instruction_sets / sizeof *instruction_sets; i++)
    if (viper_lanes_has(instruction_sets[i]) && viper_lanes_name(instruction_sets[i]))
      out[n++] = instruction_sets[i];
  ck_assert_int_gt(n, 0);
  return n;
}

/// Whether segments are of the material model solid: set by the test that wants it, in a process of
/// its own.
static bool solid;

/// Adds body `k` of a recipe; returns its first node.
static inline int32_t add_shape(vb_builder *b, recipe r, int k) {
  scenes_material m = r.surface ? scenes_rubber : scenes_no_surface;
  double size = 1;
  if (!r.uniform) {
    m.density += 10 * k;
    m.stiffness[VB_KZ] += 700 * k;
    size += 0.01 * k;
  }
  if (r.shape == BAR) // with the middle at an even node and at an odd one
    return scenes_bar(b, r.pinned ? 12 : 9, 0.5 * size, 0.04 * size, &m);
  if (r.shape == LONG) // parts of some rows in each lane, the last not whole
    return scenes_bar(b, r.pinned ? 50 : 33, 2 * size, 0.04 * size, &m);
  if (r.shape == HELIX)
    return scenes_helix(b, 12, 0, &m);
  return r.shape == OCTOPUS ? scenes_octopus(b, 6, 2, 0, &m) : scenes_octopus(b, 7, 0, 0, &m);
}

/// How far nodes are moved: set likewise, m.
static double moved = 0.01;

/// Adds body `k`, disturbed in a way of its own, and pinned to driver 0.
static inline void add_body(vb_builder *b, recipe r, int k) {
  size_t n_nodes, n_segments, first_segment;
  vb_builder_elements(b, VB_SET_SEGMENT, &first_segment);
  int32_t first = add_shape(b, r, k);
  uint64_t seed = 100 + (uint64_t)k;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n_nodes);
  for (size_t i = (size_t)first; i < n_nodes; i++) {
    for (int c = 0; c < 3; c++) {
      node[i].position[c] += moved * scenes_random(&seed);
      node[i].velocity[c] = 0.3 * scenes_random(&seed);
    }
    node[i].scale = 1 + 0.02 * scenes_random(&seed);
  }
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
  for (size_t j = first_segment; j < n_segments; j++)
    for (int c = 0; c < 3; c++)
      segment[j].angular_velocity[c] = scenes_random(&seed);
  if (!r.pinned)
    return;
  scenes_pin_node(b, first, VB_PIN_CENTER, 0);
  scenes_pin_node(b, first + 2, VB_PIN_Y | VB_PIN_SCALE, 0);
  scenes_pin_frame(b, (int32_t)first_segment + 1, 0);
}

/// Of `direct`: with one, a chain is assembled before it is eliminated, else at the same time.
static const char *tolerance = "0";

/// A handle of variant v (method, precision), after two steps.
static inline handle run(const vb_scene *scene, int v, const char *instructions,
                         const char *threads) {
  handle s = handle_open(scene, "method", methods[v % METHODS], "precision",
                         precisions[v / METHODS], "instructions", instructions, "threads", threads,
                         "iterations", "3", "substeps", "2", "tolerance", tolerance, NULL);
  handle_step(&s, 2);
  return s;
}

/// Kinds and single bodies of all shapes in one scene, some driven, one loaded.
static inline vb_scene *crowd(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_wall(b, "wall");
  for (int k = 0; k < 70; k++)
    add_body(b, (recipe){k % 5 % N_SHAPES, k % 3 == 0, k % 2 == 0, k % 7 < 4}, k);
  scenes_graph(b, 40, 12, 5, &scenes_rubber);
  int32_t first = scenes_helix(b, 30, 1, &scenes_rubber);
  const double keys[2][2] = {{0, 0}, {0.2, 0.05}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
  vb_driver hand = {"hand", {0.1, 0, 0}, {0, 1, 0}, {-1, -1, curve}, curve};
  scenes_pin_node(b, first, VB_PIN_CENTER | VB_PIN_SCALE, fixture_add(b, VB_SET_DRIVER, &hand));
  scenes_push(b, first + 20, 0.1, -0.2, 0.1, 0);
  return fixture_freeze(b);
}

#endif
