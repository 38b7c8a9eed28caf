// SPDX-License-Identifier: GPL-3.0-or-later
/// The description of the viper solver that solver.h requires: its sets, fields, energies and
/// options.
#ifndef VIPER_DESCRIPTION_H
#define VIPER_DESCRIPTION_H

#include "solver/solver.h"

/// Fields, in the order of the description.
typedef enum viper_field {
  VIPER_FIELD_POSITION,
  VIPER_FIELD_SCALE,
  VIPER_FIELD_FRAME,
  VIPER_FIELD_VELOCITY,
  VIPER_FIELD_SCALE_RATE,
  VIPER_FIELD_ANGULAR_VELOCITY,
  VIPER_FIELD_MOMENTUM,
  VIPER_FIELD_MASS,
  VIPER_FIELD_VERTICES,
  VIPER_FIELD_ENCLOSED_VOLUME,
  VIPER_FIELD_NEWTON_STEP,
  VIPER_FIELD_CONTACTS,
  VIPER_FIELD_PENETRATION,
  VIPER_FIELD_COMPLEMENTARITY,
  VIPER_FIELD_CONTACT_SPEED,
  VIPER_FIELD_CONTACT_TRUNCATED,
  VIPER_FIELD_CONTACT_WORK,
  VIPER_FIELD_CONTACT_FORCE,
  VIPER_FIELD_HALF_PLANE_FORCE,
  VIPER_FIELD_COUNT
} viper_field;

const vb_solver_description *viper_describe(void);

#endif
