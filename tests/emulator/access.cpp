// SPDX-License-Identifier: GPL-3.0-or-later
/// Loads, stores and atomics: where an address is, whether it may be accessed, and who else did.
#include "machine.hpp"

#include <cstdio>
#include <cstring>
#include <type_traits>

namespace emulator {

namespace {

/// Memory that an access is of.
struct Spot {
  char *at;
  uint8_t *written; ///< null where all of it is
  uintptr_t number; ///< under which races are noted; 0 where they are not
};

std::string text_of(uint64_t address, size_t bytes) {
  char text[64];
  snprintf(text, sizeof text, " (%zu bytes at %#llx)", bytes, (unsigned long long)address);
  return text;
}

/// Shared memory of a block, which others have at the same places.
uintptr_t shared_number(const Block &block, size_t at) {
  return ((uintptr_t)block.number + 1) << 48 | at;
}

Spot in_shared(Warp &w, const Instruction &in, size_t at, size_t bytes) {
  Block &b = *w.block;
  if (at + bytes > b.shared.size())
    fault(w, in,
          "shared memory of " + std::to_string(b.shared.size()) + " bytes is left" +
              text_of(at, bytes));
  return {b.shared.data() + at, b.shared_written.data() + at, shared_number(b, at)};
}

Spot in_global(Warp &w, const Instruction &in, uintptr_t address, size_t bytes) {
  Grid &g = *w.block->grid;
  for (auto &latest : g.latest)
    if (address >= latest.begin && address + bytes <= latest.end)
      return {(char *)address, latest.written ? latest.written + (address - latest.begin) : nullptr,
              address};
  Allocation *a = g.memory->find((void *)address, bytes);
  if (!a || a->place == Place::PINNED)
    fault(w, in,
          std::string(a ? "memory of the host" : g.memory->trouble((void *)address)) +
              text_of(address, bytes));
  g.latest[1] = g.latest[0];
  g.latest[0] = {(uintptr_t)a->base, (uintptr_t)a->base + a->bytes,
                 a->written.empty() ? nullptr : a->written.data()};
  return {(char *)address, a->written.empty() ? nullptr : &a->written[address - (uintptr_t)a->base],
          address};
}

inline Spot spot_of(Warp &w, const Instruction &in, uint64_t address, size_t bytes) {
  const Block &b = *w.block;
  const std::vector<char> &arguments = b.grid->launch->arguments;
  uintptr_t shared = (uintptr_t)b.shared.data(), given = (uintptr_t)arguments.data();
  if (address % bytes != 0 && !(bytes & (bytes - 1)))
    fault(w, in, "an access that is not aligned" + text_of(address, bytes));
  if (in.space == Space::SHARED)
    return in_shared(w, in, (uint32_t)address, bytes);
  if (in.space == Space::GENERIC && address - shared < b.shared.size())
    return in_shared(w, in, address - shared, bytes);
  uintptr_t local = (uintptr_t)b.local.data();
  if (in.space != Space::GLOBAL && address >= local && address + bytes <= local + b.local.size())
    return {(char *)address, nullptr, 0};
  if (in.space != Space::GLOBAL && address >= given && address + bytes <= given + arguments.size())
    return {(char *)address, nullptr, 0};
  return in_global(w, in, address, bytes);
}

inline bool all_written(const uint8_t *written, size_t bytes) {
  for (size_t k = 0; k < bytes; k++)
    if (!written[k])
      return false;
  return true;
}

/// Notes an access of a lane where races are looked for.
void note(Warp &w, const Instruction &in, const Spot &spot, int lane, bool write, size_t bytes,
          const void *value, bool strong) {
  Races *races = w.block->grid->races;
  if (!races || spot.number == 0)
    return;
  races->note(
      {spot.number, bytes, w.block->grid->thread(w, lane), in.line, write, strong, value, spot.at});
}

void before_read(Warp &w, const Instruction &in, const Spot &spot, int lane, size_t bytes) {
  if (spot.written && !all_written(spot.written, bytes))
    fault(w, in, "a read of what was never written" + text_of((uint64_t)(uintptr_t)spot.at, bytes));
  if (!w.block->grid->races)
    return;
  note(w, in, spot, lane, false, bytes, nullptr, in.order != Order::WEAK);
  if (in.order == Order::ACQUIRE)
    w.block->grid->races->acquire(w.block->grid->thread(w, lane), spot.number);
}

/// What lanes of a warp access together, where time is modeled.
struct Together {
  Touch touch[WARP];
  int n = 0;

