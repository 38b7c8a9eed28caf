// SPDX-License-Identifier: GPL-3.0-or-later
/// The contacts of a substep: the narrow phase.
#include "viper/cpu/contact/contact_real.h"

#include <math.h>
#include <omp.h>

/// What a gap may be wrong by, as a part of the capsules' sizes and of their coordinates: rounding,
/// and where axes are nearly parallel.
#define WRONG_OF_SIZE  (1.0 / 256)
#define WRONG_OF_PLACE (64 * (double)VIPER_EPSILON)

/// Pairs of a segment that are sifted together.
#define CHUNK 128

/// Pairs that are looked at together.
typedef struct block {
  int n;
  int32_t i[VIPER_CONTACT_CANDIDATES], j[VIPER_CONTACT_CANDIDATES], pair[VIPER_CONTACT_CANDIDATES];
  viper_contact_candidates capsules;
} block;

static void append(viper_finds *finds, const viper_touch *touch) {
  viper_touch_list *list = &finds->touch;
  finds->failed = finds->failed || !viper_touch_reserve(list, list->n + 1);
  if (!finds->failed)
    list->touch[list->n++] = *touch;
}

static void note_close(viper_finds *finds, int32_t i, int32_t j, viper_scalar gap) {
  finds->failed =
      finds->failed || !VB_GROW(finds->close, finds->close_capacity, finds->n_close + 1);
  if (!finds->failed)
    finds->close[finds->n_close++] = (viper_close_pair){i, j, gap};
}

/// What is sure of the sum of two reaches for a pair to be nearer than the margin, after its gap
/// was found: capsules so far apart need not be looked at before.
static viper_scalar limit_of(const viper_contacts *c, const block *b, int k, viper_scalar gap) {
  const viper_moving_capsule *capsule = &c->capsule[b->i[k]];
  double size = 0, place = 0;
  for (int end = 0; end < 8; end += 4) {
    size += fabs((double)(b->capsules.end[end + 3][k] + b->capsules.end[end + 11][k]));
    for (int x = 0; x < 3; x++)
      place += fabs((double)capsule->end[end + x]);
  }
  double wrong = WRONG_OF_SIZE * (size + fabs((double)gap)) + WRONG_OF_PLACE * place;
  return gap - (viper_scalar)(wrong + c->settings->margin) + c->neighbors.displacement[b->i[k]] +
         c->neighbors.displacement[b->j[k]];
}

/// Makes the contacts of a block.
static void look_at_block(const viper_cpu *cpu, block *b, viper_finds *out) {
  const viper_contacts *c = cpu->contacts;
  viper_watches watches;
  viper_scalar(*row)[VIPER_CONTACT_CANDIDATES] = watches.number;
  cpu->lanes_api->contact_watch(&b->capsules, &watches);
  for (int k = 0; k < b->n; k++) {
    int32_t i = b->i[k], j = b->j[k];
    viper_scalar margin = (viper_scalar)c->settings->margin,
                 displacement = c->capsule[i].displacement + c->capsule[j].displacement;
    c->neighbors.limit[b->pair[k]] = limit_of(c, b, k, row[2][k]);
    if (!(row[2][k] < margin + displacement))
      continue;
    if (!viper_filter_allows(&c->filter, i, j)) {
      c->neighbors.limit[b->pair[k]] = INFINITY;
      continue;
    }
    viper_contact_candidate p;
    viper_touch touch[2];
    viper_watched watched = {
        {row[0][k], row[1][k], row[2][k]}, {row[3][k], row[4][k], row[5][k]}, row[6][k]};
    viper_contact_candidate_make(c->node, cpu->model->segment[i].node, cpu->model->segment[j].node,
                                 &c->capsule[i], &c->capsule[j], margin, &p);
    note_close(out, i, j, row[2][k]);
    const int n = viper_touch_at(&p, c->node, &watched, touch, &out->speed);
    for (int t = 0; t < n; t++) {
      if (c->beyond)
        viper_touch_smooth(&touch[t], c->node, c->beyond[i], c->beyond[j]);
      viper_touch_name(&touch[t], i, j);
    }
    for (int t = 0; t < n; t++) {
      touch[t].place = n > 1 ? viper_touch_place(&touch[t], &touch[1 - t], t) : 0;
      append(out, &touch[t]);
    }
  }
  b->n = 0;
}

