// SPDX-License-Identifier: GPL-3.0-or-later
/// Data of contact that is processed in vectors (lanes.h): passes over contacts, and closest points
/// of pairs of capsules.
#ifndef VIPER_CPU_CONTACT_DATA_H
#define VIPER_CPU_CONTACT_DATA_H

#include "viper/contact/average.h"
#include "viper/contact/ease.h"
#include "viper/contact/warm_start.h"
#include "viper/cpu/core/lanes.h"
#include "viper/settings/constants.h"

enum {
  VIPER_CONTACT_COLORS = 64, ///< that contacts are sorted into; what needs more is done one by one
  VIPER_CONTACT_CANDIDATES = 16 ///< pairs in a block
};

/// The contacts of a substep, for a pass over them.
struct viper_contact_set {
  viper_contact_node *node;
  const viper_place *place; ///< of nodes
  const int32_t *active;    ///< [n_active] nodes with contacts, rising
  int32_t n_active;
  viper_touch *touch;         ///< between capsules, color by color
  const int32_t *color_first; ///< [VIPER_CONTACT_COLORS + 2]
  int32_t shared_colors;      ///< the first ones, which all threads share
  const int32_t *island;      ///< [n_islands + 1] where each begins in:
  const int32_t *on_islands;  ///< contacts of the other colors, by islands that share no node
  int32_t n_islands;
  viper_touch *rest; ///< [n_rests] on half-planes, node by node
  int32_t n_rests;
  const viper_plane *plane;
  viper_limit *limit; ///< [n_limits] scales at or near their limit, by rising node
  int32_t n_limits;
  viper_friction friction;       ///< between capsules
  const viper_friction *of_node; ///< [n_nodes] of bodies; null where none has its own
  viper_vec4 *still;             ///< [n_nodes] of their motion velocities do not count; zeros
  bool hat;                      ///< predictions follow what contacts push
  viper_kept_row *kept;          ///< [n_segments] what contacts leave to the next substep; or null
  viper_kept *kept_rest;         ///< [n_nodes x n_planes] likewise
  int32_t n_planes;
  viper_average *average; ///< [n_nodes] what is averaged; null where contacts go color by color
  viper_constants constants;
  // Frames that friction may roll; null where there is none, or where contacts are averaged:
  viper_contact_frame *frame;
  const viper_place *frame_place;
  const int32_t *rolling; ///< [n_rolling] those that contacts roll, rising
  int32_t n_rolling;
  const viper_roller *roller;  ///< at nodes, by their shares
  const int32_t *roller_first; ///< [n_nodes + 1]
  const int32_t *turn;         ///< [n_nodes] on half-planes, below n_turns
  int32_t n_turns;
  int32_t *working;     ///< [VIPER_EASE_ROUNDS] zeros: contacts whose friction does work, by round
  int32_t *works;       ///< scratch: contacts between capsules whose friction does work, by threads
  int32_t *eased;       ///< [n_nodes] the latest round in which friction at a node was taken back
  int32_t *eased_frame; ///< [n_segments] likewise at a frame
  viper_ease_sums ease_sums;
};

/// Pairs of capsules a and b.
struct viper_contact_candidates {
  viper_scalar end[16][VIPER_CONTACT_CANDIDATES]; ///< center, radius of each end of a, then b, m
  viper_scalar margin[VIPER_CONTACT_CANDIDATES];  ///< m
};

/// Where each is watched: al, be and gap of `best`, of `other`, and `apart` (viper_watched).
struct viper_watches {
  viper_scalar number[7][VIPER_CONTACT_CANDIDATES];
};

#endif
