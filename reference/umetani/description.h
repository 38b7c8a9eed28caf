// SPDX-License-Identifier: GPL-3.0-or-later
/// What the solver offers, as solver.h asks for it.
#ifndef UMETANI_DESCRIPTION_H
#define UMETANI_DESCRIPTION_H

#include "solver/solver.h"

/// Fields, in the order of the description.
typedef enum umetani_field {
  UMETANI_FIELD_POSITION,
  UMETANI_FIELD_SCALE,
  UMETANI_FIELD_FRAME,
  UMETANI_FIELD_VELOCITY,
  UMETANI_FIELD_ANGULAR_VELOCITY,
  UMETANI_FIELD_MASS,
  UMETANI_FIELD_MOMENTUM,
  UMETANI_FIELD_GHOST,
  UMETANI_FIELD_DARBOUX,
  UMETANI_FIELD_GRAVITY_RATIO,
  UMETANI_FIELD_CONSTRAINT_ERROR,
  UMETANI_FIELD_CONTACTS,
  UMETANI_FIELD_PENETRATION,
  UMETANI_FIELD_COUNT
} umetani_field;

/// Energies, in the order of the description.
typedef enum umetani_energy {
  UMETANI_ENERGY_STRETCH,
  UMETANI_ENERGY_BEND,
  UMETANI_ENERGY_TWIST,
  UMETANI_ENERGY_KINETIC,
  UMETANI_ENERGY_GRAVITY,
  UMETANI_ENERGY_COUNT
} umetani_energy;

/// Phases whose time is reported, in the order of the description.
typedef enum umetani_phase {
  UMETANI_PHASE_PREDICT,
  UMETANI_PHASE_PROJECT,
  UMETANI_PHASE_UPDATE,
  UMETANI_PHASE_COUNT
} umetani_phase;

const vb_solver_description *umetani_describe(void);

#endif
