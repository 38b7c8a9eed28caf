// SPDX-License-Identifier: GPL-3.0-or-later
/// The beginning of a substep of one body by a cooperative group: loads, the prediction of nodes
/// and frames, pins. Phase functions; a barrier follows each phase.
#ifndef VIPER_CUDA_CORE_PREDICT_H
#define VIPER_CUDA_CORE_PREDICT_H

#include "viper/cuda/core/access_coop.h"
#include "viper/cuda/core/follow.h"
#include "viper/method/elements.h"
#include "viper/method/follower_load.h"
#include "viper/method/moments.h"
#include "viper/method/statics.h"

/// Phase function: a load of the body, into the acceleration of its node or the torque on its
/// frame.
VIPER_FN void viper_take_load(viper_access *w, int32_t k) {
  const viper_bound *bound = &w->model->bound[k];
  const viper_real *value = w->device->bound_value + 4 * (size_t)(w->body->bound + k);
  viper_real v[4];
  viper_get_four(value, 0, v);
  if (bound->type == VIPER_BOUND_NODE_LOAD)
    viper_set_four(w->workspace.node, bound->index, v);
  else
    viper_set_four(w->workspace.frame, bound->index, v);
}

/// A load that turns, as it is in this substep. The device has the state before the substep.
VIPER_FN viper_vec3 viper_turned_load(const viper_access *w, const viper_device_follower_load *t) {
  const viper_device *d = w->device;
  const viper_real *value = d->bound_value + 4 * (size_t)t->value;
  const viper_at in_scene = w->body->segment + t->segment;
  const viper_real *rate = d->frame_rate + 3 * (size_t)in_scene;
  return viper_turned_with(viper_get_quat(d->frame, in_scene),
                           viper_vec3_make(rate[0], rate[1], rate[2]), w->launch->predict_h,
                           viper_quat_make(t->back[0], t->back[1], t->back[2], t->back[3]),
                           viper_vec3_make(value[0], value[1], value[2]));
}

/// Phase function: adds all loads that turn on the node or frame of load `k`, where it is the first
/// of them.
VIPER_FN void viper_take_turning(viper_access *w, int32_t k) {
  const viper_device_follower_load *all = w->model->follower_load;
  viper_real sum[4] = {VIPER_R(0), VIPER_R(0), VIPER_R(0), VIPER_R(0)}, v[4];
  for (int32_t j = 0; j < w->model->n_follower_loads; j++) {
    const viper_device_follower_load *t = &all[j];
    if (t->at_node != all[k].at_node || t->index != all[k].index)
      continue;
    if (j < k)
      return;
    viper_vec3 f = viper_turned_load(w, t);
    if (t->at_node) {
      viper_node_inertia inertia = viper_get_node_inertia(w, t->index, false);
      f = viper_vec3_make(f.x / inertia.mass, f.y / inertia.mass, f.z / inertia.mass);
      sum[3] += w->device->bound_value[4 * (size_t)t->value + 3] / inertia.scale;
    }
    sum[0] += f.x;
    sum[1] += f.y;
    sum[2] += f.z;
  }
  viper_real *row = all[k].at_node ? w->workspace.node : w->workspace.frame;
  viper_get_four(row, all[k].index, v);
  VIPER_UNROLL for (int c = 0; c < 4; c++) v[c] += sum[c];
  viper_set_four(row, all[k].index, v);
}

VIPER_FN viper_vec3 viper_get_vec(const viper_real *p, viper_at at) {
  const viper_real *x = p + 3 * (size_t)at;
  return viper_vec3_make(x[0], x[1], x[2]);
}

VIPER_FN void viper_set_vec(viper_real *p, viper_at at, viper_vec3 v) {
  viper_real *x = p + 3 * (size_t)at;
  x[0] = v.x;
  x[1] = v.y;
  x[2] = v.z;
}

/// The scale of a segment by those of its nodes in rows of a state, or its rate in rows of rates.
VIPER_FN viper_real viper_segment_scale(const viper_access *w, viper_at at,
                                        const viper_real *node) {
  const viper_at a = w->body->node + viper_segment_node(w, at, 0);
  const viper_at b = w->body->node + viper_segment_node(w, at, 1);
  return viper_mean_scale(node[4 * (size_t)a + 3], node[4 * (size_t)b + 3], VIPER_MINIMUM_SCALE);
}

