// SPDX-License-Identifier: GPL-3.0-or-later
/// Phase functions that process the contacts of a substep on a device, as cpu/contact_solve_real.c
/// does on the CPU; the parts of a body's substep between passes over contacts; and the share of
/// one GPU thread in the kernels of contact.
#ifndef VIPER_CUDA_CONTACT_PHASES_H
#define VIPER_CUDA_CONTACT_PHASES_H

#include "viper/contact/average.h"
#include "viper/contact/friction.h"
#include "viper/cuda/contact/device.h"
#include "viper/cuda/contact/find.h"
#include "viper/cuda/contact/truncation.h"
#include "viper/cuda/core/substep.h"

/// What is done with contacts: they move what they begin with; they are solved; friction that does
/// work is taken back, as far as it does or, where functions are told to `drop` it, twice as far;
/// they are stabilized, and kept for the next substep; or they are counted, and then averaged.
enum viper_contact_action {
  VIPER_CONTACT_START,
  VIPER_CONTACT_SOLVE,
  VIPER_CONTACT_EASE,
  VIPER_CONTACT_STABILIZE,
  VIPER_CONTACT_COUNT,
  VIPER_CONTACT_AVERAGE
};

template <viper_contact_action ACTION> VIPER_FN viper_visit viper_visit_of(bool drop) {
  return ACTION == VIPER_CONTACT_START   ? VIPER_VISIT_BEGIN
         : ACTION == VIPER_CONTACT_SOLVE ? VIPER_VISIT_SOLVE
         : drop                          ? VIPER_VISIT_DROP
                                         : VIPER_VISIT_EASE;
}

/// Returns whether friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_act_between(const viper_contact_device *c, int32_t k, bool drop) {
  viper_touch *t = &c->between[k];
  const viper_friction friction = viper_touch_friction(t, c->friction, c->of_node);
  if (ACTION == VIPER_CONTACT_STABILIZE) {
    viper_touch_stabilize(t, c->node, c->still, viper_vec4_make(0, 0, 0, 0), 4);
    if (c->kept)
      viper_touch_keep(t, &c->kept[t->roller[0].segment]);
  } else if (ACTION == VIPER_CONTACT_COUNT)
    viper_touch_count(t, c->node, c->average, 4);
  else if (ACTION == VIPER_CONTACT_AVERAGE)
    viper_touch_average(t, c->node, c->average, c->constants.relaxation, friction,
                        viper_vec4_make(0, 0, 0, 0), 4);
  else
    return viper_touch_between(t, c->node, c->frame, friction, viper_visit_of<ACTION>(drop));
  return 0;
}

/// The frames at a contact of node `i` with a half-plane.
VIPER_FN viper_rollers viper_contact_rollers(const viper_contact_device *c, int32_t i,
                                             const viper_touch *t) {
  int32_t first = c->frame ? c->roller_first[i] : 0, end = c->frame ? c->roller_first[i + 1] : 0;
  const viper_rollers out = {c->roller + first, end - first, t->roller[0].arm};
  return out;
}

/// Contacts of node `i` with half-planes. Returns at how many friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_act_on_planes(const viper_contact_device *c, int32_t i, bool drop) {
  viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
  int eased = 0;
  for (int32_t k = 0; k < c->n_rests[i]; k++) {
    const viper_plane *plane = &c->plane[t[k].which];
    const viper_friction friction = viper_plane_friction(&t[k], plane, c->of_node);
    if (ACTION == VIPER_CONTACT_STABILIZE) {
      viper_touch_stabilize(&t[k], c->node, c->still, viper_plane_displacement(plane, c->node[i].x),
                            1);
      if (c->kept_rest)
        c->kept_rest[(size_t)i * (size_t)c->n_planes + (size_t)t[k].which] =
            viper_kept_of(&t[k], 0);
    } else if (ACTION == VIPER_CONTACT_COUNT)
      viper_touch_count(&t[k], c->node, c->average, 1);
    else if (ACTION == VIPER_CONTACT_AVERAGE)
      viper_touch_average(&t[k], c->node, c->average, c->constants.relaxation, friction,
                          viper_plane_displacement(plane, c->node[i].x), 1);
    else
      eased += viper_touch_on_plane(&t[k], c->node, c->frame, viper_contact_rollers(c, i, &t[k]),
                                    plane, friction, viper_visit_of<ACTION>(drop));
  }
  return eased;
}

