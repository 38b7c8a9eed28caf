// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"
#include "report/page_parts.h"

#include "base/file.h"
#include "base/scratch.h"

#include <stdlib.h>
#include <string.h>

/// Bytes of the figure at most.
#define MOST_FIGURE 8000000

static void put_records(FILE *out, const vb_history *h) {
  vb_page_table_begin(out, "Results", "#Number|Commit|Date|Machine|From");
  for (size_t k = 0; k < h->n_records; k++) {
    const vb_history_record *r = &h->records[k];
    vb_html_print(out, "<tr><th scope=\"row\" class=\"n\">%zu</th><td><code>%s</code></td><td>%s",
                  k + 1, r->commit, r->date);
    vb_html_print(out, "</td><td>%s, %s</td><td><code>%s</code></td></tr>\n", r->host, r->cpu,
                  r->path);
  }
  vb_page_table_end(out);
}

static void put_point(FILE *out, const vb_history_line *l, const vb_history_point *p) {
  static const char *const KINDS[] = {[VB_HISTORY_SAME] = "",
                                      [VB_HISTORY_MOVED] = "found",
                                      [VB_HISTORY_BETTER] = "good",
                                      [VB_HISTORY_WORSE] = "bad"};
  fputs("<td class=\"n\">", out);
  if (p->there)
    vb_html_number(out, l->speed ? 1e3 * p->value : p->value, l->speed ? 3 : 7);
  if (p->there && l->speed) {
    fputs("<br><span class=\"aside\">residual ", out);
    vb_html_number(out, p->residual, 2);
    fputs("</span>", out);
  }
  if (p->change != VB_HISTORY_SAME) {
    fputs("<br>", out);
    vb_page_mark(out, KINDS[p->change], vb_history_word(l, p->change));
  }
  fputs("</td>", out);
}

/// Whether more than one result has it.
static bool is_repeated(const vb_history *h, const vb_history_line *l) {
  size_t n = 0;
  for (size_t k = 0; k < h->n_records; k++)
    n += l->points[k].there;
  return n > 1;
}

static bool has_changed(const vb_history *h, const vb_history_line *l) {
  for (size_t k = 0; k < h->n_records; k++)
    if (l->points[k].change != VB_HISTORY_SAME)
      return true;
  return false;
}

/// Lines of one kind: of speeds those of several results, of gates those that changed.
static void put_lines(FILE *out, const vb_history *h, bool speed) {
  char columns[4096];
  snprintf(columns, sizeof columns, "Study|%s|Runs", speed ? "Time" : "Gate");
  for (size_t k = 0; k < h->n_records && strlen(columns) + 32 < sizeof columns; k++)
    vb_text_add(columns, sizeof columns, "|#%zu", k + 1);
  vb_page_table_begin(out, speed ? "Times of a step [ms]" : "Gates whose values changed", columns);
  for (size_t i = 0; i < h->n_lines; i++) {
    const vb_history_line *l = &h->lines[i];
    if (l->speed != speed || !(speed ? is_repeated(h, l) : has_changed(h, l)))
      continue;
    vb_html_print(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>", l->study, l->name,
                  l->runs);
    for (size_t k = 0; k < h->n_records; k++)
      put_point(out, l, &l->points[k]);
    fputs("</tr>\n", out);
  }
  vb_page_table_end(out);
}

static vb_status put_figure(FILE *out, const vb_history *h, vb_error *error) {
  char folder[VB_SCRATCH_PATH], stem[VB_SCRATCH_PATH + 16], path[VB_SCRATCH_PATH + 32];
  char *bytes;
  size_t size;
  vb_error why = {0};
  vb_status status = vb_scratch_make(folder, error);
  if (status)
    return status;
  snprintf(stem, sizeof stem, "%s/history", folder);
  snprintf(path, sizeof path, "%s.svg", stem);
  status = vb_history_figure(h, stem, &why);
  if (!status)
    status = vb_file_read(path, path, MOST_FIGURE, &bytes, &size, &why);
  vb_scratch_remove(folder);
  if (status == VB_INTERRUPTED)
    return vb_error_set(error, status, "%s", why.message);
  if (status) {
    vb_html_print(out, "<p class=\"aside\">Its figure is not drawn: %s</p>\n", why.message);
    return VB_OK;
  }
  fputs("<figure><img alt=\"Speeds and gates over the results; their numbers are in the tables\" "
        "src=\"data:image/svg+xml;base64,",
        out);
  vb_html_base64(out, (const uint8_t *)bytes, size);
  fputs("\"></figure>\n", out);
  free(bytes);
  return VB_OK;
}

vb_status vb_page_history(FILE *out, const vb_history *h, vb_error *error) {
  fputs("<section id=\"history\">\n<h2>History</h2>\n<p>Each value is compared with the latest one "
        "before it: times on the same machine, where their intervals do not overlap; values of "
        "gates, where they differ by more than rounding.</p>\n",
        out);
  put_records(out, h);
  vb_status status = put_figure(out, h, error);
  put_lines(out, h, true);
  put_lines(out, h, false);
  fputs("</section>\n", out);
  return status;
}
