// SPDX-License-Identifier: GPL-3.0-or-later
/// The contacts of a substep: narrow phase, colors, half-planes.
#include "viper/cpu/contact_gaps.h"
#include "viper/cpu/contact_real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pairs that a thread looks at at once.
#define CHUNK 256
static bool reserve(viper_touch_list *list, size_t n) {
  if (n <= list->capacity)
    return true;
  size_t capacity = n + n / 2 + 64;
  viper_touch *touch = realloc(list->touch, capacity * sizeof *touch);
  if (!touch)
    return false;
  list->touch = touch;
  list->capacity = capacity;
  return true;
}

static void append(viper_touch_list *list, const viper_touch *touch) {
  list->failed = list->failed || !reserve(list, list->n + 1);
  if (!list->failed)
    list->touch[list->n++] = *touch;
}

/// Makes the contacts of segments i < j.
static void touch_pair(const viper_cpu *cpu, int32_t i, int32_t j, viper_touch_list *out) {
  const viper_contacts *c = cpu->contacts;
  viper_touch touch[2];
  int n = viper_touch_pills(c->node, cpu->model->segment[i].node, cpu->model->segment[j].node,
                            &c->pill[i], &c->pill[j], (viper_scalar)c->settings->margin, touch,
                            &out->speed);
  for (int k = 0; k < n; k++)
    append(out, &touch[k]);
}

#define viper_pill_gaps VIPER_NAME(viper_pill_gaps)

/// Makes the contacts of `n` pairs, at most VIPER_GAPS: first the gaps of all, then a closer look
/// at those that are near enough, or may have gone through each other.
static void touch_block(const viper_cpu *cpu, const viper_sphere_pair *pair, int n,
                        viper_touch_list *out) {
  viper_scalar block[VIPER_PAIR_NUMBERS][VIPER_GAPS] = {{0}}, gap[VIPER_GAPS], way[VIPER_GAPS];
  double margin = cpu->contacts->settings->margin;
  for (int k = 0; k < n; k++) {
    const viper_moving_pill *a = &cpu->contacts->pill[pair[k].i];
    const viper_moving_pill *b = &cpu->contacts->pill[pair[k].j];
    for (int row = 0; row < 8; row++) {
      block[row][k] = a->end[row];
      block[8 + row][k] = b->end[row];
    }
    way[k] = a->way + b->way;
  }
  viper_pill_gaps((const viper_scalar(*)[VIPER_GAPS])block, gap);
  for (int k = 0; k < n; k++)
    if (gap[k] < (viper_real)margin + way[k] &&
        viper_filter_allows(&cpu->contacts->filter, pair[k].i, pair[k].j))
      touch_pair(cpu, pair[k].i, pair[k].j, out);
}

static bool reserve_chunks(viper_contacts *c, size_t n) {
  if (n <= c->n_found)
    return true;
  viper_touch_list *found = realloc(c->found, n * sizeof *found);
  if (!found)
    return false;
  memset(found + c->n_found, 0, (n - c->n_found) * sizeof *found);
  c->found = found;
  c->n_found = n;
  return true;
}

/// The narrow phase, chunk by chunk; returns how many chunks there are, or -1 without memory.
static int64_t find_touches(viper_cpu *cpu, const viper_sphere_pair *pairs, size_t n, int threads) {
  viper_contacts *c = cpu->contacts;
  int64_t n_chunks = (int64_t)((n + CHUNK - 1) / CHUNK);
  if (!reserve_chunks(c, (size_t)n_chunks))
    return -1;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (n_chunks > 16)
  for (int64_t k = 0; k < n_chunks; k++) {
    viper_touch_list *out = &c->found[k];
    size_t end = (size_t)(k + 1) * CHUNK < n ? (size_t)(k + 1) * CHUNK : n;
    out->n = 0;
    out->speed = 0;
    out->failed = false;
    for (size_t i = (size_t)k * CHUNK; i < end; i += VIPER_GAPS)
      touch_block(cpu, pairs + i, end - i < VIPER_GAPS ? (int)(end - i) : VIPER_GAPS, out);
  }
  return n_chunks;
}

