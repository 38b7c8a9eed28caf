// SPDX-License-Identifier: GPL-3.0-or-later
/// Sweeps over long chains in windows: see viper_lanes_api. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_TILES_LANES_H
#define VIPER_CPU_TILES_LANES_H

#include "viper/cpu/batches.h"
#include "viper/model/tiles.h"

#define viper_windows_create  VIPER_NAME(viper_windows_create)
#define viper_windows_destroy VIPER_NAME(viper_windows_destroy)
#define viper_windows_reserve VIPER_NAME(viper_windows_reserve)
#define viper_windows_sweep   VIPER_NAME(viper_windows_sweep)

/// What the windows of one cut need.
typedef struct viper_cut_lanes {
  viper_uniform uniform; ///< of the plain ones, where these are so
  viper_real **free;     ///< [groups of special windows] null where no pin is in one; else of each
                         ///< node four numbers, then of each frame one: see viper_batch
} viper_cut_lanes;

/// Groups that `n` windows make, one in a lane.
static inline int32_t viper_window_groups(int32_t n) {
  return (n + VIPER_LANES - 1) / VIPER_LANES;
}

/// All cuts of a model.
typedef struct viper_windows {
  const viper_model *model;
  const viper_cut *cut;
  size_t n_cuts;
  viper_method method;
  viper_cut_lanes *lanes; ///< [n_cuts]
  viper_batch *batch;     ///< [n_threads] what a thread works on
  viper_scratch *scratch; ///< [n_threads]
  int n_threads;
  // Of the whole model, where windows are looked up again, else null: every other time the state is
  // here, and the multipliers are in both by turns.
  viper_scalar *node, *frame, *segment_lambda[2], *joint_lambda[2];
} viper_windows;

vb_status viper_windows_create(const viper_model *model, const viper_cut *cut, size_t n,
                               viper_method method, int threads, void **out, vb_error *error);
void viper_windows_destroy(void *self);
vb_status viper_windows_reserve(void *self, const viper_settings *settings, vb_error *error);
void viper_windows_sweep(void *self, const viper_cut *cut, const viper_arrays *arrays,
                         const viper_settings *settings, double h);

#endif
