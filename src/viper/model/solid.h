// SPDX-License-Identifier: GPL-3.0-or-later
/// What the material model solid makes of the stiffnesses of segments and joints (README.md).
#ifndef VIPER_MODEL_SOLID_H
#define VIPER_MODEL_SOLID_H

#include "viper/model/model.h"

/// Writes the stiffnesses (vb_stiffness) that a segment has in its joints: its own, of the model
/// solid kx = ky = G, and E in place of kz and kv: as kv where the segment has one, so that bending
/// falls with the section as that of the solid does, E I s^6; else as kz.
void viper_joint_stiffness_of(const vb_segment *segment, double out[6]);

/// Turns `out`, a segment of the radius `radius` [m] with K as published, into one of the model
/// solid, where `segment` is. VB_BAD_INPUT where kz is not more than the stiffness of shear.
vb_status viper_fill_solid(const vb_segment *segment, double radius, viper_model_segment *out,
                           vb_error *error);

/// Which segments of a body are of the model solid: VIPER_NONE_SOLID to VIPER_ALL_SOLID.
int32_t viper_count_solid(const viper_model_segment *first, int32_t n);

#endif
