// SPDX-License-Identifier: GPL-3.0-or-later
/// Turns contact candidates into contacts (README.md): bounding spheres for the broad phase, the
/// contacts of a pair of capsules, and those of a node with a half-plane. Point-wise, on scalars,
/// for every backend.
///
/// A contact keeps its two points and its normal during the substep, so that its gap is linear in
/// centers and scales, and its accumulated push is a force at fixed points.
#ifndef VIPER_CONTACT_CANDIDATE_H
#define VIPER_CONTACT_CANDIDATE_H

#include "viper/contact/closest.h"
#include "viper/contact/constraint.h"

/// Scale below which the bound of a node's scale is a constraint: the bound plus a margin for the
/// change in a substep.
#define VIPER_WATCHED (VIPER_LEAST_TOUCHING + 0.25)
/// Enlargement of spheres, relative to radius and coordinates: more than their rounding errors in
/// the working precision and as floats.
#define VIPER_ROUND_OUT (VIPER_PRECISION == 32 ? 4e-6 : 1e-6)

/// A capsule at its predicted position, and the larger displacement of its ends.
typedef struct viper_moving_capsule {
  viper_scalar end[8];       ///< center and radius of either end
  viper_scalar displacement; ///< m
} viper_moving_capsule;

VIPER_FN viper_scalar viper_larger(viper_scalar a, viper_scalar b) {
  return a > b ? a : b;
}

/// The capsule between two nodes.
VIPER_FN void viper_fill_capsule(const viper_contact_node *a, const viper_contact_node *b,
                                 viper_moving_capsule *out) {
  viper_scalar displacement2 = 0;
  VIPER_UNROLL for (int end = 0; end < 2; end++) {
    const viper_contact_node *x = end ? b : a;
    viper_scalar d2 = 0;
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      out->end[4 * end + k] = x->x[k];
      d2 += (x->x[k] - x->old[k]) * (x->x[k] - x->old[k]);
    }
    out->end[4 * end + 3] = x->radius * x->x[3];
    displacement2 = viper_larger(d2, displacement2);
  }
  out->displacement = VIPER_SCALAR_SQRT(displacement2);
}

/// A bounding sphere (center, radius; m) of a predicted segment, enlarged by the displacement of
/// its ends, half the margin and rounding errors. If two such spheres are disjoint, the capsules
/// are farther apart than the margin all along their paths.
VIPER_FN void viper_sphere_about(const viper_contact_node *a, const viper_contact_node *b,
                                 viper_scalar margin, float out[4]) {
  viper_scalar ra = a->x[3] * a->radius, rb = b->x[3] * b->radius;
  viper_scalar length2 = 0, displacement_a = 0, displacement_b = 0, zero = 0, size = 0;
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    viper_scalar da = a->x[k] - a->old[k], db = b->x[k] - b->old[k], u = b->x[k] - a->x[k];
    length2 += u * u;
    displacement_a += da * da;
    displacement_b += db * db;
  }
  viper_scalar length = VIPER_SCALAR_SQRT(length2);
  viper_scalar along = (viper_scalar)0.5 * (length + rb - ra); // of its center, from a
  along = along < zero ? zero : along > length ? length : along;
  viper_scalar t = length > zero ? along / length : zero;
  viper_scalar displacement = VIPER_SCALAR_SQRT(viper_larger(displacement_a, displacement_b));
  viper_scalar radius = viper_larger(along + ra, length - along + rb) + displacement;
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    viper_scalar center = (1 - t) * a->x[k] + t * b->x[k];
    out[k] = (float)center;
    size += viper_scalar_abs(center);
  }
  viper_scalar outwards = (viper_scalar)VIPER_ROUND_OUT;
  out[3] = (float)((radius + (viper_scalar)0.5 * margin) * (1 + outwards) + size * outwards);
}

/// A pair of capsules for the narrow phase.
typedef struct viper_contact_candidate {
  viper_capsule a, b;
  viper_vec3 old_a[2], old_b[2]; ///< ends before the substep
  int32_t node[4];               ///< of a, then of b
  viper_real margin;             ///< gap below which it is a contact
} viper_contact_candidate;

