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

/// How the tables are laid out: as wide as their longest names, or as a terminal allows.
typedef struct layout {
  int width; ///< of lines
  int run;   ///< columns of the names of runs that agree
  int quantity;
  bool narrow; ///< without the columns that are needed least
} layout;

/// Columns of a terminal below which tables are narrow.
enum { WIDE = 100 };

/// "STUDY RUN", and the name of B's run where it is another.
static void name_run(const vb_run_comparison *run, char *out, size_t size) {
  bool other = strcmp(run->run, run->other) != 0;
  snprintf(out, size, "%s %s%s%s", run->study, run->run, other ? " and " : "",
           other ? run->other : "");
}

static int longer(int a, int b) {
  return a > b ? a : b;
}

static layout lay_out(FILE *stream, const vb_compare_result *r) {
  layout at = {.width = vb_terminal_width(stream), .run = 4, .quantity = 21};
  char name[300];
  at.narrow = at.width < WIDE - 1;
  for (size_t i = 0; i < r->n_runs; i++) {
    const vb_run_comparison *run = &r->runs[i];
    name_run(run, name, sizeof name);
    if (agrees(run))
      at.run = longer(at.run, vb_report_columns(name));
    for (size_t k = 0; k < run->n_quantities; k++)
      if (run->quantities[k].outcome != VB_AGREES)
        at.quantity = longer(at.quantity, vb_report_columns(run->quantities[k].name));
  }
  at.run = vb_report_name_width(stream, at.run, 4 + (at.narrow ? 30 : 60));
  at.quantity = vb_report_name_width(stream, at.quantity, 4 + (at.narrow ? 34 : 62));
  return at;
}

static void print_agreement(FILE *stream, const vb_run_comparison *run, layout at) {
  const vb_quantity_result *q = nearest_miss(run);
  char text[160];
  if (q)
    snprintf(text, sizeof text, "agree: %zu quantities; nearest: %s, %.2g of %.2g allowed",
             run->n_quantities, q->name, q->difference.greatest, q->difference.allowed);
  else
    snprintf(text, sizeof text, "agree: %zu quantities, bitwise the same", run->n_quantities);
  vb_report_end(stream, "", text, at.width - at.run - 4);
}

static void print_difference(FILE *stream, const vb_quantity_result *q, layout at) {
  const vb_difference *d = &q->difference;
  char text[400];
  vb_report_name(stream, "    ", q->name, at.quantity);
  switch (q->outcome) {
  case VB_MISSING_A:
    fputs(" MISSING in A\n", stream);
    return;
  case VB_MISSING_B:
    fputs(" MISSING in B\n", stream);
    return;
  case VB_OTHER_SHAPE:
    snprintf(text, sizeof text, "OTHER SHAPE: %s", q->note);
    vb_report_words(stream, " ", text, at.quantity + 5, at.width);
    return;
  default:
    fprintf(stream, " %9.2e", d->greatest);
    if (!at.narrow)
      fprintf(stream, " %9.2e %9.2e", d->relative, vb_difference_rms(d));
    fprintf(stream, " %9.2e", d->allowed);
    if (at.narrow)
      fputc('\n', stream);
    else
      vb_report_end(stream, "  ", q->first, at.width - at.quantity - 46);
  }
  snprintf(text, sizeof text, "%s%sA %.17g, B %.17g [%s]; %zu of %zu numbers beyond the tolerance",
           at.narrow ? q->first : "", at.narrow ? ": " : "", d->first_a, d->first_b, q->unit,
           d->n_bad, d->n);
  vb_report_words(stream, "      ", text, 6, at.width);
}

static void print_properties(FILE *stream, const vb_run_comparison *run,
                             const vb_compare_request *request, layout at) {
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++) {
    if (!run->differs[k] || k == VB_PROPERTY_HARDWARE)
      continue;
    const char *word = vb_run_property_word(k);
    bool refused = !request->allow[k];
    char text[400];
    snprintf(text, sizeof text, ": different %s: %s%s%s", word, run->difference_text[k],
             refused ? "; to compare anyway, add --allow " : "", refused ? word : "");
    fputs("    ", stream);
    vb_report_word(stream, refused ? "REFUSED" : "allowed", refused ? VB_RED : VB_PLAIN);
    vb_report_words(stream, "", text, 11, at.width);
  }
}

