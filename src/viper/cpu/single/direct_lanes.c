// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` on a single body: elements several at a time, one in a lane; the matrix
/// entry by entry. Threads share a divided body partition by partition
/// (viper/linear/elimination.h).
#define VIPER_NO_ADJACENCY
#ifndef VIPER_STATICS_ONLY
#define VIPER_NO_STATICS
#endif
#include "viper/cpu/single/access.h"
#include "viper/cpu/single/single.h"
#include "viper/cpu/single/sums.h"

#define VIPER_PRECISE_CONSTANT(w, s, name) ((s)->name)
#define VIPER_ENTRY                        viper_scalar
#define VIPER_ENTRY_IS_SCALAR
#define VIPER_ENTRY_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_ENTRY_ONE             ((viper_scalar)1)

#include "viper/linear/factor.h"

/// The columns of vertices: nodes, or frames where `offset` is the number of nodes.
VIPER_CALL viper_at viper_columns(const viper_access *w, viper_at at, int32_t offset) {
  for (int lane = 0; lane < VIPER_LANES; lane++)
    at.i[lane] = w->a->elimination->column_of[offset + at.i[lane]];
  return at;
}

VIPER_FN void viper_get_node_move(const viper_access *w, viper_at at, viper_real d[4]) {
  at = viper_columns(w, at, 0);
  viper_gather_rows(w->a->move, &at, 4, 0, 4, d);
}

VIPER_FN void viper_get_frame_move(const viper_access *w, viper_at at, viper_real d[3]) {
  at = viper_columns(w, at, (int32_t)w->model->n_nodes);
  viper_gather_rows(w->a->move, &at, 4, 0, 3, d);
}

static void viper_assemble(viper_access *w, bool uniform);
static viper_slope viper_solve(viper_access *w);
static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform);

#include "viper/cpu/single/blocks.h"
#include "viper/method/direct.h"

static viper_matrix matrix_of(const viper_access *w) {
  const viper_arrays *a = w->a;
  return (viper_matrix){a->elimination,
                        w->model,
                        (viper_block *)a->diagonal,
                        (viper_block *)a->block,
                        (viper_scalar(*)[VIPER_BLOCK])a->gradient,
                        (viper_scalar(*)[VIPER_BLOCK])a->move};
}

/// Whether this thread works on a partition; the top is the first thread's.
static bool is_mine(const viper_access *w, int partition) {
  return (partition == VIPER_TOP ? 0 : partition % w->thread_group.size) == w->thread_group.rank;
}

/// The partition that all of an element's columns are in, or the top.
static int partition_of(const viper_elimination *e, const int32_t *column, int n) {
  int partition = e->partition[column[0]];
  for (int i = 1; i < n; i++)
    partition = e->partition[column[i]] == partition ? partition : VIPER_TOP;
  return partition;
}

static int segment_partition(const viper_matrix *m, int32_t j) {
  const int32_t *node = m->model->segment[j].node;
  const int32_t column[3] = {viper_node_column(m, node[0]), viper_node_column(m, node[1]),
                             viper_frame_column(m, j)};
  return partition_of(m->elimination, column, 3);
}

static int joint_partition(const viper_matrix *m, int32_t t) {
  const viper_model_joint *joint = &m->model->joint[t];
  const int32_t column[5] = {
      viper_node_column(m, joint->node[0]), viper_node_column(m, joint->node[1]),
      viper_node_column(m, joint->node[2]), viper_frame_column(m, joint->segment[0]),
      viper_frame_column(m, joint->segment[1])};
  return partition_of(m->elimination, column, 5);
}

/// Which lanes hold an element of `partition`: a bit each.
static uint32_t lanes_of_partition(const viper_matrix *m, const viper_at *at, int partition,
                                   int (*find)(const viper_matrix *, int32_t)) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < at->n; lane++)
    lanes |= (uint32_t)(find(m, at->i[lane]) == partition) << lane;
  return lanes;
}

/// Adds the segments of a partition.
static void assemble_segments(viper_access *w, viper_matrix *m, int partition) {
  const int32_t first = w->body->first_segment, end = first + w->body->n_segments;
  for (int32_t e = first; e < end; e += VIPER_LANES) {
    viper_at at = viper_at_of(w, NULL, e, end);
    uint32_t lanes = lanes_of_partition(m, &at, partition, segment_partition);
    if (lanes)
      add_segments(w, m, at, lanes);
  }
}

