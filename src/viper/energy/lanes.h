// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to viper/energy/real.h: vector types for SIMD lanes. Included by it alone.
#ifndef VIPER_ENERGY_LANES_H
#define VIPER_ENERGY_LANES_H

#ifdef __SSE2__
#include <immintrin.h>
#endif

#define VIPER_NAME_OF(name, bits, variant) name##_f##bits##_##variant
#define VIPER_NAME_IN(name, bits, variant) VIPER_NAME_OF(name, bits, variant)
#define VIPER_NAME(name)                   VIPER_NAME_IN(name, VIPER_PRECISION, VIPER_VARIANT)

#define VIPER_REAL_SIZE (VIPER_LANES * VIPER_PRECISION / 8)
typedef viper_scalar viper_real __attribute__((vector_size(VIPER_REAL_SIZE)));
/// What a comparison yields: all bits set where it holds.
typedef viper_bits viper_mask __attribute__((vector_size(VIPER_REAL_SIZE)));

/// Minus zero stays what it is.
VIPER_FN viper_real viper_splat(viper_scalar x) {
  viper_real zero = {0};
  return x - zero;
}

VIPER_FN viper_real viper_select(viper_mask mask, viper_real a, viper_real b) {
  return (viper_real)(((viper_mask)a & mask) | ((viper_mask)b & ~mask));
}

/// The bit that tells the sign of a number, and a number with its sign turned where it is set.
VIPER_FN viper_mask viper_sign_bit(void) {
  viper_mask one = {0};
  one += 1;
  return one << (VIPER_PRECISION - 1);
}

VIPER_FN viper_real viper_flip(viper_real x, viper_mask sign) {
  return (viper_real)((viper_mask)x ^ sign);
}

// The instruction's name for the vector at hand: VIPER_INTRINSIC(sqrt) is _mm512_sqrt_ps.
#if VIPER_PRECISION == 32
#define VIPER_SUFFIX ps
#else
#define VIPER_SUFFIX pd
#endif
#define VIPER_PASTE_IN(bits, name, suffix) _mm##bits##_##name##_##suffix
#define VIPER_PASTE(bits, name, suffix)    VIPER_PASTE_IN(bits, name, suffix)
#if defined __AVX512F__ && VIPER_REAL_SIZE == 64
#define VIPER_INTRINSIC(name) VIPER_PASTE(512, name, VIPER_SUFFIX)
#elif defined __AVX__ && VIPER_REAL_SIZE == 32
#define VIPER_INTRINSIC(name) VIPER_PASTE(256, name, VIPER_SUFFIX)
#elif defined __SSE2__ && VIPER_REAL_SIZE == 16
#define VIPER_INTRINSIC(name) VIPER_PASTE(, name, VIPER_SUFFIX)
#endif

VIPER_FN viper_real viper_sqrt(viper_real x) {
#ifdef VIPER_INTRINSIC
  return (viper_real)VIPER_INTRINSIC(sqrt)(x);
#else
  for (int lane = 0; lane < VIPER_LANES; lane++)
    x[lane] = VIPER_SCALAR_SQRT(x[lane]);
  return x;
#endif
}

// An estimate and one step of Newton's leave float an error of a rounding or two.
#if defined VIPER_FAST && defined VIPER_INTRINSIC && VIPER_PRECISION == 32
#if VIPER_REAL_SIZE == 64
#define VIPER_ESTIMATE(name) _mm512_##name##14_ps
#else
#define VIPER_ESTIMATE(name) VIPER_INTRINSIC(name)
#endif
VIPER_FN viper_real viper_reciprocal(viper_real x) {
  viper_real y = (viper_real)VIPER_ESTIMATE(rcp)(x);
  return y * (2.0f - x * y);
}

VIPER_FN viper_real viper_rsqrt(viper_real x) {
  viper_real y = (viper_real)VIPER_ESTIMATE(rsqrt)(x);
  return y + 0.5f * y * (1 - x * y * y);
}
#else
VIPER_FN viper_real viper_reciprocal(viper_real x) {
  return 1 / x;
}

VIPER_FN viper_real viper_rsqrt(viper_real x) {
  return 1 / viper_sqrt(x);
}
#endif

#define VIPER_SQRT(x)                 viper_sqrt(x)
#define VIPER_R(x)                    viper_splat((viper_scalar)(x))
#define VIPER_SELECT(condition, a, b) viper_select((viper_mask)(condition), (a), (b))
#define VIPER_RECIPROCAL(x)           viper_reciprocal(x)
#define VIPER_RSQRT(x)                viper_rsqrt(x)

#endif
