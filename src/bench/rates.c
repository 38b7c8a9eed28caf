// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/rates.h"

#include "base/clock.h"

#include <math.h>
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

/// One try lasts so long at least, s: far above the clock's grain, and short beside the time that a
/// busy system gives a thread at once, so that some tries are undisturbed.
static const double TRY_S = 2e-4;

/// The quickest of so many tries tells how long one is.
#define CALIBRATIONS 5

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

/// Work that is timed: `n` turns of it by one thread of several.
typedef struct workload {
  void (*turn)(const struct workload *workload, int64_t n, int thread, int threads);
  kernel k;
  char *to;
  const char *from;
  size_t bytes;
} workload;

static double time_turns(const workload *w, int64_t n, int thread, int threads) {
  double start = vb_clock();
  w->turn(w, n, thread, threads);
  return vb_clock() - start;
}

/// Turns per second of one thread at its best, while the others are at work, too.
static double best_of_thread(const workload *w, int thread, int threads) {
  int64_t n = 1;
  double best = 0, end = vb_clock() + TRIED_S;
  for (double quickest = 0; quickest < TRY_S; n *= 2) {
    quickest = time_turns(w, n, thread, threads);
    for (int i = 1; i < CALIBRATIONS; i++)
      quickest = fmin(quickest, time_turns(w, n, thread, threads));
  }
  while (vb_clock() < end || best == 0)
    best = fmax(best, (double)n / time_turns(w, n, thread, threads));
  return best;
}

/// Each thread is timed on its own: where a busy system halts one of them, the others' times stay
/// right.
static double turns_per_second(const workload *w, int threads) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += best_of_thread(w, omp_get_thread_num(), omp_get_num_threads());
  return sum;
}

static void compute(const workload *w, int64_t n, int thread, int threads) {
  volatile double kept = w->k.run(n * 256); // so that no compiler leaves the work out
  (void)kept, (void)thread, (void)threads;
}

double vb_rate_of_arithmetic(const char *precision, const char *instructions,
                             const char *arithmetic, int threads) {
  workload w = {.turn = compute, .k = choose(precision, instructions, arithmetic)};
  return turns_per_second(&w, threads) * 256 * 2.0 * CHAINS * w.k.lanes;
}

static void copy(const workload *w, int64_t n, int thread, int threads) {
  size_t share = w->bytes / (size_t)threads, at = share * (size_t)thread;
  for (int64_t i = 0; i < n; i++) {
    memcpy(w->to + at, w->from + at, share);
    __asm__ volatile("" : : "r"(w->to) : "memory"); // each copy counts
  }
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
  workload w = {.turn = copy, .to = to, .from = from, .bytes = bytes};
  *out = turns_per_second(&w, threads) * 2 * (double)bytes / threads;
  free(from);
  free(to);
  return VB_OK;
}
