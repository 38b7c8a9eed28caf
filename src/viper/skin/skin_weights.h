// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the skin: computes its weights (see viper_skin_create).
#ifndef VIPER_SKIN_SKIN_WEIGHTS_H
#define VIPER_SKIN_SKIN_WEIGHTS_H

#include "viper/skin/skin.h"

/// Fills the weights by distance. Fails only for want of memory, or where places are not finite.
vb_status viper_skin_begin(viper_skin *skin, const viper_model *model, vb_error *error);

/// Fairs them over the mesh. Fails only for want of memory.
vb_status viper_skin_fair(viper_skin *skin, const viper_model *model, vb_error *error);

#endif
