// SPDX-License-Identifier: GPL-3.0-or-later
/// A pass over all contacts (contact/README.md): color by color, then over those on half-planes.
#include "viper/cpu/contact/contact_lanes.h"

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

/// What is done with contacts: they move what they begin with; they are solved; they are
/// stabilized, and kept for the next substep; or they are counted, and then averaged.
typedef enum viper_action {
  BEGIN = VIPER_VISIT_BEGIN,
  SOLVE = VIPER_VISIT_SOLVE,
  STABILIZE,
  COUNT,
  AVERAGE
} viper_action;

// Functions are made anew for each action.
#define FOR_EACH_ACTION static inline __attribute__((always_inline))

static void settle_between(const viper_contact_set *w, const viper_touch *t) {
  viper_touch_stabilize(t, w->node, w->still, viper_vec4_make(0, 0, 0, 0), 4);
  if (w->kept)
    viper_touch_keep(t, &w->kept[t->roller[0].segment]);
}

FOR_EACH_ACTION void act_between(const viper_contact_set *w, viper_touch *t, viper_action action) {
  const viper_friction friction = viper_touch_friction(t, w->friction, w->of_node);
  if (action == STABILIZE)
    settle_between(w, t);
  else if (action == COUNT)
    viper_touch_count(t, w->node, w->average, 4);
  else if (action == AVERAGE)
    viper_touch_average(t, w->node, w->average, w->constants.relaxation, friction,
                        viper_vec4_make(0, 0, 0, 0), 4);
  else
    viper_touch_between(t, w->node, viper_frame_rolls_of(w->frame), friction, (viper_visit)action,
                        4);
}

/// The frames at a contact with a half-plane.
static viper_rollers rollers_of(const viper_contact_set *w, const viper_touch *t) {
  if (!w->frame)
    return (viper_rollers){NULL, 0, 0, NULL};
  int32_t first = w->roller_first[t->node[0]], end = w->roller_first[t->node[0] + 1];
  return (viper_rollers){w->roller + first, end - first, t->roller[0].arm, NULL};
}

static void settle_on_plane(const viper_contact_set *w, const viper_touch *t) {
  viper_touch_stabilize(t, w->node, w->still,
                        viper_plane_displacement(&w->plane[t->which], w->node[t->node[0]].x), 1);
  if (w->kept_rest)
    w->kept_rest[(size_t)t->node[0] * (size_t)w->n_planes + (size_t)t->which] = viper_kept_of(t, 0);
}

