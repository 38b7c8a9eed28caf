// SPDX-License-Identifier: GPL-3.0-or-later
/// What the Neo-Hookean solver offers, as solver.h asks for it.
#ifndef NH_DESCRIPTION_H
#define NH_DESCRIPTION_H

#include "solver/solver.h"

/// Fields, in the order of the description.
typedef enum nh_field {
  NH_FIELD_POSITION,
  NH_FIELD_VELOCITY,
  NH_FIELD_MASS,
  NH_FIELD_ELEMENT_VOLUME,
  NH_FIELD_DILATION,
  NH_FIELD_DEFORMATION,
  NH_FIELD_STRESS,
  NH_FIELD_VOLUME,
  NH_FIELD_DILATION_RANGE,
  NH_FIELD_MOMENTUM,
  NH_FIELD_ANGULAR_MOMENTUM,
  NH_FIELD_ITERATIONS,
  NH_FIELD_RESIDUALS,
  NH_FIELD_PROJECTED,
  NH_FIELD_SHIFT,
  NH_FIELD_VERTICES,
  NH_FIELD_ENCLOSED_VOLUME,
  NH_FIELD_COUNT
} nh_field;

const vb_solver_description *nh_describe(void);

#endif
