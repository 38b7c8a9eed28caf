// SPDX-License-Identifier: GPL-3.0-or-later
/// The viper solver behind the interface: same bits for any threads, save and restore, refusals,
/// divergence.
/// Covers: src/viper/*.[ch] src/viper/cpu/*.c
#include "handle.h"
#include "scenes/scenes.h"

/// Many bodies of several kinds, some driven and loaded, some with bending factors.
static vb_scene *crowd(double step) {
  vb_builder *b = scenes_begin(step, 9.81);
  const double keys[2][2] = {{0, 0}, {0.2, 0.02}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
  vb_driver hand = {"hand", {0.1, 0, 0}, {0, 1, 0}, {-1, -1, curve}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  for (int k = 0; k < 24; k++) {
    int32_t first = k % 4 == 0   ? scenes_bar(b, 3 + k / 3, 0.5, 0.03, &scenes_no_surface)
                    : k % 4 == 1 ? scenes_helix(b, 3 + k / 2, k, &scenes_rubber)
                    : k % 4 == 2 ? scenes_octopus(b, 8, k / 4, k, &scenes_rubber)
                                 : scenes_graph(b, 5 + k, k / 4, (uint64_t)k, &scenes_rubber);
    if (k % 3 == 0)
      scenes_pin_node(b, first, VB_PIN_CENTER | VB_PIN_SCALE, driver);
    if (k % 5 == 0)
      scenes_push(b, first + 2, 0.1, -0.2, 0.1 * k, 0);
  }
  scenes_bend(b, 30, 5);
  scenes_disturb(b, 0.003, 0.2, 23);
  return fixture_freeze(b);
}

static const char *const methods[] = {"direct", "xpbd"};
static const char *const precisions[] = {"double", "float"};

/// A handle of variant v (method, precision).
static handle open_variant(const vb_scene *scene, int v, const char *threads) {
  return handle_open(scene, "method", methods[v % 2], "precision", precisions[v / 2], "threads",
                     threads, "iterations", "4", "substeps", "2", NULL);
}

START_TEST(threads_and_runs_leave_the_bits_alone) {
  static const char *const threads[] = {"1", "1", "2", "5"};
  vb_scene *scene = crowd(0.01);
  ck_assert_uint_gt(vb_scene_count(scene, VB_SET_NODE), 256); // bodies are solved in parallel
  handle first = open_variant(scene, _i, threads[0]);
  handle_step(&first, 5);
  for (int k = 1; k < 4; k++) {
    handle s = open_variant(scene, _i, threads[k]);
    for (int step = 0; step < 5; step++) // one by one, unlike the first
      handle_step(&s, 1);
    ck_assert(handle_same(&first, &s));
    handle_close(&s);
  }
  handle_close(&first);
  free(scene);
}
END_TEST

/// As many nodes as make every loop of the backend go parallel (8192; the solve does from 256).
START_TEST(threads_leave_the_bits_of_large_scenes_alone) {
  static const char *const threads[] = {"1", "2", "5"};
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 280; k++)
    scenes_bar(b, 32, 0.5, 0.03, &scenes_rubber);
  scenes_disturb(b, 0.003, 0.2, 29);
  vb_scene *scene = fixture_freeze(b);
  ck_assert_uint_gt(vb_scene_count(scene, VB_SET_SEGMENT), 8192);
  handle first = open_variant(scene, _i, threads[0]);
  handle_step(&first, 1);
  for (int k = 1; k < 3; k++) {
    handle s = open_variant(scene, _i, threads[k]);
    handle_step(&s, 1);
    ck_assert(handle_same(&first, &s));
    handle_close(&s);
  }
  handle_close(&first);
  free(scene);
}
END_TEST

/// What is in use is told, "auto" and "0 threads" resolved; fields count their elements.
/// Fields of the whole scene that a scene without surface and contact does not have.
static bool is_absent(const char *field) {
  static const char *const absent[] = {
      "enclosed_volume", "contacts",          "penetration",  "complementarity",
      "contact_speed",   "contact_truncated", "contact_work", "excluded_penetration"};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
    if (!strcmp(field, absent[i]))
      return true;
  return false;
}

START_TEST(options_in_use_and_counts_are_told) {
  vb_scene *scene = crowd(0.01);
  handle s = handle_open(scene, "method", "xpbd", "precision", "float", "substeps", "3",
                         "tolerance", "1e-5", NULL);
  ck_assert_int_eq(s.solver->set_option(s.self, "iterations", "1e3", NULL), VB_OK);
  const struct {
    const char *name, *value;
  } told[] = {{"method", "xpbd"}, {"precision", "float"}, {"substeps", "3"},
              {"backend", "cpu"}, {"tolerance", "1e-05"}, {"iterations", "1000"}};
  char value[32];
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    ck_assert_int_eq(s.solver->get_option(s.self, told[i].name, value, sizeof value, NULL), VB_OK);
    ck_assert_str_eq(value, told[i].value);
  }
  ck_assert_int_eq(s.solver->get_option(s.self, "threads", value, sizeof value, NULL), VB_OK);
  ck_assert_int_ge(atoi(value), 1);
  ck_assert_int_eq(s.solver->get_option(s.self, "thread", value, sizeof value, NULL), VB_BAD_INPUT);
  const vb_solver_description *d = s.solver->describe(s.solver);
  for (size_t i = 0; i < d->n_fields; i++) {
    vb_location at = d->fields[i].location;
    size_t right = at == VB_AT_NODE      ? vb_scene_count(scene, VB_SET_NODE)
                   : at == VB_AT_SEGMENT ? vb_scene_count(scene, VB_SET_SEGMENT)
                   : at == VB_AT_VERTEX || at == VB_AT_BODY || at == VB_AT_HALF_PLANE
                       ? 0
                       : !is_absent(d->fields[i].name);
    ck_assert_uint_eq(s.solver->count(s.self, i), right);
  }
  ck_assert_uint_eq(s.solver->count(s.self, d->n_fields), 0);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(restored_states_continue_alike) {
  vb_scene *scene = crowd(0.01);
  handle s = open_variant(scene, _i, "2"), other = open_variant(scene, _i, "1");
  handle_step(&s, 3);
  void *state = handle_save(&s);
  double first = handle_value(&s, "position", 0);
  handle_step(&s, 4);
  ck_assert_double_ne(handle_value(&s, "position", 0), first);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  handle_step(&other, 4);
  ck_assert(handle_same(&s, &other)); // in an instance made alike
  ck_assert_int_eq(s.solver->restore(s.self, state, NULL), VB_OK);
  ck_assert_double_eq(handle_value(&s, "position", 0), first);
  handle_step(&s, 4);
  ck_assert(handle_same(&s, &other)); // in the same
  free(state);
  handle_close(&s);
  handle_close(&other);
  free(scene);
}
END_TEST

/// What belongs to the latest step is restored, too: residual, reactions, energies, works.
START_TEST(a_restored_state_reads_alike) {
  vb_scene *scene = crowd(0.01);
  handle s = open_variant(scene, _i, "2"), other = open_variant(scene, _i, "1");
  handle_step(&s, 3);
  void *state = handle_save(&s);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  ck_assert(handle_same(&s, &other));
  free(state);
  handle_close(&s);
  handle_close(&other);
  free(scene);
}
END_TEST

/// The residual and the reactions are of the step that was made, whatever is set afterwards.
START_TEST(options_wait_for_the_next_step) {
  vb_scene *scene = crowd(0.01);
  handle s = open_variant(scene, 1, "1");
  handle_step(&s, 2);
  double residual = handle_residual(&s), force[3], torque[3], again[3];
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  handle_set(&s, "substeps", "7");
  ck_assert_double_eq(handle_residual(&s), residual);
  ck_assert_int_eq(s.solver->reactions(s.self, again, torque, NULL), VB_OK);
  ck_assert_mem_eq(force, again, sizeof force);
  handle_close(&s);
  free(scene);
}
END_TEST

/// One state, stepped with more and more iterations: the residual falls. This is how convergence is
/// measured.
START_TEST(iterations_change_midway) {
  static const char *const iterations[] = {"1", "2", "4", "8"};
  vb_scene *scene = crowd(0.01);
  handle s = handle_open(scene, "method", methods[_i], "tolerance", "0", NULL);
  handle_step(&s, 2);
  void *state = handle_save(&s);
  double previous = INFINITY;
  for (int k = 0; k < 4; k++) {
    ck_assert_int_eq(s.solver->restore(s.self, state, NULL), VB_OK);
    handle_set(&s, "iterations", iterations[k]);
    handle_step(&s, 1);
    double residual = handle_residual(&s);
    if (previous > 0 || residual > 0) // at 0 nothing but rounding is left
      ck_assert_double_lt(residual, previous);
    previous = residual;
  }
  free(state);
  handle_close(&s);
  free(scene);
}
END_TEST

/// `direct` iterates until the residual that it reports is within the tolerance, in short steps and
/// in long ones (which start elsewhere).
START_TEST(the_tolerance_is_met) {
  static const char *const tolerance[] = {"1e-2", "1e-5", "1e-8"};
  static const double steps[] = {0.002, 0.01, 0.1};
  vb_scene *scene = crowd(steps[_i / 3]);
  handle s = handle_open(scene, "iterations", "500", "tolerance", tolerance[_i % 3], NULL);
  for (int step = 0; step < 3; step++) {
    handle_step(&s, 1);
    ck_assert_double_le(handle_residual(&s), strtod(tolerance[_i % 3], NULL));
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Creates in vain; the sentence must hold `says`.
static void refuse(const vb_scene *scene, const char *name, const char *value, vb_status status,
                   const char *says) {
  const vb_solver *solver;
  vb_error error = {0};
  vb_option option = {name, value};
  void *untouched = &error, *self = untouched;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, &option, name ? 1 : 0, &self, &error), status);
  ck_assert_int_eq(error.status, status);
  ck_assert_msg(strstr(error.message, says), "%s", error.message);
  ck_assert_ptr_eq(self, untouched);
}

START_TEST(what_does_not_fit_is_refused) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  refuse(scene, "iteration", "3", VB_BAD_INPUT, "did you mean \"iterations\"");
  refuse(scene, "method", "magic", VB_BAD_INPUT, "direct|xpbd");
  refuse(scene, "iterations", "0", VB_BAD_INPUT, "iterations");
  refuse(scene, "substeps", "1.5", VB_BAD_INPUT, "whole");
  refuse(scene, "threads", "-1", VB_BAD_INPUT, "threads");
  handle s = handle_open(scene, NULL);
  vb_error error = {0};
  ck_assert_int_eq(s.solver->set_option(s.self, "method", "xpbd", &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "method"));
  ck_assert_int_eq(s.solver->set_option(s.self, "nonsense", "1", &error), VB_BAD_INPUT);
  ck_assert_int_eq(s.solver->set_option(s.self, "iterations", "many", &error), VB_BAD_INPUT);
  double out[64];
  ck_assert_int_eq(s.solver->read(s.self, 99, out, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "99"));
  handle_step(&s, 1);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(a_node_without_segments_is_refused) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  fixture_node(b, 1, 1, 1, 0.1);
  vb_scene *scene = fixture_freeze(b);
  refuse(scene, NULL, NULL, VB_BAD_INPUT, "node 3 belongs to no segment");
  free(scene);
}
END_TEST

