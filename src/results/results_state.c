// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Finds the work that row `row` behind those of drivers, called `name`, is summed in.
static void name_row(vb_results *results, size_t n_drivers, size_t row, const char *name) {
  size_t k = n_drivers;
  while (k < results->n_works && strcmp(results->work_name[k], name) != 0)
    k++;
  if (k == results->n_works)
    results->work_name[results->n_works++] = name;
  results->work_of_row[row] = k;
}

/// The scene's check sees to it that drivers, loads and activations have different names.
static vb_status name_works(vb_results *results, vb_error *error) {
  size_t n_drivers, n_loads, n_activations;
  const vb_driver *drivers = vb_scene_drivers(results->run.scene, &n_drivers);
  const vb_load *loads = vb_scene_loads(results->run.scene, &n_loads);
  const vb_activation *activations = vb_scene_activations(results->run.scene, &n_activations);
  VB_TAKE(&results->memory, results->work_name, n_drivers + n_loads + n_activations);
  VB_TAKE(&results->memory, results->work_of_row, n_loads + n_activations);
  if (results->memory.failed)
    return vb_error_memory(error);
  for (size_t i = 0; i < n_drivers; i++)
    results->work_name[results->n_works++] = drivers[i].name;
  for (size_t i = 0; i < n_loads; i++)
    name_row(results, n_drivers, i, loads[i].name);
  results->n_load_works = results->n_works - n_drivers;
  for (size_t i = 0; i < n_activations; i++)
    name_row(results, n_drivers, n_loads + i, activations[i].name);
  return VB_OK;
}

static bool has_field(const vb_results *results, const char *name, int components, size_t *index) {
  if (!vb_results_find_field(results->description, name, index))
    return false;
  const vb_field *field = &results->description->fields[*index];
  return field->location == VB_AT_NODE && field->components == components;
}

vb_status vb_results_state_prepare(vb_results *results, vb_error *error) {
  const vb_scene *scene = results->run.scene;
  size_t n = results->description->n_energies + 4 * vb_scene_count(scene, VB_SET_NODE) +
             vb_scene_count(scene, VB_SET_DRIVER) + vb_scene_count(scene, VB_SET_LOAD) +
             vb_scene_count(scene, VB_SET_ACTIVATION);
  if (!VB_TAKE(&results->memory, results->scratch, n))
    return vb_error_memory(error);
  if (has_field(results, "position", 3, &results->position_field) &&
      has_field(results, "scale", 1, &results->scale_field) &&
      vb_scene_count(scene, VB_SET_SEGMENT) > 0) {
    vb_status status = vb_rod_measures_create(scene, &results->measures, error);
    if (status)
      return status;
  }
  return name_works(results, error);
}

/// Notes the first quantity of a row that must be finite and is not.
static void expect_finite(vb_results *results, const char *group, const char *name,
                          const double *values, size_t n) {
  for (size_t i = 0; i < n && !results->not_finite[0]; i++)
    if (!isfinite(values[i]))
      snprintf(results->not_finite, sizeof results->not_finite, "%s/%.80s", group, name);
}

static void add_energies(const vb_results *results, vb_table *table, const char *group) {
  const vb_solver_description *d = results->description;
  for (size_t i = 0; i < d->n_energies; i++)
    vb_table_add_number(table, group, "energy/", d->energies[i].name, "J",
                        d->energies[i].long_name);
  vb_table_add_number(table, group, "energy/", "total", "J", "sum of all energies");
}

static vb_status fill_energies(vb_results *results, const vb_table *table, size_t *column,
                               void *instance, vb_error *error) {
  vb_status status = results->solver->energies(instance, results->scratch, error);
  if (status)
    return status;
  double total = 0;
  results->row_gravity = 0;
  for (size_t i = 0; i < results->description->n_energies; i++) {
    if (strcmp(results->description->energies[i].name, "gravity") == 0)
      results->row_gravity = results->scratch[i];
    *vb_table_cell(table, (*column)++) = results->scratch[i];
    expect_finite(results, "energy", results->description->energies[i].name, &results->scratch[i],
                  1);
    total += results->scratch[i];
  }
  *vb_table_cell(table, (*column)++) = results->row_energy = total;
  expect_finite(results, "energy", "total", &total, 1);
  return VB_OK;
}