/// Before a pass: reads where an active node is; or, to average, leaves it where the iteration
/// began, and counts its contacts with half-planes.
VIPER_FN void viper_contact_read(const viper_contact_device *c, int32_t i) {
  if (c->active[i] && !c->average)
    c->node[i].x = viper_contact_place(c, i);
  if (c->active[i] && c->average) {
    c->average[i].contacts = 0;
    c->average[i].sum = viper_vec4_make(0, 0, 0, 0);
    viper_act_on_planes<VIPER_CONTACT_COUNT>(c, i, false);
  }
}

/// Frame `j`, before the first pass.
VIPER_FN void viper_contact_begin_frame(const viper_device *d, const viper_contact_device *c,
                                        int32_t j) {
  const int32_t *node = c->segment_node + 2 * (size_t)j;
  viper_contact_frame *f = &c->frame[j];
  c->rolling[j] = c->active[node[0]] || c->active[node[1]];
  if (!c->rolling[j])
    return;
  const viper_real *old = d->frame + 4 * (size_t)j,
                   *hat = c->workspace + 4 * (size_t)c->frame_place_hat[j];
  f->old = viper_vec4_make(old[0], old[1], old[2], old[3]);
  f->hat = viper_vec4_make(hat[0], hat[1], hat[2], hat[3]);
  viper_frame_begin(f, &c->node[node[0]], &c->node[node[1]], (viper_scalar)VIPER_MINIMUM_SCALE);
}

/// Before a pass: reads where a frame is.
VIPER_FN void viper_contact_read_frame(const viper_contact_device *c, int32_t j) {
  const viper_real *q = c->workspace + 4 * (size_t)c->frame_place[j];
  if (c->rolling[j])
    viper_frame_read(&c->frame[j], viper_vec4_make(q[0], q[1], q[2], q[3]));
}

/// After a pass: a frame that friction rolled; and with `hat` where it is predicted.
VIPER_FN void viper_contact_write_frame(const viper_contact_device *c, int32_t j, bool hat) {
  const viper_contact_frame *f = &c->frame[j];
  viper_real *to = c->workspace + 4 * (size_t)c->frame_place[j],
             *to_hat = c->workspace + 4 * (size_t)c->frame_place_hat[j];
  if (!c->rolling[j])
    return;
  if (f->rolled != 0) {
    viper_vec4 q = viper_frame_rolled(f->now, f->rolled);
    VIPER_UNROLL for (int k = 0; k < 4; k++) to[k] = q[k];
  }
  if (hat) { // also where a torque is 0 again
    viper_vec4 q = viper_frame_hat(f);
    VIPER_UNROLL for (int k = 0; k < 4; k++) to_hat[k] = q[k];
  }
}

/// An active node to where it is, and with `hat` its prediction moved by all that contacts pushed.
VIPER_FN void viper_contact_put(const viper_contact_device *c, int32_t i, bool hat) {
  const viper_contact_node *node = &c->node[i];
  viper_real *x = c->workspace + 4 * (size_t)c->place[i],
             *to = c->workspace + 4 * (size_t)c->place_hat[i];
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    x[k] = node->x[k];
    if (hat)
      to[k] = node->hat[k] + node->push[k];
  }
}

/// What concerns an active node alone; then it is written.
VIPER_FN void viper_contact_write(const viper_contact_device *c, int32_t i, bool hat) {
  if (!c->active[i])
    return;
  if (c->average) {
    viper_act_on_planes<VIPER_CONTACT_AVERAGE>(c, i, false);
    viper_average_move(&c->node[i], &c->average[i], viper_contact_place(c, i));
  }
  if (c->active[i] & VIPER_WATCHED_SCALE) {
    viper_limit limit = {i, c->limit[i]};
    viper_limit_scale(&limit, c->node);
    c->limit[i] = limit.lambda;
  }
  viper_contact_put(c, i, hat);
}

/// A cooperative group goes over the contacts with half-planes once: nodes that share a frame take
/// turns. Returns at how many of the thread's friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_contact_stand(const viper_contact_device *c, const viper_coop_thread *thread,
                                 bool drop) {
  int eased = 0;
  int32_t n_turns = c->frame && ACTION != VIPER_CONTACT_STABILIZE ? c->n_turns : 1;
  for (int32_t turn = 0; turn < n_turns && c->n_planes > 0; turn++) {
    for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
      if (n_turns == 1 || c->turn[i] == turn)
        eased += viper_act_on_planes<ACTION>(c, i, drop);
    viper_coop_sync(thread);
  }
  return eased;
}

