// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/history.h"

#include "base/report_text.h"
#include "figure/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The last point before `k` that is there; the first where there is none.
static size_t before_of(const vb_history_line *l, size_t k) {
  size_t i = k;
  while (i-- > 0)
    if (l->points[i].there)
      return i;
  return 0;
}

static void print_change(FILE *stream, const vb_history_line *l, size_t k) {
  const vb_history_point *now = &l->points[k], *before = &l->points[before_of(l, k)];
  char text[400];
  fprintf(stream, "%3zu  %-6s ", k + 1, vb_history_word(l, now->change));
  snprintf(text, sizeof text, "%s, %s: %s", l->study, l->runs, l->name);
  vb_report_cell(stream, "", text, 56);
  fprintf(stream, " %.6g -> %.6g%s\n", before->value, now->value, l->speed ? " s" : "");
}

void vb_history_print(FILE *stream, const vb_history *h) {
  size_t changes = 0, compared = 0;
  fputs("  #  commit     date                  machine\n", stream);
  for (size_t k = 0; k < h->n_records; k++) {
    const vb_history_record *r = &h->records[k];
    char text[400];
    snprintf(text, sizeof text, "%s (%s): %s", r->host, r->cpu, r->path);
    fprintf(stream, "%3zu  %-9s  %-20.20s  ", k + 1, r->commit, r->date);
    vb_report_end(stream, "", text, VB_REPORT_WIDTH - 38);
  }
  for (size_t k = 1; k < h->n_records; k++)
    for (size_t i = 0; i < h->n_lines; i++) {
      const vb_history_line *l = &h->lines[i];
      compared += l->points[k].there;
      changes += l->points[k].change != VB_HISTORY_SAME;
      if (l->points[k].change != VB_HISTORY_SAME)
        print_change(stream, l, k);
    }
  fprintf(stream, "%zu changes beyond the noise among %zu values of gates and speeds\n", changes,
          compared);
}

/// The first value of a line.
static double first_value(const vb_history *h, const vb_history_line *l) {
  for (size_t k = 0; k < h->n_records; k++)
    if (l->points[k].there)
      return l->points[k].value;
  return NAN;
}

/// What is drawn of a point: the time relative to the first; the share of the tolerance that the
/// distance to the reference takes, at least what shows on a logarithmic scale.
static double shown_value(const vb_history *h, const vb_history_line *l, size_t k) {
  const vb_history_point *p = &l->points[k];
  if (!p->there || isnan(p->value))
    return NAN;
  return l->speed ? p->value / first_value(h, l)
                  : fmax(fabs(p->value - l->reference) / l->tolerance, 1e-6);
}

/// Writes the lines of one kind: record, value, size of a mark. The number of those drawn.
static size_t write_lines(FILE *out, const vb_history *h, bool speed) {
  size_t n = 0;
  for (size_t i = 0; i < h->n_lines; i++) {
    const vb_history_line *l = &h->lines[i];
    size_t points = 0;
    for (size_t k = 0; k < h->n_records && l->speed == speed; k++) {
      double value = shown_value(h, l, k);
      bool changed = l->points[k].change != VB_HISTORY_SAME;
      if (isfinite(value) && value > 0)
        fprintf(out, "%zu %.9g %g\n", k + 1, value, changed ? 1.0 : 0.01);
      points += isfinite(value) && value > 0;
    }
    if (points)
      putc('\n', out);
    n += points > 0;
  }
  fputs("\n\n", out);
  return n;
}

vb_status vb_history_figure(const vb_history *h, const char *stem, vb_error *error) {
  char *data = NULL, footer[200];
  size_t size = 0, speeds, gates;
  FILE *out = open_memstream(&data, &size);
  if (!out)
    return vb_error_memory(error);
  speeds = write_lines(out, h, true);
  if (!speeds) // gnuplot counts blocks that hold something
    rewind(out);
  gates = write_lines(out, h, false);
  vb_status status = fclose(out) ? vb_error_memory(error) : VB_OK;
  snprintf(footer, sizeof footer, "%zu results, %s to %s", h->n_records, h->records[0].commit,
           h->records[h->n_records - 1].commit);
  if (!status && speeds + gates > 0)
    status = vb_plot_text("history", data,
                          speeds && gates ? "speeds gates"
                          : speeds        ? "speeds"
                                          : "gates",
                          speeds && gates ? "speeds|gates|"
                          : speeds        ? "speeds|"
                                          : "gates|",
                          "Speeds and gates over kept results", footer, stem, error);
  free(data);
  return status;
}
