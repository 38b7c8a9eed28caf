// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_launch.h"

#include "base/report_text.h"
#include "bench/bench_report.h"
#include "compare/launch_session.h"
#include "results/provenance.h"

#include <math.h>
#include <stdio.h>

static vb_status launch(void *context, int which, double *seconds, vb_error *error) {
  const vb_launch_request *r = context;
  char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, r->command[which], NULL};
  if (!r->reported)
    return vb_launch_command(r->command[which], seconds, error);
  vb_status status = vb_launch_program(arguments, seconds, error);
  if (status == VB_FAILED)
    status = vb_error_set(error, VB_BAD_INPUT,
                          "\"%s\" must print its time in seconds, a positive number and nothing "
                          "else, and end with 0",
                          r->command[which]);
  return status;
}

static double percent(double log_ratio) {
  return 100 * expm1(log_ratio);
}

static void print_session(const vb_launch_request *r, double busy, const vb_launch_session *s) {
  vb_provenance origin;
  vb_provenance_collect(&origin);
  printf("\ncompare A = %s\n        B = %s\n", r->command[0], r->command[1]);
  printf("  on %s (%s), %d processors; %d launches in turn\n", origin.host, origin.cpu,
         origin.threads, VB_SESSION_LAUNCHES);
  vb_bench_warn_of_others(stdout, busy);
  printf("  what is timed            %s\n",
         r->reported ? "the seconds that each launch prints"
                     : "each launch's whole process, from its start to its end");
  printf("  median of A, of B        %.6g s, %.6g s\n",
         vb_quantile(s->time[0], VB_LAUNCH_PAIRS, 0.5),
         vb_quantile(s->time[1], VB_LAUNCH_PAIRS, 0.5));
  printf("  margin, A against A      %.2f %%, of %d pairs\n", percent(s->margin), VB_LAUNCH_PAIRS);
  printf("  B against A              %+.2f %% [%+.2f, %+.2f], of %d pairs\n",
         percent(s->interval.median), percent(s->interval.low), percent(s->interval.high),
         VB_LAUNCH_PAIRS);
  if (s->verdict == VB_COMPARED_INCONCLUSIVE)
    printf("INCONCLUSIVE: within this machine's margin of %.2f %% nothing can be told%s\n",
           percent(s->margin),
           s->margin > log1p(VB_MAX_MARGIN) ? "; above 2 % it is too restless" : "");
  else
    printf("%s\n", vb_comparison_word(s->verdict));
}

static vb_status print_json(const vb_launch_request *r, double busy, const vb_launch_session *s,
                            int code, vb_error *error) {
  vb_provenance origin;
  vb_provenance_collect(&origin);
  json_t *document = json_pack(
      "{s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:s, s:i}", "a",
      r->command[0], "b", r->command[1], "timed", r->reported ? "reported" : "process", "host",
      origin.host, "cpu", origin.cpu, "threads", origin.threads, "busy", busy, "seconds_a",
      vb_report_numbers(s->time[0], VB_LAUNCH_PAIRS), "seconds_b",
      vb_report_numbers(s->time[1], VB_LAUNCH_PAIRS), "log_ratio_equal",
      vb_report_numbers(s->equal, VB_LAUNCH_PAIRS), "log_ratio",
      vb_report_numbers(s->log_ratio, VB_LAUNCH_PAIRS), "margin", expm1(s->margin), "change",
      expm1(s->interval.median), "change_low", expm1(s->interval.low), "change_high",
      expm1(s->interval.high), "verdict", vb_comparison_word(s->verdict), "exit_code", code);
  return vb_report_document(stdout, document, error);
}

vb_status vb_compare_launch(const vb_launch_request *request, vb_error *error) {
  vb_launch_session session;
  vb_progress progress;
  double busy = vb_machine_busy(); // by others, before the first launch
  vb_progress_init(&progress, !request->quiet);
  vb_progress_begin(&progress, "launches");
  vb_launch_request r = *request;
  vb_status status = vb_launch_session_run(launch, &r, &progress, &session, error);
  vb_progress_end(&progress);
  if (status)
    return status;
  vb_status verdict = session.verdict == VB_COMPARED_SLOWER         ? VB_FAILED
                      : session.verdict == VB_COMPARED_INCONCLUSIVE ? VB_INCONCLUSIVE
                                                                    : VB_OK;
  if (r.json)
    status = print_json(&r, busy, &session, (int)verdict, error);
  else
    print_session(&r, busy, &session);
  return status ? status : verdict;
}
