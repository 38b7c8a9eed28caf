// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"
#include "base/file.h"
#include "base/statistics.h"
#include "results/h5_repack.h"
#include "results/results_internal.h"
#include "results/xdmf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLACK_BYTES ((size_t)1 << 20) ///< reserved beyond the data, for HDF5's own bookkeeping

char *vb_results_path(const char *path, const char *suffix, bool replace) {
  size_t length = strlen(path);
  if (replace && length > 3 && strcmp(path + length - 3, ".h5") == 0)
    length -= 3;
  char *out = malloc(length + strlen(suffix) + 1);
  if (out) {
    memcpy(out, path, length);
    strcpy(out + length, suffix);
  }
  return out;
}

static void list_tables(vb_results *results, vb_table *tables[4]) {
  tables[0] = &results->series;
  tables[1] = &results->frames;
  tables[2] = &results->timing;
  tables[3] = &results->convergence;
}

static void free_tables(vb_results *results) {
  vb_table *tables[4];
  list_tables(results, tables);
  for (size_t i = 0; i < 4; i++)
    vb_table_free(tables[i]);
}

static void free_results(vb_results *results) {
  free_tables(results);
  vb_rod_measures_destroy(results->measures);
  vb_arena_clear(&results->memory);
  free(results->frame_time.values);
  free(results->step_time.values);
  free(results->path);
  free(results->partial_path);
  free(results);
}

/// Closes the datasets and the file, if it is still open, without writing any more.
static void abandon(vb_results *results) {
  hid_t file = results->file;
  if (file >= 0)
    vb_h5_divert(file);
  if (file >= 0 && !results->has_rows)
    vb_h5_drop_file(&(vb_h5){.path = results->partial_path});
  free_results(results);
  vb_h5_release(file);
}

/// Says how many rows of each table are on the disk, and to which step they come. Written and
/// flushed after the rows themselves: a kill between the two leaves rows that are not counted.
static void write_counts(vb_h5 *h5, const vb_results *results, int64_t steps) {
  const struct {
    const char *group;
    const vb_table *table;
  } tables[] = {{"run", &results->series},
                {"run/frames", &results->frames},
                {"timing", &results->timing},
                {"convergence", &results->convergence}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (tables[i].table->n_columns == 0)
      continue;
    hid_t group = VB_H5(h5, H5Gopen2(results->file, tables[i].group, H5P_DEFAULT));
    vb_h5_attribute_int(h5, group, VB_ROWS_ATTRIBUTE, (int64_t)tables[i].table->written);
    if (i == 0)
      vb_h5_attribute_int(h5, group, "steps", steps);
    vb_h5_release(group);
  }
}

/// The groups that tables are in.
static void create_groups(vb_h5 *h5, const vb_results *results) {
  const char *const groups[] = {"run", "timing", "convergence"};
  const vb_table *tables[] = {&results->series, &results->timing, &results->convergence};
  for (size_t i = 0; i < (results->run.n_convergence > 0 ? 3 : 2); i++) {
    vb_h5_links links = {i == 1, i == 1 ? strlen("summary") : 0};
    vb_table_add_links(tables[i], groups[i], &links);
    vb_table_add_links(&results->frames, groups[i], &links);
    vb_h5_release(vb_h5_group_of(h5, results->file, groups[i], &links));
  }
}

/// Everything about the run but its rows.
static void write_head(vb_h5 *h5, const vb_results *results, void *instance) {
  const vb_run_facts *run = &results->run;
  vb_h5_reserve(h5, results->file, SLACK_BYTES + vb_results_static_bytes(run));
  vb_results_write_schema(h5, results->file, VB_RESULTS_SCHEMA);
  vb_results_write_provenance(h5, results->file, results->solver, instance);
  if (run->gpu)
    vb_results_write_device(h5, results->file, run->gpu);
  vb_results_write_scenario(h5, results->file, run);
  vb_results_write_solver(h5, results->file, results->solver, instance, run->origin);
  vb_results_write_topology(h5, results->file, run);
  if (run->record.weights)
    vb_results_write_weights(h5, results, instance);
  create_groups(h5, results);
  hid_t group = VB_H5(h5, H5Gopen2(results->file, "run", H5P_DEFAULT));
  vb_h5_attribute_text(h5, group, "status", "interrupted");
  vb_h5_attribute_text(h5, group, "run_key", run->key);
  vb_h5_release(group);
}

