// SPDX-License-Identifier: GPL-3.0-or-later
/// After the last pass over contacts on a device: friction that does work is taken back in rounds,
/// then what velocities do not count is found, and what contacts leave to the next substep kept.
///
/// A round takes two barriers: contacts that do work are counted; they take friction back, and what
/// that moves is added up. Nodes and frames are moved by it in the next round, while sums of that
/// are made: contacts are counted by copies that are moved.
#ifndef VIPER_CUDA_CONTACT_SETTLE_H
#define VIPER_CUDA_CONTACT_SETTLE_H

#include "viper/cuda/contact/passes.h"

/// Whether something is true for a thread of the quad.
VIPER_FN bool viper_quad_any(bool is) {
#ifdef __CUDA_ARCH__
  return __any_sync(viper_quad_mask(), is);
#else
  return is;
#endif
}

/// The nodes of a contact that the thread of a quad has.
typedef struct viper_quad_nodes {
  int32_t node[4 / VIPER_QUAD];
} viper_quad_nodes;

VIPER_FN viper_quad_nodes viper_quad_nodes_of(const viper_contact_device *c, int32_t k, int lane) {
  viper_quad_nodes out;
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) out.node[e] = c->between[k].node[lane + e];
  return out;
}

/// A round: what is added up in it, and what was in the round before it.
typedef struct viper_ease_round {
  viper_ease_sums now, before;
  int number;
} viper_ease_round;

VIPER_FN viper_ease_round viper_ease_round_of(const viper_contact_device *c, int number) {
  const bool odd = number & 1;
  viper_ease_round out = {odd ? c->ease_sums[1] : c->ease_sums[0],
                          odd ? c->ease_sums[0] : c->ease_sums[1], number};
  return out;
}

/// Whether node `i` was moved in the round before.
VIPER_FN bool viper_ease_moved(const viper_ease_round *round, int32_t i) {
  const uint64_t *sum = &round->before.node[3 * (size_t)i];
  return (sum[0] | sum[1] | sum[2]) != 0;
}

/// Whether nothing was taken back in the round before at the contact's nodes: then its friction
/// does no work.
VIPER_FN bool viper_contact_at_ease(const viper_ease_round *round, const viper_quad_nodes *q) {
  bool moved = round->number == 0;
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) moved |=
      viper_ease_moved(round, q->node[e]);
  return !viper_quad_any(moved);
}

/// Moves a copy of node `i` by what was added up. Returns whether there is anything.
VIPER_FN bool viper_ease_node(viper_ease_sums sums, int32_t i, viper_contact_node *node) {
  viper_vec4 step;
  if (!viper_ease_of_node(&sums.node[3 * (size_t)i], node->radius, &step))
    return false;
  node->push += step;
  node->x += node->free * step;
  return true;
}

/// Likewise the roll of frame `j`.
VIPER_FN void viper_ease_frame(const viper_contact_device *c, viper_ease_sums sums, viper_bits j,
                               viper_frame_roll *roll) {
  if (sums.frame[j])
    viper_ease_roll(roll, sums.frame[j], c->frame[j].inverse);
}

/// A quad finds whether the friction of contact `k` does work, and counts it at its nodes and
/// frames. Returns whether it does, to one of its threads.
VIPER_FN int viper_quad_count(const viper_contact_device *c, const viper_contact_workspace *w,
                              const viper_ease_round *round, int32_t k, int lane) {
  viper_quad_touch q;
  viper_quad_copies copies;
  const viper_frame_rolls rolls = {copies.roll, sizeof copies.roll[0]};
  viper_quad_read(c, k, lane, &q);
  viper_quad_fetch(c, w, &q, &copies);
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++)
      viper_ease_node(round->before, q.node[e], &copies.node[e]);
  VIPER_UNROLL for (int e = 0; e < 2; e++)
      viper_ease_frame(c, round->before, q.segment[e], &copies.roll[e]);
  const viper_rollers r = {q.touch.roller, 2, 1, NULL};
  const viper_vec4 rolled = viper_touch_rolled(&q.touch, rolls, r);
  const viper_scalar works = viper_touch_works(&q.touch, copies.node, rolled,
                                               viper_vec4_make(0, 0, 0, 0), VIPER_QUAD_NODE);
  viper_quad_sync(); // all have read the contact
  if (lane == 0) {
    c->between[k].works = works;
    c->between[k].rolled = q.touch.rolled;
  }
  if (!(works > 0))
    return 0;
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++)
      viper_ease_count(&round->now.at_node[q.node[e]]);
  VIPER_UNROLL for (int e = 0; e < 2; e++) if (VIPER_QUAD == 1 || lane == e)
      viper_ease_count(&round->now.at_frame[q.segment[e]]);
  return lane == 0;
}

