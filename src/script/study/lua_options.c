// SPDX-License-Identifier: GPL-3.0-or-later
/// Which solver a run has, with which options: the scene's script proposes, the command line
/// replaces that, a run's entry fixes. What a script says for the solver that it means, and that of
/// the command line lacks, is left out.
#include "script/study/lua_loader.h"
#include "script/study/lua_show.h"
#include "solver/table.h"

#include <stdlib.h>
#include <string.h>

/// Keys of a run's entry that are about the run; all others are options of its solver.
static const char RUN_KEYS[] = "name label parameters scenario solver";

void vb_lua_check_solver(lua_State *L, const char *name, const char *who) {
  vb_error error = {0};
  if (!name || !vb_plugin_named(name))
    return;
  vb_error_write(
      &error, VB_BAD_INPUT,
      "a script cannot name a shared object or a Python file; use --solver %s on the command "
      "line",
      name);
  vb_lua_throw(L, who, &error);
}

static const vb_solver_description *find_solver(lua_State *L, const char *name, const char *who) {
  const vb_solver *solver;
  vb_error error;
  if (vb_solver_find(name, &solver, &error))
    vb_lua_throw(L, who, &error);
  return solver->describe(solver);
}

/// Whether two values of an option are the same, as words or as numbers.
static bool same_value(const char *a, const char *b) {
  char *end_a, *end_b;
  double x = strtod(a, &end_a), y = strtod(b, &end_b);
  bool numbers = end_a != a && end_b != b && !*end_a && !*end_b;
  return numbers ? x == y : strcmp(a, b) == 0;
}

/// Whether the option that a run's entry fixes agrees with the command line. One that the solver of
/// the command line lacks does.
static bool option_agrees(const vb_study_request *request, const char *name, const char *value) {
  for (size_t i = 0; i < request->n_options; i++)
    if (strcmp(request->options[i].name, name) == 0 &&
        !same_value(request->options[i].value, value))
      return false;
  return true;
}

bool vb_loader_allows_run(vb_loader *loader, int entry, const char *who) {
  lua_State *L = loader->L;
  const vb_study_request *request = loader->request;
  vb_args args = vb_args_of(L, entry, who);
  const char *fixed = vb_args_string(&args, "solver", false);
  if (request->solver) {
    find_solver(L, request->solver, "");
    if (fixed && strcmp(fixed, request->solver) != 0)
      return false;
  }
  for (lua_pushnil(L); lua_next(L, entry); lua_pop(L, 1)) {
    const char *key = lua_tostring(L, -2);
    char buffer[64];
    if (vb_args_lists(RUN_KEYS, key))
      continue;
    lua_pushvalue(L, -1);
    const char *value = vb_lua_pop_option(&args, key, buffer);
    if (!option_agrees(request, key, value)) {
      lua_pop(L, 2);
      return false;
    }
  }
  return true;
}

/// Notes a setting that is left out, once.
static void note_missing(vb_loader *loader, const char *what, const char *name) {
  lua_State *L = loader->L;
  vb_study *study = loader->study;
  const char *text = lua_pushfstring(L, "%s%s", what, name);
  size_t i = 0;
  while (i < study->n_missing && strcmp(study->missing[i], text) != 0)
    i++;
  if (i == study->n_missing)
    vb_lua_add_text(L, &study->missing, &study->n_missing, text);
  lua_pop(L, 1);
}

/// Whether the solver has a field that frames can hold: none of the whole scene.
static bool has_field(const vb_solver_description *solver, const char *name) {
  for (size_t k = 0; k < solver->n_fields; k++)
    if (solver->fields[k].location != VB_AT_SCENE && strcmp(solver->fields[k].name, name) == 0)
      return true;
  return false;
}

/// Leaves out the fields that the solver does not have.
static void drop_missing_fields(vb_record_plan *record, const vb_solver_description *solver) {
  size_t kept = 0;
  for (size_t i = 0; i < record->n_fields; i++) {
    if (has_field(solver, record->fields[i]))
      record->fields[kept++] = record->fields[i];
    else
      free(record->fields[i]);
  }
  record->n_fields = kept;
}

/// Adds a field of the solver to those that are recorded, unless it is one of them.
static void record_too(lua_State *L, vb_record_plan *record, const vb_solver_description *solver,
                       const char *field) {
  bool offered = has_field(solver, field);
  for (size_t i = 0; i < record->n_fields; i++)
    offered = offered && strcmp(record->fields[i], field) != 0;
  if (offered)
    vb_lua_add_text(L, &record->fields, &record->n_fields, field);
}

/// Positions of a rod are recorded with its scales and frames: from the three together follow all
/// elastic energies.
static void complete_fields(lua_State *L, vb_record_plan *record,
                            const vb_solver_description *solver) {
  for (size_t i = 0; i < record->n_fields; i++)
    if (strcmp(record->fields[i], "position") == 0) {
      record_too(L, record, solver, "scale");
      record_too(L, record, solver, "frame");
      return;
    }
}

