// SPDX-License-Identifier: GPL-3.0-or-later
/// Normals of smooth rods (option contact_normal=smooth; README.md, Smooth normals): the normal of
/// a contact of two capsules is turned perpendicular to tangents that vary linearly along the
/// segments, between those of the parabolas through each node and its neighbors. Its points move to
/// where the segments cross, seen along that normal, so that the force acts through both and exerts
/// no torque. Point-wise, for every backend.
#ifndef VIPER_CONTACT_SMOOTH_H
#define VIPER_CONTACT_SMOOTH_H

#include "viper/contact/candidate.h"
#include "viper/contact/rod_neighbors.h"

/// Relative regularization of the diagonal of a system of two directions, by the square of their
/// cosine. The system is singular if they are parallel; both sides then share the correction.
VIPER_FN viper_real viper_smooth_damping(viper_real cosine2) {
  viper_real fourth = cosine2 * cosine2;
  return VIPER_R(0.05) * (fourth * fourth);
}

/// Upper bound of the change of a unit normal along a tangent: rods that bend more than that from
/// segment to segment are not smooth.
#define VIPER_SMOOTH_MOST VIPER_R(0.3)

VIPER_FN viper_real viper_smooth_bounded(viper_real x) {
  x = x < VIPER_SMOOTH_MOST ? x : VIPER_SMOOTH_MOST;
  return x > -VIPER_SMOOTH_MOST ? x : -VIPER_SMOOTH_MOST;
}

/// A side of a contact.
typedef struct viper_smooth_side {
  viper_vec3 c[2];       ///< ends of the axis, m
  viper_real radius[2];  ///< there, m
  viper_vec3 tangent[2]; ///< unit tangents of the smooth rod there
  viper_real slope;      ///< of the radius along the axis
  viper_real at;         ///< position on the axis, 0 to 1
  viper_real length;     ///< m
  int smooth;            ///< 0 if the contact is at the free end of a rod
} viper_smooth_side;

VIPER_FN viper_vec3 viper_unit(viper_vec3 x) {
  viper_real x2 = viper_dot(x, x);
  return viper_scale(x2 > 0 ? 1 / VIPER_SQRT(x2) : VIPER_R(0), x);
}

VIPER_FN viper_vec3 viper_center_of(const viper_contact_node *node) {
  return viper_vec3_make(node->x[0], node->x[1], node->x[2]);
}

/// The tangent at `b` of the parabola through a, b and c, by their distances.
VIPER_FN viper_vec3 viper_parabola_tangent(viper_vec3 a, viper_vec3 b, viper_vec3 c) {
  viper_vec3 u = viper_sub(b, a), v = viper_sub(c, b);
  viper_real uu = viper_dot(u, u), vv = viper_dot(v, v);
  return viper_unit(viper_add(viper_scale(vv, u), viper_scale(uu, v)));
}

/// Side `side` of contact `t`; `beyond` are the neighbors of its segment.
VIPER_FN viper_smooth_side viper_smooth_side_of(const viper_touch *t, int side,
                                                const viper_contact_node *node,
                                                viper_rod_neighbors beyond) {
  viper_smooth_side out;
  viper_vec3 tangent[2], along;
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    const viper_contact_node *x = &node[t->node[2 * side + k]];
    out.c[k] = viper_center_of(x);
    out.radius[k] = x->radius * x->x[3];
  }
  out.at = viper_scalar_abs(t->weight[2 * side + 1]);
  along = viper_sub(out.c[1], out.c[0]);
  out.length = VIPER_SQRT(viper_dot(along, along));
  along = viper_unit(along);
  out.slope = out.length > 0 ? (out.radius[1] - out.radius[0]) / out.length : VIPER_R(0);
  out.smooth = (beyond.node[0] >= 0 || beyond.node[1] >= 0) &&
               !(out.at <= 0 && beyond.node[0] < 0) && !(out.at >= 1 && beyond.node[1] < 0);
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    viper_vec3 far = beyond.node[k] >= 0 ? viper_center_of(&node[beyond.node[k]]) : out.c[k];
    tangent[k] = beyond.node[k] < 0 ? along
                 : k == 0           ? viper_parabola_tangent(far, out.c[0], out.c[1])
                                    : viper_parabola_tangent(out.c[0], out.c[1], far);
  }
  // At the end of a rod the parabola is extrapolated.
  VIPER_UNROLL for (int k = 0; k < 2; k++) if (beyond.node[k] < 0 && beyond.node[1 - k] >= 0)
      tangent[k] = viper_sub(viper_scale(VIPER_R(2), along), tangent[1 - k]);
  out.tangent[0] = tangent[0];
  out.tangent[1] = tangent[1];
  return out;
}

