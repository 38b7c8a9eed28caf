// SPDX-License-Identifier: GPL-3.0-or-later
/// Checked calls of CUDA. Only for sources that are built where there is nvcc.
#ifndef VIPER_CUDA_CORE_TRY_H
#define VIPER_CUDA_CORE_TRY_H

#include "base/status.h"

#include <cuda_runtime_api.h>

/// VB_OK, or an error that tells what the device said of a call.
static inline vb_status viper_cuda_check(cudaError_t code, const char *call, vb_error *error) {
  if (!code)
    return VB_OK;
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

#endif
