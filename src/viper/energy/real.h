// SPDX-License-Identifier: GPL-3.0-or-later
/// Arithmetic types and functions of the point-wise mathematics: one source for C11 and CUDA C++,
/// one precision per translation unit (VIPER_PRECISION 32 or 64). Keep to the common subset of C11
/// and C++17; of libm only sqrt.
///
/// With VIPER_LANE_BYTES (16, 32 or 64; gcc or clang) viper_real is a vector of that size: the same
/// functions then work on several elements at once, one in a lane. Each lane's
/// operations are those of the scalar code in the same order, so in strict arithmetic its results
/// are bitwise the same.
///
/// VIPER_FAST allows what strict arithmetic does not: reciprocals and roots a rounding error or
/// two off. It comes with compiler flags that let sums be reassociated and contracted.
#ifndef VIPER_ENERGY_REAL_H
#define VIPER_ENERGY_REAL_H

#include <math.h>
#include <stdint.h>

#if VIPER_PRECISION == 32
typedef float viper_scalar;
typedef int32_t viper_bits;
#define VIPER_SCALAR_SQRT(x) sqrtf(x)
#define VIPER_EPSILON        1.1920929e-07f
#elif VIPER_PRECISION == 64
typedef double viper_scalar;
typedef int64_t viper_bits;
#define VIPER_SCALAR_SQRT(x) sqrt(x)
#define VIPER_EPSILON        2.220446049250313e-16
#else
#error "define VIPER_PRECISION as 32 or 64"
#endif

// VIPER_ON_BODY is a function on a whole body or a block of numbers, VIPER_UNROLL_LARGE a long
// loop: compilers choose what to inline and to unroll, but on a device, where numbers lie in
// registers only if all is; a loop of much code is VIPER_ROLLED there. VIPER_OUT_OF_LINE is a
// function that few scenes need: on the host not inlined, so that loops stay small.
#ifdef __CUDACC__
#define VIPER_FN           static __host__ __device__ inline
#define VIPER_ON_BODY      static __host__ __device__ __forceinline__
#define VIPER_UNROLL       _Pragma("unroll")
#define VIPER_UNROLL_LARGE VIPER_UNROLL
#define VIPER_ROLLED       _Pragma("unroll 1")
#elif defined __GNUC__ && !defined __clang__
#define VIPER_FN     static inline
#define VIPER_UNROLL _Pragma("GCC unroll 16")
#else
#define VIPER_FN static inline
#define VIPER_UNROLL
#endif
#ifndef __CUDACC__
#define VIPER_ON_BODY static inline
#define VIPER_UNROLL_LARGE
#define VIPER_ROLLED
#endif
#if defined __GNUC__ && !defined __CUDACC__
#define VIPER_OUT_OF_LINE static __attribute__((noinline, unused))
#else
#define VIPER_OUT_OF_LINE VIPER_FN
#endif

#ifdef VIPER_LANE_BYTES
#define VIPER_LANES (VIPER_LANE_BYTES * 8 / VIPER_PRECISION)
#else
#define VIPER_LANES 1
#endif
#if VIPER_LANES > 1
#undef VIPER_FN
#define VIPER_FN static inline __attribute__((always_inline))
#endif

#if VIPER_LANES == 1
typedef viper_scalar viper_real;
#define VIPER_NAME_OF(name, bits) name##_f##bits
#define VIPER_NAME_IN(name, bits) VIPER_NAME_OF(name, bits)
#define VIPER_NAME(name)          VIPER_NAME_IN(name, VIPER_PRECISION)
#define VIPER_SQRT(x)             VIPER_SCALAR_SQRT(x)
/// A constant, or one value for all lanes, in the working precision.
#define VIPER_R(x) ((viper_scalar)(x))
/// `a` in the lanes where `condition` holds, `b` in the others; both are evaluated.
#define VIPER_SELECT(condition, a, b) ((condition) ? (a) : (b))
#define VIPER_RECIPROCAL(x)           (VIPER_R(1) / (x))
#define VIPER_RSQRT(x)                (VIPER_R(1) / VIPER_SQRT(x))
#else
#include "viper/energy/lanes.h"
#endif

/// How many numbers a struct of numbers holds.
#define VIPER_REALS(type) (sizeof(type) / sizeof(viper_real))

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
  // Sums of pairs: half as long to wait for as one product after the other.
  return viper_quat_make((a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
                         (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                         (a.w * b.y - a.x * b.z) + (a.y * b.w + a.z * b.x),
                         (a.w * b.z + a.x * b.y) - (a.y * b.x - a.z * b.w));
}

VIPER_FN viper_quat viper_quat_conj(viper_quat a) {
  return viper_quat_make(a.w, -a.x, -a.y, -a.z);
}

VIPER_FN viper_vec3 viper_quat_im(viper_quat a) {
  return viper_vec3_make(a.x, a.y, a.z);
}

/// `x` with its sign turned where that of `y` is negative.
VIPER_FN viper_real viper_signed(viper_real x, viper_real y) {
#if VIPER_LANES > 1
  return viper_flip(x, (viper_mask)y & viper_sign_bit());
#else
  return signbit(y) ? -x : x;
#endif
}

/// The same rotation with a non-negative real part.
VIPER_FN viper_quat viper_quat_positive(viper_quat a) {
  return viper_quat_make(viper_signed(a.w, a.w), viper_signed(a.x, a.w), viper_signed(a.y, a.w),
                         viper_signed(a.z, a.w));
}

/// Twice a vector: sums, for which processors have units besides those of products.
VIPER_FN viper_vec3 viper_twice(viper_vec3 a) {
  return viper_add(a, a);
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
  viper_real x = q.x * q.z + q.w * q.y, y = q.y * q.z - q.w * q.x, z = q.x * q.x + q.y * q.y;
  return viper_vec3_make(x + x, y + y, VIPER_R(1) - (z + z));
}

/// A world vector as seen from the frame: R^T v.
VIPER_FN viper_vec3 viper_quat_unrotate(viper_quat q, viper_vec3 v) {
  viper_vec3 im = viper_quat_im(q);
  viper_vec3 t = viper_twice(viper_cross(v, im));
  return viper_add(v, viper_add(viper_scale(q.w, t), viper_cross(t, im)));
}

/// Q <- normalize(Q (1 + half)): a rotation by twice the vector `half` [rad] in body axes, exact to
/// second order. Used to move along a search direction, where only the derivative at 0 matters.
VIPER_FN viper_quat viper_quat_turn_twice(viper_quat q, viper_vec3 half) {
  viper_quat p = viper_quat_mul(q, viper_quat_make(VIPER_R(1), half.x, half.y, half.z));
  viper_real n = VIPER_RSQRT((p.w * p.w + p.x * p.x) + (p.y * p.y + p.z * p.z));
  return viper_quat_make(n * p.w, n * p.x, n * p.y, n * p.z);
}

/// The same by the vector `delta`.
VIPER_FN viper_quat viper_quat_turn(viper_quat q, viper_vec3 delta) {
  return viper_quat_turn_twice(q, viper_scale(VIPER_R(0.5), delta));
}

/// Whether a value is finite, by its bits: compilers may take it for granted that all are.
VIPER_FN int viper_is_finite(viper_scalar x) {
  union {
    viper_scalar value;
    viper_bits bits;
  } u;
  u.value = x;
#if VIPER_PRECISION == 32
  return (u.bits & 0x7f800000) != 0x7f800000;
#else
  return (u.bits & 0x7ff0000000000000) != 0x7ff0000000000000;
#endif
}

#endif
