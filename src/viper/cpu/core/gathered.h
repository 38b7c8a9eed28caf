// SPDX-License-Identifier: GPL-3.0-or-later
/// Gathered batches (viper/cpu/batch/gathered_lanes.c): single bodies, side by side in lanes for an
/// iteration of `direct`. Like viper_lanes_api, from sources that end in _lanes.c.
#ifndef VIPER_CPU_CORE_GATHERED_H
#define VIPER_CPU_CORE_GATHERED_H

#include "viper/cpu/core/lanes.h"

typedef struct viper_gathered_api {
  /// Memory for the bodies of the body groups (viper/backend/gathered_groups.h), for no more
  /// threads than `settings` have. Freed by destroy.
  vb_status (*create)(const viper_model *model, const viper_body_groups *body_groups,
                      const viper_boundary *boundary, const viper_settings *settings, void **out,
                      vb_error *error);
  void (*destroy)(void *self);
  /// Gathers all of them from `arrays`, moves them by `direct`, and scatters where they are. Called
  /// by one thread.
  void (*direct)(void *self, const viper_arrays *arrays, const viper_settings *settings, double h);
} viper_gathered_api;

#define VIPER_DECLARE_GATHERED(set, name)                                                          \
  extern const viper_gathered_api viper_gathered_f32_##set##_strict,                               \
      viper_gathered_f64_##set##_strict, viper_gathered_f32_##set##_fast,                          \
      viper_gathered_f64_##set##_fast;
VIPER_INSTRUCTIONS(VIPER_DECLARE_GATHERED)
#undef VIPER_DECLARE_GATHERED

/// Of the variant with these lanes (viper_lanes_find).
const viper_gathered_api *viper_gathered_of(const viper_lanes_api *lanes);

#endif
