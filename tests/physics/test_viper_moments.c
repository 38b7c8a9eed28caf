// SPDX-License-Identifier: GPL-3.0-or-later
/// Frames whose moments of inertia are not a disc's (`frame_inertia`): a free body of three moments
/// against Euler's solution by elliptic functions, torques, momenta and energies, by every method.
/// Covers: src/viper/method/moments.h src/viper/method/spin.h
#include "scenes/free_top.h"

/// A capsule along z, 0.2 m long, so that its frame's axes are those of space; 1.6 kg.
#define LENGTH 0.2
#define RADIUS 0.05
static const double mass = 1000 * M_PI * RADIUS * RADIUS * LENGTH,
                    frame_moment[3] = {0.03, 0.05, 0.075};

/// Gives segments `first` and on, of every `one_in`, the inertia `moment` [kg m^2].
static void weigh(vb_builder *b, size_t first, size_t one_in, const double moment[3]) {
  size_t n;
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = first; j < n; j += one_in)
    memcpy(segment[j].frame_inertia, moment, 3 * sizeof *moment);
}

static void capsule_at(vb_builder *b, double x, const scenes_material *material) {
  const int32_t from = fixture_node(b, x, 0, -0.5 * LENGTH, RADIUS);
  const int32_t j = scenes_segment(b, from, fixture_node(b, x, 0, 0.5 * LENGTH, RADIUS), material);
  size_t n;
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  segment[j].rest_frame[0] = segment[j].frame[0] = 1;
}

/// The moments of the whole body about u, v and w: its nodes are at the ends.
static void body_moments(double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = frame_moment[k] + (k < 2 ? 0.25 * mass * LENGTH * LENGTH : 0);
}

static const double top_rate[2] = {0.5, 1.5}; ///< about u and w, rad/s

/// How far the capsule, a free top, is from where it belongs after 2 s: its axis, rad, and its
/// momentum in its own axes, relatively.
static double top_error(int steps, const char *integrator, const char *method,
                        const char *iterations, bool solid, const char *precision) {
  vb_builder *b = scenes_begin(2.0 / steps, 0);
  capsule_at(b, 0, &free_top_stiff);
  weigh(b, 0, 1, frame_moment);
  if (solid)
    scenes_solidify(b, 1);
  free_top_spin(b, (const double[3]){0, 0, 0}, (const double[3]){top_rate[0], 0, top_rate[1]});
  const int32_t wall = scenes_wall(b, "wall");
  for (int32_t i = 0; i < 2; i++)
    scenes_pin_node(b, i, VB_PIN_SCALE, wall);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "integrator", integrator, "method", method, "iterations",
                         iterations, "gyroscope", "on", "tolerance", "0", "precision", precision,
                         "backend", "cpu", NULL);
  double moment[3], first[3], right[3], axis[3], in_body[3], own[3], off = 0;
  free_top_all_momentum(&s, first);
  handle_step(&s, steps);
  double *q = handle_read(&s, "frame");
  const double back[4] = {q[0], -q[1], -q[2], -q[3]};
  vb_quaternion_rotate(q, (const double[3]){0, 0, 1}, axis);
  vb_quaternion_rotate(back, first, in_body);
  body_moments(moment);
  free_top_axis(moment, top_rate, (const double[3]){1, 0, 0}, (const double[3]){0, 0, 1}, 2, right);
  free_top_momentum(moment, top_rate, 2, own);
  const double size = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
  for (int k = 0; k < 3; k++)
    off += pow(axis[k] - right[k], 2) + pow((in_body[k] - own[k]) / size, 2);
  free(q);
  handle_close(&s);
  free(scene);
  return sqrt(off);
}

static const struct {
  const char *method, *iterations, *integrator;
  bool solid;
  int steps;
  double order;
  double near;
} tops[] = {
    {"direct", "4", "bdf2", false, 500, 2, 0.04},
    {"direct", "4", "bdf2", true, 500, 2, 0.04},
    {"direct", "4", "euler", false, 500, 1, 0.04},
    {"direct", "4", "midpoint", true, 200, 2, 0.2},
    {"xpbd", "20", "bdf2", false, 500, 2, 0.04},
    {"xpbd", "20", "bdf2", true, 500, 2, 0.04},
    {"xpbd", "20", "euler", true, 500, 1, 0.04},
    {"block-descent", "200", "bdf2", true, 2000, 2, 0.2},
};

