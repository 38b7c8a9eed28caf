// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/conclusion.h"

#include "base/printable.h"
#include "base/report_text.h"
#include "base/terminal.h"
#include "cli/summary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Rows of tables that are printed unasked, and lines of failures or findings by name.
enum { SHORT_TABLE = 40, MOST_NAMED = 8 };

/// What gates and runs come to.
typedef struct counts {
  size_t gates, passed, findings, failed;
  size_t runs, kept, diverged, missing; ///< missing: tried, and not recorded
  double wall_s;                        ///< of the solvers
} counts;

static void count(const vb_study_outcome *o, counts *out) {
  for (size_t g = 0; g < o->study->n_gates; g++) {
    bool finding = o->study->gates[g].finding && !o->verdicts[g].passed;
    if (!o->evaluated[g])
      continue;
    out->gates++;
    out->passed += o->verdicts[g].passed;
    out->findings += finding;
    out->failed += !o->verdicts[g].passed && !finding;
  }
  for (size_t r = 0; r < o->study->n_runs; r++) {
    out->runs += o->runs[r].recorded;
    out->kept += o->runs[r].recorded && o->runs[r].kept;
    out->diverged += o->runs[r].recorded && o->runs[r].summary.diverged;
    out->missing += o->runs[r].error.status != VB_OK;
    out->wall_s += o->runs[r].recorded ? o->runs[r].summary.wall_s : 0;
  }
}

bool vb_report_is_short(const vb_study_outcome *outcomes, size_t n) {
  counts all = {0};
  for (size_t i = 0; i < n; i++)
    count(&outcomes[i], &all);
  return all.gates + all.runs <= SHORT_TABLE;
}

void vb_report_studies(const vb_study_outcome *outcomes, size_t n) {
  printf("\n  %-24s %15s %6s %9s\n", "study", "gates passed", "runs", "wall s");
  for (size_t i = 0; i < n; i++) {
    counts c = {0};
    char gates[48];
    count(&outcomes[i], &c);
    snprintf(gates, sizeof gates, "%zu of %zu", c.passed, c.gates);
    vb_report_cell(stdout, "  ", outcomes[i].study->name, 24);
    printf(" %15s %6zu %9.2f", gates, c.runs, c.wall_s);
    if (c.failed || c.diverged || c.missing) {
      fputs("  ", stdout);
      vb_terminal_print_word("FAILED", VB_RED);
    }
    putchar('\n');
  }
}

/// Prints "more" where not all of `n` lines of a kind were.
static void print_more(size_t n) {
  if (n > MOST_NAMED)
    printf("  and %zu more, which run --verbose shows\n", n - MOST_NAMED);
}

/// A gate that was missed: names of study, runs and gate, and by what.
static void print_missed(const vb_study_outcome *o, size_t g, const char *word, vb_color color) {
  const vb_gate *gate = &o->study->gates[g];
  char runs[256];
  vb_report_name_runs(gate, runs, sizeof runs);
  fputs("  ", stdout);
  vb_terminal_print_word(word, color);
  printf(" %s, run %s: ", o->study->name, runs);
  vb_report_missed(stdout, gate, &o->verdicts[g]);
}

static void print_failed_runs(const vb_conclusion *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    for (size_t r = 0; r < c->outcomes[i].study->n_runs; r++) {
      const vb_run_outcome *o = &c->outcomes[i].runs[r];
      bool diverged = o->recorded && o->summary.diverged;
      if ((!diverged && !o->error.status) || n++ >= MOST_NAMED)
        continue;
      fputs("  ", stdout);
      vb_terminal_print_word(diverged ? "DIVERGED" : "NOT RUN", VB_RED);
      printf(" %s, run %s%s%s\n", c->outcomes[i].study->name, c->outcomes[i].study->runs[r].name,
             diverged ? ": " : "", diverged ? o->summary.what : "");
    }
  print_more(n);
}

/// Names the gates that were missed: those that are findings, or the failures.
static void print_gates(const vb_conclusion *c, bool findings) {
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    for (size_t g = 0; g < c->outcomes[i].study->n_gates; g++) {
      const vb_study_outcome *o = &c->outcomes[i];
      if (o->evaluated[g] && !o->verdicts[g].passed && o->study->gates[g].finding == findings &&
          n++ < MOST_NAMED)
        print_missed(o, g, findings ? "finding" : "FAILED", findings ? VB_YELLOW : VB_RED);
    }
  print_more(n);
}

static void print_gate_counts(const counts *c) {
  char text[96];
  if (c->gates == 0)
    return;
  snprintf(text, sizeof text, "%zu of %zu gates passed", c->passed, c->gates);
  vb_terminal_print_word(text, c->failed ? VB_RED : VB_GREEN);
  if (c->findings)
    printf("; %zu other%s about the model, not %s", c->findings,
           c->findings > 1 ? "s are findings" : " is a finding",
           c->findings > 1 ? "failures" : "a failure");
  putchar('\n');
}

/// Whether the folder has FOLDER/NAME.END; its path is left in `path`.
static bool has_file(const char *folder, const char *name, const char *end, char *path,
                     size_t size) {
  return snprintf(path, size, "%s/%s.%s", folder, name, end) < (int)size && access(path, R_OK) == 0;
}

/// Names what there is to open: a page rather than single figures.
static void print_files(const vb_conclusion *c) {
  char path[4096], figure[4096] = "";
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->outcomes[i].study->figure && c->outcomes[i].indexed &&
        has_file(c->folder, c->outcomes[i].study->name, "svg", path, sizeof path)) {
      memcpy(figure, path, sizeof figure);
      n++;
    }
  if (n == 1)
    printf("figure: %s\n", figure);
  else if (n > 1)
    printf("figures: %s/*.svg, of %zu studies\n", c->folder, n);
  for (size_t i = 0; i < c->n_includes; i++)
    if (has_file(c->folder, c->includes[i]->name, "md", path, sizeof path))
      printf("page: %s\n", path);
}

void vb_conclude(const vb_conclusion *conclusion) {
  counts c = {0};
  for (size_t i = 0; i < conclusion->n; i++)
    count(&conclusion->outcomes[i], &c);
  if (conclusion->n == 0)
    return;
  putchar('\n');
  print_gates(conclusion, true);
  print_gates(conclusion, false);
  print_failed_runs(conclusion);
  printf("%zu run%s of %zu stud%s", c.runs, c.runs == 1 ? "" : "s", conclusion->n,
         conclusion->n == 1 ? "y" : "ies");
  if (c.kept)
    printf(", %zu kept from before", c.kept);
  printf(", in %.1f s\n", conclusion->seconds);
  print_files(conclusion);
  if (!vb_report_is_short(conclusion->outcomes, conclusion->n))
    puts("all gates and timings: run --verbose; one run's numbers: table FILE");
  print_gate_counts(&c);
}
