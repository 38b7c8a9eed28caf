// SPDX-License-Identifier: GPL-3.0-or-later
/// Frames that keep their angular momentum (option gyroscope): free tops against closed forms, what
/// is kept while scales breathe, and what a step cannot predict.
/// Covers: src/viper/method/spin.h
#include "scenes/free_top.h"

/// A wing: two flat pieces that meet at an angle, so that no two of its principal moments, about x,
/// y and z, are the same; 5 mm thick, 0.2 m across. |w| = 1.58 rad/s.
#define LENGTH 0.005
#define RADIUS 0.1
static const double slope = M_PI / 6, wing_rate[3] = {1.5, 0.5, 0};

static vb_scene *wing(double step, bool held) {
  vb_builder *b = scenes_begin(step, 0);
  const double side = LENGTH * cos(slope), low = -LENGTH * sin(slope);
  fixture_node(b, -side, 0, low, RADIUS);
  fixture_node(b, 0, 0, 0, RADIUS);
  fixture_node(b, side, 0, low, RADIUS);
  scenes_segment(b, 0, 1, &free_top_stiff);
  scenes_segment(b, 1, 2, &free_top_stiff);
  free_top_spin(b, (const double[3]){0, 0, 0.5 * low}, wing_rate);
  if (held) {
    int32_t wall = scenes_wall(b, "wall");
    for (int32_t i = 0; i < 3; i++)
      scenes_pin_node(b, i, VB_PIN_SCALE, wall);
  }
  return fixture_freeze(b);
}

/// Its moments about y, z and x, which rise, kg m^2.
static void wing_moments(double out[3]) {
  const double mass = 1000 * M_PI * RADIUS * RADIUS * LENGTH, disc = 0.25 * mass * RADIUS * RADIUS;
  const double side = LENGTH * cos(slope), half = 0.5 * LENGTH * sin(slope);
  const double along_x = mass * side * side, along_z = 2 * mass * half * half; // of the nodes
  out[0] = along_x + along_z + 2 * disc;
  out[1] = along_x + 2 * disc * (1 + sin(slope) * sin(slope));
  out[2] = along_z + 2 * disc * (1 + cos(slope) * cos(slope));
}

/// Where the wing's x axis, its third, is after `t`; y is the first.
static void right_axis(double t, double out[3]) {
  const double w[2] = {wing_rate[1], wing_rate[0]};
  double moment[3];
  wing_moments(moment);
  free_top_axis(moment, w, (const double[3]){0, 1, 0}, (const double[3]){1, 0, 0}, t, out);
}

/// The wing's x axis after `t` in `steps` steps, off from where it belongs, rad.
static double wing_error(double t, int steps, bool held, const char *integrator,
                         const char *gyroscope) {
  vb_scene *scene = wing(t / steps, held);
  handle s = handle_open(scene, "integrator", integrator, "gyroscope", gyroscope, "tolerance", "0",
                         "iterations", "4", "backend", "cpu", NULL);
  double *first = handle_read(&s, "frame"), local[3], now[3], right[3], cross[3];
  const double back[4] = {first[0], -first[1], -first[2], -first[3]};
  vb_quaternion_rotate(back, (const double[3]){1, 0, 0}, local);
  handle_step(&s, steps);
  double *last = handle_read(&s, "frame");
  vb_quaternion_rotate(last, local, now);
  right_axis(t, right);
  vb_cross(now, right, cross);
  free(first);
  free(last);
  handle_close(&s);
  free(scene);
  return sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
}

/// 2 s at 1 ms and at 0.5 ms, scales free and held. bdf2 is below 1e-6 rad, and a quarter of that
/// at half the step (the next order is a hundredth of it); Euler's error halves. Without the
/// gyroscope the error is half a radian at any step.
START_TEST(tops_turn_as_elliptic_functions_say) {
  const bool held = _i % 2;
  double on = wing_error(2, 2000, held, "bdf2", "on"),
         euler = wing_error(2, 2000, held, "euler", "on");
  ck_assert_msg(on < 1e-6, "off by %g", on);
  double order = log2(on / wing_error(2, 4000, held, "bdf2", "on"));
  ck_assert_msg(fabs(order - 2) < 0.02, "bdf2: order %g", order);
  order = log2(euler / wing_error(2, 4000, held, "euler", "on"));
  ck_assert_msg(fabs(order - 1) < 0.02, "euler: order %g", order);
  for (int steps = 2000; steps <= 4000; steps += 2000)
    ck_assert_double_eq_tol(wing_error(2, steps, held, "bdf2", "off"), 0.493, 1e-3);
}
END_TEST

