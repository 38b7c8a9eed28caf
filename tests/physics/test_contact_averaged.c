// SPDX-License-Identifier: GPL-3.0-or-later
/// Contacts of `jacobi-published` that are averaged with the elastic terms, and eq. 28's
/// relaxation: closed forms of single iterations.
/// Covers: src/viper/contact/average.h src/viper/method/jacobi_published.h
#include "handle.h"
#include "scenes/lua_scene.h"
#include "scenes/scenes.h"

#include <math.h>

#define SCENES "tests/physics/contact.lua"
#define STEP   0.01
#define RADIUS 0.1
#define SPEED  2.0

/// Elastic terms on the center of an end of a rod of one segment: its stretch and its volume.
enum { TERMS = 2 };

/// Each iteration leaves 1 - relaxation / (TERMS + 1) of the depth; colors leave nothing. The force
/// is what the rod's momentum changed by.
START_TEST(an_iteration_leaves_its_share_of_the_depth) {
  static const char *const iterations[] = {"1", "2", "5"}, *const relaxations[] = {"1", "0.5",
                                                                                   "1.5"};
  vb_scene *scene = lua_scene(SCENES, "scene=landing");
  for (int k = 0; k < 3; k++)
    for (int r = 0; r < 3; r++) {
      handle s = handle_open(scene, "method", "jacobi-published", "iterations", iterations[k],
                             "relaxation", relaxations[r], NULL);
      handle_step(&s, 1);
      double left = pow(1 - atof(relaxations[r]) / (TERMS + 1), atof(iterations[k]));
      double mass = handle_value(&s, "mass", 0) + handle_value(&s, "mass", 1);
      ck_assert_double_eq_tol(handle_value(&s, "penetration", 0) / (SPEED * STEP), left, 1e-12);
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 2), -SPEED * left, 1e-12);
      ck_assert_double_eq_tol(
          handle_value(&s, "contact_force", 2) / (mass * SPEED * (1 - left) / STEP), 1, 1e-10);
      handle_close(&s);
    }
  handle s = handle_open(scene, "method", "jacobi-published", "iterations", "1", "contact",
                         "colors", NULL);
  handle_step(&s, 1);
  ck_assert_double_le(handle_value(&s, "penetration", 0), 1e-15);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A rod that slides: its friction is what its momentum along x changed by, and at most the
/// coefficient times the push; with many iterations it loses that times what it lost along z.
START_TEST(friction_keeps_its_cone) {
  static const char *const iterations[] = {"1", "3", "200"};
  const double friction = 0.3, drift = 5;
  vb_scene *scene = lua_scene(SCENES, "scene=landing speed=%g friction=%g", drift, friction);
  for (int k = 0; k < 3; k++) {
    handle s = handle_open(scene, "method", "jacobi-published", "iterations", iterations[k], NULL);
    handle_step(&s, 1);
    double mass = handle_value(&s, "mass", 0) + handle_value(&s, "mass", 1);
    double push = handle_value(&s, "contact_force", 2),
           along = handle_value(&s, "contact_force", 0);
    ck_assert_double_gt(push, 0);
    ck_assert_double_le(-along, friction * push * (1 + 1e-12));
    ck_assert_double_gt(-along, 0);
    ck_assert_double_eq_tol((drift - handle_value(&s, "velocity", 0)) * mass / STEP / -along, 1,
                            1e-10);
    if (k == 2)
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 0), drift - friction * SPEED, 1e-10);
    handle_close(&s);
  }
  free(scene);
}
END_TEST

/// Without contact, too, displacements are that times the mean: a rod that is stretched along its
/// axis comes back in the first iteration by a part that is proportional to it.
START_TEST(relaxation_scales_displacements) {
  static const char *const relaxations[] = {"1", "0.25", "1.75"};
  double displacement[3];
  vb_builder *b = scenes_begin(STEP, 0);
  scenes_bar(b, 3, 0.6, RADIUS, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].position[0] *= 1.1;
  vb_scene *scene = fixture_freeze(b);
  for (int r = 0; r < 3; r++) {
    handle s = handle_open(scene, "method", "jacobi-published", "iterations", "1", "relaxation",
                           relaxations[r], NULL);
    double before = handle_value(&s, "position", 0);
    handle_step(&s, 1);
    displacement[r] = handle_value(&s, "position", 0) - before;
    handle_close(&s);
  }
  ck_assert_double_gt(fabs(displacement[0]), 1e-3);
  for (int r = 1; r < 3; r++)
    ck_assert_double_eq_tol(displacement[r] / displacement[0], atof(relaxations[r]), 1e-12);
  free(scene);
}
END_TEST

/// Two rods that cross: each gets half of the way where both are equal, so momentum is kept.
START_TEST(equal_rods_share_the_way) {
  vb_scene *scene = lua_scene(SCENES, "scene=meeting");
  handle s = handle_open(scene, "method", "jacobi-published", "iterations", "200", NULL);
  handle_step(&s, 1);
  ck_assert_double_eq_tol(handle_value(&s, "momentum", 2), 0, 1e-10);
  ck_assert_double_le(handle_value(&s, "penetration", 0), 1e-9);
  ck_assert_double_gt(handle_value(&s, "contact_force", 5), 1);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(other_methods_refuse_it) {
  static const char *const options[][2] = {{"contact", "averaged"}, {"relaxation", "1.5"}};
  vb_scene *scene = lua_scene(SCENES, "scene=landing");
  for (int k = 0; k < 2; k++) {
    const vb_option option = {options[k][0], options[k][1]};
    const vb_solver *solver;
    vb_error error = {0};
    void *self = NULL;
    ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
    ck_assert_int_eq(solver->create(solver, scene, &option, 1, &self, &error), VB_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(error.message, "needs method jacobi-published"));
    ck_assert_ptr_null(self);
  }
  free(scene);
}
END_TEST

static TCase *averaged(void) {
  TCase *c = tcase_create("averaged contacts");
  tcase_add_test(c, an_iteration_leaves_its_share_of_the_depth);
  tcase_add_test(c, friction_keeps_its_cone);
  tcase_add_test(c, relaxation_scales_displacements);
  tcase_add_test(c, equal_rods_share_the_way);
  tcase_add_test(c, other_methods_refuse_it);
  return c;
}

VB_TEST_MAIN("averaged contacts", averaged())
