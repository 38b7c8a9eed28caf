// SPDX-License-Identifier: GPL-3.0-or-later
/// Measurements of a benchmark case on a GPU beside the host's wall time: time by the GPU's clock,
/// both launch modes, clock rates and energy.
#ifndef VB_BENCH_DEVICE_CASE_H
#define VB_BENCH_DEVICE_CASE_H

#include "bench/machine.h"
#include "bench/sample.h"

/// Finds out whether the subject's steps run on a device; if so, its windows are timed by the
/// device, too, and looked at through NVML where that is there.
vb_status vb_device_begin(vb_machine *machine, vb_subject *subject, vb_bench_case *c,
                          vb_error *error);

/// Notes in `window` what the device counted for it and how it is doing; NaN without a device.
vb_status vb_device_watch(vb_subject *subject, vb_timing_window *window, vb_error *error);

/// Concludes from the case's windows: time by the device's clock, the clock's median, and why it
/// was throttled.
void vb_device_conclude(vb_bench_case *c);

/// Times the other launch mode of kernels (the option "launch") for half as long, and returns to
/// the first.
vb_status vb_device_other_launch(vb_subject *subject, const vb_bench_limits *limits,
                                 vb_bench_case *c, vb_error *error);

/// Goes through windows for up to two seconds to see what energy a step takes: by the device's
/// counter, which grows every 20 to 100 ms, or else by its power.
vb_status vb_device_energy(vb_subject *subject, const vb_bench_limits *limits, vb_bench_case *c,
                           vb_error *error);

#endif
