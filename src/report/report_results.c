// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_results.h"

#include "base/names.h"
#include "report/report_study.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Notes why a file is left out, once: the index of a study says the same of its runs' files.
static vb_status leave_out(vb_report_results *r, const char *why, vb_error *error) {
  for (size_t i = 0; i < r->n_left_out; i++)
    if (strcmp(r->left_out[i], why) == 0)
      return VB_OK;
  char *text = vb_arena_text(&r->memory, why);
  char **added = text ? VB_APPEND(r->left_out, r->n_left_out) : NULL;
  if (!added)
    return vb_error_memory(error);
  *added = text;
  return VB_OK;
}

void vb_report_complain(FILE *stream, const vb_report_results *results) {
  for (size_t i = 0; i < results->n_left_out; i++)
    fprintf(stream, "viperbench: %s (left out)\n", results->left_out[i]);
}

static vb_status add(vb_report_results *r, const char *path, vb_report_kind kind, vb_error *error) {
  vb_report_study study = {0};
  vb_status status = vb_report_study_read(path, kind, &r->memory, &study, error);
  for (size_t i = 0; !status && i < study.n_broken; i++)
    status = leave_out(r, study.broken[i], error);
  if (status)
    return status;
  vb_report_study *added = VB_APPEND(r->studies, r->n_studies);
  if (!added)
    return vb_error_memory(error);
  *added = study;
  return VB_OK;
}

static bool has_study(const vb_report_results *r, const char *name) {
  for (size_t i = 0; i < r->n_studies; i++)
    if (!r->studies[i].speeds && strcmp(r->studies[i].name, name) == 0)
      return true;
  return false;
}

/// Adds the run of a file unless an index has its study.
static vb_status add_lone_run(vb_report_results *r, const char *path, vb_error *error) {
  vb_texts study;
  vb_status status = vb_results_texts(path, "/scenario/study", &study, error);
  if (status)
    return status;
  bool known = study.n == 1 && has_study(r, study.texts[0]);
  vb_texts_free(&study);
  return known ? VB_OK : add(r, path, (vb_report_kind){0}, error);
}

/// A file of a folder.
typedef struct file {
  const char *path;
  vb_report_kind kind;
  bool left_out;
} file;

/// Leaves a file out where it is bad; any other failure remains one.
static vb_status skip_bad(vb_report_results *r, file *f, vb_status status, const vb_error *why,
                          vb_error *error) {
  if (status == VB_BAD_INPUT) {
    f->left_out = true;
    return leave_out(r, why->message, error);
  }
  if (status)
    *error = *why;
  return status;
}

/// Adds a file where its turn is: indexes first, then the files of runs that none of them stands
/// for, then benchmarks.
static vb_status add_file(vb_report_results *r, file *f, int turn, vb_error *error) {
  vb_error why = {0};
  if (f->left_out || f->kind.joint || (turn == 1) != !f->kind.index ||
      (turn == 2) != f->kind.speeds)
    return VB_OK;
  vb_status status =
      f->kind.index ? add(r, f->path, f->kind, &why) : add_lone_run(r, f->path, &why);
  return skip_bad(r, f, status, &why, error);
}

static vb_status add_files(vb_report_results *r, char *const *path, size_t n, vb_error *error) {
  file *files = calloc(n, sizeof *files);
  vb_status status = files ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++) {
    vb_error why = {0};
    files[i].path = path[i];
    status =
        skip_bad(r, &files[i], vb_report_kind_read(path[i], &files[i].kind, &why), &why, error);
  }
  for (int turn = 0; turn < 3; turn++)
    for (size_t i = 0; !status && i < n; i++)
      status = add_file(r, &files[i], turn, error);
  free(files);
  return status;
}

static vb_status add_folder(vb_report_results *r, const char *folder, vb_error *error) {
  char *pattern = NULL;
  glob_t found;
  if (asprintf(&pattern, "%s/*.h5", folder) < 0)
    return vb_error_memory(error);
  int code = glob(pattern, 0, NULL, &found);
  if (code == 0)
    vb_names_sort(found.gl_pathv, found.gl_pathc);
  free(pattern);
  if (code)
    return vb_bad_input(error, "%s holds no results files", folder);
  vb_status status = add_files(r, found.gl_pathv, found.gl_pathc, error);
  globfree(&found);
  return status;
}

static vb_status add_path(vb_report_results *r, const char *path, vb_error *error) {
  struct stat found;
  vb_report_kind kind;
  vb_error why = {0};
  if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
    return add_folder(r, path, error);
  vb_status status = vb_report_kind_read(path, &kind, &why);
  if (!status)
    status = add(r, path, kind, &why);
  if (status == VB_BAD_INPUT)
    return leave_out(r, why.message, error);
  if (status)
    *error = why;
  return status;
}

vb_status vb_report_results_read(char *const *path, size_t n, vb_report_results *out,
                                 vb_error *error) {
  vb_report_results r = {0};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < n; i++)
    status = add_path(&r, path[i], error);
  if (!status && r.n_studies == 0)
    status = r.n_left_out ? vb_bad_input(error, "%s", r.left_out[0])
                          : vb_bad_input(error, "%s holds no results of studies", path[0]);
  if (status)
    vb_report_results_free(&r);
  else
    *out = r;
  return status;
}

void vb_report_results_free(vb_report_results *r) {
  free(r->studies);
  free(r->left_out);
  vb_arena_clear(&r->memory);
  *r = (vb_report_results){0};
}

bool vb_report_gate_failed(const vb_gate_record *gate) {
  const char *word = gate->finding_verdict;
  return gate->finding ? strcmp(word, "worse") == 0 || strcmp(word, "better") == 0 ||
                             strcmp(word, "unmeasured") == 0
                       : !gate->passed;
}

const char *vb_report_gate_word(const vb_gate_record *gate) {
  const char *word = gate->finding_verdict;
  if (!gate->finding)
    return gate->passed ? "passed" : "FAILED";
  if (gate->passed && (!word[0] || strcmp(word, "as expected") == 0))
    return "passed";
  return word[0] ? word : "finding"; // of files before schema 2.2
}

void vb_report_count(const vb_report_study *study, vb_report_counts *c) {
  for (size_t i = 0; i < study->n_gates; i++) {
    const vb_gate_record *g = &study->gates[i];
    c->gates++;
    bool fails = vb_report_gate_failed(g);
    c->failed += fails;
    c->passed += !fails && g->passed;
    c->findings += !fails && !g->passed;
  }
  for (size_t i = 0; i < study->n_runs && !study->speeds; i++) {
    c->runs++;
    c->bad_runs += strcmp(study->runs[i].status, "complete") != 0;
  }
}

const char *vb_report_provenance(const vb_report_study *study, const char *name) {
  for (size_t i = 0; i < study->n_provenance; i++)
    if (strcmp(study->provenance[i].name, name) == 0)
      return study->provenance[i].text;
  return "unknown";
}
