// SPDX-License-Identifier: GPL-3.0-or-later
/// Element access of phase functions for a batch: one index holds for all lanes. Included, before
/// the phases, only by the source that computes batches. `uniform` is a compile-time constant.
#ifndef VIPER_CPU_ACCESS_BATCH_H
#define VIPER_CPU_ACCESS_BATCH_H

#include "viper/cpu/batch.h"

/// An element: a node, a segment (and its frame) or a joint.
typedef int32_t viper_at;

/// Elements that a step of a loop takes.
#define VIPER_STRIDE 1

/// The part of a range that this thread works on: all of it.
VIPER_FN void viper_share(const viper_access *w, int32_t first, int32_t count, int32_t *begin,
                          int32_t *end) {
  (void)w;
  *begin = first;
  *end = first + count;
}

VIPER_FN void viper_barrier(const viper_access *w) {
  (void)w;
}

/// The body at work, and its range of the phases of block descent.
VIPER_FN const viper_model_body *viper_access_body(const viper_access *w) {
  return w->model->body;
}

VIPER_FN const int32_t *viper_access_phases(const viper_access *w) {
  return w->adjacency->body_phase;
}

/// Element number `e` of `list`, or `e` itself where that is null.
VIPER_FN viper_at viper_at_of(const viper_access *w, const int32_t *list, int32_t e, int32_t end) {
  (void)w;
  (void)end;
  return list ? list[e] : e;
}

// Rest data of a uniform body group, each scalar in all lanes, member by member: compilers then
// read them where they are used.
VIPER_FN viper_vec3 viper_uniform_vec3(const viper_scalar *p) {
  return viper_vec3_make(viper_splat(p[0]), viper_splat(p[1]), viper_splat(p[2]));
}

VIPER_FN viper_quat viper_uniform_quat(const viper_scalar *p) {
  return viper_quat_make(viper_splat(p[0]), viper_splat(p[1]), viper_splat(p[2]),
                         viper_splat(p[3]));
}

VIPER_FN viper_node_inertia viper_get_node_inertia(const viper_access *w, viper_at at,
                                                   bool uniform) {
  if (!uniform)
    return w->batch->node_inertia[at];
  const viper_scalar *p = w->uniform->node_inertia + VIPER_REALS(viper_node_inertia) * (size_t)at;
  viper_node_inertia out = {viper_splat(p[0]), viper_splat(p[1])};
  return out;
}

VIPER_FN viper_frame_rest viper_get_frame_rest(const viper_access *w, viper_at at, bool uniform) {
  if (!uniform)
    return w->batch->frame_rest[at];
  viper_frame_rest out = {viper_splat(w->uniform->frame_rest[at])};
  return out;
}

VIPER_FN viper_segment_rest viper_get_segment_rest(const viper_access *w, viper_at at,
                                                   bool uniform) {
  if (!uniform)
    return w->batch->segment[at];
  const viper_scalar *p = w->uniform->segment + VIPER_REALS(viper_segment_rest) * (size_t)at;
#define K(name, NAME) viper_splat(p[1 + VIPER_TERM_##NAME]),
  viper_segment_rest out = {viper_splat(p[0]), VIPER_SEGMENT_TERMS(K)};
#undef K
  return out;
}

VIPER_FN viper_joint_rest viper_get_joint_rest(const viper_access *w, viper_at at, int uniform) {
  if (!uniform)
    return w->batch->joint[at];
  const viper_scalar *p = w->uniform->joint + VIPER_REALS(viper_joint_rest) * (size_t)at;
#define K(name, NAME) viper_splat(p[12 + VIPER_TERM_##NAME]),
  viper_joint_rest out = {viper_uniform_quat(p),
                          viper_splat(uniform == VIPER_ALONG ? 1 : p[4]),
                          viper_splat(uniform == VIPER_ALONG ? 1 : p[5]),
                          viper_uniform_vec3(p + 6),
                          viper_splat(p[9]),
                          viper_splat(p[10]),
                          viper_splat(p[11]),
                          VIPER_JOINT_TERMS(K)};
#undef K
  return out;
}

/// viper_segment_spring_of, viper_joint_spring_of: of a uniform body group they are there.
VIPER_FN viper_segment_spring viper_get_segment_spring(const viper_access *w, viper_at at,
                                                       int uniform) {
  if (!uniform)
    return viper_segment_spring_of(&w->batch->segment[at]);
  const viper_scalar *p =
      w->uniform->segment_spring + VIPER_REALS(viper_segment_spring) * (size_t)at;
  VIPER_ASSERT(VIPER_REALS(viper_segment_spring) == 7, "all members below");
  viper_segment_spring out = {viper_splat(p[0]), viper_splat(p[1]), viper_splat(p[2]),
                              viper_splat(p[3]), viper_splat(p[4]), viper_splat(p[5]),
                              viper_splat(p[6])};
  return out;
}

