// SPDX-License-Identifier: GPL-3.0-or-later
/// What passes over contacts change while they run: where nodes are, and the rolls of frames. One
/// block has it in shared memory where all of it fits; else it is the scene's, in global memory.
///
/// GPU threads wait long for global memory: loops over nodes and frames read several of them before
/// they use the first.
#ifndef VIPER_CUDA_CONTACT_WORKSPACE_H
#define VIPER_CUDA_CONTACT_WORKSPACE_H

#include "viper/contact/ease.h"
#include "viper/cuda/contact/device.h"
#include "viper/cuda/contact/truncation.h"

/// Nodes that a thread reads at once, or frames before a pass; and frames after it, of which it
/// reads more.
#define VIPER_AT_ONCE        4
#define VIPER_FRAMES_AT_ONCE 2

/// One node every `bytes`, and one frame every so many.
typedef struct viper_contact_workspace {
  viper_vec4 *x;
  size_t bytes;
  viper_frame_rolls rolls;
  bool apart; ///< whether it is not the scene's
} viper_contact_workspace;

VIPER_FN size_t viper_contact_workspace_bytes(const viper_contact_device *c) {
  return (size_t)c->n_nodes * sizeof(viper_vec4) +
         (c->frame ? (size_t)c->n_segments : 0) * sizeof(viper_frame_roll);
}

/// The workspace in `memory`, or the scene's where that is null or where contacts are averaged.
VIPER_FN viper_contact_workspace viper_contact_workspace_at(const viper_contact_device *c,
                                                            void *memory) {
  viper_contact_workspace w = {&c->node->x, sizeof *c->node, viper_frame_rolls_of(c->frame), false};
  if (!memory || c->average)
    return w;
  w.apart = true;
  w.x = (viper_vec4 *)memory;
  w.bytes = sizeof *w.x;
  w.rolls.bytes = sizeof *w.rolls.first;
  if (c->frame)
    w.rolls.first = (viper_frame_roll *)(void *)(w.x + c->n_nodes);
  return w;
}

/// Where a node is.
VIPER_FN viper_vec4 *viper_contact_x(const viper_contact_workspace *w, int32_t i) {
  return (viper_vec4 *)(void *)((char *)w->x + (size_t)i * w->bytes);
}

/// The first of `n` elements that a thread has, of which the next is the group's size away. Few
/// elements are dealt out to all warps, consecutive ones to different warps: each waits for the
/// lines of its own lanes. Of many, a warp reads what is side by side.
VIPER_FN int32_t viper_first_of(const viper_coop_thread *thread, int32_t n) {
#ifdef __CUDA_ARCH__
  if (2 * n <= thread->size)
    return thread->rank % VIPER_WARP * (thread->size / VIPER_WARP) + thread->rank / VIPER_WARP;
#endif
  (void)n;
  return thread->rank;
}

/// The k-th of the elements that a thread reads at once from `first` on, or that one.
VIPER_FN int32_t viper_one_of(const viper_coop_thread *thread, int32_t first, int k, int32_t n) {
  const int32_t i = first + k * thread->size;
  return i < n ? i : first;
}

/// Before a pass: reads where active nodes are; all nodes, into a workspace of its own.
VIPER_FN void viper_contact_read_nodes(const viper_contact_device *c,
                                       const viper_contact_workspace *w,
                                       const viper_coop_thread *thread) {
  for (int32_t first = viper_first_of(thread, c->n_nodes); first < c->n_nodes;
       first += VIPER_AT_ONCE * thread->size) {
    viper_vec4 x[VIPER_AT_ONCE];
    bool wanted[VIPER_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) {
      const int32_t i = viper_one_of(thread, first, k, c->n_nodes);
      x[k] = viper_contact_place(c, i);
      wanted[k] = first + k * thread->size < c->n_nodes && (w->apart || c->active[i]);
    }
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) {
      viper_vec4 *to = viper_contact_x(w, viper_one_of(thread, first, k, c->n_nodes));
      if (wanted[k])
        *to = x[k];
    }
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

/// Before a pass: reads where frames are.
VIPER_FN void viper_contact_read_frames(const viper_contact_device *c,
                                        const viper_contact_workspace *w,
                                        const viper_coop_thread *thread) {
  const int32_t n = c->frame ? c->n_segments : 0;
  for (int32_t first = viper_first_of(thread, n); first < n;
       first += VIPER_AT_ONCE * thread->size) {
    viper_vec4 now[VIPER_AT_ONCE], old[VIPER_AT_ONCE];
    viper_frame_roll roll[VIPER_AT_ONCE];
    bool wanted[VIPER_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) {
      const int32_t j = viper_one_of(thread, first, k, n);
      now[k] = viper_contact_get(c, c->frame_place[j]);
      old[k] = c->frame[j].old;
      roll[k].torque = c->frame[j].roll.torque;
      roll[k].yields = c->frame[j].roll.yields;
      wanted[k] = first + k * thread->size < n && (w->apart || c->rolling[j]);
    }
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) {
      const int32_t j = viper_one_of(thread, first, k, n);
      if (!wanted[k])
        continue;
      viper_frame_roll_read(&roll[k], old[k], now[k]);
      c->frame[j].now = now[k];
      *viper_frame_roll_at(w->rolls, j) = roll[k];
    }
  }
}

