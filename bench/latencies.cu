// SPDX-License-Identifier: GPL-3.0-or-later
// Measures, on a device, the constants of the model of its time (src/bench/device_model.c). A
// stand-alone program (README.md, "Latencies of a device"). Prints a line for each value: name,
// median of the samples, unit, and half their range.
#include <cooperative_groups.h>
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

#define CHECK(call) check((call), #call, __LINE__)

void check(cudaError_t code, const char *what, int line) {
  if (code == cudaSuccess)
    return;
  fprintf(stderr, "latencies.cu:%d: %s: %s\n", line, what, cudaGetErrorString(code));
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

// Operations. Each maps a register to the next one of its chain. `a` and `b` are 0.5 and 1, which
// the compiler does not know: chains of sums and products tend to 2.
#define OPERATION(NAME, TYPE, ASM)                                                                 \
  struct NAME {                                                                                    \
    typedef TYPE Type;                                                                             \
    static __device__ TYPE next(TYPE x, TYPE a, TYPE b) {                                          \
      ASM;                                                                                         \
      return x;                                                                                    \
    }                                                                                              \
  };
OPERATION(Fma, float, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b)))
OPERATION(Add, float, asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(b)))
OPERATION(Mul, float, asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(b)))
OPERATION(Select, float,
          asm volatile("{.reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %1, p;}"
                       : "+f"(x)
                       : "f"(a), "f"(b)))
OPERATION(Integer, uint32_t,
          asm volatile("xor.b32 %0, %0, %1; add.u32 %0, %0, %2;"
                       : "+r"(x)
                       : "r"(a), "r"(b)))
OPERATION(IntegerMad, uint32_t,
          asm volatile("mad.lo.u32 %0, %0, %1, %2;"
                       : "+r"(x)
                       : "r"(a), "r"(b)))
OPERATION(Wide, unsigned long long, asm volatile("add.u64 %0, %0, %1;" : "+l"(x) : "l"(b)))
OPERATION(WideMad, unsigned long long,
          asm volatile("mad.lo.u64 %0, %0, %1, %2;"
                       : "+l"(x)
                       : "l"(a), "l"(b)))
OPERATION(DoubleFma, double, asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b)))
OPERATION(DoubleAdd, double, asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(b)))
OPERATION(DoubleMul, double, asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(b)))
OPERATION(DoubleSelect, double,
          asm volatile("{.reg .pred p; setp.lt.f64 p, %0, %1; selp.f64 %0, %2, %1, p;}"
                       : "+d"(x)
                       : "d"(a), "d"(b)))
OPERATION(Rsqrt, float, asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)))
OPERATION(Power, float, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)))
OPERATION(Sine, float, asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x)))
OPERATION(Divide, float, asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(b)))
OPERATION(Root, float, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(x)))
OPERATION(DoubleDivide, double, asm volatile("div.rn.f64 %0, %1, %0;" : "+d"(x) : "d"(b)))
OPERATION(DoubleRoot, double, asm volatile("sqrt.rn.f64 %0, %0;" : "+d"(x)))
OPERATION(FloatDouble, float,
          asm volatile("{.reg .f64 t; cvt.f64.f32 t, %0; cvt.rn.f32.f64 %0, t;}"
                       : "+f"(x)))
OPERATION(FloatInteger, float,
          asm volatile("{.reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t;}"
                       : "+f"(x)))
OPERATION(Shuffle, uint32_t,
          asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;"
                       : "+r"(x)))
OPERATION(Vote, uint32_t,
          asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, "
                       "0xffffffff;}"
                       : "+r"(x)))

/// `CHAINS` independent chains of each thread.
template <typename Op, int CHAINS>
__global__ void chain(const Bench b, typename Op::Type half, typename Op::Type one) {
  typename Op::Type x[CHAINS];
  for (int k = 0; k < CHAINS; k++)
    x[k] = one + (typename Op::Type)(threadIdx.x + k);
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    __syncthreads();
    unsigned long long begin = now();
#pragma unroll
    for (int i = 0; i < LENGTH / CHAINS; i++)
#pragma unroll
      for (int k = 0; k < CHAINS; k++)
        x[k] = Op::next(x[k], half, one);
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
  for (int k = 0; k < CHAINS; k++)
    if (x[k] == (typename Op::Type)12345)
      b.out[threadIdx.x] = 1;
}

/// A loop of four dependent operations, and a branch that `taken` lanes take into two more.
__global__ void branch(const Bench b, int taken, float half, float one) {
  float x = one;
#pragma unroll 1
  for (int sample = 0; sample < SAMPLES; sample++) {
    unsigned long long begin = now();
#pragma unroll 1
    for (int i = 0; i < LENGTH; i++) {
      for (int k = 0; k < 4; k++)
        x = Fma::next(x, half, one);
      if ((int)threadIdx.x < taken) {
        asm volatile("" ::: "memory"); // so that it stays a branch
        for (int k = 0; k < 2; k++)
          x = Fma::next(x, half, one);
        if (x == 12345)
          b.out[i] = 1;
      }
    }
    unsigned long long end = now();
    note(b, sample, begin, end);
  }
  b.out[threadIdx.x] = (uint32_t)x;
}

void measure_branches(const Bench &b) {
  for (int taken : {0, 16, 32}) {
    branch<<<1, WARP>>>(b, taken, 0.5f, 1.0f);
    print("time.loop_of_4_operations.2_more_by_" + std::to_string(taken),
          divided(cycles_of(b, 1), LENGTH), "cycles of an iteration");
  }
}

