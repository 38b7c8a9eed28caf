// SPDX-License-Identifier: GPL-3.0-or-later
/// What a lane does in the kernels of contact.
#ifndef VIPER_CUDA_CONTACT_THREAD_H
#define VIPER_CUDA_CONTACT_THREAD_H

#include "viper/cuda/contact/color.h"
#include "viper/cuda/contact/find.h"
#include "viper/cuda/contact/phases.h"

/// Whether a phase is one team's, with barriers.
VIPER_FN bool viper_contact_meets(viper_contact_phase phase) {
  return phase == VIPER_CONTACT_COLOR || phase == VIPER_CONTACT_PASS ||
         phase == VIPER_CONTACT_PASS_HAT;
}

VIPER_FN int32_t viper_most_of(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/// How many elements a phase has; of pairs as many as there is room for.
VIPER_FN int32_t viper_contact_elements(const viper_contact_device *c, viper_contact_phase phase) {
  switch (phase) {
  case VIPER_CONTACT_CLEAR:
    return viper_most_of(1, viper_most_of(c->n_buckets, c->rooms.touches));
  case VIPER_CONTACT_SPHERES:
  case VIPER_CONTACT_BUCKETS:
    return c->n_segments;
  case VIPER_CONTACT_PAIRS:
    return c->n_segments;
  case VIPER_CONTACT_TOUCHES:
    return c->rooms.pairs;
  case VIPER_CONTACT_ARRANGE:
    return c->rooms.touches;
  case VIPER_CONTACT_CENTER:
    return 3 * c->n_bodies;
  case VIPER_CONTACT_TELL:
    return viper_most_of(c->rooms.touches, c->n_nodes);
  default:
    return c->n_nodes;
  }
}

/// Element `i` of a phase that is no team's.
VIPER_FN void viper_contact_element(const viper_device *d, const viper_contact_device *c,
                                    viper_contact_phase phase, int32_t i) {
  switch (phase) {
  case VIPER_CONTACT_CLEAR:
    viper_contact_clear(c, i);
    break;
  case VIPER_CONTACT_GATHER:
    viper_contact_gather_node(d, c, i);
    break;
  case VIPER_CONTACT_SPHERES:
    viper_contact_fill_sphere(c, i);
    break;
  case VIPER_CONTACT_BUCKETS:
    viper_contact_find_bucket(c, i);
    break;
  case VIPER_CONTACT_PAIRS:
    viper_contact_find_pairs(c, i);
    break;
  case VIPER_CONTACT_TOUCHES:
    viper_contact_touch_pair(c, i);
    break;
  case VIPER_CONTACT_ARRANGE:
    viper_contact_arrange(c, i);
    break;
  case VIPER_CONTACT_CENTER:
    viper_contact_center(c, i);
    break;
  default:
    viper_contact_tell(c, i);
  }
}

/// All that a lane does in a phase: nothing after trouble, and where there was no room for what was
/// found.
VIPER_FN void viper_contact_lane(const viper_device *d, const viper_contact_device *c,
                                 viper_contact_phase phase, const viper_lane *lane) {
  bool finds = phase == VIPER_CONTACT_CLEAR || phase == VIPER_CONTACT_GATHER ||
               phase == VIPER_CONTACT_SPHERES || phase == VIPER_CONTACT_BUCKETS ||
               phase == VIPER_CONTACT_PAIRS;
  if (phase != VIPER_CONTACT_TELL && viper_contact_idle(d, c))
    return;
  // Pairs may be too many before contacts are looked for, contacts while they are.
  if (phase == VIPER_CONTACT_TOUCHES && c->count->n_pairs > c->rooms.pairs)
    return;
  if (!finds && phase != VIPER_CONTACT_TOUCHES && viper_contact_lost(c))
    return;
  int32_t n = viper_contact_elements(c, phase);
  if (phase == VIPER_CONTACT_TOUCHES)
    n = c->count->n_pairs;
  if (phase == VIPER_CONTACT_COLOR)
    viper_contact_color(c, lane);
  else if (viper_contact_meets(phase))
    viper_contact_pass(c, lane, phase == VIPER_CONTACT_PASS_HAT);
  else
    for (int32_t i = lane->rank; i < n; i += lane->size)
      viper_contact_element(d, c, phase, i);
}

#endif
