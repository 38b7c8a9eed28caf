// SPDX-License-Identifier: GPL-3.0-or-later
/// Projections of edges and joints whose points are free or wholly held: the same as by element.h,
/// without what is known to be 0. Most of the time of a step is spent here. Included once for each
/// width: with LANES 1 numbers are those of one rod, otherwise vectors of as many rods that are
/// connected alike; a lane's results are those of its rod alone, to the last bit. TARGET is an
/// attribute for the instructions that LANES needs, SQRT the root of a `wide`.
///
/// A frame's turn in its own axes is, of moves in its own axes, dphi_1 = -(db - da)_2/l, dphi_2 =
/// (db - da)_1/l, dphi_3 = dg_2/rho - kb db_2 - ka da_2 with kb = s/(rho l), ka = (l - s)/(rho l).
/// Omega's change is 1/lb G dpsi, dpsi = Q dphi_f - dphi_e, and G^-1 = (I + [c]x)/(1 + c.c). So the
/// system of a joint, (1/lb^2 G S G^T + at) dlam = -r with S = sum_a w_a K_a K_a^T and K_a the
/// change of psi with point a, is solved as
///   (S + lb^2 G^-1 at G^-T) y = -lb G^-1 r,  dlam = lb G^-T y,  dx_a = w_a K_a^T y.
/// No header guard: see above.

#include "reference/umetani/element.h"

#define PASTE_IN(name, lanes) umetani_##name##_##lanes
#define PASTE(name, lanes)    PASTE_IN(name, lanes)
#define IN(name)              PASTE(name, LANES)
#define FN                    static inline __attribute__((always_inline)) TARGET
#define wide                  IN(wide)
#define mask                  IN(mask)

#if LANES == 1
typedef double wide;
typedef int mask;
FN wide IN(select)(mask m, wide a, wide b) {
  return m ? a : b;
}
#else
typedef double wide __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES)));
FN wide IN(select)(mask m, wide a, wide b) {
  return (wide)(((mask)a & m) | ((mask)b & ~m));
}
#endif

/// An edge: rest length, rest distance of its ghost, compliance of its length over h^2, one over
/// the matrices of its length and of its ghost's distance, multipliers.
typedef struct IN(edge) {
  wide length, ghost, soft, inv_length, inv_ghost, lambda[3];
} IN(edge);

/// A joint: mean rest length, 2 over it, rest Darboux vector, compliances over h^2 or with PBD
/// alphas, multipliers.
typedef struct IN(joint) {
  wide lb, factor, rest[3], soft[3], lambda[3];
} IN(joint);

/// A frame, and what its turn about its own axes is made of: ka and kb of da_2 and db_2 in dphi_3,
/// negative.
typedef struct IN(frame) {
  wide d[3][3], inv_l, inv_rho, ka, kb;
} IN(frame);

