// SPDX-License-Identifier: GPL-3.0-or-later
/// What instructions do to registers. Handlers are instances of few templates: of one, two or three
/// operands, for each type. Numbers of less than 32 bits take 32-bit lanes, and predicates are 0 or
/// -1 in these. Approximations of hardware (rsqrt, sin, ...) are the host's correct values.
#include "machine.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace emulator {

namespace {

/// What a value of a type is stored as in a lane.
template <class T>
using Slot = std::conditional_t<std::is_floating_point_v<T>, T,
                                std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;

/// out[i] = of(i), for the lanes at hand. Many lanes are computed all, and those at hand stored.
template <class T, class F> inline void map(T *out, uint32_t lanes, F of) {
  if (lanes == ~0u) {
#pragma GCC ivdep
    for (int i = 0; i < WARP; i++)
      out[i] = of(i);
  } else if (__builtin_popcount(lanes) > 6) {
    T all[WARP];
    for (int i = 0; i < WARP; i++)
      all[i] = of(i);
    for (int i = 0; i < WARP; i++)
      out[i] = lanes >> i & 1 ? all[i] : out[i];
  } else {
    for (; lanes; lanes &= lanes - 1)
      out[__builtin_ctz(lanes)] = of(__builtin_ctz(lanes));
  }
}

/// 0 in place of a subnormal number.
template <bool FLUSH, class T> inline T flushed(T x) {
  if constexpr (FLUSH && std::is_floating_point_v<T>)
    return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : x;
  return x;
}

template <class T, class OP, bool FLUSH = false>
void unary(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]);
  map(w.lane<Slot<T>>(in.dst[0]), lanes,
      [=](int i) { return (Slot<T>)flushed<FLUSH>((T)OP()(flushed<FLUSH>((T)a[i]))); });
}

template <class T, class OP, bool FLUSH = false>
void binary(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]), *b = w.lane<Slot<T>>(in.src[1]);
  map(w.lane<Slot<T>>(in.dst[0]), lanes, [=](int i) {
    return (Slot<T>)flushed<FLUSH>((T)OP()(flushed<FLUSH>((T)a[i]), flushed<FLUSH>((T)b[i])));
  });
}

template <class T, class OP, bool FLUSH = false>
void ternary(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]), *b = w.lane<Slot<T>>(in.src[1]),
             *c = w.lane<Slot<T>>(in.src[2]);
  map(w.lane<Slot<T>>(in.dst[0]), lanes, [=](int i) {
    return (Slot<T>)flushed<FLUSH>(
        (T)OP()(flushed<FLUSH>((T)a[i]), flushed<FLUSH>((T)b[i]), flushed<FLUSH>((T)c[i])));
  });
}

// Operations, of any type that has them. Integers wrap (-fwrapv).
#define OPERATION(NAME, ARGUMENTS, VALUE)                                                          \
  struct NAME {                                                                                    \
    template <class T> T operator() ARGUMENTS const { return (T)(VALUE); }                         \
  }
OPERATION(Add, (T a, T b), a + b);
OPERATION(Subtract, (T a, T b), a - b);
OPERATION(Multiply, (T a, T b), a *b);
OPERATION(And, (T a, T b), a &b);
OPERATION(Or, (T a, T b), a | b);
OPERATION(Xor, (T a, T b), a ^ b);
OPERATION(Not, (T a), ~a);
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

/// The handler of a type among those that an operation is for. B types count as unsigned.
#define OF_INTEGERS(SHAPE, OP)                                                                     \
  case Type::B16:                                                                                  \
  case Type::U16:                                                                                  \
    return SHAPE<uint16_t, OP>;                                                                    \
  case Type::S16:                                                                                  \
    return SHAPE<int16_t, OP>;                                                                     \
  case Type::B32:                                                                                  \
  case Type::U32:                                                                                  \
    return SHAPE<uint32_t, OP>;                                                                    \
  case Type::S32:                                                                                  \
    return SHAPE<int32_t, OP>;                                                                     \
  case Type::B64:                                                                                  \
  case Type::U64:                                                                                  \
    return SHAPE<uint64_t, OP>;                                                                    \
  case Type::S64:                                                                                  \
    return SHAPE<int64_t, OP>;
