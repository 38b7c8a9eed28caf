// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction where surfaces touch (README.md): it moves centers, and rolls capsules about their own
/// axes. Point-wise, on plain numbers.
///
/// Capsules a and b touch at c_a - r_a n and c_b + r_b n. With the rolls p of their frames about
/// their axes w since the substep began the surfaces have slid by
///   d = sum w_k (c_k - c_k,old), across n,  +  sum p_j g_j,   g_j = n x (r_j w_j),
/// and a friction f on a does the torque f.g_j about w_j. At a half-plane the frames of a node's
/// segments count by their shares of mass. Frictions and torques are times h^2.
#ifndef VIPER_CONTACT_FRICTION_H
#define VIPER_CONTACT_FRICTION_H

#include "viper/contact/constraint.h"

#include <stddef.h>

/// The farthest that a pass or a prediction rolls a frame, as the sine of half the angle.
#define VIPER_MOST_ROLL ((viper_scalar)0.5)

/// Rounds in which friction that does work is taken back: as far as it does, then twice as far.
enum { VIPER_EASE_ROUNDS = 16, VIPER_EASE_PARTLY = 6 };

/// How far a frame has rolled, and what friction does to it.
typedef struct VIPER_IN_ROWS viper_frame_roll {
  viper_vec4 axis;     ///< w; and 0
  viper_scalar angle;  ///< about w since the substep began, rad
  viper_scalar added;  ///< of that by friction since the pass began
  viper_scalar torque; ///< of friction about w, pinned or not, kg m^2
  viper_scalar yields; ///< 1 / (kg m^2) about w; 0 where the roll is pinned
} viper_frame_roll;

/// A frame that friction may roll. Quaternions are (w, x, y, z).
typedef struct VIPER_IN_ROWS viper_contact_frame {
  viper_vec4 now, old, hat; ///< as the pass began; before the substep; predicted without friction
  viper_frame_roll roll;
  viper_scalar inverse; ///< 1 / (kg m^2) about w, pinned or not
  viper_scalar inertia; ///< about w at scale 1, kg m^2
  viper_scalar free;    ///< 1; 0 where the roll is pinned
  viper_scalar spare;
} viper_contact_frame;
static_assert(sizeof(viper_contact_frame) % VIPER_ROW_BYTES == 0, "frames are whole rows");

/// Rolls of frames, one every `bytes`; null where friction acts on centers alone.
typedef struct viper_frame_rolls {
  viper_frame_roll *first;
  size_t bytes;
} viper_frame_rolls;

VIPER_FN viper_frame_roll *viper_frame_roll_at(viper_frame_rolls rolls, viper_bits segment) {
  return (viper_frame_roll *)(void *)((char *)rolls.first + (size_t)segment * rolls.bytes);
}

/// Those of frames.
VIPER_FN viper_frame_rolls viper_frame_rolls_of(viper_contact_frame *frame) {
  viper_frame_rolls rolls = {frame ? &frame->roll : NULL, sizeof *frame};
  return rolls;
}

/// The frames that count at a contact.
typedef struct viper_rollers {
  const viper_roller *at; ///< [n]
  int32_t n;
  viper_scalar arm; ///< times that of each, m
} viper_rollers;

VIPER_FN viper_vec4 viper_vec4_cross(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0], 0);
}

/// The product p conj(q) of quaternions. Products are added up in whole vectors: where sums and
/// differences alternate compilers fuse them with products, whatever they are told.
VIPER_FN viper_vec4 viper_vec4_quat_over(viper_vec4 p, viper_vec4 q) {
  viper_vec4 a = p[0] * viper_vec4_make(q[0], -q[1], -q[2], -q[3]) +
                 p[1] * viper_vec4_make(q[1], q[0], q[3], -q[2]);
  viper_vec4 b = p[2] * viper_vec4_make(q[2], -q[3], q[0], q[1]) +
                 p[3] * viper_vec4_make(q[3], q[2], -q[1], q[0]);
  return a + b;
}

/// A quaternion times k: with it the frame has turned by half a turn about w.
VIPER_FN viper_vec4 viper_vec4_quat_k(viper_vec4 q) {
  return viper_vec4_make(-q[3], q[2], -q[1], q[0]);
}

/// The frame `q` rolled about its axis w by `angle` [rad], or as far as frames may.
VIPER_FN viper_vec4 viper_frame_rolled(viper_vec4 q, viper_scalar angle) {
  viper_scalar half = (viper_scalar)0.5 * angle, most = VIPER_MOST_ROLL;
  half = half > most ? most : half < -most ? -most : half;
  return VIPER_SCALAR_SQRT(1 - half * half) * q + half * viper_vec4_quat_k(q);
}