/// A cooperative group goes over the contacts between capsules once, color by color. Returns at how
/// many of the thread's friction was taken back.
template <viper_contact_action ACTION>
VIPER_FN int viper_contact_colors(const viper_contact_device *c, const viper_coop_thread *thread,
                                  bool drop) {
  const viper_contact_count *count = c->count;
  const int last = VIPER_TOUCH_COLORS;
  int eased = 0;
  for (int color = 0; color < last && count->color_end[color] > count->color_first[color];
       color++) {
    for (int32_t k = count->color_first[color] + thread->rank; k < count->color_end[color];
         k += thread->size)
      eased += viper_act_between<ACTION>(c, k, drop);
    viper_coop_sync(thread);
  }
  if (count->color_end[last] > count->color_first[last]) {
    for (int32_t k = count->color_first[last]; thread->rank == 0 && k < count->color_end[last]; k++)
      eased += viper_act_between<ACTION>(c, k, drop);
    viper_coop_sync(thread);
  }
  return eased;
}

/// A cooperative group goes over all contacts once: those between capsules, then those with
/// half-planes; they are solved, or move what they begin with. Or it counts them and averages them.
template <viper_contact_action ACTION>
VIPER_FN void viper_contact_pass(const viper_contact_device *c, const viper_coop_thread *thread,
                                 bool hat) {
  int32_t n_frames = c->frame ? c->n_segments : 0;
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    viper_contact_read(c, i);
  for (int32_t j = thread->rank; j < n_frames; j += thread->size)
    viper_contact_read_frame(c, j);
  viper_coop_sync(thread);
  if (c->average) {
    viper_contact_colors<VIPER_CONTACT_COUNT>(c, thread, false);
    viper_contact_colors<VIPER_CONTACT_AVERAGE>(c, thread, false);
  } else {
    viper_contact_colors<ACTION>(c, thread, false);
    viper_contact_stand<ACTION>(c, thread, false);
  }
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    viper_contact_write(c, i, hat);
  for (int32_t j = thread->rank; j < n_frames; j += thread->size)
    viper_contact_write_frame(c, j, hat);
}

/// Notes what rolls do of the work of friction.
VIPER_FN void viper_contact_note_works(const viper_contact_device *c,
                                       const viper_coop_thread *thread) {
  for (int32_t k = thread->rank; k < c->count->n_touches; k += thread->size) {
    viper_touch *t = &c->between[k];
    const viper_rollers r = {t->roller, 2, 1};
    viper_touch_works(t, c->node, c->frame, r, viper_vec4_make(0, 0, 0, 0), 4);
  }
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    for (int32_t k = 0; k < c->n_rests[i]; k++) {
      viper_touch *t = &c->rest[(size_t)i * (size_t)c->n_planes + (size_t)k];
      viper_vec4 carried = viper_plane_displacement(&c->plane[t->which], c->node[i].x);
      viper_touch_works(t, c->node, c->frame, viper_contact_rollers(c, i, t), carried, 1);
    }
}

/// A cooperative group takes back, for once, friction that does work; returns whether any did.
VIPER_FN bool viper_contact_ease_once(const viper_contact_device *c,
                                      const viper_coop_thread *thread, int round) {
  bool drop = round >= VIPER_EASE_PARTLY;
  int working = viper_contact_colors<VIPER_CONTACT_EASE>(c, thread, drop);
  working += viper_contact_stand<VIPER_CONTACT_EASE>(c, thread, drop);
  if (working > 0)
    viper_atomic_add(&c->count->working[round], working);
  viper_coop_sync(thread);
  return c->count->working[round] > 0;
}

/// A cooperative group takes back friction that does work; predictions follow.
VIPER_FN void viper_contact_ease(const viper_contact_device *c, const viper_coop_thread *thread) {
  int round = 0;
  while (round < VIPER_EASE_ROUNDS && viper_contact_ease_once(c, thread, round))
    round++;
  if (round == 0)
    return;
  if (round == VIPER_EASE_ROUNDS)
    viper_contact_note_works(c, thread);
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    if (c->active[i])
      viper_contact_put(c, i, true);
  for (int32_t j = thread->rank; j < c->n_segments; j += thread->size)
    viper_contact_write_frame(c, j, true);
}

