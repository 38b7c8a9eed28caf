// SPDX-License-Identifier: GPL-3.0-or-later
/// Colors of contacts between pills: each gets the least color that no contact before it (in the
/// order of their segments) has at one of its nodes, as if they were gone through one by one. In
/// parallel: in a round those get theirs that are the first without one at each of their nodes
/// (Jones and Plassmann 1993, with the order in place of random numbers).
#ifndef VIPER_CUDA_CONTACT_COLOR_H
#define VIPER_CUDA_CONTACT_COLOR_H

#include "viper/cuda/contact/device.h"
#include "viper/cuda/core/coop.h"

/// Contact number `r` in the order of keys.
VIPER_FN const viper_touch *viper_touch_in_order(const viper_contact_device *c, int32_t r) {
  return &c->found[c->number_out[r]];
}

/// What contact `r` bids for its nodes in a round: more than any in an earlier round, and more than
/// those after it.
VIPER_FN uint64_t viper_color_bid(uint32_t round, int32_t r) {
  return (uint64_t)round << 32 | (UINT32_MAX - (uint32_t)r);
}

VIPER_FN void viper_bid_for_nodes(const viper_contact_device *c, int32_t r, uint32_t round) {
  const viper_touch *t = viper_touch_in_order(c, r);
  for (int k = 0; k < 4; k++)
    viper_atomic_most(&c->head[t->node[k]], viper_color_bid(round, r));
}

/// Colors contact `r` if it is the first at each of its nodes; returns whether it was.
VIPER_FN bool viper_color_touch(const viper_contact_device *c, int32_t r, uint32_t round) {
  const viper_touch *t = viper_touch_in_order(c, r);
  uint64_t taken = 0;
  for (int k = 0; k < 4; k++) {
    if (c->head[t->node[k]] != viper_color_bid(round, r))
      return false;
    taken |= c->taken[t->node[k]];
  }
  uint32_t color = 0;
  while (color < VIPER_TOUCH_COLORS && taken >> color & 1)
    color++;
  for (int k = 0; k < 4 && color < VIPER_TOUCH_COLORS; k++)
    c->taken[t->node[k]] |= (uint64_t)1 << color;
  c->color[r] = color;
  return true;
}

/// A team colors all contacts.
VIPER_FN void viper_contact_color(const viper_contact_device *c, const viper_lane *lane) {
  int32_t n = c->count->n_touches;
  for (uint32_t round = 1; c->count->n_colored < n; round++) {
    int32_t done = 0;
    for (int32_t r = lane->rank; r < n; r += lane->size)
      if (c->color[r] == VIPER_UNCOLORED)
        viper_bid_for_nodes(c, r, round);
    viper_lanes_meet(lane);
    for (int32_t r = lane->rank; r < n; r += lane->size)
      if (c->color[r] == VIPER_UNCOLORED)
        done += viper_color_touch(c, r, round);
    if (done > 0)
      viper_atomic_add(&c->count->n_colored, done);
    viper_lanes_meet(lane);
  }
}

/// Puts the contact at place `k` of the order by colors there, and notes where its color begins or
/// ends.
VIPER_FN void viper_contact_arrange(const viper_contact_device *c, int32_t k) {
  uint32_t color = c->color_out[k];
  if (color == VIPER_UNCOLORED)
    return;
  const viper_touch *t = viper_touch_in_order(c, c->order_out[k]);
  c->between[k] = *t;
  for (int m = 0; m < 4; m++)
    c->active[t->node[m]] |= VIPER_ACTIVE;
  if (k == 0 || c->color_out[k - 1] != color)
    c->count->color_first[color] = k;
  if (k + 1 == c->rooms.touches || c->color_out[k + 1] != color)
    c->count->color_end[color] = k + 1;
}

#endif
