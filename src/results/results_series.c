// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_internal.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SERIES_ROWS ((size_t)1024)    ///< at most in a chunk and in memory
#define FRAME_BYTES ((size_t)4 << 20) ///< of frames in memory, at most where there are several
#define FLUSH_EVERY 1.0               ///< s of wall time

vb_status vb_doubles_push(vb_doubles *list, double value, vb_error *error) {
  double *added = VB_APPEND(list->values, list->n);
  if (!added)
    return vb_error_memory(error);
  *added = value;
  return VB_OK;
}

bool vb_results_find_field(const vb_solver_description *description, const char *name,
                           size_t *index) {
  for (size_t i = 0; i < description->n_fields; i++)
    if (strcmp(description->fields[i].name, name) == 0) {
      *index = i;
      return true;
    }
  return false;
}

static vb_status unknown_field(const vb_results *results, const char *name, vb_error *error) {
  char names[512] = "";
  for (size_t i = 0; i < results->description->n_fields; i++) {
    const vb_field *f = &results->description->fields[i];
    size_t used = strlen(names);
    if (f->location != VB_AT_SCENE)
      snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", f->name);
  }
  return vb_bad_input(error, "solver \"%s\" has no field \"%s\" to record in frames; it has %s",
                      results->description->name, name, names[0] ? names : "none");
}

vb_status vb_results_prepare(vb_results *results, void *instance, vb_error *error) {
  const vb_record_plan *record = &results->run.record;
  VB_TAKE(&results->memory, results->field_count, results->description->n_fields);
  VB_TAKE(&results->memory, results->frame_field, record->n_fields);
  VB_TAKE(&results->memory, results->frame_count, record->n_fields);
  if (results->memory.failed)
    return vb_error_memory(error);
  for (size_t i = 0; i < results->description->n_fields; i++)
    results->field_count[i] = results->solver->count(instance, i);
  for (size_t i = 0; i < record->n_fields; i++) {
    size_t *field = &results->frame_field[i];
    if (!vb_results_find_field(results->description, record->fields[i], field) ||
        results->description->fields[*field].location == VB_AT_SCENE)
      return unknown_field(results, record->fields[i], error);
    results->frame_count[i] = results->field_count[*field];
    for (size_t k = 0; k < i; k++)
      if (results->frame_field[k] == *field)
        return vb_bad_input(error, "field \"%s\" is listed twice to be recorded; name it once",
                            record->fields[i]);
  }
  return vb_results_state_prepare(results, error);
}

/// Rows that the run is going to have, and one more: a table that is full is flushed. Within what a
/// chunk may hold.
static size_t planned_rows(int64_t steps, int64_t every) {
  int64_t rows = (steps + every - 1) / every + 2;
  return rows < (int64_t)SERIES_ROWS ? (size_t)rows : SERIES_ROWS;
}

static void plan_series(vb_results *results) {
  const vb_world *world = vb_scene_world(results->run.scene);
  results->series.capacity = planned_rows(world->n_steps, results->run.record.every);
  vb_table_add_number(&results->series, "run", "", "time", "s", "time of each row");
  vb_results_state_add(results, &results->series, "run", results->run.record.residual);
}

/// Bytes of one frame.
static size_t frame_bytes(const vb_results *results) {
  size_t n = 1;
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    const vb_field *f = &results->description->fields[results->frame_field[i]];
    n += results->frame_count[i] * (size_t)f->components;
  }
  return n * sizeof(double);
}

static void add_frame_field(vb_results *results, const vb_field *f, hsize_t count) {
  char path[128];
  snprintf(path, sizeof path, "frames/%s", f->name);
  vb_table_add(&results->frames, &(vb_column_spec){.group = "run",
                                                   .name = path,
                                                   .rank = f->components > 1 ? 2 : 1,
                                                   .extent = {count, (hsize_t)f->components},
                                                   .unit = f->unit,
                                                   .long_name = f->long_name});
}

/// Whether frames get a radius of our own: the scale is recorded, and no radius of the solver's.
static bool wants_radius(const vb_results *results) {
  bool scale = false, radius = false;
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    scale |= results->measures && results->frame_field[i] == results->scale_field;
    radius |= strcmp(results->run.record.fields[i], "radius") == 0;
  }
  return scale && !radius;
}