/// A quad takes back friction of contact `k`, which does work.
VIPER_FN void viper_quad_ease(const viper_contact_device *c, const viper_contact_workspace *w,
                              const viper_ease_round *round, int32_t k, int lane) {
  viper_quad_touch q;
  viper_quad_copies copies;
  int32_t at_node[4 / VIPER_QUAD], at_frame[2];
  const viper_frame_rolls rolls = {copies.roll, sizeof copies.roll[0]};
  const viper_ease_counts counts = {at_node, at_frame};
  viper_quad_read(c, k, lane, &q);
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++) {
    copies.node[e] = viper_contact_node_fetch(&c->node[q.node[e]]);
    at_node[e] = round->now.at_node[q.node[e]];
  }
  // Nodes and frames are moved meanwhile: nothing that moves is read.
  VIPER_UNROLL for (int e = 0; e < 2; e++) {
    const viper_contact_frame *f = &c->frame[q.segment[e]];
    copies.roll[e].axis = viper_frame_roll_at(w->rolls, q.segment[e])->axis;
    copies.roll[e].yields = f->free * f->inverse;
    at_frame[e] = round->now.at_frame[q.segment[e]];
  }
  const viper_rollers r = {q.touch.roller, 2, 1, NULL};
  const viper_vec4 back =
      viper_touch_ease(&q.touch, copies.node, rolls, r, counts, round->number, VIPER_QUAD_NODE);
  viper_quad_sync(); // all have read the contact
  if (lane == 0)
    c->between[k].slide = q.touch.slide;
  VIPER_UNROLL for (int e = 0; e < 4 / VIPER_QUAD; e++)
      viper_ease_add_node(round->now, q.node[e], &copies.node[e], q.touch.weight[e] * back);
  VIPER_UNROLL for (int e = 0; e < 2; e++) {
    const viper_vec4 slope = viper_roll_slope(&q.touch, &copies.roll[e], q.touch.roller[e].arm);
    if (VIPER_QUAD == 1 || lane == e)
      viper_ease_add_frame(round->now, q.segment[e], c->frame[q.segment[e]].inverse,
                           viper_vec4_sum(back * slope));
  }
}

/// Whether nothing was taken back in the round before at a node and its frames.
VIPER_FN bool viper_contact_rests_at_ease(const viper_contact_device *c,
                                          const viper_ease_round *round, const viper_rest_node *s) {
  bool moved = round->number == 0 || viper_ease_moved(round, s->node);
  for (int32_t r = s->first_roller; r < s->end_roller && !moved; r++)
    moved = round->before.frame[c->roller[r].segment] != 0;
  return !moved;
}

/// The part of rolls in the sliding of a contact with a half-plane, with what was added up.
VIPER_FN viper_vec4 viper_contact_rolled(const viper_contact_device *c,
                                         const viper_contact_workspace *w, viper_ease_sums before,
                                         const viper_touch *t, viper_rollers r) {
  viper_vec4 d = viper_vec4_make(0, 0, 0, 0);
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    viper_frame_roll roll = *viper_frame_roll_at(w->rolls, r.at[k].segment);
    viper_ease_frame(c, before, r.at[k].segment, &roll);
    d += roll.angle * viper_roller_slope(t, &roll, r, k);
  }
  return d;
}

