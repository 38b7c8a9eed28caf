// SPDX-License-Identifier: GPL-3.0-or-later
/// What the CUDA backend is tried on, in the emulator (test_emulator_steps.c) and on a device
/// (test_cuda_device.c): scenes with everything that the kernels tell apart.
#ifndef VB_TESTS_SUPPORT_CUDA_CASES_H
#define VB_TESTS_SUPPORT_CUDA_CASES_H

#include "handle.h"
#include "scenes/scenes.h"

#include <float.h>

enum { CASE_METHODS = 4, CASE_PRECISIONS = 2, CASE_VARIANTS = CASE_METHODS * CASE_PRECISIONS };

static const char *const case_methods[CASE_METHODS] = {"xpbd", "block-descent", "jacobi-published",
                                                       "direct"};
static const char *const case_precisions[CASE_PRECISIONS] = {"double", "float"};

enum { CASE_DIRECT = 3 };

static inline bool case_is_direct(int v) {
  return v % CASE_METHODS == CASE_DIRECT;
}

/// Ten equal rods, which share their rest data.
static inline vb_scene *case_rods(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 10; k++)
    scenes_bar(b, 12, 0.6, 0.03, &scenes_rubber);
  scenes_disturb(b, 0.004, 0.3, 1);
  return fixture_freeze(b);
}

/// Five of a kind, each with rest data of its own, some without surface_bend, pinned; and a loop.
static inline vb_scene *case_octopuses(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_material m = scenes_no_surface;
  scenes_wall(b, "wall");
  for (int k = 0; k < 5; k++) {
    m.density += 20;
    int32_t first = scenes_octopus(b, 6, 3, k, &m);
    scenes_pin_node(b, first, VB_PIN_CENTER, 0);
    scenes_pin_node(b, first + 2, VB_PIN_Y | VB_PIN_SCALE, 0);
  }
  scenes_octopus(b, 7, 0, 9, &scenes_rubber);
  scenes_disturb(b, 0.004, 0.3, 2);
  return fixture_freeze(b);
}

/// Bodies that differ: a helix that grows thicker, random graphs with loops.
static inline vb_scene *case_graphs(void) {
  vb_builder *b = scenes_begin(0.005, 9.81);
  scenes_helix(b, 14, 0, &scenes_rubber);
  scenes_graph(b, 20, 3, 7, &scenes_rubber);
  scenes_graph(b, 9, 1, 8, &scenes_no_surface);
  scenes_disturb(b, 0.002, 0.1, 3);
  return fixture_freeze(b);
}