/// By the order of each integrator, `near` it: the next order is a hundredth of the error, and the
/// frame is tilted against the segment by up to 6e-8 rad, another hundredth of the least error. Of
/// steps of 1 ms, which sweeps need to converge, it is a tenth, and midpoint does not damp how it
/// swings. The errors are of the size of rate times step to that order: below 2e-4 and 1e-2.
START_TEST(a_free_body_turns_as_elliptic_functions_say) {
  double error[2];
  for (int k = 0; k < 2; k++)
    error[k] = top_error(tops[_i].steps << k, tops[_i].integrator, tops[_i].method,
                         tops[_i].iterations, tops[_i].solid, "double");
  const double order = log2(error[0] / error[1]);
  ck_assert_msg(fabs(order - tops[_i].order) < tops[_i].near, "%s, %s: order %g, errors %g and %g",
                tops[_i].method, tops[_i].integrator, order, error[0], error[1]);
  ck_assert_double_lt(error[0], tops[_i].order > 1 ? 2e-4 : 1e-2);
}
END_TEST

/// In float as far as that goes: places are rounded by 1e-8 m of 0.1 m, and rates over a step of 4
/// ms by 2e-5 of their size; over 500 steps these add up at random.
START_TEST(a_free_body_turns_so_in_float) {
  ck_assert_double_lt(top_error(500, "bdf2", "direct", "4", _i, "float"), 1e-3);
}
END_TEST

/// A torque of 1e-3 N m about one axis for 0.1 s, with and without the gyroscope: the angle is
/// t^2/2 times torque over moment, and half a step more of Euler's; to second order in the angle.
START_TEST(torques_turn_each_axis_by_its_moment) {
  const int axis = _i % 3, n = 100;
  const double torque = 1e-3, step = 1e-3;
  double moment[3], push[3] = {0};
  push[axis] = torque;
  body_moments(moment);
  vb_builder *b = scenes_begin(step, 0);
  capsule_at(b, 0, &free_top_stiff);
  weigh(b, 0, 1, frame_moment);
  scenes_twist(b, 0, push[0], push[1], push[2]);
  vb_scene *scene = fixture_freeze(b);
  handle s =
      handle_open(scene, "gyroscope", _i / 3 % 2 ? "on" : "off", "iterations", "4", "tolerance",
                  "0", "integrator", _i / 6 ? "bdf2" : "euler", "backend", "cpu", NULL);
  handle_step(&s, n);
  const double rate = handle_value(&s, "angular_velocity", (size_t)axis);
  ck_assert_msg(fabs(rate * moment[axis] / (torque * step * n) - 1) < 1e-5, "%g", rate);
  const double kinetic = 0.5 * moment[axis] * rate * rate;
  ck_assert_double_eq_tol(handle_energy(&s, "kinetic") / kinetic, 1, 1e-4);
  ck_assert_double_lt(handle_residual(&s), 1e-6);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Frames of three moments that nothing turns, between held nodes; their scales begin to breathe.
static vb_scene *lone_frames(void) {
  const scenes_material none = {1000, {1e-20, 1e-20, 1e-20, 0, 0, 1e-20}};
  vb_builder *b = scenes_begin(1e-3, 0);
  const int32_t wall = scenes_wall(b, "wall");
  scenes_bar(b, 6, 0.6, 0.1, &none);
  scenes_weigh(b, 1);
  free_top_spin(b, (const double[3]){0, 0, 0}, (const double[3]){5, 1, -2});
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++) {
    memset(node[i].velocity, 0, sizeof node[i].velocity);
    node[i].scale_rate = 0.2;
    scenes_pin_node(b, (int32_t)i, VB_PIN_CENTER, wall);
  }
  return fixture_freeze(b);
}

static const struct {
  const char *method, *integrator;
} kept[] = {
    {"direct", "euler"},       {"direct", "bdf2"},
    {"direct", "midpoint"},    {"xpbd", "euler"},
    {"xpbd", "bdf2"},          {"block-descent", "euler"},
    {"block-descent", "bdf2"}, {"jacobi-published", "euler"},
};

