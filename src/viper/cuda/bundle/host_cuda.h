// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles on the device: memory and launches.
#ifndef VIPER_CUDA_BUNDLE_HOST_CUDA_H
#define VIPER_CUDA_BUNDLE_HOST_CUDA_H

#include "viper/cuda/contact/host_cuda.h"

typedef struct viper_bundle_cuda viper_bundle_cuda;

/// Brings the bundles of a scene that has any to the device; `end` is the kernels' (kernels.h).
/// Freed by viper_bundle_cuda_destroy.
vb_status viper_bundle_cuda_create(const viper_backend_setup *setup, const viper_contact_host *host,
                                   int (*end)(const void *device, bool last, void *stream),
                                   viper_bundle_cuda **out, vb_error *error);
void viper_bundle_cuda_destroy(viper_bundle_cuda *bundles);

/// After a new state was put: as if the latest substep had moved nothing.
vb_status viper_bundle_cuda_put(viper_bundle_cuda *bundles, const viper_state *state,
                                vb_error *error);

/// Queues a substep of length `h`, `rate` being from displacement to velocity, `last` of a step.
vb_status viper_bundle_cuda_substep(viper_bundle_cuda *bundles, const viper_settings *settings,
                                    double h, double rate, bool last, vb_error *error);

/// See viper_backend.
vb_status viper_bundle_cuda_residual(viper_bundle_cuda *bundles, double h, double *out,
                                     vb_error *error);

#endif
