// SPDX-License-Identifier: GPL-3.0-or-later
/// The factorization of a plain chain (factor.h), of whose blocks only the entries that are not 0
/// are kept: columns of frames have three unknowns, and of the second neighbor of a node or frame
/// only the scale is coupled. What is left out adds nothing but products with 0, and all sums are
/// in the order of factor.h, so results are bitwise the same, but for the signs of zeros
/// (viper_node_move in viper/method/direct.h). Included with what factor.h needs.
#ifndef VIPER_LINEAR_CHAIN_H
#define VIPER_LINEAR_CHAIN_H

#include "viper/linear/factor.h"

/// Rows below the diagonal block of a column.
#define VIPER_CHAIN_LATER 8

/// The column of a node: lower triangle, packed, and below it, for each of the node's unknowns, the
/// rows of the frame towards the middle of the chain, of the node behind that frame, and of the
/// scale of the node after it.
typedef struct viper_chain_node {
  VIPER_ENTRY own[10];
  VIPER_ENTRY later[4][VIPER_CHAIN_LATER];
} viper_chain_node;

/// The same of a frame: rows of the next node, of the next frame, and of the scale of the node
/// behind that.
typedef struct viper_chain_frame {
  VIPER_ENTRY own[6];
  VIPER_ENTRY later[3][VIPER_CHAIN_LATER];
} viper_chain_frame;

/// First rows of each part.
enum {
  VIPER_NODE_FRAME = 0,
  VIPER_NODE_NODE = 3,
  VIPER_FRAME_NODE = 0,
  VIPER_FRAME_FRAME = 4,
  VIPER_CHAIN_SECOND = 7
};

/// A column at work: its number of unknowns, its rows, times the inverses of D, and the signs of
/// its pivots.
typedef struct viper_chain_column {
  int n;
  VIPER_ENTRY *own, (*later)[VIPER_CHAIN_LATER];
  VIPER_ENTRY scaled[4][VIPER_CHAIN_LATER];
  VIPER_ENTRY sign[4];
} viper_chain_column;

/// viper_factor_diagonal of the first `n` unknowns.
VIPER_ALWAYS void viper_chain_factor(VIPER_ENTRY *own, int n, VIPER_ENTRY *sign) {
  const VIPER_ENTRY one = VIPER_ENTRY_ONE, zero = (viper_scalar)0 * one;
  VIPER_ENTRY floor[4], l[4];
  VIPER_UNROLL for (int k = 0; k < n; k++) {
    VIPER_ENTRY d = own[viper_packed(k, k)], size = VIPER_ENTRY_SELECT(d > 0, d, -d);
    floor[k] = VIPER_ENTRY_SELECT(size > 0, (viper_scalar)VIPER_EPSILON * size, one);
  }
  VIPER_UNROLL for (int k = 0; k < n; k++) {
    VIPER_ENTRY pivot = own[viper_packed(k, k)];
    sign[k] = VIPER_ENTRY_SELECT(pivot + floor[k] < zero, -one, one);
    pivot = VIPER_ENTRY_SELECT(pivot > zero, pivot, -pivot);
    VIPER_ENTRY inverse = one / VIPER_ENTRY_SELECT(pivot > floor[k], pivot, floor[k]);
    own[viper_packed(k, k)] = inverse;
    VIPER_UNROLL for (int i = k + 1; i < n; i++) {
      l[i] = own[viper_packed(i, k)] * inverse;
      VIPER_UNROLL for (int j = k + 1; j <= i; j++) own[viper_packed(i, j)] -=
          l[i] * own[viper_packed(j, k)];
    }
    VIPER_UNROLL for (int i = k + 1; i < n; i++) own[viper_packed(i, k)] = l[i];
  }
}

/// Factors a column of `n` unknowns, of whose rows those before `rows` count.
VIPER_ALWAYS void viper_chain_begin(viper_chain_column *c, int n, int rows, VIPER_ENTRY *own,
                                    VIPER_ENTRY (*later)[VIPER_CHAIN_LATER]) {
  c->n = n;
  c->own = own;
  c->later = later;
  viper_chain_factor(own, n, c->sign);
  VIPER_UNROLL for (int r = 0; r < rows; r++) {
    VIPER_UNROLL for (int k = 0; k < n; k++) {
      VIPER_ENTRY sum = later[k][r];
      VIPER_UNROLL for (int m = 0; m < k; m++) sum -= later[m][r] * own[viper_packed(k, m)];
      later[k][r] = sum;
      c->scaled[k][r] = sum * own[viper_packed(k, k)];
    }
  }
}

