// SPDX-License-Identifier: GPL-3.0-or-later
/// Element access of phase functions for a single body: as many elements as there are lanes, each
/// with its own index, gathered from and scattered to arrays over the model. Included, before the
/// phases, by the sources that compute single bodies.
#ifndef VIPER_CPU_SINGLE_ACCESS_H
#define VIPER_CPU_SINGLE_ACCESS_H

#include "viper/cpu/core/arrays.h"
#include "viper/cpu/core/panels.h"
#include "viper/cpu/core/rows.h"
#include "viper/method/fields.h"
#include "viper/method/frame_pin.h"
#include "viper/settings/constants.h"

#include <string.h>

/// Elements: nodes, segments (and their frames) or joints. Lanes without one of their own repeat
/// the last. A negative index, -1 - i, stands for an element without stiffness that a row `i` with
/// fewer adjacent elements than others in its lanes is given.
typedef viper_rows viper_at;

#define VIPER_STRIDE VIPER_LANES

/// A single body at work.
typedef struct viper_access {
  const viper_arrays *a;
  const viper_model *model;
  const viper_adjacency *adjacency;
  const viper_model_body *body;
  viper_thread_group thread_group;
  viper_scalar h;
  const viper_panel_chain *chain; ///< how elements follow from each other, where they are not
                                  ///< looked up; else null
  bool second;                    ///< whether blocks have second derivatives (method/linearize.h)
  viper_real part;                ///< 1, or 0 of a body that has none
  bool is_static;                 ///< no inertia: method/statics.h
  bool frames_held;               ///< in statics: frames are held
} viper_access;

VIPER_FN bool viper_is_static(const viper_access *w) {
#if defined VIPER_STATICS_ONLY || defined VIPER_NO_STATICS
  (void)w;
#endif
#ifdef VIPER_STATICS_ONLY
  return true;
#elif defined VIPER_NO_STATICS
  return false;
#else
  return w->is_static;
#endif
}

/// Whether frames are held while centers and scales settle.
VIPER_FN bool viper_holds_frames(const viper_access *w) {
  return viper_is_static(w) && w->frames_held;
}

/// The part of a range that this thread works on, in whole lanes.
VIPER_FN void viper_share(const viper_access *w, int32_t first, int32_t count, int32_t *begin,
                          int32_t *end) {
  int64_t n = (count + VIPER_LANES - 1) / VIPER_LANES;
  int64_t from = n * w->thread_group.rank / w->thread_group.size,
          to = n * (w->thread_group.rank + 1) / w->thread_group.size;
  *begin = first + (int32_t)(from * VIPER_LANES);
  *end = first + (to == n ? count : (int32_t)(to * VIPER_LANES));
}

VIPER_FN void viper_barrier(const viper_access *w) {
  if (w->thread_group.size > 1) {
#pragma omp barrier
  }
}

VIPER_FN const viper_model_body *viper_access_body(const viper_access *w) {
  return w->body;
}

VIPER_FN const int32_t *viper_access_phases(const viper_access *w) {
  return w->adjacency->body_phase + (w->body - w->model->body);
}

/// Elements number `e` and on of `list`; no more than to `end`.
VIPER_CALL viper_at viper_at_listed(const int32_t *list, int32_t e, int32_t end) {
  viper_at at = {.n = end - e < VIPER_LANES ? end - e : VIPER_LANES};
  for (int lane = 0; lane < VIPER_LANES; lane++)
    at.i[lane] = list[e + (lane < at.n ? lane : at.n - 1)];
  return at;
}

/// The same, or elements `e` and on where there is no list.
VIPER_FN viper_at viper_at_of(const viper_access *w, const int32_t *list, int32_t e, int32_t end) {
  (void)w;
  if (list)
    return viper_at_listed(list, e, end);
  viper_at at = {.n = end - e < VIPER_LANES ? end - e : VIPER_LANES};
  VIPER_UNROLL for (int lane = 0; lane < VIPER_LANES; lane++) at.i[lane] =
      e + (lane < at.n ? lane : at.n - 1);
  return at;
}

