// SPDX-License-Identifier: GPL-3.0-or-later
/// Before and after the solve of single bodies, elements several at a time: predictions and rates.
#define VIPER_NO_ADJACENCY
#include "viper/cpu/single/access.h"
#include "viper/cpu/single/single.h"
#include "viper/method/elements.h"
#include "viper/method/midpoint.h"
#include "viper/method/moments.h"
#include "viper/method/statics.h"

#include <math.h>

/// Gravity, and what loads do to a node. In double, as the boundary is.
VIPER_FN viper_node_x node_acceleration(const viper_access *w, viper_at at, const viper_motion *m) {
  viper_node_x a = {{viper_splat((viper_scalar)m->gravity[0]),
                     viper_splat((viper_scalar)m->gravity[1]),
                     viper_splat((viper_scalar)m->gravity[2])},
                    VIPER_R(0)};
  for (int lane = 0; m->node_load && lane < VIPER_LANES; lane++) {
    const viper_model_node *node = &w->model->node[at.i[lane]];
    const double *f = m->node_load + 4 * (size_t)at.i[lane];
    a.c.x[lane] = (viper_scalar)(m->gravity[0] + f[0] / node->mass);
    a.c.y[lane] = (viper_scalar)(m->gravity[1] + f[1] / node->mass);
    a.c.z[lane] = (viper_scalar)(m->gravity[2] + f[2] / node->mass);
    a.s[lane] = (viper_scalar)(f[3] / node->scale_inertia);
  }
  if (w->a->turned_node) {
    viper_node_x turned;
    viper_gather_rows(w->a->turned_node, &at, 4, 0, 4, (viper_real *)&turned);
    a.c = viper_add(a.c, turned.c);
    a.s += turned.s;
  }
  if (w->a->momentum) // the centrifugal force waits in the place of the prediction
    a.s += viper_get_node_hat(w, at).s / viper_get_node_inertia(w, at, false).scale;
  return a;
}

/// bdf2's prediction of nodes, whose rates are from now on the predicted ones.
VIPER_FN viper_node_x predict_node_after(viper_access *w, viper_at at, viper_node_x a,
                                         const viper_advance *t) {
  viper_real h = viper_splat((viper_scalar)t->h), keep = viper_splat((viper_scalar)t->keep);
  viper_node_x rate = viper_node_predict_rate(viper_get_node_rate(w, at),
                                              viper_get_node_rate_before(w, at), a, h, keep);
  viper_set_node_rate(w, at, rate);
  return viper_node_predict_after(viper_get_node(w, at), viper_get_node_before(w, at), rate, h);
}

/// Statics: the load in place of the prediction; the solve begins at the old state.
VIPER_FN void load_node(viper_access *w, viper_at at, const viper_motion *m) {
  viper_node_x x = viper_get_node(w, at), a = node_acceleration(w, at, m);
  viper_set_node_old(w, at, x);
  viper_set_node_hat(w, at, viper_node_load(viper_get_node_inertia(w, at, false), a));
  x.s = viper_bounded(x.s);
  viper_set_node(w, at, x);
}

/// The prediction of nodes. The solve begins there, but with no scale below its bound.
VIPER_FN void predict_node(viper_access *w, viper_at at, const viper_motion *m) {
  viper_node_x x = viper_get_node(w, at), v = viper_get_node_rate(w, at), hat;
  viper_node_x a = node_acceleration(w, at, m);
  if (m->advance.second_order)
    hat = predict_node_after(w, at, a, &m->advance);
  else
    hat = viper_node_predict(x, v, a, viper_splat((viper_scalar)m->advance.h));
  if (w->a->node_before) {
    viper_set_node_before(w, at, x);
    viper_set_node_rate_before(w, at, v);
  }
  viper_set_node_old(w, at, x);
  viper_set_node_hat(w, at, hat);
  hat.s = viper_bounded(hat.s);
  viper_set_node(w, at, hat);
}