/// What contacts have kept of segment `k`, and of node and half-plane number `k`, is forgotten.
VIPER_FN void viper_contact_forget(const viper_contact_device *c, int32_t k) {
  const viper_kept none = {0, 0, {0, 0, 0}};
  if (c->kept && k < c->n_segments)
    c->kept[k].n = 0;
  if (c->kept_rest && k < c->n_nodes * c->n_planes)
    c->kept_rest[k] = none;
}

VIPER_FN int32_t viper_most_of(int32_t a, int32_t b) {
  return a > b ? a : b;
}

VIPER_FN int32_t viper_contact_most_kept(const viper_contact_device *c) {
  return viper_most_of(c->kept ? c->n_segments : 0, c->kept_rest ? c->n_nodes * c->n_planes : 0);
}

/// After the last pass: friction that does work is taken back; then what velocities do not count is
/// found, and what contacts leave to the next substep kept.
VIPER_FN void viper_contact_settle(const viper_contact_device *c, const viper_coop_thread *thread) {
  if (c->average)
    return;
  if (c->frame)
    viper_contact_ease(c, thread);
  for (int32_t k = thread->rank; k < viper_contact_most_kept(c); k += thread->size)
    viper_contact_forget(c, k);
  viper_coop_sync(thread);
  viper_contact_colors<VIPER_CONTACT_STABILIZE>(c, thread, false);
  viper_contact_stand<VIPER_CONTACT_STABILIZE>(c, thread, false);
}

/// Moves component `i % 3` of body `i / 3` as a whole to where its momentum is that of its
/// prediction, where nothing holds it: in double, as on the CPU.
VIPER_FN void viper_contact_center(const viper_contact_device *c, int32_t i) {
  int32_t body = i / 3, k = i % 3;
  double shift = 0, mass = c->body_mass[body];
  if (!(mass > 0))
    return;
  for (int32_t n = c->body_node[body]; n < c->body_node[body + 1]; n++)
    shift += c->mass[n] * ((double)c->workspace[4 * (size_t)c->place_hat[n] + (size_t)k] -
                           (double)c->workspace[4 * (size_t)c->place[n] + (size_t)k]);
  for (int32_t n = c->body_node[body]; n < c->body_node[body + 1]; n++) {
    viper_real *x = &c->workspace[4 * (size_t)c->place[n] + (size_t)k];
    *x = (viper_real)((double)*x + shift / mass);
  }
}

/// The work of half-plane `p` in this substep, if it is driven: node by node, in double, as on the
/// CPU.
VIPER_FN void viper_contact_work(const viper_contact_device *c, int32_t p) {
  double sum = 0;
  if (c->driven[p] < 0)
    return;
  for (int32_t i = 0; i < c->n_nodes; i++) {
    const viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
    for (int32_t k = 0; k < c->n_rests[i]; k++)
      if (t[k].which == p)
        sum += viper_plane_work(&c->plane[p], &t[k], c->node);
  }
  c->plane_work[p] = sum;
}

/// Adds a contact to the report: whether it pushes, and how far it is from open or pushing.
VIPER_FN void viper_report_touch(const viper_contact_device *c, const viper_touch *t, int n_nodes) {
  double gap = (double)viper_touch_gap(t, c->node, n_nodes);
  double moved = t->inv_w > 0 ? (double)t->lambda / (double)t->inv_w : 0;
  double least = gap < moved ? gap : moved;
  if (t->lambda > 0)
    viper_atomic_add(&c->report->n_pushing, 1);
  viper_atomic_most(&c->report->complementarity, viper_double_bits(least < 0 ? -least : least));
}

/// Contact `i` between capsules, and those of node `i` with half-planes.
VIPER_FN void viper_contact_report_at(const viper_contact_device *c, int32_t i) {
  if (i < c->count->n_touches && i < c->rooms.touches)
    viper_report_touch(c, &c->between[i], 4);
  for (int32_t k = 0; i < c->n_nodes && k < c->n_rests[i]; k++)
    viper_report_touch(c, &c->rest[(size_t)i * (size_t)c->n_planes + (size_t)k], 1);
}

