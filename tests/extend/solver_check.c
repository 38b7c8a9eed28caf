// SPDX-License-Identifier: GPL-3.0-or-later
/// That a solver besides the known ones is whole (tests/extend.sh): it is in the table of solvers,
/// its outputs are as large as it says, its state and its options are kept, and its nodes fall.
#include "promises.h"
#include "scenes/scenes.h"

/// The one solver of the table that this version does not have.
static const vb_solver *find_new(void) {
  static const char *const known[] = {"viper",      "bergou",    "umetani",
                                      "neohookean", "multibody", "articulated"};
  const vb_solver *found = NULL;
  for (const vb_solver *const *at = vb_solver_table(); *at; at++) {
    bool is_known = false;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      is_known = is_known || strcmp((*at)->describe(*at)->name, known[k]) == 0;
    if (!is_known)
      found = *at;
  }
  ck_assert_msg(found != NULL, "no new solver: a line is missing in the table (src/cli/solvers.c)");
  return found;
}

static vb_scene *helix(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_helix(b, 7, 0, &scenes_rubber);
  return fixture_freeze(b);
}

START_TEST(it_keeps_its_promises) {
  const vb_solver *solver = find_new(), *by_name;
  vb_scene *scene = helix();
  ck_assert_int_eq(vb_solver_find(solver->describe(solver)->name, &by_name, NULL), VB_OK);
  ck_assert_ptr_eq(by_name, solver);
  handle s = handle_open_as(solver->describe(solver)->name, scene, NULL);
  handle_step(&s, 3);
  promises_outputs(&s);
  promises_refusals(&s);
  promises_state(&s);
  promises_options(&s);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(its_nodes_fall) {
  const vb_solver *solver = find_new();
  vb_scene *scene = helix();
  const double *g = vb_scene_world(scene)->gravity;
  handle s = handle_open_as(solver->describe(solver)->name, scene, NULL);
  double before[3], time = 10 * vb_scene_world(scene)->step;
  for (size_t c = 0; c < 3; c++)
    before[c] = handle_value(&s, "position", c);
  handle_step(&s, 10);
  for (size_t c = 0; c < 3; c++)
    ck_assert_double_eq_tol(handle_value(&s, "position", c) - before[c], 0.5 * g[c] * time * time,
                            1e-14); // ten roundings of numbers below 1
  ck_assert_double_gt(handle_energy(&s, "kinetic"), 0);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *solver(void) {
  TCase *c = tcase_create("solver");
  tcase_add_test(c, it_keeps_its_promises);
  tcase_add_test(c, its_nodes_fall);
  return c;
}

VB_TEST_MAIN("solver", solver())
