// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction that does work is taken back (README.md). Point-wise, on scalars.
///
/// After the last pass: later updates of other contacts may have moved the surfaces of a contact
/// along its friction, which then does positive work. Such friction is reduced in rounds, with the
/// motion that it caused. In a round all contacts read the same state, and those that do work are
/// counted at their nodes and frames; each of them then takes back its part; what that moves is
/// added up as integers, so that it depends on no order, and applied after it.
#ifndef VIPER_CONTACT_EASE_H
#define VIPER_CONTACT_EASE_H

#include "viper/contact/friction.h"

#include <stdbool.h>

/// Rounds at most, and how many of them take back no more than makes the work of a contact 0.
enum { VIPER_EASE_ROUNDS = 16, VIPER_EASE_EXACT = 11 };

/// A quantum of displacements is 1 / VIPER_EASE_PARTS of the node's radius, of rolls as much of
/// 1 rad: below rounding. A contact moves a node or frame by VIPER_EASE_MOST quanta at most (5e2 in
/// double, 3e7 in float): 64 of them do not overflow.
#if VIPER_PRECISION == 64
#define VIPER_EASE_PARTS ((viper_scalar)281474976710656.0) // 2^48
#else
#define VIPER_EASE_PARTS ((viper_scalar)4294967296.0) // 2^32
#endif
#define VIPER_EASE_MOST ((viper_scalar)144115188075855872.0) // 2^57

/// Of friction that is taken back in a round: what it moves, as if nothing were pinned, in sums of
/// quanta modulo 2^64; and how many contacts move it. Zeros between rounds.
typedef struct viper_ease_sums {
  uint64_t *node;    ///< [n_nodes x 3] of centers
  uint64_t *frame;   ///< [n_segments] of rolls
  int32_t *at_node;  ///< [n_nodes] contacts that do work
  int32_t *at_frame; ///< [n_segments] likewise
} viper_ease_sums;

/// Adds quanta to a sum, to which other threads may add.
// NOLINTNEXTLINE(readability-non-const-parameter): the built-in function writes it
VIPER_FN void viper_ease_add(uint64_t *sum, viper_scalar quanta) {
  const viper_scalar most = VIPER_EASE_MOST; // no number is -most
  const int64_t n = (int64_t)(quanta > -most ? quanta < most ? quanta : most : -most);
#ifdef __CUDA_ARCH__
  atomicAdd((unsigned long long *)sum, (unsigned long long)n);
#else
  __atomic_fetch_add(sum, (uint64_t)n, __ATOMIC_RELAXED);
#endif
}

/// Adds the displacement of node `i` by the force `force` on it.
VIPER_FN void viper_ease_add_node(viper_ease_sums sums, int32_t i, const viper_contact_node *node,
                                  viper_vec4 force) {
  const viper_vec4 quanta = VIPER_EASE_PARTS / node->radius * (node->inverse * force);
  VIPER_UNROLL for (int k = 0; k < 3; k++)
      viper_ease_add(&sums.node[3 * (size_t)i + (size_t)k], quanta[k]);
}

/// Adds the roll of frame `j` of the inverse inertia `inverse` by a torque.
VIPER_FN void viper_ease_add_frame(viper_ease_sums sums, viper_bits j, viper_scalar inverse,
                                   viper_scalar torque) {
  viper_ease_add(&sums.frame[j], VIPER_EASE_PARTS * (inverse * torque));
}

VIPER_FN viper_scalar viper_ease_sum(uint64_t sum) {
  return 1 / VIPER_EASE_PARTS * (viper_scalar)(int64_t)sum;
}

/// The displacement of a node of this radius, as if not pinned. Returns whether there is one.
VIPER_FN bool viper_ease_of_node(const uint64_t sum[3], viper_scalar radius, viper_vec4 *step) {
  *step = radius * viper_vec4_make(viper_ease_sum(sum[0]), viper_ease_sum(sum[1]),
                                   viper_ease_sum(sum[2]), 0);
  return sum[0] || sum[1] || sum[2];
}

/// Rolls a frame of the inverse inertia `inverse` by what is not 0.
VIPER_FN void viper_ease_roll(viper_frame_roll *roll, uint64_t sum, viper_scalar inverse) {
  const viper_scalar torque = viper_ease_sum(sum) / inverse, angle = roll->yields * torque;
  roll->torque += torque;
  roll->angle += angle;
  roll->added += angle;
}

