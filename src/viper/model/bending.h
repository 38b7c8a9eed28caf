// SPDX-License-Identifier: GPL-3.0-or-later
/// Bending factors of segments (vb_bending) in the rest data of joints.
#ifndef VIPER_MODEL_BENDING_H
#define VIPER_MODEL_BENDING_H

#include "viper/model/model.h"

/// Applies bending factors to the joints of a model, whose K are those without factors. The K of
/// turns about u and about v follow from the mean of k f of the joint's segments, with k their kz
/// (bend) or kv (volume_bend) and f their factors. The joint stores the larger K, and `bending` the
/// fraction of it for each row. Marks bodies with joints whose rows differ as apart. `joint_at`
/// maps the scene's joints to the model's.
void viper_fill_bending(viper_model *model, const int32_t *joint_at);

#endif
