// SPDX-License-Identifier: GPL-3.0-or-later
/// After the last pass over contacts on a device: friction that does work is taken back in rounds,
/// then what velocities do not count is found, and what contacts leave to the next substep kept.
#ifndef VIPER_CUDA_CONTACT_SETTLE_H
#define VIPER_CUDA_CONTACT_SETTLE_H

#include "viper/cuda/contact/passes.h"

/// Contacts whose friction was taken back in a round, up to which one block does the rounds that
/// follow.
#define VIPER_FEW_WORKING 400

/// The threads of a warp for which something is true, as bits. What they read to know it is written
/// only after that.
VIPER_FN uint32_t viper_warp_bits(bool is) {
#ifdef __CUDA_ARCH__
  __syncwarp();
  return __ballot_sync(VIPER_WARP_MASK, is);
#else
  return is;
#endif
}

/// The place of bit number `n` of those that are set in `bits`; -1 where there are fewer.
VIPER_FN int viper_bit_number(uint32_t bits, int n) {
  for (int k = 0; k < n; k++)
    bits &= bits - 1;
#ifdef __CUDA_ARCH__
  return bits ? (int)__popc(~bits & (bits - 1)) : -1;
#else
  return bits ? __builtin_ctz(bits) : -1;
#endif
}

/// A group takes back friction of the contacts [first, end) of a color. The threads of a warp look
/// for contacts that are not at ease, which its quads visit: in a grid so few contacts that each
/// quad has one, in a block as many as there are threads, because few are not at ease.
VIPER_FN int viper_contact_ease_range(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *group, int32_t first, int32_t end,
                                      int color, int round) {
  const int lane = group->rank % VIPER_QUAD, quads = VIPER_LOOK / VIPER_QUAD,
            of_warp = group->rank % VIPER_LOOK, quad = of_warp / VIPER_QUAD;
  const int32_t look = group->scope == VIPER_SYNC_DEVICE ? quads : VIPER_LOOK;
  int eased = 0;
  for (int32_t k = first + group->rank / VIPER_LOOK * look; k < end;
       k += group->size / VIPER_LOOK * look) {
    const int32_t own = k + of_warp;
    uint32_t due =
        viper_warp_bits(of_warp < look && own < end && !viper_contact_at_ease(c, w, own, round));
    for (int at = viper_bit_number(due, 0); at >= 0; at = viper_bit_number(due, 0)) {
      const int which = viper_bit_number(due, quad);
      viper_quad_touch now;
      if (which >= 0) {
        viper_quad_read(c, k + which, lane, &now);
        eased += viper_quad_visit<VIPER_CONTACT_EASE>(c, w, k + which, lane, &now, color, round);
      }
      for (int n = 0; n < quads; n++)
        due &= due - 1;
    }
  }
  return eased;
}

/// The colors in which friction may do work in a round; all of them in the first.
VIPER_FN uint64_t viper_colors_to_ease(const viper_contact_device *c, int round) {
  return round > 0 ? viper_now(&c->count->to_ease[round]) : UINT64_MAX;
}

/// A group takes back friction of the contacts between capsules that does work, color by color,
/// where colors are due. Returns at how many of the thread's it did.
VIPER_FN int viper_contact_ease_colors(const viper_contact_device *c,
                                       const viper_contact_workspace *w,
                                       const viper_color_bounds *bounds,
                                       const viper_coop_thread *thread, int round) {
  viper_coop_thread group = *thread;
  int eased = 0;
  bool goes_on = true;
  // A color is looked up before any contact of it, or of a later one, is visited.
  uint64_t due = viper_colors_to_ease(c, round);
  for (int color = 0; color < VIPER_TOUCH_COLORS && due >> color > 0; color++) {
    if (!(due >> color & 1))
      continue;
    const viper_color_range of = viper_color_range_of(bounds, color);
    if (of.end == of.first)
      break;
    if (viper_contact_is_left(&group, of.end - of.first) &&
        !(goes_on = viper_contact_by_block(&group)))
      break;
    eased += viper_contact_ease_range(c, w, &group, of.first, of.end, color, round);
    viper_coop_sync(&group);
    due = viper_colors_to_ease(c, round);
  }
  if (goes_on)
    eased += viper_contact_uncolored<VIPER_CONTACT_EASE>(c, w, &group, round);
  if (thread->scope == VIPER_SYNC_DEVICE)
    viper_coop_sync(thread);
  return eased;
}

