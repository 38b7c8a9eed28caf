// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU backend in one precision, behind functions in double that backend_cpu.c calls. Sources
/// that end in _real.c are compiled once per precision; names end in _f32 or _f64.
#ifndef VIPER_CPU_CORE_CPU_H
#define VIPER_CPU_CORE_CPU_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"
#include "viper/backend/tiles.h"
#include "viper/linear/elimination.h"

typedef struct viper_lanes_api viper_lanes_api;

/// What an instance that steps is made with; all of it but the settings must outlive
/// the instance.
typedef struct viper_cpu_setup {
  const viper_elimination *elimination; ///< of the whole model; null where no single body needs it
  const viper_adjacency *adjacency;     ///< likewise
  const viper_body_groups *body_groups;
  const viper_tiling *tiling; ///< [n_singles] of the body groups; null where none is swept in tiles
  const viper_lanes_api *lanes;   ///< the variant that works on the body groups
  const viper_settings *settings; ///< as viper_backend_setup's
} viper_cpu_setup;

/// Backend functions in one precision.
typedef struct viper_cpu_api {
  /// An instance for a model, its state still to be put.
  vb_status (*create)(const viper_model *model, const viper_cpu_setup *setup, void **out,
                      vb_error *error);
  void (*destroy)(void *self);
  void (*put)(void *self, const viper_state *state);
  void (*get)(const void *self, viper_state *state);
  /// See viper_backend.
  void (*keep)(const void *self, double *out);
  /// Advances one step of length `h` from `time`; adds the work of each driver, then each load, to
  /// `work` [J], and seconds to `timer`. `*trouble` tells whether a free scale is at its lower
  /// bound or a value is not finite. Fails only for want of memory.
  vb_status (*step)(void *self, const viper_settings *settings, double time, double h, double *work,
                    double *timer, bool *trouble, vb_error *error);
  /// See viper_backend, bundled_residual.
  vb_status (*residual)(void *self, double h, const double *load, double *out, vb_error *error);
  /// See viper_backend.
  void (*contact)(const void *self, double out[VIPER_N_CONTACT]);
  void (*contact_forces)(const void *self, const double *node, double *on_body, double *on_plane,
                         double work[2]);
  vb_status (*contact_step)(void *self, double h, double *out, vb_error *error);
} viper_cpu_api;

extern const viper_cpu_api viper_cpu_f32;
extern const viper_cpu_api viper_cpu_f64;

#endif