VIPER_FN viper_real viper_segment_scale_rate(const viper_access *w, viper_at at,
                                             const viper_real *rate) {
  const viper_at a = w->body->node + viper_segment_node(w, at, 0);
  const viper_at b = w->body->node + viper_segment_node(w, at, 1);
  return VIPER_R(0.5) * (rate[4 * (size_t)a + 3] + rate[4 * (size_t)b + 3]);
}

/// Phase function: the spin of a frame before the substep, as the prediction needs it: what spin.h
/// notes, and in the place of its prediction the axes in which the momentum is.
VIPER_FN void viper_begin_spin(viper_access *w, viper_at at) {
  const viper_device *d = w->device;
  const viper_at in_scene = w->body->segment + at;
  const viper_real rest = viper_get_frame_rest(w, at), h = w->launch->length;
  const viper_real ahead = w->launch->ahead;
  viper_quat q = viper_get_quat(d->frame, in_scene);
  viper_vec3 omega = viper_get_vec(d->frame_rate, in_scene), mean = omega;
  viper_real s = viper_segment_scale(w, at, d->node);
  viper_real rate = viper_segment_scale_rate(w, at, d->node_rate);
  viper_spin spin = viper_spin_at(w, at, rest, s, q, omega);
  if (ahead > 0) {
    viper_vec3 before = viper_get_vec(d->frame_rate_before, in_scene);
    viper_spin spin_before = viper_spin_at(w, at, rest, viper_segment_scale(w, at, d->node_before),
                                           viper_get_quat(d->frame_before, in_scene), before);
    spin = viper_spin_extrapolate(spin, spin_before, w->launch->second_order, ahead);
    mean = viper_rate_mean(omega, before, ahead);
    rate = viper_scale_rate_mean(rate, viper_segment_scale_rate(w, at, d->node_rate_before), ahead);
  }
  s = viper_scale_after(s, rate, h, VIPER_MINIMUM_SCALE);
  viper_set_vec(d->momentum, in_scene, spin.momentum);
  viper_set_frame_hat(w, at, viper_frame_predict_bounded(q, mean, h));
  viper_set_quat(d->frame_hat0, in_scene, viper_spin_notes(spin, s));
}

/// The centrifugal force at a node, half of a segment's at either.
VIPER_FN viper_real viper_centrifugal_at(const viper_access *w, viper_at at) {
  const viper_table *segments = &w->adjacency->node_segment;
  viper_real sum = VIPER_R(0);
  for (int side = 0; side < 2; side++)
    for (int32_t k = 0; k < viper_adjacent_count(w, segments, 2, at, side); k++) {
      const viper_at segment = viper_adjacent(w, segments, 2, at, side, k);
      sum += VIPER_R(0.5) * w->device->frame_hat0[4 * (size_t)(w->body->segment + segment)];
    }
  return sum;
}

/// The prediction of a node where bdf2 keeps the state before, which moves on. In its own substeps
/// the rates are from now on the predicted ones.
VIPER_FN viper_node_x viper_predict_node_on(const viper_access *w, viper_at at, viper_node_x a) {
  const viper_device *d = w->device;
  const viper_real h = w->launch->predict_h;
  viper_node_x x = viper_get_row(d->node, at), v = viper_get_row(d->node_rate, at), hat;
  if (w->launch->second_order) {
    viper_node_x rate =
        viper_node_predict_rate(v, viper_get_row(d->node_rate_before, at), a, h, w->launch->keep);
    hat = viper_node_predict_after(x, viper_get_row(d->node_before, at), rate, h);
    viper_set_row(d->node_rate, at, rate);
  } else {
    hat = viper_node_predict(x, v, a, h);
  }
  viper_set_row(d->node_before, at, x);
  viper_set_row(d->node_rate_before, at, v);
  return hat;
}

