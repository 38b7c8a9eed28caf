// SPDX-License-Identifier: GPL-3.0-or-later
/// Moves and conversions: between types, of addresses, of vectors to one value and back.
#include "lanes.hpp"

namespace emulator {

namespace {

template <class T> void move(Warp &w, const Instruction &in, uint32_t lanes) {
  const T *a = w.lane<T>(in.src[0]);
  map(w.lane<T>(in.dst[0]), lanes, [=](int i) { return a[i]; });
}

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

} // namespace

const Makers &convert_makers() {
  static const Makers makers = {{"mov", by_width<move<uint32_t>, move<uint64_t>>},
                                {"cvt", conversion},
                                {"cvta.shared", always<generic_of_shared>},
                                {"cvta.to.shared", always<shared_of_generic>},
                                {"pack", always<pack>},
                                {"unpack", always<unpack>}};
  return makers;
}

} // namespace emulator
