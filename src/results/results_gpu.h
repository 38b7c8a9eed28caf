// SPDX-License-Identifier: GPL-3.0-or-later
/// What a results file tells of the GPU that did the work.
#ifndef VB_RESULTS_RESULTS_GPU_H
#define VB_RESULTS_RESULTS_GPU_H

#include "bench/nvml.h"
#include "results/h5.h"
#include "solver/solver.h"

/// Writes what stays the same into `group`, which is the GPU's own.
void vb_results_write_gpu(vb_h5 *h5, hid_t group, const vb_gpu *gpu);

/// Writes "/provenance/gpu/..." where the instance's steps run on a device.
void vb_results_write_device(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance);

#endif
