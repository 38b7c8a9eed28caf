// SPDX-License-Identifier: GPL-3.0-or-later
/// The unknowns of a model and of its elements: centers and scales of nodes (x 4), then turns of
/// frames (x 3).
#ifndef VIPER_CPU_EVALUATE_UNKNOWNS_H
#define VIPER_CPU_EVALUATE_UNKNOWNS_H

#include "viper/cpu/evaluate/held_axes.h"

/// Of a segment, which has more than a joint.
enum { VIPER_MOST_UNKNOWNS = 11 };

/// The unknowns of an element.
typedef struct viper_unknowns {
  int n;
  int32_t at[VIPER_MOST_UNKNOWNS];
} viper_unknowns;

static inline int32_t viper_unknown_of_node(int32_t i, int k) {
  return 4 * i + k;
}

static inline int32_t viper_unknown_of_frame(const viper_model *m, int32_t j, int k) {
  return 4 * (int32_t)m->n_nodes + 3 * j + k;
}

static inline size_t viper_count_unknowns(const viper_model *m) {
  return 4 * m->n_nodes + 3 * m->n_segments;
}

static inline viper_unknowns viper_unknowns_of_segment(const viper_model *m, int32_t j) {
  viper_unknowns s = {.n = VIPER_SEGMENT_UNKNOWNS};
  for (int u = 0; u < s.n; u++)
    s.at[u] = u < 8 ? viper_unknown_of_node(m->segment[j].node[u / 4], u % 4)
                    : viper_unknown_of_frame(m, j, u - 8);
  return s;
}

static inline viper_unknowns viper_unknowns_of_joint(const viper_model *m, int32_t t) {
  viper_unknowns s = {.n = VIPER_JOINT_UNKNOWNS};
  for (int u = 0; u < s.n; u++)
    s.at[u] = u < 3 ? viper_unknown_of_node(m->joint[t].node[u], 3)
                    : viper_unknown_of_frame(m, m->joint[t].segment[u / 3 - 1], u % 3);
  return s;
}

/// Numbers the free unknowns: writes the number of each to `place`, -1 of those that are held;
/// returns how many there are. A frame of which parts are held has turns about its free axes
/// (held_axes.h).
static inline int32_t viper_number_unknowns(const viper_model *m, int32_t *place) {
  int32_t n = 0;
  for (size_t i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < 4; k++)
      place[4 * i + (size_t)k] = m->node[i].pinned >> k & 1 ? -1 : n++;
  for (size_t j = 0; j < m->n_segments; j++)
    for (int k = 0; k < 3; k++)
      place[viper_unknown_of_frame(m, (int32_t)j, k)] =
          k < viper_free_axes(m, (int32_t)j) ? n++ : -1;
  return n;
}

#endif
