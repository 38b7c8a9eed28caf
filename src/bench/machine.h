// SPDX-License-Identifier: GPL-3.0-or-later
/// The machine as a benchmark finds it.
#ifndef VB_BENCH_MACHINE_H
#define VB_BENCH_MACHINE_H

#include "harness/provenance.h"

#include <stddef.h>

/// A rate that was measured.
typedef struct vb_machine_rate {
  char what[16];         ///< "copy" (bytes/s) or "arithmetic" (operations/s)
  char precision[16];    ///< "float", "double"; "" for copies
  char instructions[32]; ///< "x86-64-v3", ..; "" for copies
  char arithmetic[16];   ///< "strict" (multiply, then add), "fast" (fused); "" for copies
  double bytes;          ///< that are copied to as many; 0 for arithmetic
  int threads;
  double rate; ///< 1/s
} vb_machine_rate;

#define VB_MOST_RATES 64

typedef struct vb_machine {
  vb_provenance origin;
  double busy;       ///< part of the processors that others kept busy when the benchmark began
  double last_cache; ///< bytes of the last cache; 0 where that cannot be told
  vb_machine_rate rate[VB_MOST_RATES];
  size_t n_rates;
} vb_machine;

/// Others must leave this part of the processors alone, or the numbers are not to be trusted.
#define VB_MOST_BUSY 0.05

/// Looks at the machine for a fifth of a second, in which this process sleeps.
void vb_machine_look(vb_machine *out);

/// The rate at which `threads` threads copy arrays that hold `bytes` bytes together, in bytes/s
/// read and written; `bytes` is rounded up to a power of two, but not far beyond the last cache.
/// And that of arithmetic, in operations/s. Measured when they are first asked for (see rates.h),
/// and kept. NaN where the list is full.
vb_status vb_machine_copy_rate(vb_machine *machine, double bytes, int threads, double *out,
                               vb_error *error);
double vb_machine_arithmetic_rate(vb_machine *machine, const char *precision,
                                  const char *instructions, const char *arithmetic, int threads);

/// Bytes well beyond the last cache: four times as many, but 64 to 256 MiB.
double vb_machine_beyond_cache(const vb_machine *machine);

#endif