  void add(const Spot &spot, size_t bytes) {
    if (clock_device && spot.number)
      touch[n++] = {spot.number, (uint32_t)bytes};
  }
  void end(Warp &w, const Instruction &in, bool store) const {
    if (n > 0)
      clock_touch(&w, in, touch, n, store);
  }
};

inline uint64_t address_of(Warp &w, const Instruction &in, int lane) {
  return (in.narrow ? w.lane<uint32_t>(in.src[4])[lane] : w.lane<uint64_t>(in.src[4])[lane]) +
         (uint64_t)in.offset;
}

/// Of a value in memory to a lane and back.
template <class T, bool WIDE = false>
using Slot = std::conditional_t<sizeof(T) == 8 || WIDE, uint64_t, uint32_t>;

template <class T, int N, bool WIDE> void load_of(Warp &w, const Instruction &in, uint32_t lanes) {
  if (in.order == Order::ACQUIRE || in.order == Order::VOLATILE || in.order == Order::RELAXED)
    w.yields = true;
  T value[WARP][N];
  Together together;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    int i = __builtin_ctz(rest);
    Spot spot = spot_of(w, in, address_of(w, in, i), N * sizeof(T));
    before_read(w, in, spot, i, N * sizeof(T));
    together.add(spot, N * sizeof(T));
    memcpy(value[i], spot.at, sizeof value[i]);
  }
  together.end(w, in, false);
  for (int k = 0; k < N; k++) {
    if (in.dst[k] == NO_REGISTER)
      continue;
    auto *out = w.lane<Slot<T, WIDE>>(in.dst[k]);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      out[__builtin_ctz(rest)] = (Slot<T, WIDE>)value[__builtin_ctz(rest)][k];
  }
}

template <class T, int N, bool WIDE> void store_of(Warp &w, const Instruction &in, uint32_t lanes) {
  w.stores++;
  Together together;
  for (; lanes; lanes &= lanes - 1) {
    int i = __builtin_ctz(lanes);
    T value[N];
    for (int k = 0; k < N; k++)
      value[k] = (T)w.lane<Slot<T, WIDE>>(in.src[k])[i];
    Spot spot = spot_of(w, in, address_of(w, in, i), sizeof value);
    together.add(spot, sizeof value);
    if (w.block->grid->races) {
      note(w, in, spot, i, true, sizeof value, value, in.order != Order::WEAK);
      if (in.order == Order::RELEASE)
        w.block->grid->races->release(w.block->grid->thread(w, i), spot.number);
    }
    memcpy(spot.at, value, sizeof value);
    if (spot.written)
      memset(spot.written, 1, sizeof value);
  }
  together.end(w, in, true);
}

template <class T> T after_atomic(Atomic atomic, T old, T a, T b) {
  switch (atomic) {
  case Atomic::ADD:
    return (T)(old + a);
  case Atomic::MIN:
    return a < old ? a : old;
  case Atomic::MAX:
    return a > old ? a : old;
  case Atomic::COMPARE:
    return old == a ? b : old;
  case Atomic::EXCHANGE:
    return a;
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>)
    return atomic == Atomic::AND  ? (T)(old & a)
           : atomic == Atomic::OR ? (T)(old | a)
                                  : (T)(old ^ a);
  return old;
}

/// Its order among the lanes is none that programs may count on.
template <class T> void atomic(Warp &w, const Instruction &in, uint32_t lanes) {
  using S = std::conditional_t<std::is_floating_point_v<T>, T, Slot<T>>;
  Grid &grid = *w.block->grid;
  bool changed = false;
  Together together;
  for (; lanes; lanes &= lanes - 1) {
    int i = __builtin_ctz(lanes);
    Spot spot = spot_of(w, in, address_of(w, in, i), sizeof(T));
    if (spot.written && !all_written(spot.written, sizeof(T)))
      fault(w, in,
            "an atomic of what was never written" + text_of(address_of(w, in, i), sizeof(T)));
    T old, a = (T)w.lane<S>(in.src[0])[i],
           b = in.src[1] == NO_REGISTER ? a : (T)w.lane<S>(in.src[1])[i];
    memcpy(&old, spot.at, sizeof old);
    T now = after_atomic(in.atomic, old, a, b);
    changed |= now != old;
    together.add(spot, sizeof old);
    // The first block comes to a meeting of the grid by an atomic.
    bool meets = spot.at >= grid.workspace && spot.at < grid.workspace + 256;
    grid.meetings += meets && w.block->number == 0;
    if (meets && clock_device)
      clock_meet(&w);
    if (Races *races = w.block->grid->races) {
      int thread = w.block->grid->thread(w, i);
      note(w, in, spot, i, true, sizeof now, &now, true);
      if (in.order == Order::ACQUIRE || in.order == Order::BOTH)
        races->acquire(thread, spot.number);
      if (in.order == Order::RELEASE || in.order == Order::BOTH)
        races->release(thread, spot.number);
    }
    memcpy(spot.at, &now, sizeof now);
    if (in.dst[0] != NO_REGISTER)
      w.lane<S>(in.dst[0])[i] = (S)old;
  }
  together.end(w, in, false);
  if (in.atomic == Atomic::COMPARE || in.atomic == Atomic::EXCHANGE)
    w.yields = true; // it may wait for a lock
  w.stores += changed;
}

template <class T, bool WIDE> Handler load_by(int n) {
  return n == 1   ? load_of<T, 1, WIDE>
         : n == 2 ? load_of<T, 2, WIDE>
         : n == 4 ? load_of<T, 4, WIDE>
                  : nullptr;
}
template <class T, bool WIDE> Handler store_by(int n) {
  return n == 1   ? store_of<T, 1, WIDE>
         : n == 2 ? store_of<T, 2, WIDE>
         : n == 4 ? store_of<T, 4, WIDE>
                  : nullptr;
}
template <class T> Handler load_by(const Instruction &in) {
  return in.wide ? load_by<T, true>(in.n) : load_by<T, false>(in.n);
}
template <class T> Handler store_by(const Instruction &in) {
  return in.wide ? store_by<T, true>(in.n) : store_by<T, false>(in.n);
}

} // namespace

