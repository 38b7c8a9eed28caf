// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver cosserat: against collocation, with its order; what does not depend on how a rod is
/// stored; rest, balance, work, and what it refuses.
/// Covers: reference/cosserat/bodies.[ch] reference/cosserat/elements.[ch]
#include "handle.h"
#include "reference/cosserat/collocation.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

/// kx = ky and kz alone: Young's modulus is kz, the shear modulus kx; so nu = -0.25 here.
static const scenes_material plain = {1000, {4e6, 4e6, 6e6, 0, 0, 0}};
static const double radius = 0.02, length = 1;

static int32_t add_curve(vb_builder *b) {
  const vb_key keys[2] = {{0, 0, VB_LINEAR, 0}, {1, 1, VB_LINEAR, 0}};
  int32_t first = fixture_add(b, VB_SET_KEY, &keys[0]);
  fixture_add(b, VB_SET_KEY, &keys[1]);
  return fixture_add(b, VB_SET_CURVE, &(vb_curve){first, 2});
}

static void clamp(vb_builder *b, int32_t node, int32_t segment) {
  vb_driver wall = {"wall", {0, 0, 0}, {0, 0, 1}, {-1, -1, -1}, -1};
  fixture_add(b, VB_SET_DRIVER, &wall);
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, node, VB_PIN_CENTER, 0});
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_SEGMENT, segment, VB_PIN_FRAME, 0});
}

/// A bar along x of `n` segments, the middle of the first at the origin, where it is clamped, and
/// its end at 1; pulled across by `force` in `steps` steps. Segments may be stored either way.
static vb_scene *make_bar(int n, int steps, double force, bool reversed) {
  vb_builder *b = scenes_begin(1.0 / steps, 0);
  vb_builder_world(b)->n_steps = steps;
  double h = length / (n - 0.5);
  for (int i = 0; i <= n; i++)
    fixture_node(b, h * (i - 0.5), 0, 0, radius);
  for (int i = 0; i < n; i++) {
    bool against = reversed && i % 2;
    scenes_segment(b, i + against, i + !against, &plain);
  }
  clamp(b, 0, 0);
  vb_load tip = {.name = "tip", .location = VB_AT_NODE, .index = n, .force = {0, 0, -force}};
  tip.amplitude = add_curve(b);
  fixture_add(b, VB_SET_LOAD, &tip);
  return fixture_freeze(b);
}

/// What the tip of a bar does, z.
static double tip_of(int n, int steps, double force, bool reversed) {
  vb_scene *scene = make_bar(n, steps, force, reversed);
  handle s = handle_open_as("cosserat", scene, NULL);
  handle_step(&s, steps);
  double z = handle_value(&s, "position", 3 * (size_t)n + 2);
  handle_close(&s);
  free(scene);
  return z;
}

static const double pull = 2;

/// The same rod for collocation.
static double exact_tip(void) {
  double area = M_PI * radius * radius, young = 6e6, shear = 4e6, nu = young / (2 * shear) - 1;
  double second = area * radius * radius / 4, factor = 6 * (1 + nu) / (7 + 6 * nu);
  cosserat_rod rod = {.length = length,
                      .flexibility = {1 / (factor * shear * area), 1 / (factor * shear * area),
                                      1 / (young * area), 1 / (young * second),
                                      1 / (young * second), 1 / (2 * shear * second)},
                      .start = {.frame = {sqrt(0.5), 0, sqrt(0.5), 0}, .held = 63},
                      .finish = {.frame = {1, 0, 0, 0}},
                      .force = {0, 0, -pull}};
  cosserat_value v;
  ck_assert_int_eq(
      cosserat_collocate(&rod, &(cosserat_place){.at = 1, .component = 2}, 1, &v, NULL), VB_OK);
  return v.value;
}

/// The clamp holds the node at -h/2 and the frame at 0: between them the force bends the rod by
/// F (h/2)^3/(3 B), and shears it by F h/(2 k G A). The latter, known, is taken off; the order is
/// then 3.
START_TEST(it_comes_to_the_answer_of_collocation_by_order_3) {
  double exact = exact_tip(), error[3];
  double shear = 4e6, nu = 6e6 / (2 * shear) - 1, factor = 6 * (1 + nu) / (7 + 6 * nu);
  ck_assert_double_lt(exact, -0.3); // far beyond small deflections
  for (int i = 0; i < 3; i++) {
    int n = 8 << i;
    double h = length / (n - 0.5);
    double slip = pull * h / (2 * factor * shear * M_PI * radius * radius);
    error[i] = tip_of(n, 4, pull, false) + slip - exact;
  }
  // F (h/2)^3/(3 B) is 3.5e-6 here; the elements' own error, of order 4, is smaller.
  ck_assert_double_lt(fabs(error[2]), 5e-6);
  ck_assert_double_eq_tol(log2(error[1] / error[2]), 3, 0.3);
}
END_TEST

/// Newton's method ends at 1e-11 of the forces, which moves the tip by less than 1e-8.
START_TEST(it_does_not_matter_how_segments_are_stored) {
  ck_assert_double_eq_tol(tip_of(8, 4, pull, true), tip_of(8, 4, pull, false), 1e-8);
  ck_assert_double_eq_tol(tip_of(8, 1, pull, false), tip_of(8, 4, pull, false), 1e-8);
}
END_TEST

