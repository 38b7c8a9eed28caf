// SPDX-License-Identifier: GPL-3.0-or-later
/// Flesh against flesh in the solver articulated: depths below flat surfaces, which are exact,
/// balanced forces, rest, parts of one body, and the same bits for any number of threads.
/// Covers: reference/articulated/contact.* reference/articulated/overlap.*
/// Covers: reference/articulated/surface.*
#include "handle.h"
#include "scenes/lua_scene.h"

#include "scene/rotation.h"

#include <math.h>

#define SOLVER "articulated"
#define SCENES "tests/reference/articulated/flesh.lua"

static const double stiffness = 300;

/// The sum of all nodes' forces of contact, and of their moments about the origin, as they were at
/// positions `x`; those of nodes from `first` on.
static void sum_up(const handle *s, const double *x, size_t first, double force[3],
                   double moment[3]) {
  double *push = handle_read(s, "node_push"), turn[3];
  for (int c = 0; c < 3; c++)
    force[c] = moment[c] = 0;
  for (size_t i = first; i < handle_numbers(s, 0) / 3; i++) {
    vb_add_scaled(force, 1, push + 3 * i, force);
    vb_cross(x + 3 * i, push + 3 * i, turn);
    vb_add_scaled(moment, 1, turn, moment);
  }
  free(push);
}

/// A small block, moved down into a large one between that one's nodes: all its nodes there are
/// below the same plane. Depths are exact, further in, too.
START_TEST(depths_below_a_plane_are_exact) {
  const double depth = _i ? 0.15 : 0.02;
  vb_scene *scene = lua_scene(SCENES, "scene=sunk depth=%g", depth);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", "contact_stiffness", "300", NULL);
  double sum = 0, squares = 0, force[3], moment[3];
  for (int layer = 0; layer < 2; layer++) { // of 3 x 3 nodes
    double d = fmax(depth - 0.1 * layer, 0);
    sum += 9 * d;
    squares += 9 * d * d;
  }
  ck_assert_double_eq_tol(handle_value(&s, "penetration", 0), depth, 1e-14);
  ck_assert_double_eq_tol(handle_energy(&s, "contact"), 0.5 * stiffness * squares, 1e-12);
  double *x = handle_read(&s, "position");
  handle_step(&s, 1);
  sum_up(&s, x, 3 * 3 * 2, force, moment);
  ck_assert_double_eq_tol(force[2], stiffness * sum, 1e-10);
  sum_up(&s, x, 0, force, moment);
  for (int c = 0; c < 3; c++) { // rounding of some 1000 N in all
    ck_assert_double_eq_tol(force[c], 0, 1e-11);
    ck_assert_double_eq_tol(moment[c], 0, 1e-11);
  }
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Blocks that strike each other at an angle keep momentum and angular momentum, and are the same
/// for any number of threads.
START_TEST(blocks_keep_momentum) {
  vb_scene *scene = lua_scene(SCENES, "scene=struck");
  handle s[3];
  double touched = 0;
  for (int t = 0; t < 3; t++)
    s[t] = handle_open_as(SOLVER, scene, "contact", "explicit", "threads",
                          ((const char *[]){"1", "2", "3"})[t], "tolerance", "0", "iterations",
                          "60", NULL);
  double *before = handle_read(&s[0], "momentum");
  for (int k = 0; k < 20; k++) {
    for (int t = 0; t < 3; t++)
      handle_step(&s[t], 1);
    touched = fmax(touched, handle_value(&s[0], "penetration", 0));
  }
  ck_assert(handle_same(&s[0], &s[1]) && handle_same(&s[0], &s[2]));
  ck_assert_double_gt(touched, 0.01);
  for (size_t c = 0; c < 3; c++) // of 50 kg m/s; element forces cancel to rounding in each step
    ck_assert_double_eq_tol(handle_value(&s[0], "momentum", c), before[c], 1e-9);
  free(before);
  for (int t = 0; t < 3; t++)
    handle_close(&s[t]);
  free(scene);
}
END_TEST

/// One block on another that a half-plane carries comes to rest, carried by its weight. Without
/// friction it would slide off: nodes may move up and down alone.
START_TEST(a_block_rests_on_another) {
  vb_scene *scene = lua_scene(SCENES, "scene=resting gravity=9.81 damping=20");
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", NULL);
  handle_step(&s, 800);
  double force[3], moment[3], *x = handle_read(&s, "position");
  sum_up(&s, x, 5 * 5 * 3, force, moment);
  ck_assert_double_eq_tol(force[2], 1000 * 0.29 * 0.27 * 0.2 * 9.81,
                          1e-4); // what is left of motion
  ck_assert_double_lt(handle_value(&s, "penetration", 0), 0.02);
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// The upper arm of a slotted block is in the lower one: they touch where the scene asks for it.
START_TEST(parts_of_a_body_touch_where_asked) {
  for (int own = 0; own < 2; own++) {
    vb_scene *scene = lua_scene(SCENES, "scene=slotted own=%s", own ? "true" : "false");
    handle s =
        handle_open_as(SOLVER, scene, "contact", "explicit", "contact_stiffness", "300", NULL);
    double depth = handle_value(&s, "penetration", 0), force[3], moment[3];
    double *x = handle_read(&s, "position"), *push;
    if (!own)
      ck_assert_double_eq(depth, 0);
    else
      ck_assert_double_eq_tol(depth, 0.03, 0.02); // below the top, at the rim less than 0.05
    handle_step(&s, 1);
    push = handle_read(&s, "node_push");
    for (size_t i = 0; i < handle_numbers(&s, 0) / 3 && own; i++)
      if (x[3 * i] > 0.15 && x[3 * i + 2] < 0.01) // below, nothing is inside
        ck_assert_double_le(push[3 * i + 2], 1e-12);
    sum_up(&s, x, 0, force, moment);
    for (int c = 0; c < 3; c++) {
      ck_assert_double_eq_tol(force[c], 0, 1e-11);
      ck_assert_double_eq_tol(moment[c], 0, 1e-11);
    }
    free(push);
    free(x);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

START_TEST(friction_is_refused) {
  vb_scene *scene = lua_scene(SCENES, "scene=rough");
  vb_error error = {0};
  void *self = NULL;
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(
      solver->create(solver, scene, (const vb_option[]){{"contact", "explicit"}}, 1, &self, &error),
      VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "the scene's contact has friction"));
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("flesh");
  tcase_set_timeout(test, 60);
  tcase_add_loop_test(test, depths_below_a_plane_are_exact, 0, 2);
  tcase_add_test(test, blocks_keep_momentum);
  tcase_add_test(test, a_block_rests_on_another);
  tcase_add_test(test, parts_of_a_body_touch_where_asked);
  tcase_add_test(test, friction_is_refused);
  return test;
}

VB_TEST_MAIN("articulated_flesh", make_tests())
