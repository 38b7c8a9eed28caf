// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of contact, for the C code that runs them. One set per precision and arithmetic.
/// Functions return a cudaError_t as a number. `device` is the image's viper_device, `contact` its
/// viper_contact_device.
#ifndef VIPER_CUDA_CONTACT_KERNELS_H
#define VIPER_CUDA_CONTACT_KERNELS_H

#include "viper/cuda/contact/host.h"
#include "viper/cuda/core/coop_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct viper_contact_kernels {
  /// Threads that a multiprocessor holds of the kernel that iterates bodies, and blocks of those
  /// that go over contacts.
  int (*prepare)(viper_method method, int *threads, int *team_blocks);
  /// A part of a substep of the bodies of a class; `bodies` is on the device.
  int (*bodies)(const void *device, const void *contact, viper_contact_part part,
                const viper_settings *settings, double h, double rate, const viper_team_class *team,
                int n_blocks, const int32_t *bodies, void *stream);
  /// A phase. A team's is gone through by a grid of `team_blocks` blocks, or by one block.
  int (*phase)(const void *device, const void *contact, viper_contact_phase phase, int team_blocks,
               void *stream);
  int (*sort)(const void *contact, viper_contact_sort sort, void *scratch, size_t bytes,
              void *stream);
  int (*end)(const void *device, const void *contact, bool last, void *stream);
} viper_contact_kernels;

extern const viper_contact_kernels viper_contact_kernels_f32_strict, viper_contact_kernels_f32_fast;
extern const viper_contact_kernels viper_contact_kernels_f64_strict, viper_contact_kernels_f64_fast;

/// The set that a setup asks for.
const viper_contact_kernels *viper_contact_kernels_for(const viper_backend_setup *setup);

#ifdef __cplusplus
}
#endif

#endif
