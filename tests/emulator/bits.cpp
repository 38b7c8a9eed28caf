// SPDX-License-Identifier: GPL-3.0-or-later
/// Bits: logic, shifts, fields and bytes, by the width alone.
#include "lanes.hpp"

namespace emulator {

namespace {

struct And {
  template <class T> T operator()(T a, T b) const { return (T)(a & b); }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return (T)(a | b); }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return (T)(a ^ b); }
};
struct Not {
  template <class T> T operator()(T a) const { return (T)~a; }
};

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

} // namespace

const Makers &bit_makers() {
  static const Makers makers = {{"and", bits2<And>},
                                {"or", bits2<Or>},
                                {"xor", bits2<Xor>},
                                {"not", bits_not},
                                {"shl", [](const Instruction &i) { return shift(i, true); }},
                                {"shr", [](const Instruction &i) { return shift(i, false); }},
                                {"shf.l", always<funnel<true>>},
                                {"shf.r", always<funnel<false>>},
                                {"prmt", always<permute>},
                                {"lop3", always<logic3>},
                                {"bfi", by_width<insert<uint32_t>, insert<uint64_t>>},
                                {"bfe",
                                 [](const Instruction &i) -> Handler {
                                   bool sign = i.type == Type::S32 || i.type == Type::S64;
                                   return bytes_of(i.type) == 8
                                              ? (sign ? extract<int64_t> : extract<uint64_t>)
                                          : sign ? extract<int32_t>
                                                 : extract<uint32_t>;
                                 }},
                                {"popc", by_width<population<uint32_t>, population<uint64_t>>},
                                {"clz", by_width<leading_zeros<uint32_t>, leading_zeros<uint64_t>>},
                                {"brev", always<reversed>},
                                {"bmsk", always<bit_mask>}};
  return makers;
}

} // namespace emulator