/// The end of a substep, after the work done in it; `last` of a step. One that found more than
/// there was room for was not done, and nothing is until there is more.
VIPER_FN void viper_contact_end(const viper_device *d, const viper_contact_device *c, bool last) {
  viper_contact_run *run = c->run;
  run->pairs = c->count->n_pairs;
  run->touches = c->count->n_touches;
  if (viper_contact_lost(c)) {
    run->full = 1;
    return;
  }
  for (int32_t p = 0; p < c->n_planes; p++)
    if (c->driven[p] >= 0)
      d->work[c->plane[p].driver] += c->plane_work[p];
  run->speed = c->count->speed;
  run->truncated = (run->substeps > 0 ? run->truncated : 0) + c->count->n_truncated;
  run->truncated_since += c->count->n_truncated;
  run->substeps = last ? 0 : run->substeps + 1;
  viper_end_substep(d->control, last);
}

// Bodies: a cooperative group computes one in parts of a substep. All data stay in global memory.

/// Makes `w` work on a body.
VIPER_FN void viper_contact_take(viper_access *w, const viper_contact_device *c,
                                 viper_method method, int32_t body) {
  w->body = &w->device->body[body];
  w->model = &w->device->group[w->body->group];
  w->adjacency = &w->model->adjacency;
  w->workspace = viper_workspace_at(method, c->workspace + c->workspace_first[body],
                                    viper_workspace_size_of(w->model));
}

/// Takes out of the velocity of a node what takes back penetrations.
VIPER_FN void viper_contact_leave_node(const viper_access *w, const viper_contact_device *c,
                                       viper_at at, viper_scalar rate) {
  viper_at in_scene = w->body->node + at;
  viper_vec4 out = rate * c->still[in_scene];
  viper_real *v = w->device->node_rate + 4 * (size_t)in_scene;
  VIPER_UNROLL for (int k = 0; k < 4; k++) v[k] -= out[k];
}

/// A part of a substep of a body by a method.
template <viper_bodies_action ACTION, viper_method METHOD>
VIPER_ON_BODY void viper_contact_body(viper_access *w, const viper_contact_device *c,
                                      const viper_launch *launch, int32_t body) {
  // What bodies begin and end with does not depend on the method, so all share METHOD there.
  viper_contact_take(w, c, ACTION == VIPER_BODIES_ITERATE ? METHOD : launch->settings.method, body);
  if (ACTION == VIPER_BODIES_BEGIN)
    viper_predict(w);
  else if (ACTION == VIPER_BODIES_ITERATE)
    viper_iterate<METHOD>(w, &launch->settings);
  else {
    viper_leave(w, launch->rate);
    if (c->still) // of scenes with contact, not of bundles
      VIPER_EACH(w, NULL, 0, w->model->body.n_nodes,
                 viper_contact_leave_node(w, c, at, launch->rate));
  }
}

/// Whether a phase is one cooperative group's, with barriers.
VIPER_FN bool viper_contact_is_cooperative(viper_contact_phase phase) {
  return phase == VIPER_CONTACT_COLOR || phase == VIPER_CONTACT_PASS ||
         phase == VIPER_CONTACT_PASS_HAT || phase == VIPER_CONTACT_SETTLE ||
         phase == VIPER_CONTACT_TRUNCATE || phase == VIPER_CONTACT_BEGIN;
}

/// How many elements a phase has; of pairs as many as there is room for.
VIPER_FN int32_t viper_contact_elements(const viper_contact_device *c, viper_contact_phase phase) {
  switch (phase) {
  case VIPER_CONTACT_CLEAR:
    return viper_most_of(viper_most_of(VIPER_COUNT_WORDS, c->n_planes),
                         viper_most_of(c->n_buckets, c->rooms.touches));
  case VIPER_CONTACT_SPHERES:
  case VIPER_CONTACT_BUCKETS:
    return c->n_segments;
  case VIPER_CONTACT_PAIRS:
    return viper_contact_search_threads(c) * c->n_segments;
  case VIPER_CONTACT_TOUCHES:
    return c->rooms.pairs;
  case VIPER_CONTACT_SUSPECT:
    return viper_most_of(c->n_segments, c->rooms.pairs);
  case VIPER_CONTACT_CENTER:
    return 3 * c->n_bodies;
  case VIPER_CONTACT_FRAMES:
    return c->frame ? c->n_segments : 0;
  case VIPER_CONTACT_FORGET:
    return viper_contact_most_kept(c);
  case VIPER_CONTACT_WORK:
    return c->n_planes;
  case VIPER_CONTACT_SMOOTH:
    return c->rooms.touches;
  case VIPER_CONTACT_ARRANGE:
  case VIPER_CONTACT_REPORT:
    return viper_most_of(c->rooms.touches, c->n_nodes);
  default:
    return c->n_nodes;
  }
}

