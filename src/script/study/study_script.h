// SPDX-License-Identifier: GPL-3.0-or-later
/// Studies from their scripts: loads one, lists all.
#ifndef VB_SCRIPT_STUDY_STUDY_SCRIPT_H
#define VB_SCRIPT_STUDY_STUDY_SCRIPT_H

#include "study/study.h"

/// `name=value` pairs from the command line.
typedef struct vb_setting {
  char *name;
  char *value;
} vb_setting;

/// The settings of a study from the command line.
typedef struct vb_study_request {
  const char *name; ///< of a study below scenarios or bench, or a path that ends in .lua
  const char *tier; ///< vb_is_tier
  const vb_setting *parameters; ///< --set; an unknown name is bad input
  size_t n_parameters;
  const char *solver; ///< --solver, or null
  const vb_option
      *options;       ///< --method, --precision, ..: replace a scenario's own settings; of runs
  size_t n_options;   ///< that fix another value themselves only those that agree are kept
  double script_time; ///< --script-time: processor time of the script, s; 0: as ever
} vb_study_request;

/// Whether the study is asked for with settings that may change its results: states are the same
/// for any number of threads and any instruction set.
bool vb_study_is_changed(const vb_study_request *request);

/// The same of one option of a solver.
bool vb_study_option_changes(const char *option);

/// Loads and freezes a study. VB_BAD_INPUT with file and line where the script is at fault.
/// `*out` is freed by vb_study_destroy.
vb_status vb_study_load(const vb_study_request *request, vb_study **out, vb_error *error);

/// A study's name and title, without freezing it, and its parameters.
typedef struct vb_study_info {
  char *name;
  char *title; ///< null where the script cannot be loaded, or was not run
  char *path;
  const char *folder; ///< of the home that it lies below, "scenarios" or "bench"; null: in none
  char *parameters;   ///< JSON object of the defaults; null likewise
  bool has_show;      ///< whether it names runs for show; false likewise
  bool without_gold;  ///< whether it says that it has no gold result; false likewise
  char *error;        ///< why the script cannot be loaded; null: it can, or was not run
} vb_study_info;

/// All available studies (base/home_files.h), sorted by name; freed by vb_study_list_destroy. Only
/// where titles are `wanted` are scripts run, each for some seconds at most.
vb_status vb_study_list(bool wanted, vb_study_info **out, size_t *count, vb_error *error);
void vb_study_list_destroy(vb_study_info *list, size_t count);

#endif
