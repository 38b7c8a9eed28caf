// SPDX-License-Identifier: GPL-3.0-or-later
/// The residual of a scene with bundles, for backends whose state is not in the host's memory.
#ifndef VIPER_BUNDLE_BUNDLE_RESIDUAL_H
#define VIPER_BUNDLE_BUNDLE_RESIDUAL_H

#include "viper/model/model.h"

/// What a substep leaves of itself, in the working precision and the order of the model: rows of
/// four, nodes (center, scale) and frames.
typedef struct viper_bundle_end_state {
  const void *node, *frame;           ///< before bundles moved them last
  const void *node_hat, *frame_hat;   ///< the prediction then, moved by all that was moved before
  const void *node_hat0, *frame_hat0; ///< the prediction that the substep began with
  const void *node_bundled;           ///< node_hat without what contacts pushed; null without them
  const double *active;               ///< as in viper_state
} viper_bundle_end_state;

/// The residual for substep length `h` under viper_boundary_forces, in the working precision: bit
/// by bit that of the CPU. Fails only for want of memory.
vb_status viper_bundle_residual_f32(const viper_model *model,
                                    const viper_bundle_end_state *end_state, double h,
                                    const double *load, double *out, vb_error *error);
vb_status viper_bundle_residual_f64(const viper_model *model,
                                    const viper_bundle_end_state *end_state, double h,
                                    const double *load, double *out, vb_error *error);

#endif