START_TEST(unknown_sets_are_refused) {
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  vb_solver_description some = *solver->describe(solver);
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  scenes_push(b, 1, 1, 0, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_check_scene(&some, scene, &error), VB_OK);
  some.sets &= ~(UINT64_C(1) << VB_SET_LOAD);
  ck_assert_int_eq(vb_solver_check_scene(&some, scene, &error), VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "load"));
  free(scene);
}
END_TEST

/// A bar whose ends are pressed together until its sections have vanished, or a load that
/// overflows.
static vb_scene *doomed(bool overflow) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 0.4, 0.05, &scenes_rubber);
  const double keys[4][2] = {{0, 0}, {0.025, 0}, {0.026, 1}, {1, 1}};
  vb_load load = {.name = "crush",
                  .location = VB_AT_NODE,
                  .index = 2,
                  .force = {overflow ? 1e308 : 0, 0, 0},
                  .scale_force = overflow ? 0 : -1e4,
                  .amplitude = scenes_curve(b, VB_LINEAR, 4, keys)};
  fixture_add(b, VB_SET_LOAD, &load);
  return fixture_freeze(b);
}

/// For `xpbd` an overflow alone: crushed scales come back in its later sweeps.
START_TEST(divergence_is_a_result) {
  bool overflow = _i / 4 || _i % 2;
  vb_scene *scene = doomed(overflow);
  handle s = open_variant(scene, _i % 4, "2");
  vb_divergence divergence;
  double out[64], residual;
  ck_assert(handle_try(&s, 2));
  ck_assert(!handle_try(&s, 3));
  ck_assert_int_eq(s.solver->sync(s.self, &divergence, NULL), VB_OK);
  ck_assert_int_eq(divergence.step, 3);
  ck_assert_msg(strstr(divergence.what, overflow ? "not finite" : "scale of node 2"), "%s",
                divergence.what);
  double *before = handle_read(&s, "position");
  ck_assert(!handle_try(&s, 10)); // stays as it is
  double *after = handle_read(&s, "position");
  ck_assert_mem_eq(before, after, 12 * sizeof *before);
  ck_assert_int_eq(s.solver->energies(s.self, out, NULL), VB_OK);
  ck_assert_int_eq(s.solver->residual(s.self, &residual, NULL), VB_OK);
  ck_assert_int_eq(s.solver->work(s.self, out, NULL), VB_OK);
  void *state = handle_save(&s);
  handle other = open_variant(scene, _i % 4, "1");
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  vb_divergence restored = {0};
  ck_assert_int_eq(other.solver->sync(other.self, &restored, NULL), VB_OK);
  ck_assert(restored.diverged);
  ck_assert_int_eq(restored.step, 3);
  ck_assert_str_eq(restored.what, divergence.what);
  ck_assert(!handle_try(&other, 1));
  free(before);
  free(after);
  free(state);
  handle_close(&s);
  handle_close(&other);
  free(scene);
}
END_TEST

