// SPDX-License-Identifier: GPL-3.0-or-later
/// Passes over the contacts of a substep on a device, as cpu/contact/pass_lanes.c does them on the
/// CPU: color by color, then over those on half-planes.
///
/// A contact between capsules takes four GPU threads, a *quad*, each with one of its nodes. They
/// read copies of all that they act on, before they need any of it, and write what has changed. On
/// the host one thread has all four nodes.
#ifndef VIPER_CUDA_CONTACT_PASSES_H
#define VIPER_CUDA_CONTACT_PASSES_H

#include "viper/contact/average.h"
#include "viper/cuda/contact/workspace.h"

/// Contacts whose friction was taken back in a round, up to which one block does the rounds that
/// follow.
#define VIPER_FEW_WORKING 32

/// Threads of a quad, and which nodes of a contact each of them has.
#ifdef __CUDA_ARCH__
#define VIPER_QUAD      4
#define VIPER_QUAD_NODE VIPER_ONE_OF_FOUR
#else
#define VIPER_QUAD      1
#define VIPER_QUAD_NODE 4
#endif

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

/// Notes that friction was taken back at a node, by a contact of a color, in a round: its contacts
/// of the colors that follow are due in this round, all of them in the next.
VIPER_FN void viper_ease_note(const viper_contact_device *c, const viper_contact_workspace *w,
                              int32_t i, int color, int round) {
  const uint64_t taken = c->taken[i];
  w->eased[i] = round;
  viper_atomic_or(&c->count->to_ease[round], taken & ~(((uint64_t)2 << color) - 1));
  viper_atomic_or(&c->count->to_ease[round + 1], taken);
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
      viper_ease_note(c, w, q->node[e], color, round);
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

/// Whether friction was taken back at none of the nodes of contact `k` since its visit in the round
/// before: then its own does no work.
VIPER_FN bool viper_contact_at_ease(const viper_contact_device *c, const viper_contact_workspace *w,
                                    int32_t k, int round) {
  const int32_t *node = c->between[k].node;
  int32_t latest = -1;
  VIPER_UNROLL for (int e = 0; e < 4; e++) latest =
      w->eased[node[e]] > latest ? w->eased[node[e]] : latest;
  return latest < round - 1;
}

/// Contacts that the threads of a warp look at together.
#ifdef __CUDA_ARCH__
#define VIPER_LOOK VIPER_WARP
#else
#define VIPER_LOOK 1
#endif

/// The threads of a warp for which something is true, as bits. What they read to know it is written
/// only after that.
VIPER_FN uint32_t viper_warp_bits(bool is) {
#ifdef __CUDA_ARCH__
  __syncwarp();
  return __ballot_sync(VIPER_WARP_MASK, is);
#else
  return is;
#endif
}

/// The place of bit number `n` of those that are set in `bits`; -1 where there are fewer.
VIPER_FN int viper_bit_number(uint32_t bits, int n) {
  for (int k = 0; k < n; k++)
    bits &= bits - 1;
#ifdef __CUDA_ARCH__
  return bits ? (int)__popc(~bits & (bits - 1)) : -1;
#else
  return bits ? __builtin_ctz(bits) : -1;
#endif
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
    viper_quad_fetch(c, w, q, &copies);
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
  viper_ease_note(c, w, i, VIPER_TOUCH_COLORS - 1, round);
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

/// A cooperative group goes over the contacts with half-planes once: nodes that share a frame take
/// turns. Returns at how many of the thread's friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_contact_stand(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread, int round) {
  const bool rolls = c->frame && ACTION != VIPER_CONTACT_STABILIZE && ACTION != VIPER_CONTACT_NOTE;
  const int32_t n_rest_nodes = c->count->n_rest_nodes, n_turns = rolls ? c->n_turns : 1;
  int eased = 0;
  for (int32_t turn = 0; turn < n_turns && n_rest_nodes > 0; turn++) {
    for (int32_t k = thread->rank; k < n_rest_nodes; k += thread->size) {
      const int32_t i = c->rest_node[k];
      if ((n_turns == 1 || c->turn[i] == turn) &&
          !(ACTION == VIPER_CONTACT_EASE && viper_contact_rests_at_ease(c, w, i, round)))
        eased += viper_act_on_planes<ACTION>(c, w, i, round);
    }
    viper_coop_sync(thread);
  }
  return eased;
}

/// Contacts without a color are visited one by one, by one quad.
template <viper_contact_action ACTION>
VIPER_FN int viper_contact_uncolored(const viper_contact_device *c,
                                     const viper_contact_workspace *w,
                                     const viper_coop_thread *thread, int round) {
  const int32_t first = c->count->color_first[VIPER_TOUCH_COLORS],
                end = c->count->color_end[VIPER_TOUCH_COLORS];
  const int lane = thread->rank % VIPER_QUAD;
  int eased = 0;
  if (end == first)
    return 0;
  for (int32_t k = first; thread->rank < VIPER_QUAD && k < end; k++) {
    viper_quad_touch q;
    viper_quad_sync(); // the contact before may have had some of the same nodes
    if (ACTION == VIPER_CONTACT_EASE && viper_contact_at_ease(c, w, k, round))
      continue;
    viper_quad_read(c, k, lane, &q);
    eased += viper_quad_visit<ACTION>(c, w, k, lane, &q, VIPER_TOUCH_COLORS - 1, round);
  }
  viper_coop_sync(thread);
  return eased;
}

/// Whether the threads of a grid leave a color of `n` contacts, and all that follow, to one block:
/// a barrier of the grid would take longer than what the others could do.
VIPER_FN bool viper_contact_is_left(const viper_coop_thread *group, int32_t n) {
#ifdef __CUDA_ARCH__
  return group->scope == VIPER_SYNC_DEVICE && n <= (int32_t)blockDim.x / VIPER_QUAD;
#else
  (void)group, (void)n;
  return false;
#endif
}

/// The group of the block alone; false in blocks that go no further.
VIPER_FN bool viper_contact_by_block(viper_coop_thread *group) {
#ifdef __CUDA_ARCH__
  group->rank = (int32_t)threadIdx.x;
  group->size = (int32_t)blockDim.x;
  group->scope = VIPER_SYNC_BLOCK;
  return blockIdx.x == 0;
#else
  (void)group;
  return true;
#endif
}

/// Where a quad is in the contacts between capsules.
typedef struct viper_quad_place {
  viper_coop_thread group; ///< that goes over the color
  int32_t first, end;      ///< the color's contacts
  viper_quad_touch next;   ///< of the quad; read before it is visited
} viper_quad_place;

/// Reads the quad's first contact of a color.
VIPER_FN void viper_quad_ahead(const viper_contact_device *c, viper_quad_place *at, int32_t first,
                               int32_t end) {
  const int32_t k = first + at->group.rank / VIPER_QUAD;
  if (k < end)
    viper_quad_read(c, k, at->group.rank % VIPER_QUAD, &at->next);
}

/// A group visits the contacts of a color, and reads one of the next color before that.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_one_color(const viper_contact_device *c,
                                      const viper_contact_workspace *w, viper_quad_place *at,
                                      int color) {
  const int lane = at->group.rank % VIPER_QUAD;
  const int32_t quad = at->group.rank / VIPER_QUAD, n_quads = at->group.size / VIPER_QUAD;
  const int32_t next_first = c->count->color_first[color + 1],
                next_end = color + 1 < VIPER_TOUCH_COLORS ? c->count->color_end[color + 1] : 0;
  viper_quad_touch now = at->next;
  viper_quad_ahead(c, at, next_first, next_end);
  for (int32_t k = at->first + quad; k < at->end; k += n_quads) {
    if (k > at->first + quad)
      viper_quad_read(c, k, lane, &now);
    viper_quad_visit<ACTION>(c, w, k, lane, &now, color, 0);
  }
  viper_coop_sync(&at->group);
  at->first = next_first;
  at->end = next_end;
}

