// SPDX-License-Identifier: GPL-3.0-or-later
/// What a term's stiffness K follows from: size and material of an element at rest, in double
/// precision.
#ifndef VIPER_ENERGY_MATERIAL_H
#define VIPER_ENERGY_MATERIAL_H

#include "viper/energy/real.h"

/// Of a segment, or the means of the two segments of a joint.
typedef struct viper_material {
  double radius;                   ///< m
  double length;                   ///< m
  double kx, ky, kz, kbx, kby, kv; ///< stiffness (vb_stiffness), Pa
} viper_material;

/// Stiffness across the rod, in both directions.
VIPER_FN double viper_across(const viper_material *m) {
  return m->kx + m->ky;
}

/// Area of the section, m^2.
VIPER_FN double viper_area(const viper_material *m) {
  double r2 = m->radius * m->radius;
  return M_PI * r2;
}

/// Second moment of a joint's area times its length, m^5.
VIPER_FN double viper_moment(const viper_material *m) {
  double r = m->radius;
  return M_PI * r * r * r * r / 4 * m->length;
}

#endif
