// SPDX-License-Identifier: GPL-3.0-or-later
/// Scores of entries, from results that are made here.
/// Covers: src/cli/cli_score.c
#include "report/score.h"
#include "test.h"

#include <math.h>

static char names[8][40] = {"elastica-1-n8",  "elastica-1-n16", "elastica-1-n32", "a-n1-n2-n8",
                            "elastica-1-n64", "no_entry",       "b-n8-s10",       "b-n8-s100-all"};
static char complete[] = "complete", diverged[] = "diverged", entry[] = "mine";
static char parameters[] = "{\"without\": \"roll_up: no torque; bend_45: flat\"}", none[] = "{}";

/// The gate of a run's answer whose error over the length 2 is `error`.
static vb_gate_record answer(char *run, double error) {
  return (vb_gate_record){
      .name = "x", .runs = run, .value = 1 + 2 * error, .reference = 1, .tolerance = 2e-6};
}

static vb_report_run run_of(char *name, char *status, double step_time) {
  return (vb_report_run){
      .name = name, .status = status, .steps = 10, .step_time = step_time, .parameters = none};
}

START_TEST(errors_orders_and_times_are_those_of_the_runs) {
  vb_gate_record gates[] = {answer(names[0], 0.04), answer(names[1], 0.01), answer(names[1], 1e-9),
                            answer(names[2], 0.0025), answer(names[3], 0.5)};
  vb_report_run runs[] = {run_of(names[0], complete, 1), run_of(names[1], complete, 0.5),
                          run_of(names[2], complete, 3), run_of(names[3], complete, 1),
                          run_of(names[5], complete, 1)};
  char *missing[] = {names[4]};
  vb_report_study study = {.name = entry, .gates = gates, .n_gates = 5, .runs = runs, .n_runs = 5};
  study.missing = missing;
  study.n_missing = 1;
  vb_report_results results = {.studies = &study, .n_studies = 1};
  vb_scores all;
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  const vb_score *scores = all.scores;
  ck_assert_uint_eq(all.n, 2);
  ck_assert_str_eq(scores[0].problem, "elastica-1");
  ck_assert(scores[0].n_runs == 3 && scores[0].n_failed == 1);
  ck_assert_ptr_nonnull(strstr(scores[0].reason, "not recorded"));
  ck_assert_str_eq(scores[0].best_run, "elastica-1-n32");
  ck_assert_double_eq_tol(scores[0].best, 0.0025, 1e-12);
  ck_assert_double_eq_tol(scores[0].best_time, 30, 1e-12);
  ck_assert_double_eq_tol(scores[0].order, 2, 1e-9);     // a quarter of the error by twice as many
  ck_assert_double_eq_tol(scores[0].time[0], 5, 1e-12);  // the quickest, not the coarsest
  ck_assert_double_eq_tol(scores[0].time[1], 30, 1e-12); // 0.01 of the run before rounds up
  ck_assert(isnan(scores[0].time[2]) && isnan(scores[0].time[3]));
  ck_assert(scores[0].range[0] == 8 && scores[0].range[1] == 32);
  ck_assert_str_eq(scores[1].problem, "a-n1-n2"); // the last -n counts
  ck_assert(isnan(scores[1].order) && isnan(scores[1].time[0]) && isnan(scores[1].range[0]));
  vb_scores_free(&all);
  ck_assert_int_eq(vb_scores_find(&results, "elastica", &all, NULL), VB_OK);
  ck_assert(all.n == 1 && all.n_trials == 4);
  vb_scores_free(&all);
}
END_TEST

/// A run that diverged, or that lacks an answer, has no error, and says reason.
START_TEST(what_came_to_no_end_has_failed) {
  vb_gate_record gates[] = {answer(names[0], 0.04), answer(names[1], NAN)};
  vb_report_run runs[] = {run_of(names[0], diverged, 1), run_of(names[1], complete, 1),
                          run_of(names[2], complete, 1)};
  char what[] = "forces are not finite";
  runs[0].what = what;
  vb_report_study study = {.name = entry, .gates = gates, .n_gates = 2, .runs = runs, .n_runs = 3};
  vb_report_results results = {.studies = &study, .n_studies = 1};
  vb_scores all;
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  ck_assert(all.n == 1 && all.scores[0].n_runs == 0 && all.scores[0].n_failed == 3);
  ck_assert(isnan(all.scores[0].best) && isnan(all.scores[0].time[0]));
  ck_assert_str_eq(all.scores[0].reason, what);
  ck_assert_str_eq(all.trials[1].reason, "an answer is missing");
  vb_scores_free(&all);
}
END_TEST