/// The work of the friction of a contact, 0 if negative or within the rounding of coordinates.
/// `rolled` is the part of rolls in its sliding; stores their part of the work.
VIPER_FN viper_scalar viper_touch_works(viper_touch *t, const viper_contact_node *node,
                                        viper_vec4 rolled, viper_vec4 carried, int n_nodes) {
  viper_scalar size2 = viper_vec4_sum(t->slide * t->slide);
  if (!(size2 > 0)) {
    t->rolled = 0;
    return 0;
  }
  const viper_contact_node *x = &node[t->node[0]];
  viper_scalar place = viper_touch_of_first(viper_scalar_abs(x->x[0]) + viper_scalar_abs(x->x[1]) +
                                                viper_scalar_abs(x->x[2]) + x->radius,
                                            n_nodes);
  viper_scalar least = (viper_scalar)(32 * VIPER_EPSILON) * place * VIPER_SCALAR_SQRT(size2),
               work = viper_vec4_sum(t->slide *
                                     (viper_touch_slid(t, node, carried, n_nodes) + rolled));
  t->rolled = viper_vec4_sum(t->slide * rolled);
  return work > least ? work : 0;
}

/// How many contacts do work in a round at the nodes and frames that a contact acts on.
typedef struct viper_ease_counts {
  const int32_t *node, *frame;
} viper_ease_counts;

/// Counts a contact at a node or a frame, where other threads may count theirs.
// NOLINTNEXTLINE(readability-non-const-parameter): the built-in function writes it
VIPER_FN void viper_ease_count(int32_t *count) {
#ifdef __CUDA_ARCH__
  atomicAdd(count, 1);
#else
  __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
#endif
}

/// Into how many parts the mass of a node or frame is split where `n` contacts do work: half of
/// them together make their work 0, if they are alike. More parts would leave work after the last
/// round, fewer would take back friction that does none (measurements.md).
VIPER_FN viper_scalar viper_ease_parts(int32_t n) {
  return n > 2 ? (viper_scalar)0.5 * (viper_scalar)n : 1;
}

/// The work on node `k` per relative change of the friction of a contact, on its part of the mass.
VIPER_FN viper_scalar viper_touch_node_work(const viper_touch *t, const viper_contact_node *node,
                                            viper_ease_counts counts, int k) {
  const int32_t i = t->node[k];
  viper_vec4 own = t->weight[k] * t->slide;
  return viper_ease_parts(counts.node[i]) *
         viper_vec4_sum(own * (node[i].free * (node[i].inverse * own)));
}

/// How many times as much friction is taken back in a round: in the last ones so much that no work
/// is left.
VIPER_FN viper_scalar viper_ease_factor(int round) {
  return round < VIPER_EASE_EXACT ? 1 : 2;
}

/// Reduces the friction of a contact, which does the work `t->works`, by viper_ease_factor of what
/// makes it 0 on the contact's part of the mass of its nodes and frames (mass splitting: Tonge,
/// Benevolenski, Voroshilov, Mass Splitting for Jitter-Free Parallel Rigid Body Simulation, 2012).
/// It is not dropped as a whole, because it may hold a contact that hardly slides. Returns the
/// change of friction, by which nothing is moved yet.
VIPER_FN viper_vec4 viper_touch_ease(viper_touch *t, const viper_contact_node *node,
                                     viper_frame_rolls frame, viper_rollers r,
                                     viper_ease_counts counts, int round, int n_nodes) {
  const viper_scalar work = viper_ease_factor(round) * t->works;
  viper_scalar takes = viper_touch_node_work(t, node, counts, 0);
  if (n_nodes == 4)
    takes = (takes + viper_touch_node_work(t, node, counts, 1)) +
            (viper_touch_node_work(t, node, counts, 2) + viper_touch_node_work(t, node, counts, 3));
  takes = viper_touch_total(takes, n_nodes);
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_bits j = r.at[k].segment;
    const viper_frame_roll *f = viper_frame_roll_at(frame, j);
    viper_scalar torque = viper_vec4_sum(t->slide * viper_roller_slope(t, f, r, k));
    takes += viper_ease_parts(counts.frame[j]) * (f->yields * (torque * torque));
  }
  const viper_scalar part = work < takes ? work / takes : 1;
  const viper_vec4 back = -part * t->slide;
  t->slide = part < 1 ? t->slide + back : viper_vec4_make(0, 0, 0, 0);
  return back;
}

#endif
