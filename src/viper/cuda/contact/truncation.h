// SPDX-License-Identifier: GPL-3.0-or-later
/// Phase functions that keep capsules from passing through each other after the iterations of a
/// substep (contact/truncation.h), as cpu/contact/truncation_real.c does on the CPU.
///
/// Suspects are listed in any order. All pairs of a suspect and any other segment are looked at,
/// without a grid: there are mostly none.
#ifndef VIPER_CUDA_CONTACT_TRUNCATION_H
#define VIPER_CUDA_CONTACT_TRUNCATION_H

#include "viper/contact/truncation.h"
#include "viper/cuda/contact/find.h"

VIPER_FN void viper_contact_suspect(const viper_contact_device *c, int32_t j) {
  if (viper_atomic_add(&c->suspect[j], 1) == 0)
    c->suspects[viper_atomic_add(&c->count->n_suspects, 1)] = j;
}

/// Row `row` of the bodies' workspaces.
VIPER_FN viper_vec4 viper_contact_get(const viper_contact_device *c, int32_t row) {
  viper_real x[4];
  viper_get_four(c->workspace, row, x);
  return viper_vec4_make(x[0], x[1], x[2], x[3]);
}

VIPER_FN void viper_contact_set(const viper_contact_device *c, int32_t row, viper_vec4 to) {
  const viper_real x[4] = {to[0], to[1], to[2], to[3]};
  viper_set_four(c->workspace, row, x);
}

/// Where a node is now.
VIPER_FN viper_vec4 viper_contact_place(const viper_contact_device *c, int32_t i) {
  return viper_contact_get(c, c->place[i]);
}

/// Suspects segment `k` if it came far from where it was predicted.
VIPER_FN void viper_contact_suspect_moved(const viper_contact_device *c, int32_t k) {
  const int32_t *node = c->segment_node + 2 * (size_t)k;
  if (viper_truncation_is_outside(&c->capsule[k], viper_contact_place(c, node[0]),
                                  viper_contact_place(c, node[1]),
                                  viper_truncation_room(&c->capsule[k], c->margin)))
    viper_contact_suspect(c, k);
}

/// Suspects the segments of pair `k` if it is near and would pass.
VIPER_FN void viper_contact_suspect_close(const viper_contact_device *c, int32_t k) {
  int32_t i = c->pair[k].i, j = c->pair[k].j;
  const int32_t *a = c->segment_node + 2 * (size_t)i, *b = c->segment_node + 2 * (size_t)j;
  if (!(c->gap[k] < VIPER_FAR))
    return;
  const viper_vec4 x[4] = {viper_contact_place(c, a[0]), viper_contact_place(c, a[1]),
                           viper_contact_place(c, b[0]), viper_contact_place(c, b[1])};
  viper_swept_pair p;
  viper_swept_pair_make(c->node, a, b, x, &p);
  if (viper_truncation_is_sure(&p, &c->capsule[i], &c->capsule[j], c->gap[k]) ||
      !(viper_truncation_fraction(&p) < 1))
    return;
  viper_contact_suspect(c, i);
  viper_contact_suspect(c, j);
}

/// Finds the pair of a suspect and another segment, number `k` of all such, and its nodes. False
/// where it is none, or the same as another, or where the ways of the two are apart.
VIPER_FN bool viper_truncation_pair_of(const viper_contact_device *c, int64_t k, int32_t pair[2],
                                       int32_t at[4]) {
  int32_t s = c->suspects[k / c->n_segments], other = (int32_t)(k % c->n_segments);
  if (s == other || (c->suspect[other] && other < s))
    return false;
  pair[0] = s < other ? s : other;
  pair[1] = s < other ? other : s;
  if (!viper_spheres_overlap(c, pair[0], pair[1]) || !viper_contact_allows(c, pair[0], pair[1]))
    return false;
  VIPER_UNROLL for (int e = 0; e < 4; e++) at[e] =
      c->segment_node[2 * (size_t)pair[e / 2] + (size_t)(e % 2)];
  return true;
}

/// The part of their motion against each other that two segments may keep.
VIPER_FN viper_scalar viper_truncation_part(const viper_contact_device *c, const int32_t at[4]) {
  const viper_vec4 x[4] = {c->node[at[0]].x, c->node[at[1]].x, c->node[at[2]].x, c->node[at[3]].x};
  viper_swept_pair p;
  viper_swept_pair_make(c->node, at, at + 2, x, &p);
  return viper_truncation_fraction(&p);
}

