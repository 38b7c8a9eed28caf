// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/backend/line.h"

/// Nodes of lines: more elements of each kind than rows, and no more than one thread works on.
#define LEAST_LINE 9
#define MOST_LINE  4096

static bool is_line(const viper_model *m, int32_t body) {
  const viper_model_body *b = &m->body[body];
  viper_chain_order segments, joints;
  return b->n_nodes >= LEAST_LINE && b->n_nodes <= MOST_LINE && !b->apart && !m->has_moments &&
         viper_chain_find(m, body, &segments, &joints);
}

bool viper_line_is_best(const viper_model *m, int32_t body, int32_t lanes) {
  const int32_t n = m->body[body].n_nodes;
  // A row costs up to a third more than an element, for what it brings to the lanes beside.
  return 4 * viper_line_rows(n, lanes) <= 3 * n && is_line(m, body);
}
