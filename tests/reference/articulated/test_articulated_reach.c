// SPDX-License-Identifier: GPL-3.0-or-later
/// Projections of the solver articulated that Newton's method alone does not reach: light bars,
/// stretched out, that hold a bar a million times heavier at the step of 1/30 s.
/// Covers: reference/articulated/reach.* reference/articulated/solve.*
#include "handle.h"
#include "scenes/bones.h"

#define SOLVER "articulated"

static const double step = 1.0 / 30, heavy = 1e6;

/// Level bars end to end from a pivot of the world at the origin, all light but the last.
static vb_scene *chain(int n, vb_link_type type) {
  vb_builder *b = scenes_begin(step, 9.81);
  for (int k = 0; k < n; k++) {
    char name[16];
    snprintf(name, sizeof name, "bar %d", k);
    bones_bar(b, name, k, 0, 0, 1);
    bones_of(b)[k].mass *= k + 1 == n ? heavy : 1;
    for (int c = 0; c < 6; c++)
      bones_of(b)[k].inertia[c] *= k + 1 == n ? heavy : 1;
    vb_link link = bones_link(name, k == 0 ? VB_LINK_BALL : type, k, k - 1, -1, k, 0, 0);
    fixture_add(b, VB_SET_LINK, &link);
  }
  return fixture_freeze(b);
}

static const struct {
  int n;
  vb_link_type type;
} chains[] = {{2, VB_LINK_BALL},
              {3, VB_LINK_BALL},
              {3, VB_LINK_HINGE},
              {3, VB_LINK_UNIVERSAL},
              {5, VB_LINK_BALL}};

/// Links hold in each step, forces balance, the pivot carries what momentum lacks, and energy is
/// not made.
START_TEST(light_bars_hold_a_heavy_one) {
  int n = chains[_i].n;
  vb_scene *scene = chain(n, chains[_i].type);
  handle s = handle_open_as(SOLVER, scene, NULL);
  double total = heavy + n - 1, before[3] = {0}, energy = 0, lowest = 0;
  for (int i = 0; i < 30; i++) {
    handle_step(&s, 1);
    double *gap = handle_read(&s, "joint_error"), *force = handle_read(&s, "joint_force"), residual;
    double *now = handle_read(&s, "momentum");
    for (int k = 0; k < n; k++)
      ck_assert_double_le(gap[k], 1e-12 * n);
    ck_assert_double_lt(handle_value(&s, "joint_iterations", 0), 100);
    ck_assert_int_eq(s.solver->residual(s.self, &residual, NULL), VB_OK);
    ck_assert_double_le(residual, 1e-8); // the tolerance of a step
    for (int c = 0; c < 3; c++) {
      double expected = before[c] + step * (force[c] - (c == 2 ? total * 9.81 : 0));
      ck_assert_double_eq_tol(now[c], expected, 1e-7 * total); // likewise, of some 3e5 m/h
      before[c] = now[c];
    }
    double sum = handle_energy(&s, "kinetic") + handle_energy(&s, "gravity");
    ck_assert_double_le(sum, energy + 1e-9 * total);
    energy = sum;
    lowest = fmin(lowest, handle_value(&s, "bone_position", 3 * (size_t)n - 1));
    free(gap);
    free(force);
    free(now);
  }
  ck_assert_ptr_null(s.solver->warning(s.self));
  ck_assert_double_lt(lowest, -0.5); // it swings
  handle_close(&s);
  free(scene);
}
END_TEST

/// A projection that is ended early leaves gaps, which the residual has, the warning tells, and
/// the step's state.
START_TEST(gaps_are_in_the_residual) {
  vb_scene *scene = chain(3, VB_LINK_BALL);
  handle s = handle_open_as(SOLVER, scene, "joint_iterations", "1", NULL);
  handle_step(&s, 1);
  double residual, *gap = handle_read(&s, "joint_error"), most = 0;
  for (int k = 0; k < 3; k++)
    most = fmax(most, gap[k]);
  ck_assert_int_eq(s.solver->residual(s.self, &residual, NULL), VB_OK);
  ck_assert_double_gt(most, 1e-6);
  ck_assert_double_ge(residual, most / 10); // a component of it, over a size of some 3 m
  ck_assert(s.solver->warning(s.self) && strstr(s.solver->warning(s.self), "joint_iterations=1"));
  free(gap);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("reach");
  tcase_set_timeout(test, 60);
  tcase_add_loop_test(test, light_bars_hold_a_heavy_one, 0, 5);
  tcase_add_test(test, gaps_are_in_the_residual);
  return test;
}

VB_TEST_MAIN("articulated_reach", make_tests())
