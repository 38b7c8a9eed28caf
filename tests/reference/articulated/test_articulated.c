// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver articulated: rigid motions against their recursions and against `multibody`, an arm
/// of flesh with two bones, and the solver interface.
/// Covers: reference/articulated/*.[ch]
#include "handle.h"
#include "scenes/arm.h"
#include "scenes/bones.h"

#include "scene/rotation.h"

#include <complex.h>

#define SOLVER "articulated"

/// A unit complex number along z.
static double complex unit(double complex z) {
  return z / cabs(z);
}

/// A bar that spins freely, and one hung at its end: the turns that the minimum of each step makes
/// in a plane, z' = (I (2 z - z_old) + h^2 m d g) / |..|, over 300 steps.
START_TEST(recursions) {
  bool hung = _i > 0;
  double h = 0.01, moment = (hung ? 0.25 : 0) + 1.01 / 12, worst = 0;
  vb_builder *b = scenes_begin(h, hung ? 9.81 : 0);
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link pivot = bones_link("pivot", _i == 1 ? VB_LINK_BALL : VB_LINK_HINGE, 0, -1, -1, 0, 0, 0);
  if (hung)
    fixture_add(b, VB_SET_LINK, &pivot);
  else
    bones_of(b)->angular_velocity[1] = 3;
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as(SOLVER, scene, NULL);
  // x + i z of the bar's axis; a turn by y goes from x to -z. The rate at time 0 is a chord.
  double complex z = 1, old = hung ? 1 : 1 + 3 * h * I;
  for (int k = 1; k <= 300; k++) {
    double complex next = unit(moment * (2 * z - old) - I * (hung ? h * h * 0.5 * 9.81 : 0));
    old = z;
    z = next;
    handle_step(&s, 1);
    double *q = handle_read(&s, "bone_frame"), angle = 2 * atan2(-q[2], q[0]);
    worst = fmax(worst, cabs(cos(angle) + I * sin(angle) - z));
    free(q);
  }
  printf("%s: %.1e off its recursion\n", hung ? "hung" : "spun", worst);
  ck_assert_double_lt(worst, 1e-12); // rounding of 300 steps
  ck_assert_double_le(handle_value(&s, "bone_error", 0), 1e-14);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Two bars, the upper on a ball, the lower on a hinge, let go out of plane.
static vb_scene *double_pendulum(double h) {
  vb_builder *b = scenes_begin(h, 9.81);
  bones_bar(b, "upper", 0, 0, 0, 1);
  bones_bar(b, "lower", 1, 0, 0, 1);
  bones_of(b)[0].velocity[1] = 1;
  bones_of(b)[0].angular_velocity[2] = 2;
  bones_of(b)[1].velocity[1] = 3;
  bones_of(b)[1].angular_velocity[2] = 2;
  vb_link pivot = bones_link("pivot", VB_LINK_BALL, 0, -1, -1, 0, 0, 0);
  vb_link elbow = bones_link("elbow", VB_LINK_UNIVERSAL, 1, 0, -1, 1, 0, 0);
  fixture_add(b, VB_SET_LINK, &pivot);
  fixture_add(b, VB_SET_LINK, &elbow);
  return fixture_freeze(b);
}

/// A state after 0.4 s of the reference solver.
static double *integrated(void) {
  vb_scene *scene = double_pendulum(0.02);
  handle s = handle_open_as("multibody", scene, NULL);
  handle_step(&s, 20);
  double *out = handle_read(&s, "bone_position");
  handle_close(&s);
  free(scene);
  return out;
}

/// Backward Euler is of first order toward the motion that `multibody` integrates.
START_TEST(order_toward_multibody) {
  double *right = integrated(), error[3];
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = double_pendulum(0.004 / (1 << k));
    handle s = handle_open_as(SOLVER, scene, NULL);
    handle_step(&s, 100 << k);
    double *x = handle_read(&s, "bone_position");
    error[k] = 0;
    for (int i = 0; i < 6; i++)
      error[k] = hypot(error[k], x[i] - right[i]);
    ck_assert_double_le(handle_value(&s, "joint_error", 1), 2e-12);
    ck_assert_double_le(handle_value(&s, "bone_error", 1), 1e-14);
    ck_assert_double_le(handle_value(&s, "joint_iterations", 0), 8);
    handle_close(&s);
    free(x);
    free(scene);
  }
  double order = log2(error[1] / error[2]);
  printf("double pendulum: errors %.1e %.1e %.1e, order %.2f\n", error[0], error[1], error[2],
         order);
  ck_assert_double_eq_tol(order, 1, 0.1);
  free(right);
}
END_TEST

