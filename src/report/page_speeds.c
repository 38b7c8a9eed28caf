// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_parts.h"

#include <math.h>

/// A time with its unit, of which three digits are meant.
static void put_time(FILE *out, double seconds) {
  static const char *const UNITS[] = {"s", "ms", "&micro;s"};
  int k = seconds >= 1 || !(seconds > 0) ? 0 : seconds >= 1e-3 ? 1 : 2;
  vb_html_number(out, seconds * pow(1000, k), 3);
  fprintf(out, " %s", UNITS[k]);
}

static void put_step_time(FILE *out, const vb_report_run *run) {
  fputs("<td class=\"n\">", out);
  if (isnan(run->step_time))
    fputs("not measured", out);
  else
    put_time(out, run->step_time);
  if (!isnan(run->step_time_low)) {
    fputs("<br><span class=\"aside\">", out);
    put_time(out, run->step_time_low);
    fputs(" to ", out);
    put_time(out, run->step_time_high);
    fputs("</span>", out);
  }
  fputs("</td>", out);
}

/// A speed is told with what it achieves, or not at all.
static void put_run(FILE *out, const vb_report_run *run, bool speeds) {
  vb_html_print(out, "<tr><th scope=\"row\">%s", run->name);
  if (run->label[0])
    vb_html_print(out, "<br><span class=\"aside\">%s</span>", run->label);
  vb_html_print(out, "</th><td>%s</td><td class=\"n\">", run->solver);
  vb_html_number(out, run->steps, 9);
  fputs("</td>", out);
  put_step_time(out, run);
  vb_page_cell(out, run->residual, 3);
  vb_page_cell(out, run->greatest_residual, 3);
  if (speeds) {
    vb_page_cell(out, run->dof_hz, 3);
    vb_page_cell(out, run->real_time, 3);
    vb_html_print(out, "<td>%s", run->gates_passed ? "passed" : "not passed");
    vb_html_print(out, "%s%s</td></tr>\n", run->what[0] ? "; " : "", run->what);
  } else {
    bool good = run->status[0] == 'c';
    fputs("<td>", out);
    vb_page_mark(out, good ? "good" : "bad", run->status);
    vb_html_print(out, "%s%s</td><td>%s</td></tr>\n", run->what[0] ? " " : "", run->what,
                  run->convergence[0] ? run->convergence : "not judged");
  }
}

void vb_page_speeds(FILE *out, const vb_report_study *s) {
  if (s->n_runs == 0)
    return;
  if (s->speeds)
    vb_page_table_begin(out, "Speeds and what they achieve",
                        "Case|Solver|#Steps in a window|#Time of a step|#Residual at the end|"
                        "#Greatest residual|#Degrees of freedom [1/s]|#Simulated over wall time|"
                        "Gates");
  else
    vb_page_table_begin(out, "Runs: time and residual",
                        "Run|Solver|#Steps|#Median time of a step|#Residual at the end|"
                        "#Greatest residual|Status|Converged");
  for (size_t i = 0; i < s->n_runs; i++)
    put_run(out, &s->runs[i], s->speeds);
  vb_page_table_end(out);
  if (!s->speeds)
    fputs("<p class=\"aside\">These times were noted while the runs were recorded, each alone on "
          "the machine; of runs side by side there are none. They are no benchmark.</p>\n",
          out);
}
