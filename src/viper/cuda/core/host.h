// SPDX-License-Identifier: GPL-3.0-or-later
/// The device model and the kernels, as the host's C code uses them.
///
/// The layout: what it takes, where everything is, and what goes in and out. Needs no device
/// itself; in one precision (sources that end in _real.c are compiled once for each). The kernels:
/// one set per precision and arithmetic. Their functions return a cudaError_t as a number.
#ifndef VIPER_CUDA_CORE_HOST_H
#define VIPER_CUDA_CORE_HOST_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"
#include "viper/cuda/core/coop_plan.h"
#include "viper/cuda/core/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Functions in one precision. The device model's `device` is a viper_device; its block `rest` has
/// topology, rest data and where pins are held, and begins with what changes from substep to
/// substep: pins that drivers move, and loads. Its block `room` is the state, in and out as a
/// whole.
typedef struct viper_upload_api {
  int bytes_of_real;
  size_t control; ///< bytes at the beginning of the state that tell how far the run has come
  /// Plans the device model of a model whose bodies are all in `body_groups`; both must outlive it.
  /// Freed by viper_device_model_destroy.
  vb_status (*create)(const viper_model *model, const viper_body_groups *body_groups,
                      viper_device_model **out, vb_error *error);
  /// Bytes of what changes from substep to substep.
  size_t (*moving)(const viper_device_model *self);
  /// Between a state and its block.
  void (*put)(const viper_device_model *self, const viper_state *state, char *out);
  void (*get)(const viper_device_model *self, const char *in, viper_state *state);
  /// What a copy of the beginning of that block tells was done after the first `n_steps`.
  viper_progress (*progress)(const char *in, int64_t n_steps);
  /// Writes what changes from substep to substep for `time` [s].
  void (*move)(viper_device_model *self, double time, char *out);
} viper_upload_api;

extern const viper_upload_api viper_upload_f32;
extern const viper_upload_api viper_upload_f64;

// Kernels are in sets, one per precision and arithmetic: tables of type T, named T_f32_strict and
// so on.

#define VIPER_DECLARE_KERNELS(type)                                                                \
  extern const type type##_f32_strict, type##_f32_fast, type##_f64_strict, type##_f64_fast

/// The set that a viper_backend_setup asks for.
#define VIPER_KERNELS_FOR(type, setup)                                                             \
  ((setup)->precision == 32 ? ((setup)->fast ? &type##_f32_fast : &type##_f32_strict)              \
                            : ((setup)->fast ? &type##_f64_fast : &type##_f64_strict))

/// The name of the set that a source (kernels_real.cu) is compiled for.
#define VIPER_KERNELS_OF(type, bits, arithmetic) type##_f##bits##_##arithmetic
#define VIPER_KERNELS_IN(type, bits, arithmetic) VIPER_KERNELS_OF(type, bits, arithmetic)

#define VIPER_KERNELS(type) VIPER_KERNELS_IN(type, VIPER_PRECISION, VIPER_ARITHMETIC)

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

VIPER_DECLARE_KERNELS(viper_kernels);

#ifdef __cplusplus
}
#endif

#endif
