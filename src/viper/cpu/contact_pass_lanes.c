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

/// Where an active node is now.
static viper_vec4 place_of(const viper_contact_set *w, int32_t i) {
  const viper_place *p = &w->place[i];
  const viper_scalar *x = p->node;
  return viper_vec4_make(x[0], x[p->stride], x[2 * p->stride], x[3 * p->stride]);
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

/// What is done with contacts: they are solved; or counted, and then averaged.
typedef enum viper_action { SOLVE, COUNT, AVERAGE } viper_action;

// Functions are made anew for each action.
#define FOR_EACH_ACTION static inline __attribute__((always_inline))

FOR_EACH_ACTION void act_between(const viper_contact_set *w, viper_touch *t, viper_action action) {
  const viper_friction friction = viper_touch_friction(t, w->friction, w->of_node);
  if (action == SOLVE)
    viper_touch_between(t, w->node, friction);
  else if (action == COUNT)
    viper_touch_count(t, w->node, w->average, 4);
  else
    viper_touch_average(t, w->node, w->average, w->relaxation, friction,
                        viper_vec4_make(0, 0, 0, 0), 4);
}

FOR_EACH_ACTION void act_on_plane(const viper_contact_set *w, viper_touch *t, viper_action action) {
  const viper_plane *plane = &w->plane[t->which];
  const viper_friction friction = viper_plane_friction(t, plane, w->of_node);
  if (action == SOLVE)
    viper_touch_on_plane(t, w->node, plane, friction);
  else if (action == COUNT)
    viper_touch_count(t, w->node, w->average, 1);
  else
    viper_touch_average(t, w->node, w->average, w->relaxation, friction,
                        viper_plane_displacement(plane, w->node[t->node[0]].x), 1);
}

FOR_EACH_ACTION void act_on_range(const viper_contact_set *w, range r, viper_action action) {
  for (int32_t k = r.begin; k < r.end; k++)
    act_between(w, &w->touch[k], action);
}

/// The islands whose middles are in the thread's share of all their contacts.
FOR_EACH_ACTION void act_on_islands(const viper_contact_set *w, viper_thread_group thread_group,
                                    viper_action action) {
  range own = share_of(0, w->island[w->n_islands], thread_group);
  for (int32_t i = 0; i < w->n_islands; i++) {
    int32_t middle = (w->island[i] + w->island[i + 1]) / 2;
    if (middle < own.begin || middle >= own.end)
      continue;
    for (int32_t k = w->island[i]; k < w->island[i + 1]; k++)
      act_between(w, &w->touch[w->on_islands[k]], action);
  }
}

/// Large colors by all threads, one after the other; then what is left, island by island.
FOR_EACH_ACTION void act_on_colors(const viper_contact_set *w, viper_thread_group thread_group,
                                   viper_action action) {
  const int32_t *first = w->color_first;
  for (int color = 0; color < w->shared_colors; color++) {
    act_on_range(w, share_of(first[color], first[color + 1], thread_group), action);
    group_barrier(thread_group);
  }
  act_on_islands(w, thread_group, action);
  group_barrier(thread_group);
}

/// Counts the contacts with half-planes of the thread's share of nodes.
static void count_on_planes(const viper_contact_set *w, range r) {
  for (int32_t k = 0; r.begin < r.end && k < w->n_rests; k++)
    if (w->rest[k].node[0] >= w->active[r.begin] && w->rest[k].node[0] <= w->active[r.end - 1])
      act_on_plane(w, &w->rest[k], COUNT);
}

/// What concerns single nodes: half-planes and limits of scales, of the thread's share of nodes.
FOR_EACH_ACTION void act_on_nodes(const viper_contact_set *w, range r, viper_action action) {
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
      act_on_plane(w, &w->rest[rest], action);
    if (action == AVERAGE)
      viper_average_move(&w->node[i], &w->average[i], place_of(w, i));
    for (; limit < w->n_limits && w->limit[limit].node == i; limit++)
      viper_limit_scale(&w->limit[limit], w->node);
    write_node(w, i);
  }
}

/// Nodes are still where the iteration began, as contacts know them.
static void average(const viper_contact_set *w, viper_thread_group thread_group) {
  range own = share_of(0, w->n_active, thread_group);
  bool between = w->color_first[VIPER_CONTACT_COLORS + 1] > 0;
  for (int32_t k = own.begin; k < own.end; k++) {
    w->average[w->active[k]].contacts = 0;
    w->average[w->active[k]].sum = viper_vec4_make(0, 0, 0, 0);
  }
  group_barrier(thread_group);
  if (between)
    act_on_colors(w, thread_group, COUNT);
  count_on_planes(w, own);
  group_barrier(thread_group);
  if (between)
    act_on_colors(w, thread_group, AVERAGE);
  act_on_nodes(w, own, AVERAGE);
}

void viper_contact_passes(const viper_contact_set *contacts, viper_thread_group thread_group) {
  range own = share_of(0, contacts->n_active, thread_group);
  if (contacts->average) {
    average(contacts, thread_group);
    return;
  }
  for (int32_t k = own.begin; k < own.end; k++)
    contacts->node[contacts->active[k]].x = place_of(contacts, contacts->active[k]);
  group_barrier(thread_group);
  if (contacts->color_first[VIPER_CONTACT_COLORS + 1] > 0)
    act_on_colors(contacts, thread_group, SOLVE);
  act_on_nodes(contacts, own, SOLVE);
}
