// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_study.h"

#include "base/names.h"
#include "base/printable.h"
#include "base/statistics.h"
#include "report/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a solver is called: its name, method, precision and backend, as far as recorded.
static char *name_solver(const vb_reading *r, const char *group) {
  static const char *const PARTS[] = {"name", "solver", "method", "precision", "backend"};
  char text[400] = "";
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", group, PARTS[i]);
    const char *part = vb_reading_text(r, path);
    size_t used = strlen(text);
    if (part[0])
      snprintf(text + used, sizeof text - used, "%s%.80s", used ? ", " : "", part);
  }
  char *kept = vb_arena_text(r->memory, text);
  return kept ? kept : "";
}

/// The greatest of a list; NaN where it has none.
static double greatest_of(const vb_reading *r, const char *path) {
  vb_h5_dataset d;
  double most = NAN, *values = NULL;
  size_t n = 0;
  if (vb_h5_open_dataset(r->h5, r->from, path, &d)) {
    vb_h5_expect(r->h5, &d, VB_H5_NUMBERS, 1, 1);
    n = r->h5->status ? 0 : (size_t)vb_results_whole_rows(r->h5, r->from, path, d.extent[0]);
    if (n > 0)
      values = vb_h5_new_numbers(r->h5, &d, &(vb_h5_block){.count = {n, 1, 1}});
  }
  for (size_t i = 0; values && i < n; i++)
    most = fmax(most, values[i]);
  free(values);
  vb_h5_release(d.id);
  return most;
}

static void read_status(const vb_reading *r, vb_report_run *run) {
  char status[32] = "unknown", what[160] = "", convergence[16] = "";
  int64_t steps;
  hid_t group = vb_h5_open_group(r->h5, r->from, "run");
  run->steps = run->residual = NAN;
  if (group >= 0) {
    vb_h5_read_attribute(group, "status", status, sizeof status);
    vb_h5_read_attribute(group, "diverged_what", what, sizeof what);
    if (!what[0])
      vb_h5_read_attribute(group, "warning", what, sizeof what);
    if (vb_h5_read_integer(r->h5, group, "steps", &steps))
      run->steps = (double)steps;
    vb_h5_read_attribute(group, "convergence", convergence, sizeof convergence);
    vb_h5_read_number(r->h5, group, "convergence_last", &run->residual);
  }
  vb_h5_release(group);
  vb_printable_text(status);
  vb_printable_text(what);
  vb_printable_text(convergence);
  run->convergence = vb_arena_text(r->memory, convergence);
  run->status = vb_arena_text(r->memory, status);
  run->what = vb_arena_text(r->memory, what);
}

/// The range of the medians of ten stretches of a run: how much its step time varies.
static void read_scatter(const vb_reading *r, vb_report_run *run) {
  enum { STRETCHES = 10 };
  vb_h5_dataset d;
  double *steps = NULL;
  size_t n = 0;
  run->step_time_low = run->step_time_high = NAN;
  if (vb_h5_open_dataset(r->h5, r->from, "timing/step", &d)) {
    vb_h5_expect(r->h5, &d, VB_H5_NUMBERS, 1, 1);
    n = r->h5->status ? 0
                      : (size_t)vb_results_whole_rows(r->h5, r->from, "timing/step", d.extent[0]);
    if (n >= 2 * STRETCHES)
      steps = vb_h5_new_numbers(r->h5, &d, &(vb_h5_block){.count = {n, 1, 1}});
  }
  for (size_t k = 0; steps && k < STRETCHES; k++) {
    size_t first = k * n / STRETCHES, last = (k + 1) * n / STRETCHES;
    double median = vb_quantile(steps + first, last - first, 0.5);
    run->step_time_low = fmin(run->step_time_low, median);
    run->step_time_high = fmax(run->step_time_high, median);
  }
  free(steps);
  vb_h5_release(d.id);
}

static void read_run(const vb_reading *r, vb_report_run *run) {
  read_status(r, run);
  run->label = vb_reading_text(r, "scenario/label");
  run->scene = vb_reading_text(r, "scenario/scene_sha256");
  run->parameters = vb_reading_text(r, "scenario/parameters");
  run->solver = name_solver(r, "solver");
  run->shared = vb_results_is_shared(r->h5, r->from);
  if (run->shared) {
    run->step_time = run->step_time_low = run->step_time_high = NAN;
  } else {
    run->step_time = vb_reading_number(r, "timing/summary/median");
    read_scatter(r, run);
  }
  run->dof_hz = run->real_time = NAN;
  double recorded = vb_reading_number(r, "run/residual");
  run->residual = isnan(recorded) ? run->residual : recorded;
  run->greatest_residual = greatest_of(r, "run/residual");
}

