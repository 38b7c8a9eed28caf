// SPDX-License-Identifier: GPL-3.0-or-later
/// The arithmetic that the point-wise mathematics is written in: one source for C11 and CUDA C++,
/// one precision per translation unit (VIPER_PRECISION 32 or 64). Keep to the common subset of C11
/// and C++17; of libm only sqrt.
#ifndef VIPER_ENERGY_REAL_H
#define VIPER_ENERGY_REAL_H

#include <math.h>

#if VIPER_PRECISION == 32
typedef float viper_real;
#define VIPER_NAME(name) name##_f32
#define VIPER_SQRT(x)    sqrtf(x)
#define VIPER_EPSILON    1.1920929e-07f
#elif VIPER_PRECISION == 64
typedef double viper_real;
#define VIPER_NAME(name) name##_f64
#define VIPER_SQRT(x)    sqrt(x)
#define VIPER_EPSILON    2.220446049250313e-16
#else
#error "define VIPER_PRECISION as 32 or 64"
#endif

#ifdef __CUDACC__
#define VIPER_FN static __host__ __device__ inline
#else
#define VIPER_FN static inline
#endif

/// A constant in the working precision.
#define VIPER_R(x) ((viper_real)(x))

typedef struct viper_vec3 {
  viper_real x, y, z;
} viper_vec3;

/// A quaternion w + x i + y j + z k; a unit one is a rotation that turns e_z into the rod's
/// direction.
typedef struct viper_quat {
  viper_real w, x, y, z;
} viper_quat;

VIPER_FN viper_vec3 viper_vec3_make(viper_real x, viper_real y, viper_real z) {
  viper_vec3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

VIPER_FN viper_vec3 viper_add(viper_vec3 a, viper_vec3 b) {
  return viper_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

VIPER_FN viper_vec3 viper_sub(viper_vec3 a, viper_vec3 b) {
  return viper_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

VIPER_FN viper_vec3 viper_scale(viper_real t, viper_vec3 a) {
  return viper_vec3_make(t * a.x, t * a.y, t * a.z);
}

VIPER_FN viper_real viper_dot(viper_vec3 a, viper_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

VIPER_FN viper_vec3 viper_cross(viper_vec3 a, viper_vec3 b) {
  return viper_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

VIPER_FN viper_quat viper_quat_make(viper_real w, viper_real x, viper_real y, viper_real z) {
  viper_quat q;
  q.w = w;
  q.x = x;
  q.y = y;
  q.z = z;
  return q;
}

VIPER_FN viper_quat viper_quat_mul(viper_quat a, viper_quat b) {
  return viper_quat_make(
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

VIPER_FN viper_quat viper_quat_conj(viper_quat a) {
  return viper_quat_make(a.w, -a.x, -a.y, -a.z);
}

VIPER_FN viper_vec3 viper_quat_im(viper_quat a) {
  return viper_vec3_make(a.x, a.y, a.z);
}

/// The same rotation with a non-negative real part.
VIPER_FN viper_quat viper_quat_near(viper_quat a) {
  viper_real sign = a.w < VIPER_R(0) ? VIPER_R(-1) : VIPER_R(1);
  return viper_quat_make(sign * a.w, sign * a.x, sign * a.y, sign * a.z);
}

/// The axes of a frame: columns of the rotation matrix.
VIPER_FN viper_vec3 viper_quat_u(viper_quat q) {
  return viper_vec3_make(VIPER_R(1) - VIPER_R(2) * (q.y * q.y + q.z * q.z),
                         VIPER_R(2) * (q.x * q.y + q.w * q.z),
                         VIPER_R(2) * (q.x * q.z - q.w * q.y));
}

VIPER_FN viper_vec3 viper_quat_v(viper_quat q) {
  return viper_vec3_make(VIPER_R(2) * (q.x * q.y - q.w * q.z),
                         VIPER_R(1) - VIPER_R(2) * (q.x * q.x + q.z * q.z),
                         VIPER_R(2) * (q.y * q.z + q.w * q.x));
}

VIPER_FN viper_vec3 viper_quat_w(viper_quat q) {
  return viper_vec3_make(VIPER_R(2) * (q.x * q.z + q.w * q.y), VIPER_R(2) * (q.y * q.z - q.w * q.x),
                         VIPER_R(1) - VIPER_R(2) * (q.x * q.x + q.y * q.y));
}

/// Q <- normalize(Q (1 + delta/2)): a rotation by the vector `delta` [rad] in body axes, exact to
/// second order. Used to move along a search direction, where only the derivative at 0 matters.
VIPER_FN viper_quat viper_quat_turn(viper_quat q, viper_vec3 delta) {
  viper_quat d = viper_quat_make(VIPER_R(1), VIPER_R(0.5) * delta.x, VIPER_R(0.5) * delta.y,
                                 VIPER_R(0.5) * delta.z);
  viper_quat p = viper_quat_mul(q, d);
  viper_real n = VIPER_R(1) / VIPER_SQRT(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
  return viper_quat_make(n * p.w, n * p.x, n * p.y, n * p.z);
}

#endif
