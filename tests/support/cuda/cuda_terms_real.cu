// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms of cuda_terms.h on a device: a state in a lane.
#include "cuda/cuda_terms.h"
#include "cuda/cuda_terms_set.h"

static __global__ void evaluate(const terms_input *in, int n, viper_scalar *out) {
  int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < n)
    terms_all(in + k, out + (size_t)k * TERMS_OUTPUT);
}

extern "C" int VIPER_NAME(cuda_device_terms)(const void *in, int n, void *out) {
  terms_input *d_in = nullptr;
  viper_scalar *d_out = nullptr;
  size_t bytes_in = (size_t)n * sizeof *d_in, bytes_out = (size_t)n * TERMS_OUTPUT * sizeof *d_out;
  cudaError_t code = cudaMalloc(&d_in, bytes_in);
  if (!code)
    code = cudaMalloc(&d_out, bytes_out);
  if (!code)
    code = cudaMemcpy(d_in, in, bytes_in, cudaMemcpyHostToDevice);
  if (!code) {
    evaluate<<<(n + 127) / 128, 128>>>(d_in, n, d_out);
    code = cudaGetLastError();
  }
  if (!code)
    code = cudaMemcpy(out, d_out, bytes_out, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return code;
}
