// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's part of bundles on a device: launches the kernels of a substep, and allocates the
/// bundles' data. For C code of either precision.
#ifndef VIPER_CUDA_BUNDLE_HOST_H
#define VIPER_CUDA_BUNDLE_HOST_H

#include "viper/cuda/contact/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a pass over all bundles does besides moving their members and predictions.
enum viper_bundle_pass {
  VIPER_PASS_FIRST = 1,   ///< of a substep: the prediction is kept as it is
  VIPER_PASS_LAST = 2,    ///< of a substep: the state and the prediction are kept as they are
  VIPER_PASS_INERTIA = 4, ///< the inertia of frames follows the prediction
};

/// Functions in one precision. The device model's `device` is a viper_bundle_device; its block
/// `room` begins with what a substep leaves.
typedef struct viper_bundle_upload_api {
  /// Plans the device model of a scene with bundles. Freed by viper_device_model_destroy.
  vb_status (*create)(const viper_joined_setup *setup, viper_device_model **out, vb_error *error);
  /// Bytes of what a substep leaves.
  size_t (*left)(const viper_device_model *self);
  /// As the contact kernels want it to work on bodies: a viper_contact_device without contacts.
  const void *(*bodies)(const viper_device_model *self);
  /// Writes what a substep leaves for a state that was put: as if the latest substep had moved
  /// nothing.
  void (*put)(const viper_device_model *self, const viper_state *state, char *out);
  /// The residual for substep length `h` under `load`, from a copy of it.
  vb_status (*residual)(const viper_device_model *self, const char *left, double h,
                        const double *load, const double *active, double *out, vb_error *error);
} viper_bundle_upload_api;

extern const viper_bundle_upload_api viper_bundle_upload_f32;
extern const viper_bundle_upload_api viper_bundle_upload_f64;

/// The kernels, one set per precision and arithmetic. Functions return a cudaError_t as a number.
typedef struct viper_bundle_kernels {
  /// Blocks that a multiprocessor holds.
  int (*prepare)(int *blocks);
  /// A pass (viper_bundle_pass) by a grid of `blocks` blocks. `device` is the device model's
  /// viper_device, `bundles` its viper_bundle_device, and `bodies` the viper_contact_device by
  /// which bodies are worked on.
  int (*pass)(const void *device, const void *bundles, const void *bodies, int pass, int blocks,
              void *stream);
  int threads; ///< of a block
} viper_bundle_kernels;

VIPER_DECLARE_KERNELS(viper_bundle_kernels);

/// What does the work: kernels on a device, or loops. Functions return 0, or a cudaError_t as a
/// number.
typedef struct viper_bundle_executor {
  int (*bodies)(void *self, viper_bodies_action action, const viper_settings *settings);
  int (*pass)(void *self, int pass);
  /// The end of a substep, `last` of a step.
  int (*end)(void *self, bool last);
} viper_bundle_executor;

/// Has a substep done: one iteration of all bodies, then a pass over all bundles, and so on
/// (cpu/bundle_real.c has the same order). Returns what a function of the worker returned first
/// that was not 0.
int viper_bundle_substep(const viper_bundle_executor *executor, void *self,
                         const viper_settings *settings, bool last);

// Memory and launches; built only where there is nvcc.

typedef struct viper_bundle_cuda viper_bundle_cuda;

/// Brings the bundles of a scene that has any to the device; `end` is the kernels' (viper_kernels).
/// Freed by viper_bundle_cuda_destroy.
vb_status viper_bundle_cuda_create(const viper_backend_setup *setup, const viper_contact_host *host,
                                   int (*end)(const void *device, bool last, void *stream),
                                   viper_bundle_cuda **out, vb_error *error);
void viper_bundle_cuda_destroy(viper_bundle_cuda *bundles);

/// After a new state was put: as if the latest substep had moved nothing.
vb_status viper_bundle_cuda_put(viper_bundle_cuda *bundles, const viper_state *state,
                                vb_error *error);

/// Queues a substep, `last` of a step.
vb_status viper_bundle_cuda_substep(viper_bundle_cuda *bundles, const viper_settings *settings,
                                    const viper_advance *advance, bool last, vb_error *error);

/// In scenes with contact: queues a pass (viper_bundle_pass) between the iterations of bodies that
/// `contact`, a viper_contact_device, works on. Returns a cudaError_t as a number.
int viper_bundle_cuda_pass(void *bundles, const void *contact, int pass);

/// See viper_backend.
vb_status viper_bundle_cuda_residual(viper_bundle_cuda *bundles, double h, const double *load,
                                     const double *active, double *out, vb_error *error);

#ifdef __cplusplus
}
#endif

#endif