/// A loop that closes: rows that depend on each other are no obstacle. Errors are of first order.
START_TEST(closed_loop) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    vb_scene *scene = bones_parallelogram(0.004 / (1 << k));
    handle s = handle_open_as(SOLVER, scene, NULL);
    handle_step(&s, 50 << k);
    double below = bones_parallelogram_angle(0.2), *x = handle_read(&s, "bone_position");
    error[k] = hypot(x[6] - 1 + sin(below), x[8] + cos(below));
    for (size_t i = 0; i < 4; i++)
      ck_assert_double_le(handle_value(&s, "joint_error", i), 3e-12); // 1e-12 of the loop's size
    handle_close(&s);
    free(x);
    free(scene);
  }
  printf("parallelogram: errors %.1e %.1e\n", error[0], error[1]);
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 1, 0.1);
}
END_TEST

/// Steps of the arm by 500 iterations: the objective never rises, forces balance to rounding, links
/// hold, bones are rigid, momentum changes by what acts. As published they do not balance.
START_TEST(arm_is_balanced) {
  vb_scene *scene = arm_scene(false);
  handle s = handle_open_as(SOLVER, scene, "iterations", "500", "tolerance", "1e-12", "threads",
                            "1", NULL);
  handle p = handle_open_as(SOLVER, scene, "iterations", "200", "projection", "published",
                            "threads", "1", NULL);
  for (int k = 0; k < 4; k++) {
    handle_step(&s, 1);
    handle_step(&p, 1);
    double phi = fabs(handle_value(&s, "objective", 0));
    ck_assert_double_le(handle_value(&s, "objective_rise", 0), 1e-12 * phi);
    ck_assert_double_le(handle_residual(&s), 1e-12);
    ck_assert_double_le(handle_value(&s, "joint_error", 0), 1e-12);
    ck_assert_double_le(handle_value(&s, "bone_error", 1), 1e-14);
  }
  printf("residual: consistent %.1e, published %.1e\n", handle_residual(&s), handle_residual(&p));
  ck_assert_double_gt(handle_residual(&p), 0.01);
  handle_close(&s);
  handle_close(&p);
  free(scene);
}
END_TEST

/// A patch: an irregular block without bones whose boundary is turned follows inside, in one step
/// from wherever it begins, without energy.
START_TEST(turned_block) {
  vb_builder *b = scenes_begin(1e6, 0); // so long that inertia is nothing
  solid_box s = solids_box(b, (const int32_t[]){3, 3, 3}, (const double[]){1, 1, 1}, 0.3, 0.25);
  const vb_key keys[2] = {{0, 0, VB_LINEAR, 0}, {1e6, 1, VB_LINEAR, 0}};
  int32_t driver =
      fixture_add(b, VB_SET_DRIVER,
                  &(vb_driver){"hand", {0}, {0, 0.6, 0.8}, {-1, -1, -1}, bones_curve(b, keys, 2)});
  for (size_t i = 0; i < s.n_nodes; i++) {
    bool outer = false;
    for (int c = 0; c < 6; c++)
      outer = outer || solids_on_face(&s, i, c / 2, c % 2);
    if (outer)
      fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, (int32_t)i, VB_PIN_CENTER, driver});
  }
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, "iterations", "1000", "tolerance", "1e-14", "threads",
                            "1", NULL);
  handle_step(&h, 1);
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  double *x = handle_read(&h, "position"), q[4], shift[3], at[3], worst = 0;
  vb_driver_motion(scene, 0, 1e6, q, shift);
  for (size_t i = 0; i < n; i++) {
    vb_rigid_move(q, shift, node[i].rest_position, at);
    worst = fmax(worst, vb_distance(at, x + 3 * i));
  }
  ck_assert_double_lt(worst, 1e-12);
  ck_assert_double_lt(handle_energy(&h, "elastic"), 1e-18); // E V times the square of rounding
  free(x);
  handle_close(&h);
  free(scene);
}
END_TEST

