// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/rates.h"

#include "harness/clock.h"

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/// How long a rate is tried, s.
static const double TRIED_S = 0.1;

/// One try lasts so long at least, s: far above the clock's grain and the start of threads.
static const double TRY_S = 2e-3;

/// So many tries must last that long: a single one may have been disturbed.
#define TRIES 5

/// Independent chains of operations: enough to hide the latency of a multiplication and an addition
/// on two units each, few enough to stay in 16 registers with their two factors.
#define CHAINS         12
#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

#define BEGIN_CHAIN(k)   vector x##k = start + (k);
#define ADVANCE_CHAIN(k) x##k = STEP(x##k, factor, term);
#define SUM_CHAIN(k)     +x##k

/// Defines a function that does `n` times CHAINS multiplications and additions of vectors. The
/// numbers tend to 2, so that they stay normal.
#define DEFINE_KERNEL(NAME, TARGET, REAL, BYTES)                                                   \
  TARGET __attribute__((noinline)) static double NAME(int64_t n) {                                 \
    typedef REAL vector __attribute__((vector_size(BYTES)));                                       \
    vector start = {0}, factor = start + (REAL)0.5, term = start + (REAL)1;                        \
    EACH_CHAIN(BEGIN_CHAIN)                                                                        \
    for (int64_t i = 0; i < n; i++) {                                                              \
      EACH_CHAIN(ADVANCE_CHAIN)                                                                    \
    }                                                                                              \
    vector sum = EACH_CHAIN(SUM_CHAIN);                                                            \
    return (double)sum[0];                                                                         \
  }

#define STEP(x, a, b) ((x) * (a) + (b))
DEFINE_KERNEL(plain_float_16, , float, 16)
DEFINE_KERNEL(plain_double_16, , double, 16)
#ifdef __x86_64__
#define V3 __attribute__((target("avx2,fma")))
#define V4 __attribute__((target("avx512f,avx512vl,avx512dq,avx2,fma")))
DEFINE_KERNEL(plain_float_32, V3, float, 32)
DEFINE_KERNEL(plain_double_32, V3, double, 32)
DEFINE_KERNEL(plain_float_64, V4, float, 64)
DEFINE_KERNEL(plain_double_64, V4, double, 64)
#undef STEP
#define STEP(x, a, b) ((vector)_mm256_fmadd_ps((__m256)(x), (__m256)(a), (__m256)(b)))
DEFINE_KERNEL(fused_float_32, V3, float, 32)
#undef STEP
#define STEP(x, a, b) ((vector)_mm256_fmadd_pd((__m256d)(x), (__m256d)(a), (__m256d)(b)))
DEFINE_KERNEL(fused_double_32, V3, double, 32)
#undef STEP
#define STEP(x, a, b) ((vector)_mm512_fmadd_ps((__m512)(x), (__m512)(a), (__m512)(b)))
DEFINE_KERNEL(fused_float_64, V4, float, 64)
#undef STEP
#define STEP(x, a, b) ((vector)_mm512_fmadd_pd((__m512d)(x), (__m512d)(a), (__m512d)(b)))
DEFINE_KERNEL(fused_double_64, V4, double, 64)
#endif

/// A kernel and how many numbers its vectors hold, for float and for double.
typedef struct kernel {
  double (*run)(int64_t n);
  int lanes;
} kernel;

static kernel choose(const char *precision, const char *instructions, const char *arithmetic) {
  bool single = strcmp(precision, "float") == 0;
#ifdef __x86_64__
  static const kernel WIDE[2][2][2] = {
      {{{plain_double_32, 4}, {plain_float_32, 8}}, {{fused_double_32, 4}, {fused_float_32, 8}}},
      {{{plain_double_64, 8}, {plain_float_64, 16}}, {{fused_double_64, 8}, {fused_float_64, 16}}}};
  bool fused = strcmp(arithmetic, "fast") == 0;
  if (strcmp(instructions, "x86-64-v4") == 0)
    return WIDE[1][fused][single];
  if (strcmp(instructions, "x86-64-v3") == 0)
    return WIDE[0][fused][single];
#endif
  (void)instructions, (void)arithmetic;
  return single ? (kernel){plain_float_16, 4} : (kernel){plain_double_16, 2};
}

const char *vb_rate_instructions(const char *setting) {
#ifdef __x86_64__
  bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512dq");
  if (v4 && strcmp(setting, "x86-64-v4") == 0)
    return "x86-64-v4";
  if (v3 && strcmp(setting, "x86-64-v3") == 0)
    return "x86-64-v3";
  return "x86-64-v2";
#else
  return setting;
#endif
}

/// Seconds that all threads take for `n` turns of the kernel each.
static double time_kernel(kernel k, int64_t n, int threads) {
  static volatile double kept; // so that no compiler leaves the work out
  double sum = 0, start = vb_clock();
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += k.run(n);
  double wall = vb_clock() - start;
  kept = sum;
  (void)kept;
  return wall;
}

double vb_rate_of_arithmetic(const char *precision, const char *instructions,
                             const char *arithmetic, int threads) {
  kernel k = choose(precision, instructions, arithmetic);
  int64_t n = 1000;
  for (int lasted = 0; lasted < TRIES && n < INT64_C(1) << 40;)
    if (time_kernel(k, n, threads) >= TRY_S)
      lasted++;
    else
      n *= 2, lasted = 0;
  double best = 0, end = vb_clock() + TRIED_S;
  while (vb_clock() < end) {
    double rate = 2.0 * CHAINS * k.lanes * (double)n * threads / time_kernel(k, n, threads);
    best = rate > best ? rate : best;
  }
  return best;
}

/// Seconds of `n` copies by all threads, each its own part.
static double time_copies(char *to, const char *from, size_t bytes, int64_t n, int threads) {
  double start = vb_clock();
#pragma omp parallel num_threads(threads)
  {
    size_t part = bytes / (size_t)omp_get_num_threads(), at = part * (size_t)omp_get_thread_num();
    for (int64_t i = 0; i < n; i++) {
      memcpy(to + at, from + at, part);
      __asm__ volatile("" : : "r"(to) : "memory"); // each copy counts
    }
  }
  return vb_clock() - start;
}

vb_status vb_rate_of_copies(size_t bytes, int threads, double *out, vb_error *error) {
  char *from = malloc(bytes), *to = malloc(bytes);
  if (!from || !to) {
    free(from);
    free(to);
    return vb_error_memory(error);
  }
  memset(from, 1, bytes);
  memset(to, 2, bytes);
  int64_t n = 1;
  for (int lasted = 0; lasted < TRIES;)
    if (time_copies(to, from, bytes, n, threads) >= TRY_S)
      lasted++;
    else
      n *= 2, lasted = 0;
  double best = 0, end = vb_clock() + TRIED_S;
  while (vb_clock() < end) {
    double rate = 2 * (double)bytes * (double)n / time_copies(to, from, bytes, n, threads);
    best = rate > best ? rate : best;
  }
  free(from);
  free(to);
  *out = best;
  return VB_OK;
}
