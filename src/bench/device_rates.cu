// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of CUDA's devices. Copies and arithmetic run in blocks that fill every multiprocessor; times
// are between two events around a batch of launches.
#include "bench/device_rates.h"

#include "base/text.h"

#include <cuda_runtime.h>

#include <stdio.h>
#include <string.h>

namespace {

/// A batch lasts so long at least, s: far above the grain of events, half a microsecond.
const double BATCH_S = 2e-3;

/// How many batches are tried: about a tenth of a second.
const int BATCHES = 40;

const int THREADS = 256;

/// Independent chains of operations of a thread, and how many operations a chain does in a launch.
const int CHAINS = 8;
const int LENGTH = 4096;

/// Sets the error where a call of CUDA fails. CUDA's last error is cleared for who comes next.
vb_status check(cudaError_t code, const char *what, vb_error *error) {
  if (code == cudaSuccess)
    return VB_OK;
  (void)cudaGetLastError();
  return vb_error_set(error, VB_UNAVAILABLE, "the device's rates: %s: %s", what,
                      cudaGetErrorString(code));
}

/// Numbers tend to 2, so that they stay normal. The intrinsics are never contracted or split.
__device__ float fused(float x, float a, float b) { return __fmaf_rn(x, a, b); }
__device__ double fused(double x, double a, double b) { return __fma_rn(x, a, b); }
__device__ float apart(float x, float a, float b) { return __fadd_rn(__fmul_rn(x, a), b); }
__device__ double apart(double x, double a, double b) { return __dadd_rn(__dmul_rn(x, a), b); }

template <typename Real, bool FUSED> __global__ void compute(Real *out, Real factor, Real term) {
  Real x[CHAINS];
  for (int k = 0; k < CHAINS; k++)
    x[k] = Real(threadIdx.x + k);
#pragma unroll 16
  for (int i = 0; i < LENGTH; i++)
    for (int k = 0; k < CHAINS; k++)
      x[k] = FUSED ? fused(x[k], factor, term) : apart(x[k], factor, term);
  Real sum = 0;
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  if (sum < 0) // never, which no compiler knows
    *out = sum;
}

__global__ void copy(float4 *to, const float4 *from, size_t n) {
  size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    to[i] = from[i];
}

/// What is launched, and its memory.
struct workload {
  float4 *memory; ///< of 2 n
  size_t n;
  int arithmetic; ///< 0: copies; 1: plain float, 2: plain double, 3: fused float, 4: fused double
  int blocks;
};

void launch(const workload &w) {
  switch (w.arithmetic) {
  case 1:
    compute<float, false><<<w.blocks, THREADS>>>((float *)w.memory, 0.5f, 1.0f);
    break;
  case 2:
    compute<double, false><<<w.blocks, THREADS>>>((double *)w.memory, 0.5, 1.0);
    break;
  case 3:
    compute<float, true><<<w.blocks, THREADS>>>((float *)w.memory, 0.5f, 1.0f);
    break;
  case 4:
    compute<double, true><<<w.blocks, THREADS>>>((double *)w.memory, 0.5, 1.0);
    break;
  default:
    copy<<<w.blocks, THREADS>>>(w.memory + w.n, w.memory, w.n);
  }
}

/// Seconds of `n` launches.
vb_status time_batch(const workload &w, int n, const cudaEvent_t event[2], double *out,
                     vb_error *error) {
  float ms = 0;
  vb_status status = check(cudaEventRecord(event[0]), "recording an event", error);
  for (int i = 0; !status && i < n; i++)
    launch(w);
  if (!status)
    status = check(cudaGetLastError(), "starting a kernel", error);
  if (!status)
    status = check(cudaEventRecord(event[1]), "recording an event", error);
  if (!status)
    status = check(cudaEventSynchronize(event[1]), "running kernels", error);
  if (!status)
    status = check(cudaEventElapsedTime(&ms, event[0], event[1]), "reading events", error);
  if (!status)
    *out = 1e-3 * ms;
  return status;
}

/// Launches per second at their best.
vb_status best_rate(const workload &w, const cudaEvent_t event[2], double *out, vb_error *error) {
  double seconds = 0, best = 0;
  int n = 1;
  vb_status status = time_batch(w, n, event, &seconds, error); // loads the kernel, too
  if (!status)
    status = time_batch(w, n, event, &seconds, error);
  while (!status && seconds < BATCH_S && n < 1 << 20) {
    n *= 2;
    status = time_batch(w, n, event, &seconds, error);
  }
  for (int i = 0; !status && i < BATCHES; i++) {
    status = time_batch(w, n, event, &seconds, error);
    if (!status && n / seconds > best)
      best = n / seconds;
  }
  if (!status)
    *out = best;
  return status;
}

/// The device whose UUID has the digits of `uuid`, which begins with "GPU-" or "MIG-".
vb_status find(const char *uuid, int *out, int *processors, vb_error *error) {
  int count = 0;
  vb_status status = check(cudaGetDeviceCount(&count), "looking for devices", error);
  for (int i = 0; !status && i < count; i++) {
    cudaDeviceProp about;
    char digits[40] = "";
    status = check(cudaGetDeviceProperties(&about, i), "asking a device", error);
    for (int k = 0; !status && k < 16; k++)
      vb_text_add(digits, sizeof digits, "%s%02x",
                  k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "",
                  (unsigned char)about.uuid.bytes[k]);
    if (!status && strlen(uuid) > 4 && strcmp(uuid + 4, digits) == 0) {
      *out = i;
      *processors = about.multiProcessorCount;
      return VB_OK;
    }
  }
  return status ? status
                : vb_error_set(error, VB_UNAVAILABLE, "no device has the UUID \"%s\"", uuid);
}

/// Measures on the device of that UUID, and returns to the one that was current.
vb_status measure(const char *uuid, workload w, double *out, vb_error *error) {
  int before = 0, device = 0, processors = 0;
  cudaEvent_t event[2] = {nullptr, nullptr};
  vb_status status = find(uuid, &device, &processors, error);
  if (status)
    return status;
  cudaGetDevice(&before);
  w.blocks = 8 * processors; // as many threads as a multiprocessor holds at most
  status = check(cudaSetDevice(device), "choosing the device", error);
  if (!status)
    status = check(cudaMalloc((void **)&w.memory, 2 * w.n * sizeof(float4)), "memory", error);
  if (!status)
    status = check(cudaMemset(w.memory, 0, 2 * w.n * sizeof(float4)), "setting memory", error);
  for (int i = 0; !status && i < 2; i++)
    status = check(cudaEventCreate(&event[i]), "making an event", error);
  if (!status)
    status = best_rate(w, event, out, error);
  for (int i = 0; i < 2; i++)
    if (event[i])
      cudaEventDestroy(event[i]);
  cudaFree(w.memory);
  cudaSetDevice(before);
  return status;
}

vb_status rate_of_copies(const char *uuid, size_t bytes, double *out, vb_error *error) {
  workload w = {nullptr, bytes / 2 / sizeof(float4), 0, 0};
  double rate;
  vb_status status = measure(uuid, w, &rate, error);
  if (!status)
    *out = rate * 2.0 * (double)(w.n * sizeof(float4)); // read, and written
  return status;
}

vb_status rate_of_arithmetic(const char *uuid, bool single, bool fuse, double *out,
                             vb_error *error) {
  workload w = {nullptr, 64, (fuse ? 3 : 1) + !single, 0};
  double rate;
  int device, processors;
  vb_status status = find(uuid, &device, &processors, error);
  if (!status)
    status = measure(uuid, w, &rate, error);
  if (!status)
    *out = rate * 8.0 * processors * THREADS * 2.0 * CHAINS * LENGTH;
  return status;
}

} // namespace

extern "C" {
extern const vb_device_rates vb_device_rates_cuda;
const vb_device_rates vb_device_rates_cuda = {rate_of_copies, rate_of_arithmetic};
}
