// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/self_test.h"

#include "bench/measure_case.h"
#include "harness/compare_launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
  return vb_error_set(error, VB_BAD_INPUT, "study %s has no case \"%s\"", study->name, name);
}

/// Windows of one case, and their median.
static vb_status time_case(const vb_run_plan *run, double slow, double *out, vb_error *error) {
  vb_bench_limits limits = vb_bench_limits_of("quick");
  vb_subject subject = {0};
  vb_bench_case c = {0};
  limits.warm_s = LAUNCH_WARM_S;
  limits.sample_s = LAUNCH_SAMPLE_S;
  limits.precision = 0; // always the whole time, so that launches differ in nothing but chance
  limits.slow = slow;
  vb_status status = vb_bench_begin(&limits, run, &subject, &c, error);
  if (!status)
    status = vb_sample_warm(&subject, &limits, &c, error);
  if (!status)
    status = vb_sample_windows(&subject, &limits, NULL, &c, error);
  if (!status && !(c.step_s.median > 0))
    status = vb_error_set(error, VB_FAILED, "case %s has no valid window: %s", run->name,
                          subject.divergence.what);
  if (!status)
    *out = c.step_s.median;
  vb_subject_close(&subject);
  vb_bench_case_free(&c);
  return status;
}

vb_status vb_bench_launch(const vb_cli *cli, vb_error *error) {
  vb_study *study;
  size_t run;
  double seconds, slow = cli->slow ? strtod(cli->slow, NULL) / 100 : 0;
  if (cli->n_arguments != 1)
    return vb_error_set(error, VB_BAD_INPUT, "bench --launch wants the name of one study");
  vb_study_request request = {.name = cli->arguments[0],
                              .tier = cli->tier,
                              .parameters = cli->parameters,
                              .n_parameters = cli->n_parameters,
                              .solver = cli->solver,
                              .options = cli->options,
                              .n_options = cli->n_options};
  vb_status status = vb_study_load(&request, &study, error);
  if (status)
    return status;
  status = find_run(study, cli->launch, &run, error);
  if (!status)
    status = time_case(&study->runs[run], slow, &seconds, error);
  if (!status)
    printf("%.17g\n", seconds);
  vb_study_destroy(study);
  return status;
}

/// The two programs that are compared: this one, and this one with its slowdown [%] as text.
typedef struct rivals {
  char program[4096];
  char slow[2][32];
} rivals;

static vb_status launch(void *context, int which, double *seconds, vb_error *error) {
  rivals *r = context;
  char *arguments[] = {r->program,           "bench",  "--launch",     (char *)TESTED_CASE,
                       (char *)TESTED_STUDY, "--slow", r->slow[which], NULL};
  return vb_launch_program(arguments, seconds, error);
}

static vb_status compare(rivals *r, double slowdown, double log_ratios[VB_LAUNCH_PAIRS],
                         vb_error *error) {
  snprintf(r->slow[0], sizeof r->slow[0], "0");
  snprintf(r->slow[1], sizeof r->slow[1], "%g", 100 * slowdown);
  return vb_launch_pairs(launch, r, VB_LAUNCH_PAIRS, log_ratios, error);
}

static void tell(const char *what, vb_comparison verdict, const vb_interval *interval) {
  printf("  %-34s %+6.2f %% [%+.2f, %+.2f]  %s\n", what, 100 * expm1(interval->median),
         100 * expm1(interval->low), 100 * expm1(interval->high), vb_comparison_word(verdict));
  fflush(stdout);
}

/// Compares and tells; `*right` where the verdict is what it must be.
static vb_status trial(rivals *r, const char *what, double slowdown, double margin, bool *right,
                       vb_error *error) {
  double log_ratios[VB_LAUNCH_PAIRS];
  vb_interval interval;
  vb_status status = compare(r, slowdown, log_ratios, error);
  if (status)
    return status;
  vb_comparison verdict = vb_compare(log_ratios, VB_LAUNCH_PAIRS, margin, &interval);
  tell(what, verdict, &interval);
  *right = slowdown > 0 ? verdict == VB_COMPARED_SLOWER
                        : verdict != VB_COMPARED_SLOWER && verdict != VB_COMPARED_FASTER;
  return VB_OK;
}

static vb_status measure_margin(rivals *r, double *margin, vb_error *error) {
  double log_ratios[VB_LAUNCH_PAIRS];
  vb_status status = compare(r, 0, log_ratios, error);
  if (status)
    return status;
  *margin = vb_comparison_margin(log_ratios, VB_LAUNCH_PAIRS);
  printf("  %-34s %6.2f %%\n", "margin, from 11 pairs of equals", 100 * expm1(*margin));
  fflush(stdout);
  return VB_OK;
}

vb_status vb_bench_self_test(const vb_cli *cli, vb_error *error) {
  rivals r = {0};
  double margin;
  bool same = false, found = false;
  ssize_t length = readlink("/proc/self/exe", r.program, sizeof r.program - 1);
  if (cli->n_arguments > 0)
    return vb_error_set(error, VB_BAD_INPUT, "bench --self-test takes no study");
  if (length < 0)
    return vb_error_set(error, VB_UNAVAILABLE, "cannot tell where the program is");
  printf("self-test: launches of case %s of %s in turn, 3 times 11 pairs\n", TESTED_CASE,
         TESTED_STUDY);
  fflush(stdout);
  vb_status status = measure_margin(&r, &margin, error);
  if (status)
    return status;
  if (margin > log1p(GREATEST_MARGIN)) {
    printf("INCONCLUSIVE: this machine's margin of %.2f %% is above %.0f %%; it cannot tell a "
           "slowdown of %.0f %%\n",
           100 * expm1(margin), 100 * GREATEST_MARGIN, 100 * INJECTED);
    return VB_INCONCLUSIVE;
  }
  status = trial(&r, "the program against itself", 0, margin, &same, error);
  if (!status)
    status = trial(&r, "against itself slowed by 3 %", INJECTED, margin, &found, error);
  if (status)
    return status;
  printf("%s: the slowdown is %s, and %s between equals\n", same && found ? "PASSED" : "FAILED",
         found ? "found" : "NOT found", same ? "none" : "one is imagined");
  return same && found ? VB_OK : VB_FAILED;
}
