// SPDX-License-Identifier: GPL-3.0-or-later
/// Takes timing windows of a solver: warm-up, samples until the median is precise, single steps.
#ifndef VB_BENCH_SAMPLE_H
#define VB_BENCH_SAMPLE_H

#include "bench/subject.h"
#include "study/run.h"

/// Steps to the state that is timed and saves it as the checkpoint; chooses the steps of a window
/// (`c->steps`) by the pace of those steps.
vb_status vb_sample_prepare(vb_subject *subject, const vb_bench_limits *limits, vb_bench_case *c,
                            vb_error *error);

/// Windows until the latest three agree within 1 %, or the time is up.
vb_status vb_sample_warm(vb_subject *subject, const vb_bench_limits *limits, vb_bench_case *c,
                         vb_error *error);

/// Windows until the interval of the median is narrow enough, or there are enough, or the time is
/// up, or a signal came, or one diverged. All are kept. `watcher` may be null.
vb_status vb_sample_windows(vb_subject *subject, const vb_bench_limits *limits,
                            const vb_run_watcher *watcher, vb_bench_case *c, vb_error *error);

/// Goes through the same windows again step by step, each timed on its own, up to 1000 steps or a
/// tenth of the time for samples, but at least one window.
vb_status vb_sample_single(vb_subject *subject, const vb_bench_limits *limits, vb_bench_case *c,
                           vb_error *error);

#endif
