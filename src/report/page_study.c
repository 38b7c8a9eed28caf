// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/gate_units.h"
#include "report/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *vb_page_sign(const vb_gate_record *gate) {
  return strcmp(gate->comparator, "at_most") == 0    ? "at most "
         : strcmp(gate->comparator, "at_least") == 0 ? "at least "
                                                     : "";
}

/// A number with its unit.
static void put_amount(FILE *out, double value, int digits, const char *unit) {
  vb_html_number(out, value, digits);
  if (unit[0] && isfinite(value))
    vb_html_print(out, " %s", unit);
}

static void put_gate(FILE *out, const vb_gate_record *g, const char *unit) {
  const char *kind = vb_report_gate_failed(g) ? "bad" : g->passed ? "good" : "found";
  vb_html_print(out, "<tr class=\"%s\"><th scope=\"row\">%s", kind, g->name);
  if (g->note[0])
    vb_html_print(out, "<br><span class=\"aside\">%s</span>", g->note);
  vb_html_print(out, "</th><td>%s</td><td>", g->runs);
  vb_page_mark(out, kind, vb_report_gate_word(g));
  vb_html_print(out, "</td><td class=\"n\">%s", vb_page_sign(g));
  put_amount(out, g->reference, 7, unit);
  fputs("</td><td class=\"n\">", out);
  put_amount(out, g->value, 7, unit);
  fputs("</td><td class=\"n\">", out);
  if (strcmp(g->comparator, "near") == 0)
    put_amount(out, g->relative ? 100 * g->tolerance : g->tolerance, 3, g->relative ? "%" : unit);
  vb_html_print(out, "</td><td class=\"why\">%s<br><span class=\"aside\">%s of %s", g->reason,
                g->measure, g->quantity);
  if (isfinite(g->band_low)) {
    fputs("; expected as measured before: ", out);
    vb_html_number(out, g->band_low, 6);
    fputs(" to ", out);
    vb_html_number(out, g->band_high, 6);
  }
  fputs(g->timed ? "; depends on wall time</span></td></tr>\n" : "</span></td></tr>\n", out);
}

static void put_gates(FILE *out, const vb_report_study *s) {
  if (s->n_gates == 0) {
    fputs("<p>No gate was evaluated.</p>\n", out);
    return;
  }
  char(*units)[VB_GATE_UNIT] = calloc(s->n_gates, sizeof *units);
  if (units)
    vb_report_gate_units(s, units);
  vb_page_table_begin(out, "Gates", "Gate|Runs|Verdict|#Expected|#Found|#Tolerance|Reason");
  for (size_t i = 0; i < s->n_gates; i++)
    put_gate(out, &s->gates[i], units ? units[i] : "");
  vb_page_table_end(out);
  free(units);
}

static void put_missing(FILE *out, const vb_report_study *s) {
  if (s->n_missing == 0)
    return;
  fputs("<p>Not recorded:", out);
  for (size_t i = 0; i < s->n_missing; i++)
    vb_html_print(out, " %s", s->missing[i]);
  fputs(".</p>\n", out);
}

static vb_status put_study(FILE *out, const vb_report_study *s, vb_error *error) {
  vb_report_counts c = {0};
  vb_report_count(s, &c);
  fputs("<section id=\"study-", out);
  vb_html_anchor(out, s->name);
  vb_html_print(out, "\">\n<h2>%s%s%s</h2>\n<p>", s->title, s->title[0] ? " " : "",
                s->speeds ? "(speed)" : "");
  vb_html_print(out, "<code>%s</code>, %s: %zu of %zu gates passed.</p>\n", s->name, s->tier,
                c.passed, c.gates);
  put_missing(out, s);
  put_gates(out, s);
  vb_status status = vb_page_figures(out, s, error);
  vb_page_speeds(out, s);
  fputs("</section>\n", out);
  return status;
}

vb_status vb_page_studies(FILE *out, const vb_page *page, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < page->results->n_studies; i++)
    status = put_study(out, &page->results->studies[i], error);
  return status;
}