/// A cooperative group goes over the contacts between capsules once, color by color: a grid over
/// large colors, then one of its blocks over those that are left.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_colors(const viper_contact_device *c, const viper_contact_workspace *w,
                                   const viper_coop_thread *thread) {
  viper_quad_place at;
  bool goes_on = true;
  at.group = *thread;
  at.first = c->count->color_first[0];
  at.end = c->count->color_end[0];
  if (!viper_contact_is_left(&at.group, at.end - at.first))
    viper_quad_ahead(c, &at, at.first, at.end);
  for (int color = 0; color < VIPER_TOUCH_COLORS && at.end > at.first && goes_on; color++) {
    if (viper_contact_is_left(&at.group, at.end - at.first)) {
      goes_on = viper_contact_by_block(&at.group);
      if (goes_on)
        viper_quad_ahead(c, &at, at.first, at.end);
    }
    if (goes_on)
      viper_contact_one_color<ACTION>(c, w, &at, color);
  }
  if (goes_on)
    viper_contact_uncolored<ACTION>(c, w, &at.group, 0);
  if (thread->scope == VIPER_SYNC_DEVICE)
    viper_coop_sync(thread);
}

/// A group takes back friction of the contacts [first, end) of a color. The threads of a warp look
/// for contacts that are not at ease, which its quads visit: in a grid so few contacts that each
/// quad has one, in a block as many as there are threads, because few are not at ease.
VIPER_FN int viper_contact_ease_range(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *group, int32_t first, int32_t end,
                                      int color, int round) {
  const int lane = group->rank % VIPER_QUAD, quads = VIPER_LOOK / VIPER_QUAD,
            of_warp = group->rank % VIPER_LOOK, quad = of_warp / VIPER_QUAD;
  const int32_t look = group->scope == VIPER_SYNC_DEVICE ? quads : VIPER_LOOK;
  int eased = 0;
  for (int32_t k = first + group->rank / VIPER_LOOK * look; k < end;
       k += group->size / VIPER_LOOK * look) {
    const int32_t own = k + of_warp;
    uint32_t due =
        viper_warp_bits(of_warp < look && own < end && !viper_contact_at_ease(c, w, own, round));
    for (int at = viper_bit_number(due, 0); at >= 0; at = viper_bit_number(due, 0)) {
      const int which = viper_bit_number(due, quad);
      viper_quad_touch now;
      if (which >= 0) {
        viper_quad_read(c, k + which, lane, &now);
        eased += viper_quad_visit<VIPER_CONTACT_EASE>(c, w, k + which, lane, &now, color, round);
      }
      for (int n = 0; n < quads; n++)
        due &= due - 1;
    }
  }
  return eased;
}

