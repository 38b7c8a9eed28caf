// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/scene/lua_scene.h"

#include "base/file.h"
#include "script/scene/lua_fit.h"
#include "script/scene/lua_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define METATABLE "viperbench scene"

/// More steps are a mistake in the script: at a microsecond each they take a year.
#define MOST_STEPS INT64_C(30000000000000)

/// A scene of a million nodes has some hundred bytes for each.
#define MOST_SCENE_BYTES ((size_t)1 << 32)

#define METHOD(name)                                                                               \
  { #name, vb_lua_##name }
static const luaL_Reg methods[] = {VB_LUA_METHODS(METHOD), {NULL, NULL}};

vb_lua_scene *vb_lua_scene_test(lua_State *L, int index) {
  return luaL_testudata(L, index, METATABLE);
}

vb_lua_scene *vb_lua_scene_self(lua_State *L, const char *who) {
  vb_lua_scene *scene = vb_lua_scene_test(L, 1);
  if (!scene)
    vb_lua_fail(L, "%s: must be called on a scene, as in s:%s{...}", who, who);
  if (scene->finished)
    vb_lua_fail(L, "%s: the scene is finished, since build has returned it", who);
  if (lua_gettop(L) != 2)
    vb_lua_fail(L, "%s: takes one table of named values, as in s:%s{...}", who, who);
  return scene;
}

void vb_lua_charge(lua_State *L, vb_lua_scene *scene, size_t bytes) {
  vb_sandbox_charge(L, bytes);
  scene->charged += bytes;
}

int32_t vb_lua_add(const vb_args *args, vb_lua_scene *scene, vb_tag tag, const void *element,
                   size_t size) {
  int32_t index;
  vb_error error;
  vb_lua_charge(args->L, scene, size);
  if (vb_builder_add(scene->builder, tag, element, &index, &error))
    vb_lua_throw(args->L, args->who, &error);
  return index;
}

int64_t vb_lua_count(const vb_lua_scene *scene, vb_tag tag) {
  size_t count;
  vb_builder_elements(scene->builder, tag, &count);
  return (int64_t)count;
}

static int32_t check_index(const vb_args *args, const vb_lua_scene *scene, vb_tag tag,
                           const char *key, int64_t index) {
  int64_t count = vb_lua_count(scene, tag);
  const char *set = vb_tag_name(tag);
  if (index < 0 || index >= count)
    vb_args_fail(args, "\"%s\": there is no %s %lld; the scene has %lld so far, counted from 0",
                 key, set, (long long)index, (long long)count);
  return (int32_t)index;
}

int32_t vb_lua_index(const vb_args *args, const vb_lua_scene *scene, vb_tag tag, const char *key) {
  int64_t index = vb_args_integer(args, key, INT64_MIN, INT64_MAX);
  return check_index(args, scene, tag, key, index);
}

int32_t vb_lua_index_at(const vb_args *args, const vb_lua_scene *scene, vb_tag tag, const char *key,
                        int64_t i) {
  int64_t index = vb_args_integer_at(args, key, i, INT64_MIN, INT64_MAX);
  return check_index(args, scene, tag, key, index);
}

void vb_lua_out_of_memory(lua_State *L) {
  vb_error error;
  vb_error_memory(&error);
  vb_lua_throw(L, "", &error);
}

char *vb_lua_copy(lua_State *L, const char *text) {
  vb_sandbox_charge(L, strlen(text) + 1);
  char *copy = strdup(text);
  if (!copy)
    vb_lua_out_of_memory(L);
  return copy;
}

void *vb_lua_grow(lua_State *L, void *list, size_t n, size_t size) {
  vb_sandbox_charge(L, size);
  char *more = reallocarray(list, n + 1, size);
  if (!more)
    vb_lua_out_of_memory(L);
  memset(more + n * size, 0, size);
  return more;
}

void vb_lua_add_text(lua_State *L, char ***list, size_t *n, const char *text) {
  *list = vb_lua_grow(L, *list, *n, sizeof **list);
  (*n)++;
  (*list)[*n - 1] = vb_lua_copy(L, text);
}

void vb_lua_set_integer(lua_State *L, const char *key, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

void vb_lua_set_range(lua_State *L, const char *key, lua_Integer first, lua_Integer n) {
  lua_createtable(L, (int)n, 0);
  for (lua_Integer i = 0; i < n; i++) {
    vb_sandbox_touch(L, sizeof i);
    lua_pushinteger(L, first + i);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, key);
}

void vb_lua_copy_pair(lua_State *L, int to) {
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  lua_rawset(L, to);
}

void vb_lua_copy_pairs(lua_State *L, int to) {
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    vb_lua_copy_pair(L, to);
  lua_pop(L, 1);
}

void vb_lua_append(lua_State *L, int list) {
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

static int64_t read_steps(const vb_args *args, double step) {
  if (vb_args_has(args, "steps") == vb_args_has(args, "duration"))
    vb_args_fail(args, "needs either \"duration\" or \"steps\"");
  if (vb_args_has(args, "steps"))
    return vb_args_integer(args, "steps", 0, MOST_STEPS);
  double duration = vb_args_not_negative_or(args, "duration", " s", 0);
  // Up to whole steps, but not for the rounding of duration / step.
  double steps = ceil(duration / step * (1 - 1e-9));
  if (steps > (double)MOST_STEPS)
    vb_args_fail(args, "\"duration\" takes %g steps; at most %g are possible", steps,
                 (double)MOST_STEPS);
  return (int64_t)steps;
}

static void read_world(const vb_args *args, vb_world *world) {
  world->step = vb_args_positive(args, "step", " s");
  world->n_steps = read_steps(args, world->step);
  vb_args_vector(args, "gravity", 3, world->gravity);
  world->damping = vb_args_not_negative_or(args, "damping", " 1/s", 0);
}

/// What is recorded where a script does not say: what figures and gates need most.
static void default_record(lua_State *L, vb_record_plan *record) {
  static const char *const fields[] = {"position", "scale", "frame"};
  record->every = 1;
  record->frames_every = 10;
  record->residual = false;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    vb_lua_add_text(L, &record->fields, &record->n_fields, fields[i]);
}

/// Pushes an empty scene.
static vb_lua_scene *push_scene(lua_State *L, const char *who) {
  vb_error error;
  vb_lua_scene *scene = lua_newuserdatauv(L, sizeof *scene, 0);
  *scene = (vb_lua_scene){.fixed_driver = -1};
  luaL_setmetatable(L, METATABLE);
  if (vb_builder_create(&scene->builder, &error))
    vb_lua_throw(L, who, &error);
  default_record(L, &scene->record);
  return scene;
}

/// vb.scene{...}
static int make_scene(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "scene", "step duration steps gravity damping");
  vb_lua_scene *scene = push_scene(L, "scene");
  read_world(&args, vb_builder_world(scene->builder));
  return 1;
}

/// vb.read_scene{ file = "NAME" }: a frozen scene, of scenarios/scenes, to which nothing is added.
static int read_scene(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "read_scene", "file");
  const char *shown, *path = vb_lua_file(&args, "scenarios/scenes", &shown);
  vb_lua_scene *scene = push_scene(L, "read_scene");
  char *blob;
  size_t bytes;
  vb_error error;
  if (vb_file_read(path, shown, MOST_SCENE_BYTES, &blob, &bytes, &error))
    vb_lua_throw(L, "read_scene", &error);
  vb_status status = vb_scene_check(blob, bytes, &error);
  if (status)
    vb_error_prefix(&error, "%s", shown);
  else
    status = vb_builder_load(scene->builder, (const vb_scene *)(const void *)blob, &error);
  free(blob);
  if (status)
    vb_lua_throw(L, "read_scene", &error);
  vb_lua_charge(L, scene, bytes);
  return 1;
}

static int collect_scene(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_test(L, 1);
  vb_builder_destroy(scene->builder);
  free(scene->node_pin);
  free(scene->segment_pin);
  vb_record_plan_clear(&scene->record);
  vb_convergence_plan_clear(&scene->convergence);
  free(scene->solver);
  vb_options_destroy(scene->options, scene->n_options);
  for (size_t i = 0; i < scene->n_gates; i++)
    vb_gate_clear(&scene->gates[i]);
  free(scene->gates);
  free(scene->gate_rows);
  vb_sandbox_uncharge(L, scene->charged);
  *scene = (vb_lua_scene){.finished = true};
  return 0;
}

/// s.n_nodes and the like; the methods are in the first upvalue.
static int index_scene(lua_State *L) {
#define NAME(name) #name
  static const char *const known[] = {"n_nodes", "n_segments",         "step",
                                      "steps",   VB_LUA_METHODS(NAME), NULL};
  vb_lua_scene *scene = vb_lua_scene_test(L, 1);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
    return 1;
  vb_args args = {.L = L, .table = 1, .who = "scene"};
  if (lua_type(L, 2) != LUA_TSTRING)
    vb_args_fail(&args, "has methods and properties only, no element of a list");
  if (scene->finished)
    vb_args_fail(&args, "is finished, since build has returned it");
  const vb_world *world = vb_builder_world(scene->builder);
  switch (vb_args_choice(&args, "method or property", lua_tostring(L, 2), known)) {
  case 0:
    lua_pushinteger(L, vb_lua_count(scene, VB_SET_NODE));
    break;
  case 1:
    lua_pushinteger(L, vb_lua_count(scene, VB_SET_SEGMENT));
    break;
  case 2:
    lua_pushnumber(L, world->step);
    break;
  default:
    lua_pushinteger(L, world->n_steps);
  }
  return 1;
}

void vb_lua_scene_define(lua_State *L) {
  luaL_newmetatable(L, METATABLE);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, index_scene, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, collect_scene);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushcfunction(L, make_scene);
  lua_setfield(L, -2, "scene");
  lua_pushcfunction(L, read_scene);
  lua_setfield(L, -2, "read_scene");
  vb_lua_mesh_define(L);
  vb_lua_fit_define(L);
  lua_setglobal(L, "vb");
}