/// Puts the file, which has its head alone, into the form that grows: with datasets for rows, under
/// a name that others see, readable after a kill.
static vb_status begin_growing(vb_results *results, vb_error *error) {
  vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
  vb_table *tables[4];
  list_tables(results, tables);
  results->file = vb_h5_repack(&h5, results->file, false, SLACK_BYTES, NULL);
  for (size_t i = 0; i < 4; i++)
    vb_table_create(&h5, tables[i], results->file);
  write_counts(&h5, results, 0);
  vb_h5_flush(&h5, results->file);
  vb_h5_show_file(&h5);
  results->has_rows = !h5.status;
  return h5.status;
}

vb_status vb_results_create(const char *path, const vb_run_facts *run, const vb_solver *solver,
                            void *instance, vb_results **out, vb_error *error) {
  vb_results *results = calloc(1, sizeof *results);
  if (!results)
    return vb_error_memory(error);
  results->run = *run;
  results->solver = solver;
  results->description = solver->describe(solver);
  results->file = -1;
  results->last_residual = NAN;
  results->path = vb_results_path(path, "", false);
  results->partial_path = vb_results_path(path, ".part", false);
  vb_status status = results->path && results->partial_path ? VB_OK : vb_error_memory(error);
  if (!status)
    status = vb_results_prepare(results, instance, error);
  if (!status)
    status = vb_results_plan_tables(results, error);
  if (!status) {
    vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
    results->file = vb_h5_create_small_file(&h5);
    write_head(&h5, results, instance);
    vb_h5_flush(&h5, results->file);
    status = h5.status;
  }
  if (status) {
    abandon(results);
    return status;
  }
  results->last_flush = vb_clock();
  *out = results;
  return VB_OK;
}

/// Notes the steps done, told by the time of the last row that is to be written.
static void note_steps(vb_results *results) {
  const vb_table *series = &results->series;
  if (series->pending == 0)
    return;
  double steps =
      series->columns[0].rows[series->pending - 1] / vb_scene_world(results->run.scene)->step;
  results->steps = isfinite(steps) ? llround(steps) : 0;
}

/// Makes sure that the disk takes all rows in memory, and `more` bytes.
static void reserve_rows(vb_h5 *h5, vb_results *results, size_t more) {
  vb_table *tables[4];
  list_tables(results, tables);
  for (size_t i = 0; i < 4; i++)
    more += vb_table_bytes(tables[i]);
  vb_h5_reserve(h5, results->file, more);
}

static vb_status write_tables(vb_results *results, vb_error *error) {
  vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
  vb_table *tables[4];
  list_tables(results, tables);
  reserve_rows(&h5, results, SLACK_BYTES);
  note_steps(results);
  for (size_t i = 0; i < 4; i++)
    vb_table_write(&h5, tables[i]);
  return h5.status;
}

vb_status vb_results_flush(vb_results *results, vb_error *error) {
  vb_error failure = results->failure;
  if (!failure.status && !results->has_rows)
    begin_growing(results, &failure);
  if (!failure.status && !write_tables(results, &failure)) {
    vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, &failure, VB_OK};
    vb_h5_flush(&h5, results->file);
    write_counts(&h5, results, results->steps);
    vb_h5_flush(&h5, results->file);
  }
  results->failure = failure;
  if (failure.status && error)
    *error = failure;
  results->last_flush = vb_clock();
  return failure.status;
}

