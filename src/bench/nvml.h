// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads clock rates, power and energy of a GPU from NVIDIA's management library (NVML). The
/// library comes with the driver and is loaded at run time. If it or one of its functions is
/// missing, that is no error: values that are not available are NaN, zero or "".
#ifndef VB_BENCH_NVML_H
#define VB_BENCH_NVML_H

#include "results/results_gpu.h"

#include <stddef.h>
#include <stdint.h>

typedef struct vb_nvml vb_nvml;

/// How the device is doing.
typedef struct vb_gpu_state {
  double sm_clock;   ///< Hz
  double mem_clock;  ///< Hz
  uint64_t throttle; ///< reasons why the clock is lower than it could be: VB_THROTTLE_...
  double power_w;    ///< drawn now
  double energy_j;   ///< drawn since the driver was loaded
} vb_gpu_state;

/// Reasons that come and go while a program runs. Clocks that a person has set, and idleness, are
/// none.
enum {
  VB_THROTTLE_POWER_CAP = 0x04,      ///< the power limit
  VB_THROTTLE_HARDWARE = 0x08,       ///< temperature or power, by a factor of two or more
  VB_THROTTLE_SYNC_BOOST = 0x10,     ///< it keeps to the clock of a slower one
  VB_THROTTLE_TEMPERATURE = 0x20,    ///< temperature, by software
  VB_THROTTLE_HW_TEMPERATURE = 0x40, ///< temperature, by hardware
  VB_THROTTLE_POWER_BRAKE = 0x80,    ///< the power supply asks for it
};

/// Writes the words for these reasons, separated by ", "; "" for none.
void vb_throttle_words(uint64_t reasons, char *out, size_t size);

/// Loads the library and finds the device of that UUID (or the slice of one whose UUID has the same
/// digits behind "MIG-"), or where `uuid` is "" the first. Null where there is none, and `why`
/// (room for `size` bytes) is then the reason. Closed by vb_nvml_close.
vb_nvml *vb_nvml_open(const char *uuid, char *why, size_t size);
void vb_nvml_close(vb_nvml *nvml); ///< null is nothing

/// Both take null for a library that is not there.
void vb_nvml_describe(const vb_nvml *nvml, vb_gpu *out);
void vb_nvml_read(const vb_nvml *nvml, vb_gpu_state *out);

/// What a results file says of the device of that UUID (a vb_gpu_describe).
void vb_nvml_record(const char *uuid, vb_gpu_record *out);

#endif
