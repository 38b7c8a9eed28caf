// SPDX-License-Identifier: GPL-3.0-or-later
/// A substep of one body by a cooperative group: the code that the kernels consist of. Each GPU
/// thread loops over its share of the elements of a phase; a barrier follows each phase.
#ifndef VIPER_CUDA_CORE_SUBSTEP_H
#define VIPER_CUDA_CORE_SUBSTEP_H

#include "viper/cuda/core/access_coop.h"
#include "viper/cuda/core/direct.h"
#include "viper/cuda/core/predict.h"
#include "viper/energy/activation.h"

// Of block descent on bodies of the material model solid.
VIPER_CALLED viper_pair viper_ray_slope_called(viper_call call, viper_vec3 shift, viper_real t);
VIPER_CALLED void viper_end_descent_called(viper_call call);
#define VIPER_RAY_SLOPE(w, shift, t, uniform)                                                      \
  ((void)(uniform), viper_ray_slope_called(viper_call_on(w), (shift), (t)))
#define VIPER_END_DESCENT(w, uniform) ((void)(uniform), viper_end_descent_called(viper_call_on(w)))

#include "viper/method/sweeps.h"

VIPER_CALLED viper_pair viper_ray_slope_called(viper_call call, viper_vec3 shift, viper_real t) {
  viper_access w = viper_called_on(&call, call.device, &call.device->group[call.body->group],
                                   VIPER_BLOCK_DESCENT, false);
  return viper_ray_slope(&w, shift, t, false);
}

VIPER_CALLED void viper_end_descent_called(viper_call call) {
  viper_access w = viper_called_on(&call, call.device, &call.device->group[call.body->group],
                                   VIPER_BLOCK_DESCENT, false);
  viper_end_descent(&w, false);
}

// The work that drivers and loads do in a substep: the gradient of Phi at what they hold, times how
// far it moved.

/// How far a node has moved in this substep.
VIPER_FN viper_node_x viper_node_moved(const viper_access *w, viper_at at) {
  viper_node_x x = viper_get_node(w, at), old = viper_get_row(w->device->node, w->body->node + at);
  viper_node_x d = {viper_sub(x.c, old.c), x.s - old.s};
  return d;
}

/// How far a frame has turned in this substep, in world axes.
VIPER_FN viper_vec3 viper_frame_moved(const viper_access *w, viper_at at) {
  return viper_turn_since(viper_get_frame(w, at),
                          viper_get_quat(w->device->frame, w->body->segment + at));
}

/// The gradient of a segment's energy over its unknowns.
VIPER_FN void viper_segment_gradient(const viper_access *w, viper_at at,
                                     viper_real g[VIPER_SEGMENT_UNKNOWNS]) {
  viper_segment_rest rest = viper_get_segment_rest(w, at, false);
  viper_segment_state x = viper_get_segment(w, at);
  VIPER_UNROLL for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++) g[k] = VIPER_R(0);
#define ADD(name, NAME) viper_##name##_add_gradient(&rest, &x, g);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (viper_solid_of(w) == VIPER_NONE_SOLID)
    return;
  viper_solid_rest solid = viper_get_solid(w, at, false);
#define ADD(name, NAME, SHOWN) viper_##name##_add_gradient(&solid, &x, g);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
}

/// Likewise of a joint's.
VIPER_FN void viper_joint_gradient(const viper_access *w, viper_at at,
                                   viper_real g[VIPER_JOINT_UNKNOWNS]) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, false);
  viper_joint_state x = viper_has_fused(w) ? viper_get_fused_joint(w, at) : viper_get_joint(w, at);
  VIPER_UNROLL for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++) g[k] = VIPER_R(0);
#define ADD(name, NAME) viper_##name##_add_gradient(&rest, &x, g);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
}

