// SPDX-License-Identifier: GPL-3.0-or-later
/// Data of a benchmark: its cases and what was measured of each. Each run of a study is a case. Its
/// solver is timed in windows that all begin in the same saved state. Fits the time of a step over
/// the number of bodies, or of nodes per body (scaling.c). See bench/README.md.
#ifndef VB_BENCH_BENCH_H
#define VB_BENCH_BENCH_H

#include "base/arena.h"
#include "base/statistics.h"
#include "results/results.h"
#include "study/study.h"

/// How long and how often to measure.
typedef struct vb_bench_limits {
  double window_s;      ///< least length of a window
  int64_t window_steps; ///< least steps in it
  double warm_s;        ///< warm-up ends after so long, agreed or not
  double sample_s;      ///< sampling ends after so long
  size_t windows;       ///< or after so many windows
  double precision;     ///< or when half the interval's width is below this part of the median
  double accuracy_s;    ///< longest search for the time to a residual
  double slow; ///< a part of each window's time that is spun away: a test aid, 0 in earnest
} vb_bench_limits;

/// The limits of a tier, "quick" or "full".
vb_bench_limits vb_bench_limits_of(const char *tier);

/// Why sampling ended.
typedef enum vb_stop {
  VB_STOP_PRECISE,
  VB_STOP_WINDOWS,
  VB_STOP_TIME,
  VB_STOP_INTERRUPTED,
  VB_STOP_DIVERGED
} vb_stop;

/// "precise", "windows", "time", "interrupted", "diverged".
const char *vb_stop_word(vb_stop stop);

/// One timed window.
typedef struct vb_timing_window {
  double wall_s;
  double cpu_s;      ///< processor time of all threads
  int64_t switches;  ///< involuntary context switches
  bool valid;        ///< did not diverge, and ended in the very state the first window ended in
  double device_s;   ///< by the device's clock; NaN without a device, as is the next
  double sm_clock;   ///< of the device at its end, Hz
  uint64_t throttle; ///< why that is lower than it could be, VB_THROTTLE_...
} vb_timing_window;

/// Room for an option's value.
#define VB_BENCH_VALUE 64

/// What a solver says is in use; empty where it has no such option.
typedef struct vb_bench_settings {
  char method[VB_BENCH_VALUE];
  char backend[VB_BENCH_VALUE]; ///< what "auto" came to
  char precision[VB_BENCH_VALUE];
  char arithmetic[VB_BENCH_VALUE];
  char instructions[VB_BENCH_VALUE];
  int64_t iterations; ///< 1 where the solver has no such option
  int64_t substeps;
  int64_t threads;
} vb_bench_settings;

/// Residuals that a method is timed to: what is left of the forces is a hundredth, as much as one
/// sees, 1e-4, or 1e-6, near what float reaches.
#define VB_BENCH_TARGETS 3
extern const double vb_bench_target[VB_BENCH_TARGETS];

/// Time to accuracy: one step from a given state, with more and more iterations.
typedef struct vb_bench_accuracy {
  char start[128]; ///< name of the case whose saved state it starts from, or "" for the scene's own
  size_t n;
  double *iterations;              ///< (n)
  double *wall_s;                  ///< (n) median time of the step
  double *residual;                ///< (n)
  double time_s[VB_BENCH_TARGETS]; ///< of the quickest step below the target; NaN where none is
} vb_bench_accuracy;

/// The least time a step can take on this machine.
typedef struct vb_bench_floor {
  bool known;
  double bytes;           ///< that a step must move
  double operations;      ///< floating-point operations that it must do
  double copy_rate;       ///< measured, bytes/s read and written
  double arithmetic_rate; ///< measured, operations/s
  double time_s;          ///< the longer of the two
} vb_bench_floor;

/// A case's work on a device beside the host.
typedef struct vb_bench_device {
  bool there; ///< otherwise the rest means nothing
  char name[96];
  char uuid[48];
  vb_interval step_s;       ///< of the valid windows' time per step, by the device's clock
  double sm_clock;          ///< median over the windows, Hz; NaN if not available
  uint64_t throttle;        ///< reasons met in any window
  char launch[16];          ///< how kernels start, "graph" or "stream"; "" where there is no choice
  char other_launch[16];    ///< the other launch mode, or "" where it was not timed
  vb_interval other_wall_s; ///< time per step of that, and by the device's clock
  vb_interval other_step_s;
  bool other_repeated;   ///< whether that ended in the same state
  double energy_j;       ///< of a step, where energy_by is not null
  const char *energy_by; ///< "counter", "power", or null if the device reports none
} vb_bench_device;

