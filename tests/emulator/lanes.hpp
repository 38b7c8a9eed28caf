// SPDX-License-Identifier: GPL-3.0-or-later
/// Handlers as instances of few templates: of one, two or three operands, for each type. Numbers of
/// less than 32 bits take 32-bit lanes, and predicates are 0 or -1 in these.
#ifndef VB_TESTS_EMULATOR_LANES_HPP
#define VB_TESTS_EMULATOR_LANES_HPP

#include "machine.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <type_traits>

namespace emulator {

/// Makes the handler of an operation, for the types that an instruction has; null where there is
/// none.
using Maker = Handler (*)(const Instruction &);
/// Operations by their names in PTX without types.
using Makers = std::map<std::string, Maker>;
const Makers &arithmetic_makers(); ///< in arithmetic.cpp
const Makers &bit_makers();        ///< in bits.cpp
const Makers &compare_makers();    ///< in compare.cpp
const Makers &convert_makers();    ///< in convert.cpp

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

template <Handler NARROW, Handler WIDE> Handler by_width(const Instruction &in) {
  return bytes_of(in.type) == 8 ? WIDE : NARROW;
}
template <Handler H> Handler always(const Instruction &) {
  return H;
}

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
  static Handler NAME(const Instruction &in) {                                                     \
    switch (in.type) { CASES default : return nullptr; }                                           \
  }
} // namespace emulator

#endif