/// Before the first pass, where `hat` and `old` are there: the inertia of the frame between nodes a
/// and b is that of its predicted scale, of at least `least`.
VIPER_FN void viper_frame_begin(viper_contact_frame *f, const viper_contact_node *a,
                                const viper_contact_node *b, viper_scalar least) {
  viper_scalar s = (viper_scalar)0.5 * ((a->free[3] > 0 ? a->hat[3] : a->x[3]) +
                                        (b->free[3] > 0 ? b->hat[3] : b->x[3]));
  s = s < least ? least : s;
  f->inverse = 1 / (s * s * f->inertia);
  f->roll.yields = f->free * f->inverse;
  f->roll.torque = f->roll.added = 0;
}

/// Before a pass: the frame, which was at `old` before the substep, is at `q`.
VIPER_FN void viper_frame_roll_read(viper_frame_roll *roll, viper_vec4 old, viper_vec4 q) {
  viper_vec4 axis = viper_vec4_quat_over(viper_vec4_quat_k(q), q),
             turn = viper_vec4_quat_over(q, old);
  viper_scalar two = turn[0] < 0 ? -2 : 2;
  roll->axis = viper_vec4_make(axis[1], axis[2], axis[3], 0);
  roll->angle = two * viper_vec4_sum(viper_vec4_make(turn[1], turn[2], turn[3], 0) * roll->axis);
  roll->added = 0;
}

VIPER_FN void viper_frame_read(viper_contact_frame *f, viper_vec4 q) {
  f->now = q;
  viper_frame_roll_read(&f->roll, f->old, q);
}

/// Where friction moves the prediction of a frame.
VIPER_FN viper_vec4 viper_frame_hat(const viper_contact_frame *f) {
  const viper_scalar torque = f->roll.torque;
  return torque != 0 ? viper_frame_rolled(f->hat, f->inverse * torque) : f->hat;
}

/// g of a frame at a contact, m.
VIPER_FN viper_vec4 viper_roll_slope(const viper_touch *t, const viper_frame_roll *f,
                                     viper_scalar arm) {
  return arm * viper_vec4_cross(t->n, f->axis);
}

/// The share of rolls in how far the surfaces slid.
VIPER_FN viper_vec4 viper_touch_rolled(const viper_touch *t, viper_frame_rolls frame,
                                       viper_rollers r) {
  viper_vec4 d = viper_vec4_make(0, 0, 0, 0);
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    d += f->angle * viper_roll_slope(t, f, r.arm * r.at[k].arm);
  }
  return d;
}

/// How far the surfaces have slid along each other in the substep, m; and 0.
VIPER_FN viper_vec4 viper_touch_slip(const viper_touch *t, const viper_contact_node *node,
                                     viper_frame_rolls frame, viper_rollers r, viper_vec4 carried,
                                     int n_nodes) {
  const viper_vec4 zero = viper_vec4_make(0, 0, 0, 0);
  viper_vec4 d = zero - carried;
  viper_vec4 slid = viper_touch_slid_by(t, node, 0, zero);
  if (n_nodes == 4) {
    slid += viper_touch_slid_by(t, node, 1, zero);
    slid += viper_touch_slid_by(t, node, 2, zero) + viper_touch_slid_by(t, node, 3, zero);
  }
  d += viper_touch_total4(slid, n_nodes);
  return viper_touch_tangent(t, d) + viper_touch_rolled(t, frame, r);
}

/// What slides under a friction of 1: along the direction in which rolls yield most, and across it.
/// Neither is less than it is whatever the direction of the friction.
typedef struct viper_yields {
  viper_vec4 direction;       ///< of unit length; or 0 where nothing rolls
  viper_scalar along, across; ///< 1 / kg
} viper_yields;

VIPER_FN viper_yields viper_touch_yields(const viper_touch *t, viper_frame_rolls frame,
                                         viper_rollers r) {
  viper_yields y = {viper_vec4_make(0, 0, 0, 0), t->inv_slide > 0 ? 1 / t->inv_slide : 0, 0};
  viper_vec4 best = y.direction;
  viper_scalar most = 0, mixed = 0, best2 = 1;
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    viper_vec4 g = viper_roll_slope(t, f, r.arm * r.at[k].arm);
    viper_scalar size2 = viper_vec4_sum(g * g), yields = f->yields * size2;
    if (yields > most) {
      most = yields;
      best = g;
      best2 = size2;
    }
  }
  if (most > 0)
    y.direction = 1 / VIPER_SCALAR_SQRT(best2) * best;
  y.across = y.along;
  viper_vec4 other = viper_vec4_cross(t->n, y.direction);
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    viper_vec4 g = viper_roll_slope(t, f, r.arm * r.at[k].arm);
    viper_scalar p = viper_vec4_sum(g * y.direction), q = viper_vec4_sum(g * other);
    y.along += f->yields * (p * p);
    y.across += f->yields * (q * q);
    mixed += f->yields * (p * q);
  }
  y.along += viper_scalar_abs(mixed);
  y.across += viper_scalar_abs(mixed);
  return y;
}

