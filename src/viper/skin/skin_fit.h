// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the skin: what a fitted one needs beside its weights.
#ifndef VIPER_SKIN_SKIN_FIT_H
#define VIPER_SKIN_SKIN_FIT_H

#include "viper/skin/skin.h"

/// Fills `own` of a skin whose weights and neighbors are made. Fails only for want of memory.
vb_status viper_skin_take_own(viper_skin *skin, const viper_model *model, vb_error *error);

#endif