/// t <- t - row r of the column, scaled, times row s of it.
VIPER_ALWAYS void viper_chain_take(VIPER_ENTRY *t, const viper_chain_column *c, int r, int s) {
  VIPER_ENTRY sum = *t;
  VIPER_UNROLL for (int k = 0; k < c->n; k++) sum -= c->scaled[k][r] * c->later[k][s];
  *t = sum;
}

/// What `n` rows of the column, from `first` on, do to their own diagonal block.
VIPER_ALWAYS void viper_chain_take_own(VIPER_ENTRY *own, const viper_chain_column *c, int first,
                                       int n) {
  VIPER_UNROLL for (int s = 0; s < n; s++) VIPER_UNROLL for (int r = s; r < n; r++)
      viper_chain_take(&own[viper_packed(r, s)], c, first + r, first + s);
}

/// What rows [first, first + n) do to rows [at, at + n) of the column that rows [of, of + n_of)
/// are.
VIPER_ALWAYS void viper_chain_take_rows(VIPER_ENTRY (*later)[VIPER_CHAIN_LATER], int at,
                                        const viper_chain_column *c, int first, int n, int of,
                                        int n_of) {
  VIPER_UNROLL for (int s = 0; s < n_of; s++) VIPER_UNROLL for (int r = 0; r < n; r++)
      viper_chain_take(&later[s][at + r], c, first + r, of + s);
}

/// viper_forward_own of `n` unknowns with the factor `own`.
VIPER_ALWAYS viper_slope viper_chain_own(const VIPER_ENTRY *own, const VIPER_ENTRY *sign, int n,
                                         VIPER_ENTRY *move) {
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  viper_slope out = {zero, zero};
  VIPER_ENTRY y[4];
  VIPER_UNROLL for (int k = 0; k < n; k++) {
    y[k] = move[k];
    VIPER_UNROLL for (int c = 0; c < k; c++) y[k] -= own[viper_packed(k, c)] * y[c];
  }
  VIPER_UNROLL for (int k = 0; k < n; k++) {
    VIPER_ENTRY x = y[k] * own[viper_packed(k, k)];
    VIPER_WIDE part = VIPER_WIDEN(y[k]) * VIPER_WIDEN(x);
    out.slope -= part;
    out.shifted += VIPER_WIDE_NEGATIVE(sign[k], part);
    move[k] = x;
  }
  out.shifted = VIPER_NARROWED(out.shifted);
  return out;
}

/// What a column with the solution `x` does to that of its rows [first, first + n).
VIPER_ALWAYS void viper_chain_forward(const viper_chain_column *c, const VIPER_ENTRY *x, int first,
                                      int n, VIPER_ENTRY *move) {
  VIPER_UNROLL for (int r = 0; r < n; r++) {
    VIPER_ENTRY sum = move[r];
    VIPER_UNROLL for (int k = 0; k < c->n; k++) sum -= c->later[k][first + r] * x[k];
    move[r] = sum;
  }
}

/// x <- L^-T x of a column of `n` unknowns; `sum` is what its later rows give to each.
VIPER_ALWAYS void viper_chain_backward(const VIPER_ENTRY *own, int n, const VIPER_ENTRY *sum,
                                       VIPER_ENTRY *move) {
  VIPER_ENTRY x[4];
  VIPER_UNROLL for (int k = n - 1; k >= 0; k--) {
    x[k] = move[k] - own[viper_packed(k, k)] * sum[k];
    VIPER_UNROLL for (int r = k + 1; r < n; r++) x[k] -= own[viper_packed(r, k)] * x[r];
  }
  VIPER_UNROLL for (int k = 0; k < n; k++) move[k] = x[k];
}

