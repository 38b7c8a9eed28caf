// SPDX-License-Identifier: GPL-3.0-or-later
// Latencies and rates of loads, stores, atomics and fences.
#ifndef VB_BENCH_LATENCIES_MEMORY_H
#define VB_BENCH_LATENCIES_MEMORY_H

#include "samples.h"

namespace {

// Loads. Memory holds zeros, so that an address plus what was loaded is the same address.
enum Path { FIRST, SECOND, VOLATILE, SHARED, ATOMIC };

template <Path PATH> __device__ uint32_t load(const uint32_t *at) {
  uint32_t x;
  if (PATH == FIRST)
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
  else if (PATH == SECOND)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
  else if (PATH == VOLATILE)
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
  else if (PATH == ATOMIC)
    asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(x) : "l"(at) : "memory");
  else
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(x)
                 : "r"((uint32_t)__cvta_generic_to_shared(at))
                 : "memory");
  return x;
}

/// Before the clock is read: waits for a value, which is not 12345.
__device__ void wait_for(const Bench &b, uint32_t x) {
  if (x == 12345)
    b.out[0] = x;
}

/// Loads that wait for each other. Lane k reads word k * `lane` words on; load i is `step` words
/// after load i - 1, within `room` words, a power of two.
template <Path PATH>
__global__ void chase(const Bench b, uint32_t lane, uint32_t step, uint32_t room) {
  __shared__ uint32_t near_memory[4096];
  for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x)
    near_memory[i] = 0;
  const uint32_t *base = PATH == SHARED ? near_memory : b.memory;
  uint32_t at = threadIdx.x * lane, x = 0;
  __syncthreads();
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    unsigned long long begin = now();
#pragma unroll 16
    for (int i = 0; i < LENGTH; i++) {
      const char *from = (const char *)(base + (at & (room - 1)));
      x = load<PATH>((const uint32_t *)(from + x));
      at += step;
    }
    wait_for(b, x);
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
  b.out[threadIdx.x] = x;
}

/// Latency of a load of `lanes` lanes, and of the addition (of 64 bits; of 32 in shared memory)
/// that makes the next address of what was loaded.
template <Path PATH>
void measure_chase(const Bench &b, const char *name, int lanes, uint32_t lane, uint32_t step,
                   uint32_t room) {
  chase<PATH><<<1, lanes>>>(b, lane, step, room);
  print(std::string("latency.load.") + name, divided(cycles_of(b, 1), LENGTH), "cycles");
}

/// Latency in the second-level cache of each of many lines, whose slices are near or far.
__global__ void chase_lines(const Bench b, int lines, uint32_t stride, uint32_t *cycles) {
  for (int k = 0; k < lines; k++) {
    const uint32_t *at = b.memory + size_t(k) * stride;
    uint32_t sum = load<SECOND>(at);
    unsigned long long begin = now();
#pragma unroll
    for (int i = 0; i < 8; i++)
      sum += load<SECOND>(at + sum);
    wait_for(b, sum);
    unsigned long long end = now();
    cycles[k] = (uint32_t)(end - begin) + sum;
  }
}

void measure_lines(const Bench &b) {
  const int lines = 2048;
  uint32_t *d_cycles;
  std::vector<uint32_t> cycles(lines);
  CHECK(cudaMalloc((void **)&d_cycles, lines * sizeof(uint32_t)));
  chase_lines<<<1, 1>>>(b, lines, 1056, d_cycles);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(cycles.data(), d_cycles, lines * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_cycles));
  std::sort(cycles.begin(), cycles.end());
  for (int percent : {1, 10, 25, 50, 75, 90, 99})
    print("latency.load.second.percentile_" + std::to_string(percent),
          {cycles[size_t(lines) * (size_t)percent / 100] / 8.0}, "cycles");
}

