// SPDX-License-Identifier: GPL-3.0-or-later
/// Phase functions that move bundles on a device, as cpu/bundle_real.c does on the CPU, and the
/// share of one GPU thread in a pass.
#ifndef VIPER_CUDA_BUNDLE_PHASES_H
#define VIPER_CUDA_BUNDLE_PHASES_H

#include "viper/bundle/bundle_shift.h"
#include "viper/cuda/bundle/device.h"
#include "viper/cuda/core/access_coop.h"
#include "viper/method/motion.h"

/// Where bundle `k` wants its members.
VIPER_FN void viper_bundle_fit_members(const viper_bundle_device *b, int32_t k) {
  const viper_bundle *bundle = &b->bundle[k];
  const viper_real *workspace = b->bodies.workspace;
  int32_t first = bundle->first;
  for (int32_t i = first; i < first + bundle->n; i++) {
    const viper_bundle_segment *s = &b->segment[b->member[i].segment];
    b->now[i] = viper_bundle_place_of(viper_get_row(workspace, b->node[s->node[0]].row),
                                      viper_get_row(workspace, b->node[s->node[1]].row),
                                      viper_get_quat(workspace, s->row));
  }
  viper_bundle_transform t = viper_bundle_fit(bundle, b->member + first, b->now + first);
  for (int32_t i = first; i < first + bundle->n; i++)
    b->goal[i] = viper_bundle_goal(&b->member[i], &t);
}

/// Moves node `k` of those in bundles, and its prediction.
VIPER_FN void viper_bundle_move(const viper_bundle_device *b, int32_t k) {
  const viper_bundle_node *node = &b->node[b->in_bundle[k]];
  viper_real *workspace = b->bodies.workspace;
  int32_t first = b->first_share[k];
  double d[4];
  viper_bundle_shift(b->share + first, b->first_share[k + 1] - first, b->now, b->goal, d);
  viper_set_row(workspace, node->hat,
                viper_bundle_push_node(viper_get_row(workspace, node->hat), d));
  viper_set_row(workspace, node->row,
                viper_bundle_move_node(viper_get_row(workspace, node->row), d, node->pinned,
                                       VIPER_R(VIPER_MINIMUM_SCALE)));
}

/// Turns the frame of member `i`, and its prediction.
VIPER_FN void viper_bundle_turn_member(const viper_bundle_device *b, int32_t i) {
  const viper_bundle_segment *s = &b->segment[b->member[i].segment];
  viper_real *workspace = b->bodies.workspace;
  viper_quat q = viper_get_quat(workspace, s->row), turn = viper_bundle_turn(&b->goal[i], q);
  viper_set_quat(workspace, s->hat, viper_bundle_turned(turn, viper_get_quat(workspace, s->hat)));
  if (!s->pinned)
    viper_set_quat(workspace, s->row, viper_bundle_turned(turn, q));
}

/// The predicted scale of a node; a pinned one is where it is held.
VIPER_FN viper_real viper_bundle_predicted_scale(const viper_bundle_device *b, int32_t i) {
  const viper_bundle_node *node = &b->node[i];
  bool held = node->pinned & VB_PIN_SCALE;
  return viper_get_row(b->bodies.workspace, held ? node->row : node->hat).s;
}

/// The inertia of frame `j`, by the prediction of its nodes.
VIPER_FN void viper_bundle_weigh_frame(const viper_bundle_device *b, int32_t j) {
  const viper_bundle_segment *s = &b->segment[j];
  viper_real *workspace = b->bodies.workspace;
  workspace[s->inertia] =
      viper_frame_inertia(s->rest, viper_bundle_predicted_scale(b, s->node[0]),
                          viper_bundle_predicted_scale(b, s->node[1]), VIPER_MINIMUM_SCALE);
}

VIPER_FN void viper_bundle_copy(const viper_bundle_device *b, int32_t row, viper_real *to,
                                int32_t at) {
  viper_real four[4];
  viper_get_four(b->bodies.workspace, row, four);
  viper_set_four(to, at, four);
}

/// Keeps what a pass is told to keep of node `i`, before anything is moved.
VIPER_FN void viper_bundle_keep_node(const viper_bundle_device *b, int32_t i, int pass) {
  const viper_bundle_node *node = &b->node[i];
  if (pass & VIPER_PASS_FIRST)
    viper_bundle_copy(b, node->hat, b->node_hat0, i);
  if (!(pass & VIPER_PASS_LAST))
    return;
  viper_bundle_copy(b, node->row, b->node_left, i);
  viper_bundle_copy(b, node->hat, b->node_hat, i);
}

VIPER_FN void viper_bundle_keep_frame(const viper_bundle_device *b, int32_t j, int pass) {
  const viper_bundle_segment *s = &b->segment[j];
  if (pass & VIPER_PASS_FIRST)
    viper_bundle_copy(b, s->hat, b->frame_hat0, j);
  if (!(pass & VIPER_PASS_LAST))
    return;
  viper_bundle_copy(b, s->row, b->frame_left, j);
  viper_bundle_copy(b, s->hat, b->frame_hat, j);
}

/// All that a lane does in a pass: nothing after trouble.
VIPER_FN void viper_bundle_pass_thread(const viper_device *d, const viper_bundle_device *b,
                                       int pass, const viper_coop_thread *thread) {
  const int32_t rank = thread->rank, size = thread->size;
  bool keeps = pass & (VIPER_PASS_FIRST | VIPER_PASS_LAST);
  if (d->control->stopped)
    return;
  for (int32_t k = rank; k < b->n_bundles; k += size)
    viper_bundle_fit_members(b, k);
  for (int32_t i = rank; keeps && i < b->n_nodes; i += size)
    viper_bundle_keep_node(b, i, pass);
  for (int32_t j = rank; keeps && j < b->n_segments; j += size)
    viper_bundle_keep_frame(b, j, pass);
  viper_coop_sync(thread);
  for (int32_t k = rank; k < b->n_in_bundle; k += size)
    viper_bundle_move(b, k);
  for (int32_t i = rank; i < b->n_members; i += size)
    viper_bundle_turn_member(b, i);
  if (!(pass & VIPER_PASS_INERTIA))
    return;
  viper_coop_sync(thread);
  for (int32_t j = rank; j < b->n_segments; j += size)
    viper_bundle_weigh_frame(b, j);
}

#endif