/// Coulomb's friction: what slid is taken back where that needs no more than the static friction;
/// else it is braked by viper_friction_most, against the direction in which it slides. Returns what
/// is added to the friction.
VIPER_FN viper_vec4 viper_touch_grip(viper_touch *t, viper_vec4 slip, const viper_yields *y,
                                     viper_friction friction) {
  viper_vec4 before = t->slide;
  viper_scalar p = viper_vec4_sum(slip * y->direction), most = friction.at_rest * t->lambda,
               worst = y->along > y->across ? y->along : y->across;
  viper_vec4 all = before - (y->along > 0 ? p / y->along : 0) * y->direction -
                   (y->across > 0 ? 1 / y->across : 0) * (slip - p * y->direction);
  if (viper_vec4_sum(all * all) > most * most) {
    all = before - (worst > 0 ? 1 / worst : 0) * slip;
    viper_scalar size = VIPER_SCALAR_SQRT(viper_vec4_sum(all * all));
    if (size > most)
      all = viper_friction_most(friction, t->lambda, size) / size * all;
  }
  t->slide = all;
  return all - before;
}

/// Moves nodes and frames by what is added to a friction.
VIPER_FN void viper_touch_drag(const viper_touch *t, viper_contact_node *node,
                               viper_frame_rolls frame, viper_rollers r, viper_vec4 force,
                               int n_nodes) {
  VIPER_UNROLL for (int k = 0; k < viper_touch_own(n_nodes); k++) {
    viper_contact_node *to = &node[t->node[k]];
    viper_vec4 step = to->inverse * (t->weight[k] * force);
    to->push += step;
    to->x += to->free * step;
  }
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    viper_scalar torque = viper_vec4_sum(force * viper_roll_slope(t, f, r.arm * r.at[k].arm)),
                 angle = f->yields * torque;
    f->torque += torque;
    f->angle += angle;
    f->added += angle;
  }
}

/// The friction of a contact, after its push.
VIPER_FN void viper_touch_rub(viper_touch *t, viper_contact_node *node, viper_frame_rolls frame,
                              viper_rollers r, viper_friction friction, viper_vec4 carried,
                              int n_nodes) {
  if (!(t->lambda > 0) && !(viper_vec4_sum(t->slide * t->slide) > 0))
    return;
  viper_vec4 slip = viper_touch_slip(t, node, frame, r, carried, n_nodes);
  viper_yields y = viper_touch_yields(t, frame, r);
  viper_touch_drag(t, node, frame, r, viper_touch_grip(t, slip, &y, friction), n_nodes);
}

// After the last pass: visits after a contact's own may have moved its surfaces on along its
// friction, which then does work. Such a friction is taken back, with what it moved.

/// The work of a friction; notes what of it rolls do. 0 where that is rounding of coordinates.
VIPER_FN viper_scalar viper_touch_works(viper_touch *t, const viper_contact_node *node,
                                        viper_frame_rolls frame, viper_rollers r,
                                        viper_vec4 carried, int n_nodes) {
  viper_scalar size2 = viper_vec4_sum(t->slide * t->slide);
  t->rolled = 0;
  if (!(size2 > 0))
    return 0;
  const viper_contact_node *x = &node[t->node[0]];
  viper_scalar place = viper_touch_of_first(viper_scalar_abs(x->x[0]) + viper_scalar_abs(x->x[1]) +
                                                viper_scalar_abs(x->x[2]) + x->radius,
                                            n_nodes);
  viper_scalar least = (viper_scalar)(32 * VIPER_EPSILON) * place * VIPER_SCALAR_SQRT(size2),
               work =
                   viper_vec4_sum(t->slide * viper_touch_slip(t, node, frame, r, carried, n_nodes));
  t->rolled = viper_vec4_sum(t->slide * viper_touch_rolled(t, frame, r));
  return work > least ? work : 0;
}

