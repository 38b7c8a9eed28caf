// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers in double of a body that is worked on alone (viper/method/direct.h), for its sums:
/// sums.h of single bodies and of lines define VIPER_TOTAL.
#ifndef VIPER_CPU_CORE_WIDE_H
#define VIPER_CPU_CORE_WIDE_H

#include "viper/energy/real.h"

#include <math.h>

#define VIPER_WIDE                 double
#define VIPER_PRECISE              double
#define VIPER_WIDE_ZERO            0.0
#define VIPER_WIDEN(x)             ((double)(x))
#define VIPER_NARROWED(x)          ((double)(viper_scalar)(x))
#define VIPER_WIDE_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_WIDE_ANY(m)          (m)
#define VIPER_WIDE_SQRT(x)         sqrt(x)
#define VIPER_TOTALS(w, total, first, count, value, first_too, count_too, value_too)               \
  do {                                                                                             \
    VIPER_TOTAL(w, total, first, count, value);                                                    \
    VIPER_TOTAL(w, total, first_too, count_too, value_too);                                        \
  } while (0)

VIPER_FN viper_real viper_narrow(double x) {
  return viper_splat((viper_scalar)x);
}

#endif
