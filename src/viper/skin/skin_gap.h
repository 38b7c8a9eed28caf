// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the skin: how far its vertices are from pills (skin_gap.c, which also fits it).
#ifndef VIPER_SKIN_SKIN_GAP_H
#define VIPER_SKIN_SKIN_GAP_H

#include "viper/skin/skin.h"

/// Fills `gap` of a skin whose weights are made. Fails only for want of memory.
vb_status viper_skin_gaps_create(viper_skin *skin, const viper_model *model, vb_error *error);

#endif
