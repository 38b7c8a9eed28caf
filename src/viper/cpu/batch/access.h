// SPDX-License-Identifier: GPL-3.0-or-later
/// Element access of phase functions for a batch: one index holds for all lanes. Included, before
/// the phases, only by the source that computes batches. `uniform` is a compile-time constant.
#ifndef VIPER_CPU_BATCH_ACCESS_H
#define VIPER_CPU_BATCH_ACCESS_H

#include "viper/cpu/batch/batch.h"
#include "viper/method/frame_pin.h"
#include "viper/settings/constants.h"

/// What else than group->uniform may be known of rest data, at compile time: that each lane has its
/// own, of chains stored along, with their springs.
enum { VIPER_OWN_CHAINS = -1 };

/// An element: a node, a segment (and its frame) or a joint.
typedef int32_t viper_at;

/// Elements that a step of a loop takes.
#define VIPER_STRIDE 1

/// Bodies in statics, of which frames may be held for a while, are in no batch.
VIPER_FN bool viper_is_static(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN bool viper_holds_frames(const viper_access *w) {
  (void)w;
  return false;
}

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

// The fields: those of the state in the batch, all others in the thread's scratch.
#define VIPER_DEFINE_FIELD(name, type, where)                                                      \
  VIPER_FN type viper_get_##name(const viper_access *w, viper_at at) {                             \
    return w->where->name[at];                                                                     \
  }                                                                                                \
  VIPER_FN void viper_set_##name(viper_access *w, viper_at at, type x) {                           \
    w->where->name[at] = x;                                                                        \
  }
#define VIPER_IN_BATCH(name, type, place, set, spare)   VIPER_DEFINE_FIELD(name, type, batch)
#define VIPER_IN_SCRATCH(name, type, place, set, spare) VIPER_DEFINE_FIELD(name, type, scratch)
VIPER_STATE_FIELDS(VIPER_IN_BATCH)
VIPER_RATE_FIELDS(VIPER_IN_BATCH)
VIPER_OLD_FIELDS(VIPER_IN_SCRATCH)
VIPER_METHOD_FIELDS(VIPER_IN_SCRATCH)
#undef VIPER_IN_BATCH
#undef VIPER_IN_SCRATCH
#undef VIPER_DEFINE_FIELD

// Rest data of a uniform body group, each scalar in all lanes.
#define VIPER_DEFINE_UNIFORM(name, type, place)                                                    \
  VIPER_FN type viper_uniform_##name(const viper_access *w, viper_at at) {                         \
    const viper_scalar *p = w->uniform->name + VIPER_REALS(type) * (size_t)at;                     \
    type out;                                                                                      \
    VIPER_UNROLL for (size_t k = 0; k < VIPER_REALS(type); k++)((viper_real *)&out)[k] =           \
        viper_splat(p[k]);                                                                         \
    return out;                                                                                    \
  }
VIPER_REST_DATA(VIPER_DEFINE_UNIFORM)
VIPER_SPRING_DATA(VIPER_DEFINE_UNIFORM)
#undef VIPER_DEFINE_UNIFORM

/// Whether lanes read what is there for all.
VIPER_FN bool viper_is_shared(int uniform) {
  return uniform > 0;
}

/// The factors of lanes from number `first` on.
VIPER_FN const viper_real *viper_get_factors(const viper_access *w, int first) {
  return w->batch->factor + first;
}

VIPER_FN viper_node_inertia viper_get_node_inertia(const viper_access *w, viper_at at,
                                                   int uniform) {
  if (!viper_is_shared(uniform))
    return w->batch->node_inertia[at];
  viper_node_inertia out = viper_uniform_node_inertia(w, at);
  if (uniform == VIPER_MULTIPLES) {
    out.mass *= *viper_get_factors(w, VIPER_FACTOR_MASS);
    out.scale *= *viper_get_factors(w, VIPER_FACTOR_SCALE);
  }
  return out;
}

VIPER_FN viper_frame_rest viper_get_frame_rest(const viper_access *w, viper_at at, int uniform) {
  if (!viper_is_shared(uniform))
    return w->batch->frame_rest[at];
  viper_frame_rest out = viper_uniform_frame_rest(w, at);
  if (uniform == VIPER_MULTIPLES)
    out.inertia *= *viper_get_factors(w, VIPER_FACTOR_FRAME);
  return out;
}

/// Multiplies K of all terms by their factors.
#define VIPER_SCALE_K(name, NAME)              out.k_##name *= factor[VIPER_TERM_##NAME];
#define VIPER_SCALE_SOLID_K(name, NAME, SHOWN) VIPER_SCALE_K(name, NAME)

/// Whether frames have moments of inertia of their own, and these.
VIPER_FN bool viper_has_moments(const viper_access *w) {
  return w->model->has_moments;
}

VIPER_FN viper_moments viper_get_moments(const viper_access *w, viper_at at) {
  return w->batch->group->uniform ? viper_uniform_moments(w, at) : w->batch->moments[at];
}

