// SPDX-License-Identifier: GPL-3.0-or-later
/// A plug-in for bones in a process of its own, examined: scenes of every set, and without nodes.
/// Covers: src/solver/plugin/description.* src/solver/plugin/proxy.*
#include "handle.h"
#include "scenes/skeleton.h"

#include "solver/plugin/plugin.h"

#include <limits.h>
#include <unistd.h>

static char solver_name[PATH_MAX + 64];

/// Finds the plug-in; false where there was no compiler to build it.
static bool have_plugin(void) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
  ck_assert_int_gt(n, 0);
  path[n] = '\0';
  strcpy(strrchr(path, '/'), "/plugins/falling.so");
  snprintf(solver_name, sizeof solver_name, "check:%s", path);
  if (access(path, R_OK) == 0)
    return true;
  vb_skip("plugins", "the plug-ins of the tests were not built");
  return false;
}

static vb_status open_plugin(const vb_solver **out, vb_error *error) {
  const char *program = getenv("VB_PROGRAM");
  return vb_plugin_open(solver_name, program ? program : "bin/viperbench", out, error);
}

/// Opens the plug-in on a scene.
static handle open_on(const vb_scene *scene) {
  handle s = {.scene = scene};
  vb_error error = {0};
  ck_assert_msg(!open_plugin(&s.solver, &error), "%s", error.message);
  ck_assert_msg(!s.solver->create(s.solver, scene, NULL, 0, &s.self, &error), "%s", error.message);
  return s;
}

START_TEST(a_bone_falls_without_nodes) {
  if (!have_plugin())
    return;
  vb_builder *b = fixture_builder();
  vb_builder_world(b)->gravity[2] = -10;
  fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "bob", .mass = 2, .inertia = {1, 1, 1}});
  vb_scene *scene = fixture_freeze(b);
  handle s = open_on(scene);
  handle_step(&s, 4);
  // Implicit Euler: g h^2 n (n + 1)/2, of numbers of 0.01: rounding.
  ck_assert_double_eq_tol(handle_value(&s, "bone_position", 2), -10 * 1e-4 * 10, 1e-16);
  double *none = handle_read(&s, "position");
  free(none);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(work_of_activations_follows_that_of_loads) {
  if (!have_plugin())
    return;
  vb_scene *scene = fixture_freeze(skeleton_full());
  handle s = open_on(scene);
  handle_step(&s, 3);
  double work[10];
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK); // 2 drivers, 4 loads, 4 activations
  for (int k = 0; k < 10; k++)
    ck_assert_double_eq(work[k], k);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(fields_of_links_have_the_scenes_links) {
  if (!have_plugin())
    return;
  vb_scene *scene = fixture_freeze(skeleton_full());
  handle s = {.scene = scene};
  vb_error error = {0};
  setenv("VB_FAULT", "links", 1);
  ck_assert_msg(!open_plugin(&s.solver, &error), "%s", error.message);
  ck_assert_int_eq(s.solver->create(s.solver, scene, NULL, 0, &s.self, &error), VB_FAILED);
  ck_assert_msg(strstr(error.message, "count gives 4 elements of field joint_force, and the scene "
                                      "has 3") != NULL,
                "%s", error.message);
  free(scene);
}
END_TEST

START_TEST(older_plugins_are_refused) {
  if (!have_plugin())
    return;
  static const char *const older[][2] = {
      {"version 5", "is built for version 5 of the solver interface"},
      {"scene version 1", "is built for version 1 of scenes"}};
  const vb_solver *solver = NULL;
  vb_error error = {0};
  setenv("VB_FAULT", older[_i][0], 1);
  ck_assert_int_eq(open_plugin(&solver, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, older[_i][1]) != NULL, "%s", error.message);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("bones");
  tcase_add_test(c, a_bone_falls_without_nodes);
  tcase_add_test(c, work_of_activations_follows_that_of_loads);
  tcase_add_test(c, fields_of_links_have_the_scenes_links);
  tcase_add_loop_test(c, older_plugins_are_refused, 0, 2);
  return c;
}

VB_TEST_MAIN("plug-ins for bones", make_case())