#define OF_FLOATS(SHAPE, OP)                                                                       \
  case Type::F32:                                                                                  \
    return in.flush ? SHAPE<float, OP, true> : SHAPE<float, OP, false>;                            \
  case Type::F64:                                                                                  \
    return SHAPE<double, OP, false>;
#define HANDLER_OF(NAME, CASES)                                                                    \
  Handler NAME(const Instruction &in) {                                                            \
    switch (in.type) { CASES default : return nullptr; }                                           \
  }
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

/// Bits: by the width alone. Predicates are 32-bit lanes of equal bits.
template <class OP> Handler bits2(const Instruction &in) {
  return bytes_of(in.type) == 8   ? binary<uint64_t, OP>
         : bytes_of(in.type) == 2 ? binary<uint16_t, OP>
                                  : binary<uint32_t, OP>;
}
Handler bits_not(const Instruction &in) {
  return bytes_of(in.type) == 8   ? unary<uint64_t, Not>
         : bytes_of(in.type) == 2 ? unary<uint16_t, Not>
                                  : unary<uint32_t, Not>;
}

template <class T> void move(Warp &w, const Instruction &in, uint32_t lanes) {
  const T *a = w.lane<T>(in.src[0]);
  map(w.lane<T>(in.dst[0]), lanes, [=](int i) { return a[i]; });
}

void nothing(Warp &, const Instruction &, uint32_t) {}

/// The address of shared memory, as any memory's.
void generic_of_shared(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint64_t *a = w.lane<uint64_t>(in.src[0]);
  uint64_t base = (uint64_t)(uintptr_t)w.block->shared.data();
  map(w.lane<uint64_t>(in.dst[0]), lanes, [=](int i) { return base + (uint32_t)a[i]; });
}

/// The other way.
void shared_of_generic(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint64_t *a = w.lane<uint64_t>(in.src[0]);
  uint64_t base = (uint64_t)(uintptr_t)w.block->shared.data();
  map(w.lane<uint64_t>(in.dst[0]), lanes, [=](int i) { return a[i] - base; });
}

/// A value of several: each has the width of a part.
void pack(Warp &w, const Instruction &in, uint32_t lanes) {
  int bits = (int)(8 * bytes_of(in.type)) / in.n;
  for (; lanes; lanes &= lanes - 1) {
    int i = __builtin_ctz(lanes);
    uint64_t value = 0;
    for (int k = 0; k < in.n; k++)
      value |= ((uint64_t)w.lane<uint32_t>(in.src[k])[i] & ((1ull << bits) - 1)) << (k * bits);
    if (bytes_of(in.type) == 8)
      w.lane<uint64_t>(in.dst[0])[i] = value;
    else
      w.lane<uint32_t>(in.dst[0])[i] = (uint32_t)value;
  }
}

void unpack(Warp &w, const Instruction &in, uint32_t lanes) {
  int bits = (int)(8 * bytes_of(in.type)) / in.n;
  for (; lanes; lanes &= lanes - 1) {
    int i = __builtin_ctz(lanes);
    uint64_t value =
        bytes_of(in.type) == 8 ? w.lane<uint64_t>(in.src[0])[i] : w.lane<uint32_t>(in.src[0])[i];
    for (int k = 0; k < in.n; k++)
      if (in.dst[k] != NO_REGISTER)
        w.lane<uint32_t>(in.dst[k])[i] = (uint32_t)(value >> (k * bits) & ((1ull << bits) - 1));
  }
}

template <class T> void shift_left(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]);
  const uint32_t *n = w.lane<uint32_t>(in.src[1]);
  map(w.lane<Slot<T>>(in.dst[0]), lanes,
      [=](int i) { return n[i] >= 8 * sizeof(T) ? (Slot<T>)0 : (Slot<T>)(T)((T)a[i] << n[i]); });
}