/// Whether field `i` is of the scene as a whole, and there is such a thing in this scene. What
/// takes as long as the residual comes with it.
static bool is_global(const vb_results *results, size_t i, bool residual) {
  const vb_field *f = &results->description->fields[i];
  return f->location == VB_AT_SCENE && results->field_count[i] > 0 &&
         (residual || strcmp(f->name, VB_NEWTON_STEP) != 0);
}

static void add_globals(const vb_results *results, vb_table *table, const char *group,
                        bool residual) {
  for (size_t i = 0; i < results->description->n_fields; i++) {
    const vb_field *f = &results->description->fields[i];
    if (is_global(results, i, residual))
      vb_table_add(table, &(vb_column_spec){.group = group,
                                            .name = f->name,
                                            .rank = f->components > 1,
                                            .extent = {(hsize_t)f->components},
                                            .unit = f->unit,
                                            .long_name = f->long_name});
  }
}

static vb_status fill_globals(vb_results *results, const vb_table *table, size_t *column,
                              bool residual, void *instance, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; i < results->description->n_fields && !status; i++)
    if (is_global(results, i, residual))
      status = results->solver->read(instance, i, vb_table_cell(table, (*column)++), error);
  return status;
}

static void add_works(const vb_results *results, vb_table *table, const char *group) {
  size_t n_drivers = vb_scene_count(results->run.scene, VB_SET_DRIVER);
  for (size_t i = 0; i < results->n_works; i++)
    vb_table_add_number(table, group, "work/", results->work_name[i], "J",
                        i < n_drivers ? "work done by this driver since time 0"
                        : i < n_drivers + results->n_load_works
                            ? "work done by the loads of this name since time 0"
                            : "work done by the activations of this name since time 0");
}

static vb_status fill_works(vb_results *results, const vb_table *table, size_t *column,
                            void *instance, vb_error *error) {
  results->row_work = 0;
  if (results->n_works == 0)
    return VB_OK;
  vb_status status = results->solver->work(instance, results->scratch, error);
  if (status)
    return status;
  size_t n_drivers = vb_scene_count(results->run.scene, VB_SET_DRIVER);
  size_t n_rows = vb_scene_count(results->run.scene, VB_SET_LOAD) +
                  vb_scene_count(results->run.scene, VB_SET_ACTIVATION);
  for (size_t i = 0; i < results->n_works; i++)
    *vb_table_cell(table, *column + i) = i < n_drivers ? results->scratch[i] : 0;
  for (size_t i = 0; i < n_rows; i++)
    *vb_table_cell(table, *column + results->work_of_row[i]) += results->scratch[n_drivers + i];
  for (size_t i = 0; i < results->n_works; i++)
    results->row_work += *vb_table_cell(table, *column + i);
  for (size_t i = 0; i < results->n_works; i++)
    expect_finite(results, "work", results->work_name[i], vb_table_cell(table, *column + i), 1);
  *column += results->n_works;
  return VB_OK;
}

static bool has_reactions(const vb_results *results) {
  return results->description->has_reactions &&
         vb_scene_count(results->run.scene, VB_SET_DRIVER) > 0;
}

static void add_reactions(const vb_results *results, vb_table *table, const char *group) {
  vb_column_spec spec = {.group = group,
                         .name = "reaction/force",
                         .rank = 2,
                         .extent = {vb_scene_count(results->run.scene, VB_SET_DRIVER), 3},
                         .unit = "N",
                         .long_name = "force that the pins of each driver exert on the bodies"};
  vb_table_add(table, &spec);
  spec.name = "reaction/torque";
  spec.unit = "N m";
  spec.long_name = "torque of those forces about the driver's moved origin";
  vb_table_add(table, &spec);
}

static vb_status fill_reactions(vb_results *results, const vb_table *table, size_t *column,
                                void *instance, vb_error *error) {
  double *force = vb_table_cell(table, (*column)++), *torque = vb_table_cell(table, (*column)++);
  vb_status status = results->solver->reactions(instance, force, torque, error);
  size_t n = 3 * vb_scene_count(results->run.scene, VB_SET_DRIVER);
  if (!status) {
    expect_finite(results, "reaction", "force", force, n);
    expect_finite(results, "reaction", "torque", torque, n);
  }
  return status;
}

