// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_parts.h"

#include <math.h>
#include <string.h>

/// The properties that keep a run from being compared.
static void put_refusal(FILE *out, const vb_run_comparison *run) {
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    if (run->differs[k] && k != VB_PROPERTY_HARDWARE)
      vb_html_print(out, "%s: %s. ", vb_run_property_word(k), run->difference_text[k]);
}

static void put_quantities(FILE *out, const vb_run_comparison *run) {
  size_t shown = 0;
  for (size_t i = 0; i < run->n_quantities && shown < 3; i++) {
    const vb_quantity_result *q = &run->quantities[i];
    if (q->outcome == VB_AGREES)
      continue;
    vb_html_print(out, "%s%s %s", shown++ ? "; " : "", q->name,
                  q->outcome == VB_DIFFERS ? q->first
                  : q->note[0]             ? q->note
                                           : "is missing");
  }
  if (run->n_bad > shown)
    vb_html_print(out, "; and %zu more", run->n_bad - shown);
}

static void put_run(FILE *out, const vb_run_comparison *run) {
  bool good = !run->refused && run->n_bad == 0 && strcmp(run->status[0], run->status[1]) == 0;
  const char *word = run->refused ? "not compared" : good ? "same" : "different";
  vb_html_print(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>", run->study, run->run);
  vb_page_mark(out, good ? "good" : run->refused ? "found" : "bad", word);
  fputs("</td>", out);
  // Times say something on one machine alone.
  for (int i = 0; i < 2; i++)
    vb_page_cell(out, run->differs[VB_PROPERTY_HARDWARE] ? NAN : 1e3 * run->step_time[i], 3);
  fputs("<td class=\"why\">", out);
  if (run->refused)
    put_refusal(out, run);
  else
    put_quantities(out, run);
  fputs("</td></tr>\n", out);
}

static void put_gates(FILE *out, const vb_compare_result *r) {
  static const char *const WORDS[] = {"failed", "passed"};
  if (r->n_gates == 0)
    return;
  vb_page_table_begin(out, "Gates that changed", "Study|Gate|Runs|#Before|Verdict|#Now|Verdict");
  for (size_t i = 0; i < r->n_gates; i++) {
    const vb_gate_change *g = &r->gates[i];
    vb_html_print(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>", g->study, g->name,
                  g->runs);
    for (int k = 0; k < 2; k++) {
      vb_page_cell(out, g->value[k], 7);
      vb_html_print(out, "<td>%s</td>", g->has[k] ? WORDS[g->passed[k]] : "missing");
    }
    fputs("</tr>\n", out);
  }
  vb_page_table_end(out);
}

void vb_page_comparison(FILE *out, const vb_compared *compared) {
  const vb_compare_result *r = compared->result;
  vb_html_print(
      out,
      "<section id=\"comparison\">\n<h2>Comparison</h2>\n<p>Before: %s. Now: %s. Each "
      "recorded quantity is compared within the tolerances that its study declares.</p>\n",
      compared->a, compared->b);
  vb_page_table_begin(out, "Runs",
                      "Study|Run|Verdict|#Step before [ms]|#Step now [ms]|What differs first");
  for (size_t i = 0; i < r->n_runs; i++)
    put_run(out, &r->runs[i]);
  vb_page_table_end(out);
  put_gates(out, r);
  if (r->n_missing) {
    fputs("<h3>Missing runs</h3>\n<ul class=\"list\">\n", out);
    for (size_t i = 0; i < r->n_missing; i++)
      vb_html_print(out, "<li>%s, %s: only %s has it</li>\n", r->missing[i].study,
                    r->missing[i].run ? r->missing[i].run : "gates",
                    r->missing[i].inside ? compared->a : compared->b);
    fputs("</ul>\n", out);
  }
  fputs("</section>\n", out);
}