/// Shifts by the width or more leave 0, or the sign.
template <class T> void shift_right(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]);
  const uint32_t *n = w.lane<uint32_t>(in.src[1]);
  map(w.lane<Slot<T>>(in.dst[0]), lanes, [=](int i) {
    uint32_t most = 8 * sizeof(T) - 1, by = n[i] < most ? n[i] : most;
    bool gone = n[i] > most && std::is_unsigned_v<T>;
    return gone ? (Slot<T>)0 : (Slot<T>)(T)((T)a[i] >> by);
  });
}

Handler shift(const Instruction &in, bool left) {
  size_t bytes = bytes_of(in.type);
  if (left)
    return bytes == 8   ? shift_left<uint64_t>
           : bytes == 4 ? shift_left<uint32_t>
                        : shift_left<uint16_t>;
  if (in.type == Type::S64 || in.type == Type::S32 || in.type == Type::S16)
    return bytes == 8   ? shift_right<int64_t>
           : bytes == 4 ? shift_right<int32_t>
                        : shift_right<int16_t>;
  return bytes == 8   ? shift_right<uint64_t>
         : bytes == 4 ? shift_right<uint32_t>
                      : shift_right<uint16_t>;
}

/// The 32 bits of a pair of words, shifted by at most 32 (clamp) or by the lowest five bits (wrap
/// is the only one used).
template <bool LEFT> void funnel(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint32_t *a = w.lane<uint32_t>(in.src[0]), *b = w.lane<uint32_t>(in.src[1]),
                 *n = w.lane<uint32_t>(in.src[2]);
  map(w.lane<uint32_t>(in.dst[0]), lanes, [=](int i) {
    uint64_t both = (uint64_t)b[i] << 32 | a[i];
    return LEFT ? (uint32_t)((both << (n[i] & 31)) >> 32) : (uint32_t)(both >> (n[i] & 31));
  });
}

template <class T> void select(Warp &w, const Instruction &in, uint32_t lanes) {
  const T *a = w.lane<T>(in.src[0]), *b = w.lane<T>(in.src[1]);
  const int32_t *p = w.lane<int32_t>(in.src[2]);
  map(w.lane<T>(in.dst[0]), lanes, [=](int i) { return p[i] ? a[i] : b[i]; });
}

/// A comparison, by what it is of numbers and whether it holds where one is none.
template <Compare C> struct Holds {
  template <class T> bool operator()(T a, T b) const {
    switch (C) {
    case Compare::EQ:
      return a == b;
    case Compare::NE:
      return a < b || a > b;
    case Compare::LT:
      return a < b;
    case Compare::LE:
      return a <= b;
    case Compare::GT:
      return a > b;
    case Compare::GE:
      return a >= b;
    case Compare::EQU:
      return !(a < b || a > b);
    case Compare::NEU:
      return !(a == b);
    case Compare::LTU:
      return !(a >= b);
    case Compare::LEU:
      return !(a > b);
    case Compare::GTU:
      return !(a <= b);
    case Compare::GEU:
      return !(a < b);
    case Compare::NUM:
      return a == a && b == b;
    default:
      return a != a || b != b;
    }
  }
};

template <class T, class OP, bool FLUSH = false>
void compare(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<T>>(in.src[0]), *b = w.lane<Slot<T>>(in.src[1]);
  map(w.lane<int32_t>(in.dst[0]), lanes,
      [=](int i) { return OP()(flushed<FLUSH>((T)a[i]), flushed<FLUSH>((T)b[i])) ? -1 : 0; });
}

template <Compare C>
HANDLER_OF(compare_by, OF_INTEGERS(compare, Holds<C>) OF_FLOATS(compare, Holds<C>))

