// SPDX-License-Identifier: GPL-3.0-or-later
/// Pins that end, in several solvers: what was held falls as it should, from where and as fast as
/// it was; and solvers whose state depends on their pins are told so.
/// Covers: src/solver/held_pins.* src/scene/pin_ends.*
#include "fake_solver.h"
#include "handle.h"
#include "scene/pin_ends.h"
#include "scenes/scene_fixture.h"
#include "solver/held_pins.h"

#include <math.h>

#define STEP    0.01
#define GRAVITY 9.81
#define SPEED   0.3
/// Steps that pins hold; and that follow.
enum { HELD = 10, FREE = 40 };

/// A straight rod along x, all of which a driver moves along x until the pins end; or its nodes.
static vb_scene *carried_rod(bool frames) {
  vb_builder *b = fixture_builder();
  const vb_world world = {{0, 0, -GRAVITY}, STEP, 0, HELD + FREE};
  *vb_builder_world(b) = world;
  for (int i = 0; i < 4; i++) {
    vb_node node = {.rest_position = {0.25 * i, 0, 0}, .rest_radius = 0.05};
    memcpy(node.position, node.rest_position, sizeof node.position);
    node.velocity[0] = SPEED;
    fixture_add(b, VB_SET_NODE, &node);
  }
  fixture_add(b, VB_SET_KEY, &(vb_key){0, 0, VB_LINEAR, 0});
  fixture_add(b, VB_SET_KEY, &(vb_key){1, SPEED, VB_LINEAR, 0});
  fixture_add(b, VB_SET_CURVE, &(vb_curve){0, 2});
  fixture_add(b, VB_SET_DRIVER, &(vb_driver){"hand", {0}, {0, 0, 1}, {0, -1, -1}, -1});
  for (int i = 0; i < 4; i++) {
    fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, i, VB_PIN_CENTER, 0});
    fixture_add(b, VB_SET_PIN_END, &(vb_pin_end){VB_AT_NODE, i, VB_PIN_CENTER, 0, HELD * STEP});
  }
  for (int j = 0; j < 3; j++) {
    fixture_segment(b, j, j + 1);
    if (!frames)
      continue;
    fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_SEGMENT, j, VB_PIN_FRAME, 0});
    fixture_add(b, VB_SET_PIN_END, &(vb_pin_end){VB_AT_SEGMENT, j, VB_PIN_FRAME, 0, HELD * STEP});
  }
  return fixture_freeze(b);
}

/// An instance of the solver `name` whose pins end.
static handle open_held(vb_held_pins *room, const char *name, const vb_scene *scene,
                        const vb_option *options, size_t n_options) {
  handle s = {.scene = scene};
  vb_error error = {0};
  const vb_solver *inner;
  ck_assert_int_eq(vb_solver_find(name, &inner, NULL), VB_OK);
  s.solver = vb_held_pins_of(inner, scene, room);
  ck_assert_ptr_eq(vb_held_pins_inner(s.solver), inner);
  ck_assert_int_eq(vb_solver_check_scene(s.solver->describe(s.solver), scene, NULL), VB_OK);
  ck_assert_msg(!s.solver->create(s.solver, scene, options, n_options, &s.self, &error), "%s",
                error.message);
  return s;
}

/// Solvers, with an option each.
static const struct {
  const char *solver;
  vb_option option;
  bool bdf2, frames;
} SOLVERS[] = {
    {"viper", {"method", "block-descent"}, false, true},
    {"viper", {"method", "xpbd"}, false, true},
    {"viper", {"method", "jacobi-published"}, false, true},
    {"viper", {"method", "direct"}, false, true},
    {"viper", {"integrator", "bdf2"}, true, true},
    {"bergou", {"iterations", "20"}, false, true},
    // Its state has a multiplier for each held frame, and no frame is held but by constraints,
    // which iterations meet.
    {"umetani", {"iterations", "10"}, false, false},
};
enum { N_SOLVERS = sizeof SOLVERS / sizeof *SOLVERS, N_EXACT = N_SOLVERS - 1 };

