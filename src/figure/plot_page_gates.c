// SPDX-License-Identifier: GPL-3.0-or-later
// Gates and verdicts as a template sees them.
#include "figure/plot_page.h"

#include <fnmatch.h>
#include <string.h>

/// Of the list of all gates, in Lua's registry; an address that nothing else has.
static char gates_key;

/// Sets a member in each of the `n` gates of the list on top of the stack from dataset
/// gates/`name`; makes them where `first`. Numbers that are flags become booleans.
static void add_member(lua_State *L, vb_plot_page *page, const char *name, bool flag) {
  char path[64], *text = path;
  vb_error error = {0};
  snprintf(path, sizeof path, "gates/%s", name);
  vb_columns_free(&page->columns);
  if (vb_columns_read(page->index, &text, 1, &page->columns, &error))
    vb_lua_throw(L, "page.gates", &error);
  const vb_column_block *b = &page->columns.blocks[0];
  for (size_t i = 0; i < b->n; i++) {
    if (lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TNIL) {
      lua_pop(L, 1);
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_rawseti(L, -3, (lua_Integer)i + 1);
    }
    if (b->texts.texts)
      lua_pushstring(L, b->texts.texts[i]);
    else if (flag)
      lua_pushboolean(L, b->y[i] == 1);
    else
      lua_pushnumber(L, b->y[i]);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
  }
}

/// Gives each gate of the list its verdict in a word.
static void add_verdicts(lua_State *L) {
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
    lua_getfield(L, -1, "passed");
    lua_getfield(L, -2, "finding");
    lua_pushstring(L, lua_toboolean(L, -2)   ? "passed"
                      : lua_toboolean(L, -1) ? "finding"
                                             : "failed");
    lua_setfield(L, -4, "verdict");
    lua_pop(L, 3);
  }
  lua_pop(L, 1);
}

/// Pushes the list of all gates of the index, read once.
static void push_all(lua_State *L, vb_plot_page *page) {
  static const struct {
    const char *name;
    bool flag;
  } members[] = {{"name", false},      {"runs", false},      {"value", false},
                 {"reference", false}, {"tolerance", false}, {"comparator", false},
                 {"reason", false},    {"quantity", false},  {"row", false},
                 {"relative", true},   {"passed", true},     {"finding", true}};
  vb_error error = {0};
  bool some = false;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &gates_key) == LUA_TTABLE)
    return;
  lua_pop(L, 1);
  if (vb_results_has(page->index, "/gates/name", &some, &error))
    vb_lua_throw(L, "page.gates", &error);
  lua_newtable(L);
  for (size_t i = 0; some && i < sizeof members / sizeof *members; i++)
    add_member(L, page, members[i].name, members[i].flag);
  add_verdicts(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &gates_key);
}

/// Whether member `name` of the gate on top of the stack matches.
static bool matches(lua_State *L, const char *name, const char *pattern, bool exact) {
  lua_getfield(L, -1, name);
  const char *text = lua_tostring(L, -1);
  bool same = text && (exact ? strcmp(pattern, text) == 0 : fnmatch(pattern, text, 0) == 0);
  lua_pop(L, 1);
  return same;
}

/// page.gates(runs, name): the gates whose runs and name match two patterns, all without them.
static int gates(lua_State *L) {
  const char *runs = luaL_optstring(L, 1, "*"), *name = luaL_optstring(L, 2, "*");
  lua_Integer n = 0;
  lua_settop(L, 2);
  lua_newtable(L);
  push_all(L, vb_plot_page_of(L));
  for (lua_Integer i = 1; lua_rawgeti(L, 4, i) == LUA_TTABLE; i++, lua_settop(L, 4))
    if (matches(L, "runs", runs, false) && matches(L, "name", name, false))
      lua_rawseti(L, 3, ++n);
  lua_settop(L, 3);
  return 1;
}

/// page.gate(run, name): the one gate of that name of a run, or of "RUN RUN".
static int gate(lua_State *L) {
  vb_plot_page *page = vb_plot_page_of(L);
  const char *run = vb_plot_page_argument(L, 1, "page.gate", "the name of a run");
  const char *name = vb_plot_page_argument(L, 2, "page.gate", "the name of a gate");
  push_all(L, page);
  for (lua_Integer i = 1; lua_rawgeti(L, 3, i) == LUA_TTABLE; i++, lua_settop(L, 3))
    if (matches(L, "runs", run, true) && matches(L, "name", name, true))
      return 1;
  vb_lua_fail(L, "page.gate: %s has no gate \"%.100s\" of run \"%.100s\"", page->index, name, run);
}

/// page.count(gates): how many of a list passed, are findings, and failed.
static int count(lua_State *L) {
  static const char *const verdicts[] = {"passed", "finding", "failed"};
  lua_Integer counts[3] = {0};
  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    vb_lua_fail(L, "page.count: takes a list of gates, such as page.gates() returns");
  for (lua_Integer i = 1; lua_rawgeti(L, 1, i) == LUA_TTABLE; i++, lua_settop(L, 1))
    for (size_t k = 0; k < 3; k++)
      counts[k] += matches(L, "verdict", verdicts[k], true);
  for (size_t k = 0; k < 3; k++)
    lua_pushinteger(L, counts[k]);
  return 3;
}

void vb_plot_page_add_gates(lua_State *L, vb_plot_page *page) {
  static const luaL_Reg functions[] = {
      {"gate", gate}, {"gates", gates}, {"count", count}, {NULL, NULL}};
  vb_plot_page_add(L, page, functions);
}