/// What holds a node: the gradient of Phi.
VIPER_FN void viper_node_pin_force(const viper_access *w, viper_at at, viper_real g[4]) {
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  viper_real of_segment[VIPER_SEGMENT_UNKNOWNS], of_joint[VIPER_JOINT_UNKNOWNS];
  const viper_table *segments = &w->adjacency->node_segment, *joints = &w->adjacency->node_joint;
  viper_node_inertial_gradient(viper_get_node_inertia(w, at, false), viper_get_node(w, at),
                               viper_get_node_hat(w, at), g);
  if (viper_is_static(w))
    viper_node_load_gradient(viper_get_node_hat(w, at), g);
  else
    VIPER_UNROLL for (int c = 0; c < 4; c++) g[c] *= inv_h2;
  for (int side = 0; side < 2; side++)
    for (int32_t k = 0; k < viper_adjacent_count(w, segments, 2, at, side); k++) {
      viper_segment_gradient(w, viper_adjacent(w, segments, 2, at, side, k), of_segment);
      VIPER_UNROLL for (int c = 0; c < 4; c++) g[c] += side ? of_segment[4 + c] : of_segment[c];
    }
  for (int role = 0; role < 3; role++)
    for (int32_t k = 0; k < viper_adjacent_count(w, joints, 3, at, role); k++) {
      viper_joint_gradient(w, viper_adjacent(w, joints, 3, at, role, k), of_joint);
      g[3] += role == 0 ? of_joint[0] : role == 1 ? of_joint[1] : of_joint[2];
    }
}

/// With bdf2 and in statics: `force` becomes the mean of itself and of what held the pin of this
/// item before the substep (after a substep of Euler's it stays), and is noted in its place.
VIPER_FN void viper_mean_pin_force(const viper_access *w, int32_t summand, viper_real force[4]) {
  viper_real held[4];
  if (!w->device->work_force)
    return;
  viper_get_four(w->device->work_force, summand, held);
  viper_set_four(w->device->work_force, summand, force);
  if (w->launch->second_order || viper_is_static(w))
    VIPER_UNROLL for (int c = 0; c < 4; c++) force[c] = VIPER_R(0.5) * (held[c] + force[c]);
}

VIPER_FN viper_real viper_node_pin_work(const viper_access *w, const viper_work_item *item) {
  viper_real g[4], sum = VIPER_R(0);
  viper_node_pin_force(w, item->index, g);
  viper_mean_pin_force(w, item->summand, g);
  viper_node_x moved = viper_node_moved(w, item->index);
  viper_real d[4] = {moved.c.x, moved.c.y, moved.c.z, moved.s};
  VIPER_UNROLL for (int c = 0; c < 4; c++) sum += item->mask >> c & 1 ? g[c] * d[c] : VIPER_R(0);
  return sum;
}

/// Likewise a frame, about its axes.
VIPER_FN void viper_frame_pin_torque(const viper_access *w, viper_at at, viper_real g[3]) {
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h)), block[3][3];
  viper_real of_segment[VIPER_SEGMENT_UNKNOWNS], of_joint[VIPER_JOINT_UNKNOWNS];
  const viper_table *joints = &w->adjacency->frame_joint;
  viper_quat q = viper_get_frame(w, at);
  viper_block_of(w, at, inv_h2 * viper_get_inertia(w, at), q, viper_get_frame_hat(w, at), g, block);
  if (viper_is_static(w))
    viper_frame_load_gradient(q, viper_get_frame_hat(w, at), g);
  viper_segment_gradient(w, at, of_segment);
  VIPER_UNROLL for (int c = 0; c < 3; c++) g[c] += of_segment[8 + c];
  for (int side = 0; side < 2; side++)
    for (int32_t k = 0; k < viper_adjacent_count(w, joints, 2, at, side); k++) {
      viper_joint_gradient(w, viper_adjacent(w, joints, 2, at, side, k), of_joint);
      VIPER_UNROLL for (int c = 0; c < 3; c++) g[c] += side ? of_joint[6 + c] : of_joint[3 + c];
    }
  if (w->model->frame_pinned[at] == VIPER_FRAME_HELD) { // what the driver holds is not free
    viper_held held = viper_get_held(w, at);
    viper_vec3 free = viper_held_project(&held, q, viper_vec3_make(g[0], g[1], g[2]));
    g[0] -= free.x;
    g[1] -= free.y;
    g[2] -= free.z;
  }
}

