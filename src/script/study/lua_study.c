// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/lua_study.h"

#include "base/clock.h"
#include "base/figure_files.h"
#include "base/home.h"
#include "base/names.h"
#include "base/nearest_word.h"
#include "gate/band_file.h"
#include "script/runtime/lua_include.h"
#include "script/study/lua_gold.h"
#include "script/study/lua_planted.h"
#include "script/study/lua_show.h"
#include "script/study/lua_sweep.h"
#include "study/exact_frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Tables in Lua's registry of what scripts returned, by name.
#define SCENARIOS "viperbench scenarios"

/// Opens the table of the studies' keys at `index`.
static vb_args open_study(lua_State *L, int index) {
  return vb_args_open(L, index, "study",
                      "title parameters build runs grid each gates figure includes if_there "
                      "compare gold show keywords ranges planted timed");
}

void vb_loader_name_script(vb_loader *loader, const vb_script *script) {
  vb_sandbox_name_script(loader->sandbox, script->file.shown);
  vb_sandbox_place_script(loader->sandbox, script->file.path);
}

/// Finds and reads a script; the loader has it.
static vb_script *add_script(vb_loader *loader, const char *name) {
  lua_State *L = loader->L;
  vb_error error;
  loader->scripts = vb_lua_grow(L, loader->scripts, loader->n_scripts, sizeof *loader->scripts);
  vb_script *script = vb_lua_grow(L, NULL, 0, sizeof *script);
  loader->scripts[loader->n_scripts++] = script;
  // The first name is the caller's; others stand in the script.
  if (vb_study_find(loader->sandbox->home, name, &script->file, &error))
    vb_lua_throw(L, loader->n_scripts > 1 ? "study" : NULL, &error);
  vb_loader_name_script(loader, script);
  if (vb_script_read(script->file.path, script->file.shown, &script->text, &error))
    vb_lua_throw(L, NULL, &error);
  return script;
}

const vb_script *vb_loader_push_script(vb_loader *loader, const char *name) {
  lua_State *L = loader->L;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, SCENARIOS);
  for (size_t i = 0; i < loader->n_scripts; i++)
    if (strcmp(loader->scripts[i]->file.name, name) == 0) {
      lua_getfield(L, -1, name);
      lua_remove(L, -2);
      vb_loader_name_script(loader, loader->scripts[i]);
      return loader->scripts[i];
    }
  vb_script *script = add_script(loader, name);
  vb_sandbox_do(L, script->file.shown, script->text);
  if (!lua_istable(L, -1))
    vb_lua_fail(L, "study: the script must return a table (return {title = ..., build = ...})");
  open_study(L, -1);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, script->file.name);
  lua_remove(L, -2);
  return script;
}

/// The first line of a script that assigns to `key`, or the first of all.
static int line_of(const char *script, const char *key) {
  const char *found = script;
  int line = 1;
  for (const char *at = script; (at = strstr(at, key)); at++) {
    const char *rest = at + strlen(key);
    rest += strspn(rest, " \t");
    if (rest[0] == '=' && rest[1] != '=') {
      found = at;
      break;
    }
  }
  for (const char *at = script; at < found; at++)
    line += *at == '\n';
  return line;
}

/// Messages speak of the line of the script that assigns to `key` from now on.
static void name_line(vb_loader *loader, const vb_script *script, const char *key) {
  char place[sizeof loader->sandbox->path];
  snprintf(place, sizeof place, "%.480s:%d", script->file.shown, line_of(script->text, key));
  vb_sandbox_name_script(loader->sandbox, place);
}

/// Copies the study's figure, whose script must be there: it is not missed after long runs. A cut
/// of a few steps draws nothing.
static void read_figure(vb_loader *loader, const vb_script *script, const char *figure) {
  vb_study *study = loader->study;
  char path[VB_FIGURE_PATH];
  vb_error error;
  study->folder = vb_lua_copy(loader->L, script->file.path);
  char *slash = strrchr(study->folder, '/');
  strcpy(slash ? slash : study->folder, slash ? "" : ".");
  if (!figure || study->reduced)
    return;
  if (vb_figure_find(loader->sandbox->home, study->folder, figure, path, &error)) {
    name_line(loader, script, "figure");
    vb_lua_throw(loader->L, "study", &error);
  }
  study->figure = vb_lua_copy(loader->L, figure);
}

