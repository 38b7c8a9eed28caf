// SPDX-License-Identifier: GPL-3.0-or-later
/// Momentum, reactions, works and the balance of energy of the viper solver.
/// Covers: src/viper/cpu/evaluate/work_real.c src/viper/viper.c
#include "handle.h"
#include "scenes/scenes.h"

/// Sum of a force over drivers, and gravity's and a constant load's on all.
static void total_force(handle *s, double out[3]) {
  size_t n, n_nodes;
  const vb_load *load = vb_scene_loads(s->scene, &n);
  const double *g = vb_scene_world(s->scene)->gravity;
  double *mass = handle_read(s, "mass"), force[6], torque[6];
  ck_assert_int_eq(s->solver->reactions(s->self, force, torque, NULL), VB_OK);
  vb_scene_nodes(s->scene, &n_nodes);
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (size_t d = 0; d < vb_scene_count(s->scene, VB_SET_DRIVER); d++)
      out[k] += force[3 * d + (size_t)k];
    for (size_t m = 0; m < n; m++)
      out[k] += load[m].force[k];
    for (size_t i = 0; i < n_nodes; i++)
      out[k] += mass[i] * g[k];
  }
  free(mass);
}

/// A helix held at one end by a wall and at the other by a hand that moves and turns; `size` and
/// `speed` of its disturbance.
static vb_scene *held_helix(double step, double size, double speed) {
  vb_builder *b = scenes_begin(step, 9.81);
  scenes_helix(b, 6, 0, &scenes_rubber);
  scenes_disturb(b, size, speed, 3);
  const double keys[3][2] = {{0, 0}, {0.1, 0.1}, {0.3, -0.2}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 3, keys), wall = scenes_wall(b, "wall");
  vb_driver hand = {"hand", {0.1, -0.2, 0.3}, {0.6, 0, 0.8}, {-1, curve, curve}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  scenes_pin_frame(b, 0, wall);
  scenes_pin_node(b, 6, VB_PIN_CENTER, driver);
  scenes_pin_frame(b, 5, driver);
  scenes_push(b, 3, 0.4, 0.1, 0.3, 0.01);
  return fixture_freeze(b);
}

/// In each step reactions, gravity and loads add up to the rate of the momentum, that of held nodes
/// included: exactly in the discrete scheme, so to 1e-9 of the largest force at convergence.
START_TEST(forces_change_the_momentum) {
  const double h = 0.005;
  vb_scene *scene = held_helix(h, 0.005, 0.2);
  handle s = handle_open(scene, "iterations", "60", "tolerance", "0", NULL);
  for (int step = 0; step < 12; step++) {
    double *before = handle_read(&s, "momentum"), force[3];
    handle_step(&s, 1);
    double *after = handle_read(&s, "momentum");
    total_force(&s, force);
    for (int k = 0; k < 3; k++)
      ck_assert_double_eq_tol((after[k] - before[k]) / h, force[k], 1e-9 * 100);
    free(before);
    free(after);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// A hanging bar at rest: its wall carries all of its weight.
START_TEST(a_wall_carries_the_weight) {
  vb_builder *b = scenes_begin(1e3, 9.81);
  scenes_bar(b, 4, 0.4, 0.05, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, scenes_wall(b, "wall"));
  scenes_pin_frame(b, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "200", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double force[3], torque[3], weight = 1000 * M_PI * 0.05 * 0.05 * 0.4 * 9.81;
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(force[2], weight, 1e-6 * weight);
  double *position = handle_read(&s, "position"), *mass = handle_read(&s, "mass"), moment = 0;
  for (int i = 0; i < 5; i++)
    moment += position[3 * i] * mass[i] * 9.81; // about the origin, around -y
  ck_assert_double_eq_tol(torque[1], -moment, 1e-5 * moment);
  free(position);
  free(mass);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Momentum of a free body is kept to rounding at any iteration count. Tolerance: rounding errors
/// of positions of order 1 over h, times the mass, in double; of a solve with a condition number of
/// 1e4 besides for `direct`.
START_TEST(free_bodies_keep_their_momentum) {
  static const char *const iterations[] = {"1", "2", "7", "40"};
  const double h = 0.01, gravity = _i % 2 ? 9.81 : 0;
  vb_builder *b = scenes_begin(h, gravity);
  scenes_octopus(b, 6, 3, 0, &scenes_rubber);
  scenes_disturb(b, 0.03, 1, 11);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", _i < 8 ? "direct" : "xpbd", "iterations",
                         iterations[_i / 2 % 4], "tolerance", "0", NULL);
  double *start = handle_read(&s, "momentum"), *mass = handle_read(&s, "mass"), total = 0;
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    total += mass[i];
  for (int step = 1; step <= 10; step++) {
    handle_step(&s, 1);
    double *now = handle_read(&s, "momentum");
    for (int k = 0; k < 3; k++) {
      double right = start[k] - (k == 2 ? total * gravity * h * step : 0);
      ck_assert_double_eq_tol(now[k], right, total * 1e-11);
    }
    free(now);
  }
  free(start);
  free(mass);
  handle_close(&s);
  free(scene);
}
END_TEST

/// So they do in violent motion and long steps, where `direct` starts from the old state and its
/// first steps are cut short.
START_TEST(long_steps_keep_the_momentum) {
  const double h = 0.1;
  vb_builder *b = scenes_begin(h, 9.81);
  scenes_octopus(b, 6, 3, 0, &scenes_rubber);
  scenes_disturb(b, 0.03, 30, 11);
  vb_scene *scene = fixture_freeze(b);
  static const char *const iterations[] = {"1", "2", "3"};
  handle s = handle_open(scene, "iterations", iterations[_i], "tolerance", "0", NULL);
  double *start = handle_read(&s, "momentum"), *mass = handle_read(&s, "mass"), total = 0;
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    total += mass[i];
  handle_try(&s, 1);
  double *now = handle_read(&s, "momentum");
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(now[k], start[k] - (k == 2 ? total * 9.81 * h : 0), total * 1e-11);
  free(start);
  free(mass);
  free(now);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A twisted bar, its scales held: the torque of either end about its driver's origin is
/// (kx + ky) pi r^4 / 4 sin(D) / lm, D the angle per joint.
START_TEST(a_twisted_bar_resists) {
  enum { N = 5 };
  const double r = 0.05, l = 0.1, angle = 1.2, k = 9e4;
  vb_builder *b = scenes_begin(1e5, 0); // inertia makes 1e-13 of the torque
  scenes_bar(b, N, N * l, r, &scenes_rubber);
  const double keys[2][2] = {{0, 0}, {500, angle}};
  vb_driver hand = {
      "hand", {3, 0, 0}, {1, 0, 0}, {-1, -1, -1}, scenes_curve(b, VB_LINEAR, 2, keys)};
  int32_t wall = scenes_wall(b, "wall"), driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_frame(b, 0, wall);
  scenes_pin_frame(b, N - 1, driver);
  for (int i = 0; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER | VB_PIN_SCALE, i < N ? wall : driver);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "100", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double force[6], torque[6], right = k * M_PI * r * r * r * r / 4 * sin(angle / (N - 1)) / l;
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(torque[3], right, 1e-9 * right);
  ck_assert_double_eq_tol(torque[0], -right, 1e-9 * right);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A bent end: the torque of a driver is about its moved origin. A tip force F on a stiff bar of
/// length L held at one end by a driver that was shifted gives the moment F L about that end.
START_TEST(torque_is_about_the_moved_origin) {
  vb_builder *b = scenes_begin(1e3, 0);
  scenes_material stiff = {1000, {4e9, 4e9, 4e9, 0, 0, 1e9}};
  scenes_bar(b, 3, 0.6, 0.05, &stiff);
  const double keys[2][2] = {{0, 0}, {100, 2}};
  vb_driver hand = {
      "hand", {0, 0, 0}, {1, 0, 0}, {-1, scenes_curve(b, VB_LINEAR, 2, keys), -1}, -1};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, driver);
  scenes_pin_frame(b, 0, driver);
  scenes_push(b, 3, 0, 0, 5, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "100", NULL);
  handle_step(&s, 1);
  double force[3], torque[3];
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(handle_value(&s, "position", 1), 2, 1e-12);
  ck_assert_double_eq_tol(force[2], -5, 1e-4);
  ck_assert_double_eq_tol(torque[0], 0, 1e-3);
  ck_assert_double_eq_tol(torque[1], 5 * 0.6, 1e-3);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Kinetic and elastic energy and gravity's, less the work done.
static double balance(handle *s) {
  double work[8],
      sum = handle_elastic(s) + handle_energy(s, "kinetic") + handle_energy(s, "gravity");
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  for (size_t k = 0;
       k < vb_scene_count(s->scene, VB_SET_DRIVER) + vb_scene_count(s->scene, VB_SET_LOAD); k++)
    sum -= work[k];
  return sum;
}

/// The energy that implicit Euler loses over the time `end`, in steps of `h`.
static double lost(double end, double h) {
  vb_scene *scene = held_helix(h, 0, 0);
  handle s = handle_open(scene, "iterations", "40", NULL);
  double start = balance(&s), previous = start, energy = handle_elastic(&s);
  for (int64_t step = 0; step < (int64_t)round(end / h); step++) {
    handle_step(&s, 1);
    double now = balance(&s);
    // Dissipation is positive but for terms of third order in h, of which these are a bound.
    ck_assert_double_lt(now, previous + 0.02 * h * fmax(energy, 1));
    previous = now;
  }
  handle_close(&s);
  free(scene);
  return start - previous;
}

/// Work done is the energy gained plus a loss, which is positive and vanishes with h.
START_TEST(work_balances_energy) {
  double coarse = lost(0.1, 1e-3), fine = lost(0.1, 2.5e-4), finest = lost(0.1, 1.25e-4);
  ck_assert_double_gt(finest, 0);
  ck_assert_double_gt(coarse, fine);
  ck_assert_double_gt(fine / finest, 1.6);
  ck_assert_double_lt(fine / finest, 2.4);
}
END_TEST

/// A bar that is pulled slowly stores the work of the pull, to first order in the step.
START_TEST(slow_work_is_stored) {
  double miss[2];
  for (int i = 0; i < 2; i++) {
    const double keys[2][2] = {{0, 0}, {100, 0.1}};
    vb_builder *b = scenes_begin(i ? 2.5 : 5, 0);
    scenes_bar(b, 4, 0.4, 0.05, &scenes_rubber);
    vb_driver hand = {"hand", {0}, {1, 0, 0}, {scenes_curve(b, VB_LINEAR, 2, keys), -1, -1}, -1};
    int32_t wall = scenes_wall(b, "wall"), driver = fixture_add(b, VB_SET_DRIVER, &hand);
    scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
    scenes_pin_frame(b, 0, wall);
    scenes_pin_node(b, 4, VB_PIN_CENTER, driver);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "iterations", "40", NULL);
    handle_step(&s, i ? 40 : 20);
    double work[2], energy = handle_elastic(&s);
    ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
    ck_assert_double_eq_tol(work[0], 0, 1e-9);
    miss[i] = work[1] / energy - 1;
    handle_close(&s);
    free(scene);
  }
  // 20 steps of a work that grows with the square: the right-hand rule is 1/20 over.
  ck_assert_double_gt(miss[0], 0);
  ck_assert_double_lt(miss[0], 0.06);
  ck_assert_double_eq_tol(miss[0] / miss[1], 2, 0.1);
}
END_TEST

static TCase *forces(void) {
  TCase *t = tcase_create("forces");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, forces_change_the_momentum);
  tcase_add_test(t, a_wall_carries_the_weight);
  tcase_add_loop_test(t, free_bodies_keep_their_momentum, 0, 16);
  tcase_add_loop_test(t, long_steps_keep_the_momentum, 0, 3);
  tcase_add_test(t, a_twisted_bar_resists);
  tcase_add_test(t, torque_is_about_the_moved_origin);
  return t;
}

static TCase *works(void) {
  TCase *t = tcase_create("works");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, work_balances_energy);
  tcase_add_test(t, slow_work_is_stored);
  return t;
}

VB_TEST_MAIN("viper reactions", forces(), works())
