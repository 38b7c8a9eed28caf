// SPDX-License-Identifier: GPL-3.0-or-later
#include "clock.hpp"

#include "machine.hpp"

#include <algorithm>

namespace emulator {

const Timing *clock_device;
Sectors clock_footprint;

namespace {

/// Bytes that a bank of shared memory gives at once, and banks; bytes of a line of code, and of an
/// instruction.
constexpr uint64_t WORD = 4, BANKS = 32, LINE = 128, CODE = 16;

/// Schedulers of a multiprocessor.
constexpr uint64_t SCHEDULERS = 4;

/// Bytes of a line of the first-level cache, of which it looks up one in a cycle; and of what goes
/// between it and the second-level cache in a cycle (Jia et al. 2018), which a lookup waits for.
/// Derived from kernels of one block on an H200, which take about the sum of both
/// (bench/README.md); bench/latencies.cu measures each alone.
constexpr uint64_t CACHE_LINE = 128, WIDTH = 64;

/// Registers are where their 32 values begin: at multiples of this.
constexpr int REGISTER = WARP * 4;

uint64_t *ready_of(Warp *w, Register r) {
  return r == NO_REGISTER ? nullptr : &w->clock.ready[(size_t)(r / REGISTER)];
}

int latency(const Cost &c) {
  return c.plain_chain * clock_device->plain + c.double_chain * clock_device->in_double +
         c.special_chain * clock_device->special;
}

int busy(const Cost &c) {
  return c.plain + c.in_double * clock_device->double_interval +
         c.special * clock_device->special_interval;
}

/// When all instructions so far are issued.
uint64_t issued_by(const WarpClock &c) {
  return std::max(c.now + c.taken, c.last);
}

/// Code that fits stays between launches. The next line comes while this one is executed. A line
/// that is jumped to does not; it comes from the second-level cache with its latency, and from the
/// multiprocessor's own cache is taken to be as near as the next line.
void fetch(Warp *w, const Instruction &in) {
  WarpClock &c = w->clock;
  BlockClock &b = w->block->clock;
  int line = (int)(in.code / LINE), last = c.line;
  if (line == last)
    return;
  bool first = b.first.has((size_t)line), here = b.all.has((size_t)line), next = line == last + 1;
  uint64_t wait = 0, now = issued_by(c);
  if (!here)
    wait = (uint64_t)(next ? clock_device->far_line : clock_device->from_second);
  else if (!first)
    wait = (uint64_t)clock_device->kept_line;
  uint64_t there = next ? c.line_began + LINE / CODE + wait : now + wait;
  if (wait > 0 && there > now)
    c.now += there - now;
  c.line = line;
  c.line_began = std::max(now, wait > 0 ? there : 0);
}

/// Different units of memory that lanes access, in rising order.
class Units {
public:
  /// Of `bytes` bytes, at least a word.
  Units(const Touch *touch, int n, uint64_t bytes) {
    bool sorted = true;
    for (int k = 0; k < n; k++)
      for (uint64_t at = touch[k].number / bytes; at * bytes < touch[k].number + touch[k].bytes;
           at++) {
        if (n_ > 0 && unit_[n_ - 1] == at)
          continue;
        sorted &= n_ == 0 || unit_[n_ - 1] < at;
        unit_[n_++] = at;
      }
    if (sorted)
      return;
    std::sort(unit_, unit_ + n_);
    n_ = (size_t)(std::unique(unit_, unit_ + n_) - unit_);
  }
  const uint64_t *begin() const { return unit_; }
  const uint64_t *end() const { return unit_ + n_; }

private:
  enum { WORDS = 8 };                 ///< that a lane accesses at most
  uint64_t unit_[WARP * (WORDS + 1)]; ///< what is not aligned is in one more
  size_t n_ = 0;
};

/// Accesses of shared memory, in each of which a bank gives one word.
int waves_of(const Touch *touch, int n) {
  const Units words(touch, n, WORD);
  int of_bank[BANKS] = {0};
  int most = 1;
  for (uint64_t at : words)
    most = std::max(most, ++of_bank[at % BANKS]);
  return most;
}

/// Counts different blocks of `bytes` bytes among sectors, which come in rising order.
struct BlockCount {
  uint64_t bytes, n = 0, last = UINT64_MAX;