VIPER_FN viper_segment_rest viper_get_segment_rest(const viper_access *w, viper_at at,
                                                   int uniform) {
  if (!viper_is_shared(uniform))
    return w->batch->segment[at];
  viper_segment_rest out = viper_uniform_segment(w, at);
  if (uniform == VIPER_MULTIPLES) {
    const viper_real *factor = viper_get_factors(w, VIPER_FACTOR_SEGMENT);
    VIPER_SEGMENT_TERMS(VIPER_SCALE_K)
  }
  return out;
}

VIPER_FN viper_joint_rest viper_get_joint_rest(const viper_access *w, viper_at at, int uniform) {
  viper_joint_rest out =
      viper_is_shared(uniform) ? viper_uniform_joint(w, at) : w->batch->joint[at];
  if (uniform == VIPER_ALONG || uniform == VIPER_MULTIPLES || uniform == VIPER_OWN_CHAINS)
    out.flip_j = out.flip_k = viper_splat(1);
  if (uniform == VIPER_MULTIPLES) {
    const viper_real *factor = viper_get_factors(w, VIPER_FACTOR_JOINT);
    VIPER_JOINT_TERMS(VIPER_SCALE_K)
  }
  return out;
}

/// Which segments of the bodies are of the material model solid, and what a segment has by that.
VIPER_FN int viper_solid_of(const viper_access *w) {
  return w->model->body->solid;
}

VIPER_FN viper_solid_rest viper_get_solid(const viper_access *w, viper_at at, int uniform) {
  if (!viper_is_shared(uniform))
    return w->batch->solid[at];
  viper_solid_rest out = viper_uniform_solid(w, at);
  if (uniform == VIPER_MULTIPLES) {
    const viper_real *factor = viper_get_factors(w, VIPER_FACTOR_SOLID);
    VIPER_SOLID_TERMS(VIPER_SCALE_SOLID_K)
    out.slant *= *viper_get_factors(w, VIPER_FACTOR_SLANT);
  }
  return out;
}
#undef VIPER_SCALE_SOLID_K
#undef VIPER_SCALE_K

#include "viper/cpu/core/plain_access.h"

/// viper_segment_spring_of, viper_joint_spring_of: of a uniform body group, and of chains, they are
/// there.
VIPER_FN viper_segment_spring viper_get_segment_spring(const viper_access *w, viper_at at,
                                                       int uniform) {
  if (uniform == VIPER_OWN_CHAINS)
    return w->batch->segment_spring[at];
  if (!uniform)
    return viper_segment_spring_of(&w->batch->segment[at]);
  viper_segment_spring out = viper_uniform_segment_spring(w, at);
  if (uniform == VIPER_MULTIPLES) {
    const viper_real *factor = viper_get_factors(w, VIPER_FACTOR_SEGMENT);
    viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
    out.section *= factor[VIPER_TERM_SECTION];
    out.taper *= factor[VIPER_TERM_TAPER];
    out.tilt = viper_splat(0);
#define SCALE(name, NAME)                                                                          \
  out.name##_l *= factor[VIPER_TERM_##NAME];                                                       \
  out.name##_l2 *= factor[VIPER_TERM_##NAME];                                                      \
  out.tilt += rest.k_##name;
    VIPER_DIRECTION_TERMS(SCALE)
#undef SCALE
  }
  return out;
}

VIPER_FN viper_joint_spring viper_get_joint_spring(const viper_access *w, viper_at at,
                                                   int uniform) {
  if (uniform == VIPER_OWN_CHAINS)
    return w->batch->joint_spring[at];
  if (!uniform)
    return viper_joint_spring_of(&w->batch->joint[at]);
  viper_joint_spring out = viper_uniform_joint_spring(w, at);
  if (uniform == VIPER_MULTIPLES) {
    const viper_real *factor = viper_get_factors(w, VIPER_FACTOR_JOINT);
#define SCALE(name, NAME) out.name *= factor[VIPER_TERM_##NAME];
    VIPER_TURN_TERMS(SCALE)
#undef SCALE
    VIPER_UNROLL for (int role = 0; role < 3; role++) {
      out.surface[role] *= factor[VIPER_TERM_SURFACE_BEND];
      out.surface_block[role] *= factor[VIPER_TERM_SURFACE_BEND];
    }
  }
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

VIPER_FN viper_real viper_get_scale(const viper_access *w, viper_at at) {
  return w->batch->node[at].s;
}

VIPER_FN void viper_set_scale(viper_access *w, viper_at at, viper_real s) {
  w->batch->node[at].s = s;
}

VIPER_FN bool viper_frame_pinned(const viper_access *w, viper_at at) {
  return w->model->segment[at].pinned & VB_PIN_FRAME;
}

/// Pinned frames stay as they are.
VIPER_FN void viper_set_free_frame(viper_access *w, viper_at at, viper_quat q) {
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

/// The options that are numbers, in the working precision.
VIPER_FN viper_constants viper_access_constants(const viper_access *w,
                                                const viper_settings *settings) {
  (void)w;
  return viper_constants_of(settings);
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
