// SPDX-License-Identifier: GPL-3.0-or-later
/// Vectors, and rotations as unit quaternions (w, x, y, z), in double precision. Outputs may be
/// inputs.
#ifndef VB_SCENE_ROTATION_H
#define VB_SCENE_ROTATION_H

#include <math.h>
#include <string.h>

/// What a device does, too. There all is inlined: only so do numbers lie in registers.
#ifdef __CUDACC__
#define VB_FN static __host__ __device__ __forceinline__
#else
#define VB_FN static inline
#endif

VB_FN double vb_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// out = a - b
VB_FN void vb_subtract(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i] - b[i];
}

/// out = a + s b
VB_FN void vb_add_scaled(const double a[3], double s, const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i] + s * b[i];
}

/// out = a x b
VB_FN void vb_cross(const double a[3], const double b[3], double out[3]) {
  double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof c);
}

/// Distance of two points; writes the unit vector from a to b to `direction`, zero where they
/// coincide.
static inline double vb_direction(const double a[3], const double b[3], double direction[3]) {
  vb_subtract(b, a, direction);
  double length = sqrt(vb_dot(direction, direction));
  for (int i = 0; i < 3; i++)
    direction[i] = length > 0 ? direction[i] / length : 0;
  return length;
}

/// Six times the volume of the tetrahedron abcd, positive where bcd, seen from a, run clockwise.
static inline double vb_volume6(const double a[3], const double b[3], const double c[3],
                                const double d[3]) {
  double u[3], v[3], w[3], normal[3];
  vb_subtract(b, a, u);
  vb_subtract(c, a, v);
  vb_subtract(d, a, w);
  vb_cross(u, v, normal);
  return vb_dot(normal, w);
}

/// Distance of two points.
static inline double vb_distance(const double a[3], const double b[3]) {
  double direction[3];
  return vb_direction(a, b, direction);
}

/// out = p q
VB_FN void vb_quaternion_multiply(const double p[4], const double q[4], double out[4]) {
  double r[4] = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                 p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                 p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                 p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  memcpy(out, r, sizeof r);
}

VB_FN double vb_quaternion_norm(const double q[4]) {
  return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/// out = the vector `v` turned by the unit quaternion `q`
VB_FN void vb_quaternion_rotate(const double q[4], const double v[3], double out[3]) {
  double t[3], s[3];
  vb_cross(q + 1, v, t);
  vb_cross(q + 1, t, s);
  for (int i = 0; i < 3; i++)
    out[i] = v[i] + 2 * (q[0] * t[i] + s[i]);
}

/// out = R x + b, with R the rotation by the unit quaternion `q`
VB_FN void vb_rigid_move(const double q[4], const double b[3], const double x[3], double out[3]) {
  double turned[3];
  vb_quaternion_rotate(q, x, turned);
  vb_add_scaled(turned, 1, b, out);
}

/// The axis u, v or w (0, 1 or 2) of the frame `q`.
VB_FN void vb_frame_axis(const double q[4], int axis, double out[3]) {
  double e[3] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
  vb_quaternion_rotate(q, e, out);
}

/// The least rotation that takes the unit vector `a` to the unit vector `b`; where they are
/// opposite, the half turn about `otherwise`, a unit vector across them.
static inline void vb_least_rotation(const double a[3], const double b[3],
                                     const double otherwise[3], double out[4]) {
  // 1 + a.b and a x b, as the square of the half-way vector: no cancellation near opposite vectors.
  double sum[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  double q[4] = {vb_dot(sum, sum) / 2};
  vb_cross(a, b, q + 1);
  double norm = vb_quaternion_norm(q);
  if (norm < 1e-12) { // the axis is lost to rounding
    q[0] = 0;
    memcpy(q + 1, otherwise, 3 * sizeof *q);
    norm = 1;
  }
  for (int i = 0; i < 4; i++)
    out[i] = q[i] / norm;
}

/// The frame with the third axis `w`, a unit vector, and the first one in the plane of w and `u`,
/// which is not along w. Its real part is not negative.
static inline void vb_frame_from_axes(const double u[3], const double w[3], double out[4]) {
  static const double e_x[3] = {1, 0, 0};
  static const double e_z[3] = {0, 0, 1};
  double lift[4], turned[3], across[3];
  vb_least_rotation(e_z, w, e_x, lift);
  vb_frame_axis(lift, 0, turned);
  vb_cross(turned, u, across);
  // Half of the angle about w from the lifted first axis to u, from (cosine, sine) of the whole,
  // without a function of libm that may differ between machines.
  double sine = vb_dot(across, w);
  double cosine = vb_dot(turned, u);
  double radius = sqrt(sine * sine + cosine * cosine);
  double spin[4] = {cosine < 0 ? sine : radius + cosine, 0, 0, cosine < 0 ? radius - cosine : sine};
  vb_quaternion_multiply(lift, spin, out);
  double norm = (out[0] < 0 ? -1 : 1) * vb_quaternion_norm(out);
  for (int i = 0; i < 4; i++)
    out[i] /= norm;
}

/// The frame where parallel transport along the unit vector `w` begins: u is the axis of the least
/// component of w, crossed with w.
static inline void vb_frame_begin(const double w[3], double out[4]) {
  double axis[3] = {0}, u[3];
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(w[i]) < fabs(w[least]))
      least = i;
  axis[least] = 1;
  vb_cross(axis, w, u);
  vb_frame_from_axes(u, w, out);
}

/// The frame with the third axis `w`, whose u is that of `frame` after parallel transport: turned
/// by the least rotation from the path's unit tangent `from` to its next one `to`.
static inline void vb_frame_carry(const double frame[4], const double from[3], const double to[3],
                                  const double w[3], double out[4]) {
  double u[3], turn[4];
  vb_frame_axis(frame, 0, u); // across `from`: a reversal of the path turns about it
  vb_least_rotation(from, to, u, turn);
  vb_quaternion_rotate(turn, u, u);
  vb_frame_from_axes(u, w, out);
}

#endif
