// SPDX-License-Identifier: GPL-3.0-or-later
/// A batch of gathered bodies at work. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_BATCH_GATHERED_H
#define VIPER_CPU_BATCH_GATHERED_H

#include "viper/cpu/batch/batch.h"

#define viper_gathered_direct VIPER_NAME(viper_gathered_direct)

/// Access to a batch, and what its bodies have besides.
typedef struct viper_gathered_access {
  viper_access w;            ///< first: functions know its address alone
  viper_contraction *active; ///< [n_segments] null without activations
} viper_gathered_access;

/// viper_batch_direct for gathered bodies.
void viper_gathered_direct(viper_gathered_access *access, const viper_settings *settings);

#endif
