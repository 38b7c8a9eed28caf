// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/guard.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// A signaling NaN that no arithmetic makes.
static const uint64_t POISON = UINT64_C(0x7ff4a5a5a5a5a5a5);

enum { ALIGNMENT = 16 };

static size_t page_size(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

/// What can be touched: between the two pages.
static size_t open_bytes(const vb_guard *guard) {
  return guard->map_bytes - 2 * page_size();
}

vb_status vb_guard_make(size_t bytes, vb_guard *out, vb_error *error) {
  size_t page = page_size(), padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  // One byte more than that, so that there is always a margin before the array.
  size_t open = (padded + page) / page * page;
  char *map = MAP_FAILED;
  if (bytes < SIZE_MAX / 2)
    map = mmap(NULL, open + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    return vb_error_memory(error);
  if (mprotect(map + page, open, PROT_READ | PROT_WRITE)) {
    munmap(map, open + 2 * page);
    return vb_error_memory(error);
  }
  *out = (vb_guard){map, open + 2 * page, map + page + open - padded, bytes};
  return VB_OK;
}

void vb_guard_free(vb_guard *guard) {
  if (guard->map)
    munmap(guard->map, guard->map_bytes);
  *guard = (vb_guard){0};
}

/// The poison at an address is that of the words of eight bytes that the page is made of.
static void poison(char *from, const char *to) {
  for (; from < to; from += sizeof POISON)
    memcpy(from, &POISON, sizeof POISON);
}

void vb_guard_poison(vb_guard *guard) {
  char *begin = guard->map + page_size();
  poison(begin, begin + open_bytes(guard));
}

/// Whether byte `at` holds what vb_guard_poison put there.
static bool is_poison(const char *at) {
  return *at == ((const char *)&POISON)[(uintptr_t)at % sizeof POISON];
}

static bool all_poison(const char *from, const char *to) {
  while (from < to && is_poison(from))
    from++;
  return from == to;
}

vb_guard_state vb_guard_check(const vb_guard *guard, size_t *first) {
  const char *begin = guard->map + page_size(), *end = begin + open_bytes(guard);
  if (!all_poison(guard->data + guard->bytes, end))
    return VB_GUARD_BEYOND;
  if (!all_poison(begin, guard->data))
    return VB_GUARD_BEFORE;
  for (size_t i = 0; i < guard->bytes / sizeof POISON; i++)
    if (memcmp(guard->data + i * sizeof POISON, &POISON, sizeof POISON) == 0) {
      *first = i;
      return VB_GUARD_PARTLY;
    }
  return VB_GUARD_WRITTEN;
}

bool vb_guard_untouched(const vb_guard *guard) {
  const char *begin = guard->map + page_size();
  return all_poison(begin, begin + open_bytes(guard));
}

void vb_guard_lock(vb_guard *guard, bool locked) {
  if (guard->map)
    mprotect(guard->map + page_size(), open_bytes(guard),
             locked ? PROT_READ : PROT_READ | PROT_WRITE);
}

int vb_guard_side(const vb_guard *guard, const void *address) {
  uintptr_t at = (uintptr_t)address, map = (uintptr_t)guard->map;
  if (!guard->map || at < map || at >= map + guard->map_bytes)
    return 2;
  if (at < map + page_size())
    return -1;
  return at < map + guard->map_bytes - page_size() ? 0 : 1;
}
