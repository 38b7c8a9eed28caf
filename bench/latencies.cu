// SPDX-License-Identifier: GPL-3.0-or-later
// Measures, on a device, the constants of the model of its time (src/bench/device_model.c). A
// stand-alone program (README.md, "Latencies of a device"). Prints a line for each value: name,
// median of the samples, unit, and half their range.
#include "latencies/arithmetic.h"
#include "latencies/launches.h"
#include "latencies/memory.h"
#include "latencies/samples.h"

#include <cooperative_groups.h>

namespace {

__global__ void meet_block(const Bench b) {
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    __syncthreads();
    unsigned long long begin = now();
#pragma unroll 16
    for (int i = 0; i < LENGTH; i++)
      __syncthreads();
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
}

__global__ void meet_grid(const Bench b) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    grid.sync();
    unsigned long long begin = now();
#pragma unroll 1
    for (int i = 0; i < 32; i++)
      grid.sync();
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
}

void measure_barriers(const Bench &b) {
  Bench copy = b;
  void *arguments[] = {&copy};
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    meet_block<<<1, threads>>>(b);
    print("barrier.block.threads_" + std::to_string(threads),
          divided(cycles_of(b, threads / WARP), LENGTH), "cycles");
  }
  for (int threads : {128, 512})
    for (int blocks : {1, 2, 4, 8, 16, 32, 66, 132}) {
      if (blocks > b.multiprocessors)
        continue;
      CHECK(cudaLaunchCooperativeKernel((const void *)meet_grid, dim3((unsigned)blocks),
                                        dim3((unsigned)threads), arguments, 0, nullptr));
      print("barrier.grid.blocks_" + std::to_string(blocks) + ".threads_" + std::to_string(threads),
            divided(cycles_of(b, threads / WARP), 32), "cycles");
    }
}

// Straight-line code: chunks of 16 KiB, each of 1024 instructions of four chains.
#define FMA_4                                                                                      \
  "fma.rn.f32 %0, %0, %4, %5;\n\tfma.rn.f32 %1, %1, %4, %5;\n\t"                                   \
  "fma.rn.f32 %2, %2, %4, %5;\n\tfma.rn.f32 %3, %3, %4, %5;\n\t"
#define FMA_16   FMA_4 FMA_4 FMA_4 FMA_4
#define FMA_64   FMA_16 FMA_16 FMA_16 FMA_16
#define FMA_256  FMA_64 FMA_64 FMA_64 FMA_64
#define FMA_1024 FMA_256 FMA_256 FMA_256 FMA_256
#define CODE(TEXT)                                                                                 \
  asm volatile(TEXT : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]) : "f"(half), "f"(one));
#define CHUNK(A)                                                                                   \
  CODE(FMA_1024)                                                                                   \
  if (chunks == A)                                                                                 \
    goto done;
#define CHUNKS_4(A) CHUNK(A) CHUNK(A + 1) CHUNK(A + 2) CHUNK(A + 3)

/// The first quarter of a chunk where `chunks` is 0.
__global__ void __launch_bounds__(1024) straight(const Bench b, int chunks, float half, float one) {
  float x[4] = {1, 1, 1, 1};
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    __syncthreads();
    unsigned long long begin = now();
    CODE(FMA_256)
    if (chunks == 0)
      goto done;
    CODE(FMA_256 FMA_256 FMA_256)
    if (chunks == 1)
      goto done;
    CHUNKS_4(2)
    CHUNKS_4(6)
    CHUNKS_4(10)
    CHUNKS_4(14)
    CHUNKS_4(18)
    CHUNKS_4(22)
    CHUNKS_4(26)
    CHUNK(30) CHUNK(31) CHUNK(32) done : unsigned long long end = now();
    note(b, sample, begin, end);
  }
  b.out[threadIdx.x] = (uint32_t)(x[0] + x[1] + x[2] + x[3]);
}

void measure_code(const Bench &b) {
  for (int threads : {32, 128, 512})
    for (int chunks : {0, 1, 2, 4, 6, 7, 8, 10, 12, 16, 24, 32}) {
      straight<<<1, threads>>>(b, chunks, 0.5f, 1.0f);
      double instructions = chunks == 0 ? 256 : 1024.0 * chunks;
      print("code.KiB_" + std::to_string(chunks == 0 ? 4 : 16 * chunks) + ".threads_" +
                std::to_string(threads),
            divided(cycles_of(b, threads / WARP), instructions), "cycles of an instruction");
    }
}

void open(Bench *b) {
  cudaDeviceProp about;
  int driver = 0, runtime = 0;
  CHECK(cudaGetDeviceProperties(&about, 0));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  printf("# %s, %d multiprocessors, CUDA of the driver %d, of the runtime %d\n", about.name,
         about.multiProcessorCount, driver, runtime);
  b->multiprocessors = about.multiProcessorCount;
  CHECK(cudaMalloc((void **)&b->memory, WORDS * sizeof *b->memory));
  CHECK(cudaMemset(b->memory, 0, WORDS * sizeof *b->memory));
  CHECK(cudaMalloc((void **)&b->at, size_t(SAMPLES) * MOST_WARPS * 2 * sizeof *b->at));
  CHECK(cudaMalloc((void **)&b->out, 1024 * sizeof *b->out));
}

} // namespace

int main() {
  Bench b = {};
  open(&b);
  measure_launches(b.multiprocessors); // first: the clock rises as it runs
  measure_arithmetic(b);
  measure_branches(b);
  measure_latencies_of_loads(b);
  measure_rates_of_loads(b);
  measure_rates_of_atomics(b);
  measure_stores(b);
  measure_barriers(b);
  measure_code(b);
  CHECK(cudaFree(b.memory));
  CHECK(cudaFree(b.at));
  CHECK(cudaFree(b.out));
  return 0;
}