/// Finds which contacts of a node with half-planes do work by their friction, and counts them at
/// the node and its frames; returns how many they are.
VIPER_FN int viper_contact_count_on_planes(const viper_contact_device *c,
                                           const viper_contact_workspace *w,
                                           const viper_ease_round *round,
                                           const viper_rest_node *s) {
  const int32_t i = s->node;
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  viper_contact_node node = viper_contact_node_fetch(&c->node[i]);
  int working = 0;
  node.x = *viper_contact_x(w, i);
  viper_ease_node(round->before, i, &node);
  for (int32_t k = 0; k < s->n_rests; k++) {
    const viper_rollers r = viper_contact_rollers(c, s, &t[k]);
    viper_touch own = t[k];
    own.node[0] = 0;
    t[k].works = viper_touch_works(&own, &node, viper_contact_rolled(c, w, round->before, &own, r),
                                   viper_plane_displacement(&c->plane[own.which], node.x), 1);
    t[k].rolled = own.rolled;
    if (!(t[k].works > 0))
      continue;
    viper_ease_count(&round->now.at_node[i]);
    for (int32_t m = 0; m < r.n; m++)
      viper_ease_count(&round->now.at_frame[r.at[m].segment]);
    working++;
  }
  return working;
}

/// Takes back friction of the contacts of a node with half-planes that do work.
VIPER_FN void viper_contact_ease_on_planes(const viper_contact_device *c,
                                           const viper_contact_workspace *w,
                                           const viper_ease_round *round,
                                           const viper_rest_node *s) {
  const int32_t i = s->node;
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  const viper_ease_counts counts = {&round->now.at_node[i], round->now.at_frame};
  const viper_contact_node node = viper_contact_node_fetch(&c->node[i]);
  for (int32_t k = 0; k < s->n_rests; k++) {
    const viper_rollers r = viper_contact_rollers(c, s, &t[k]);
    viper_touch own = t[k];
    if (!(own.works > 0))
      continue;
    own.node[0] = 0;
    const viper_vec4 back = viper_touch_ease(&own, &node, w->rolls, r, counts, round->number, 1);
    viper_ease_add_node(round->now, i, &node, own.weight[0] * back);
    for (int32_t m = 0; m < r.n; m++) {
      const viper_bits j = r.at[m].segment;
      const viper_vec4 slope = viper_roller_slope(&own, viper_frame_roll_at(w->rolls, j), r, m);
      viper_ease_add_frame(round->now, j, c->frame[j].inverse, viper_vec4_sum(back * slope));
    }
    t[k].slide = own.slide;
  }
}

/// Contacts of a node with half-planes do no work.
VIPER_FN void viper_contact_no_works(const viper_contact_device *c, const viper_rest_node *s) {
  for (int32_t k = 0; k < s->n_rests; k++)
    c->rest[(size_t)s->node * (size_t)c->n_planes + (size_t)k].works = 0;
}

/// A group counts contacts whose friction does work at their nodes and frames; returns how many of
/// the thread's do. The nodes of the quad's first contact are `first`, those on half-planes `of`.
VIPER_FN int viper_contact_ease_count(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *thread,
                                      const viper_ease_round *round, viper_quad_nodes first,
                                      const viper_rest_nodes *of) {
  const int lane = thread->rank % VIPER_QUAD;
  int working = 0;
  for (int32_t k = thread->rank / VIPER_QUAD; k < c->count->n_touches;
       k += thread->size / VIPER_QUAD) {
    if (k >= thread->size / VIPER_QUAD)
      first = viper_quad_nodes_of(c, k, lane);
    if (!viper_contact_at_ease(round, &first))
      working += viper_quad_count(c, w, round, k, lane);
    else if (lane == 0)
      c->between[k].works = 0;
  }
  for (int32_t k = of->rank; k < of->n; k += thread->size) {
    const viper_rest_node s = k == of->rank ? of->own : viper_rest_node_of(c, k);
    if (!viper_contact_rests_at_ease(c, round, &s))
      working += viper_contact_count_on_planes(c, w, round, &s);
    else
      viper_contact_no_works(c, &s);
  }
  return working;
}

/// A group takes back, for once, friction of the contacts that were counted.
VIPER_FN void viper_contact_ease_once(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *thread,
                                      const viper_ease_round *round, const viper_rest_nodes *of) {
  const int lane = thread->rank % VIPER_QUAD;
  for (int32_t k = thread->rank / VIPER_QUAD; k < c->count->n_touches;
       k += thread->size / VIPER_QUAD)
    if (c->between[k].works > 0)
      viper_quad_ease(c, w, round, k, lane);
  for (int32_t k = of->rank; k < of->n; k += thread->size) {
    const viper_rest_node s = k == of->rank ? of->own : viper_rest_node_of(c, k);
    viper_contact_ease_on_planes(c, w, round, &s);
  }
}