VIPER_FN viper_joint_spring viper_get_joint_spring(const viper_access *w, viper_at at,
                                                   int uniform) {
  if (!uniform)
    return viper_joint_spring_of(&w->batch->joint[at]);
  const viper_scalar *p = w->uniform->joint_spring + VIPER_REALS(viper_joint_spring) * (size_t)at;
  VIPER_ASSERT(VIPER_REALS(viper_joint_spring) == 14, "all members below");
  viper_joint_spring out = {viper_uniform_vec3(p),
                            viper_splat(p[3]),
                            viper_splat(p[4]),
                            viper_splat(p[5]),
                            viper_splat(p[6]),
                            viper_splat(p[7]),
                            {viper_splat(p[8]), viper_splat(p[9]), viper_splat(p[10])},
                            {viper_splat(p[11]), viper_splat(p[12]), viper_splat(p[13])}};
  return out;
}

VIPER_FN viper_at viper_segment_node(const viper_access *w, viper_at at, int side) {
  return w->chain ? at + side : w->model->segment[at].node[side];
}

VIPER_FN viper_at viper_joint_node(const viper_access *w, viper_at at, int role) {
  return w->chain ? at + role : w->model->joint[at].node[role];
}

VIPER_FN viper_at viper_joint_segment(const viper_access *w, viper_at at, int side) {
  return w->chain ? at + side : w->model->joint[at].segment[side];
}

/// Whether a joint acts on its outer scales; else they may be left alone.
VIPER_FN bool viper_joint_outer(const viper_access *w, viper_at at) {
  return w->chain || w->model->joint[at].outer;
}

VIPER_FN viper_node_x viper_get_node(const viper_access *w, viper_at at) {
  return w->batch->node[at];
}

VIPER_FN viper_node_x viper_get_node_hat(const viper_access *w, viper_at at) {
  return w->batch->node_hat[at];
}

VIPER_FN void viper_set_node(viper_access *w, viper_at at, viper_node_x x) {
  w->batch->node[at] = x;
}

VIPER_FN viper_real viper_get_scale(const viper_access *w, viper_at at) {
  return w->batch->node[at].s;
}

VIPER_FN void viper_set_scale(viper_access *w, viper_at at, viper_real s) {
  w->batch->node[at].s = s;
}

VIPER_FN viper_quat viper_get_frame(const viper_access *w, viper_at at) {
  return w->batch->frame[at];
}

VIPER_FN viper_quat viper_get_frame_hat(const viper_access *w, viper_at at) {
  return w->batch->frame_hat[at];
}

VIPER_FN bool viper_frame_pinned(const viper_access *w, viper_at at) {
  return w->model->segment[at].pinned & VB_PIN_FRAME;
}

/// Pinned frames stay as they are.
VIPER_FN void viper_set_frame(viper_access *w, viper_at at, viper_quat q) {
  viper_quat *x = &w->batch->frame[at];
  if (!viper_frame_pinned(w, at)) {
    *x = q;
  } else if (w->batch->frame_free) {
    viper_real free = w->batch->frame_free[at];
    *x = viper_quat_make(VIPER_SELECT(free > 0, q.w, x->w), VIPER_SELECT(free > 0, q.x, x->x),
                         VIPER_SELECT(free > 0, q.y, x->y), VIPER_SELECT(free > 0, q.z, x->z));
  }
}

/// The direction of a segment's frame, as noted when the frame was moved.
VIPER_FN viper_vec3 viper_get_axis(const viper_access *w, viper_at at) {
  return w->scratch->axis[at];
}

VIPER_FN void viper_note_axis(viper_access *w, viper_at at) {
  w->scratch->axis[at] = viper_quat_w(w->batch->frame[at]);
}

VIPER_FN bool viper_node_pinned(const viper_access *w, viper_at at) {
  return w->model->node[at].pinned;
}

/// Whether a segment has a pinned unknown: of its nodes, or its frame.
VIPER_FN bool viper_segment_pinned(const viper_access *w, viper_at at) {
  return viper_node_pinned(w, viper_segment_node(w, at, 0)) ||
         viper_node_pinned(w, viper_segment_node(w, at, 1)) || viper_frame_pinned(w, at);
}

/// Likewise a joint.
VIPER_FN bool viper_joint_pinned(const viper_access *w, viper_at at) {
  bool pinned = viper_frame_pinned(w, viper_joint_segment(w, at, 0)) ||
                viper_frame_pinned(w, viper_joint_segment(w, at, 1));
  for (int k = 0; k < 3; k++)
    pinned = pinned || viper_node_pinned(w, viper_joint_node(w, at, k));
  return pinned;
}

/// 1 for free components of a node, 0 for pinned ones.
VIPER_FN void viper_get_free(const viper_access *w, viper_at at, viper_real free[4]) {
  if (w->batch->node_free) {
    VIPER_UNROLL for (int k = 0; k < 4; k++) free[k] = w->batch->node_free[4 * (size_t)at + k];
    return;
  }
  VIPER_UNROLL for (int k = 0; k < 4; k++) free[k] =
      viper_splat((viper_scalar)(w->model->node[at].pinned >> k & 1 ? 0 : 1));
}

