// SPDX-License-Identifier: GPL-3.0-or-later
/// Plain chains that the CPU backend works on as lines (viper/cpu/line/line.h): which bodies these
/// are.
#ifndef VIPER_BACKEND_LINE_H
#define VIPER_BACKEND_LINE_H

#include "viper/backend/chain_order.h"

/// Rows of a chain of `n_nodes` nodes that is cut into as many parts as there are lanes: a multiple
/// of 6.
static inline int32_t viper_line_rows(int32_t n_nodes, int32_t lanes) {
  return 6 * ((n_nodes + 6 * lanes - 1) / (6 * lanes));
}

/// Whether a body is a plain chain that can be worked on so, and whose sweeps cost less so than its
/// elements one by one.
bool viper_line_is_best(const viper_model *model, int32_t body, int32_t lanes);

#endif