static void write_summary(vb_h5 *h5, vb_results *results) {
  size_t n = results->step_time.n;
  const double *t = results->step_time.values;
  double total = 0;
  if (n == 0)
    return;
  for (size_t i = 0; i < n; i++)
    total += t[i];
  hid_t group = vb_h5_group_of(h5, results->file, "timing/summary", &(vb_h5_links){5, 29});
  vb_h5_number(h5, group, "total", total, "s", NULL);
  vb_h5_number(h5, group, "mean", total / (double)n, "s", NULL);
  vb_h5_number(h5, group, "median", vb_quantile(t, n, 0.5), "s", NULL);
  vb_h5_number(h5, group, "minimum", vb_quantile(t, n, 0), "s", NULL);
  vb_h5_number(h5, group, "maximum", vb_quantile(t, n, 1), "s", NULL);
  vb_h5_release(group);
}

void vb_results_note_shared(vb_results *results) {
  results->shared = true;
}

void vb_results_warn(vb_results *results, const char *warning) {
  snprintf(results->warning, sizeof results->warning, "%s", warning);
}

void vb_results_note_convergence(vb_results *results, const vb_convergence *convergence,
                                 double last) {
  results->steps_converged = *convergence;
  results->last_residual = last;
}

static void write_convergence(vb_h5 *h5, hid_t run, const vb_results *results) {
  const vb_convergence *c = &results->steps_converged;
  vb_h5_attribute_text(h5, run, "convergence",
                       c->evaluated == 0 ? "not judged"
                       : c->missed == 0  ? "yes"
                                         : "no");
  if (results->gain.n_rows > 0)
    vb_h5_attribute_number(h5, run, "energy_gain", results->gain.greatest);
  if (isfinite(results->last_residual))
    vb_h5_attribute_number(h5, run, "convergence_last", results->last_residual);
  if (c->evaluated == 0)
    return;
  vb_h5_attribute_int(h5, run, "convergence_missed", c->missed);
  vb_h5_attribute_number(h5, run, "convergence_worst", c->worst);
}

static void write_end(vb_h5 *h5, vb_results *results, const char *status,
                      const vb_divergence *divergence) {
  write_summary(h5, results);
  hid_t timing = VB_H5(h5, H5Gopen2(results->file, "timing", H5P_DEFAULT));
  vb_h5_attribute_text(h5, timing, "shared", results->shared ? "yes" : "no");
  vb_h5_release(timing);
  hid_t run = VB_H5(h5, H5Gopen2(results->file, "run", H5P_DEFAULT));
  if (divergence && divergence->diverged) {
    vb_h5_attribute_int(h5, run, "diverged_step", divergence->step);
    vb_h5_attribute_text(h5, run, "diverged_what", divergence->what);
  }
  write_convergence(h5, run, results);
  if (results->warning[0])
    vb_h5_attribute_text(h5, run, "warning", results->warning);
  vb_h5_attribute_text(h5, run, "status", status);
  vb_h5_release(run);
}

/// Whether a recorded field is shown: of points, or of the cells between them; a number, a vector
/// or a tensor.
static bool visible(const vb_field *f, vb_location point, vb_location cell) {
  return (f->location == point || f->location == cell) &&
         (f->components == 1 || f->components == 3 || f->components == 9);
}

/// The recorded fields that are shown, positions first; 0 where these are missing. Those of bones
/// are shown where there are no nodes.
static size_t visible_fields(const vb_results *results, vb_xdmf_field *fields) {
  static const vb_xdmf_field radius = {"radius", 1, "m", "current radius", false};
  bool solid = vb_scene_count(results->run.scene, VB_SET_TETRAHEDRON) > 0;
  vb_location cell = solid ? VB_AT_TETRAHEDRON : VB_AT_SEGMENT;
  size_t n = 1;
  bool position = false, nodes = vb_scene_count(results->run.scene, VB_SET_NODE) > 0;
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    const vb_field *f = &results->description->fields[results->frame_field[i]];
    vb_xdmf_field field = {f->name, f->components, f->unit, f->long_name, f->location == cell};
    if (!visible(f, nodes ? VB_AT_NODE : VB_AT_BONE, cell))
      continue;
    if (strcmp(f->name, nodes ? "position" : "bone_position") == 0) {
      fields[0] = field;
      position = true;
    } else {
      fields[n++] = field;
    }
  }
  if (results->radius_column)
    fields[n++] = radius;
  return position ? n : 0;
}