VIPER_FN viper_real viper_gather(const viper_scalar *p, viper_at at, int width, int k) {
  viper_real out;
  viper_gather_rows(p, &at, width, k, 1, &out);
  return out;
}

VIPER_FN void viper_scatter(viper_scalar *p, viper_at at, int width, int k, viper_real x) {
  viper_scatter_rows(p, &at, width, k, 1, &x);
}

// Where no list of adjacency is followed there are no elements without stiffness
// (VIPER_NO_ADJACENCY).
#ifdef VIPER_NO_ADJACENCY
#define VIPER_NEGATIVE(i)   false
#define VIPER_CALL_ADJACENT VIPER_FN
#else
#define VIPER_NEGATIVE(i)   ((i) < 0)
#define VIPER_CALL_ADJACENT VIPER_CALL
#endif

// For its node an element without stiffness has that of its row, for all else the row behind the
// last (see viper_arrays): what another thread changes would be a race, and of a body that blows up
// 0 times it is not 0.

/// The same with elements without stiffness replaced by `other`.
VIPER_CALL_ADJACENT viper_at viper_at_or(viper_at at, int32_t other) {
  for (int lane = 0; lane < VIPER_LANES; lane++)
    at.i[lane] = VIPER_NEGATIVE(at.i[lane]) ? other : at.i[lane];
  return at;
}

// The fields: rows of scalars, gathered and scattered.
#define VIPER_DEFINE_FIELD(name, type, place, set, spare)                                          \
  VIPER_FN type viper_get_##name(const viper_access *w, viper_at at) {                             \
    type x;                                                                                        \
    if (spare)                                                                                     \
      at = viper_at_or(at, (int32_t)w->model->n_##place##s);                                       \
    viper_gather_rows(w->a->name, &at, VIPER_REALS(type), 0, VIPER_REALS(type), (viper_real *)&x); \
    return x;                                                                                      \
  }                                                                                                \
  VIPER_FN void viper_set_##name(viper_access *w, viper_at at, type x) {                           \
    viper_scatter_rows(w->a->name, &at, VIPER_REALS(type), 0, VIPER_REALS(type),                   \
                       (const viper_real *)&x);                                                    \
  }
VIPER_STATE_FIELDS(VIPER_DEFINE_FIELD)
VIPER_RATE_FIELDS(VIPER_DEFINE_FIELD)
VIPER_HISTORY_FIELDS(VIPER_DEFINE_FIELD)
VIPER_SPIN_FIELDS(VIPER_DEFINE_FIELD)
VIPER_OLD_FIELDS(VIPER_DEFINE_FIELD)
VIPER_METHOD_FIELDS(VIPER_DEFINE_FIELD)
#undef VIPER_DEFINE_FIELD

VIPER_FN viper_node_inertia viper_get_node_inertia(const viper_access *w, viper_at at,
                                                   bool uniform) {
  enum { N = VIPER_REALS(viper_node_inertia) };
  (void)uniform;
  viper_node_inertia out;
  viper_gather_rows(w->a->node_inertia, &at, N, 0, N, (viper_real *)&out);
  return out;
}

VIPER_FN viper_segment_rest viper_get_segment_rest(const viper_access *w, viper_at at,
                                                   bool uniform) {
  enum { N = VIPER_REALS(viper_segment_rest) };
  (void)uniform;
  viper_segment_rest out;
  at = viper_at_or(at, (int32_t)w->model->n_segments);
  viper_gather_rows(w->a->segment, &at, N, 0, N, (viper_real *)&out);
  return out;
}

VIPER_FN viper_joint_rest viper_get_joint_rest(const viper_access *w, viper_at at, bool uniform) {
  enum { N = VIPER_REALS(viper_joint_rest) };
  (void)uniform;
  viper_joint_rest out;
#ifdef VIPER_NO_ADJACENCY
  VIPER_UNROLL for (size_t c = 0; c < N; c++) memcpy(
      (viper_real *)&out + c, w->a->joint + c * w->a->joint_stride + at.i[0], sizeof(viper_real));
#else
  at = viper_at_or(at, (int32_t)w->model->n_joints);
  viper_gather_rows(w->a->joint, &at, N, 0, N, (viper_real *)&out);
#endif
  return out;
}

