// SPDX-License-Identifier: GPL-3.0-or-later
/// A pass over all contacts (contact/README.md): color by color, then over those on half-planes.
#include "viper/cpu/contact_lanes.h"

typedef struct range {
  int32_t begin, end;
} range;

static range share_of(int32_t begin, int32_t end, viper_thread_group thread_group) {
  int64_t n = end - begin;
  return (range){begin + (int32_t)(n * thread_group.rank / thread_group.size),
                 begin + (int32_t)(n * (thread_group.rank + 1) / thread_group.size)};
}

static void group_barrier(viper_thread_group thread_group) {
  if (thread_group.size > 1) {
#pragma omp barrier
  }
}

/// Reads where an active node is now.
static void read_node(const viper_contact_set *w, int32_t i) {
  const viper_place *p = &w->place[i];
  const viper_scalar *x = p->node;
  w->node[i].x = viper_vec4_make(x[0], x[p->stride], x[2 * p->stride], x[3 * p->stride]);
}

/// Writes it; and where it is predicted, moved by what contacts pushed: with it bodies seek the
/// minimum under the contacts' forces.
static void write_node(const viper_contact_set *w, int32_t i) {
  const viper_place *p = &w->place[i];
  const viper_contact_node *from = &w->node[i];
  viper_vec4 x = from->x, hat = from->hat + from->push;
  viper_scalar *to = p->node, *to_hat = p->node_hat;
  for (int k = 0; k < 4; k++)
    to[(size_t)k * p->stride] = x[k];
  for (int k = 0; k < 4 && w->hat; k++)
    to_hat[(size_t)k * p->stride] = hat[k];
}

static void solve_between(const viper_contact_set *w, range r) {
  for (int32_t k = r.begin; k < r.end; k++)
    viper_touch_between(&w->touch[k], w->node, w->at_rest, w->sliding);
}

/// The islands whose middles are in the thread's share of all their contacts.
static void solve_islands(const viper_contact_set *w, viper_thread_group thread_group) {
  range own = share_of(0, w->island[w->n_islands], thread_group);
  for (int32_t i = 0; i < w->n_islands; i++) {
    int32_t middle = (w->island[i] + w->island[i + 1]) / 2;
    if (middle < own.begin || middle >= own.end)
      continue;
    for (int32_t k = w->island[i]; k < w->island[i + 1]; k++)
      viper_touch_between(&w->touch[w->on_islands[k]], w->node, w->at_rest, w->sliding);
  }
}

/// Large colors by all threads, one after the other; then what is left, island by island.
static void solve_colors(const viper_contact_set *w, viper_thread_group thread_group) {
  const int32_t *first = w->color_first;
  for (int color = 0; color < w->shared_colors; color++) {
    solve_between(w, share_of(first[color], first[color + 1], thread_group));
    group_barrier(thread_group);
  }
  solve_islands(w, thread_group);
  group_barrier(thread_group);
}

/// What concerns single nodes: half-planes and limits of scales, of the thread's share of nodes.
static void solve_nodes(const viper_contact_set *w, range r) {
  int32_t rest = 0, limit = 0;
  if (r.begin == r.end)
    return;
  while (rest < w->n_rests && w->rest[rest].node[0] < w->active[r.begin])
    rest++;
  while (limit < w->n_limits && w->limit[limit].node < w->active[r.begin])
    limit++;
  for (int32_t k = r.begin; k < r.end; k++) {
    int32_t i = w->active[k];
    for (; rest < w->n_rests && w->rest[rest].node[0] == i; rest++)
      viper_touch_on_plane(&w->rest[rest], w->node, &w->plane[w->rest[rest].which]);
    for (; limit < w->n_limits && w->limit[limit].node == i; limit++)
      viper_limit_scale(&w->limit[limit], w->node);
    write_node(w, i);
  }
}

void viper_contact_passes(const viper_contact_set *contacts, viper_thread_group thread_group) {
  range own = share_of(0, contacts->n_active, thread_group);
  for (int32_t k = own.begin; k < own.end; k++)
    read_node(contacts, contacts->active[k]);
  group_barrier(thread_group);
  if (contacts->color_first[VIPER_CONTACT_COLORS + 1] > 0)
    solve_colors(contacts, thread_group);
  solve_nodes(contacts, own);
}
