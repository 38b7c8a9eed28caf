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

/// The solver under test.
#define OUR_SOLVER "viper"

/// Residual from which on a run is out of balance: a tenth of all forces.
static const double OUT_OF_BALANCE = 0.1;

/// What gates and runs come to.
typedef struct counts {
  vb_verdict_counts gates;
  size_t runs, kept, diverged, missing; ///< missing: tried, and not recorded
  size_t published;                     ///< findings as expected that are not of our methods
  double wall_s;                        ///< of the solvers
} counts;

static const vb_run_plan *find_run(const vb_study *study, const char *name) {
  for (size_t r = 0; r < study->n_runs; r++)
    if (strcmp(study->runs[r].name, name) == 0)
      return &study->runs[r];
  return NULL;
}

/// Whether a run is by one of our own methods: those of the solver under test that are not called
/// published.
static bool is_ours(const vb_run_plan *run) {
  bool ours = strcmp(run->solver, OUR_SOLVER) == 0;
  for (size_t i = 0; ours && i < run->n_options; i++)
    ours = !strstr(run->options[i].value, "published");
  return ours;
}

/// Whether a gate speaks of a run that is not by our methods.
static bool is_published(const vb_study *study, const vb_gate *gate) {
  for (size_t i = 0; i < gate->n_runs; i++) {
    const vb_run_plan *run = find_run(study, gate->runs[i]);
    if (run && !is_ours(run))
      return true;
  }
  return false;
}

/// Whether a gate is a finding that is missed as its band says.
static bool is_expected(const vb_gate *gate, const vb_verdict *verdict) {
  return gate->finding && !verdict->passed && verdict->finding == VB_FINDING_EXPECTED;
}

static void count(const vb_study_outcome *o, counts *out) {
  for (size_t g = 0; g < o->study->n_gates; g++)
    if (o->evaluated[g]) {
      const vb_gate *gate = &o->study->gates[g];
      vb_verdict_count(&out->gates, gate, &o->verdicts[g]);
      out->published += is_expected(gate, &o->verdicts[g]) && is_published(o->study, gate);
    }
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

/// Whether a gate that failed speaks of the run alone or among others.
static bool has_failed(const vb_study_outcome *o, const char *run) {
  for (size_t g = 0; g < o->study->n_gates; g++) {
    const vb_gate *gate = &o->study->gates[g];
    if (o->evaluated[g] && vb_verdict_failed(gate, &o->verdicts[g]))
      for (size_t i = 0; i < gate->n_runs; i++)
        if (strcmp(gate->runs[i], run) == 0)
          return true;
  }
  return false;
}

bool vb_report_lacks_balance(const vb_study_outcome *o, size_t run) {
  const vb_run_summary *s = &o->runs[run].summary;
  return o->runs[run].recorded && strcmp(s->convergence, "not judged") == 0 &&
         s->residual >= OUT_OF_BALANCE && has_failed(o, o->study->runs[run].name);
}

/// Says of a run without balance what to do about it.
static void print_unbalanced(const vb_study_outcome *o, size_t run) {
  const vb_run_plan *plan = &o->study->runs[run];
  bool viper = strcmp(plan->solver, OUR_SOLVER) == 0, direct = false;
  for (size_t i = 0; i < plan->n_options; i++)
    direct |= strcmp(plan->options[i].name, "method") == 0 &&
              strcmp(plan->options[i].value, "direct") == 0;
  fputs("  ", stdout);
  vb_terminal_print_word("not converged", VB_RED);
  printf(" %s, run %s: residual %.2g at the end (1: no balance at all)\n      ", o->study->name,
         plan->name, o->runs[run].summary.residual);
  puts(!viper   ? "its solver needs more iterations, or shorter steps"
       : direct ? "use more --iterations or --substeps"
                : "use --method direct, or many more --iterations and --substeps");
}

/// Names the runs that are out of balance.
static void print_all_unbalanced(const vb_conclusion *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    for (size_t r = 0; r < c->outcomes[i].study->n_runs; r++)
      if (vb_report_lacks_balance(&c->outcomes[i], r) && n++ < MOST_NAMED)
        print_unbalanced(&c->outcomes[i], r);
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
      printf(" %s, run %s: %" PRId64 " of the steps judged, residual up to %.3g",
             c->outcomes[i].study->name, c->outcomes[i].study->runs[r].name, o->summary.missed,
             o->summary.worst);
      if (o->summary.energy_gain > VB_GREATEST_GAIN)
        printf(", energy from nothing %.2g of what there was", o->summary.energy_gain);
      putchar('\n');
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

/// Tells what findings are, where there are any that are missed, and whose.
static void explain_findings(const counts *c) {
  size_t n = c->gates.expected;
  if (n == 0)
    return;
  printf("findings test a model or a method, not this program, and may be missed within\n"
         "their bands: %zu of our methods, %zu of published ones and other solvers\n",
         n - c->published, c->published);
}

/// Whether run `r` of study `i` is asked for: chosen, and of this shard.
static bool is_asked_for(const vb_conclusion *c, size_t i, size_t r) {
  return i < c->n ? c->outcomes[i].runs[r].mine : vb_study_is_chosen(c->studies[i], r, c->only);
}

/// Likewise a gate: all its runs are.
static bool is_gate_asked_for(const vb_conclusion *c, size_t i, const vb_gate *gate) {
  for (size_t k = 0; k < gate->n_runs; k++) {
    const vb_run_plan *run = find_run(c->studies[i], gate->runs[k]);
    if (run && !is_asked_for(c, i, (size_t)(run - c->studies[i]->runs)))
      return false;
  }
  return true;
}

void vb_conclude_missing(FILE *out, const vb_conclusion *c) {
  size_t runs = 0, gates = 0, no_run = 0, no_gate = 0;
  for (size_t i = 0; i < c->n_studies; i++) {
    const vb_study *study = c->studies[i];
    for (size_t r = 0; r < study->n_runs; r++)
      if (is_asked_for(c, i, r)) {
        runs++;
        no_run += i >= c->n || !c->outcomes[i].runs[r].recorded;
      }
    for (size_t g = 0; g < study->n_gates; g++)
      if (is_gate_asked_for(c, i, &study->gates[g])) {
        gates++;
        no_gate += i >= c->n || !c->outcomes[i].evaluated[g];
      }
  }
  fprintf(out, "%s%zu of %zu runs", c->stopped ? "stopped: " : "", no_run, runs);
  if (gates > 0)
    fprintf(out, " and %zu of %zu gates", no_gate, gates);
  fprintf(out, " are missing%s", c->stopped ? "; the same command goes on" : "");
}

/// The last line: of studies without findings how many gates passed, of others how many gates have
/// which verdict.
static void print_gate_counts(const vb_verdict_counts *c) {
  static const vb_finding others[] = {VB_FINDING_UNMEASURED, VB_FINDING_NO_BAND, VB_FINDING_FREE};
  char text[96];
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
  if (conclusion->n == 0 && !conclusion->stopped)
    return;
  putchar('\n');
  for (int k = VB_FINDING_FREE; k >= VB_NO_FINDING; k--)
    print_gates(conclusion, (vb_finding)k);
  print_all_unbalanced(conclusion);
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
  explain_findings(&c);
  if (c.gates.gates > 0)
    print_gate_counts(&c.gates);
  bool missing = conclusion->stopped || c.missing > 0;
  if (missing && c.gates.gates > 0)
    fputs("; ", stdout);
  if (missing)
    vb_conclude_missing(stdout, conclusion);
  if (missing || c.gates.gates > 0)
    putchar('\n');
}
