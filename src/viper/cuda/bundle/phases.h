// SPDX-License-Identifier: GPL-3.0-or-later
/// Phase functions that move bundles on a device, as cpu/bundle_real.c does on the CPU, and the
/// share of one GPU thread in a pass.
#ifndef VIPER_CUDA_BUNDLE_PHASES_H
#define VIPER_CUDA_BUNDLE_PHASES_H

#include "viper/bundle/bundle_shift.h"
#include "viper/cuda/bundle/device.h"
#include "viper/cuda/core/access_coop.h"
#include "viper/method/motion.h"

/// A row of four numbers.
typedef struct viper_bundle_row {
  viper_real *in;
  int32_t at;
} viper_bundle_row;

/// The prediction of a node and of a frame that bundles move: where bodies are worked on, or, with
/// contact, without what contacts push.
VIPER_FN viper_bundle_row viper_bundle_node_hat(const viper_bundle_device *b, int32_t i) {
  const viper_bundle_row own = {b->node_pushed, i}, row = {b->bodies.workspace, b->node[i].hat};
  return b->node_pushed ? own : row;
}

VIPER_FN viper_bundle_row viper_bundle_frame_hat(const viper_bundle_device *b, int32_t j) {
  const viper_bundle_row own = {b->frame_pushed, j}, row = {b->bodies.workspace, b->segment[j].hat};
  return b->frame_pushed ? own : row;
}

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
  viper_bundle_goals(bundle, b->member + first, b->now + first, b->goal + first);
}

/// Moves node `k` of those in bundles, and its prediction.
VIPER_FN void viper_bundle_move(const viper_bundle_device *b, int32_t k) {
  const viper_bundle_node *node = &b->node[b->in_bundle[k]];
  viper_real *workspace = b->bodies.workspace;
  int32_t first = b->first_share[k];
  double d[4];
  viper_bundle_shift(b->share + first, b->first_share[k + 1] - first, b->now, b->goal, d);
  viper_bundle_row hat = viper_bundle_node_hat(b, b->in_bundle[k]);
  viper_set_row(hat.in, hat.at, viper_bundle_push_node(viper_get_row(hat.in, hat.at), d));
  viper_set_row(workspace, node->row,
                viper_bundle_move_node(viper_get_row(workspace, node->row), d, node->pinned,
                                       VIPER_R(VIPER_MINIMUM_SCALE)));
}

/// Turns the frame of member `i`, and its prediction.
VIPER_FN void viper_bundle_turn_member(const viper_bundle_device *b, int32_t i) {
  const viper_bundle_segment *s = &b->segment[b->member[i].segment];
  viper_real *workspace = b->bodies.workspace;
  viper_quat q = viper_get_quat(workspace, s->row), turn = viper_bundle_turn(&b->goal[i], q);
  viper_bundle_row hat = viper_bundle_frame_hat(b, b->member[i].segment);
  viper_set_quat(hat.in, hat.at, viper_bundle_turned(turn, viper_get_quat(hat.in, hat.at)));
  if (!s->pinned)
    viper_set_quat(workspace, s->row, viper_bundle_turned(turn, q));
}

/// The predicted scale of a node; a pinned one is where it is held.
VIPER_FN viper_real viper_bundle_predicted_scale(const viper_bundle_device *b, int32_t i) {
  const viper_bundle_node *node = &b->node[i];
  const viper_bundle_row row = {b->bodies.workspace, node->row},
                         at = node->pinned & VB_PIN_SCALE ? row : viper_bundle_node_hat(b, i);
  return viper_get_row(at.in, at.at).s;
}

/// The inertia of frame `j`, by the prediction of its nodes.
VIPER_FN void viper_bundle_weigh_frame(const viper_bundle_device *b, int32_t j) {
  const viper_bundle_segment *s = &b->segment[j];
  viper_real *workspace = b->bodies.workspace;
  workspace[s->inertia] =
      viper_frame_inertia(s->rest, viper_bundle_predicted_scale(b, s->node[0]),
                          viper_bundle_predicted_scale(b, s->node[1]), VIPER_MINIMUM_SCALE);
}

VIPER_FN void viper_bundle_copy(const viper_real *from, int32_t row, viper_real *to, int32_t at) {
  viper_real four[4];
  viper_get_four(from, row, four);
  viper_set_four(to, at, four);
}

/// In scenes with contact, as viper_contact_push_hat on the CPU: the prediction of node `i`
/// is that which bundles moved, and what contacts have pushed so far.
VIPER_FN void viper_bundle_push_node(const viper_device *d, const viper_bundle_device *b,
                                     int32_t i) {
  const viper_contact_device *c = &b->bodies;
  const viper_bundle_node *node = &b->node[i];
  viper_real x[4], hat[4];
  viper_get_four(c->workspace, node->row, x);
  viper_get_four(b->node_pushed, i, hat);
  viper_set_four(d->node_hat0, i, hat);
  if (c->active[i]) {
    VIPER_UNROLL for (int k = 0; k < 4; k++) {
      c->node[i].x[k] = x[k]; // where a pass that averages begins
      c->node[i].hat[k] = hat[k];
      hat[k] = c->node[i].hat[k] + c->node[i].push[k];
    }
  }
  viper_set_four(c->workspace, node->hat, hat);
}

