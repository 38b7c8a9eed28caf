// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver umetani behind the interface: refusals, options, same bits for any threads, save and
/// restore, momentum, reactions, work, divergence.
/// Covers: reference/umetani/*.[ch]
#include "handle.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

static vb_status try_open(const vb_scene *scene, const char *option, const char *value,
                          vb_error *error) {
  const vb_solver *solver;
  void *self = NULL;
  vb_option options[] = {{option, value}};
  ck_assert_int_eq(vb_solver_find("umetani", &solver, NULL), VB_OK);
  vb_status status = solver->create(solver, scene, options, option != NULL, &self, error);
  ck_assert((status == VB_OK) == (self != NULL));
  solver->destroy(self);
  return status;
}

/// A node without a segment, and a joint that is folded back at rest, are refused by a sentence.
START_TEST(other_scenes_are_refused) {
  static const char *const words[] = {
      "solver umetani takes rods only; body 1 (\"body1\") has no segment "
      "at node 4",
      "joint 0 is folded back at rest"};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 0.6, 0.05, &scenes_rubber);
  if (_i == 0)
    fixture_node(b, 9, 9, 9, 0.1);
  else
    scenes_curve_joint(b, 0, 9.9999999, 0, 0); // lm = 0.2: sin(angle/2) = 0.99999999
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  ck_assert_int_eq(try_open(scene, NULL, NULL, &error), VB_UNAVAILABLE);
  ck_assert_msg(strstr(error.message, words[_i]) != NULL, "%s", error.message);
  free(scene);
}
END_TEST

START_TEST(options_are_kept) {
  static const char *const bad[][2] = {
      {"joint", "all"}, {"method", "direct"}, {"iterations", "0"}, {"twist", "1.5"}};
  static const char *const good[][2] = {
      {"joint", "squared"},   {"method", "xpbd"},        {"iterations", "7"},
      {"twist", "0.25"},      {"order", "ends"},         {"ghosts", "matched"},
      {"alpha", "law"},       {"ghost_gravity", "none"}, {"material", "beam"},
      {"clamp_ratio", "yes"}, {"warm_start", "yes"},     {"inextensible", "yes"}};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 0.6, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ck_assert_int_eq(try_open(scene, bad[k][0], bad[k][1], &error), VB_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(error.message, bad[k][0]));
  }
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    char value[32];
    handle s = handle_open_as("umetani", scene, good[k][0], good[k][1], NULL);
    ck_assert_int_eq(s.solver->get_option(s.self, good[k][0], value, sizeof value, NULL), VB_OK);
    ck_assert_str_eq(value, good[k][1]);
    handle_step(&s, 2);
    handle_close(&s);
  }
  handle s = handle_open_as("umetani", scene, NULL);
  ck_assert_int_eq(s.solver->set_option(s.self, "order", "ends", NULL), VB_BAD_INPUT);
  ck_assert_int_eq(s.solver->get_option(s.self, "kappa", NULL, 0, NULL), VB_BAD_INPUT);
  handle_set(&s, "iterations", "3");
  handle_close(&s);
  free(scene);
}
END_TEST

/// Rods of many lengths and octopuses, stored either way, some driven, held in part, loaded,
/// active; enough points for threads.
static vb_scene *crowd(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  const double keys[2][2] = {{0, 0}, {0.2, 0.02}}, contract[2][2] = {{0, 1}, {0.1, 0.8}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys),
          muscle = scenes_curve(b, VB_CUBIC, 2, contract);
  vb_driver hand = {"hand", {0.1, 0, 0}, {0, 1, 0}, {-1, -1, curve}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand), segment = 0;
  for (int k = 0; k < 24; k++) {
    int32_t first = k % 3 == 0   ? scenes_octopus(b, 6, 4, k, &scenes_rubber)
                    : k % 3 == 1 ? scenes_helix(b, 12 + k, k, &scenes_rubber)
                                 : scenes_bar(b, 10 + k, 0.5, 0.03, &scenes_no_surface);
    if (k % 4 == 0)
      scenes_pin_node(b, first, k % 8 ? VB_PIN_CENTER : VB_PIN_X | VB_PIN_Z, driver);
    if (k % 6 == 1)
      scenes_pin_frame(b, segment + 2, driver);
    if (k % 6 == 2)
      scenes_hold(b, segment + 1, VB_FRAME_U | VB_FRAME_W, driver);
    if (k % 5 == 0)
      scenes_push(b, first + 2, 0.1, -0.2, 0.1 * k, 0);
    if (k == 3)
      scenes_twist(b, segment + 1, 0.02, 0.01, -0.03);
    if (k == 5)
      scenes_activate(b, segment + 1, VB_ACTIVE_STRAIN, muscle);
    size_t n;
    vb_builder_elements(b, VB_SET_SEGMENT, &n);
    segment = (int32_t)n;
  }
  scenes_disturb(b, 0.003, 0.2, 23);
  return fixture_freeze(b);
}