/// Latency, and cycles for which an operation keeps its scheduler's unit busy.
template <typename Op> void measure(const Bench &b, const char *name) {
  typedef typename Op::Type T;
  T half = (T)0.5, one = (T)1;
  const int warps = 16;
  chain<Op, 1><<<1, WARP>>>(b, half, one);
  print(std::string("latency.") + name, divided(cycles_of(b, 1), LENGTH), "cycles");
  chain<Op, 8><<<1, WARP>>>(b, half, one);
  print(std::string("interval.one_warp.") + name, divided(cycles_of(b, 1), LENGTH), "cycles");
  chain<Op, 8><<<1, WARP * warps>>>(b, half, one);
  print(std::string("interval.") + name, divided(cycles_of(b, warps), LENGTH * warps / 4),
        "cycles of a scheduler");
}

void measure_arithmetic(const Bench &b) {
  measure<Fma>(b, "float.fma");
  measure<Add>(b, "float.add");
  measure<Mul>(b, "float.mul");
  measure<Select>(b, "float.compare_select");
  measure<Integer>(b, "integer.xor_add");
  measure<IntegerMad>(b, "integer.mad");
  measure<Wide>(b, "integer64.add");
  measure<WideMad>(b, "integer64.mad");
  measure<DoubleFma>(b, "double.fma");
  measure<DoubleAdd>(b, "double.add");
  measure<DoubleMul>(b, "double.mul");
  measure<DoubleSelect>(b, "double.compare_select");
  measure<Rsqrt>(b, "special.rsqrt");
  measure<Power>(b, "special.ex2");
  measure<Sine>(b, "special.sin");
  measure<Divide>(b, "float.div_rounded");
  measure<Root>(b, "float.sqrt_rounded");
  measure<DoubleDivide>(b, "double.div_rounded");
  measure<DoubleRoot>(b, "double.sqrt_rounded");
  measure<FloatDouble>(b, "convert.float_double_float");
  measure<FloatInteger>(b, "convert.float_integer_float");
  measure<Shuffle>(b, "shuffle");
  measure<Vote>(b, "compare_vote");
}

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

// Launches.
struct Large {
  char bytes[2048];
};

__global__ void spin(long long cycles, Large unused) {
  (void)unused;
  for (unsigned long long from = now(); (long long)(now() - from) < cycles;)
    ;
}

__global__ void spin_small(long long cycles) {
  for (unsigned long long from = now(); (long long)(now() - from) < cycles;)
    ;
}

const int LAUNCHES = 200;

void launch_all(cudaStream_t stream, int blocks, long long cycles, bool large) {
  static const Large zeros = {};
  for (int i = 0; i < LAUNCHES; i++)
    if (large)
      spin<<<blocks, 128, 0, stream>>>(cycles, zeros);
    else
      spin_small<<<blocks, 128, 0, stream>>>(cycles);
  CHECK(cudaGetLastError());
}

/// Microseconds of each launch, between two events; by a graph where there is one.
std::vector<double> time_launches(cudaStream_t stream, cudaGraphExec_t graph, int blocks,
                                  long long cycles, bool large) {
  cudaEvent_t event[2];
  std::vector<double> out;
  CHECK(cudaEventCreate(&event[0]));
  CHECK(cudaEventCreate(&event[1]));
  for (int sample = 0; sample < SAMPLES; sample++) {
    float ms;
    CHECK(cudaEventRecord(event[0], stream));
    if (graph)
      CHECK(cudaGraphLaunch(graph, stream));
    else
      launch_all(stream, blocks, cycles, large);
    CHECK(cudaEventRecord(event[1], stream));
    CHECK(cudaEventSynchronize(event[1]));
    CHECK(cudaEventElapsedTime(&ms, event[0], event[1]));
    if (sample > 0)
      out.push_back(1e3 * ms / LAUNCHES);
  }
  CHECK(cudaEventDestroy(event[0]));
  CHECK(cudaEventDestroy(event[1]));
  return out;
}

cudaGraphExec_t captured(cudaStream_t stream, int blocks, long long cycles, bool large) {
  cudaGraph_t graph;
  cudaGraphExec_t out;
  launch_all(stream, blocks, 1, large); // loads the kernel, which a capture does not allow
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch_all(stream, blocks, cycles, large);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&out, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return out;
}

/// MHz, by a kernel that runs for some ms.
double measure_clock(cudaStream_t stream) {
  const long long cycles = 400000;
  std::vector<double> us = time_launches(stream, nullptr, 1, cycles, false);
  for (double &x : us)
    x = (double)cycles / x;
  print("clock", us, "MHz, with the gaps of launches");
  std::sort(us.begin(), us.end());
  return us[us.size() / 2];
}

/// What a launch takes beyond 10 000 cycles of its kernel, which are longer than the host takes.
void measure_launches(int multiprocessors) {
  const long long cycles = 10000;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  double mhz = measure_clock(stream);
  for (int blocks : {1, multiprocessors})
    for (bool large : {false, true}) {
      cudaGraphExec_t graph = captured(stream, blocks, cycles, large);
      for (bool by_graph : {false, true}) {
        std::vector<double> us =
            time_launches(stream, by_graph ? graph : nullptr, blocks, cycles, large);
        for (double &x : us)
          x -= (double)cycles / mhz;
        print(std::string("gap.") + (by_graph ? "graph" : "stream") + ".blocks_" +
                  std::to_string(blocks) + (large ? ".parameters_2_KiB" : ".parameters_8_bytes"),
              us, "us of a launch");
      }
      CHECK(cudaGraphExecDestroy(graph));
    }
  CHECK(cudaStreamDestroy(stream));
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
