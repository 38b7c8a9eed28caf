// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_parts.h"

#include <string.h>

/// Writes the address of a study: a place in this page, or its own page.
static void put_address(FILE *out, const vb_page *page, const vb_report_study *s) {
  char address[512];
  if (page->pages) {
    page->pages(s, address, sizeof address);
    vb_html_text(out, page->folder ? page->folder : "");
    vb_html_text(out, address);
    return;
  }
  fputs("#study-", out);
  vb_html_anchor(out, s->name);
}

/// Whether a gate is a finding that is missed and fails nothing.
static bool is_finding(const vb_gate_record *g) {
  return !vb_report_gate_failed(g) && !g->passed;
}

static void put_gate(FILE *out, const vb_page *page, const vb_report_study *s,
                     const vb_gate_record *g) {
  fputs("<li><a href=\"", out);
  put_address(out, page, s);
  vb_html_print(out, "\">%s</a>: %s", s->name, g->name);
  vb_html_print(out, " <span class=\"aside\">(%s: found ", g->runs);
  vb_html_number(out, g->value, 6);
  vb_html_print(out, ", expected %s", vb_page_sign(g));
  vb_html_number(out, g->reference, 6);
  vb_html_print(out, "%s%s)</span></li>\n", g->finding ? "; " : "",
                g->finding ? vb_report_gate_word(g) : "");
}

/// Lists the gates that fail.
static void put_failures(FILE *out, const vb_page *page) {
  const vb_report_results *r = page->results;
  fputs("<ul class=\"list\">\n", out);
  for (size_t i = 0; i < r->n_studies; i++)
    for (size_t k = 0; k < r->studies[i].n_gates; k++)
      if (vb_report_gate_failed(&r->studies[i].gates[k]))
        put_gate(out, page, &r->studies[i], &r->studies[i].gates[k]);
  fputs("</ul>\n", out);
}

/// Lists the findings with that verdict, folded under what it means.
static void put_findings(FILE *out, const vb_page *page, const char *word, const char *meaning) {
  const vb_report_results *r = page->results;
  size_t n = 0;
  for (size_t i = 0; i < r->n_studies; i++)
    for (size_t k = 0; k < r->studies[i].n_gates; k++) {
      const vb_gate_record *g = &r->studies[i].gates[k];
      n += is_finding(g) && strcmp(vb_report_gate_word(g), word) == 0;
    }
  if (n == 0)
    return;
  vb_html_print(out, "<details class=\"findings\"><summary>%zu %s: %s</summary>\n", n, word,
                meaning);
  fputs("<ul class=\"list\">\n", out);
  for (size_t i = 0; i < r->n_studies; i++)
    for (size_t k = 0; k < r->studies[i].n_gates; k++) {
      const vb_gate_record *g = &r->studies[i].gates[k];
      if (is_finding(g) && strcmp(vb_report_gate_word(g), word) == 0)
        put_gate(out, page, &r->studies[i], g);
    }
  fputs("</ul></details>\n", out);
}

/// Findings by their verdict (gate/finding.h).
static void put_all_findings(FILE *out, const vb_page *page) {
  static const struct {
    const char *word, *meaning;
  } VERDICTS[] = {
      {"as expected", "the model or method misses the gate as it did before, within its band"},
      {"no band", "missed; there is no earlier value to compare with"},
      {"not judged", "missed by other settings than those of the band"},
      {"finding", "missed; recorded before there were bands"}};
  fputs(
      "<h3>Findings</h3>\n<p>Gates that test a model or a method, and not the program. They may be "
      "missed.</p>\n",
      out);
  for (size_t i = 0; i < sizeof VERDICTS / sizeof *VERDICTS; i++)
    put_findings(out, page, VERDICTS[i].word, VERDICTS[i].meaning);
}

static void put_bad_runs(FILE *out, const vb_report_results *r) {
  fputs("<h3>Runs that did not end</h3>\n<ul class=\"list\">\n", out);
  for (size_t i = 0; i < r->n_studies; i++)
    for (size_t k = 0; k < r->studies[i].n_runs && !r->studies[i].speeds; k++) {
      const vb_report_run *run = &r->studies[i].runs[k];
      if (strcmp(run->status, "complete") != 0)
        vb_html_print(out, "<li>%s, run %s: %s%s%s</li>\n", r->studies[i].name, run->name,
                      run->status, run->what[0] ? ": " : "", run->what);
    }
  fputs("</ul>\n", out);
}

static void put_verdict(FILE *out, const vb_report_counts *c) {
  const char *kind = c->failed || c->bad_runs ? "bad" : c->findings ? "found" : "good";
  vb_html_print(out, "<p class=\"verdict %s\">", kind);
  if (c->gates == 0)
    fputs("No gate was evaluated", out);
  else if (c->failed)
    vb_html_print(out, "%zu of %zu gates failed", c->failed, c->gates);
  else if (c->findings)
    vb_html_print(out, "%zu of %zu gates passed; the others are findings", c->passed, c->gates);
  else
    vb_html_print(out, "All %zu gates passed", c->gates);
  if (c->bad_runs)
    vb_html_print(out, "; %zu of %zu runs did not end", c->bad_runs, c->runs);
  fputs("</p>\n", out);
}

static void put_compared(FILE *out, const vb_compared *compared) {
  const vb_compare_result *r = compared->result;
  size_t same = 0;
  for (size_t i = 0; i < r->n_runs; i++)
    same += !r->runs[i].refused && r->runs[i].n_bad == 0;
  vb_html_print(out,
                "<p>Compared with %s: %zu of %zu runs agree, %zu of %zu gates changed side, %zu "
                "runs are missing on one side (<a href=\"#comparison\">details</a>).</p>\n",
                compared->a, same, r->n_runs, r->n_gates, r->n_compared_gates, r->n_missing);
}

void vb_page_conclusion(FILE *out, const vb_page *page) {
  const vb_report_results *r = page->results;
  vb_report_counts c = {0};
  size_t benches = 0;
  for (size_t i = 0; i < r->n_studies; i++) {
    vb_report_count(&r->studies[i], &c);
    benches += r->studies[i].speeds;
  }
  fputs("<section id=\"conclusion\" aria-labelledby=\"conclusion-head\">\n"
        "<h2 id=\"conclusion-head\">Conclusion</h2>\n",
        out);
  put_verdict(out, &c);
  vb_html_print(out, "<p>%zu stud%s of %zu run%s", r->n_studies - benches,
                r->n_studies - benches == 1 ? "y" : "ies", c.runs, c.runs == 1 ? "" : "s");
  if (benches)
    vb_html_print(out, ", and %zu benchmark%s", benches, benches > 1 ? "s" : "");
  vb_html_print(out, ": %zu gates passed, %zu failed, %zu %s.</p>\n", c.passed, c.failed,
                c.findings, c.findings == 1 ? "is a finding" : "are findings");
  if (c.failed) {
    fputs("<h3>Failed</h3>\n", out);
    put_failures(out, page);
  }
  if (c.findings)
    put_all_findings(out, page);
  if (c.bad_runs)
    put_bad_runs(out, r);
  if (page->compared)
    put_compared(out, page->compared);
  fputs("</section>\n", out);
}
