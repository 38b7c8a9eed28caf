// SPDX-License-Identifier: GPL-3.0-or-later
/// How cost grows with the number of bodies, or of nodes in a body.
#ifndef VB_BENCH_SCALING_H
#define VB_BENCH_SCALING_H

#include "bench/bench.h"

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

/// Finds all series of at least three cases with a speed that have one setting (the part of their
/// name before the first dot) and differ in bodies or in nodes per body alone. Freed by
/// vb_bench_scaling_free.
vb_status vb_bench_scaling_find(const vb_bench *bench, vb_bench_scaling **out, size_t *n,
                                vb_error *error);
void vb_bench_scaling_free(vb_bench_scaling *list, size_t n);

/// The geometric mean, over the scenes that both have a speed for, of the rates of `setting` over
/// those of `baseline`; NaN where there is no such scene. `*scenes` is their number.
double vb_bench_ratio(const vb_bench *benches, size_t n, const char *setting, const char *baseline,
                      size_t *scenes);

#endif
