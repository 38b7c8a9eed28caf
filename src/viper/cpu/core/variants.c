// SPDX-License-Identifier: GPL-3.0-or-later
/// Which of the compiled variants runs.
#include "viper/cpu/core/gathered.h"
#include "viper/cpu/core/lines.h"

#include <string.h>

typedef struct variant {
  const char *instructions;
  bool fast;
  const viper_lanes_api *f32, *f64;
} variant;

#ifdef VIPER_FAST_DOUBLE
#define FAST_DOUBLE(set) &viper_lanes_f64_##set##_fast
#else
#define FAST_DOUBLE(set) NULL
#endif
#define ROWS(set, isa)                                                                             \
  {isa, false, &viper_lanes_f32_##set##_strict, &viper_lanes_f64_##set##_strict},                  \
      {isa, true, &viper_lanes_f32_##set##_fast, FAST_DOUBLE(set)},
static const variant variants[] = {VIPER_INSTRUCTIONS(ROWS)};

#ifdef VIPER_FAST_DOUBLE
#define FAST_LINES(set) ROW(f64, set##_fast)
#else
#define FAST_LINES(set)
#endif
#define ROW(real, variant)                                                                         \
  {&viper_lanes_##real##_##variant, &viper_lines_##real##_##variant,                               \
   &viper_gathered_##real##_##variant},
#define LINES(set, isa)                                                                            \
  ROW(f32, set##_strict) ROW(f64, set##_strict) ROW(f32, set##_fast) FAST_LINES(set)
static const struct {
  const viper_lanes_api *lanes;
  const viper_lines_api *lines;
  const viper_gathered_api *gathered;
} lines[] = {VIPER_INSTRUCTIONS(LINES)};

const viper_lines_api *viper_lines_of(const viper_lanes_api *lanes) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (lines[i].lanes == lanes)
      return lines[i].lines;
  return NULL;
}

const viper_gathered_api *viper_gathered_of(const viper_lanes_api *lanes) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (lines[i].lanes == lanes)
      return lines[i].gathered;
  return NULL;
}

const viper_lanes_api *viper_lanes_find(int precision, const char *instructions, bool fast) {
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (!strcmp(variants[i].instructions, instructions) && variants[i].fast == fast)
      return precision == 32 ? variants[i].f32 : variants[i].f64;
  return NULL;
}

const char *viper_lanes_name(const char *instructions) {
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (!strcmp(variants[i].instructions, instructions))
      return variants[i].instructions;
  return NULL;
}

bool viper_lanes_has(const char *instructions) {
#ifdef __x86_64__
  // The levels of the x86-64 psABI; each has all that the one below has.
  bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
            __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl");
  return (!strcmp(instructions, "x86-64-v2") && v2) || (!strcmp(instructions, "x86-64-v3") && v3) ||
         (!strcmp(instructions, "x86-64-v4") && v4);
#else
  return !strcmp(instructions, "base");
#endif
}

const char *viper_lanes_best(void) {
  const char *best = NULL;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (viper_lanes_has(variants[i].instructions))
      best = variants[i].instructions;
  return best;
}
