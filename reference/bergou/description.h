// SPDX-License-Identifier: GPL-3.0-or-later
/// What the solver offers, as solver.h asks for it.
#ifndef BERGOU_DESCRIPTION_H
#define BERGOU_DESCRIPTION_H

#include "solver/solver.h"

/// Fields, in the order of the description.
typedef enum bergou_field {
  BERGOU_FIELD_POSITION,
  BERGOU_FIELD_SCALE,
  BERGOU_FIELD_FRAME,
  BERGOU_FIELD_VELOCITY,
  BERGOU_FIELD_ANGULAR_VELOCITY,
  BERGOU_FIELD_SEGMENT_SCALE,
  BERGOU_FIELD_SEGMENT_VOLUME,
  BERGOU_FIELD_MOMENTUM,
  BERGOU_FIELD_MASS,
  BERGOU_FIELD_COUNT
} bergou_field;

/// Energies, in the order of the description.
typedef enum bergou_energy {
  BERGOU_ENERGY_STRETCH,
  BERGOU_ENERGY_BEND,
  BERGOU_ENERGY_TWIST,
  BERGOU_ENERGY_KINETIC,
  BERGOU_ENERGY_GRAVITY,
  BERGOU_ENERGY_COUNT
} bergou_energy;

/// Phases whose time is reported, in the order of the description.
typedef enum bergou_phase {
  BERGOU_PHASE_PREDICT,
  BERGOU_PHASE_SOLVE,
  BERGOU_PHASE_UPDATE,
  BERGOU_PHASE_COUNT
} bergou_phase;

const vb_solver_description *bergou_describe(void);

#endif
