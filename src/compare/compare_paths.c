// SPDX-License-Identifier: GPL-3.0-or-later
/// Two files or folders: their runs in pairs, and their gates.
#include "compare/compare.h"

#include "results/results_array.h"
#include "results/results_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The gates of one file.
typedef struct gate_list {
  vb_texts name;
  vb_texts runs;
  vb_array value;
  vb_array passed;
} gate_list;

static void gate_list_free(gate_list *list) {
  vb_texts_free(&list->name);
  vb_texts_free(&list->runs);
  vb_array_free(&list->value);
  vb_array_free(&list->passed);
}

/// Reads the gates of a file; none where it has no such group.
static vb_status read_gates(const char *path, gate_list *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file = vb_results_open(&h5, NULL);
  bool there = vb_h5_has(&h5, file, "gates");
  vb_h5_release(file);
  vb_status status = h5.status;
  if (status || !there)
    return status;
  status = vb_results_texts(path, "/gates/name", &out->name, error);
  if (!status)
    status = vb_results_texts(path, "/gates/runs", &out->runs, error);
  if (!status)
    status = vb_results_array(path, "/gates/value", VB_NO_FRAME, &out->value, error);
  if (!status)
    status = vb_results_array(path, "/gates/passed", VB_NO_FRAME, &out->passed, error);
  size_t n = out->name.n;
  if (!status && (out->runs.n != n || out->value.n != n || out->value.width != 1 ||
                  out->passed.n != n || out->passed.width != 1))
    status = vb_bad_input(error, "%s: /gates is damaged", path);
  return status;
}

/// The gate of the same name and runs; `list->name.n` where there is none.
static size_t find_gate(const gate_list *list, const char *name, const char *runs) {
  size_t i = 0;
  while (i < list->name.n &&
         (strcmp(list->name.texts[i], name) != 0 || strcmp(list->runs.texts[i], runs) != 0))
    i++;
  return i;
}

static void set_side(vb_gate_change *change, int side, const gate_list *list, size_t i) {
  change->has[side] = i < list->name.n;
  change->passed[side] = change->has[side] && list->passed.values[i] != 0;
  change->value[side] = change->has[side] ? list->value.values[i] : NAN;
}

static vb_status add_change(vb_compare_result *out, const char *study, const gate_list *named,
                            size_t i, vb_gate_change change, vb_error *error) {
  vb_gate_change *added = VB_APPEND(out->gates, out->n_gates);
  if (!added)
    return vb_error_memory(error);
  change.study = vb_arena_text(&out->memory, study);
  change.name = vb_arena_text(&out->memory, named->name.texts[i]);
  change.runs = vb_arena_text(&out->memory, named->runs.texts[i]);
  *added = change;
  return vb_arena_status(&out->memory, error);
}

/// Notes the gates of `first` that changed side, or that `second` lacks; `side` is that of `first`.
/// Those that both have are looked at once.
static vb_status note_changes(const char *study, const gate_list *first, const gate_list *second,
                              int side, vb_compare_result *out, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < first->name.n; i++) {
    vb_gate_change change = {0};
    size_t k = find_gate(second, first->name.texts[i], first->runs.texts[i]);
    set_side(&change, side, first, i);
    set_side(&change, 1 - side, second, k);
    if (change.has[0] && change.has[1] && side == 1)
      continue;
    out->n_compared_gates++;
    if (change.has[0] != change.has[1] || change.passed[0] != change.passed[1])
      status = add_change(out, study, first, i, change, error);
  }
  return status;
}

static vb_status compare_gates(const vb_source *a, const vb_source *b, vb_compare_result *out,
                               vb_error *error) {
  gate_list left = {0}, right = {0};
  vb_status status = read_gates(a->path, &left, error);
  if (!status)
    status = read_gates(b->path, &right, error);
  if (!status)
    status = note_changes(a->study, &left, &right, 0, out, error);
  if (!status)
    status = note_changes(a->study, &right, &left, 1, out, error);
  gate_list_free(&left);
  gate_list_free(&right);
  return status;
}

