// SPDX-License-Identifier: GPL-3.0-or-later
/// Prevents the axes of two capsules from passing through each other in a substep (README.md,
/// Truncation of motion). Point-wise, on scalars, for every backend.
///
/// Conservative advancement (Mirtich 1996) follows the distance of the two axes on the straight
/// paths of the nodes: both axes are convex, so the distance shrinks by no more than the ends
/// approach each other along the direction between the nearest points. If it would fall below a
/// floor, the motion of the four nodes is truncated relative to their mean.
#ifndef VIPER_CONTACT_TRUNCATION_H
#define VIPER_CONTACT_TRUNCATION_H

#include "viper/contact/candidate.h"

#include <stddef.h>

/// The floor of the distance of two axes is a fraction of the sum of the radii, or a fraction of
/// the initial distance if that is less. Axes that begin nearer than the third fraction of the
/// radii are not truncated: their sides are not known.
#define VIPER_TRUNCATION_FLOOR    0.25
#define VIPER_TRUNCATION_RELATIVE 0.9
#define VIPER_TRUNCATION_LEAST    (1.0 / 64)
/// Advancement ends at the floor within this fraction of it.
#define VIPER_TRUNCATION_TOLERANCE 0.02
/// Upper bound of the steps of advancement: more than a motion of a hundred radii takes.
#define VIPER_TRUNCATION_STEPS 1024
/// Rounds in which motions are truncated; in those that follow, nodes return to their initial
/// positions.
enum { VIPER_TRUNCATION_ROUNDS = 64, VIPER_TRUNCATION_STOP_ROUNDS = 64 };

/// Two segments, a and b, in a substep.
typedef struct viper_swept_pair {
  viper_vec3 old[4];  ///< initial positions of the ends of a, then of b
  viper_vec3 path[4]; ///< their displacements
  viper_real reach;   ///< sum of the smaller initial radius of each, m
} viper_swept_pair;

/// Makes the pair of the segments between nodes `a` and between nodes `b`, which moved from `old`
/// to `x`.
VIPER_FN void viper_swept_pair_make(const viper_contact_node *node, const int32_t a[2],
                                    const int32_t b[2], const viper_vec4 x[4],
                                    viper_swept_pair *out) {
  viper_real radius[4];
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const viper_contact_node *from = &node[k < 2 ? a[k] : b[k - 2]];
    out->old[k] = viper_vec3_make(from->old[0], from->old[1], from->old[2]);
    out->path[k] = viper_sub(viper_vec3_make(x[k][0], x[k][1], x[k][2]), out->old[k]);
    radius[k] = from->radius * from->old[3];
  }
  out->reach = (radius[0] < radius[1] ? radius[0] : radius[1]) +
               (radius[2] < radius[3] ? radius[2] : radius[3]);
}

/// The greatest relative motion of a point of a and one of b, squared, m^2.
VIPER_FN viper_real viper_relative_motion2(const viper_vec3 a[2], const viper_vec3 b[2]) {
  viper_real most = 0;
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    viper_vec3 d = viper_sub(a[k / 2], b[k % 2]);
    viper_real d2 = viper_dot(d, d);
    most = d2 > most ? d2 : most;
  }
  return most;
}

/// Whether two axes certainly stay above their floor; `a` and `b` are the predicted capsules, and
/// `gap` the gap between them. With a margin, so that viper_truncation_fraction agrees.
VIPER_FN int viper_truncation_is_sure(const viper_swept_pair *p, const viper_moving_capsule *a,
                                      const viper_moving_capsule *b, viper_scalar gap) {
  viper_vec3 path[4];
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const viper_scalar *end = (k < 2 ? a : b)->end + 4 * (size_t)(k % 2);
    path[k] = viper_sub(viper_vec3_make(end[0], end[1], end[2]), p->old[k]);
  }
  // Lower bound of the initial distance, from the gap at the prediction.
  viper_scalar least = gap + (a->end[3] < a->end[7] ? a->end[3] : a->end[7]) +
                       (b->end[3] < b->end[7] ? b->end[3] : b->end[7]) -
                       VIPER_SQRT(viper_relative_motion2(path, path + 2));
  viper_scalar room =
      VIPER_R(VIPER_TRUNCATION_RELATIVE) * least - VIPER_R(1.2 * VIPER_TRUNCATION_FLOOR) * p->reach;
  return room > 0 && viper_relative_motion2(p->path, p->path + 2) < room * room;
}

/// The distance of a segment's end from its prediction up to which the broad phase is valid, m:
/// pairs that it did not find keep a margin between their surfaces on all paths to their
/// predictions.
VIPER_FN viper_scalar viper_truncation_room(const viper_moving_capsule *predicted,
                                            viper_scalar margin) {
  viper_scalar ra = predicted->end[3], rb = predicted->end[7];
  return VIPER_R(0.5) * (margin + (ra < rb ? ra : rb));
}

/// Whether the ends of a capsule, now at `a` and `b`, moved farther than that (`room`).
VIPER_FN int viper_truncation_is_outside(const viper_moving_capsule *predicted, viper_vec4 a,
                                         viper_vec4 b, viper_scalar room) {
  viper_scalar most = 0;
  VIPER_UNROLL for (int end = 0; end < 2; end++) {
    viper_scalar d2 = 0;
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      viper_scalar d = (end ? b[k] : a[k]) - predicted->end[4 * end + k];
      d2 += d * d;
    }
    most = viper_larger(d2, most);
  }
  return most > room * room;
}

