// SPDX-License-Identifier: GPL-3.0-or-later
/// Torsional stiffness of sections of fused rods of the material model solid (../bundle/README.md).
#ifndef VIPER_MODEL_SECTION_TORSION_H
#define VIPER_MODEL_SECTION_TORSION_H

#include "viper/model/model.h"

/// Whether the `n` members of a bundle are rods of the model solid that are parallel at rest. Their
/// tilts and scales then move as in a fused section (../bundle/README.md).
bool viper_is_fused(const vb_scene *scene, const vb_bundled *member, size_t n);

/// Whether a scene has such bundles.
bool viper_has_fused_rods(const vb_scene *scene);

/// A section of fused rods.
typedef struct viper_section {
  double torsion; ///< the ratio of its torsion constant to that of its rods, at least 1
  double spread;  ///< the mean square of the distance of the rods from its center, m^2
} viper_section;

/// Of `n` rods with the middles `middle` [m] and the areas `area` [m^2]. The torsion constant is
/// Saint-Venant's estimate for a compact section, A^4/(40 I_p) with the area and the polar moment
/// of all; that of the rods is the sum of A_i^2/(2 pi). For one rod 1 and 0.
viper_section viper_section_of(size_t n, const double (*middle)[3], const double *area);

/// Multiplies K of twist of the joints of fused bundles by the mean ratio of the sections of their
/// segments, and writes how they twist (viper_fused). Marks their bodies as apart. `joint_at` maps
/// the scene's joints to the model's. Fails only for lack of memory.
vb_status viper_fill_section_torsion(viper_model *model, const int32_t *joint_at, vb_error *error);

#endif
