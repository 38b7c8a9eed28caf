// SPDX-License-Identifier: GPL-3.0-or-later
/// Pins of single components of a frame: bearings, hinges, driven shafts. (The minimizer of a step
/// is compared in test_viper_methods.c and test_viper_steps.c, with the scene HELD.)
/// Covers: src/viper/method/frame_pin.h src/viper/method/frame_chart.h
/// Covers: src/viper/cpu/evaluate/held_axes.*
#include "handle.h"
#include "scenes/scenes.h"

#include "scene/rotation.h"

enum { N = 5 };
static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};

/// The imaginary parts of conj(R Q0) Q of a segment, R the turn by `angle` about x.
static void parts_of(handle *s, int32_t segment, double angle, double out[3]) {
  size_t n;
  double *frame = handle_read(s, "frame"), d[4], at[4];
  const double turn[4] = {cos(angle / 2), sin(angle / 2), 0, 0};
  vb_quaternion_multiply(turn, vb_scene_segments(s->scene, &n)[segment].frame, at);
  for (int k = 1; k < 4; k++)
    at[k] = -at[k];
  vb_quaternion_multiply(at, frame + 4 * segment, d);
  memcpy(out, d + 1, 3 * sizeof *out);
  free(frame);
}

/// The scene of a bar along x, whose first node is held and of whose first frame `mask` is.
static vb_builder *held_bar(double step, double gravity, uint32_t mask, int32_t *driver) {
  vb_builder *b = scenes_begin(step, gravity);
  scenes_bar(b, N, 0.5, 0.05, &scenes_rubber);
  *driver = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, *driver);
  scenes_hold(b, 0, mask, *driver);
  return b;
}

/// A shaft that is held in u and v, loaded by its weight, spins freely about w: what is held is 0
/// to rounding after each step of every method, the wall's torque has no part along w (1e-6 of that
/// which carries the weight, as far as the solve goes), and the spin stays but for implicit Euler's
/// loss, some (h omega)^2 / 24 of it in each of 20 steps, and what little bending takes.
START_TEST(a_bearing_lets_a_shaft_spin) {
  const double spin = 3;
  int32_t wall;
  vb_builder *b = held_bar(0.01, 9.81, VB_FRAME_U | VB_FRAME_V, &wall);
  size_t n;
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++)
    segment[j].angular_velocity[0] = spin;
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i], "iterations", _i ? "300" : "30", "tolerance",
                         "0", NULL);
  double part[3], force[3], torque[3];
  for (int step = 0; step < 20; step++) {
    handle_step(&s, 1);
    parts_of(&s, 0, 0, part);
    ck_assert_double_lt(fabs(part[0]) + fabs(part[1]), 1e-15);
  }
  ck_assert_double_gt(part[2], sin(spin * 0.2 / 2) * 0.97);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_gt(fabs(torque[1]), 1);
  if (_i == 0)
    ck_assert_double_lt(fabs(torque[0]), 1e-6 * fabs(torque[1]));
  handle_close(&s);
  free(scene);
}
END_TEST

