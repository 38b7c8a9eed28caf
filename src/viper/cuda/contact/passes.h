// SPDX-License-Identifier: GPL-3.0-or-later
/// Passes over the contacts of a substep on a device, as cpu/contact/pass_lanes.c does them on the
/// CPU: color by color, then over those on half-planes.
#ifndef VIPER_CUDA_CONTACT_PASSES_H
#define VIPER_CUDA_CONTACT_PASSES_H

#include "viper/cuda/contact/averages.h"
#include "viper/cuda/contact/visits.h"

/// A cooperative group goes over the contacts with half-planes once: nodes that share a frame take
/// turns. The thread's nodes are `of`.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_stand(const viper_contact_device *c, const viper_contact_workspace *w,
                                  const viper_coop_thread *thread, const viper_rest_nodes *of) {
  const bool rolls = c->frame && ACTION != VIPER_CONTACT_STABILIZE && ACTION != VIPER_CONTACT_NOTE;
  const int32_t n_turns = rolls ? c->n_turns : 1;
  for (int32_t turn = 0; turn < n_turns && of->n > 0; turn++) {
    for (int32_t k = of->rank; k < of->n; k += thread->size) {
      const viper_rest_node s = k == of->rank ? of->own : viper_rest_node_of(c, k);
      if (n_turns == 1 || s.turn == turn)
        viper_act_on_planes<ACTION>(c, w, &s);
    }
    viper_coop_sync(thread);
  }
}

/// Contacts without a color are visited one by one, by one quad.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_uncolored(const viper_contact_device *c,
                                      const viper_contact_workspace *w,
                                      const viper_coop_thread *thread) {
  const int32_t first = c->count->color_first[VIPER_TOUCH_COLORS],
                end = c->count->color_end[VIPER_TOUCH_COLORS];
  const int lane = thread->rank % VIPER_QUAD;
  if (end == first)
    return;
  for (int32_t k = first; thread->rank < VIPER_QUAD && k < end; k++) {
    viper_quad_touch q;
    viper_quad_sync(); // the contact before may have had some of the same nodes
    viper_quad_read(c, k, lane, &q);
    viper_quad_visit<ACTION>(c, w, k, lane, &q);
  }
  viper_coop_sync(thread);
}

/// Contacts of a color that a grid leaves to one block: reading more of them would keep the block
/// longer than a barrier takes the grid.
#define VIPER_LEFT_CONTACTS 48

/// Whether the threads of a grid leave a color of `n` contacts, and all that follow, to one block.
VIPER_FN bool viper_contact_is_left(const viper_coop_thread *group, int32_t n) {
  return group->scope == VIPER_SYNC_DEVICE && n <= VIPER_LEFT_CONTACTS;
}

/// The group of the block alone; false in blocks that go no further.
VIPER_FN bool viper_contact_by_block(viper_coop_thread *group) {
#ifdef __CUDA_ARCH__
  group->rank = (int32_t)threadIdx.x;
  group->size = (int32_t)blockDim.x;
  group->scope = VIPER_SYNC_BLOCK;
  return blockIdx.x == 0;
#else
  (void)group;
  return true;
#endif
}

/// Where a quad is in the contacts between capsules.
typedef struct viper_quad_place {
  viper_coop_thread group; ///< that goes over the color
  viper_color_range now;   ///< the color's contacts
  viper_quad_touch next;   ///< of the quad; read before it is visited
} viper_quad_place;

/// The first of `n` contacts that the thread's quad has; the next is the number of quads away. In a
/// grid that has quads enough, consecutive contacts are of different warps: a warp waits for the
/// lines of all its lanes.
VIPER_FN int32_t viper_quad_first(const viper_coop_thread *group, int32_t n) {
#ifdef __CUDA_ARCH__
  if (group->scope == VIPER_SYNC_DEVICE && 2 * n <= group->size / VIPER_QUAD)
    return group->rank % VIPER_WARP / VIPER_QUAD * (group->size / VIPER_WARP) +
           group->rank / VIPER_WARP;
#endif
  (void)n;
  return group->rank / VIPER_QUAD;
}

