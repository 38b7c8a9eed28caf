// SPDX-License-Identifier: GPL-3.0-or-later
/// Who waits for whom: barriers of a warp and of a block, votes, shuffles and matches.
#include "run.hpp"

namespace emulator {

namespace {

/// The lane that a lane takes a value from, and whether there is one in its part of the warp.
int source_lane(const Instruction &in, Warp &w, int lane, bool *within) {
  int b = (int)(w.lane<uint32_t>(in.src[3])[lane] & 31), c = (int)w.lane<uint32_t>(in.src[2])[lane];
  int clamp = c & 31, part = c >> 8 & 31;
  int most = (lane & part) | (clamp & ~part), least = lane & part, from = 0;
  switch (in.shuffle) {
  case Shuffle::UP:
    from = lane - b;
    *within = from >= most;
    break;
  case Shuffle::DOWN:
    from = lane + b;
    *within = from <= most;
    break;
  case Shuffle::BUTTERFLY:
    from = lane ^ b;
    *within = from <= most;
    break;
  default:
    from = least | (b & ~part);
    *within = from <= most;
  }
  return *within ? from : lane;
}

} // namespace

/// Adds the threads of these lanes, where races are looked for.
void Run::note_meeting(const Warp &w, uint32_t lanes, std::vector<int> *threads) const {
  if (grid_.races)
    for_lanes(lanes, [&](int i) { threads->push_back(grid_.thread(w, i)); });
}

/// Releases lanes at barriers of a warp that all lanes they name have met.
void Run::check_warp(Warp &w) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t left = w.at_warp; left && !again; left &= left - 1) {
      int i = __builtin_ctz(left);
      auto mask = [&](int lane) {
        return w.lane<uint32_t>(kernel_.code[(size_t)w.pc[lane]].src[1])[lane];
      };
      uint32_t need = mask(i) & w.live, met = 0;
      if (need & ~w.at_warp)
        continue;
      for_lanes(need, [&](int j) { met |= (uint32_t)(mask(j) == mask(i)) << j; });
      if (met != need)
        continue;
      w.at_warp &= ~need;
      for_lanes(need, [&](int j) { push(w, w.pc[j] + 1, 1u << j); });
      std::vector<int> threads;
      note_meeting(w, need, &threads);
      if (grid_.races)
        grid_.races->meet(threads);
      again = true;
    }
  }
}

void Run::wait_for_block(Warp &w, const Instruction &in, int pc, uint32_t lanes) {
  for_lanes(lanes, [&](int i) { w.pc[i] = pc; });
  (void)in;
  w.at_block |= lanes;
  w.block->n_waiting += __builtin_popcount(lanes);
  check_block(*w.block);
}

/// Releases a block all of whose threads are at a barrier: all of it, and of a warp at the same
/// one.
void Run::check_block(Block &b) {
  if (b.n_live == 0 || b.n_waiting < b.n_live)
    return;
  std::vector<int> threads;
  bool any = false, all = true;
  for (Warp &w : b.warps) {
    for_lanes(w.at_block, [&](int i) {
      const Instruction &in = kernel_.code[(size_t)w.pc[i]];
      if (in.aligned && w.pc[i] != w.pc[__builtin_ctz(w.at_block)])
        fault(w, in, "a barrier that lanes of a warp meet at different places");
      if (b.n_live < (int)launch_.block)
        fault(w, in, "a barrier that threads of the block have passed by, which have ended");
      bool value =
          in.kind == Kind::BLOCK_VOTE && (w.lane<int32_t>(in.src[0])[i] != 0) != in.source_negated;
      any |= value;
      all &= value;
    });
    note_meeting(w, w.at_block, &threads);
  }
  for (Warp &w : b.warps) {
    uint32_t lanes = w.at_block;
    w.at_block = 0;
    for_lanes(lanes, [&](int i) {
      const Instruction &in = kernel_.code[(size_t)w.pc[i]];
      if (in.kind == Kind::BLOCK_VOTE)
        w.lane<int32_t>(in.dst[0])[i] = (in.vote == Vote::ANY ? any : all) ? -1 : 0;
      push(w, w.pc[i] + 1, 1u << i);
    });
  }
  b.n_waiting = 0;
  b.barriers++;
  if (clock_device)
    clock_barrier(&b,
                  clock_device->block_barrier + (int)b.warps.size() * clock_device->warp_barrier);
  if (grid_.races)
    grid_.races->meet(threads);
}

/// Lets lanes that are at a vote or shuffle have it, once all that they name are there.
void Run::check_meeting(Warp &w, const Instruction &in, int pc, uint32_t lanes) {
  w.at_meeting |= lanes;
  const uint32_t *mask = w.lane<uint32_t>(in.src[1]);
  uint32_t left = lanes;
  while (left) {
    uint32_t named = mask[__builtin_ctz(left)], need = named & w.live, met = 0;
    left &= ~need;
    if (need & ~w.at_meeting)
      continue;
    for_lanes(need, [&](int j) { met |= (uint32_t)(w.pc[j] == pc) << j; });
    if (met != need)
      continue;
    for_lanes(need, [&](int j) {
      if (mask[j] != named)
        fault(w, in, "lanes that name different lanes to vote or shuffle with");
    });
    meet(w, in, need);
    w.at_meeting &= ~need;
    push(w, pc + 1, need);
  }
}

void Run::meet(Warp &w, const Instruction &in, uint32_t lanes) {
  uint32_t value[WARP];
  uint64_t key[WARP] = {0};
  uint32_t ballot = 0;
  for_lanes(lanes, [&](int i) {
    value[i] = w.lane<uint32_t>(in.src[0])[i];
    if (in.kind == Kind::MATCH)
      key[i] = bytes_of(in.type) == 8 ? w.lane<uint64_t>(in.src[0])[i] : value[i];
    ballot |= (uint32_t)((value[i] != 0) != in.source_negated) << i;
  });
  for_lanes(lanes, [&](int i) {
    uint32_t out = 0;
    if (in.kind == Kind::VOTE) {
      bool holds = in.vote == Vote::ANY ? ballot != 0 : ballot == lanes;
      out = in.vote == Vote::BALLOT ? ballot : holds ? ~0u : 0;
    } else if (in.kind == Kind::MATCH) {
      for_lanes(lanes, [&](int j) { out |= (uint32_t)(key[j] == key[i]) << j; });
    } else {
      bool within;
      int from = source_lane(in, w, i, &within);
      if (!(lanes >> from & 1))
        fault(w, in, "a shuffle that takes from a lane that is not there");
      out = value[from];
      if (in.dst[1] != NO_REGISTER)
        w.lane<int32_t>(in.dst[1])[i] = within ? -1 : 0;
    }
    w.lane<uint32_t>(in.dst[0])[i] = out;
  });
}

} // namespace emulator
