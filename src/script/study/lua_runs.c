// SPDX-License-Identifier: GPL-3.0-or-later
/// The runs of a study: entries to scenes.
#include "base/names.h"
#include "base/text.h"
#include "script/study/lua_gold.h"
#include "script/study/lua_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Pushes the list of entries: what the function "runs" returns, and the runs of the sweep; where
/// there is neither, one run called as the study.
static void push_entries(vb_loader *loader, int index, int parameters) {
  lua_State *L = loader->L;
  bool sweep = lua_getfield(L, index, "grid") != LUA_TNIL;
  lua_pop(L, 1);
  int type = lua_getfield(L, index, "runs");
  if (type == LUA_TNIL && sweep) {
    lua_newtable(L);
    lua_remove(L, -2);
  } else if (type == LUA_TNIL) {
    lua_createtable(L, 1, 0);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, loader->study->name);
    lua_setfield(L, -2, "name");
    lua_rawseti(L, -2, 1);
    lua_remove(L, -2);
  } else if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, parameters);
    lua_pushstring(L, vb_loader_tier(loader));
    lua_call(L, 2, 1);
    if (!lua_istable(L, -1))
      vb_lua_fail(L, "study: \"runs\" must return a list of runs, not a %s", luaL_typename(L, -1));
    if (lua_rawlen(L, -1) == 0 && !sweep)
      vb_lua_fail(L, "study: \"runs\" returned no run");
  } else {
    vb_lua_fail(L, "study: \"runs\" must be a function of the parameters and the tier, not a %s",
                luaL_typename(L, -1));
  }
  vb_sweep_add_entries(loader, index, parameters, lua_gettop(L));
  if (lua_rawlen(L, -1) == 0)
    vb_lua_fail(L, "study: \"each\" leaves out every run of the grid");
}

/// Pushes entry `i` (from 1) of the list at `list`, and writes how messages call the run. Its keys
/// are texts.
static void push_entry(lua_State *L, int list, lua_Integer i, char who[96]) {
  snprintf(who, 96, "run %lld", (long long)i);
  if (lua_rawgeti(L, list, i) != LUA_TTABLE)
    vb_lua_fail(L, "%s: must be a table, not a %s", who, luaL_typename(L, -1));
  vb_args args = vb_args_of(L, -1, who);
  for (lua_pushnil(L); lua_next(L, args.table); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TSTRING)
      vb_args_fail(&args, "takes named values only (key = value)");
  const char *name = vb_args_string(&args, "name", true);
  if (!vb_name_is_valid(name))
    vb_args_fail(
        &args,
        "\"name\" is \"%.100s\"; it must be of letters, digits and . _ + -, at most 100: a "
        "file is called after it",
        name);
  snprintf(who, 96, "run \"%.80s\"", name);
}

/// Pushes the scenario of an entry (that of the study at `index`, or another), and its parameters.
static const vb_script *push_scenario(vb_loader *loader, const vb_script *script, int index,
                                      int entry, const char *who) {
  lua_State *L = loader->L;
  vb_args args = vb_args_of(L, entry, who);
  const char *other = vb_args_string(&args, "scenario", false);
  if (other)
    script = vb_loader_push_script(loader, other);
  else
    lua_pushvalue(L, index);
  int scenario = lua_gettop(L), own = 0;
  int type = lua_getfield(L, entry, "parameters");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    vb_args_fail(&args, "\"parameters\" must be a table, not a %s", luaL_typename(L, -1));
  own = type == LUA_TTABLE ? lua_gettop(L) : 0;
  vb_loader_push_parameters(loader, scenario, own, who);
  vb_loader_note_settings(loader, lua_gettop(L), own);
  lua_remove(L, -2);
  return script;
}

/// Looks through all entries before anything is built: names, parameters, and who is kept.
static void check_entries(vb_loader *loader, const vb_script *script, int index, int list,
                          int kept) {
  lua_State *L = loader->L;
  lua_Integer n = (lua_Integer)lua_rawlen(L, list);
  for (lua_Integer i = 1; i <= n; i++) {
    char who[96];
    push_entry(L, list, i, who);
    int entry = lua_gettop(L);
    lua_getfield(L, entry, "name");
    const char *name = lua_tostring(L, -1);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, kept) != LUA_TNIL)
      vb_lua_fail(L, "%s: there are two runs of that name", who);
    lua_pop(L, 1);
    push_scenario(loader, script, index, entry, who);
    lua_pop(L, 2);
    vb_loader_name_script(loader, script);
    bool kept_run = vb_loader_selects(loader, name, (size_t)(i - 1));
    lua_pushboolean(L, kept_run && vb_loader_allows_run(loader, entry, who));
    lua_rawset(L, kept);
    lua_pop(L, 1);
  }
  if (loader->study->reduced)
    vb_loader_check_gold(loader, kept);
}

/// Calls build of the scenario at `scenario` with the parameters on top, and leaves the scene
/// there.
static vb_lua_scene *build(vb_loader *loader, int scenario, const char *who) {
  lua_State *L = loader->L;
  int type = lua_getfield(L, scenario, "build");
  if (type != LUA_TFUNCTION)
    vb_lua_fail(L, "%s: the scenario needs \"build\", a function of the parameters, not a %s", who,
                lua_typename(L, type));
  lua_insert(L, -2);
  lua_call(L, 1, 1);
  vb_lua_scene *scene = vb_lua_scene_test(L, -1);
  if (!scene)
    vb_lua_fail(L, "%s: \"build\" must return the scene that vb.scene made, not a %s", who,
                luaL_typename(L, -1));
  if (scene->finished)
    vb_lua_fail(L, "%s: \"build\" returned the scene of an earlier run; make one per call", who);
  return scene;
}