/// A group moves nodes and frames by what was added up in a round, and clears that.
VIPER_FN void viper_contact_ease_move(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *thread, viper_ease_sums sums) {
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size) {
    if (sums.at_node[i] == 0)
      continue;
    sums.at_node[i] = 0;
    viper_contact_node node = viper_contact_node_fetch(&c->node[i]);
    node.x = *viper_contact_x(w, i);
    if (!viper_ease_node(sums, i, &node))
      continue;
    c->node[i].push = node.push;
    *viper_contact_x(w, i) = node.x;
    VIPER_UNROLL for (int k = 0; k < 3; k++) sums.node[3 * (size_t)i + (size_t)k] = 0;
  }
  for (int32_t j = thread->size - 1 - thread->rank; j < c->n_segments; j += thread->size) {
    if (sums.at_frame[j] == 0)
      continue;
    sums.at_frame[j] = 0;
    viper_ease_frame(c, sums, j, viper_frame_roll_at(w->rolls, j));
    sums.frame[j] = 0;
  }
}

/// A group notes what rolls do of the work of friction, in any order: nothing moves meanwhile.
VIPER_FN void viper_contact_note_works(const viper_contact_device *c,
                                       const viper_contact_workspace *w,
                                       const viper_coop_thread *thread,
                                       const viper_rest_nodes *of) {
  const int lane = thread->rank % VIPER_QUAD;
  for (int32_t k = thread->rank / VIPER_QUAD; k < c->count->n_touches;
       k += thread->size / VIPER_QUAD) {
    viper_quad_touch q;
    viper_quad_read(c, k, lane, &q);
    viper_quad_visit<VIPER_CONTACT_NOTE>(c, w, k, lane, &q);
  }
  viper_contact_stand<VIPER_CONTACT_NOTE>(c, w, thread, of);
  viper_coop_sync(thread);
}

/// A cooperative group takes back friction that does work; predictions follow.
VIPER_FN void viper_contact_ease(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread, const viper_rest_nodes *of) {
  const int32_t own = thread->rank / VIPER_QUAD;
  viper_quad_nodes first = {{0}};
  if (own < c->count->n_touches)
    first = viper_quad_nodes_of(c, own, thread->rank % VIPER_QUAD);
  int rounds = 0;
  for (; rounds < VIPER_EASE_ROUNDS; rounds++) {
    const viper_ease_round round = viper_ease_round_of(c, rounds);
    const int working = viper_contact_ease_count(c, w, thread, &round, first, of);
    if (working > 0)
      viper_atomic_add(&c->count->working[rounds], working);
    viper_coop_sync(thread);
    if (c->count->working[rounds] == 0)
      break;
    viper_contact_ease_move(c, w, thread, round.before);
    viper_contact_ease_once(c, w, thread, &round, of);
    viper_coop_sync(thread);
  }
  if (rounds == 0)
    return;
  viper_contact_ease_move(c, w, thread, viper_ease_round_of(c, rounds).before);
  viper_coop_sync(thread);
  if (rounds == VIPER_EASE_ROUNDS)
    viper_contact_note_works(c, w, thread, of);
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
/// found, and what contacts leave to the next substep kept.
VIPER_FN void viper_contact_settle(const viper_contact_device *c, const viper_contact_workspace *w,
                                   const viper_coop_thread *thread) {
  if (c->average)
    return;
  const viper_rest_nodes rests = viper_rest_nodes_of(c, thread);
  viper_contact_fetch(c, w, thread);
  if (c->frame)
    viper_contact_ease(c, w, thread, &rests);
  for (int32_t k = thread->rank; k < viper_contact_most_kept(c); k += thread->size)
    viper_contact_forget(c, k);
  viper_coop_sync(thread);
  viper_contact_colors<VIPER_CONTACT_STABILIZE>(c, w, thread);
  viper_contact_stand<VIPER_CONTACT_STABILIZE>(c, w, thread, &rests);
}

#endif
