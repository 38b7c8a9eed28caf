// SPDX-License-Identifier: GPL-3.0-or-later
/// Stiffnesses of segments and joints of the material model solid (README.md).
#ifndef VIPER_MODEL_SOLID_H
#define VIPER_MODEL_SOLID_H

#include "viper/model/model.h"

/// Writes the stiffnesses (vb_stiffness) of a segment in its joints. Those of a published segment
/// are its own. Those of the model solid are kx = ky = G, and E as kv if the segment has kv, so
/// that bending depends on the section as E I s^6, else E as kz.
void viper_joint_stiffness_of(const vb_segment *segment, double out[6]);

/// If `segment` is of the model solid, changes `out`, a segment of the radius `radius` [m] with
/// published K, to that model. VB_BAD_INPUT if kz is not more than the shear stiffness.
vb_status viper_fill_solid(const vb_segment *segment, double radius, viper_model_segment *out,
                           vb_error *error);

/// Whether none, some or all segments of a body are of the model solid: VIPER_NONE_SOLID to
/// VIPER_ALL_SOLID.
int32_t viper_count_solid(const viper_model_segment *first, int32_t n);

#endif
