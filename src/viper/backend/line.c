// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/backend/line.h"

#include "viper/backend/body_groups.h"

/// Nodes of lines: more elements of each kind than rows, and no more than one thread works on.
#define LEAST_LINE 9
#define MOST_LINE  VIPER_BODY_GROUP_MAX_NODES

bool viper_is_line(const viper_model *m, int32_t body) {
  const viper_model_body *b = &m->body[body];
  viper_chain_order segments, joints;
  return b->n_nodes >= LEAST_LINE && b->n_nodes <= MOST_LINE && !b->apart && !m->has_moments &&
         viper_chain_find(m, body, &segments, &joints);
}

bool viper_line_is_best(const viper_model *m, int32_t body, int32_t lanes) {
  const int32_t n = m->body[body].n_nodes;
  // A row costs up to a third more than an element, for what it brings to the lanes beside.
  return 4 * viper_line_rows(n, lanes) <= 3 * n && viper_is_line(m, body);
}

int32_t viper_chain_root(const viper_elimination *e, const viper_model_body *b,
                         const viper_chain_order *segments, bool *upper_first) {
  const int32_t *node_column = e->column_of + b->first_node, n = b->n_nodes;
  const int32_t *frame_column = e->column_of + e->n_nodes; // of the model's segments
  int32_t root = 0, next = b->first_node + b->first_segment + 2 * n - 2;
  while (root < n && node_column[root] != next)
    root++;
  if (root < 3 || root + 3 >= n)
    return 0;
  *upper_first = node_column[root + 1] < node_column[root - 1];
  for (int32_t level = 1; level <= root || level < n - root; level++) {
    const int32_t node[2] = {root - level, root + level};
    const int32_t frame[2] = {root - level, root + level - 1};
    for (int k = 0; k < 4; k++) {
      const int side = (k & 1) ^ !*upper_first; // the last column first
      if (node[side] < 0 || node[side] >= n)
        continue;
      const int32_t column =
          k < 2 ? frame_column[viper_chain_at(segments, frame[side])] : node_column[node[side]];
      if (column != --next)
        return 0;
    }
  }
  return root;
}
