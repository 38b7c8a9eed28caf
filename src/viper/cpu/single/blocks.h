// SPDX-License-Identifier: GPL-3.0-or-later
/// The matrix of `direct` for a single body, assembled by elements: several blocks are computed in
/// lanes and then added one by one. Included by direct_lanes.c alone.
#ifndef VIPER_CPU_SINGLE_BLOCKS_H
#define VIPER_CPU_SINGLE_BLOCKS_H

#include "viper/method/linearize.h"

/// Four numbers of each lane as a four, lane by lane.
VIPER_FN void turn_four(viper_real a, viper_real b, viper_real c, viper_real d,
                        viper_quad out[VIPER_LANES]) {
  viper_real x[4] = {a, b, c, d};
  viper_turn_out(x, 4, (viper_scalar *)out, 4);
}

VIPER_FN void start_node(viper_access *w, viper_matrix *m, viper_at at, viper_real inv_h2) {
  viper_real g[4], d[4];
  viper_quad four[VIPER_LANES];
  viper_at column = viper_columns(w, at, 0);
  viper_linearize_node(w, at, inv_h2, false, g, d);
  viper_scatter_rows(m->gradient[0], &column, 4, 0, 4, g);
  turn_four(d[0], d[1], d[2], d[3], four);
  for (int lane = 0; lane < at.n; lane++) {
    const viper_quad x = four[lane];
    viper_quad *row = (viper_quad *)m->diagonal[column.i[lane]].a;
    row[0] = (viper_quad){x[0]};
    row[1] = (viper_quad){0, x[1]};
    row[2] = (viper_quad){0, 0, x[2]};
    row[3] = (viper_quad){0, 0, 0, x[3]};
  }
}

VIPER_FN void start_frame(viper_access *w, viper_matrix *m, viper_at at, viper_real inv_h2) {
  viper_real g[4], h[3][3], zero = VIPER_R(0);
  viper_quad row[3][VIPER_LANES];
  viper_at column = viper_columns(w, at, (int32_t)w->model->n_nodes);
  viper_linearize_frame(w, at, inv_h2, g, h);
  g[3] = zero;
  viper_scatter_rows(m->gradient[0], &column, 4, 0, 4, g);
  turn_four(h[0][0], zero, zero, zero, row[0]);
  turn_four(h[1][0], h[1][1], zero, zero, row[1]);
  turn_four(h[2][0], h[2][1], h[2][2], zero, row[2]);
  for (int lane = 0; lane < at.n; lane++) {
    viper_quad *block = (viper_quad *)m->diagonal[column.i[lane]].a;
    for (int i = 0; i < 3; i++)
      block[i] = row[i][lane];
    block[3] = (viper_quad){0, 0, 0, 1};
  }
}

/// Rooms for the gradient and the block of an element, in whole fours.
#define SEGMENT_ROOM 68
#define JOINT_ROOM   48
_Static_assert(SEGMENT_ROOM % 4 == 0 && SEGMENT_ROOM >= VIPER_SEGMENT_PACKED, "whole fours");
_Static_assert(JOINT_ROOM % 4 == 0 && JOINT_ROOM >= VIPER_JOINT_PACKED, "whole fours");

/// Adds segments `at` in the lanes that have a bit in `lanes`.
static void add_segments(viper_access *w, viper_matrix *m, viper_at at, uint32_t lanes) {
  viper_real g[VIPER_SEGMENT_UNKNOWNS], packed[VIPER_SEGMENT_PACKED];
  _Alignas(64) viper_scalar g_of[VIPER_LANES][12], packed_of[VIPER_LANES][SEGMENT_ROOM];
  viper_linearize_segment(w, at, false, g, packed);
  viper_turn_out(g, VIPER_SEGMENT_UNKNOWNS, g_of[0], 12);
  viper_turn_out(packed, VIPER_SEGMENT_PACKED, packed_of[0], SEGMENT_ROOM);
  for (int lane = 0; lane < at.n; lane++)
    if (lanes >> lane & 1)
      viper_couple_segment(m, at.i[lane], g_of[lane], packed_of[lane]);
}

static void add_joints(viper_access *w, viper_matrix *m, viper_at at, uint32_t lanes) {
  viper_real g[VIPER_JOINT_UNKNOWNS], packed[VIPER_JOINT_PACKED];
  _Alignas(64) viper_scalar g_of[VIPER_LANES][12], packed_of[VIPER_LANES][JOINT_ROOM];
  viper_linearize_joint(w, at, false, g, packed);
  viper_turn_out(g, VIPER_JOINT_UNKNOWNS, g_of[0], 12);
  viper_turn_out(packed, VIPER_JOINT_PACKED, packed_of[0], JOINT_ROOM);
  for (int lane = 0; lane < at.n; lane++)
    if (lanes >> lane & 1)
      viper_couple_joint(m, at.i[lane], g_of[lane], packed_of[lane]);
}

#endif
