// SPDX-License-Identifier: GPL-3.0-or-later
// What a template reads of results, by the paths of figures and of "viperbench table".
#include "figure/plot_page.h"

#include "base/names.h"
#include "base/nearest_word.h"
#include "results/results_attribute.h"

#include <fnmatch.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Times that are sums of steps may be that much late [s].
static const double SLACK = 1e-9;

/// Raises an error where the study has no run of that name.
static void expect_run(lua_State *L, const vb_plot_page *page, const char *run, const char *who) {
  lua_getglobal(L, "page");
  if (!lua_istable(L, -1) || lua_getfield(L, -1, "labels") != LUA_TTABLE)
    vb_lua_fail(L, "%s: the template has replaced the table page, or page.labels", who);
  if (lua_getfield(L, -1, run) == LUA_TNIL)
    vb_lua_fail(L, "%s: %s has no run \"%.100s\"", who, page->index, run);
  lua_pop(L, 3);
}

/// Reads what the first two arguments name, a run or "." and a path, into `page->columns`.
static const vb_column_block *read_block(lua_State *L, const char *who) {
  vb_plot_page *page = vb_plot_page_of(L);
  vb_error error = {0};
  char path[VB_PLOT_PATH], *text = path;
  const char *run = vb_plot_page_argument(L, 1, who, "the name of a run, or \".\"");
  const char *quantity = vb_plot_page_argument(L, 2, who, "the path of what was recorded");
  bool itself = strcmp(run, ".") == 0;
  if (!itself)
    expect_run(L, page, run, who);
  vb_columns_free(&page->columns);
  vb_sandbox_check(L);
  if (vb_plot_path(page->index, itself ? NULL : "runs", run, quantity, path, &error) ||
      vb_columns_refuse_shared(page->index, &text, 1, &error) ||
      vb_columns_read(page->index, &text, 1, &page->columns, &error))
    vb_lua_throw(L, who, &error);
  const vb_column_block *b = &page->columns.blocks[0];
  vb_sandbox_touch(L, b->n * (b->width + 1) * sizeof(double));
  return b;
}

/// The same of numbers, at least one row of them.
static const vb_column_block *read_numbers(lua_State *L, const char *who) {
  const vb_column_block *b = read_block(L, who);
  if (!b->y || b->n == 0)
    vb_lua_fail(L, "%s: \"%s\" %s", who, b->name,
                b->y ? "has no rows" : "holds texts, not numbers");
  return b;
}

static void push_element(lua_State *L, const vb_column_block *b, size_t i) {
  if (b->texts.texts)
    lua_pushstring(L, b->texts.texts[i]);
  else
    lua_pushnumber(L, b->y[i]);
}

/// Sets `name` of the table on top of the stack to the list of `n` numbers.
static void set_list(lua_State *L, const char *name, const double *numbers, size_t n) {
  lua_newtable(L);
  for (size_t i = 0; i < n; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, name);
}

