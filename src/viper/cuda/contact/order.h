// SPDX-License-Identifier: GPL-3.0-or-later
/// Phase functions of one cooperative group that put contacts in order: by their segments, as the
/// CPU finds them, and by their colors. Both are counting sorts. Contacts of the same first segment
/// are few: each counts those before it. Those of a color stay in the order of their segments.
#ifndef VIPER_CUDA_CONTACT_ORDER_H
#define VIPER_CUDA_CONTACT_ORDER_H

#include "viper/cuda/contact/device.h"
#include "viper/cuda/core/access_coop.h"

/// Lanes that add up numbers by shuffles, and that count contacts of a color together.
#ifdef __CUDA_ARCH__
#define VIPER_ORDER_LANES VIPER_WARP
#else
#define VIPER_ORDER_LANES 1
#endif

/// The sum of `own` of this lane and of those before it; and that of all lanes.
VIPER_FN int32_t viper_lanes_before(int32_t own) {
#ifdef __CUDA_ARCH__
  const int32_t lane = (int32_t)(threadIdx.x % VIPER_WARP);
  VIPER_UNROLL for (int32_t d = 1; d < VIPER_WARP; d *= 2) {
    const int32_t before = __shfl_up_sync(VIPER_WARP_MASK, own, (unsigned)d);
    own += lane >= d ? before : 0;
  }
#endif
  return own;
}

VIPER_FN int32_t viper_lanes_sum(int32_t own) {
#ifdef __CUDA_ARCH__
  VIPER_UNROLL for (int32_t d = 1; d < VIPER_WARP; d *= 2) own +=
      __shfl_xor_sync(VIPER_WARP_MASK, own, d);
#endif
  return own;
}

/// A cooperative group puts in place of each of `n` numbers the sum of those before it. `sum` has
/// room for one of each warp that has any: n / VIPER_ORDER_LANES + 1.
VIPER_FN void viper_sum_before(const viper_coop_thread *thread, int32_t *x, int32_t n,
                               int32_t *sum) {
  const int32_t each = (n + thread->size - 1) / thread->size;
  const int32_t warp = thread->rank / VIPER_ORDER_LANES, lane = thread->rank % VIPER_ORDER_LANES;
  const bool has_any = warp * VIPER_ORDER_LANES * each < n;
  int32_t own = 0, before = 0;
  for (int32_t k = each * thread->rank; k < n && k < each * (thread->rank + 1); k++)
    own += x[k];
  const int32_t with_own = viper_lanes_before(own);
  if (has_any && lane == VIPER_ORDER_LANES - 1)
    sum[warp] = with_own;
  viper_coop_sync(thread);
  for (int32_t k = lane; has_any && k < warp; k += VIPER_ORDER_LANES)
    before += sum[k];
  before = viper_lanes_sum(before) + with_own - own;
  for (int32_t k = each * thread->rank; k < n && k < each * (thread->rank + 1); k++) {
    const int32_t of = x[k];
    x[k] = before;
    before += of;
  }
  viper_coop_sync(thread);
}

/// The first segment of a contact, by its key.
VIPER_FN int32_t viper_touch_segment(const viper_contact_device *c, uint64_t key) {
  return (int32_t)(key >> 1 >> c->number_bits);
}

/// A cooperative group puts contacts in the order of their keys; none has a color yet.
VIPER_FN void viper_contact_sort(const viper_contact_device *c, const viper_coop_thread *thread) {
  const int32_t n = c->count->n_touches;
  viper_sum_before(thread, c->first_touch, c->n_segments + 1, c->order_sum);
  for (int32_t k = thread->rank; k < n; k += thread->size) {
    const viper_touch_key t = c->key[k];
    const viper_touch_key here = {t.key, k};
    c->by_segment[c->first_touch[viper_touch_segment(c, t.key)] + t.number] = here;
  }
  viper_coop_sync(thread);
  for (int32_t k = thread->rank; k < n; k += thread->size) {
    const viper_touch_key t = c->by_segment[k];
    const int32_t *first = &c->first_touch[viper_touch_segment(c, t.key)];
    int32_t r = first[0];
    for (int32_t other = first[0], end = first[1]; other < end; other++)
      r += c->by_segment[other].key < t.key;
    c->sorted[r] = t;
    c->color[r] = VIPER_UNCOLORED;
  }
  viper_coop_sync(thread);
}