/// The distance of the axes at the fraction `t` of their paths, m, and its direction from b to a.
VIPER_FN viper_real viper_truncation_distance(const viper_swept_pair *p, viper_real t,
                                              viper_vec3 *n) {
  viper_capsule c[2];
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    c[k / 2].c[k % 2] = viper_add(p->old[k], viper_scale(t, p->path[k]));
    c[k / 2].r[k % 2] = 0;
  }
  viper_closest at = viper_capsule_closest(&c[0], &c[1]);
  *n = viper_sub(viper_capsule_at(&c[0], at.al), viper_capsule_at(&c[1], at.be));
  viper_real d = VIPER_SQRT(viper_dot(*n, *n));
  *n = viper_scale(d > 0 ? 1 / d : 0, *n);
  return d;
}

/// The approach of the ends along `n` over their whole paths, m.
VIPER_FN viper_real viper_truncation_approach(const viper_swept_pair *p, viper_vec3 n) {
  viper_real a0 = viper_dot(n, p->path[0]), a1 = viper_dot(n, p->path[1]);
  viper_real b0 = viper_dot(n, p->path[2]), b1 = viper_dot(n, p->path[3]);
  return (b0 > b1 ? b0 : b1) - (a0 < a1 ? a0 : a1);
}

/// The fraction of their paths on which the distance of the axes stays above `floor`; 1 for all.
/// They begin `d` apart in direction `n`.
VIPER_FN viper_real viper_truncation_advance(const viper_swept_pair *p, viper_real floor,
                                             viper_real d, viper_vec3 n) {
  viper_real t = 0;
  for (int k = 0; k < VIPER_TRUNCATION_STEPS; k++) {
    viper_real room = d - floor, approach = viper_truncation_approach(p, n);
    if (room <= VIPER_R(VIPER_TRUNCATION_TOLERANCE) * floor)
      return t;
    if (!(approach * (1 - t) >= room))
      return 1;
    t += room / approach;
    d = viper_truncation_distance(p, t, &n);
  }
  return t;
}

/// The fraction of the relative motion that two segments keep: 1 if their axes stay above their
/// floor; otherwise up to where the capsules touch, or halfway to the floor.
VIPER_FN viper_real viper_truncation_fraction(const viper_swept_pair *p) {
  viper_vec3 n;
  viper_real d = viper_truncation_distance(p, 0, &n),
             floor = VIPER_R(VIPER_TRUNCATION_RELATIVE) * d;
  viper_real least = VIPER_R(VIPER_TRUNCATION_FLOOR) * p->reach;
  floor = floor < least ? floor : least;
  if (!(d > VIPER_R(VIPER_TRUNCATION_LEAST) * p->reach) ||
      !(viper_truncation_advance(p, floor, d, n) < 1))
    return 1;
  viper_real half = VIPER_R(0.5) * (d + floor);
  return viper_truncation_advance(p, half < p->reach ? half : p->reach, d, n);
}

/// The mean of component `c` of four nodes: of the pinned ones if any, else weighted by mass.
VIPER_FN viper_scalar viper_truncation_mean(const viper_contact_node *node, const int32_t at[4],
                                            int c, const viper_scalar value[4]) {
  viper_scalar sum = 0, mass = 0, held = 0, n_held = 0;
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const viper_contact_node *x = &node[at[k]];
    viper_scalar own = 1 / x->inverse[c];
    sum += own * value[k];
    mass += own;
    held += x->free[c] > 0 ? 0 : value[k];
    n_held += x->free[c] > 0 ? 0 : 1;
  }
  return n_held > 0 ? held / n_held : sum / mass;
}

/// Scales by `t` the motion of the nodes relative to their mean, and its part that does not count
/// as velocity (`still`): momentum is conserved, and kinetic energy falls.
VIPER_FN void viper_truncate(viper_contact_node *node, viper_vec4 *still, const int32_t at[4],
                             viper_scalar t) {
  VIPER_UNROLL for (int c = 0; c < 3; c++) {
    viper_scalar path[4], quiet[4];
    VIPER_UNROLL for (int k = 0; k < 4; k++) {
      path[k] = node[at[k]].x[c] - node[at[k]].old[c];
      quiet[k] = still[at[k]][c];
    }
    viper_scalar mean = viper_truncation_mean(node, at, c, path);
    viper_scalar mean_quiet = viper_truncation_mean(node, at, c, quiet);
    VIPER_UNROLL for (int k = 0; k < 4; k++) {
      viper_contact_node *x = &node[at[k]];
      if (x->free[c] > 0) {
        x->x[c] = x->old[c] + (mean + t * (path[k] - mean));
        still[at[k]][c] = mean_quiet + t * (quiet[k] - mean_quiet);
      }
    }
  }
}

/// Returns a node to its position before the substep, at rest. Returns whether it had moved.
VIPER_FN int viper_truncation_stop(viper_contact_node *x, viper_vec4 *still) {
  int moved = 0;
  VIPER_UNROLL for (int c = 0; c < 3; c++) {
    moved = moved || (x->free[c] > 0 && x->x[c] != x->old[c]);
    x->x[c] = x->free[c] > 0 ? x->old[c] : x->x[c];
    (*still)[c] = 0;
  }
  return moved;
}

/// The bid of segments i and j for their nodes in a round: the pairs with the highest bid at all
/// four of their nodes are processed. Bids are unique and hashed, so that chains of pairs that
/// share nodes do not wait for each other.
VIPER_FN uint64_t viper_truncation_bid(int32_t i, int32_t j) {
  uint64_t mixed = ((uint64_t)(uint32_t)i << 32 | (uint32_t)j) * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 32;
  return mixed * 0xd6e8feb86659fd93u;
}

#endif