/// A torque T about the axis of a bar whose first frame is held in w alone twists it by asin(T lm /
/// ((kx + ky) pi r^4/4)) in each joint, scales held, and the wall's torque is -T: at rest, after a
/// damped 1.5 s. A torque turns the prediction by h^2 T / I, 1e-4, whose sine it acts by: 1e-8.
START_TEST(a_held_twist_carries_a_torque) {
  const double torque = 0.1, k = 9e4, r = 0.05, l = 0.1;
  int32_t wall;
  vb_builder *b = held_bar(1e-3, 0, VB_FRAME_W, &wall);
  vb_builder_world(b)->damping = 42;
  for (int32_t i = 1; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  vb_pin *pin;
  size_t n;
  pin = vb_builder_elements(b, VB_SET_PIN, &n);
  pin[0].mask |= VB_PIN_SCALE;
  scenes_twist(b, N - 1, torque, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[2 * _i], "iterations", _i ? "100" : "5",
                         "tolerance", "0", NULL);
  handle_step(&s, 1500);
  double part[3], force[3], found[3];
  double angle = asin(torque * l / (k * M_PI * r * r * r * r / 4)) * (N - 1);
  parts_of(&s, N - 1, 0, part);
  ck_assert_double_eq_tol(2 * asin(part[2]), angle, 1e-7 * angle);
  parts_of(&s, 0, 0, part);
  ck_assert_double_lt(fabs(part[2]), 1e-15);
  ck_assert_int_eq(s.solver->reactions(s.self, force, found, NULL), VB_OK);
  ck_assert_double_eq_tol(found[0], -torque, 1e-7 * torque);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A helix in motion, two of whose frames are held alike by a driver that turns.
static vb_scene *held_helix(uint32_t mask) {
  vb_builder *b = scenes_begin(0.02, 9.81);
  scenes_helix(b, 6, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.5, 8);
  const double keys[2][2] = {{0, 0}, {0.1, 0.5}};
  vb_driver hand = {"hand", {0}, {1, 0, 0}, {-1, -1, -1}, scenes_curve(b, VB_LINEAR, 2, keys)};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, driver);
  scenes_hold(b, 0, mask, driver);
  scenes_hold(b, 3, mask, driver);
  return fixture_freeze(b);
}

/// A free single part and each pair, far from where they began: `direct` and `block-descent` end at
/// one state, with the residual of rounding, and what is held is 0.
START_TEST(methods_agree_where_parts_are_held) {
  const uint32_t mask = (uint32_t)_i + 1;
  vb_scene *scene = held_helix(mask);
  handle direct = handle_open(scene, "iterations", "60", "tolerance", "0", NULL);
  handle descent =
      handle_open(scene, "method", "block-descent", "iterations", "4000", "tolerance", "0", NULL);
  handle_step(&direct, 5);
  handle_step(&descent, 5);
  ck_assert_double_lt(handle_residual(&direct), 1e-10);
  ck_assert_double_lt(handle_residual(&descent), 1e-10);
  double *x = handle_read(&direct, "position"), *y = handle_read(&descent, "position");
  for (int i = 0; i < 3 * 7; i++)
    ck_assert_double_eq_tol(x[i], y[i], 1e-9);
  for (int k = 0; k < 2; k++) {
    double part[3];
    parts_of(k ? &descent : &direct, 3, 0.5, part);
    for (int c = 0; c < 3; c++)
      ck_assert(mask >> c & 1 ? fabs(part[c]) < 1e-15 : fabs(part[c]) > 1e-6);
  }
  free(x);
  free(y);
  handle_close(&direct);
  handle_close(&descent);
  free(scene);
}
END_TEST

/// One Newton step over what is free is the distance to the minimizer, to 10 % where that is 1e-2
/// of the helix' size, 0.1 m; and `direct`, which takes such steps, squares the distance: it is at
/// rounding after the sixth.
START_TEST(a_newton_step_is_the_distance) {
  vb_scene *scene = held_helix((uint32_t)_i + 1);
  handle right = handle_open(scene, "iterations", "60", "tolerance", "0", NULL);
  handle quick = handle_open(scene, "iterations", "6", "tolerance", "0", NULL);
  int seen = 0;
  handle_step(&right, 1);
  handle_step(&quick, 1);
  ck_assert_double_lt(handle_value(&right, "newton_step", 0), 1e-14);
  ck_assert_double_lt(handle_value(&quick, "newton_step", 0), 1e-12);
  double *x = handle_read(&right, "position");
  for (int n = 8; n <= 512; n *= 2) {
    char iterations[12];
    snprintf(iterations, sizeof iterations, "%d", n);
    handle s = handle_open(scene, "method", "block-descent", "iterations", iterations, NULL);
    handle_step(&s, 1);
    double *y = handle_read(&s, "position"), most = 0;
    for (int i = 0; i < 7; i++)
      most = fmax(most, hypot(hypot(x[3 * i] - y[3 * i], x[3 * i + 1] - y[3 * i + 1]),
                              x[3 * i + 2] - y[3 * i + 2]));
    double step = handle_value(&s, "newton_step", 0);
    if (step < 1e-3)
      ck_assert_double_eq_tol(step, most, 0.1 * most + 1e-12);
    seen += step < 1e-3 && most > 1e-9;
    free(y);
    handle_close(&s);
  }
  ck_assert_int_ge(seen, 2); // or the above says nothing
  free(x);
  handle_close(&right);
  handle_close(&quick);
  free(scene);
}
END_TEST

/// Elastic and kinetic energy less the work done.
static double balance(handle *s) {
  double work[1];
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  return handle_elastic(s) + handle_energy(s, "kinetic") - work[0];
}

/// What a shaft in a bearing at its end, driven by the twist of its first frame, loses in 0.1 s of
/// the work that it takes; and that the frame turns with the driver.
static double driven_loss(double step, const char *integrator) {
  vb_builder *b = scenes_begin(step, 0);
  scenes_bar(b, N, 0.5, 0.05, &scenes_rubber);
  const double keys[2][2] = {{0, 0}, {0.1, 0.6}};
  vb_driver hand = {"hand", {0}, {1, 0, 0}, {-1, -1, -1}, scenes_curve(b, VB_CUBIC, 2, keys)};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, driver);
  scenes_hold(b, 0, VB_FRAME_W, driver);
  scenes_hold(b, N - 1, VB_FRAME_U | VB_FRAME_V, driver);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "30", "integrator", integrator, NULL);
  handle_step(&s, (int)lround(0.1 / step));
  double part[3], lost = -balance(&s);
  parts_of(&s, 0, 0.6, part);
  ck_assert_double_lt(fabs(part[2]), 1e-15);
  parts_of(&s, N - 1, 0, part);
  ck_assert_double_gt(part[2], 0.01);
  handle_close(&s);
  free(scene);
  return lost;
}

