// SPDX-License-Identifier: GPL-3.0-or-later
/// Decides which segments of a model may touch (README.md).
#ifndef VIPER_CONTACT_FILTER_H
#define VIPER_CONTACT_FILTER_H

#include "base/arena.h"
#include "viper/model/model.h"

#include <stdbool.h>

typedef struct viper_filter {
  const viper_model *model;
  int32_t *body;            ///< [n_segments] body of each, or -1 if bodies touch themselves
  uint32_t *groups, *meets; ///< [n_segments]
  int32_t *first_apart; ///< [n_segments + 1] into `apart`; null if bodies do not touch themselves
  int32_t *apart; ///< for each segment, in ascending order, the later ones that it overlaps at rest
  vb_arena memory;
} viper_filter;

/// Makes the filter of a model whose scene has contact. Freed by viper_filter_destroy.
vb_status viper_filter_create(const viper_model *model, viper_filter *out, vb_error *error);
void viper_filter_destroy(viper_filter *filter);

/// Whether segments i < j may touch: they share no node and did not overlap at rest. The caller has
/// checked groups, and that they are of different bodies unless bodies touch themselves.
bool viper_filter_allows(const viper_filter *filter, int32_t i, int32_t j);

/// Whether segments i < j share no node, and yet may not touch: they are of one body that does not
/// touch itself, or their groups do not meet, or they overlapped at rest.
bool viper_filter_excludes(const viper_filter *filter, int32_t i, int32_t j);

#endif
