// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/state.h"

#include <stdlib.h>

vb_status bergou_state_create(const bergou_rods *rods, bergou_state *out, vb_error *error) {
  size_t n = rods->n_nodes, m = rods->n_segments;
  size_t n_work = bergou_count_work(rods->scene);
  size_t n_doubles = 7 * n + 9 * m + rods->n_unknowns + n_work + 1;
  double *at = calloc(n_doubles, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  out->n_doubles = n_doubles;
  out->position = at;
  out->velocity = at += 3 * n;
  out->scale = at += 3 * n;
  out->frame = at += n;
  out->angular_velocity = at += 4 * m;
  out->segment_scale = at += 3 * m;
  out->active = at += m;
  out->gradient = at += m;
  out->work = at += rods->n_unknowns;
  out->residual = at + n_work;
  return VB_OK;
}

void bergou_state_free(bergou_state *state) {
  free(state->position);
}

static void mark_held(const bergou_rods *rods, bool *held) {
  for (size_t i = 0; i < rods->n_nodes; i++)
    for (int k = 0; k < 3; k++)
      held[rods->node[i].at + k] = rods->node[i].pinned >> k & 1;
  for (size_t j = 0; j < rods->n_segments; j++)
    for (int k = 0; k < 3; k++)
      held[rods->segment[j].at + k] = rods->segment[j].pinned & VB_PIN_FRAME;
}

vb_status bergou_scratch_create(const bergou_rods *rods, bergou_scratch *out, vb_error *error) {
  size_t n = 3 * rods->n_nodes, m = 4 * rods->n_segments, u = rods->n_unknowns;
  double *at = calloc(3 * (n + m) + (BERGOU_BAND + 3) * u + 1, sizeof *at);
  bool *held = calloc(u + 1, sizeof *held);
  if (!at || !held) {
    free(at);
    free(held);
    return vb_error_memory(error);
  }
  out->old_position = at;
  out->old_frame = at += n;
  out->hat_position = at += m;
  out->hat_frame = at += n;
  out->try_position = at += m;
  out->try_frame = at += n;
  out->direction = at += m;
  out->load = at += u;
  out->band = at + u;
  out->held = held;
  mark_held(rods, held);
  return VB_OK;
}

void bergou_scratch_free(bergou_scratch *scratch) {
  free(scratch->old_position);
  free(scratch->held);
}
