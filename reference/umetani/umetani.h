// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the solver.
#ifndef UMETANI_UMETANI_H
#define UMETANI_UMETANI_H

#include "reference/umetani/step.h"
#include "solver/instance.h"

typedef struct umetani {
  vb_instance base;
  umetani_rods *rods;
  umetani_state state;
  umetani_scratch scratch;
  umetani_settings settings;
  double timer[UMETANI_PHASE_COUNT];
  char warning[192];
} umetani;

#endif
