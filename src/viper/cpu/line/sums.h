// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers of a line in double, and sums over its elements (viper/method/direct.h).
#ifndef VIPER_CPU_LINE_SUMS_H
#define VIPER_CPU_LINE_SUMS_H

#include "viper/cpu/core/wide.h"
#include "viper/cpu/line/access.h"

#define VIPER_TOTAL(w, total, first, count, element_value)                                         \
  do {                                                                                             \
    VIPER_EACH(w, NULL, first, count, (w)->line->value[at.row] = (element_value));                 \
    (total) = add_values((w)->line, (count), (total));                                             \
  } while (0)

/// Adds the values of `n` elements in the order of the model; a chain has fewer segments and joints
/// than nodes.
static __attribute__((noinline)) double add_values(const viper_line *l, int32_t n, double total) {
  const viper_scalar *value = (const viper_scalar *)l->value;
  const int32_t *place = l->place[l->n - n];
  for (int32_t e = 0; e < n; e++)
    total += (double)value[place[e]];
  return total;
}

#endif
