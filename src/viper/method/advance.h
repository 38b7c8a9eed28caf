// SPDX-License-Identifier: GPL-3.0-or-later
/// How a substep advances in time (README.md, Integrators): its lengths, damping included.
#ifndef VIPER_METHOD_ADVANCE_H
#define VIPER_METHOD_ADVANCE_H

#include "viper/settings/settings.h"

#include <math.h>

typedef struct viper_advance {
  bool second_order; ///< by bdf2, from two states before; else by implicit Euler
  double h;          ///< of the prediction, s: the substep's length, or two thirds of it
  double keep;       ///< part of a predicted velocity that damping leaves; Euler's damps afterwards
  double inertia_h;  ///< h of Phi, s
  double rate;       ///< displacement since the old state (bdf2: the prediction) to velocity, 1/s
  double kept;       ///< part of a momentum that damping leaves after the solve: Euler's
  double reach;      ///< 2 of midpoint, whose Phi is that of the middle: all goes on as it went so
                     ///< far; else 1
  double ahead;      ///< substeps from the old state to Phi's, where the one before tells how rates
                     ///< change; else 0
  bool is_static;    ///< no inertia: statics.h; the substep is a load step
} viper_advance;

/// Substep number `k` of a step, `h` long [s], in a world that damps velocities by `damping` [1/s].
static inline viper_advance viper_advance_of(const viper_settings *settings, int k, double h,
                                             double damping) {
  const double kept = 1 / (1 + damping * h);
  viper_advance out = {false, h, 1, h, 1 / (h * (1 + damping * h)), kept, 1, 0, false};
  if (settings->dynamics == VIPER_STATIC) {
    out.inertia_h = 1; // of what 1/h^2 would multiply nothing is left but loads
    out.rate = 0;
    out.is_static = true;
    return out;
  }
  const bool fresh = settings->restarts && k == 0;
  if (settings->integrator == VIPER_MIDPOINT) { // which takes no damping
    out.h = out.inertia_h = 0.5 * h;
    out.rate = 2 / h;
    out.reach = 2;
    out.ahead = fresh ? 0 : 0.5;
  }
  if (settings->integrator != VIPER_BDF2 || fresh)
    return out;
  out.second_order = true;
  out.h = 2 * h / 3;
  out.keep = 1 / (1 + damping * out.h);
  out.inertia_h = out.h * sqrt(out.keep);
  out.rate = 1 / out.h;
  out.kept = 1;
  out.ahead = 1;
  return out;
}

/// The time from the old state to Phi's, s.
static inline double viper_advance_length(const viper_advance *advance) {
  return advance->second_order ? 1.5 * advance->h : advance->h;
}

/// Whether Phi is that of the substep's middle.
static inline bool viper_advance_is_midpoint(const viper_advance *advance) {
  return advance->reach > 1;
}

/// Whether drivers and loads do their work by the mean of the forces before and after a substep
/// (bdf2, statics), or by those after it.
static inline bool viper_advance_has_mean(const viper_advance *advance) {
  return advance->second_order || advance->is_static;
}

/// From where on loads and drivers do work in the substep that begins at `start` [s]: the mean of
/// the forces before and after it acts, or those after it (then the end).
static inline double viper_advance_work_from(const viper_advance *advance, double start, double h) {
  return viper_advance_has_mean(advance) ? start : start + h;
}

#endif
