// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/provenance.h"
#include "results/results_internal.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void vb_results_write_schema(vb_h5 *h5, hid_t file, const char *schema) {
  vb_h5_attribute_text(h5, file, "schema_name", schema);
  vb_h5_attribute_text(h5, file, "schema_version", VB_SCHEMA_VERSION);
}

/// Room for the value of an option.
#define VALUE_SIZE 256

/// The value that an option has in use.
static const char *option_in_use(vb_h5 *h5, const vb_solver *solver, void *instance,
                                 const char *name, char value[VALUE_SIZE]) {
  value[0] = '\0';
  if (!h5->status)
    h5->status = solver->get_option(instance, name, value, VALUE_SIZE, h5->error);
  return value;
}

/// The same, where the solver has such an option; otherwise `otherwise`.
static const char *option_or(vb_h5 *h5, const vb_solver *solver, void *instance, const char *name,
                             const char *otherwise, char value[VALUE_SIZE]) {
  const vb_solver_description *d = solver ? solver->describe(solver) : NULL;
  for (size_t i = 0; d && i < d->n_options; i++)
    if (strcmp(d->options[i].name, name) == 0)
      return option_in_use(h5, solver, instance, name, value);
  return otherwise;
}

void vb_results_write_provenance(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance) {
  vb_provenance p;
  char mode[VALUE_SIZE], instructions[VALUE_SIZE];
  vb_provenance_collect(&p);
  hid_t group = vb_h5_group_of(h5, file, "provenance", &(vb_h5_links){14, 112});
  vb_h5_text(h5, group, "commit", p.commit, NULL);
  vb_h5_integer(h5, group, "dirty", p.dirty, NULL);
  vb_h5_text(h5, group, "arguments", p.arguments, NULL);
  vb_h5_text(h5, group, "compiler", p.compiler, NULL);
  vb_h5_text(h5, group, "flags", p.flags, NULL);
  vb_h5_text(h5, group, "floating_point",
             option_or(h5, solver, instance, "arithmetic", p.floating_point, mode), NULL);
  vb_h5_text(h5, group, "instruction_set",
             option_or(h5, solver, instance, "instructions", p.instruction_set, instructions),
             NULL);
  vb_h5_text(h5, group, "host", p.host, NULL);
  vb_h5_text(h5, group, "system", p.system, NULL);
  vb_h5_text(h5, group, "cpu", p.cpu, NULL);
  vb_h5_integer(h5, group, "cores", p.cores, NULL);
  vb_h5_integer(h5, group, "threads", p.threads, NULL);
  vb_h5_text(h5, group, "date", p.date, NULL);
  vb_h5_text(h5, group, "libraries", p.libraries, NULL);
  vb_h5_release(group);
}

size_t vb_results_static_bytes(const vb_run_facts *run) {
  return 4 * vb_scene_bytes(run->scene) + 2 * strlen(run->script) + 2 * strlen(run->parameters);
}

static void write_world(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  const vb_world *world = vb_scene_world(scene);
  vb_h5_number(h5, group, "step", world->step, "s", NULL);
  vb_h5_integer(h5, group, "n_steps", world->n_steps, NULL);
  vb_h5_number(h5, group, "damping", world->damping, "s-1", NULL);
  vb_h5_numbers(h5, group, "gravity", 3, world->gravity, "m s-2", NULL);
}

/// Where the run stands in a parameter sweep.
static void write_sweep(vb_h5 *h5, hid_t scenario, const vb_run_facts *run) {
  if (run->n_sweep == 0)
    return;
  hid_t group = vb_h5_group(h5, scenario, "grid");
  for (size_t i = 0; i < run->n_sweep; i++) {
    const vb_sweep_value *v = &run->sweep[i];
    if (v->is_number)
      vb_h5_number(h5, group, v->axis, v->number, "1", NULL);
    else
      vb_h5_text(h5, group, v->axis, v->text, NULL);
  }
  vb_h5_release(group);
}

