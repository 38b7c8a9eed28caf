// SPDX-License-Identifier: GPL-3.0-or-later
/// A launch at work: launch.cpp begins its blocks, scheduler.cpp says who goes on when,
/// meetings.cpp who waits for whom.
#ifndef VB_TESTS_EMULATOR_RUN_HPP
#define VB_TESTS_EMULATOR_RUN_HPP

#include "machine.hpp"
#include "settings.hpp"

#include <random>

namespace emulator {

/// Calls a function for each lane whose bit is set.
template <class F> void for_lanes(uint32_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1)
    f(__builtin_ctz(lanes));
}

/// A launch at work.
class Run {
public:
  Run(const Launch &launch, Memory *memory);
  void all();

private:
  void begin_block(Block *b, unsigned number);
  void begin_warp(Block *b, int number);
  void fill_registers(Warp *w) const;
  void take_registers(Block *b, size_t n_warps) const;
  char *registers_of(const Block &b, size_t warp) const;
  void together(const std::vector<Block *> &blocks);
  void turn(Warp &w);
  void go_on(Warp &w, Group g);
  void note_look(Warp &w, const Instruction &in, int pc);
  void count(Block &b, KernelCounts *out) const;
  void add(const KernelCounts &did);
  void push(Warp &w, int pc, uint32_t lanes);
  Group take(Warp &w);
  int least_pc(const Warp &w) const;
  bool arrive(Warp &w, const Instruction &in, Group *g, uint32_t lanes);
  void end_lanes(Warp &w, uint32_t lanes);
  void wait_for_block(Warp &w, const Instruction &in, int pc, uint32_t lanes);
  void check_block(Block &b);
  void check_warp(Warp &w);
  void check_meeting(Warp &w, const Instruction &in, int pc, uint32_t lanes);
  void meet(Warp &w, const Instruction &in, uint32_t lanes);
  void note_meeting(const Warp &w, uint32_t lanes, std::vector<int> *threads) const;

  /// Of each thread, in steps that keep alignment.
  size_t local_bytes() const { return (kernel_.local + 15) / 16 * 16; }

  Grid grid_;
  const Launch &launch_;
  const Kernel &kernel_;
  Races races_;
  bool lockstep_, shuffled_;
  std::mt19937 random_;
};

} // namespace emulator

#endif
