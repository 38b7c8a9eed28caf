// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/state.h"

#include "solver/fields.h"
#include "solver/state.h"

#include <stdlib.h>

vb_status bergou_state_create(const bergou_rods *rods, bergou_state *out, vb_error *error) {
  size_t n = rods->n_nodes, m = rods->n_segments;
  const vb_state_array arrays[] = {
      {&out->position, 3 * n},
      {&out->velocity, 3 * n},
      {&out->scale, n},
      {&out->frame, 4 * m},
      {&out->angular_velocity, 3 * m},
      {&out->segment_scale, m},
      {&out->active, m},
      {&out->gradient, rods->n_unknowns},
      {&out->work, vb_work_count(rods->scene)},
      {&out->residual, 1},
  };
  return vb_state_create(arrays, sizeof arrays / sizeof *arrays, &out->n_doubles, error);
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
  size_t n = 3 * rods->n_nodes, m = 4 * rods->n_segments, u = rods->n_unknowns, total;
  const vb_state_array arrays[] = {
      {&out->old_position, n}, {&out->old_frame, m},    {&out->hat_position, n},
      {&out->hat_frame, m},    {&out->try_position, n}, {&out->try_frame, m},
      {&out->direction, u},    {&out->load, u},         {&out->band, (BERGOU_BAND + 1) * u},
  };
  vb_status status = vb_state_create(arrays, sizeof arrays / sizeof *arrays, &total, error);
  out->held = calloc(u + 1, sizeof *out->held);
  if (!status && !out->held)
    status = vb_error_memory(error);
  if (!status)
    mark_held(rods, out->held);
  return status;
}

void bergou_scratch_free(bergou_scratch *scratch) {
  free(scratch->old_position);
  free(scratch->held);
}
