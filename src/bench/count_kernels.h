// SPDX-License-Identifier: GPL-3.0-or-later
/// What the kernels of a case do in a step, counted by an emulator of devices, and the time that a
/// model makes of it.
#ifndef VB_BENCH_COUNT_KERNELS_H
#define VB_BENCH_COUNT_KERNELS_H

#include "study/study.h"

#include <stdio.h>

/// Counts every case of a study on the emulated device of this name ("H100", ..), and prints a
/// table of each: the mean of four steps. They follow the steps that the bench goes before it
/// times, on the CPU in strict arithmetic, and two on the device, which load kernels and find
/// room. Cases that do not run on a device are left out, with a line. VB_BAD_INPUT where the device
/// is unknown, VB_UNAVAILABLE where this program does not emulate one.
vb_status vb_bench_count(FILE *stream, const vb_study *study, const char *name, vb_error *error);

/// The names of the devices, separated by commas.
const char *vb_bench_count_devices(void);

#endif