/// A bar that is pulled and turned at one end by drivers, and pushed and twisted; two in rest.
static inline vb_scene *case_driven(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t wall = scenes_wall(b, "wall");
  vb_driver hand = {.axis = {1, 0, 0}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.translation[0] = scenes_curve(b, VB_CUBIC, 2, (const double[][2]){{0, 0}, {1, 0.1}});
  hand.translation[1] = hand.translation[2] = -1;
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.8}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_bar(b, 10, 0.5, 0.04, &scenes_rubber);
  for (int k = 0; k < 2; k++)
    scenes_bar(b, 7, 0.4, 0.03, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  scenes_pin_node(b, 10, VB_PIN_CENTER | VB_PIN_SCALE, moved);
  scenes_pin_frame(b, 9, moved);
  scenes_push(b, 5, 0, 2, 1, 0.01);
  scenes_push(b, 5, 0.5, 0, 0, 0);
  scenes_twist(b, 4, 0.05, 0.02, 0.01);
  return fixture_freeze(b);
}

/// A bar and a helix whose segments contract in each way, held at one end by a hand that moves; and
/// others that are passive.
static inline vb_scene *case_active(void) {
  static const vb_active how[3] = {VB_ACTIVE_STRAIN, VB_ACTIVE_FIBER, VB_ACTIVE_FORCE};
  const double to[3] = {0.7, 1.2, 30};
  vb_builder *b = scenes_begin(0.01, 9.81);
  vb_driver hand = {.axis = {1, 0, 0}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.8}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_bar(b, 10, 0.5, 0.04, &scenes_rubber);
  scenes_helix(b, 9, 0, &scenes_rubber);
  for (int k = 0; k < 5; k++)
    scenes_bar(b, 7, 0.4, 0.03, &scenes_rubber);
  for (int32_t j = 2; j < 18; j += 2) {
    const double keys[2][2] = {{0, how[j % 3] == VB_ACTIVE_FORCE ? 0 : 1}, {0.3, to[j % 3]}};
    scenes_activate(b, j, how[j % 3], scenes_curve(b, VB_CUBIC, 2, keys));
  }
  scenes_pin_node(b, 0, VB_PIN_CENTER, moved);
  scenes_pin_frame(b, 0, moved);
  scenes_push(b, 13, 0, 2, 1, 0.01);
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// Two bars of which every other segment contracts by Hill's law, one held and pulled by a load,
/// the other free.
static inline vb_scene *case_hill(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  const int32_t wall = scenes_wall(b, "wall"),
                e = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0.1}, {0.05, 1}});
  const double stress = 0.2 * scenes_rubber.stiffness[VB_KZ];
  scenes_bar(b, 8, 0.5, 0.04, &scenes_rubber);
  scenes_bar(b, 5, 0.4, 0.03, &scenes_rubber);
  for (int32_t j = 1; j < 11; j += 2) {
    scenes_activate(b, j, VB_ACTIVE_HILL, e);
    fixture_add(
        b, VB_SET_HILL,
        &(vb_hill){VB_AT_SEGMENT, j, stress, 4, 0.25, 1.4, 0.9, 0.5, j % 4 == 1 ? 0 : 0.3, 10});
  }
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  scenes_push(b, 8, 0, 0, 5, 0);
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// Shafts of which one or two parts of frames are held by a hand that turns, and passive ones.
static inline vb_scene *case_held(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  vb_driver hand = {.axis = {0.6, 0, 0.8}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.8}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_bar(b, 10, 0.5, 0.04, &scenes_rubber);
  scenes_helix(b, 9, 0, &scenes_rubber);
  for (int k = 0; k < 5; k++)
    scenes_bar(b, 7, 0.4, 0.03, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, moved);
  for (int32_t k = 0; k < 6; k++)
    scenes_hold(b, 3 * k, (uint32_t)k + 1, moved);
  scenes_push(b, 13, 0, 2, 1, 0.01);
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// A helix and a bar with loads that turn with their segments, two of them on one node, and with
/// nodes that follow drivers; and passive bars.
static inline vb_scene *case_turning(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  vb_driver hand = {.axis = {0.6, 0, 0.8}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 2}});
  hand.translation[1] = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.5}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand), wall = scenes_wall(b, "wall");
  scenes_helix(b, 9, 0, &scenes_rubber);
  scenes_bar(b, 10, 0.5, 0.04, &scenes_rubber);
  for (int k = 0; k < 5; k++)
    scenes_bar(b, 7, 0.4, 0.03, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, moved);
  scenes_push(b, 5, 1, 2, 0.3, 0.01);
  scenes_push(b, 5, 0.2, -1, 1, 0.02);
  scenes_push(b, 5, 0, 0, 1, 0);
  scenes_twist(b, 12, 0.02, 0.01, -0.03);
  scenes_twist(b, 12, 0.01, 0.03, 0.02);
  fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){0, 4});
  fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){1, 7});
  fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){4, 12});
  for (int32_t i = 1; i < 9; i++)
    fixture_add(b, VB_SET_FOLLOW, &(vb_follow){i, {moved, wall}, 0, {1 - 0.1 * i, 0.1 * i}});
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// A helix and a bar with bending factors, held at one end by a hand that turns, and rods that
/// share rest data; others are isotropic.
static inline vb_scene *case_bending(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  vb_driver hand = {.axis = {0.6, 0, 0.8}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.8}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_helix(b, 9, 0, &scenes_rubber);
  scenes_graph(b, 9, 1, 8, &scenes_rubber);
  for (int k = 0; k < 5; k++)
    scenes_bar(b, 7, 0.4, 0.03, &scenes_rubber);
  scenes_bend(b, 20, 29);
  scenes_pin_node(b, 0, VB_PIN_CENTER, moved);
  scenes_pin_frame(b, 0, moved);
  scenes_push(b, 5, 0, 2, 1, 0.01);
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// The same with segments of the material model solid: every other one, in rods of 12 segments that
/// share rest data and in octopuses, a helix and a bar that have their own; some are active.
static inline vb_scene *case_solid(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_material m = scenes_rubber;
  const int32_t wall = scenes_wall(b, "wall");
  scenes_helix(b, 10, 0, &scenes_rubber);
  for (int k = 0; k < 8; k++)
    scenes_bar(b, 12, 0.6, 0.03, &scenes_rubber);
  for (int k = 0; k < 5; k++, m.density += 20)
    scenes_octopus(b, 6, 4, k, &m);
  scenes_solidify(b, 2);
  for (int32_t j = 2; j < 5; j++) {
    const double keys[2][2] = {{0, j == 4 ? 0 : 1}, {0.3, j == 4 ? 20 : 0.7}};
    scenes_activate(b, j, (vb_active)(j - 2), scenes_curve(b, VB_CUBIC, 2, keys));
  }
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// Rods of which all segments are solid, of equal rest data and not.
static inline vb_scene *case_all_solid(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_material m = scenes_rubber;
  for (int k = 0; k < 16; k++, m.density += k < 8 ? 0 : 20)
    scenes_bar(b, k < 8 ? 12 : 9, 0.6, 0.03, &m);
  scenes_bar(b, 7, 0.4, 0.03, &scenes_no_surface);
  scenes_solidify(b, 1);
  scenes_disturb(b, 0.004, 0.3, 6);
  return fixture_freeze(b);
}

/// Bars whose frames are no discs, one of them held, turned and twisted, others alike; some of the
/// material model solid, or none.
static inline vb_scene *case_moments_of(bool solid) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  int32_t wall = scenes_wall(b, "wall");
  vb_driver hand = {.axis = {1, 0, 0}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.8}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_bar(b, 10, 0.5, 0.04, &scenes_rubber);
  for (int k = 0; k < 5; k++)
    scenes_bar(b, k < 3 ? 7 : 4, 0.4, 0.03, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, moved);
  scenes_hold(b, 3, VB_FRAME_V, wall);
  scenes_twist(b, 6, 0.05, 0.02, 0.01);
  scenes_weigh(b, 2);
  if (solid)
    scenes_solidify(b, 3);
  scenes_disturb(b, 0.004, 0.3, 8);
  return fixture_freeze(b);
}

static inline vb_scene *case_moments(void) {
  return case_moments_of(false);
}

static inline vb_scene *case_solid_moments(void) {
  return case_moments_of(true);
}

/// Two bars in a surface of tubes around them, open at both ends, disturbed.
static inline vb_scene *case_surface(void) {
  enum { AROUND = 9, ALONG = 11 };
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 2; k++)
    scenes_bar(b, 6 + k, 0.5, 0.05, &scenes_rubber);
  for (int32_t i = 0; i < ALONG * AROUND; i++) {
    int32_t ring = i / AROUND;
    double angle = 2 * M_PI * (i % AROUND) / AROUND, along = 0.5 * ring / (ALONG - 1);
    vb_surface_vertex v = {.rest_position = {along, 0.05 * cos(angle), 0.05 * sin(angle)},
                           .segment = i < 3 ? 2 : -1};
    fixture_add(b, VB_SET_SURFACE_VERTEX, &v);
  }
  for (int32_t i = 0; i + AROUND < ALONG * AROUND; i++) {
    int32_t next = i % AROUND + 1 < AROUND ? i + 1 : i + 1 - AROUND;
    fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{i, next, i + AROUND}, 0});
    fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{next, next + AROUND, i + AROUND}, 0});
  }
  scenes_disturb(b, 0.01, 0.3, 4);
  return fixture_freeze(b);
}

