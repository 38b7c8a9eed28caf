// SPDX-License-Identifier: GPL-3.0-or-later
/// What studies say of comparing: tolerances, and the cut of a gold result.
#include "compare/tolerances.h"
#include "lua_fixture.h"

/// A study of six runs of up to 50 steps.
#define STUDY(more)                                                                                \
  "return {title = 'test', parameters = {n = 5, m = 1}, build = function(p)\n"                     \
  "local s = vb.scene{step = 0.1, steps = 10 * p.n}\n"                                             \
  "local r = s:rod{nodes = p.m + 2, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1,\n"             \
  "density = 1000, material = {E = 1e6, nu = 0.4}}\n"                                              \
  "s:record{every = 7, frames = 9}\n"                                                              \
  "s:convergence{after = 5 * p.n, iterations = {1, 2}}\n"                                          \
  "s:gate{name = 'g', quantity = 'energy/total', at_most = 1, reason = 'r'}\n"                     \
  "return s end,\n"                                                                                \
  "runs = function(p, tier) local list = {}\n"                                                     \
  "  for i = 1, tier == 'quick' and 6 or 2 do\n"                                                   \
  "    list[i] = {name = 'r' .. i, parameters = {n = 6 - i}} end\n"                                \
  "  return list end,\n"                                                                           \
  "gates = function() return {{name = 'x', run = 'r1', quantity = 'energy/total', at_most = 1,\n"  \
  "  reason = 'r'}} end,\n" more "}"

static vb_study *load_gold(const char *text) {
  return load_good_with(text, (vb_study_request){.tier = "gold"});
}

START_TEST(a_gold_result_is_a_cut_of_the_quick_size) {
  vb_study *study = load_gold(STUDY(""));
  ck_assert(study->gold && study->n_gates == 0 && study->n_runs == 3);
  ck_assert_str_eq(study->runs[2].name, "r3");
  const vb_run_plan *run = &study->runs[0];
  ck_assert_int_eq(vb_scene_world(run->scene)->n_steps, 10);
  ck_assert(run->record.every == 1 && run->record.frames_every == 10);
  ck_assert_uint_eq(run->convergence.n, 0); // it begins after the cut
  vb_study_destroy(study);
  study = load_good(STUDY(""));
  ck_assert(!study->gold && study->n_gates == 7 && study->n_runs == 6);
  ck_assert_int_eq(vb_scene_world(study->runs[0].scene)->n_steps, 50);
  vb_study_destroy(study);
}
END_TEST

START_TEST(takes_runs_steps_frames_and_parameters) {
  vb_study *study = load_gold(
      STUDY("gold = {steps = 25, frames = 5, runs = {'r6', 'r2'}, parameters = {m = 3, n = 1}}"));
  ck_assert_uint_eq(study->n_runs, 2);
  ck_assert_str_eq(study->runs[0].name, "r2"); // in the study's order
  ck_assert_int_eq(vb_scene_world(study->runs[0].scene)->n_steps, 25);
  ck_assert_int_eq(vb_scene_world(study->runs[1].scene)->n_steps, 0); // a run's own wins
  ck_assert_int_eq(study->runs[0].record.frames_every, 5);
  ck_assert_uint_eq(study->runs[0].convergence.n, 2);
  ck_assert_uint_eq(vb_scene_count(study->runs[0].scene, VB_SET_NODE), 5);
  vb_study_destroy(study);
}
END_TEST

START_TEST(declared_tolerances_arrive) {
  vb_study *study =
      load_good(STUDY("compare = {nan = 'never', energy = {absolute = 0.5, reason = 'why'},\n"
                      "['frames/scale'] = {relative = 1e-3, reason = 'why'}}"));
  vb_tolerances t = {0};
  vb_error error = {0};
  ck_assert_msg(!vb_tolerances_read(study->compare, false, &t, &error), "%s", error.message);
  ck_assert_int_eq(t.nan, VB_NAN_NEVER);
  ck_assert_double_eq(vb_tolerance_of(&t, "energy/bend").absolute, 0.5);
  ck_assert_double_eq(vb_tolerance_of(&t, "energy/bend").relative, 0);
  ck_assert_double_eq(vb_tolerance_of(&t, "frames/scale").relative, 1e-3);
  vb_tolerances_free(&t);
  vb_study_destroy(study);
}
END_TEST

START_TEST(reports_mistakes_with_file_and_line) {
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {STUDY("compare = 1"), "\"compare\" must be a table of tolerances by kind, not a number"},
      {STUDY("compare = {energy = 1}"), "compare: \"energy\": takes one table"},
      {STUDY("compare = {energy = {absolut = 1, reason = 'r'}}"), "did you mean \"absolute\"?"},
      {STUDY("compare = {energy = {absolute = 1}}"), "\"reason\""},
      {STUDY("compare = {energy = {absolute = -1, reason = 'r'}}"), "must not be negative"},
      {STUDY("compare = {nan = 'maybe'}"), "unknown policy of NaN \"maybe\""},
      {STUDY("compare = {1}"), "takes named values only"},
      {STUDY("gold = {step = 1}"), "did you mean \"steps\"?"},
      {STUDY("gold = {steps = -1}"), "\"steps\""},
      {STUDY("gold = {runs = {'r7'}}"), "gold: there is no run \"r7\" in the quick size"},
      {STUDY("gold = {parameters = {k = 1}}"), "unknown parameter \"k\""},
      {STUDY("gold = {parameters = {m = 'a'}}"), "parameter \"m\" must be a number, not a string"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vb_study *study = NULL;
    vb_error error = {0};
    vb_study_request request = {.tier = "gold"};
    ck_assert_int_eq(load_with(cases[i].text, request, VB_LUA_LIMITS, &study, &error),
                     VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, cases[i].complaint) != NULL, "\"%s\" lacks \"%s\"",
                  error.message, cases[i].complaint);
    ck_assert_ptr_nonnull(strstr(error.message, "test.lua"));
    ck_assert_ptr_null(study);
  }
}
END_TEST

static TCase *gold(void) {
  TCase *tc = tcase_create("gold");
  tcase_add_test(tc, a_gold_result_is_a_cut_of_the_quick_size);
  tcase_add_test(tc, takes_runs_steps_frames_and_parameters);
  tcase_add_test(tc, declared_tolerances_arrive);
  tcase_add_test(tc, reports_mistakes_with_file_and_line);
  return tc;
}

VB_TEST_MAIN("lua_gold", gold())