/// The colors in which friction may do work in a round; all of them in the first.
VIPER_FN uint64_t viper_colors_to_ease(const viper_contact_device *c, int round) {
  return round > 0 ? viper_now(&c->count->to_ease[round]) : UINT64_MAX;
}

/// A group takes back friction of the contacts between capsules that does work, color by color,
/// where colors are due. Returns at how many of the thread's it did.
VIPER_FN int viper_contact_ease_colors(const viper_contact_device *c,
                                       const viper_contact_workspace *w,
                                       const viper_coop_thread *thread, int round) {
  viper_coop_thread group = *thread;
  int eased = 0;
  bool goes_on = true;
  // A color is looked up before any contact of it, or of a later one, is visited.
  uint64_t due = viper_colors_to_ease(c, round);
  for (int color = 0; color < VIPER_TOUCH_COLORS && due >> color > 0; color++) {
    if (!(due >> color & 1))
      continue;
    const int32_t first = c->count->color_first[color], end = c->count->color_end[color];
    if (end == first)
      break;
    if (viper_contact_is_left(&group, end - first) && !(goes_on = viper_contact_by_block(&group)))
      break;
    eased += viper_contact_ease_range(c, w, &group, first, end, color, round);
    viper_coop_sync(&group);
    due = viper_colors_to_ease(c, round);
  }
  if (goes_on)
    eased += viper_contact_uncolored<VIPER_CONTACT_EASE>(c, w, &group, round);
  if (thread->scope == VIPER_SYNC_DEVICE)
    viper_coop_sync(thread);
  return eased;
}