/// The predicted scale at one end of segments; a pinned one is where it is held. In statics that at
/// rest.
VIPER_FN viper_real predicted_scale(const viper_access *w, viper_at at, int side) {
  if (w->is_static)
    return VIPER_R(1);
  viper_at node = viper_segment_node(w, at, side);
  viper_real s = viper_gather(w->a->node_hat, node, 4, 3);
  for (int lane = 0; lane < VIPER_LANES; lane++)
    if (w->model->node[node.i[lane]].pinned & VB_PIN_SCALE)
      s[lane] = w->a->node[4 * (size_t)node.i[lane] + 3];
  return s;
}

/// Inertia of frames about u at scale 1.
VIPER_FN viper_real rest_inertia(const viper_access *w, viper_at at) {
  viper_real rest;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    rest[lane] = (viper_scalar)w->model->segment[at.i[lane]].frame_inertia;
  return rest;
}

/// Inertia of frames in this substep, after the prediction of their nodes and what holds these.
VIPER_FN viper_real frame_inertia(const viper_access *w, viper_at at) {
  return viper_frame_inertia(rest_inertia(w, at), predicted_scale(w, at, 0),
                             predicted_scale(w, at, 1), (viper_scalar)VIPER_MINIMUM_SCALE);
}

/// The scales of segments by those of their nodes in rows of a state.
VIPER_FN viper_real segment_scale(const viper_access *w, viper_at at, const viper_scalar *node) {
  return viper_mean_scale(viper_gather(node, viper_segment_node(w, at, 0), 4, 3),
                          viper_gather(node, viper_segment_node(w, at, 1), 4, 3),
                          (viper_scalar)VIPER_MINIMUM_SCALE);
}

/// The rates of these scales in rows of rates.
VIPER_FN viper_real segment_scale_rate(const viper_access *w, viper_at at,
                                       const viper_scalar *rate) {
  return VIPER_R(0.5) * (viper_gather(rate, viper_segment_node(w, at, 0), 4, 3) +
                         viper_gather(rate, viper_segment_node(w, at, 1), 4, 3));
}

/// The spin of frames before the substep, as the prediction needs it: what spin.h notes, and in the
/// place of their predictions the axes in which the momentum is.
VIPER_FN void begin_spin(viper_access *w, viper_at at, const viper_advance *t) {
  viper_real rest = rest_inertia(w, at);
  viper_quat q = viper_get_frame(w, at);
  viper_vec3 omega = viper_get_frame_rate(w, at), mean = omega;
  viper_real s = segment_scale(w, at, w->a->node),
             rate = segment_scale_rate(w, at, w->a->node_rate);
  viper_spin spin = viper_spin_at(w, at, rest, s, q, omega);
  if (t->ahead > 0) {
    viper_real ahead = viper_splat((viper_scalar)t->ahead);
    viper_vec3 before = viper_get_frame_rate_before(w, at);
    viper_spin spin_before = viper_spin_at(w, at, rest, segment_scale(w, at, w->a->node_before),
                                           viper_get_frame_before(w, at), before);
    spin = viper_spin_extrapolate(spin, spin_before, t->second_order, ahead);
    mean = viper_rate_mean(omega, before, ahead);
    rate = viper_scale_rate_mean(rate, segment_scale_rate(w, at, w->a->node_rate_before), ahead);
  }
  viper_real h = viper_splat((viper_scalar)viper_advance_length(t));
  viper_set_momentum(w, at, spin.momentum);
  viper_set_frame_hat(w, at, viper_frame_predict_bounded(q, mean, h));
  s = viper_scale_after(s, rate, h, (viper_scalar)VIPER_MINIMUM_SCALE);
  viper_set_frame_hat0(w, at, viper_spin_notes(spin, s));
}

/// The centrifugal forces at nodes, half of a segment's at either, into the place of the scales
/// that they are predicted to have. By one thread: the sums have an order.
static void sum_centrifugal(const viper_access *w) {
  viper_scalar *force = w->a->node_hat;
  viper_barrier(w);
  if (w->thread_group.rank == 0) {
    for (size_t i = 0; i < w->model->n_nodes; i++)
      force[4 * i + 3] = 0;
    for (int side = 0; side < 2; side++)
      for (size_t j = 0; j < w->model->n_segments; j++)
        force[4 * (size_t)w->model->segment[j].node[side] + 3] +=
            (viper_scalar)0.5 * w->a->frame_hat0[4 * j];
  }
  viper_barrier(w);
}