/// A case of a benchmark, in the group bench/NAME.
static void read_case(const vb_reading *r, vb_report_run *run) {
  char group[VB_RECORDED_NAME_MAX + 8], path[VB_RECORDED_NAME_MAX + 64];
  snprintf(group, sizeof group, "bench/%s", run->name);
#define AT(name) (snprintf(path, sizeof path, "%s/" name, group), path)
  run->label = vb_reading_text(r, AT("label"));
  run->scene = vb_reading_text(r, AT("scene_sha256"));
  run->parameters = vb_reading_text(r, AT("parameters"));
  run->what = vb_reading_text(r, AT("remark"));
  if (!run->what[0])
    run->what = vb_reading_text(r, AT("stop_reason"));
  run->status = "";
  run->convergence = "";
  run->solver = name_solver(r, group);
  run->steps = vb_reading_number(r, AT("steps"));
  run->step_time = vb_reading_number(r, AT("speed/step_time"));
  run->step_time_low = vb_reading_number(r, AT("speed/step_time_low"));
  run->step_time_high = vb_reading_number(r, AT("speed/step_time_high"));
  run->dof_hz = vb_reading_number(r, AT("speed/dof_hz"));
  run->real_time = vb_reading_number(r, AT("speed/real_time_factor"));
  run->residual = vb_reading_number(r, AT("residual/final"));
  run->greatest_residual = vb_reading_number(r, AT("residual/greatest"));
  run->gates_passed = vb_reading_number(r, AT("gates_passed")) == 1;
#undef AT
}

static void read_cases(const vb_reading *r, vb_report_study *s) {
  vb_reading_list list = vb_reading_names(r, "bench");
  if (!VB_TAKE(r->memory, s->runs, list.n + 1))
    vb_h5_out_of_memory(r->h5);
  for (size_t i = 0; i < list.n && !r->h5->status; i++) {
    vb_report_run *run = &s->runs[s->n_runs++];
    run->name = list.names[i];
    read_case(r, run);
  }
  free(list.names);
}

/// Makes the lists of runs, of which there may be `n` in the end; what is missing is known.
static void begin_runs(const vb_reading *r, vb_report_study *s, size_t n) {
  char **missing = vb_reading_texts(r, "scenario/missing", &s->n_missing);
  VB_TAKE(r->memory, s->runs, n + 1);
  VB_TAKE(r->memory, s->missing, s->n_missing + n + 1);
  VB_TAKE(r->memory, s->broken, n + 1);
  if (r->memory->failed)
    vb_h5_out_of_memory(r->h5);
  for (size_t i = 0; i < s->n_missing && !r->h5->status; i++)
    s->missing[i] = missing[i];
}

/// Adds a run, or counts one that cannot be read among those that are missing.
static void add_run(const vb_reading *r, vb_report_study *s, char *name) {
  vb_report_run *run = &s->runs[s->n_runs];
  vb_error why = {0};
  vb_h5 h5 = {s->path, VB_BAD_INPUT, &why, VB_OK};
  hid_t root = vb_results_open_run(&h5, r->from, name);
  *run = (vb_report_run){.name = name, .place = {s->path, name}};
  if (!h5.status)
    read_run(&(vb_reading){&h5, root, r->memory}, run);
  vb_h5_release(root);
  if (!h5.status) {
    s->n_runs++;
  } else if (h5.status == VB_BAD_INPUT) {
    s->missing[s->n_missing++] = name;
    s->broken[s->n_broken++] = vb_arena_text(r->memory, why.message);
  } else {
    r->h5->status = vb_error_set(r->h5->error, h5.status, "%s", why.message);
  }
}

/// Marks the runs that the study names for show.
static void mark_shown(const vb_reading *r, vb_report_study *s) {
  size_t n;
  char **shown = vb_reading_texts(r, "scenario/show", &n);
  for (size_t i = 0; i < s->n_runs; i++)
    for (size_t k = 0; k < n; k++)
      s->runs[i].shown = s->runs[i].shown || strcmp(s->runs[i].name, shown[k]) == 0;
}

