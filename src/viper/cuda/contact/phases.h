// SPDX-License-Identifier: GPL-3.0-or-later
/// The parts of a body's substep between passes over contacts, what is reported of contacts, and
/// the share of one GPU thread in the kernels of contact.
#ifndef VIPER_CUDA_CONTACT_PHASES_H
#define VIPER_CUDA_CONTACT_PHASES_H

#include "viper/contact/average.h"
#include "viper/contact/ease.h"
#include "viper/cuda/contact/device.h"
#include "viper/cuda/contact/find.h"
#include "viper/cuda/contact/settle.h"
#include "viper/cuda/contact/truncation.h"
#include "viper/cuda/core/substep.h"

/// Threads that center a body in a phase of its own: a warp. The host, which launches them, has to
/// know it, too.
#ifdef __CUDACC__
#define VIPER_CENTER_LANES VIPER_WARP
#else
#define VIPER_CENTER_LANES 1
#endif

/// A body's nodes, where they are and where they are predicted, and its threads.
typedef struct viper_center {
  viper_real *x;         ///< [n x 4]
  const viper_real *hat; ///< likewise
  const double *mass;    ///< [n] kg
  int32_t n;
  viper_coop_thread thread;
} viper_center;

/// Adds to `sum` what a body's momentum lacks of as many nodes from `first` on as there are lanes,
/// in the order of nodes. Each lane has read one of them; each warp of a larger group does all of
/// it.
VIPER_FN void viper_center_add(const viper_center *b, int32_t first, int32_t lanes, double sum[3]) {
  const int32_t n = b->n - first < lanes ? b->n - first : lanes, lane = b->thread.rank % lanes;
  double own[3] = {0, 0, 0};
  if (lane < n) {
    viper_real x[4], hat[4];
    viper_get_four(b->x, first + lane, x);
    viper_get_four(b->hat, first + lane, hat);
    VIPER_UNROLL for (int k = 0; k < 3; k++) own[k] =
        b->mass[first + lane] * ((double)hat[k] - (double)x[k]);
  }
  for (int32_t of = 0; of < n; of++)
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
#ifdef __CUDA_ARCH__
      sum[k] += __shfl_sync(b->thread.mask, own[k], of, lanes);
#else
      sum[k] += own[k];
#endif
    }
}

/// Moves a body as a whole to where its momentum is that of its prediction: in double, as on the
/// CPU. Nothing holds it.
VIPER_FN void viper_center_body(const viper_center *b, double mass) {
  const int32_t lanes = b->thread.size < VIPER_WARP ? b->thread.size : VIPER_WARP;
  double shift[3] = {0, 0, 0};
  for (int32_t first = 0; first < b->n; first += lanes)
    viper_center_add(b, first, lanes, shift);
  VIPER_UNROLL for (int k = 0; k < 3; k++) shift[k] /= mass;
  viper_coop_sync(&b->thread); // all have read
  for (int32_t i = b->thread.rank; i < b->n; i += b->thread.size) {
    viper_real x[4];
    viper_get_four(b->x, i, x);
    VIPER_UNROLL for (int k = 0; k < 3; k++) x[k] = (viper_scalar)((double)x[k] + shift[k]);
    viper_set_four(b->x, i, x);
  }
}

/// A warp does so with a body, whose data are in global memory.
VIPER_FN void viper_contact_center(const viper_contact_device *c, int32_t i) {
  const int32_t body = i / VIPER_CENTER_LANES, first = c->body_node[body];
  const double mass = c->body_mass[body];
  const viper_center b = {
      c->workspace + 4 * (size_t)c->place[first],
      c->workspace + 4 * (size_t)c->place_hat[first],
      c->mass + first,
      c->body_node[body + 1] - first,
      {i % VIPER_CENTER_LANES, VIPER_CENTER_LANES, VIPER_SYNC_WARP, 0xffffffffu}};
  if (mass > 0)
    viper_center_body(&b, mass);
}

/// An iteration does so with its body, where it has it.
VIPER_FN void viper_iterate_center(const viper_access *w, const viper_contact_device *c) {
  const double mass = c->body_mass[w->body - w->device->body];
  const viper_center b = {w->workspace.node, w->workspace.node_hat, c->mass + w->body->node,
                          w->model->body.n_nodes, w->thread};
  viper_barrier(w);
  if (mass > 0)
    viper_center_body(&b, mass);
}