VIPER_FN viper_vec3 viper_between(const viper_vec3 a[2], const viper_vec3 b[2], viper_closest at) {
  viper_vec3 pa = viper_add(a[0], viper_scale(at.al, viper_sub(a[1], a[0])));
  viper_vec3 pb = viper_add(b[0], viper_scale(at.be, viper_sub(b[1], b[0])));
  return viper_sub(pa, pb);
}

/// A unit vector that is normal to both axes, or to one where these are parallel.
VIPER_FN viper_vec3 viper_common_normal(const viper_contact_candidate *p) {
  viper_vec3 u = viper_sub(p->a.c[1], p->a.c[0]), v = viper_sub(p->b.c[1], p->b.c[0]);
  viper_vec3 n = viper_cross(u, v);
  viper_real least = VIPER_R(VIPER_EPSILON) * viper_dot(u, u) * viper_dot(v, v);
  if (!(viper_dot(n, n) > least)) {
    viper_vec3 axis = u.x * u.x < u.y * u.y ? viper_vec3_make(1, 0, 0) : viper_vec3_make(0, 1, 0);
    n = viper_cross(u, axis);
  }
  viper_real n2 = viper_dot(n, n);
  return n2 > 0 ? viper_scale(1 / VIPER_SQRT(n2), n) : viper_vec3_make(0, 0, 1);
}

VIPER_FN viper_real viper_reach(const viper_contact_candidate *p, viper_closest at) {
  return viper_capsule_radius(&p->a, at.al) + viper_capsule_radius(&p->b, at.be);
}

/// Whether the points at `at` passed each other at less than the sum of the radii, on the straight
/// path from `old` to `now`.
VIPER_FN int viper_passed(const viper_contact_candidate *p, viper_closest at, viper_vec3 old,
                          viper_vec3 now) {
  viper_vec3 displacement = viper_sub(now, old);
  viper_real displacement2 = viper_dot(displacement, displacement);
  if (!(viper_dot(old, now) < 0) || !(displacement2 > 0))
    return 0;
  viper_real t = viper_clamp01(-viper_dot(old, displacement) / displacement2);
  viper_vec3 nearest = viper_add(old, viper_scale(t, displacement));
  viper_real reach = viper_reach(p, at);
  return viper_dot(nearest, nearest) < reach * reach;
}

/// The normal at `at`: along the line between the points, or, if they passed each other, that line
/// before the substep.
VIPER_FN viper_vec3 viper_contact_normal(const viper_contact_candidate *p, viper_closest at,
                                         viper_vec3 old, viper_vec3 now) {
  viper_real reach = viper_reach(p, at);
  viper_vec3 d = viper_passed(p, at, old, now) ? old : now;
  viper_real d2 = viper_dot(d, d);
  if (d2 > VIPER_R(1e-6) * reach * reach)
    return viper_scale(1 / VIPER_SQRT(d2), d);
  viper_vec3 n = viper_common_normal(p);
  return viper_dot(old, n) < 0 ? viper_scale(VIPER_R(-1), n) : n;
}

/// Makes the contact of a pair at `at`, if the gap is below the margin or the points passed each
/// other, and any unknown can move. Returns the number of contacts, 0 or 1. Raises `*speed` to the
/// relative motion of the points over the sum of their radii. The caller sets the segments
/// (viper_touch_name).
VIPER_FN int viper_look_at(const viper_contact_candidate *p, const viper_contact_node *node,
                           viper_closest at, viper_touch *out, viper_scalar *speed) {
  viper_vec3 now = viper_between(p->a.c, p->b.c, at), old = viper_between(p->old_a, p->old_b, at);
  viper_vec3 displacement = viper_sub(now, old);
  if (!(at.gap < p->margin) && !viper_passed(p, at, old, now))
    return 0;
  *speed =
      viper_larger(VIPER_SQRT(viper_dot(displacement, displacement)) / viper_reach(p, at), *speed);
  viper_vec3 n = viper_contact_normal(p, at, old, now);
  viper_touch t = {
      {p->node[0], p->node[1], p->node[2], p->node[3]},
      {1 - at.al, at.al, at.be - 1, -at.be},
      {0, 0, 0, 0},
      {n.x, n.y, n.z, 0},
      {0, 0, 0, 0},
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      {{-1, viper_capsule_radius(&p->a, at.al)}, {-1, viper_capsule_radius(&p->b, at.be)}}};
  if (!viper_touch_weigh(&t, node, 4))
    return 0;
  *out = t;
  return 1;
}