/// Bodies that have an equilibrium: a helix and a bar, with a hand that turns, loads on nodes and
/// frames, one that turns with a segment, an activation and held parts of a frame; and an octopus.
static inline vb_scene *case_held_fast_of(bool solid) {
  vb_builder *b = scenes_begin(0.1, 9.81);
  vb_driver hand = {.axis = {0.6, 0, 0.8}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 0.8}});
  int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand), wall = scenes_wall(b, "wall");
  scenes_helix(b, 9, 0, &scenes_rubber);
  scenes_bar(b, 10, 0.5, 0.04, &scenes_rubber);
  int32_t octopus = scenes_octopus(b, 6, 3, 2, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, moved);
  scenes_pin_frame(b, 0, moved);
  scenes_pin_node(b, 10, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  scenes_pin_node(b, 20, VB_PIN_Y | VB_PIN_Z, wall);
  scenes_hold(b, 12, VB_FRAME_W, wall);
  for (int32_t i = 0; i < 3; i++)
    scenes_pin_node(b, octopus + i, VB_PIN_CENTER, wall);
  scenes_push(b, 5, 1, 2, 0.3, 0.01);
  scenes_push(b, 14, 0, 1, 2, 0.01);
  scenes_twist(b, 4, 0.02, 0.01, -0.03);
  fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){0, 4});
  scenes_activate(b, 15, VB_ACTIVE_STRAIN,
                  scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 1}, {1, 0.8}}));
  if (solid)
    scenes_solidify(b, 3);
  scenes_disturb(b, 0.004, 0, 6);
  return fixture_freeze(b);
}