/// Phase function: the prediction of a node. The solve begins there, but with no scale below its
/// bound. In a body with loads its acceleration waits in its place. In statics its load is in the
/// place of the prediction, and the solve begins at the old state.
VIPER_FN void viper_predict_node(viper_access *w, viper_at at, bool loaded) {
  const viper_device *d = w->device;
  viper_at in_scene = w->body->node + at;
  viper_real zero = VIPER_R(0);
  viper_node_x a = {{d->gravity[0], d->gravity[1], d->gravity[2]}, zero};
  if (loaded)
    a = viper_get_node(w, at);
  if (d->momentum)
    a.s += viper_centrifugal_at(w, at) / viper_get_node_inertia(w, at, false).scale;
  viper_node_x x = viper_get_row(d->node, in_scene), v = viper_get_row(d->node_rate, in_scene);
  viper_node_x hat;
  if (viper_is_static(w))
    hat = viper_node_load(viper_get_node_inertia(w, at, false), a);
  else if (d->node_before)
    x = hat = viper_predict_node_on(w, in_scene, a);
  else
    x = hat = viper_node_predict(x, v, a, w->launch->predict_h);
  viper_set_node_hat(w, at, hat);
  x.s = viper_bounded(x.s);
  viper_set_node(w, at, x);
}

/// The predicted scale of a node; a pinned one is where it is held. In statics that at rest.
VIPER_FN viper_real viper_predicted_scale(const viper_access *w, viper_at at) {
  if (viper_is_static(w))
    return VIPER_R(1);
  bool held = w->model->node_pinned[at] & VB_PIN_SCALE;
  return held ? viper_get_node(w, at).s : viper_get_node_hat(w, at).s;
}

/// The prediction of a frame that keeps its momentum, after viper_begin_spin. With bdf2 what it
/// keeps moves on, and the rate is from now on the predicted one.
VIPER_FN viper_quat viper_predict_spin(viper_access *w, viper_at at, viper_vec3 torque) {
  const viper_device *d = w->device;
  const viper_at in_scene = w->body->segment + at;
  const viper_real h = w->launch->predict_h, s = d->frame_hat0[4 * (size_t)in_scene + 1];
  viper_quat q = viper_get_quat(d->frame, in_scene), hat;
  viper_vec3 momentum = viper_get_vec(d->momentum, in_scene);
  momentum = viper_scale(w->launch->keep, viper_add(momentum, viper_scale(h, torque)));
  viper_vec3 omega = viper_rate_of(w, at, viper_get_frame_hat(w, at), momentum,
                                   s * s * viper_get_frame_rest(w, at));
  hat = viper_frame_predict_bounded(q, omega, h);
  if (d->frame_before) {
    viper_quat before = viper_get_quat(d->frame_before, in_scene);
    viper_set_quat(d->frame_before, in_scene, q);
    viper_set_vec(d->frame_rate_before, in_scene, viper_get_vec(d->frame_rate, in_scene));
    if (w->launch->second_order) {
      hat = viper_frame_predict_bounded_after(q, before, omega, h);
      viper_set_vec(d->frame_rate, in_scene, omega);
    }
  }
  viper_set_vec(d->momentum, in_scene, momentum);
  viper_set_quat(d->frame_hat0, in_scene, hat);
  return hat;
}

VIPER_FN bool viper_is_load(viper_vec3 torque) {
  return torque.x != 0 || torque.y != 0 || torque.z != 0;
}

/// The prediction of a frame by Euler.
VIPER_FN viper_quat viper_predict_frame_euler(const viper_access *w, viper_at at, viper_vec3 torque,
                                              viper_real inertia) {
  const viper_real h = w->launch->predict_h;
  viper_quat q = viper_get_quat(w->device->frame, at);
  viper_vec3 omega = viper_get_vec(w->device->frame_rate, at);
  if (viper_is_load(torque))
    omega = viper_twisted_of(w, at - w->body->segment, omega, torque, q, inertia, h);
  return viper_frame_predict(q, omega, h);
}