/// A cylinder that spins about its axis and breathes by a tenth.
static vb_scene *breathing(void) {
  vb_builder *b = scenes_begin(1e-3, 0);
  scenes_bar(b, 6, 0.6, 0.1, &scenes_rubber);
  free_top_spin(b, (const double[3]){0, 0, 0}, (const double[3]){5, 0, 0});
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].scale = 1.1;
  return fixture_freeze(b);
}

static const struct {
  const char *method, *iterations, *integrator, *precision;
  double most;
} kept[] = {
    {"direct", "1", "euler", "double", 1e-10},        {"direct", "1", "bdf2", "double", 1e-10},
    {"xpbd", "2", "euler", "double", 1e-10},          {"xpbd", "2", "bdf2", "double", 1e-10},
    {"block-descent", "60", "bdf2", "double", 1e-10}, {"direct", "1", "bdf2", "float", 4e-4},
};

/// However far a step goes: the momentum is that of what acted. What is left is rounding (of float
/// 6e-8 a step, over 400 steps). The rate changes by a fifth and more.
START_TEST(what_breathes_keeps_its_momentum) {
  vb_scene *scene = breathing();
  handle s = handle_open(scene, "gyroscope", "on", "method", kept[_i].method, "iterations",
                         kept[_i].iterations, "integrator", kept[_i].integrator, "precision",
                         kept[_i].precision, "tolerance", "0", "backend", "cpu", NULL);
  double first[3], now[3], least = INFINITY, most = 0;
  free_top_all_momentum(&s, first);
  for (int k = 0; k < 400; k++) {
    handle_step(&s, 1);
    least = fmin(least, handle_value(&s, "angular_velocity", 9));
    most = fmax(most, handle_value(&s, "angular_velocity", 9));
  }
  free_top_all_momentum(&s, now);
  for (int k = 0; k < 3; k++)
    ck_assert_msg(fabs(now[k] - first[k]) < kept[_i].most * first[0], "%g of %g", now[k] - first[k],
                  first[0]);
  ck_assert_msg(most > 1.2 * least, "from %g to %g rad/s", least, most);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A capsule of one segment along y, scales held, that spins; where `angle` > 0 on a plane, in a
/// gravity of 10 m/s^2 that is tilted by so much.
static vb_scene *capsule(double angle, double spin) {
  vb_builder *b = scenes_begin(1e-3, 0);
  vb_builder_world(b)->gravity[0] = 10 * sin(angle);
  vb_builder_world(b)->gravity[2] = angle > 0 ? -10 * cos(angle) : 0;
  int32_t from = fixture_node(b, 0, -0.25, RADIUS, RADIUS), wall = scenes_wall(b, "wall");
  scenes_segment(b, from, fixture_node(b, 0, 0.25, RADIUS, RADIUS), &scenes_rubber);
  for (int32_t i = 0; i < 2; i++)
    scenes_pin_node(b, i, VB_PIN_SCALE, wall);
  size_t n;
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  segment[0].angular_velocity[1] = spin;
  if (angle > 0)
    fixture_add(
        b, VB_SET_HALF_PLANE,
        &(vb_half_plane){.normal = {0, 0, 1}, .static_friction = 0.5, .kinetic_friction = 0.5});
  return fixture_freeze(b);
}

/// Without the gyroscope a rate is a difference of frames, the sine of half a turn: Euler's
/// formula then loses (omega h)^2 / 24 of a spin in a step, 1 % here in 24 (the next order: 4e-7 of
/// it). With it, it loses nothing but rounding.
START_TEST(euler_keeps_a_spin) {
  const double spin = 100; // rad/s; 0.1 rad in a step
  vb_scene *scene = capsule(0, spin);
  for (int on = 0; on < 2; on++) {
    handle s = handle_open(scene, "gyroscope", on ? "on" : "off", "backend", "cpu", NULL);
    handle_step(&s, 24);
    double now = handle_value(&s, "angular_velocity", 1), right = spin;
    for (int k = 0; k < 24 && !on; k++)
      right *= sin(0.5e-3 * right) / (0.5e-3 * right);
    ck_assert_double_eq_tol(now / right, 1, 1e-12);
    ck_assert(on || fabs(now / spin - 0.99) < 2e-4);
    handle_close(&s);
  }
  free(scene);
}
END_TEST

static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};