static void read_runs(const vb_reading *r, vb_report_study *s) {
  size_t n;
  char **names = vb_reading_texts(r, "scenario/runs", &n);
  begin_runs(r, s, n);
  for (size_t i = 0; i < n && !r->h5->status; i++)
    add_run(r, s, names[i]);
  mark_shown(r, s);
}

/// A file of one run, which stands for its study.
static void read_lone_run(const vb_reading *r, vb_report_study *s) {
  if (!VB_TAKE(r->memory, s->runs, 1)) {
    vb_h5_out_of_memory(r->h5);
    return;
  }
  s->n_runs = 1;
  s->runs[0].name = vb_reading_text(r, "scenario/run");
  s->runs[0].place = (vb_run_location){s->path, NULL};
  read_run(r, &s->runs[0]);
}

static char *fact_text(const vb_reading *r, const char *path) {
  char number[32];
  char *text = vb_reading_text(r, path);
  double value = text[0] ? NAN : vb_reading_number(r, path);
  if (text[0] || isnan(value))
    return text;
  snprintf(number, sizeof number, "%.15g", value);
  return vb_arena_text(r->memory, number);
}

static void read_provenance(const vb_reading *r, vb_report_study *s) {
  vb_reading_list list = vb_reading_names(r, "provenance");
  if (!VB_TAKE(r->memory, s->provenance, list.n + 1))
    vb_h5_out_of_memory(r->h5);
  for (size_t i = 0; i < list.n && !r->h5->status; i++) {
    char path[VB_RECORDED_NAME_MAX + 16];
    snprintf(path, sizeof path, "provenance/%s", list.names[i]);
    char *text = fact_text(r, path);
    if (text && text[0])
      s->provenance[s->n_provenance++] = (vb_report_fact){list.names[i], text};
  }
  free(list.names);
}

/// An index of others' runs links to files that are called after another study.
static bool is_joint(vb_h5 *h5, hid_t file) {
  char target[512] = "", study[VB_NAME_MAX + 2] = "";
  vb_arena memory = {0};
  const vb_reading r = {h5, file, &memory};
  size_t n;
  char **runs = vb_reading_texts(&r, "scenario/runs", &n);
  hid_t group = vb_h5_open_group(h5, file, "runs");
  snprintf(study, sizeof study, "%.100s-", vb_reading_text(&r, "scenario/study"));
  bool linked =
      runs && n > 0 && group >= 0 && vb_h5_link_target(group, runs[0], target, sizeof target);
  vb_h5_release(group);
  vb_arena_clear(&memory);
  return linked && strncmp(target, study, strlen(study)) != 0;
}

vb_status vb_report_kind_read(const char *path, vb_report_kind *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_report_kind kind = {0};
  hid_t file = vb_results_open(&h5, &kind.index);
  kind.speeds = !h5.status && kind.index && vb_h5_has(&h5, file, "bench");
  kind.joint = !h5.status && kind.index && !kind.speeds && is_joint(&h5, file);
  vb_h5_release(file);
  if (!h5.status)
    *out = kind;
  return h5.status;
}

vb_status vb_report_study_read(const char *path, vb_report_kind kind, vb_arena *memory,
                               vb_report_study *out, vb_error *error) {
  char figure[VB_RECORDED_NAME_MAX + 1] = "";
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file = vb_results_open(&h5, NULL);
  const vb_reading r = {&h5, file, memory};
  vb_report_study s = {.path = vb_arena_text(memory, path), .speeds = kind.speeds};
  s.name = vb_reading_text(&r, "scenario/study");
  s.title = vb_reading_text(&r, "scenario/title");
  s.tier = vb_reading_text(&r, "scenario/tier");
  s.script = vb_reading_text(&r, "scenario/script");
  if (!h5.status && vb_h5_read_attribute(file, "figure", figure, sizeof figure))
    vb_printable_text(figure);
  s.figure = vb_arena_text(memory, figure);
  if (!h5.status && !vb_recorded_name_is_valid(s.name))
    h5.status = vb_bad_input(error, "%s does not say of which study it is", path);
  if (!h5.status)
    vb_reading_gates(&r, &s);
  if (!h5.status)
    read_provenance(&r, &s);
  if (!h5.status)
    (kind.speeds ? read_cases : kind.index ? read_runs : read_lone_run)(&r, &s);
  vb_h5_release(file);
  if (!h5.status && memory->failed)
    return vb_error_memory(error);
  if (!h5.status)
    *out = s;
  return h5.status;
}
