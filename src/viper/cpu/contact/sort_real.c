// SPDX-License-Identifier: GPL-3.0-or-later
/// The contacts of a substep, sorted: between capsules color by color, on half-planes node by node.
///
/// The contacts of small colors, island by island: those that share nodes, and those that share
/// nodes with these, are an island. Few contacts are left after the large colors, so that islands
/// are small, and threads need not wait for each other after every color. On an island contacts
/// keep their order: what comes of them is the same as color by color.
#include "viper/cpu/contact/contact_real.h"

#include "base/rows.h"
#include "viper/contact/color_turn.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/// Contacts of a color from which on all threads share it, and wait for each other after it. It
/// takes the first colors away for what is left to fall into islands: they are shared earlier.
#define SHARED       128
#define SHARED_FIRST 32
#define FIRST        6

/// The least color that none of a contact's nodes has yet; the last one where all are taken.
static int color_of(uint64_t *colors, const viper_touch *t) {
  uint64_t taken =
      colors[t->node[0]] | colors[t->node[1]] | colors[t->node[2]] | colors[t->node[3]];
  if (taken == UINT64_MAX)
    return VIPER_CONTACT_COLORS;
  int color = __builtin_ctzll(~taken);
  for (int k = 0; k < 4; k++)
    colors[t->node[k]] |= UINT64_C(1) << color;
  return color;
}

static viper_touch *touches_of(const viper_contacts *c, const viper_touch_range *range) {
  return c->finds[range->thread].touch.touch + range->first;
}

/// Notes at the nodes of what has no color that they are not without contacts.
static void mark_colorless(viper_contacts *c) {
  for (int32_t p = 0; p < c->n_ranges; p++) {
    const viper_touch_range *range = &c->range[p];
    const viper_touch *touch = touches_of(c, range);
    for (size_t k = 0; k < range->n; k++)
      for (int node = 0; touch[k].which == VIPER_CONTACT_COLORS && node < 4; node++)
        c->colors[touch[k].node[node]] |= 1;
  }
}

/// Gives `n` contacts colors that share no node: greedily, in the order of contact/color_turn.h.
/// One thread does: it is a few loads for each contact.
static void choose_colors(viper_contacts *c, size_t n) {
  int bits = 1;
  for (int32_t p = 0; p < c->n_ranges; p++)
    for (size_t k = 0; k < c->range[p].n; k++)
      c->to_color[c->range[p].before + k] = touches_of(c, &c->range[p]) + k;
  while ((size_t)1 << bits < n)
    bits++;
  for (uint32_t turn = 0; turn < UINT32_C(1) << bits; turn++) {
    uint32_t k = viper_color_turn(turn) >> (32 - bits);
    if (k < n)
      c->to_color[k]->which = color_of(c->colors, c->to_color[k]);
  }
}

/// Counts the colors, and numbers the contacts of each.
static void rank_contacts(viper_contacts *c, size_t n) {
  int32_t count[VIPER_CONTACT_COLORS + 1] = {0};
  for (size_t k = 0; k < n; k++)
    c->rank[k] = count[c->to_color[k]->which]++;
  if (count[VIPER_CONTACT_COLORS] > 0)
    mark_colorless(c); // after all have been colored
  c->color_first[0] = 0;
  for (int color = 0; color <= VIPER_CONTACT_COLORS; color++)
    c->color_first[color + 1] = c->color_first[color] + count[color];
}

/// Any of a node's island, the same for all its nodes.
static int32_t leader_of(int32_t *leader, int32_t node) {
  while (leader[node] != node)
    node = leader[node] = leader[leader[node]];
  return node;
}

/// Room for `n` contacts, and for as many islands.
static bool reserve_islands(viper_islands *s, size_t n) {
  return VB_GROW(s->touch, s->touch_capacity, n) && VB_GROW(s->first, s->first_capacity, n + 2);
}

/// Unites the nodes of contacts [begin, end).
static void unite(viper_islands *s, const viper_touch *touch, int32_t begin, int32_t end) {
  for (int32_t k = begin; k < end; k++)
    for (int i = 0; i < 4; i++) {
      s->leader[touch[k].node[i]] = touch[k].node[i];
      s->number[touch[k].node[i]] = -1;
    }
  for (int32_t k = begin; k < end; k++) {
    int32_t first = leader_of(s->leader, touch[k].node[0]);
    for (int i = 1; i < 4; i++)
      s->leader[leader_of(s->leader, touch[k].node[i])] = first;
  }
}

/// Puts contacts [begin, end) into the rows of their islands, which are numbered as they come.
static void fill_islands(viper_islands *s, const viper_touch *touch, int32_t begin, int32_t end) {
  s->n = 0;
  s->first[0] = s->first[1] = 0;
  for (int32_t k = begin; k < end; k++) {
    int32_t *number = &s->number[leader_of(s->leader, touch[k].node[0])];
    if (*number < 0) {
      *number = s->n++;
      s->first[s->n + 1] = 0;
    }
    s->first[*number + 2]++;
  }
  vb_begin_rows(s->first, (size_t)s->n);
  for (int32_t k = begin; k < end; k++)
    s->touch[s->first[s->number[leader_of(s->leader, touch[k].node[0])] + 1]++] = k;
}

