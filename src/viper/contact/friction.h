// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction between surfaces (README.md): it moves centers, and rolls capsules about their own
/// axes. Point-wise, on scalars.
///
/// Capsules a and b touch at c_a - r_a n and c_b + r_b n. Let p be the rolls of their frames about
/// their axes w since the substep began. The surfaces have slid by
///   d = sum w_k (c_k - c_k,old), across n,  +  sum p_j g_j,   g_j = n x (r_j w_j),
/// and a friction f on a exerts the torque f.g_j about w_j. At a half-plane the frames of a node's
/// segments count by their shares of mass. Friction and torques are multiplied by h^2.
#ifndef VIPER_CONTACT_FRICTION_H
#define VIPER_CONTACT_FRICTION_H

#include "viper/contact/constraint.h"

#include <stddef.h>

/// Upper bound of the roll of a frame by a pass or a prediction: sine of half the angle.
#define VIPER_MOST_ROLL ((viper_scalar)0.5)

/// The roll of a frame, and the torque of friction on it.
typedef struct VIPER_IN_ROWS viper_frame_roll {
  viper_vec4 axis;     ///< w; and 0
  viper_scalar angle;  ///< about w since the substep began, rad
  viper_scalar added;  ///< part of the angle by friction since the pass began
  viper_scalar torque; ///< of friction about w, as if not pinned, kg m^2
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

/// Rolls of frames, `bytes` apart; null if friction acts on centers only.
typedef struct viper_frame_rolls {
  viper_frame_roll *first;
  size_t bytes;
} viper_frame_rolls;

VIPER_FN viper_frame_roll *viper_frame_roll_at(viper_frame_rolls rolls, viper_bits segment) {
  return (viper_frame_roll *)(void *)((char *)rolls.first + (size_t)segment * rolls.bytes);
}

/// The rolls of an array of frames.
VIPER_FN viper_frame_rolls viper_frame_rolls_of(viper_contact_frame *frame) {
  viper_frame_rolls rolls = {frame ? &frame->roll : NULL, sizeof *frame};
  return rolls;
}

/// The frames that roll at a contact.
typedef struct viper_rollers {
  const viper_roller *at; ///< [n]
  int32_t n;
  viper_scalar arm;        ///< factor of the arm of each, m
  const viper_vec4 *slope; ///< [n] g of each; null: computed where needed
} viper_rollers;

/// The product p conj(q) of quaternions. Products are added up in whole vectors, because compilers
/// fuse alternating sums and differences with products in spite of their options.
VIPER_FN viper_vec4 viper_vec4_quat_over(viper_vec4 p, viper_vec4 q) {
  viper_vec4 a = p[0] * viper_vec4_make(q[0], -q[1], -q[2], -q[3]) +
                 p[1] * viper_vec4_make(q[1], q[0], q[3], -q[2]);
  viper_vec4 b = p[2] * viper_vec4_make(q[2], -q[3], q[0], q[1]) +
                 p[3] * viper_vec4_make(q[3], q[2], -q[1], q[0]);
  return a + b;
}

/// A quaternion times k: the frame after half a turn about w.
VIPER_FN viper_vec4 viper_vec4_quat_k(viper_vec4 q) {
  return viper_vec4_make(-q[3], q[2], -q[1], q[0]);
}

/// The frame `q` rolled about its axis w by `angle` [rad], bounded by VIPER_MOST_ROLL.
VIPER_FN viper_vec4 viper_frame_rolled(viper_vec4 q, viper_scalar angle) {
  viper_scalar half = (viper_scalar)0.5 * angle, most = VIPER_MOST_ROLL;
  half = half > most ? most : half < -most ? -most : half;
  return VIPER_SCALAR_SQRT(1 - half * half) * q + half * viper_vec4_quat_k(q);
}

/// Before the first pass, with `hat` and `old` set: computes the inertia of the frame between nodes
/// a and b from its predicted scale, which is at least `least`.
VIPER_FN void viper_frame_begin(viper_contact_frame *f, const viper_contact_node *a,
                                const viper_contact_node *b, viper_scalar least) {
  viper_scalar s = (viper_scalar)0.5 * ((a->free[3] > 0 ? a->hat[3] : a->x[3]) +
                                        (b->free[3] > 0 ? b->hat[3] : b->x[3]));
  s = s < least ? least : s;
  f->inverse = 1 / (s * s * f->inertia);
  f->roll.yields = f->free * f->inverse;
  f->roll.torque = f->roll.added = 0;
}

/// Before a pass: sets the roll of a frame that is at `q`, and was at `old` before the substep.
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

/// The prediction of a frame, moved by friction.
VIPER_FN viper_vec4 viper_frame_hat(const viper_contact_frame *f) {
  const viper_scalar torque = f->roll.torque;
  return torque != 0 ? viper_frame_rolled(f->hat, f->inverse * torque) : f->hat;
}

/// g of a frame at a contact, m.
VIPER_FN viper_vec4 viper_roll_slope(const viper_touch *t, const viper_frame_roll *f,
                                     viper_scalar arm) {
  return arm * viper_vec4_cross(t->n, f->axis);
}

/// The same of one of the frames that roll.
VIPER_FN viper_vec4 viper_roller_slope(const viper_touch *t, const viper_frame_roll *f,
                                       viper_rollers r, int32_t k) {
  return r.slope ? r.slope[k] : viper_roll_slope(t, f, r.arm * r.at[k].arm);
}

/// The part of rolls in the sliding of the surfaces.
VIPER_FN viper_vec4 viper_touch_rolled(const viper_touch *t, viper_frame_rolls frame,
                                       viper_rollers r) {
  viper_vec4 d = viper_vec4_make(0, 0, 0, 0);
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    d += f->angle * viper_roller_slope(t, f, r, k);
  }
  return d;
}

