// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver multibody against closed forms, against Lagrange's equations in minimal coordinates,
/// and its interface.
/// Covers: reference/multibody/*.[ch]
#include "handle.h"
#include "scenes/bones.h"

#include "scene/rotation.h"

#include <gsl/gsl_odeiv2.h>
#include <unistd.h>

#define SOLVER "multibody"

/// Errors of a second of motion at the tolerance 1e-11 of a step.
static const double integrated = 1e-9;

/// A free bone of principal moments 1, 1, 1.6 spins about a slanted axis: its axis z turns about
/// the angular momentum L at |L|/1, and it turns about z at (1/1.6 - 1) L_z besides.
START_TEST(symmetric_top) {
  vb_builder *b = scenes_begin(0.05, 0);
  vb_bone top = {.name = "top", .mass = 2, .inertia = {1, 1, 1.6}, .frame = {1}};
  const double spin[3] = {0.7, -0.4, 2}, moment[3] = {1, 1, 1.6};
  memcpy(top.angular_velocity, spin, sizeof spin);
  top.velocity[0] = 3;
  fixture_add(b, VB_SET_BONE, &top);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  handle_step(&h, 40);
  double l[3], size, right[4], outer[4], inner[4], time = 2;
  for (int c = 0; c < 3; c++)
    l[c] = moment[c] * spin[c];
  size = sqrt(vb_dot(l, l));
  double angle = (1 - 1.6) * spin[2] * time;
  outer[0] = cos(0.5 * size * time);
  for (int c = 0; c < 3; c++)
    outer[1 + c] = sin(0.5 * size * time) * l[c] / size;
  memcpy(inner, (double[4]){cos(0.5 * angle), 0, 0, sin(0.5 * angle)}, sizeof inner);
  vb_quaternion_multiply(outer, inner, right);
  double *q = handle_read(&h, "bone_frame"), product = 0;
  for (int c = 0; c < 4; c++)
    product += q[c] * right[c];
  printf("top: quaternion %.1e off\n", 1 - fabs(product));
  ck_assert_double_lt(1 - fabs(product), integrated * integrated + 1e-15);
  ck_assert_double_eq_tol(handle_value(&h, "bone_position", 0), 6, integrated);
  for (size_t c = 0; c < 3; c++)
    ck_assert_double_eq_tol(handle_value(&h, "angular_momentum", c), l[c], integrated);
  free(q);
  handle_close(&h);
  free(scene);
}
END_TEST

/// Damping of a free bar that falls and spins about its long axis: v' = g - d v, and the spin
/// decays by exp(-d t).
START_TEST(damping) {
  vb_builder *b = scenes_begin(0.05, 9.81);
  vb_builder_world(b)->damping = 2;
  bones_bar(b, "bar", 0, 0, 0, 1);
  bones_of(b)->velocity[1] = 3;
  bones_of(b)->angular_velocity[0] = 5;
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  handle_step(&h, 20);
  double left = exp(-2.0), spin = 2 * 0.01 / 12 * 5;
  ck_assert_double_eq_tol(handle_value(&h, "momentum", 1), 3 * left, integrated);
  ck_assert_double_eq_tol(handle_value(&h, "momentum", 2), -9.81 / 2 * (1 - left), integrated);
  // About the origin: of the center, at x = 0.5 m, and of the spin.
  double *x = handle_read(&h, "bone_position"), *p = handle_read(&h, "momentum");
  ck_assert_double_eq_tol(handle_value(&h, "angular_momentum", 0) - x[1] * p[2] + x[2] * p[1],
                          spin * left, integrated);
  free(x);
  free(p);
  handle_close(&h);
  free(scene);
}
END_TEST

/// A bar hung at its end, let go horizontally. `hinge` or ball; returns the scene.
static vb_scene *pendulum(bool hinge) {
  vb_builder *b = scenes_begin(0.05, 9.81);
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link pivot = bones_link("pivot", hinge ? VB_LINK_HINGE : VB_LINK_BALL, 0, -1, -1, 0, 0, 0);
  fixture_add(b, VB_SET_LINK, &pivot);
  return fixture_freeze(b);
}