FN wide IN(dot)(const wide a[3], const wide b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Length, bisector and distance of an edge, one after the other: C^L, C^P, C^D of eqs. 18 to 20.
/// `at`: its points a, b, g in `w`, the inverse masses, and `x`. `stretches`: its length is
/// enforced. Adds what a and b are pushed by to `push` (a, b; kg m), unless it is null.
FN void IN(project_edge)(const int32_t at[3], const umetani_law *law, bool stretches, const wide *w,
                         IN(edge) * e, wide (*x)[3], wide (*push)[3]) {
  wide *a = x[at[0]], *b = x[at[1]], *g = x[at[2]], zero = {0}, t[3], ag[3], gb[3], arm[3];
  wide wa = w[at[0]], wb = w[at[1]], wg = w[at[2]], step, unit;
  for (int k = 0; k < 3; k++)
    t[k] = b[k] - a[k];
  wide l = SQRT(IN(dot)(t, t));
  mask whole = l > 1e-12 * e->length;
  if (stretches) {
    wide r = law->xpbd ? l - e->length + e->soft * e->lambda[0] : law->stretch * (l - e->length);
    step = IN(select)(whole, -r * e->inv_length, zero);
    unit = IN(select)(whole, step / l, zero);
    e->lambda[0] += step;
    for (int k = 0; k < 3; k++) {
      a[k] -= wa * unit * t[k];
      b[k] += wb * unit * t[k];
    }
    for (int k = 0; k < 3 && push; k++) {
      push[0][k] -= unit * t[k];
      push[1][k] += unit * t[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    t[k] = b[k] - a[k];
    ag[k] = a[k] - g[k];
    gb[k] = g[k] - b[k];
    arm[k] = 0.5 * (gb[k] - ag[k]);
  }
  wide sum = wa * IN(dot)(ag, ag) + wb * IN(dot)(gb, gb) + wg * IN(dot)(t, t);
  step = IN(select)(whole, -IN(dot)(arm, t) / sum, zero);
  e->lambda[1] += step;
  for (int k = 0; k < 3; k++) {
    a[k] += wa * step * ag[k];
    b[k] += wb * step * gb[k];
    g[k] += wg * step * t[k];
    if (push) {
      push[0][k] += step * ag[k];
      push[1][k] += step * gb[k];
    }
    arm[k] = g[k] - 0.5 * (a[k] + b[k]);
  }
  wide d = SQRT(IN(dot)(arm, arm));
  whole = whole & (d > 1e-12 * e->length);
  step = IN(select)(whole, (e->ghost - d) * e->inv_ghost, zero);
  unit = IN(select)(whole, step / d, zero);
  e->lambda[2] += step;
  for (int k = 0; k < 3; k++) {
    g[k] += wg * unit * arm[k];
    a[k] -= 0.5 * wa * unit * arm[k];
    b[k] -= 0.5 * wb * unit * arm[k];
    if (push) {
      push[0][k] -= 0.5 * unit * arm[k];
      push[1][k] -= 0.5 * unit * arm[k];
    }
  }
}

/// The frame of three points, and where there is one.
FN mask IN(frame_of)(const wide a[3], const wide b[3], const wide g[3], wide least, IN(frame) * f) {
  wide t[3], y[3];
  for (int k = 0; k < 3; k++) {
    t[k] = b[k] - a[k];
    y[k] = g[k] - a[k];
  }
  wide l = SQRT(IN(dot)(t, t));
  f->inv_l = 1 / l;
  for (int k = 0; k < 3; k++)
    f->d[2][k] = f->inv_l * t[k];
  wide s = IN(dot)(y, f->d[2]);
  for (int k = 0; k < 3; k++)
    y[k] -= s * f->d[2][k];
  wide rho = SQRT(IN(dot)(y, y));
  f->inv_rho = 1 / rho;
  for (int k = 0; k < 3; k++)
    f->d[0][k] = f->inv_rho * y[k];
  for (int k = 0; k < 3; k++) {
    int m = (k + 1) % 3, n = (k + 2) % 3;
    f->d[1][k] = f->d[2][m] * f->d[0][n] - f->d[2][n] * f->d[0][m];
  }
  wide both = f->inv_l * f->inv_rho;
  f->kb = s * both;
  f->ka = (l - s) * both;
  return (l > least) & (rho > least);
}

/// The parts (1,1) = (2,2), (1,3) and (3,3) of sum w J J^T over a frame's three points; all others
/// are 0.
FN void IN(inertia)(const IN(frame) * f, wide wa, wide wb, wide wg, wide n[3]) {
  n[0] = (wa + wb) * f->inv_l * f->inv_l;
  n[1] = (wb * f->kb - wa * f->ka) * f->inv_l;
  n[2] = wa * f->ka * f->ka + wb * f->kb * f->kb + wg * f->inv_rho * f->inv_rho;
}

/// S of a joint, as (xx, xy, xz, yy, yz, zz), from the inverse masses of A, B, C and the ghosts.
FN void IN(joint_matrix)(wide q[3][3], const IN(frame) * e, const IN(frame) * f, const wide w[5],
                         wide s[6]) {
  wide ne[3], nf[3], z[3][3], x[3][3];
  IN(inertia)(e, w[0], w[1], w[3], ne);
  IN(inertia)(f, w[1], w[2], w[4], nf);
  // X = Q J_fB Q^T J_eB^T, which B has because it is of both frames.
  for (int i = 0; i < 2; i++) { // J_fB Q^T, its first two columns
    z[0][1 - i] = q[i][1] * f->inv_l;
    z[1][1 - i] = -q[i][0] * f->inv_l;
    z[2][1 - i] = -f->ka * q[i][1];
  }
  for (int i = 0; i < 3; i++) {
    wide first = z[i][1], second = z[i][0]; // of Y's columns 0 and 1
    z[i][0] = -second * e->inv_l;
    z[i][1] = first * e->inv_l;
    z[i][2] = -e->kb * second;
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      x[i][k] = q[i][0] * z[0][k] + q[i][1] * z[1][k] + q[i][2] * z[2][k];
  wide more = nf[2] - nf[0];
  for (int i = 0, at = 0; i < 3; i++)
    for (int k = i; k < 3; k++, at++)
      s[at] = nf[1] * (q[i][0] * q[k][2] + q[i][2] * q[k][0]) + more * q[i][2] * q[k][2] -
              w[1] * (x[i][k] + x[k][i]);
  s[0] += ne[0] + nf[0];
  s[3] += ne[0] + nf[0];
  s[5] += ne[2] + nf[0];
  s[2] += ne[1];
}

/// lb^2 G^-1 diag(at) G^-T, added to S; `scale` is lb/(1 + c.c).
FN void IN(add_compliance)(const wide c[3], wide scale, const wide at[3], wide s[6]) {
  wide zero = {0}, one = zero + 1;
  const wide g[3][3] = {{one, -c[2], c[1]}, {c[2], one, -c[0]}, {-c[1], c[0], one}};
  for (int i = 0, n = 0; i < 3; i++)
    for (int k = i; k < 3; k++, n++)
      s[n] += scale * scale *
              (at[0] * g[i][0] * g[k][0] + at[1] * g[i][1] * g[k][1] + at[2] * g[i][2] * g[k][2]);
}

/// Solves s y = r for the symmetric s = (xx, xy, xz, yy, yz, zz); where it has an inverse.
FN mask IN(solve)(const wide s[6], const wide r[3], wide y[3]) {
  wide a = s[3] * s[5] - s[4] * s[4], b = s[2] * s[4] - s[1] * s[5], c = s[1] * s[4] - s[2] * s[3];
  wide d = s[0] * s[5] - s[2] * s[2], e = s[1] * s[2] - s[0] * s[4], f = s[0] * s[3] - s[1] * s[1];
  wide determinant = s[0] * a + s[1] * b + s[2] * c, trace = s[0] + s[3] + s[5];
  wide inverse = 1 / determinant;
  y[0] = inverse * (a * r[0] + b * r[1] + c * r[2]);
  y[1] = inverse * (b * r[0] + d * r[1] + e * r[2]);
  y[2] = inverse * (c * r[0] + e * r[1] + f * r[2]);
  return determinant > 1e-30 * trace * trace * trace;
}

/// Moves the points of a joint by w_a K_a^T y, where `whole`; writes K_a^T y of A, B, C to `push`,
/// unless it is null.
FN void IN(joint_move)(mask whole, const IN(frame) * e, const IN(frame) * f, wide q[3][3],
                       const wide w[5], const wide y[3], wide *const p[5], wide (*push)[3]) {
  wide yf[3], zero = {0};
  for (int i = 0; i < 3; i++)
    yf[i] = q[0][i] * y[0] + q[1][i] * y[1] + q[2][i] * y[2];
  // Along d1 and d2 of the frames.
  wide a[2] = {y[1] * e->inv_l, -y[0] * e->inv_l}, c[2] = {-yf[1] * f->inv_l, yf[0] * f->inv_l};
  wide ae[2] = {a[0], a[1] + e->ka * y[2]}, be[2] = {-a[0], -a[1] + e->kb * y[2]};
  wide bf[2] = {c[0], c[1] - f->ka * yf[2]}, cf[2] = {-c[0], -c[1] - f->kb * yf[2]};
  wide ge = -e->inv_rho * y[2], gf = f->inv_rho * yf[2];
  for (int k = 0; k < 3; k++) {
    wide e1 = e->d[0][k], e2 = e->d[1][k], f1 = f->d[0][k], f2 = f->d[1][k];
    const wide own[3] = {ae[0] * e1 + ae[1] * e2, be[0] * e1 + be[1] * e2 + bf[0] * f1 + bf[1] * f2,
                         cf[0] * f1 + cf[1] * f2};
    for (int m = 0; m < 3; m++) {
      p[m][k] += IN(select)(whole, w[m] * own[m], zero);
      if (push)
        push[m][k] = IN(select)(whole, own[m], zero);
    }
    p[3][k] += IN(select)(whole, w[3] * ge * e2, zero);
    p[4][k] += IN(select)(whole, w[4] * gf * f2, zero);
  }
}

/// C^BT of a joint, its three components at once (eq. 21). `at`: its points A, B, C and the ghosts
/// in `weight`, the inverse masses, and `x`. Writes what A, B, C are pushed by to `push` (kg m),
/// unless it is null.
FN void IN(project_joint)(const int32_t at[5], const umetani_law *law, const wide *weight,
                          IN(joint) * j, wide (*x)[3], wide (*push)[3]) {
  wide *const p[5] = {x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]]};
  const wide w[5] = {weight[at[0]], weight[at[1]], weight[at[2]], weight[at[3]], weight[at[4]]};
  wide q[3][3], c[3], r[3], right[3], s[6], y[3], zero = {0}, least = 1e-12 * j->lb;
  IN(frame) e, f;
  mask whole = IN(frame_of)(p[0], p[1], p[3], least, &e);
  whole = whole & IN(frame_of)(p[1], p[2], p[4], least, &f);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      q[i][k] = IN(dot)(e.d[i], f.d[k]);
  wide turn = 1 + q[0][0] + q[1][1] + q[2][2], inverse = 1 / turn;
  whole = whole & (turn > 1e-12);
  c[0] = (q[2][1] - q[1][2]) * inverse;
  c[1] = (q[0][2] - q[2][0]) * inverse;
  c[2] = (q[1][0] - q[0][1]) * inverse;
  wide scale = j->lb / (1 + IN(dot)(c, c));
  IN(joint_matrix)(q, &e, &f, w, s);
  for (int k = 0; k < 3; k++) {
    wide error = j->factor * c[k] - j->rest[k];
    r[k] = law->xpbd ? error + j->soft[k] * j->lambda[k] : j->soft[k] * error;
  }
  if (law->xpbd)
    IN(add_compliance)(c, scale, j->soft, s);
  for (int k = 0; k < 3; k++) { // G^-1 r
    int m = (k + 1) % 3, n = (k + 2) % 3;
    right[k] = -scale * (r[k] + (c[m] * r[n] - c[n] * r[m]));
  }
  whole = whole & IN(solve)(s, right, y);
  for (int k = 0; k < 3; k++) { // G^-T y
    int m = (k + 1) % 3, n = (k + 2) % 3;
    wide change = scale * (y[k] - (c[m] * y[n] - c[n] * y[m]));
    j->lambda[k] += IN(select)(whole, change, zero);
  }
  IN(joint_move)(whole, &e, &f, q, w, y, p, push);
}
