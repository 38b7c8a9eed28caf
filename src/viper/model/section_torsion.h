// SPDX-License-Identifier: GPL-3.0-or-later
/// Torsional stiffness of sections of fused rods of the material model solid (../bundle/README.md).
#ifndef VIPER_MODEL_SECTION_TORSION_H
#define VIPER_MODEL_SECTION_TORSION_H

#include "viper/model/model.h"

/// Whether the `n` members of a bundle are rods of the model solid that are parallel at rest. Their
/// tilts and scales then move as in a fused section (../bundle/README.md).
bool viper_is_fused(const vb_scene *scene, const vb_bundled *member, size_t n);

/// The ratio of the torsion constant of a section to that of its rods: Saint-Venant's estimate for
/// a compact section, A^4/(40 I_p) with the area and the polar moment of all, over the sum of those
/// of the n rods, A_i^2/(2 pi). Their middles are `middle` [m], their areas `area` [m^2]. At least
/// 1; 1 for one rod.
double viper_section_torsion(size_t n, const double (*middle)[3], const double *area);

/// Multiplies K of twist of the joints of fused bundles by the mean ratio of the sections of their
/// segments. `joint_at` maps the scene's joints to the model's. Fails only for lack of memory.
vb_status viper_fill_section_torsion(viper_model *model, const int32_t *joint_at, vb_error *error);

#endif