/// Likewise where bdf2 keeps the state before: see viper_predict_node_on. A torque acts in the axes
/// that the frame is predicted to have without it.
VIPER_FN viper_quat viper_predict_frame_on(const viper_access *w, viper_at at, viper_vec3 torque,
                                           viper_real inertia) {
  const viper_device *d = w->device;
  const viper_real h = w->launch->predict_h, keep = w->launch->keep;
  viper_quat q = viper_get_quat(d->frame, at), before = viper_get_quat(d->frame_before, at), hat;
  viper_vec3 v = viper_get_vec(d->frame_rate, at);
  if (w->launch->second_order) {
    viper_vec3 omega = viper_vec3_extrapolate(v, viper_get_vec(d->frame_rate_before, at));
    if (viper_is_load(torque)) {
      viper_quat axes = viper_frame_predict_after(q, before, viper_scale(keep, omega), h);
      omega = viper_twisted_of(w, at - w->body->segment, omega, torque, axes, inertia, h);
    }
    omega = viper_scale(keep, omega);
    hat = viper_frame_predict_after(q, before, omega, h);
    viper_set_vec(d->frame_rate, at, omega);
  } else {
    hat = viper_predict_frame_euler(w, at, torque, inertia);
  }
  viper_set_quat(d->frame_before, at, q);
  viper_set_vec(d->frame_rate_before, at, v);
  return hat;
}

/// Phase function: the prediction of a frame, after its nodes and what holds these. A torque
/// changes the angular velocity by way of the inertia in body axes; in a body with loads it waits
/// in the frame's place.
VIPER_FN void viper_predict_frame(viper_access *w, viper_at at, bool loaded) {
  const viper_device *d = w->device;
  viper_at in_scene = w->body->segment + at;
  viper_real inertia = viper_frame_inertia(
      viper_get_frame_rest(w, at), viper_predicted_scale(w, viper_segment_node(w, at, 0)),
      viper_predicted_scale(w, viper_segment_node(w, at, 1)), VIPER_MINIMUM_SCALE);
  viper_quat load = loaded ? viper_get_frame(w, at) : viper_quat_make(0, 0, 0, 0), q;
  viper_vec3 torque = viper_vec3_make(load.w, load.x, load.y);
  if (viper_is_static(w))
    q = viper_frame_load(torque);
  else if (d->momentum)
    q = viper_predict_spin(w, at, torque);
  else if (d->frame_before)
    q = viper_predict_frame_on(w, in_scene, torque, inertia);
  else
    q = viper_predict_frame_euler(w, in_scene, torque, inertia);
  viper_set_frame_hat(w, at, q);
  viper_set_frame(w, at, viper_is_static(w) ? viper_get_quat(d->frame, in_scene) : q);
  viper_set_inertia(w, at, inertia);
}

/// A pinned frame goes to where its driver has it, `at`, or to the nearest place where its held
/// parts are, which are noted.
VIPER_FN void viper_hold_frame(viper_access *w, const viper_bound *bound, viper_quat at) {
  viper_held held;
  held.at = at;
  held.free =
      viper_vec3_make(VIPER_R(bound->mask >> 8 & 1 ? 0 : 1), VIPER_R(bound->mask >> 9 & 1 ? 0 : 1),
                      VIPER_R(bound->mask >> 10 & 1 ? 0 : 1));
  if (w->model->frame_pinned[bound->index] == VIPER_FRAME_HELD) {
    viper_set_reals<VIPER_REALS(viper_held)>(w->device->held, w->body->segment + bound->index,
                                             (const viper_real *)&held);
    at = viper_held_frame(&held, viper_get_frame(w, bound->index));
  }
  viper_set_frame(w, bound->index, at);
}

/// Phase function: a pinned component, of frames or of nodes, goes to where it is held. The
/// prediction keeps where it would have gone.
VIPER_FN void viper_hold_pin(viper_access *w, int32_t k, bool frames) {
  const viper_bound *bound = &w->model->bound[k];
  const viper_real *value = w->device->bound_value + 4 * (size_t)(w->body->bound + k);
  if ((bound->type == VIPER_BOUND_FRAME_PIN) != frames)
    return;
  if (frames) {
    viper_hold_frame(w, bound, viper_get_quat(value, 0));
    return;
  }
  viper_real *x = w->workspace.node + 4 * (size_t)bound->index;
  for (int c = 0; c < 4; c++)
    if (bound->mask >> c & 1)
      x[c] = value[c];
}

/// Phase function: where accelerations and torques wait, in a body that has loads.
VIPER_FN void viper_clear_node_load(viper_access *w, viper_at at) {
  const viper_device *d = w->device;
  viper_real a[4] = {d->gravity[0], d->gravity[1], d->gravity[2], VIPER_R(0)};
  viper_set_four(w->workspace.node, at, a);
}

VIPER_FN void viper_clear_frame_load(viper_access *w, viper_at at) {
  viper_set_frame(w, at, viper_quat_make(0, 0, 0, 0));
}