START_TEST(pendulum_against_elliptic_functions) {
  vb_scene *scene = pendulum(_i);
  handle h = handle_open_as(SOLVER, scene, NULL);
  double moment = 1.0 / 12 + 0.01 / 12 + 0.25, rate = sqrt(9.81 * 0.5 / moment), worst = 0;
  for (int i = 1; i <= 60; i++) {
    handle_step(&h, 1);
    double below = bones_swing(0.5 * M_PI, rate, 0.05 * i), *x = handle_read(&h, "bone_position");
    worst = fmax(worst, hypot(x[0] - 0.5 * sin(below), x[2] + 0.5 * cos(below)));
    if (_i) // the bar turns by y from x towards -z
      worst = fmax(worst, fabs(handle_value(&h, "joint_angle", 0) - (0.5 * M_PI - below)));
    free(x);
  }
  double energy[2];
  ck_assert_int_eq(h.solver->energies(h.self, energy, NULL), VB_OK);
  printf("%s: %.1e, energy %.1e, gap %.1e\n", _i ? "hinge" : "ball", worst, energy[0] + energy[1],
         handle_value(&h, "joint_error", 0));
  ck_assert_double_lt(worst, integrated);
  ck_assert_double_eq_tol(energy[0] + energy[1], 0, 10 * integrated);
  ck_assert_double_lt(handle_value(&h, "joint_error", 0), 1e-15);
  handle_close(&h);
  free(scene);
}
END_TEST

/// The classical Runge-Kutta method at the step: fourth order.
START_TEST(order_of_rk4) {
  double error[3];
  for (int k = 0; k < 3; k++) {
    vb_builder *b = scenes_begin(0.05 / (1 << k), 9.81);
    bones_bar(b, "bar", 0, 0, 0, 1);
    vb_link pivot = bones_link("pivot", VB_LINK_HINGE, 0, -1, -1, 0, 0, 0);
    fixture_add(b, VB_SET_LINK, &pivot);
    vb_scene *scene = fixture_freeze(b);
    handle h = handle_open_as(SOLVER, scene, "integrator", "rk4", NULL);
    handle_step(&h, 10 << k);
    double below = bones_swing(0.5 * M_PI, sqrt(9.81 * 0.5 / (1.01 / 12 + 0.25)), 0.5);
    error[k] = fabs(handle_value(&h, "joint_angle", 0) - (0.5 * M_PI - below));
    handle_close(&h);
    free(scene);
  }
  printf("rk4: errors %.1e %.1e %.1e\n", error[0], error[1], error[2]);
  ck_assert_double_eq_tol(log2(error[1] / error[2]), 4, 0.3);
}
END_TEST

/// Lagrange's equations of two bars of one joint in a plane: angles from the vertical, rates.
static int double_pendulum(double time, const double y[], double rate[], void *unused) {
  (void)time;
  (void)unused;
  const double m = 1, l = 1, d = 0.5, i = 1.01 / 12, g = 9.81;
  double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]), a = i + m * d * d + m * l * l;
  double b = m * l * d * c, e = i + m * d * d;
  double p = -m * l * d * s * y[3] * y[3] - (m * d + m * l) * g * sin(y[0]);
  double q = m * l * d * s * y[2] * y[2] - m * d * g * sin(y[1]);
  rate[0] = y[2];
  rate[1] = y[3];
  rate[2] = (p * e - b * q) / (a * e - b * b);
  rate[3] = (a * q - b * p) / (a * e - b * b);
  return 0;
}

START_TEST(double_pendulum_in_minimal_coordinates) {
  vb_builder *b = scenes_begin(0.02, 9.81);
  bones_bar(b, "upper", 0, 0, 0, 1);
  bones_bar(b, "lower", 1, 0, 0, 1);
  vb_link pivot = bones_link("pivot", VB_LINK_BALL, 0, -1, -1, 0, 0, 0);
  vb_link elbow = bones_link("elbow", VB_LINK_HINGE, 1, 0, -1, 1, 0, 0);
  fixture_add(b, VB_SET_LINK, &pivot);
  fixture_add(b, VB_SET_LINK, &elbow);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  double y[4] = {0.5 * M_PI, 0.5 * M_PI}, time = 0, worst = 0;
  gsl_odeiv2_system system = {double_pendulum, NULL, 4, NULL};
  gsl_odeiv2_driver *d =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rkf45, 1e-3, 1e-13, 1e-13);
  for (int i = 1; i <= 75; i++) {
    handle_step(&h, 1);
    ck_assert_int_eq(gsl_odeiv2_driver_apply(d, &time, 0.02 * i, y), 0);
    double *x = handle_read(&h, "bone_position");
    worst =
        fmax(worst, hypot(x[3] - sin(y[0]) - 0.5 * sin(y[1]), x[5] + cos(y[0]) + 0.5 * cos(y[1])));
    free(x);
  }
  gsl_odeiv2_driver_free(d);
  double energy[2];
  ck_assert_int_eq(h.solver->energies(h.self, energy, NULL), VB_OK);
  printf("double pendulum: %.1e, energy %.1e\n", worst, energy[0] + energy[1]);
  ck_assert_double_lt(worst, 10 * integrated); // its motion spreads errors about tenfold
  ck_assert_double_eq_tol(energy[0] + energy[1], 0, 10 * integrated);
  handle_close(&h);
  free(scene);
}
END_TEST