/// Element `i` of a phase whose elements are independent.
VIPER_FN void viper_contact_element(const viper_device *d, const viper_contact_device *c,
                                    viper_contact_phase phase, int32_t i) {
  switch (phase) {
  case VIPER_CONTACT_CLEAR:
    viper_contact_clear(d, c, i);
    break;
  case VIPER_CONTACT_GATHER:
    viper_contact_gather_node(d, c, i);
    break;
  case VIPER_CONTACT_SPHERES:
    viper_contact_fill_sphere(c, i);
    break;
  case VIPER_CONTACT_BUCKETS:
    viper_contact_find_bucket(c, i);
    break;
  case VIPER_CONTACT_PAIRS:
    viper_contact_find_pairs(c, i, viper_contact_search_threads(c));
    break;
  case VIPER_CONTACT_TOUCHES:
    viper_contact_touch_pair(c, i);
    break;
  case VIPER_CONTACT_SMOOTH:
    viper_contact_smooth(c, i);
    break;
  case VIPER_CONTACT_ARRANGE:
    viper_contact_arrange(c, i);
    break;
  case VIPER_CONTACT_CENTER:
    viper_contact_center(c, i);
    break;
  case VIPER_CONTACT_FRAMES:
    viper_contact_begin_frame(d, c, i);
    break;
  case VIPER_CONTACT_FORGET:
    viper_contact_forget(c, i);
    break;
  case VIPER_CONTACT_WORK:
    viper_contact_work(c, i);
    break;
  case VIPER_CONTACT_SUSPECT:
    if (i < c->n_segments)
      viper_contact_suspect_moved(c, i);
    if (i < c->count->n_pairs)
      viper_contact_suspect_close(c, i);
    break;
  default:
    viper_contact_report_at(c, i);
  }
}

/// All that a lane does in a phase: nothing after trouble, and where there was no room for what was
/// found.
VIPER_FN void viper_contact_thread(const viper_device *d, const viper_contact_device *c,
                                   viper_contact_phase phase, const viper_coop_thread *thread) {
  bool finds = phase == VIPER_CONTACT_CLEAR || phase == VIPER_CONTACT_GATHER ||
               phase == VIPER_CONTACT_SPHERES || phase == VIPER_CONTACT_BUCKETS ||
               phase == VIPER_CONTACT_PAIRS || phase == VIPER_CONTACT_FORGET;
  if (phase != VIPER_CONTACT_REPORT && viper_contact_idle(d, c))
    return;
  // Pairs may be too many before contacts are looked for, contacts while they are.
  if (phase == VIPER_CONTACT_TOUCHES && c->count->n_pairs > c->rooms.pairs)
    return;
  if (!finds && phase != VIPER_CONTACT_TOUCHES && viper_contact_lost(c))
    return;
  int32_t n = viper_contact_elements(c, phase);
  if (phase == VIPER_CONTACT_TOUCHES)
    n = c->count->n_pairs;
  if (phase == VIPER_CONTACT_SMOOTH)
    n = c->count->n_touches;
  if (phase == VIPER_CONTACT_SUSPECT)
    n = viper_most_of(c->n_segments, c->count->n_pairs);
  if (phase == VIPER_CONTACT_COLOR)
    viper_contact_color(c, thread);
  else if (phase == VIPER_CONTACT_SETTLE)
    viper_contact_settle(c, thread);
  else if (phase == VIPER_CONTACT_TRUNCATE)
    viper_contact_truncation(c, thread);
  else if (phase == VIPER_CONTACT_BEGIN)
    viper_contact_pass<VIPER_CONTACT_START>(c, thread, c->follows);
  else if (viper_contact_is_cooperative(phase))
    viper_contact_pass<VIPER_CONTACT_SOLVE>(c, thread, phase == VIPER_CONTACT_PASS_HAT);
  else
    for (int32_t i = thread->rank; i < n; i += thread->size)
      viper_contact_element(d, c, phase, i);
}

#endif
