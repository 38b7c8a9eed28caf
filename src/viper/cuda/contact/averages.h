// SPDX-License-Identifier: GPL-3.0-or-later
/// Contacts that are averaged: a thread each, in the scene's memory.
#ifndef VIPER_CUDA_CONTACT_AVERAGES_H
#define VIPER_CUDA_CONTACT_AVERAGES_H

#include "viper/contact/average.h"
#include "viper/cuda/contact/device.h"
#include "viper/cuda/contact/truncation.h"

/// Counts contact `k` between capsules at its nodes, or adds what it asks of them.
VIPER_FN void viper_average_between(const viper_contact_device *c, int32_t k, bool counts) {
  viper_touch *t = &c->between[k];
  if (counts)
    viper_touch_count(t, c->node, c->average, 4);
  else
    viper_touch_average(t, c->node, c->average, c->constants.relaxation,
                        viper_touch_friction(t, c->friction, c->of_node),
                        viper_vec4_make(0, 0, 0, 0), 4);
}

/// Likewise the contacts of node `i` with half-planes.
VIPER_FN void viper_average_on_planes(const viper_contact_device *c, int32_t i, bool counts) {
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  for (int32_t k = 0; k < c->n_rests[i]; k++) {
    const viper_plane *plane = &c->plane[t[k].which];
    if (counts)
      viper_touch_count(&t[k], c->node, c->average, 1);
    else
      viper_touch_average(&t[k], c->node, c->average, c->constants.relaxation,
                          viper_plane_friction(&t[k], plane, c->of_node),
                          viper_plane_displacement(plane, c->node[i].x), 1);
  }
}

/// A cooperative group does so with those between capsules, color by color.
VIPER_FN void viper_average_colors(const viper_contact_device *c, const viper_coop_thread *thread,
                                   bool counts) {
  const viper_contact_count *count = c->count;
  for (int color = 0; color <= VIPER_TOUCH_COLORS; color++) {
    const int32_t first = count->color_first[color], end = count->color_end[color];
    const bool one = color == VIPER_TOUCH_COLORS; // what is left has no color: one by one
    if (end == first)
      continue;
    for (int32_t k = first + (one ? 0 : thread->rank); (!one || thread->rank == 0) && k < end;
         k += one ? 1 : thread->size)
      viper_average_between(c, k, counts);
    viper_coop_sync(thread);
  }
}

/// Before averaging: nodes stay where the iteration began, and their contacts with half-planes are
/// counted.
VIPER_FN void viper_average_begin(const viper_contact_device *c, int32_t i) {
  if (!c->active[i])
    return;
  c->average[i].contacts = 0;
  c->average[i].sum = viper_vec4_make(0, 0, 0, 0);
  viper_average_on_planes(c, i, true);
}

/// What concerns an active node alone, after contacts between capsules were averaged.
VIPER_FN void viper_average_end(const viper_contact_device *c, int32_t i) {
  if (!c->active[i])
    return;
  viper_average_on_planes(c, i, false);
  viper_average_move(&c->node[i], &c->average[i], viper_contact_place(c, i));
}

#endif