/// Where the unknowns around a level of a chain are: what a side's node and frame act on.
typedef struct viper_chain_level {
  viper_chain_node *node, *next; ///< of this level, and towards the middle
  viper_chain_frame *frame, *next_frame;
  VIPER_ENTRY *second; ///< the diagonal entry of the scale of the node after `next`
  VIPER_ENTRY *move, *move_frame, *move_next, *move_next_frame, *move_second; ///< of these
  int32_t number, frame_number; ///< of the node and of the frame, along the chain
} viper_chain_level;

/// Factors the node of a level and solves it forward.
VIPER_ON_BODY viper_slope viper_chain_eliminate_node(const viper_chain_level *l) {
  viper_chain_column c;
  viper_chain_begin(&c, 4, VIPER_CHAIN_LATER, l->node->own, l->node->later);
  viper_chain_take_own(l->frame->own, &c, VIPER_NODE_FRAME, 3);
  viper_chain_take_rows(l->frame->later, VIPER_FRAME_NODE, &c, VIPER_NODE_NODE, 4, VIPER_NODE_FRAME,
                        3);
  viper_chain_take_rows(l->frame->later, VIPER_CHAIN_SECOND, &c, VIPER_CHAIN_SECOND, 1,
                        VIPER_NODE_FRAME, 3);
  viper_chain_take_own(l->next->own, &c, VIPER_NODE_NODE, 4);
  viper_chain_take_rows(l->next->later, VIPER_NODE_NODE + 3, &c, VIPER_CHAIN_SECOND, 1,
                        VIPER_NODE_NODE, 4);
  viper_chain_take(l->second, &c, VIPER_CHAIN_SECOND, VIPER_CHAIN_SECOND);
  viper_slope slope = viper_chain_own(c.own, c.sign, 4, l->move);
  viper_chain_forward(&c, l->move, VIPER_NODE_FRAME, 3, l->move_frame);
  viper_chain_forward(&c, l->move, VIPER_NODE_NODE, 4, l->move_next);
  viper_chain_forward(&c, l->move, VIPER_CHAIN_SECOND, 1, l->move_second);
  return slope;
}

/// The same of its frame.
VIPER_ON_BODY viper_slope viper_chain_eliminate_frame(const viper_chain_level *l) {
  viper_chain_column c;
  viper_chain_begin(&c, 3, VIPER_CHAIN_LATER, l->frame->own, l->frame->later);
  viper_chain_take_own(l->next->own, &c, VIPER_FRAME_NODE, 4);
  viper_chain_take_rows(l->next->later, VIPER_NODE_FRAME, &c, VIPER_FRAME_FRAME, 3,
                        VIPER_FRAME_NODE, 4);
  viper_chain_take_rows(l->next->later, VIPER_NODE_NODE + 3, &c, VIPER_CHAIN_SECOND, 1,
                        VIPER_FRAME_NODE, 4);
  viper_chain_take_own(l->next_frame->own, &c, VIPER_FRAME_FRAME, 3);
  viper_chain_take_rows(l->next_frame->later, VIPER_FRAME_NODE + 3, &c, VIPER_CHAIN_SECOND, 1,
                        VIPER_FRAME_FRAME, 3);
  viper_chain_take(l->second, &c, VIPER_CHAIN_SECOND, VIPER_CHAIN_SECOND);
  viper_slope slope = viper_chain_own(c.own, c.sign, 3, l->move_frame);
  viper_chain_forward(&c, l->move_frame, VIPER_FRAME_NODE, 4, l->move_next);
  viper_chain_forward(&c, l->move_frame, VIPER_FRAME_FRAME, 3, l->move_next_frame);
  viper_chain_forward(&c, l->move_frame, VIPER_CHAIN_SECOND, 1, l->move_second);
  return slope;
}

/// Solves a level backward: its frame, then its node.
VIPER_ON_BODY void viper_chain_back(const viper_chain_level *l) {
  VIPER_ENTRY sum[4];
  const VIPER_ENTRY *f = l->move_frame, *n = l->move_next, *s = l->move_second;
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    const VIPER_ENTRY *b = l->frame->later[k], *g = l->move_next_frame;
    sum[k] = ((b[0] * n[0] + b[4] * g[0]) + (b[1] * n[1] + b[5] * g[1])) +
             ((b[2] * n[2] + b[6] * g[2]) + (b[3] * n[3] + b[7] * s[0]));
  }
  viper_chain_backward(l->frame->own, 3, sum, l->move_frame);
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const VIPER_ENTRY *b = l->node->later[k];
    sum[k] = ((b[0] * f[0] + b[3] * n[0]) + (b[1] * f[1] + b[4] * n[1])) +
             ((b[2] * f[2] + b[5] * n[2]) + (b[6] * n[3] + b[7] * s[0]));
  }
  viper_chain_backward(l->node->own, 4, sum, l->move);
}

