// SPDX-License-Identifier: GPL-3.0-or-later
/// Bending factors of segments (vb_bending) as what joints are made of.
#ifndef VIPER_MODEL_BENDING_H
#define VIPER_MODEL_BENDING_H

#include "viper/model/model.h"

/// Fills in how the joints of a model with bending factors bend, whose K are those without factors:
/// of turns about u and about v, K follows from the mean of k f of the joint's segments, with k
/// their kz (bend) or kv (volume_bend) and f their factors. A joint then has the larger K, and
/// `bending` says which part of it either row has. Marks bodies with joints whose rows differ as
/// apart. `joint_at` are the model's joints of the scene's.
void viper_fill_bending(viper_model *model, const int32_t *joint_at);

#endif