/// How many colors, from the first on, all threads share.
static int32_t count_shared(const int32_t *color_first) {
  int32_t color = 0;
  while (color < VIPER_CONTACT_COLORS &&
         color_first[color + 1] - color_first[color] >= (color < FIRST ? SHARED_FIRST : SHARED))
    color++;
  return color;
}

/// Parts sorted contacts into colors that all threads share, and islands; false without memory.
static bool partition(viper_contacts *c) {
  c->shared_colors = count_shared(c->color_first);
  int32_t n = (int32_t)c->touch.n, begin = c->color_first[c->shared_colors];
  if (!reserve_islands(&c->islands, (size_t)(n - begin) + 1))
    return false;
  unite(&c->islands, c->touch.touch, begin, n);
  fill_islands(&c->islands, c->touch.touch, begin, n);
  return true;
}

bool viper_contact_sort(viper_contacts *c, int threads) {
  size_t n = 0;
  for (int32_t p = 0; p < c->n_ranges; p++) {
    c->range[p].before = n;
    n += c->range[p].n;
  }
  if (!VB_GROW(c->rank, c->ranks, n) || !VB_GROW(c->to_color, c->most_to_color, n) ||
      !viper_touch_reserve(&c->touch, n))
    return false;
  choose_colors(c, n);
  rank_contacts(c, n);
  c->touch.n = n;
#pragma omp parallel num_threads(threads) if (n > VIPER_CONTACT_PARALLEL)
  for (int32_t p = 0; p < c->n_ranges; p++) {
    const viper_touch_range *range = &c->range[p];
    const viper_touch *touch = touches_of(c, range);
    if (range->thread % omp_get_num_threads() != omp_get_thread_num())
      continue;
    for (size_t k = 0; k < range->n; k++) {
      viper_touch *to =
          &c->touch.touch[c->color_first[touch[k].which] + c->rank[range->before + k]];
      *to = touch[k];
      if (c->kept)
        viper_touch_recall_between(to, &c->kept[to->roller[0].segment], c->warm_start);
    }
  }
  return partition(c);
}

/// What a thread found for its range of nodes.
typedef struct share {
  int32_t begin, n_active, n_limits;
  viper_touch_list *rest;
  bool failed;
} share;

/// The contacts of a node with half-planes; returns how many.
static size_t rest_on_planes(const viper_contacts *c, viper_scalar margin, int32_t i, share *s) {
  size_t before = s->rest->n;
  for (int32_t p = 0; p < (int32_t)c->n_planes; p++) {
    viper_touch t;
    if (!viper_touch_plane(c->node, i, &c->plane[p], p, margin, &t))
      continue;
    if (c->kept_rest)
      viper_touch_recall(&t, &c->kept_rest[(size_t)i * c->n_planes + (size_t)p], c->warm_start);
    s->failed = s->failed || !viper_touch_reserve(s->rest, s->rest->n + 1);
    if (!s->failed)
      s->rest->touch[s->rest->n++] = t;
  }
  return s->rest->n - before;
}

/// Goes through the nodes [s->begin, end); what it lists begins at that place of the lists.
static void share_nodes(viper_contacts *c, viper_scalar margin, int32_t end, share *s) {
  for (int32_t i = s->begin; i < end; i++) {
    bool is_active = c->colors[i] != 0;
    c->colors[i] = 0;
    is_active |= rest_on_planes(c, margin, i, s) > 0;
    if (viper_watch_scale(&c->node[i])) {
      c->limit[s->begin + s->n_limits++] = (viper_limit){i, 0};
      is_active = true;
    }
    if (is_active)
      c->active[s->begin + s->n_active++] = i;
  }
}

/// Appends what a thread found to the lists.
static bool join_share(viper_contacts *c, const share *s) {
  if (s->failed || !viper_touch_reserve(&c->rest, c->rest.n + s->rest->n))
    return false;
  if (s->rest->n > 0)
    memcpy(c->rest.touch + c->rest.n, s->rest->touch, s->rest->n * sizeof *c->rest.touch);
  memmove(c->active + c->n_active, c->active + s->begin, (size_t)s->n_active * sizeof *c->active);
  memmove(c->limit + c->n_limits, c->limit + s->begin, (size_t)s->n_limits * sizeof *c->limit);
  c->rest.n += s->rest->n;
  c->n_active += s->n_active;
  c->n_limits += s->n_limits;
  return true;
}

bool viper_contact_nodes(viper_cpu *cpu, double margin, int threads) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_nodes;
  bool well = viper_contact_finds(c, threads);
  c->rest.n = 0;
  c->n_active = c->n_limits = 0;
  if (!well)
    return false;
#pragma omp parallel if (n > VIPER_CONTACT_PARALLEL) num_threads(threads)
  {
    int64_t rank = omp_get_thread_num(), size = omp_get_num_threads();
    share s = {.begin = (int32_t)(n * rank / size), .rest = &c->finds[rank].touch};
    s.rest->n = 0;
    share_nodes(c, (viper_scalar)margin, (int32_t)(n * (rank + 1) / size), &s);
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
    for (int64_t t = 0; t < size; t++) {
#pragma omp ordered
      well = well && join_share(c, &s);
    }
  }
  return well;
}
