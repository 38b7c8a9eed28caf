// SPDX-License-Identifier: GPL-3.0-or-later
/// Half-planes that drivers move, against closed forms of the implicit Euler method: their work and
/// reactions, friction that carries a rod along, and rods that follow a turning one.
/// Covers: src/viper/contact/friction.h src/viper/contact/forces.h src/viper/model/boundary.*
#include "handle.h"
#include "scenes/lua_scene.h"
#include "scenes/scenes.h"

#include <math.h>

// Contacts go color by color, so that a few iterations leave rounding errors alone.
static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
enum { METHODS = 4, N = 4, NODES = N + 1 };

#define SCENES "tests/physics/contact.lua"
#define STEP   0.01
#define RADIUS 0.05

/// Rounding of displacements of 1 mm between coordinates of 1 m, over some 100 steps.
static const double ROUNDING = 1e-10;

static double mass_of(const handle *s) {
  double *mass = handle_read(s, "mass"), sum = 0;
  for (int i = 0; i < NODES; i++)
    sum += mass[i];
  free(mass);
  return sum;
}

/// A half-plane that rises ever faster pushes a bar ahead of it. In each step the bar takes its
/// velocity d/h; its reaction is m dv/h at the bar's middle, and its work m v dv: what the bar's
/// kinetic energy and the loss m dv^2/2 of implicit Euler add up to.
START_TEST(a_plane_pushes_a_bar) {
  enum { STEPS = 40 };
  vb_scene *scene = lua_scene(SCENES, "scene=plane along=z faster=true friction=0.3");
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "5", NULL);
  double mass = mass_of(&s), before = 0, lost = 0, work[2], force[6], torque[6];
  for (int step = 1; step <= STEPS; step++) {
    handle_step(&s, 1);
    int key = (step - 1) / 10;
    double v = 0.2 * (2 * key + 1), dv = v - before;
    ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 2), v, ROUNDING);
    ck_assert_double_eq_tol(force[2], mass * dv / STEP, ROUNDING * mass / STEP / STEP);
    ck_assert_double_eq_tol(torque[1], -0.5 * force[2], ROUNDING * mass / STEP / STEP);
    ck_assert_double_eq(handle_value(&s, "half_plane_force", 2), -force[2]);
    lost += 0.5 * mass * dv * dv;
    before = v;
  }
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  ck_assert_double_gt(work[0], 0.1 * mass);
  ck_assert_double_eq_tol(work[0] / (handle_energy(&s, "kinetic") + lost), 1, 1e-8);
  ck_assert_double_le(handle_value(&s, "penetration", 0), 1e-15);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A half-plane that moves along itself drags a bar by its friction: it gains mu g h in each step
/// until it is as fast, and the half-plane's work is m v^2, half of which is heat.
START_TEST(a_plane_drags_a_bar) {
  const double friction = 0.4, gravity = 9.81, v = 0.55;
  vb_scene *scene = lua_scene(SCENES, "scene=plane along=x speed=%g friction=%g gravity=%g", v,
                              friction, gravity);
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "5", NULL);
  double mass = mass_of(&s), work[2];
  for (int step = 1; step <= 30; step++) {
    handle_step(&s, 1);
    for (size_t i = 0; i < NODES; i++)
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 3 * i),
                              fmin(v, friction * gravity * STEP * step), 1e-9);
  }
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  ck_assert_double_eq_tol(work[0] / (mass * v * v), 1, 1e-8);
  handle_close(&s);
  free(scene);
}
END_TEST

/// What a half-plane that presses a bar slowly, in steps of `step`, has done beyond the energy of
/// the bar, over that energy.
static double excess_work(const char *along, double step) {
  vb_scene *scene = lua_scene(SCENES, "scene=press along=%s step=%g", along, step);
  handle s = handle_open(scene, "method", "direct", "contact_solve", "newton", "iterations", "100",
                         "tolerance", "1e-10", NULL);
  double work[1], energy;
  handle_step(&s, (int64_t)lround(1 / step));
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  energy = handle_elastic(&s) + handle_energy(&s, "kinetic");
  ck_assert_double_gt(energy, 0.1);
  handle_close(&s);
  free(scene);
  return work[0] / energy - 1;
}

/// A half-plane that presses slowly stores all of its work. The force grows in proportion to the
/// way, so that the force at the end of each of N substeps alone gives 1/N too much. Means leave
/// 2/N^2, of the first two substeps, and less than that of the blow at the beginning.
START_TEST(a_press_stores_its_work) {
  const char *along = _i == 0 ? "z" : "angle";
  double coarse = excess_work(along, 0.02), fine = excess_work(along, 0.01);
  ck_assert_double_eq_tol(coarse, 0, 4.0 / 50 / 50);
  ck_assert_double_eq_tol(fine, 0, 4.0 / 100 / 100);
}
END_TEST

