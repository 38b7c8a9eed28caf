// SPDX-License-Identifier: GPL-3.0-or-later
/// What a scene's script says of its run: record, solver, convergence.
#include "base/nearest_word.h"
#include "script/scene/lua_scene.h"
#include "solver/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Replaces the fields of the plan by the list at "fields".
static void read_fields(const vb_args *args, vb_record_plan *record) {
  int64_t n = vb_args_length(args, "fields");
  vb_texts_destroy(record->fields, record->n_fields);
  record->fields = NULL;
  record->n_fields = 0;
  for (int64_t i = 0; i < n; i++) {
    const char *field = vb_args_text_at(args, "fields", i);
    for (size_t k = 0; k < record->n_fields; k++)
      if (strcmp(record->fields[k], field) == 0)
        vb_args_fail(args, "\"fields\" names \"%.100s\" twice", field);
    vb_lua_add_text(args->L, &record->fields, &record->n_fields, field);
  }
}

/// Replaces the curve of the plan by the list of points at "reference".
static void read_reference(const vb_args *args, vb_record_plan *record) {
  int64_t n = vb_args_length(args, "reference");
  if (n == 1)
    vb_args_fail(args, "\"reference\" has one point; a curve has two or more");
  record->n_reference = 0;
  vb_args_push(args, "reference");
  for (int64_t i = 0; i < n; i++) {
    record->reference =
        vb_lua_grow(args->L, record->reference, record->n_reference, sizeof *record->reference);
    vb_args_row(args, "reference", "point", (size_t)i, 3, record->reference[i]);
    record->n_reference++;
  }
  lua_pop(args->L, 1);
}

int vb_lua_record(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "record");
  vb_args args =
      vb_args_open(L, 2, "record", "every frames fields residual converged reference exact");
  vb_record_plan *record = &scene->record;
  record->every = vb_args_integer_or(&args, "every", 1, INT64_MAX, record->every);
  record->frames_every = vb_args_integer_or(&args, "frames", 1, INT64_MAX, record->frames_every);
  record->residual = vb_args_boolean_or(&args, "residual", record->residual);
  record->converged = vb_args_number_or(&args, "converged", record->converged);
  if (!(record->converged >= 0 && record->converged < 1))
    vb_args_fail(&args, "\"converged\" is %g; it must be a residual of 0 (none) to below 1",
                 record->converged);
  record->exact = vb_args_boolean_or(&args, "exact", record->exact);
  if (vb_args_has(&args, "fields")) {
    read_fields(&args, record);
    scene->fields_named = true;
  }
  if (vb_args_has(&args, "reference"))
    read_reference(&args, record);
  return 0;
}

void vb_lua_set_option(lua_State *L, vb_option **options, size_t *n, const char *name,
                       const char *value) {
  for (size_t i = 0; i < *n; i++) {
    if (strcmp((*options)[i].name, name) != 0)
      continue;
    char *copy = vb_lua_copy(L, value);
    free((char *)(*options)[i].value);
    (*options)[i].value = copy;
    return;
  }
  *options = vb_lua_grow(L, *options, *n, sizeof **options);
  (*n)++;
  (*options)[*n - 1].name = vb_lua_copy(L, name);
  (*options)[*n - 1].value = vb_lua_copy(L, value);
}

/// The shortest decimal text that reads back as `value`.
static void write_number(double value, char buffer[64]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, 64, "%.*g", digits, value);
    if (strtod(buffer, NULL) == value)
      return;
  }
}

const char *vb_lua_pop_option(const vb_args *args, const char *name, char buffer[64]) {
  lua_State *L = args->L;
  const char *text = buffer;
  if (lua_isboolean(L, -1))
    snprintf(buffer, 64, "%s", lua_toboolean(L, -1) ? "true" : "false");
  else if (lua_isinteger(L, -1))
    snprintf(buffer, 64, "%lld", (long long)lua_tointeger(L, -1));
  else if (lua_type(L, -1) == LUA_TNUMBER)
    write_number(lua_tonumber(L, -1), buffer);
  else
    text = vb_args_text(args, -1, name);
  lua_pop(L, 1);
  return text;
}

