// SPDX-License-Identifier: GPL-3.0-or-later
/// What the multibody solver offers, as solver.h asks for it.
#ifndef MB_DESCRIPTION_H
#define MB_DESCRIPTION_H

#include "solver/solver.h"

/// Fields, in the order of the description.
typedef enum mb_field {
  MB_FIELD_POSITION,
  MB_FIELD_VELOCITY,
  MB_FIELD_BONE_POSITION,
  MB_FIELD_BONE_FRAME,
  MB_FIELD_BONE_VELOCITY,
  MB_FIELD_BONE_SPIN,
  MB_FIELD_JOINT_ERROR,
  MB_FIELD_JOINT_FORCE,
  MB_FIELD_JOINT_ANGLE,
  MB_FIELD_MOMENTUM,
  MB_FIELD_ANGULAR_MOMENTUM,
  MB_FIELD_COUNT
} mb_field;

const vb_solver_description *mb_describe(void);

#endif