/// Every third double from `p` on.
VIPER_CALL viper_real from_doubles(const double *p, viper_at at) {
  viper_real out;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    out[lane] = (viper_scalar)p[3 * (size_t)at.i[lane]];
  return out;
}

/// The torques on frames, those that turn included.
VIPER_FN viper_vec3 torque_on(const viper_access *access, viper_at at, const double *torque) {
  viper_vec3 t = {from_doubles(torque, at), from_doubles(torque + 1, at),
                  from_doubles(torque + 2, at)};
  if (access->a->turned_frame) {
    viper_vec3 turned;
    viper_gather_rows(access->a->turned_frame, &at, 3, 0, 3, (viper_real *)&turned);
    t = viper_add(t, turned);
  }
  return t;
}

/// Angular velocities changed by torques, by way of the inertia in body axes.
VIPER_FN viper_vec3 twisted(const viper_access *access, viper_at at, const double *torque,
                            viper_quat q, viper_vec3 omega, viper_real inertia, viper_real h) {
  return viper_twisted_of(access, at, omega, torque_on(access, at, torque), q, inertia, h);
}

/// bdf2's prediction of frames, whose rates are from now on the predicted ones. Torques act in the
/// axes that the frames are predicted to have without them.
VIPER_FN viper_quat predict_frame_after(viper_access *w, viper_at at, const viper_motion *m,
                                        viper_real inertia) {
  viper_real h = viper_splat((viper_scalar)m->advance.h),
             keep = viper_splat((viper_scalar)m->advance.keep);
  viper_quat q = viper_get_frame(w, at), before = viper_get_frame_before(w, at);
  viper_vec3 omega =
      viper_vec3_extrapolate(viper_get_frame_rate(w, at), viper_get_frame_rate_before(w, at));
  if (m->frame_load) {
    viper_quat axes = viper_frame_predict_after(q, before, viper_scale(keep, omega), h);
    omega = twisted(w, at, m->frame_load, axes, omega, inertia, h);
  }
  omega = viper_scale(keep, omega);
  viper_set_frame_rate(w, at, omega);
  return viper_frame_predict_after(q, before, omega, h);
}

/// The prediction of frames that keep their momentum, after begin_spin. Rates of bdf2 are from now
/// on the predicted ones.
VIPER_FN viper_quat predict_spin(viper_access *w, viper_at at, const viper_motion *m) {
  const viper_advance *t = &m->advance;
  viper_real h = viper_splat((viper_scalar)t->h), keep = viper_splat((viper_scalar)t->keep);
  viper_quat q = viper_get_frame(w, at), axes = viper_get_frame_hat(w, at), hat;
  viper_vec3 start = viper_get_momentum(w, at), momentum = start;
  viper_real s = viper_get_frame_hat0(w, at).x;
  if (m->frame_load)
    momentum = viper_add(momentum, viper_scale(h, torque_on(w, at, m->frame_load)));
  momentum = viper_scale(keep, momentum);
  viper_vec3 omega = viper_rate_of(w, at, axes, momentum, s * s * rest_inertia(w, at));
  if (t->second_order) {
    hat = viper_frame_predict_bounded_after(q, viper_get_frame_before(w, at), omega, h);
    viper_set_frame_rate(w, at, omega);
  } else {
    hat = viper_frame_predict_bounded(q, omega, h);
  }
  if (viper_advance_is_midpoint(t)) // the loads go on
    momentum = viper_add(momentum, viper_sub(momentum, start));
  viper_set_momentum(w, at, momentum);
  viper_set_frame_hat0(w, at, hat);
  return hat;
}

VIPER_FN viper_quat predict_frame_euler(viper_access *w, viper_at at, const viper_motion *m,
                                        viper_real inertia) {
  viper_vec3 omega = viper_get_frame_rate(w, at);
  viper_quat q = viper_get_frame(w, at);
  viper_real h = viper_splat((viper_scalar)m->advance.h);
  if (m->frame_load)
    omega = twisted(w, at, m->frame_load, q, omega, inertia, h);
  return viper_frame_predict(q, omega, h);
}

