// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers of a line in double, and sums over its elements in their order along the chain
/// (viper/method/direct.h).
#ifndef VIPER_CPU_LINE_SUMS_H
#define VIPER_CPU_LINE_SUMS_H

#include "viper/cpu/core/wide.h"
#include "viper/cpu/line/access.h"

#define VIPER_TOTAL(w, total, first, count, element_value)                                         \
  do {                                                                                             \
    VIPER_EACH(w, NULL, first, count, (w)->line->value[at.row] = (element_value));                 \
    (total) = add_values((w)->line, (count), (total));                                             \
  } while (0)

static __attribute__((noinline)) double add_values(const viper_line *l, int32_t n, double total) {
  for (int32_t first = 0; first < n; first += l->rows) {
    const viper_scalar *value = (const viper_scalar *)l->value + first / l->rows;
    const int32_t count = n - first < l->rows ? n - first : l->rows;
    for (int32_t r = 0; r < count; r++)
      total += (double)value[(size_t)r * VIPER_LANES];
  }
  return total;
}

#endif
