// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a study, each an image in the page: what a figure holds can run nothing there, and
// its names cannot meet those of another.
#include "report/page_parts.h"

#include "base/figure_files.h"
#include "base/file.h"
#include "figure/plot.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Bytes of a figure at most.
#define MOST_FIGURE 8000000

/// Length of a path without its ".h5".
static size_t stem_length(const char *path) {
  size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".h5") == 0 ? length - 3 : length;
}

/// Writes the width and height that an SVG names, so that nothing moves when it is drawn.
static void put_extent(FILE *out, const char *bytes, size_t size) {
  char head[2048];
  double width, height;
  snprintf(head, sizeof head, "%.*s", (int)(size < sizeof head ? size : sizeof head - 1), bytes);
  const char *at = strstr(head, "<svg"), *w = at ? strstr(at, "width=\"") : NULL;
  const char *h = at ? strstr(at, "height=\"") : NULL;
  if (w && h && sscanf(w, "width=\"%lf", &width) == 1 && sscanf(h, "height=\"%lf", &height) == 1 &&
      width >= 1 && width < 1e5 && height >= 1 && height < 1e5)
    fprintf(out, " width=\"%.0f\" height=\"%.0f\"", width, height);
}

/// Gates that the text of a figure names at most, of each kind.
#define NAMED_GATES 3

/// Names the first of the gates that fail, are findings that are missed, or pass.
static void put_gates(FILE *out, const vb_report_study *s, bool failed, bool passed,
                      const char *verdict) {
  size_t n = 0, named = 0;
  for (size_t i = 0; i < s->n_gates; i++)
    n += vb_report_gate_failed(&s->gates[i]) == failed && s->gates[i].passed == passed;
  if (n == 0)
    return;
  fprintf(out, " %s%zu of %zu gates %s: ", n == s->n_gates ? "All, " : "", n, s->n_gates, verdict);
  for (size_t i = 0; i < s->n_gates && named < NAMED_GATES; i++) {
    const vb_gate_record *g = &s->gates[i];
    if (vb_report_gate_failed(g) != failed || g->passed != passed)
      continue;
    vb_html_print(out, "%s%s, found ", named++ ? "; " : "", g->name);
    fprintf(out, "%.4g, expected %s%.4g", g->value, vb_page_sign(g), g->reference);
  }
  fputs(n > named ? "; and others." : ".", out);
}

/// What a figure shows, for those who do not see it: what its study concludes.
static void put_conclusion(FILE *out, const vb_report_study *s) {
  put_gates(out, s, true, false, "fail");
  put_gates(out, s, true, true, "fail");
  put_gates(out, s, false, false, "are findings that miss their reference");
  put_gates(out, s, false, true, "pass");
  if (s->n_gates == 0)
    fputs(" It has no gates.", out);
  if (s->n_missing > 0)
    fprintf(out, " %zu runs are missing.", s->n_missing);
}

static void put_figure(FILE *out, const vb_report_study *s, const char *path) {
  char *bytes;
  size_t size;
  vb_error error = {0};
  const char *suffix = path + stem_length(s->path), *dot = strrchr(suffix, '.');
  if (vb_file_read(path, path, MOST_FIGURE, &bytes, &size, &error)) {
    vb_html_print(out, "<p class=\"aside\">Figure: %s</p>\n", error.message);
    return;
  }
  fputs("<figure class=\"scroll\"><img loading=\"lazy\"", out);
  put_extent(out, bytes, size);
  vb_html_print(out, " alt=\"Figure of %s", s->title[0] ? s->title : s->name);
  fprintf(out, "%s%.*s", *suffix == '_' ? ": " : "", (int)(dot - suffix - (*suffix == '_')),
          suffix + (*suffix == '_'));
  fputs(".", out);
  put_conclusion(out, s);
  fputs("\" src=\"data:image/svg+xml;base64,", out);
  vb_html_base64(out, (const uint8_t *)bytes, size);
  fputs("\"></figure>\n", out);
  free(bytes);
}

/// Whether results lie beside a picture under its name: then it is that study's.
static bool is_of_another(const vb_report_study *s, const char *path) {
  size_t stem = strlen(path) - strlen(".svg");
  char *results;
  if (stem == stem_length(s->path) || asprintf(&results, "%.*s.h5", (int)stem, path) < 0)
    return false;
  bool there = access(results, F_OK) == 0;
  free(results);
  return there;
}

/// Writes all pictures that a pattern finds beside the study, but for those of other studies.
static void put_found(FILE *out, const vb_report_study *s, const char *ending) {
  char *pattern = NULL;
  glob_t found;
  if (asprintf(&pattern, "%.*s%s", (int)stem_length(s->path), s->path, ending) < 0)
    return;
  if (glob(pattern, GLOB_NOESCAPE, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++)
      if (!is_of_another(s, found.gl_pathv[i]))
        put_figure(out, s, found.gl_pathv[i]);
    globfree(&found);
  }
  free(pattern);
}

vb_status vb_page_figures(FILE *out, const vb_report_study *s, vb_error *error) {
  vb_error why = {0};
  size_t drawn = 0;
  if (!s->figure[0])
    return VB_OK;
  // Where a study's own figure is, its run knew; what that drew is shown.
  vb_status status =
      vb_figure_is_own(s->figure)
          ? VB_OK
          : vb_plot_index(s->path, NULL, vb_file_changed(s->path), VB_PLOT_SVG, &drawn, &why);
  if (status == VB_INTERRUPTED)
    return vb_error_set(error, status, "%s", why.message);
  if (status)
    vb_html_print(out, "<p class=\"aside\">Its figure is not drawn: %s</p>\n", why.message);
  else {
    put_found(out, s, ".svg");
    put_found(out, s, "_*.svg");
  }
  return VB_OK;
}
