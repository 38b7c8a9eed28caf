// SPDX-License-Identifier: GPL-3.0-or-later
/// Blocks and warps as they begin: registers, what special registers hold, shared and local memory.
#include "run.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>

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

/// What a special register holds in a lane.
using Special = uint64_t (*)(const Warp &w, int lane);

/// Where shared memory begins that the launch gives a size.
static size_t dynamic_shared(const Kernel &k) {
  return (k.static_shared + 15) / 16 * 16;
}

/// That of a register by its name; null where the emulator does not know it.
static Special special(const std::string &name) {
#define SPECIAL(NAME, VALUE)                                                                       \
  {                                                                                                \
    NAME, [](const Warp &w, int lane) { return (void)w, (void)lane, (uint64_t)(VALUE); }           \
  }
  static const std::unordered_map<std::string, Special> all = {
      SPECIAL("%tid.x", w.first + lane),
      SPECIAL("%tid.y", 0),
      SPECIAL("%tid.z", 0),
      SPECIAL("%ntid.x", w.block->grid->launch->block),
      SPECIAL("%ntid.y", 1),
      SPECIAL("%ntid.z", 1),
      SPECIAL("%ctaid.x", w.block->number),
      SPECIAL("%ctaid.y", 0),
      SPECIAL("%ctaid.z", 0),
      SPECIAL("%nctaid.x", w.block->grid->launch->grid),
      SPECIAL("%nctaid.y", 1),
      SPECIAL("%nctaid.z", 1),
      SPECIAL("%laneid", lane),
      SPECIAL("%warpid", w.first / WARP),
      SPECIAL("%lanemask_eq", 1ull << lane),
      SPECIAL("%lanemask_lt", (1ull << lane) - 1),
      SPECIAL("%lanemask_le", (2ull << lane) - 1),
      SPECIAL("%lanemask_gt", ~((2ull << lane) - 1) & 0xffffffff),
      SPECIAL("%lanemask_ge", ~((1ull << lane) - 1) & 0xffffffff),
      SPECIAL("%envreg1", (uint64_t)(uintptr_t)w.block->grid->workspace >> 32),
      SPECIAL("%envreg2", (uint64_t)(uintptr_t)w.block->grid->workspace & 0xffffffff),
      SPECIAL("%shared", dynamic_shared(*w.block->grid->kernel)),
      SPECIAL("%shared8", dynamic_shared(*w.block->grid->kernel))};
#undef SPECIAL
  auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

template <class T, class F> static void fill(Warp *w, Register at, F of) {
  for (int i = 0; i < WARP; i++)
    w->lane<T>(at)[i] = (T)of(i);
}

/// Registers that hold something before the first instruction, but for constants.
void Run::fill_registers(Warp *w) const {
  for (const auto &s : kernel_.specials) {
    if (s.name.rfind("%local+", 0) == 0) {
      const uint64_t begin =
          (uint64_t)(uintptr_t)w->block->local.data() + strtoull(s.name.c_str() + 7, nullptr, 10);
      fill<uint64_t>(w, s.at,
                     [&](int i) { return begin + (size_t)(w->first + i) * local_bytes(); });
      continue;
    }
    const Special of = special(s.name);
    if (!of)
      throw Fault("the register " + s.name + ", which the emulator does not know, in " +
                  kernel_.name);
    if (s.name == "%shared8")
      fill<uint64_t>(w, s.at, [&](int i) { return of(*w, i); });
    else
      fill<uint32_t>(w, s.at, [&](int i) { return of(*w, i); });
  }
  auto fill_addresses = [&](const std::vector<Kernel::Address> &list, const char *begin) {
    for (const auto &a : list)
      fill<uint64_t>(w, a.at, [&](int) { return (uint64_t)(uintptr_t)begin + a.offset; });
  };
  fill_addresses(kernel_.addresses, launch_.arguments.data());
  fill_addresses(kernel_.variables, kernel_.module->memory);
}

void Run::begin_warp(Block *b, int number) {
  Warp &w = b->warps[(size_t)number];
  int count = std::min((int)WARP, (int)launch_.block - WARP * number);
  w = Warp();
  w.block = b;
  w.first = WARP * number;
  w.live = count == WARP ? ~0u : (1u << count) - 1;
  w.registers = registers_of(*b, (size_t)number);
  fill_registers(&w);
  push(w, 0, w.live);
}

char *Run::registers_of(const Block &b, size_t warp) const {
  size_t stride = (kernel_.register_bytes + 63) / 64 * 64;
  return (char *)(((uintptr_t)b.registers.at.get() + 63) / 64 * 64) + stride * warp;
}

/// Those of an earlier block of as many warps, or new ones.
void Run::take_registers(Block *b, size_t n_warps) const {
  size_t bytes = (kernel_.register_bytes + 63) / 64 * 64 * n_warps + 64;
  auto &idle = kernel_.idle_registers;
  for (size_t k = 0; k < idle.size(); k++)
    if (idle[k].bytes == bytes) {
      std::swap(b->registers, idle[k]);
      std::swap(idle[k], idle.back());
      idle.pop_back();
      return;
    }
  b->registers.at.reset((char *)calloc(bytes, 1));
  b->registers.bytes = bytes;
  if (!b->registers.at)
    throw std::bad_alloc();
  for (size_t k = 0; k < n_warps; k++)
    for (const Kernel::Constant &c : kernel_.constants)
      if (c.bytes == 8)
        std::fill_n((uint64_t *)(registers_of(*b, k) + c.at), (int)WARP, c.value);
      else
        std::fill_n((uint32_t *)(registers_of(*b, k) + c.at), (int)WARP, (uint32_t)c.value);
}

void Run::begin_block(Block *b, unsigned number) {
  size_t n = (launch_.block + WARP - 1) / WARP;
  b->grid = &grid_;
  b->number = number;
  b->shared.assign(dynamic_shared(kernel_) + launch_.shared, (char)0xff);
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
