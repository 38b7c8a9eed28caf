// SPDX-License-Identifier: GPL-3.0-or-later
/// The nodes beyond the ends of segments.
#ifndef VIPER_CONTACT_ROD_NEIGHBORS_H
#define VIPER_CONTACT_ROD_NEIGHBORS_H

#include "viper/model/model.h"

/// At each end of a segment: the next node of the rod, or -1 where the rod ends or branches.
typedef struct viper_rod_neighbors {
  int32_t node[2];
} viper_rod_neighbors;

/// Fills `out` [n_segments]. Fails only for lack of memory.
vb_status viper_rod_neighbors_fill(const viper_model *model, viper_rod_neighbors *out,
                                   vb_error *error);

#endif