/// Moves the gates of a scene to the study; they speak of this run alone.
static void move_gates(vb_loader *loader, vb_lua_scene *scene, const vb_run_plan *plan) {
  vb_study *study = loader->study;
  for (size_t i = 0; !study->reduced && i < scene->n_gates; i++) {
    study->gates = vb_lua_grow(loader->L, study->gates, study->n_gates, sizeof *study->gates);
    vb_gate *gate = &study->gates[study->n_gates++];
    *gate = scene->gates[i];
    scene->gates[i] = (vb_gate){0};
    vb_lua_add_text(loader->L, &gate->runs, &gate->n_runs, plan->name);
    char who[160];
    snprintf(who, sizeof who, "gate \"%.100s\"", gate->name);
    vb_loader_check_row(loader, gate, scene->gate_rows[i], who);
  }
}

/// Moves what the scene's script said of its run to the plan.
static void move_plans(vb_run_plan *plan, vb_lua_scene *scene) {
  plan->record = scene->record;
  plan->convergence = scene->convergence;
  plan->bench = scene->bench;
  scene->record = (vb_record_plan){0};
  scene->convergence = (vb_convergence_plan){0};
}

/// Freezes the scene of `plan`. An earlier run's scene that is the same to the last bit is shared:
/// a study of many solvers holds each scene once.
static void freeze(vb_loader *loader, vb_run_plan *plan, vb_builder *builder, const char *who) {
  vb_error error;
  if (vb_builder_freeze(builder, &plan->scene, &error))
    vb_lua_throw(loader->L, who, &error);
  size_t bytes = vb_scene_bytes(plan->scene);
  for (const vb_run_plan *other = loader->study->runs; other < plan; other++) {
    vb_sandbox_touch(loader->L, vb_scene_bytes(other->scene) == bytes ? bytes : 1);
    if (vb_scene_bytes(other->scene) == bytes && memcmp(other->scene, plan->scene, bytes) == 0) {
      free(plan->scene);
      plan->scene = other->scene;
      return;
    }
  }
  vb_sandbox_charge(loader->L, bytes); // for good: it stays with the study
}

/// Makes run `plan` from the entry at `entry`: builds and freezes its scene.
static void add_run(vb_loader *loader, const vb_script *study_script, int index, int entry,
                    const char *who) {
  lua_State *L = loader->L;
  vb_study *study = loader->study;
  vb_args args = vb_args_of(L, entry, who);
  study->runs = vb_lua_grow(L, study->runs, study->n_runs, sizeof *study->runs);
  vb_run_plan *plan = &study->runs[study->n_runs++];
  const char *name = vb_args_string(&args, "name", true);
  const char *label = vb_args_string(&args, "label", false);
  plan->name = vb_lua_copy(L, name);
  plan->label = vb_lua_copy(L, label ? label : name);
  const vb_script *script = push_scenario(loader, study_script, index, entry, who);
  int scenario = lua_gettop(L) - 1;
  plan->scenario = vb_lua_copy(L, script->file.name);
  plan->script = vb_lua_copy(L, script->text);
  plan->parameters = vb_loader_json(L, lua_gettop(L));
  vb_sandbox_charge(L, strlen(plan->parameters));
  vb_lua_scene *scene = build(loader, scenario, who);
  move_plans(plan, scene);
  vb_loader_shorten(loader, scene->builder, plan);
  freeze(loader, plan, scene->builder, who);
  vb_loader_name_script(loader, study_script);
  vb_loader_resolve(loader, study->n_runs - 1, scene, entry, who);
  move_gates(loader, scene, plan);
  scene->finished = true;
  vb_sweep_mark_run(loader, plan);
  vb_builder_destroy(scene->builder);
  scene->builder = NULL;
  vb_sandbox_uncharge(L, scene->charged);
  scene->charged = 0;
}

static _Noreturn void fail_without_runs(vb_loader *loader) {
  const vb_study_request *request = loader->request;
  char asked[300] = "";
  if (request->solver)
    vb_text_add(asked, sizeof asked, " --solver %.50s", request->solver);
  for (size_t i = 0; i < request->n_options; i++)
    vb_text_add(asked, sizeof asked, " --%.50s %.50s", request->options[i].name,
                request->options[i].value);
  vb_lua_fail(loader->L, "study: no run is left; every one fixes settings other than%s", asked);
}

void vb_loader_add_runs(vb_loader *loader, const vb_script *script, int index, int parameters) {
  lua_State *L = loader->L;
  lua_newtable(L);
  int kept = lua_gettop(L);
  push_entries(loader, index, parameters);
  int list = lua_gettop(L);
  check_entries(loader, script, index, list, kept);
  vb_loader_check_settings(loader, parameters);
  lua_Integer n = (lua_Integer)lua_rawlen(L, list);
  for (lua_Integer i = 1; i <= n; i++) {
    char who[96];
    push_entry(L, list, i, who);
    int entry = lua_gettop(L);
    lua_getfield(L, entry, "name");
    lua_rawget(L, kept);
    if (lua_toboolean(L, -1))
      add_run(loader, script, index, entry, who);
    lua_settop(L, list);
  }
  if (loader->study->n_runs == 0)
    fail_without_runs(loader);
  lua_settop(L, kept);
}
