// SPDX-License-Identifier: GPL-3.0-or-later
/// Which solver a run has, with which options: the scene's script proposes, the command line
/// replaces that, a run's entry fixes.
#include "script/study/lua_loader.h"
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

/// Whether the option that a run's entry fixes agrees with the command line.
static bool option_agrees(const vb_study_request *request, const vb_solver_description *solver,
                          const char *name, const char *value) {
  if (solver && !vb_description_option(solver, name))
    return false;
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
  const vb_solver_description *solver = NULL;
  if (request->solver) {
    solver = find_solver(L, request->solver, "");
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
    if (!option_agrees(request, solver, key, value)) {
      lua_pop(L, 2);
      return false;
    }
  }
  return true;
}

/// Leaves out the fields that are recorded by default where the solver does not have them.
static void drop_missing_fields(vb_record_plan *record, const vb_solver_description *solver) {
  size_t kept = 0;
  for (size_t i = 0; i < record->n_fields; i++) {
    bool there = false;
    for (size_t k = 0; k < solver->n_fields; k++)
      there = there || (solver->fields[k].location != VB_AT_SCENE &&
                        strcmp(solver->fields[k].name, record->fields[i]) == 0);
    if (there)
      record->fields[kept++] = record->fields[i];
    else
      free(record->fields[i]);
  }
  record->n_fields = kept;
}

/// Adds a field of the solver to those that are recorded, unless it is one of them.
static void record_too(lua_State *L, vb_record_plan *record, const vb_solver_description *solver,
                       const char *field) {
  bool offered = false;
  for (size_t i = 0; i < solver->n_fields; i++)
    offered = offered || (solver->fields[i].location != VB_AT_SCENE &&
                          strcmp(solver->fields[i].name, field) == 0);
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
  bool other = strcmp(name, proposed) != 0;
  plan->solver = vb_lua_copy(L, name);
  for (size_t i = 0; i < scene->n_options; i++) // meant for the proposed solver
    if (!other || vb_description_option(solver, scene->options[i].name))
      vb_lua_set_option(L, &plan->options, &plan->n_options, scene->options[i].name,
                        scene->options[i].value);
  for (size_t i = 0; i < request->n_options; i++)
    if (request->solver || applies_to(solver, request->options[i].name))
      vb_lua_set_option(L, &plan->options, &plan->n_options, request->options[i].name,
                        request->options[i].value);
  vb_args_open(L, entry, who, vb_lua_push_keys(L, RUN_KEYS, solver));
  vb_lua_read_options(&args, solver, &plan->options, &plan->n_options);
  lua_pop(L, 1);
  vb_error error;
  if (vb_solver_check_options(solver, plan->options, plan->n_options, &error))
    vb_lua_throw(L, who, &error);
  if (!scene->fields_named)
    drop_missing_fields(&plan->record, solver);
  complete_fields(L, &plan->record, solver);
  check_fields(&args, plan, solver);
}