/// Friction is in the momentum of frames, too: down a slope a capsule rolls with 2/3 of g sin, as
/// its inertia is that of a cylinder. Tolerance: the first steps, until it rolls.
START_TEST(friction_makes_frames_roll) {
  vb_scene *scene = capsule(0.3, 0);
  handle s = handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "20",
                         "gyroscope", "on", "backend", "cpu", NULL);
  const double speed = 2.0 / 3 * 10 * sin(0.3) * 0.2;
  handle_step(&s, 200);
  ck_assert_double_eq_tol(handle_value(&s, "velocity", 0) / speed, 1, 1e-3);
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 1) * RADIUS / speed, 1, 1e-3);
  handle_close(&s);
  free(scene);
}
END_TEST

static const char *const integrators[] = {"euler", "bdf2", "midpoint"};

/// A rod in a batch of five, and alone, by each integrator.
START_TEST(batches_leave_the_bits_alone) {
  const char *integrator = integrators[_i / 4 % 3], *method = methods[_i % 4];
  const bool midpoint = _i / 4 % 3 == 2;
  double right[18];
  if (midpoint && _i % 2) // only of direct and block-descent
    return;
  for (int n = 1; n <= 5; n += 4) {
    vb_builder *b = scenes_begin(0.005, 9.81);
    int32_t wall = scenes_wall(b, "wall");
    for (int k = 0; k < n; k++) {
      scenes_pin_node(b, scenes_bar(b, 5, 0.5, 0.05, &scenes_rubber), VB_PIN_CENTER, wall);
      if (_i / 12)
        scenes_pin_frame(b, 5 * k, wall);
    }
    scenes_disturb(b, 0.003, 2, 29);
    size_t n_segments;
    vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
    for (size_t j = 0; j < n_segments; j++)
      for (int k = 0; k < 3; k++)
        segment[j].angular_velocity[k] = k + (double)(j % 5);
    vb_builder_world(b)->damping = midpoint ? 0 : 2;
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "integrator", integrator, "method", method, "gyroscope", "on",
                           "backend", "cpu", NULL);
    handle_first_positions(&s, 20, n == 1, right, sizeof right);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// auto is on where any segment is of the material model solid, and else off.
START_TEST(auto_is_on_with_solid_segments) {
  for (int solid = 0; solid < 2; solid++) {
    vb_builder *b = scenes_begin(0.005, 0);
    scenes_bar(b, 3, 0.3, 0.05, &scenes_rubber);
    free_top_spin(b, (const double[3]){0, 0, 0}, (const double[3]){3, 1, 0});
    if (solid)
      scenes_solidify(b, 3);
    vb_scene *scene = fixture_freeze(b);
    handle chosen = handle_open(scene, "gyroscope", "auto", NULL);
    handle on = handle_open(scene, "gyroscope", "on", NULL);
    handle off = handle_open(scene, "gyroscope", "off", NULL);
    handle_step(&chosen, 10);
    handle_step(&on, 10);
    handle_step(&off, 10);
    ck_assert_int_eq(handle_same(&chosen, &on), solid);
    ck_assert_int_eq(handle_same(&chosen, &off), !solid);
    handle_close(&chosen);
    handle_close(&on);
    handle_close(&off);
    free(scene);
  }
}
END_TEST

/// A torque that turns frames many times in a step leaves numbers, if no motion.
START_TEST(no_torque_is_too_long) {
  vb_builder *b = scenes_begin(2, 0);
  scenes_bar(b, 3, 0.3, 0.05, &scenes_rubber);
  scenes_twist(b, 1, 3e4, -2e3, 1e3);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "gyroscope", "on", "integrator", _i % 2 ? "bdf2" : "euler",
                         "precision", _i / 2 ? "float" : "double", "backend", "cpu", NULL);
  for (int step = 0; step < 3; step++) {
    handle_try(&s, 1);
    double *q = handle_read(&s, "frame"), *w = handle_read(&s, "angular_velocity");
    for (size_t k = 0; k < 12; k++)
      ck_assert_msg(isfinite(q[k]), "%g", q[k]);
    for (size_t k = 0; k < 9; k++)
      ck_assert_msg(isfinite(w[k]), "%g", w[k]);
    free(q);
    free(w);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// A bent rod that tumbles without forces, soft enough to bend, scales free and held; 2000 steps of
/// 1 ms, in which its stiffest mode would need 1e-5 s.
static vb_scene *tumbling(bool held) {
  const scenes_material firm = {1000, {8e7, 8e7, 8e7, 4e4, 4e4, 6e7}};
  vb_builder *b = scenes_begin(1e-3, 0);
  int32_t wall = held ? scenes_wall(b, "wall") : -1;
  for (int i = 0; i <= 6; i++) {
    fixture_node(b, 0.08 * i, 0.02 * sin(0.5 * i), 0, 0.02);
    if (i > 0)
      scenes_segment(b, i - 1, i, &firm);
    if (held)
      scenes_pin_node(b, i, VB_PIN_SCALE, wall);
  }
  free_top_spin(b, (const double[3]){0, 0, 0.1}, (const double[3]){3, -4, 6});
  return fixture_freeze(b);
}

/// Energy stays within 1e-4 of the kinetic energy (it swings with the square of the step times the
/// rates of bending), momenta to rounding: of places over the step, 1e-16 m / 1e-3 s of 1 m/s, in
/// 2000 steps (of block descent, in 100).
START_TEST(midpoint_keeps_energy_and_momentum) {
  vb_scene *scene = tumbling(_i % 2);
  const char *method = _i / 2 ? "block-descent" : "direct";
  handle s = handle_open(scene, "integrator", "midpoint", "method", method, "iterations",
                         _i / 2 ? "400" : "6", "tolerance", "0", "backend", "cpu", NULL);
  double first[3], now[3], p[3];
  free_top_all_momentum(&s, first);
  for (size_t k = 0; k < 3; k++)
    p[k] = handle_value(&s, "momentum", k);
  const double energy = handle_energy(&s, "kinetic"), size = fabs(first[2]);
  double most = 0;
  for (int k = 0; k < 20; k++) {
    handle_step(&s, _i / 2 ? 5 : 100);
    most = fmax(most, fabs(handle_energy(&s, "kinetic") + handle_elastic(&s) - energy));
  }
  free_top_all_momentum(&s, now);
  ck_assert_msg(most < 1e-4 * energy, "energy: %g of %g J", most, energy);
  for (int k = 0; k < 3; k++) {
    double moved = handle_value(&s, "momentum", (size_t)k) - p[k];
    ck_assert_msg(fabs(moved) < 1e-10, "momentum: %g", moved);
    ck_assert_msg(fabs(now[k] - first[k]) < 1e-10 * size, "%g of %g", now[k] - first[k], size);
  }
  ck_assert_double_lt(handle_residual(&s), 1e-8); // of the middle, where forces balance
  handle_close(&s);
  free(scene);
}
END_TEST

/// What midpoint does not take is told.
START_TEST(midpoint_refuses_what_it_cannot_keep) {
  static const char *const said[] = {
      "integrator midpoint does not support contact, half-planes, bundles, activations, moving "
      "drivers or follower loads; use euler",
      "integrator midpoint conserves energy and does not support damping; use bdf2",
      "integrator midpoint conserves angular momentum; leave out gyroscope off",
      "integrator midpoint needs method direct or block-descent, which solve for balanced forces; "
      "the method is xpbd"};
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_bar(b, 3, 0.4, 0.05, &scenes_rubber);
  if (_i == 0)
    fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){.normal = {0, 0, 1}, .offset = -1});
  vb_builder_world(b)->damping = _i == 1 ? 2 : 0;
  vb_scene *scene = fixture_freeze(b);
  const vb_option options[] = {{"integrator", "midpoint"},
                               {"gyroscope", _i == 2 ? "off" : "auto"},
                               {"method", _i == 3 ? "xpbd" : "direct"}};
  const vb_solver *solver;
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, options, 3, &self, &error),
                   _i < 2 ? VB_UNAVAILABLE : VB_BAD_INPUT);
  ck_assert_str_eq(error.message, said[_i]);
  free(scene);
}
END_TEST