/// The least color that none of a contact's nodes has yet; the last one where all are taken.
static int color_of(viper_contacts *c, const viper_touch *t) {
  uint64_t taken = 0;
  for (int k = 0; k < 4; k++)
    taken |= c->colors[t->node[k]];
  int color = 0;
  while (color < VIPER_CONTACT_COLORS && taken >> color & 1)
    color++;
  for (int k = 0; k < 4 && color < VIPER_CONTACT_COLORS; k++)
    c->colors[t->node[k]] |= UINT64_C(1) << color;
  return color;
}

/// Sorts contacts into colors that share no node: greedily, in the order of the pairs.
static bool sort_touches(viper_contacts *c, int64_t n_chunks) {
  size_t n = 0;
  int32_t next[VIPER_CONTACT_COLORS + 1] = {0};
  for (int64_t k = 0; k < n_chunks; k++) {
    if (c->found[k].failed)
      return false;
    n += c->found[k].n;
    c->speed = fmax(c->speed, (double)c->found[k].speed);
    for (size_t i = 0; i < c->found[k].n; i++) {
      viper_touch *t = &c->found[k].touch[i];
      t->which = color_of(c, t);
      next[t->which]++;
    }
  }
  if (!reserve(&c->touch, n))
    return false;
  c->touch.n = n;
  c->color_first[0] = 0;
  for (int color = 0; color <= VIPER_CONTACT_COLORS; color++) {
    c->color_first[color + 1] = c->color_first[color] + next[color];
    next[color] = c->color_first[color];
  }
  for (int64_t k = 0; k < n_chunks; k++)
    for (size_t i = 0; i < c->found[k].n; i++)
      c->touch.touch[next[c->found[k].touch[i].which]++] = c->found[k].touch[i];
  for (size_t k = 0; k < n; k++)
    for (int node = 0; node < 4; node++) {
      c->colors[c->touch.touch[k].node[node]] = 0;
      c->is_active[c->touch.touch[k].node[node]] = 1;
    }
  return true;
}

/// The contact of a node with a half-plane, where it is near enough.
static void rest_on(viper_contacts *c, double margin, int32_t i, int32_t plane) {
  viper_touch t;
  if (!viper_touch_plane(c->node, i, &c->plane[plane], plane, (viper_scalar)margin, &t))
    return;
  append(&c->rest, &t);
  c->is_active[i] = 1;
}

/// Watches scales that may come to their limit in this substep.
static void watch_scale(viper_contacts *c, int32_t i) {
  if (viper_watch_scale(&c->node[i])) {
    c->limit[c->n_limits++] = (viper_limit){.node = i};
    c->is_active[i] = 1;
  }
}

static void list_active(viper_contacts *c, int32_t n_nodes) {
  c->n_active = 0;
  for (int32_t i = 0; i < n_nodes; i++)
    if (c->is_active[i]) {
      c->active[c->n_active++] = i;
      c->is_active[i] = 0;
    }
}

vb_status viper_contact_detect(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  int32_t n_nodes = (int32_t)cpu->model->n_nodes;
  const viper_sphere_pair *pairs;
  size_t n_pairs = 0;
  double margin = c->settings ? c->settings->margin : 0;
  c->touch.n = c->rest.n = 0;
  c->n_active = c->n_limits = 0;
  c->speed = 0;
  c->rest.failed = false;
  viper_contact_gather(cpu, settings->threads);
  if (c->settings) {
    vb_status status = viper_contact_pairs(cpu, margin, settings->threads, &pairs, &n_pairs, error);
    if (status)
      return status;
    int64_t n_chunks = find_touches(cpu, pairs, n_pairs, settings->threads);
    if (n_chunks < 0 || !sort_touches(c, n_chunks))
      return vb_error_memory(error);
  }
  for (int32_t i = 0; i < n_nodes; i++)
    for (int32_t p = 0; p < (int32_t)c->n_planes; p++)
      rest_on(c, margin, i, p);
  for (int32_t i = 0; i < n_nodes; i++)
    watch_scale(c, i);
  list_active(c, n_nodes);
  c->fastest = fmax(c->fastest, c->speed);
  return c->rest.failed ? vb_error_memory(error) : VB_OK;
}