static void print_run(FILE *stream, const vb_run_comparison *run, const vb_compare_request *request,
                      bool brief, layout at) {
  char name[300];
  if (agrees(run) && brief)
    return;
  name_run(run, name, sizeof name);
  fputs("  ", stream);
  if (agrees(run)) {
    vb_report_name(stream, "", name, at.run);
    fputs("  ", stream);
    print_agreement(stream, run, at);
  } else {
    vb_report_words(stream, "", name, 2, at.width);
  }
  if (!brief || run->refused)
    print_properties(stream, run, request, at);
  if (strcmp(run->status[0], run->status[1]) != 0)
    fprintf(stream, "    DIFFERS: A ended %s, B ended %s\n", run->status[0], run->status[1]);
  if (run->n_bad == 0)
    return;
  fprintf(stream, "    %-*s %9s", at.quantity, "quantity that DIFFERS", "max abs");
  if (!at.narrow)
    fprintf(stream, " %9s %9s", "max rel", "rms");
  fprintf(stream, " %9s%s\n", "allowed", at.narrow ? "" : "  first");
  for (size_t i = 0; i < run->n_quantities; i++)
    if (run->quantities[i].outcome != VB_AGREES)
      print_difference(stream, &run->quantities[i], at);
}

static const char *side(bool has, bool passed) {
  return !has ? "missing" : passed ? "passed" : "FAILED";
}

static void print_gates(FILE *stream, const vb_compare_result *result, layout at) {
  const char *title = at.narrow ? "changed gate" : "gate that changed side";
  int name = vb_report_columns(title), runs = 4;
  if (result->n_gates == 0)
    return;
  for (size_t i = 0; i < result->n_gates; i++) {
    name = longer(name, vb_report_columns(result->gates[i].name));
    runs = longer(runs, vb_report_columns(result->gates[i].runs));
  }
  runs = at.narrow ? 0 : vb_report_name_width(stream, runs, at.width / 3 * 2);
  name = vb_report_name_width(stream, name, at.narrow ? 40 : runs + 44);
  vb_report_cell(stream, "\n  ", title, name);
  if (!at.narrow)
    vb_report_cell(stream, " ", "runs", runs);
  fprintf(stream, at.narrow ? " %-18s B\n" : " %-20s B\n", "A");
  for (size_t i = 0; i < result->n_gates; i++) {
    const vb_gate_change *g = &result->gates[i];
    vb_report_name(stream, "  ", g->name, name);
    if (!at.narrow)
      vb_report_name(stream, " ", g->runs, runs);
    fprintf(stream, at.narrow ? " %-7s %-10.4g %-7s %.4g\n" : " %-7s %-12.5g %-7s %.5g\n",
            side(g->has[0], g->passed[0]), g->value[0], side(g->has[1], g->passed[1]), g->value[1]);
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
  char text[200];
  if (n == 0)
    return;
  snprintf(text, sizeof text,
           "Times are not judged: B's steps took %.2f of A's here (geometric mean of %zu run%s, "
           "one launch each); use compare --launch",
           exp(log_sum / (double)n), n, n == 1 ? "" : "s");
  int width = vb_terminal_width(stream);
  vb_report_words(stream, "", text, 0, width < VB_REPORT_WIDTH ? width : VB_REPORT_WIDTH);
}

void vb_compare_print(FILE *stream, const vb_compared *compared, bool brief) {
  const vb_compare_result *r = compared->result;
  layout at = lay_out(stream, r);
  size_t same = 0, refused = 0;
  char text[240];
  fprintf(stream, "\ncompare A = %s\n        B = %s\n", compared->a, compared->b);
  for (size_t i = 0; i < r->n_runs; i++) {
    print_run(stream, &r->runs[i], compared->request, brief, at);
    same += agrees(&r->runs[i]);
    refused += r->runs[i].refused;
  }
  for (size_t i = 0; i < r->n_missing; i++)
    fprintf(stream, "  %s %s: MISSING in %c\n", r->missing[i].study, r->missing[i].run,
            r->missing[i].inside ? 'B' : 'A');
  print_gates(stream, r, at);
  snprintf(text, sizeof text,
           "%zu of %zu runs agree, %zu differ, %zu refused, %zu missing; %zu of %zu gates changed",
           same, r->n_runs + r->n_missing, r->n_runs - same - refused, refused, r->n_missing,
           r->n_gates, r->n_compared_gates);
  vb_report_words(stream, "\n", text, 0, at.width);
  print_times(stream, compared);
  vb_status verdict = vb_compare_verdict(r);
  vb_report_word(stream,
                 verdict == VB_OK       ? "SAME"
                 : verdict == VB_FAILED ? "DIFFERENT"
                                        : "REFUSED",
                 verdict == VB_OK ? VB_GREEN : VB_RED);
  vb_report_words(stream, "",
                  verdict == VB_OK || verdict == VB_FAILED
                      ? ""
                      : ": scene, solver, options or arithmetic differ; see --allow",
                  7, at.width);
}
