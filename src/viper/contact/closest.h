// SPDX-License-Identifier: GPL-3.0-or-later
/// The narrow phase of contact: the closest points of two capsules (eq. 30, in closed form; eq. 83,
/// corrected). Point-wise, also in SIMD lanes.
///
/// f(al, be) = |c_a(al) - c_b(be)| - r_a(al) - r_b(be) is convex, so its minimum over the unit
/// square is where its gradient vanishes, or on an edge. Inside, the normal n obeys n.u = dr_a and
/// n.v = -dr_b (u, v the axes, dr the differences of radii), which gives n, and then al, be and the
/// distance by linear equations. On an edge, one point is an end of an axis, and the other its
/// tilted projection. The least of these five candidates is the minimum; no iteration is needed.
#ifndef VIPER_CONTACT_CLOSEST_H
#define VIPER_CONTACT_CLOSEST_H

#include "viper/energy/real.h"

/// The hull of two spheres: centers [m] and radii [m].
typedef struct viper_capsule {
  viper_vec3 c[2];
  viper_real r[2];
} viper_capsule;

/// Points on the axes of two capsules: c[0] + t (c[1] - c[0]).
typedef struct viper_closest {
  viper_real al, be; ///< t on a and on b, in [0, 1]
  viper_real gap;    ///< between the surfaces there, m; negative where they overlap
} viper_closest;

enum { VIPER_CANDIDATES = 5 };

VIPER_FN viper_vec3 viper_capsule_at(const viper_capsule *p, viper_real t) {
  return viper_add(p->c[0], viper_scale(t, viper_sub(p->c[1], p->c[0])));
}

VIPER_FN viper_real viper_capsule_radius(const viper_capsule *p, viper_real t) {
  return p->r[0] + t * (p->r[1] - p->r[0]);
}

VIPER_FN viper_real viper_clamp01(viper_real t) {
  viper_real zero = VIPER_R(0), one = VIPER_R(1);
  t = VIPER_SELECT(t > zero, t, zero);
  return VIPER_SELECT(t < one, t, one);
}

/// The position on a capsule's axis nearest to a sphere about `x`: the foot of x, moved along the
/// axis until the line to x is normal to the cone (eq. 83 with sign and length corrected). If one
/// sphere of the capsule contains the other, the capsule is that sphere.
VIPER_FN viper_real viper_capsule_foot(const viper_capsule *p, viper_vec3 x) {
  viper_real zero = VIPER_R(0), one = VIPER_R(1);
  viper_vec3 u = viper_sub(p->c[1], p->c[0]), q = viper_sub(x, p->c[0]), across = viper_cross(q, u);
  viper_real uu = viper_dot(u, u), dr = p->r[1] - p->r[0], slope2 = uu - dr * dr;
  viper_real safe_uu = VIPER_SELECT(slope2 > zero, uu, one);
  viper_real safe_slope2 = VIPER_SELECT(slope2 > zero, slope2, one);
  viper_real along = viper_dot(q, u), away = VIPER_SQRT(viper_dot(across, across));
  viper_real t = (along + dr * away / VIPER_SQRT(safe_slope2)) / safe_uu;
  viper_real larger = VIPER_SELECT(dr > zero, one, zero);
  return VIPER_SELECT(slope2 > zero, viper_clamp01(t), larger);
}

VIPER_FN viper_real viper_capsule_gap(const viper_capsule *a, const viper_capsule *b, viper_real al,
                                      viper_real be) {
  viper_vec3 d = viper_sub(viper_capsule_at(a, al), viper_capsule_at(b, be));
  return VIPER_SQRT(viper_dot(d, d)) - viper_capsule_radius(a, al) - viper_capsule_radius(b, be);
}

/// The position where the gradient of f vanishes, clamped to the square; a corner if the axes are
/// parallel or the cones too blunt.
VIPER_FN void viper_capsule_inside(const viper_capsule *a, const viper_capsule *b, viper_real *al,
                                   viper_real *be) {
  viper_real zero = VIPER_R(0), one = VIPER_R(1);
  viper_vec3 u = viper_sub(a->c[1], a->c[0]), v = viper_sub(b->c[1], b->c[0]);
  viper_vec3 p = viper_sub(a->c[0], b->c[0]), w = viper_cross(u, v);
  viper_real uu = viper_dot(u, u), uv = viper_dot(u, v), vv = viper_dot(v, v);
  viper_real det = viper_dot(w, w), da = a->r[1] - a->r[0], db = b->r[1] - b->r[0];
  viper_real least = VIPER_R(16 * VIPER_EPSILON * VIPER_EPSILON) * uu * vv;
  viper_real safe = VIPER_SELECT(det > least, det, one), inverse = one / safe;
  // The part of n in the plane of u and v, and the remainder along the common normal.
  viper_real n_u = (da * vv + db * uv) * inverse, n_v = -(db * uu + da * uv) * inverse;
  viper_real left = one - (n_u * da - n_v * db), pw = viper_dot(p, w);
  viper_real sharp = VIPER_SELECT(left > zero, left, one);
  viper_real d = VIPER_SELECT(pw > zero, pw, -pw) / VIPER_SQRT(sharp * safe);
  viper_real e = d * da - viper_dot(p, u), f = -d * db - viper_dot(p, v);
  *al = viper_clamp01((e * vv - f * uv) * inverse);
  *be = viper_clamp01((e * uv - f * uu) * inverse);
}

