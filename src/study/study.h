// SPDX-License-Identifier: GPL-3.0-or-later
/// A study: runs (scene x solver x parameters), gates over their results, and a figure, as plain
/// data. It is made once from Lua (script/study/lua_study.c) and then only read.
#ifndef VB_STUDY_STUDY_H
#define VB_STUDY_STUDY_H

#include "gate/gate.h"
#include "results/results.h"
#include "study/planted.h"

/// Convergence against iterations: the state after `after` steps is saved; for each count it is
/// restored and stepped once with that many iterations, and energies, residual and wall time are
/// noted.
typedef struct vb_convergence_plan {
  int64_t after;
  int64_t *iterations; ///< increasing, >= 1
  size_t n;            ///< 0: none
} vb_convergence_plan;

/// What a benchmark times: windows of steps that all begin in the state after `after` steps.
typedef struct vb_bench_plan {
  int64_t after;
  bool accuracy;   ///< whether the time to given residuals is measured, too
  bool moves_skin; ///< whether each timed step moves the surfaces of the scene, too
} vb_bench_plan;

/// One run of a study.
typedef struct vb_run_plan {
  char *name;         ///< within the study ("n33"): letters, digits and . _ + - only
  char *label;        ///< for plots
  char *scenario;     ///< name of the scenario that made the scene
  char *script;       ///< its Lua text
  char *parameters;   ///< resolved, as a JSON object
  vb_scene *scene;    ///< runs of one study whose scenes are the same share it
  char *solver;       ///< name of the solver
  vb_option *options; ///< of the solver, names and values owned
  size_t n_options;
  vb_record_plan record;
  vb_convergence_plan convergence;
  vb_bench_plan bench;
  vb_sweep_value *sweep; ///< of a run of a sweep: its place there, one per axis
  size_t n_sweep;
} vb_run_plan;

typedef struct vb_study {
  char *name;
  char *title;
  char *tier;      ///< "quick", "full", "gold" or "show"
  bool gold;       ///< whether the tier is "gold": a cut of the quick size, without gates
  bool reduced;    ///< whether the tier is "gold" or "show": some runs, without gates and figure
  char *compare;   ///< declared tolerances of comparing records (compare/tolerances.h), or null
  char *script;    ///< its Lua text
  char *folder;    ///< of its script
  char *figure;    ///< base/figure_files.h, or null for none
  char **includes; ///< names of the studies that it is made of; it then has no runs of its own
  size_t n_includes;
  char **missing; ///< settings of scripts that the solver of the command line lacks, and that are
                  ///< left out: "method", "field scale"
  size_t n_missing;
  char **keywords; ///< words by which runs are chosen (run --only)
  size_t n_keywords;
  char **shown; ///< names of runs that are for show, of any tier
  size_t n_shown;
  vb_run_plan *runs;
  size_t n_runs;
  vb_gate *gates;
  size_t n_gates;
  char *settings; ///< of the command line, as a name ("length=2,method=xpbd"); null: none
  bool timed; ///< whether its figure, its page or its gates use wall times: its runs are executed
              ///< one at a time, with nothing beside them
  vb_planted_plan planted; ///< with which planted solvers its gates must fail
  char *bands; ///< path of the bands of its findings (gate/band_file.h), which may not be there;
               ///< null where none hold, since settings or options are others than the study's own
} vb_study;

/// Whether two studies have the same runs, by names, parameters and options, and the same gates.
bool vb_study_same(const vb_study *a, const vb_study *b);

/// Whether `word` names a tier: "quick", "full", "gold" or "show".
bool vb_is_tier(const char *word);

/// Free what a part of a study holds and zero it, not the part itself; zeroed parts are fine.
void vb_record_plan_clear(vb_record_plan *plan);
void vb_convergence_plan_clear(vb_convergence_plan *plan);
void vb_run_plan_clear(vb_run_plan *run);

/// Frees a list of `n` options that owns its names and values.
void vb_options_destroy(vb_option *options, size_t n);

/// Frees a study and all it holds; null is none.
void vb_study_destroy(vb_study *study);

#endif