/// The description keeps its word: fields can be read, names are there once, time 0 has no
/// residual.
START_TEST(the_description_holds) {
  vb_scene *scene = crowd(0.01);
  handle s = handle_open(scene, NULL);
  const vb_solver_description *d = s.solver->describe(s.solver);
  ck_assert_str_eq(d->name, "viper");
  for (size_t i = 0; i < d->n_fields; i++) {
    for (size_t k = 0; k < i; k++)
      ck_assert_str_ne(d->fields[i].name, d->fields[k].name);
    free(handle_read(&s, d->fields[i].name));
  }
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  double *position = handle_read(&s, "position"), *scale = handle_read(&s, "scale");
  for (size_t i = 0; i < n; i++) {
    ck_assert_mem_eq(position + 3 * i, node[i].position, 3 * sizeof *position);
    ck_assert_double_eq(scale[i], node[i].scale);
  }
  free(position);
  free(scale);
  ck_assert_double_eq(handle_residual(&s), 0);
  double timing[8] = {0};
  handle_step(&s, 1);
  ck_assert_int_eq(s.solver->timings(s.self, timing, NULL), VB_OK);
  ck_assert_uint_eq(d->n_phases, 6);
  ck_assert_double_gt(timing[1], 0);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *bits(void) {
  TCase *t = tcase_create("bits");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, threads_and_runs_leave_the_bits_alone, 0, 4);
  tcase_add_loop_test(t, threads_leave_the_bits_of_large_scenes_alone, 0, 4);
  tcase_add_test(t, options_in_use_and_counts_are_told);
  tcase_add_loop_test(t, restored_states_continue_alike, 0, 4);
  tcase_add_loop_test(t, a_restored_state_reads_alike, 0, 4);
  tcase_add_test(t, options_wait_for_the_next_step);
  tcase_add_loop_test(t, iterations_change_midway, 0, 2);
  tcase_add_loop_test(t, the_tolerance_is_met, 0, 9);
  return t;
}

static TCase *results(void) {
  TCase *t = tcase_create("refusals and results");
  tcase_add_test(t, what_does_not_fit_is_refused);
  tcase_add_test(t, a_node_without_segments_is_refused);
  tcase_add_test(t, unknown_sets_are_refused);
  tcase_add_loop_test(t, divergence_is_a_result, 0, 8);
  tcase_add_test(t, the_description_holds);
  return t;
}

VB_TEST_MAIN("viper interface", bits(), results())
