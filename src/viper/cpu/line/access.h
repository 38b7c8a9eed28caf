// SPDX-License-Identifier: GPL-3.0-or-later
/// Element access of phase functions for a line: an index is a row of all lanes. Rows behind the
/// last and before the first repeat those of the lanes beside; what phases change in them is
/// brought back where phases end. Included, before the phases, by the source that sweeps lines.
#ifndef VIPER_CPU_LINE_ACCESS_H
#define VIPER_CPU_LINE_ACCESS_H

#include "viper/cpu/line/line.h"
#include "viper/method/frame_pin.h"
#include "viper/settings/constants.h"

/// An element: a row. Of methods whose elements move their unknowns, with the lanes that have the
/// element that moves; null where all may.
typedef struct viper_at {
  int32_t row;
  const viper_mask *there;
} viper_at;

/// Elements that a step of a loop takes. All elements of a kind, which are more than there are
/// rows, are all rows.
#define VIPER_STRIDE 1

/// What phases changed since rows were brought to the lanes beside: kinds of data.
enum {
  VIPER_LINE_NODE = 1,
  VIPER_LINE_FRAME = 2,
  VIPER_LINE_NODE_SUM = 4,
  VIPER_LINE_FRAME_SUM = 8,
  VIPER_LINE_TURN = 16,
  VIPER_LINE_PULL = 32,
  VIPER_LINE_HOLD = 64,
  VIPER_LINE_AXIS = 128,
  VIPER_LINE_H2A = 256,
  /// Shifts of a kind for its changes in the first row behind the last, and in the second.
  VIPER_LINE_AFTER = 9,
  VIPER_LINE_SECOND = 18
};

/// A line at work.
typedef struct viper_access {
  viper_line *line;
  const viper_model *model;
  const viper_adjacency *adjacency;
  const int32_t *order; ///< rows of phases where elements have no list; null: as they lie
  viper_scalar h;
  bool moves;       ///< whether elements move their unknowns
  bool second;      ///< of `direct` (method/linearize.h)
  viper_real part;  ///< likewise
  uint32_t changed; ///< since the latest barrier
} viper_access;

