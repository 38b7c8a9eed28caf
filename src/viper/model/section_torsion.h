// SPDX-License-Identifier: GPL-3.0-or-later
/// Torsion of sections of fused rods of the material model solid (../bundle/README.md).
#ifndef VIPER_MODEL_SECTION_TORSION_H
#define VIPER_MODEL_SECTION_TORSION_H

#include "viper/model/model.h"

/// Whether the `n` members of a bundle are rods of the model solid that are parallel at rest: they
/// then lean, and scale, as those of a fused section (../bundle/README.md).
bool viper_is_fused(const vb_scene *scene, const vb_bundled *member, size_t n);

/// How many times the torsion of its rods that of a section is: Saint-Venant's estimate of the
/// torsion constant of a compact section, A^4/(40 I_p) with the area and the polar moment of all,
/// over the sum of those of the n rods, A_i^2/(2 pi), whose middles are `middle` [m] and whose
/// areas are `area` [m^2]. At least 1, which it is of one rod.
double viper_section_torsion(size_t n, const double (*middle)[3], const double *area);

/// Multiplies K of twist of joints between rods of bundles that are fused, by the mean
/// of the sections of their segments. `joint_at` are the model's joints of the scene's. Fails for
/// want of memory.
vb_status viper_fill_section_torsion(viper_model *model, const int32_t *joint_at, vb_error *error);

#endif