static void add_norms(const vb_results *results, vb_table *table, const char *group,
                      const char *prefix, const char *const long_name[4]) {
  vb_table_add_number(table, group, prefix, "rms", "1", long_name[0]);
  vb_table_add_number(table, group, prefix, "max", "1", long_name[1]);
  const char *const name[2] = {"rms_by_body", "max_by_body"};
  for (int i = 0; i < 2; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s%s", prefix, name[i]);
    vb_table_add(table,
                 &(vb_column_spec){.group = group,
                                   .name = path,
                                   .rank = 1,
                                   .extent = {vb_scene_count(results->run.scene, VB_SET_BODY)},
                                   .unit = "1",
                                   .long_name = long_name[2 + i]});
  }
}

static void add_measures(const vb_results *results, vb_table *table, const char *group) {
  static const char *const volume[4] = {
      "relative error of the segments' volumes, RMS weighted by rest volume",
      "greatest relative error of a segment's volume",
      "relative error of the segments' volumes, RMS in each body",
      "greatest relative error of a segment's volume in each body"};
  static const char *const stretch[4] = {
      "relative extension of the segments, RMS weighted by rest length",
      "greatest relative extension of a segment",
      "relative extension of the segments, RMS in each body",
      "greatest relative extension of a segment in each body"};
  add_norms(results, table, group, "volume_error/", volume);
  add_norms(results, table, group, "stretch_error/", stretch);
}

/// Bits that are kept of errors of volume and stretch in a run whose frames are rounded.
#define ERROR_BITS 32

/// Rounds errors to so many bits each: the others are noise that no compression makes smaller.
static void shorten(double *error, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int power;
    double part = frexp(error[i], &power);
    error[i] = ldexp(rint(ldexp(part, ERROR_BITS)), power - ERROR_BITS);
  }
}

static vb_status fill_measures(vb_results *results, const vb_table *table, size_t *column,
                               void *instance, vb_error *error) {
  double *position = results->scratch;
  double *scale = position + 3 * vb_scene_count(results->run.scene, VB_SET_NODE);
  vb_status status = results->solver->read(instance, results->position_field, position, error);
  if (!status)
    status = results->solver->read(instance, results->scale_field, scale, error);
  if (status)
    return status;
  double *cell[8];
  size_t first = *column;
  for (int i = 0; i < 8; i++)
    cell[i] = vb_table_cell(table, (*column)++);
  vb_error_norms volume = {cell[0], cell[1], cell[2], cell[3]};
  vb_error_norms stretch = {cell[4], cell[5], cell[6], cell[7]};
  vb_rod_measures_evaluate(results->measures, position, scale, &volume, &stretch);
  for (size_t i = 0; i < 8 && !results->run.record.exact; i++)
    shorten(cell[i], table->columns[first + i].width);
  expect_finite(results, "volume_error", "max", volume.max, 1);
  expect_finite(results, "stretch_error", "max", stretch.max, 1);
  return VB_OK;
}

void vb_results_state_add(const vb_results *results, vb_table *table, const char *group,
                          bool residual) {
  add_energies(results, table, group);
  add_globals(results, table, group, residual);
  if (residual && results->description->has_residual)
    vb_table_add_number(table, group, "", "residual", "1",
                        "norm of the gradient over the sum of the norms of its parts");
  add_works(results, table, group);
  if (has_reactions(results))
    add_reactions(results, table, group);
  if (results->measures)
    add_measures(results, table, group);
}

vb_status vb_results_state_fill(vb_results *results, const vb_table *table, size_t first,
                                bool residual, void *instance, vb_error *error) {
  size_t column = first;
  results->not_finite[0] = '\0';
  results->residual = NAN;
  vb_status status = fill_energies(results, table, &column, instance, error);
  if (!status)
    status = fill_globals(results, table, &column, residual, instance, error);
  if (!status && residual && results->description->has_residual) {
    status = results->solver->residual(instance, vb_table_cell(table, column), error);
    results->residual = *vb_table_cell(table, column++);
  }
  if (!status)
    status = fill_works(results, table, &column, instance, error);
  if (!status && has_reactions(results))
    status = fill_reactions(results, table, &column, instance, error);
  if (!status && results->measures)
    status = fill_measures(results, table, &column, instance, error);
  return status;
}