void measure_latencies_of_loads(const Bench &b) {
  measure_chase<SHARED>(b, "shared", WARP, 1, WARP, 4096);
  measure_chase<SHARED>(b, "shared.conflict_of_32", WARP, WARP, 1, 4096);
  measure_chase<FIRST>(b, "first.1_lane", 1, 0, WARP, 4096);
  measure_chase<FIRST>(b, "first.1_line", WARP, 1, WARP, 4096);
  for (uint32_t lanes : {4, 8, 16, 32})
    measure_chase<FIRST>(b, ("first.lines_" + std::to_string(lanes)).c_str(), (int)lanes, WARP, 1,
                         4096);
  measure_chase<SECOND>(b, "second.1_lane", 1, 0, 1056, 1 << 20);
  measure_chase<SECOND>(b, "second.1_line", WARP, 1, 1056, 1 << 20);
  for (uint32_t lanes : {4, 8, 16, 32})
    measure_chase<SECOND>(b, ("second.lines_" + std::to_string(lanes)).c_str(), (int)lanes, 1056,
                          7 * WARP, 1 << 20);
  measure_chase<VOLATILE>(b, "volatile.1_lane", 1, 0, 1056, 1 << 20);
  measure_chase<ATOMIC>(b, "atomic.1_lane", 1, 0, 1056, 1 << 20);
  measure_chase<ATOMIC>(b, "atomic.32_lanes_one_word", WARP, 0, 1056, 1 << 20);
  measure_chase<ATOMIC>(b, "atomic.lines_32", WARP, 1056, 7 * WARP, 1 << 20);
  measure_chase<FIRST>(b, "memory.1_lane", 1, 0, 63 * 1056, WORDS);
  measure_lines(b);
}

/// Loads or stores that do not wait for each other: `bytes` of each lane, on `lines` lines of a
/// warp. Warps have lines of their own in `room` bytes, or go on through it.
template <int WIDTH, bool STORE, bool CACHED>
__global__ void stream(const Bench b, int lines, uint32_t step, uint32_t room) {
  int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, share = WARP / lines;
  uint32_t mine = (uint32_t)(lane / share * LINE + lane % share * WIDTH),
           at = (uint32_t)(warp * WARP * LINE + blockIdx.x * 32768);
  uint32_t sum[4] = {0, 0, 0, 0};
  char *base = (char *)b.memory;
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    __syncthreads();
    unsigned long long begin = now();
#pragma unroll 8
    for (int i = 0; i < LENGTH; i++) {
      char *to = base + ((at & (room - 1)) + mine);
      uint32_t x = 0, y = 0, z = 0, w = 0;
      if (STORE && WIDTH == 4)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(0) : "memory");
      else if (STORE)
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to), "r"(0) : "memory");
      else if (CACHED && WIDTH == 4)
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(to) : "memory");
      else if (CACHED)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "l"(to)
                     : "memory");
      else if (WIDTH == 4)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(to) : "memory");
      else
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "l"(to)
                     : "memory");
      sum[0] ^= x;
      sum[1] ^= y;
      sum[2] ^= z;
      sum[3] ^= w;
      at += step;
    }
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
  b.out[threadIdx.x] = sum[0] ^ sum[1] ^ sum[2] ^ sum[3];
}

template <int WIDTH, bool STORE, bool CACHED>
void measure_stream(const Bench &b, const char *name, int warps, int blocks, uint32_t step,
                    uint32_t room) {
  for (int lines = WIDTH == 4 ? 1 : 4; lines <= WARP; lines *= 2) {
    stream<WIDTH, STORE, CACHED><<<blocks, WARP * warps>>>(b, lines, step, room);
    print(std::string("interval.") + name + "_" + std::to_string(WIDTH) + ".lines_" +
              std::to_string(lines) + ".warps_" + std::to_string(warps),
          divided(cycles_of(b, warps), LENGTH * warps), "cycles of a multiprocessor");
  }
}

/// Atomics of 64 bits whose results nobody reads: of all lanes on one word, or of a line each.
__global__ void reduce(const Bench b, uint32_t lane) {
  unsigned long long *to = (unsigned long long *)(b.memory + threadIdx.x * lane);
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    __syncthreads();
    unsigned long long begin = now();
#pragma unroll 8
    for (int i = 0; i < LENGTH; i++)
      asm volatile("red.global.max.u64 [%0], %1;" ::"l"(to), "l"(0ull) : "memory");
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
}

void measure_rates_of_atomics(const Bench &b) {
  for (int warps : {1, 16})
    for (uint32_t lane : {0, WARP}) {
      reduce<<<1, WARP * warps>>>(b, lane);
      print(std::string("interval.atomic") + (lane ? ".lines_32" : ".one_word") + ".warps_" +
                std::to_string(warps),
            divided(cycles_of(b, warps), LENGTH * warps), "cycles of a multiprocessor");
    }
}