/// Statics has nothing that spins, and tells so.
START_TEST(statics_refuses_it) {
  vb_scene *scene = capsule(0, 0);
  const vb_solver *solver;
  const vb_option options[] = {{"dynamics", "static"}, {"gyroscope", "on"}};
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, options, 2, &self, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "dynamics static has no rotary inertia; leave out gyroscope on");
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("spin");
  tcase_set_timeout(c, 120);
  tcase_add_loop_test(c, tops_turn_as_elliptic_functions_say, 0, 2);
  tcase_add_loop_test(c, what_breathes_keeps_its_momentum, 0, sizeof kept / sizeof *kept);
  tcase_add_test(c, euler_keeps_a_spin);
  tcase_add_loop_test(c, friction_makes_frames_roll, 0, 4);
  tcase_add_loop_test(c, batches_leave_the_bits_alone, 0, 24);
  tcase_add_test(c, auto_is_on_with_solid_segments);
  tcase_add_loop_test(c, no_torque_is_too_long, 0, 4);
  tcase_add_loop_test(c, midpoint_keeps_energy_and_momentum, 0, 4);
  tcase_add_loop_test(c, midpoint_refuses_what_it_cannot_keep, 0, 4);
  tcase_add_test(c, statics_refuses_it);
  return c;
}

VB_TEST_MAIN("viper spin", make_case())