/// The part of centers in it.
VIPER_FN viper_vec4 viper_touch_slid(const viper_touch *t, const viper_contact_node *node,
                                     viper_vec4 carried, int n_nodes) {
  const viper_vec4 zero = viper_vec4_make(0, 0, 0, 0);
  viper_vec4 d = zero - carried;
  viper_vec4 slid = viper_touch_slid_by(t, node, 0, zero);
  if (n_nodes == 4) {
    slid += viper_touch_slid_by(t, node, 1, zero);
    slid += viper_touch_slid_by(t, node, 2, zero) + viper_touch_slid_by(t, node, 3, zero);
  }
  d += viper_touch_total4(slid, n_nodes);
  return viper_touch_tangent(t, d);
}

/// The sliding of the surfaces along each other in the substep, m; and 0.
VIPER_FN viper_vec4 viper_touch_slip(const viper_touch *t, const viper_contact_node *node,
                                     viper_frame_rolls frame, viper_rollers r, viper_vec4 carried,
                                     int n_nodes) {
  return viper_touch_slid(t, node, carried, n_nodes) + viper_touch_rolled(t, frame, r);
}

/// Inverse inertia of the sliding: along the direction in which rolls move most, and across it.
/// Both are upper bounds for any direction of friction.
typedef struct viper_yields {
  viper_vec4 direction;       ///< unit vector; 0 if nothing rolls
  viper_scalar along, across; ///< 1 / kg
} viper_yields;

VIPER_FN viper_yields viper_touch_yields(const viper_touch *t, viper_frame_rolls frame,
                                         viper_rollers r) {
  viper_yields y = {viper_vec4_make(0, 0, 0, 0), t->inv_slide > 0 ? 1 / t->inv_slide : 0, 0};
  viper_vec4 best = y.direction;
  viper_scalar most = 0, mixed = 0, best2 = 1;
  VIPER_BY_TWO for (int32_t k = 0; k < r.n; k++) {
    const viper_frame_roll *f = viper_frame_roll_at(frame, r.at[k].segment);
    viper_vec4 g = viper_roller_slope(t, f, r, k);
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
    viper_vec4 g = viper_roller_slope(t, f, r, k);
    viper_scalar p = viper_vec4_sum(g * y.direction), q = viper_vec4_sum(g * other);
    y.along += f->yields * (p * p);
    y.across += f->yields * (q * q);
    mixed += f->yields * (p * q);
  }
  y.along += viper_scalar_abs(mixed);
  y.across += viper_scalar_abs(mixed);
  return y;
}