FOR_EACH_ACTION void act_on_plane(const viper_contact_set *w, viper_touch *t, viper_action action) {
  const viper_plane *plane = &w->plane[t->which];
  const viper_friction friction = viper_plane_friction(t, plane, w->of_node);
  if (action == STABILIZE)
    settle_on_plane(w, t);
  else if (action == COUNT)
    viper_touch_count(t, w->node, w->average, 1);
  else if (action == AVERAGE)
    viper_touch_average(t, w->node, w->average, w->constants.relaxation, friction,
                        viper_plane_displacement(plane, w->node[t->node[0]].x), 1);
  else
    viper_touch_on_plane(t, w->node, viper_frame_rolls_of(w->frame), rollers_of(w, t), plane,
                         friction, (viper_visit)action);
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

/// The first contact with a half-plane of the thread's share of nodes, and the end of them.
static range rests_of(const viper_contact_set *w, range r) {
  range rests = {0, 0};
  if (r.begin == r.end)
    return rests;
  while (rests.begin < w->n_rests && w->rest[rests.begin].node[0] < w->active[r.begin])
    rests.begin++;
  rests.end = rests.begin;
  while (rests.end < w->n_rests && w->rest[rests.end].node[0] <= w->active[r.end - 1])
    rests.end++;
  return rests;
}

/// The contacts with half-planes of the thread's share of nodes: nodes that share a frame take
/// turns.
FOR_EACH_ACTION void act_on_planes(const viper_contact_set *w, viper_thread_group thread_group,
                                   range r, viper_action action) {
  range rests = rests_of(w, r);
  bool turns = w->frame && action < STABILIZE && w->n_rests > 0;
  for (int32_t turn = 0; turn < (turns ? w->n_turns : 1); turn++) {
    for (int32_t k = rests.begin; k < rests.end; k++)
      if (!turns || w->turn[w->rest[k].node[0]] == turn)
        act_on_plane(w, &w->rest[k], action);
    if (turns)
      group_barrier(thread_group);
  }
}

/// Limits of scales, of the thread's share of nodes, which are then written.
FOR_EACH_ACTION void finish_nodes(const viper_contact_set *w, range r, viper_action action) {
  int32_t limit = 0;
  while (r.begin < r.end && limit < w->n_limits && w->limit[limit].node < w->active[r.begin])
    limit++;
  for (int32_t k = r.begin; k < r.end; k++) {
    int32_t i = w->active[k];
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
  act_on_planes(w, thread_group, own, COUNT);
  group_barrier(thread_group);
  if (between)
    act_on_colors(w, thread_group, AVERAGE);
  act_on_planes(w, thread_group, own, AVERAGE);
  finish_nodes(w, own, AVERAGE);
}

/// Reads where a frame is.
static void read_frame(const viper_contact_set *w, int32_t j) {
  const viper_place *p = &w->frame_place[j];
  const viper_scalar *x = p->node;
  viper_frame_read(&w->frame[j],
                   viper_vec4_make(x[0], x[p->stride], x[2 * p->stride], x[3 * p->stride]));
}

/// Writes a frame that friction rolled; and where it is predicted.
static void write_frame(const viper_contact_set *w, int32_t j) {
  const viper_place *p = &w->frame_place[j];
  const viper_contact_frame *f = &w->frame[j];
  viper_scalar *to = p->node, *to_hat = p->node_hat;
  if (f->roll.added != 0) {
    viper_vec4 q = viper_frame_rolled(f->now, f->roll.added);
    for (int k = 0; k < 4; k++)
      to[(size_t)k * p->stride] = q[k];
  }
  if (w->hat) { // also where a torque is 0 again
    viper_vec4 q = viper_frame_hat(f);
    for (int k = 0; k < 4; k++)
      to_hat[(size_t)k * p->stride] = q[k];
  }
}

/// Goes over all contacts once: they are solved, or move what they begin with.
FOR_EACH_ACTION void pass_over(const viper_contact_set *w, viper_thread_group thread_group,
                               viper_action action) {
  range own = share_of(0, w->n_active, thread_group);
  range frames = share_of(0, w->n_rolling, thread_group);
  for (int32_t k = own.begin; k < own.end; k++)
    w->node[w->active[k]].x = place_of(w, w->active[k]);
  for (int32_t k = frames.begin; k < frames.end; k++)
    read_frame(w, w->rolling[k]);
  group_barrier(thread_group);
  if (w->color_first[VIPER_CONTACT_COLORS + 1] > 0)
    act_on_colors(w, thread_group, action);
  act_on_planes(w, thread_group, own, action);
  finish_nodes(w, own, action);
  for (int32_t k = frames.begin; k < frames.end; k++)
    write_frame(w, w->rolling[k]);
}

void viper_contact_begins(const viper_contact_set *contacts, viper_thread_group thread_group) {
  pass_over(contacts, thread_group, BEGIN);
}

void viper_contact_passes(const viper_contact_set *contacts, viper_thread_group thread_group) {
  if (contacts->average)
    average(contacts, thread_group);
  else
    pass_over(contacts, thread_group, SOLVE);
}

/// The work of the friction of a contact on `n_nodes` and the frames `r`; stores the part of rolls.
static viper_scalar work_of(const viper_contact_set *w, viper_touch *t, viper_rollers r,
                            viper_vec4 carried, int n_nodes) {
  const viper_vec4 rolled = viper_touch_rolled(t, viper_frame_rolls_of(w->frame), r);
  return viper_touch_works(t, w->node, rolled, carried, n_nodes);
}

/// Notes what rolls do of the work of friction.
static void note_works(const viper_contact_set *w, viper_thread_group thread_group, range r) {
  range own = share_of(0, w->color_first[VIPER_CONTACT_COLORS + 1], thread_group);
  range rests = rests_of(w, r);
  for (int32_t k = own.begin; k < own.end; k++)
    work_of(w, &w->touch[k], (viper_rollers){w->touch[k].roller, 2, 1, NULL},
            viper_vec4_make(0, 0, 0, 0), 4);
  for (int32_t k = rests.begin; k < rests.end; k++) {
    viper_touch *t = &w->rest[k];
    work_of(w, t, rollers_of(w, t),
            viper_plane_displacement(&w->plane[t->which], w->node[t->node[0]].x), 1);
  }
}

FOR_EACH_ACTION void act_on_all(const viper_contact_set *w, viper_thread_group thread_group,
                                range r, viper_action action) {
  if (w->color_first[VIPER_CONTACT_COLORS + 1] > 0)
    act_on_colors(w, thread_group, action);
  act_on_planes(w, thread_group, r, action);
}

/// Whether nothing was taken back in the round before at the contact's nodes: then its friction
/// does no work.
static bool is_at_ease(const viper_contact_set *w, const viper_touch *t, int round) {
  int32_t latest = w->eased[t->node[0]];
  for (int k = 1; k < 4; k++)
    latest = w->eased[t->node[k]] > latest ? w->eased[t->node[k]] : latest;
  return latest < round - 1;
}

/// The same of a contact with a half-plane, and of the frames at its node.
static bool rests_at_ease(const viper_contact_set *w, const viper_touch *t, int round) {
  int32_t latest = w->eased[t->node[0]];
  for (int32_t k = w->roller_first[t->node[0]]; k < w->roller_first[t->node[0] + 1]; k++) {
    const int32_t frame = w->eased_frame[w->roller[k].segment];
    latest = frame > latest ? frame : latest;
  }
  return latest < round - 1;
}

/// Finds whether the friction of a contact on `n_nodes` and the frames `r` does work, and counts it
/// there.
static int count_touch(const viper_contact_set *w, viper_touch *t, viper_rollers r,
                       viper_vec4 carried, int n_nodes) {
  t->works = work_of(w, t, r, carried, n_nodes);
  if (!(t->works > 0))
    return 0;
  for (int k = 0; k < n_nodes; k++)
    viper_ease_count(&w->ease_sums.at_node[t->node[k]]);
  for (int32_t k = 0; k < r.n; k++)
    viper_ease_count(&w->ease_sums.at_frame[r.at[k].segment]);
  return 1;
}

/// Takes back the friction of a contact on `n_nodes` and the frames `r`, and adds up what that
/// moves.
static void ease_touch(const viper_contact_set *w, viper_touch *t, viper_rollers r, int round,
                       int n_nodes) {
  const viper_frame_rolls rolls = viper_frame_rolls_of(w->frame);
  const viper_ease_counts counts = {w->ease_sums.at_node, w->ease_sums.at_frame};
  const viper_vec4 back = viper_touch_ease(t, w->node, rolls, r, counts, round, n_nodes);
  for (int k = 0; k < n_nodes; k++)
    viper_ease_add_node(w->ease_sums, t->node[k], &w->node[t->node[k]], t->weight[k] * back);
  for (int32_t k = 0; k < r.n; k++) {
    const viper_bits j = r.at[k].segment;
    const viper_vec4 slope = viper_roller_slope(t, viper_frame_roll_at(rolls, j), r, k);
    viper_ease_add_frame(w->ease_sums, j, w->frame[j].inverse, viper_vec4_sum(back * slope));
  }
}

/// At how many contacts of a thread's friction does work.
typedef struct workers {
  int32_t between, on_planes;
} workers;

/// Finds friction of the thread's contacts that does work, and lists those between capsules.
static workers count_contacts(const viper_contact_set *w, viper_thread_group thread_group, range r,
                              int round) {
  const range own = share_of(0, w->color_first[VIPER_CONTACT_COLORS + 1], thread_group),
              rests = rests_of(w, r);
  workers out = {0, 0};
  for (int32_t k = own.begin; k < own.end; k++) {
    viper_touch *t = &w->touch[k];
    if (!is_at_ease(w, t, round) &&
        count_touch(w, t, (viper_rollers){t->roller, 2, 1, NULL}, viper_vec4_make(0, 0, 0, 0), 4))
      w->works[own.begin + out.between++] = k;
  }
  for (int32_t k = rests.begin; k < rests.end; k++) {
    viper_touch *t = &w->rest[k];
    t->works = 0;
    if (!rests_at_ease(w, t, round))
      out.on_planes +=
          count_touch(w, t, rollers_of(w, t),
                      viper_plane_displacement(&w->plane[t->which], w->node[t->node[0]].x), 1);
  }
  return out;
}

/// Reduces, for once, friction that does work.
static void ease_contacts(const viper_contact_set *w, viper_thread_group thread_group, range r,
                          workers working, int round) {
  const range own = share_of(0, w->color_first[VIPER_CONTACT_COLORS + 1], thread_group),
              rests = rests_of(w, r);
  for (int32_t k = 0; k < working.between; k++) {
    viper_touch *t = &w->touch[w->works[own.begin + k]];
    ease_touch(w, t, (viper_rollers){t->roller, 2, 1, NULL}, round, 4);
  }
  for (int32_t k = rests.begin; k < rests.end && working.on_planes > 0; k++) {
    viper_touch *t = &w->rest[k];
    if (t->works > 0)
      ease_touch(w, t, rollers_of(w, t), round, 1);
  }
}

/// Moves nodes and frames by what was added up in a round.
static void ease_move(const viper_contact_set *w, range own, range frames, int round) {
  for (int32_t k = own.begin; k < own.end; k++) {
    const int32_t i = w->active[k];
    uint64_t *sum = w->ease_sums.node + 3 * (size_t)i;
    viper_contact_node *x = &w->node[i];
    viper_vec4 step;
    if (w->ease_sums.at_node[i] == 0)
      continue;
    w->ease_sums.at_node[i] = 0;
    if (!viper_ease_of_node(sum, x->radius, &step))
      continue;
    x->push += step;
    x->x += x->free * step;
    w->eased[i] = round;
    sum[0] = sum[1] = sum[2] = 0;
  }
  for (int32_t k = frames.begin; k < frames.end; k++) {
    const int32_t j = w->rolling[k];
    if (w->ease_sums.at_frame[j] == 0)
      continue;
    w->ease_sums.at_frame[j] = 0;
    if (!w->ease_sums.frame[j])
      continue;
    viper_ease_roll(&w->frame[j].roll, w->ease_sums.frame[j], w->frame[j].inverse);
    w->ease_sums.frame[j] = 0;
    w->eased_frame[j] = round;
  }
}

/// Takes back friction that does work.
static void ease(const viper_contact_set *contacts, viper_thread_group thread_group, range own) {
  range frames = share_of(0, contacts->n_rolling, thread_group);
  int round = 0;
  for (int32_t k = own.begin; k < own.end; k++)
    contacts->eased[contacts->active[k]] = -1;
  for (int32_t k = frames.begin; k < frames.end; k++)
    contacts->eased_frame[contacts->rolling[k]] = -1;
  group_barrier(thread_group);
  for (; round < VIPER_EASE_ROUNDS; round++) {
    const workers working = count_contacts(contacts, thread_group, own, round);
    if (working.between + working.on_planes > 0) {
#pragma omp atomic
      contacts->working[round] += working.between + working.on_planes;
    }
    group_barrier(thread_group);
    if (contacts->working[round] == 0)
      break;
    ease_contacts(contacts, thread_group, own, working, round);
    group_barrier(thread_group);
    ease_move(contacts, own, frames, round);
    group_barrier(thread_group);
  }
  if (round == 0)
    return;
  if (round == VIPER_EASE_ROUNDS)
    note_works(contacts, thread_group, own);
  for (int32_t k = own.begin; k < own.end; k++)
    write_node(contacts, contacts->active[k]);
  for (int32_t k = frames.begin; k < frames.end; k++)
    write_frame(contacts, contacts->rolling[k]);
}

void viper_contact_settle(const viper_contact_set *contacts, viper_thread_group thread_group) {
  range own = share_of(0, contacts->n_active, thread_group);
  if (contacts->average)
    return;
  if (contacts->frame)
    ease(contacts, thread_group, own);
  group_barrier(thread_group);
  act_on_all(contacts, thread_group, own, STABILIZE);
}