/// Checks the keys of the study's table that no run needs, and copies title, script and figure.
static void read_head(vb_loader *loader, const vb_script *script, int index) {
  lua_State *L = loader->L;
  vb_study *study = loader->study;
  vb_args args = open_study(L, index);
  study->name = vb_lua_copy(L, script->file.name);
  study->tier = vb_lua_copy(L, loader->request->tier);
  study->gold = strcmp(study->tier, "gold") == 0;
  study->reduced = study->gold || strcmp(study->tier, "show") == 0;
  study->title = vb_lua_copy(L, vb_args_string(&args, "title", true));
  study->script = vb_lua_copy(L, script->text);
  study->timed = vb_args_boolean_or(&args, "timed", false);
  vb_loader_read_compare(loader, index);
  vb_loader_read_gold(loader, index);
  vb_loader_read_show(loader, index);
  name_line(loader, script, "planted");
  vb_loader_read_planted(loader, index);
  vb_loader_name_script(loader, script);
  read_figure(loader, script, vb_args_string(&args, "figure", false));
}

/// Reads the study's keywords, words by which runs are chosen.
static void read_keywords(vb_loader *loader, int index) {
  lua_State *L = loader->L;
  int type = lua_getfield(L, index, "keywords");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    vb_lua_fail(L, "study: \"keywords\" must be a list of words, not a %s", luaL_typename(L, -1));
  for (lua_Integer i = 1; type == LUA_TTABLE && i <= (lua_Integer)lua_rawlen(L, -1); i++) {
    if (lua_rawgeti(L, -1, i) != LUA_TSTRING || !vb_name_is_valid(lua_tostring(L, -1)))
      vb_lua_fail(L, "study: \"keywords\" must hold words of letters, digits and . _ + -");
    vb_lua_add_text(L, &loader->study->keywords, &loader->study->n_keywords, lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static const vb_run_plan *find_run(const vb_study *study, const char *name) {
  for (size_t i = 0; i < study->n_runs; i++)
    if (strcmp(study->runs[i].name, name) == 0)
      return &study->runs[i];
  return NULL;
}

/// Whether all runs of a gate were kept; a run that is not there at all is an error.
static bool all_kept(vb_loader *loader, const vb_gate *gate, int kept, const char *who) {
  lua_State *L = loader->L;
  bool all = true;
  for (size_t i = 0; i < gate->n_runs; i++) {
    if (lua_getfield(L, kept, gate->runs[i]) == LUA_TNIL)
      vb_lua_fail(L, "%s: there is no run \"%.100s\"", who, gate->runs[i]);
    all = all && lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return all;
}

void vb_loader_check_row(vb_loader *loader, const vb_gate *gate, vb_tag tag, const char *who) {
  for (size_t i = 0; tag && i < gate->n_runs; i++) {
    const vb_run_plan *run = find_run(loader->study, gate->runs[i]);
    size_t count = vb_scene_count(run->scene, tag);
    if ((size_t)gate->row >= count)
      vb_lua_fail(loader->L, "%s: there is no %s %lld; run \"%s\" has %zu, counted from 0", who,
                  vb_tag_name(tag), (long long)gate->row, run->name, count);
  }
}

/// Writes how messages call the gate on top of the stack, number `i` of its list.
static void name_gate(lua_State *L, lua_Integer i, char *who, size_t size) {
  snprintf(who, size, "gate %lld", (long long)i);
  if (!lua_istable(L, -1))
    return;
  if (lua_getfield(L, -1, "name") == LUA_TSTRING)
    snprintf(who, size, "gate \"%.80s\"", lua_tostring(L, -1));
  lua_pop(L, 1);
}

/// Adds the study's own gates; those of runs that are left out are left out.
static void add_gates(vb_loader *loader, int index, int parameters, int kept) {
  lua_State *L = loader->L;
  vb_study *study = loader->study;
  int type = lua_getfield(L, index, "gates");
  if (type == LUA_TNIL || study->reduced) // gates speak of whole runs
    return;
  if (type != LUA_TFUNCTION)
    vb_lua_fail(L, "study: \"gates\" must be a function of the parameters and the tier, not a %s",
                luaL_typename(L, -1));
  lua_pushvalue(L, parameters);
  lua_pushstring(L, vb_loader_tier(loader));
  lua_call(L, 2, 1);
  if (!lua_istable(L, -1))
    vb_lua_fail(L, "study: \"gates\" must return a list of gates, not a %s", luaL_typename(L, -1));
  vb_sweep_expand_gates(loader);
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= n; i++) {
    char who[160];
    lua_rawgeti(L, -1, i);
    name_gate(L, i, who, sizeof who);
    study->gates = vb_lua_grow(L, study->gates, study->n_gates, sizeof *study->gates);
    vb_gate *gate = &study->gates[study->n_gates++];
    vb_tag tag = vb_lua_read_gate(L, -1, who, NULL, gate);
    if (all_kept(loader, gate, kept, who)) {
      vb_loader_check_row(loader, gate, tag, who);
    } else {
      vb_gate_clear(gate);
      study->n_gates--;
    }
    lua_pop(L, 1);
  }
}

/// A study whose gates look at wall times is timed, whether it says so or not.
static void note_times(vb_study *study) {
  for (size_t g = 0; g < study->n_gates; g++) {
    const char *quantity = study->gates[g].quantity;
    study->timed |= quantity && (strncmp(quantity, "timing/", 7) == 0 ||
                                 strcmp(quantity, "convergence/wall_time") == 0);
  }
}

/// Adds the studies that list `key` names; those of "if_there" only where there are such.
static void add_includes(vb_loader *loader, int index, const char *key, bool needed) {
  lua_State *L = loader->L;
  vb_study *study = loader->study;
  if (lua_getfield(L, index, key) != LUA_TTABLE)
    vb_lua_fail(L, "study: \"%s\" must be a list of names of studies, not a %s", key,
                luaL_typename(L, -1));
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= n; i++) {
    vb_home_file file;
    vb_error error;
    if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
      vb_lua_fail(L, "study: \"%s\" must hold names of studies, not a %s", key,
                  luaL_typename(L, -1));
    const char *name = lua_tostring(L, -1);
    vb_status status = vb_study_find(loader->sandbox->home, name, &file, &error);
    if (status && needed)
      vb_lua_throw(L, "study", &error);
    if (!strcmp(name, study->name))
      vb_lua_fail(L, "study: it includes itself");
    if (!status)
      vb_lua_add_text(L, &study->includes, &study->n_includes, name);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/// Whether the study at `index` is made of others; then these are read.
static bool read_includes(vb_loader *loader, int index) {
  static const char *const own[] = {"build",   "runs", "grid", "each",   "gates",   "parameters",
                                    "compare", "gold", "show", "ranges", "planted", "timed"};
  lua_State *L = loader->L;
  vb_args args = open_study(L, index);
  if (!vb_args_has(&args, "includes")) {
    if (vb_args_has(&args, "if_there"))
      vb_args_fail(&args, "\"if_there\" adds to \"includes\", which is missing");
    return false;
  }
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (vb_args_has(&args, own[i]))
      vb_args_fail(&args, "a study that includes others has no \"%s\" of its own", own[i]);
  add_includes(loader, index, "includes", true);
  if (vb_args_has(&args, "if_there"))
    add_includes(loader, index, "if_there", false);
  return true;
}

static void begin(vb_loader *loader, lua_State *L) {
  loader->L = L;
  luaL_checkstack(L, 100, "the study's own tables"); // a C function is given room for 20 values
  vb_lua_scene_define(L);
  vb_lua_include_define(L);
}

bool vb_study_option_changes(const char *option) {
  return strcmp(option, "threads") != 0 && strcmp(option, "instructions") != 0;
}

bool vb_study_is_changed(const vb_study_request *request) {
  bool changed = request->n_parameters > 0 || request->solver;
  for (size_t i = 0; i < request->n_options; i++)
    changed = changed || vb_study_option_changes(request->options[i].name);
  return changed;
}

/// Reads the bands of the study's findings from the file beside its script. They hold for the study
/// as it is, not with other settings or options.
static void read_bands(vb_loader *loader) {
  const vb_study_request *request = loader->request;
  vb_study *study = loader->study;
  vb_error error;
  if (study->reduced || vb_study_is_changed(request))
    return;
  lua_pushfstring(loader->L, "%s/%s.findings", study->folder, study->name);
  study->bands = vb_lua_copy(loader->L, lua_tostring(loader->L, -1));
  lua_pop(loader->L, 1);
  if (vb_bands_read(study->bands, study->tier, study->gates, study->n_gates, &error))
    vb_lua_throw(loader->L, NULL, &error);
}

/// Everything of vb_lua_study_load that may raise a Lua error.
static int load(lua_State *L) {
  vb_loader *loader = lua_touserdata(L, 1);
  begin(loader, L);
  const vb_script *script = vb_loader_push_script(loader, loader->request->name);
  int index = lua_gettop(L);
  read_head(loader, script, index);
  read_keywords(loader, index);
  if (read_includes(loader, index))
    return 0;
  vb_loader_push_parameters(loader, index, 0, "study");
  int parameters = lua_gettop(L);
  vb_loader_add_runs(loader, script, index, parameters);
  vb_loader_name_script(loader, script);
  add_gates(loader, index, parameters, parameters + 1);
  note_times(loader->study);
  vb_error error;
  if (vb_study_keep_frames(loader->study, &error))
    vb_lua_throw(L, NULL, &error);
  read_bands(loader);
  return 0;
}

/// Opens a sandbox, runs `callback` with the loader in it, and closes all but the study.
static vb_status run_loader(vb_loader *loader, const char *home, vb_lua_limits limits,
                            lua_CFunction callback, vb_error *error) {
  size_t n = loader->request->n_parameters;
  loader->used = calloc(n ? n : 1, sizeof *loader->used);
  loader->reached = calloc(n ? n : 1, sizeof *loader->reached);
  loader->study = calloc(1, sizeof *loader->study);
  vb_status status = VB_OK;
  if (!loader->used || !loader->reached || !loader->study)
    status = vb_error_memory(error);
  if (!status)
    status = vb_sandbox_open(home, limits, &loader->sandbox, error);
  if (!status) {
    vb_sandbox_name_script(loader->sandbox, loader->request->name);
    status = vb_sandbox_run(loader->sandbox, callback, loader, error);
    vb_sandbox_close(loader->sandbox);
  }
  for (size_t i = 0; i < loader->n_scripts; i++) {
    free(loader->scripts[i]->text);
    free(loader->scripts[i]);
  }
  free(loader->scripts);
  vb_texts_destroy(loader->gold.runs, loader->gold.n_runs);
  free(loader->used);
  return status;
}

/// VB_BAD_INPUT where setting `i`, in whose place each run has a value of its own, changes nothing:
/// the study without it is the same.
static vb_status check_reached(const vb_loader *loader, size_t i, const char *home,
                               vb_lua_limits limits, vb_error *error) {
  const vb_study_request *request = loader->request;
  vb_setting *others = calloc(request->n_parameters, sizeof *others);
  if (!others)
    return vb_error_memory(error);
  for (size_t k = 0, n = 0; k < request->n_parameters; k++)
    if (k != i)
      others[n++] = request->parameters[k];
  vb_study_request without = *request;
  without.parameters = others;
  without.n_parameters--;
  vb_loader other = {.request = &without};
  vb_status status = run_loader(&other, home, limits, load, error);
  if (!status && vb_study_same(loader->study, other.study))
    status = vb_bad_input(error, "--set %s=%.100s: no run of %s uses it; each has its own \"%s\"",
                          request->parameters[i].name, request->parameters[i].value,
                          loader->study->name, request->parameters[i].name);
  vb_study_destroy(other.study);
  free(other.reached);
  free(others);
  return status;
}

/// VB_BAD_INPUT where no script reads the parameter of setting `i`: the study loads without it.
/// Most scripts read it at once, and this ends there.
static vb_status check_read(const vb_loader *loader, size_t i, const char *home,
                            vb_lua_limits limits, vb_error *error) {
  const vb_setting *setting = &loader->request->parameters[i];
  vb_error is_read = {0};
  vb_loader other = {.request = loader->request, .missing = setting->name};
  vb_status status = run_loader(&other, home, limits, load, &is_read);
  vb_study_destroy(other.study);
  free(other.reached);
  return status ? VB_OK
                : vb_bad_input(error, "--set %s=%.100s: nothing in %s reads parameter \"%s\"",
                               setting->name, setting->value, loader->study->name, setting->name);
}

/// VB_BAD_INPUT where a setting changes nothing, as far as the script's time allows to tell.
static vb_status check_settings(const vb_loader *loader, const char *home, vb_lua_limits limits,
                                vb_error *error) {
  vb_status status = VB_OK;
  double left = limits.seconds, begun = vb_clock_thread();
  bool ends = limits.seconds > 0;
  for (size_t i = 0; !status && i < loader->request->n_parameters; i++) {
    limits.seconds = ends ? left - (vb_clock_thread() - begun) : 0;
    if (loader->study->n_includes || (ends && limits.seconds <= 0))
      break;
    status = (loader->reached[i] ? check_read : check_reached)(loader, i, home, limits, error);
  }
  bool late = ends && vb_clock_thread() - begun > left;
  return late ? VB_OK : status;
}

vb_status vb_lua_study_load(const vb_study_request *request, const char *home, vb_lua_limits limits,
                            vb_study **out, vb_error *error) {
  if (!vb_is_tier(request->tier))
    return vb_bad_input(error, "unknown tier \"%.50s\"; there are quick, full, gold and show",
                        request->tier);
  vb_loader loader = {.request = request};
  double begun = vb_clock_thread();
  vb_status status = run_loader(&loader, home, limits, load, error);
  // What is left of the time is for loading it again, and is never none at all.
  if (limits.seconds > 0)
    limits.seconds = fmax(limits.seconds - (vb_clock_thread() - begun), 1e-3);
  if (!status)
    status = check_settings(&loader, home, limits, error);
  free(loader.reached);
  if (status)
    vb_study_destroy(loader.study);
  else
    *out = loader.study;
  return status;
}

vb_status vb_study_load(const vb_study_request *request, vb_study **out, vb_error *error) {
  char home[4096];
  vb_status status = vb_home(home, sizeof home, error);
  if (status)
    return status;
  vb_lua_limits limits = VB_LUA_LIMITS;
  if (request->script_time > 0)
    limits.seconds = request->script_time;
  return vb_lua_study_load(request, home, limits, out, error);
}

/// Processor time of a script that is only looked at, s.
#define LIST_SECONDS 2

/// What is asked of a script that is only looked at.
typedef struct inspection {
  vb_loader loader; // first, so that it is one
  vb_study_info info;
} inspection;

static int inspect(lua_State *L) {
  inspection *self = lua_touserdata(L, 1);
  begin(&self->loader, L);
  vb_loader_push_script(&self->loader, self->loader.request->name);
  int index = lua_gettop(L);
  vb_args args = open_study(L, index);
  self->info.title = vb_lua_copy(L, vb_args_string(&args, "title", true));
  vb_loader_push_parameters(&self->loader, index, 0, "study");
  self->info.parameters = vb_loader_json(L, lua_gettop(L));
  self->info.has_show = vb_args_has(&args, "show");
  self->info.without_gold = lua_getfield(L, index, "gold") == LUA_TBOOLEAN && !lua_toboolean(L, -1);
  return 0;
}

static void clear_info(vb_study_info *info) {
  free(info->name);
  free(info->title);
  free(info->path);
  free(info->parameters);
  free(info->error);
}

/// Adds what the script of `file` says of itself, without building anything, or why it cannot.
static vb_status describe(const vb_home_file *file, const char *home, vb_study_info *out,
                          vb_error *error) {
  vb_error failure;
  vb_lua_limits limits = VB_LUA_LIMITS;
  vb_study_request request = {.name = file->name, .tier = "quick"};
  inspection self = {.loader = {.request = &request}};
  limits.seconds = LIST_SECONDS;
  vb_status status = run_loader(&self.loader, home, limits, inspect, &failure);
  vb_study_destroy(self.loader.study);
  free(self.loader.reached);
  if (status) {
    clear_info(&self.info);
    out->error = strdup(failure.message);
    return out->error ? VB_OK : vb_error_memory(error);
  }
  out->title = self.info.title;
  out->parameters = self.info.parameters;
  out->has_show = self.info.has_show;
  out->without_gold = self.info.without_gold;
  return VB_OK;
}

vb_status vb_study_list(bool wanted, vb_study_info **out, size_t *count, vb_error *error) {
  char home[4096];
  vb_home_file *files = NULL;
  vb_study_info *list = NULL;
  size_t n = 0;
  vb_status status = vb_home(home, sizeof home, error);
  if (!status)
    status = vb_home_files(home, VB_HOME_STUDY, &files, &n, error);
  if (status)
    return status;
  list = calloc(n ? n : 1, sizeof *list);
  if (!list)
    status = vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++) {
    list[i] = (vb_study_info){
        .name = strdup(files[i].name), .path = strdup(files[i].path), .folder = files[i].folder};
    if (!list[i].name || !list[i].path)
      status = vb_error_memory(error);
    else if (wanted)
      status = describe(&files[i], home, &list[i], error);
  }
  free(files);
  if (status) {
    vb_study_list_destroy(list, n);
    return status;
  }
  *out = list;
  *count = n;
  return VB_OK;
}

void vb_study_list_destroy(vb_study_info *list, size_t count) {
  for (size_t i = 0; list && i < count; i++)
    clear_info(&list[i]);
  free(list);
}
