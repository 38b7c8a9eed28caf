// SPDX-License-Identifier: GPL-3.0-or-later
/// Computes the penetration depth of capsules, for every backend. It examines all capsules that may
/// touch, so it also finds contacts that a solver missed.
#ifndef VIPER_CONTACT_OVERLAP_H
#define VIPER_CONTACT_OVERLAP_H

#include "viper/model/model.h"

typedef struct viper_overlap viper_overlap;

/// Null if the model's scene has neither contact nor half-planes. The model must outlive it. Freed
/// by viper_overlap_destroy.
vb_status viper_overlap_create(const viper_model *model, viper_overlap **out, vb_error *error);
void viper_overlap_destroy(viper_overlap *overlap);

/// The greatest depth of a capsule in another or in a half-plane at `time` [s], 0 if none overlap,
/// m. `node` has center and scale of each node (n_nodes x 4). Pairs whose nodes are all pinned do
/// not count. Fails only for lack of memory.
vb_status viper_overlap_depth(viper_overlap *overlap, const double *node, double time, int threads,
                              double *depth, vb_error *error);

/// The greatest depth of a capsule in another that it may not touch (viper_filter_excludes), beyond
/// their depth at rest, 0 if there is none, m. Arguments as above.
vb_status viper_overlap_excluded(viper_overlap *overlap, const double *node, int threads,
                                 double *depth, vb_error *error);

#endif
