// SPDX-License-Identifier: GPL-3.0-or-later
/// Time step lengths and damping factors of a substep, by integrator (README.md, Integrators).
#ifndef VIPER_METHOD_ADVANCE_H
#define VIPER_METHOD_ADVANCE_H

#include "viper/settings/settings.h"

#include <math.h>

typedef struct viper_advance {
  bool second_order; ///< bdf2, from the two previous states; else implicit Euler or midpoint
  double h;    ///< of the prediction, s: the substep's length; two thirds of it (bdf2); half of it
               ///< (midpoint)
  double keep; ///< factor of predicted velocities by damping; Euler damps afterwards
  double inertia_h; ///< h of Phi, s
  double rate; ///< factor from displacement since the old state (bdf2: the prediction) to velocity,
               ///< 1/s
  double kept; ///< factor of momenta by damping after the solve (Euler)
  double reach; ///< 2 for midpoint, whose Phi is that of the middle: the motion up to there is
                ///< doubled; else 1
  double ahead; ///< substeps from the old state to that of Phi, over which rates are extrapolated;
                ///< 0 for Euler and without a previous state
  bool is_static; ///< no inertia: statics.h; the substep is a load step
} viper_advance;

/// Substep number `k` of a step, `h` long [s], in a world that damps velocities by `damping` [1/s].
static inline viper_advance viper_advance_of(const viper_settings *settings, int k, double h,
                                             double damping) {
  const double kept = 1 / (1 + damping * h);
  viper_advance out = {false, h, 1, h, 1 / (h * (1 + damping * h)), kept, 1, 0, false};
  if (settings->dynamics == VIPER_STATIC) {
    out.inertia_h = 1; // no inertia: 1/h^2 multiplies loads only
    out.rate = 0;
    out.is_static = true;
    return out;
  }
  const bool fresh = settings->restarts && k == 0;
  if (settings->integrator == VIPER_MIDPOINT) { // which does not support damping
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

/// Whether Phi is evaluated at the middle of the substep.
static inline bool viper_advance_is_midpoint(const viper_advance *advance) {
  return advance->reach > 1;
}

/// Whether the work of drivers and loads uses the mean of the forces before and after a substep
/// (bdf2, statics), or those after it.
static inline bool viper_advance_has_mean(const viper_advance *advance) {
  return advance->second_order || advance->is_static;
}

/// The time of the first forces in the work of loads and drivers over the substep that begins at
/// `start` [s]: `start` if the mean of the forces before and after it is used, else its end.
static inline double viper_advance_work_from(const viper_advance *advance, double start, double h) {
  return viper_advance_has_mean(advance) ? start : start + h;
}

#endif