/// Signs are extended into the lane; floats are their bits.
Handler load_for(const Instruction &in) {
  switch (in.type) {
  case Type::S8:
    return load_by<int8_t>(in);
  case Type::S16:
    return load_by<int16_t>(in);
  case Type::S32:
    return load_by<int32_t>(in);
  default:
    break;
  }
  size_t bytes = bytes_of(in.type);
  return bytes == 1   ? load_by<uint8_t>(in)
         : bytes == 2 ? load_by<uint16_t>(in)
         : bytes == 4 ? load_by<uint32_t>(in)
                      : load_by<uint64_t>(in);
}

Handler store_for(const Instruction &in) {
  size_t bytes = bytes_of(in.type);
  return bytes == 1   ? store_by<uint8_t>(in)
         : bytes == 2 ? store_by<uint16_t>(in)
         : bytes == 4 ? store_by<uint32_t>(in)
                      : store_by<uint64_t>(in);
}

Handler atomic_for(const Instruction &in) {
  switch (in.type) {
  case Type::B32:
  case Type::U32:
    return atomic<uint32_t>;
  case Type::S32:
    return atomic<int32_t>;
  case Type::B64:
  case Type::U64:
    return atomic<uint64_t>;
  case Type::S64:
    return atomic<int64_t>;
  case Type::F32:
    return atomic<float>;
  case Type::F64:
    return atomic<double>;
  default:
    return nullptr;
  }
}

} // namespace emulator
