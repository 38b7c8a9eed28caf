// SPDX-License-Identifier: GPL-3.0-or-later
/// Plain chains that the CPU backend works on as lines (viper/cpu/line/line.h): which bodies these
/// are, and how they are eliminated.
#ifndef VIPER_BACKEND_LINE_H
#define VIPER_BACKEND_LINE_H

#include "viper/backend/chain_order.h"
#include "viper/linear/elimination.h"

/// Rows of a chain of `n_nodes` nodes that is cut into as many parts as there are lanes: a multiple
/// of 6.
static inline int32_t viper_line_rows(int32_t n_nodes, int32_t lanes) {
  return 6 * ((n_nodes + 6 * lanes - 1) / (6 * lanes));
}

/// Whether number `p` along a chain lies before the next in a model.
static inline bool viper_chain_is_first(const viper_chain_order *order, int32_t p) {
  return order->n == 1 || (order->n == 2 ? p % 2 < 1 : p % 3 < 2);
}

/// Whether a body is a plain chain that can be worked on so.
bool viper_is_line(const viper_model *model, int32_t body);

/// Whether it is one whose sweeps cost less so than its elements one by one.
bool viper_line_is_best(const viper_model *model, int32_t body, int32_t lanes);

/// The middle node of a plain chain whose columns are in the order of an elimination from both
/// ends; 0 where they are not, or a side has fewer than three nodes. `*upper_first` as of
/// viper_body_group.
int32_t viper_chain_root(const viper_elimination *elimination, const viper_model_body *body,
                         const viper_chain_order *segments, bool *upper_first);

#endif