/// The work of half-plane `p` in this substep, if it is driven: node by node, in double, as on the
/// CPU.
VIPER_FN void viper_contact_work(const viper_contact_device *c, int32_t p) {
  double sum = 0;
  if (c->driven[p] < 0)
    return;
  for (int32_t i = 0; i < c->n_nodes; i++) {
    const viper_touch *t = c->rest + (size_t)i * (size_t)c->n_planes;
    const viper_touch *on_plane = NULL;
    for (int32_t k = 0; k < c->n_rests[i]; k++)
      if (t[k].which == p)
        on_plane = &t[k];
    sum += viper_plane_work(&c->plane[p], on_plane, c->node,
                            c->push +
                                VIPER_PUSH_DOUBLES * ((size_t)i * (size_t)c->n_planes + (size_t)p));
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
  const int64_t before = run->substeps > 0 ? run->truncated : 0;
  run->truncated = before + c->count->n_truncated;
  run->truncated_since += c->count->n_truncated;
  run->truncated_steps += before == 0 && run->truncated > 0;
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

/// Copies `n` rows of four. A thread reads several before it writes the first: it waits long for
/// global memory.
VIPER_FN void viper_copy_rows(const viper_access *w, const viper_real *from, viper_real *to,
                              int32_t n) {
  const int32_t size = w->thread.size;
  for (int32_t first = w->thread.rank; first < n; first += VIPER_AT_ONCE * size) {
    viper_real row[VIPER_AT_ONCE][4];
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++)
        viper_get_four(from, viper_one_of(&w->thread, first, k, n), row[k]);
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) if (first + k * size < n)
        viper_set_four(to, first + k * size, row[k]);
  }
}

/// Likewise `n` numbers.
VIPER_FN void viper_copy_reals(const viper_access *w, const viper_real *from, viper_real *to,
                               int32_t n) {
  const int32_t size = w->thread.size;
  for (int32_t first = w->thread.rank; first < n; first += 2 * VIPER_AT_ONCE * size) {
    viper_real x[2 * VIPER_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < 2 * VIPER_AT_ONCE; k++) x[k] =
        from[viper_one_of(&w->thread, first, k, n)];
    VIPER_UNROLL for (int k = 0; k < 2 * VIPER_AT_ONCE; k++) if (first + k * size < n)
        to[first + k * size] = x[k];
  }
}

/// Copies a body's data that last between the parts of a substep (VIPER_LASTING); with `begins`
/// those that are there before the first iteration. They are in three pieces: the state and its
/// prediction; h^2 over the inertias of nodes, multipliers; inertia, and h^2 over it
/// (viper_workspace_at).
template <viper_method METHOD>
VIPER_FN void viper_contact_copy(const viper_access *w, const viper_workspace *from,
                                 const viper_workspace *to, bool begins) {
  const viper_model_body *b = &w->model->body;
  static_assert(
      VIPER_REALS(viper_segment_lambda) % 2 == 0 && VIPER_REALS(viper_segment_lambda) != 4 &&
          VIPER_REALS(viper_joint_lambda) % 2 == 0 && VIPER_REALS(viper_joint_lambda) != 4,
      "they are among the rows of two");
  const bool multipliers = (viper_traits(METHOD) & VIPER_MULTIPLIERS) && !begins;
  viper_copy_rows(w, from->node, to->node, 2 * (b->n_nodes + b->n_segments));
  if (multipliers)
    viper_copy_reals(w, from->h2a, to->h2a,
                     (int32_t)(from->joint_lambda - from->h2a) +
                         (int32_t)VIPER_REALS(viper_joint_lambda) * b->n_joints);
  viper_copy_reals(w, from->inertia, to->inertia, (multipliers ? 2 : 1) * b->n_segments);
  viper_barrier(w);
}

/// An iteration of a body, with its data at `shared` unless that is null.
template <viper_method METHOD>
VIPER_ON_BODY void viper_contact_iterate(viper_access *w, const viper_contact_device *c,
                                         const viper_launch *launch, viper_real *shared) {
  const viper_device_body_group group = *w->model;
  const viper_workspace far = w->workspace;
  if (!(viper_traits(METHOD) & VIPER_FACTORS)) {
    w->model = &group;
    w->adjacency = &group.adjacency;
  }
  if (shared) {
    w->workspace = viper_workspace_at(METHOD, shared, viper_workspace_size_of(w->model));
    if (viper_traits(METHOD) & VIPER_AVERAGES) { // iterations leave these sums at 0
      VIPER_EACH(w, NULL, 0, group.body.n_nodes, viper_clear_node_sum(w, at));
      VIPER_EACH(w, NULL, 0, group.body.n_segments, viper_clear_frame_sum(w, at));
    }
    viper_contact_copy<METHOD>(w, &far, &w->workspace, launch->settings.continued == 0);
  }
  viper_iterate<METHOD>(w, &launch->settings);
  if ((viper_traits(METHOD) & VIPER_LOSES_MOMENTUM) && c->centers)
    viper_iterate_center(w, c);
  if (shared) {
    viper_barrier(w);
    viper_contact_copy<METHOD>(w, &w->workspace, &far, false);
  }
}