/// Momentum of a free arm that spins; gravity gives it m g t.
START_TEST(momentum) {
  vb_scene *scene = arm_scene(true);
  handle s = handle_open_as(SOLVER, scene, "iterations", "300", "tolerance", "1e-12", "threads",
                            "1", NULL);
  double *before = handle_read(&s, "momentum"), volume = handle_value(&s, "volume", 0);
  handle_step(&s, 5);
  double *after = handle_read(&s, "momentum");
  for (int c = 0; c < 3; c++)
    ck_assert_double_eq_tol(after[c] - before[c], c == 2 ? -5.0 / 30 * 9.81 * 1000 * volume : 0,
                            1e-9 * 1000 * volume); // the residual of five steps
  free(before);
  free(after);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Any number of threads, and a restored run, give the same bits.
START_TEST(threads_and_restored_runs) {
  vb_scene *scene = arm_scene(false);
  static const char *const threads[3] = {"1", "2", "3"};
  char *state[4] = {0};
  size_t size = 0;
  for (int k = 0; k < 3; k++) {
    handle s = handle_open_as(SOLVER, scene, "threads", threads[k], NULL);
    size = s.solver->state_size(s.self);
    state[k] = malloc(size);
    handle_step(&s, 3);
    if (k == 0) {
      state[3] = malloc(size);
      ck_assert_int_eq(s.solver->save(s.self, state[3], NULL), VB_OK);
    }
    handle_step(&s, 2);
    ck_assert_int_eq(s.solver->save(s.self, state[k], NULL), VB_OK);
    if (k == 2) {
      ck_assert_int_eq(s.solver->restore(s.self, state[3], NULL), VB_OK);
      handle_step(&s, 2);
      ck_assert_int_eq(s.solver->save(s.self, state[3], NULL), VB_OK);
    }
    handle_close(&s);
  }
  for (int k = 1; k < 4; k++)
    ck_assert_mem_eq(state[0], state[k], size);
  for (int k = 0; k < 4; k++)
    free(state[k]);
  free(scene);
}
END_TEST

/// A hinge at its limit: a bar that falls stops at 0.3 rad, where its pivot holds the torque, and
/// stays.
START_TEST(limit_of_a_hinge) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link pivot = bones_link("pivot", VB_LINK_HINGE, 0, -1, -1, 0, 0, 0);
  pivot.limit[1] = 0.3;
  fixture_add(b, VB_SET_LINK, &pivot);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as(SOLVER, scene, NULL);
  double most = 0;
  for (int k = 0; k < 100; k++) {
    handle_step(&s, 1);
    most = fmax(most, handle_value(&s, "joint_angle", 0));
  }
  ck_assert_double_eq_tol(most, 0.3, 1e-11);
  ck_assert_double_eq_tol(handle_value(&s, "joint_angle", 0), 0.3, 1e-11);
  ck_assert_double_eq_tol(handle_value(&s, "joint_force", 2), 9.81, 1e-8);
  // The limit's torque is one of a link's: it balances, in one iteration.
  ck_assert_double_le(handle_residual(&s), 1e-12);
  ck_assert_double_eq(handle_value(&s, "local_global", 0), 1);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A bar that is pressed to its limit and leaves it, beside multibody: of first order in the step.
START_TEST(limit_toward_multibody) {
  double error[3], sign = _i ? -1 : 1;
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = bones_stop(0.02 / (1 << k), sign);
    handle s = handle_open_as(SOLVER, scene, NULL), m = handle_open_as("multibody", scene, NULL);
    handle_step(&s, 75 << k);
    handle_step(&m, 75 << k);
    error[k] = fabs(handle_value(&s, "joint_angle", 0) - handle_value(&m, "joint_angle", 0));
    handle_close(&s);
    handle_close(&m);
    free(scene);
  }
  printf("limit: errors %.1e %.1e %.1e\n", error[0], error[1], error[2]);
  ck_assert_double_lt(error[2], 0.01);
  ck_assert_double_eq_tol(log2(error[1] / error[2]), 1, 0.1);
}
END_TEST

/// What is refused, with a sentence that names it.
START_TEST(refusals) {
  vb_builder *b = scenes_begin(0.01, 0);
  vb_bone thin = {.name = "thin", .mass = 1, .inertia = {0.5, 0.5, 1}};
  fixture_add(b, VB_SET_BONE, &thin);
  vb_scene *scene = fixture_freeze(b);
  const vb_solver *solver;
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message,
                   "bone 0 (thin): its mass lies in a plane or on a line, so its inertia for "
                   "affine maps is singular; give the mass, center and inertia of a volume");
  ck_assert_ptr_null(self);
  free(scene);
}
END_TEST

static TCase *rigid(void) {
  TCase *c = tcase_create("rigid");
  tcase_add_loop_test(c, recursions, 0, 3);
  tcase_add_test(c, order_toward_multibody);
  tcase_add_test(c, closed_loop);
  tcase_add_test(c, limit_of_a_hinge);
  tcase_add_loop_test(c, limit_toward_multibody, 0, 2);
  return c;
}

static TCase *flesh(void) {
  TCase *c = tcase_create("flesh");
  tcase_add_test(c, arm_is_balanced);
  tcase_add_test(c, turned_block);
  tcase_add_test(c, momentum);
  tcase_add_test(c, threads_and_restored_runs);
  tcase_add_test(c, refusals);
  return c;
}

VB_TEST_MAIN("articulated", rigid(), flesh())