/// Statics: see load_node.
VIPER_FN void load_frame(viper_access *w, viper_at at, const viper_motion *m) {
  viper_vec3 torque = {VIPER_R(0), VIPER_R(0), VIPER_R(0)};
  if (m->frame_load)
    torque = torque_on(w, at, m->frame_load);
  viper_set_frame_old(w, at, viper_get_frame(w, at));
  viper_set_frame_hat(w, at, viper_frame_load(torque));
  viper_set_inertia(w, at, frame_inertia(w, at));
}

VIPER_FN void predict_frame(viper_access *w, viper_at at, const viper_motion *m) {
  viper_quat q = viper_get_frame(w, at), hat;
  viper_vec3 v = viper_get_frame_rate(w, at);
  viper_real inertia = frame_inertia(w, at);
  if (w->a->momentum)
    hat = predict_spin(w, at, m);
  else if (m->advance.second_order)
    hat = predict_frame_after(w, at, m, inertia);
  else
    hat = predict_frame_euler(w, at, m, inertia);
  if (w->a->frame_before) {
    viper_set_frame_before(w, at, q);
    viper_set_frame_rate_before(w, at, v);
  }
  viper_set_frame_old(w, at, q);
  viper_set_frame_hat(w, at, hat);
  viper_set_frame(w, at, hat);
  viper_set_inertia(w, at, inertia);
}

/// Pinned components of the nodes, or the pinned frames, go to where their driver holds them, or
/// frames to the nearest place where their held parts are. The prediction keeps where they would
/// have gone: what holds them back, their inertia included, is the reaction. By one thread, after
/// all predicted.
static void hold_pins(const viper_access *w, bool frames) {
  viper_access alone = *w;
  alone.thread_group = (viper_thread_group){0, 1};
  viper_barrier(w);
  for (size_t k = 0; w->thread_group.rank == 0 && k < w->model->n_pins; k++) {
    const viper_model_pin *pin = &w->model->pin[k];
    if ((pin->location == VB_AT_SEGMENT) != frames)
      continue;
    if (frames && !(pin->mask & VB_PIN_FRAME)) {
      VIPER_EACH(&alone, NULL, pin->index, 1,
                 viper_set_free_frame(&alone, at, viper_get_frame(&alone, at)));
      continue;
    }
    viper_scalar *x = (frames ? w->a->frame : w->a->node) + 4 * (size_t)pin->index;
    for (int c = 0; c < 4; c++)
      if (frames || pin->mask >> c & 1)
        x[c] = (viper_scalar)w->a->pin_target[4 * k + (size_t)c];
  }
}

void viper_single_predict(const viper_arrays *a, const viper_motion *motion,
                          viper_thread_group thread_group) {
  const int32_t n_nodes = (int32_t)a->model->n_nodes, n_segments = (int32_t)a->model->n_segments;
  bool pinned = a->model->n_pins > 0, is_static = motion->advance.is_static;
  viper_access w = {a, a->model, NULL, NULL, thread_group, 0, NULL, false, {0}, is_static, false};
  if (a->momentum) {
    VIPER_EACH(&w, NULL, 0, n_segments, begin_spin(&w, at, &motion->advance));
    sum_centrifugal(&w);
  }
  if (is_static)
    VIPER_EACH(&w, NULL, 0, n_nodes, load_node(&w, at, motion));
  else
    VIPER_EACH(&w, NULL, 0, n_nodes, predict_node(&w, at, motion));
  if (pinned)
    hold_pins(&w, false);
  viper_barrier(&w);
  if (is_static)
    VIPER_EACH(&w, NULL, 0, n_segments, load_frame(&w, at, motion));
  else
    VIPER_EACH(&w, NULL, 0, n_segments, predict_frame(&w, at, motion));
  if (pinned)
    hold_pins(&w, true);
  viper_follow_nodes(&w);
}

/// Whether a value is not finite (or a position so large that its square is not), or a free scale
/// at its bound.
VIPER_FN bool node_trouble(const viper_access *w, viper_at at, viper_node_x x) {
  viper_real sum = viper_dot(x.c, x.c) + x.s;
  bool trouble = false;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    trouble |= !isfinite(sum[lane]) || (x.s[lane] <= (viper_scalar)VIPER_MINIMUM_SCALE &&
                                        !(w->model->node[at.i[lane]].pinned & VB_PIN_SCALE));
  return trouble;
}