static inline vb_scene *case_held_fast(void) {
  return case_held_fast_of(false);
}

typedef struct cuda_case {
  const char *name;
  vb_scene *(*scene)(void);
} cuda_case;

static const cuda_case cuda_cases[] = {
    {"rods", case_rods},
    {"octopuses", case_octopuses},
    {"graphs", case_graphs},
    {"driven", case_driven},
    {"active", case_active},
    {"held", case_held},
    {"turning", case_turning},
    {"bending", case_bending},
    {"solid", case_solid},
    {"all solid", case_all_solid},
    {"hill", case_hill},
    {"moments", case_moments},
    {"solid moments", case_solid_moments},
};
enum { N_CUDA_CASES = sizeof cuda_cases / sizeof *cuda_cases };

/// Whether two instances have the same surface: bit by bit in double, as both do the same; in float
/// the device's is made in float, off by some ten roundings of coordinates of half a meter. The
/// sums of the volume have another order.
static inline void case_check_surface(const handle *cpu, const handle *cuda, double epsilon) {
  size_t n = 3 * vb_scene_count(cpu->scene, VB_SET_SURFACE_VERTEX);
  double *x = handle_read(cpu, "vertices"), *y = handle_read(cuda, "vertices");
  ck_assert_uint_gt(n, 0);
  for (size_t k = 0; k < n; k++)
    ck_assert_double_le(fabs(x[k] - y[k]), epsilon > 1e-10 ? 20 * epsilon : 0);
  double v = handle_value(cpu, "enclosed_volume", 0), u = handle_value(cuda, "enclosed_volume", 0);
  ck_assert_double_gt(fabs(v), 1e-4);
  ck_assert_double_le(fabs(v - u), 1000 * epsilon * fabs(v));
  free(x);
  free(y);
}

/// The method of variant `v`; xpbd in place of what takes no segments of material model solid.
static inline const char *case_method(const vb_scene *scene, int v) {
  const char *method = case_methods[v % CASE_METHODS];
  bool published = vb_scene_features(scene) & VB_FEATURE_SOLID && !strcmp(method, case_methods[2]);
  return published ? case_methods[0] : method;
}

/// An instance of variant `v` (method, precision) in strict arithmetic.
static inline handle case_open(const vb_scene *scene, int v, const char *backend) {
  return handle_open(scene, "backend", backend, "method", case_method(scene, v), "precision",
                     case_precisions[v / CASE_METHODS], "iterations", "3", "substeps", "2",
                     "tolerance", "0", NULL);
}