VIPER_FN viper_real viper_frame_pin_work(const viper_access *w, const viper_work_item *item) {
  viper_real g[3];
  viper_quat q = viper_get_frame(w, item->index);
  viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), axis = viper_quat_w(q);
  viper_vec3 turn = viper_frame_moved(w, item->index);
  viper_frame_pin_torque(w, item->index, g);
  if (w->device->work_force) {
    viper_vec3 t =
        viper_add(viper_add(viper_scale(g[0], u), viper_scale(g[1], v)), viper_scale(g[2], axis));
    viper_real torque[4] = {t.x, t.y, t.z, VIPER_R(0)};
    viper_mean_pin_force(w, item->summand, torque);
    return torque[0] * turn.x + torque[1] * turn.y + torque[2] * turn.z;
  }
  return g[0] * viper_dot(u, turn) + g[1] * viper_dot(v, turn) + g[2] * viper_dot(axis, turn);
}

/// The work of an activation: see viper/energy/activation.h.
VIPER_FN viper_real viper_activation_work(const viper_access *w, viper_at at, bool pull) {
  const viper_device *d = w->device;
  viper_at in_scene = w->body->segment + at;
  viper_segment_rest rest = viper_get_segment_rest(w, at, false);
  viper_segment_state now = viper_get_segment(w, at);
  viper_node_x a = viper_get_row(d->node, w->body->node + viper_segment_node(w, at, 0));
  viper_node_x b = viper_get_row(d->node, w->body->node + viper_segment_node(w, at, 1));
  const viper_real *old = d->active + 2 * (size_t)in_scene;
  viper_segment_state x = {
      a.c, b.c, a.s, b.s, viper_get_quat(d->frame, in_scene), {old[0], old[1]}};
  viper_real work =
      pull ? viper_force_work(&rest, &x, &now) : viper_strain_work(&rest, &x, now.active);
  if (viper_solid_of(w) == VIPER_NONE_SOLID)
    return work;
  viper_solid_rest solid = viper_get_solid(w, at, false);
  return work + (pull ? viper_solid_force_work(&solid, &x, &now)
                      : viper_solid_strain_work(&solid, &x, now.active));
}

/// Phase function: the work of item `k` of the body in this substep.
VIPER_FN void viper_do_work(viper_access *w, int32_t k) {
  const viper_work_item *item = &w->model->work[k];
  viper_real value[4] = {VIPER_R(0), VIPER_R(0), VIPER_R(0), VIPER_R(0)}, sum;
  if (item->type == VIPER_BOUND_NODE_LOAD || item->type == VIPER_BOUND_FRAME_LOAD)
    viper_get_four(w->device->bound_value + 4 * (size_t)item->value, 0, value);
  if (w->model->n_follower_loads > 0 && item->mask > 0 &&
      (item->type == VIPER_BOUND_NODE_LOAD || item->type == VIPER_BOUND_FRAME_LOAD)) {
    viper_vec3 f = viper_turned_load(w, &w->model->follower_load[item->mask - 1]);
    value[0] = f.x;
    value[1] = f.y;
    value[2] = f.z;
  }
  if (item->type == VIPER_BOUND_NODE_PIN) {
    sum = viper_node_pin_work(w, item);
  } else if (item->type == VIPER_BOUND_FRAME_PIN) {
    sum = viper_frame_pin_work(w, item);
  } else if (item->type == VIPER_BOUND_NODE_LOAD) {
    viper_node_x d = viper_node_moved(w, item->index);
    sum = value[0] * d.c.x + value[1] * d.c.y + value[2] * d.c.z + value[3] * d.s;
  } else if (item->type >= VIPER_BOUND_STRAIN) {
    sum = viper_activation_work(w, item->index, item->type == VIPER_BOUND_PULL);
  } else {
    viper_vec3 turn = viper_frame_moved(w, item->index);
    sum = value[0] * turn.x + value[1] * turn.y + value[2] * turn.z;
  }
  w->device->work_summand[item->summand] = sum;
}

