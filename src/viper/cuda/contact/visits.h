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

/// Contacts that the threads of a warp look at together.
#ifdef __CUDA_ARCH__
#define VIPER_LOOK VIPER_WARP
#else
#define VIPER_LOOK 1
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

/// What is done with contacts: they move what they begin with; they are solved; friction that does
/// work is taken back, as far as it does or twice as far; they are stabilized, and kept for the
/// next substep; or it is noted what rolls do of the work of friction.
enum viper_contact_action {
  VIPER_CONTACT_START,
  VIPER_CONTACT_SOLVE,
  VIPER_CONTACT_EASE,
  VIPER_CONTACT_STABILIZE,
  VIPER_CONTACT_NOTE
};

/// Friction is taken back in rounds, which functions are told; it is dropped from some round on.
template <viper_contact_action ACTION> VIPER_FN viper_visit viper_visit_of(int round) {
  return ACTION == VIPER_CONTACT_START   ? VIPER_VISIT_BEGIN
         : ACTION == VIPER_CONTACT_SOLVE ? VIPER_VISIT_SOLVE
         : round < VIPER_EASE_PARTLY     ? VIPER_VISIT_EASE
                                         : VIPER_VISIT_DROP;
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
  uint64_t taken[4 / VIPER_QUAD]; ///< the nodes' colors, where friction is taken back
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

/// Reads what the contact acts on; with `eases` also what is noted of it.
VIPER_FN void viper_quad_fetch(const viper_contact_device *c, const viper_contact_workspace *w,
                               const viper_quad_touch *q, viper_quad_copies *to, bool eases) {
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) {
    to->node[e] = viper_contact_node_fetch(&c->node[q->node[e]]);
    to->node[e].x = *viper_contact_x(w, q->node[e]);
    to->taken[e] = eases ? c->taken[q->node[e]] : 0;
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

/// Notes that friction was taken back at a node, by a contact of a color, in a round: its contacts
/// of the colors that follow, of `taken`, are due in this round, all of them in the next.
VIPER_FN void viper_ease_note(const viper_contact_workspace *w, int32_t i, uint64_t taken,
                              int color, int round) {
  w->eased[i] = round;
  viper_atomic_or(&w->to_ease[round], taken & ~(((uint64_t)2 << color) - 1));
  viper_atomic_or(&w->to_ease[round + 1], taken);
}

/// Writes what a visit has changed; where it took friction back, notes the round at the nodes.
VIPER_FN void viper_quad_write(const viper_contact_device *c, const viper_contact_workspace *w,
                               int32_t k, int lane, const viper_quad_touch *q,
                               const viper_quad_copies *copies, bool eases, int color, int round) {
  viper_touch *to = &c->between[k];
  viper_quad_sync(); // all have read
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) {
    *viper_contact_x(w, q->node[e]) = copies->node[e].x;
    c->node[q->node[e]].push = copies->node[e].push;
  }
  VIPER_UNROLL for (int e = 0; e < 2; e++) if (c->frame && (VIPER_QUAD == 1 || lane == e))
      viper_frame_roll_write(viper_frame_roll_at(w->rolls, q->segment[e]), &copies->roll[e]);
  VIPER_UNROLL for (int e = 0; eases && e < 4 / VIPER_QUAD; e++)
      viper_ease_note(w, q->node[e], copies->taken[e], color, round);
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

/// Moves what the contact acts on, or notes what rolls do of the work of friction. Returns whether
/// friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_quad_move(viper_friction friction, viper_quad_touch *q,
                             viper_quad_copies *copies, int round) {
  const viper_frame_rolls rolls = {copies->roll, sizeof copies->roll[0]};
  const viper_rollers r = {q->touch.roller, 2, 1, NULL};
  if (ACTION != VIPER_CONTACT_NOTE)
    return viper_touch_between(&q->touch, copies->node, rolls, friction,
                               viper_visit_of<ACTION>(round), VIPER_QUAD_NODE);
  viper_touch_works(&q->touch, copies->node, rolls, r, viper_vec4_make(0, 0, 0, 0),
                    VIPER_QUAD_NODE);
  return 0;
}

/// Whether a visit has nothing to do, whatever the contact acts on.
template <viper_contact_action ACTION> VIPER_FN bool viper_quad_is_idle(const viper_touch *t) {
  return ACTION == VIPER_CONTACT_START || ACTION == VIPER_CONTACT_STABILIZE
             ? !(t->lambda > 0)
             : ACTION == VIPER_CONTACT_EASE && !(viper_vec4_sum(t->slide * t->slide) > 0);
}

/// A contact that a thread looks at, and its nodes, which may be read before it is due.
typedef struct viper_look {
  int32_t k; ///< -1: none
  int32_t node[4];
} viper_look;

VIPER_FN viper_look viper_look_of(const viper_contact_device *c, int32_t k) {
  viper_look look = {k, {0, 0, 0, 0}};
  VIPER_UNROLL for (int e = 0; e < 4; e++) look.node[e] = c->between[k].node[e];
  return look;
}

/// Whether friction was taken back at none of the nodes of the contact since its visit in the round
/// before: then its own does no work.
VIPER_FN bool viper_contact_at_ease(const viper_contact_workspace *w, const viper_look *look,
                                    int round) {
  int32_t latest = -1;
  VIPER_UNROLL for (int e = 0; e < 4; e++) latest =
      w->eased[look->node[e]] > latest ? w->eased[look->node[e]] : latest;
  return latest < round - 1;
}

/// Visits contact `k`, which `q` was read from. Returns whether friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_quad_visit(const viper_contact_device *c, const viper_contact_workspace *w,
                              int32_t k, int lane, viper_quad_touch *q, int color, int round) {
  viper_quad_copies copies;
  int eased = 0;
  bool moved = q->touch.lambda > 0 || viper_vec4_sum(q->touch.slide * q->touch.slide) > 0;
  const bool idle = viper_quad_is_idle<ACTION>(&q->touch);
  q->touch.rolled = 0;
  if (!idle) {
    const viper_friction friction = viper_touch_friction(&c->between[k], c->friction, c->of_node);
    viper_quad_fetch(c, w, q, &copies, ACTION == VIPER_CONTACT_EASE);
    if (ACTION == VIPER_CONTACT_STABILIZE)
      viper_quad_stabilize(c, k, lane, q, &copies);
    else
      eased = viper_quad_move<ACTION>(friction, q, &copies, round);
    moved = ACTION == VIPER_CONTACT_EASE ? eased : moved || q->touch.lambda > 0;
    if (ACTION <= VIPER_CONTACT_EASE && moved)
      viper_quad_write(c, w, k, lane, q, &copies, ACTION == VIPER_CONTACT_EASE, color, round);
  }
  if ((ACTION == VIPER_CONTACT_EASE || ACTION == VIPER_CONTACT_NOTE) && lane == 0)
    c->between[k].rolled = q->touch.rolled;
  return lane == 0 ? eased : 0;
}

