// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/rounds.h"

#include <string.h>

/// The end of the phases from `p` on whose elements are of one kind.
static size_t end_of_kind(const viper_model *m, size_t p) {
  size_t end = p + 1;
  while (end < m->n_phases && m->phase[end].joints == m->phase[p].joints)
    end++;
  return end;
}

static int32_t count_elements(const viper_model *m, size_t p, size_t end) {
  int32_t n = 0;
  for (; p < end; p++)
    n += m->phase[p].count;
  return n;
}

int64_t viper_rounds_count(const viper_model *body, int threads) {
  int64_t rounds = 0;
  for (size_t p = 0, end; p < body->n_phases; p = end) {
    end = end_of_kind(body, p);
    const int64_t colors = (int64_t)(end - p),
                  full = (count_elements(body, p, end) + threads - 1) / threads;
    rounds += full > colors ? full : colors;
  }
  return rounds;
}

/// Rounds that are being packed.
typedef struct packing {
  const viper_model *model;
  int32_t threads;
  int32_t *node, *frame; ///< the first round after all with an element of theirs so far
  int32_t *count;        ///< elements of each round
  int32_t *round;        ///< of each segment, then of each joint
  int32_t first, n;      ///< rounds: the first of this kind of elements; all
} packing;

/// The unknowns of an element: where their first free rounds are.
static int list_unknowns(const packing *k, bool joints, int32_t e, int32_t *unknown[5]) {
  int n = 0;
  if (!joints) {
    const viper_model_segment *segment = &k->model->segment[e];
    unknown[n++] = &k->node[segment->node[0]];
    unknown[n++] = &k->node[segment->node[1]];
    unknown[n++] = &k->frame[e];
    return n;
  }
  const viper_model_joint *joint = &k->model->joint[e];
  for (int i = 0; i < 3; i++)
    if (i == 1 || joint->outer)
      unknown[n++] = &k->node[joint->node[i]];
  unknown[n++] = &k->frame[joint->segment[0]];
  unknown[n++] = &k->frame[joint->segment[1]];
  return n;
}

/// Puts an element into the first round that is not full and comes after its unknowns' rounds.
static void put(packing *k, bool joints, int32_t e) {
  int32_t *unknown[5], round = k->first;
  const int n = list_unknowns(k, joints, e, unknown);
  for (int i = 0; i < n; i++)
    round = *unknown[i] > round ? *unknown[i] : round;
  while (k->count[round] == k->threads)
    round++;
  for (int i = 0; i < n; i++)
    *unknown[i] = round + 1;
  k->count[round]++;
  k->round[e + (joints ? (int32_t)k->model->n_segments : 0)] = round;
  k->n = round + 1 > k->n ? round + 1 : k->n;
}

static void put_all(packing *k) {
  const viper_model *m = k->model;
  for (size_t p = 0; p < m->n_phases; p++) {
    const viper_phase *phase = &m->phase[p];
    if (p > 0 && phase->joints != phase[-1].joints)
      k->first = k->n;
    for (int32_t e = phase->first; e < phase->first + phase->count; e++)
      put(k, phase->joints, e);
  }
}

/// Lists elements round by round.
static void list_rounds(const packing *k, viper_rounds *out) {
  const int32_t n_segments = (int32_t)k->model->n_segments,
                n = n_segments + (int32_t)k->model->n_joints;
  int32_t first = 0;
  out->n = k->n;
  for (int32_t r = 0; r < k->n; first += k->count[r++])
    out->phase[r].first = first;
  for (int32_t e = 0; e < n; e++) {
    viper_phase *phase = &out->phase[k->round[e]];
    phase->joints = e >= n_segments;
    out->order[phase->first + phase->count++] = phase->joints ? e - n_segments : e;
  }
}

vb_status viper_rounds_pack(const viper_model *body, int threads, viper_rounds *out,
                            vb_error *error) {
  packing k = {.model = body, .threads = threads};
  vb_arena memory = {0};
  const size_t n = body->n_segments + body->n_joints;
  int32_t largest = 0;
  for (size_t p = 0; p < body->n_phases; p++)
    largest = body->phase[p].count > largest ? body->phase[p].count : largest;
  if (largest <= threads)
    return VB_OK;
  VB_TAKE(&memory, k.node, body->n_nodes);
  VB_TAKE(&memory, k.frame, body->n_segments);
  VB_TAKE(&memory, k.count, n + 1);
  VB_TAKE(&memory, k.round, n);
  VB_TAKE(&out->memory, out->phase, n);
  VB_TAKE(&out->memory, out->order, n);
  vb_status status = vb_arena_status(&memory, error);
  if (!status)
    status = vb_arena_status(&out->memory, error);
  if (!status) {
    put_all(&k);
    list_rounds(&k, out);
  }
  vb_arena_clear(&memory);
  return status;
}

void viper_rounds_clear(viper_rounds *rounds) {
  vb_arena_clear(&rounds->memory);
  memset(rounds, 0, sizeof *rounds);
}