static bool records(const vb_results *results, const char *field) {
  for (size_t i = 0; i < results->run.record.n_fields; i++)
    if (strcmp(results->run.record.fields[i], field) == 0)
      return true;
  return false;
}

/// Names the fields in the columns of frames, whose reach is then noted.
static void name_reach(vb_results *results) {
  if (!VB_TAKE(&results->memory, results->reach, results->frames.n_columns))
    return;
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    const vb_field *f = &results->description->fields[results->frame_field[i]];
    bool derived = f->location == VB_AT_VERTEX && records(results, "position");
    if (results->frame_count[i] > 0)
      results->reach[results->n_reach++] =
          (vb_field_reach){f->name, 0, derived, f->components == 4};
  }
  if (results->radius_column)
    results->reach[results->n_reach++] = (vb_field_reach){"radius", 0, true, false};
}

static void note_reach(vb_results *results) {
  for (size_t i = 0; i < results->n_reach; i++)
    vb_field_reach_add(&results->reach[i], vb_table_cell(&results->frames, i + 1),
                       results->frames.columns[i + 1].width);
}

static void plan_frames(vb_results *results) {
  size_t fit = FRAME_BYTES / frame_bytes(results);
  size_t planned =
      planned_rows(vb_scene_world(results->run.scene)->n_steps, results->run.record.frames_every);
  results->frames.capacity = fit < 1 ? 1 : fit < planned ? fit : planned;
  results->frames.compress = true;
  vb_table_add_number(&results->frames, "run", "frames/", "time", "s", "time of each frame");
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    const vb_field *f = &results->description->fields[results->frame_field[i]];
    if (results->frame_count[i] > 0) // a field without elements makes no dataset
      add_frame_field(results, f, results->frame_count[i]);
  }
  vb_field radius = {"radius", VB_AT_NODE, 1, "m", "current radius: scale times rest radius"};
  if (wants_radius(results)) {
    results->radius_column = results->frames.n_columns;
    add_frame_field(results, &radius, vb_scene_count(results->run.scene, VB_SET_NODE));
  }
  if (!results->frames.failed)
    name_reach(results);
}

static void plan_timing(vb_results *results) {
  vb_table *table = &results->timing;
  table->capacity = planned_rows(vb_scene_world(results->run.scene)->n_steps, 1);
  vb_table_add(table, &(vb_column_spec){.group = "timing",
                                        .name = "number",
                                        .unit = "1",
                                        .long_name = "number of each timed step, from 1",
                                        .integer = true});
  vb_table_add_number(table, "timing", "", "step", "s", "wall time of a step");
  for (size_t i = 0; i < results->description->n_phases; i++)
    vb_table_add_number(table, "timing", "phases/", results->description->phases[i], "s",
                        "wall time of this phase in a step");
}

static void plan_convergence(vb_results *results) {
  vb_table *table = &results->convergence;
  size_t n = results->run.n_convergence;
  table->capacity = n < SERIES_ROWS ? n : SERIES_ROWS;
  vb_table_add(table,
               &(vb_column_spec){.group = "convergence",
                                 .name = "iteration",
                                 .unit = "1",
                                 .long_name = "iterations in the one step from the saved state",
                                 .integer = true});
  vb_table_add_number(table, "convergence", "", "wall_time", "s", "wall time of that step");
  vb_results_state_add(results, table, "convergence", true);
}

/// Whether a study of the smallest size is recorded, of which there are many runs.
static bool is_quick(const vb_results *results) {
  return results->run.tier && strcmp(results->run.tier, "quick") == 0;
}

vb_status vb_results_plan_tables(vb_results *results, vb_error *error) {
  // What ties a column to its scale takes a third of the header of a dataset, often more than its
  // numbers.
  results->series.no_scale = results->timing.no_scale = results->convergence.no_scale =
      is_quick(results);
  results->series.no_names = results->frames.no_names = results->convergence.no_names =
      is_quick(results);
  plan_series(results);
  if (results->run.record.n_fields > 0)
    plan_frames(results);
  plan_timing(results);
  if (results->run.n_convergence > 0)
    plan_convergence(results);
  bool failed = results->series.failed || results->frames.failed || results->timing.failed ||
                results->convergence.failed || results->memory.failed;
  return failed ? vb_error_memory(error) : VB_OK;
}

