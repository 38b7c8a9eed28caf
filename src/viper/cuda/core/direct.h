// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` on a device: the iteration of viper/method/direct.h by a
/// cooperative group, with sums over its threads, assembly color by color and factorization in
/// stages.
#ifndef VIPER_CUDA_CORE_DIRECT_H
#define VIPER_CUDA_CORE_DIRECT_H

#include "viper/cuda/core/follow.h"
#include "viper/cuda/core/tiles.h"
#include "viper/method/motion.h"

#define VIPER_PRECISE viper_pair
#if VIPER_PRECISION == 64
#define VIPER_PRECISE_CONSTANT(w, settings, name) ((void)(settings), (w)->launch->constants.name)
#else
#define VIPER_PRECISE_CONSTANT(w, settings, name)                                                  \
  ((void)(settings),                                                                               \
   viper_pair((w)->launch->constants.name, (w)->launch->constants.name##_remainder))
#endif
#define VIPER_WIDE_ANY(m)  (m)
#define VIPER_WIDE_SQRT(x) viper_pair_sqrt(x)
#define VIPER_TOTAL(w, total, first, count, element_value)                                         \
  do {                                                                                             \
    VIPER_EACH(w, NULL, first, count, (w)->workspace.value[at] = (element_value));                 \
    (total) = viper_add_values((w), (w)->workspace.value, (count), (total));                       \
  } while (0)

#define VIPER_TOTALS(w, total, first, count, value_of, first_too, count_too, value_of_too)         \
  do {                                                                                             \
    VIPER_EACH(w, NULL, first, count, (w)->workspace.value[at] = (value_of));                      \
    VIPER_EACH(w, NULL, first_too, count_too,                                                      \
               (w)->workspace.value[(count) + at] = (value_of_too));                               \
    (total) = viper_add_values((w), (w)->workspace.value, (count) + (count_too), (total));         \
  } while (0)

/// Values that are read at once: those that are not there are 0, which changes no sum.
#define VIPER_VALUES_AT_ONCE 4

/// Adds `n` values one after the other.
template <typename number>
VIPER_ON_BODY viper_pair viper_add_row(const number *value, int32_t n, viper_pair total) {
  VIPER_ROLLED for (int32_t k = 0; k < n; k += VIPER_VALUES_AT_ONCE) {
    number x[VIPER_VALUES_AT_ONCE];
    VIPER_UNROLL for (int j = 0; j < VIPER_VALUES_AT_ONCE; j++) {
      const number read = value[k + j < n ? k + j : k];
      x[j] = k + j < n ? read : number(0);
    }
    VIPER_UNROLL for (int j = 0; j < VIPER_VALUES_AT_ONCE; j++)
        viper_pair_add(&total, viper_pair(x[j]));
  }
  return viper_pair_settle(total);
}

/// Phase function: the sum of part `at` of `n` values.
template <typename number>
VIPER_ON_BODY void viper_add_chunk(const number *value, int32_t n, int32_t at, viper_pair *sums) {
  int32_t first = at * VIPER_SUM_CHUNK,
          count = n - first < VIPER_SUM_CHUNK ? n - first : VIPER_SUM_CHUNK;
  sums[at] = viper_add_row(value + first, count, viper_pair(0));
}

/// Adds `n` values; every thread of the group gets the sum. Up to VIPER_ROW of them one after the
/// other, in double as the CPU does; more in parts, then these sums, which `sums` has room for,
/// likewise. It is called: a substep has some twenty sums.
template <typename number>
VIPER_CALLED viper_pair viper_add_by(viper_coop_thread thread, const number *value, int32_t n,
                                     viper_pair total, viper_pair *sums) {
  int32_t chunks = (n + VIPER_SUM_CHUNK - 1) / VIPER_SUM_CHUNK;
  viper_coop_sync(&thread);
  if (n <= VIPER_ROW) {
    total = viper_add_row(value, n, total);
    viper_coop_sync(&thread);
    return total;
  }
  for (int32_t at = thread.rank; at < chunks; at += thread.size)
    viper_add_chunk(value, n, at, sums);
  viper_coop_sync(&thread);
  while (chunks > VIPER_ROW) {
    int32_t next = (chunks + VIPER_SUM_CHUNK - 1) / VIPER_SUM_CHUNK;
    for (int32_t at = thread.rank; at < next; at += thread.size)
      viper_add_chunk(sums, chunks, at, sums + chunks);
    viper_coop_sync(&thread);
    sums += chunks;
    chunks = next;
  }
  total = viper_add_row(sums, chunks, total);
  viper_coop_sync(&thread);
  return total;
}

template <typename number>
VIPER_ON_BODY viper_pair viper_add_values(const viper_access *w, const number *value, int32_t n,
                                          viper_pair total) {
  return viper_add_by(w->thread, value, n, total, (viper_pair *)w->workspace.partial);
}

VIPER_FN viper_real viper_narrow(viper_pair x) {
  return (viper_real)x;
}

VIPER_FN viper_node_x viper_get_node_old(const viper_access *w, viper_at at) {
  return viper_get_row(w->device->node, w->body->node + at);
}

VIPER_FN viper_node_x viper_get_node_rate(const viper_access *w, viper_at at) {
  return viper_get_row(w->device->node_rate, w->body->node + at);
}

VIPER_FN viper_quat viper_get_frame_old(const viper_access *w, viper_at at) {
  return viper_get_quat(w->device->frame, w->body->segment + at);
}

VIPER_FN int32_t viper_column_of_node(const viper_access *w, viper_at at) {
  return w->model->elimination.column_of[at];
}

VIPER_FN int32_t viper_column_of_frame(const viper_access *w, viper_at at) {
  return w->model->elimination.column_of[w->model->elimination.n_nodes + at];
}

VIPER_FN void viper_get_node_move(const viper_access *w, viper_at at, viper_real d[4]) {
  viper_get_four(w->workspace.move, viper_column_of_node(w, at), d);
}

VIPER_FN void viper_get_frame_move(const viper_access *w, viper_at at, viper_real d[3]) {
  viper_real four[4];
  viper_get_four(w->workspace.move, viper_column_of_frame(w, at), four);
  VIPER_UNROLL for (int k = 0; k < 3; k++) d[k] = four[k];
}

VIPER_ON_BODY void viper_assemble(viper_access *w, bool uniform);
VIPER_ON_BODY viper_slope viper_solve(viper_access *w);
VIPER_ON_BODY viper_pair viper_gradient_norm2(viper_access *w, bool uniform);

/// Phi, which a substep needs in three places, and assembly of a body in submatrices, in two.
template <bool STATIC> VIPER_CALLED viper_pair viper_phi_called(viper_call call);
template <bool STATIC> VIPER_CALLED void viper_assemble_called(viper_call call, int32_t submatrix);

#define VIPER_PHI(w, uniform)                                                                      \
  ((void)(uniform), viper_is_static(w) ? viper_phi_called<true>(viper_call_on(w))                  \
                                       : viper_phi_called<false>(viper_call_on(w)))

#include "viper/method/direct.h"

template <bool STATIC> VIPER_CALLED viper_pair viper_phi_called(viper_call call) {
  const viper_device device = *call.device;
  const viper_device_body_group group = device.group[call.body->group];
  viper_access w = viper_called_on(&call, &device, &group, VIPER_DIRECT, STATIC);
  return viper_phi(&w, false);
}

VIPER_FN void viper_set_block(viper_block *block, const viper_real lower[4][4]) {
  VIPER_UNROLL for (int i = 0; i < 4; i++) VIPER_UNROLL for (int j = 0; j < 4; j++) block->a[i][j] =
      j <= i ? lower[i][j] : VIPER_R(0);
}

/// Phase functions: a column begins with the inertial part, in the matrix where that has it.
VIPER_FN void viper_begin_node(viper_access *w, viper_matrix *m, viper_at at, viper_real inv_h2) {
  int32_t c = viper_column_of_node(w, at);
  viper_real g[4], diagonal[4], block[4][4];
  bool own = VIPER_HAS_COLUMN(m, c);
  if (!own && !VIPER_HAS_GRADIENT(m))
    return;
  viper_linearize_node(w, at, inv_h2, false, g, diagonal);
  VIPER_UNROLL for (int i = 0; i < 4; i++) VIPER_UNROLL for (int j = 0; j < 4; j++) block[i][j] =
      i == j ? diagonal[i] : VIPER_R(0);
  if (own)
    viper_set_block(VIPER_DIAGONAL(m, c), block);
  if (VIPER_HAS_GRADIENT(m))
    viper_set_four(w->workspace.gradient, c, g);
}

VIPER_FN void viper_begin_frame(viper_access *w, viper_matrix *m, viper_at at, viper_real inv_h2) {
  int32_t c = viper_column_of_frame(w, at);
  viper_real g[4], h[3][3], block[4][4];
  bool own = VIPER_HAS_COLUMN(m, c);
  if (!own && !VIPER_HAS_GRADIENT(m))
    return;
  viper_linearize_frame(w, at, inv_h2, g, h);
  VIPER_UNROLL for (int i = 0; i < 4; i++) VIPER_UNROLL for (int j = 0; j < 4; j++) block[i][j] =
      i < 3 && j <= i ? h[i < 3 ? i : 0][j < 3 ? j : 0] : VIPER_R(i == j ? 1 : 0);
  g[3] = VIPER_R(0);
  if (own)
    viper_set_block(VIPER_DIAGONAL(m, c), block);
  if (VIPER_HAS_GRADIENT(m))
    viper_set_four(w->workspace.gradient, c, g);
}

VIPER_FN void viper_clear_block(viper_matrix *m, int32_t at) {
  const viper_real zero[4] = {VIPER_R(0), VIPER_R(0), VIPER_R(0), VIPER_R(0)};
  VIPER_UNROLL for (int k = 0; k < 4; k++) viper_set_four(&m->block->a[0][0], 4 * at + k, zero);
}

/// Whether an element adds to what a matrix has: then a vertex of it is among its columns.
VIPER_FN bool viper_has_segment(const viper_matrix *m, viper_at at) {
  const int32_t *node = m->model->segment[at].node;
  return VIPER_HAS_GRADIENT(m) || VIPER_HAS_COLUMN(m, viper_node_column(m, node[0])) ||
         VIPER_HAS_COLUMN(m, viper_node_column(m, node[1])) ||
         VIPER_HAS_COLUMN(m, viper_frame_column(m, at));
}

VIPER_FN bool viper_has_joint(const viper_matrix *m, viper_at at) {
  const viper_device_joint *joint = &m->model->joint[at];
  bool has = VIPER_HAS_GRADIENT(m);
  VIPER_UNROLL for (int k = 0; k < 3; k++) has =
      has || VIPER_HAS_COLUMN(m, viper_node_column(m, joint->node[k]));
  VIPER_UNROLL for (int k = 0; k < 2; k++) has =
      has || VIPER_HAS_COLUMN(m, viper_frame_column(m, joint->segment[k]));
  return has;
}

/// Phase functions: what an element adds. Those of a color share no column. Where the matrix is is
/// found again afterwards: the numbers of an element take all registers.
VIPER_ON_BODY void viper_add_segment(viper_access *w, int32_t submatrix, viper_at at) {
  viper_real g[VIPER_SEGMENT_UNKNOWNS], packed[VIPER_SEGMENT_PACKED];
  viper_matrix m = viper_matrix_now(w, submatrix);
  if (!viper_has_segment(&m, at))
    return;
  viper_linearize_segment(w, at, false, g, packed);
  viper_forget();
  m = viper_matrix_now(w, submatrix);
  viper_couple_segment(&m, at, g, packed);
}

VIPER_ON_BODY void viper_add_joint(viper_access *w, int32_t submatrix, viper_at at) {
  viper_real g[VIPER_JOINT_UNKNOWNS], packed[VIPER_JOINT_PACKED];
  viper_matrix m = viper_matrix_now(w, submatrix);
  if (!viper_has_joint(&m, at))
    return;
  viper_linearize_joint(w, at, false, g, packed);
  viper_forget();
  m = viper_matrix_now(w, submatrix);
  viper_couple_joint(&m, at, g, packed);
}

/// Whether threads have registers to hold an element while others are added: in double its numbers
/// take all of them.
#define VIPER_HOLDS_ELEMENTS (VIPER_PRECISION == 32)

/// Adds all elements to the matrix of a body that is in one submatrix. All threads linearize an
/// element each, of whatever color, then add them color by color; and so on.
VIPER_ON_BODY void viper_add_elements(viper_access *w) {
  const viper_model_body *b = &w->model->body;
  const int32_t n_segments = b->n_segments, n = n_segments + b->n_joints, size = w->thread.size;
  int32_t p = 0;
  VIPER_ROLLED for (int32_t round = 0; round < n; round += size) {
    const int32_t at = round + w->thread.rank;
    viper_real g[VIPER_SEGMENT_UNKNOWNS], packed[VIPER_SEGMENT_PACKED];
    if (at < n_segments)
      viper_linearize_segment(w, at, false, g, packed);
    else if (at < n)
      viper_linearize_joint(w, at - n_segments, false, g, packed);
    VIPER_ROLLED for (bool more = true; more;) {
      viper_forget(); // registers are needed for the elements
      const viper_phase *phase = &w->model->phase[p];
      const int32_t first = phase->first + (phase->joints ? n_segments : 0);
      const int32_t end = first + phase->count;
      if (at >= first && at < end) {
        viper_matrix m = viper_matrix_of(w);
        if (at < n_segments)
          viper_couple_segment(&m, at, g, packed);
        else
          viper_couple_joint(&m, at - n_segments, g, packed);
      }
      viper_barrier(w);
      more = end < round + size && p + 1 < b->n_phases;
      p += end <= round + size;
    }
  }
}

/// Assembles the matrix of a submatrix or the top. Colors rise with the elements' numbers, so sums
/// are those of one element after the other.
VIPER_ON_BODY void viper_assemble_submatrix(viper_access *w, int32_t submatrix) {
  const viper_model_body *b = &w->model->body;
  viper_matrix m = viper_matrix_now(w, submatrix);
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  VIPER_EACH(w, NULL, 0, m.range.block_end - m.range.block, viper_clear_block(&m, at));
  VIPER_EACH(w, NULL, 0, b->n_nodes, viper_begin_node(w, &m, at, inv_h2));
  VIPER_EACH(w, NULL, 0, b->n_segments, viper_begin_frame(w, &m, at, inv_h2));
  viper_barrier(w);
  if (VIPER_HOLDS_ELEMENTS && !w->submatrices) {
    viper_add_elements(w);
    return;
  }
  VIPER_ROLLED for (int32_t p = 0; p < b->n_phases; p++) {
    const viper_phase *phase = &w->model->phase[p];
    if (phase->joints)
      VIPER_EACH(w, NULL, phase->first, phase->count, viper_add_joint(w, submatrix, at));
    else
      VIPER_EACH(w, NULL, phase->first, phase->count, viper_add_segment(w, submatrix, at));
    viper_barrier(w);
  }
}

template <bool STATIC> VIPER_CALLED void viper_assemble_called(viper_call call, int32_t submatrix) {
  viper_access w = viper_called_on(&call, call.device, &call.device->group[call.body->group],
                                   VIPER_DIRECT, STATIC);
  w.submatrices = true;
  viper_assemble_submatrix(&w, submatrix);
}

/// The same of a body that may be in submatrices.
VIPER_ON_BODY void viper_assemble_one(viper_access *w, int32_t submatrix) {
  if (viper_is_static(w))
    viper_assemble_called<true>(viper_call_on(w), submatrix);
  else
    viper_assemble_called<false>(viper_call_on(w), submatrix);
}

/// Of a body in several submatrices, the gradient and what the top has.
VIPER_ON_BODY void viper_assemble(viper_access *w, bool uniform) {
  const int32_t n = w->model->elimination.submatrices.n;
  (void)uniform;
  if (w->submatrices)
    viper_assemble_one(w, n > 1 ? n : 0);
  else
    viper_assemble_submatrix(w, 0);
}

/// Begins the solution of columns [begin, end).
VIPER_ON_BODY void viper_begin_moves(viper_access *w, int32_t begin, int32_t end) {
  viper_matrix all = viper_matrix_of(w); // of which only gradient and solution are there
  VIPER_EACH(w, NULL, begin, end - begin, viper_begin_move(&all, at));
  viper_barrier(w);
}

/// What a submatrix, which is factored, does to the top.
VIPER_ON_BODY void viper_act_on_top(viper_access *w, const viper_matrix *m) {
  viper_matrix top = viper_matrix_of_submatrix(w, w->model->elimination.submatrices.n);
  viper_act_on(w, m, &top, top.range.column, top.range.end - top.range.column);
}

/// One submatrix after the other goes forward, each in the room of the one before, then acts on the
/// top; then the top; then the submatrices go backward, the last one first. That is still there;
/// the others are made anew. So all but one take twice the work, and all together the room of one.
/// A submatrix that is the only one was assembled with the gradient.
VIPER_ON_BODY void viper_solve_submatrices(viper_access *w) {
  const int32_t n = w->model->elimination.submatrices.n;
  VIPER_ROLLED for (int32_t visit = 0; visit <= 2 * n; visit++) {
    const int32_t submatrix = visit <= n ? visit : 2 * n - visit;
    viper_forget(); // registers are needed for the elements
    viper_matrix m = viper_matrix_now(w, submatrix);
    if (n > 1 && submatrix < n && (visit < n || submatrix < n - 1)) {
      viper_assemble_one(w, submatrix);
      viper_begin_moves(w, m.range.column, m.range.end);
    }
    viper_forget();
    if (visit <= n || submatrix < n - 1)
      viper_forward_stages(w, &m, submatrix);
    if (visit < n)
      viper_act_on_top(w, &m);
    else
      viper_backward_stages(w, &m, submatrix);
  }
}

VIPER_ON_BODY viper_slope viper_solve(viper_access *w) {
  const int32_t n = (int32_t)w->model->elimination.n_columns;
  viper_begin_moves(w, 0, n);
  if (w->submatrices) {
    viper_solve_submatrices(w);
  } else {
    viper_matrix m = viper_matrix_of(w);
    viper_forward_passes(w, &m);
    viper_backward_levels(w, &m);
  }
  viper_slope sum;
  sum.shifted = viper_add_values(w, w->workspace.value, n, viper_pair(0));
  sum.slope = viper_add_values(w, (const viper_pair *)w->workspace.slope, n, viper_pair(0));
  return sum;
}

VIPER_FN viper_real viper_node_norm2(const viper_access *w, viper_at at) {
  viper_real g[4];
  viper_node_inertia a = viper_get_node_inertia(w, at, false);
  viper_get_four(w->workspace.gradient, viper_column_of_node(w, at), g);
  return (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / a.mass + g[3] * g[3] / a.scale;
}

VIPER_FN viper_real viper_frame_norm2(const viper_access *w, viper_at at) {
  viper_real g[4];
  viper_get_four(w->workspace.gradient, viper_column_of_frame(w, at), g);
  if (viper_has_moments(w)) {
    viper_moments m = viper_get_moments(w, at);
    return (g[0] * g[0] + g[1] * g[1] / m.v + g[2] * g[2] / m.w) / viper_get_inertia(w, at);
  }
  return (g[0] * g[0] + g[1] * g[1] + VIPER_R(0.5) * g[2] * g[2]) / viper_get_inertia(w, at);
}

VIPER_ON_BODY viper_pair viper_gradient_norm2(viper_access *w, bool uniform) {
  const viper_model_body *b = &w->model->body;
  viper_pair sum = viper_pair(0);
  (void)uniform;
  VIPER_TOTALS(w, sum, 0, b->n_nodes, viper_node_norm2(w, at), 0, b->n_segments,
               viper_frame_norm2(w, at));
  return sum;
}

#endif
