// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the solver.
#ifndef AR_ARTICULATED_H
#define AR_ARTICULATED_H

#include "skin.h"
#include "step.h"

#include "solver/instance.h"

typedef struct articulated {
  vb_instance base;
  ar_stepper stepper;
  ar_skin skin;
  ar_choice choice;
  ar_settings settings;
  bool incomplete; ///< whether a projection reached its most iterations
  double left;     ///< greatest residual after all iterations of a step
  double factor;   ///< by which an iteration of that step's second half lowered it
  double deepest;  ///< node after any step, m
  char warning[800];
} articulated;

#endif
