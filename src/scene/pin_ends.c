// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/pin_ends.h"

#include "scene/checks.h"

#include <math.h>
#include <stdlib.h>

/// Part of a step by which a time may miss the end of a step: times are sums of rounded steps.
#define MISSED 1e-6

/// More steps than any scene has.
#define MOST_STEPS 9e18

int64_t vb_pin_end_steps(const vb_world *world, double time) {
  double steps = floor(time / world->step + MISSED);
  return steps < MOST_STEPS ? (int64_t)steps : INT64_MAX;
}

size_t vb_count_ended_pins(const vb_scene *scene, int64_t done) {
  size_t n, ended = 0;
  const vb_pin_end *end = vb_scene_pin_ends(scene, &n);
  for (size_t i = 0; i < n; i++)
    ended += vb_pin_end_steps(vb_scene_world(scene), end[i].time) <= done;
  return ended;
}

int64_t vb_next_pin_end(const vb_scene *scene, int64_t done) {
  size_t n;
  const vb_pin_end *end = vb_scene_pin_ends(scene, &n);
  int64_t next = INT64_MAX;
  for (size_t i = 0; i < n; i++) {
    int64_t steps = vb_pin_end_steps(vb_scene_world(scene), end[i].time);
    next = steps > done && steps < next ? steps : next;
  }
  return next;
}

/// Of each place (nodes, then segments), what is no longer held. Null for want of memory.
static uint32_t *ended_masks(const vb_scene *scene, int64_t done) {
  size_t n, n_nodes = vb_scene_count(scene, VB_SET_NODE);
  const vb_pin_end *end = vb_scene_pin_ends(scene, &n);
  uint32_t *mask = calloc(n_nodes + vb_scene_count(scene, VB_SET_SEGMENT) + 1, sizeof *mask);
  for (size_t i = 0; mask && i < n; i++)
    if (vb_pin_end_steps(vb_scene_world(scene), end[i].time) <= done)
      mask[(size_t)end[i].index + (end[i].location == VB_AT_NODE ? 0 : n_nodes)] = end[i].mask;
  return mask;
}

/// Fills the lists with the pins that are left, and replaces those of the sets.
static void leave_pins(vb_sets *sets, const uint32_t *ended, vb_pin *pins, vb_frame_pin *frames) {
  size_t n = 0, m = 0;
  for (size_t i = 0; i < sets->n_pins; i++) {
    const vb_pin *pin = &sets->pins[i];
    size_t place = (size_t)pin->index + (pin->location == VB_AT_NODE ? 0 : sets->n_nodes);
    pins[n] = *pin;
    pins[n].mask &= ~ended[place];
    n += pins[n].mask != 0;
  }
  for (size_t i = 0; i < sets->n_frame_pins; i++)
    if (!ended[sets->n_nodes + (size_t)sets->frame_pins[i].segment])
      frames[m++] = sets->frame_pins[i];
  sets->pins = pins;
  sets->n_pins = n;
  sets->frame_pins = frames;
  sets->n_frame_pins = m;
  sets->n_pin_ends = 0;
}

vb_status vb_scene_held_after(const vb_scene *scene, int64_t done, vb_scene **out,
                              vb_error *error) {
  vb_sets sets = vb_scene_sets(scene);
  uint32_t *ended = ended_masks(scene, done);
  vb_pin *pins = reallocarray(NULL, sets.n_pins + 1, sizeof *pins);
  vb_frame_pin *frames = reallocarray(NULL, sets.n_frame_pins + 1, sizeof *frames);
  vb_status status = VB_OK;
  if (ended && pins && frames) {
    const void *element[VB_SET_COUNT] = {NULL};
    size_t count[VB_SET_COUNT] = {0};
    leave_pins(&sets, ended, pins, frames);
    for (int tag = 1; tag < VB_SET_COUNT; tag++)
      element[tag] = vb_sets_get(&sets, (vb_tag)tag, &count[tag]);
    status = vb_scene_pack(element, count, out, error);
  } else {
    status = vb_error_memory(error);
  }
  free(ended);
  free(pins);
  free(frames);
  return status;
}

/// What is held at each place (nodes, then segments). Null for want of memory.
static uint32_t *held_masks(const vb_sets *sets) {
  uint32_t *mask = calloc(sets->n_nodes + sets->n_segments + 1, sizeof *mask);
  for (size_t i = 0; mask && i < sets->n_pins; i++) {
    const vb_pin *pin = &sets->pins[i];
    mask[(size_t)pin->index + (pin->location == VB_AT_NODE ? 0 : sets->n_nodes)] = pin->mask;
  }
  for (size_t i = 0; mask && i < sets->n_frame_pins; i++)
    mask[sets->n_nodes + (size_t)sets->frame_pins[i].segment] = VB_PIN_FRAME;
  return mask;
}

static vb_status check_end(const vb_sets *sets, size_t i, uint32_t held, vb_error *error) {
  const vb_pin_end *end = &sets->pin_ends[i];
  const char *place = vb_place_name(end->location);
  if (held == 0)
    return vb_bad_input(error, "pin end %zu: %s %d has no pin that could end", i, place,
                        end->index);
  if (end->mask == 0 || (end->mask & ~held) != 0)
    return vb_bad_input(error,
                        "pin end %zu: mask %u does not fit; it should be one or more of the bits "
                        "of %u, which the pin of %s %d holds",
                        i, end->mask, held, place, end->index);
  if (vb_pin_end_steps(sets->worlds, end->time) < 1)
    return vb_bad_input(error,
                        "pin end %zu: the pin of %s %d ends at %g s, before the first step does "
                        "(%g s)",
                        i, place, end->index, end->time, sets->worlds->step);
  return VB_OK;
}

vb_status vb_check_pin_ends(const vb_sets *sets, vb_error *error) {
  if (sets->n_pin_ends == 0)
    return VB_OK;
  uint32_t *held = held_masks(sets);
  vb_status status = held ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < sets->n_pin_ends; i++) {
    const vb_pin_end *end = &sets->pin_ends[i];
    size_t place = (size_t)end->index + (end->location == VB_AT_NODE ? 0 : sets->n_nodes);
    status = check_end(sets, i, held[place], error);
  }
  free(held);
  return status;
}
