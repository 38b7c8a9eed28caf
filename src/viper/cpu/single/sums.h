// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers of a single body in double, and sums over its elements (viper/method/direct.h).
#ifndef VIPER_CPU_SINGLE_SUMS_H
#define VIPER_CPU_SINGLE_SUMS_H

#include "viper/cpu/core/wide.h"
#include "viper/cpu/single/access.h"

#define VIPER_TOTAL(w, total, first, count, element_value)                                         \
  do {                                                                                             \
    viper_scalar *values = values_of((w), (first));                                                \
    VIPER_EACH(w, NULL, first, count, viper_scatter(values, at, 1, 0, element_value));             \
    (total) = add_values((w), values + (first), (count), (total));                                 \
  } while (0)

/// Where the value of an element is kept, by its index; `first` is the first of its kind. Every
/// body has room of its own.
static inline viper_scalar *values_of(const viper_access *w, int32_t first) {
  const viper_model_body *b = w->body;
  return w->a->value + (b->first_node + b->first_segment + b->first_joint - first);
}

/// Adds `count` values one after the other; by every thread, with the same result.
static inline double add_values(const viper_access *w, const viper_scalar *value, int32_t count,
                                double total) {
  viper_barrier(w);
  for (int32_t e = 0; e < count; e++)
    total += (double)value[e];
  viper_barrier(w);
  return total;
}

#endif
