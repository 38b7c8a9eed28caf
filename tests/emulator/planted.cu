// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted.h"

#include <cooperative_groups.h>

enum { N = 64 };

namespace {

template <bool RIGHT> __global__ void reverse(const int32_t *in, int32_t *out) {
  __shared__ int32_t at[N];
  at[threadIdx.x] = 0; // so that a read that comes too early is none of what was never written
  __syncthreads();
  at[threadIdx.x] = in[threadIdx.x];
  if (RIGHT)
    __syncthreads();
  out[threadIdx.x] = at[N - 1 - threadIdx.x];
}

template <bool RIGHT> __global__ void reverse_warp(const int32_t *in, int32_t *out) {
  __shared__ int32_t at[N];
  at[threadIdx.x] = 0; // so that a read that comes too early is none of what was never written
  __syncthreads();
  at[threadIdx.x] = in[threadIdx.x];
  if (RIGHT)
    __syncwarp();
  out[threadIdx.x] = at[threadIdx.x ^ 31];
}

template <bool RIGHT> __global__ void bytes(uint8_t *out) {
  out[threadIdx.x] = (uint8_t)threadIdx.x;
  if (!RIGHT && threadIdx.x < N - 1)
    out[threadIdx.x + 1] = (uint8_t)(threadIdx.x + 100);
}

template <bool RIGHT> __global__ void sum(const int32_t *in, int32_t *out) {
  int32_t x = in[threadIdx.x];
  for (int by = 16; by > 0; by /= 2)
    x += __shfl_down_sync(RIGHT ? 0xffffffffu : 0x0000ffffu, x, by);
  if (threadIdx.x == 0)
    *out = x;
}

template <bool RIGHT> __global__ void shift(const int32_t *in, int32_t *out) {
  if (!RIGHT || threadIdx.x < N - 1)
    out[threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void aligned(const int32_t *in, int32_t *out, size_t at) {
  *out = *(const int32_t *)((const char *)in + at);
}

template <bool RIGHT> __global__ void barrier(int32_t *out) {
  if (RIGHT) {
    __syncthreads();
  } else if (threadIdx.x % 2) {
    out[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] *= 3;
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

template <bool RIGHT> __global__ void deadlock(int32_t *out) {
  int32_t x = 0;
  if (RIGHT || threadIdx.x % 2)
    x = (int32_t)__ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
  __syncthreads();
  out[threadIdx.x] = x;
}

template <bool RIGHT> __global__ void grid(int32_t *between, int32_t *out) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), n = (int)(gridDim.x * blockDim.x);
  between[i] = 3 * i;
  if (RIGHT)
    cooperative_groups::this_grid().sync();
  out[i] = between[(i + N) % n];
}

template <bool RIGHT> __global__ void count(int32_t *out) {
  if (RIGHT)
    atomicAdd(out + threadIdx.x, 1);
  else
    out[threadIdx.x]++;
}

__global__ void warp(int32_t *out) {
  int i = (int)threadIdx.x;
  const unsigned all = 0xffffffffu;
  out[i] = (int32_t)__ballot_sync(all, i % 2);
  out[32 + i] = __any_sync(all, i == 7);
  out[64 + i] = __all_sync(all, i != 7);
  out[96 + i] = __shfl_sync(all, 10 * i, 3, 8);
  out[128 + i] = __shfl_up_sync(all, i, 2);
  out[160 + i] = __shfl_down_sync(all, i, 2, 16);
  out[192 + i] = __shfl_xor_sync(all, i, 5);
}

__global__ void shared(int32_t *out, size_t bytes) {
  extern __shared__ int32_t memory[];
  memory[bytes / sizeof *memory - 1] = 5;
  *out = memory[bytes / sizeof *memory - 1];
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) bounded(int32_t *out) {
  out[threadIdx.x] = 1;
}

template <int THREADS, int BLOCKS> cudaError_t room_of(int threads, int *blocks, int *registers) {
  cudaFuncAttributes attributes;
  const cudaError_t status = cudaFuncGetAttributes(&attributes, bounded<THREADS, BLOCKS>);
  *registers = attributes.numRegs;
  return status ? status
                : cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, bounded<THREADS, BLOCKS>,
                                                                threads, 0);
}

} // namespace

cudaError_t planted_room(bool few, int threads, int *blocks, int *registers) {
  return few ? room_of<128, 1>(threads, blocks, registers)
             : room_of<128, 4>(threads, blocks, registers);
}

cudaError_t planted_reverse(const int32_t *in, int32_t *out, bool right, cudaStream_t stream) {
  right ? reverse<true><<<1, N, 0, stream>>>(in, out)
        : reverse<false><<<1, N, 0, stream>>>(in, out);
  return cudaGetLastError();
}

cudaError_t planted_reverse_warp(const int32_t *in, int32_t *out, bool right, cudaStream_t stream) {
  right ? reverse_warp<true><<<1, N, 0, stream>>>(in, out)
        : reverse_warp<false><<<1, N, 0, stream>>>(in, out);
  return cudaGetLastError();
}

cudaError_t planted_bytes(uint8_t *out, bool right, cudaStream_t stream) {
  right ? bytes<true><<<1, N, 0, stream>>>(out) : bytes<false><<<1, N, 0, stream>>>(out);
  return cudaGetLastError();
}

cudaError_t planted_sum(const int32_t *in, int32_t *out, bool right, cudaStream_t stream) {
  right ? sum<true><<<1, 32, 0, stream>>>(in, out) : sum<false><<<1, 32, 0, stream>>>(in, out);
  return cudaGetLastError();
}

cudaError_t planted_shift(const int32_t *in, int32_t *out, bool right, cudaStream_t stream) {
  right ? shift<true><<<1, N, 0, stream>>>(in, out) : shift<false><<<1, N, 0, stream>>>(in, out);
  return cudaGetLastError();
}

cudaError_t planted_aligned(const int32_t *in, int32_t *out, bool right, cudaStream_t stream) {
  aligned<<<1, 1, 0, stream>>>(in, out, right ? 0 : 1);
  return cudaGetLastError();
}

cudaError_t planted_barrier(int32_t *out, bool right, cudaStream_t stream) {
  right ? barrier<true><<<1, N, 0, stream>>>(out) : barrier<false><<<1, N, 0, stream>>>(out);
  return cudaGetLastError();
}

cudaError_t planted_deadlock(int32_t *out, bool right, cudaStream_t stream) {
  right ? deadlock<true><<<1, N, 0, stream>>>(out) : deadlock<false><<<1, N, 0, stream>>>(out);
  return cudaGetLastError();
}

cudaError_t planted_grid(int32_t *between, int32_t *out, bool right, cudaStream_t stream) {
  void *arguments[] = {&between, &out};
  return cudaLaunchCooperativeKernel(right ? (const void *)grid<true> : (const void *)grid<false>,
                                     dim3(4), dim3(N), arguments, 0, stream);
}

cudaError_t planted_count(int32_t *out, bool right, cudaStream_t stream) {
  right ? count<true><<<4, N, 0, stream>>>(out) : count<false><<<4, N, 0, stream>>>(out);
  return cudaGetLastError();
}

cudaError_t planted_warp(int32_t *out, cudaStream_t stream) {
  warp<<<1, 32, 0, stream>>>(out);
  return cudaGetLastError();
}

cudaError_t planted_shared(int32_t *out, size_t bytes, bool right, cudaStream_t stream) {
  cudaError_t code = cudaSuccess;
  if (right)
    code = cudaFuncSetAttribute((const void *)shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)bytes);
  void *arguments[] = {&out, &bytes};
  return code ? code
              : cudaLaunchKernel((const void *)shared, dim3(1), dim3(1), arguments, bytes, stream);
}
