// SPDX-License-Identifier: GPL-3.0-or-later
/// Who goes on when: groups of lanes of a warp, warps of a block, blocks of a grid.
#include "run.hpp"

#include <algorithm>
#include <climits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace emulator {

/// Rounds in which all that runs looks at what others write, until that is taken for a deadlock.
constexpr int IDLE_ROUNDS = 20000;

uint32_t lanes_that_hold(const int32_t *predicate) {
  uint32_t out = 0;
#if defined(__AVX2__)
  for (int k = 0; k < 4; k++)
    out |= (uint32_t)_mm256_movemask_ps(_mm256_load_ps((const float *)(predicate + 8 * k)))
           << (8 * k);
#else
  for (int i = 0; i < WARP; i++)
    out |= (uint32_t)(predicate[i] < 0) << i;
#endif
  return out;
}

void fault(const Warp &w, const Instruction &in, const std::string &what) {
  throw Fault(what + ", in block " + std::to_string(w.block->number) + ", warp " +
              std::to_string(w.first / WARP) + ", line " + std::to_string(in.line) +
              " of the PTX of " + w.block->grid->kernel->name);
}

void Run::push(Warp &w, int pc, uint32_t lanes) {
  if (!lockstep_) {
    for_lanes(lanes, [&](int i) { w.ready.push_back({pc, 1u << i}); });
    return;
  }
  for (Group &g : w.ready)
    if (g.pc == pc) {
      g.lanes |= lanes;
      return;
    }
  w.ready.push_back({pc, lanes});
}

/// The group that goes on: the one that is behind, or any.
Group Run::take(Warp &w) {
  size_t best = lockstep_ ? 0 : random_() % w.ready.size();
  for (size_t k = 1; lockstep_ && k < w.ready.size(); k++)
    if (w.ready[k].pc < w.ready[best].pc)
      best = k;
  Group g = w.ready[best];
  w.ready[best] = w.ready.back();
  w.ready.pop_back();
  return g;
}

int Run::least_pc(const Warp &w) const {
  int least = INT_MAX;
  for (const Group &g : w.ready)
    least = lockstep_ ? std::min(least, g.pc) : least;
  return least;
}

/// Rounds of a loop that looks at what others write, and stores nothing, are those of a thread that
/// waits: how many there are is the schedule's, and one is counted.
void Run::note_look(Warp &w, const Instruction &in, int pc) {
  if (w.look.pc == pc && w.look.stores == w.stores) {
    w.executed = w.look.executed;
    if (clock_device)
      clock_return(&w, in, w.look.now);
  }
  w.look = {pc, w.executed, w.stores, w.clock.now + w.clock.taken};
}

/// Lanes go on from an instruction until they wait, end, look at what others write, or come to
/// where others are.
void Run::go_on(Warp &w, Group g) {
  const Instruction *code = kernel_.code.data();
  char *done = kernel_.done.data();
  int others = least_pc(w);
  while (g.lanes) {
    const Instruction &in = code[g.pc];
    uint32_t lanes = g.lanes;
    if (in.predicate != NO_REGISTER) {
      uint32_t hold = lanes_that_hold(w.lane<int32_t>(in.predicate));
      lanes &= in.predicate_negated ? ~hold : hold;
    }
    counts.warp_instructions++;
    w.executed++;
    done[g.pc] |= lanes != 0;
    counts.lane_instructions += (uint64_t)__builtin_popcount(lanes);
    if (clock_device)
      clock_issue(&w, in);
    if (in.kind == Kind::PLAIN) {
      if (lanes)
        in.run(w, in, lanes);
      if (clock_device)
        clock_end(&w, in);
      g.pc++;
    } else if (in.kind == Kind::BRANCH && lanes == g.lanes) {
      g.pc = in.target;
    } else if (in.kind == Kind::BRANCH) {
      if (lanes)
        push(w, in.target, lanes);
      g = {g.pc + 1, g.lanes & ~lanes};
      others = least_pc(w);
    } else {
      if (lanes && !arrive(w, in, &g, lanes))
        return;
      g = {g.pc + 1, g.lanes & ~lanes};
    }
    if (w.yields)
      note_look(w, in, g.pc);
    if (g.lanes && (w.yields || g.pc >= others))
      return push(w, g.pc, g.lanes);
  }
}

/// Lanes come to an instruction that is not theirs alone. Returns whether the rest of the group
/// goes on at once.
bool Run::arrive(Warp &w, const Instruction &in, Group *g, uint32_t lanes) {
  uint32_t rest = g->lanes & ~lanes;
  if (in.kind == Kind::TRAP)
    fault(w, in, "a trap");
  if (in.kind == Kind::EXIT) {
    end_lanes(w, lanes);
    return true;
  }
  if (rest)
    push(w, g->pc + 1, rest);
  if (in.kind == Kind::BLOCK_BARRIER || in.kind == Kind::BLOCK_VOTE) {
    wait_for_block(w, in, g->pc, lanes);
    return false;
  }
  for_lanes(lanes, [&](int i) {
    w.pc[i] = g->pc;
    if (!(w.lane<uint32_t>(in.src[1])[i] >> i & 1))
      fault(w, in, "a lane that is not in the mask it gives");
  });
  if (in.kind == Kind::WARP_BARRIER) {
    w.at_warp |= lanes;
    check_warp(w);
  } else {
    check_meeting(w, in, g->pc, lanes);
  }
  return false;
}

void Run::end_lanes(Warp &w, uint32_t lanes) {
  w.live &= ~lanes;
  w.block->n_live -= __builtin_popcount(lanes);
  if (w.live)
    check_warp(w);
  check_block(*w.block);
}

void Run::turn(Warp &w) {
  w.yields = false;
  while (!w.ready.empty() && !w.yields)
    go_on(w, take(w));
}

/// Runs blocks whose threads may wait for each other.
void Run::together(const std::vector<Block *> &blocks) {
  std::vector<Warp *> warps;
  for (Block *b : blocks)
    for (Warp &w : b->warps)
      warps.push_back(&w);
  for (int idle = 0; !warps.empty();) {
    if (shuffled_)
      std::shuffle(warps.begin(), warps.end(), random_);
    bool any = false, settled = false;
    for (Warp *w : warps) {
      if (w->ready.empty())
        continue;
      any = true;
      turn(*w);
      settled |= !w->yields;
    }
    idle = settled ? 0 : idle + 1;
    warps.erase(std::remove_if(warps.begin(), warps.end(), [](Warp *w) { return !w->live; }),
                warps.end());
    if (!warps.empty() && (!any || idle > IDLE_ROUNDS))
      throw Fault("a deadlock: all threads wait, in " + kernel_.name);
  }
}

} // namespace emulator
