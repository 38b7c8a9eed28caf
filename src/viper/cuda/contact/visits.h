// SPDX-License-Identifier: GPL-3.0-or-later
/// Visits to the contacts of a substep on a device: what is done with one of them.
///
/// A contact between capsules takes four GPU threads, a *quad*, each with one of its nodes. They
/// read copies of all that they act on, before they need any of it, and write what has changed. On
/// the host one thread has all four nodes. A node has all its contacts with half-planes by one
/// thread.
#ifndef VIPER_CUDA_CONTACT_VISITS_H
#define VIPER_CUDA_CONTACT_VISITS_H

#include "viper/cuda/contact/workspace.h"

/// Threads of a quad, and which nodes of a contact each of them has.
#ifdef __CUDA_ARCH__
#define VIPER_QUAD      4
#define VIPER_QUAD_NODE VIPER_ONE_OF_FOUR
#else
#define VIPER_QUAD      1
#define VIPER_QUAD_NODE 4
#endif

/// Where the contacts of colors begin and end. On a device lane l of a warp has those of colors l
/// and l + 32: to look one up takes no access of memory, which all threads would wait for.
typedef struct viper_color_bounds {
#ifdef __CUDA_ARCH__
  int32_t first[VIPER_TOUCH_COLORS / VIPER_WARP], end[VIPER_TOUCH_COLORS / VIPER_WARP];
#else
  const viper_contact_count *count;
#endif
} viper_color_bounds;

VIPER_FN viper_color_bounds viper_color_bounds_of(const viper_contact_device *c) {
  viper_color_bounds out;
#ifdef __CUDA_ARCH__
  const int32_t lane = (int32_t)(threadIdx.x % VIPER_WARP);
  VIPER_UNROLL for (int k = 0; k < VIPER_TOUCH_COLORS / VIPER_WARP; k++) {
    out.first[k] = c->count->color_first[lane + k * VIPER_WARP];
    out.end[k] = c->count->color_end[lane + k * VIPER_WARP];
  }
#else
  out.count = c->count;
#endif
  return out;
}

/// Contacts [first, end) of a color; none of what is no color. All threads of a warp ask for the
/// same.
typedef struct viper_color_range {
  int32_t first, end;
} viper_color_range;

VIPER_FN viper_color_range viper_color_range_of(const viper_color_bounds *bounds, int color) {
  viper_color_range out = {0, 0};
  if (color >= VIPER_TOUCH_COLORS)
    return out;
#ifdef __CUDA_ARCH__
  const bool high = color >= VIPER_WARP;
  out.first =
      __shfl_sync(VIPER_WARP_MASK, high ? bounds->first[1] : bounds->first[0], color % VIPER_WARP);
  out.end =
      __shfl_sync(VIPER_WARP_MASK, high ? bounds->end[1] : bounds->end[0], color % VIPER_WARP);
#else
  out.first = bounds->count->color_first[color];
  out.end = bounds->count->color_end[color];
#endif
  return out;
}

/// What is done with contacts: they move what they begin with; they are solved; they are
/// stabilized, and kept for the next substep; or it is noted what rolls do of the work of friction.
enum viper_contact_action {
  VIPER_CONTACT_START,
  VIPER_CONTACT_SOLVE,
  VIPER_CONTACT_STABILIZE,
  VIPER_CONTACT_NOTE
};

template <viper_contact_action ACTION> VIPER_FN viper_visit viper_visit_of(void) {
  return ACTION == VIPER_CONTACT_START ? VIPER_VISIT_BEGIN : VIPER_VISIT_SOLVE;
}

/// Threads of a quad wait for each other: what they wrote before is seen by all of them after.
VIPER_FN void viper_quad_sync(void) {
#ifdef __CUDA_ARCH__
  __syncwarp(viper_quad_mask());
#endif
}

/// A contact as a thread of a quad has it: in `touch` its nodes are number 0 and so on, and frames
/// 0 and 1, of copies; here are their numbers in the scene.
typedef struct viper_quad_touch {
  viper_touch touch;
  int32_t node[4 / VIPER_QUAD];
  viper_bits segment[2];
} viper_quad_touch;

/// Copies of what a contact acts on.
typedef struct viper_quad_copies {
  viper_contact_node node[4 / VIPER_QUAD];
  viper_frame_roll roll[2];
} viper_quad_copies;

