// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` on a batch: every entry of the matrix is one in each lane.
#include "viper/cpu/batch/access.h"
#include "viper/cpu/batch/sums.h"
#include "viper/cpu/core/block.h"

#include <string.h>

#define VIPER_NO_STATICS
#define VIPER_PRECISE_CONSTANT(w, s, name) ((s)->name)
// Compilers compare vectors longer than a register lane by lane. 0 or 1 times a part are the same
// bits.
#define VIPER_WIDE_NEGATIVE(sign, part) ((part) * (0.5 - 0.5 * VIPER_WIDEN(sign)))
#define VIPER_ENTRY                     viper_real
#define VIPER_ENTRY_SELECT(m, a, b)     VIPER_SELECT((m), (a), (b))
#define VIPER_ENTRY_ONE                 viper_splat((viper_scalar)1)

#include "viper/linear/chain.h"

VIPER_FN viper_matrix viper_matrix_of(const viper_access *w) {
  const viper_scratch *s = w->scratch;
  viper_matrix m = {w->elimination, w->model, s->diagonal, s->block, s->gradient, s->move};
  return m;
}

VIPER_FN void viper_get_node_move(const viper_access *w, viper_at at, viper_real d[4]) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) d[k] =
      w->scratch->move[w->elimination->column_of[at]][k];
}

VIPER_FN void viper_get_frame_move(const viper_access *w, viper_at at, viper_real d[3]) {
  int32_t column = w->elimination->column_of[(int32_t)w->model->n_nodes + at];
  VIPER_UNROLL for (int k = 0; k < 3; k++) d[k] = w->scratch->move[column][k];
}

static void viper_assemble(viper_access *w, bool uniform);
static viper_slope viper_solve(viper_access *w);
static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform);

#include "viper/method/direct.h"

VIPER_FN void start_node(viper_access *w, viper_matrix *m, viper_at at, bool uniform) {
  int32_t column = viper_node_column(m, at);
  viper_real diagonal[4], inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  memset(&m->diagonal[column], 0, sizeof m->diagonal[column]);
  viper_linearize_node(w, at, inv_h2, uniform, m->gradient[column], diagonal);
  VIPER_UNROLL for (int k = 0; k < 4; k++) m->diagonal[column].a[k][k] = diagonal[k];
}

VIPER_FN void start_frame(viper_access *w, viper_matrix *m, viper_at at) {
  int32_t column = viper_frame_column(m, at);
  viper_real h[3][3], inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  memset(&m->diagonal[column], 0, sizeof m->diagonal[column]);
  viper_linearize_frame(w, at, inv_h2, m->gradient[column], h);
  VIPER_UNROLL for (int i = 0; i < 3; i++) VIPER_UNROLL for (int j = 0; j <= i; j++)
      m->diagonal[column]
          .a[i][j] = h[i][j];
  m->gradient[column][3] = VIPER_R(0);
  m->diagonal[column].a[3][3] = VIPER_R(1);
}

static __attribute__((noinline)) void assemble_segments(viper_access *w, viper_matrix *m,
                                                        bool uniform) {
  viper_real g[VIPER_SEGMENT_UNKNOWNS], packed[VIPER_SEGMENT_PACKED];
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++) {
    viper_linearize_segment(w, j, uniform, g, packed);
    viper_couple_segment(m, j, g, packed);
  }
}

static __attribute__((noinline)) void assemble_joints(viper_access *w, viper_matrix *m,
                                                      bool uniform) {
  viper_real g[VIPER_JOINT_UNKNOWNS], packed[VIPER_JOINT_PACKED];
  for (int32_t t = 0; t < (int32_t)w->model->n_joints; t++) {
    viper_linearize_joint(w, t, uniform, g, packed);
    viper_couple_joint(m, t, g, packed);
  }
}

static void assemble_whole(viper_access *w, bool uniform) {
  viper_matrix m = viper_matrix_of(w);
  memset(m.block, 0, w->elimination->n_blocks * sizeof *m.block);
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++)
    start_node(w, &m, i, uniform);
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++)
    start_frame(w, &m, j);
  assemble_segments(w, &m, uniform);
  assemble_joints(w, &m, uniform);
}

#include "viper/cpu/batch/chain.h"

static bool is_chain(const viper_access *w) {
  return w->batch->group->root > 0;
}

static void viper_assemble(viper_access *w, bool uniform) {
  if (!is_chain(w))
    assemble_whole(w, uniform);
  else if (!w->streams)
    assemble_chain(w, uniform);
}

static viper_slope viper_solve(viper_access *w) {
  if (is_chain(w))
    return solve_chain(w, w->batch->group->uniform);
  viper_matrix m = viper_matrix_of(w);
  return viper_factor_and_solve(&m, 0, (int32_t)w->elimination->n_columns);
}

static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform) {
  VIPER_WIDE sum = VIPER_WIDE_ZERO;
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    const viper_real *g = w->scratch->gradient[w->elimination->column_of[i]];
    viper_node_inertia a = viper_get_node_inertia(w, i, uniform);
    sum += VIPER_WIDEN((g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / a.mass + g[3] * g[3] / a.scale);
  }
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++) {
    int32_t column = w->elimination->column_of[(int32_t)w->model->n_nodes + j];
    const viper_real *g = w->scratch->gradient[column];
    viper_real norm2 = g[0] * g[0] + g[1] * g[1] + VIPER_R(0.5) * g[2] * g[2];
    if (viper_has_moments(w)) {
      viper_moments m = viper_get_moments(w, j);
      norm2 = g[0] * g[0] + g[1] * g[1] / m.v + g[2] * g[2] / m.w;
    }
    sum += VIPER_WIDEN(norm2 / viper_get_inertia(w, j));
  }
  return sum;
}

void viper_batch_take_chain(viper_scratch *s, char *block, size_t *at, size_t n) {
  s->chain_node = viper_take(block, at, n, sizeof *s->chain_node);
  s->chain_frame = viper_take(block, at, n, sizeof *s->chain_frame);
  s->slope = viper_take(block, at, n > 0 ? 2 * n : 0, sizeof *s->slope);
  s->elements = viper_take(block, at, n > 0, sizeof *s->elements);
}

void viper_batch_direct(viper_access *w, const viper_settings *settings) {
  w->streams = settings->tolerance <= 0;
  if (w->batch->group->uniform)
    viper_iterate_direct(w, settings, true);
  else
    viper_iterate_direct(w, settings, false);
}
