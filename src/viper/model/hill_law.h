// SPDX-License-Identifier: GPL-3.0-or-later
/// Hill's law of an activation in the working precision.
#ifndef VIPER_MODEL_HILL_LAW_H
#define VIPER_MODEL_HILL_LAW_H

#include "viper/energy/hill.h"
#include "viper/model/model.h"

/// Hill's law of an activation of that kind.
static inline viper_hill viper_hill_from(const viper_model_activation *a) {
  const vb_hill *law = a->hill;
  viper_hill out;
  out.strength = (viper_real)(law->stress * a->volume);
  out.fastest = (viper_real)law->velocity;
  out.inv_curvature = (viper_real)(1 / law->curvature);
  out.eccentric = (viper_real)law->eccentric;
  out.steep = (viper_real)((1 + 1 / law->curvature) / (law->eccentric - 1));
  out.optimum = (viper_real)law->optimum;
  out.inv_width = (viper_real)(1 / law->width);
  out.inv_passive = (viper_real)(law->passive > 0 ? 1 / law->passive : 0);
  out.damping = (viper_real)(law->damping * a->volume);
  return out;
}

#endif
