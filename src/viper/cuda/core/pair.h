// SPDX-License-Identifier: GPL-3.0-or-later
/// Sums in pairs of floats, for devices on which double precision is slow: the second number holds
/// the rounding error of the first, 48 bits together. The relative error of an operation is some
/// 2^-46. Where the working precision is double, a pair is a double.
#ifndef VIPER_CUDA_CORE_PAIR_H
#define VIPER_CUDA_CORE_PAIR_H

#include "viper/energy/real.h"

#if VIPER_PRECISION == 64

typedef double viper_pair;

VIPER_FN double viper_pair_sqrt(double x) {
  return sqrt(x);
}

/// Adds to a sum, which is then to be settled.
VIPER_FN void viper_pair_add(double *sum, double x) {
  *sum += x;
}

VIPER_FN double viper_pair_settle(double sum) {
  return sum;
}

#else

#ifdef __CUDACC__
#define VIPER_MEMBER __host__ __device__
#else
#define VIPER_MEMBER
#endif

struct viper_pair {
  float high, low; ///< high is the sum of both, rounded
  viper_pair() = default;
  VIPER_MEMBER viper_pair(int x) : high((float)x), low(0) {}
  VIPER_MEMBER viper_pair(float x) : high(x), low(0) {}
  VIPER_MEMBER viper_pair(float x, float y) : high(x), low(y) {}
  /// Of a constant: the compiler does the arithmetic.
  VIPER_MEMBER viper_pair(double x) : high((float)x), low((float)(x - (double)(float)x)) {}
  VIPER_MEMBER explicit operator float() const { return high; }
};

/// a + b, and what that rounds away.
VIPER_FN viper_pair viper_two_sum(float a, float b) {
  float sum = a + b, of_b = sum - a;
  return viper_pair(sum, (a - (sum - of_b)) + (b - of_b));
}

/// The same where |a| >= |b|.
VIPER_FN viper_pair viper_quick_sum(float a, float b) {
  float sum = a + b;
  return viper_pair(sum, b - (sum - a));
}

VIPER_FN viper_pair operator+(viper_pair x, viper_pair y) {
  viper_pair s = viper_two_sum(x.high, y.high), t = viper_two_sum(x.low, y.low);
  s = viper_quick_sum(s.high, s.low + t.high);
  return viper_quick_sum(s.high, s.low + t.low);
}

VIPER_FN viper_pair operator-(viper_pair x) {
  return viper_pair(-x.high, -x.low);
}

VIPER_FN viper_pair operator-(viper_pair x, viper_pair y) {
  return x + -y;
}

VIPER_FN viper_pair operator*(viper_pair x, viper_pair y) {
  float product = x.high * y.high, rest = fmaf(x.high, y.high, -product);
  return viper_quick_sum(product, rest + (x.high * y.low + x.low * y.high));
}

VIPER_FN viper_pair operator/(viper_pair x, viper_pair y) {
  viper_pair first = x.high / y.high, rest = x - y * first;
  viper_pair second = rest.high / y.high;
  rest = rest - y * second;
  return first + second + viper_pair(rest.high / y.high);
}

VIPER_FN viper_pair &operator+=(viper_pair &x, viper_pair y) {
  return x = x + y;
}

VIPER_FN viper_pair &operator-=(viper_pair &x, viper_pair y) {
  return x = x - y;
}

VIPER_FN bool operator<(viper_pair x, viper_pair y) {
  return x.high < y.high || (x.high == y.high && x.low < y.low);
}

VIPER_FN bool operator>(viper_pair x, viper_pair y) {
  return y < x;
}

VIPER_FN bool operator<=(viper_pair x, viper_pair y) {
  return x.high < y.high || (x.high == y.high && x.low <= y.low);
}

VIPER_FN viper_pair viper_pair_sqrt(viper_pair x) {
  if (!(x > 0))
    return viper_pair(sqrtf(x.high));
  viper_pair root = sqrtf(x.high);
  return root + (x - root * root) / (2 * root);
}

/// Adds to a sum, which is then to be settled: two additions wait for each other, not six.
VIPER_FN void viper_pair_add(viper_pair *sum, viper_pair x) {
  viper_pair s = viper_two_sum(sum->high, x.high);
  sum->high = s.high;
  sum->low += s.low + x.low;
}

VIPER_FN viper_pair viper_pair_settle(viper_pair sum) {
  return viper_two_sum(sum.high, sum.low);
}

#undef VIPER_MEMBER
#endif

#endif
