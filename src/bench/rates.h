// SPDX-License-Identifier: GPL-3.0-or-later
/// Measures the copy bandwidth and the arithmetic rate of this machine: each thread's best of many
/// short trials, with all threads busy.
#ifndef VB_BENCH_RATES_H
#define VB_BENCH_RATES_H

#include "base/status.h"

#include <stddef.h>

/// Bytes per second, read and written together, that `threads` threads copy, each its part of an
/// array of `bytes` bytes to another. Takes about a tenth of a second. VB_UNAVAILABLE for want of
/// memory.
vb_status vb_rate_of_copies(size_t bytes, int threads, double *out, vb_error *error);

/// The words of vb_rate_of_arithmetic that come nearest to a solver's setting: its instruction set
/// where this processor has it ("x86-64-v4", "x86-64-v3"), otherwise "x86-64-v2", vectors of 16
/// bytes.
const char *vb_rate_instructions(const char *setting);

/// Floating-point operations per second of `threads` threads on vectors in registers. `precision`
/// is "float" or "double"; `arithmetic` "fast" for fused multiply-adds (two operations each), where
/// the instruction set has them, and otherwise multiplications and additions in equal number. Takes
/// about a tenth of a second.
double vb_rate_of_arithmetic(const char *precision, const char *instructions,
                             const char *arithmetic, int threads);

#endif
