// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's part of surfaces on a device: launches the kernels that move a surface, and allocates
/// its data. For C code of either precision.
#ifndef VIPER_CUDA_SKIN_HOST_H
#define VIPER_CUDA_SKIN_HOST_H

#include "viper/cuda/core/host.h"
#include "viper/skin/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum viper_skin_phase {
  VIPER_SKIN_CARRIERS,  ///< the segments' transforms
  VIPER_SKIN_BUNDLES,   ///< those of bundles, where these carry
  VIPER_SKIN_VERTICES,  ///< where the vertices are
  VIPER_SKIN_TRIANGLES, ///< sums of the volume over triangles
  VIPER_SKIN_SUM_SUMS,  ///< sums of these
  VIPER_SKIN_VOLUME,    ///< and of those
  VIPER_SKIN_PHASES
} viper_skin_phase;

/// Functions in one precision. The device model's `device` is a viper_skin_device; its block `room`
/// begins with the volume, and then the vertices.
typedef struct viper_skin_upload_api {
  /// Plans the device model of a skin that has vertices; `device` is the viper_device whose state
  /// it follows. All must outlive it. Freed by viper_device_model_destroy.
  vb_status (*create)(const viper_skin *skin, const viper_model *model, const void *device,
                      viper_device_model **out, vb_error *error);
  /// Bytes from the beginning of the block `room` that hold volume and vertices.
  size_t (*report_bytes)(const viper_device_model *self);
  /// Reads them from a copy; either of `vertices` (n_vertices x 3, m) and `volume` (m^3) may be
  /// null.
  void (*get)(const viper_device_model *self, const char *room, double *vertices, double *volume);
} viper_skin_upload_api;

extern const viper_skin_upload_api viper_skin_upload_f32;
extern const viper_skin_upload_api viper_skin_upload_f64;

/// The kernels, one set per precision and arithmetic. `run` queues that of a phase and returns a
/// cudaError_t as a number.
typedef struct viper_skin_kernels {
  int (*run)(const void *skin, viper_skin_phase phase, void *stream);
} viper_skin_kernels;

VIPER_DECLARE_KERNELS(viper_skin_kernels);

// Memory and launches; built only where there is nvcc.

typedef struct viper_skin_cuda viper_skin_cuda;

/// Brings a surface with vertices to the device; `device` is the viper_device whose state it
/// follows, by work in `stream` (a cudaStream_t). Freed by viper_skin_cuda_destroy.
vb_status viper_skin_cuda_create(const viper_backend_setup *setup, const void *device, void *stream,
                                 viper_skin_cuda **out, vb_error *error);
void viper_skin_cuda_destroy(viper_skin_cuda *skin);

/// See viper_backend.
vb_status viper_skin_cuda_read(viper_skin_cuda *skin, double *vertices, double *volume,
                               vb_error *error);

#ifdef __cplusplus
}
#endif

#endif