/// Lanes of the warp with this color.
VIPER_FN uint32_t viper_lanes_of_color(uint32_t color) {
#ifdef __CUDA_ARCH__
  return __match_any_sync(VIPER_WARP_MASK, color);
#else
  (void)color;
  return 1;
#endif
}

VIPER_FN int32_t viper_count_bits(uint32_t x) {
#ifdef __CUDA_ARCH__
  return __popc(x);
#else
  return __builtin_popcount(x);
#endif
}

VIPER_FN void viper_lanes_sync(void) {
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

/// A warp counts the contacts of a chunk by their colors at `of_color`, from color to color
/// `chunks` numbers away; with `places` it adds to where they begin, and notes which contact is
/// where.
VIPER_FN void viper_count_chunk(const viper_contact_device *c, int32_t first, int32_t lane,
                                int32_t *of_color, int32_t chunks, bool places) {
  const int32_t n = c->count->n_touches;
  for (int32_t r = first + lane; r < first + lane + VIPER_CHUNK_CONTACTS; r += VIPER_ORDER_LANES) {
    const uint32_t color = r < n ? c->color[r] : VIPER_UNCOLORED;
    const uint32_t same = viper_lanes_of_color(color);
    const int32_t before = viper_count_bits(same & (((uint32_t)1 << lane) - 1));
    int32_t *at = &of_color[(r < n ? (int32_t)color : 0) * chunks];
    if (places && r < n) {
      const viper_touch_numbers place = {r, (int32_t)c->sorted[r].number};
      c->order[*at + before] = place;
    }
    viper_lanes_sync(); // all have read
    if (r < n && before == 0)
      *at += viper_count_bits(same);
    viper_lanes_sync();
  }
}

VIPER_FN void viper_count_colors(const viper_contact_device *c, const viper_coop_thread *thread,
                                 int32_t *of_color, int32_t chunks, bool places) {
  const int32_t lane = thread->rank % VIPER_ORDER_LANES;
  for (int32_t k = thread->rank / VIPER_ORDER_LANES; k < chunks;
       k += thread->size / VIPER_ORDER_LANES)
    viper_count_chunk(c, k * VIPER_CHUNK_CONTACTS, lane, of_color + k, chunks, places);
  viper_coop_sync(thread);
}

/// A cooperative group orders contacts by their colors, and notes where each begins and ends.
/// `memory` is `bytes` of its own, or null.
VIPER_FN void viper_contact_sort_colors(const viper_contact_device *c,
                                        const viper_coop_thread *thread, void *memory,
                                        size_t bytes) {
  const int32_t n = c->count->n_touches, chunks = viper_color_parts(n);
  const bool near = memory && (size_t)VIPER_ALL_COLORS * (size_t)chunks * sizeof(int32_t) <= bytes;
  int32_t *of_color = near ? (int32_t *)memory : c->of_color;
  viper_coop_sync(thread); // contacts have colors; `memory` is free
  for (int32_t k = thread->rank; k < VIPER_ALL_COLORS * chunks; k += thread->size)
    of_color[k] = 0;
  viper_coop_sync(thread);
  viper_count_colors(c, thread, of_color, chunks, false);
  viper_sum_before(thread, of_color, VIPER_ALL_COLORS * chunks, c->order_sum);
  for (int32_t color = thread->rank; color < VIPER_ALL_COLORS; color += thread->size) {
    c->count->color_first[color] = of_color[color * chunks];
    c->count->color_end[color] = color + 1 < VIPER_ALL_COLORS ? of_color[(color + 1) * chunks] : n;
  }
  viper_coop_sync(thread);
  viper_count_colors(c, thread, of_color, chunks, true);
}

#endif