static const char *const variants[][2] = {
    {"order", "random"}, {"joint", "scalar"}, {"method", "xpbd"}, {"alpha", "law"}};

START_TEST(threads_and_reruns_do_not_change_results) {
  static const char *const threads[] = {"2", "3", "5"};
  vb_scene *scene = crowd();
  handle first = handle_open_as("umetani", scene, "threads", "1", "substeps", "2", variants[_i][0],
                                variants[_i][1], NULL);
  handle_step(&first, 5);
  for (int k = 0; k < 3; k++) {
    handle s = handle_open_as("umetani", scene, "threads", threads[k], "substeps", "2",
                              variants[_i][0], variants[_i][1], NULL);
    for (int step = 0; step < 5; step++) // one by one, unlike the first
      handle_step(&s, 1);
    ck_assert(handle_same(&first, &s));
    handle_close(&s);
  }
  handle_close(&first);
  free(scene);
}
END_TEST

START_TEST(restored_state_continues_identically) {
  vb_scene *scene = crowd();
  handle s = handle_open_as("umetani", scene, variants[_i][0], variants[_i][1], NULL);
  handle other = handle_open_as("umetani", scene, variants[_i][0], variants[_i][1], NULL);
  handle_step(&s, 3);
  void *state = handle_save(&s);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  ck_assert(handle_same(&s, &other));
  handle_step(&s, 2);
  ck_assert(!handle_same(&s, &other));
  handle_step(&other, 2);
  ck_assert(handle_same(&s, &other));
  free(state);
  handle_close(&other);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Linear momentum of free bodies with gravity's share, however little has converged. Rounding
/// errors of positions of order 1 over h, times the mass.
START_TEST(free_flight_keeps_its_momentum) {
  const double h = 0.01, gravity = _i % 2 ? 9.81 : 0;
  vb_builder *b = scenes_begin(h, gravity);
  if (_i < 2)
    scenes_helix(b, 12, 0, &scenes_rubber);
  else
    scenes_octopus(b, 6, 3, 0, &scenes_rubber);
  scenes_disturb(b, 0.03, 3, 11);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "iterations", "3", NULL);
  double *start = handle_read(&s, "momentum"), *mass = handle_read(&s, "mass"), total = 0;
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    total += mass[i];
  for (int step = 1; step <= 10; step++) {
    handle_step(&s, 1);
    for (size_t k = 0; k < 3; k++) {
      double right = start[k] - (k == 2 ? total * gravity * h * step : 0);
      ck_assert_double_eq_tol(handle_value(&s, "momentum", k), right, total * 1e-11);
    }
  }
  free(start);
  free(mass);
  handle_close(&s);
  free(scene);
}
END_TEST