/// Whether every field to be recorded is one of the solver's. One of the whole scene is no field of
/// frames: it is a series of every run.
static void check_fields(const vb_args *args, const vb_run_plan *plan,
                         const vb_solver_description *solver) {
  const char **known = vb_lua_array(args->L, solver->n_fields + 1, sizeof *known);
  size_t n = 0;
  for (size_t i = 0; i < solver->n_fields; i++)
    if (solver->fields[i].location != VB_AT_SCENE)
      known[n++] = solver->fields[i].name;
  known[n] = NULL;
  for (size_t i = 0; i < plan->record.n_fields; i++)
    vb_args_choice(args, "field to record", plan->record.fields[i], known);
  lua_pop(args->L, 1);
}

/// Whether an option of the command line is for a run that takes its solver from the script: one
/// that only the default solver has is not for a reference beside it.
static bool applies_to(const vb_solver_description *solver, const char *option) {
  const vb_solver *usual;
  return vb_description_option(solver, option) || vb_solver_find(VB_DEFAULT_SOLVER, &usual, NULL) ||
         !vb_description_option(usual->describe(usual), option);
}

/// The options that the scene's script proposes for the solver that it means, as far as the run's
/// has them; those of an `other` solver, of the command line, are noted.
static void take_proposed(vb_loader *loader, vb_run_plan *plan, const vb_lua_scene *scene,
                          const vb_solver_description *solver, bool other) {
  lua_State *L = loader->L;
  for (size_t i = 0; i < scene->n_options; i++)
    if (vb_description_option(solver, scene->options[i].name))
      vb_lua_set_option(L, &plan->options, &plan->n_options, scene->options[i].name,
                        scene->options[i].value);
    else if (other)
      note_missing(loader, "", scene->options[i].name);
}

/// The options that the entry of a run fixes. `meant` is the solver that it is written for, whose
/// options the run's own need not have.
static void take_fixed(vb_loader *loader, vb_run_plan *plan, const vb_args *entry,
                       const vb_solver_description *solver, const vb_solver_description *meant) {
  lua_State *L = loader->L;
  const char *keys = vb_lua_push_keys(L, RUN_KEYS, solver);
  vb_args_open(L, entry->table, entry->who, vb_lua_push_keys(L, keys, meant));
  vb_lua_read_options(entry, solver, &plan->options, &plan->n_options);
  for (size_t i = 0; i < meant->n_options; i++)
    if (vb_args_has(entry, meant->options[i].name) &&
        !vb_description_option(solver, meant->options[i].name))
      note_missing(loader, "", meant->options[i].name);
  lua_pop(L, 2);
}

/// What is recorded of a run, whose solver may be another than its script means.
static void take_record(vb_loader *loader, vb_run_plan *plan, const vb_lua_scene *scene,
                        const vb_solver_description *solver, bool other) {
  for (size_t i = 0; other && scene->fields_named && i < plan->record.n_fields; i++)
    if (!has_field(solver, plan->record.fields[i]))
      note_missing(loader, "field ", plan->record.fields[i]);
  if (!scene->fields_named || other)
    drop_missing_fields(&plan->record, solver);
  if (other && plan->convergence.n && !vb_description_option(solver, "iterations")) {
    note_missing(loader, "convergence over ", "iterations");
    vb_convergence_plan_clear(&plan->convergence);
  }
}

void vb_loader_resolve(vb_loader *loader, size_t run, vb_lua_scene *scene, int entry,
                       const char *who) {
  lua_State *L = loader->L;
  const vb_study_request *request = loader->request;
  vb_run_plan *plan = &loader->study->runs[run];
  vb_args args = vb_args_of(L, entry, who);
  const char *proposed = scene->solver ? scene->solver : VB_DEFAULT_SOLVER;
  const char *fixed = vb_args_string(&args, "solver", false);
  const char *name = request->solver ? request->solver : fixed ? fixed : proposed;
  vb_lua_check_solver(L, fixed, who);
  const vb_solver_description *solver = find_solver(L, name, who);
  bool other = request->solver && strcmp(name, fixed ? fixed : proposed) != 0;
  plan->solver = vb_lua_copy(L, name);
  take_proposed(loader, plan, scene, solver, other);
  for (size_t i = 0; i < request->n_options; i++)
    if (request->solver || applies_to(solver, request->options[i].name))
      vb_lua_set_option(L, &plan->options, &plan->n_options, request->options[i].name,
                        request->options[i].value);
  take_fixed(loader, plan, &args, solver, other ? find_solver(L, proposed, who) : solver);
  vb_error error;
  if (vb_solver_check_options(solver, plan->options, plan->n_options, &error))
    vb_lua_throw(L, who, &error);
  take_record(loader, plan, scene, solver, other);
  complete_fields(L, &plan->record, solver);
  vb_loader_show(loader, plan, solver);
  check_fields(&args, plan, solver);
}
