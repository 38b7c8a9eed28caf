// SPDX-License-Identifier: GPL-3.0-or-later
/// Measures one case of a benchmark: warm-up, timing windows, residual, gates, time to accuracy,
/// and on a GPU time by its own clock, both launch modes, clock rates and energy (device_case.c);
/// and tests whether a comparison of launches of a case detects a slowdown (self_test.c).
#ifndef VB_BENCH_MEASURE_CASE_H
#define VB_BENCH_MEASURE_CASE_H

#include "bench/machine.h"
#include "bench/timed_solver.h"
#include "study/run.h"

/// A saved state as a scene, for all cases of one scene to start the same step from.
typedef struct vb_bench_start {
  char scene_sha256[65]; ///< of the scene that it is a state of
  char name[128];        ///< of the case that saved it
  vb_scene *scene;
} vb_bench_start;

/// What cases share.
typedef struct vb_bench_shared {
  const vb_study *study;
  const vb_bench_limits *limits;
  const char *folder; ///< where the window's record is kept while its gates are evaluated
  const vb_run_watcher *watcher; ///< may be null
  vb_machine *machine;
  vb_bench_start *starts;
  size_t n_starts;
} vb_bench_shared;

void vb_bench_shared_free(vb_bench_shared *shared);

/// Measures run `run` of the study: warm-up, windows, single steps, residual and gates of the
/// window, time to accuracy, floor. A divergence or a signal is VB_OK and recorded in the case.
/// `*out` is always to be freed.
vb_status vb_bench_measure(vb_bench_shared *shared, size_t run, vb_bench_case *out,
                           vb_error *error);

/// Opens the case's solver and steps it to the checkpoint, no more; fills in what is known of the
/// case by then.
vb_status vb_bench_begin(const vb_bench_limits *limits, const vb_run_plan *run,
                         vb_timed_solver *timed, vb_bench_case *out, vb_error *error);

/// Goes through the timed solver window again, with its rows recorded, evaluates the gates of this
/// run alone, and reads the residual (replay.c).
vb_status vb_bench_replay(vb_bench_shared *shared, vb_timed_solver *timed, vb_bench_case *c,
                          vb_error *error);

/// Searches the time to each residual (accuracy.c).
vb_status vb_bench_accuracy_measure(vb_bench_shared *shared, vb_timed_solver *timed,
                                    vb_bench_case *c, vb_error *error);

/// The least time of a step, from the solver's counts and the machine's rates (floor.c). The rates
/// are measured even where the solver does not count.
vb_status vb_bench_floor_measure(vb_machine *machine, vb_timed_solver *timed, vb_bench_case *c,
                                 vb_error *error);

/// One launch of a comparison (`bench --launch CASE STUDY`): measures the case of that name alone,
/// for about half a second, `slow` times its step's time longer, and prints the median time [s] of
/// a step and nothing else; a warning where others keep the machine busy goes to the standard
/// error, unless quiet.
vb_status vb_bench_launch(const vb_study *study, const char *name, double slow, bool quiet,
                          vb_error *error);

/// `bench --self-test`: measures this machine's margin, then finds out whether a slowdown of 3 % is
/// found and whether none is found between the program and itself. VB_INCONCLUSIVE where the margin
/// is above 2 %, VB_FAILED where a verdict is wrong.
vb_status vb_bench_self_test(bool quiet, vb_error *error);

/// Steps to the state that is timed and saves it as the checkpoint; chooses the steps of a window
/// (`c->steps`) by the pace of those steps.
vb_status vb_sample_prepare(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                            vb_error *error);

/// Windows until the latest three agree within 1 %, or the time is up.
vb_status vb_sample_warm(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                         vb_error *error);

/// Windows until the interval of the median is narrow enough, or there are enough, or the time is
/// up, or a signal came, or one diverged. All are kept. `watcher` may be null.
vb_status vb_sample_windows(vb_timed_solver *timed, const vb_bench_limits *limits,
                            const vb_run_watcher *watcher, vb_bench_case *c, vb_error *error);

/// Goes through the same windows again step by step, each timed on its own, up to 1000 steps or a
/// tenth of the time for samples, but at least one window.
vb_status vb_sample_single(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                           vb_error *error);

/// Finds out whether the solver's steps run on a device; if so, its windows are timed by the
/// device, too, and looked at through NVML where that is there.
vb_status vb_device_begin(vb_machine *machine, vb_timed_solver *timed, vb_bench_case *c,
                          vb_error *error);

/// Notes in `window` what the device counted for it and how it is doing; NaN without a device.
vb_status vb_device_watch(vb_timed_solver *timed, vb_timing_window *window, vb_error *error);

/// Concludes from the case's windows: time by the device's clock, the clock's median, and why it
/// was throttled.
void vb_device_conclude(vb_bench_case *c);

/// Times the other launch mode of kernels (the option "launch") for half as long, and returns to
/// the first.
vb_status vb_device_other_launch(vb_timed_solver *timed, const vb_bench_limits *limits,
                                 vb_bench_case *c, vb_error *error);

/// Goes through windows for up to two seconds to see what energy a step takes: by the device's
/// counter, which grows every 20 to 100 ms, or else by its power.
vb_status vb_device_energy(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                           vb_error *error);

#endif
