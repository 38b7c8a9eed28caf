// SPDX-License-Identifier: GPL-3.0-or-later
/// Keeps the axes of two capsules from passing through each other in a substep, whatever it does
/// (README.md, Truncation of motion). Point-wise, on plain numbers, for every backend.
///
/// On the straight paths of the nodes the distance of the two axes is followed by conservative
/// advancement (Mirtich 1996): both axes are convex, so along the direction between the nearest
/// points it shrinks by no more than the ends approach each other. Where it would fall below a
/// floor, the motion of the four nodes is truncated relative to their mean.
#ifndef VIPER_CONTACT_TRUNCATION_H
#define VIPER_CONTACT_TRUNCATION_H

#include "viper/contact/candidate.h"

#include <stddef.h>

/// The floor of a distance of axes, as a part of the radii's sum; as a part of what it was where it
/// was less. What is nearer than the last is not truncated: its sides cannot be told.
#define VIPER_TRUNCATION_FLOOR    0.25
#define VIPER_TRUNCATION_RELATIVE 0.9
#define VIPER_TRUNCATION_LEAST    (1.0 / 64)
/// By how much nearer to a floor than that, as a part of it, advancement ends.
#define VIPER_TRUNCATION_TOLERANCE 0.02
/// Most steps of advancement: more than any motion of a hundred radii takes.
#define VIPER_TRUNCATION_STEPS 1024
/// Rounds in which motions are truncated; in those that follow nodes stay where they were.
enum { VIPER_TRUNCATION_ROUNDS = 64, VIPER_TRUNCATION_STOP_ROUNDS = 64 };

/// Two segments, a and b, in a substep.
typedef struct viper_swept_pair {
  viper_vec3 old[4];  ///< where the ends of a, then of b were
  viper_vec3 path[4]; ///< how far they moved
  viper_real reach;   ///< sum of the least radii of both, as they were, m
} viper_swept_pair;

/// The pair of the segments between nodes `a` and `b`, that moved from `old` to `x`.
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

/// The greatest motion of a point of a against one of b, squared, m^2.
VIPER_FN viper_real viper_relative_motion2(const viper_vec3 a[2], const viper_vec3 b[2]) {
  viper_real most = 0;
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    viper_vec3 d = viper_sub(a[k / 2], b[k % 2]);
    viper_real d2 = viper_dot(d, d);
    most = d2 > most ? d2 : most;
  }
  return most;
}

/// Whether axes are above their floor for certain: of two capsules that are `a` and `b` where they
/// are predicted, with the gap `gap` there. With room to spare, so that viper_truncation_fraction
/// says the same.
VIPER_FN int viper_truncation_is_sure(const viper_swept_pair *p, const viper_moving_capsule *a,
                                      const viper_moving_capsule *b, viper_scalar gap) {
  viper_vec3 path[4];
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const viper_scalar *end = (k < 2 ? a : b)->end + 4 * (size_t)(k % 2);
    path[k] = viper_sub(viper_vec3_make(end[0], end[1], end[2]), p->old[k]);
  }
  // They were so far apart at least, for they came to that gap.
  viper_scalar least = gap + (a->end[3] < a->end[7] ? a->end[3] : a->end[7]) +
                       (b->end[3] < b->end[7] ? b->end[3] : b->end[7]) -
                       VIPER_SQRT(viper_relative_motion2(path, path + 2));
  viper_scalar room =
      VIPER_R(VIPER_TRUNCATION_RELATIVE) * least - VIPER_R(1.2 * VIPER_TRUNCATION_FLOOR) * p->reach;
  return room > 0 && viper_relative_motion2(p->path, p->path + 2) < room * room;
}

/// How far the end of a segment may come to be from where it was predicted without coming near any
/// that is not known to be near, m: on all ways to where segments are predicted there is a margin
/// between the surfaces of such two.
VIPER_FN viper_scalar viper_truncation_room(const viper_moving_capsule *predicted,
                                            viper_scalar margin) {
  viper_scalar ra = predicted->end[3], rb = predicted->end[7];
  return VIPER_R(0.5) * (margin + (ra < rb ? ra : rb));
}

/// Whether the ends of a capsule left that room: they are now at `a` and `b`.
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

/// The distance of the axes at the part `t` of their paths, m, and its direction from b to a.
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

/// By how much the ends approach each other along `n` on all of their paths, m.
VIPER_FN viper_real viper_truncation_approach(const viper_swept_pair *p, viper_vec3 n) {
  viper_real a0 = viper_dot(n, p->path[0]), a1 = viper_dot(n, p->path[1]);
  viper_real b0 = viper_dot(n, p->path[2]), b1 = viper_dot(n, p->path[3]);
  return (b0 > b1 ? b0 : b1) - (a0 < a1 ? a0 : a1);
}

/// The part of their paths that the axes can go before they are as near as `floor`; 1 for all. They
/// begin `d` apart in direction `n`.
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

/// The part of their motion against each other that is left to two segments: 1 where their axes
/// stay above their floor; else they go to where the capsules touch, or half the way to the floor.
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

/// The mean of component `c` of four nodes: of those that are pinned, or by mass.
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

/// Leaves the nodes the part `t` of their motion against their mean, and of what velocities do not
/// count of it (`still`): momentum stays, and kinetic energy falls.
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

/// Puts a node back to where it was before the substep, at rest; whether it was elsewhere.
VIPER_FN int viper_truncation_stop(viper_contact_node *x, viper_vec4 *still) {
  int moved = 0;
  VIPER_UNROLL for (int c = 0; c < 3; c++) {
    moved = moved || (x->free[c] > 0 && x->x[c] != x->old[c]);
    x->x[c] = x->free[c] > 0 ? x->old[c] : x->x[c];
    (*still)[c] = 0;
  }
  return moved;
}

/// What segments i and j bid for their nodes in a round: the pair that bids most at all four of its
/// nodes is worked on in it. No two bids are the same, and they are mixed, so that rows of pairs
/// that share nodes do not wait for each other.
VIPER_FN uint64_t viper_truncation_bid(int32_t i, int32_t j) {
  uint64_t mixed = ((uint64_t)(uint32_t)i << 32 | (uint32_t)j) * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 32;
  return mixed * 0xd6e8feb86659fd93u;
}

#endif
