// SPDX-License-Identifier: GPL-3.0-or-later
/// Races: two accesses to a byte by different threads of a launch, one of which writes, and of
/// which none happens before the other by barriers or by release and acquire.
///
/// Threads that met at a barrier share a clock, which tells of every thread until when its accesses
/// happened before; each has besides its own time, which it increases at barriers. Memory is
/// watched in words of four bytes, and byte by byte where parts of a word are accessed.
#ifndef VB_TESTS_EMULATOR_RACES_HPP
#define VB_TESTS_EMULATOR_RACES_HPP

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace emulator {

/// An access to memory.
struct Access {
  uintptr_t at;
  size_t bytes;
  int thread, line;
  bool write;
  bool strong;       ///< atomic or volatile: two such accesses are no race
  const void *value; ///< that is written, while `now` is what there was
  const void *now;
};

class Races {
public:
  explicit Races(std::string kernel) : kernel_(std::move(kernel)) {}
  /// Threads that run together from now on: a block, or all of a cooperative launch. Those of
  /// earlier blocks may have run at the same time.
  void begin(int first, int n_threads);
  void note(const Access &access);
  /// These threads waited for each other.
  void meet(const std::vector<int> &threads);
  void release(int thread, uintptr_t at);
  void acquire(int thread, uintptr_t at);

  static uint64_t found, same_values; ///< races since the beginning; those that write what is there
  static std::string first;           ///< what the first was

private:
  using Clock = std::vector<int32_t>;
  struct Moment {
    int32_t thread = -1, time = 0, line = 0;
    bool strong = false;
  };
  struct Cell {
    Moment write, read[3];
    int n_reads = 0;
    bool split = false; ///< into bytes
  };
  /// Cells by number, in pages, for accesses are near each other.
  class Cells {
  public:
    Cell *at(uintptr_t number);

  private:
    enum { PAGE = 32, LATEST = 64 };
    std::unordered_map<uintptr_t, std::unique_ptr<Cell[]>> pages_;
    struct {
      uintptr_t page = UINTPTR_MAX;
      Cell *cells = nullptr;
    } latest_[LATEST]; ///< pages at hand, so that they are not looked for again
  };
  void note_cell(Cell *cell, const Access &access, bool same);
  void check(const Moment &m, const Access &access, bool same);
  void report(const Moment &m, const Access &access, bool same);

  std::string kernel_;
  int first_ = 0;
  std::vector<std::shared_ptr<Clock>> seen_;
  std::vector<int32_t> time_;
  Cells words_, bytes_;
  std::unordered_map<uintptr_t, std::shared_ptr<Clock>> released_;
  std::set<std::pair<int, int>> told_;
};

} // namespace emulator

#endif