/// The frames at a contact of node `i` with a half-plane.
VIPER_FN viper_rollers viper_contact_rollers(const viper_contact_device *c, int32_t i,
                                             const viper_touch *t) {
  int32_t first = c->frame ? c->roller_first[i] : 0, end = c->frame ? c->roller_first[i + 1] : 0;
  const viper_rollers out = {c->roller + first, end - first, t->roller[0].arm, NULL};
  return out;
}

/// Visits contact `t` with a half-plane, of node `i`, of which `node` is a copy; what velocities do
/// not count of its motion is `still`. Returns whether friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_visit_on_plane(const viper_contact_device *c, const viper_contact_workspace *w,
                                  int32_t i, viper_touch *t, viper_contact_node *node,
                                  viper_vec4 *still, int round) {
  const viper_plane *plane = &c->plane[t->which];
  const viper_friction friction = viper_plane_friction(t, plane, c->of_node);
  const viper_rollers r = viper_contact_rollers(c, i, t);
  viper_touch own = *t;
  int eased = 0;
  own.node[0] = 0;
  if (ACTION == VIPER_CONTACT_STABILIZE) {
    viper_touch_stabilize(&own, node, still, viper_plane_displacement(plane, node->x), 1);
    if (c->kept_rest)
      c->kept_rest[(size_t)i * (size_t)c->n_planes + (size_t)t->which] = viper_kept_of(&own, 0);
    return 0;
  }
  if (ACTION == VIPER_CONTACT_NOTE)
    viper_touch_works(&own, node, w->rolls, r, viper_plane_displacement(plane, node->x), 1);
  else
    eased = viper_touch_on_plane(&own, node, w->rolls, r, plane, friction,
                                 viper_visit_of<ACTION>(round));
  t->slide = own.slide;
  t->lambda = own.lambda;
  t->rolled = own.rolled;
  return eased;
}

/// Notes that friction of a half-plane was taken back at a node. It rolled frames, at which
/// neighbors have contacts with half-planes, too.
VIPER_FN void viper_ease_note_on_planes(const viper_contact_device *c,
                                        const viper_contact_workspace *w, int32_t i, int round) {
  viper_ease_note(w, i, c->taken[i], VIPER_TOUCH_COLORS - 1, round);
  for (int32_t r = c->roller_first[i]; r < c->roller_first[i + 1]; r++)
    VIPER_UNROLL for (int e = 0; e < 2; e++) viper_atomic_most_round(
        &c->eased_frame[c->segment_node[2 * c->roller[r].segment + e]], round);
}

/// Visits the contacts of node `i` with half-planes. Returns at how many friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_act_on_planes(const viper_contact_device *c, const viper_contact_workspace *w,
                                 int32_t i, int round) {
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  viper_contact_node node = viper_contact_node_fetch(&c->node[i]);
  viper_vec4 still = c->still[i];
  int eased = 0;
  node.x = *viper_contact_x(w, i);
  for (int32_t k = 0; k < c->n_rests[i]; k++)
    eased += viper_visit_on_plane<ACTION>(c, w, i, &t[k], &node, &still, round);
  if (ACTION == VIPER_CONTACT_STABILIZE) {
    c->still[i] = still;
  } else if (ACTION != VIPER_CONTACT_NOTE) {
    *viper_contact_x(w, i) = node.x;
    c->node[i].push = node.push;
    if (eased > 0)
      viper_ease_note_on_planes(c, w, i, round);
  }
  return eased;
}

/// Whether friction that contacts of node `i` with half-planes do is as it was at their visit in
/// the round before, so that it does no work now: none was taken back at the node or its frames.
VIPER_FN bool viper_contact_rests_at_ease(const viper_contact_device *c,
                                          const viper_contact_workspace *w, int32_t i, int round) {
  return w->eased[i] < round - 1 && c->eased_frame[i] < round - 1;
}

#endif
