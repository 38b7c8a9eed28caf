// SPDX-License-Identifier: GPL-3.0-or-later
/// What a study says of comparing its records: the tolerances ("compare") and what is run for a
/// gold result ("gold").
#include "script/study/lua_gold.h"

#include "script/study/lua_show.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Steps of a gold run where the study does not say: enough for a wrong force to move things, few
/// enough for rounding not to have grown.
#define GOLD_STEPS 10

/// Runs of a gold result where the study does not say which.
#define GOLD_RUNS 3

/// Reads one kind's table, which is on top of the stack, as a JSON object.
static json_t *read_tolerance(lua_State *L, const char *kind) {
  char who[96];
  snprintf(who, sizeof who, "compare: \"%.60s\"", kind);
  vb_args args = vb_args_open(L, -1, who, "absolute relative reason");
  double absolute = vb_args_number_or(&args, "absolute", 0);
  double relative = vb_args_number_or(&args, "relative", 0);
  const char *reason = vb_args_string(&args, "reason", true);
  if (absolute < 0 || relative < 0)
    vb_args_fail(&args, "\"absolute\" and \"relative\" must not be negative");
  return json_pack("{s:f, s:f, s:s}", "absolute", absolute, "relative", relative, "reason", reason);
}

/// Reads the table "compare", which is on top of the stack.
static char *read_compare(lua_State *L) {
  static const char *const policies[] = {"equal", "never", NULL};
  // Lua's errors would lose the object: it is made only of what was checked before.
  for (int pass = 0; pass < 2; pass++) {
    json_t *object = pass ? json_object() : NULL;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      vb_args args = vb_args_of(L, -3, "compare");
      if (lua_type(L, -2) != LUA_TSTRING)
        vb_args_fail(&args,
                     "takes named values only (kind = { absolute =, relative =, reason = })");
      const char *kind = lua_tostring(L, -2);
      json_t *value = NULL;
      if (strcmp(kind, "nan") == 0) {
        const char *policy = vb_args_text(&args, -1, "nan");
        vb_args_choice(&args, "policy of NaN", policy, policies);
        value = json_string(policy);
      } else {
        value = read_tolerance(L, kind);
      }
      if (pass)
        json_object_set_new(object, kind, value);
      else
        json_decref(value);
    }
    if (pass) {
      char *text = json_dumps(object, JSON_SORT_KEYS);
      json_decref(object);
      return text;
    }
  }
  return NULL;
}

void vb_loader_read_compare(vb_loader *loader, int index) {
  lua_State *L = loader->L;
  int type = lua_getfield(L, index, "compare");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    vb_lua_fail(L, "study: \"compare\" must be a table of tolerances by kind, not a %s",
                luaL_typename(L, -1));
  if (type == LUA_TTABLE) {
    char *text = read_compare(L);
    if (!text)
      vb_lua_out_of_memory(L);
    vb_sandbox_charge(L, strlen(text));
    loader->study->compare = text;
  }
  lua_pop(L, 1);
}

/// The names listed at "runs", which must be texts.
static void read_runs(vb_gold_plan *gold, const vb_args *args) {
  int64_t n = vb_args_length(args, "runs");
  for (int64_t i = 0; i < n; i++)
    vb_lua_add_text(args->L, &gold->runs, &gold->n_runs, vb_args_text_at(args, "runs", i));
}

void vb_loader_read_gold(vb_loader *loader, int index) {
  lua_State *L = loader->L;
  vb_gold_plan *gold = &loader->gold;
  gold->steps = GOLD_STEPS;
  gold->frames = GOLD_STEPS;
  int type = lua_getfield(L, index, "gold");
  bool none = type == LUA_TBOOLEAN && !lua_toboolean(L, -1);
  if (none && loader->study->gold)
    vb_lua_fail(L, "study: it has no gold result");
  if (none || type == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  vb_args args = vb_args_open(L, -1, "gold", "steps frames runs parameters");
  gold->steps = vb_args_integer_or(&args, "steps", 0, 1000, GOLD_STEPS);
  gold->frames = vb_args_integer_or(&args, "frames", 1, 1000, gold->steps ? gold->steps : 1);
  read_runs(gold, &args);
  lua_pop(L, 1);
}

const char *vb_loader_tier(const vb_loader *loader) {
  return loader->study->reduced ? "quick" : loader->study->tier;
}

bool vb_loader_selects(const vb_loader *loader, const char *run, size_t place) {
  const vb_gold_plan *gold = &loader->gold;
  if (loader->show.active)
    return vb_loader_is_shown(loader, run);
  if (!loader->study->gold)
    return true;
  if (gold->n_runs == 0)
    return place < GOLD_RUNS;
  for (size_t i = 0; i < gold->n_runs; i++)
    if (strcmp(gold->runs[i], run) == 0)
      return true;
  return false;
}

void vb_loader_check_gold(vb_loader *loader, int kept) {
  lua_State *L = loader->L;
  bool show = loader->show.active;
  char *const *runs = show ? loader->study->shown : loader->gold.runs;
  size_t n = show ? loader->study->n_shown : loader->gold.n_runs;
  for (size_t i = 0; i < n; i++) {
    if (lua_getfield(L, kept, runs[i]) == LUA_TNIL)
      vb_lua_fail(L, "%s: there is no run \"%.100s\" in the quick size", show ? "show" : "gold",
                  runs[i]);
    lua_pop(L, 1);
  }
}

const char *vb_loader_push_reduced_parameters(vb_loader *loader, int index) {
  lua_State *L = loader->L;
  const char *key = loader->show.active ? "show" : "gold";
  lua_pushnil(L);
  if (loader->study->reduced && lua_getfield(L, index, key) == LUA_TTABLE) {
    int type = lua_getfield(L, -1, "parameters");
    if (type != LUA_TNIL && type != LUA_TTABLE)
      vb_lua_fail(L, "%s: \"parameters\" must be a table, not a %s", key, luaL_typename(L, -1));
  }
  return key;
}

void vb_loader_shorten(const vb_loader *loader, vb_builder *builder, vb_run_plan *plan) {
  vb_world *world = vb_builder_world(builder);
  if (!loader->study->gold)
    return;
  if (world->n_steps > loader->gold.steps)
    world->n_steps = loader->gold.steps;
  plan->record.every = 1;
  plan->record.frames_every = loader->gold.frames;
  if (plan->convergence.after > world->n_steps)
    vb_convergence_plan_clear(&plan->convergence);
}
