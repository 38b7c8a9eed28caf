// SPDX-License-Identifier: GPL-3.0-or-later
/// Vectors of four numbers: a vector register on the CPU, four scalars on a device, which are one
/// or two rows of 16 bytes. Operators act component-wise, also with scalars; results are bitwise
/// those of scalar arithmetic. Components are accessed as those of an array.
#ifndef VIPER_CONTACT_VEC4_H
#define VIPER_CONTACT_VEC4_H

#include "viper/energy/real.h"

/// Loops over the frames at a contact: two between capsules, whose data are in registers.
#ifdef __CUDACC__
#define VIPER_BY_TWO _Pragma("unroll 2")
#else
#define VIPER_BY_TWO
#endif

#ifndef __CUDACC__

// Aligned as a scalar, so that structs have the same layout everywhere.
#define VIPER_VEC4_OF(type)                                                                        \
  type __attribute__((vector_size(4 * sizeof(viper_scalar)), aligned(sizeof(viper_scalar))))
typedef VIPER_VEC4_OF(viper_scalar) viper_vec4;
typedef VIPER_VEC4_OF(viper_bits) viper_vec4_bits;

VIPER_FN viper_vec4 viper_vec4_make(viper_scalar a, viper_scalar b, viper_scalar c,
                                    viper_scalar d) {
  viper_vec4 out = {a, b, c, d};
  return out;
}

VIPER_FN viper_vec4 viper_vec4_choose(viper_vec4_bits mask, viper_vec4 a, viper_vec4 b) {
  return (viper_vec4)(((viper_vec4_bits)a & mask) | ((viper_vec4_bits)b & ~mask));
}

// GCC before 12 does not have the shuffle that Clang has.
#ifdef __clang__
#define VIPER_VEC4_SHUFFLE(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l)
#else
#define VIPER_VEC4_SHUFFLE(a, i, j, k, l) __builtin_shuffle(a, (viper_vec4_bits){i, j, k, l})
#endif

/// The cross product of two vectors whose last components are 0; and 0.
VIPER_FN viper_vec4 viper_vec4_cross(viper_vec4 a, viper_vec4 b) {
  return VIPER_VEC4_SHUFFLE(a, 1, 2, 0, 3) * VIPER_VEC4_SHUFFLE(b, 2, 0, 1, 3) -
         VIPER_VEC4_SHUFFLE(a, 2, 0, 1, 3) * VIPER_VEC4_SHUFFLE(b, 1, 2, 0, 3);
}

/// The larger ones; `a` where one is not a number.
VIPER_FN viper_vec4 viper_vec4_larger(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_choose((viper_vec4_bits)(b > a), b, a);
}

/// The smaller ones; `a` where one is not a number.
VIPER_FN viper_vec4 viper_vec4_smaller(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_choose((viper_vec4_bits)(b < a), b, a);
}

#else

// Not declared aligned to rows of 16 bytes: with loads of whole rows the pass over contacts in
// float exceeds its 64 registers and spills 20 bytes.
struct viper_vec4 {
  viper_scalar number[4];
  __host__ __device__ viper_scalar &operator[](int k) { return number[k]; }
  __host__ __device__ viper_scalar operator[](int k) const { return number[k]; }
};

VIPER_FN viper_vec4 viper_vec4_make(viper_scalar a, viper_scalar b, viper_scalar c,
                                    viper_scalar d) {
  return viper_vec4{{a, b, c, d}};
}

VIPER_FN viper_vec4 viper_vec4_cross(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0], 0);
}

VIPER_FN viper_vec4 operator+(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]);
}

VIPER_FN viper_vec4 operator-(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]);
}

VIPER_FN viper_vec4 operator*(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]);
}

VIPER_FN viper_vec4 operator*(viper_scalar a, viper_vec4 b) {
  return viper_vec4_make(a * b[0], a * b[1], a * b[2], a * b[3]);
}

VIPER_FN viper_vec4 operator+=(viper_vec4 &a, viper_vec4 b) {
  return a = a + b;
}

VIPER_FN viper_vec4 viper_vec4_larger(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(b[0] > a[0] ? b[0] : a[0], b[1] > a[1] ? b[1] : a[1],
                         b[2] > a[2] ? b[2] : a[2], b[3] > a[3] ? b[3] : a[3]);
}

VIPER_FN viper_vec4 viper_vec4_smaller(viper_vec4 a, viper_vec4 b) {
  return viper_vec4_make(b[0] < a[0] ? b[0] : a[0], b[1] < a[1] ? b[1] : a[1],
                         b[2] < a[2] ? b[2] : a[2], b[3] < a[3] ? b[3] : a[3]);
}

#endif

/// The sum of the components, by pairs.
VIPER_FN viper_scalar viper_vec4_sum(viper_vec4 a) {
  return (a[0] + a[1]) + (a[2] + a[3]);
}

#endif