/// A group notes what rolls do of the work of friction, in any order: nothing moves.
VIPER_FN void viper_contact_note_works(const viper_contact_device *c,
                                       const viper_contact_workspace *w,
                                       const viper_coop_thread *thread) {
  const int lane = thread->rank % VIPER_QUAD;
  for (int32_t k = thread->rank / VIPER_QUAD; k < c->count->n_touches;
       k += thread->size / VIPER_QUAD) {
    viper_quad_touch q;
    viper_quad_read(c, k, lane, &q);
    viper_quad_visit<VIPER_CONTACT_NOTE>(c, w, k, lane, &q, 0, 0);
  }
  viper_contact_stand<VIPER_CONTACT_NOTE>(c, w, thread, 0);
}

// Contacts that are averaged: a thread each, in the scene's memory.

/// Counts contact `k` between capsules at its nodes, or adds what it asks of them.
VIPER_FN void viper_average_between(const viper_contact_device *c, int32_t k, bool counts) {
  viper_touch *t = &c->between[k];
  if (counts)
    viper_touch_count(t, c->node, c->average, 4);
  else
    viper_touch_average(t, c->node, c->average, c->constants.relaxation,
                        viper_touch_friction(t, c->friction, c->of_node),
                        viper_vec4_make(0, 0, 0, 0), 4);
}

/// Likewise the contacts of node `i` with half-planes.
VIPER_FN void viper_average_on_planes(const viper_contact_device *c, int32_t i, bool counts) {
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  for (int32_t k = 0; k < c->n_rests[i]; k++) {
    const viper_plane *plane = &c->plane[t[k].which];
    if (counts)
      viper_touch_count(&t[k], c->node, c->average, 1);
    else
      viper_touch_average(&t[k], c->node, c->average, c->constants.relaxation,
                          viper_plane_friction(&t[k], plane, c->of_node),
                          viper_plane_displacement(plane, c->node[i].x), 1);
  }
}

/// A cooperative group does so with those between capsules, color by color.
VIPER_FN void viper_average_colors(const viper_contact_device *c, const viper_coop_thread *thread,
                                   bool counts) {
  const viper_contact_count *count = c->count;
  for (int color = 0; color <= VIPER_TOUCH_COLORS; color++) {
    const int32_t first = count->color_first[color], end = count->color_end[color];
    const bool one = color == VIPER_TOUCH_COLORS; // what is left has no color: one by one
    if (end == first)
      continue;
    for (int32_t k = first + (one ? 0 : thread->rank); (!one || thread->rank == 0) && k < end;
         k += one ? 1 : thread->size)
      viper_average_between(c, k, counts);
    viper_coop_sync(thread);
  }
}

/// Before averaging: nodes stay where the iteration began, and their contacts with half-planes are
/// counted.
VIPER_FN void viper_average_begin(const viper_contact_device *c, int32_t i) {
  if (!c->active[i])
    return;
  c->average[i].contacts = 0;
  c->average[i].sum = viper_vec4_make(0, 0, 0, 0);
  viper_average_on_planes(c, i, true);
}

// The parts of a pass.

/// What concerns an active node alone, after contacts between capsules were averaged.
VIPER_FN void viper_average_end(const viper_contact_device *c, int32_t i) {
  if (!c->active[i])
    return;
  viper_average_on_planes(c, i, false);
  viper_average_move(&c->node[i], &c->average[i], viper_contact_place(c, i));
}

/// Before a pass: reads where nodes and frames are; or begins to average.
VIPER_FN void viper_contact_read(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread) {
  if (!c->average) {
    viper_contact_read_nodes(c, w, thread);
    viper_contact_read_frames(c, w, thread);
  }
  for (int32_t i = thread->rank; c->average && i < c->n_nodes; i += thread->size)
    viper_average_begin(c, i);
  viper_coop_sync(thread);
}

/// A cooperative group goes over all contacts once: those between capsules, then those with
/// half-planes; they are solved, or move what they begin with. Or it averages them.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_pass(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread, bool hat) {
  viper_contact_read(c, w, thread);
  if (c->average) {
    viper_average_colors(c, thread, true);
    viper_average_colors(c, thread, false);
    for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
      viper_average_end(c, i);
    viper_coop_sync(thread);
  } else {
    viper_contact_colors<ACTION>(c, w, thread);
    viper_contact_stand<ACTION>(c, w, thread, 0);
  }
  viper_contact_write_nodes(c, w, thread, true, hat);
  viper_contact_write_frames(c, w, thread, hat);
}

