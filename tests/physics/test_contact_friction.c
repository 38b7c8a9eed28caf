// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction where surfaces touch: capsules roll, and it never does work. Friction of bodies, beside
/// that of the scene: the greatest coefficients count.
/// Covers: src/viper/contact/friction.h
#include "handle.h"
#include "scenes/lua_scene.h"

#include <math.h>

static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
enum { METHODS = 4 };

#define SCENES  "tests/physics/contact.lua"
#define STEP    0.01
#define RADIUS  0.1
#define GRAVITY 9.81

/// Of what rolls, s.
static const double FINE_STEP = 1e-3;
enum { FINE_STEPS = 200 };

/// A bar loses mu g h of its velocity in each step, mu the greater of its own and the ground's.
/// That of contacts which are averaged comes after many iterations: two thirds of the depth are
/// left by each, so 1e-17 of it by 100.
START_TEST(the_greatest_friction_counts) {
  const double own[3] = {0.5, 0.1, 0};
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = lua_scene(SCENES, "scene=sliding friction=0.2 own=%g", own[k]);
    handle s = handle_open(scene, "method", methods[_i], "iterations", "100", NULL);
    handle_step(&s, 20);
    for (int body = 0; body < 2; body++) {
      double friction = body ? fmax(0.2, own[k]) : 0.2;
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 6 * (size_t)body),
                              2 - friction * GRAVITY * STEP * 20, 1e-8);
    }
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Between two bars the greatest of the scene's and of both counts: a lower bar that is held brakes
/// an upper one that slides across it.
START_TEST(friction_between_bodies_is_the_greatest) {
  const double of_scene[3] = {0.1, 0.4, 0}, lower[3] = {0.4, 0, 0}, upper[3] = {0.2, 0.2, 0.4};
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = lua_scene(SCENES, "scene=braked friction=%g lower=%g upper=%g", of_scene[k],
                                lower[k], upper[k]);
    handle s = handle_open(scene, "method", methods[_i], "iterations", "200", NULL);
    handle_step(&s, 20);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 6), 2 - 0.4 * GRAVITY * STEP * 20, 1e-6);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

static handle open_rolling(const vb_scene *scene, const char *method) {
  return handle_open(scene, "method", method, "contact", "colors", "iterations", "20", NULL);
}

/// Down a slope it rolls with 2/3 of g sin: its inertia is that of a cylinder. Friction that holds
/// does no work. A frame that spins loses (h omega)^2 / 24 of its spin in a step, which is measured
/// by the sine of half its turn: 1e-5 here.
START_TEST(a_capsule_rolls_down_a_slope) {
  vb_scene *scene = lua_scene(SCENES, "scene=capsule angle=0.3 friction=0.5");
  handle s = open_rolling(scene, methods[_i]);
  double friction = 0, speed = 2.0 / 3 * 10 * sin(0.3) * FINE_STEPS * FINE_STEP;
  for (int step = 0; step < FINE_STEPS; step++) {
    handle_step(&s, 1);
    friction += handle_value(&s, "contact_work", 1);
  }
  ck_assert_double_eq_tol(handle_value(&s, "velocity", 0) / speed, 1, 1e-3);
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 1) * RADIUS / speed, 1, 1e-3);
  ck_assert_double_le(friction, 1e-12);
  ck_assert_double_gt(friction, -1e-3 * handle_energy(&s, "kinetic"));
  handle_close(&s);
  free(scene);
}
END_TEST

/// Where friction is too small for that it slides, and spins up by mu m g r.
START_TEST(a_capsule_slides_down_a_steep_slope) {
  vb_scene *scene = lua_scene(SCENES, "scene=capsule angle=1 friction=0.2");
  handle s = open_rolling(scene, methods[_i]);
  handle_step(&s, FINE_STEPS);
  double t = FINE_STEPS * FINE_STEP, speed = 10 * t * (sin(1.0) - 0.2 * cos(1.0));
  double spin = 0.2 * 10 * t * cos(1.0) / (0.5 * RADIUS);
  ck_assert_double_eq_tol(handle_value(&s, "velocity", 0) / speed, 1, 1e-3);
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 1) / spin, 1, 1e-3);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A spinning one comes to roll: its momentum about the line of contact is kept, so that a third of
/// the spin is left, and what the motion loses is what friction took. By implicit Euler a step's
/// force works over the displacement at the step's end: an error of the first order, one in the 33
/// steps until it rolls.
START_TEST(a_spinning_capsule_comes_to_roll) {
  vb_scene *scene = lua_scene(SCENES, "scene=capsule friction=0.3 spin=3");
  handle s = open_rolling(scene, methods[_i]);
  double before = handle_energy(&s, "kinetic"), friction = 0;
  for (int step = 0; step < FINE_STEPS; step++) {
    handle_step(&s, 1);
    double work = handle_value(&s, "contact_work", 1);
    ck_assert_double_le(work, 1e-12);
    friction += work;
  }
  ck_assert_double_eq_tol(handle_value(&s, "velocity", 0), 3 * RADIUS / 3, 1e-4);
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 1), 3.0 / 3, 1e-3);
  ck_assert_double_eq_tol((handle_energy(&s, "kinetic") - before) / friction, 1, 0.04);
  handle_close(&s);
  free(scene);
}
END_TEST

/// However few the iterations, friction does no work in any step, but for rounding.
START_TEST(friction_never_does_work) {
  vb_scene *scene = lua_scene(SCENES, "scene=heap");
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "6", NULL);
  double friction = 0, most = 0;
  for (int step = 0; step < 150; step++) {
    handle_step(&s, 1);
    double work = handle_value(&s, "contact_work", 1);
    most = fmax(most, work);
    friction += work;
  }
  ck_assert_double_lt(friction, -10); // it had much to take
  ck_assert_msg(most < 1e-12 * -friction, "%g J in a step", most);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *friction(void) {
  TCase *c = tcase_create("friction by body");
  tcase_add_loop_test(c, the_greatest_friction_counts, 0, METHODS);
  tcase_add_loop_test(c, friction_between_bodies_is_the_greatest, 0, METHODS);
  tcase_add_loop_test(c, a_capsule_rolls_down_a_slope, 0, METHODS);
  tcase_add_loop_test(c, a_capsule_slides_down_a_steep_slope, 0, METHODS);
  tcase_add_loop_test(c, a_spinning_capsule_comes_to_roll, 0, METHODS);
  tcase_add_loop_test(c, friction_never_does_work, 0, METHODS);
  return c;
}

VB_TEST_MAIN("friction by body", friction())