/// Work is the energy gained plus implicit Euler's loss, which halves with the step. That of bdf2
/// is the modes' that its steps do not follow: far less.
START_TEST(a_driven_shaft_takes_work) {
  double lost = driven_loss(5e-4, "euler"), half = driven_loss(2.5e-4, "euler"),
         second = driven_loss(5e-4, "bdf2");
  fprintf(stderr, "lost %.3g and %.3g J, by bdf2 %.3g J\n", lost, half, second);
  ck_assert_double_gt(half, 0);
  ck_assert_double_eq_tol(lost / half, 2, 0.3);
  ck_assert_double_gt(second, 0);
  ck_assert_double_lt(second, 0.1 * lost);
}
END_TEST

/// A saved state goes on to the same bits.
START_TEST(restored_shafts_go_on_alike) {
  int32_t wall;
  vb_builder *b = held_bar(0.01, 9.81, VB_FRAME_U, &wall);
  scenes_disturb(b, 0.002, 0.3, 9);
  vb_scene *scene = fixture_freeze(b);
  handle a = handle_open(scene, "method", methods[_i], NULL);
  handle other = handle_open(scene, "method", methods[_i], NULL);
  handle_step(&a, 4);
  void *state = handle_save(&a);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  ck_assert_double_eq(handle_residual(&a), handle_residual(&other));
  handle_step(&a, 4);
  handle_step(&other, 4);
  ck_assert(handle_same(&a, &other));
  free(state);
  handle_close(&a);
  handle_close(&other);
  free(scene);
}
END_TEST

static TCase *frame_pins(void) {
  TCase *t = tcase_create("frame pins");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, a_bearing_lets_a_shaft_spin, 0, 4);
  tcase_add_loop_test(t, a_held_twist_carries_a_torque, 0, 2);
  tcase_add_loop_test(t, methods_agree_where_parts_are_held, 0, 6);
  tcase_add_loop_test(t, a_newton_step_is_the_distance, 0, 6);
  tcase_add_test(t, a_driven_shaft_takes_work);
  tcase_add_loop_test(t, restored_shafts_go_on_alike, 0, 4);
  return t;
}

VB_TEST_MAIN("frame pins", frame_pins())
