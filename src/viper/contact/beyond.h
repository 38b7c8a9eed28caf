// SPDX-License-Identifier: GPL-3.0-or-later
/// Which nodes lie beyond the ends of segments.
#ifndef VIPER_CONTACT_BEYOND_H
#define VIPER_CONTACT_BEYOND_H

#include "viper/model/model.h"

/// What a segment meets at either end: the node beyond, or -1 where the rod ends or branches.
typedef struct viper_beyond {
  int32_t node[2];
} viper_beyond;

/// Fills those of all segments. Fails only for want of memory.
vb_status viper_beyond_fill(const viper_model *model, viper_beyond *out, vb_error *error);

#endif
