// SPDX-License-Identifier: GPL-3.0-or-later
/// A run of rigid bodies, and its steps: from key to key, and from limit to limit.
#ifndef MB_INTEGRATE_H
#define MB_INTEGRATE_H

#include "system.h"

#include "solver/instance.h"

#include <gsl/gsl_odeiv2.h>

typedef struct mb_run {
  vb_instance base;
  mb_system system;
  gsl_odeiv2_system rates;
  gsl_odeiv2_driver *integrator;
  bool is_fixed; ///< rk4
  double tolerance;
  size_t n_state;     ///< numbers of bones
  double *state;      ///< bones, then work; the arrays below follow in one block
  double *multiplier; ///< (n_rows) of the present state
  double *limit;      ///< (n_links) that hold: of mb_system, as numbers
  double *scratch;    ///< (6 (n_state + n_work)) of rk4
  double *begin;      ///< (n_state + n_work) of a piece of time
  double *old;        ///< (n_state + n_work) before the step
  double *work;       ///< drivers, then loads, J: in `state`
  double seconds;     ///< spent in steps
  double *key;        ///< times of all keys, increasing, s
  size_t n_keys;
} mb_run;

/// Makes one step of the state; False where no accelerations were found.
bool mb_step(mb_run *self);

#endif
