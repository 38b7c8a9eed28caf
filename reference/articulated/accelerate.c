// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerate.h"

#include <stdlib.h>
#include <string.h>

static size_t count(const ar_stepper *s) {
  return 3 * s->body.n_nodes + 12 * s->body.n_bones;
}

vb_status ar_accelerate_create(ar_stepper *s, vb_error *error) {
  size_t n = s->settings.accelerated ? count(s) : 0, rows = s->links.most_rows;
  if (n == 0)
    return VB_OK;
  vb_status status = ar_anderson_create(n, &s->anderson, error);
  s->before = calloc(2 * n + rows, sizeof *s->before);
  if (!status && !s->before)
    status = vb_error_memory(error);
  s->after = s->before ? s->before + n : NULL;
  return status;
}

void ar_accelerate_clear(ar_stepper *s) {
  ar_anderson_clear(&s->anderson);
  free(s->before);
}

/// Places of flesh, 0 for nodes of bones, and maps of bones, their linear parts times their radii:
/// all in m.
static void pack(const ar_stepper *s, double *out) {
  size_t n = 3 * s->body.n_nodes;
  for (size_t i = 0; i < n; i++)
    out[i] = s->body.bone_of[i / 3] < 0 ? s->x[i] : 0;
  for (size_t i = 0; i < 12 * s->body.n_bones; i++)
    out[n + i] = s->t[i] * (i % 12 < 9 ? s->body.bone[i / 12].radius : 1);
}

static void unpack(ar_stepper *s, const double *from, double *t) {
  size_t n = 3 * s->body.n_nodes;
  memcpy(s->x, from, n * sizeof *from);
  for (size_t i = 0; i < 12 * s->body.n_bones; i++)
    t[i] = from[n + i] / (i % 12 < 9 ? s->body.bone[i / 12].radius : 1);
}

void ar_accelerate_begin(ar_stepper *s) {
  pack(s, s->before);
}

static bool limited(const ar_stepper *s) {
  for (size_t i = 0; i < s->links.n; i++)
    if (s->links.link[i].at_limit != 0)
      return true;
  return false;
}

/// Makes the maps `t` rigid and linked, and lets flesh follow.
static vb_status project(ar_stepper *s, double *t, vb_error *error) {
  size_t n = 3 * s->body.n_nodes, m = 12 * s->body.n_bones, rows = s->links.most_rows;
  double *multiplier = s->after + count(s);
  memcpy(multiplier, s->linked.multiplier, rows * sizeof *multiplier);
  s->linked.gaps = NULL;
  vb_status status = ar_linked_project(&s->linked, s->old_pose, t, s->next, error);
  memcpy(s->linked.multiplier, multiplier, rows * sizeof *multiplier);
  if (status)
    return status;
  for (size_t i = 0; i < m; i++)
    s->turned[i] = s->next[i] - t[i];
  memset(s->trial, 0, n * sizeof *s->trial);
  ar_reduced_follow(&s->reduced, s->turned, s->trial);
  for (size_t i = 0; i < n; i++)
    s->x[i] += s->trial[i];
  memcpy(s->pose, s->linked.pose, s->body.n_bones * sizeof *s->pose);
  memcpy(s->t, s->next, m * sizeof *s->t);
  ar_body_carry(&s->body, s->t, s->x);
  return VB_OK;
}

vb_status ar_accelerate_move(ar_stepper *s, bool *moved, vb_error *error) {
  double *t = s->bones; // its memory is free now
  *moved = false;
  if (limited(s) || s->touches.n > 0) {
    ar_anderson_begin(&s->anderson);
    return VB_OK;
  }
  pack(s, s->after);
  if (!ar_anderson_combine(&s->anderson, s->before, s->after))
    return VB_OK;
  unpack(s, s->after, t);
  vb_status status = project(s, t, error);
  *moved = !limited(s);
  if (!status && !*moved)
    ar_accelerate_undo(s);
  return status;
}

void ar_accelerate_undo(ar_stepper *s) {
  for (size_t i = 0; i < s->links.n; i++)
    ar_links_limit(&s->links, i, 0);
  unpack(s, s->anderson.g, s->t);
  ar_stepper_pose(s);
  ar_body_carry(&s->body, s->t, s->x);
  ar_anderson_begin(&s->anderson);
}
