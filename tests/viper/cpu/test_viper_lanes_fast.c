// SPDX-License-Identifier: GPL-3.0-or-later
/// Fast arithmetic in vector lanes is near the strict one, by every instruction set, also where
/// bodies have multiples of the rest data of one.
/// Covers: src/viper/cpu/*.[ch] src/viper/cpu/batch/*.[ch] src/viper/cpu/core/*.[ch]
/// Covers: src/viper/cpu/single/*.[ch] src/viper/energy/lanes.h
#include "scenes/lane_cases.h"
#include "viper/backend/tiles.h"

#include <float.h>

/// Root mean square difference of a field of two handles.
static double apart(const handle *a, const handle *b, const char *field, size_t n) {
  double *x = handle_read(a, field), *y = handle_read(b, field), sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  free(x);
  free(y);
  return sqrt(sum / (double)n);
}

/// A build without these kernels says so, and how to have them.
static void fast_double_is_refused(const char *instructions) {
  const vb_option options[] = {{"backend", "cpu"},
                               {"instructions", instructions},
                               {"precision", "double"},
                               {"arithmetic", "fast"}};
  vb_scene *scene = crowd();
  const vb_solver *solver;
  void *self = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, options, 4, &self, &error), VB_UNAVAILABLE);
  ck_assert_msg(strstr(error.message, "make FAST_DOUBLE=yes") != NULL, "%s", error.message);
  ck_assert_ptr_null(self);
  free(scene);
}

/// Fast arithmetic fuses, and takes reciprocals by iteration: some roundings of numbers of order 1
/// differ in each of the 12 iterations. At random they add up to the root of their number: 16 units
/// leave room for twenty an iteration. Single precision shows that it is not the strict one.
START_TEST(fast_is_near_strict) {
  const double unit = _i < METHODS ? DBL_EPSILON : FLT_EPSILON;
  const char *set[3];
  int n_sets = sets_here(set);
  if (_i < METHODS && !viper_lanes_find(64, set[0], true)) {
    fast_double_is_refused(set[0]);
    vb_skip(methods[_i], "no fast arithmetic in double in this build; make FAST_DOUBLE=yes");
    return;
  }
  vb_scene *scene = crowd();
  size_t n = vb_scene_count(scene, VB_SET_NODE), n_frames = vb_scene_count(scene, VB_SET_SEGMENT);
  handle strict = run(scene, _i, set[0], "2");
  for (int k = 0; k < n_sets; k++) {
    handle s = handle_open(scene, "method", methods[_i % METHODS], "precision",
                           precisions[_i / METHODS], "instructions", set[k], "arithmetic", "fast",
                           "iterations", "3", "substeps", "2", "tolerance", "0", NULL);
    handle_step(&s, 2);
    double scale = apart(&strict, &s, "scale", n);
    ck_assert_double_lt(scale, 16 * unit);
    ck_assert_double_lt(apart(&strict, &s, "position", 3 * n), 16 * unit);
    ck_assert_double_lt(apart(&strict, &s, "frame", 4 * n_frames), 16 * unit);
    if (_i >= METHODS)
      ck_assert_double_gt(scale, 0);
    handle_close(&s);
  }
  handle_close(&strict);
  free(scene);
}
END_TEST

/// Rods of one shape, each of its own radius, density and stiffnesses, or all `equal`, on which
/// every term acts.
static vb_scene *multiples(int n, bool equal) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_wall(b, "wall");
  for (int k = 0; k < n; k++) {
    scenes_material m = scenes_rubber;
    const int kind = equal ? 0 : k;
    uint64_t seed = 300 + (uint64_t)kind;
    m.density *= 1 + 0.1 * kind;
    for (int i = 0; i < 6; i++)
      m.stiffness[i] *= 1.2 + scenes_random(&seed);
    int32_t first = scenes_bar(b, 12, 0.5, 0.03 * (1 + 0.05 * kind), &m);
    size_t n_segments;
    vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
    scenes_pin_node(b, first, VB_PIN_CENTER, 0);
    scenes_pin_frame(b, (int32_t)n_segments - 12, 0);
  }
  scenes_disturb(b, 0.002, 0.2, 31);
  if (solid)
    scenes_solidify(b, 1);
  return fixture_freeze(b);
}

/// Whether the bodies of a scene have multiples of rest data, as sweeps of this method ask for.
static void check_multiples(const vb_scene *scene, bool own_phases, bool equal) {
  viper_model *m;
  viper_body_groups body_groups;
  const viper_grouping grouping = {.tolerance = 2 * FLT_EPSILON,
                                   .multiples = own_phases ? VIPER_CHAIN : VIPER_ALONG};
  ck_assert_int_eq(viper_model_create(scene, !own_phases, &m, NULL), VB_OK);
  ck_assert_int_eq(viper_body_groups_create(m, &grouping, &body_groups, NULL), VB_OK);
  ck_assert_uint_eq(body_groups.n_groups, 1);
  ck_assert_int_eq(body_groups.group[0].uniform, equal ? grouping.multiples : VIPER_MULTIPLES);
  viper_body_groups_destroy(&body_groups);
  viper_model_destroy(m);
}

/// Of rods with multiples of rest data fast arithmetic reads those of one; strict arithmetic reads
/// those of each. Besides the roundings above, K of all lanes but one is a product of two numbers:
/// their error of a unit moves what rests between K as much as one more rounding. Published rods by
/// all methods that sweep, then solid ones by those that take them, and published ones that are
/// equal.
START_TEST(multiples_are_near_strict) {
  const int method = 1 + _i % (METHODS - 1);
  const bool equal = _i >= 2 * METHODS - 3;
  const char *set[3];
  int n_sets = sets_here(set);
  solid = _i >= METHODS - 1 && !equal;
  vb_scene *scene = multiples(37, equal);
  size_t n = vb_scene_count(scene, VB_SET_NODE), n_frames = vb_scene_count(scene, VB_SET_SEGMENT);
  check_multiples(scene, method == 2, equal);
  handle strict = run(scene, METHODS + method, set[0], "2");
  for (int k = 0; k < n_sets; k++) {
    handle s = handle_open(scene, "method", methods[method], "precision", "float", "instructions",
                           set[k], "arithmetic", "fast", "iterations", "3", "substeps", "2", NULL);
    handle_step(&s, 2);
    double scale = apart(&strict, &s, "scale", n);
    ck_assert_double_lt(scale, 16 * FLT_EPSILON);
    ck_assert_double_lt(apart(&strict, &s, "position", 3 * n), 16 * FLT_EPSILON);
    ck_assert_double_lt(apart(&strict, &s, "frame", 4 * n_frames), 16 * FLT_EPSILON);
    ck_assert_double_gt(scale, 0);
    handle_close(&s);
  }
  handle_close(&strict);
  free(scene);
}
END_TEST

static TCase *fast(void) {
  TCase *t = tcase_create("fast");
  tcase_add_loop_test(t, fast_is_near_strict, 0, VARIANTS);
  tcase_add_loop_test(t, multiples_are_near_strict, 0, 3 * (METHODS - 1) - 1);
  return t;
}

VB_TEST_MAIN("viper lanes fast", fast())