/// In each step the walls give what changes the momentum of all that moves, gravity's share aside;
/// a wall that holds a body still also carries its weight and moment. Any iterations, pinned in
/// part or whole: the balance is of forces as they were applied.
START_TEST(reactions_balance) {
  const double h = 0.01;
  vb_builder *b = scenes_begin(h, 9.81);
  scenes_helix(b, 8, 0, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_node(b, 5, VB_PIN_Y | VB_PIN_Z, wall);
  scenes_pin_frame(b, 0, wall);
  scenes_disturb(b, 0.01, 0.3, 5);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", _i ? "xpbd" : "pbd", NULL);
  double *mass = handle_read(&s, "mass"), total = 0;
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    total += mass[i];
  for (int step = 0; step < 5; step++) {
    double *before = handle_read(&s, "momentum"), force[3], torque[3];
    handle_step(&s, 1);
    double *after = handle_read(&s, "momentum");
    ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
    for (size_t k = 0; k < 3; k++) // rounding errors of positions over h^2, times the mass
      ck_assert_double_eq_tol(force[k] - (k == 2) * total * 9.81, (after[k] - before[k]) / h,
                              1e-9 * total / h);
    free(before);
    free(after);
  }
  free(mass);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A segment both nodes of which are held, too, turns with its driver: only its ghost is free, so
/// that one component of its frame is left to enforce.
START_TEST(held_segments_turn) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 4, 0.4, 0.03, &scenes_rubber);
  const double keys[2][2] = {{0, 0}, {0.2, 1.5}};
  vb_driver hand = {
      "hand", {0, 0, 0}, {1, 0, 0}, {-1, -1, -1}, scenes_curve(b, VB_LINEAR, 2, keys)};
  int32_t turn = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, turn);
  scenes_pin_node(b, 1, VB_PIN_CENTER, turn);
  scenes_pin_frame(b, 0, turn);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, NULL);
  double *before = handle_read(&s, "frame"), u[2][3];
  handle_step(&s, 40);
  double *after = handle_read(&s, "frame");
  vb_frame_axis(before, 0, u[0]);
  vb_frame_axis(after, 0, u[1]);
  ck_assert_double_eq_tol(vb_dot(u[0], u[1]), cos(1.5), 1e-9); // iterations end far below that
  ck_assert_double_lt(handle_value(&s, "constraint_error", 3), 1e-9);
  free(before);
  free(after);
  handle_close(&s);
  free(scene);
}
END_TEST

/// What drivers and loads do over a slow motion of a soft rod is what its energies gain, to first
/// order in the step, with XPBD, whose energy it is. Damping takes 2 %.
START_TEST(work_is_stored) {
  vb_builder *b = scenes_begin(1.0 / 480, 0);
  scenes_material m = {50, {4e3, 4e3, 4e3, 0, 0, 0}};
  scenes_bar(b, 8, 0.8, 0.1, &m);
  const double keys[2][2] = {{0, 0}, {2, 1.2}}, shift[2][2] = {{0, 0}, {2, 0.05}};
  vb_driver hand = {"hand",
                    {0, 0, 0},
                    {1, 0, 0},
                    {scenes_curve(b, VB_CUBIC, 2, shift), -1, -1},
                    scenes_curve(b, VB_CUBIC, 2, keys)};
  int32_t wall = scenes_wall(b, "wall"), turn = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  scenes_pin_node(b, 8, VB_PIN_CENTER, turn);
  scenes_pin_frame(b, 7, turn);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", "iterations", "40", NULL);
  handle_step(&s, 960);
  double work[2], stored = handle_elastic(&s) + handle_energy(&s, "kinetic");
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  ck_assert_double_eq_tol(work[0], 0, 1e-12);
  ck_assert_double_eq_tol(work[1], stored, 0.02 * stored);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Far too stiff a warm start blows up, which is a result: it is reported, and the state stays.
START_TEST(divergence_is_reported) {
  vb_builder *b = scenes_begin(0.1, 9.81);
  scenes_material stiff = {1000, {4e9, 4e9, 4e9, 0, 0, 1e9}};
  scenes_helix(b, 12, 0, &stiff);
  scenes_disturb(b, 0.05, 3, 11);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", "warm_start", "yes", "iterations",
                            "1", NULL);
  vb_divergence divergence = {0};
  ck_assert_int_eq(s.solver->step(s.self, 5000, NULL), VB_OK);
  ck_assert_int_eq(s.solver->sync(s.self, &divergence, NULL), VB_OK);
  ck_assert(divergence.diverged);
  ck_assert_int_gt(divergence.step, 0);
  ck_assert_ptr_nonnull(strstr(divergence.what, "point"));
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *interface(void) {
  TCase *t = tcase_create("interface");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, other_scenes_are_refused, 0, 2);
  tcase_add_test(t, options_are_kept);
  tcase_add_loop_test(t, threads_and_reruns_do_not_change_results, 0, 4);
  tcase_add_loop_test(t, restored_state_continues_identically, 0, 4);
  tcase_add_loop_test(t, free_flight_keeps_its_momentum, 0, 4);
  tcase_add_loop_test(t, reactions_balance, 0, 2);
  tcase_add_test(t, held_segments_turn);
  tcase_add_test(t, work_is_stored);
  tcase_add_test(t, divergence_is_reported);
  return t;
}

VB_TEST_MAIN("umetani interface", interface())
