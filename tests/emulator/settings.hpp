// SPDX-License-Identifier: GPL-3.0-or-later
/// How the emulator runs, from variables of the environment: see README.md.
#ifndef VB_TESTS_EMULATOR_SETTINGS_HPP
#define VB_TESTS_EMULATOR_SETTINGS_HPP

#include <cstddef>
#include <cstdint>

namespace emulator {

enum class Schedule : uint8_t {
  LOCKSTEP, ///< lanes of a warp go on together, those that are behind first
  LANES,    ///< one lane after another, at random, each until it waits
  BLOCKS    ///< lockstep; blocks, and warps of a block, in random order
};

struct Settings {
  Schedule schedule = Schedule::LOCKSTEP;
  unsigned seed = 1;
  bool races = false;
  bool eager = false;  ///< queued work is done at once, in place of as late as it may be
  bool tell = false;   ///< at the end: counts, what was found, what was not freed
  long fail = -1;      ///< number of the call of the runtime that fails
  long fail_work = -1; ///< number of the launch or copy that fails when it is executed
  // The devices, all alike; CUDA_VISIBLE_DEVICES chooses among their numbers, as with a driver
  int devices = 1;
  int multiprocessors = 4;
  int threads = 384;      ///< that a multiprocessor holds
  size_t shared = 232448; ///< bytes that a block may ask for
  size_t memory = (size_t)2 << 30;
};

/// Those of this process, which may be changed between launches.
Settings &settings();

} // namespace emulator

#endif
