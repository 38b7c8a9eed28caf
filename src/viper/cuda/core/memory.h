// SPDX-License-Identifier: GPL-3.0-or-later
/// Layout of a block of device memory: the same functions first count its bytes, without memory,
/// and then write it.
#ifndef VIPER_CUDA_CORE_MEMORY_H
#define VIPER_CUDA_CORE_MEMORY_H

#include <stddef.h>
#include <string.h>

/// Where the device will have the block, and its copy on the host (null while bytes are counted).
typedef struct viper_memory {
  char *host, *base;
  size_t at;
} viper_memory;

/// The block that the device will have at `base`, written at `host`; null where the device alone
/// writes it.
static inline viper_memory viper_memory_at(char *host, char *base) {
  return (viper_memory){host, base, 0};
}

/// Room for `n` elements of `size` bytes; the pointer at `host` becomes where they are written, or
/// null. Returns where the device has them.
static inline void *viper_memory_reserve(viper_memory *b, size_t n, size_t size, void *host) {
  size_t begin = (b->at + 63) / 64 * 64;
  b->at = begin + n * size;
  char *here = b->host ? b->host + begin : NULL;
  memcpy(host, &here, sizeof here);
  return b->base ? b->base + begin : NULL;
}

/// Room that only the device writes.
static inline void *viper_memory_room(viper_memory *b, size_t n, size_t size) {
  void *none;
  return viper_memory_reserve(b, n, size, &none);
}

/// A copy of an array.
static inline void *viper_memory_copy(viper_memory *b, const void *from, size_t n, size_t size) {
  char *host;
  void *at = viper_memory_reserve(b, n, size, &host);
  if (host && n > 0) // what there is nothing of may be null
    memcpy(host, from, n * size);
  return at;
}

#endif