/// Likewise of frame `j`.
VIPER_FN void viper_bundle_push_frame(const viper_bundle_device *b, int32_t j) {
  const viper_contact_device *c = &b->bodies;
  viper_real hat[4];
  viper_get_four(b->frame_pushed, j, hat);
  if (c->frame && c->rolling[j]) {
    c->frame[j].hat = viper_vec4_make(hat[0], hat[1], hat[2], hat[3]);
    viper_vec4 rolled = viper_frame_hat(&c->frame[j]);
    VIPER_UNROLL for (int k = 0; k < 4; k++) hat[k] = rolled[k];
  }
  viper_set_four(c->workspace, b->segment[j].hat, hat);
}

/// Keeps what a pass is told to keep of node `i`, before anything is moved. Contacts may have
/// pushed the prediction before the first pass: by what they begin with, or averaged.
VIPER_FN void viper_bundle_keep_node(const viper_device *d, const viper_bundle_device *b, int32_t i,
                                     int pass) {
  const viper_bundle_node *node = &b->node[i];
  const viper_real *workspace = b->bodies.workspace;
  const bool contact = b->node_pushed != NULL;
  if (pass & VIPER_PASS_FIRST)
    viper_bundle_copy(contact ? d->node_hat0 : workspace, contact ? i : node->hat, b->node_hat0, i);
  if (contact && pass & VIPER_PASS_FIRST)
    viper_bundle_copy(b->node_hat0, i, b->node_pushed, i);
  if (!(pass & VIPER_PASS_LAST))
    return;
  if (contact) {
    viper_bundle_push_node(d, b, i);
    viper_bundle_copy(b->node_pushed, i, b->node_bundled, i);
  }
  viper_bundle_copy(workspace, node->row, b->node_left, i);
  viper_bundle_copy(workspace, node->hat, b->node_hat, i);
}

VIPER_FN void viper_bundle_keep_frame(const viper_bundle_device *b, int32_t j, int pass) {
  const viper_bundle_segment *s = &b->segment[j];
  const viper_contact_device *c = &b->bodies;
  const viper_real *workspace = c->workspace;
  if (pass & VIPER_PASS_FIRST)
    viper_bundle_copy(workspace, s->hat, b->frame_hat0, j);
  if (pass & VIPER_PASS_FIRST && c->frame && c->rolling[j]) {
    const viper_vec4 hat = c->frame[j].hat;
    const viper_real four[4] = {hat[0], hat[1], hat[2], hat[3]};
    viper_set_four(b->frame_hat0, j, four);
  }
  if (b->frame_pushed && pass & VIPER_PASS_FIRST)
    viper_bundle_copy(b->frame_hat0, j, b->frame_pushed, j);
  if (!(pass & VIPER_PASS_LAST))
    return;
  if (b->frame_pushed)
    viper_bundle_push_frame(b, j);
  viper_bundle_copy(workspace, s->row, b->frame_left, j);
  viper_bundle_copy(workspace, s->hat, b->frame_hat, j);
}

/// All that a lane does in a pass: nothing after trouble, and in a lost substep.
VIPER_FN void viper_bundle_pass_thread(const viper_device *d, const viper_bundle_device *b,
                                       int pass, const viper_coop_thread *thread) {
  const int32_t rank = thread->rank, size = thread->size;
  bool keeps = pass & (VIPER_PASS_FIRST | VIPER_PASS_LAST);
  if (viper_contact_idle(d, &b->bodies) || viper_contact_lost(&b->bodies))
    return;
  for (int32_t k = rank; k < b->n_bundles; k += size)
    viper_bundle_fit_members(b, k);
  for (int32_t i = rank; keeps && i < b->n_nodes; i += size)
    viper_bundle_keep_node(d, b, i, pass);
  for (int32_t j = rank; keeps && j < b->n_segments; j += size)
    viper_bundle_keep_frame(b, j, pass);
  viper_coop_sync(thread);
  for (int32_t k = rank; k < b->n_in_bundle; k += size)
    viper_bundle_move(b, k);
  for (int32_t i = rank; i < b->n_members; i += size)
    viper_bundle_turn_member(b, i);
  viper_coop_sync(thread);
  for (int32_t i = rank; b->node_pushed && i < b->n_nodes; i += size)
    viper_bundle_push_node(d, b, i);
  for (int32_t j = rank; b->frame_pushed && j < b->n_segments; j += size)
    viper_bundle_push_frame(b, j);
  if (!(pass & VIPER_PASS_INERTIA))
    return;
  for (int32_t j = rank; j < b->n_segments; j += size)
    viper_bundle_weigh_frame(b, j);
}

#endif