/// What block descent makes of them.
VIPER_FN viper_segment_spring viper_get_segment_spring(const viper_access *w, viper_at at,
                                                       int uniform) {
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  return viper_segment_spring_of(&rest);
}

VIPER_FN viper_joint_spring viper_get_joint_spring(const viper_access *w, viper_at at,
                                                   int uniform) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  return viper_joint_spring_of(&rest);
}

VIPER_CALL viper_at viper_segment_node(const viper_access *w, viper_at at, int side) {
  if (w->chain) {
    for (int lane = 0; lane < VIPER_LANES; lane++)
      at.i[lane] = viper_chain_number(&w->chain->segments, at.i[lane]) + w->body->first_node + side;
    return at;
  }
  for (int lane = 0; lane < VIPER_LANES; lane++)
    at.i[lane] =
        VIPER_NEGATIVE(at.i[lane]) ? -1 - at.i[lane] : w->model->segment[at.i[lane]].node[side];
  return at;
}

VIPER_CALL viper_at viper_joint_node(const viper_access *w, viper_at at, int role) {
  if (w->chain) {
    for (int lane = 0; lane < VIPER_LANES; lane++)
      at.i[lane] = viper_chain_number(&w->chain->joints, at.i[lane]) + w->body->first_node + role;
    return at;
  }
  for (int lane = 0; lane < VIPER_LANES; lane++)
    at.i[lane] =
        VIPER_NEGATIVE(at.i[lane]) ? -1 - at.i[lane] : w->model->joint[at.i[lane]].node[role];
  return at;
}

VIPER_CALL viper_at viper_joint_segment(const viper_access *w, viper_at at, int side) {
  if (w->chain) {
    const viper_chain_order *segments = &w->chain->segments;
    const int32_t odd = segments->n - 1; // of one color or two
    for (int lane = 0; lane < VIPER_LANES; lane++) {
      int32_t p = viper_chain_number(&w->chain->joints, at.i[lane]) + side;
      at.i[lane] = (p & odd ? segments->first[1] : segments->first[0]) + (p >> odd);
    }
    return at;
  }
  for (int lane = 0; lane < VIPER_LANES; lane++)
    at.i[lane] = VIPER_NEGATIVE(at.i[lane]) ? (int32_t)w->model->n_segments
                                            : w->model->joint[at.i[lane]].segment[side];
  return at;
}

/// Whether parts of frames are held, and what holds them.
VIPER_FN bool viper_has_held_frames(const viper_access *w) {
  return w->a->held != NULL;
}

VIPER_CALL viper_held viper_get_held(const viper_access *w, viper_at at) {
  enum { N = VIPER_REALS(viper_held) };
  viper_held out;
  at = viper_at_or(at, (int32_t)w->model->n_segments);
  viper_gather_rows(w->a->held, &at, N, 0, N, (viper_real *)&out);
  return out;
}

/// Whether frames have moments of inertia of their own, and these.
VIPER_FN bool viper_has_moments(const viper_access *w) {
  return w->a->moments != NULL;
}

VIPER_CALL viper_moments viper_get_moments(const viper_access *w, viper_at at) {
  enum { N = VIPER_REALS(viper_moments) };
  viper_moments out;
  viper_gather_rows(w->a->moments, &at, N, 0, N, (viper_real *)&out);
  return out;
}

/// What segments rest at: 1 and 1 in a scene without activations.
VIPER_CALL viper_contraction viper_gather_active(const viper_access *w, viper_at at) {
  viper_contraction out;
  at = viper_at_or(at, (int32_t)w->model->n_segments);
  viper_gather_rows(w->a->active, &at, 2, 0, 2, (viper_real *)&out);
  return out;
}

VIPER_FN viper_contraction viper_get_active(const viper_access *w, viper_at at) {
  return w->a->active ? viper_gather_active(w, at) : viper_passive();
}

