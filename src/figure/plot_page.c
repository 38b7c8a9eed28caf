// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_page.h"

#include "base/file.h"
#include "base/home.h"
#include "results/results_array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

vb_plot_page *vb_plot_page_of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

const char *vb_plot_page_argument(lua_State *L, int i, const char *who, const char *what) {
  if (lua_type(L, i) != LUA_TSTRING)
    vb_lua_fail(L, "%s: argument %d must be %s, not a %s", who, i, what, luaL_typename(L, i));
  return lua_tostring(L, i);
}

void vb_plot_page_add(lua_State *L, vb_plot_page *page, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    lua_pushlightuserdata(L, page);
    lua_pushcclosure(L, functions->func, 1);
    lua_setfield(L, -2, functions->name);
  }
}

/// Adds the names of the runs as `runs`, and by these their labels as `labels`.
static void add_runs(lua_State *L, const vb_plot_facts *facts) {
  lua_Integer n = 0;
  const char *run = facts->runs ? facts->runs : "", *label = facts->labels ? facts->labels : "";
  lua_newtable(L);
  lua_newtable(L);
  while (*run) {
    size_t length = strcspn(run, " "), shown = strcspn(label, "|");
    lua_pushlstring(L, run, length);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -4, ++n);
    lua_pushlstring(L, label, shown);
    lua_rawset(L, -3);
    run += length + (run[length] == ' ');
    label += shown + (label[shown] == '|');
  }
  lua_setfield(L, -3, "labels");
  lua_setfield(L, -2, "runs");
}

/// Everything that may raise a Lua error: makes the table `page` and runs the template.
static int run_template(lua_State *L) {
  vb_plot_page *page = lua_touserdata(L, 1);
  vb_error error = {0};
  lua_newtable(L);
  vb_plot_page_add_values(L, page);
  vb_plot_page_add_gates(L, page);
  vb_plot_page_add_text(L, page);
  add_runs(L, page->facts);
  lua_pushstring(L, page->facts->footer);
  lua_setfield(L, -2, "footer");
  lua_setglobal(L, "page");
  if (vb_script_load(L, page->script, page->script, &error))
    vb_lua_throw(L, NULL, &error);
  lua_call(L, 0, 0);
  if (page->put == 0)
    vb_lua_fail(L, "the template has written nothing to its page; use page.put");
  return 0;
}

static vb_status publish(const vb_plot_page *page, const char *path, vb_error *error) {
  vb_output output;
  vb_status status = vb_output_begin(path, false, &output, error);
  if (status)
    return status;
  FILE *file = vb_output_stream(&output);
  bool good = file && fwrite(page->text, 1, page->size, file) == page->size;
  if (file && fclose(file))
    good = false;
  if (!good)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, strerror(errno));
  return vb_output_end(&output, status, error);
}

vb_status vb_plot_page_write(const char *index, const vb_plot_facts *facts, const char *script,
                             const char *path, vb_error *error) {
  vb_plot_page page = {.index = index, .facts = facts, .script = script};
  char home[4096];
  vb_sandbox *sandbox = NULL;
  vb_status status = vb_home(home, sizeof home, error);
  page.out = status ? NULL : open_memstream(&page.text, &page.size);
  if (!status && !page.out)
    status = vb_error_memory(error);
  if (!status)
    status = vb_sandbox_open(home, VB_LUA_LIMITS, &sandbox, error);
  if (!status) {
    vb_sandbox_name_script(sandbox, script);
    status = vb_sandbox_run(sandbox, run_template, &page, error);
  }
  vb_sandbox_close(sandbox);
  vb_columns_free(&page.columns);
  vb_surface_series_free(&page.distance);
  if (page.out && fclose(page.out) && !status)
    status = vb_error_memory(error);
  if (!status)
    status = publish(&page, path, error);
  free(page.text);
  return status;
}