static void assemble_joints(viper_access *w, viper_matrix *m, int partition) {
  const int32_t first = w->body->first_joint, end = first + w->body->n_joints;
  for (int32_t e = first; e < end; e += VIPER_LANES) {
    viper_at at = viper_at_of(w, NULL, e, end);
    uint32_t lanes = lanes_of_partition(m, &at, partition, joint_partition);
    if (lanes)
      add_joints(w, m, at, lanes);
  }
}

static int32_t first_column(const viper_model_body *b) {
  return b->first_node + b->first_segment;
}

static int32_t end_column(const viper_model_body *b) {
  return first_column(b) + b->n_nodes + b->n_segments;
}

/// The first column of the body's top; the end of its columns where it is not divided.
static int32_t top_column(const viper_access *w) {
  return w->a->elimination->top[w->body - w->model->body];
}

static int count_partitions(const viper_access *w) {
  return top_column(w) < end_column(w->body) ? VIPER_MAX_PARTITIONS : 1;
}

static void clear_blocks(viper_access *w) {
  const viper_elimination *e = w->a->elimination;
  int64_t first = e->first_block[first_column(w->body)];
  int64_t n = e->first_block[end_column(w->body)] - first;
  int64_t from = first + n * w->thread_group.rank / w->thread_group.size;
  int64_t to = first + n * (w->thread_group.rank + 1) / w->thread_group.size;
  memset(w->a->block + 16 * from, 0, (size_t)(16 * (to - from)) * sizeof *w->a->block);
}

static void assemble_whole(viper_access *w) {
  const viper_model_body *b = w->body;
  viper_matrix m = matrix_of(w);
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  clear_blocks(w);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, start_node(w, &m, at, inv_h2));
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, start_frame(w, &m, at, inv_h2));
  viper_barrier(w);
  for (int partition = 0; partition < count_partitions(w); partition++)
    if (is_mine(w, partition)) {
      assemble_segments(w, &m, partition);
      assemble_joints(w, &m, partition);
    }
  viper_barrier(w);
  if (top_column(w) < end_column(b) && is_mine(w, VIPER_TOP)) {
    assemble_segments(w, &m, VIPER_TOP);
    assemble_joints(w, &m, VIPER_TOP);
  }
  viper_barrier(w);
}

/// Factors the columns of a partition in [from, to), and applies them to columns before `end`.
static void factor_columns(viper_matrix *m, int partition, int32_t from, int32_t to, int32_t end) {
  for (int32_t p = from; p < to; p++)
    if (m->elimination->partition[p] == partition) {
      viper_factor_diagonal(&m->diagonal[p]);
      viper_divide_column(m, p);
      viper_apply_column(m, p, from, end);
    }
}

/// The same, and solves forward: for rows before `end`. Adds what the columns give to
/// gradient . move.
static void factor_forward(viper_matrix *m, int partition, int32_t from, int32_t to, int32_t end,
                           viper_slope *slope) {
  for (int32_t p = from; p < to; p++)
    if (m->elimination->partition[p] == partition) {
      viper_factor_diagonal(&m->diagonal[p]);
      viper_divide_column(m, p);
      viper_apply_column(m, p, from, end);
      viper_slope_add(slope, viper_forward_own(m, p));
      viper_forward_rows(m, p, from, end);
    }
}

/// What the partitions' columns from `from` on do to the top, then the top itself.
static viper_slope factor_top(viper_access *w, viper_matrix *m, int32_t from) {
  const viper_elimination *e = m->elimination;
  int32_t end = end_column(w->body), top = top_column(w);
  viper_slope slope = {0, 0};
  for (int32_t p = from; p < top; p++)
    if (e->first_block[p + 1] > e->first_block[p] && e->row[e->first_block[p + 1] - 1] >= top) {
      viper_apply_column(m, p, top, end);
      viper_forward_rows(m, p, top, end);
    }
  factor_forward(m, VIPER_TOP, top, end, end, &slope);
  return slope;
}

/// Solves backward for the columns of a partition in [from, to).
static void back_columns(viper_matrix *m, int partition, int32_t from, int32_t to) {
  for (int32_t p = to - 1; p >= from; p--)
    if (m->elimination->partition[p] == partition)
      viper_backward(m, p);
}

/// Notes what a partition, or the top behind the last, gives to gradient . move.
static void note_slope(const viper_access *w, int partition, viper_slope slope) {
  w->a->slope[2 * partition] = slope.slope;
  w->a->slope[2 * partition + 1] = slope.shifted;
}