/// The tangent of the smooth rod at the contact.
VIPER_FN viper_vec3 viper_smooth_tangent(const viper_smooth_side *s) {
  return viper_unit(
      viper_add(viper_scale(1 - s->at, s->tangent[0]), viper_scale(s->at, s->tangent[1])));
}

/// The normal `n`, turned until its components along both tangents are the slopes of the radii.
VIPER_FN viper_vec3 viper_smooth_turn(const viper_smooth_side *a, const viper_smooth_side *b,
                                      viper_vec3 n) {
  viper_vec3 u = viper_smooth_tangent(a), v = viper_smooth_tangent(b);
  viper_real c = viper_dot(u, v), one = 1 + viper_smooth_damping(c * c);
  viper_real p = a->smooth ? viper_smooth_bounded(viper_dot(n, u) - a->slope) : VIPER_R(0);
  viper_real q = b->smooth ? viper_smooth_bounded(viper_dot(n, v) + b->slope) : VIPER_R(0);
  viper_real both = a->smooth && b->smooth ? c : VIPER_R(0), det = one * one - both * both;
  n = viper_sub(n, viper_scale((one * p - both * q) / det, u));
  return viper_unit(viper_sub(n, viper_scale((one * q - both * p) / det, v)));
}

/// Moves the points to where the axes cross, seen along `n`, clamped to the segments.
VIPER_FN void viper_smooth_places(viper_smooth_side *a, viper_smooth_side *b, viper_vec3 n) {
  viper_vec3 u = viper_sub(a->c[1], a->c[0]), v = viper_sub(b->c[1], b->c[0]);
  viper_vec3 d = viper_sub(viper_add(a->c[0], viper_scale(a->at, u)),
                           viper_add(b->c[0], viper_scale(b->at, v)));
  d = viper_sub(d, viper_scale(viper_dot(d, n), n));
  u = viper_sub(u, viper_scale(viper_dot(u, n), n));
  v = viper_sub(v, viper_scale(viper_dot(v, n), n));
  viper_real uu = viper_dot(u, u), uv = viper_dot(u, v), vv = viper_dot(v, v);
  viper_real du = viper_dot(d, u), dv = viper_dot(d, v);
  viper_real more = 1 + viper_smooth_damping(uv * uv / (uu * vv));
  viper_real det = more * more * uu * vv - uv * uv;
  if (!(det > 0))
    return;
  a->at = viper_clamp01(a->at + (dv * uv - du * more * vv) / det);
  b->at = viper_clamp01(b->at + (dv * more * uu - du * uv) / det);
}

/// Turns the normal of a contact of two capsules, and updates its inverse inertias
/// (viper_touch_weigh). Its gap remains that of the capsules.
VIPER_FN void viper_touch_smooth(viper_touch *t, const viper_contact_node *node,
                                 viper_rod_neighbors beyond_a, viper_rod_neighbors beyond_b) {
  viper_smooth_side a = viper_smooth_side_of(t, 0, node, beyond_a);
  viper_smooth_side b = viper_smooth_side_of(t, 1, node, beyond_b);
  viper_vec3 n = viper_vec3_make(t->n[0], t->n[1], t->n[2]);
  viper_scalar gap = viper_touch_gap(t, node, 4);
  // The points depend on the normal, by their distance times the curvature of the rods: two
  // iterations.
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    n = viper_smooth_turn(&a, &b, n);
    viper_smooth_places(&a, &b, n);
  }
  t->n = viper_vec4_make(n.x, n.y, n.z, 0);
  t->weight[0] = 1 - a.at;
  t->weight[1] = a.at;
  t->weight[2] = b.at - 1;
  t->weight[3] = -b.at;
  t->roller[0].arm = a.radius[0] + a.at * (a.radius[1] - a.radius[0]);
  t->roller[1].arm = b.radius[0] + b.at * (b.radius[1] - b.radius[0]);
  viper_touch_weigh(t, node, 4);
  t->offset = viper_touch_gap(t, node, 4) - gap;
}

#endif