/// Which segments of the body are of the material model solid, and what a segment has by that.
VIPER_FN int viper_solid_of(const viper_access *w) {
  return w->body->solid;
}

VIPER_CALL viper_solid_rest viper_get_solid(const viper_access *w, viper_at at, int uniform) {
  enum { N = VIPER_REALS(viper_solid_rest) };
  (void)uniform;
  viper_solid_rest out;
  at = viper_at_or(at, (int32_t)w->model->n_segments);
  viper_gather_rows(w->a->solid, &at, N, 0, N, (viper_real *)&out);
  return out;
}

/// Whether segments have bending factors, and how joints bend then.
VIPER_FN bool viper_has_bending(const viper_access *w) {
  return w->a->bending != NULL;
}

VIPER_CALL viper_bending viper_gather_bending(const viper_access *w, viper_at at) {
  enum { N = VIPER_REALS(viper_bending) };
  viper_bending out;
  at = viper_at_or(at, (int32_t)w->model->n_joints);
  viper_gather_rows(w->a->bending, &at, N, 0, N, (viper_real *)&out);
  return out;
}

VIPER_FN viper_bending viper_get_bending(const viper_access *w, viper_at at) {
  return viper_has_bending(w) ? viper_gather_bending(w, at) : viper_isotropic();
}

/// Whether there are fused rods, and how their joints twist then.
VIPER_FN bool viper_has_fused(const viper_access *w) {
  return w->a->fused != NULL;
}

VIPER_CALL viper_fused viper_get_fused(const viper_access *w, viper_at at) {
  enum { N = VIPER_REALS(viper_fused) };
  viper_fused out;
  at = viper_at_or(at, (int32_t)w->model->n_joints);
  viper_gather_rows(w->a->fused, &at, N, 0, N, (viper_real *)&out);
  return out;
}

/// Here always: where they do not count the outer scales are the middle one.
VIPER_FN bool viper_joint_outer(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return true;
}

VIPER_FN viper_real viper_get_scale(const viper_access *w, viper_at at) {
  return viper_gather(w->a->node, at, 4, 3);
}

VIPER_FN void viper_set_scale(viper_access *w, viper_at at, viper_real s) {
  viper_scatter(w->a->node, at, 4, 3, s);
}

/// Whether elements that lie one after the other are known to have no flag set. `flag` goes on for
/// as many more as there are lanes; null where there are no flags.
VIPER_FN bool viper_none_flagged(const uint8_t *flag, const viper_at *at) {
  uint8_t none[VIPER_LANES] = {0};
  int32_t apart = 0;
  if (!flag)
    return false;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    apart |= lane < at->n ? at->i[lane] - at->i[0] - lane : 0;
  return !apart && memcmp(flag + at->i[0], none, VIPER_LANES) == 0;
}

/// Pinned frames stay as they are, and held parts of others 0.
VIPER_CALL void viper_set_free_frame(viper_access *w, viper_at at, viper_quat q) {
  if (viper_none_flagged(w->a->frame_pinned, &at)) {
    viper_set_frame(w, at, q);
    return;
  }
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    q = viper_held_frame(&held, q);
  }
  for (int lane = 0; lane < at.n; lane++) {
    viper_scalar *p = w->a->frame + 4 * (size_t)at.i[lane];
    if (w->model->segment[at.i[lane]].pinned & VB_PIN_FRAME)
      continue;
    p[0] = q.w[lane];
    p[1] = q.x[lane];
    p[2] = q.y[lane];
    p[3] = q.z[lane];
  }
}

/// Nodes that follow drivers, those of this body or of all, go from where they are to where those
/// take them. By one thread, after all that moves them.
static inline void viper_follow_nodes(const viper_access *w) {
  if (!w->a->follow)
    return;
  viper_barrier(w);
  for (size_t k = 0; w->thread_group.rank == 0 && k < w->model->n_follows; k++) {
    const viper_model_follow *follow = &w->model->follow[k];
    viper_scalar *x = w->a->node + 4 * (size_t)follow->node, row[4], moved[3];
    if (w->body && w->body != &w->model->body[follow->body])
      continue;
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < 4; i++)
        row[i] = (viper_scalar)w->a->follow[12 * k + (size_t)(4 * c + i)];
      moved[c] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3];
    }
    memcpy(x, moved, sizeof moved);
  }
}