/// Each lane's value from the lane behind it, and before it, around.
VIPER_FN viper_real viper_from_next(viper_real x) {
#if VIPER_LANES == 2
  return __builtin_shufflevector(x, x, 1, 0);
#elif VIPER_LANES == 4
  return __builtin_shufflevector(x, x, 1, 2, 3, 0);
#elif VIPER_LANES == 8
  return __builtin_shufflevector(x, x, 1, 2, 3, 4, 5, 6, 7, 0);
#else
  return __builtin_shufflevector(x, x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
#endif
}

VIPER_FN viper_real viper_from_before(viper_real x) {
#if VIPER_LANES == 2
  return __builtin_shufflevector(x, x, 1, 0);
#elif VIPER_LANES == 4
  return __builtin_shufflevector(x, x, 3, 0, 1, 2);
#elif VIPER_LANES == 8
  return __builtin_shufflevector(x, x, 7, 0, 1, 2, 3, 4, 5, 6);
#else
  return __builtin_shufflevector(x, x, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
#endif
}

/// Copies a row of `n` numbers as the lane behind, or before, sees it.
VIPER_FN void viper_bring_next(const void *from, size_t n, void *to) {
  VIPER_UNROLL for (size_t k = 0; k < n; k++)((viper_real *)to)[k] =
      viper_from_next(((const viper_real *)from)[k]);
}

VIPER_FN void viper_bring_before(const void *from, size_t n, void *to) {
  VIPER_UNROLL for (size_t k = 0; k < n; k++)((viper_real *)to)[k] =
      viper_from_before(((const viper_real *)from)[k]);
}

VIPER_FN bool viper_is_static(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN bool viper_holds_frames(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN void viper_share(const viper_access *w, int32_t first, int32_t count, int32_t *begin,
                          int32_t *end) {
  *begin = first;
  *end = first + (count < w->line->rows ? count : w->line->rows);
}

// A field of which rows from -1 to the last are looked at; and one from the first row to `reach`
// behind the last, in which elements may have changed it.
#define VIPER_BRING_BEFORE(name, KIND)                                                             \
  if (changed & VIPER_LINE_##KIND)                                                                 \
    viper_bring_before(&l->name[m - 1], VIPER_REALS(*l->name), &l->name[-1]);
#define VIPER_BRING_AFTER(name, KIND, reach)                                                       \
  VIPER_UNROLL for (int k = 0; k < (reach); k++) if (changed & VIPER_LINE_##KIND) {                \
    if (changed >> (k ? VIPER_LINE_SECOND : VIPER_LINE_AFTER) & VIPER_LINE_##KIND)                 \
      viper_bring_before(&l->name[m + k], VIPER_REALS(*l->name), &l->name[k]);                     \
    else                                                                                           \
      viper_bring_next(&l->name[k], VIPER_REALS(*l->name), &l->name[m + k]);                       \
  }

/// Ends a phase: lanes see what those beside them changed.
VIPER_FN void viper_barrier(viper_access *w) {
  viper_line *l = w->line;
  const int32_t m = l->rows;
  const uint32_t changed = w->changed;
  VIPER_BRING_AFTER(node, NODE, 2)
  if (changed & VIPER_LINE_NODE && !w->moves) {
    viper_bring_before(&l->node[m - 1], VIPER_REALS(viper_node_x), &l->node[-1]);
    l->node[-2].s = viper_from_before(l->node[m - 2].s);
  }
  if (changed & VIPER_LINE_FRAME && !w->moves) // of segments and joints before a row
    VIPER_UNROLL for (int k = 1; k <= (VIPER_N_OTHER_JOINT_TERMS > 0 ? 2 : 1); k++)
        viper_bring_before(&l->frame[m - k], VIPER_REALS(viper_quat), &l->frame[-k]);
  VIPER_BRING_AFTER(frame, FRAME, 1)
  VIPER_BRING_AFTER(node_sum, NODE_SUM, 2)
  VIPER_BRING_AFTER(frame_sum, FRAME_SUM, 1)
  VIPER_BRING_BEFORE(turn, TURN)
  VIPER_BRING_BEFORE(pull, PULL)
  VIPER_BRING_BEFORE(hold, HOLD)
  VIPER_BRING_BEFORE(axis, AXIS)
  VIPER_BRING_AFTER(h2a, H2A, 2)
  VIPER_BRING_AFTER(frame_h2a, H2A, 1)
  w->changed = 0;
}
#undef VIPER_BRING_BEFORE
#undef VIPER_BRING_AFTER

VIPER_FN const viper_model_body *viper_access_body(const viper_access *w) {
  return w->model->body;
}

VIPER_FN const int32_t *viper_access_phases(const viper_access *w) {
  return w->adjacency->body_phase;
}

VIPER_FN viper_at viper_row(int32_t row) {
  viper_at at = {row, NULL};
  return at;
}

/// Element number `e` of `list`, or row `e` of the phases.
VIPER_FN viper_at viper_at_of(const viper_access *w, const int32_t *list, int32_t e, int32_t end) {
  (void)end;
  if (list)
    return viper_row(list[e]);
  if (!w->order)
    return viper_row(e);
  viper_at at = viper_row(w->order[e]);
  const int joints = e >= w->line->rows;
  if (w->moves && w->line->partial[joints][at.row])
    at.there = &w->line->there[joints][at.row];
  return at;
}

/// Notes that a row is changed, of the kind of data `kind`.
VIPER_FN void viper_note_changed(viper_access *w, int32_t row, uint32_t kind) {
  const int32_t behind = row - w->line->rows;
  w->changed |= kind;
  if (behind >= 0)
    w->changed |= kind << (behind ? VIPER_LINE_SECOND : VIPER_LINE_AFTER);
}

// The fields. Those that elements change in neighbors note where.
#define VIPER_DEFINE_GET(name, type)                                                               \
  VIPER_FN type viper_get_##name(const viper_access *w, viper_at at) {                             \
    return w->line->name[at.row];                                                                  \
  }
#define VIPER_DEFINE_SET(name, type, kind)                                                         \
  VIPER_FN void viper_set_##name(viper_access *w, viper_at at, type x) {                           \
    w->line->name[at.row] = x;                                                                     \
    if (kind)                                                                                      \
      viper_note_changed(w, at.row, kind);                                                         \
  }
#define VIPER_DEFINE_FIELD(name, type, kind)                                                       \
  VIPER_DEFINE_GET(name, type) VIPER_DEFINE_SET(name, type, kind)
VIPER_DEFINE_GET(node, viper_node_x)
VIPER_DEFINE_GET(frame, viper_quat)
VIPER_DEFINE_GET(node_hat, viper_node_x)
VIPER_DEFINE_GET(frame_hat, viper_quat)
VIPER_DEFINE_GET(node_rate, viper_node_x)
VIPER_DEFINE_GET(node_old, viper_node_x)
VIPER_DEFINE_GET(frame_old, viper_quat)
VIPER_DEFINE_GET(inertia, viper_real)
VIPER_DEFINE_FIELD(h2a, viper_node_inertia, VIPER_LINE_H2A)
VIPER_DEFINE_FIELD(frame_h2a, viper_real, VIPER_LINE_H2A)
VIPER_DEFINE_FIELD(segment_lambda, viper_segment_lambda, 0)
VIPER_DEFINE_FIELD(joint_lambda, viper_joint_lambda, 0)
VIPER_DEFINE_FIELD(node_sum, viper_node_x, VIPER_LINE_NODE_SUM)
VIPER_DEFINE_FIELD(frame_sum, viper_vec3, VIPER_LINE_FRAME_SUM)
VIPER_DEFINE_FIELD(turn, viper_turn, VIPER_LINE_TURN)
VIPER_DEFINE_FIELD(hold, viper_hold, VIPER_LINE_HOLD)
VIPER_DEFINE_FIELD(pull, viper_pull, VIPER_LINE_PULL)
VIPER_DEFINE_FIELD(inverse, viper_inverse, 0)
VIPER_DEFINE_FIELD(node_start, viper_node_x, 0)
VIPER_DEFINE_FIELD(frame_start, viper_quat, 0)
#undef VIPER_DEFINE_FIELD
#undef VIPER_DEFINE_SET

/// `x` in the lanes that have the element that moves it, `old` in others.
VIPER_FN viper_real viper_moved(viper_at at, viper_real x, viper_real old) {
  return VIPER_SELECT(*at.there, x, old);
}

VIPER_FN void viper_set_node(viper_access *w, viper_at at, viper_node_x x) {
  viper_node_x *to = &w->line->node[at.row];
  if (w->moves && at.there) {
    to->c = viper_vec3_make(viper_moved(at, x.c.x, to->c.x), viper_moved(at, x.c.y, to->c.y),
                            viper_moved(at, x.c.z, to->c.z));
    to->s = viper_moved(at, x.s, to->s);
  } else {
    *to = x;
  }
  viper_note_changed(w, at.row, VIPER_LINE_NODE);
}

VIPER_FN viper_real viper_get_scale(const viper_access *w, viper_at at) {
  return w->line->node[at.row].s;
}

VIPER_FN void viper_set_scale(viper_access *w, viper_at at, viper_real s) {
  viper_real *to = &w->line->node[at.row].s;
  *to = w->moves && at.there ? viper_moved(at, s, *to) : s;
  viper_note_changed(w, at.row, VIPER_LINE_NODE);
}

/// Pinned frames stay as they are.
VIPER_FN void viper_set_free_frame(viper_access *w, viper_at at, viper_quat q) {
  viper_quat *x = &w->line->frame[at.row];
  if (w->moves && at.there)
    q = viper_quat_make(viper_moved(at, q.w, x->w), viper_moved(at, q.x, x->x),
                        viper_moved(at, q.y, x->y), viper_moved(at, q.z, x->z));
  if (w->line->frame_pinned[at.row]) {
    viper_real free = w->line->frame_free[at.row];
    q = viper_quat_make(VIPER_SELECT(free > 0, q.w, x->w), VIPER_SELECT(free > 0, q.x, x->x),
                        VIPER_SELECT(free > 0, q.y, x->y), VIPER_SELECT(free > 0, q.z, x->z));
  }
  *x = q;
  viper_note_changed(w, at.row, VIPER_LINE_FRAME);
}

// Rest data: `uniform` counts for batches.
#define VIPER_DEFINE_REST(name, type, get)                                                         \
  VIPER_FN type viper_get_##get(const viper_access *w, viper_at at, int uniform) {                 \
    (void)uniform;                                                                                 \
    return w->line->name[at.row];                                                                  \
  }
VIPER_DEFINE_REST(node_inertia, viper_node_inertia, node_inertia)
VIPER_DEFINE_REST(segment, viper_segment_rest, segment_rest)
VIPER_DEFINE_REST(solid, viper_solid_rest, solid)
VIPER_DEFINE_REST(segment_spring, viper_segment_spring, segment_spring)
VIPER_DEFINE_REST(joint_spring, viper_joint_spring, joint_spring)
#undef VIPER_DEFINE_REST

/// All segments lie along the chain; compilers know it.
VIPER_FN viper_joint_rest viper_get_joint_rest(const viper_access *w, viper_at at, int uniform) {
  viper_joint_rest out = w->line->joint[at.row];
  (void)uniform;
  out.flip_j = out.flip_k = viper_splat(1);
  return out;
}

VIPER_FN int viper_solid_of(const viper_access *w) {
  return w->model->body->solid;
}

#include "viper/cpu/core/plain_access.h"

/// Scenes whose frames have moments of inertia of their own have no lines.
VIPER_FN bool viper_has_moments(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN viper_moments viper_get_moments(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return (viper_moments){0};
}

/// The row `by` rows on, changed by the same element.
VIPER_FN viper_at viper_row_after(viper_at at, int32_t by) {
  at.row += by;
  return at;
}

VIPER_FN viper_at viper_segment_node(const viper_access *w, viper_at at, int side) {
  (void)w;
  return viper_row_after(at, side);
}

VIPER_FN viper_at viper_joint_node(const viper_access *w, viper_at at, int role) {
  (void)w;
  return viper_row_after(at, role);
}

VIPER_FN viper_at viper_joint_segment(const viper_access *w, viper_at at, int side) {
  (void)w;
  return viper_row_after(at, side);
}

/// All joints of a line act on their outer scales.
VIPER_FN bool viper_joint_outer(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return true;
}

VIPER_FN viper_vec3 viper_get_axis(const viper_access *w, viper_at at) {
  return w->line->axis[at.row];
}

VIPER_FN void viper_note_axis(viper_access *w, viper_at at) {
  w->line->axis[at.row] = viper_quat_w(w->line->frame[at.row]);
  w->changed |= VIPER_LINE_AXIS;
}

VIPER_FN bool viper_node_pinned(const viper_access *w, viper_at at) {
  return w->line->node_pinned[at.row];
}

/// Whether a segment has a pinned unknown in any lane.
VIPER_FN bool viper_segment_pinned(const viper_access *w, viper_at at) {
  const uint8_t *node = w->line->node_pinned + at.row;
  return node[0] | node[1] | w->line->frame_pinned[at.row];
}

/// Likewise a joint.
VIPER_FN bool viper_joint_pinned(const viper_access *w, viper_at at) {
  const uint8_t *node = w->line->node_pinned + at.row, *frame = w->line->frame_pinned + at.row;
  return node[0] | node[1] | node[2] | frame[0] | frame[1];
}

VIPER_FN void viper_get_free(const viper_access *w, viper_at at, viper_real free[4]) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) free[k] = w->line->node_free[at.row][k];
}

VIPER_FN viper_real viper_get_frame_free(const viper_access *w, viper_at at) {
  return w->line->frame_free[at.row];
}

VIPER_FN viper_constants viper_access_constants(const viper_access *w,
                                                const viper_settings *settings) {
  (void)w;
  return viper_constants_of(settings);
}

VIPER_FN viper_node_inertia viper_get_node_weight(const viper_access *w, viper_at at) {
  return w->line->weight[at.row];
}

VIPER_FN viper_real viper_get_frame_weight(const viper_access *w, viper_at at) {
  return w->line->frame_weight[at.row];
}

/// One element acts on a row in each role: that of the row so many before.
VIPER_FN int32_t viper_adjacent_count(const viper_access *w, const viper_table *t, int32_t roles,
                                      viper_at at, int32_t role) {
  (void)w;
  (void)t;
  (void)roles;
  (void)at;
  (void)role;
  return 1;
}

VIPER_FN viper_at viper_adjacent(const viper_access *w, const viper_table *t, int32_t roles,
                                 viper_at at, int32_t role, int32_t k) {
  (void)w;
  (void)t;
  (void)roles;
  (void)k;
  return viper_row_after(at, -role);
}

#endif
