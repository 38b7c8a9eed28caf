// SPDX-License-Identifier: GPL-3.0-or-later
// The page of live motion.
#include "report/live_internal.h"

#include "base/file.h"
#include "report/page_parts.h"

#include <string.h>

static void put_names(FILE *out, const vb_live *live) {
  for (size_t i = 0; i < live->n_runs; i++)
    vb_html_print(out, "<data class=\"run\" data-study=\"%s\" data-run=\"%s\"></data>\n",
                  live->runs[i].study, live->runs[i].run);
}

/// The title: of one study its name.
static const char *title_of(const vb_live *live) {
  for (size_t i = 1; i < live->n_runs; i++)
    if (strcmp(live->runs[i].study, live->runs[0].study) != 0)
      return "several studies";
  return live->n_runs ? live->runs[0].study : "no runs";
}

static void put_page(FILE *out, const vb_live *live) {
  const char *slash = strrchr(live->folder, '/');
  char title[300];
  snprintf(title, sizeof title, "Live: %s", title_of(live));
  // Scripts of the folder beside the page: "file:" where it is opened as a file.
  vb_page_begin(out, title, vb_asset_live, " 'self' file:");
  vb_html_print(out,
                "<header><h1>%s</h1></header>\n<main id=\"main\">\n"
                "<p class=\"found verdict\" id=\"state\" role=\"status\">This page needs scripts "
                "and WebGL 2.</p>\n"
                "<div class=\"player\" id=\"live\" data-folder=\"%s\" data-session=\"%s\"></div>\n",
                title, slash ? slash + 1 : live->folder, live->session);
  put_names(out, live);
  fputs("</main>\n", out);
  vb_page_end(out, vb_asset_live);
}

vb_status vb_live_write_page(const vb_live *live, vb_error *error) {
  vb_output output;
  vb_status status = vb_output_begin(live->page, true, &output, error);
  if (status)
    return status;
  FILE *out = vb_output_stream(&output);
  if (out)
    put_page(out, live);
  else
    status = vb_error_memory(error);
  bool broken = out && ferror(out);
  if (out && (fclose(out) || broken) && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", live->page);
  return vb_output_end(&output, status, error);
}