/// The work that the friction of a contact would do on its node `k`, if it were twice as long.
VIPER_FN viper_scalar viper_touch_node_work(const viper_touch *t, const viper_contact_node *node,
                                            int k) {
  const viper_contact_node *x = &node[t->node[k]];
  viper_vec4 own = t->weight[k] * t->slide;
  return viper_vec4_sum(own * (x->free * (x->inverse * own)));
}

/// Takes a friction back as far as it does work, or twice as far with `drop`: all of one that holds
/// what hardly slides must not go. Returns whether it did work.
VIPER_FN int viper_touch_ease(viper_touch *t, viper_contact_node *node, viper_frame_rolls frame,
                              viper_rollers r, viper_vec4 carried, int drop, int n_nodes) {
  viper_scalar work = viper_touch_works(t, node, frame, r, carried, n_nodes);
  if (!(work > 0))
    return 0;
  viper_scalar takes = viper_touch_node_work(t, node, 0);
  if (n_nodes == 4)
    takes = (takes + viper_touch_node_work(t, node, 1)) +
            (viper_touch_node_work(t, node, 2) + viper_touch_node_work(t, node, 3));
  takes = viper_touch_total(takes, n_nodes);
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    viper_scalar torque = viper_vec4_sum(t->slide * viper_roll_slope(t, f, r.arm * r.at[k].arm));
    takes += f->yields * (torque * torque);
  }
  viper_scalar part = (drop ? 2 : 1) * work < takes ? (drop ? 2 : 1) * work / takes : 1;
  viper_vec4 back = -part * t->slide;
  t->slide = part < 1 ? t->slide + back : viper_vec4_make(0, 0, 0, 0);
  viper_touch_drag(t, node, frame, r, back, n_nodes);
  return 1;
}

/// Before the first iteration: moves nodes and frames by the push and the friction that a contact
/// begins with (keep.h).
VIPER_FN void viper_touch_begin(const viper_touch *t, viper_contact_node *node,
                                viper_frame_rolls frame, viper_rollers r, int n_nodes) {
  if (!(t->lambda > 0))
    return;
  viper_touch_press(t, node, t->lambda, n_nodes);
  if (viper_vec4_sum(t->slide * t->slide) > 0)
    viper_touch_drag(t, node, frame, r, t->slide, n_nodes);
}

/// What is done with a contact: it moves what it begins with; it is solved; or friction that works
/// is taken back, as far as it does or twice as far.
typedef enum viper_visit {
  VIPER_VISIT_BEGIN,
  VIPER_VISIT_SOLVE,
  VIPER_VISIT_EASE,
  VIPER_VISIT_DROP
} viper_visit;

/// A visit of a contact between capsules, by `n_nodes` 4 or VIPER_ONE_OF_FOUR; without rolls in
/// `frame` friction acts on centers. Returns whether friction was taken back.
VIPER_FN int viper_touch_between(viper_touch *t, viper_contact_node *node, viper_frame_rolls frame,
                                 viper_friction friction, viper_visit visit, int n_nodes) {
  const viper_vec4 still = viper_vec4_make(0, 0, 0, 0);
  const viper_rollers r = {t->roller, frame.first ? 2 : 0, 1};
  if (visit == VIPER_VISIT_BEGIN) {
    viper_touch_begin(t, node, frame, r, n_nodes);
    return 0;
  }
  if (visit != VIPER_VISIT_SOLVE)
    return viper_touch_ease(t, node, frame, r, still, visit == VIPER_VISIT_DROP, n_nodes);
  viper_touch_push(t, node, n_nodes);
  if (friction.at_rest > 0)
    viper_touch_rub(t, node, frame, r, friction, still, n_nodes);
  return 0;
}

/// Likewise of one with a half-plane. `r` are the frames of its node's segments, by their shares.
VIPER_FN int viper_touch_on_plane(viper_touch *t, viper_contact_node *node, viper_frame_rolls frame,
                                  viper_rollers r, const viper_plane *plane,
                                  viper_friction friction, viper_visit visit) {
  r.arm = t->roller[0].arm;
  if (visit == VIPER_VISIT_BEGIN) {
    viper_touch_begin(t, node, frame, r, 1);
    return 0;
  }
  if (visit != VIPER_VISIT_SOLVE)
    return viper_touch_ease(t, node, frame, r, viper_plane_displacement(plane, node[t->node[0]].x),
                            visit == VIPER_VISIT_DROP, 1);
  viper_touch_push(t, node, 1);
  if (friction.at_rest > 0)
    viper_touch_rub(t, node, frame, r, friction,
                    viper_plane_displacement(plane, node[t->node[0]].x), 1);
  return 0;
}

#endif
