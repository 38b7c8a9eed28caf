// SPDX-License-Identifier: GPL-3.0-or-later
/// The work that drivers and loads do in a substep: the gradient of Phi at what they hold, times
/// how far it moved.
#ifndef VIPER_CUDA_CORE_PIN_WORK_H
#define VIPER_CUDA_CORE_PIN_WORK_H

#include "viper/cuda/core/access_coop.h"
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

/// The gradient of a segment's energy over its unknowns.
VIPER_FN void viper_segment_gradient(const viper_work *w, viper_at at,
                                     viper_real g[VIPER_SEGMENT_UNKNOWNS]) {
  viper_segment_rest rest = viper_get_segment_rest(w, at, false);
  viper_segment_state x = viper_get_segment(w, at);
  VIPER_UNROLL for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++) g[k] = VIPER_R(0);
#define ADD(name, NAME) viper_##name##_add_gradient(&rest, &x, g);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
}

/// Likewise of a joint's.
VIPER_FN void viper_joint_gradient(const viper_work *w, viper_at at,
                                   viper_real g[VIPER_JOINT_UNKNOWNS]) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, false);
  viper_joint_state x = viper_get_joint(w, at);
  VIPER_UNROLL for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++) g[k] = VIPER_R(0);
#define ADD(name, NAME) viper_##name##_add_gradient(&rest, &x, g);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
}

VIPER_FN viper_real viper_node_pin_work(const viper_work *w, viper_at at, uint32_t mask) {
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h)), sum = VIPER_R(0);
  viper_real g[4], of_segment[VIPER_SEGMENT_UNKNOWNS], of_joint[VIPER_JOINT_UNKNOWNS];
  const viper_table *segments = &w->links->node_segment, *joints = &w->links->node_joint;
  viper_node_inertial_gradient(viper_get_node_inertia(w, at, false), viper_get_node(w, at),
                               viper_get_node_hat(w, at), g);
  VIPER_UNROLL for (int c = 0; c < 4; c++) g[c] *= inv_h2;
  for (int side = 0; side < 2; side++)
    for (int32_t k = 0; k < viper_link_count(w, segments, 2, at, side); k++) {
      viper_segment_gradient(w, viper_link(w, segments, 2, at, side, k), of_segment);
      VIPER_UNROLL for (int c = 0; c < 4; c++) g[c] += side ? of_segment[4 + c] : of_segment[c];
    }
  for (int role = 0; role < 3; role++)
    for (int32_t k = 0; k < viper_link_count(w, joints, 3, at, role); k++) {
      viper_joint_gradient(w, viper_link(w, joints, 3, at, role, k), of_joint);
      g[3] += role == 0 ? of_joint[0] : role == 1 ? of_joint[1] : of_joint[2];
    }
  viper_node_x moved = viper_node_moved(w, at);
  viper_real d[4] = {moved.c.x, moved.c.y, moved.c.z, moved.s};
  VIPER_UNROLL for (int c = 0; c < 4; c++) sum += mask >> c & 1 ? g[c] * d[c] : VIPER_R(0);
  return sum;
}

VIPER_FN viper_real viper_frame_pin_work(const viper_work *w, viper_at at) {
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  viper_real g[3], block[3][3];
  viper_real of_segment[VIPER_SEGMENT_UNKNOWNS], of_joint[VIPER_JOINT_UNKNOWNS];
  const viper_table *joints = &w->links->frame_joint;
  viper_quat q = viper_get_frame(w, at);
  viper_frame_inertial_block(inv_h2 * viper_get_inertia(w, at), q, viper_get_frame_hat(w, at), g,
                             block);
  viper_segment_gradient(w, at, of_segment);
  VIPER_UNROLL for (int c = 0; c < 3; c++) g[c] += of_segment[8 + c];
  for (int side = 0; side < 2; side++)
    for (int32_t k = 0; k < viper_link_count(w, joints, 2, at, side); k++) {
      viper_joint_gradient(w, viper_link(w, joints, 2, at, side, k), of_joint);
      VIPER_UNROLL for (int c = 0; c < 3; c++) g[c] += side ? of_joint[6 + c] : of_joint[3 + c];
    }
  viper_vec3 turn = viper_frame_moved(w, at);
  return g[0] * viper_dot(viper_quat_u(q), turn) + g[1] * viper_dot(viper_quat_v(q), turn) +
         g[2] * viper_dot(viper_quat_w(q), turn);
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