/// Ends a row: writes when memory is full or the last flush is long ago.
static vb_status push(vb_results *results, vb_table *table, bool check_clock, vb_error *error) {
  bool due = vb_table_push(table);
  if (!due && check_clock)
    due = vb_clock() - results->last_flush > FLUSH_EVERY;
  return due ? vb_results_flush(results, error) : VB_OK;
}

/// The failure that ended all writing, or VB_OK.
static vb_status earlier_failure(const vb_results *results, vb_error *error) {
  if (results->failure.status && error)
    *error = results->failure;
  return results->failure.status;
}

vb_status vb_results_row(vb_results *results, void *instance, double time, vb_error *error) {
  vb_status status = earlier_failure(results, error);
  if (status)
    return status;
  *vb_table_cell(&results->series, 0) = time;
  status = vb_results_state_fill(results, &results->series, 1, results->run.record.residual,
                                 instance, error);
  if (status || vb_results_not_finite(results))
    return status;
  vb_energy_gain_add(&results->gain, results->row_energy, results->row_gravity, results->row_work);
  return push(results, &results->series, true, error);
}

const vb_energy_gain *vb_results_energy_gain(const vb_results *results) {
  return &results->gain;
}

double vb_results_residual(const vb_results *results) {
  return results->residual;
}

const char *vb_results_not_finite(const vb_results *results) {
  return results->not_finite[0] ? results->not_finite : NULL;
}

static void fill_radius(const vb_results *results, const double *scale) {
  size_t n_nodes;
  const vb_node *nodes = vb_scene_nodes(results->run.scene, &n_nodes);
  double *radius = vb_table_cell(&results->frames, results->radius_column);
  for (size_t i = 0; i < n_nodes; i++)
    radius[i] = scale[i] * nodes[i].rest_radius;
}

vb_status vb_results_frame(vb_results *results, void *instance, double time, vb_error *error) {
  vb_status status = earlier_failure(results, error);
  if (status || results->frames.n_columns == 0)
    return status;
  size_t column = 0;
  *vb_table_cell(&results->frames, column++) = time;
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    if (results->frame_count[i] == 0)
      continue;
    double *cell = vb_table_cell(&results->frames, column++);
    status = results->solver->read(instance, results->frame_field[i], cell, error);
    if (status)
      return status;
    if (results->radius_column && results->frame_field[i] == results->scale_field)
      fill_radius(results, cell);
  }
  note_reach(results);
  status = vb_doubles_push(&results->frame_time, time, error);
  return status ? status : push(results, &results->frames, true, error);
}

/// A wall time as it is stored: to a nanosecond, in which clocks count. The bits beyond are noise
/// that no compression makes smaller.
static double tell_time(double seconds) {
  const double per_second = 0x1p30;
  return rint(seconds * per_second) / per_second;
}

vb_status vb_results_timing(vb_results *results, double wall_s, const double *phase_s,
                            vb_error *error) {
  vb_status status = earlier_failure(results, error);
  wall_s = tell_time(wall_s);
  if (!status)
    status = vb_doubles_push(&results->step_time, wall_s, error);
  if (status)
    return status;
  *vb_table_cell(&results->timing, 0) = (double)results->step_time.n;
  *vb_table_cell(&results->timing, 1) = wall_s;
  for (size_t i = 0; i < results->description->n_phases; i++)
    *vb_table_cell(&results->timing, 2 + i) = tell_time(phase_s[i]);
  return push(results, &results->timing, false, error);
}

vb_status vb_results_convergence(vb_results *results, void *instance, int64_t iterations,
                                 double wall_s, vb_error *error) {
  vb_status status = earlier_failure(results, error);
  if (status)
    return status;
  if (results->convergence.n_columns == 0)
    return vb_bad_input(error, "run \"%s\" plans no convergence to record", results->run.name);
  *vb_table_cell(&results->convergence, 0) = (double)iterations;
  *vb_table_cell(&results->convergence, 1) = wall_s;
  status = vb_results_state_fill(results, &results->convergence, 2, true, instance, error);
  return status || vb_results_not_finite(results)
             ? status
             : push(results, &results->convergence, true, error);
}