void vb_lua_read_options(const vb_args *args, const vb_solver_description *solver,
                         vb_option **options, size_t *n) {
  for (size_t i = 0; i < solver->n_options; i++) {
    char buffer[64];
    const char *name = solver->options[i].name;
    if (!vb_args_has(args, name))
      continue;
    vb_args_push(args, name);
    vb_lua_set_option(args->L, options, n, name, vb_lua_pop_option(args, name, buffer));
  }
}

const char *vb_lua_push_keys(lua_State *L, const char *keys, const vb_solver_description *solver) {
  luaL_Buffer all;
  luaL_buffinit(L, &all);
  luaL_addstring(&all, keys);
  for (size_t i = 0; i < solver->n_options; i++) {
    luaL_addchar(&all, ' ');
    luaL_addstring(&all, solver->options[i].name);
  }
  luaL_pushresult(&all);
  return lua_tostring(L, -1);
}

int vb_lua_solver(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "solver");
  vb_args args = vb_args_of(L, 2, "solver");
  if (!lua_istable(L, 2))
    vb_args_fail(&args, "takes one table of named values, not a %s", luaL_typename(L, 2));
  const char *name = vb_args_string(&args, "solver", false);
  const vb_solver *solver;
  vb_error error;
  if (name) {
    free(scene->solver);
    scene->solver = NULL;
    scene->solver = vb_lua_copy(L, name);
  }
  vb_lua_check_solver(L, scene->solver, "solver");
  if (vb_solver_find(scene->solver ? scene->solver : VB_DEFAULT_SOLVER, &solver, &error))
    vb_lua_throw(L, "solver", &error);
  const vb_solver_description *about = solver->describe(solver);
  vb_args_open(L, 2, "solver", vb_lua_push_keys(L, "solver", about));
  vb_lua_read_options(&args, about, &scene->options, &scene->n_options);
  if (vb_solver_check_options(about, scene->options, scene->n_options, &error))
    vb_lua_throw(L, "solver", &error);
  return 0;
}

int vb_lua_convergence(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "convergence");
  vb_args args = vb_args_open(L, 2, "convergence", "after iterations");
  vb_convergence_plan *plan = &scene->convergence;
  vb_convergence_plan_clear(plan);
  int64_t steps = vb_builder_world(scene->builder)->n_steps;
  plan->after = vb_args_integer_or(&args, "after", 0, steps, 0);
  int64_t n = vb_args_length(&args, "iterations"), last = 0;
  if (n < 1)
    vb_args_fail(&args, "needs \"iterations\", a list of counts as in {1, 2, 5, 10}");
  for (int64_t i = 0; i < n; i++) {
    int64_t count = vb_args_integer_at(&args, "iterations", i, 1, INT32_MAX);
    if (count <= last)
      vb_args_fail(&args, "\"iterations\" must increase; %lld follows %lld", (long long)count,
                   (long long)last);
    last = count;
    plan->iterations = vb_lua_grow(L, plan->iterations, plan->n, sizeof *plan->iterations);
    plan->iterations[plan->n++] = count;
  }
  return 0;
}

int vb_lua_bench(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "bench");
  vb_args args = vb_args_open(L, 2, "bench", "after accuracy skins");
  scene->bench.after = vb_args_integer_or(&args, "after", 0, INT32_MAX, 0);
  scene->bench.accuracy = vb_args_boolean_or(&args, "accuracy", false);
  scene->bench.moves_skin = vb_args_boolean_or(&args, "skins", false);
  if (scene->bench.moves_skin && vb_lua_count(scene, VB_SET_TRIANGLE) == 0)
    vb_args_fail(&args, "has \"skins\", but the scene has no surface so far");
  return 0;
}
