// SPDX-License-Identifier: GPL-3.0-or-later
/// What kernels have done in the emulator, for "viperbench bench --count".
#include "bench/kernel_counts.h"

#include "emulator/emulator.h"
#include "emulator/runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>

using namespace emulator;

namespace {

void erase_all(std::string *text, const std::string &what) {
  for (size_t at; (at = text->find(what)) != std::string::npos;)
    text->erase(at, what.size());
}

/// The name of a kernel as a word: "step<float,1>" of "void (anonymous namespace)::step<float,
/// (method)1>(..)"; without the arguments of a library's templates.
std::string plain_name(const std::string &mangled) {
  int status = 0;
  char *text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = text ? text : mangled;
  free(text);
  bool library = name.find("cub::") != std::string::npos;
  erase_all(&name, "(anonymous namespace)::");
  // Casts stand among arguments of templates; parameters of the function begin outside of these.
  std::string word;
  int depth = 0;
  for (size_t k = 0; k < name.size() && (name[k] != '(' || depth > 0); k++) {
    depth += name[k] == '<';
    if (name[k] == '(')
      k = name.find(')', k);
    else if (depth == 0 && (name[k] == ' ' || name[k] == ':'))
      word.clear();
    else if (name[k] != ' ' && !(library && depth > 0))
      word += name[k];
    depth -= name[k] == '>';
  }
  return word;
}

} // namespace

void vb_kernel_counts_device(const vb_device_model *d) {
  static Timing timing;
  timing = {
      d->cache,           d->first_code,       d->code,        d->plain,      d->in_double,
      d->special,         d->shuffle,          d->from_shared, d->from_first, d->from_second,
      d->double_interval, d->special_interval, d->kept_line,   d->far_line,   d->block_barrier,
      d->warp_barrier};
  emulator_device(d->multiprocessors, d->threads, d->shared);
  clock_device = &timing;
}

void vb_kernel_counts_reset(void) {
  kernel_counts.clear();
  clock_footprint.clear();
}

double vb_kernel_counts_bytes(void) {
  return (double)clock_footprint.size() * VB_SECTOR;
}

size_t vb_kernel_counts_read(vb_kernel_count *out, size_t capacity) {
  size_t n = 0;
  for (const auto &[name, k] : kernel_counts) {
    if (n < capacity) {
      vb_kernel_count &c = out[n];
      c = {};
      snprintf(c.name, sizeof c.name, "%s", plain_name(name).c_str());
      c.launches = (double)k.launches;
      c.longest = (double)k.longest;
      c.instructions = (double)k.instructions;
      c.barriers = (double)k.barriers;
      c.grid_barriers = (double)k.meetings;
      c.sectors = (double)k.sectors;
      c.lines = (double)k.lines;
      c.waves = (double)k.waves;
      c.path = (double)k.path;
      c.of_blocks = (double)k.of_blocks;
      c.busy = (double)k.issued;
      c.registers = k.kernel->registers;
      c.grid = (int)k.grid;
      c.block = (int)k.block;
      c.resident =
          blocks_of_multiprocessor(*k.kernel, (int)k.block, k.shared - k.kernel->static_shared);
    }
    n++;
  }
  return n;
}
