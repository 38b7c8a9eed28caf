// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/site.h"

#include "base/file.h"
#include "base/output_policy.h"
#include "base/scratch.h"
#include "base/signals.h"
#include "report/page_parts.h"
#include "report/readmes.h"
#include "report/still.h"

#include <stdlib.h>
#include <string.h>

#define INDEX "index.html"

/// The page of a study: called as its results file.
static void name_page(const vb_report_study *s, char *out, size_t size) {
  const char *slash = strrchr(s->path, '/'), *name = slash ? slash + 1 : s->path;
  snprintf(out, size, "%.*s.html", (int)strcspn(name, "."), name);
}

vb_status vb_site_begin(const vb_site_plan *plan, const char *name, vb_output *output, FILE **out,
                        vb_error *error) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", plan->out, name) < 0)
    return vb_error_memory(error);
  vb_status status = vb_output_check(&(vb_output_policy){.force = plan->force}, path, error);
  if (!status)
    status = vb_output_begin(path, false, output, error);
  free(path);
  if (status)
    return status;
  *out = vb_output_stream(output);
  return *out ? VB_OK : vb_output_end(output, vb_error_memory(error), error);
}

vb_status vb_site_end(vb_output *output, FILE *out, vb_status status, vb_error *error) {
  bool good = !ferror(out);
  if ((fclose(out) || !good) && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", output->path);
  return vb_output_end(output, status, error);
}

static vb_status write_study(const vb_site_plan *plan, vb_report_study *s, const char *index,
                             vb_error *error) {
  char name[512];
  vb_output output;
  FILE *out;
  const vb_report_results alone = {.studies = s, .n_studies = 1};
  const vb_page page = {.results = &alone,
                        .title = s->title[0] ? s->title : s->name,
                        .index = index,
                        .most_bytes = plan->most_bytes,
                        .plain = plan->plain || s->speeds};
  name_page(s, name, sizeof name);
  vb_status status = vb_site_begin(plan, name, &output, &out, error);
  if (status)
    return status;
  status = vb_page_write(out, &page, error);
  if (status == VB_CANNOT_WRITE)
    vb_error_prefix(error, "%s", output.path);
  return vb_site_end(&output, out, status, error);
}

/// The still of the first run that has one: of those for show, or else of all.
static vb_status put_first_still(FILE *out, const vb_report_study *s, const char *scratch,
                                 vb_error *error) {
  char *still = NULL;
  size_t size = 0;
  vb_status status = VB_OK;
  for (size_t k = 0; !status && k < 2 * s->n_runs && !s->speeds && size == 0; k++) {
    size_t i = k < s->n_runs ? k : k - s->n_runs;
    if (s->runs[i].shown != (k < s->n_runs))
      continue;
    free(still);
    FILE *buffer = open_memstream(&still, &size);
    if (!buffer)
      return vb_error_memory(error);
    status = vb_still_write(buffer, s, &s->runs[i], scratch, error);
    fclose(buffer);
  }
  fwrite(still ? still : "", 1, size, out);
  free(still);
  return status;
}

/// Title, verdict, and a still.
static vb_status put_card(FILE *out, const vb_site_list *g, const vb_report_study *s,
                          const char *scratch, vb_error *error) {
  char name[512];
  vb_report_counts c = {0};
  name_page(s, name, sizeof name);
  vb_report_count(s, &c);
  vb_html_print(out, "<li><h2><a href=\"%s%s\">%s%s</a></h2>\n<p>", g->folder ? g->folder : "",
                name, s->title[0] ? s->title : s->name, s->speeds ? " (speed)" : "");
  vb_page_mark(out,
               c.failed || c.bad_runs ? "bad"
               : c.findings           ? "found"
                                      : "good",
               c.failed || c.bad_runs ? "FAILED"
               : c.findings           ? "findings"
                                      : "passed");
  vb_html_print(out, " %zu of %zu gates</p>\n", c.passed, c.gates);
  vb_status status = g->plain ? VB_OK : put_first_still(out, s, scratch, error);
  fputs("</li>\n", out);
  return status;
}

vb_status vb_site_list_write(FILE *out, const vb_site_list *g, vb_error *error) {
  const vb_report_results *r = g->results;
  char scratch[VB_SCRATCH_PATH];
  vb_status status = vb_scratch_make(scratch, error);
  if (status)
    return status;
  vb_page_begin(out, g->title, NULL, "");
  vb_html_print(out, "<header><h1>%s</h1></header>\n<main id=\"main\">\n", g->title);
  vb_page_conclusion(out, &(vb_page){.results = r, .pages = name_page, .folder = g->folder});
  fputs("<section aria-label=\"Studies\">\n<ul class=\"cards\">\n", out);
  for (size_t i = 0; !status && i < r->n_studies; i++)
    status = put_card(out, g, &r->studies[i], scratch, error);
  fputs("</ul>\n</section>\n", out);
  if (g->readmes)
    vb_readmes_list(out, g->readmes);
  fputs("</main>\n", out);
  vb_page_end(out, NULL);
  vb_scratch_remove(scratch);
  return status;
}

static vb_status write_index(const vb_site_plan *plan, const vb_report_results *r,
                             const vb_readmes *readmes, vb_error *error) {
  vb_output output;
  FILE *out;
  const vb_site_list gallery = {
      .results = r, .title = "viperbench: studies", .readmes = readmes, .plain = plan->plain};
  vb_status status = vb_site_begin(plan, INDEX, &output, &out, error);
  if (status)
    return status;
  status = vb_site_list_write(out, &gallery, error);
  return vb_site_end(&output, out, status, error);
}

vb_status vb_site_studies(const vb_site_plan *plan, vb_report_results *results, const char *index,
                          vb_error *error) {
  vb_status status = vb_folder_make(plan->out, error);
  for (size_t i = 0; !status && i < results->n_studies; i++) {
    status = write_study(plan, &results->studies[i], index, error);
    if (!status && vb_signal_caught())
      status = vb_error_set(error, VB_INTERRUPTED, "stopped after the page of study %s",
                            results->studies[i].name);
  }
  return status;
}

vb_status vb_site_write(const vb_site_plan *plan, vb_error *error) {
  vb_report_results results;
  vb_readmes readmes = {0};
  vb_status status = vb_report_results_read(plan->path, plan->n, &results, error);
  if (status)
    return status;
  vb_report_complain(stderr, &results);
  status = vb_site_studies(plan, &results, INDEX, error);
  if (!status)
    status = vb_readmes_write(plan, &readmes, error);
  if (!status)
    status = write_index(plan, &results, &readmes, error);
  vb_readmes_free(&readmes);
  vb_report_results_free(&results);
  return status;
}