Handler comparison(const Instruction &in) {
  switch (in.compare) {
  case Compare::EQ:
    return compare_by<Compare::EQ>(in);
  case Compare::NE:
    return compare_by<Compare::NE>(in);
  case Compare::LT:
    return compare_by<Compare::LT>(in);
  case Compare::LE:
    return compare_by<Compare::LE>(in);
  case Compare::GT:
    return compare_by<Compare::GT>(in);
  case Compare::GE:
    return compare_by<Compare::GE>(in);
  case Compare::EQU:
    return compare_by<Compare::EQU>(in);
  case Compare::NEU:
    return compare_by<Compare::NEU>(in);
  case Compare::LTU:
    return compare_by<Compare::LTU>(in);
  case Compare::LEU:
    return compare_by<Compare::LEU>(in);
  case Compare::GTU:
    return compare_by<Compare::GTU>(in);
  case Compare::GEU:
    return compare_by<Compare::GEU>(in);
  case Compare::NUM:
    return compare_by<Compare::NUM>(in);
  default:
    return compare_by<Compare::NAN_>(in);
  }
}

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

template <class T> T rounded(T x, Round round) {
  switch (round) {
  case Round::ZERO:
    return std::trunc(x);
  case Round::DOWN:
    return std::floor(x);
  case Round::UP:
    return std::ceil(x);
  case Round::NEAREST:
    return std::nearbyint(x);
  default:
    return x;
  }
}

/// A number as another type has it; too large ones become the largest, and none becomes 0 (of 64
/// bits the least).
template <class TO, class FROM> TO converted(FROM x, const Instruction &in) {
  if constexpr (std::is_same_v<FROM, float>)
    x = in.flush ? flushed<true>(x) : x;
  if constexpr (std::is_floating_point_v<FROM>)
    x = rounded(x, in.round);
  if constexpr (std::is_floating_point_v<TO>) {
    TO y = (TO)x;
    if (in.saturate)
      y = y > 0 ? (y < 1 ? y : 1) : 0;
    return in.flush && sizeof(TO) == 4 ? flushed<true>(y) : y;
  } else if constexpr (std::is_floating_point_v<FROM>) {
    using Limits = std::numeric_limits<TO>;
    if (x != x)
      return sizeof(TO) == 8 ? (TO)((uint64_t)1 << 63) : 0;
    return x <= (FROM)Limits::min()   ? Limits::min()
           : x >= (FROM)Limits::max() ? Limits::max()
                                      : (TO)x;
  } else {
    return (TO)x;
  }
}

template <class TO, class FROM> void convert(Warp &w, const Instruction &in, uint32_t lanes) {
  const auto *a = w.lane<Slot<FROM>>(in.src[0]);
  auto *out = w.lane<Slot<TO>>(in.dst[0]);
  if constexpr (std::is_integral_v<TO> && std::is_integral_v<FROM>) {
    map(out, lanes, [=](int i) { return (Slot<TO>)(TO)(FROM)a[i]; });
  } else {
    for (; lanes; lanes &= lanes - 1)
      out[__builtin_ctz(lanes)] = (Slot<TO>)converted<TO>((FROM)a[__builtin_ctz(lanes)], in);
  }
}

#define BY_TYPE(TYPE, OF)                                                                          \
  switch (TYPE) {                                                                                  \
  case Type::B8:                                                                                   \
  case Type::U8:                                                                                   \
    return OF(uint8_t);                                                                            \
  case Type::S8:                                                                                   \
    return OF(int8_t);                                                                             \
  case Type::B16:                                                                                  \
  case Type::U16:                                                                                  \
    return OF(uint16_t);                                                                           \
  case Type::S16:                                                                                  \
    return OF(int16_t);                                                                            \
  case Type::B32:                                                                                  \
  case Type::U32:                                                                                  \
    return OF(uint32_t);                                                                           \
  case Type::S32:                                                                                  \
    return OF(int32_t);                                                                            \
  case Type::F32:                                                                                  \
    return OF(float);                                                                              \
  case Type::B64:                                                                                  \
  case Type::U64:                                                                                  \
    return OF(uint64_t);                                                                           \
  case Type::S64:                                                                                  \
    return OF(int64_t);                                                                            \
  case Type::F64:                                                                                  \
    return OF(double);                                                                             \
  default:                                                                                         \
    return nullptr;                                                                                \
  }