void measure_rates_of_loads(const Bench &b) {
  for (int warps : {1, 16}) { // all from 64 KiB, which the first-level cache holds
    measure_stream<4, false, true>(b, "load.first", warps, 1, 0, 1 << 17);
    measure_stream<16, false, true>(b, "load.first", warps, 1, 0, 1 << 17);
    measure_stream<4, true, true>(b, "store", warps, 1, 0, 1 << 17);
    measure_stream<16, true, true>(b, "store", warps, 1, 0, 1 << 17);
    measure_stream<4, false, false>(b, "load.second", warps, 1, 65536, 1 << 22);
    measure_stream<16, false, false>(b, "load.second", warps, 1, 65536, 1 << 22);
  }
  measure_stream<4, false, false>(b, "load.second.all_blocks", 16, b.multiprocessors, 65536,
                                  1 << 24);
}

/// Cycles of the first load of what was stored long ago, as it was before in the first-level cache
/// or not: by the same thread, and by another warp after a barrier.
__global__ void load_after_store(const Bench b, bool loaded_before, bool other_warp) {
  const int stride = 1056;
  uint32_t *mine = b.memory + size_t(threadIdx.x) * 8,
           *read = b.memory + size_t(other_warp ? threadIdx.x ^ WARP : threadIdx.x) * 8;
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    uint32_t sum = 0;
    mine += stride;
    read += stride;
    if (loaded_before)
      sum = load<FIRST>(read);
    __syncthreads();
    asm volatile("st.global.u32 [%0], %1;" ::"l"(mine), "r"(0) : "memory");
    __syncthreads();
    for (unsigned long long from = now(); now() - from < 4000;)
      ;
    __syncthreads();
    unsigned long long begin = now();
    sum += load<FIRST>(read + sum);
    wait_for(b, sum);
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
}

/// A store and a load of the same address in turn, each of which waits for the other.
__global__ void ping(const Bench b, uint32_t lane, uint32_t *same) {
  uint32_t x = 0, *at = b.memory + threadIdx.x * lane;
  const uint32_t *from = same + threadIdx.x * lane; // so that no compiler forwards what is stored
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    unsigned long long begin = now();
#pragma unroll 16
    for (int i = 0; i < LENGTH; i++) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(x) : "memory");
      x = load<FIRST>(from);
    }
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
  b.out[threadIdx.x] = x;
}

/// Rounds in which each thread stores a word and, after a barrier, loads that of another warp.
__global__ void exchange(const Bench b, uint32_t lane, int rounds) {
  uint32_t x = 0, other = (threadIdx.x + WARP) % blockDim.x;
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    __syncthreads();
    unsigned long long begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(b.memory + threadIdx.x * lane), "r"(x)
                   : "memory");
      __syncthreads();
      x += load<FIRST>(b.memory + other * lane);
      __syncthreads();
    }
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
  b.out[threadIdx.x] = x;
}

/// Stores, each followed by a fence of the device.
__global__ void fence(const Bench b) {
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    unsigned long long begin = now();
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(b.memory + threadIdx.x), "r"(0) : "memory");
      __threadfence();
    }
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
}

void measure_stores(const Bench &b) {
  for (int before = 0; before < 2; before++)
    for (int other = 0; other < 2; other++) {
      load_after_store<<<1, 2 * WARP>>>(b, before, other);
      print(std::string("latency.load_after_store") + (other ? ".other_warp" : ".same_thread") +
                (before ? ".loaded_before" : ".not_loaded_before"),
            cycles_of(b, 1), "cycles");
    }
  ping<<<1, 1>>>(b, 0, b.memory);
  print("latency.store_and_load.1_lane", divided(cycles_of(b, 1), LENGTH), "cycles");
  ping<<<1, WARP>>>(b, WARP, b.memory);
  print("latency.store_and_load.lines_32", divided(cycles_of(b, 1), LENGTH), "cycles");
  for (int threads : {64, 512})
    for (uint32_t lane : {1, 32}) {
      exchange<<<1, threads>>>(b, lane, 64);
      print("time.exchange_in_block." + std::to_string(threads) + (lane > 1 ? ".lines_32" : ""),
            divided(cycles_of(b, threads / WARP), 64), "cycles of a round");
    }
  fence<<<1, WARP>>>(b);
  print("latency.store_and_fence", divided(cycles_of(b, 1), 64), "cycles");
}

} // namespace

#endif
