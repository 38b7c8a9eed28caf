// SPDX-License-Identifier: GPL-3.0-or-later
/// The work that drivers and loads do in a substep: the gradient of Phi at what they hold, times
/// how far it moved.
#ifndef VIPER_CUDA_PIN_WORK_H
#define VIPER_CUDA_PIN_WORK_H

#include "viper/cuda/access_team.h"
#include "viper/method/motion.h"

#include "viper/cpu/sweeps.h"

/// How far a node has moved in this substep.
VIPER_FN viper_node_x viper_node_moved(const viper_work *w, viper_at at) {
  viper_node_x x = viper_get_node(w, at), old = viper_get_row(w->device->node, w->body->node + at);
  viper_node_x d = {viper_sub(x.c, old.c), x.s - old.s};
  return d;
}

/// How far a frame has turned in this substep, in world axes.
VIPER_FN viper_vec3 viper_frame_moved(const viper_work *w, viper_at at) {
  return viper_turn_since(viper_get_frame(w, at),
                          viper_get_quat(w->device->frame, w->body->segment + at));
}

VIPER_FN viper_real viper_node_pin_work(const viper_work *w, viper_at at, uint32_t mask) {
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h)), sum = VIPER_R(0);
  viper_newton n = viper_newton_node(viper_get_node_inertia(w, at, false), viper_get_node(w, at),
                                     viper_get_node_hat(w, at), inv_h2);
  viper_descend_segments(w, at, &n, 1, false);
  viper_descend_segments(w, at, &n, 0, false);
  for (int role = 2; role >= 0; role--)
    viper_descend_joints(w, at, &n, role, false);
  viper_node_x moved = viper_node_moved(w, at);
  viper_real d[4] = {moved.c.x, moved.c.y, moved.c.z, moved.s};
  VIPER_UNROLL for (int c = 0; c < 4; c++) sum += mask >> c & 1 ? n.g[c] * d[c] : VIPER_R(0);
  return sum;
}

VIPER_FN viper_real viper_frame_pin_work(const viper_work *w, viper_at at) {
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  viper_segment_rest rest = viper_get_segment_rest(w, at, false);
  viper_segment_state x = viper_get_segment(w, at);
  viper_newton n =
      viper_newton_frame(viper_get_inertia(w, at), x.q, viper_get_frame_hat(w, at), inv_h2);
  viper_newton_segment_frame(&n, &rest, &x);
  viper_descend_frame_joints(w, at, &n, 1, false);
  viper_descend_frame_joints(w, at, &n, 0, false);
  viper_vec3 turn = viper_frame_moved(w, at);
  return n.g[0] * viper_dot(viper_quat_u(x.q), turn) + n.g[1] * viper_dot(viper_quat_v(x.q), turn) +
         n.g[2] * viper_dot(viper_quat_w(x.q), turn);
}

/// Phase function: the work of item `k` of the body in this substep.
VIPER_FN void viper_do_work(viper_work *w, int32_t k) {
  const viper_work_item *item = &w->model->work[k];
  viper_real value[4] = {VIPER_R(0), VIPER_R(0), VIPER_R(0), VIPER_R(0)}, sum;
  if (item->kind == VIPER_BOUND_NODE_LOAD || item->kind == VIPER_BOUND_FRAME_LOAD)
    viper_get_four(w->device->bound_value + 4 * (size_t)item->value, 0, value);
  if (item->kind == VIPER_BOUND_NODE_PIN) {
    sum = viper_node_pin_work(w, item->index, item->mask);
  } else if (item->kind == VIPER_BOUND_FRAME_PIN) {
    sum = viper_frame_pin_work(w, item->index);
  } else if (item->kind == VIPER_BOUND_NODE_LOAD) {
    viper_node_x d = viper_node_moved(w, item->index);
    sum = value[0] * d.c.x + value[1] * d.c.y + value[2] * d.c.z + value[3] * d.s;
  } else {
    viper_vec3 turn = viper_frame_moved(w, item->index);
    sum = value[0] * turn.x + value[1] * turn.y + value[2] * turn.z;
  }
  w->device->work_part[item->part] = sum;
}

#endif