/// Where implicit Euler, or bdf2 from rest, has a mass fallen after `n` steps.
static double fallen(bool bdf2, int n) {
  double x[2] = {0, 0}, v[2] = {0, 0};
  for (int k = 0; k < n; k++) {
    double rate = bdf2 ? (4 * v[0] - v[1]) / 3 - 2 * STEP / 3 * GRAVITY : v[0] - STEP * GRAVITY;
    double place = bdf2 ? (4 * x[0] - x[1]) / 3 + 2 * STEP / 3 * rate : x[0] + STEP * rate;
    x[1] = x[0];
    v[1] = v[0];
    x[0] = place;
    v[0] = rate;
  }
  return x[0];
}

/// What the steps of a rod that is not deformed leave: iterations of an elasticity of 1e7 Pa.
#define ROUNDING 1e-7

START_TEST(what_was_held_falls) {
  vb_scene *scene = carried_rod(SOLVERS[_i].frames);
  vb_held_pins room;
  handle s = open_held(&room, SOLVERS[_i].solver, scene, &SOLVERS[_i].option, 1);
  double force[3], torque[3];
  handle_step(&s, HELD);
  ck_assert_double_eq_tol(handle_value(&s, "position", 2), 0, ROUNDING);
  handle_step(&s, FREE);
  for (size_t i = 0; i < 4; i++) {
    const double time = (HELD + FREE) * STEP;
    ck_assert_double_eq_tol(handle_value(&s, "position", 3 * i), 0.25 * (double)i + SPEED * time,
                            ROUNDING);
    ck_assert_double_eq_tol(handle_value(&s, "position", 3 * i + 2), fallen(SOLVERS[_i].bdf2, FREE),
                            ROUNDING);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 3 * i), SPEED, ROUNDING / STEP);
  }
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq(force[2], 0);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(states_on_both_sides_of_an_end_continue_alike) {
  vb_scene *scene = carried_rod(SOLVERS[_i].frames);
  vb_held_pins room;
  handle s = open_held(&room, SOLVERS[_i].solver, scene, &SOLVERS[_i].option, 1);
  handle_step(&s, HELD - 2);
  void *before = handle_save(&s);
  handle_step(&s, 2);
  void *at = handle_save(&s);
  handle_step(&s, FREE);
  double *end = handle_read(&s, "position");
  void *const states[] = {at, before};
  const int steps[] = {FREE, FREE + 2};
  for (int k = 0; k < 2; k++) { // one by one, too
    ck_assert_int_eq(s.solver->restore(s.self, states[k], NULL), VB_OK);
    for (int i = 0; i < steps[k]; i++)
      handle_step(&s, 1);
    double *again = handle_read(&s, "position");
    ck_assert_mem_eq(again, end, 12 * sizeof *end);
    free(again);
  }
  free(before);
  free(at);
  free(end);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Of a pin only some components end: the rest stays on its driver.
START_TEST(components_end_by_themselves) {
  vb_builder *b = fixture_builder();
  vb_builder_world(b)->gravity[2] = -GRAVITY;
  fixture_node(b, 0, 0, 0, 0.05);
  fixture_node(b, 0, 0, 0.5, 0.05);
  fixture_segment(b, 0, 1);
  fixture_add(b, VB_SET_DRIVER, &(vb_driver){"rail", {0}, {0, 0, 1}, {-1, -1, -1}, -1});
  for (int i = 0; i < 2; i++) {
    fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, i, VB_PIN_CENTER | VB_PIN_SCALE, 0});
    fixture_add(b, VB_SET_PIN_END, &(vb_pin_end){VB_AT_NODE, i, VB_PIN_Z, 0, 0.05});
  }
  fixture_add(b, VB_SET_FRAME_PIN, &(vb_frame_pin){0, VB_FRAME_U | VB_FRAME_V, 0, 0});
  fixture_add(b, VB_SET_PIN_END, &(vb_pin_end){VB_AT_SEGMENT, 0, VB_PIN_FRAME, 0, 0.07});
  vb_scene *scene = fixture_freeze(b), *held = NULL;
  size_t n;
  ck_assert_int_eq(vb_next_pin_end(scene, 0), 5);
  ck_assert_int_eq(vb_next_pin_end(scene, 5), 7);
  ck_assert_int_eq(vb_next_pin_end(scene, 7), INT64_MAX);
  ck_assert_int_eq(vb_scene_held_after(scene, 5, &held, NULL), VB_OK);
  ck_assert_int_eq(vb_scene_check(held, vb_scene_bytes(held), NULL), VB_OK);
  ck_assert_uint_eq(vb_scene_count(held, VB_SET_PIN_END), 0);
  ck_assert_uint_eq(vb_scene_count(held, VB_SET_FRAME_PIN), 1);
  ck_assert_uint_eq(vb_scene_pins(held, &n)[1].mask, VB_PIN_X | VB_PIN_Y | VB_PIN_SCALE);
  free(held);
  ck_assert_int_eq(vb_scene_held_after(scene, 7, &held, NULL), VB_OK);
  ck_assert_uint_eq(vb_scene_count(held, VB_SET_FRAME_PIN), 0);
  free(held);
  vb_held_pins room;
  handle s = open_held(&room, "viper", scene, NULL, 0);
  handle_step(&s, 25);
  ck_assert_double_eq_tol(handle_value(&s, "position", 5), 0.5 + fallen(false, 20), ROUNDING);
  ck_assert_double_eq(handle_value(&s, "position", 3), 0);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A state that has a byte for each pin; and one that means something else with other pins.
