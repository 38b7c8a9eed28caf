// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether bodies are the components of the graph, and no segment, joint or pin is there twice.
#include "scene/checks.h"

#include <stdlib.h>
#include <string.h>

static vb_status check_bodies(const vb_sets *sets, vb_error *error) {
  int32_t *component = reallocarray(NULL, sets->n_nodes + 1, sizeof *component);
  if (!component)
    return vb_error_memory(error);
  int32_t n = vb_components(component, sets->n_nodes, sets->segments, sets->n_segments,
                            sets->tetrahedra, sets->n_tetrahedra);
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_nodes; i++)
    if (sets->nodes[i].body != component[i])
      status = vb_bad_input(error, "node %zu: its body is %d; by its elements it should be %d", i,
                            sets->nodes[i].body, component[i]);
  if (status == VB_OK && (size_t)n != sets->n_bodies)
    status = vb_bad_input(error, "scene: it has %zu bodies; by its elements it has %d",
                          sets->n_bodies, n);
  free(component);
  return status;
}

/// A joint with its segments in order, or a segment (node 0) with its nodes in order.
typedef struct pair_key {
  int32_t node;
  int32_t low;
  int32_t high;
  int32_t index;
} pair_key;

static int compare_pairs(const void *left, const void *right) {
  const pair_key *a = left;
  const pair_key *b = right;
  if (a->node != b->node)
    return a->node < b->node ? -1 : 1;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  if (a->high != b->high)
    return a->high < b->high ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/// Whether no two joints join the same segments at the same node, or no two segments the same
/// nodes.
static vb_status check_pairs_once(const vb_sets *sets, bool joints, vb_error *error) {
  size_t n = joints ? sets->n_joints : sets->n_segments;
  pair_key *keys = reallocarray(NULL, n + 1, sizeof *keys);
  if (!keys)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++) {
    const int32_t *pair = joints ? sets->joints[i].segment : sets->segments[i].node;
    bool ordered = pair[0] < pair[1];
    keys[i] =
        (pair_key){joints ? sets->joints[i].node : 0, pair[!ordered], pair[ordered], (int32_t)i};
  }
  qsort(keys, n, sizeof *keys, compare_pairs);
  vb_status status = VB_OK;
  for (size_t i = 1; status == VB_OK && i < n; i++) {
    if (memcmp(&keys[i - 1], &keys[i], 3 * sizeof(int32_t)) != 0)
      continue;
    const pair_key *k = &keys[i], *other = &keys[i - 1];
    status =
        joints ? vb_bad_input(error,
                              "joint %d: segments %d and %d are joined at node %d by joint %d "
                              "already; once is enough",
                              k->index, k->low, k->high, k->node, other->index)
               : vb_bad_input(error,
                              "segment %d: it connects nodes %d and %d as segment %d does already; "
                              "one segment is enough",
                              k->index, k->low, k->high, other->index);
  }
  free(keys);
  return status;
}

/// Where the place of a pin is in the list of all.
static size_t place_of(const vb_sets *sets, const vb_pin *pin) {
  return (size_t)pin->index + (pin->location == VB_AT_NODE ? 0 : sets->n_nodes);
}

char *vb_pinned_places(const vb_sets *sets) {
  char *pinned = calloc(sets->n_nodes + sets->n_segments + 1, 1);
  for (size_t i = 0; pinned && i < sets->n_pins; i++)
    pinned[place_of(sets, &sets->pins[i])] = 1;
  for (size_t i = 0; pinned && i < sets->n_frame_pins; i++)
    pinned[sets->n_nodes + (size_t)sets->frame_pins[i].segment] = 1;
  return pinned;
}

static vb_status check_pins_once(const vb_sets *sets, vb_error *error) {
  char *pinned = calloc(sets->n_nodes + sets->n_segments + 1, 1);
  if (!pinned)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_pins; i++) {
    const vb_pin *pin = &sets->pins[i];
    if (pinned[place_of(sets, pin)])
      status = vb_bad_input(error, "pin %zu: %s %d has a pin already; one can hold all", i,
                            vb_place_name(pin->location), pin->index);
    pinned[place_of(sets, pin)] = 1;
  }
  for (size_t i = 0; status == VB_OK && i < sets->n_frame_pins; i++)
    if (pinned[sets->n_nodes + (size_t)sets->frame_pins[i].segment])
      status =
          vb_bad_input(error,
                       "frame pin %zu: its segment %d has a pin already, which holds all three "
                       "components",
                       i, sets->frame_pins[i].segment);
  free(pinned);
  return status;
}

vb_status vb_check_graph(const vb_sets *sets, vb_error *error) {
  vb_status status = check_bodies(sets, error);
  if (status == VB_OK)
    status = check_pairs_once(sets, false, error);
  if (status == VB_OK)
    status = check_pairs_once(sets, true, error);
  return status == VB_OK ? check_pins_once(sets, error) : status;
}
