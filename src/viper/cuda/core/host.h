// SPDX-License-Identifier: GPL-3.0-or-later
/// The device model and the kernels, as the host's C code uses them.
///
/// The layout: what it takes, where everything is, and what goes in and out. Needs no device
/// itself; in one precision (sources that end in _real.c are compiled once for each). The kernels:
/// one set per precision and arithmetic. Their functions return a cudaError_t as a number.
#ifndef VIPER_CUDA_CORE_HOST_H
#define VIPER_CUDA_CORE_HOST_H

#include "viper/backend.h"
#include "viper/cuda/core/coop_plan.h"
#include "viper/model/body_groups.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of the three blocks of a device's memory.
typedef struct viper_upload_bytes {
  size_t rest;   ///< topology, rest data and where pins are held: written once
  size_t state;  ///< state, in and out as a whole
  size_t moving; ///< what changes from substep to substep: pins that drivers move, and loads
} viper_upload_bytes;

/// Functions in one precision.
typedef struct viper_upload_api {
  int bytes_of_real;
  size_t
      control; ///< bytes at the beginning of the block `state` that tell how far the run has come
  /// Plans the device model of a model whose bodies are all in `kinds`; both must outlive it. Freed
  /// by destroy.
  vb_status (*create)(const viper_model *model, const viper_body_groups *body_groups, void **out,
                      vb_error *error);
  void (*destroy)(void *self);
  viper_upload_bytes (*bytes)(const void *self);
  /// Writes the block `rest` to `out`, for a device that will have it at `rest`, and the state at
  /// `state`. Returns the viper_device that kernels are given, which belongs to the device model.
  const void *(*fill)(void *self, char *out, char *rest, char *state);
  /// Between a state and the block `state`.
  void (*put)(const void *self, const viper_state *state, char *out);
  void (*get)(const void *self, const char *in, viper_state *state);
  /// What a copy of the beginning of that block tells was done after the first `n_steps`.
  viper_progress (*progress)(const char *in, int64_t n_steps);
  /// Writes the block `moving` for `time` [s].
  void (*move)(void *self, double time, char *out);
} viper_upload_api;

extern const viper_upload_api viper_upload_f32;
extern const viper_upload_api viper_upload_f64;

typedef struct viper_kernels {
  /// Threads that a multiprocessor holds of a method's kernel for teams in blocks, and blocks of
  /// its kernel for the grid. Lets blocks ask for `shared_of_block` bytes.
  int (*prepare)(viper_method method, size_t shared_of_block, int *threads, int *device_blocks);
  /// A substep of the bodies of a class. `device` is the device model's viper_device; `bodies` and
  /// `workspace` (of a team that is the grid) are on the device.
  int (*substep)(const void *device, const viper_settings *settings, double h, double rate,
                 const viper_coop_class *coop, int n_blocks, const int32_t *bodies, void *workspace,
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