/// Sets the frames that roll at a contact: those of segments `i` and `j`.
VIPER_FN void viper_touch_name(viper_touch *t, int32_t i, int32_t j) {
  t->roller[0].segment = i;
  t->roller[1].segment = j;
}

VIPER_FN void viper_load_capsule(const viper_moving_capsule *from, const viper_contact_node *node,
                                 const int32_t at[2], viper_capsule *capsule, viper_vec3 old[2]) {
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    const viper_contact_node *x = &node[at[k]];
    old[k] = viper_vec3_make(x->old[0], x->old[1], x->old[2]);
    capsule->c[k] = viper_vec3_make(from->end[4 * k], from->end[4 * k + 1], from->end[4 * k + 2]);
    capsule->r[k] = from->end[4 * k + 3];
  }
}

/// The contacts, two at most, at the candidate positions of a pair. Returns their number; `*speed`
/// as in viper_look_at.
VIPER_FN int viper_touch_at(const viper_contact_candidate *p, const viper_contact_node *node,
                            const viper_watched *watched, viper_touch out[2], viper_scalar *speed) {
  int n = viper_look_at(p, node, watched->best, out, speed);
  if (watched->apart > 0)
    n += viper_look_at(p, node, watched->other, out + n, speed);
  return n;
}

/// Makes the pair of capsules a and b, between the nodes node_a and node_b of `node`.
VIPER_FN void viper_contact_candidate_make(const viper_contact_node *node, const int32_t node_a[2],
                                           const int32_t node_b[2], const viper_moving_capsule *a,
                                           const viper_moving_capsule *b, viper_scalar margin,
                                           viper_contact_candidate *p) {
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    p->node[k] = node_a[k];
    p->node[2 + k] = node_b[k];
  }
  viper_load_capsule(a, node, node_a, &p->a, p->old_a);
  viper_load_capsule(b, node, node_b, &p->b, p->old_b);
  p->margin = margin + (viper_scalar)0.5 * (a->displacement + b->displacement);
}

/// Makes the contact of node `i` with half-plane number `which`, if it is near enough and can move.
/// Returns whether there is one.
VIPER_FN int viper_touch_plane(const viper_contact_node *node, int32_t i, const viper_plane *plane,
                               int32_t which, viper_scalar margin, viper_touch *out) {
  const viper_contact_node *x = &node[i];
  viper_scalar gap = -plane->offset - x->radius * x->x[3], displacement2 = 0;
  viper_vec4 carried = viper_plane_displacement(plane, x->x);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    viper_scalar displacement = x->x[k] - x->old[k] - carried[k];
    gap += plane->normal[k] * x->x[k];
    displacement2 += displacement * displacement;
  }
  if (!(gap < margin + VIPER_SCALAR_SQRT(displacement2)))
    return 0;
  viper_touch t = {{i, 0, 0, 0},
                   {1, 0, 0, 0},
                   {0, 0, 0, 0},
                   {plane->normal[0], plane->normal[1], plane->normal[2], 0},
                   {0, 0, 0, 0},
                   plane->offset,
                   0,
                   0,
                   0,
                   which,
                   0,
                   0,
                   0,
                   {{-1, x->radius * x->x[3]}, {-1, 0}}};
  if (!viper_touch_weigh(&t, node, 1))
    return 0;
  *out = t;
  return 1;
}

/// Whether a free scale may reach its bound in this substep.
VIPER_FN int viper_watch_scale(const viper_contact_node *x) {
  viper_scalar watched = (viper_scalar)VIPER_WATCHED;
  return x->free[3] > 0 && (x->x[3] < watched || x->old[3] < watched);
}

#endif