/// The last five columns: nodes and frames on either side of the middle, [0] eliminated first, and
/// the middle. The scale is all that both nodes have in common; the first one's `later` has it as
/// its second neighbor, and the first frame's has the other frame.
typedef struct viper_chain_top {
  viper_chain_node *node[2], *root;
  viper_chain_frame *frame[2];
  VIPER_ENTRY *move[2], *move_frame[2], *move_root;
  VIPER_ENTRY fill[3]; ///< rows of the first frame over the second node's scale
} viper_chain_top;

/// Of the first node.
VIPER_ON_BODY viper_slope viper_chain_top_first(viper_chain_top *t) {
  viper_chain_column c;
  viper_chain_begin(&c, 4, VIPER_CHAIN_LATER, t->node[0]->own, t->node[0]->later);
  viper_chain_take(&t->node[1]->own[9], &c, VIPER_CHAIN_SECOND, VIPER_CHAIN_SECOND);
  VIPER_UNROLL for (int r = 0; r < 3; r++) {
    t->fill[r] = (viper_scalar)0 * VIPER_ENTRY_ONE;
    viper_chain_take(&t->fill[r], &c, VIPER_NODE_FRAME + r, VIPER_CHAIN_SECOND);
  }
  VIPER_UNROLL for (int r = 0; r < 4; r++) viper_chain_take(
      &t->node[1]->later[3][VIPER_NODE_NODE + r], &c, VIPER_NODE_NODE + r, VIPER_CHAIN_SECOND);
  viper_chain_take_own(t->frame[0]->own, &c, VIPER_NODE_FRAME, 3);
  viper_chain_take_rows(t->frame[0]->later, VIPER_FRAME_NODE, &c, VIPER_NODE_NODE, 4,
                        VIPER_NODE_FRAME, 3);
  viper_chain_take_own(t->root->own, &c, VIPER_NODE_NODE, 4);
  viper_slope slope = viper_chain_own(c.own, c.sign, 4, t->move[0]);
  viper_chain_forward(&c, t->move[0], VIPER_CHAIN_SECOND, 1, &t->move[1][3]);
  viper_chain_forward(&c, t->move[0], VIPER_NODE_FRAME, 3, t->move_frame[0]);
  viper_chain_forward(&c, t->move[0], VIPER_NODE_NODE, 4, t->move_root);
  return slope;
}

/// Of the second, whose first three unknowns the first frame has nothing to do with.
VIPER_ON_BODY viper_slope viper_chain_top_second(viper_chain_top *t) {
  viper_chain_column c;
  VIPER_ENTRY(*later)[VIPER_CHAIN_LATER] = t->frame[0]->later;
  viper_chain_begin(&c, 4, VIPER_CHAIN_SECOND, t->node[1]->own, t->node[1]->later);
  VIPER_UNROLL for (int s = 0; s < 3; s++) {
    VIPER_UNROLL for (int r = s; r < 3; r++) t->frame[0]->own[viper_packed(r, s)] -=
        t->fill[s] * (t->fill[r] * c.own[9]);
    VIPER_UNROLL for (int r = 0; r < 3; r++) later[s][VIPER_FRAME_FRAME + r] -=
        c.scaled[3][VIPER_NODE_FRAME + r] * t->fill[s];
    VIPER_UNROLL for (int r = 0; r < 4; r++) later[s][VIPER_FRAME_NODE + r] -=
        c.scaled[3][VIPER_NODE_NODE + r] * t->fill[s];
  }
  viper_chain_take_own(t->frame[1]->own, &c, VIPER_NODE_FRAME, 3);
  viper_chain_take_rows(t->frame[1]->later, VIPER_FRAME_NODE, &c, VIPER_NODE_NODE, 4,
                        VIPER_NODE_FRAME, 3);
  viper_chain_take_own(t->root->own, &c, VIPER_NODE_NODE, 4);
  viper_slope slope = viper_chain_own(c.own, c.sign, 4, t->move[1]);
  VIPER_UNROLL for (int r = 0; r < 3; r++) t->move_frame[0][r] -= t->fill[r] * t->move[1][3];
  viper_chain_forward(&c, t->move[1], VIPER_NODE_FRAME, 3, t->move_frame[1]);
  viper_chain_forward(&c, t->move[1], VIPER_NODE_NODE, 4, t->move_root);
  return slope;
}