/// The rates of bdf2 are the predicted ones: what the solve changed is added.
VIPER_FN bool rate_node(viper_access *w, viper_at at, const viper_advance *t) {
  viper_real rate = viper_splat((viper_scalar)t->rate);
  bool second_order = t->second_order;
  viper_node_x x = viper_get_node(w, at);
  viper_node_x old = second_order ? viper_get_node_hat(w, at) : viper_get_node_old(w, at);
  viper_node_x v = {viper_scale(rate, viper_sub(x.c, old.c)), rate * (x.s - old.s)};
  if (second_order) {
    viper_node_x predicted = viper_get_node_rate(w, at);
    v.c = viper_add(predicted.c, v.c);
    v.s = predicted.s + v.s;
  }
  if (viper_advance_is_midpoint(t)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    viper_midpoint_advance(viper_get_node_old(w, at), viper_get_node_rate(w, at), free, &x, &v);
    viper_set_node(w, at, x);
  }
  viper_set_node_rate(w, at, v);
  return node_trouble(w, at, x);
}

/// The rates of frames that keep their momentum; of pinned ones `turned`, by how they turned.
VIPER_FN viper_vec3 spun_rate(const viper_access *w, viper_at at, const viper_advance *t,
                              viper_vec3 turned) {
  viper_real reach = viper_splat((viper_scalar)(t->reach * t->rate));
  viper_real s = segment_scale(w, at, w->a->node), free = viper_get_frame_free(w, at);
  viper_quat q = viper_get_frame(w, at);
  viper_vec3 impulse =
      viper_impulse_of(w, at, q, viper_get_frame_hat0(w, at), viper_get_inertia(w, at));
  viper_vec3 momentum =
      viper_add(viper_scale(viper_splat((viper_scalar)t->kept), viper_get_momentum(w, at)),
                viper_scale(reach, impulse));
  if (viper_advance_is_midpoint(t))
    q = viper_frame_extrapolate(q, viper_get_frame_old(w, at));
  viper_vec3 omega = viper_rate_of(w, at, q, momentum, s * s * rest_inertia(w, at));
  return viper_vec3_make(VIPER_SELECT(free > 0, omega.x, turned.x),
                         VIPER_SELECT(free > 0, omega.y, turned.y),
                         VIPER_SELECT(free > 0, omega.z, turned.z));
}

VIPER_FN bool rate_frame(viper_access *w, viper_at at, const viper_advance *t) {
  viper_real rate = viper_splat((viper_scalar)t->rate);
  bool second_order = t->second_order;
  viper_quat q = viper_get_frame(w, at);
  viper_quat old = second_order ? viper_get_frame_hat(w, at) : viper_get_frame_old(w, at);
  viper_vec3 omega = viper_scale(rate, viper_turn_since(q, old));
  if (second_order)
    omega = viper_add(viper_get_frame_rate(w, at), omega);
  if (w->a->momentum)
    omega = spun_rate(w, at, t, omega);
  if (viper_advance_is_midpoint(t))
    viper_set_frame(w, at, viper_frame_extrapolate(q, viper_get_frame_old(w, at)));
  viper_real sum = q.w + q.x + q.y + q.z;
  bool trouble = false;
  viper_set_frame_rate(w, at, omega);
  for (int lane = 0; lane < VIPER_LANES; lane++)
    trouble |= !isfinite(sum[lane]);
  return trouble;
}

bool viper_single_rate(const viper_arrays *a, const viper_motion *motion,
                       viper_thread_group thread_group) {
  viper_access w = {
      a, a->model, NULL, NULL, thread_group, 0, NULL, false, {0}, motion->advance.is_static, false};
  bool trouble = false;
  VIPER_EACH(&w, NULL, 0, (int32_t)a->model->n_nodes,
             trouble |= rate_node(&w, at, &motion->advance));
  if (viper_advance_is_midpoint(&motion->advance)) // frames look at the scales of the end
    viper_barrier(&w);
  VIPER_EACH(&w, NULL, 0, (int32_t)a->model->n_segments,
             trouble |= rate_frame(&w, at, &motion->advance));
  return trouble;
}
