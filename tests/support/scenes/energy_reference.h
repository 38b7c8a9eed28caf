// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms of the elastic energy written a second time, for tests: in double, with rotation
/// matrices instead of quaternions, straight from the definitions. Shares no code with
/// viper/energy. Derivatives are by finite differences.
#ifndef VB_TESTS_SUPPORT_ENERGY_REFERENCE_H
#define VB_TESTS_SUPPORT_ENERGY_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REF_SEGMENT_UNKNOWNS 11
#define REF_JOINT_UNKNOWNS   9
#define REF_SEGMENT_ROWS     8 ///< stretch 3, section 1, taper 1, volume 3
#define REF_JOINT_ROWS       6 ///< bend 2, twist 1, surface_bend 1, volume_bend 2

/// A segment and its state; quaternions are (w, x, y, z).
typedef struct ref_segment {
  double l;
  double c[2][3], s[2], q[4];
  double rest[2]; ///< what it contracts to: stretch and scale
} ref_segment;

/// A joint along its path j -> k, and its state.
typedef struct ref_joint {
  double l[2];          ///< rest lengths
  bool against[2];      ///< whether a segment is stored against the path
  bool branch;          ///< whether three or more segments meet here
  double rest_angle;    ///< rest rotation, rad, 0 to pi
  double rest_axis[3];  ///< its unit axis
  double s[3], q[2][4]; ///< scales before, at and after the node; frames
} ref_joint;

/// Uniform numbers in [-1, 1), the same on every machine (xorshift64*).
static inline double ref_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 4503599627370496.0 - 1;
}

static inline void ref_random_direction(uint64_t *state, double out[3]) {
  double square;
  do {
    square = 0;
    for (int i = 0; i < 3; i++) {
      out[i] = ref_random(state);
      square += out[i] * out[i];
    }
  } while (square < 0.01 || square > 1);
  for (int i = 0; i < 3; i++)
    out[i] /= sqrt(square);
}

/// The rotation by `angle` about the unit vector `axis`.
static inline void ref_turn(const double axis[3], double angle, double q[4]) {
  q[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++)
    q[1 + i] = sin(angle / 2) * axis[i];
}

/// out = p q; out may be an input.
static inline void ref_quaternion_product(const double p[4], const double q[4], double out[4]) {
  double r[4] = {p[0] * q[0], p[0] * q[1] + q[0] * p[1], p[0] * q[2] + q[0] * p[2],
                 p[0] * q[3] + q[0] * p[3]};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r[0] -= p[1 + i] * q[1 + i];
    r[1 + i] += p[1 + j] * q[1 + k] - p[1 + k] * q[1 + j];
  }
  memcpy(out, r, sizeof r);
}

static inline void ref_matrix(const double q[4], double m[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = 2 * q[1 + i] * q[1 + j] + (i == j ? 2 * q[0] * q[0] - 1 : 0);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    m[k][j] += 2 * q[0] * q[1 + i];
    m[j][k] -= 2 * q[0] * q[1 + i];
  }
}