/// Whether there is a device; says so where there is none.
static inline bool case_has_device(void) {
  vb_scene *scene = case_rods();
  vb_error error = {0};
  const vb_solver *solver;
  void *self = NULL;
  vb_option option[] = {{"backend", "cuda"}, {"method", "xpbd"}};
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  vb_status status = solver->create(solver, scene, option, 2, &self, &error);
  ck_assert(status == VB_OK || status == VB_UNAVAILABLE);
  if (status)
    vb_skip("cuda", error.message);
  solver->destroy(self);
  free(scene);
  return status == VB_OK;
}

/// Whether numbers are the same bit by bit. NaNs are all one: their signs and bits are the
/// compiler's choice.
static inline bool case_same_numbers(const char *x, const char *y, size_t bytes) {
  double a, b;
  size_t k = 0;
  for (; k + sizeof a <= bytes; k += sizeof a) {
    memcpy(&a, x + k, sizeof a);
    memcpy(&b, y + k, sizeof b);
    if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b)))
      return false;
  }
  return memcmp(x + k, y + k, bytes - k) == 0;
}

/// Whether two instances are in the same state, bit by bit but for the work that drivers and loads
/// did: the CPU sums its terms in another order, in double.
static inline bool case_same_state(const handle *a, const handle *b) {
  size_t n = a->solver->state_size(a->self);
  char *x = malloc(n), *y = malloc(n);
  size_t n_work = vb_scene_count(a->scene, VB_SET_DRIVER) + vb_scene_count(a->scene, VB_SET_LOAD) +
                  vb_scene_count(a->scene, VB_SET_ACTIVATION);
  char integrator[16];
  ck_assert_int_eq(
      a->solver->get_option(a->self, "integrator", integrator, sizeof integrator, NULL), VB_OK);
  char dynamics[16];
  ck_assert_int_eq(a->solver->get_option(a->self, "dynamics", dynamics, sizeof dynamics, NULL),
                   VB_OK);
  // What held the pins, of which works are made, by place.
  if (!strcmp(integrator, "bdf2") || !strcmp(dynamics, "static"))
    n_work +=
        4 * (vb_scene_count(a->scene, VB_SET_NODE) + vb_scene_count(a->scene, VB_SET_SEGMENT));
  ck_assert_int_eq(a->solver->save(a->self, x, NULL), VB_OK);
  ck_assert_int_eq(b->solver->save(b->self, y, NULL), VB_OK);
  bool same = case_same_numbers(x, y, n - n_work * sizeof(double));
  free(x);
  free(y);
  return same;
}

/// The work of two instances: equal but for the rounding errors of forces, which are made of terms
/// some thousand times larger, over 100 steps of two substeps.
static inline void case_check_work(const handle *a, const handle *b, double epsilon) {
  enum { MOST = 16 };
  double x[MOST] = {0}, y[MOST] = {0};
  ck_assert_uint_le(vb_scene_count(a->scene, VB_SET_DRIVER) +
                        vb_scene_count(a->scene, VB_SET_LOAD) +
                        vb_scene_count(a->scene, VB_SET_ACTIVATION),
                    MOST);
  ck_assert_int_eq(a->solver->work(a->self, x, NULL), VB_OK);
  ck_assert_int_eq(b->solver->work(b->self, y, NULL), VB_OK);
  for (int k = 0; k < MOST; k++) {
    ck_assert_double_le(fabs(x[k] - y[k]), 1e4 * epsilon * (fabs(x[k]) + 1e-3));
  }
}

/// One, two and so on iterations of a substep, on two instances: every time in the same state.
static inline bool case_same_iterations(handle *a, handle *b, int n) {
  bool same = true;
  handle_set(a, "substeps", "1");
  handle_set(b, "substeps", "1");
  for (int k = 1; same && k <= n; k++) {
    char text[16];
    snprintf(text, sizeof text, "%d", k);
    handle_set(a, "iterations", text);
    handle_set(b, "iterations", text);
    handle_step(a, 1);
    handle_step(b, 1);
    same = case_same_state(a, b);
  }
  return same;
}

#endif