static vb_status add_missing(vb_compare_result *out, vb_source run, bool in_b, vb_error *error) {
  run.inside = in_b;
  return vb_source_add(&out->memory, &out->missing, &out->n_missing, run, error);
}

/// The run of `from` that stands for `run`: that of the same name, or the only one of a run's file.
static const vb_source *counterpart(const vb_sources *from, const vb_source *run, bool by_study) {
  if (from->kind == VB_SOURCE_RUN)
    return &from->runs[0];
  return vb_source_match(from->runs, from->n_runs, run, by_study);
}

static vb_status compare_pairs(const vb_sources *a, const vb_sources *b, bool by_study,
                               const vb_compare_request *request, vb_compare_result *out,
                               vb_error *error) {
  vb_status status = VB_OK;
  out->runs = calloc(a->n_runs + 1, sizeof *out->runs);
  if (!out->runs)
    return vb_error_memory(error);
  for (size_t i = 0; !status && i < a->n_runs; i++) {
    const vb_source *other = counterpart(b, &a->runs[i], by_study);
    if (!other)
      status = add_missing(out, a->runs[i], true, error);
    else if (!(status =
                   vb_compare_runs(&a->runs[i], other, request, &out->runs[out->n_runs], error)))
      out->n_runs++;
  }
  for (size_t i = 0; !status && i < b->n_runs; i++)
    if (!counterpart(a, &b->runs[i], by_study))
      status = add_missing(out, b->runs[i], false, error);
  return status;
}

static vb_status compare_sources(const vb_sources *a, const vb_sources *b,
                                 const vb_compare_request *request, vb_compare_result *out,
                                 vb_error *error) {
  bool by_study = a->kind == VB_SOURCE_FOLDER || b->kind == VB_SOURCE_FOLDER;
  vb_status status = compare_pairs(a, b, by_study, request, out, error);
  for (size_t i = 0; !status && i < a->n_gates; i++) {
    const vb_source *other = a->kind == VB_SOURCE_RUN
                                 ? &b->gates[0]
                                 : vb_source_match(b->gates, b->n_gates, &a->gates[i], by_study);
    if (other)
      status = compare_gates(&a->gates[i], other, out, error);
  }
  return status;
}

vb_status vb_compare_paths(const char *a, const char *b, const vb_compare_request *request,
                           vb_compare_result *out, vb_error *error) {
  vb_sources left = {0}, right = {0};
  vb_compare_result result = {0};
  vb_status status = vb_sources_find(a, &left, error);
  if (!status)
    status = vb_sources_find(b, &right, error);
  if (!status && (left.kind == VB_SOURCE_RUN) != (right.kind == VB_SOURCE_RUN))
    status = vb_bad_input(error,
                          "%s is the file of one run and %s is not; give two files of runs, or "
                          "indexes or folders",
                          left.kind == VB_SOURCE_RUN ? a : b, left.kind == VB_SOURCE_RUN ? b : a);
  if (!status)
    status = compare_sources(&left, &right, request, &result, error);
  vb_sources_free(&left);
  vb_sources_free(&right);
  if (status)
    vb_compare_result_free(&result);
  else
    *out = result;
  return status;
}

void vb_compare_result_free(vb_compare_result *result) {
  for (size_t i = 0; i < result->n_runs; i++)
    vb_run_comparison_free(&result->runs[i]);
  free(result->runs);
  free(result->missing);
  free(result->gates);
  vb_arena_clear(&result->memory);
  *result = (vb_compare_result){0};
}

vb_status vb_compare_verdict(const vb_compare_result *result) {
  bool differs = result->n_missing > 0 || result->n_gates > 0;
  for (size_t i = 0; i < result->n_runs; i++) {
    const vb_run_comparison *r = &result->runs[i];
    if (r->refused)
      return VB_BAD_INPUT;
    differs = differs || r->n_bad > 0 || strcmp(r->status[0], r->status[1]) != 0;
  }
  return differs ? VB_FAILED : VB_OK;
}
