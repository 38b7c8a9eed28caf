// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to fitted skins: the pills of a state, and on which side of the middle between them a
/// vertex is.
#ifndef VIPER_SKIN_SKIN_PILLS_H
#define VIPER_SKIN_SKIN_PILLS_H

#include "base/arena.h"
#include "mesh/capsule.h"
#include "viper/skin/skin.h"

/// Pills at rest and now, by segment of the model.
typedef struct viper_skin_pills {
  const viper_skin *skin;
  const viper_model *model;
  vb_capsule *rest, *now;
  double (*scale)[2]; ///< of both ends
  double margin;      ///< m
  vb_box_tree tree;   ///< of those now
  vb_arena memory;    ///< but the tree
} viper_skin_pills;

/// The pills of the state `node` (n_nodes x 4). Fails only for want of memory, or where places are
/// not finite; free by viper_skin_pills_clear in any case.
vb_status viper_skin_pills_create(const viper_skin *skin, const viper_model *model,
                                  const double *node, viper_skin_pills *out, vb_error *error);
void viper_skin_pills_clear(viper_skin_pills *pills);

/// Moves vertex `i` at `x` back to its own side of the middle between the pill that it was nearest
/// to at rest (viper_skin.own) and every other one, and short of it by as much as it was nearer to
/// its own at rest, times the scale, but no more than the margin.
void viper_skin_keep_apart(const viper_skin_pills *pills, size_t i, double x[3]);

/// The pill, of those that vertex `i` follows by a hundredth and more, that is nearest to `x`;
/// `pill` are all, now or at rest. Writes how far its axis is [m].
int32_t viper_skin_nearest_pill(const viper_skin *skin, const vb_capsule *pill, size_t i,
                                const double x[3], double *axis);

#endif
