// SPDX-License-Identifier: GPL-3.0-or-later
/// When warps do what, by a model of a device's time (README.md, "Time").
#ifndef VB_TESTS_EMULATOR_CLOCK_HPP
#define VB_TESTS_EMULATOR_CLOCK_HPP

#include "ptx.hpp"

#include <cstdint>
#include <vector>

namespace emulator {

struct Block;
struct Warp;

/// What a device takes, in cycles, and has, in bytes, of each multiprocessor.
struct Timing {
  size_t cache;            ///< first-level cache and shared memory
  size_t first_code, code; ///< instructions that it keeps in their first-level cache, and in all
  /// Until a result is there: of an instruction of 32 bits, of one in double precision, of the unit
  /// of special functions, of a shuffle or vote; of a load from shared memory, from the first-level
  /// and from the second-level cache.
  int plain, in_double, special, shuffle, from_shared, from_first, from_second;
  int double_interval, special_interval; ///< for which one of these keeps its unit busy
  int kept_line, far_line; ///< more until a line of code is there that the first level, or all lack
  int block_barrier, warp_barrier; ///< of a barrier of a block, and for each of its warps
};

/// Bytes that memory moves at once.
constexpr uint64_t SECTOR = 32;

/// Sectors of memory, by their numbers, which are not 0.
class Sectors {
public:
  /// False where it was there.
  bool insert(uint64_t sector);
  void clear();
  size_t size() const { return n_; }

private:
  void grow();
  std::vector<uint64_t> slots_;
  size_t n_ = 0;
};

/// A cache of lines of code, of which the one that was fetched first goes.
class CodeCache {
public:
  /// Holds `bytes` bytes of a kernel with `code` bytes.
  void reset(size_t bytes, size_t code);
  /// False where the line had to be fetched.
  bool has(size_t line);

private:
  std::vector<uint64_t> fetched_; ///< number of the fetch that brought a line; none where all fit
  uint64_t fetches_ = 0, room_ = 0;
};

/// Of a warp, in cycles.
struct WarpClock {
  uint64_t now = 0;                ///< when the instructions since the last branch began
  uint64_t taken = 0;              ///< for which these keep the scheduler busy
  uint64_t last = 0;               ///< when the last of these is issued
  uint64_t at = 0;                 ///< when the one at hand is issued
  uint64_t loaded = 0, stored = 0; ///< when memory was last read and written
  uint64_t issued = 0;             ///< for which it kept its scheduler busy since the last barrier
  uint64_t port = 0;               ///< when its last access has left the unit of loads and stores
  std::vector<uint64_t> ready;     ///< when the value of each register is there
  int memory = 0;                  ///< latency of the access at hand; 0 for none
  int line = -1;                   ///< of code
  uint64_t line_began = 0;         ///< when the first instruction of that line could be issued
};

/// Of a block.
struct BlockClock {
  uint64_t begun = 0;             ///< when the part since the last barrier began
  uint64_t issued = 0;            ///< sum over its warps
  std::vector<uint64_t> meetings; ///< when it came to those of the grid
  Sectors cached;                 ///< in the first-level cache
  CodeCache first, all;           ///< of instructions: the first level, and all that is kept
  uint64_t waves = 0;             ///< accesses of shared memory, a bank once each
  uint64_t lines = 0;             ///< accesses of global memory, a line once each
  uint64_t accessed = 0;          ///< cycles of loads and stores since the last barrier
  uint64_t sectors = 0;           ///< that left the multiprocessor
};

/// A lane's access of memory.
struct Touch {
  uintptr_t number; ///< of the byte (Spot)
  uint32_t bytes;
};

void clock_begin(Block *b);
/// An instruction is issued: it waits for what it reads, and for its code. Between branches the
/// compiler may order instructions as it likes, but for accesses of memory around a store.
void clock_issue(Warp *w, const Instruction &in);
/// Lanes access memory together.
void clock_touch(Warp *w, const Instruction &in, const Touch *touch, int n, bool store);
/// What it writes is there later.
void clock_end(Warp *w, const Instruction &in);
/// All warps have come to a barrier of the block, or ended: the part took as long as its slowest
/// warp, or as all its instructions take the schedulers.
void clock_barrier(Block *b, int cycles);
/// A warp has looked at what others write, and goes on as if it had been there at once.
void clock_return(Warp *w, const Instruction &in, uint64_t now);
/// The block has come to a meeting of the grid, after which its cache holds nothing.
void clock_meet(Warp *w);
/// Cycles of a launch: the longest block, or, where the grid meets, the sum of the longest parts.
uint64_t clock_longest(const std::vector<Block> &blocks);

/// The device whose time is modeled; null where none is.
extern const Timing *clock_device;
/// All sectors that were accessed.
extern Sectors clock_footprint;

} // namespace emulator

#endif
