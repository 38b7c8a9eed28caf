// SPDX-License-Identifier: GPL-3.0-or-later
// What all measurements of latencies.cu share: samples by the clock of a multiprocessor, and their
// medians.
#ifndef VB_BENCH_LATENCIES_SAMPLES_H
#define VB_BENCH_LATENCIES_SAMPLES_H

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Times that a kernel measures in one launch; the first, which loads code and data, is dropped.
constexpr int SAMPLES = 12;
/// Operations of a chain between two readings of the clock.
constexpr int LENGTH = 128;
constexpr int WARP = 32, LINE = 128, MOST_WARPS = 32;
/// Words of the memory that kernels load and store: 64 MiB, more than the second-level cache holds.
constexpr size_t WORDS = size_t(1) << 24;

#define CHECK(call) check((call), #call, __FILE__, __LINE__)

void check(cudaError_t code, const char *what, const char *file, int line) {
  if (code == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(code));
  exit(1);
}

/// What all kernels get.
struct Bench {
  uint32_t *memory;       ///< [WORDS] zeros, but for what a measurement writes
  unsigned long long *at; ///< [SAMPLES x MOST_WARPS x 2] when each warp began and ended
  uint32_t *out;          ///< what keeps results from being dropped
  int multiprocessors;
};

void print(const std::string &name, std::vector<double> x, const char *unit) {
  std::sort(x.begin(), x.end());
  printf("%-44s %12.3f %-28s +- %.3f\n", name.c_str(), x[x.size() / 2], unit,
         0.5 * (x.back() - x.front()));
}

/// Cycles of each sample but the first, from the first warp that began to the last that ended.
std::vector<double> cycles_of(const Bench &b, int warps) {
  std::vector<unsigned long long> at(size_t(SAMPLES) * MOST_WARPS * 2);
  std::vector<double> out;
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(at.data(), b.at, at.size() * sizeof at[0], cudaMemcpyDeviceToHost));
  for (int s = 1; s < SAMPLES; s++) {
    unsigned long long begin = ~0ull, end = 0;
    for (int w = 0; w < warps; w++) {
      begin = std::min(begin, at[size_t(s * MOST_WARPS + w) * 2]);
      end = std::max(end, at[size_t(s * MOST_WARPS + w) * 2 + 1]);
    }
    out.push_back(double(end - begin));
  }
  return out;
}

std::vector<double> divided(std::vector<double> x, double by) {
  for (double &v : x)
    v /= by;
  return x;
}

// The clock is read in order with other volatile code.
__device__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

__device__ void note(const Bench &b, int sample, unsigned long long begin, unsigned long long end) {
  if (threadIdx.x % WARP == 0 && blockIdx.x == 0) {
    unsigned long long *at = b.at + size_t(sample * MOST_WARPS + threadIdx.x / WARP) * 2;
    at[0] = begin;
    at[1] = end;
  }
}

} // namespace

#endif