/// page.values(run, path): all numbers or texts, row by row, with `rows`, `width`, `x` and `unit`.
static int values(lua_State *L) {
  const vb_column_block *b = read_block(L, "page.values");
  lua_newtable(L);
  for (size_t i = 0; i < b->n * b->width; i++) {
    push_element(L, b, i);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  set_list(L, "x", b->x, b->n);
  lua_pushinteger(L, (lua_Integer)b->n);
  lua_setfield(L, -2, "rows");
  lua_pushinteger(L, (lua_Integer)b->width);
  lua_setfield(L, -2, "width");
  lua_pushstring(L, b->unit);
  lua_setfield(L, -2, "unit");
  return 1;
}

/// Pushes the number of row `i`, and its time or iteration. Argument 3 may be the column, from 0.
static int push_row(lua_State *L, const vb_column_block *b, size_t i, int column_at,
                    const char *who) {
  lua_Integer column = lua_isnoneornil(L, column_at) ? 0 : luaL_checkinteger(L, column_at);
  if (column < 0 || (size_t)column >= b->width)
    vb_lua_fail(L, "%s: \"%s\" has no column %lld of %zu", who, b->name, (long long)column,
                b->width);
  lua_pushnumber(L, b->y[i * b->width + (size_t)column]);
  lua_pushnumber(L, b->x[i]);
  return 2;
}

/// page.first(run, path, column), page.last(run, path, column).
static int first(lua_State *L) {
  return push_row(L, read_numbers(L, "page.first"), 0, 3, "page.first");
}

static int last(lua_State *L) {
  const vb_column_block *b = read_numbers(L, "page.last");
  return push_row(L, b, b->n - 1, 3, "page.last");
}

/// page.at(run, path, x, column): in the last row up to that time or iteration.
static int at(lua_State *L) {
  const vb_column_block *b = read_numbers(L, "page.at");
  double x = luaL_checknumber(L, 3);
  size_t n = 0;
  while (n < b->n && b->x[n] <= x + SLACK)
    n++;
  if (n == 0)
    vb_lua_fail(L, "page.at: \"%s\" has no row up to %g", b->name, x);
  return push_row(L, b, n - 1, 4, "page.at");
}

/// The extreme of the first column over the rows behind x = argument 3, or all; NaN counts for
/// none.
static int extreme(lua_State *L, double sign, const char *who) {
  const vb_column_block *b = read_numbers(L, who);
  double after = luaL_optnumber(L, 3, -INFINITY);
  size_t best = b->n;
  for (size_t i = 0; i < b->n; i++)
    if (b->x[i] > after && !isnan(b->y[i * b->width]) &&
        (best == b->n || sign * b->y[i * b->width] > sign * b->y[best * b->width]))
      best = i;
  if (best == b->n)
    vb_lua_fail(L, "%s: \"%s\" has no number behind %g", who, b->name, after);
  return push_row(L, b, best, 4, who);
}

static int minimum(lua_State *L) {
  return extreme(L, -1, "page.minimum");
}

static int maximum(lua_State *L) {
  return extreme(L, 1, "page.maximum");
}

/// page.has(run, path): whether the study has that run, and this has that dataset.
static int has(lua_State *L) {
  vb_plot_page *page = vb_plot_page_of(L);
  vb_error error = {0};
  const char *run = vb_plot_page_argument(L, 1, "page.has", "the name of a run, or \".\"");
  const char *path = vb_plot_page_argument(L, 2, "page.has", "the path of what was recorded");
  bool itself = strcmp(run, ".") == 0, there = true;
  char *text = NULL, full[VB_PLOT_PATH];
  if (!itself) {
    lua_getglobal(L, "page");
    lua_getfield(L, -1, "labels");
    there = lua_getfield(L, -1, run) != LUA_TNIL;
  }
  vb_columns_free(&page->columns);
  text = full;
  vb_status status = VB_OK;
  if (there)
    status = vb_plot_path(page->index, itself ? NULL : "runs", run, path, full, &error);
  if (there && !status)
    status = vb_columns_read(page->index, &text, 1, &page->columns, &error);
  if (status && status != VB_BAD_INPUT)
    vb_lua_throw(L, "page.has", &error);
  lua_pushboolean(L, there && !status);
  return 1;
}

/// page.find(pattern): the names of the runs that match, in the study's order.
static int find(lua_State *L) {
  const char *pattern = vb_plot_page_argument(L, 1, "page.find", "a pattern of names of runs");
  lua_Integer n = 0;
  lua_newtable(L);
  lua_getglobal(L, "page");
  lua_getfield(L, -1, "runs");
  for (lua_Integer i = 1; lua_rawgeti(L, 4, i) == LUA_TSTRING; i++, lua_settop(L, 4))
    if (fnmatch(pattern, lua_tostring(L, -1), 0) == 0)
      lua_rawseti(L, 2, ++n);
  lua_settop(L, 2);
  return 1;
}

/// page.attribute(run, group, name): a text or number that a group of the run's file has.
static int attribute(lua_State *L) {
  vb_plot_page *page = vb_plot_page_of(L);
  vb_error error = {0};
  vb_attribute found;
  const char *run = vb_plot_page_argument(L, 1, "page.attribute", "the name of a run, or \".\"");
  const char *group = vb_plot_page_argument(L, 2, "page.attribute", "a group, such as \"run\"");
  const char *name = vb_plot_page_argument(L, 3, "page.attribute", "the name of an attribute");
  bool itself = strcmp(run, ".") == 0;
  if (!itself)
    expect_run(L, page, run, "page.attribute");
  if (vb_run_attribute((vb_run_location){page->index, itself ? NULL : run}, group, name, &found,
                       &error))
    vb_lua_throw(L, "page.attribute", &error);
  if (found.is_text)
    lua_pushstring(L, found.text);
  else
    lua_pushnumber(L, found.number);
  return 1;
}

/// page.distance(run, other): how far the surface of a run is from that of another, frame by frame.
static int distance(lua_State *L) {
  vb_plot_page *page = vb_plot_page_of(L);
  vb_error error = {0};
  const char *run = vb_plot_page_argument(L, 1, "page.distance", "the name of a run");
  const char *other = vb_plot_page_argument(L, 2, "page.distance", "the name of a run");
  expect_run(L, page, run, "page.distance");
  expect_run(L, page, other, "page.distance");
  vb_surface_series_free(&page->distance);
  if (vb_surface_series_read((vb_run_location){page->index, other},
                             (vb_run_location){page->index, run}, &page->distance, &error))
    vb_lua_throw(L, "page.distance", &error);
  const vb_surface_series *s = &page->distance;
  lua_newtable(L);
  set_list(L, "x", s->time, s->n);
  set_list(L, "rms", s->rms, s->n);
  set_list(L, "greatest", s->hausdorff, s->n);
  return 1;
}

/// Pushes a member of the JSON object that text `dataset` of a run holds.
static int push_member(lua_State *L, const char *dataset, const char *who) {
  vb_plot_page *page = vb_plot_page_of(L);
  vb_error error = {0};
  char *text = NULL;
  const char *run = vb_plot_page_argument(L, 1, who, "the name of a run");
  const char *name = vb_plot_page_argument(L, 2, who, "a name");
  expect_run(L, page, run, who);
  if (vb_run_text((vb_run_location){page->index, run}, dataset, &text, &error))
    vb_lua_throw(L, who, &error);
  json_t *all = json_loads(text, 0, NULL);
  const json_t *member = json_object_get(all, name);
  free(text);
  if (json_is_string(member))
    lua_pushstring(L, json_string_value(member));
  else if (json_is_number(member))
    lua_pushnumber(L, json_number_value(member));
  else if (json_is_boolean(member))
    lua_pushboolean(L, json_is_true(member));
  else
    lua_pushnil(L);
  json_decref(all);
  if (lua_isnil(L, -1))
    vb_lua_fail(L, "%s: run \"%.100s\" has no \"%.100s\" in %s", who, run, name, dataset);
  return 1;
}

/// page.option(run, name): an option of the run's solver as it was in use, a text.
static int option(lua_State *L) {
  return push_member(L, "solver/options", "page.option");
}

/// page.parameter(run, name): a parameter of the run's scenario.
static int parameter(lua_State *L) {
  return push_member(L, "scenario/parameters", "page.parameter");
}

/// page.picture(name): whether NAME.svg is beside the index.
static int picture(lua_State *L) {
  const vb_plot_page *page = vb_plot_page_of(L);
  const char *name = vb_plot_page_argument(L, 1, "page.picture", "the name of a picture");
  const char *slash = strrchr(page->index, '/');
  char path[4096];
  int n = snprintf(path, sizeof path, "%.*s%s.svg", slash ? (int)(slash + 1 - page->index) : 0,
                   page->index, name);
  lua_pushboolean(L, vb_name_is_valid(name) && n > 0 && (size_t)n < sizeof path &&
                         access(path, R_OK) == 0);
  return 1;
}

void vb_plot_page_add_values(lua_State *L, vb_plot_page *page) {
  static const luaL_Reg functions[] = {{"values", values},
                                       {"first", first},
                                       {"last", last},
                                       {"at", at},
                                       {"minimum", minimum},
                                       {"maximum", maximum},
                                       {"has", has},
                                       {"find", find},
                                       {"attribute", attribute},
                                       {"option", option},
                                       {"parameter", parameter},
                                       {"picture", picture},
                                       {"distance", distance},
                                       {NULL, NULL}};
  vb_plot_page_add(L, page, functions);
}
