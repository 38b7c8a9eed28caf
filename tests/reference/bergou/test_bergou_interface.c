// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver bergou behind the interface: refusals, same bits for any threads, save and restore,
/// momentum, reactions, work, divergence.
/// Covers: reference/bergou/*.[ch]
#include "handle.h"
#include "scenes/scenes.h"

static vb_status try_open(const vb_scene *scene, const char *option, const char *value,
                          vb_error *error) {
  const vb_solver *solver;
  void *self = NULL;
  vb_option options[] = {{option, value}};
  ck_assert_int_eq(vb_solver_find("bergou", &solver, NULL), VB_OK);
  vb_status status = solver->create(solver, scene, options, option != NULL, &self, error);
  ck_assert((status == VB_OK) == (self != NULL));
  solver->destroy(self);
  return status;
}

/// What is no open chain is refused by a sentence that names body and node.
START_TEST(other_topologies_are_refused) {
  static const char *const words[] = {"branches at node", "closes a loop at node",
                                      "has no segment at node"};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 0.6, 0.05, &scenes_rubber);
  if (_i == 0)
    scenes_octopus(b, 4, 1, 2, &scenes_rubber);
  else if (_i == 1)
    scenes_octopus(b, 4, 0, 2, &scenes_rubber);
  else
    fixture_node(b, 9, 9, 9, 0.1);
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  ck_assert_int_eq(try_open(scene, NULL, NULL, &error), VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "solver bergou takes open chains"));
  ck_assert_ptr_nonnull(strstr(error.message, "body 1"));
  ck_assert_msg(strstr(error.message, words[_i]) != NULL, "%s", error.message);
  free(scene);
}
END_TEST

START_TEST(bad_options_are_refused) {
  static const char *const bad[][2] = {
      {"stiffness", "soft"}, {"method", "direct"}, {"iterations", "0"}, {"tolerance", "-1"}};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 0.6, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    vb_error error = {0};
    ck_assert_int_eq(try_open(scene, bad[k][0], bad[k][1], &error), VB_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(error.message, bad[k][0]));
  }
  handle s = handle_open_as("bergou", scene, "stiffness", "plain", NULL);
  ck_assert_int_eq(s.solver->set_option(s.self, "stiffness", "matched", NULL), VB_BAD_INPUT);
  handle_set(&s, "iterations", "7");
  char value[32];
  ck_assert_int_eq(s.solver->get_option(s.self, "iterations", value, sizeof value, NULL), VB_OK);
  ck_assert_str_eq(value, "7");
  ck_assert_int_eq(s.solver->get_option(s.self, "stiffness", value, sizeof value, NULL), VB_OK);
  ck_assert_str_eq(value, "plain");
  handle_close(&s);
  free(scene);
}
END_TEST