/// The direction of a segment's frame: not noted, but found anew.
VIPER_FN viper_vec3 viper_get_axis(const viper_access *w, viper_at at) {
  return viper_quat_w(viper_get_frame(w, at));
}

VIPER_FN void viper_note_axis(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
}

VIPER_CALL bool viper_node_pinned(const viper_access *w, viper_at at) {
  uint32_t pinned = 0;
  if (viper_none_flagged(w->a->node_pinned, &at))
    return false;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    pinned |= w->model->node[at.i[lane]].pinned;
  return pinned;
}

#ifdef VIPER_NO_ADJACENCY
// Elements are then worked on in their order.
VIPER_FN bool viper_any_pinned(const uint8_t *pinned, viper_at at) {
  uint8_t none[VIPER_LANES] = {0};
  return memcmp(pinned + at.i[0], none, VIPER_LANES) != 0;
}

/// Whether segments have a pinned unknown: of their nodes, or their frames.
VIPER_FN bool viper_segment_pinned(const viper_access *w, viper_at at) {
  return viper_any_pinned(w->a->segment_pinned, at);
}

/// Likewise joints.
VIPER_FN bool viper_joint_pinned(const viper_access *w, viper_at at) {
  return viper_any_pinned(w->a->joint_pinned, at);
}
#endif

VIPER_CALL void viper_get_free(const viper_access *w, viper_at at, viper_real free[4]) {
  if (viper_none_flagged(w->a->node_pinned, &at)) {
    for (int k = 0; k < 4; k++)
      free[k] = VIPER_R(1);
    return;
  }
  for (int k = 0; k < 4; k++)
    for (int lane = 0; lane < VIPER_LANES; lane++)
      free[k][lane] = w->model->node[at.i[lane]].pinned >> k & 1 ? 0 : 1;
}

VIPER_CALL viper_real viper_get_frame_free(const viper_access *w, viper_at at) {
  viper_real out = VIPER_R(1);
  if (viper_none_flagged(w->a->frame_pinned, &at))
    return out;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    out[lane] = w->model->segment[at.i[lane]].pinned & VB_PIN_FRAME ? 0 : 1;
  return out;
}

/// The options that are numbers, in the working precision.
VIPER_CALL viper_constants viper_access_constants(const viper_access *w,
                                                  const viper_settings *settings) {
  (void)w;
  return viper_constants_of(settings);
}

VIPER_CALL viper_node_inertia viper_get_node_weight(const viper_access *w, viper_at at) {
  viper_node_inertia out;
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const viper_counts *n = &w->adjacency->node_count[at.i[lane]];
    out.mass[lane] = (viper_scalar)1 / (viper_scalar)n->center;
    out.scale[lane] = (viper_scalar)1 / (viper_scalar)n->scale;
  }
  return out;
}

VIPER_CALL viper_real viper_get_frame_weight(const viper_access *w, viper_at at) {
  viper_real out;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    out[lane] = (viper_scalar)1 / (viper_scalar)w->adjacency->frame_count[at.i[lane]];
  return out;
}

VIPER_CALL int32_t viper_adjacent_count(const viper_access *w, const viper_table *t, int32_t roles,
                                        viper_at at, int32_t role) {
  (void)w;
  int32_t most = 0;
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const int32_t *first = t->first + (size_t)roles * (size_t)at.i[lane] + role;
    most = first[1] - first[0] > most ? first[1] - first[0] : most;
  }
  return most;
}

VIPER_CALL viper_at viper_adjacent(const viper_access *w, const viper_table *t, int32_t roles,
                                   viper_at at, int32_t role, int32_t k) {
  (void)w;
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const int32_t *first = t->first + (size_t)roles * (size_t)at.i[lane] + role;
    at.i[lane] = first[0] + k < first[1] ? t->element[first[0] + k] : -1 - at.i[lane];
  }
  return at;
}

#endif