/// A helix that is free of loads stays where it is; forces are those of rounding.
START_TEST(a_curved_rod_at_rest_stays) {
  vb_builder *b = scenes_begin(1, 0);
  scenes_helix(b, 9, 0, &plain);
  clamp(b, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("cosserat", scene, NULL);
  double *before = handle_read(&s, "position"), *frame = handle_read(&s, "frame");
  handle_step(&s, 2);
  double *after = handle_read(&s, "position"), *turned = handle_read(&s, "frame");
  for (int i = 0; i < 30; i++)
    ck_assert_double_eq_tol(before[i], after[i], 1e-12);
  for (int j = 0; j < 9; j++) { // of either sign
    double product = 0;
    for (int k = 0; k < 4; k++)
      product += frame[4 * j + k] * turned[4 * j + k];
    ck_assert_double_eq_tol(fabs(product), 1, 1e-12);
  }
  ck_assert_double_lt(handle_elastic(&s), 1e-20);
  free(before);
  free(after);
  free(frame);
  free(turned);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Force times distance by the trapezoid rule is the energy to second order in the steps: 100 times
/// closer with ten times the steps. What the wall bears is the load.
START_TEST(work_is_energy_and_the_wall_bears_the_load) {
  double miss[2], work[2], force[3], torque[3];
  for (int i = 0; i < 2; i++) {
    int steps = i ? 40 : 4;
    vb_scene *scene = make_bar(8, steps, pull, false);
    handle s = handle_open_as("cosserat", scene, NULL);
    handle_step(&s, steps);
    ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
    ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
    ck_assert_double_eq_tol(work[0], 0, 1e-12);
    miss[i] = fabs(work[1] / handle_elastic(&s) - 1);
    // The residual is 1e-11 of forces that are 1e3 times the load: stretch is stiff.
    ck_assert_double_eq_tol(force[2], pull, 1e-7);
    double lever = handle_value(&s, "position", 24); // of the tip; the moment is about the origin
    ck_assert_double_eq_tol(torque[1], -pull * lever, 1e-7);
    handle_close(&s);
    free(scene);
  }
  ck_assert_double_lt(miss[0], 0.05);
  ck_assert_double_eq_tol(log10(miss[0] / miss[1]), 2, 0.1);
}
END_TEST

/// A torque about the axis twists a bar by its length, from the clamp to the middle of the last
/// segment, over G J; and the wall bears the weight, and its moment, of what lies beyond the clamp.
START_TEST(a_bar_twists_and_weighs_as_it_should) {
  enum { N = 8 };
  const double torque = 0.02, gravity = 0.05, area = M_PI * radius * radius;
  double work[3], force[3], moment[3];
  vb_builder *b = scenes_begin(1, gravity);
  scenes_bar(b, N, length, radius, &plain);
  clamp(b, 0, 0);
  vb_load turn = {.name = "turn", .location = VB_AT_SEGMENT, .index = N - 1};
  turn.torque[0] = torque;
  turn.amplitude = -1;
  fixture_add(b, VB_SET_LOAD, &turn);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("cosserat", scene, NULL);
  handle_step(&s, 1);
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  ck_assert_int_eq(s.solver->reactions(s.self, force, moment, NULL), VB_OK);
  // G J = 4e6 times the second moment; the weight bends the bar by some 1e-2, whose square is the
  // part that bending adds to the twist.
  double twist = torque * torque / 2 * length * (N - 1) / N / (4e6 * area * radius * radius / 2);
  ck_assert_double_eq_tol(handle_energy(&s, "twist") / twist, 1, 1e-2);
  ck_assert_double_eq_tol(force[2], plain.density * area * length * gravity, 1e-7);
  ck_assert_double_eq_tol(moment[0], -torque, 1e-2 * torque);
  handle_close(&s);
  free(scene);
}
END_TEST

static void check_refused(vb_builder *b, const char *why) {
  vb_scene *scene = fixture_freeze(b);
  const vb_solver *solver;
  void *self;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("cosserat", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error), VB_UNAVAILABLE);
  ck_assert_msg(strstr(error.message, why) != NULL, "%s", error.message);
  free(scene);
}

START_TEST(what_it_does_not_take_is_told) {
  static const scenes_material limp = {1000, {0, 0, 6e6, 0, 0, 0}};
  vb_builder *b = scenes_begin(1, 0);
  scenes_octopus(b, 6, 2, 0, &plain);
  check_refused(b, "branches");
  b = scenes_begin(1, 0);
  scenes_octopus(b, 6, 0, 0, &plain);
  check_refused(b, "closes a loop");
  b = scenes_begin(1, 0);
  fixture_node(b, 0, 0, 0, 1);
  check_refused(b, "has no segment");
  b = scenes_begin(1, 0);
  scenes_bar(b, 3, 1, radius, &limp);
  check_refused(b, "shear modulus 0");
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("the solver cosserat");
  tcase_set_timeout(c, 120);
  tcase_add_test(c, it_comes_to_the_answer_of_collocation_by_order_3);
  tcase_add_test(c, it_does_not_matter_how_segments_are_stored);
  tcase_add_test(c, a_curved_rod_at_rest_stays);
  tcase_add_test(c, work_is_energy_and_the_wall_bears_the_load);
  tcase_add_test(c, a_bar_twists_and_weighs_as_it_should);
  tcase_add_test(c, what_it_does_not_take_is_told);
  return c;
}

VB_TEST_MAIN("cosserat solver", all())
