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

/// Contacts that a warp looks at together: in a grid so few that each quad has one, in a block as
/// many as there are threads, because few are not at ease.
VIPER_FN int32_t viper_ease_width(const viper_coop_thread *group) {
  return group->scope == VIPER_SYNC_DEVICE ? VIPER_LOOK / VIPER_QUAD : VIPER_LOOK;
}

/// The first contact of a color that the warp of this thread looks at.
VIPER_FN int32_t viper_ease_first(const viper_coop_thread *group, viper_color_range of) {
  return of.first + group->rank / VIPER_LOOK * viper_ease_width(group);
}

/// The contact that this thread looks at where its warp looks at those from `k` on.
VIPER_FN viper_look viper_ease_look(const viper_contact_device *c, const viper_coop_thread *group,
                                    int32_t k, int32_t end) {
  const int32_t of_warp = group->rank % VIPER_LOOK;
  const viper_look none = {-1, {0, 0, 0, 0}};
  return of_warp < viper_ease_width(group) && k + of_warp < end ? viper_look_of(c, k + of_warp)
                                                                : none;
}

/// The quads of a warp take back friction of the contacts `due`, which are bits from `k` on.
VIPER_FN int viper_contact_ease_due(const viper_contact_device *c, const viper_contact_workspace *w,
                                    const viper_coop_thread *group, int32_t k, uint32_t due,
                                    int color, int round) {
  const int lane = group->rank % VIPER_QUAD, quads = VIPER_LOOK / VIPER_QUAD,
            quad = group->rank % VIPER_LOOK / VIPER_QUAD;
  int eased = 0;
  while (due) {
    const int which = viper_bit_number(due, quad);
    viper_quad_touch now;
    if (which >= 0) {
      viper_quad_read(c, k + which, lane, &now);
      eased += viper_quad_visit<VIPER_CONTACT_EASE>(c, w, k + which, lane, &now, color, round);
    }
    for (int n = 0; n < quads; n++)
      due &= due - 1;
  }
  return eased;
}

/// A group takes back friction of the contacts of a color: the threads of a warp look for those
/// that are not at ease. `look` is what this thread looks at first.
VIPER_FN int viper_contact_ease_range(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *group, viper_color_range of,
                                      viper_look look, int color, int round) {
  const int32_t stride = group->size / VIPER_LOOK * viper_ease_width(group);
  int eased = 0;
  for (int32_t k = viper_ease_first(group, of); k < of.end; k += stride) {
    const bool due = look.k >= 0 && !viper_contact_at_ease(w, &look, round);
    look = viper_ease_look(c, group, k + stride, of.end);
    eased += viper_contact_ease_due(c, w, group, k, viper_warp_bits(due), color, round);
  }
  return eased;
}

/// The colors in which friction may do work in a round, as far as that is known; all of them in the
/// first.
VIPER_FN uint64_t viper_colors_to_ease(const viper_contact_workspace *w, int round) {
  return round > 0 ? viper_now(&w->to_ease[round]) : UINT64_MAX;
}

/// The first of the colors `due` from `color` on, or VIPER_TOUCH_COLORS.
VIPER_FN int viper_color_due(uint64_t due, int color) {
  const uint64_t rest = color < VIPER_TOUCH_COLORS ? due >> color : 0;
  return rest ? color + (int)viper_first_zero(~rest) : VIPER_TOUCH_COLORS;
}

/// What the first thread of a warp has.
VIPER_FN int viper_of_warp(int x) {
#ifdef __CUDA_ARCH__
  x = __shfl_sync(VIPER_WARP_MASK, x, 0);
#endif
  return x;
}

/// A color whose contacts are looked at, and what a thread looks at first there.
typedef struct viper_ease_place {
  int color;
  viper_color_range of;
  viper_look look;
} viper_ease_place;

VIPER_FN viper_ease_place viper_ease_place_of(const viper_contact_device *c,
                                              const viper_color_bounds *bounds,
                                              const viper_coop_thread *group, int color) {
  viper_ease_place at;
  at.color = color;
  at.of = viper_color_range_of(bounds, color);
  at.look = viper_ease_look(c, group, viper_ease_first(group, at.of), at.of.end);
  return at;
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
  uint64_t due = viper_colors_to_ease(w, round);
  viper_ease_place at = viper_ease_place_of(c, bounds, &group, viper_color_due(due, 0));
  while (at.of.end > at.of.first) {
    if (viper_contact_is_left(&group, at.of.end - at.of.first)) {
      if (!(goes_on = viper_contact_by_block(&group)))
        break;
      at.look = viper_ease_look(c, &group, viper_ease_first(&group, at.of), at.of.end);
    }
    // The color that follows, unless visits make another one due before it: what is looked at there
    // is read meanwhile.
    const viper_ease_place ahead =
        viper_ease_place_of(c, bounds, &group, viper_of_warp(viper_color_due(due, at.color + 1)));
    eased += viper_contact_ease_range(c, w, &group, at.of, at.look, at.color, round);
    viper_coop_sync(&group);
    // A color is looked up before any contact of it, or of a later one, is visited.
    due = viper_colors_to_ease(w, round);
    const int color = viper_color_due(due, at.color + 1);
    at = color == ahead.color ? ahead : viper_ease_place_of(c, bounds, &group, color);
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
  const viper_contact_workspace scenes = *w;
  if (!viper_contact_by_block(group))
    return false;
  if (memory) {
    viper_eased_in(w, memory);
    for (int32_t i = group->rank; i < c->n_nodes; i += group->size)
      w->eased[i] = scenes.eased[i];
    for (int32_t r = group->rank; r <= VIPER_EASE_ROUNDS; r += group->size)
      w->to_ease[r] = viper_now(&scenes.to_ease[r]);
  }
  viper_coop_sync(group);
  return true;
}

/// A cooperative group takes back friction that does work; predictions follow. `memory` is
/// viper_eased_bytes of each block, or null.
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
/// found, and what contacts leave to the next substep kept. `memory` is viper_eased_bytes of each
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
