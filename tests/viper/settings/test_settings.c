// SPDX-License-Identifier: GPL-3.0-or-later
/// Options: each of the table changes what the table says, and what is set is got.
/// Covers: src/viper/settings/*.[ch] src/viper/option_rules.c
#include "option_walk.h"

START_TEST(options_change_what_the_table_says) {
  walk_check(_i / WALK_METHODS, _i % WALK_METHODS);
}
END_TEST

/// "auto" and the like come to another value.
static bool is_settled(const char *name, const char *value) {
  return !strcmp(value, "0") ? !strcmp(name, "threads")
                             : !strcmp(value, "auto") && strcmp(name, "follow") != 0;
}

static void check_got(handle *s, const vb_option_info *info, const char *value) {
  char got[64];
  ck_assert_int_eq(s->solver->get_option(s->self, info->name, got, sizeof got, NULL), VB_OK);
  if (is_settled(info->name, value))
    ck_assert_str_ne(got, value);
  else if (info->choices)
    ck_assert_str_eq(got, value);
  else
    ck_assert_msg(strtod(got, NULL) == strtod(value, NULL), "%s: %s, not %s", info->name, got,
                  value);
}

/// An instance with this option; `self` is null where that is refused. Averaged contacts,
/// relaxation and bundles that carry a surface are had by one method and scene alone; in double,
/// few builds have fast arithmetic.
static handle open_with(const vb_scene *scene, const vb_option_info *info, const char *value) {
  const bool averages = !strcmp(info->name, "contact") || !strcmp(info->name, "relaxation");
  const vb_option options[] = {{"method", averages ? "jacobi-published" : "direct"},
                               {info->name, value},
                               {"precision", "float"}};
  handle s = {.scene = scene};
  ck_assert_int_eq(vb_solver_find("viper", &s.solver, NULL), VB_OK);
  vb_error error = {0};
  const size_t n = strcmp(info->name, "arithmetic") == 0 ? 3 : 2;
  vb_status status = s.solver->create(s.solver, scene, options, n, &s.self, &error);
  if (status)
    s.self = NULL;
  // Instruction sets and backends are not everywhere.
  ck_assert_msg(!status || status == VB_UNAVAILABLE, "%s", error.message);
  return s;
}

/// At creation, and where it may change then, in a run.
START_TEST(what_is_set_is_got) {
  const vb_option_info *info = &viper_options[_i];
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 4, 0.4, 0.05, &scenes_rubber);
  scenes_pin_frame(b, 0, scenes_wall(b, "wall"));
  for (int32_t i = 0; i < 2; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER, 0);
  vb_scene *bar = fixture_freeze(b), *banded = bundle_surface();
  const vb_scene *scene = strcmp(info->name, "skin_frames") == 0 ? banded : bar;
  char value[32];
  int n_taken = 0;
  for (int k = 0; walk_value(info, k, value); k++) {
    handle s = open_with(scene, info, value);
    if (!s.self)
      continue;
    check_got(&s, info, value);
    n_taken++;
    handle_close(&s);
    if (!info->at_any_time)
      continue;
    s = open_with(scene, info, info->default_value);
    handle_set(&s, info->name, value);
    check_got(&s, info, value);
    handle_close(&s);
  }
  ck_assert_int_ge(n_taken, strcmp(info->name, "backend") == 0 ? 2 : info->choices ? 2 : 3);
  free(bar);
  free(banded);
}
END_TEST

/// Numbers that ten digits do not tell apart are got as they were set.
START_TEST(digits_are_kept) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "tolerance", "1.23456789012345e-3", "iterations", "1e3", NULL);
  check_got(&s, &viper_options[0], "direct");
  char got[64];
  ck_assert_int_eq(s.solver->get_option(s.self, "tolerance", got, sizeof got, NULL), VB_OK);
  ck_assert(strtod(got, NULL) == 1.23456789012345e-3);
  ck_assert_int_eq(s.solver->get_option(s.self, "iterations", got, sizeof got, NULL), VB_OK);
  ck_assert_str_eq(got, "1000");
  handle_close(&s);
  free(scene);
}
END_TEST

/// Tries to create with a value, which must be refused with this sentence.
static void refuse(const vb_scene *scene, const char *name, const char *value, const char *says) {
  const vb_solver *solver;
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, &(vb_option){name, value}, 1, &self, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, says), "%s", error.message);
}

START_TEST(what_is_out_of_range_is_refused) {
  const vb_option_info *info = &viper_options[_i];
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  char value[32], says[64];
  if (info->choices) {
    refuse(scene, info->name, "magic", info->choices);
  } else {
    snprintf(says, sizeof says, "%g to %g", info->minimum, info->maximum);
    snprintf(value, sizeof value, "%.10g", info->minimum - 1);
    refuse(scene, info->name, value, says);
    snprintf(value, sizeof value, "%.10g", info->maximum + 1);
    refuse(scene, info->name, value, says);
  }
  free(scene);
}
END_TEST

START_TEST(options_that_do_not_change_in_a_run_are_refused) {
  const vb_option_info *info = &viper_options[_i];
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, NULL);
  vb_error error = {0};
  vb_status status = s.solver->set_option(s.self, info->name, info->default_value, &error);
  ck_assert_int_eq(status, info->at_any_time ? VB_OK : VB_BAD_INPUT);
  if (status)
    ck_assert_ptr_nonnull(strstr(error.message, "cannot change once a run has begun"));
  handle_close(&s);
  free(scene);
}
END_TEST

/// With backend cuda, options of the CPU alone are told, before the build or the machine lacks it;
/// with their defaults, and with backend auto, they are no matter.
START_TEST(options_of_the_cpu_are_told_with_cuda) {
  static const vb_option of_cpu[] = {{"threads", "2"}, {"instructions", "x86-64-v4"}};
  static const char *const normal[] = {"0", "auto"};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 2, 0.4, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  const vb_option cuda = {"backend", "cuda"};
  const vb_option both[] = {cuda, of_cpu[_i]}, usual[] = {cuda, {of_cpu[_i].name, normal[_i]}};
  const vb_solver *solver;
  vb_error error = {0};
  void *self = NULL;
  char says[64];
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, both, 2, &self, &error), VB_BAD_INPUT);
  snprintf(says, sizeof says, "option %s is only for the cpu backend", of_cpu[_i].name);
  ck_assert_msg(strstr(error.message, says), "%s", error.message);
  vb_status status = solver->create(solver, scene, usual, 2, &self, &error);
  ck_assert_int_ne(status, VB_BAD_INPUT); // there may be a device
  if (!status)
    solver->destroy(self);
  const vb_option automatic[] = {{"backend", "auto"}, of_cpu[_i]};
  status = solver->create(solver, scene, automatic, 2, &self, &error);
  ck_assert_int_ne(status, VB_BAD_INPUT); // the machine, or the build, may lack the instructions
  if (!status)
    solver->destroy(self);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("options");
  tcase_set_timeout(c, 120);
  tcase_add_loop_test(c, options_change_what_the_table_says, 0, VIPER_N_OPTIONS * WALK_METHODS);
  tcase_add_loop_test(c, what_is_set_is_got, 0, VIPER_N_OPTIONS);
  tcase_add_test(c, digits_are_kept);
  tcase_add_loop_test(c, what_is_out_of_range_is_refused, 0, VIPER_N_OPTIONS);
  tcase_add_loop_test(c, options_that_do_not_change_in_a_run_are_refused, 0, VIPER_N_OPTIONS);
  tcase_add_loop_test(c, options_of_the_cpu_are_told_with_cuda, 0, 2);
  return c;
}

VB_TEST_MAIN("settings", make_case())
