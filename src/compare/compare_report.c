// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_report.h"

#include "base/report_text.h"

#include <math.h>
#include <string.h>

static bool agrees(const vb_run_comparison *run) {
  return !run->refused && run->n_bad == 0 && strcmp(run->status[0], run->status[1]) == 0;
}

/// The quantity that comes nearest to what is allowed, or null where all are the same to the bit.
static const vb_quantity_result *nearest_miss(const vb_run_comparison *run) {
  const vb_quantity_result *nearest = NULL;
  double most = 0;
  for (size_t i = 0; i < run->n_quantities; i++) {
    const vb_difference *d = &run->quantities[i].difference;
    if (d->greatest > 0 && d->greatest / d->allowed > most) {
      most = d->greatest / d->allowed;
      nearest = &run->quantities[i];
    }
  }
  return nearest;
}

static void print_agreement(FILE *stream, const vb_run_comparison *run) {
  const vb_quantity_result *q = nearest_miss(run);
  char text[160];
  if (q)
    snprintf(text, sizeof text, "agree: %zu quantities; nearest: %s, %.2g of %.2g allowed",
             run->n_quantities, q->name, q->difference.greatest, q->difference.allowed);
  else
    snprintf(text, sizeof text, "agree: %zu quantities, all the same to the bit",
             run->n_quantities);
  vb_report_end(stream, "", text, VB_REPORT_WIDTH - 42);
}

static void print_difference(FILE *stream, const vb_quantity_result *q) {
  const vb_difference *d = &q->difference;
  vb_report_cell(stream, "    ", q->name, 27);
  switch (q->outcome) {
  case VB_MISSING_A:
    fputs(" MISSING in A\n", stream);
    return;
  case VB_MISSING_B:
    fputs(" MISSING in B\n", stream);
    return;
  case VB_OTHER_SHAPE:
    fprintf(stream, " OTHER SHAPE: %s\n", q->note);
    return;
  default:
    fprintf(stream, " %9.2e %9.2e %9.2e %9.2e  ", d->greatest, d->relative, vb_difference_rms(d),
            d->allowed);
    vb_report_end(stream, "", q->first, VB_REPORT_WIDTH - 73);
  }
  fprintf(stream, "      A %.17g, B %.17g [%s]; %zu of %zu numbers too far apart\n", d->first_a,
          d->first_b, q->unit, d->n_bad, d->n);
}

static void print_properties(FILE *stream, const vb_run_comparison *run,
                             const vb_compare_request *request) {
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++) {
    if (!run->differs[k] || k == VB_PROPERTY_HARDWARE)
      continue;
    bool refused = !request->allow[k];
    char text[300];
    snprintf(text, sizeof text, "%s: another %s: %s%s%s", refused ? "REFUSED" : "allowed",
             vb_run_property_word(k), run->difference_text[k],
             refused ? "; to compare all the same, add " : "", "");
    fprintf(stream, "    %s", text);
    if (refused)
      fprintf(stream, "--allow %s", vb_run_property_word(k));
    fputc('\n', stream);
  }
}

static void print_run(FILE *stream, const vb_run_comparison *run, const vb_compare_request *request,
                      bool brief) {
  char name[300];
  if (agrees(run) && brief)
    return;
  snprintf(name, sizeof name, "%s %s%s%s", run->study, run->run,
           strcmp(run->run, run->other) ? " and " : "",
           strcmp(run->run, run->other) ? run->other : "");
  fputs("  ", stream);
  if (agrees(run)) {
    vb_report_cell(stream, "", name, 38);
    fputs("  ", stream);
    print_agreement(stream, run);
  } else {
    vb_report_end(stream, "", name, VB_REPORT_WIDTH - 2);
  }
  if (!brief || run->refused)
    print_properties(stream, run, request);
  if (strcmp(run->status[0], run->status[1]) != 0)
    fprintf(stream, "    DIFFERS: A ended %s, B ended %s\n", run->status[0], run->status[1]);
  if (run->n_bad == 0)
    return;
  fprintf(stream, "    %-27s %9s %9s %9s %9s  %s\n", "quantity that DIFFERS", "max abs", "max rel",
          "rms", "allowed", "first");
  for (size_t i = 0; i < run->n_quantities; i++)
    if (run->quantities[i].outcome != VB_AGREES)
      print_difference(stream, &run->quantities[i]);
}

static const char *side(bool has, bool passed) {
  return !has ? "missing" : passed ? "passed" : "FAILED";
}

static void print_gates(FILE *stream, const vb_compare_result *result) {
  if (result->n_gates)
    fprintf(stream, "\n  %-38s %-30s %-20s %s\n", "gate that changed side", "runs", "A", "B");
  for (size_t i = 0; i < result->n_gates; i++) {
    const vb_gate_change *g = &result->gates[i];
    vb_report_cell(stream, "  ", g->name, 38);
    vb_report_cell(stream, " ", g->runs, 30);
    fprintf(stream, " %-7s %-12.5g %-7s %.5g\n", side(g->has[0], g->passed[0]), g->value[0],
            side(g->has[1], g->passed[1]), g->value[1]);
  }
}

/// Times stand side by side without a verdict, and only of one machine.
static void print_times(FILE *stream, const vb_compared *c) {
  size_t n = 0;
  double log_sum = 0;
  for (size_t i = 0; i < c->result->n_runs; i++) {
    const vb_run_comparison *r = &c->result->runs[i];
    if (r->refused ||
        (r->differs[VB_PROPERTY_HARDWARE] && !c->request->allow[VB_PROPERTY_HARDWARE]))
      continue;
    if (r->step_time[0] > 0 && r->step_time[1] > 0) {
      log_sum += log(r->step_time[1] / r->step_time[0]);
      n++;
    }
  }
  if (n)
    fprintf(
        stream,
        "Times are no verdict: B's steps took %.2f of A's here (geometric mean of %zu runs, one "
        "launch\neach); compare --launch finds out\n",
        exp(log_sum / (double)n), n);
}

void vb_compare_print(FILE *stream, const vb_compared *compared, bool brief) {
  const vb_compare_result *r = compared->result;
  size_t same = 0, refused = 0;
  fprintf(stream, "\ncompare A = %s\n        B = %s\n", compared->a, compared->b);
  for (size_t i = 0; i < r->n_runs; i++) {
    print_run(stream, &r->runs[i], compared->request, brief);
    same += agrees(&r->runs[i]);
    refused += r->runs[i].refused;
  }
  for (size_t i = 0; i < r->n_missing; i++)
    fprintf(stream, "  %s %s: MISSING in %c\n", r->missing[i].study, r->missing[i].run,
            r->missing[i].inside ? 'B' : 'A');
  print_gates(stream, r);
  fprintf(
      stream,
      "\n%zu of %zu runs agree, %zu differ, %zu refused, %zu missing; %zu of %zu gates changed\n",
      same, r->n_runs + r->n_missing, r->n_runs - same - refused, refused, r->n_missing, r->n_gates,
      r->n_compared_gates);
  print_times(stream, compared);
  vb_status verdict = vb_compare_verdict(r);
  fprintf(stream, "%s\n",
          verdict == VB_OK ? "SAME"
          : verdict == VB_FAILED
              ? "DIFFERENT"
              : "REFUSED: scene, solver, options or arithmetic differ; see --allow");
}
