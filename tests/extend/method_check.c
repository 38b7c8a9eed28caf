// SPDX-License-Identifier: GPL-3.0-or-later
/// That a method besides the known ones is whole (tests/extend.sh): the option has it, and bodies
/// of all sorts are moved by it. It is `xpbd` that forgets its multipliers after each sweep: a step
/// of one sweep is that of xpbd bit by bit, one of more is not.
#include "cuda/cuda_bundle_cases.h"
#include "cuda/cuda_contact_cases.h"
#include "handle.h"

static vb_scene *batch(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 5; k++)
    scenes_octopus(b, 6, 2, k, &scenes_rubber);
  scenes_disturb(b, 0.003, 0.2, 23);
  return fixture_freeze(b);
}

static vb_scene *single_body(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_helix(b, 30, 0, &scenes_rubber);
  return fixture_freeze(b);
}

static vb_scene *tiles(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_bar(b, 2100, 100, 0.05, &scenes_rubber);
  scenes_disturb(b, 0.003, 0.2, 23);
  return fixture_freeze(b);
}

static const struct {
  const char *name;
  vb_scene *(*make)(void);
} cases[] = {{"bodies side by side", batch},
             {"a single body", single_body},
             {"a long chain", tiles},
             {"contact", contact_heap},
             {"bundles", bundle_bands}};

/// Whether both methods take a step of so many sweeps to the same state.
static bool same_as_xpbd(const vb_scene *scene, const char *iterations) {
  handle x = handle_open(scene, "method", "xpbd", "iterations", iterations, "threads", "1", NULL);
  handle y = handle_open(scene, "method", "dummy", "iterations", iterations, "threads", "1", NULL);
  handle_step(&x, 1);
  handle_step(&y, 1);
  bool same = handle_same(&x, &y);
  handle_close(&x);
  handle_close(&y);
  return same;
}

START_TEST(the_option_has_it) {
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  const vb_solver_description *d = solver->describe(solver);
  for (size_t i = 0; i < d->n_options; i++)
    if (strcmp(d->options[i].name, "method") == 0)
      ck_assert_msg(strstr(d->options[i].choices, "|dummy") &&
                        strstr(d->options[i].long_name, "dummy: "),
                    "no method dummy: a line is missing in the table (settings/methods.h)");
}
END_TEST

START_TEST(it_moves_all_sorts_of_bodies) {
  vb_scene *scene = cases[_i].make();
  ck_assert_msg(same_as_xpbd(scene, "1"), "%s: a sweep is not that of xpbd", cases[_i].name);
  ck_assert_msg(!same_as_xpbd(scene, "12"), "%s: the method is not its own", cases[_i].name);
  free(scene);
}
END_TEST

START_TEST(its_operations_are_counted) {
  double bytes[2], operations[2];
  vb_scene *scene = batch();
  for (int k = 0; k < 2; k++) {
    handle s = handle_open(scene, "method", k ? "dummy" : "xpbd", NULL);
    s.solver->cost(s.self, &bytes[k], &operations[k]);
    handle_close(&s);
  }
  ck_assert_double_gt(operations[0], 0);
  ck_assert_double_eq(operations[1], operations[0]);
  free(scene);
}
END_TEST

static TCase *method(void) {
  TCase *c = tcase_create("method");
  tcase_set_timeout(c, 60);
  tcase_add_test(c, the_option_has_it);
  tcase_add_loop_test(c, it_moves_all_sorts_of_bodies, 0, sizeof cases / sizeof *cases);
  tcase_add_test(c, its_operations_are_counted);
  return c;
}

VB_TEST_MAIN("method", method())
