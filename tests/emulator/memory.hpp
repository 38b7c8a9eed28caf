// SPDX-License-Identifier: GPL-3.0-or-later
/// The memory of the device: allocations, what of them was written, and what was freed.
#ifndef VB_TESTS_EMULATOR_MEMORY_HPP
#define VB_TESTS_EMULATOR_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace emulator {

enum class Place : uint8_t { DEVICE, MANAGED, PINNED, MODULE };

struct Allocation {
  char *base;
  size_t bytes;
  Place place;
  std::vector<uint8_t> written; ///< 1 for each byte that was; empty where the host may write, too
};

class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  ~Memory();
  /// Memory whose bytes are 0xff, so that numbers are not a number; null where there is none.
  char *allocate(size_t bytes, Place place);
  /// Whether an allocation of that place begins there. It is kept for a while, so that later access
  /// is seen.
  bool release(void *base, Place place);
  /// Frees all allocations but those of modules.
  void drop();
  /// The allocation that has these bytes; null where none has all of them.
  Allocation *find(const void *at, size_t bytes);
  /// Notes that the host or a copy wrote.
  void wrote(const void *at, size_t bytes);
  /// What a copy from one place to another takes along of what was written.
  void copied(const void *to, const void *from, size_t bytes);
  /// What is wrong with an access to memory that `find` does not find.
  const char *trouble(const void *at) const;
  /// Bytes and number of allocations on the device that were not freed.
  size_t leaked(size_t *n) const;
  size_t used = 0, limit = (size_t)2 << 30;

private:
  std::map<uintptr_t, Allocation> live_;
  std::deque<Allocation> freed_;
  size_t freed_bytes_ = 0;
};

} // namespace emulator

#endif