/// Reads contact `k`, but not yet what it acts on.
VIPER_FN void viper_quad_read(const viper_contact_device *c, int32_t k, int lane,
                              viper_quad_touch *q) {
  const viper_touch *from = &c->between[k];
  q->touch = *from;
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) {
    q->node[e] = from->node[lane + e];
    q->touch.node[e] = e;
    q->touch.weight[e] = from->weight[lane + e];
    q->touch.pull[e] = from->pull[lane + e];
  }
  VIPER_UNROLL for (int e = 0; e < 2; e++) {
    q->segment[e] = from->roller[e].segment;
    q->touch.roller[e].segment = e;
  }
}

/// Reads what the contact acts on.
VIPER_FN void viper_quad_fetch(const viper_contact_device *c, const viper_contact_workspace *w,
                               const viper_quad_touch *q, viper_quad_copies *to) {
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) {
    to->node[e] = viper_contact_node_fetch(&c->node[q->node[e]]);
    to->node[e].x = *viper_contact_x(w, q->node[e]);
  }
  VIPER_UNROLL for (int e = 0; e < 2; e++) if (c->frame) to->roll[e] =
      *viper_frame_roll_at(w->rolls, q->segment[e]);
}

/// A visit changes all of a roll but its axis.
VIPER_FN void viper_frame_roll_write(viper_frame_roll *to, const viper_frame_roll *from) {
  to->angle = from->angle;
  to->added = from->added;
  to->torque = from->torque;
  to->yields = from->yields; // the row is written at once
}

/// Writes what a visit has changed.
VIPER_FN void viper_quad_write(const viper_contact_device *c, const viper_contact_workspace *w,
                               int32_t k, int lane, const viper_quad_touch *q,
                               const viper_quad_copies *copies) {
  viper_touch *to = &c->between[k];
  viper_quad_sync(); // all have read
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) {
    *viper_contact_x(w, q->node[e]) = copies->node[e].x;
    c->node[q->node[e]].push = copies->node[e].push;
  }
  VIPER_UNROLL for (int e = 0; e < 2; e++) if (c->frame && (VIPER_QUAD == 1 || lane == e))
      viper_frame_roll_write(viper_frame_roll_at(w->rolls, q->segment[e]), &copies->roll[e]);
  if (lane == 0) {
    to->slide = q->touch.slide;
    to->lambda = q->touch.lambda;
  }
}

/// The contact is stabilized, and kept.
VIPER_FN void viper_quad_stabilize(const viper_contact_device *c, int32_t k, int lane,
                                   const viper_quad_touch *q, const viper_quad_copies *copies) {
  viper_vec4 still[4 / VIPER_QUAD];
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) still[e] = c->still[q->node[e]];
  viper_touch_stabilize(&q->touch, copies->node, still, viper_vec4_make(0, 0, 0, 0),
                        VIPER_QUAD_NODE);
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) c->still[q->node[e]] = still[e];
  if (c->kept && lane == 0)
    viper_touch_keep(&c->between[k], &c->kept[q->segment[0]]);
}

/// Moves what the contact acts on, or notes what rolls do of the work of friction.
template <viper_contact_action ACTION>
VIPER_FN void viper_quad_move(viper_friction friction, viper_quad_touch *q,
                              viper_quad_copies *copies) {
  const viper_frame_rolls rolls = {copies->roll, sizeof copies->roll[0]};
  const viper_rollers r = {q->touch.roller, 2, 1, NULL};
  if (ACTION != VIPER_CONTACT_NOTE)
    viper_touch_between(&q->touch, copies->node, rolls, friction, viper_visit_of<ACTION>(),
                        VIPER_QUAD_NODE);
  else
    viper_touch_works(&q->touch, copies->node, viper_touch_rolled(&q->touch, rolls, r),
                      viper_vec4_make(0, 0, 0, 0), VIPER_QUAD_NODE);
}

/// Whether a visit has nothing to do, whatever the contact acts on.
template <viper_contact_action ACTION> VIPER_FN bool viper_quad_is_idle(const viper_touch *t) {
  return (ACTION == VIPER_CONTACT_START || ACTION == VIPER_CONTACT_STABILIZE) && !(t->lambda > 0);
}

/// Visits contact `k`, which `q` was read from.
template <viper_contact_action ACTION>
VIPER_FN void viper_quad_visit(const viper_contact_device *c, const viper_contact_workspace *w,
                               int32_t k, int lane, viper_quad_touch *q) {
  viper_quad_copies copies;
  const bool moved = q->touch.lambda > 0 || viper_vec4_sum(q->touch.slide * q->touch.slide) > 0;
  q->touch.rolled = 0;
  if (!viper_quad_is_idle<ACTION>(&q->touch)) {
    const viper_friction friction = viper_touch_friction(&c->between[k], c->friction, c->of_node);
    viper_quad_fetch(c, w, q, &copies);
    if (ACTION == VIPER_CONTACT_STABILIZE)
      viper_quad_stabilize(c, k, lane, q, &copies);
    else
      viper_quad_move<ACTION>(friction, q, &copies);
    if (ACTION <= VIPER_CONTACT_SOLVE && (moved || q->touch.lambda > 0))
      viper_quad_write(c, w, k, lane, q, &copies);
  }
  if (ACTION == VIPER_CONTACT_NOTE && lane == 0)
    c->between[k].rolled = q->touch.rolled;
}