template <class TO>
Handler conversion_to(const Instruction &in){
#define FROM(T) (convert<TO, T>)
    BY_TYPE(in.from, FROM)
#undef FROM
}

Handler conversion(const Instruction &in) {
#define TO(T) (conversion_to<T>(in))
  BY_TYPE(in.type, TO)
#undef TO
}

/// Bits of `a` put into `b`.
template <class T> void insert(Warp &w, const Instruction &in, uint32_t lanes) {
  const T *a = w.lane<T>(in.src[0]), *b = w.lane<T>(in.src[1]);
  const uint32_t *at = w.lane<uint32_t>(in.src[2]), *n = w.lane<uint32_t>(in.src[3]);
  map(w.lane<T>(in.dst[0]), lanes, [=](int i) {
    uint32_t p = at[i] & 255, count = n[i] & 255, bits = 8 * sizeof(T);
    T mask = count >= bits ? ~(T)0 : (T)(((T)1 << count) - 1);
    return p >= bits ? b[i] : (T)((b[i] & ~(T)(mask << p)) | (T)((a[i] & mask) << p));
  });
}

/// Bits of `a`, extended by the sign where the type has one.
template <class T> void extract(Warp &w, const Instruction &in, uint32_t lanes) {
  using U = std::make_unsigned_t<T>;
  const U *a = w.lane<U>(in.src[0]);
  const uint32_t *at = w.lane<uint32_t>(in.src[1]), *n = w.lane<uint32_t>(in.src[2]);
  map(w.lane<U>(in.dst[0]), lanes, [=](int i) {
    uint32_t bits = 8 * sizeof(T), p = at[i] & 255, count = n[i] & 255;
    uint32_t last = p + count - 1 < bits - 1 ? p + count - 1 : bits - 1;
    U sign = std::is_signed_v<T> && count > 0 && a[i] >> last & 1 ? ~(U)0 : 0;
    U mask = count >= bits ? ~(U)0 : (U)(((U)1 << count) - 1);
    U part = p >= bits ? 0 : (U)(a[i] >> p);
    U known = p + count > bits ? (p >= bits ? 0 : ~(U)0 >> p) : mask;
    return (U)((part & known & mask) | (sign & ~(known & mask)));
  });
}

/// Bytes of a pair of words, in any order; the highest bit of a choice asks for its sign alone.
void permute(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint32_t *a = w.lane<uint32_t>(in.src[0]), *b = w.lane<uint32_t>(in.src[1]),
                 *c = w.lane<uint32_t>(in.src[2]);
  map(w.lane<uint32_t>(in.dst[0]), lanes, [=](int i) {
    uint64_t both = (uint64_t)b[i] << 32 | a[i];
    uint32_t out = 0;
    for (int k = 0; k < 4; k++) {
      uint32_t choice = c[i] >> (4 * k) & 15, byte = (uint32_t)(both >> (8 * (choice & 7))) & 255;
      out |= (choice & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * k);
    }
    return out;
  });
}

/// Any function of three bits, by its table.
void logic3(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint32_t *a = w.lane<uint32_t>(in.src[0]), *b = w.lane<uint32_t>(in.src[1]),
                 *c = w.lane<uint32_t>(in.src[2]);
  const uint32_t *table = w.lane<uint32_t>(in.src[3]);
  map(w.lane<uint32_t>(in.dst[0]), lanes, [=](int i) {
    uint32_t out = 0;
    for (int k = 0; k < 8; k++)
      if (table[i] >> k & 1)
        out |= (k & 4 ? a[i] : ~a[i]) & (k & 2 ? b[i] : ~b[i]) & (k & 1 ? c[i] : ~c[i]);
    return out;
  });
}