/// A saved state has the forces that the work of the next substep is made of.
START_TEST(a_restored_press_does_the_same_work) {
  vb_scene *scene = lua_scene(SCENES, "scene=press along=z step=0.02");
  handle x = handle_open(scene, "method", "direct", "contact_solve", "newton", NULL);
  handle y = handle_open(scene, "method", "direct", "contact_solve", "newton", NULL);
  handle_step(&x, 20);
  void *state = handle_save(&x);
  ck_assert_int_eq(y.solver->restore(y.self, state, NULL), VB_OK);
  double work[2];
  handle_step(&x, 5);
  handle_step(&y, 5);
  ck_assert_int_eq(x.solver->work(x.self, &work[0], NULL), VB_OK);
  ck_assert_int_eq(y.solver->work(y.self, &work[1], NULL), VB_OK);
  ck_assert_double_gt(work[0], 0);
  ck_assert_double_eq(work[0], work[1]);
  free(state);
  handle_close(&x);
  handle_close(&y);
  free(scene);
}
END_TEST

/// A bar on a turntable goes round with it: friction takes back what its nodes slid. What is left
/// is that of the solve, which the iterations of each method reach.
START_TEST(a_turntable_carries_a_bar) {
  const double rate = 0.5;
  vb_scene *scene = lua_scene(
      SCENES, "scene=plane along=angle speed=%g spin=%g friction=0.5 gravity=9.81", rate, rate);
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "20", NULL);
  handle_step(&s, 100);
  double *x = handle_read(&s, "position");
  for (int i = 0; i < NODES; i++) {
    double reach = 0.3 + 0.1 * i;
    ck_assert_double_eq_tol(x[3 * i], reach * cos(rate), 1e-6);
    ck_assert_double_eq_tol(x[3 * i + 1], reach * sin(rate), 1e-6);
    ck_assert_double_eq_tol(x[3 * i + 2], RADIUS, ROUNDING);
  }
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A saved state goes on with the half-plane where it is.
START_TEST(a_restored_plane_goes_on) {
  vb_scene *scene = lua_scene(SCENES, "scene=plane along=z speed=0.3 friction=0.3");
  handle x = handle_open(scene, "method", methods[_i], "contact", "colors", NULL);
  handle y = handle_open(scene, "method", methods[_i], "contact", "colors", NULL);
  handle_step(&x, 20);
  void *state = handle_save(&x);
  ck_assert_int_eq(y.solver->restore(y.self, state, NULL), VB_OK);
  double force[2][6], torque[2][6];
  ck_assert_int_eq(x.solver->reactions(x.self, force[0], torque[0], NULL), VB_OK);
  ck_assert_int_eq(y.solver->reactions(y.self, force[1], torque[1], NULL), VB_OK);
  ck_assert_mem_eq(force[0], force[1], sizeof force[0]);
  ck_assert_mem_eq(torque[0], torque[1], sizeof torque[0]);
  handle_step(&x, 5);
  handle_step(&y, 5);
  ck_assert(handle_same(&x, &y));
  free(state);
  handle_close(&x);
  handle_close(&y);
  free(scene);
}
END_TEST

/// Elastic forces alone press a bar onto two half-planes that have come nearer. Its middle does not
/// move at all, and is held in each step as its other nodes are; the forces on both are that of the
/// bar's volume and section at rest.
START_TEST(a_pinched_bar_stays_in_contact) {
  const double pinch = 0.98;
  vb_builder *b = scenes_begin(1e-3, 0);
  vb_builder_world(b)->damping = 50;
  scenes_bar(b, N, 0.4, RADIUS, &scenes_rubber);
  for (int side = -1; side <= 1; side += 2) {
    vb_half_plane plane = {.normal = {0, 0, side}, .offset = -pinch * RADIUS};
    fixture_add(b, VB_SET_HALF_PLANE, &plane);
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", "direct", "iterations", "30", NULL);
  handle_step(&s, 300);
  const double *k = scenes_rubber.stiffness, s2 = pinch * pinch;
  double e = (k[2] + k[5] * s2) / (k[2] + k[5] * s2 * s2);
  double slope = (k[0] + k[1]) * (pinch - 1) + 2 * k[5] * pinch * e * (s2 * e - 1);
  double force = -0.4 * M_PI * RADIUS * RADIUS * slope / (2 * RADIUS);
  for (int step = 0; step < 4; step++) {
    handle_step(&s, 1);
    ck_assert_int_eq((int)handle_value(&s, "contacts", 0), 2 * NODES);
    // What is left of the motion and of 30 iterations.
    ck_assert_double_eq_tol(handle_value(&s, "half_plane_force", 2) / force, 1, 0.01);
    ck_assert_double_eq_tol(handle_value(&s, "half_plane_force", 5) / force, -1, 0.01);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *planes(void) {
  TCase *c = tcase_create("driven planes");
  tcase_add_loop_test(c, a_plane_pushes_a_bar, 0, METHODS);
  tcase_add_loop_test(c, a_plane_drags_a_bar, 0, METHODS);
  tcase_add_loop_test(c, a_press_stores_its_work, 0, 2);
  tcase_add_test(c, a_restored_press_does_the_same_work);
  tcase_add_loop_test(c, a_turntable_carries_a_bar, 0, METHODS);
  tcase_add_test(c, a_pinched_bar_stays_in_contact);
  tcase_add_loop_test(c, a_restored_plane_goes_on, 0, METHODS);
  return c;
}

VB_TEST_MAIN("driven planes", planes())