static void add_pair(const viper_contacts *c, block *b, int32_t i, int32_t j, int32_t pair) {
  const viper_moving_capsule *a = &c->capsule[i], *o = &c->capsule[j];
  int k = b->n++;
  b->i[k] = i;
  b->j[k] = j;
  b->pair[k] = pair;
  b->capsules.margin[k] =
      (viper_scalar)c->settings->margin + VIPER_R(0.5) * (a->displacement + o->displacement);
  for (int row = 0; row < 8; row++) {
    b->capsules.end[row][k] = a->end[row];
    b->capsules.end[8 + row][k] = o->end[row];
  }
}

/// The pairs of segment `i` from `first` on, at most CHUNK of them, that may be near, into `hit`;
/// returns how many. Which do cannot be foreseen, so nothing branches on it.
static int list_near(const viper_neighbor_list *neighbors, int32_t i, int32_t first,
                     int32_t hit[CHUNK]) {
  int32_t end = neighbors->first[i + 1] < first + CHUNK ? neighbors->first[i + 1] : first + CHUNK;
  int n = 0;
  for (int32_t k = first; k < end; k++) {
    hit[n] = k;
    n += !(neighbors->reach[i] + neighbors->reach[neighbors->other[k]] < neighbors->limit[k]);
  }
  return n;
}

/// Looks at the pairs of segments [begin, end) that may be near, in their order.
static void look_at_range(const viper_cpu *cpu, int32_t begin, int32_t end, viper_finds *out) {
  const viper_contacts *c = cpu->contacts;
  const viper_neighbor_list *neighbors = &c->neighbors;
  int32_t hit[CHUNK] = {0};
  block b = {0};
  for (int32_t i = begin; i < end; i++)
    for (int32_t first = neighbors->first[i]; first < neighbors->first[i + 1]; first += CHUNK) {
      int n = list_near(neighbors, i, first, hit);
      for (int k = 0; k < n; k++) {
        add_pair(c, &b, i, neighbors->other[hit[k]], hit[k]);
        if (b.n == VIPER_CONTACT_CANDIDATES)
          look_at_block(cpu, &b, out);
      }
    }
  if (b.n > 0)
    look_at_block(cpu, &b, out);
}

bool viper_contact_finds(viper_contacts *c, int threads) {
  if (!VB_GROW(c->finds, c->finds_capacity, (size_t)threads))
    return false;
  for (; c->n_finds < threads; c->n_finds++)
    c->finds[c->n_finds] = (viper_finds){.failed = false};
  return true;
}

/// Looks at a thread's share of the pairs: the same ranges in every substep, as long as they are
/// listed, so that what is known of them stays in its cache.
static void find_own(const viper_cpu *cpu, int thread, int threads) {
  const viper_contacts *c = cpu->contacts;
  const viper_neighbor_list *neighbors = &c->neighbors;
  int32_t n = (int32_t)cpu->model->n_segments;
  viper_finds *out = &c->finds[thread];
  for (int32_t p = 0; p < c->n_ranges; p++) {
    int32_t begin = p * VIPER_CONTACT_RANGE;
    int32_t end = begin + VIPER_CONTACT_RANGE < n ? begin + VIPER_CONTACT_RANGE : n;
    if ((int64_t)neighbors->first[begin] * threads / ((int64_t)neighbors->first[n] + 1) != thread)
      continue;
    size_t first = out->touch.n;
    look_at_range(cpu, begin, end, out);
    c->range[p] = (viper_touch_range){.thread = thread, .first = first, .n = out->touch.n - first};
  }
}

bool viper_contact_find(viper_cpu *cpu, int threads) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_segments;
  bool failed = false;
  if (!viper_contact_finds(c, threads))
    return false;
  for (int t = 0; t < c->n_finds; t++) {
    c->finds[t].touch.n = c->finds[t].n_close = 0;
    c->finds[t].speed = 0;
    c->finds[t].failed = false;
  }
#pragma omp parallel num_threads(threads) if (n > VIPER_CONTACT_PARALLEL)
  find_own(cpu, omp_get_thread_num(), omp_get_num_threads());
  for (int t = 0; t < c->n_finds; t++) {
    failed = failed || c->finds[t].failed;
    c->speed = fmax(c->speed, (double)c->finds[t].speed);
  }
  return !failed;
}
