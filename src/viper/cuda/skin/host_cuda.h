// SPDX-License-Identifier: GPL-3.0-or-later
/// The surface of a scene on the device: memory and launches.
#ifndef VIPER_CUDA_SKIN_HOST_CUDA_H
#define VIPER_CUDA_SKIN_HOST_CUDA_H

#include "viper/backend.h"

typedef struct viper_skin_cuda viper_skin_cuda;

/// Brings a surface with vertices to the device; `device` is the viper_device whose state it
/// follows, by work in `stream` (a cudaStream_t). Freed by viper_skin_cuda_destroy.
vb_status viper_skin_cuda_create(const viper_backend_setup *setup, const void *device, void *stream,
                                 viper_skin_cuda **out, vb_error *error);
void viper_skin_cuda_destroy(viper_skin_cuda *skin);

/// See viper_backend.
vb_status viper_skin_cuda_read(viper_skin_cuda *skin, double *vertices, double *volume,
                               vb_error *error);

#endif
