// SPDX-License-Identifier: GPL-3.0-or-later
/// Room for `direct` on long chains whose factor is not kept: it is made strip by strip, a strip
/// being a range of columns, and made again strip by strip, backward, when it is needed once more.
#ifndef VIPER_CPU_PANELS_H
#define VIPER_CPU_PANELS_H

#include "viper/linear/elimination.h"
#include "viper/energy/real.h"
#include "viper/model/tiles.h"

/// Columns of a strip, the last one's up to VIPER_STRIP_REACH more: what a thread works on then
/// stays in its cache.
#define VIPER_STRIP_COLUMNS 1024
/// More columns than an element of a chain, or a column of the factor, reaches over.
#define VIPER_STRIP_REACH 16

/// A chain as strips want it.
typedef struct viper_strip_chain {
  viper_chain_order segments, joints;
  int32_t root;       ///< node of the last column
  int32_t first_part; ///< the part that the chain's first node is in
} viper_strip_chain;

/// Columns from somewhere on: what a strip needs, and what its elements reach besides.
typedef struct viper_strip_room {
  viper_scalar *diagonal; ///< [columns x 16]
  viper_scalar *block;    ///< [blocks x 16]
  viper_scalar *gradient; ///< [columns x 4]
} viper_strip_room;

typedef struct viper_strips {
  viper_strip_chain *chain;                    ///< [n_bodies]
  viper_strip_room room[VIPER_MOST_PARTS + 1]; ///< of each part, and of the top
  viper_scalar *begun[VIPER_MOST_PARTS]; ///< of each strip: its first columns, as the strip before
                                         ///< left them
  size_t stride;                         ///< scalars of these for each strip
} viper_strips;

#if VIPER_LANES == 1
#define viper_strips_create  VIPER_NAME(viper_strips_create)
#define viper_strips_destroy VIPER_NAME(viper_strips_destroy)

/// Room for the bodies of a model. `*out` is null where they are not all long chains.
vb_status viper_strips_create(const viper_model *model, const viper_elimination *elimination,
                              viper_strips **out, vb_error *error);
void viper_strips_destroy(viper_strips *strips);
#endif

#endif
