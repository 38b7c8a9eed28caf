// SPDX-License-Identifier: GPL-3.0-or-later
/// What the articulated solver offers, as solver.h asks for it.
#ifndef AR_DESCRIPTION_H
#define AR_DESCRIPTION_H

#include "solver/solver.h"

/// Fields, in the order of the description.
typedef enum ar_field {
  AR_FIELD_POSITION,
  AR_FIELD_VELOCITY,
  AR_FIELD_MASS,
  AR_FIELD_ELEMENT_VOLUME,
  AR_FIELD_DILATION,
  AR_FIELD_DEFORMATION,
  AR_FIELD_STRESS,
  AR_FIELD_VOLUME,
  AR_FIELD_DILATION_RANGE,
  AR_FIELD_BONE_POSITION,
  AR_FIELD_BONE_FRAME,
  AR_FIELD_BONE_VELOCITY,
  AR_FIELD_BONE_SPIN,
  AR_FIELD_BONE_ERROR,
  AR_FIELD_JOINT_ERROR,
  AR_FIELD_JOINT_FORCE,
  AR_FIELD_JOINT_ANGLE,
  AR_FIELD_MOMENTUM,
  AR_FIELD_ANGULAR_MOMENTUM,
  AR_FIELD_LOCAL_GLOBAL,
  AR_FIELD_JOINT_ITERATIONS,
  AR_FIELD_OBJECTIVE,
  AR_FIELD_OBJECTIVE_RISE,
  AR_FIELD_COUNT
} ar_field;

const vb_solver_description *ar_describe(void);

#endif
