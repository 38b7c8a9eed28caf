// SPDX-License-Identifier: GPL-3.0-or-later
/// Measures the copy bandwidth and the arithmetic rate of a GPU: the best of many short trials by
/// its own clock, with all its multiprocessors busy.
#ifndef VB_BENCH_DEVICE_RATES_H
#define VB_BENCH_DEVICE_RATES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Functions that measure a type of device. `uuid` is the device's, from vb_device. Each
/// takes about a tenth of a second. VB_UNAVAILABLE where the device cannot do it.
typedef struct vb_device_rates {
  /// Bytes per second, read and written together, of copies from one half of `bytes` bytes of its
  /// memory to the other.
  vb_status (*copies)(const char *uuid, size_t bytes, double *out, vb_error *error);
  /// Floating-point operations per second on numbers in registers: in float where `single`,
  /// otherwise in double; fused multiply-adds (two operations each) where `fused`, otherwise
  /// multiplications and additions in equal number.
  vb_status (*arithmetic)(const char *uuid, bool single, bool fused, double *out, vb_error *error);
} vb_device_rates;

#endif
