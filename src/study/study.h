// SPDX-License-Identifier: GPL-3.0-or-later
/// A study, frozen: the one way to ask a question. Runs (scene x solver x parameters), gates over
/// them, and a figure. Plain data: made once from Lua (script/study/lua_study.c), then only read.
#ifndef VB_STUDY_STUDY_H
#define VB_STUDY_STUDY_H

#include "scene/scene.h"
#include "solver/table.h"

/// What is recorded of a run, and how often.
typedef struct vb_record_plan {
  int64_t every;        ///< steps between rows of the series, >= 1; row 0 is the initial state
  int64_t frames_every; ///< steps between frames, >= 1; frame 0 is the initial state
  bool residual;        ///< whether each row holds the residual (costs about an iteration)
  char **fields;        ///< fields of a frame, by name; any but those of the whole scene
  size_t n_fields;
} vb_record_plan;

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
  bool accuracy; ///< whether the time to given residuals is measured, too
} vb_bench_plan;

/// How a gate makes one number of a recorded series y(x), x being time [s] or iterations. All but
/// the first three and `value` look at the window [from, to] only.
typedef enum vb_measure {
  VB_MEASURE_FIRST,
  VB_MEASURE_FINAL,
  VB_MEASURE_VALUE, ///< at x = from, linear between rows
  VB_MEASURE_MINIMUM,
  VB_MEASURE_MAXIMUM,
  VB_MEASURE_MAXIMUM_ABS, ///< of |y|
  VB_MEASURE_MEAN,
  VB_MEASURE_DRIFT,     ///< maximum of |y - y(first)|
  VB_MEASURE_FREQUENCY, ///< angular frequency [rad/s] of a damped oscillation about 0
  VB_MEASURE_DECAY,     ///< its factor per row
  VB_MEASURE_ARRIVAL,   ///< centroid of y^2 over x
  VB_MEASURE_SLOPE,     ///< of log |y| over log x, least squares
} vb_measure;

/// What a gate asks of its number.
typedef enum vb_comparator {
  VB_NEAR,    ///< |value - reference| <= tolerance (times |reference| where relative)
  VB_AT_MOST, ///< value <= reference
  VB_AT_LEAST ///< value >= reference
} vb_comparator;

/// How a gate combines the numbers of several runs.
typedef enum vb_combination {
  VB_SINGLE,      ///< one run, as it is
  VB_DIFFERENCE,  ///< of runs 0 and 1: value 0 - value 1
  VB_RATIO,       ///< value 0 / value 1
  VB_SURFACE_RMS, ///< of runs 0 and 1: the RMS distance of their surfaces, frame by frame; this
                  ///< series is then measured
  VB_SURFACE_HAUSDORFF, ///< likewise their greatest distance
  VB_ORDER              ///< over runs of growing resolution: minus the least-squares slope of
           ///< log |value - limit| over log size; where `limit` is NaN, of the differences of
           ///< successive values over the coarser size
} vb_combination;

/// A gate: one number of the record, what it must be, and why.
typedef struct vb_gate {
  char *name;
  char *quantity; ///< dataset below /run ("energy/stretch", "frames/position") or "convergence/.."
  int64_t row; ///< element of the second axis (node, segment, driver, body), -1 where there is none
  int component;     ///< of the third axis, -1 where there is none
  bool apart;        ///< the series is the distance of `row` to `other_row`, points of x, y, z
  int64_t other_row; ///< meaningful where apart
  double origin;     ///< subtracted from the series first
  vb_measure measure;
  double from; ///< window in x, or the x of VB_MEASURE_VALUE; -inf for none
  double to;   ///< +inf for none
  vb_combination combination;
  char **runs; ///< names of the runs it speaks of; a gate of one run has that run's name
  size_t n_runs;
  double *sizes; ///< n_runs resolutions, for VB_ORDER
  double limit;
  vb_comparator comparator;
  double reference;
  double tolerance;
  bool relative;
  bool finding; ///< a miss is told as a finding about the model, and fails nothing
  char *reason; ///< of the reference and the tolerance
} vb_gate;

/// Where a run stands on an axis of its study's sweep.
typedef struct vb_sweep_value {
  char *axis; ///< "method", "n", ..
  char *text;
  bool is_number;
  double number; ///< where it is one
} vb_sweep_value;

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
  char *tier;      ///< "quick", "full" or "gold"
  bool gold;       ///< whether the tier is "gold": a cut of the quick size, without gates
  char *compare;   ///< declared tolerances of comparing records (compare/tolerances.h), or null
  char *script;    ///< its Lua text
  char *figure;    ///< name of a script in plots/ without its ending, or null for none
  char **includes; ///< names of the studies that it is made of; it then has no runs of its own
  size_t n_includes;
  vb_run_plan *runs;
  size_t n_runs;
  vb_gate *gates;
  size_t n_gates;
} vb_study;

/// `name=value` pairs from the command line.
typedef struct vb_setting {
  char *name;
  char *value;
} vb_setting;

/// What the command line says of a study.
typedef struct vb_study_request {
  const char *name; ///< of a study in the scenario or bench folder, or a path that ends in .lua
  const char *tier; ///< "quick", "full" or "gold"
  const vb_setting *parameters; ///< --set; an unknown name is bad input
  size_t n_parameters;
  const char *solver; ///< --solver, or null
  const vb_option
      *options;       ///< --method, --precision, ..: replace a scenario's own settings; of runs
  size_t n_options;   ///< that fix another value themselves only those that agree are kept
  double script_time; ///< --script-time: processor time of the script, s; 0: as ever
} vb_study_request;

/// Whether `word` names a tier: "quick", "full" or "gold".
bool vb_is_tier(const char *word);

/// Loads and freezes a study. VB_BAD_INPUT with file and line where the script is at fault.
/// `*out` is freed by vb_study_destroy.
vb_status vb_study_load(const vb_study_request *request, vb_study **out, vb_error *error);
void vb_study_destroy(vb_study *study);

/// A study's name and title, without freezing it, and its parameters.
typedef struct vb_study_info {
  char *name;
  char *title;
  char *path;
  char *parameters; ///< JSON object of the defaults
} vb_study_info;

/// All studies at hand (folders scenarios and bench), sorted by name; freed by
/// vb_study_list_destroy. A file that cannot be loaded is bad input.
vb_status vb_study_list(vb_study_info **out, size_t *count, vb_error *error);
void vb_study_list_destroy(vb_study_info *list, size_t count);

/// Whether the study's script lies in that folder, "scenarios" or "bench", of the home folder.
bool vb_study_in_folder(const vb_study_info *info, const char *folder);

/// The folder that holds scenarios/, bench/ and plots/: $VIPERBENCH_HOME, or else the parent of the
/// folder of the running program, or the folder share/viperbench in that. Writes at most `size`
/// bytes.
vb_status vb_home(char *out, size_t size, vb_error *error);

#endif
