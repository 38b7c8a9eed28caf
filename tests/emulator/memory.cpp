// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory.hpp"

#include <cstdlib>
#include <cstring>

namespace emulator {

/// Freed memory that is kept, so that use after free is seen.
constexpr size_t FREED_MOST = (size_t)256 << 20;

Memory::~Memory() {
  for (auto &a : live_)
    free(a.second.base);
  for (Allocation &a : freed_)
    free(a.base);
}

char *Memory::allocate(size_t bytes, Place place) {
  bool on_device = place == Place::DEVICE || place == Place::MANAGED;
  if (on_device && used + bytes > limit)
    return nullptr;
  char *base = static_cast<char *>(aligned_alloc(256, (bytes + 511) / 256 * 256));
  if (!base)
    return nullptr;
  memset(base, 0xff, bytes);
  Allocation a = {base, bytes, place, {}};
  if (place == Place::DEVICE)
    a.written.assign(bytes, 0);
  if (on_device)
    used += bytes;
  live_[(uintptr_t)base] = std::move(a);
  return base;
}

void Memory::drop() {
  std::vector<std::pair<void *, Place>> all;
  for (const auto &[base, a] : live_)
    if (a.place != Place::MODULE)
      all.push_back({a.base, a.place});
  for (const auto &[base, place] : all)
    release(base, place);
}

bool Memory::release(void *base, Place place) {
  auto found = live_.find((uintptr_t)base);
  bool same =
      found != live_.end() && (found->second.place == place ||
                               (place == Place::DEVICE && found->second.place == Place::MANAGED));
  if (!same)
    return false;
  if (place == Place::DEVICE)
    used -= found->second.bytes;
  freed_bytes_ += found->second.bytes;
  found->second.written = {};
  freed_.push_back(std::move(found->second));
  live_.erase(found);
  for (; freed_bytes_ > FREED_MOST; freed_.pop_front()) {
    freed_bytes_ -= freed_.front().bytes;
    free(freed_.front().base);
  }
  return true;
}

Allocation *Memory::find(const void *at, size_t bytes) {
  auto next = live_.upper_bound((uintptr_t)at);
  if (next == live_.begin())
    return nullptr;
  Allocation *a = &std::prev(next)->second;
  return (uintptr_t)at + bytes <= (uintptr_t)a->base + a->bytes ? a : nullptr;
}

void Memory::wrote(const void *at, size_t bytes) {
  Allocation *a = find(at, bytes);
  if (a && !a->written.empty())
    memset(&a->written[(size_t)((const char *)at - a->base)], 1, bytes);
}

void Memory::copied(const void *to, const void *from, size_t bytes) {
  Allocation *a = find(to, bytes), *b = find(from, bytes);
  if (!a || a->written.empty() || bytes == 0)
    return;
  if (!b || b->written.empty())
    return wrote(to, bytes);
  memmove(&a->written[(size_t)((const char *)to - a->base)],
          &b->written[(size_t)((const char *)from - b->base)], bytes);
}

const char *Memory::trouble(const void *at) const {
  for (const Allocation &a : freed_)
    if ((const char *)at >= a.base && (const char *)at < a.base + a.bytes)
      return "memory that was freed";
  return "memory outside of every allocation";
}

size_t Memory::leaked(size_t *n) const {
  size_t bytes = 0;
  *n = 0;
  for (const auto &a : live_)
    if (a.second.place != Place::MODULE) {
      bytes += a.second.bytes;
      ++*n;
    }
  return bytes;
}

} // namespace emulator
