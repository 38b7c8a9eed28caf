// SPDX-License-Identifier: GPL-3.0-or-later
/// Arrays in one block of memory. A function that lays them out runs twice: without a block, to
/// count its bytes, and again to place them.
#ifndef VIPER_CPU_CORE_BLOCK_H
#define VIPER_CPU_CORE_BLOCK_H

#include <stdlib.h>
#include <string.h>

/// Takes `n` elements of `size` bytes from the block at `*at`, from a line of the cache on; counts
/// only where the block is null.
static inline void *viper_take(char *block, size_t *at, size_t n, size_t size) {
  size_t begin = *at;
  *at += (n * size + 63) / 64 * 64;
  return block ? block + begin : NULL;
}

/// Zeros that begin at a line of the cache, with room for another behind them; null without memory.
/// Freed by free.
static inline void *viper_zeroed(size_t size) {
  size_t whole = (size / 64 + 2) * 64; // aligned_alloc takes multiples of the alignment alone
  void *block = aligned_alloc(64, whole);
  if (block)
    memset(block, 0, whole);
  return block;
}

#endif