static viper_slope add_slopes(const viper_access *w) {
  viper_slope sum = {0, 0};
  for (int partition = 0; partition <= VIPER_MAX_PARTITIONS; partition++) {
    sum.slope += w->a->slope[2 * partition];
    sum.shifted += w->a->slope[2 * partition + 1];
  }
  viper_barrier(w);
  return sum;
}

static viper_slope solve_whole(viper_access *w) {
  viper_matrix m = matrix_of(w);
  int n_partitions = count_partitions(w);
  int32_t first = first_column(w->body), end = end_column(w->body), top = top_column(w);
  if (n_partitions == 1)
    return viper_factor_and_solve(&m, first, end);
  for (int32_t p = first; p < end; p++)
    if (is_mine(w, m.elimination->partition[p]))
      viper_begin_move(&m, p);
  viper_barrier(w);
  for (int partition = 0; partition < n_partitions; partition++)
    if (is_mine(w, partition)) {
      viper_slope slope = {0, 0};
      factor_forward(&m, partition, first, top, top, &slope);
      note_slope(w, partition, slope);
    }
  viper_barrier(w);
  if (is_mine(w, VIPER_TOP)) {
    note_slope(w, VIPER_MAX_PARTITIONS, factor_top(w, &m, first));
    back_columns(&m, VIPER_TOP, top, end);
  }
  viper_barrier(w);
  for (int partition = 0; partition < n_partitions; partition++)
    if (is_mine(w, partition))
      back_columns(&m, partition, first, top);
  viper_barrier(w);
  return add_slopes(w);
}

#include "viper/cpu/single/factor_panels.h"

static void viper_assemble(viper_access *w, bool uniform) {
  (void)uniform;
  if (w->a->panels)
    assemble_panels(w);
  else
    assemble_whole(w);
}

static viper_slope viper_solve(viper_access *w) {
  return w->a->panels ? solve_panels(w) : solve_whole(w);
}

VIPER_FN viper_real node_norm2(const viper_access *w, viper_at at) {
  viper_real g[4];
  viper_at column = viper_columns(w, at, 0);
  viper_node_inertia a = viper_get_node_inertia(w, at, false);
  viper_gather_rows(w->a->gradient, &column, 4, 0, 4, g);
  return (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / a.mass + g[3] * g[3] / a.scale;
}

VIPER_FN viper_real frame_norm2(const viper_access *w, viper_at at) {
  viper_real g[3];
  viper_at column = viper_columns(w, at, (int32_t)w->model->n_nodes);
  viper_gather_rows(w->a->gradient, &column, 4, 0, 3, g);
  if (viper_has_moments(w)) {
    viper_moments m = viper_get_moments(w, at);
    return (g[0] * g[0] + g[1] * g[1] / m.v + g[2] * g[2] / m.w) / viper_get_inertia(w, at);
  }
  return (g[0] * g[0] + g[1] * g[1] + VIPER_R(0.5) * g[2] * g[2]) / viper_get_inertia(w, at);
}

static VIPER_WIDE viper_gradient_norm2(viper_access *w, bool uniform) {
  const viper_model_body *b = w->body;
  double sum = 0;
  (void)uniform;
  VIPER_TOTAL(w, sum, b->first_node, b->n_nodes, node_norm2(w, at));
  VIPER_TOTAL(w, sum, b->first_segment, b->n_segments, frame_norm2(w, at));
  return sum;
}

#ifdef VIPER_STATICS_ONLY
#undef viper_single_direct
#define viper_single_direct viper_single_static
#endif

void viper_single_direct(const viper_arrays *a, const viper_model_body *body,
                         const viper_settings *settings, double h,
                         viper_thread_group thread_group) {
#ifndef VIPER_STATICS_ONLY
  if (settings->dynamics == VIPER_STATIC) {
    viper_single_static(a, body, settings, h, thread_group);
    return;
  }
#endif
  viper_access w = {a,
                    a->model,
                    a->adjacency,
                    body,
                    thread_group,
                    (viper_scalar)h,
                    NULL,
                    false,
                    {0},
                    settings->dynamics == VIPER_STATIC,
                    false};
  if (a->panels)
    w.chain = &a->panels->chain[body - a->model->body];
  viper_iterate_direct(&w, settings, false);
}
