// SPDX-License-Identifier: GPL-3.0-or-later
/// Memory of `direct` for long chains whose factor is not kept: it is computed in panels, which are
/// ranges of columns, and computed again, panel by panel, in the backward substitution.
#ifndef VIPER_CPU_CORE_PANELS_H
#define VIPER_CPU_CORE_PANELS_H

#include "viper/backend/tiles.h"
#include "viper/energy/real.h"
#include "viper/linear/elimination.h"

/// Columns of a panel, the last one's up to VIPER_PANEL_REACH more: what a thread works on then
/// stays in its cache.
#define VIPER_PANEL_COLUMNS 1024
/// More columns than an element of a chain, or a column of the factor, reaches over.
#define VIPER_PANEL_REACH 16

/// A chain as panels want it.
typedef struct viper_panel_chain {
  viper_chain_order segments, joints;
  int32_t root;            ///< node of the last column
  int32_t first_partition; ///< the partition that the chain's first node is in
} viper_panel_chain;

/// Columns from somewhere on: what a panel needs, and what its elements reach besides.
typedef struct viper_panel_room {
  viper_scalar *diagonal; ///< [columns x 16]
  viper_scalar *block;    ///< [blocks x 16]
  viper_scalar *gradient; ///< [columns x 4]
} viper_panel_room;

typedef struct viper_panels {
  viper_panel_chain *chain;                        ///< [n_bodies]
  viper_panel_room room[VIPER_MAX_PARTITIONS + 1]; ///< of each partition, and of the top
  viper_scalar *begun[VIPER_MAX_PARTITIONS]; ///< of each panel: its first columns, as the panel
                                             ///< before left them
  size_t stride;                             ///< scalars of these for each panel
} viper_panels;

#if VIPER_LANES == 1
#define viper_panels_create  VIPER_NAME(viper_panels_create)
#define viper_panels_destroy VIPER_NAME(viper_panels_destroy)

/// Room for the bodies of a model. `*out` is null where they are not all long chains.
vb_status viper_panels_create(const viper_model *model, const viper_elimination *elimination,
                              viper_panels **out, vb_error *error);
void viper_panels_destroy(viper_panels *panels);
#endif

#endif
