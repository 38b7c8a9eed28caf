// SPDX-License-Identifier: GPL-3.0-or-later
/// Who goes on when: groups of lanes of a warp, warps of a block, blocks of a grid; and who waits
/// for whom at barriers, votes and shuffles.
#include "machine.hpp"
#include "settings.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <random>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace emulator {

Counts counts;

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

namespace {

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
  uint64_t special(const Warp &w, int lane, const std::string &name) const;
  void together(const std::vector<Block *> &blocks);
  void turn(Warp &w);
  void go_on(Warp &w, Group g);
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

Run::Run(const Launch &launch, Memory *memory)
    : launch_(launch), kernel_(*launch.kernel), races_(kernel_.name),
      lockstep_(settings().schedule != Schedule::LANES),
      shuffled_(settings().schedule != Schedule::LOCKSTEP),
      random_(settings().seed + (unsigned)counts.launches) {
  grid_.launch = &launch;
  grid_.kernel = &kernel_;
  grid_.memory = memory;
  grid_.races = settings().races ? &races_ : nullptr;
}

uint64_t Run::special(const Warp &w, int lane, const std::string &name) const {
  uint64_t workspace = (uint64_t)(uintptr_t)grid_.workspace;
  if (name.rfind("%local+", 0) == 0)
    return (uint64_t)(uintptr_t)w.block->local.data() + (uint64_t)(w.first + lane) * local_bytes() +
           strtoull(name.c_str() + 7, nullptr, 10);
  size_t dynamic = (kernel_.static_shared + 15) / 16 * 16;
  const std::pair<const char *, uint64_t> known[] = {
      {"%tid.x", (uint64_t)(w.first + lane)},
      {"%ntid.x", launch_.block},
      {"%ctaid.x", w.block->number},
      {"%nctaid.x", launch_.grid},
      {"%tid.y", 0},
      {"%tid.z", 0},
      {"%ctaid.y", 0},
      {"%ctaid.z", 0},
      {"%ntid.y", 1},
      {"%ntid.z", 1},
      {"%nctaid.y", 1},
      {"%nctaid.z", 1},
      {"%laneid", (uint64_t)lane},
      {"%warpid", (uint64_t)(w.first / WARP)},
      {"%lanemask_eq", 1ull << lane},
      {"%lanemask_lt", (1ull << lane) - 1},
      {"%lanemask_le", (2ull << lane) - 1},
      {"%lanemask_gt", ~((2ull << lane) - 1) & 0xffffffff},
      {"%lanemask_ge", ~((1ull << lane) - 1) & 0xffffffff},
      {"%envreg1", workspace >> 32},
      {"%envreg2", workspace & 0xffffffff},
      {"%shared", dynamic},
      {"%shared8", dynamic}};
  for (const auto &k : known)
    if (name == k.first)
      return k.second;
  throw Fault("the register " + name + ", which the emulator does not know, in " + kernel_.name);
}

void Run::begin_warp(Block *b, int number) {
  Warp &w = b->warps[(size_t)number];
  int count = std::min((int)WARP, (int)launch_.block - WARP * number);
  size_t stride = (kernel_.register_bytes + 63) / 64 * 64;
  w = Warp();
  w.block = b;
  w.first = WARP * number;
  w.live = count == WARP ? ~0u : (1u << count) - 1;
  w.registers = (char *)(((uintptr_t)b->registers.data() + 63) / 64 * 64) + stride * (size_t)number;
  memcpy(w.registers, kernel_.constants.data(), kernel_.constants.size());
  bool wide;
  auto put = [&](Register at, int lane, uint64_t value) {
    if (wide)
      w.lane<uint64_t>(at)[lane] = value;
    else
      w.lane<uint32_t>(at)[lane] = (uint32_t)value;
  };
  for (const auto &s : kernel_.specials)
    for (int i = 0; i < WARP; i++) {
      wide = s.name == "%shared8" || s.name.rfind("%local+", 0) == 0;
      put(s.at, i, special(w, i, s.name));
    }
  wide = true;
  for (const auto &a : kernel_.addresses)
    for (int i = 0; i < WARP; i++)
      put(a.at, i, (uint64_t)(uintptr_t)launch_.arguments.data() + a.offset);
  for (const auto &a : kernel_.variables)
    for (int i = 0; i < WARP; i++)
      put(a.at, i, (uint64_t)(uintptr_t)kernel_.module->memory + a.offset);
  push(w, 0, w.live);
}

void Run::begin_block(Block *b, unsigned number) {
  size_t n = (launch_.block + WARP - 1) / WARP, stride = (kernel_.register_bytes + 63) / 64 * 64;
  b->grid = &grid_;
  b->number = number;
  b->shared.assign((kernel_.static_shared + 15) / 16 * 16 + launch_.shared, (char)0xff);
  b->shared_written.assign(b->shared.size(), 0);
  b->local.assign(local_bytes() * launch_.block, (char)0xff);
  b->registers.resize(n * stride + 64);
  b->warps.resize(n);
  b->n_live = (int)launch_.block;
  b->n_waiting = 0;
  for (size_t k = 0; k < n; k++)
    begin_warp(b, (int)k);
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

/// Lanes go on from an instruction until they wait, end, look at what others write, or come to
/// where others are.
void Run::go_on(Warp &w, Group g) {
  const Instruction *code = kernel_.code.data();
  int others = least_pc(w);
  while (g.lanes) {
    const Instruction &in = code[g.pc];
    uint32_t lanes = g.lanes;
    if (in.guard != NO_REGISTER) {
      uint32_t hold = lanes_that_hold(w.lane<int32_t>(in.guard));
      lanes &= in.guard_negated ? ~hold : hold;
    }
    counts.warp_instructions++;
    counts.lane_instructions += (uint64_t)__builtin_popcount(lanes);
    if (in.kind == Kind::PLAIN) {
      if (lanes)
        in.run(w, in, lanes);
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

void Run::note_meeting(const Warp &w, uint32_t lanes, std::vector<int> *threads) const {
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
      for_lanes(need & w.at_warp, [&](int j) { met |= (uint32_t)(mask(j) == mask(i)) << j; });
      if (met != need)
        continue;
      std::vector<int> threads;
      note_meeting(w, need, &threads);
      w.at_warp &= ~need;
      for_lanes(need, [&](int j) { push(w, w.pc[j] + 1, 1u << j); });
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
    for_lanes(need & w.at_meeting, [&](int j) { met |= (uint32_t)(w.pc[j] == pc) << j; });
    left &= ~need;
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

void Run::all() {
  int of_block = (int)launch_.block;
  if (launch_.cooperative) {
    grid_.workspace = grid_.memory->allocate(256, Place::MODULE);
    memset(grid_.workspace, 0, 256);
    std::vector<Block> blocks(launch_.grid);
    std::vector<Block *> list;
    races_.begin(0, grid_.races ? of_block * (int)launch_.grid : 0);
    for (unsigned k = 0; k < launch_.grid; k++) {
      begin_block(&blocks[k], k);
      list.push_back(&blocks[k]);
    }
    together(list);
    grid_.memory->release(grid_.workspace, Place::MODULE);
    return;
  }
  std::vector<unsigned> order(launch_.grid);
  for (unsigned k = 0; k < launch_.grid; k++)
    order[k] = k;
  if (shuffled_)
    std::shuffle(order.begin(), order.end(), random_);
  Block block;
  for (unsigned k : order) {
    races_.begin((int)k * of_block, grid_.races ? of_block : 0);
    begin_block(&block, k);
    together({&block});
  }
}

} // namespace

void run_launch(const Launch &launch, Memory *memory) {
  counts.launches++;
  Run(launch, memory).all();
}

} // namespace emulator