static size_t size_by_pins(const void *self) {
  return sizeof(int64_t) + vb_scene_count(((const fake_solver *)self)->scene, VB_SET_PIN);
}

static vb_status value_by_pins(void *self, size_t field, double *out, vb_error *error) {
  vb_status status = fake_read(self, field, out, error);
  out[0] += (double)vb_scene_count(((const fake_solver *)self)->scene, VB_SET_PIN);
  return status;
}

static vb_status plain_option(void *self, const char *name, char *out, size_t size,
                              vb_error *error) {
  vb_status status = fake_get_option(self, name, out, size, error);
  out[strcspn(out, ",")] = 0;
  return status;
}

/// What a solver with this fault is told; null without a fault.
static void check_told(vb_solver solver, const char *told) {
  vb_scene *scene = carried_rod(true);
  vb_held_pins room;
  vb_error error = {0};
  void *self;
  solver.get_option = plain_option;
  const vb_solver *outer = vb_held_pins_of(&solver, scene, &room);
  ck_assert_int_eq(outer->create(outer, scene, NULL, 0, &self, NULL), VB_OK);
  ck_assert_int_eq(outer->step(self, HELD, NULL), VB_OK);
  vb_status status = outer->step(self, 1, &error);
  if (told) {
    ck_assert_int_eq(status, VB_UNAVAILABLE);
    ck_assert_msg(strstr(error.message, told), "%s", error.message);
  } else {
    ck_assert_int_eq(status, VB_OK);
  }
  outer->destroy(self);
  free(scene);
}

START_TEST(a_state_that_depends_on_pins_is_refused) {
  vb_solver solver = fake_solver_table;
  check_told(solver, NULL);
  solver.state_size = size_by_pins;
  check_told(solver, "solver fake: its state has 15 bytes, and 8 without the pins that end");
  solver = fake_solver_table;
  solver.read = value_by_pins;
  check_told(solver, "solver fake: its state means another one without the pins that end");
}
END_TEST

START_TEST(a_solver_by_itself_refuses_pins_that_end) {
  vb_scene *scene = carried_rod(true);
  vb_error error = {0};
  void *self;
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "pins of the scene end (7), which only runs of studies let them "
                                  "do; solver viper by itself takes a scene whose pins stay");
  free(scene);
}
END_TEST

static TCase *held_pins(void) {
  TCase *c = tcase_create("held pins");
  tcase_add_loop_test(c, what_was_held_falls, 0, N_EXACT);
  tcase_add_loop_test(c, states_on_both_sides_of_an_end_continue_alike, 0, N_SOLVERS);
  tcase_add_test(c, components_end_by_themselves);
  tcase_add_test(c, a_state_that_depends_on_pins_is_refused);
  tcase_add_test(c, a_solver_by_itself_refuses_pins_that_end);
  return c;
}

VB_TEST_MAIN("held pins", held_pins())
