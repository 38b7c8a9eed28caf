// SPDX-License-Identifier: GPL-3.0-or-later
/// Blocks and warps as they begin: registers, what special registers hold, shared and local memory.
#include "run.hpp"

#include <algorithm>
#include <cstring>

namespace emulator {

Counts counts;
std::map<std::string, KernelCounts> kernel_counts;

Run::Run(const Launch &launch, Memory *memory)
    : launch_(launch), kernel_(*launch.kernel), races_(kernel_.name),
      lockstep_(settings().schedule != Schedule::LANES),
      shuffled_(settings().schedule != Schedule::LOCKSTEP),
      random_(settings().seed + (unsigned)counts.launches) {
  kernel_.done.resize(kernel_.code.size());
  grid_.launch = &launch;
  grid_.kernel = &kernel_;
  grid_.memory = memory;
  grid_.races = settings().races ? &races_ : nullptr;
}

/// Whether a special register has another value in each lane.
static bool is_of_lane(const std::string &name) {
  return name == "%tid.x" || name.rfind("%lane", 0) == 0 || name.rfind("%local+", 0) == 0;
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
  w = Warp();
  w.block = b;
  w.first = WARP * number;
  w.live = count == WARP ? ~0u : (1u << count) - 1;
  w.registers = registers_of(*b, (size_t)number);
  bool wide;
  auto put = [&](Register at, int lane, uint64_t value) {
    if (wide)
      w.lane<uint64_t>(at)[lane] = value;
    else
      w.lane<uint32_t>(at)[lane] = (uint32_t)value;
  };
  for (const auto &s : kernel_.specials) {
    const bool of_lane = is_of_lane(s.name);
    uint64_t value = special(w, 0, s.name);
    wide = s.name == "%shared8" || s.name.rfind("%local+", 0) == 0;
    for (int i = 0; i < WARP; i++)
      put(s.at, i, of_lane ? special(w, i, s.name) : value);
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

char *Run::registers_of(const Block &b, size_t warp) const {
  size_t stride = (kernel_.register_bytes + 63) / 64 * 64;
  return (char *)(((uintptr_t)b.registers.data() + 63) / 64 * 64) + stride * warp;
}

/// Those of an earlier block of as many warps, or new ones.
void Run::take_registers(Block *b, size_t n_warps) const {
  size_t bytes = (kernel_.register_bytes + 63) / 64 * 64 * n_warps + 64;
  auto &idle = kernel_.idle_registers;
  for (size_t k = 0; k < idle.size(); k++)
    if (idle[k].size() == bytes) {
      b->registers.swap(idle[k]);
      idle[k].swap(idle.back());
      idle.pop_back();
      return;
    }
  b->registers.resize(bytes);
  for (size_t k = 0; k < n_warps; k++)
    memcpy(registers_of(*b, k), kernel_.constants.data(), kernel_.constants.size());
}

void Run::begin_block(Block *b, unsigned number) {
  size_t n = (launch_.block + WARP - 1) / WARP;
  b->grid = &grid_;
  b->number = number;
  b->shared.assign((kernel_.static_shared + 15) / 16 * 16 + launch_.shared, (char)0xff);
  b->shared_written.assign(b->shared.size(), 0);
  b->local.assign(local_bytes() * launch_.block, (char)0xff);
  take_registers(b, n);
  b->warps.resize(n);
  b->n_live = (int)launch_.block;
  b->n_waiting = 0;
  b->barriers = 0;
  for (size_t k = 0; k < n; k++)
    begin_warp(b, (int)k);
  if (clock_device)
    clock_begin(b);
}

/// Adds what the launch has done to its kernel's counts.
void Run::add(const KernelCounts &did) {
  KernelCounts &k = kernel_counts[kernel_.name];
  k.kernel = launch_.kernel;
  k.launches++;
  k.longest += did.longest;
  k.instructions += did.instructions;
  k.barriers += did.barriers;
  k.meetings += grid_.meetings;
  k.sectors += did.sectors;
  k.lines += did.lines;
  k.waves += did.waves;
  k.path += did.path;
  k.of_blocks += did.of_blocks;
  k.issued += did.issued;
  k.grid = std::max(k.grid, launch_.grid);
  k.block = std::max(k.block, launch_.block);
  k.shared = std::max(k.shared, kernel_.static_shared + launch_.shared);
}

/// Adds what a block has done, which has ended; `longest` and `barriers` are those of a launch.
void Run::count(Block &b, KernelCounts *out) const {
  for (const Warp &w : b.warps) {
    out->instructions += w.executed;
    out->longest = std::max(out->longest, w.executed);
  }
  out->barriers = std::max(out->barriers, b.barriers);
  kernel_.idle_registers.push_back(std::move(b.registers));
  b.registers = {};
  if (!clock_device)
    return;
  clock_barrier(&b, 0);
  out->sectors += b.clock.sectors;
  out->lines += b.clock.lines;
  out->waves += b.clock.waves;
  out->of_blocks += b.clock.begun;
  out->issued += b.clock.issued;
  out->path = std::max(out->path, b.clock.begun);
}

void Run::all() {
  KernelCounts did;
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
    for (Block &b : blocks)
      count(b, &did);
    if (clock_device)
      did.path = clock_longest(blocks);
    return add(did);
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
    count(block, &did);
  }
  add(did);
}

void run_launch(const Launch &launch, Memory *memory) {
  counts.launches++;
  Run(launch, memory).all();
}

} // namespace emulator