/// Reads the quad's first contact of a color.
VIPER_FN void viper_quad_ahead(const viper_contact_device *c, viper_quad_place *at,
                               viper_color_range of) {
  const int32_t k = of.first + viper_quad_first(&at->group, of.end - of.first);
  if (k < of.end)
    viper_quad_read(c, k, at->group.rank % VIPER_QUAD, &at->next);
}

/// A group visits the contacts of a color, and reads one of the next color before that.
template <viper_contact_action ACTION>
VIPER_FN void
viper_contact_one_color(const viper_contact_device *c, const viper_contact_workspace *w,
                        const viper_color_bounds *bounds, viper_quad_place *at, int color) {
  const int lane = at->group.rank % VIPER_QUAD;
  const int32_t n_quads = at->group.size / VIPER_QUAD,
                own = at->now.first + viper_quad_first(&at->group, at->now.end - at->now.first);
  const viper_color_range next = viper_color_range_of(bounds, color + 1);
  viper_quad_touch now = at->next;
  viper_quad_ahead(c, at, next);
  for (int32_t k = own; k < at->now.end; k += n_quads) {
    if (k > own)
      viper_quad_read(c, k, lane, &now);
    viper_quad_visit<ACTION>(c, w, k, lane, &now);
  }
  viper_coop_sync(&at->group);
  at->now = next;
}

/// A cooperative group goes over the contacts between capsules once, color by color: a grid over
/// large colors, then one of its blocks over those that are left.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_colors(const viper_contact_device *c, const viper_contact_workspace *w,
                                   const viper_coop_thread *thread) {
  const viper_color_bounds bounds = viper_color_bounds_of(c);
  viper_quad_place at;
  bool goes_on = true;
  at.group = *thread;
  at.now = viper_color_range_of(&bounds, 0);
  if (!viper_contact_is_left(&at.group, at.now.end - at.now.first))
    viper_quad_ahead(c, &at, at.now);
  for (int color = 0; color < VIPER_TOUCH_COLORS && at.now.end > at.now.first && goes_on; color++) {
    if (viper_contact_is_left(&at.group, at.now.end - at.now.first)) {
      goes_on = viper_contact_by_block(&at.group);
      if (goes_on)
        viper_quad_ahead(c, &at, at.now);
    }
    if (goes_on)
      viper_contact_one_color<ACTION>(c, w, &bounds, &at, color);
  }
  if (goes_on)
    viper_contact_uncolored<ACTION>(c, w, &at.group);
  if (thread->scope == VIPER_SYNC_DEVICE)
    viper_coop_sync(thread);
}

/// Before a pass: reads where nodes and frames are; or begins to average.
VIPER_FN void viper_contact_read(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread) {
  if (!c->average) {
    viper_contact_read_nodes(c, w, thread);
    viper_contact_read_frames(c, w, thread);
  }
  for (int32_t i = thread->rank; c->average && i < c->n_nodes; i += thread->size)
    viper_average_begin(c, i);
  viper_coop_sync(thread);
}

/// A cooperative group goes over all contacts once: those between capsules, then those with
/// half-planes; they are solved, or move what they begin with. Or it averages them.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_pass(const viper_contact_device *c, const viper_contact_workspace *w,
                                 const viper_coop_thread *thread, bool hat) {
  const viper_rest_nodes rests = viper_rest_nodes_of(c, thread);
  viper_contact_read(c, w, thread);
  if (c->average) {
    viper_average_colors(c, thread, true);
    viper_average_colors(c, thread, false);
    for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
      viper_average_end(c, i);
    viper_coop_sync(thread);
  } else {
    viper_contact_colors<ACTION>(c, w, thread);
    viper_contact_stand<ACTION>(c, w, thread, &rests);
  }
  viper_contact_write_nodes(c, w, thread, true, hat);
  viper_contact_write_frames(c, w, thread, hat);
}

#endif
