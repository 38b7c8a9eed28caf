// SPDX-License-Identifier: GPL-3.0-or-later
/// The columns of a line's matrix: what elements and inertia add to each entry, a row at a time, in
/// the order of the model. Included by the source of `direct` on lines.
#ifndef VIPER_CPU_LINE_COLUMNS_H
#define VIPER_CPU_LINE_COLUMNS_H

#include "viper/cpu/line/line.h"

/// Entry (i, j), i >= j, of an element.
#define AT(element, i, j) (element)->packed[(i) * ((i) + 1) / 2 + (j)]

/// What an element that is not there adds: to a gradient nothing, not even a sign of zeros.
#define NO_GRADIENT (-viper_splat(0))
#define NO_ENTRY    viper_splat(0)

/// Each lane's value from the lane before it, and `none` before the first.
VIPER_FN viper_real from_before(viper_real x, viper_real none) {
  const viper_mask first = {-1};
  return viper_select(first, none, viper_from_before(x));
}

/// What the nodes and frames of the first rows need of the elements of the last.
static void bring_elements(const viper_line *l) {
  const viper_line_segment *s = &l->pairs.segment[l->rows - 1];
  const viper_line_joint *j = &l->pairs.joint[l->rows - 1], *second = j - 1;
  viper_line_segment *to_s = &l->pairs.segment[-1];
  viper_line_joint *to_j = &l->pairs.joint[-1], *to_second = to_j - 1;
  VIPER_UNROLL for (int k = 4; k < 8; k++) {
    to_s->g[k] = from_before(s->g[k], NO_GRADIENT);
    VIPER_UNROLL for (int r = k; r < 8; r++) AT(to_s, r, k) = from_before(AT(s, r, k), NO_ENTRY);
  }
  VIPER_UNROLL for (int k = 1; k < VIPER_JOINT_UNKNOWNS; k++) {
    to_j->g[k] = from_before(j->g[k], NO_GRADIENT);
    VIPER_UNROLL for (int r = k; r < VIPER_JOINT_UNKNOWNS; r++) AT(to_j, r, k) =
        from_before(AT(j, r, k), NO_ENTRY);
  }
  to_second->g[2] = from_before(second->g[2], NO_GRADIENT);
  AT(to_second, 2, 2) = from_before(AT(second, 2, 2), NO_ENTRY);
}

/// Leaves out what lanes without an element say of its first `n` unknowns, all there are of it at
/// the end of the chain.
VIPER_FN void leave_out(viper_mask there, int n, viper_real *g, viper_real *packed) {
  VIPER_UNROLL for (int k = 0; k < n; k++) g[k] = viper_select(there, g[k], NO_GRADIENT);
  VIPER_UNROLL for (int k = 0; k < n * (n + 1) / 2; k++) packed[k] =
      viper_select(there, packed[k], NO_ENTRY);
}

/// The elements next behind the end of the chain.
static void leave_out_last(const viper_line *l) {
  const int32_t last = (l->n - 1) % l->rows, before = (l->n - 2) % l->rows;
  viper_line_segment *s = &l->pairs.segment[last];
  viper_line_joint *j = &l->pairs.joint[before], *second = &l->pairs.joint[last];
  leave_out(l->there[0][last], 4, s->g, s->packed);
  leave_out(l->there[1][before], 6, j->g, j->packed);
  leave_out(l->there[1][last], 6, second->g, second->packed);
}

/// The sum of `start` and what two elements add, first `a` where `a_first` says so.
VIPER_FN viper_real sum_two(viper_real start, viper_real a, viper_real b, viper_mask a_first) {
  return start + viper_select(a_first, a, b) + viper_select(a_first, b, a);
}

/// The sum of `start` and what the joints before, at and after a node add.
VIPER_FN viper_real sum_joints(const viper_line_order *o, viper_real start, viper_real before,
                               viper_real at, viper_real after) {
  const viper_real not_0 = viper_select(o->color[1], after, at);
  const viper_real not_1 = viper_select(o->color[0], at, after);
  const viper_real third = viper_select(o->color[1], at, before);
  return start + viper_select(o->color[0], before, not_0) +
         viper_select(o->color[1], before, not_1) + viper_select(o->color[0], after, third);
}

/// The nodes of a row: the gradient, whose negative the solution begins with, and the block.
static void add_to_nodes(const viper_line *l, int32_t row) {
  const viper_line_segment *b = &l->pairs.segment[row], *a = b - 1;
  const viper_line_joint *after = &l->pairs.joint[row], *at = after - 1, *before = at - 1;
  const viper_line_order *o = &l->pairs.order[row];
  viper_line_node *x = &l->pairs.node[row];
  VIPER_UNROLL for (int r = 0; r < 4; r++) {
    VIPER_UNROLL for (int k = 0; k < r; k++) AT(x, r, k) = AT(a, 4 + r, 4 + k) + AT(b, r, k);
    viper_real d = sum_two(AT(x, r, r), AT(a, 4 + r, 4 + r), AT(b, r, r), o->segment);
    viper_real g = sum_two(x->g[r], a->g[4 + r], b->g[r], o->segment);
    if (r == 3) {
      d = sum_joints(o, d, AT(before, 2, 2), AT(at, 1, 1), AT(after, 0, 0));
      g = sum_joints(o, g, before->g[2], at->g[1], after->g[0]);
    }
    AT(x, r, r) = d;
    x->g[r] = -g;
  }
}

/// The frames of a row, likewise.
static void add_to_frames(const viper_line *l, int32_t row) {
  const viper_line_segment *a = &l->pairs.segment[row];
  const viper_line_joint *after = &l->pairs.joint[row], *before = after - 1;
  const viper_mask first = ~l->pairs.order[row].color[1];
  viper_line_frame *x = &l->pairs.frame[row];
  VIPER_UNROLL for (int r = 0; r < 3; r++) {
    VIPER_UNROLL for (int k = 0; k <= r; k++) AT(x, r, k) =
        sum_two(AT(x, r, k) + AT(a, 8 + r, 8 + k), AT(before, 6 + r, 6 + k),
                AT(after, 3 + r, 3 + k), first);
    x->g[r] = -sum_two(x->g[r] + a->g[8 + r], before->g[6 + r], after->g[3 + r], first);
  }
}

/// What the joints at both ends of the segments of a row add to that which couples their unknowns.
static void add_to_segments(const viper_line *l, int32_t row) {
  const viper_line_joint *after = &l->pairs.joint[row], *before = after - 1;
  viper_line_segment *x = &l->pairs.segment[row];
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    AT(x, 8 + k, 3) += AT(before, 6 + k, 1);
    AT(x, 8 + k, 7) += AT(after, 3 + k, 1);
  }
  AT(x, 7, 3) =
      sum_two(AT(x, 7, 3), AT(before, 2, 1), AT(after, 1, 0), ~l->pairs.order[row].color[1]);
}
#undef AT

/// Makes the columns of all nodes and frames from their elements and inertial parts.
static __attribute__((noinline)) void add_up(const viper_line *l) {
  leave_out_last(l);
  bring_elements(l);
  for (int32_t r = 0; r < l->rows; r++) {
    add_to_nodes(l, r);
    add_to_frames(l, r);
    add_to_segments(l, r);
  }
}

#endif
