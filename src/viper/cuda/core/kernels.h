// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels, for the C code that runs them. One set per precision and arithmetic. Functions
/// return a cudaError_t as a number.
#ifndef VIPER_CUDA_CORE_KERNELS_H
#define VIPER_CUDA_CORE_KERNELS_H

#include "viper/backend.h"
#include "viper/cuda/core/coop_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct viper_kernels {
  /// Threads that a multiprocessor holds of a method's kernel for teams in blocks, and blocks of
  /// its kernel for the grid. Lets blocks ask for `shared_of_block` bytes.
  int (*prepare)(viper_method method, size_t shared_of_block, int *threads, int *grid_blocks);
  /// A substep of the bodies of a class. `device` is the image's viper_device; `bodies` and `near`
  /// (of a team that is the grid) are on the device.
  int (*substep)(const void *device, const viper_settings *settings, double h, double rate,
                 const viper_team_class *team, int n_blocks, const int32_t *bodies, void *near,
                 void *stream);
  /// The end of a substep, after all classes; `last` of a step.
  int (*end)(const void *device, bool last, void *stream);
} viper_kernels;

extern const viper_kernels viper_kernels_f32_strict, viper_kernels_f32_fast;
extern const viper_kernels viper_kernels_f64_strict, viper_kernels_f64_fast;

#ifdef __cplusplus
}
#endif

#endif