/// 1 where a frame is free, 0 where it is pinned.
VIPER_FN viper_real viper_get_frame_free(const viper_access *w, viper_at at) {
  if (w->batch->frame_free)
    return w->batch->frame_free[at];
  return viper_splat((viper_scalar)(viper_frame_pinned(w, at) ? 0 : 1));
}

/// A frame's inertia about u and v in this substep; about w it is twice that.
VIPER_FN viper_real viper_get_inertia(const viper_access *w, viper_at at) {
  return w->scratch->inertia[at];
}

VIPER_FN viper_node_inertia viper_get_h2a(const viper_access *w, viper_at at) {
  return w->scratch->h2a[at];
}

VIPER_FN void viper_set_h2a(viper_access *w, viper_at at, viper_node_inertia a) {
  w->scratch->h2a[at] = a;
}

VIPER_FN viper_real viper_get_frame_h2a(const viper_access *w, viper_at at) {
  return w->scratch->frame_h2a[at];
}

VIPER_FN void viper_set_frame_h2a(viper_access *w, viper_at at, viper_real a) {
  w->scratch->frame_h2a[at] = a;
}

#define VIPER_DEFINE_LAMBDA(kind, ROWS)                                                            \
  VIPER_FN void viper_get_##kind##_lambda(const viper_access *w, viper_at at,                      \
                                          viper_real out[ROWS]) {                                  \
    VIPER_UNROLL for (int k = 0; k < (ROWS); k++) out[k] =                                         \
        w->scratch->kind##_lambda[(size_t)at * (ROWS) + (size_t)k];                                \
  }                                                                                                \
  VIPER_FN void viper_set_##kind##_lambda(viper_access *w, viper_at at,                            \
                                          const viper_real in[ROWS]) {                             \
    VIPER_UNROLL for (int k = 0; k < (ROWS); k++)                                                  \
        w->scratch->kind##_lambda[(size_t)at * (ROWS) + (size_t)k] = in[k];                        \
  }
VIPER_DEFINE_LAMBDA(segment, VIPER_SEGMENT_ROWS)
VIPER_DEFINE_LAMBDA(joint, VIPER_JOINT_ROWS)
#undef VIPER_DEFINE_LAMBDA

/// What joints note of themselves, and frames of their blocks.
#define VIPER_DEFINE_NOTE(kind)                                                                    \
  VIPER_FN viper_##kind viper_get_##kind(const viper_access *w, viper_at at) {                     \
    return w->scratch->kind[at];                                                                   \
  }                                                                                                \
  VIPER_FN void viper_set_##kind(viper_access *w, viper_at at, viper_##kind x) {                   \
    w->scratch->kind[at] = x;                                                                      \
  }
VIPER_DEFINE_NOTE(turn)
VIPER_DEFINE_NOTE(hold)
VIPER_DEFINE_NOTE(pull)
VIPER_DEFINE_NOTE(inverse)
#undef VIPER_DEFINE_NOTE

VIPER_FN viper_node_x viper_get_node_sum(const viper_access *w, viper_at at) {
  return w->scratch->node_sum[at];
}

VIPER_FN void viper_set_node_sum(viper_access *w, viper_at at, viper_node_x x) {
  w->scratch->node_sum[at] = x;
}

VIPER_FN viper_vec3 viper_get_frame_sum(const viper_access *w, viper_at at) {
  return w->scratch->frame_sum[at];
}

VIPER_FN void viper_set_frame_sum(viper_access *w, viper_at at, viper_vec3 x) {
  w->scratch->frame_sum[at] = x;
}

/// One over the number of terms that act on a node's center and on its scale, and on a frame.
VIPER_FN viper_node_inertia viper_get_node_weight(const viper_access *w, viper_at at) {
  viper_node_inertia out = {
      viper_splat((viper_scalar)1 / (viper_scalar)w->adjacency->node_count[at].center),
      viper_splat((viper_scalar)1 / (viper_scalar)w->adjacency->node_count[at].scale)};
  return out;
}

VIPER_FN viper_real viper_get_frame_weight(const viper_access *w, viper_at at) {
  return viper_splat((viper_scalar)1 / (viper_scalar)w->adjacency->frame_count[at]);
}

/// How many elements of a table act on a row in a role, and number `k` of them. In a chain element
/// `e` acts on row e + role in that role.
VIPER_FN int32_t viper_adjacent_count(const viper_access *w, const viper_table *t, int32_t roles,
                                      viper_at at, int32_t role) {
  if (w->chain) {
    size_t n = t == &w->adjacency->node_segment ? w->model->n_segments : w->model->n_joints;
    return (uint32_t)(at - role) < (uint32_t)n;
  }
  const int32_t *first = t->first + (size_t)roles * (size_t)at + role;
  return first[1] - first[0];
}

VIPER_FN viper_at viper_adjacent(const viper_access *w, const viper_table *t, int32_t roles,
                                 viper_at at, int32_t role, int32_t k) {
  return w->chain ? at - role : t->element[t->first[roles * at + role] + k];
}

#endif