/// The level bar of a parallelogram against its pendulum: four hinges are twenty rows, of which
/// three depend on the others.
START_TEST(closed_loop) {
  vb_scene *scene = bones_parallelogram(0.05);
  handle h = handle_open_as(SOLVER, scene, NULL);
  double worst = 0;
  for (int i = 1; i <= 20; i++) {
    handle_step(&h, 1);
    double below = bones_parallelogram_angle(0.05 * i), *x = handle_read(&h, "bone_position");
    worst = fmax(worst, hypot(x[6] - 1 + sin(below), x[8] + cos(below)));
    for (size_t k = 0; k < 4; k++)
      ck_assert_double_lt(handle_value(&h, "joint_error", k), 1e-14);
    free(x);
  }
  printf("parallelogram: %.1e\n", worst);
  ck_assert_double_lt(worst, integrated);
  handle_close(&h);
  free(scene);
}
END_TEST

/// Light bars, stretched out level, that hold a bar a million times heavier: links hold, energy is
/// kept, and LAPACK, which reports to the standard output and error, says nothing. In steps of 1 s
/// by rk4, which diverge, too.
START_TEST(light_bars_hold_a_heavy_one) {
  const bool coarse = _i == 1;
  const double heavy = 1e6;
  vb_builder *b = scenes_begin(coarse ? 1 : 1.0 / 30, 9.81);
  for (int k = 0; k < 3; k++) {
    char name[16];
    snprintf(name, sizeof name, "bar %d", k);
    bones_bar(b, name, k, 0, 0, 1);
    vb_link link = bones_link(name, VB_LINK_BALL, k, k - 1, -1, k, 0, 0);
    fixture_add(b, VB_SET_LINK, &link);
  }
  bones_of(b)[2].mass *= heavy;
  for (int c = 0; c < 6; c++)
    bones_of(b)[2].inertia[c] *= heavy;
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, coarse ? "integrator" : NULL, "rk4", NULL);
  FILE *said = tmpfile();
  ck_assert_ptr_nonnull(said);
  fflush(NULL);
  int own[2] = {dup(1), dup(2)};
  for (int k = 0; k < 2; k++)
    dup2(fileno(said), 1 + k);
  for (int i = 0; i < (coarse ? 200 : 3); i++)
    h.solver->step(h.self, 1, NULL);
  fflush(NULL);
  for (int k = 0; k < 2; k++) {
    dup2(own[k], 1 + k);
    close(own[k]);
  }
  ck_assert_int_eq(fseek(said, 0, SEEK_END), 0);
  ck_assert_int_eq(ftell(said), 0);
  fclose(said);
  for (size_t k = 0; k < 3 && !coarse; k++)
    ck_assert_double_lt(handle_value(&h, "joint_error", k), 1e-12 * 3);
  double energy = handle_energy(&h, "kinetic") + handle_energy(&h, "gravity");
  printf("light bars: energy %.1e of %.1e J\n", energy, 9.81 * heavy);
  if (!coarse) // of some 1e7 J that are exchanged
    ck_assert_double_lt(fabs(energy), integrated * 9.81 * heavy);
  handle_close(&h);
  free(scene);
}
END_TEST

