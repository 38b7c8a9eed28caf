// SPDX-License-Identifier: GPL-3.0-or-later
/// The settings of a time step, and the constants that all methods share.
#ifndef VIPER_METHOD_SETTINGS_H
#define VIPER_METHOD_SETTINGS_H

#include "viper/method/table.h"

#include <stdbool.h>

/// How substeps advance in time (advance.h); in statics each is a load step.
typedef enum viper_integrator { VIPER_EULER, VIPER_BDF2, VIPER_STATIC } viper_integrator;

/// What may change from step to step.
typedef struct viper_settings {
  viper_method method;
  int threads;
  int iterations;    ///< per substep
  int substeps;      ///< per step
  bool averaged;     ///< contacts are averaged with elastic terms, not processed color by color
  double relaxation; ///< of `jacobi-published`: displacements are that times the mean (eq. 28)
  double tolerance;  ///< `direct` stops a body below this residual; 0: never early
  bool stream;       ///< a device's kernels start one by one, not as one graph for each step
  bool follow;       ///< a substep's iterations begin where drivers take nodes (vb_follow)
  int continued;     ///< iterations that were done in the substep; their multipliers and state stay
  viper_integrator integrator;
  bool rigid_bundles;  ///< bundles keep their size: their transforms have no scale
  bool bundled_skin;   ///< the surface follows bundles, not their segments
  bool smooth_contact; ///< normals of contacts are those of smooth rods
  double warm_contact; ///< part of its push in a substep that a contact begins the next with
  bool cold_contact;   ///< contacts begin without what was kept: substeps had another length
  bool restarts; ///< of bdf2: the first substep of the step is Euler's, for want of a state before
} viper_settings;

/// Scales never go below this (method/README.md); a step that ends there has diverged.
#define VIPER_MINIMUM_SCALE 0.05

/// Sweeps of `block-descent` that share the blocks of frames. Gradients are always those of the
/// state, so where the sweeps end does not depend on it.
#define VIPER_BLOCK_SWEEPS 5

#endif
