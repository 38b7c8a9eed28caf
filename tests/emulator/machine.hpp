// SPDX-License-Identifier: GPL-3.0-or-later
/// Warps and blocks at work. operations.cpp names what an instruction does to registers, access.cpp
/// has what it does to memory, scheduler.cpp who goes on when.
#ifndef VB_TESTS_EMULATOR_MACHINE_HPP
#define VB_TESTS_EMULATOR_MACHINE_HPP

#include "clock.hpp"
#include "memory.hpp"
#include "ptx.hpp"
#include "races.hpp"

#include <memory>

namespace emulator {

/// A launch of a kernel, with a copy of its arguments.
struct Launch {
  Kernel *kernel;
  unsigned grid, block;
  size_t shared; ///< dynamic, bytes
  bool cooperative;
  std::vector<char> arguments;
};

/// Lanes that go on together from an instruction.
struct Group {
  int pc;
  uint32_t lanes;
};

struct Block;
struct Grid;

struct Warp {
  Block *block = nullptr;
  int first = 0;     ///< thread of its first lane in the block
  uint32_t live = 0; ///< lanes that have not ended
  char *registers = nullptr;
  std::vector<Group> ready;
  uint32_t at_block = 0, at_warp = 0,
           at_meeting = 0; ///< lanes that wait at barriers, and for votes and shuffles
  int pc[WARP];            ///< where they wait
  bool yields = false;     ///< it looked at what others write: they go on first
  uint64_t executed = 0;   ///< instructions, but for rounds in which it only waited
  uint64_t stores = 0;
  /// Where it looked last at what others write.
  struct {
    int pc = -1;
    uint64_t executed = 0, stores = 0, now = 0;
  } look;
  WarpClock clock;

  template <class T> T *lane(Register r) { return reinterpret_cast<T *>(registers + r); }
};

struct Block {
  Grid *grid = nullptr;
  unsigned number = 0;
  std::vector<char> shared;
  std::vector<uint8_t> shared_written; ///< 1 for each byte that was
  Room registers;
  std::vector<char> local; ///< of its threads, one after the other
  std::vector<Warp> warps;
  int n_live = 0, n_waiting = 0;
  uint64_t barriers = 0; ///< that all its threads met at
  BlockClock clock;
};

struct Grid {
  const Launch *launch = nullptr;
  const Kernel *kernel = nullptr;
  Memory *memory = nullptr;
  Races *races = nullptr; ///< null where they are not looked for
  /// What was accessed last, so that its allocation is not looked for again.
  struct {
    uintptr_t begin = 1, end = 0;
    uint8_t *written = nullptr;
  } latest[2];
  char *workspace = nullptr; ///< of cooperative groups; null in an ordinary launch
  uint64_t meetings = 0;     ///< of all blocks

  /// The number of a thread among all of the launch.
  int thread(const Warp &w, int lane) const {
    return (int)(w.block->number * launch->block) + w.first + lane;
  }
};

/// What has been done since the beginning.
struct Counts {
  uint64_t launches = 0, lane_instructions = 0, warp_instructions = 0;
};
extern Counts counts;

/// What the launches of a kernel have done.
struct KernelCounts {
  uint64_t launches = 0, longest = 0, instructions = 0, barriers = 0, meetings = 0;
  uint64_t sectors = 0, lines = 0, waves = 0; ///< of global memory; of shared memory
  uint64_t path = 0, of_blocks = 0,
           issued = 0;          ///< cycles: of a launch, of all blocks, of schedulers
  unsigned grid = 0, block = 0; ///< of its largest launch
  size_t shared = 0;
  Kernel *kernel = nullptr;
};
/// By the names of kernels.
extern std::map<std::string, KernelCounts> kernel_counts;

/// Ends a launch because of an instruction.
[[noreturn]] void fault(const Warp &w, const Instruction &in, const std::string &what);

/// Lanes whose predicates hold.
uint32_t lanes_that_hold(const int32_t *predicate);

/// Runs a launch to its end. Throws a Fault.
void run_launch(const Launch &launch, Memory *memory);

} // namespace emulator

#endif