/// A bone whose center a driver, riding on another, takes along: its force is m (a - g), its work
/// what the energies change by, and the bone does not turn.
START_TEST(driven_bone) {
  vb_builder *b = scenes_begin(0.05, 9.81);
  const vb_key up[3] = {{0, 0, VB_CUBIC, 0}, {0.33, 0.4, VB_CUBIC, 0}, {0.5, 0.45, VB_CUBIC, 0}};
  const vb_key turn[2] = {{0, 0, VB_CUBIC, 0}, {0.5, 1, VB_CUBIC, 0}};
  int32_t rise = bones_curve(b, up, 3), angle = bones_curve(b, turn, 2);
  vb_driver outer = {"outer", {1, 0, 0}, {0, 0, 1}, {-1, -1, rise}, angle};
  vb_driver inner = {"inner", {0, 0, 0}, {1, 0, 0}, {rise, -1, -1}, -1};
  fixture_add(b, VB_SET_DRIVER, &inner);
  fixture_add(b, VB_SET_DRIVER, &outer);
  fixture_add(b, VB_SET_PARENT, &(vb_parent){.driver = 0, .parent = 1});
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link grip = bones_link("grip", VB_LINK_BALL, 0, -1, 0, 0.5, 0, 0);
  fixture_add(b, VB_SET_LINK, &grip);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  double energy[4], work[2], force[6], torque[6], q[4], shift[3], at[5][3];
  const double rest[3] = {0.5, 0, 0}, tiny = 1e-3;
  ck_assert_int_eq(h.solver->energies(h.self, energy, NULL), VB_OK);
  handle_step(&h, 4); // 0.2 s, before the second key
  ck_assert_int_eq(h.solver->energies(h.self, energy + 2, NULL), VB_OK);
  ck_assert_int_eq(h.solver->work(h.self, work, NULL), VB_OK);
  ck_assert_int_eq(h.solver->reactions(h.self, force, torque, NULL), VB_OK);
  for (int k = 0; k < 5; k++) {
    vb_driver_motion(scene, 0, 0.2 + (k - 2) * tiny, q, shift);
    vb_rigid_move(q, shift, rest, at[k]);
  }
  for (size_t c = 0; c < 3; c++) {
    double a =
        (16 * (at[3][c] + at[1][c]) - at[4][c] - at[0][c] - 30 * at[2][c]) / (12 * tiny * tiny);
    ck_assert_double_eq_tol(handle_value(&h, "bone_position", c), at[2][c], 1e-14);
    // The rounding of fourth-order differences, 1e-16 / tiny^2, some times over.
    ck_assert_double_eq_tol(force[c], a + (c == 2 ? 9.81 : 0), 1e-8);
    ck_assert_double_eq_tol(handle_value(&h, "bone_spin", c), 0, integrated);
  }
  ck_assert_double_eq_tol(work[0], energy[2] + energy[3] - energy[0] - energy[1], integrated);
  handle_step(&h, 8); // past the keys, at rest again but for nothing
  ck_assert_double_eq_tol(handle_value(&h, "bone_velocity", 0), 0, integrated);
  handle_close(&h);
  free(scene);
}
END_TEST