/// Whether a value is not finite (or a position so large that its square is not).
VIPER_FN bool viper_node_in_trouble(const viper_access *w, viper_at at, viper_node_x x) {
  bool pinned = w->model->node_pinned[at] & VB_PIN_SCALE;
  return !viper_is_finite(viper_dot(x.c, x.c) + x.s) ||
         (!pinned && x.s <= VIPER_R(VIPER_MINIMUM_SCALE));
}

/// Phase function: the state of a node and its rate, out to where they stay.
VIPER_FN void viper_leave_node(viper_access *w, viper_at at, viper_scalar rate) {
  const viper_device *d = w->device;
  viper_at in_scene = w->body->node + at;
  bool second_order = w->launch->second_order;
  viper_node_x x = viper_get_node(w, at), v;
  viper_node_x old = second_order ? viper_get_node_hat(w, at) : viper_get_row(d->node, in_scene);
  v.c = viper_scale(rate, viper_sub(x.c, old.c));
  v.s = rate * (x.s - old.s);
  if (second_order) { // the rates are the predicted ones
    viper_node_x predicted = viper_get_row(d->node_rate, in_scene);
    v.c = viper_add(predicted.c, v.c);
    v.s = predicted.s + v.s;
  }
  viper_set_row(d->node, in_scene, x);
  viper_set_row(d->node_rate, in_scene, v);
  if (d->node_hat + 4 * (size_t)w->body->node != w->workspace.node_hat)
    viper_set_row(d->node_hat, in_scene, viper_get_node_hat(w, at));
  if (viper_node_in_trouble(w, at, x))
    d->control->trouble = 1;
}

/// The rate of a frame that keeps its momentum, by that which it has after the solve.
VIPER_FN viper_vec3 viper_spin_rate(const viper_access *w, viper_at at, viper_scalar rate) {
  const viper_device *d = w->device;
  const viper_at in_scene = w->body->segment + at;
  viper_quat q = viper_get_frame(w, at);
  viper_real s =
      viper_mean_scale(viper_get_node(w, viper_segment_node(w, at, 0)).s,
                       viper_get_node(w, viper_segment_node(w, at, 1)).s, VIPER_MINIMUM_SCALE);
  viper_vec3 impulse =
      viper_impulse_of(w, at, q, viper_get_quat(d->frame_hat0, in_scene), viper_get_inertia(w, at));
  viper_vec3 momentum =
      viper_add(viper_scale(w->launch->kept, viper_get_vec(d->momentum, in_scene)),
                viper_scale(rate, impulse));
  return viper_rate_of(w, at, q, momentum, s * s * viper_get_frame_rest(w, at));
}

VIPER_FN void viper_leave_frame(viper_access *w, viper_at at, viper_scalar rate) {
  const viper_device *d = w->device;
  viper_at in_scene = w->body->segment + at;
  viper_quat q = viper_get_frame(w, at);
  bool second_order = w->launch->second_order;
  viper_quat old = second_order ? viper_get_frame_hat(w, at) : viper_get_quat(d->frame, in_scene);
  viper_vec3 v = viper_scale(rate, viper_turn_since(q, old));
  if (second_order)
    v = viper_add(viper_get_vec(d->frame_rate, in_scene), v);
  if (d->momentum && viper_get_frame_free(w, at) > 0)
    v = viper_spin_rate(w, at, rate);
  viper_set_vec(d->frame_rate, in_scene, v);
  viper_set_quat(d->frame, in_scene, q);
  if (d->frame_hat + 4 * (size_t)w->body->segment != w->workspace.frame_hat)
    viper_set_quat(d->frame_hat, in_scene, viper_get_frame_hat(w, at));
  if (!viper_is_finite(q.w + q.x + q.y + q.z))
    d->control->trouble = 1;
}

