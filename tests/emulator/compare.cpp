// SPDX-License-Identifier: GPL-3.0-or-later
/// Comparisons, and choice by a predicate.
#include "lanes.hpp"

namespace emulator {

namespace {

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

} // namespace

const Makers &compare_makers() {
  static const Makers makers = {{"setp", comparison},
                                {"selp", by_width<select<uint32_t>, select<uint64_t>>}};
  return makers;
}

} // namespace emulator