/// A node that has contacts with half-planes: its turn, how many they are, and where the frames at
/// them begin and end. A thread reads it long before it visits them, because each of these reads
/// waits for the one before.
typedef struct viper_rest_node {
  int32_t node, turn, n_rests, first_roller, end_roller;
} viper_rest_node;

/// Number `k` of these nodes.
VIPER_FN viper_rest_node viper_rest_node_of(const viper_contact_device *c, int32_t k) {
  const int32_t i = c->rest_node[k];
  viper_rest_node out = {i, 0, c->n_rests[i], 0, 0};
  if (c->frame) {
    out.turn = c->turn[i];
    out.first_roller = c->roller_first[i];
    out.end_roller = c->roller_first[i + 1];
  }
  return out;
}

/// The nodes of a thread: number `rank`, and so on by the group's size, of `n`; the first is `own`.
typedef struct viper_rest_nodes {
  int32_t rank, n;
  viper_rest_node own;
} viper_rest_nodes;

VIPER_FN viper_rest_nodes viper_rest_nodes_of(const viper_contact_device *c,
                                              const viper_coop_thread *thread) {
  const int32_t n = c->count->n_rest_nodes;
  viper_rest_nodes out = {viper_first_of(thread, n), n, {0, 0, 0, 0, 0}};
  if (out.rank < out.n)
    out.own = viper_rest_node_of(c, out.rank);
  return out;
}

/// The frames at a contact of a node with a half-plane.
VIPER_FN viper_rollers viper_contact_rollers(const viper_contact_device *c,
                                             const viper_rest_node *s, const viper_touch *t) {
  const viper_rollers out = {c->roller + s->first_roller, s->end_roller - s->first_roller,
                             t->roller[0].arm, NULL};
  return out;
}

/// Visits contact `t` with a half-plane, of a node of which `node` is a copy; what velocities do
/// not count of its motion is `still`.
template <viper_contact_action ACTION>
VIPER_FN void viper_visit_on_plane(const viper_contact_device *c, const viper_contact_workspace *w,
                                   const viper_rest_node *s, viper_touch *t,
                                   viper_contact_node *node, viper_vec4 *still) {
  const viper_plane *plane = &c->plane[t->which];
  const viper_friction friction = viper_plane_friction(t, plane, c->of_node);
  const viper_rollers r = viper_contact_rollers(c, s, t);
  viper_touch own = *t;
  own.node[0] = 0;
  if (ACTION == VIPER_CONTACT_STABILIZE) {
    viper_touch_stabilize(&own, node, still, viper_plane_displacement(plane, node->x), 1);
    if (c->kept_rest)
      c->kept_rest[(size_t)s->node * (size_t)c->n_planes + (size_t)t->which] =
          viper_kept_of(&own, 0);
    return;
  }
  if (ACTION == VIPER_CONTACT_NOTE)
    viper_touch_works(&own, node, viper_touch_rolled(&own, w->rolls, r),
                      viper_plane_displacement(plane, node->x), 1);
  else
    viper_touch_on_plane(&own, node, w->rolls, r, plane, friction, viper_visit_of<ACTION>());
  t->slide = own.slide;
  t->lambda = own.lambda;
  t->rolled = own.rolled;
}

/// Visits the contacts of a node with half-planes.
template <viper_contact_action ACTION>
VIPER_FN void viper_act_on_planes(const viper_contact_device *c, const viper_contact_workspace *w,
                                  const viper_rest_node *s) {
  const int32_t i = s->node;
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  viper_contact_node node = viper_contact_node_fetch(&c->node[i]);
  viper_vec4 still = c->still[i];
  node.x = *viper_contact_x(w, i);
  for (int32_t k = 0; k < s->n_rests; k++)
    viper_visit_on_plane<ACTION>(c, w, s, &t[k], &node, &still);
  if (ACTION == VIPER_CONTACT_STABILIZE) {
    c->still[i] = still;
  } else if (ACTION != VIPER_CONTACT_NOTE) {
    *viper_contact_x(w, i) = node.x;
    c->node[i].push = node.push;
  }
}

#endif