/// Settings and processors are told by the end of a name; the run on all processors repeats one,
/// and is no part of the front.
START_TEST(settings_and_processors_are_told_apart) {
  vb_gate_record gates[] = {answer(names[6], 0.04), answer(names[7], 0.01)};
  vb_report_run runs[] = {run_of(names[6], complete, 2), run_of(names[7], complete, 1)};
  vb_report_study study = {.name = entry, .gates = gates, .n_gates = 2, .runs = runs, .n_runs = 2};
  vb_report_results results = {.studies = &study, .n_studies = 1};
  vb_scores all;
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  ck_assert(all.n == 1 && all.scores[0].n_runs == 2);
  ck_assert_str_eq(all.scores[0].problem, "b");
  ck_assert_str_eq(all.trials[1].settings, "s100");
  ck_assert(all.trials[1].all && !all.trials[0].all);
  ck_assert_double_eq_tol(all.scores[0].best, 0.04, 1e-12);
  ck_assert_double_eq_tol(all.scores[0].time[0], 20, 1e-12);
  ck_assert_double_eq_tol(all.scores[0].all_time, 10, 1e-12);
  ck_assert_str_eq(all.scores[0].range_settings, "s10");
  vb_scores_free(&all);
}
END_TEST

/// Settings are listed once each, also where the name of one is a part of another's.
START_TEST(settings_below_a_tenth_are_listed_once) {
  char many[][40] = {"b-n8-s100", "b-n16-s100", "b-n16-s10", "b-n32-s10"};
  vb_gate_record gates[4];
  vb_report_run runs[4];
  for (int k = 0; k < 4; k++) {
    gates[k] = answer(many[k], 0.04);
    runs[k] = run_of(many[k], complete, 1);
  }
  vb_report_study study = {.name = entry, .gates = gates, .n_gates = 4, .runs = runs, .n_runs = 4};
  vb_report_results results = {.studies = &study, .n_studies = 1};
  vb_scores all;
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  ck_assert_str_eq(all.scores[0].range_settings, "s100 s10");
  vb_scores_free(&all);
}
END_TEST

START_TEST(what_is_not_taken_has_its_reason) {
  vb_gate_record gates[] = {answer(names[0], 0.04)};
  vb_report_run runs[] = {run_of(names[0], complete, 2)};
  runs[0].parameters = parameters;
  vb_report_study study = {.name = entry, .gates = gates, .n_gates = 1, .runs = runs, .n_runs = 1};
  vb_report_results results = {.studies = &study, .n_studies = 1};
  vb_scores all;
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  ck_assert_uint_eq(all.n, 3);
  ck_assert_str_eq(all.scores[1].problem, "roll_up");
  ck_assert_str_eq(all.scores[1].reason, "no torque");
  ck_assert_str_eq(all.scores[2].reason, "flat");
  ck_assert(all.scores[2].n_runs == 0 && all.scores[2].n_failed == 0);
  vb_scores_free(&all);
}
END_TEST

/// A run beside which others were executed has an error, but no time: it is on no front, in no time
/// to an error, and does not hide the time of another. Runs on all processors are not missed there.
START_TEST(times_of_runs_side_by_side_do_not_count) {
  char all_cpus[] = "elastica-1-n32-all";
  vb_gate_record gates[] = {answer(names[0], 0.04), answer(names[1], 0.01),
                            answer(names[2], 0.0025)};
  vb_report_run runs[] = {run_of(names[0], complete, 1), run_of(names[1], complete, 5),
                          run_of(names[2], complete, NAN)};
  char *missing[] = {all_cpus};
  runs[2].shared = true;
  vb_report_study study = {.name = entry, .gates = gates, .n_gates = 3, .runs = runs, .n_runs = 3};
  study.missing = missing;
  study.n_missing = 1;
  vb_report_results results = {.studies = &study, .n_studies = 1};
  vb_scores all;
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  const vb_score *s = &all.scores[0];
  ck_assert(all.n == 1 && s->n_runs == 3 && s->n_failed == 0 && s->n_shared == 1);
  ck_assert_str_eq(s->best_run, names[2]);
  ck_assert_double_eq_tol(s->best, 0.0025, 1e-12);
  ck_assert_double_eq_tol(s->order, 2, 1e-9);
  ck_assert(isnan(s->best_time) && isnan(s->all_time));
  ck_assert_double_eq_tol(s->time[0], 10, 1e-12);
  ck_assert(isnan(s->time[2]));
  ck_assert(all.trials[0].front && all.trials[1].front);
  ck_assert(all.trials[2].shared && !all.trials[2].front);
  vb_scores_free(&all);
  runs[2].shared = false; // one that was alone: what is missing has failed
  ck_assert_int_eq(vb_scores_find(&results, NULL, &all, NULL), VB_OK);
  ck_assert(all.scores[0].n_failed == 1);
  vb_scores_free(&all);
}
END_TEST

static TCase *all_tests(void) {
  TCase *c = tcase_create("scores");
  tcase_add_test(c, errors_orders_and_times_are_those_of_the_runs);
  tcase_add_test(c, what_came_to_no_end_has_failed);
  tcase_add_test(c, settings_and_processors_are_told_apart);
  tcase_add_test(c, settings_below_a_tenth_are_listed_once);
  tcase_add_test(c, what_is_not_taken_has_its_reason);
  tcase_add_test(c, times_of_runs_side_by_side_do_not_count);
  return c;
}

VB_TEST_MAIN("score", all_tests())
