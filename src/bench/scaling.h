// SPDX-License-Identifier: GPL-3.0-or-later
/// Fits the time of a step over the number of bodies, or of nodes per body.
#ifndef VB_BENCH_SCALING_H
#define VB_BENCH_SCALING_H

#include "bench/bench.h"

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