/// Pairs that would pass bid for their nodes; returns how many a thread saw.
VIPER_FN int32_t viper_truncation_bid_pairs(const viper_contact_device *c,
                                            const viper_coop_thread *thread) {
  int64_t n = (int64_t)c->count->n_suspects * c->n_segments;
  int32_t unsafe = 0, pair[2], at[4];
  for (int64_t k = thread->rank; k < n; k += thread->size) {
    if (!viper_truncation_pair_of(c, k, pair, at) || !(viper_truncation_part(c, at) < 1))
      continue;
    VIPER_UNROLL for (int e = 0; e < 4; e++)
        viper_atomic_most(&c->bid[at[e]], viper_truncation_bid(pair[0], pair[1]));
    unsafe++;
  }
  return unsafe;
}

/// Truncates the motions of the pairs that bid most at all of their nodes: no two of them share
/// one.
VIPER_FN void viper_truncate_pairs(const viper_contact_device *c, const viper_coop_thread *thread) {
  int64_t n = (int64_t)c->count->n_suspects * c->n_segments;
  int32_t pair[2], at[4];
  for (int64_t k = thread->rank; k < n; k += thread->size) {
    if (!viper_truncation_pair_of(c, k, pair, at))
      continue;
    bool wins = true;
    VIPER_UNROLL for (int e = 0; e < 4; e++) wins =
        wins && c->bid[at[e]] == viper_truncation_bid(pair[0], pair[1]);
    if (!wins)
      continue;
    viper_truncate(c->node, c->still, at, viper_truncation_part(c, at));
    VIPER_UNROLL for (int e = 0; e < 4; e++) c->truncated[at[e]] = 1;
  }
}

/// Puts the nodes of all pairs that would pass back to where they were; returns how many of a
/// thread's were elsewhere.
VIPER_FN int32_t viper_truncation_stop_nodes(const viper_contact_device *c,
                                             const viper_coop_thread *thread) {
  int32_t moved = 0;
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    if (c->bid[i] > 0) {
      moved += viper_truncation_stop(&c->node[i], &c->still[i]);
      c->truncated[i] = 1;
    }
  return moved;
}

/// Before a round: spheres about the ways of all segments to where they are now; no bids. All
/// segments at truncated nodes are suspect, too.
VIPER_FN void viper_truncation_prepare(const viper_contact_device *c,
                                       const viper_coop_thread *thread) {
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    c->bid[i] = 0;
  for (int32_t j = thread->rank; j < c->n_segments; j += thread->size) {
    const int32_t *node = c->segment_node + 2 * (size_t)j;
    viper_sphere_about(&c->node[node[0]], &c->node[node[1]], 0, c->ball[j].sphere);
    if (!c->suspect[j] && (c->truncated[node[0]] || c->truncated[node[1]]))
      viper_contact_suspect(c, j);
  }
}

/// A round; returns whether another may be needed.
VIPER_FN bool viper_truncation_round(const viper_contact_device *c, const viper_coop_thread *thread,
                                     int round) {
  viper_truncation_prepare(c, thread);
  viper_coop_sync(thread);
  int32_t unsafe = viper_truncation_bid_pairs(c, thread);
  if (unsafe > 0)
    viper_atomic_add(&c->count->unsafe[round], unsafe);
  viper_coop_sync(thread);
  if (c->count->unsafe[round] == 0)
    return false;
  if (round < VIPER_TRUNCATION_ROUNDS) {
    viper_truncate_pairs(c, thread);
    viper_coop_sync(thread);
    return true;
  }
  int32_t moved = viper_truncation_stop_nodes(c, thread);
  if (moved > 0)
    viper_atomic_add(&c->count->stopped[round - VIPER_TRUNCATION_ROUNDS], moved);
  viper_coop_sync(thread);
  return c->count->stopped[round - VIPER_TRUNCATION_ROUNDS] > 0;
}

/// A cooperative group truncates motions until no pair would pass.
VIPER_FN void viper_contact_truncation(const viper_contact_device *c,
                                       const viper_coop_thread *thread) {
  int32_t truncated = 0;
  if (c->count->n_suspects == 0)
    return;
  viper_coop_sync(thread); // all have read it
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    c->node[i].x = viper_contact_place(c, i);
  viper_coop_sync(thread);
  for (int round = 0; round < VIPER_TRUNCATION_ROUNDS + VIPER_TRUNCATION_STOP_ROUNDS; round++)
    if (!viper_truncation_round(c, thread, round))
      break;
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size) {
    viper_real *x = c->workspace + 4 * (size_t)c->place[i];
    if (!c->truncated[i])
      continue;
    VIPER_UNROLL for (int k = 0; k < 3; k++) x[k] = c->node[i].x[k];
    truncated++;
  }
  if (truncated > 0)
    viper_atomic_add(&c->count->n_truncated, truncated);
}

#endif