/// Momentum is kept to rounding by all, while rates change by a third and more.
START_TEST(lone_frames_keep_their_momentum) {
  vb_scene *scene = lone_frames();
  handle s = handle_open(scene, "method", kept[_i].method, "integrator", kept[_i].integrator,
                         "tolerance", "0", "backend", "cpu", NULL);
  double first[3] = {0}, now[3] = {0};
  const double rate = handle_value(&s, "angular_velocity", 1);
  free_top_add_spins(&s, first);
  handle_step(&s, 400);
  free_top_add_spins(&s, now);
  for (int k = 0; k < 3; k++)
    ck_assert_msg(fabs(now[k] - first[k]) < 1e-12 * first[0], "%g of %g", now[k] - first[k],
                  first[0]);
  ck_assert_double_gt(fabs(handle_value(&s, "angular_velocity", 1) - rate), 0.3);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A soft rod that tumbles, breathes and bends, by midpoint: both momenta to rounding (of sweeps,
/// as far as 400 converge), and the energy within what swings with the square of the step.
START_TEST(what_tumbles_keeps_momenta_and_energy) {
  vb_builder *b = scenes_begin(1e-3, 0);
  scenes_bar(b, 6, 0.6, 0.1, &scenes_rubber);
  scenes_weigh(b, 2);
  if (_i % 2)
    scenes_solidify(b, 1);
  free_top_spin(b, (const double[3]){0.3, 0, 0}, (const double[3]){5, 1, -2});
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].scale = 1.02;
  vb_scene *scene = fixture_freeze(b);
  handle s =
      handle_open(scene, "integrator", "midpoint", "method", _i / 2 ? "block-descent" : "direct",
                  "iterations", _i / 2 ? "400" : "8", "tolerance", "0", "backend", "cpu", NULL);
  double first[3], now[3];
  free_top_all_momentum(&s, first);
  const double energy = handle_energy(&s, "kinetic") + handle_elastic(&s);
  handle_step(&s, 100);
  free_top_all_momentum(&s, now);
  const double off = handle_energy(&s, "kinetic") + handle_elastic(&s) - energy;
  for (size_t k = 0; k < 3; k++) {
    ck_assert_msg(fabs(handle_value(&s, "momentum", k)) < 1e-10, "momentum");
    ck_assert_msg(fabs(now[k] - first[k]) < 1e-10, "%g of %g", now[k] - first[k], first[k]);
  }
  ck_assert_msg(fabs(off) < 1e-3 * energy, "energy: %g of %g J", off, energy);
  handle_close(&s);
  free(scene);
}
END_TEST

static const char *const methods[] = {"direct", "block-descent", "xpbd", "jacobi-published"};
static const char *const integrators[] = {"euler", "bdf2", "midpoint"};

/// Whether a method has an integrator.
static bool has(const char *method, const char *integrator) {
  return strcmp(integrator, "midpoint") != 0 || strcmp(method, "direct") == 0 ||
         strcmp(method, "block-descent") == 0;
}

/// Rods of discs; with `stranger` also a capsule far off that is none, so that all are computed as
/// what may have any moments. `n` of them are alike.
static vb_scene *discs(int n, bool solid, bool stranger, bool loaded) {
  vb_builder *b = scenes_begin(0.002, 9.81);
  const int32_t wall = scenes_wall(b, "wall");
  for (int k = 0; k < n; k++)
    scenes_pin_node(b, scenes_bar(b, 5, 0.5, 0.05, &scenes_rubber), VB_PIN_CENTER, wall);
  if (loaded)
    scenes_twist(b, 2, 0.02, 0.01, -0.01);
  scenes_disturb(b, 0.003, 2, 29);
  size_t n_segments;
  vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
  if (stranger) {
    capsule_at(b, 100, &scenes_rubber);
    weigh(b, n_segments, 1, frame_moment);
  }
  if (solid)
    scenes_solidify(b, 1);
  return fixture_freeze(b);
}

/// Frames that are discs move alike by the formulas of any moments: to rounding, which 20 steps of
/// a rod without contact hardly raise. Alone, in a batch, and under a torque.
START_TEST(discs_are_discs_among_others) {
  const char *method = methods[_i % 4], *integrator = integrators[_i / 4 % 3];
  const bool solid = _i / 12 % 2 && strcmp(method, "jacobi-published") != 0;
  if (!has(method, integrator))
    return;
  for (int way = 0; way < 6; way++) {
    double *x[2], *w[2];
    const int n = way % 2 ? 5 : 1;
    for (int stranger = 0; stranger < 2; stranger++) {
      vb_scene *scene = discs(n, solid, stranger, way / 2 % 3 == 2);
      const char *gyroscope = way / 2 == 0 && strcmp(integrator, "midpoint") != 0 ? "off" : "on";
      handle s = handle_open(scene, "method", method, "integrator", integrator, "gyroscope",
                             gyroscope, "backend", "cpu", "iterations", "6", NULL);
      handle_step(&s, 20);
      x[stranger] = handle_read(&s, "position");
      w[stranger] = handle_read(&s, "angular_velocity");
      handle_close(&s);
      free(scene);
    }
    for (size_t k = 0; k < 18 * (size_t)n; k++)
      ck_assert_msg(fabs(x[0][k] - x[1][k]) < 1e-11, "way %d: %g", way, x[0][k] - x[1][k]);
    for (size_t k = 0; k < 15 * (size_t)n; k++)
      ck_assert_msg(fabs(w[0][k] - w[1][k]) < 1e-8, "way %d: %g rad/s", way, w[0][k] - w[1][k]);
    for (int k = 0; k < 2; k++) {
      free(x[k]);
      free(w[k]);
    }
  }
}
END_TEST

/// A rod in a batch of five, and alone; the others alike, or with moments of their own.
START_TEST(batches_leave_the_bits_alone) {
  const char *method = methods[_i % 4], *integrator = integrators[_i / 4 % 3];
  double right[18];
  if (!has(method, integrator))
    return;
  for (int n = 1; n <= 5; n += 4) {
    vb_builder *b = scenes_begin(0.005, 9.81);
    const int32_t wall = scenes_wall(b, "wall");
    for (int k = 0; k < n; k++)
      scenes_pin_node(b, scenes_bar(b, 5, 0.5, 0.05, &scenes_rubber), VB_PIN_CENTER, wall);
    scenes_disturb(b, 0.003, 2, 29);
    size_t n_segments;
    vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
    for (size_t j = 0; j < n_segments; j++) {
      const size_t body = j / 5;
      const double more = _i / 12 ? 1 + 0.1 * (double)body : 1;
      for (int k = 0; k < 3; k++) {
        segment[j].angular_velocity[k] = k + (double)(j % 5);
        segment[j].frame_inertia[k] = more * (0.001 + 0.0004 * k + 0.0001 * (double)(j % 5));
      }
    }
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "integrator", integrator, "method", method, "gyroscope", "on",
                           "backend", "cpu", NULL);
    handle_first_positions(&s, 20, n == 1, right, sizeof right);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Sweeps come to the minimizer of Newton's method, however unlike the moments are and up to turns
/// of a radian in a step.
START_TEST(sweeps_come_to_the_minimizer) {
  static const double unlike[][3] = {{1, 1, 0.02}, {1, 0.02, 1}, {0.02, 1, 1}, {1, 1.9, 1}};
  double *q[2];
  for (int k = 0; k < 2; k++) {
    vb_builder *b = scenes_begin(0.01, 0);
    scenes_bar(b, 4, 0.4, 0.05, &scenes_rubber);
    double moment[3];
    for (int c = 0; c < 3; c++)
      moment[c] = 1e-3 * unlike[_i][c];
    weigh(b, 0, 1, moment);
    scenes_disturb(b, 0.01, 0, 31);
    size_t n;
    vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
    for (size_t j = 0; j < n; j++)
      for (int c = 0; c < 3; c++)
        segment[j].angular_velocity[c] = 60 * cos((double)j + c);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "method", methods[k], "iterations", k ? "4000" : "60",
                           "gyroscope", "on", "tolerance", "0", "backend", "cpu", NULL);
    handle_step(&s, 1);
    q[k] = handle_read(&s, "frame");
    ck_assert_double_lt(handle_residual(&s), 1e-9);
    handle_close(&s);
    free(scene);
  }
  for (size_t j = 0; j < 4; j++) {
    double along = 0; // of q or -q
    for (size_t k = 4 * j; k < 4 * j + 4; k++)
      along += q[0][k] * q[1][k];
    for (size_t k = 4 * j; k < 4 * j + 4; k++)
      ck_assert_double_eq_tol(q[0][k], along < 0 ? -q[1][k] : q[1][k], 1e-8);
  }
  free(q[0]);
  free(q[1]);
}
END_TEST

/// A capsule rolls down a slope with g sin/(1 + moment/(m r^2)); tolerance: the first steps, until
/// it rolls. By passes of every method, and by Newton's method.
START_TEST(friction_turns_the_axis_by_its_moment) {
  const double angle = 0.3, moment = 1.2 * mass * RADIUS * RADIUS;
  vb_builder *b = scenes_begin(1e-3, 0);
  vb_builder_world(b)->gravity[0] = 10 * sin(angle);
  vb_builder_world(b)->gravity[2] = -10 * cos(angle);
  const int32_t from = fixture_node(b, 0, -0.5 * LENGTH, RADIUS, RADIUS);
  const int32_t wall = scenes_wall(b, "wall");
  scenes_segment(b, from, fixture_node(b, 0, 0.5 * LENGTH, RADIUS, RADIUS), &scenes_rubber);
  weigh(b, 0, 1, (const double[3]){moment, moment, moment});
  for (int32_t i = 0; i < 2; i++)
    scenes_pin_node(b, i, VB_PIN_SCALE, wall);
  fixture_add(
      b, VB_SET_HALF_PLANE,
      &(vb_half_plane){.normal = {0, 0, 1}, .static_friction = 0.5, .kinetic_friction = 0.5});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i % 4], "iterations", "20", "contact", "colors",
                         "contact_solve", _i == 4 ? "newton" : "passes", "backend", "cpu", NULL);
  const double speed = 10 * sin(angle) / 2.2 * 0.2;
  handle_step(&s, 200);
  ck_assert_double_eq_tol(handle_value(&s, "velocity", 0) / speed, 1, 1e-3);
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 1) * RADIUS / speed, 1, 1e-3);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Loads in equilibrium do not ask for inertia: the same as of discs to the tolerance, 1e-10.
START_TEST(statics_do_not_depend_on_it) {
  double *x[2];
  for (int k = 0; k < 2; k++) {
    vb_builder *b = scenes_begin(1, 9.81);
    const int32_t wall = scenes_wall(b, "wall");
    scenes_bar(b, 5, 0.5, 0.05, &scenes_rubber);
    scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
    scenes_pin_frame(b, 0, wall);
    if (k)
      weigh(b, 0, 2, frame_moment);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "dynamics", "static", "iterations", "40", "backend", "cpu", NULL);
    handle_step(&s, 1);
    x[k] = handle_read(&s, "position");
    handle_close(&s);
    free(scene);
  }
  for (size_t k = 0; k < 18; k++)
    ck_assert_double_eq_tol(x[0][k], x[1][k], 1e-8);
  free(x[0]);
  free(x[1]);
}
END_TEST

