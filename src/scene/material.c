// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/material.h"

#include "scene/scene.h"

void vb_stiffness_of_material(double young, double poisson, double radius, double out[6]) {
  out[VB_KX] = out[VB_KY] = out[VB_KZ] = young / (1 + poisson);
  out[VB_KV] = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  out[VB_KBX] = out[VB_KBY] = young * radius * radius;
}
