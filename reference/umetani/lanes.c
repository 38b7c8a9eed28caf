// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/pass.h"

#include <stdlib.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define LANES 2
#define TARGET
#ifdef __SSE2__
#define SQRT(x) ((wide)_mm_sqrt_pd((__m128d)(x)))
#else
#define SQRT(x) ((wide){sqrt((x)[0]), sqrt((x)[1])})
#endif
#include "reference/umetani/kernel.h"
#include "reference/umetani/lanes_group.h"

#ifdef __x86_64__
#undef LANES
#undef TARGET
#undef SQRT
#define LANES   4
#define TARGET  __attribute__((target("avx2")))
#define SQRT(x) ((wide)_mm256_sqrt_pd((__m256d)(x)))
#include "reference/umetani/kernel.h"
#include "reference/umetani/lanes_group.h"

#undef LANES
#undef TARGET
#undef SQRT
#define LANES   8
#define TARGET  __attribute__((target("avx512f,avx512vl,avx512dq")))
#define SQRT(x) ((wide)_mm512_sqrt_pd((__m512d)(x)))
#include "reference/umetani/kernel.h"
#include "reference/umetani/lanes_group.h"
#endif

typedef void sweep_bodies(const umetani_pass *pass, int32_t first, int32_t n, int visits,
                          double *memory);

int32_t umetani_count_lanes(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    return 8;
  if (__builtin_cpu_supports("avx2"))
    return 4;
#endif
  return 2;
}

static sweep_bodies *find_sweep(int32_t lanes) {
#ifdef __x86_64__
  if (lanes > 2)
    return lanes == 8 ? umetani_sweep_8 : umetani_sweep_4;
#endif
  (void)lanes;
  return umetani_sweep_2;
}

bool umetani_sweep_lanes(const umetani_pass *pass, int32_t first, int32_t n, int visits,
                         int32_t lanes) {
  const umetani_settings *s = pass->settings;
  const umetani_body *body = &pass->rods->body[first];
  if (n < 2 || s->order == UMETANI_RANDOM || s->law.grouping != UMETANI_BLOCK)
    return false;
  size_t wides = 4 * (size_t)body->n_points + sizeof(umetani_edge_2) / 16 * (size_t)body->n_edges +
                 sizeof(umetani_joint_2) / 16 * (size_t)body->n_joints;
  double *memory = aligned_alloc(64, wides * 64);
  if (!memory)
    return false;
  for (int32_t done = 0; done < n; done += lanes)
    find_sweep(lanes)(pass, first + done, n - done, visits, memory);
  free(memory);
  return true;
}
