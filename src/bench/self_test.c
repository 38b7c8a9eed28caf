// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "bench/bench_report.h"
#include "bench/measure_case.h"
#include "compare/compare_launch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// What one launch times: windows for so long [s] after a warm-up of at most so long.
static const double LAUNCH_WARM_S = 0.3;
static const double LAUNCH_SAMPLE_S = 0.5;

/// The slowdown that must be found, and the widest margin at which it can be asked for.
static const double INJECTED = 0.03;
static const double GREATEST_MARGIN = 0.02;

/// The case that the self-test launches: small, so that a launch is short.
static const char TESTED_STUDY[] = "rods";
static const char TESTED_CASE[] = "direct-double.one";

static vb_status find_run(const vb_study *study, const char *name, size_t *out, vb_error *error) {
  for (size_t i = 0; i < study->n_runs; i++)
    if (strcmp(study->runs[i].name, name) == 0) {
      *out = i;
      return VB_OK;
    }
  return vb_bad_input(error, "study %s has no case \"%s\"", study->name, name);
}

/// Windows of one case, and their median.
static vb_status time_case(const vb_run_plan *run, double slow, double *out, vb_error *error) {
  vb_bench_limits limits = vb_bench_limits_of("quick");
  vb_timed_solver timed = {0};
  vb_bench_case c = {0};
  limits.warm_s = LAUNCH_WARM_S;
  limits.sample_s = LAUNCH_SAMPLE_S;
  limits.precision = 0; // always the whole time, so that launches differ in nothing but chance
  limits.slow = slow;
  vb_status status = vb_bench_begin(&limits, run, &timed, &c, error);
  if (!status)
    status = vb_sample_warm(&timed, &limits, &c, error);
  if (!status)
    status = vb_sample_windows(&timed, &limits, NULL, &c, error);
  if (!status && !(c.step_s.median > 0))
    status = vb_error_set(error, VB_FAILED, "case %s has no valid window: %s", run->name,
                          timed.divergence.what);
  if (!status)
    *out = c.step_s.median;
  vb_timed_solver_close(&timed);
  vb_bench_case_free(&c);
  return status;
}

vb_status vb_bench_launch(const vb_study *study, const char *name, double slow, bool quiet,
                          vb_error *error) {
  size_t run;
  double seconds;
  vb_status status = find_run(study, name, &run, error);
  if (!status && !quiet)
    vb_bench_warn_of_others(stderr, vb_machine_busy());
  if (!status)
    status = time_case(&study->runs[run], slow, &seconds, error);
  if (!status)
    printf("%.17g\n", seconds);
  return status;
}

/// The two programs that are compared: this one, and this one with its slowdown [%] as text.
typedef struct rivals {
  char program[4096];
  char slow[2][32];
} rivals;

static vb_status launch(void *context, int which, double *seconds, vb_error *error) {
  rivals *r = context;
  char *arguments[] = {
      r->program,     "bench",   "--launch", (char *)TESTED_CASE, (char *)TESTED_STUDY, "--slow",
      r->slow[which], "--quiet", NULL};
  return vb_launch_program(arguments, seconds, error);
}

/// What is compared: equals for the margin, equals again, and the program with itself slowed.
enum { MARGIN, EQUAL, SLOWED, N_COMPARISONS };

/// Launches the pairs of all comparisons in turn, so that all see the same machine.
static vb_status launch_all(rivals *r, double log_ratios[N_COMPARISONS][VB_LAUNCH_PAIRS],
                            vb_progress *progress, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < VB_LAUNCH_PAIRS; i++)
    for (int k = 0; !status && k < N_COMPARISONS; k++) {
      snprintf(r->slow[0], sizeof r->slow[0], "0");
      snprintf(r->slow[1], sizeof r->slow[1], "%g", k == SLOWED ? 100 * INJECTED : 0);
      status = vb_launch_pair(launch, r, i, &log_ratios[k][i], error);
      vb_progress_update(progress, (int64_t)i * N_COMPARISONS + k + 1,
                         (int64_t)N_COMPARISONS * VB_LAUNCH_PAIRS);
    }
  return status;
}

/// Judges and tells.
static vb_comparison evaluate_ratios(const char *what, const double log_ratios[VB_LAUNCH_PAIRS],
                                     double margin) {
  vb_interval interval;
  vb_comparison verdict = vb_compare(log_ratios, VB_LAUNCH_PAIRS, margin, &interval);
  printf("  %-34s %+6.2f %% [%+.2f, %+.2f]  %s\n", what, 100 * expm1(interval.median),
         100 * expm1(interval.low), 100 * expm1(interval.high), vb_comparison_word(verdict));
  return verdict;
}

static vb_status conclude(double log_ratios[N_COMPARISONS][VB_LAUNCH_PAIRS]) {
  double margin = vb_comparison_margin(log_ratios[MARGIN], VB_LAUNCH_PAIRS);
  printf("  %-34s %6.2f %%\n", "margin, from 11 pairs of equals", 100 * expm1(margin));
  vb_comparison equal = evaluate_ratios("the program against itself", log_ratios[EQUAL], margin);
  vb_comparison slowed =
      evaluate_ratios("against itself slowed by 3 %", log_ratios[SLOWED], margin);
  if (margin > log1p(GREATEST_MARGIN)) {
    printf("INCONCLUSIVE: this machine's margin of %.2f %% is above %.0f %%: a slowdown of %.0f %% "
           "cannot be told\n",
           100 * expm1(margin), 100 * GREATEST_MARGIN, 100 * INJECTED);
    return VB_INCONCLUSIVE;
  }
  bool found = slowed == VB_COMPARED_SLOWER;
  bool imagined = equal == VB_COMPARED_SLOWER || equal == VB_COMPARED_FASTER;
  printf("%s: the slowdown is %s, and %s between equals\n",
         found && !imagined ? "PASSED" : "FAILED", found ? "found" : "NOT found",
         imagined ? "one is imagined" : "none");
  return found && !imagined ? VB_OK : VB_FAILED;
}

vb_status vb_bench_self_test(bool quiet, vb_error *error) {
  rivals r = {0};
  double log_ratios[N_COMPARISONS][VB_LAUNCH_PAIRS];
  vb_progress progress;
  ssize_t length = readlink("/proc/self/exe", r.program, sizeof r.program - 1);
  if (length < 0)
    return vb_error_set(error, VB_UNAVAILABLE, "cannot find the path of the program");
  printf("self-test: launches of case %s of %s in turn, 3 times 11 pairs\n", TESTED_CASE,
         TESTED_STUDY);
  vb_bench_warn_of_others(stdout, vb_machine_busy());
  fflush(stdout);
  vb_progress_init(&progress, !quiet);
  vb_progress_begin(&progress, "self-test", 0);
  vb_status status = launch_all(&r, log_ratios, &progress, error);
  vb_progress_end(&progress);
  return status ? status : conclude(log_ratios);
}