/// Adds the surface to what is to be seen, where its vertices are recorded and it has triangles.
static void show_surface(const vb_results *results, vb_xdmf_field *field, vb_xdmf *xdmf) {
  xdmf->n_vertices = vb_scene_count(results->run.scene, VB_SET_SURFACE_VERTEX);
  xdmf->n_triangles = vb_scene_count(results->run.scene, VB_SET_TRIANGLE);
  for (size_t i = 0; i < results->run.record.n_fields; i++) {
    const vb_field *f = &results->description->fields[results->frame_field[i]];
    if (f->location != VB_AT_VERTEX || strcmp(f->name, "vertices") != 0 || xdmf->n_fields == 0 ||
        xdmf->n_triangles == 0 || results->frame_count[i] != xdmf->n_vertices)
      continue;
    *field = (vb_xdmf_field){f->name, f->components, f->unit, f->long_name, false};
    xdmf->surface = field;
  }
}

/// Writes the last rows and the end; the file is then ready to be closed.
static vb_status finish(vb_results *results, const char *status, const vb_divergence *divergence,
                        vb_error *error) {
  vb_status code = vb_results_flush(results, error);
  if (code)
    return code;
  vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
  vb_h5_reserve(&h5, results->file, SLACK_BYTES);
  write_end(&h5, results, status, divergence);
  vb_h5_flush(&h5, results->file);
  return h5.status;
}

static vb_rounding rounding_of(const vb_results *results) {
  return (vb_rounding){&results->run.record, results->frame_time.values, results->frame_time.n,
                       results->reach, results->n_reach};
}

/// Rounds the frames that are in memory.
static void round_frames(vb_results *results) {
  vb_rounding rounding = rounding_of(results);
  vb_table *frames = &results->frames;
  for (size_t i = 1; i < frames->n_columns; i++) {
    vb_table_column *c = &frames->columns[i];
    vb_rounding_apply(&rounding, c->path, 0, frames->pending, c->width, c->rows);
    c->rounding = vb_rounding_error(&rounding, c->path);
  }
}

/// Of a file that is rewritten: rounds frames.
static void rewrite_rows(const void *context, const char *path, size_t first, size_t n,
                         size_t width, double *values) {
  vb_rounding_apply(context, path, first, n, width, values);
}

/// Likewise tells of it.
static void rewrite_attributes(const void *context, vb_h5 *h5, const char *path, hid_t dataset) {
  double error = vb_rounding_error(context, path);
  if (error > 0)
    vb_h5_attribute_number(h5, dataset, VB_ROUNDING_ATTRIBUTE, error);
}

/// Closes the file and puts it in its final form, with the views.
static vb_status repack(vb_results *results, const vb_xdmf *xdmf, vb_error *error) {
  vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
  vb_rounding rounding = rounding_of(results);
  vb_h5_copy_change rewriting = {&rounding, rewrite_rows, rewrite_attributes};
  hid_t file =
      vb_h5_repack(&h5, results->file, true, SLACK_BYTES + vb_xdmf_view_bytes(xdmf), &rewriting);
  results->file = -1;
  if (file < 0)
    return h5.status;
  if (xdmf->n_fields > 0)
    vb_xdmf_write_views(&h5, file, xdmf);
  return vb_h5_end_file(&h5, file);
}

/// Writes rows and end of a run that was over before its first flush, and the views: the file has
/// its final form.
static vb_status store(vb_results *results, const char *status, const vb_divergence *divergence,
                       const vb_xdmf *xdmf, vb_error *error) {
  vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
  vb_table *tables[4];
  list_tables(results, tables);
  reserve_rows(&h5, results, 2 * SLACK_BYTES + vb_xdmf_view_bytes(xdmf));
  round_frames(results);
  note_steps(results);
  for (size_t i = 0; i < 4; i++)
    vb_table_write_whole(&h5, tables[i], results->file);
  write_counts(&h5, results, results->steps);
  write_end(&h5, results, status, divergence);
  if (xdmf->n_fields > 0)
    vb_xdmf_write_views(&h5, results->file, xdmf);
  if (h5.status)
    return h5.status;
  free_tables(results);
  hid_t file = results->file;
  results->file = -1;
  return vb_h5_end_file(&h5, file);
}

