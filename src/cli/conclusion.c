// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/conclusion.h"

#include "base/printable.h"
#include "base/report_text.h"
#include "base/terminal.h"
#include "cli/summary.h"
#include "gate/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Rows of tables that are printed unasked, and lines of failures or findings by name.
enum { SHORT_TABLE = 40, MOST_NAMED = 8 };

/// What gates and runs come to.
typedef struct counts {
  vb_verdict_counts gates;
  size_t runs, kept, diverged, missing; ///< missing: tried, and not recorded
  double wall_s;                        ///< of the solvers
} counts;

static void count(const vb_study_outcome *o, counts *out) {
  for (size_t g = 0; g < o->study->n_gates; g++)
    if (o->evaluated[g])
      vb_verdict_count(&out->gates, &o->study->gates[g], &o->verdicts[g]);
  for (size_t r = 0; r < o->study->n_runs; r++) {
    out->runs += o->runs[r].recorded;
    out->kept += o->runs[r].recorded && o->runs[r].kept;
    out->diverged += o->runs[r].recorded && o->runs[r].summary.diverged;
    out->missing += o->runs[r].error.status != VB_OK;
    out->wall_s += o->runs[r].recorded ? o->runs[r].summary.wall_s : 0;
  }
}

/// Whether the gates are a reason for an exit code of 1.
static bool fails(const vb_verdict_counts *c) {
  return c->failed || c->findings[VB_FINDING_WORSE] || c->findings[VB_FINDING_BETTER] ||
         c->findings[VB_FINDING_UNMEASURED];
}

bool vb_report_is_short(const vb_study_outcome *outcomes, size_t n) {
  counts all = {0};
  for (size_t i = 0; i < n; i++)
    count(&outcomes[i], &all);
  return all.gates.gates + all.runs <= SHORT_TABLE;
}

void vb_report_studies(const vb_study_outcome *outcomes, size_t n) {
  printf("\n  %-24s %15s %6s %9s\n", "study", "gates passed", "runs", "wall s");
  for (size_t i = 0; i < n; i++) {
    counts c = {0};
    char gates[48];
    count(&outcomes[i], &c);
    snprintf(gates, sizeof gates, "%zu of %zu", c.gates.passed, c.gates.gates);
    vb_report_cell(stdout, "  ", outcomes[i].study->name, 24);
    printf(" %15s %6zu %9.2f", gates, c.runs, c.wall_s);
    if (fails(&c.gates) || c.diverged || c.missing) {
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

/// A gate by the names of study, runs and itself, behind its verdict.
static void print_gate(const vb_study_outcome *o, size_t g) {
  const vb_gate *gate = &o->study->gates[g];
  const vb_verdict *verdict = &o->verdicts[g];
  char runs[256];
  vb_report_name_runs(gate, runs, sizeof runs);
  fputs("  ", stdout);
  vb_terminal_print_word(vb_verdict_word(gate, verdict),
                         vb_verdict_failed(gate, verdict) ? VB_RED : VB_YELLOW);
  printf(" %s, run %s: ", o->study->name, runs);
  vb_report_missed(stdout, gate, verdict);
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

/// Names the runs whose steps did not all converge. That is told, and no failure: where it matters,
/// a gate asks for it.
static void print_unconverged(const vb_conclusion *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    for (size_t r = 0; r < c->outcomes[i].study->n_runs; r++) {
      const vb_run_outcome *o = &c->outcomes[i].runs[r];
      if (!o->recorded || strcmp(o->summary.convergence, "no") != 0 || n++ >= MOST_NAMED)
        continue;
      fputs("  ", stdout);
      vb_terminal_print_word("not converged", VB_YELLOW);
      printf(" %s, run %s: %" PRId64 " of the steps judged, residual up to %.3g\n",
             c->outcomes[i].study->name, c->outcomes[i].study->runs[r].name, o->summary.missed,
             o->summary.worst);
    }
  print_more(n);
}

/// Whether a gate has that verdict. Failures are asked for as VB_NO_FINDING; findings as expected
/// are those that are missed.
static bool has_verdict(const vb_study_outcome *o, size_t g, vb_finding finding) {
  const vb_gate *gate = &o->study->gates[g];
  const vb_verdict *v = &o->verdicts[g];
  if (!o->evaluated[g] || gate->finding != (finding != VB_NO_FINDING))
    return false;
  return gate->finding ? v->finding == finding && !(v->passed && finding == VB_FINDING_EXPECTED)
                       : !v->passed;
}

/// Names the gates of a verdict.
static void print_gates(const vb_conclusion *c, vb_finding finding) {
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    for (size_t g = 0; g < c->outcomes[i].study->n_gates; g++)
      if (has_verdict(&c->outcomes[i], g, finding) && n++ < MOST_NAMED)
        print_gate(&c->outcomes[i], g);
  print_more(n);
}

/// The last line: of studies without findings how many gates passed, of others how many gates have
/// which verdict.
static void print_gate_counts(const vb_verdict_counts *c) {
  static const vb_finding others[] = {VB_FINDING_UNMEASURED, VB_FINDING_NO_BAND, VB_FINDING_FREE};
  char text[96];
  if (c->gates == 0)
    return;
  bool findings = c->n_findings > 0;
  snprintf(text, sizeof text, findings ? "%zu passed" : "%zu of %zu gates passed", c->passed,
           c->gates);
  vb_terminal_print_word(text, fails(c) ? VB_RED : VB_GREEN);
  if (findings) {
    printf(", %zu finding%s as expected, %zu worse, %zu better", c->expected,
           c->expected == 1 ? "" : "s", c->findings[VB_FINDING_WORSE],
           c->findings[VB_FINDING_BETTER]);
    if (c->failed)
      printf(", %zu failed", c->failed);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      if (c->findings[others[i]])
        printf(", %zu %s", c->findings[others[i]], vb_finding_words[others[i]]);
  }
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
  for (int k = VB_FINDING_FREE; k >= VB_NO_FINDING; k--)
    print_gates(conclusion, (vb_finding)k);
  print_unconverged(conclusion);
  print_failed_runs(conclusion);
  printf("%zu run%s of %zu stud%s", c.runs, c.runs == 1 ? "" : "s", conclusion->n,
         conclusion->n == 1 ? "y" : "ies");
  if (c.kept)
    printf(", %zu kept from before", c.kept);
  printf(", in %.1f s\n", conclusion->seconds);
  print_files(conclusion);
  if (!vb_report_is_short(conclusion->outcomes, conclusion->n))
    puts("all gates and timings: run --verbose; one run's numbers: table FILE");
  print_gate_counts(&c.gates);
}