template <class T> void population(Warp &w, const Instruction &in, uint32_t lanes) {
  const T *a = w.lane<T>(in.src[0]);
  map(w.lane<uint32_t>(in.dst[0]), lanes,
      [=](int i) { return (uint32_t)__builtin_popcountll(a[i]); });
}

template <class T> void leading_zeros(Warp &w, const Instruction &in, uint32_t lanes) {
  const T *a = w.lane<T>(in.src[0]);
  map(w.lane<uint32_t>(in.dst[0]), lanes, [=](int i) {
    return a[i] ? (uint32_t)__builtin_clzll(a[i]) - (64 - 8 * (uint32_t)sizeof(T))
                : 8 * (uint32_t)sizeof(T);
  });
}

void reversed(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint32_t *a = w.lane<uint32_t>(in.src[0]);
  map(w.lane<uint32_t>(in.dst[0]), lanes, [=](int i) {
    uint32_t out = 0;
    for (int k = 0; k < 32; k++)
      out |= (a[i] >> k & 1) << (31 - k);
    return out;
  });
}

/// So many ones, from a bit on.
void bit_mask(Warp &w, const Instruction &in, uint32_t lanes) {
  const uint32_t *a = w.lane<uint32_t>(in.src[0]), *n = w.lane<uint32_t>(in.src[1]);
  map(w.lane<uint32_t>(in.dst[0]), lanes, [=](int i) {
    return a[i] >= 32 ? 0 : (uint32_t)((n[i] >= 32 ? 0xffffffffull : (1ull << n[i]) - 1) << a[i]);
  });
}

template <Handler NARROW, Handler WIDE> Handler by_width(const Instruction &in) {
  return bytes_of(in.type) == 8 ? WIDE : NARROW;
}
template <Handler H> Handler always(const Instruction &) {
  return H;
}

} // namespace

// In access.cpp
Handler load_for(const Instruction &in);
Handler store_for(const Instruction &in);
Handler atomic_for(const Instruction &in);

Handler handler_of(const std::string &operation, const Instruction &in) {
  using Maker = Handler (*)(const Instruction &);
  static const std::map<std::string, Maker> makers = {
      {"add", add},
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
      {"copysign", copy_sign},
      {"and", bits2<And>},
      {"or", bits2<Or>},
      {"xor", bits2<Xor>},
      {"not", bits_not},
      {"shl", [](const Instruction &i) { return shift(i, true); }},
      {"shr", [](const Instruction &i) { return shift(i, false); }},
      {"shf.l", always<funnel<true>>},
      {"shf.r", always<funnel<false>>},
      {"mov", by_width<move<uint32_t>, move<uint64_t>>},
      {"selp", by_width<select<uint32_t>, select<uint64_t>>},
      {"cvta.shared", always<generic_of_shared>},
      {"cvta.to.shared", always<shared_of_generic>},
      {"pack", always<pack>},
      {"unpack", always<unpack>},
      {"setp", comparison},
      {"cvt", conversion},
      {"prmt", always<permute>},
      {"lop3", always<logic3>},
      {"bfi", by_width<insert<uint32_t>, insert<uint64_t>>},
      {"bfe",
       [](const Instruction &i) -> Handler {
         bool sign = i.type == Type::S32 || i.type == Type::S64;
         return bytes_of(i.type) == 8 ? (sign ? extract<int64_t> : extract<uint64_t>)
                : sign                ? extract<int32_t>
                                      : extract<uint32_t>;
       }},
      {"popc", by_width<population<uint32_t>, population<uint64_t>>},
      {"clz", by_width<leading_zeros<uint32_t>, leading_zeros<uint64_t>>},
      {"brev", always<reversed>},
      {"bmsk", always<bit_mask>},
      {"nop", always<nothing>},
      {"ld", load_for},
      {"st", store_for},
      {"atom", atomic_for}};
  auto found = makers.find(operation);
  return found == makers.end() ? nullptr : found->second(in);
}

} // namespace emulator