/// out = a^T b where `transpose`, else a b; out may be an input.
static inline void ref_product(bool transpose, double a[3][3], double b[3][3], double out[3][3]) {
  double r[3][3] = {{0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        r[i][j] += (transpose ? a[k][i] : a[i][k]) * b[k][j];
  memcpy(out, r, sizeof r);
}

static inline void ref_segment_w(const ref_segment *x, double w[REF_SEGMENT_ROWS]) {
  double m[3][3], mean = (x->s[0] + x->s[1]) / 2;
  ref_matrix(x->q, m);
  for (int i = 0; i < 3; i++) {
    double dc = (x->c[1][i] - x->c[0][i]) / x->l;
    w[i] = dc - x->rest[0] * m[i][2];
    w[5 + i] = mean * mean * dc - m[i][2];
  }
  w[3] = mean - x->rest[1];
  w[4] = (x->s[1] - x->s[0]) / x->l;
}

/// The frame of side `k` seen along the path: u stays, v and w turn over where it is stored against
/// it.
static inline void ref_along(const ref_joint *x, int k, double m[3][3]) {
  ref_matrix(x->q[k], m);
  for (int i = 0; i < 3; i++)
    for (int j = 1; j < 3; j++)
      m[i][j] *= x->against[k] ? -1 : 1;
}

/// How a joint is turned from rest, and Omega_rest. With M = R'_j^T R'_k and H half the rest
/// rotation, H^T M H^T turns by some angle theta < pi about an axis n; D = (cos(theta/2),
/// sin(theta/2) n), from the skew part 2 sin(theta) n and the trace 1 + 2 cos(theta).
static inline void ref_joint_turn(const ref_joint *x, double turn[4], double rest[3]) {
  double j[3][3], k[3][3], half[3][3], back[3][3], d[3][3], q[4];
  double lm = (x->l[0] + x->l[1]) / 2;
  ref_along(x, 0, j);
  ref_along(x, 1, k);
  ref_turn(x->rest_axis, x->rest_angle / 2, q);
  ref_matrix(q, half);
  ref_turn(x->rest_axis, -x->rest_angle / 2, q);
  ref_matrix(q, back);
  ref_product(true, j, k, d);
  ref_product(true, half, d, d);
  ref_product(false, d, back, d);
  double root = sqrt(1 + d[0][0] + d[1][1] + d[2][2]);
  turn[0] = root / 2;
  for (int i = 0; i < 3; i++) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    rest[i] = x->branch ? 0 : 2 / lm * sin(x->rest_angle / 2) * x->rest_axis[i];
    turn[1 + i] = (d[b][a] - d[a][b]) / (2 * root);
  }
}

/// Rows but that of surface_bend are up to one sign of all of them, that of the quaternions.
static inline void ref_joint_w(const ref_joint *x, double w[REF_JOINT_ROWS]) {
  static const int row[5] = {0, 1, 2, 4, 5}, component[5] = {0, 1, 2, 0, 1};
  double turn[4], rest[3], s = x->s[1], lm = (x->l[0] + x->l[1]) / 2;
  ref_joint_turn(x, turn, rest);
  for (int n = 0; n < 5; n++) {
    double p = n < 3 ? s : s * s * s;
    int i = component[n];
    w[row[n]] = 2 * p / lm * turn[1 + i] + (p - 1) * rest[i] * turn[0];
  }
  w[3] = ((x->s[2] - s) / x->l[1] - (s - x->s[0]) / x->l[0]) / lm;
}

/// Turns a frame by `t` about its own axis.
static inline void ref_turn_body(double q[4], int axis, double t) {
  double e[3] = {axis == 0, axis == 1, axis == 2}, turn[4];
  ref_turn(e, t, turn);
  ref_quaternion_product(q, turn, q);
}

/// The segment with one unknown changed by `t`; unknowns in the order of viper/energy/element.h.
static inline ref_segment ref_segment_moved(const ref_segment *x, int unknown, double t) {
  ref_segment out = *x;
  int end = unknown / 4, k = unknown % 4;
  if (unknown >= 8)
    ref_turn_body(out.q, unknown - 8, t);
  else if (k == 3)
    out.s[end] += t;
  else
    out.c[end][k] += t;
  return out;
}

static inline ref_joint ref_joint_moved(const ref_joint *x, int unknown, double t) {
  ref_joint out = *x;
  if (unknown < 3)
    out.s[unknown] += t;
  else
    ref_turn_body(out.q[unknown / 3 - 1], unknown % 3, t);
  return out;
}

/// Step of the differences: with Richardson's extrapolation the truncation is (h^4/30) f''''', and
/// the rounding (1e-16/h) |f|; at 2e-3 both are under 1e-12 of W for the smooth W here.
#define REF_STEP 2e-3

/// dw[row][unknown] by central differences with two steps, extrapolated to fourth order.
static inline void ref_segment_dw(const ref_segment *x,
                                  double dw[REF_SEGMENT_ROWS][REF_SEGMENT_UNKNOWNS]) {
  static const double weight[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
  for (int n = 0; n < REF_SEGMENT_UNKNOWNS; n++) {
    for (int row = 0; row < REF_SEGMENT_ROWS; row++)
      dw[row][n] = 0;
    for (int i = 0; i < 4; i++) {
      double w[REF_SEGMENT_ROWS];
      ref_segment moved = ref_segment_moved(x, n, at[i] * REF_STEP);
      ref_segment_w(&moved, w);
      for (int row = 0; row < REF_SEGMENT_ROWS; row++)
        dw[row][n] += weight[i] * w[row] / (12 * REF_STEP);
    }
  }
}

static inline void ref_joint_dw(const ref_joint *x, double dw[REF_JOINT_ROWS][REF_JOINT_UNKNOWNS]) {
  static const double weight[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
  for (int n = 0; n < REF_JOINT_UNKNOWNS; n++) {
    for (int row = 0; row < REF_JOINT_ROWS; row++)
      dw[row][n] = 0;
    for (int i = 0; i < 4; i++) {
      double w[REF_JOINT_ROWS];
      ref_joint moved = ref_joint_moved(x, n, at[i] * REF_STEP);
      ref_joint_w(&moved, w);
      for (int row = 0; row < REF_JOINT_ROWS; row++)
        dw[row][n] += weight[i] * w[row] / (12 * REF_STEP);
    }
  }
}

#endif
