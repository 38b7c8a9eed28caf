// SPDX-License-Identifier: GPL-3.0-or-later
/// Accelerated iterations of the solver articulated: the combination of steps on a linear map, and
/// steps of an arm that end nearer to the same minimum.
/// Covers: reference/articulated/anderson.* reference/articulated/accelerate.*
#include "reference/articulated/accelerate.h"
#include "scenes/arm.h"

#define SOLVER "articulated"

enum { N = 4, STEPS = 10 };

/// x -> c (x - a) + a in each component, of factors up to 0.99: N + 1 steps are enough for N
/// different ones, and a few more for what rounding leaves; plainly they would leave 0.9 of it.
START_TEST(linear_maps_end_soon) {
  const double factor[N] = {0.99, 0.9, 0.5, -0.7}, end[N] = {1, -2, 3, 0.5};
  double x[N] = {0}, g[N];
  ar_anderson a;
  ck_assert_int_eq(ar_anderson_create(N, &a, NULL), VB_OK);
  for (int run = 0; run < 2; run++) { // and again from elsewhere, after a restart
    ar_anderson_begin(&a);
    for (int i = 0; i < N; i++)
      x[i] = 5.0 * run * (i + 1);
    for (int k = 0; k < N + 5; k++) {
      for (int i = 0; i < N; i++)
        g[i] = end[i] + factor[i] * (x[i] - end[i]);
      ck_assert_int_eq(ar_anderson_combine(&a, x, g), k > 0);
      memcpy(x, g, sizeof x);
    }
    for (int i = 0; i < N; i++)
      ck_assert_double_eq_tol(x[i], end[i], 1e-6); // what the 1e-12 on the diagonal leaves
  }
  ar_anderson_clear(&a);
}
END_TEST

/// A step of many iterations: positions of nodes, the residual, the force of the joint, and the
/// largest rise of phi.
typedef struct outcome {
  double *x, *force, residual, rise;
} outcome;

/// Sets Young's modulus of a scene that the test owns.
static void soften(vb_scene *scene, double young) {
  size_t n;
  vb_tetrahedron *t = (vb_tetrahedron *)vb_scene_tetrahedra(scene, &n);
  for (size_t i = 0; i < n; i++)
    t[i].young = young;
}

static outcome after_step(double young, const char *acceleration, const char *iterations,
                          const char *tolerance, const char *threads) {
  vb_scene *scene = arm_scene(false);
  soften(scene, young);
  handle s = handle_open_as(SOLVER, scene, "acceleration", acceleration, "iterations", iterations,
                            "tolerance", tolerance, "threads", threads, NULL);
  handle_step(&s, STEPS);
  outcome o = {handle_read(&s, "position"), handle_read(&s, "joint_force"), handle_residual(&s),
               handle_value(&s, "objective_rise", 0)};
  handle_close(&s);
  free(scene);
  return o;
}

static void clear(outcome *o) {
  free(o->x);
  free(o->force);
}

/// Twenty accelerated iterations leave a hundredth of what plain ones leave, of flesh as stiff as
/// rubber and of a soft one that sags, and more end where many plain ones do, with the same force
/// of the joint: that of the iteration, not of the combination that ends the step.
START_TEST(stiff_flesh_ends_sooner) {
  double young = _i == 0 ? 1e7 : 5e4;
  outcome plain = after_step(young, "none", "20", "0", "1");
  outcome fast = after_step(young, "anderson", "20", "0", "1");
  outcome again = after_step(young, "anderson", "20", "0", "2");
  outcome whole = after_step(young, "none", "600", "0", "1");
  outcome end = after_step(young, "anderson", "200", "1e-9", "1");
  printf("E = %g: left %.1e, accelerated %.1e; at the end %.1e, %.1e\n", young, plain.residual,
         fast.residual, whole.residual, end.residual);
  ck_assert_double_gt(plain.residual, 1e-3);
  ck_assert_double_lt(fast.residual, 0.01 * plain.residual);
  ck_assert_double_le(fast.rise, 1e-9); // of some 100 J
  ck_assert_double_le(end.rise, 1e-9);
  ck_assert_mem_eq(fast.x, again.x, 3 * 325 * sizeof *fast.x);
  for (int i = 0; i < 3 * 325; i++)
    ck_assert_double_eq_tol(end.x[i], whole.x[i], 1e-7); // of ten steps that end at 1e-9
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq_tol(end.force[i], whole.force[i], 1e-3 * fabs(whole.force[2]));
  clear(&plain);
  clear(&fast);
  clear(&again);
  clear(&whole);
  clear(&end);
}
END_TEST

/// Going back leads to the places where the iteration ended, of flesh to the last bit and of bones
/// to rounding, and begins anew.
START_TEST(going_back_is_exact) {
  vb_scene *scene = arm_scene(false);
  ar_choice choice = {.bones = AR_BONES_EXACT};
  ar_settings settings = {
      .iterations = 5, .joint_iterations = 100, .threads = 1, .accelerated = true};
  ar_stepper s;
  uint64_t seed = 4;
  bool moved = false;
  ck_assert_int_eq(ar_stepper_create(scene, &choice, &settings, &s, NULL), VB_OK);
  ck_assert_int_eq(ar_stepper_step(&s, NULL), VB_OK);
  size_t n = 3 * s.body.n_nodes;
  double *x = calloc(n, sizeof *x), t[24], away = 0;
  ar_anderson_begin(&s.anderson);
  for (int k = 0; k < 2; k++) {
    ck_assert(!moved);
    ar_accelerate_begin(&s);
    for (size_t i = 0; i < n; i++) // of flesh alone: an iteration leaves bones rigid and linked
      s.x[i] += s.body.bone_of[i / 3] < 0 ? 1e-3 * scenes_random(&seed) : 0;
    memcpy(x, s.x, n * sizeof *x);
    memcpy(t, s.t, sizeof t);
    ck_assert_int_eq(ar_accelerate_move(&s, &moved, NULL), VB_OK);
  }
  ck_assert(moved);
  for (size_t i = 0; i < n; i++)
    away = fmax(away, fabs(s.x[i] - x[i]));
  ck_assert_double_gt(away, 1e-5);
  ar_accelerate_undo(&s);
  for (size_t i = 0; i < n; i++)
    ck_assert_double_le(fabs(s.x[i] - x[i]), s.body.bone_of[i / 3] < 0 ? 0 : 1e-15);
  for (int i = 0; i < 24; i++)
    ck_assert_double_eq_tol(s.t[i], t[i], 1e-15);
  ck_assert(!s.anderson.begun);
  free(x);
  ar_stepper_clear(&s);
  free(scene);
}
END_TEST

/// The published projection has no objective that a step could lower.
START_TEST(published_is_refused) {
  vb_scene *scene = arm_scene(false);
  const vb_option option[] = {{"acceleration", "anderson"}, {"projection", "published"}};
  const vb_solver *solver;
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, option, 2, &self, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "projection=consistent"));
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("accelerate");
  tcase_set_timeout(test, 60);
  tcase_add_test(test, linear_maps_end_soon);
  tcase_add_loop_test(test, stiff_flesh_ends_sooner, 0, 2);
  tcase_add_test(test, going_back_is_exact);
  tcase_add_test(test, published_is_refused);
  return test;
}

VB_TEST_MAIN("articulated_accelerate", make_tests())
