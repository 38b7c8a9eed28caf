// SPDX-License-Identifier: GPL-3.0-or-later
/// Sweeps over long chains in tiles: see viper_lanes_api. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_TILES_TILES_LANES_H
#define VIPER_CPU_TILES_TILES_LANES_H

#include "viper/backend/tiles.h"
#include "viper/cpu/batch/batches.h"

#define viper_tiles_create  VIPER_NAME(viper_tiles_create)
#define viper_tiles_destroy VIPER_NAME(viper_tiles_destroy)
#define viper_tiles_reserve VIPER_NAME(viper_tiles_reserve)
#define viper_tiles_sweep   VIPER_NAME(viper_tiles_sweep)

/// What the tiles of one tiling need.
typedef struct viper_tiling_lanes {
  viper_uniform uniform; ///< of the plain ones, where these are so
  viper_real **free;     ///< [batches of special tiles] null where no pin is in one; else of each
                         ///< node four numbers, then of each frame one: see viper_batch
} viper_tiling_lanes;

/// Batches that `n` tiles make, one in a lane.
static inline int32_t viper_tile_batches(int32_t n) {
  return (n + VIPER_LANES - 1) / VIPER_LANES;
}

/// All tilings of a model.
typedef struct viper_tiles {
  const viper_model *model;
  const viper_tiling *tiling;
  size_t n_tilings;
  viper_method method;
  viper_tiling_lanes *lanes; ///< [n_tilings]
  viper_batch *batch;        ///< [n_threads] what a thread works on
  viper_scratch *scratch;    ///< [n_threads]
  int n_threads;
  // Of the whole model, where tiles are looked up again, else null: every other time the state is
  // here, and the multipliers are in both by turns.
  viper_scalar *node, *frame, *segment_lambda[2], *joint_lambda[2];
  vb_arena memory; ///< these arrays
} viper_tiles;

vb_status viper_tiles_create(const viper_model *model, const viper_tiling *tiling, size_t n,
                             viper_method method, int threads, void **out, vb_error *error);
void viper_tiles_destroy(void *self);
vb_status viper_tiles_reserve(void *self, const viper_settings *settings, vb_error *error);
void viper_tiles_sweep(void *self, const viper_tiling *tiling, const viper_arrays *arrays,
                       const viper_settings *settings, double h);

#endif