/// A part of a substep of a body by a method; iterations have its data at `shared`, or where they
/// stay if that is null.
template <viper_bodies_action ACTION, viper_method METHOD>
VIPER_ON_BODY void viper_contact_body(viper_access *w, const viper_contact_device *c,
                                      const viper_launch *launch, int32_t body,
                                      viper_real *shared) {
  // What bodies begin and end with does not depend on the method, so all share METHOD there.
  viper_contact_take(w, c, ACTION == VIPER_BODIES_ITERATE ? METHOD : launch->settings.method, body);
  if (ACTION == VIPER_BODIES_BEGIN)
    viper_predict(w);
  else if (ACTION == VIPER_BODIES_ITERATE)
    viper_contact_iterate<METHOD>(w, c, launch, shared);
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

/// Bytes of memory that a cooperative group works in, if it is near to the group; 0 of phases that
/// have no use for it.
VIPER_FN size_t viper_contact_memory(const viper_contact_device *c, viper_contact_phase phase) {
  const bool passes = phase == VIPER_CONTACT_PASS || phase == VIPER_CONTACT_PASS_HAT ||
                      phase == VIPER_CONTACT_BEGIN || phase == VIPER_CONTACT_SETTLE;
  return phase == VIPER_CONTACT_COLOR ? viper_coloring_bytes(c)
         : passes && !c->average      ? viper_contact_workspace_bytes(c)
                                      : 0;
}

/// Elements of what is cleared at the beginning.
VIPER_FN int32_t viper_contact_clear_elements(const viper_contact_device *c) {
  return viper_most_of(viper_most_of(VIPER_COUNT_WORDS, c->n_planes), c->n_buckets);
}

/// How many elements a phase has; of pairs as many as there is room for.
VIPER_FN int32_t viper_contact_elements(const viper_contact_device *c, viper_contact_phase phase) {
  switch (phase) {
  case VIPER_CONTACT_GATHER:
    return viper_most_of(c->n_nodes, c->n_buckets > 0 ? c->n_segments : 0);
  case VIPER_CONTACT_PAIRS:
    return viper_contact_search_threads(c) * c->n_segments;
  case VIPER_CONTACT_TOUCHES:
    return c->rooms.pairs;
  case VIPER_CONTACT_SUSPECT:
    return viper_most_of(c->n_segments, c->rooms.pairs);
  case VIPER_CONTACT_CENTER:
    return VIPER_CENTER_LANES * c->n_bodies;
  case VIPER_CONTACT_FRAMES:
    return c->frame ? c->n_segments : 0;
  case VIPER_CONTACT_FORGET:
    return viper_contact_most_kept(c);
  case VIPER_CONTACT_WORK:
    return c->n_planes;
  case VIPER_CONTACT_SMOOTH:
    return c->rooms.touches;
  case VIPER_CONTACT_ARRANGE:
    return viper_most_of(c->rooms.touches, c->frame ? c->n_segments : 0);
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
  case VIPER_CONTACT_GATHER:
    if (i < c->n_nodes)
      viper_contact_gather_node(d, c, i);
    if (i < c->n_segments && c->n_buckets > 0)
      viper_contact_gather_segment(d, c, i);
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
    if (i < c->count->n_touches)
      viper_contact_arrange(c, i);
    if (c->frame && i < c->n_segments)
      viper_contact_begin_frame(d, c, i);
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
/// found. `memory` is viper_contact_memory near a cooperative group, or null.
VIPER_FN void viper_contact_thread(const viper_device *d, const viper_contact_device *c,
                                   viper_contact_phase phase, const viper_coop_thread *thread,
                                   void *memory) {
  const viper_contact_workspace w = viper_contact_workspace_at(c, memory);
  const bool finds = phase == VIPER_CONTACT_GATHER || phase == VIPER_CONTACT_PAIRS ||
                     phase == VIPER_CONTACT_FORGET;
  const bool idle = phase != VIPER_CONTACT_REPORT && viper_contact_idle(d, c);
  // Pairs may be too many before contacts are looked for, contacts while they are.
  const bool lost = finds                            ? false
                    : phase == VIPER_CONTACT_TOUCHES ? c->count->n_pairs > c->rooms.pairs
                                                     : viper_contact_lost(c);
  if (idle | lost) // what both read is read at once
    return;
  int32_t n = viper_contact_elements(c, phase);
  if (phase == VIPER_CONTACT_TOUCHES)
    n = c->count->n_pairs;
  if (phase == VIPER_CONTACT_SMOOTH)
    n = c->count->n_touches;
  if (phase == VIPER_CONTACT_SUSPECT)
    n = viper_most_of(c->n_segments, c->count->n_pairs);
  if (phase == VIPER_CONTACT_COLOR)
    viper_contact_color(c, thread, memory);
  else if (phase == VIPER_CONTACT_SETTLE)
    viper_contact_settle(c, &w, thread);
  else if (phase == VIPER_CONTACT_TRUNCATE)
    viper_contact_truncation(c, thread);
  else if (phase == VIPER_CONTACT_BEGIN)
    viper_contact_pass<VIPER_CONTACT_START>(c, &w, thread, c->follows);
  else if (viper_contact_is_cooperative(phase))
    viper_contact_pass<VIPER_CONTACT_SOLVE>(c, &w, thread, c->moves_hat);
  else
    for (int32_t i = thread->rank; i < n; i += thread->size)
      viper_contact_element(d, c, phase, i);
}

#endif
