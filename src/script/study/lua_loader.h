// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to loading a study: the state that the parts of the loader share. Functions that take a
/// loader run inside vb_sandbox_run and raise Lua errors.
#ifndef VB_SCRIPT_STUDY_LUA_LOADER_H
#define VB_SCRIPT_STUDY_LUA_LOADER_H

#include "script/scene/lua_scene.h"
#include "script/study/lua_study.h"

/// The script of a scenario that was loaded.
typedef struct vb_script {
  vb_home_file file;
  char *text;
} vb_script;

/// What is run for a gold result.
typedef struct vb_gold_plan {
  int64_t steps;  ///< at most
  int64_t frames; ///< steps between frames
  char **runs;    ///< names; none: the first few
  size_t n_runs;
} vb_gold_plan;

/// What is run for show.
typedef struct vb_show_plan {
  bool active; ///< whether the tier is "show"
  double view[4];
  bool has_view; ///< whether the study says `view`
} vb_show_plan;

/// A study being loaded. All it holds is freed by vb_lua_study_load, whatever happens.
typedef struct vb_loader {
  lua_State *L;
  vb_sandbox *sandbox;
  const vb_study_request *request;
  vb_study *study;     ///< filled step by step
  vb_script **scripts; ///< loaded so far
  size_t n_scripts;
  vb_gold_plan gold;   ///< meaningful in tier "gold"
  vb_show_plan show;   ///< meaningful in tier "show"
  bool *used;          ///< by setting of the request: whether some scenario has such a parameter
  bool *reached;       ///< likewise: whether the parameters of some run have its value
  const char *missing; ///< a parameter that scripts do not find, so that reading it is an error;
                       ///< null: all are there
} vb_loader;

/// Pushes the table that the script of scenario `name` returns, run once and its keys checked.
/// Messages speak of this script from now on (see vb_loader_name_script).
const vb_script *vb_loader_push_script(vb_loader *loader, const char *name);

/// Names the script that a message without a line is about.
void vb_loader_name_script(vb_loader *loader, const vb_script *script);

/// Pushes the parameters of the scenario table at `index`: its defaults, then the request's
/// settings, then the table at `own` (of a run `who`), 0 for none. Reading one that is not there is
/// an error.
void vb_loader_push_parameters(vb_loader *loader, int index, int own, const char *who);

/// Raises an error where a parameter in the table at `parameters` is out of the range that the
/// scenario table at `index` declares (lua_ranges.c); `who` is the run, or the study.
void vb_loader_check_ranges(vb_loader *loader, int index, int parameters, const char *who);

/// Notes which settings of the request are left in the table of a run at `parameters`, whose own
/// values are in the table at `own` (0: none).
void vb_loader_note_settings(vb_loader *loader, int parameters, int own);

/// Raises an error where a setting of the request names no parameter of any scenario. The study's
/// own parameters are at `index`.
void vb_loader_check_settings(vb_loader *loader, int index);

/// The table of parameters at `index` as a JSON object; the caller frees it.
char *vb_loader_json(lua_State *L, int index);

/// Adds the runs of the study whose table is at `index` and its parameters at `parameters`. Pushes
/// a table from the name of each run to whether it was kept.
void vb_loader_add_runs(vb_loader *loader, const vb_script *script, int index, int parameters);

/// Raises an error where the row of a gate, which counts in set `tag` (0 for none), is not there in
/// each of its runs. They are the study's already.
void vb_loader_check_row(vb_loader *loader, const vb_gate *gate, vb_tag tag, const char *who);

/// Settles the solver and options of run number `run` from the scene, the command line and the
/// run's own entry, the table at `entry`, and checks them and what is recorded.
void vb_loader_resolve(vb_loader *loader, size_t run, vb_lua_scene *scene, int entry,
                       const char *who);

/// Whether the entry of a run at `entry` agrees with the command line.
bool vb_loader_allows_run(vb_loader *loader, int entry, const char *who);

#endif