/// A cooperative group takes back, for once, friction that does work; returns whether any did.
VIPER_FN bool viper_contact_ease_once(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *thread, int round) {
  int working = viper_contact_ease_colors(c, w, thread, round);
  working += viper_contact_stand<VIPER_CONTACT_EASE>(c, w, thread, round);
  if (working > 0)
    viper_atomic_add(&c->count->working[round], working);
  viper_coop_sync(thread);
  return c->count->working[round] > 0;
}

/// The block alone goes on, if this returns true, with the rounds in memory of its own, if any.
VIPER_FN bool viper_contact_ease_by_block(const viper_contact_device *c, viper_contact_workspace *w,
                                          viper_coop_thread *group, void *memory) {
  int32_t *eased = (int32_t *)memory;
  if (!viper_contact_by_block(group))
    return false;
  for (int32_t i = group->rank; eased && i < c->n_nodes; i += group->size)
    eased[i] = w->eased[i];
  w->eased = eased ? eased : w->eased;
  viper_coop_sync(group);
  return true;
}

/// A cooperative group takes back friction that does work; predictions follow. `memory` is
/// [n_nodes] integers of each block, or null.
VIPER_FN void viper_contact_ease(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread, void *memory) {
  viper_coop_thread group = *thread;
  viper_contact_workspace own = *w;
  const int32_t *working = c->count->working;
  int round = 0;
  bool goes_on = true;
  while (round < VIPER_EASE_ROUNDS && goes_on && viper_contact_ease_once(c, &own, &group, round))
    if (working[round++] <= VIPER_FEW_WORKING && group.scope == VIPER_SYNC_DEVICE)
      goes_on = viper_contact_ease_by_block(c, &own, &group, memory);
  if (thread->scope == VIPER_SYNC_DEVICE) { // not all threads know how many rounds there were
    viper_coop_sync(thread);
    for (round = 0; round < VIPER_EASE_ROUNDS && working[round] > 0;)
      round++;
  }
  if (round == 0)
    return;
  if (round == VIPER_EASE_ROUNDS)
    viper_contact_note_works(c, w, thread);
  viper_contact_write_nodes(c, w, thread, false, true);
  viper_contact_write_frames(c, w, thread, true);
}

/// What contacts have kept of segment `k`, and of node and half-plane number `k`, is forgotten.
VIPER_FN void viper_contact_forget(const viper_contact_device *c, int32_t k) {
  const viper_kept none = {0, 0, {0, 0, 0}};
  if (c->kept && k < c->n_segments)
    c->kept[k].n = 0;
  if (c->kept_rest && k < c->n_nodes * c->n_planes)
    c->kept_rest[k] = none;
}

VIPER_FN int32_t viper_most_of(int32_t a, int32_t b) {
  return a > b ? a : b;
}

VIPER_FN int32_t viper_contact_most_kept(const viper_contact_device *c) {
  return viper_most_of(c->kept ? c->n_segments : 0, c->kept_rest ? c->n_nodes * c->n_planes : 0);
}

/// After the last pass: friction that does work is taken back; then what velocities do not count is
/// found, and what contacts leave to the next substep kept. `memory` is [n_nodes] integers of each
/// block of a grid, or null.
VIPER_FN void viper_contact_settle(const viper_contact_device *c, const viper_contact_workspace *w,
                                   const viper_coop_thread *thread, void *memory) {
  if (c->average)
    return;
  viper_contact_fetch(c, w, thread);
  if (c->frame)
    viper_contact_ease(c, w, thread, memory);
  for (int32_t k = thread->rank; k < viper_contact_most_kept(c); k += thread->size)
    viper_contact_forget(c, k);
  viper_coop_sync(thread);
  viper_contact_colors<VIPER_CONTACT_STABILIZE>(c, w, thread);
  viper_contact_stand<VIPER_CONTACT_STABILIZE>(c, w, thread, 0);
}

#endif
