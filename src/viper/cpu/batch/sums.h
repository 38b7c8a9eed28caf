// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers of each body of a batch in double, and sums over its elements (viper/method/direct.h).
#ifndef VIPER_CPU_BATCH_SUMS_H
#define VIPER_CPU_BATCH_SUMS_H

#include <math.h>

typedef double viper_wide __attribute__((vector_size(8 * VIPER_LANES)));
typedef int64_t viper_wide_mask __attribute__((vector_size(8 * VIPER_LANES)));

VIPER_FN viper_wide viper_wide_select(viper_wide_mask mask, viper_wide a, viper_wide b) {
  return (viper_wide)(((viper_wide_mask)a & mask) | ((viper_wide_mask)b & ~mask));
}

static inline bool viper_wide_any(viper_wide_mask mask) {
  int64_t any = 0;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    any |= mask[lane];
  return any != 0;
}

static inline viper_wide viper_wide_sqrt(viper_wide x) {
  for (int lane = 0; lane < VIPER_LANES; lane++)
    x[lane] = sqrt(x[lane]);
  return x;
}

VIPER_FN viper_real viper_narrow(viper_wide x) {
  return __builtin_convertvector(x, viper_real);
}

#define VIPER_WIDE                 viper_wide
#define VIPER_PRECISE              double
#define VIPER_WIDE_ZERO            ((viper_wide){0})
#define VIPER_WIDEN(x)             __builtin_convertvector((x), viper_wide)
#define VIPER_NARROWED(x)          VIPER_WIDEN(viper_narrow(x))
#define VIPER_WIDE_SELECT(m, a, b) viper_wide_select((m), (a), (b))
#define VIPER_WIDE_ANY(m)          viper_wide_any(m)
#define VIPER_WIDE_SQRT(x)         viper_wide_sqrt(x)
#define VIPER_TOTAL(w, total, first, count, value)                                                 \
  VIPER_EACH(w, NULL, first, count, (total) += VIPER_WIDEN(value))
#define VIPER_TOTALS(w, total, first, count, value, first_too, count_too, value_too)               \
  do {                                                                                             \
    VIPER_TOTAL(w, total, first, count, value);                                                    \
    VIPER_TOTAL(w, total, first_too, count_too, value_too);                                        \
  } while (0)

#endif
