// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` on lines: elements a row at a time, the matrix in pairs (pairs.h).
#define VIPER_NO_STATICS
#include "viper/cpu/line/access.h"
#include "viper/cpu/line/columns.h"
#include "viper/cpu/line/pairs.h"
#include "viper/cpu/line/state.h"
#include "viper/cpu/line/sums.h"

#include <stdbool.h>

#define VIPER_PRECISE_CONSTANT(w, s, name) ((s)->name)

/// What an elimination gives (viper/linear/factor.h).
typedef struct viper_slope {
  double slope, shifted;
} viper_slope;

VIPER_FN void viper_get_node_move(const viper_access *w, viper_at at, viper_real d[4]) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) d[k] = w->line->pairs.node_move[at.row][k];
}

VIPER_FN void viper_get_frame_move(const viper_access *w, viper_at at, viper_real d[3]) {
  VIPER_UNROLL for (int k = 0; k < 3; k++) d[k] = w->line->pairs.frame_move[at.row][k];
}

static void viper_assemble(viper_access *w, bool uniform);
static viper_slope viper_solve(viper_access *w);
static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform);

#include "viper/method/direct.h"

// Elements that are not there count for nothing: no column is made of them.

static __attribute__((noinline)) void make_segments(const viper_access *w) {
  const viper_line *l = w->line;
  for (int32_t r = 0; r < l->rows; r++) {
    viper_line_segment *out = &l->pairs.segment[r];
    viper_linearize_segment(w, viper_row(r), false, out->g, out->packed);
  }
}

static __attribute__((noinline)) void make_joints(const viper_access *w) {
  const viper_line *l = w->line;
  for (int32_t r = 0; r < l->rows; r++) {
    viper_line_joint *out = &l->pairs.joint[r];
    viper_linearize_joint(w, viper_row(r), false, out->g, out->packed);
  }
}

/// The inertial parts.
static __attribute__((noinline)) void make_inertial(const viper_access *w) {
  const viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  for (int32_t r = 0; r < w->line->rows; r++) {
    viper_line_node *node = &w->line->pairs.node[r];
    viper_line_frame *frame = &w->line->pairs.frame[r];
    viper_real diagonal[4], h[3][3];
    viper_linearize_node(w, viper_row(r), inv_h2, false, node->g, diagonal);
    VIPER_UNROLL for (int k = 0; k < 4; k++) node->packed[k * (k + 3) / 2] = diagonal[k];
    viper_linearize_frame(w, viper_row(r), inv_h2, frame->g, h);
    viper_pack(3, &h[0][0], frame->packed);
  }
}

static void viper_assemble(viper_access *w, bool uniform) {
  (void)uniform;
  make_segments(w);
  make_joints(w);
  make_inertial(w);
  add_up(w->line);
  viper_pairs_assemble(&w->line->pairs);
}

static viper_slope viper_solve(viper_access *w) {
  viper_slope out;
  out.slope = viper_pairs_solve(&w->line->pairs, &out.shifted);
  return out;
}

VIPER_FN viper_real node_norm2(const viper_access *w, viper_at at) {
  const viper_real *g = w->line->pairs.node_move[at.row];
  viper_node_inertia a = viper_get_node_inertia(w, at, false);
  return (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / a.mass + g[3] * g[3] / a.scale;
}

VIPER_FN viper_real frame_norm2(const viper_access *w, viper_at at) {
  const viper_real *g = w->line->pairs.frame_move[at.row];
  return (g[0] * g[0] + g[1] * g[1] + VIPER_R(0.5) * g[2] * g[2]) / viper_get_inertia(w, at);
}

/// Of minus the gradient, with which the solution is begun.
static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  double sum = 0;
  (void)uniform;
  viper_pairs_put_moves(&w->line->pairs);
  VIPER_TOTAL(w, sum, b->first_node, b->n_nodes, node_norm2(w, at));
  VIPER_TOTAL(w, sum, b->first_segment, b->n_segments, frame_norm2(w, at));
  return sum;
}

void viper_line_direct(viper_line *l, const viper_arrays *arrays, const viper_settings *settings,
                       double h) {
  viper_line_load(l, arrays, true);
  viper_access w = {.line = l,
                    .model = &l->model,
                    .h = (viper_scalar)h,
                    .changed = VIPER_LINE_NODE | VIPER_LINE_FRAME};
  viper_barrier(&w);
  viper_iterate_direct(&w, settings, false);
  viper_line_put(l, arrays);
}