/// The gyroscope is on of itself, and bundles are refused.
START_TEST(options_know_of_it) {
  vb_builder *b = scenes_begin(0.005, 0);
  scenes_bar(b, 3, 0.3, 0.05, &scenes_rubber);
  weigh(b, 1, 3, frame_moment);
  free_top_spin(b, (const double[3]){0, 0, 0}, (const double[3]){3, 1, 0});
  for (int32_t j = 0; _i && j < 2; j++)
    fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){0, j});
  vb_scene *scene = fixture_freeze(b);
  if (_i == 0) {
    handle chosen = handle_open(scene, "gyroscope", "auto", NULL);
    handle on = handle_open(scene, "gyroscope", "on", NULL);
    handle_step(&chosen, 10);
    handle_step(&on, 10);
    ck_assert(handle_same(&chosen, &on));
    handle_close(&chosen);
    handle_close(&on);
  } else {
    const vb_solver *solver;
    vb_error error = {0};
    void *self = NULL;
    ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
    ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error), VB_UNAVAILABLE);
    ck_assert_str_eq(error.message, "segment 1 is in a bundle, whose sections are discs, and has a "
                                    "frame_inertia that is not a disc's; leave one of them out");
  }
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("moments");
  tcase_set_timeout(c, 120);
  tcase_add_loop_test(c, a_free_body_turns_as_elliptic_functions_say, 0,
                      sizeof tops / sizeof *tops);
  tcase_add_loop_test(c, a_free_body_turns_so_in_float, 0, 2);
  tcase_add_loop_test(c, torques_turn_each_axis_by_its_moment, 0, 12);
  tcase_add_loop_test(c, lone_frames_keep_their_momentum, 0, sizeof kept / sizeof *kept);
  tcase_add_loop_test(c, what_tumbles_keeps_momenta_and_energy, 0, 4);
  tcase_add_loop_test(c, discs_are_discs_among_others, 0, 24);
  tcase_add_loop_test(c, batches_leave_the_bits_alone, 0, 24);
  tcase_add_loop_test(c, sweeps_come_to_the_minimizer, 0, 4);
  tcase_add_loop_test(c, friction_turns_the_axis_by_its_moment, 0, 5);
  tcase_add_test(c, statics_do_not_depend_on_it);
  tcase_add_loop_test(c, options_know_of_it, 0, 2);
  return c;
}

VB_TEST_MAIN("viper moments", make_case())