/// Coulomb's friction: reverses the sliding if static friction suffices; otherwise friction is
/// viper_friction_most, opposite to the sliding. Returns the change of the multiplier.
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

/// Moves nodes and frames by the change `force` of friction.
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
    viper_scalar torque = viper_vec4_sum(force * viper_roller_slope(t, f, r, k)),
                 angle = f->yields * torque;
    f->torque += torque;
    f->angle += angle;
    f->added += angle;
  }
}

/// Solves the friction of a contact, after its push.
VIPER_FN void viper_touch_rub(viper_touch *t, viper_contact_node *node, viper_frame_rolls frame,
                              viper_rollers r, viper_friction friction, viper_vec4 carried,
                              int n_nodes) {
  if (!(t->lambda > 0) && !(viper_vec4_sum(t->slide * t->slide) > 0))
    return;
  viper_vec4 slope[2];
  if (n_nodes == 4 && r.n == 2) {
    for (int k = 0; k < 2; k++)
      slope[k] = viper_roller_slope(t, viper_frame_roll_at(frame, r.at[k].segment), r, k);
    r.slope = slope;
  }
  viper_vec4 slip = viper_touch_slip(t, node, frame, r, carried, n_nodes);
  viper_yields y = viper_touch_yields(t, frame, r);
  viper_touch_drag(t, node, frame, r, viper_touch_grip(t, slip, &y, friction), n_nodes);
}

/// Before the first iteration: moves nodes and frames by the initial push and friction of a contact
/// (warm_start.h).
VIPER_FN void viper_touch_begin(const viper_touch *t, viper_contact_node *node,
                                viper_frame_rolls frame, viper_rollers r, int n_nodes) {
  if (!(t->lambda > 0))
    return;
  viper_touch_press(t, node, t->lambda, n_nodes);
  if (viper_vec4_sum(t->slide * t->slide) > 0)
    viper_touch_drag(t, node, frame, r, t->slide, n_nodes);
}

/// What is done with a contact: apply its initial multipliers; solve it.
typedef enum viper_visit { VIPER_VISIT_BEGIN, VIPER_VISIT_SOLVE } viper_visit;

/// Does `visit` with a contact between capsules; `n_nodes` is 4 or VIPER_ONE_OF_FOUR. Without rolls
/// in `frame` friction acts on centers.
VIPER_FN void viper_touch_between(viper_touch *t, viper_contact_node *node, viper_frame_rolls frame,
                                  viper_friction friction, viper_visit visit, int n_nodes) {
  const viper_vec4 still = viper_vec4_make(0, 0, 0, 0);
  const viper_rollers r = {t->roller, frame.first ? 2 : 0, 1, NULL};
  if (visit == VIPER_VISIT_BEGIN) {
    viper_touch_begin(t, node, frame, r, n_nodes);
    return;
  }
  viper_touch_push(t, node, n_nodes);
  if (friction.at_rest > 0)
    viper_touch_rub(t, node, frame, r, friction, still, n_nodes);
}

/// The same with a half-plane. `r` are the frames of its node's segments, by their shares.
VIPER_FN void viper_touch_on_plane(viper_touch *t, viper_contact_node *node,
                                   viper_frame_rolls frame, viper_rollers r,
                                   const viper_plane *plane, viper_friction friction,
                                   viper_visit visit) {
  r.arm = t->roller[0].arm;
  if (visit == VIPER_VISIT_BEGIN) {
    viper_touch_begin(t, node, frame, r, 1);
    return;
  }
  viper_touch_push(t, node, 1);
  if (friction.at_rest > 0)
    viper_touch_rub(t, node, frame, r, friction,
                    viper_plane_displacement(plane, node[t->node[0]].x), 1);
}

#endif
