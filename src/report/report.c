// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include "base/file.h"
#include "report/page.h"
#include "report/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void name_page(const vb_report_results *r, char *out, size_t size) {
  if (r->n_studies == 1)
    snprintf(out, size, "%s", r->studies[0].title[0] ? r->studies[0].title : r->studies[0].name);
  else
    snprintf(out, size, "Report on %zu studies", r->n_studies);
}

static vb_status write_file(const vb_report_plan *plan, const vb_page *page, vb_error *error) {
  vb_output output;
  vb_status status = vb_output_begin(plan->out, true, &output, error);
  if (status)
    return status;
  FILE *file = vb_output_stream(&output);
  status = file ? vb_page_write(file, page, error) : vb_error_memory(error);
  if (status == VB_CANNOT_WRITE)
    vb_error_prefix(error, "%s", plan->out);
  if (file && fclose(file) && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", plan->out);
  return vb_output_end(&output, status, error);
}

static vb_status write_list(const vb_report_plan *plan, const vb_site_list *gallery,
                            vb_error *error) {
  vb_output output;
  vb_status status = vb_output_begin(plan->out, true, &output, error);
  if (status)
    return status;
  FILE *file = vb_output_stream(&output);
  status = file ? vb_site_list_write(file, gallery, error) : vb_error_memory(error);
  if (file && fclose(file) && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", plan->out);
  return vb_output_end(&output, status, error);
}

/// Writes a page for each study, and one that lists them.
static vb_status write_pages(const vb_report_plan *plan, vb_report_results *results,
                             const char *title, vb_error *error) {
  const char *slash = strrchr(plan->out, '/'), *name = slash ? slash + 1 : plan->out;
  size_t n = strlen(plan->out), end = strlen(".html");
  bool ends = n > end && strcmp(plan->out + n - end, ".html") == 0;
  char *folder = NULL, *list = NULL, *prefix = NULL;
  vb_status status = VB_OK;
  // Of a page without that ending the folder must differ from it.
  if (asprintf(&folder, ends ? "%.*s" : "%.*s.pages", (int)(ends ? n - end : n), plan->out) < 0 ||
      asprintf(&prefix, "%s/", folder + (name - plan->out)) < 0 ||
      asprintf(&list, "../%s", name) < 0)
    status = vb_error_memory(error);
  const vb_site_plan site = {
      .out = folder, .most_bytes = plan->most_bytes, .force = plan->force, .plain = plan->plain};
  const vb_site_list gallery = {
      .results = results, .title = title, .folder = prefix, .plain = plan->plain};
  if (!status)
    status = vb_site_studies(&site, results, list, error);
  if (!status)
    status = write_list(plan, &gallery, error);
  free(list);
  free(prefix);
  free(folder);
  return status;
}

/// Reads the earlier results and these, as the latest.
static vb_status read_history(const vb_report_plan *plan, vb_history *out, vb_error *error) {
  char *list = strdup(plan->history), *rest = list, **path = NULL;
  size_t n = 0;
  vb_status status = list ? VB_OK : vb_error_memory(error);
  if (plan->n != 1)
    status = vb_bad_input(
        error, "--history goes before one file or folder of results; there are %zu", plan->n);
  while (!status) {
    char *one = strsep(&rest, ","), **added = VB_APPEND(path, n);
    if (added)
      *added = one ? one : plan->path[0];
    else
      status = vb_error_memory(error);
    if (!one)
      break;
  }
  if (!status)
    status = vb_history_read(path, n, out, error);
  free(path);
  free(list);
  return status;
}

vb_status vb_report_write(const vb_report_plan *plan, vb_error *error) {
  vb_report_results results;
  vb_compare_request request = {0};
  vb_compare_result differences = {0};
  vb_history history = {0};
  char title[300];
  if (plan->against && plan->n != 1)
    return vb_bad_input(error, "--against compares one file or folder of results; there are %zu",
                        plan->n);
  vb_status status = vb_report_results_read(plan->path, plan->n, &results, error);
  if (status)
    return status;
  vb_report_complain(stderr, &results);
  const vb_compared compared = {plan->against, plan->path[0], &request, &differences};
  if (plan->against)
    status = vb_compare_paths(plan->against, plan->path[0], &request, &differences, error);
  if (!status && plan->history)
    status = read_history(plan, &history, error);
  name_page(&results, title, sizeof title);
  const vb_page page = {.results = &results,
                        .compared = plan->against ? &compared : NULL,
                        .history = plan->history ? &history : NULL,
                        .title = title,
                        .most_bytes = plan->most_bytes,
                        .plain = plan->plain};
  bool many = results.n_studies > VB_REPORT_STUDIES && !plan->against && !plan->history;
  if (!status)
    status = many ? write_pages(plan, &results, title, error) : write_file(plan, &page, error);
  vb_history_free(&history);
  vb_compare_result_free(&differences);
  vb_report_results_free(&results);
  return status;
}