/// The five candidates for the minimum of f: at the ends of a, at the ends of b, and inside.
VIPER_FN void viper_capsule_candidates(const viper_capsule *a, const viper_capsule *b,
                                       viper_closest out[VIPER_CANDIDATES]) {
  out[0].al = VIPER_R(0);
  out[0].be = viper_capsule_foot(b, a->c[0]);
  out[1].al = VIPER_R(1);
  out[1].be = viper_capsule_foot(b, a->c[1]);
  out[2].al = viper_capsule_foot(a, b->c[0]);
  out[2].be = VIPER_R(0);
  out[3].al = viper_capsule_foot(a, b->c[1]);
  out[3].be = VIPER_R(1);
  viper_capsule_inside(a, b, &out[4].al, &out[4].be);
  VIPER_UNROLL for (int k = 0; k < VIPER_CANDIDATES; k++) out[k].gap =
      viper_capsule_gap(a, b, out[k].al, out[k].be);
}

/// The nearest of the candidates; the first of equals.
VIPER_FN viper_closest viper_capsule_nearest(const viper_closest c[VIPER_CANDIDATES]) {
  viper_closest best = c[0];
  VIPER_UNROLL for (int k = 1; k < VIPER_CANDIDATES; k++) {
    best.al = VIPER_SELECT(c[k].gap < best.gap, c[k].al, best.al);
    best.be = VIPER_SELECT(c[k].gap < best.gap, c[k].be, best.be);
    best.gap = VIPER_SELECT(c[k].gap < best.gap, c[k].gap, best.gap);
  }
  return best;
}

/// The closest points of capsules a and b; for parallel axes those on an edge.
VIPER_FN viper_closest viper_capsule_closest(const viper_capsule *a, const viper_capsule *b) {
  viper_closest c[VIPER_CANDIDATES];
  viper_capsule_candidates(a, b, c);
  return viper_capsule_nearest(c);
}

/// Squared sine of the angle between axes below which capsules are side by side; and least squared
/// distance of their two contacts along the axes, relative to the lengths of these.
#define VIPER_SIDE_BY_SIDE 0.03
#define VIPER_FAR_APART    0.0625

/// The positions of the possible contacts of a pair of capsules.
typedef struct viper_watched {
  viper_closest best;  ///< where they are nearest
  viper_closest other; ///< another position, at the end of a capsule
  viper_real apart; ///< squared distance of best and other along the axes; 0 if there is no other
} viper_watched;

VIPER_FN viper_real viper_closest_apart(const viper_closest *a, const viper_closest *b) {
  viper_real al = a->al - b->al, be = a->be - b->be;
  return al * al + be * be;
}

/// The positions of the possible contacts of capsules a and b. Capsules side by side touch along a
/// line: besides the closest points, the candidate farthest from these is one, if its gap is below
/// `margin`.
VIPER_FN viper_watched viper_capsule_watch(const viper_capsule *a, const viper_capsule *b,
                                           viper_real margin) {
  viper_closest c[VIPER_CANDIDATES];
  viper_watched m;
  viper_vec3 u = viper_sub(a->c[1], a->c[0]), v = viper_sub(b->c[1], b->c[0]);
  viper_vec3 w = viper_cross(u, v);
  viper_real side = VIPER_R(VIPER_SIDE_BY_SIDE) * viper_dot(u, u) * viper_dot(v, v);
  viper_real zero = VIPER_R(0), far = VIPER_R(VIPER_FAR_APART);
  viper_capsule_candidates(a, b, c);
  m.best = viper_capsule_nearest(c);
  m.other = m.best;
  m.apart = zero;
  VIPER_UNROLL for (int k = 0; k < VIPER_CANDIDATES; k++) {
    viper_real apart = viper_closest_apart(&c[k], &m.best);
    apart = VIPER_SELECT(c[k].gap < margin, apart, zero);
    m.other.al = VIPER_SELECT(apart > m.apart, c[k].al, m.other.al);
    m.other.be = VIPER_SELECT(apart > m.apart, c[k].be, m.other.be);
    m.other.gap = VIPER_SELECT(apart > m.apart, c[k].gap, m.other.gap);
    m.apart = VIPER_SELECT(apart > m.apart, apart, m.apart);
  }
  m.apart = VIPER_SELECT(viper_dot(w, w) < side, m.apart, zero);
  m.apart = VIPER_SELECT(m.apart > far, m.apart, zero);
  return m;
}

#endif