/// A group notes what rolls do of the work of friction, in any order: nothing moves.
VIPER_FN void viper_contact_note_works(const viper_contact_device *c,
                                       const viper_contact_workspace *w,
                                       const viper_coop_thread *thread) {
  const int lane = thread->rank % VIPER_QUAD;
  for (int32_t k = thread->rank / VIPER_QUAD; k < c->count->n_touches;
       k += thread->size / VIPER_QUAD) {
    viper_quad_touch q;
    viper_quad_read(c, k, lane, &q);
    viper_quad_visit<VIPER_CONTACT_NOTE>(c, w, k, lane, &q, 0, 0);
  }
  viper_contact_stand<VIPER_CONTACT_NOTE>(c, w, thread, 0);
}

/// A cooperative group takes back, for once, friction that does work; returns whether any did.
VIPER_FN bool viper_contact_ease_once(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_color_bounds *bounds,
                                      const viper_coop_thread *thread, int round) {
  int working = viper_contact_ease_colors(c, w, bounds, thread, round);
  working += viper_contact_stand<VIPER_CONTACT_EASE>(c, w, thread, round);
  if (working > 0)
    viper_atomic_add(&c->count->working[round], working);
  viper_coop_sync(thread);
  return c->count->working[round] > 0;
}

/// The block alone goes on, if this returns true, with the rounds in memory of its own, if any.
VIPER_FN bool viper_contact_ease_by_block(const viper_contact_device *c, viper_contact_workspace *w,
                                          viper_coop_thread *group, void *memory) {
  int32_t *eased = (int32_t *)memory;
  if (!viper_contact_by_block(group))
    return false;
  for (int32_t i = group->rank; eased && i < c->n_nodes; i += group->size)
    eased[i] = w->eased[i];
  w->eased = eased ? eased : w->eased;
  viper_coop_sync(group);
  return true;
}

/// A cooperative group takes back friction that does work; predictions follow. `memory` is
/// [n_nodes] integers of each block, or null.
VIPER_FN void viper_contact_ease(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread, void *memory) {
  viper_coop_thread group = *thread;
  viper_contact_workspace own = *w;
  const viper_color_bounds bounds = viper_color_bounds_of(c);
  const int32_t *working = c->count->working;
  int round = 0;
  bool goes_on = true;
  while (round < VIPER_EASE_ROUNDS && goes_on &&
         viper_contact_ease_once(c, &own, &bounds, &group, round))
    if (working[round++] <= VIPER_FEW_WORKING && group.scope == VIPER_SYNC_DEVICE)
      goes_on = viper_contact_ease_by_block(c, &own, &group, memory);
  if (thread->scope == VIPER_SYNC_DEVICE) { // not all threads know how many rounds there were
    viper_coop_sync(thread);
    for (round = 0; round < VIPER_EASE_ROUNDS && working[round] > 0;)
      round++;
  }
  if (round == 0)
    return;
  if (round == VIPER_EASE_ROUNDS)
    viper_contact_note_works(c, w, thread);
  viper_contact_write_nodes(c, w, thread, false, true);
  viper_contact_write_frames(c, w, thread, true);
}

/// What contacts have kept of segment `k`, and of node and half-plane number `k`, is forgotten.
VIPER_FN void viper_contact_forget(const viper_contact_device *c, int32_t k) {
  const viper_kept none = {0, 0, {0, 0, 0}};
  if (c->kept && k < c->n_segments)
    c->kept[k].n = 0;
  if (c->kept_rest && k < c->n_nodes * c->n_planes)
    c->kept_rest[k] = none;
}

VIPER_FN int32_t viper_most_of(int32_t a, int32_t b) {
  return a > b ? a : b;
}

VIPER_FN int32_t viper_contact_most_kept(const viper_contact_device *c) {
  return viper_most_of(c->kept ? c->n_segments : 0, c->kept_rest ? c->n_nodes * c->n_planes : 0);
}

/// After the last pass: friction that does work is taken back; then what velocities do not count is
/// found, and what contacts leave to the next substep kept. `memory` is [n_nodes] integers of each
/// block of a grid, or null.
VIPER_FN void viper_contact_settle(const viper_contact_device *c, const viper_contact_workspace *w,
                                   const viper_coop_thread *thread, void *memory) {
  if (c->average)
    return;
  viper_contact_fetch(c, w, thread);
  if (c->frame)
    viper_contact_ease(c, w, thread, memory);
  for (int32_t k = thread->rank; k < viper_contact_most_kept(c); k += thread->size)
    viper_contact_forget(c, k);
  viper_coop_sync(thread);
  viper_contact_colors<VIPER_CONTACT_STABILIZE>(c, w, thread);
  viper_contact_stand<VIPER_CONTACT_STABILIZE>(c, w, thread, 0);
}

#endif
