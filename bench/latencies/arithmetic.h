// SPDX-License-Identifier: GPL-3.0-or-later
// Latencies and rates of operations, and branches.
#ifndef VB_BENCH_LATENCIES_ARITHMETIC_H
#define VB_BENCH_LATENCIES_ARITHMETIC_H

#include "samples.h"

namespace {

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

} // namespace

#endif