/// Holds the pins of nodes, or those of frames.
VIPER_FN void viper_hold_pins(viper_access *w, bool frames) {
  VIPER_EACH(w, NULL, w->model->n_loads, w->model->n_bounds - w->model->n_loads,
             viper_hold_pin(w, at, frames));
  viper_barrier(w);
}

/// What the segment of an activation of the kind hill rests at in this substep.
VIPER_FN viper_contraction viper_hill_activation(const viper_access *w,
                                                 const viper_work_item *item) {
  const viper_device *d = w->device;
  const viper_real *value = d->bound_value + 4 * (size_t)item->value;
  const viper_at at = item->index, in_scene = w->body->segment + at;
  const viper_at from = w->body->node + viper_segment_node(w, at, 0);
  const viper_at to = w->body->node + viper_segment_node(w, at, 1);
  const viper_segment_rest rest = viper_get_segment_rest(w, at, false);
  const viper_node_x a = viper_get_row(d->node, from), b = viper_get_row(d->node, to);
  const viper_node_x rate_a = viper_get_row(d->node_rate, from);
  const viper_node_x rate_b = viper_get_row(d->node_rate, to);
  const viper_real *old = d->active + 2 * (size_t)in_scene;
  viper_hill_motion m = {{a.c, b.c, a.s, b.s, viper_get_quat(d->frame, in_scene), {old[0], old[1]}},
                         rate_a.c,
                         rate_b.c,
                         rate_a.s,
                         rate_b.s,
                         viper_get_vec(d->frame_rate, in_scene)};
  viper_real k_axial = VIPER_R(0);
  if (viper_solid_of(w) != VIPER_NONE_SOLID)
    k_axial = viper_get_solid(w, at, false).k_axial;
  return viper_hill_next(&w->model->hill[item->mask], &rest, k_axial, &m, value[0], value[2]);
}

/// Phase function: what the segment of an activation rests at in this substep; `k` is its number
/// among what does work.
VIPER_FN void viper_activate(viper_access *w, int32_t k) {
  const viper_work_item *item = &w->model->work[k];
  const viper_real *value = w->device->bound_value + 4 * (size_t)item->value;
  viper_real *now = w->device->active_now + 2 * (size_t)(w->body->segment + item->index);
  if (item->type == VIPER_BOUND_HILL) {
    viper_contraction rests = viper_hill_activation(w, item);
    now[0] = rests.stretch;
    now[1] = rests.scale;
    return;
  }
  now[0] = value[0];
  now[1] = value[1];
}

VIPER_FN void viper_predict(viper_access *w) {
  const viper_model_body *b = &w->model->body;
  const int32_t n_activations = w->model->n_activations;
  bool loaded = w->model->n_loads > 0, pinned = w->model->n_bounds > w->model->n_loads;
  if (n_activations > 0) // seen after the barriers below
    VIPER_EACH(w, NULL, w->model->n_works - n_activations, n_activations, viper_activate(w, at));
  if (w->model->n_hills > 0) // their segments are read, and move below
    viper_barrier(w);
  if (loaded) {
    VIPER_EACH(w, NULL, 0, b->n_nodes, viper_clear_node_load(w, at));
    VIPER_EACH(w, NULL, 0, b->n_segments, viper_clear_frame_load(w, at));
    viper_barrier(w);
    VIPER_EACH(w, NULL, 0, w->model->n_loads, viper_take_load(w, at));
    viper_barrier(w);
    if (w->model->n_follower_loads > 0) {
      VIPER_EACH(w, NULL, 0, w->model->n_follower_loads, viper_take_turning(w, at));
      viper_barrier(w);
    }
  }
  if (w->device->momentum) {
    VIPER_EACH(w, NULL, 0, b->n_segments, viper_begin_spin(w, at));
    viper_barrier(w);
  }
  VIPER_EACH(w, NULL, 0, b->n_nodes, viper_predict_node(w, at, loaded));
  viper_barrier(w);
  if (pinned)
    viper_hold_pins(w, false);
  VIPER_EACH(w, NULL, 0, b->n_segments, viper_predict_frame(w, at, loaded));
  viper_barrier(w);
  if (pinned)
    viper_hold_pins(w, true);
  viper_follow_nodes(w);
}

#endif