/// What the latest pass left in the scene, unless that is the workspace; no friction is taken back
/// yet.
VIPER_FN void viper_contact_fetch(const viper_contact_device *c, const viper_contact_workspace *w,
                                  const viper_coop_thread *thread) {
  for (int32_t i = thread->rank; w->apart && i < c->n_nodes; i += thread->size)
    *viper_contact_x(w, i) = c->node[i].x;
  for (int32_t j = thread->rank; w->apart && c->frame && j < c->n_segments; j += thread->size)
    *viper_frame_roll_at(w->rolls, j) = c->frame[j].roll;
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    const viper_ease_sums s = c->ease_sums[k];
    for (int32_t i = thread->rank; c->frame && i < 3 * c->n_nodes; i += thread->size)
      s.node[i] = 0;
    for (int32_t i = thread->rank; c->frame && i < c->n_nodes; i += thread->size)
      s.at_node[i] = 0;
    for (int32_t j = thread->rank; c->frame && j < c->n_segments; j += thread->size)
      s.frame[j] = 0, s.at_frame[j] = 0;
  }
  viper_coop_sync(thread);
}

/// After a pass: keeps the scale of node `i` at its limit or above.
VIPER_FN void viper_contact_limit(const viper_contact_device *c, int32_t i, viper_vec4 *x,
                                  viper_vec4 *predicted) {
  viper_contact_node node = c->node[i];
  viper_limit limit = {0, c->limit[i]};
  node.x = *x;
  viper_limit_scale(&limit, &node);
  c->limit[i] = limit.lambda;
  c->node[i].push = node.push;
  *x = node.x;
  *predicted = node.hat + node.push;
}

/// Writes active nodes to where they are, and with `hat` their predictions moved by all that
/// contacts pushed; with `limit` scales first meet their limits.
VIPER_FN void viper_contact_write_nodes(const viper_contact_device *c,
                                        const viper_contact_workspace *w,
                                        const viper_coop_thread *thread, bool limit, bool hat) {
  for (int32_t first = viper_first_of(thread, c->n_nodes); first < c->n_nodes;
       first += VIPER_AT_ONCE * thread->size) {
    viper_vec4 x[VIPER_AT_ONCE], predicted[VIPER_AT_ONCE];
    int32_t place[VIPER_AT_ONCE], place_hat[VIPER_AT_ONCE], active[VIPER_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) {
      const int32_t i = viper_one_of(thread, first, k, c->n_nodes);
      x[k] = *viper_contact_x(w, i);
      predicted[k] = c->node[i].hat + c->node[i].push;
      place[k] = c->place[i];
      place_hat[k] = c->place_hat[i];
      active[k] = first + k * thread->size < c->n_nodes ? c->active[i] : 0;
    }
    VIPER_UNROLL for (int k = 0; k < VIPER_AT_ONCE; k++) {
      const int32_t i = viper_one_of(thread, first, k, c->n_nodes);
      if (!active[k])
        continue;
      if (limit && active[k] & VIPER_WATCHED_SCALE)
        viper_contact_limit(c, i, &x[k], &predicted[k]);
      c->node[i].x = x[k];
      viper_contact_set(c, place[k], x[k]);
      if (hat)
        viper_contact_set(c, place_hat[k], predicted[k]);
    }
  }
}

/// Writes frames that friction rolled, and with `hat` their predictions.
VIPER_FN void viper_contact_write_frames(const viper_contact_device *c,
                                         const viper_contact_workspace *w,
                                         const viper_coop_thread *thread, bool hat) {
  const int32_t n = c->frame ? c->n_segments : 0;
  for (int32_t first = viper_first_of(thread, n); first < n;
       first += VIPER_FRAMES_AT_ONCE * thread->size) {
    viper_contact_frame f[VIPER_FRAMES_AT_ONCE];
    int32_t place[VIPER_FRAMES_AT_ONCE], place_hat[VIPER_FRAMES_AT_ONCE];
    bool rolling[VIPER_FRAMES_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < VIPER_FRAMES_AT_ONCE; k++) {
      const int32_t j = viper_one_of(thread, first, k, n);
      f[k] = c->frame[j];
      f[k].roll = *viper_frame_roll_at(w->rolls, j);
      place[k] = c->frame_place[j];
      place_hat[k] = c->frame_place_hat[j];
      rolling[k] = first + k * thread->size < n && c->rolling[j];
    }
    VIPER_UNROLL for (int k = 0; k < VIPER_FRAMES_AT_ONCE; k++) {
      const int32_t j = viper_one_of(thread, first, k, n);
      if (!rolling[k])
        continue;
      c->frame[j].roll = f[k].roll;
      if (f[k].roll.added != 0)
        viper_contact_set(c, place[k], viper_frame_rolled(f[k].now, f[k].roll.added));
      if (hat) // also where a torque is 0 again
        viper_contact_set(c, place_hat[k], viper_frame_hat(&f[k]));
    }
  }
}

#endif
