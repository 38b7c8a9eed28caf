// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's part of surfaces on a device: launches the kernels that move a surface, and allocates
/// its data. For C code of either precision.
#ifndef VIPER_CUDA_SKIN_HOST_H
#define VIPER_CUDA_SKIN_HOST_H

#include "viper/backend.h"
#include "viper/skin/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum viper_skin_phase {
  VIPER_SKIN_CARRIERS,  ///< the segments' transforms
  VIPER_SKIN_VERTICES,  ///< where the vertices are
  VIPER_SKIN_TRIANGLES, ///< sums of the volume over triangles
  VIPER_SKIN_SUM_SUMS,  ///< sums of these
  VIPER_SKIN_VOLUME,    ///< and of those
  VIPER_SKIN_PHASES
} viper_skin_phase;

/// Bytes of the two blocks of memory that a surface takes.
typedef struct viper_skin_bytes {
  size_t rest; ///< written once
  size_t room; ///< what kernels write: first the volume, then the vertices
} viper_skin_bytes;

/// Functions in one precision.
typedef struct viper_skin_upload_api {
  /// Plans the device model of a skin that has vertices; `device` is the viper_device whose state
  /// it follows. All must outlive it. Freed by destroy.
  vb_status (*create)(const viper_skin *skin, const viper_model *model, const void *device,
                      void **out, vb_error *error);
  void (*destroy)(void *self);
  viper_skin_bytes (*bytes)(const void *self);
  /// Writes the block `rest` to `out`, for a device that will have it at `rest` and the other at
  /// `room`. Returns the viper_skin_device that kernels are given, which belongs to the device
  /// model.
  const void *(*fill)(void *self, char *out, char *rest, char *room);
  /// Bytes from the beginning of the block `room` that hold volume and vertices.
  size_t (*report_bytes)(const void *self);
  /// Reads them from a copy; either of `vertices` (n_vertices x 3, m) and `volume` (m^3) may be
  /// null.
  void (*get)(const void *self, const char *room, double *vertices, double *volume);
} viper_skin_upload_api;

extern const viper_skin_upload_api viper_skin_upload_f32;
extern const viper_skin_upload_api viper_skin_upload_f64;

/// The kernels, one set per precision and arithmetic. `run` queues that of a phase and returns a
/// cudaError_t as a number.
typedef struct viper_skin_kernels {
  int (*run)(const void *skin, viper_skin_phase phase, void *stream);
} viper_skin_kernels;

extern const viper_skin_kernels viper_skin_kernels_f32_strict, viper_skin_kernels_f32_fast;
extern const viper_skin_kernels viper_skin_kernels_f64_strict, viper_skin_kernels_f64_fast;

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