/// A torque about a hinge, in a driver's hand: the bar spins up as tau t / I, and the driver holds
/// against it.
START_TEST(torque_on_a_hinge) {
  vb_builder *b = scenes_begin(0.1, 0);
  fixture_add(b, VB_SET_DRIVER, &(vb_driver){"hand", {0, 0, 0}, {0, 0, 1}, {-1, -1, -1}, -1});
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link pivot = bones_link("pivot", VB_LINK_HINGE, 0, -1, 0, 0, 0, 0);
  fixture_add(b, VB_SET_LINK, &pivot);
  vb_load push = {.name = "push", .location = VB_AT_LINK, .torque = {2}, .amplitude = -1};
  fixture_add(b, VB_SET_LOAD, &push);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  handle_step(&h, 5);
  double spin = 2 * 0.5 / (1.01 / 12 + 0.25), force[3], torque[3], work[2];
  ck_assert_double_eq_tol(handle_value(&h, "bone_spin", 1), spin, integrated);
  ck_assert_double_eq_tol(handle_value(&h, "joint_angle", 0), 0.25 * spin, integrated);
  ck_assert_int_eq(h.solver->reactions(h.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(torque[1], 2, integrated);
  ck_assert_int_eq(h.solver->work(h.self, work, NULL), VB_OK);
  ck_assert_double_eq_tol(work[0], 0, integrated);
  ck_assert_double_eq_tol(work[1], handle_energy(&h, "kinetic"), integrated);
  handle_close(&h);
  free(scene);
}
END_TEST

START_TEST(restored_runs_repeat_bit_by_bit) {
  vb_scene *scene = pendulum(true);
  handle h = handle_open_as(SOLVER, scene, NULL), other = handle_open_as(SOLVER, scene, NULL);
  size_t size = h.solver->state_size(h.self);
  char *state = malloc(3 * size);
  handle_step(&h, 3);
  ck_assert_int_eq(h.solver->save(h.self, state, NULL), VB_OK);
  handle_step(&h, 4);
  ck_assert_int_eq(h.solver->save(h.self, state + size, NULL), VB_OK);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  for (int i = 0; i < 4; i++)
    handle_step(&other, 1);
  ck_assert_int_eq(other.solver->save(other.self, state + 2 * size, NULL), VB_OK);
  ck_assert_mem_eq(state + size, state + 2 * size, size);
  free(state);
  handle_close(&h);
  handle_close(&other);
  free(scene);
}
END_TEST

/// A torque a (1 - t) turns a bar from rest to its limit, where it stays until the torque changes
/// its sign at 1 s: a limit pushes only. Runs repeat bit by bit from a state at the limit.
START_TEST(limit_of_a_hinge) {
  double sign = _i ? -1 : 1, most = 0;
  vb_scene *scene = bones_stop(0.05, sign);
  handle h = handle_open_as(SOLVER, scene, NULL), other = handle_open_as(SOLVER, scene, NULL);
  for (int k = 1; k <= 30; k++) {
    handle_step(&h, 1);
    double angle = sign * handle_value(&h, "joint_angle", 0);
    ck_assert_double_eq_tol(angle, bones_stop_angle(0.05 * k), integrated);
    most = fmax(most, angle);
    if (k != 15)
      continue;
    void *state = malloc(h.solver->state_size(h.self));
    ck_assert_int_eq(h.solver->save(h.self, state, NULL), VB_OK);
    ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
    free(state);
  }
  handle_step(&other, 15);
  printf("limit: at most %.15g rad\n", most);
  ck_assert_double_lt(most, 0.3 + 2e-12);
  ck_assert(handle_value(&h, "joint_angle", 0) == handle_value(&other, "joint_angle", 0));
  handle_close(&h);
  handle_close(&other);
  free(scene);
}
END_TEST

/// A bar that begins beyond its limit, and moves back, is put to the limit and goes on freely.
START_TEST(begun_beyond_a_limit) {
  vb_builder *b = scenes_begin(0.05, 0);
  vb_bone bar = {.name = "bar",
                 .mass = 1,
                 .center = {0.5},
                 .inertia = {0.1, 0.1, 0.1},
                 .position = {0.5},
                 .frame = {1},
                 .velocity = {0, 0, 0.5},
                 .angular_velocity = {0, -1, 0}};
  fixture_add(b, VB_SET_BONE, &bar);
  vb_link pivot = bones_link("pivot", VB_LINK_HINGE, 0, -1, -1, 0, 0, 0);
  pivot.limit[0] = -2;
  pivot.limit[1] = -0.1;
  fixture_add(b, VB_SET_LINK, &pivot);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  handle_step(&h, 10);
  // Its center's velocity is across the bar as it was, 0.1 rad before; the pivot takes the rest.
  double spin = (0.1 + 0.25 * cos(0.1)) / (0.1 + 0.25);
  ck_assert_double_eq_tol(handle_value(&h, "joint_angle", 0), -0.1 - 0.5 * spin, integrated);
  handle_close(&h);
  free(scene);
}
END_TEST

/// What is refused, with a sentence that names it.
START_TEST(refusals) {
  static const char *const sentence[2] = {
      "node 0 is in no bone; the multibody solver supports only rigid bodies",
      "driver hand jumps at 1 s, where its acceleration is undefined; use a \"linear\" or "
      "\"cubic\" curve"};
  vb_builder *b = scenes_begin(0.1, 0);
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link knee = bones_link("knee", VB_LINK_HINGE, 0, -1, -1, 0, 0, 0);
  if (_i == 0)
    fixture_node(b, 0, 0, 0, 0.1);
  fixture_add(b, VB_SET_LINK, &knee);
  const vb_key jump[2] = {{0, 0, VB_HOLD, 0}, {1, 1, VB_HOLD, 0}};
  if (_i == 1)
    fixture_add(b, VB_SET_DRIVER,
                &(vb_driver){"hand", {0}, {0, 0, 1}, {bones_curve(b, jump, 2), -1, -1}, -1});
  vb_scene *scene = fixture_freeze(b);
  const vb_solver *solver;
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error),
                   _i == 1 ? VB_BAD_INPUT : VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, sentence[_i]);
  ck_assert_ptr_null(self);
  free(scene);
}
END_TEST

static TCase *motions(void) {
  TCase *c = tcase_create("motions");
  tcase_add_test(c, damping);
  tcase_add_test(c, symmetric_top);
  tcase_add_loop_test(c, pendulum_against_elliptic_functions, 0, 2);
  tcase_add_test(c, order_of_rk4);
  tcase_add_test(c, double_pendulum_in_minimal_coordinates);
  tcase_add_test(c, closed_loop);
  tcase_add_loop_test(c, light_bars_hold_a_heavy_one, 0, 2);
  tcase_add_test(c, driven_bone);
  tcase_add_test(c, torque_on_a_hinge);
  tcase_add_loop_test(c, limit_of_a_hinge, 0, 2);
  tcase_add_test(c, begun_beyond_a_limit);
  return c;
}

static TCase *interface(void) {
  TCase *c = tcase_create("interface");
  tcase_add_test(c, restored_runs_repeat_bit_by_bit);
  tcase_add_loop_test(c, refusals, 0, 2);
  return c;
}

VB_TEST_MAIN("multibody", motions(), interface())