void vb_results_write_scenario(vb_h5 *h5, hid_t file, const vb_run_facts *run) {
  hid_t group = vb_h5_group_of(h5, file, "scenario", &(vb_h5_links){13, 86});
  vb_h5_text(h5, group, "name", run->scenario, NULL);
  vb_h5_text(h5, group, "study", run->study, NULL);
  vb_h5_text(h5, group, "run", run->name, NULL);
  vb_h5_text(h5, group, "label", run->label, NULL);
  vb_h5_text(h5, group, "tier", run->tier, NULL);
  vb_h5_long_text(h5, group, "script", run->script, NULL);
  vb_h5_text(h5, group, "parameters", run->parameters, NULL);
  vb_h5_text(h5, group, "compare", run->compare ? run->compare : "{}", NULL);
  vb_h5_text(h5, group, "scene_sha256", run->scene_sha256, NULL);
  write_world(h5, group, run->scene);
  write_sweep(h5, group, run);
  if (run->record.has_view)
    vb_h5_numbers(h5, group, "view", 4, run->record.view, "1", NULL);
  if (run->record.n_reference > 0) {
    static const vb_h5_column point = {"reference", VB_H5_REAL, 0, "m", NULL, 3};
    vb_h5_column_write(h5, group, &point, run->record.reference, sizeof *run->record.reference,
                       run->record.n_reference);
  }
  vb_h5_release(group);
}

static json_t *options_json(vb_h5 *h5, const vb_solver *solver, void *instance) {
  const vb_solver_description *d = solver->describe(solver);
  json_t *object = json_object();
  char value[VALUE_SIZE];
  for (size_t i = 0; object && i < d->n_options; i++) {
    const char *name = d->options[i].name;
    json_object_set_new(object, name,
                        json_string(option_in_use(h5, solver, instance, name, value)));
  }
  return object;
}

static json_t *fields_json(const vb_solver_description *d) {
  // of vb_location
  static const char *const location[] = {"node",       "segment",  "joint",       "vertex",
                                         "scene",      "own",      "tetrahedron", "body",
                                         "half-plane", "collider", "bone",        "link"};
  json_t *list = json_array();
  for (size_t i = 0; list && i < d->n_fields; i++) {
    const vb_field *f = &d->fields[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:s, s:s}", "name", f->name, "location",
                                          location[f->location], "components", f->components,
                                          "units", f->unit, "long_name", f->long_name));
  }
  return list;
}

static json_t *description_json(const vb_solver_description *d) {
  json_t *sets = json_array(), *energies = json_array(), *phases = json_array();
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    if (d->sets & ((uint64_t)1 << tag))
      json_array_append_new(sets, json_string(vb_tag_name(tag)));
  for (size_t i = 0; i < d->n_energies; i++)
    json_array_append_new(energies, json_pack("{s:s, s:s, s:b}", "name", d->energies[i].name,
                                              "long_name", d->energies[i].long_name, "potential",
                                              d->energies[i].potential));
  for (size_t i = 0; i < d->n_phases; i++)
    json_array_append_new(phases, json_string(d->phases[i]));
  return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b}", "sets", sets, "fields", fields_json(d),
                   "energies", energies, "phases", phases, "has_residual", d->has_residual,
                   "has_reactions", d->has_reactions);
}

/// How a text is stored: vb_h5_text or vb_h5_long_text.
typedef void text_writer(vb_h5 *h5, hid_t parent, const char *name, const char *text,
                         const char *long_name);

/// Stores a JSON value, and releases it.
static void write_json(vb_h5 *h5, hid_t group, const char *name, json_t *value,
                       text_writer *write) {
  char *text = value ? json_dumps(value, JSON_SORT_KEYS) : NULL;
  if (!text && !h5->status)
    h5->status = vb_error_memory(h5->error);
  write(h5, group, name, text, NULL);
  free(text);
  json_decref(value);
}

static void write_origin(vb_h5 *h5, hid_t group, const vb_solver_origin *origin) {
  vb_h5_text(h5, group, "asked_for", origin->name, NULL);
  if (origin->path)
    vb_h5_text(h5, group, "plugin", origin->path, NULL);
  if (origin->sha256)
    vb_h5_text(h5, group, "plugin_sha256", origin->sha256, NULL);
}

void vb_results_write_solver(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance,
                             const vb_solver_origin *origin) {
  static const char *const common[] = {"backend", "precision", "method", "iterations", "substeps"};
  const vb_solver_description *d = solver->describe(solver);
  char value[VALUE_SIZE];
  hid_t group = vb_h5_group_of(h5, file, "solver", &(vb_h5_links){10, 82});
  vb_h5_text(h5, group, "name", d->name, NULL);
  vb_h5_text(h5, group, "long_name", d->long_name, NULL);
  if (origin)
    write_origin(h5, group, origin);
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    for (size_t k = 0; k < d->n_options; k++)
      if (strcmp(d->options[k].name, common[i]) == 0)
        vb_h5_text(h5, group, common[i], option_in_use(h5, solver, instance, common[i], value),
                   NULL);
  write_json(h5, group, "options", options_json(h5, solver, instance), vb_h5_text);
  write_json(h5, group, "description", description_json(d), vb_h5_long_text);
  vb_h5_release(group);
}
