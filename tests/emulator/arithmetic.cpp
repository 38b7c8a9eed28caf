// SPDX-License-Identifier: GPL-3.0-or-later
/// Arithmetic of integers and floating-point numbers. Approximations of hardware (rsqrt, sin, ..)
/// are the host's correct values.
#include "lanes.hpp"

namespace emulator {

namespace {

// Operations, of any type that has them. Integers wrap (-fwrapv).
#define OPERATION(NAME, ARGUMENTS, VALUE)                                                          \
  struct NAME {                                                                                    \
    template <class T> T operator() ARGUMENTS const { return (T)(VALUE); }                         \
  }
OPERATION(Add, (T a, T b), a + b);
OPERATION(Subtract, (T a, T b), a - b);
OPERATION(Multiply, (T a, T b), a *b);
OPERATION(Negate, (T a), -a);
OPERATION(Absolute, (T a), a < 0 ? -a : a);
OPERATION(MultiplyAdd, (T a, T b, T c), a *b + c);
OPERATION(Fused, (T a, T b, T c), std::fma(a, b, c));
OPERATION(Root, (T a), std::sqrt(a));
OPERATION(Reciprocal, (T a), 1 / a);
OPERATION(ReciprocalRoot, (T a), 1 / std::sqrt(a));
OPERATION(Sine, (T a), std::sin(a));
OPERATION(Cosine, (T a), std::cos(a));
OPERATION(Power2, (T a), std::exp2(a));
OPERATION(Logarithm2, (T a), std::log2(a));
OPERATION(CopySign, (T a, T b), std::copysign(b, a));
#undef OPERATION

struct FloatAbsolute {
  template <class T> T operator()(T a) const { return std::fabs(a); }
};

/// Of a number and none, the number; -0 is less than 0.
template <bool LEAST> struct Extreme {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      T of_zeros = (std::signbit(a) != 0) == LEAST ? a : b;
      T of_numbers = a == b ? of_zeros : (a < b) == LEAST ? a : b;
      return a != a ? b : b != b ? a : of_numbers;
    }
    return (a < b) == LEAST ? a : b;
  }
};

/// Division by 0 gives all ones, as hardware does; the remainder is then the dividend.
struct Divide {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a / b;
    else if constexpr (std::is_signed_v<T>)
      return b == 0 ? (T)-1 : b == -1 ? (T)-a : (T)(a / b);
    else
      return b == 0 ? (T) ~(T)0 : (T)(a / b);
  }
};

struct Remainder {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_signed_v<T>)
      return b == 0 ? a : b == -1 ? (T)0 : (T)(a % b);
    else
      return b == 0 ? a : (T)(a % b);
  }
};

struct High {
  template <class T> T operator()(T a, T b) const {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return (T)((Wide)a * (Wide)b >> (8 * sizeof(T)));
  }
};

HANDLER_OF(add, OF_INTEGERS(binary, Add) OF_FLOATS(binary, Add))
HANDLER_OF(sub, OF_INTEGERS(binary, Subtract) OF_FLOATS(binary, Subtract))
HANDLER_OF(mul, OF_INTEGERS(binary, Multiply) OF_FLOATS(binary, Multiply))
HANDLER_OF(div, OF_INTEGERS(binary, Divide) OF_FLOATS(binary, Divide))
HANDLER_OF(rem, OF_INTEGERS(binary, Remainder))
HANDLER_OF(least, OF_INTEGERS(binary, Extreme<true>) OF_FLOATS(binary, Extreme<true>))
HANDLER_OF(greatest, OF_INTEGERS(binary, Extreme<false>) OF_FLOATS(binary, Extreme<false>))
HANDLER_OF(mul_hi, OF_INTEGERS(binary, High))
HANDLER_OF(mad, OF_INTEGERS(ternary, MultiplyAdd) OF_FLOATS(ternary, Fused))
HANDLER_OF(negate, OF_INTEGERS(unary, Negate) OF_FLOATS(unary, Negate))
HANDLER_OF(absolute, OF_INTEGERS(unary, Absolute) OF_FLOATS(unary, FloatAbsolute))
HANDLER_OF(root, OF_FLOATS(unary, Root))
HANDLER_OF(reciprocal, OF_FLOATS(unary, Reciprocal))
HANDLER_OF(reciprocal_root, OF_FLOATS(unary, ReciprocalRoot))
HANDLER_OF(sine, OF_FLOATS(unary, Sine))
HANDLER_OF(cosine, OF_FLOATS(unary, Cosine))
HANDLER_OF(power, OF_FLOATS(unary, Power2))
HANDLER_OF(logarithm, OF_FLOATS(unary, Logarithm2))
HANDLER_OF(copy_sign, OF_FLOATS(binary, CopySign))

/// A product of twice the width.
template <class T, class WIDE> void wide(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]), *b = w.lane<Slot<T>>(in.src[1]);
  const auto *c = in.src[2] == NO_REGISTER ? nullptr : w.lane<Slot<WIDE>>(in.src[2]);
  map(w.lane<Slot<WIDE>>(in.dst[0]), lanes,
      [=](int i) { return (Slot<WIDE>)((WIDE)(T)a[i] * (WIDE)(T)b[i] + (c ? (WIDE)c[i] : 0)); });
}

Handler product(const Instruction &in) {
  switch (in.type) {
  case Type::U16:
    return wide<uint16_t, uint32_t>;
  case Type::S16:
    return wide<int16_t, int32_t>;
  case Type::U32:
    return wide<uint32_t, uint64_t>;
  case Type::S32:
    return wide<int32_t, int64_t>;
  default:
    return nullptr;
  }
}

} // namespace

const Makers &arithmetic_makers() {
  static const Makers makers = {{"add", add},
                                {"sub", sub},
                                {"mul", mul},
                                {"div", div},
                                {"rem", rem},
                                {"min", least},
                                {"max", greatest},
                                {"mul.hi", mul_hi},
                                {"mul.wide", product},
                                {"mad.wide", product},
                                {"mad", mad},
                                {"fma", mad},
                                {"neg", negate},
                                {"abs", absolute},
                                {"sqrt", root},
                                {"rcp", reciprocal},
                                {"rsqrt", reciprocal_root},
                                {"sin", sine},
                                {"cos", cosine},
                                {"ex2", power},
                                {"lg2", logarithm},
                                {"copysign", copy_sign}};
  return makers;
}

} // namespace emulator
