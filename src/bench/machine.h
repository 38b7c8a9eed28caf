// SPDX-License-Identifier: GPL-3.0-or-later
/// Properties of the machine that a benchmark runs on: processors, cache, load.
#ifndef VB_BENCH_MACHINE_H
#define VB_BENCH_MACHINE_H

#include "bench/device_rates.h"
#include "bench/nvml.h"
#include "results/provenance.h"

#include <stddef.h>

/// A rate that was measured.
typedef struct vb_machine_rate {
  char what[16];         ///< "copy" (bytes/s) or "arithmetic" (operations/s)
  char precision[16];    ///< "float", "double"; "" for copies
  char instructions[32]; ///< "x86-64-v3", ..; "" for copies; "device" for a device's rates
  char arithmetic[16];   ///< "strict" (multiply, then add), "fast" (fused); "" for copies
  double bytes;          ///< that are copied to as many; 0 for arithmetic
  int threads;
  double rate; ///< 1/s
} vb_machine_rate;

#define VB_MAX_RATES 64

typedef struct vb_machine {
  vb_provenance origin;
  double busy;       ///< part of the processors that others kept busy when the benchmark began
  double last_cache; ///< bytes of the last cache; 0 if unknown
  vb_machine_rate rate[VB_MAX_RATES];
  size_t n_rates;
  bool has_gpu;                        ///< whether a case ran on a device
  vb_gpu gpu;                          ///< that device, as far as NVML reports it
  vb_nvml *nvml;                       ///< or null
  char nvml_missing[200];              ///< why there is none
  const vb_device_rates *device_rates; ///< null where there is nothing to measure them with
} vb_machine;

/// Others must leave this part of the processors alone, or the numbers are not to be trusted.
#define VB_MAX_BUSY 0.05

/// The part of the processors that others keep busy: watched for a fifth of a second, in which this
/// process sleeps. 0 if the system does not report it.
double vb_machine_busy(void);

/// Looks at the machine, and for that long at who keeps it busy.
/// To be closed by vb_machine_close.
void vb_machine_open(vb_machine *out);
void vb_machine_close(vb_machine *machine);

/// NVML for the device of that UUID, opened when it is first requested; null where there is none.
/// Describes the device in `machine->gpu`.
const vb_nvml *vb_machine_nvml(vb_machine *machine, const char *uuid);

/// The rate at which `threads` threads copy arrays that hold `bytes` bytes together, in bytes/s
/// read and written; `bytes` is rounded up to a power of two, but not far beyond the last cache.
/// And that of arithmetic, in operations/s. Measured when they are first requested (see rates.h),
/// and kept. NaN where the list is full.
///
/// Where `uuid` is not null, the same of the device of that UUID, whatever `instructions` and
/// `threads` are; `bytes` is rounded up to a power of two of at least 1 MiB and at most 1 GiB.
/// These rates are kept as of "device"; all cases of one benchmark run on the same one.
/// VB_UNAVAILABLE without machine->device_rates.
vb_status vb_machine_copy_rate(vb_machine *machine, const char *uuid, double bytes, int threads,
                               double *out, vb_error *error);
vb_status vb_machine_arithmetic_rate(vb_machine *machine, const char *uuid, const char *precision,
                                     const char *instructions, const char *arithmetic, int threads,
                                     double *out, vb_error *error);

/// Bytes well beyond the last cache: four times as many, but 64 to 256 MiB.
double vb_machine_beyond_cache(const vb_machine *machine);

#endif
