// SPDX-License-Identifier: GPL-3.0-or-later
/// vb.read_links{ file =, bones = }: joints of a file, as s:link takes them.
#include "mesh/link_file.h"
#include "script/scene/lua_mesh.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <string.h>

static void push_numbers(lua_State *L, const double *values, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/// Sets "bones" of the link at the top of the stack to what key "bones" has by those names.
static void set_bones(const vb_args *args, const char *shown, const vb_link_row *row) {
  lua_State *L = args->L;
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    if (i == 1 && strcmp(row->bone[i], "world") == 0)
      break;
    vb_args_push(args, "bones");
    if (lua_getfield(L, -1, row->bone[i]) == LUA_TNIL)
      vb_args_fail(args, "%s:%zu: \"bones\" has no bone \"%s\"", shown, row->line, row->bone[i]);
    lua_rawseti(L, -3, i + 1);
    lua_pop(L, 1);
  }
  lua_setfield(L, -2, "bones");
}

static void push_link(const vb_args *args, const char *shown, const vb_link_row *row) {
  static const char *const KINDS[] = {"ball", "hinge", "universal"}; // of vb_link_type
  lua_State *L = args->L;
  const vb_link *link = &row->link;
  lua_createtable(L, 0, 6);
  lua_pushstring(L, link->name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, KINDS[link->type]);
  lua_setfield(L, -2, "kind");
  push_numbers(L, link->at, 3);
  lua_setfield(L, -2, "at");
  if (link->type == VB_LINK_HINGE) {
    push_numbers(L, link->axis[0], 3);
    lua_setfield(L, -2, "axis");
  }
  if (link->type == VB_LINK_UNIVERSAL) {
    lua_createtable(L, 2, 0);
    for (int i = 0; i < 2; i++) {
      push_numbers(L, link->axis[i], 3);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "axes");
  }
  if (isfinite(link->limit[0]) || isfinite(link->limit[1])) {
    push_numbers(L, link->limit, 2);
    lua_setfield(L, -2, "limit");
  }
  set_bones(args, shown, row);
}

int vb_lua_read_links(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "read_links", "file bones");
  const char *shown, *path = vb_lua_file(&args, "scenarios/meshes", &shown);
  vb_error error;
  size_t n;
  if (vb_args_push(&args, "bones") != LUA_TTABLE)
    vb_args_fail(&args, "needs \"bones\", a table of bones by their names in the file");
  lua_pop(L, 1);
  // Lua's own memory, which an error frees.
  vb_link_row *rows = vb_lua_array(L, VB_LINK_ROWS, sizeof *rows);
  if (vb_link_file_read(path, shown, rows, &n, &error))
    vb_lua_throw(L, "read_links", &error);
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    push_link(&args, shown, &rows[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}