/// Gives the file its final name, and writes its sidecar where there is something to see: first,
/// so that a file that is there is whole, wherever the program is killed.
static vb_status publish(const char *partial_path, const char *path, const vb_xdmf *xdmf,
                         vb_error *error) {
  char *sidecar = vb_results_path(path, ".xdmf", true);
  if (!sidecar)
    return vb_error_memory(error);
  const char *slash = strrchr(path, '/');
  vb_status status = VB_OK;
  if (xdmf->n_fields > 0 && xdmf->n_frames > 0)
    status = vb_xdmf_write_sidecar(sidecar, slash ? slash + 1 : path, xdmf, error);
  if (!status)
    status = vb_file_publish(partial_path, path, error);
  free(sidecar);
  return status;
}

/// Ends the file of a run that was stopped: with what was recorded, under the name that it has.
static vb_status close_unfinished(vb_results *results, const char *status, vb_error *error) {
  vb_status code = finish(results, status, NULL, error);
  if (code)
    return code;
  free_tables(results);
  vb_h5 h5 = {results->partial_path, VB_CANNOT_WRITE, error, VB_OK};
  VB_H5(&h5, H5Fclose(results->file));
  results->file = -1;
  return h5.status;
}

static vb_status close_finished(vb_results *results, const char *status,
                                const vb_divergence *divergence, const vb_xdmf *xdmf,
                                vb_error *error) {
  vb_status code;
  if (!results->has_rows && !results->failure.status) {
    code = store(results, status, divergence, xdmf, error);
  } else {
    code = finish(results, status, divergence, error);
    if (!code) {
      free_tables(results);
      code = repack(results, xdmf, error);
    }
  }
  return code ? code : publish(results->partial_path, results->path, xdmf, error);
}

static vb_status close_with_fields(vb_results *results, const char *status,
                                   const vb_divergence *divergence, vb_xdmf_field *fields,
                                   vb_error *error) {
  const vb_scene *scene = results->run.scene;
  size_t n_nodes = vb_scene_count(scene, VB_SET_NODE);
  bool quick = results->run.tier && strcmp(results->run.tier, "quick") == 0;
  vb_xdmf xdmf = {.title = results->run.name,
                  .n_nodes = n_nodes ? n_nodes : vb_scene_count(scene, VB_SET_BONE),
                  .bones = vb_scene_count(scene, VB_SET_TIE) > 0 &&
                           vb_scene_count(scene, VB_SET_TETRAHEDRON) > 0,
                  .n_segments = vb_scene_count(scene, VB_SET_SEGMENT),
                  .n_tetrahedra = vb_scene_count(scene, VB_SET_TETRAHEDRON),
                  .time = results->frame_time.values,
                  .n_frames = results->frame_time.n,
                  .most_frames = quick ? VB_XDMF_MOST_QUICK_FRAMES : VB_XDMF_MOST_FRAMES,
                  .fields = fields,
                  .n_fields = visible_fields(results, fields)};
  vb_xdmf_field surface;
  show_surface(results, &surface, &xdmf);
  return close_finished(results, status, divergence, &xdmf, error);
}

vb_status vb_results_close(vb_results *results, const char *status, const vb_divergence *divergence,
                           vb_error *error) {
  vb_xdmf_field *fields = calloc(results->run.record.n_fields + 2, sizeof *fields);
  vb_status code = !fields ? vb_error_memory(error)
                   : strcmp(status, "interrupted") == 0
                       ? close_unfinished(results, status, error)
                       : close_with_fields(results, status, divergence, fields, error);
  abandon(results);
  free(fields);
  return code;
}
