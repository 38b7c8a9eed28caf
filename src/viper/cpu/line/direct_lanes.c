// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` on lines: elements a row at a time, the matrix in pairs (pairs.h).
#define VIPER_NO_STATICS
#include "viper/cpu/line/access.h"
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

/// Leaves nothing of elements that are not there.
VIPER_FN void leave_present(const viper_line *l, int kind, int32_t row, int n, viper_real *g,
                            int n_packed, viper_real *packed) {
  const viper_real zero = {0};
  if (!l->partial[kind][row])
    return;
  for (int k = 0; k < n; k++)
    g[k] = VIPER_SELECT(l->there[kind][row], g[k], zero);
  for (int k = 0; k < n_packed; k++)
    packed[k] = VIPER_SELECT(l->there[kind][row], packed[k], zero);
}

static __attribute__((noinline)) void make_segments(viper_access *w) {
  viper_line *l = w->line;
  for (int32_t r = 0; r < l->rows; r++) {
    viper_line_segment *out = &l->pairs.segment[r];
    viper_linearize_segment(w, viper_row(r), false, out->g, out->packed);
    leave_present(l, 0, r, VIPER_SEGMENT_UNKNOWNS, out->g, VIPER_SEGMENT_PACKED, out->packed);
  }
  viper_bring_before(l->pairs.segment[l->rows - 1].g, VIPER_SEGMENT_UNKNOWNS,
                     l->pairs.segment[-1].g);
}

static __attribute__((noinline)) void make_joints(viper_access *w) {
  viper_line *l = w->line;
  for (int32_t r = 0; r < l->rows; r++) {
    viper_line_joint *out = &l->pairs.joint[r];
    viper_linearize_joint(w, viper_row(r), false, out->g, out->packed);
    leave_present(l, 1, r, VIPER_JOINT_UNKNOWNS, out->g, VIPER_JOINT_PACKED, out->packed);
  }
  for (int32_t r = 1; r <= VIPER_LINE_REACH; r++)
    viper_bring_before(l->pairs.joint[l->rows - r].g, VIPER_JOINT_UNKNOWNS, l->pairs.joint[-r].g);
}

/// Inertial parts, and gradients of all elements, added in their order along the chain.
static __attribute__((noinline)) void make_nodes(viper_access *w) {
  const viper_pairs *p = &w->line->pairs;
  const viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  for (int32_t r = 0; r < w->line->rows; r++) {
    const viper_line_segment *a = &p->segment[r - 1], *b = &p->segment[r];
    const viper_line_joint *before = &p->joint[r - 2], *own = &p->joint[r - 1],
                           *after = &p->joint[r];
    viper_real *g = p->node[r].total;
    viper_linearize_node(w, viper_row(r), inv_h2, false, g, p->node[r].start);
    VIPER_UNROLL for (int k = 0; k < 4; k++) g[k] = g[k] + a->g[4 + k] + b->g[k];
    g[3] = g[3] + before->g[2] + own->g[1] + after->g[0];
  }
}

static __attribute__((noinline)) void make_frames(viper_access *w) {
  const viper_pairs *p = &w->line->pairs;
  const viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  for (int32_t r = 0; r < w->line->rows; r++) {
    const viper_line_joint *before = &p->joint[r - 1], *after = &p->joint[r];
    viper_real *g = p->frame[r].total, h[3][3];
    viper_linearize_frame(w, viper_row(r), inv_h2, g, h);
    viper_pack(3, &h[0][0], p->frame[r].start);
    VIPER_UNROLL for (int k = 0; k < 3; k++) g[k] =
        g[k] + p->segment[r].g[8 + k] + before->g[6 + k] + after->g[3 + k];
  }
}

static void viper_assemble(viper_access *w, bool uniform) {
  (void)uniform;
  make_segments(w);
  make_joints(w);
  make_nodes(w);
  make_frames(w);
}

static viper_slope viper_solve(viper_access *w) {
  viper_slope out;
  out.slope = viper_pairs_solve(&w->line->pairs, &out.shifted);
  return out;
}

VIPER_FN viper_real node_norm2(const viper_access *w, viper_at at) {
  const viper_real *g = w->line->pairs.node[at.row].total;
  viper_node_inertia a = viper_get_node_inertia(w, at, false);
  return (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / a.mass + g[3] * g[3] / a.scale;
}

VIPER_FN viper_real frame_norm2(const viper_access *w, viper_at at) {
  const viper_real *g = w->line->pairs.frame[at.row].total;
  return (g[0] * g[0] + g[1] * g[1] + VIPER_R(0.5) * g[2] * g[2]) / viper_get_inertia(w, at);
}

static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  double sum = 0;
  (void)uniform;
  VIPER_TOTAL(w, sum, b->first_node, b->n_nodes, node_norm2(w, at));
  VIPER_TOTAL(w, sum, b->first_segment, b->n_segments, frame_norm2(w, at));
  return sum;
}

bool viper_lines_direct(void *self, int32_t single, const viper_arrays *arrays,
                        const viper_settings *settings, double h) {
  viper_line *l = &((viper_all_lines *)self)->line[single];
  if (!l->body)
    return false;
  viper_line_load(l, arrays, true);
  viper_access w = {.line = l,
                    .model = &l->model,
                    .h = (viper_scalar)h,
                    .changed = VIPER_LINE_NODE | VIPER_LINE_FRAME};
  viper_barrier(&w);
  viper_iterate_direct(&w, settings, false);
  viper_line_put(l, arrays);
  return true;
}