/// Phase function: what a segment rested at in this substep, out to where it stays.
VIPER_FN void viper_leave_active(viper_access *w, viper_at at) {
  size_t in_scene = 2 * (size_t)(w->body->segment + at);
  w->device->active[in_scene] = w->device->active_now[in_scene];
  w->device->active[in_scene + 1] = w->device->active_now[in_scene + 1];
}

/// Notes the work done, and leaves the state where it stays.
VIPER_FN void viper_leave(viper_access *w, viper_scalar rate) {
  const viper_model_body *b = &w->model->body;
  if (w->model->n_works > 0) {
    VIPER_EACH(w, NULL, 0, w->model->n_works, viper_do_work(w, at));
    viper_barrier(w); // the old state is still needed before
  }
  if (w->model->n_activations > 0)
    VIPER_EACH(w, NULL, 0, b->n_segments, viper_leave_active(w, at));
  VIPER_EACH(w, NULL, 0, b->n_nodes, viper_leave_node(w, at, rate));
  VIPER_EACH(w, NULL, 0, b->n_segments, viper_leave_frame(w, at, rate));
  viper_barrier(w);
}

/// The work of slot `k` in a substep that has ended: in double, as it goes on for many steps.
VIPER_FN void viper_add_work(const viper_device *d, int32_t k) {
  for (int32_t summand = d->work_first[k]; summand < d->work_first[k + 1]; summand++)
    d->work[k] += (double)d->work_summand[summand];
}

/// The end of a substep, after all bodies and after their work; `last` of a step.
VIPER_FN void viper_end_substep(viper_control *control, bool last) {
  control->stopped = control->trouble;
  if (last || control->trouble)
    control->n_steps++;
}

/// The iterations of a method; all of a substep's, or some more of them where
/// the settings say that it goes on.
template <viper_method METHOD>
VIPER_ON_BODY void viper_iterate(viper_access *w, const viper_settings *settings) {
  switch (METHOD) {
#define ITERATE(name, NAME, word, traits, cost, text)                                              \
  case VIPER_##NAME:                                                                               \
    viper_iterate_##name(w, settings, false);                                                      \
    break;
    VIPER_METHODS(ITERATE)
#undef ITERATE
  }
}

/// Whether there are kernels of bodies by a method in this source. `direct` has them in
/// solid_real.cu alone (viper_has_solid_kernels). In statics, which have strict arithmetic alone,
/// methods seek a minimum. A build for no device that is here leaves statics out: they would take
/// half of the time to compile.
constexpr bool viper_has_kernel(viper_method method, bool is_static) {
  if (!VIPER_WITH_SOLID && viper_traits(method) & VIPER_FACTORS)
    return false;
#if defined(VIPER_FAST) || defined(VIPER_CUDA_FEW)
  if (is_static)
    return false;
#endif
  return !is_static || viper_traits(method) & VIPER_SEEKS_MINIMUM;
}

// How a substep begins and ends does not depend on the method: all kernels of a source may share
// it.

template <bool STATIC> VIPER_CALLED void viper_predict_called(viper_call call) {
  const viper_device device = *call.device;
  const viper_device_body_group group = device.group[call.body->group];
  viper_access w = viper_called_on(&call, &device, &group, call.launch->settings.method, STATIC);
  viper_predict(&w);
}

template <bool STATIC> VIPER_CALLED void viper_leave_called(viper_call call, viper_scalar rate) {
  const viper_device device = *call.device;
  const viper_device_body_group group = device.group[call.body->group];
  viper_access w = viper_called_on(&call, &device, &group, call.launch->settings.method, STATIC);
  viper_leave(&w, rate);
}

#endif