/// One case, measured.
typedef struct vb_bench_case {
  const vb_run_plan *run; ///< borrowed
  vb_bench_settings settings;
  char scene_sha256[65];
  int64_t dofs, nodes, bodies;
  double memory; ///< bytes that the solver allocated; 0 if unknown
  int64_t steps; ///< in a window
  bool settled;  ///< whether the warm-up ended by agreement
  vb_timing_window *warm;
  size_t n_warm;
  vb_timing_window *windows;
  size_t n_windows;
  vb_stop stop;
  vb_interval step_s; ///< of the valid windows' time per step
  double *single_s;   ///< (n_single) single steps, each timed on its own
  size_t n_single;
  vb_divergence divergence;
  uint64_t digest; ///< of the state at the end of the first window
  bool repeated;   ///< whether going through the window again ended in that state
  double residual; ///< at the end of the timed solver window; NaN where the solver has none
  double greatest_residual; ///< at any of its recorded steps
  double distance; ///< of that end from the minimizer of its step, m; NaN where it is not known
  double motion;   ///< of the farthest node in that step, m
  vb_verdict *verdicts; ///< one per gate of the study, meaningful where evaluated
  bool *evaluated;
  bool gates_passed; ///< all evaluated ones but findings
  vb_bench_accuracy accuracy;
  vb_bench_floor floor;
  vb_bench_device device;
  vb_arena arrays; ///< memory of the arrays, but the windows
} vb_bench_case;

/// Windows marked as disturbed make a case unstable when they are more than this part of all.
#define VB_BENCH_MAX_MARKED 0.2

/// Whether window `i` took more than 1/0.97 of the median, or ended with the device's clock under
/// 0.97 of that clock's median, or throttled.
bool vb_bench_is_marked(const vb_bench_case *c, size_t i);

/// The part of the windows that are marked; 0 where there is none.
double vb_bench_marked(const vb_bench_case *c);

/// Remark on a case: "", "UNSTABLE", "GATE FAILED", "DIVERGED", "INTERRUPTED",
/// "UNREPEATABLE".
const char *vb_bench_remark(const vb_bench_case *c);

/// Whether the case has a time of a step: its windows are valid and passed their gates.
bool vb_bench_has_time(const vb_bench_case *c);

/// Whether it has a speed, which may be compared: a time of a step that is not unstable.
bool vb_bench_has_speed(const vb_bench_case *c);

/// The part of the last timed step that is not solved: the distance of its end from the minimizer,
/// over its motion; NaN where that is not known.
double vb_bench_unsolved(const vb_bench_case *c);

/// Degrees of freedom advanced by a step per second, and simulated over wall time; NaN where there
/// is no speed. The former is NaN, too, where nothing is known of the accuracy that it buys.
double vb_bench_dof_hz(const vb_bench_case *c);
double vb_bench_real_time(const vb_bench_case *c);

/// The part of a run's name before its first dot: what is the same of cases that differ in their
/// scene only. Writes at most `size` bytes.
void vb_bench_setting_name(const char *run, char *out, size_t size);

/// The cases of one setting along one axis, by growing size, and the cost fitted to them.
typedef struct vb_bench_scaling {
  char name[160]; ///< "SETTING.bodies" or "SETTING.nodes"
  bool over_bodies;
  double fixed; ///< nodes per body, or bodies, which all of them have
  size_t n;
  double *size;   ///< (n) bodies, or nodes per body
  double *dofs;   ///< (n)
  double *step_s; ///< (n) median time of a step
  bool fitted;
  vb_linear_cost cost; ///< of dofs: the rate is in DOF Hz
} vb_bench_scaling;

/// A study, measured. Freed by vb_bench_free.
typedef struct vb_bench {
  const vb_study *study; ///< borrowed
  vb_bench_limits limits;
  vb_bench_case *cases;
  size_t n_cases;            ///< measured so far, in the order of the study's runs
  size_t n_unavailable;      ///< left out: not available in this build or on this machine
  vb_bench_scaling *scaling; ///< series among them, once found (scaling.c)
  size_t n_scaling;
  vb_arena scaling_memory; ///< of their arrays
} vb_bench;

void vb_bench_case_free(vb_bench_case *c);
void vb_bench_free(vb_bench *bench);

/// Finds all series of at least three cases with a speed that have one setting (the part of their
/// name before the first dot) and differ in bodies or in nodes per body alone. They replace
/// `bench->scaling`.
vb_status vb_bench_scaling_find(vb_bench *bench, vb_error *error);
void vb_bench_scaling_free(vb_bench *bench);

/// The geometric mean, over the scenes that both have a speed for, of the rates of `setting` over
/// those of `baseline`; NaN where there is no such scene. `*scenes` is their number.
double vb_bench_ratio(const vb_bench *benches, size_t n, const char *setting, const char *baseline,
                      size_t *scenes);

#endif