  void add(uint64_t sector) {
    uint64_t block = sector * SECTOR / bytes;
    n += block != last;
    last = block;
  }
};

/// Of an access of global memory: its latency, and for how many cycles it keeps the first-level
/// cache busy, which looks up a line in each, and passes on what it lacks.
int latency_of_sectors(Warp *w, const Instruction &in, const Touch *touch, int n, bool store,
                       uint64_t *cycles) {
  BlockClock &b = w->block->clock;
  BlockCount looked_up = {CACHE_LINE}, passed_on = {WIDTH};
  size_t room = (clock_device->cache - w->block->shared.size()) / SECTOR;
  for (uint64_t at : Units(touch, n, SECTOR)) {
    if (b.cached.size() >= room)
      b.cached.clear();
    bool is_new = b.cached.insert(at), there = !is_new && in.order == Order::WEAK && !store;
    looked_up.add(at);
    if (!there) {
      b.sectors++;
      passed_on.add(at);
    }
    if (is_new) // what was cached was accessed before
      clock_footprint.insert(at);
  }
  uint64_t lines = looked_up.n, moved = passed_on.n;
  b.lines += lines;
  *cycles = lines + moved;
  int first = store ? 1 : moved > 0 ? clock_device->from_second : clock_device->from_first;
  return first + (int)(lines - 1) + (int)(moved > 0 ? moved - 1 : 0);
}

/// Whether no instruction may be moved across it.
bool ends_block(const Instruction &in) {
  return in.kind != Kind::PLAIN && in.kind != Kind::VOTE && in.kind != Kind::SHUFFLE &&
         in.kind != Kind::MATCH;
}

/// All instructions so far are issued; those that follow begin no earlier than at `least`.
void begin_part(WarpClock *c, uint64_t least) {
  c->now = std::max(issued_by(*c), least);
  c->taken = 0;
  c->last = c->now;
}

uint64_t mixed(uint64_t x) {
  return (x * 0x9e3779b97f4a7c15u) >> 20;
}

} // namespace

bool Sectors::insert(uint64_t sector) {
  if (2 * n_ >= slots_.size())
    grow();
  size_t mask = slots_.size() - 1, at = mixed(sector) & mask;
  for (; slots_[at]; at = (at + 1) & mask)
    if (slots_[at] == sector)
      return false;
  slots_[at] = sector;
  n_++;
  return true;
}

void Sectors::clear() {
  std::fill(slots_.begin(), slots_.end(), 0);
  n_ = 0;
}

void Sectors::grow() {
  std::vector<uint64_t> old(std::max<size_t>(1024, 2 * slots_.size()), 0);
  old.swap(slots_);
  n_ = 0;
  for (uint64_t sector : old)
    if (sector)
      insert(sector);
}

void CodeCache::reset(size_t bytes, size_t code) {
  room_ = bytes / LINE;
  if (code > bytes)
    fetched_.assign(code / LINE + 1, 0);
}

bool CodeCache::has(size_t line) {
  if (fetched_.empty() || (fetched_[line] != 0 && fetches_ - fetched_[line] < room_))
    return true;
  fetched_[line] = ++fetches_;
  return false;
}

void clock_begin(Block *b) {
  const Kernel &k = *b->grid->kernel;
  b->clock = {};
  b->clock.first.reset(clock_device->first_code, k.code_bytes);
  b->clock.all.reset(clock_device->code, k.code_bytes);
  for (Warp &w : b->warps) {
    w.clock = {};
    w.clock.ready.assign(k.register_bytes / REGISTER + 2, 0);
  }
}

void clock_issue(Warp *w, const Instruction &in) {
  WarpClock &c = w->clock;
  fetch(w, in);
  uint64_t from = c.now;
  for (Register r : in.src)
    if (const uint64_t *at = ready_of(w, r))
      from = std::max(from, *at);
  if (const uint64_t *at = ready_of(w, in.predicate))
    from = std::max(from, *at);
  int issue = busy(in.cost), later = latency(in.cost);
  if (in.kind == Kind::VOTE || in.kind == Kind::SHUFFLE || in.kind == Kind::MATCH)
    later = clock_device->shuffle;
  c.at = from;
  c.memory = 0;
  for (Register r : in.dst)
    if (uint64_t *at = ready_of(w, r))
      *at = from + (uint64_t)later;
  c.taken += (uint64_t)issue;
  c.issued += (uint64_t)issue;
  if (issue > 0) // of a move it is the next reader that waits
    c.last = std::max(c.last, from + 1);
  if (ends_block(in))
    begin_part(&c, 0);
}

void clock_touch(Warp *w, const Instruction &in, const Touch *touch, int n, bool store) {
  if (n == 0)
    return;
  WarpClock &c = w->clock;
  uint64_t cycles = 1;
  c.at = std::max({c.at, c.port, c.stored, store ? c.loaded : 0});
  (store ? c.stored : c.loaded) = c.at;
  c.last = std::max(c.last, c.at + 1);
  if (touch[0].number >> 48) {
    int waves = waves_of(touch, n);
    w->block->clock.waves += (uint64_t)waves;
    c.memory = clock_device->from_shared + waves - 1;
    cycles = (uint64_t)waves;
  } else {
    c.memory = latency_of_sectors(w, in, touch, n, store, &cycles);
  }
  c.port = c.at + cycles;
  w->block->clock.accessed += cycles;
}

void clock_end(Warp *w, const Instruction &in) {
  WarpClock &c = w->clock;
  if (c.memory == 0)
    return;
  for (Register r : in.dst)
    if (uint64_t *at = ready_of(w, r))
      *at = c.at + (uint64_t)c.memory;
}

void clock_barrier(Block *b, int cycles) {
  BlockClock &c = b->clock;
  uint64_t end = c.begun, issued = 0;
  for (Warp &w : b->warps) {
    begin_part(&w.clock, 0);
    end = std::max(end, w.clock.now);
    issued += w.clock.issued;
  }
  end = std::max({end, c.begun + issued / SCHEDULERS, c.begun + c.accessed}) + (uint64_t)cycles;
  for (Warp &w : b->warps) {
    begin_part(&w.clock, end);
    w.clock.issued = 0;
  }
  c.begun = end;
  c.accessed = 0;
  c.issued += issued;
}

void clock_return(Warp *w, const Instruction &in, uint64_t now) {
  WarpClock &c = w->clock;
  c.now = c.last = now;
  c.taken = 0;
  for (Register r : in.dst)
    if (uint64_t *at = ready_of(w, r))
      *at = now + (uint64_t)clock_device->from_second;
}

void clock_meet(Warp *w) {
  begin_part(&w->clock, 0);
  w->block->clock.meetings.push_back(w->clock.now);
  w->block->clock.cached.clear();
}

uint64_t clock_longest(const std::vector<Block> &blocks) {
  uint64_t sum = 0;
  size_t n = blocks.empty() ? 0 : blocks[0].clock.meetings.size();
  for (size_t part = 0; part <= n; part++) {
    uint64_t longest = 0;
    for (const Block &b : blocks) {
      uint64_t begin = part > 0 ? b.clock.meetings[part - 1] : 0,
               end = part < n ? b.clock.meetings[part] : b.clock.begun;
      longest = std::max(longest, end - begin);
    }
    sum += longest;
  }
  return sum;
}

} // namespace emulator
