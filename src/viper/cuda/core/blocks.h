// SPDX-License-Identifier: GPL-3.0-or-later
/// Calls of CUDA that may fail, and the blocks of a device model on a device. Only for sources that
/// are built where there is nvcc.
#ifndef VIPER_CUDA_CORE_BLOCKS_H
#define VIPER_CUDA_CORE_BLOCKS_H

#include "base/status.h"
#include "viper/cuda/core/host.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

/// What tests lower, so that small scenes reach what large ones do.
typedef struct viper_cuda_at_first {
  int32_t columns_at_once; ///< as in viper_device_limits; VIPER_COLUMNS_AT_ONCE
  int32_t pairs, touches;  ///< room that contact begins with; 0: as many as it chooses
  int32_t pass_blocks;     ///< blocks that go over contacts, if the device can hold them; likewise
  int32_t color_blocks;    ///< and that color them
} viper_cuda_at_first;
extern viper_cuda_at_first viper_cuda_first;

/// VB_OK, or an error that tells what the device said of a call. CUDA's last error is cleared: a
/// later call would report it as its own.
static inline vb_status viper_cuda_check(cudaError_t code, const char *call, vb_error *error) {
  if (!code)
    return VB_OK;
  (void)cudaGetLastError();
  return vb_error_set(error, VB_UNAVAILABLE, "the CUDA device cannot go on: %s (%s)",
                      cudaGetErrorString(code), call);
}

/// Returns from the function it is in where a call fails; there is an `error` there.
#define TRY(call)                                                                                  \
  do {                                                                                             \
    vb_status status_ = viper_cuda_check((cudaError_t)(call), #call, error);                       \
    if (status_)                                                                                   \
      return status_;                                                                              \
  } while (0)

/// Start them zeroed.
typedef struct viper_blocks {
  viper_device_model *model;
  const void *device; ///< the device model's
  char *rest, *room;  ///< on the device
  viper_block_bytes bytes;
} viper_blocks;

/// Copies to the device and waits until it is there. A copy of pageable memory may return before
/// that, and streams that do not block would not wait for it.
static inline vb_status viper_cuda_send(void *to, const void *from, size_t bytes, vb_error *error) {
  TRY(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  TRY(cudaStreamSynchronize(NULL));
  return VB_OK;
}

/// Makes the memory of `model`, and fills it with what is written once.
static inline vb_status viper_blocks_bring(viper_blocks *b, vb_error *error) {
  b->bytes = viper_device_model_count(b->model);
  TRY(cudaMalloc((void **)&b->rest, b->bytes.rest + 1));
  TRY(cudaMalloc((void **)&b->room, b->bytes.room + 1));
  char *rest = (char *)calloc(1, b->bytes.rest + 1);
  if (!rest)
    return vb_error_memory(error);
  b->device = viper_device_model_lay(b->model, rest, b->rest, b->room);
  vb_status status = viper_cuda_send(b->rest, rest, b->bytes.rest, error);
  free(rest);
  return status;
}

/// Makes room anew, of what the device model asks for now; what was there is lost. After an error
/// `room` is null, and nothing may be launched.
static inline vb_status viper_blocks_make_room(viper_blocks *b, vb_error *error) {
  cudaFree(b->room);
  b->room = NULL;
  b->bytes = viper_device_model_count(b->model);
  TRY(cudaMalloc((void **)&b->room, b->bytes.room + 1));
  b->device = viper_device_model_lay(b->model, NULL, b->rest, b->room);
  return VB_OK;
}

static inline void viper_blocks_free(viper_blocks *b) {
  cudaFree(b->rest);
  cudaFree(b->room);
  viper_device_model_destroy(b->model);
}

#endif
