// SPDX-License-Identifier: GPL-3.0-or-later
/// Four entries of a matrix as one, for viper/cpu/factor.h: of 16 bytes in single precision, so
/// that a device moves them at once.
#ifndef VIPER_CUDA_CORE_FOUR_H
#define VIPER_CUDA_CORE_FOUR_H

#include "viper/energy/real.h"

struct __attribute__((may_alias, aligned(16))) viper_four {
  viper_scalar a[4];
};

VIPER_FN viper_four operator*(viper_four x, viper_scalar t) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] *= t;
  return x;
}

VIPER_FN viper_four operator*(viper_four x, viper_four y) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] *= y.a[k];
  return x;
}

VIPER_FN viper_four &operator+=(viper_four &x, viper_four y) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] += y.a[k];
  return x;
}

VIPER_FN viper_four &operator-=(viper_four &x, viper_four y) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] -= y.a[k];
  return x;
}

#endif