/// Chains of many lengths, stored either way, some driven and loaded; enough for threads.
static vb_scene *crowd(double step) {
  vb_builder *b = scenes_begin(step, 9.81);
  const double keys[2][2] = {{0, 0}, {0.2, 0.02}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
  vb_driver hand = {"hand", {0.1, 0, 0}, {0, 1, 0}, {-1, -1, curve}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  for (int k = 0; k < 24; k++) {
    int32_t first = k % 2 ? scenes_helix(b, 4 + k, k, &scenes_rubber)
                          : scenes_bar(b, 3 + k, 0.5, 0.03, &scenes_no_surface);
    if (k % 3 == 0)
      scenes_pin_node(b, first, VB_PIN_CENTER, driver);
    if (k % 5 == 0)
      scenes_push(b, first + 2, 0.1, -0.2, 0.1 * k, 0);
  }
  scenes_disturb(b, 0.003, 0.2, 23);
  return fixture_freeze(b);
}

START_TEST(threads_and_reruns_do_not_change_results) {
  static const char *const threads[] = {"1", "1", "2", "5"};
  vb_scene *scene = crowd(0.01);
  ck_assert_uint_gt(vb_scene_count(scene, VB_SET_NODE), 256); // bodies are solved in parallel
  handle first = handle_open_as("bergou", scene, "threads", threads[0], "substeps", "2", NULL);
  handle_step(&first, 5);
  for (int k = 1; k < 4; k++) {
    handle s = handle_open_as("bergou", scene, "threads", threads[k], "substeps", "2", NULL);
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
  vb_scene *scene = crowd(0.01);
  handle s = handle_open_as("bergou", scene, NULL), other = handle_open_as("bergou", scene, NULL);
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

/// Linear momentum of free chains, with gravity's share. Tolerance: rounding errors of positions of
/// order 1 over h, and of solves with a condition number of 1e4, times the mass.
START_TEST(free_flight_keeps_its_momentum) {
  static const char *const iterations[] = {"1", "2", "50"};
  const double h = _i < 3 ? 0.01 : 0.1, gravity = _i % 2 ? 9.81 : 0;
  vb_builder *b = scenes_begin(h, gravity);
  scenes_helix(b, 12, 0, &scenes_rubber);
  scenes_disturb(b, 0.03, 3, 11);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "iterations", iterations[_i % 3], NULL);
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

/// A wall carries the weight of a bar at rest, and the moment of the weight about the origin.
START_TEST(wall_reaction_balances_weight) {
  vb_builder *b = scenes_begin(1e4, 9.81);
  scenes_material stiff = {1000, {4e9, 4e9, 4e9, 0, 0, 1e9}};
  scenes_bar(b, 4, 0.8, 0.05, &stiff);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, NULL);
  handle_step(&s, 1);
  double force[3], torque[3], *mass = handle_read(&s, "mass"), weight = 0, moment = 0;
  double *position = handle_read(&s, "position");
  for (size_t i = 0; i < 5; i++) {
    weight += 9.81 * mass[i];
    moment += 9.81 * mass[i] * position[3 * i];
  }
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  // What is left is Newton's tolerance times the elements' forces, which are 1e3 times the weight.
  ck_assert_double_eq_tol(force[2], weight, 1e-6 * weight);
  ck_assert_double_eq_tol(torque[1], -moment, 1e-6 * moment);
  free(position);
  free(mass);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Kinetic and elastic energy and gravity's, less the work done.
static double balance(handle *s) {
  double work[8], sum = 0;
  sum = handle_elastic(s) + handle_energy(s, "kinetic") + handle_energy(s, "gravity");
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  for (size_t k = 0;
       k < vb_scene_count(s->scene, VB_SET_DRIVER) + vb_scene_count(s->scene, VB_SET_LOAD); k++)
    sum -= work[k];
  return sum;
}

/// The energy that implicit Euler loses over 0.1 s in steps of `h`, driven and loaded.
static double lost(double h) {
  vb_builder *b = scenes_begin(h, 9.81);
  scenes_helix(b, 8, 0, &scenes_rubber);
  const double keys[3][2] = {{0, 0}, {0.05, 0.3}, {0.2, 1}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 3, keys);
  vb_driver hand = {"hand", {0.1, -0.2, 0.3}, {0.6, 0, 0.8}, {-1, curve, -1}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, driver);
  scenes_pin_frame(b, 0, driver);
  scenes_push(b, 6, 1, -2, 0.5, 0);
  scenes_twist(b, 5, 0.02, 0.01, -0.03);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, NULL);
  double start = balance(&s);
  handle_step(&s, (int64_t)round(0.1 / h));
  double end = balance(&s);
  handle_close(&s);
  free(scene);
  return start - end;
}

/// Work done is the energy gained plus a loss, positive and of first order in h.
START_TEST(work_balances_energy) {
  double coarse = lost(1e-3), fine = lost(2.5e-4), finest = lost(1.25e-4);
  ck_assert_double_gt(finest, 0);
  ck_assert_double_gt(coarse, fine);
  ck_assert_double_gt(fine / finest, 1.6);
  ck_assert_double_lt(fine / finest, 2.4);
}
END_TEST

/// A scale force, a pinned scale and an initial rate of it have nothing to act on.
START_TEST(scales_are_outputs) {
  vb_scene *scene[2];
  handle s[2];
  for (int k = 0; k < 2; k++) {
    vb_builder *b = scenes_begin(0.01, 9.81);
    scenes_bar(b, 4, 0.5, 0.05, &scenes_rubber);
    int32_t wall = scenes_wall(b, "wall");
    scenes_pin_node(b, 0, VB_PIN_CENTER | (k ? VB_PIN_SCALE : 0), wall);
    scenes_push(b, 2, 0.3, 0, 0, k ? 5 : 0);
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    node[3].scale = k ? 1.5 : 1;
    node[3].scale_rate = k;
    scene[k] = fixture_freeze(b);
    s[k] = handle_open_as("bergou", scene[k], NULL);
    ck_assert_double_eq(handle_value(&s[k], "scale", 3), k ? 1.5 : 1);
    handle_step(&s[k], 10);
  }
  ck_assert(handle_same(&s[0], &s[1]));
  for (int k = 0; k < 2; k++) {
    handle_close(&s[k]);
    free(scene[k]);
  }
}
END_TEST

/// A segment without length has no scale: that ends the run, and the state stays.
START_TEST(zero_length_segment_is_a_divergence) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  const double keys[2][2] = {{0, 0}, {0.02, -0.2}};
  vb_driver press = {"press", {0}, {1, 0, 0}, {scenes_curve(b, VB_LINEAR, 2, keys), -1, -1}, -1};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &press);
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_node(b, 1, VB_PIN_CENTER, driver);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, NULL);
  ck_assert(!handle_try(&s, 5));
  vb_divergence divergence;
  ck_assert_int_eq(s.solver->sync(s.self, &divergence, NULL), VB_OK);
  ck_assert_int_eq(divergence.step, 2);
  ck_assert_ptr_nonnull(strstr(divergence.what, "segment 0"));
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *interface(void) {
  TCase *t = tcase_create("interface");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, other_topologies_are_refused, 0, 3);
  tcase_add_test(t, bad_options_are_refused);
  tcase_add_test(t, threads_and_reruns_do_not_change_results);
  tcase_add_test(t, restored_state_continues_identically);
  tcase_add_test(t, scales_are_outputs);
  tcase_add_test(t, zero_length_segment_is_a_divergence);
  return t;
}

static TCase *motion(void) {
  TCase *t = tcase_create("motion");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, free_flight_keeps_its_momentum, 0, 6);
  tcase_add_test(t, wall_reaction_balances_weight);
  tcase_add_test(t, work_balances_energy);
  return t;
}

VB_TEST_MAIN("bergou interface", interface(), motion())