/// Of both frames, and of the root.
VIPER_ON_BODY viper_slope viper_chain_top_frame(viper_chain_top *t, int i) {
  viper_chain_column c;
  viper_chain_begin(&c, 3, i == 0 ? VIPER_CHAIN_SECOND : VIPER_FRAME_FRAME, t->frame[i]->own,
                    t->frame[i]->later);
  if (i == 0) {
    viper_chain_take_own(t->frame[1]->own, &c, VIPER_FRAME_FRAME, 3);
    viper_chain_take_rows(t->frame[1]->later, VIPER_FRAME_NODE, &c, VIPER_FRAME_NODE, 4,
                          VIPER_FRAME_FRAME, 3);
  }
  viper_chain_take_own(t->root->own, &c, VIPER_FRAME_NODE, 4);
  viper_slope slope = viper_chain_own(c.own, c.sign, 3, t->move_frame[i]);
  if (i == 0)
    viper_chain_forward(&c, t->move_frame[0], VIPER_FRAME_FRAME, 3, t->move_frame[1]);
  viper_chain_forward(&c, t->move_frame[i], VIPER_FRAME_NODE, 4, t->move_root);
  return slope;
}

VIPER_ON_BODY viper_slope viper_chain_top_root(viper_chain_top *t) {
  VIPER_ENTRY sign[4];
  viper_chain_factor(t->root->own, 4, sign);
  return viper_chain_own(t->root->own, sign, 4, t->move_root);
}

/// Solves the top backward.
VIPER_ON_BODY void viper_chain_top_back(viper_chain_top *t) {
  const VIPER_ENTRY zero = (viper_scalar)0 * VIPER_ENTRY_ONE, none[4] = {zero, zero, zero, zero};
  const VIPER_ENTRY *n = t->move_root, *e = t->move_frame[1], *f = t->move_frame[0];
  VIPER_ENTRY sum[4];
  viper_chain_backward(t->root->own, 4, none, t->move_root);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    const VIPER_ENTRY *b = t->frame[1]->later[k];
    sum[k] = (b[0] * n[0] + b[1] * n[1]) + (b[2] * n[2] + b[3] * n[3]);
  }
  viper_chain_backward(t->frame[1]->own, 3, sum, t->move_frame[1]);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    const VIPER_ENTRY *b = t->frame[0]->later[k];
    sum[k] = ((b[4] * e[0] + b[0] * n[0]) + (b[5] * e[1] + b[1] * n[1])) +
             ((b[6] * e[2] + b[2] * n[2]) + b[3] * n[3]);
  }
  viper_chain_backward(t->frame[0]->own, 3, sum, t->move_frame[0]);
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const VIPER_ENTRY *b = t->node[1]->later[k];
    const VIPER_ENTRY x = b[0] * e[0], y = b[1] * e[1], z = b[2] * e[2];
    sum[k] = (((k < 3 ? x : t->fill[0] * f[0] + x) + b[3] * n[0]) +
              ((k < 3 ? y : t->fill[1] * f[1] + y) + b[4] * n[1])) +
             (((k < 3 ? z : t->fill[2] * f[2] + z) + b[5] * n[2]) + b[6] * n[3]);
  }
  viper_chain_backward(t->node[1]->own, 4, sum, t->move[1]);
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const VIPER_ENTRY *b = t->node[0]->later[k];
    sum[k] = ((b[0] * f[0] + b[3] * n[0]) + (b[1] * f[1] + b[4] * n[1])) +
             ((b[2] * f[2] + b[5] * n[2]) + (b[7] * t->move[1][3] + b[6] * n[3]));
  }
  viper_chain_backward(t->node[0]->own, 4, sum, t->move[0]);
}

#endif
