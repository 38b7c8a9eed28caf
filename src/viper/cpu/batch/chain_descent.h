// SPDX-License-Identifier: GPL-3.0-or-later
/// The sweeps of `block-descent` over batches of plain chains in fast arithmetic: the phases and
/// elements of block_descent.h, by the closed forms of closed_descent.h. Loops are short: in long
/// ones a processor waits for sums, since it has only some 150 operations under way at a time
/// (method/README.md).
#ifndef VIPER_CPU_BATCH_CHAIN_DESCENT_H
#define VIPER_CPU_BATCH_CHAIN_DESCENT_H

#include "viper/cpu/batch/access.h"
#include "viper/method/block_descent.h"
#include "viper/method/closed_descent.h"

/// Adds the terms that couple scales, over node `at` with the scale `s`: of its segments and its
/// joints.
VIPER_FN void viper_chain_scales(const viper_access *w, viper_at at, viper_real s, bool inside,
                                 viper_newton *n) {
  const viper_at last = (viper_at)w->model->n_nodes - 1;
  const viper_node_spring k = viper_uniform_node_spring(w, at);
  n->g[3] += k.own * (s - VIPER_R(1));
  n->h[3][3] += k.block;
  if (inside || at > 1)
    n->g[3] += k.before[1] * (viper_get_scale(w, at - 2) - s);
  if (inside || at > 0)
    n->g[3] += k.before[0] * (viper_get_scale(w, at - 1) - s);
  if (inside || at < last)
    n->g[3] += k.after[0] * (viper_get_scale(w, at + 1) - s);
  if (inside || at < last - 1)
    n->g[3] += k.after[1] * (viper_get_scale(w, at + 2) - s);
}

/// The same by the springs of segments and joints, where lanes differ.
VIPER_FN void viper_chain_scales_apart(const viper_access *w, viper_at at, viper_node_x x,
                                       viper_newton *n, int uniform) {
  for (int side = 0; side < 2; side++)
    if (viper_adjacent_count(w, &w->adjacency->node_segment, 2, at, side)) {
      const viper_segment_spring k = viper_get_segment_spring(w, at - side, uniform);
      const viper_real other = viper_get_scale(w, at + 1 - 2 * side);
      n->g[3] += k.section * ((x.s + other) - VIPER_R(2)) + k.taper * (x.s - other);
      n->h[3][3] += k.section + k.taper;
    }
  for (int role = 2; role >= 0; role--)
    viper_descend_joints(w, at, n, role, uniform);
}

/// Stores the turn of a joint, and the contribution of its turn terms to its node's scale.
VIPER_FN void viper_chain_pull(viper_access *w, viper_at at, int uniform) {
  const viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  const viper_joint_spring spring = viper_get_joint_spring(w, at, uniform);
  const viper_turn turn = viper_find_turn(w, at, &rest);
  viper_set_turn(w, at, turn);
  viper_set_pull(w, at, viper_closed_pull(&spring, &turn, viper_get_scale(w, at + 1)));
}

/// Stores the contribution of a joint to its frames at its node's new scale.
VIPER_FN void viper_chain_hold(viper_access *w, viper_at at, int uniform) {
  const viper_joint_spring spring = viper_get_joint_spring(w, at, uniform);
  const viper_rest_squares rest = uniform == VIPER_ALONG ? viper_uniform_node_spring(w, at + 1).rest
                                                         : viper_rest_squares_of(&spring);
  viper_set_hold(w, at, viper_closed_hold(&spring, rest, viper_get_scale(w, at + 1)));
}

/// Moves a node by a Newton step. A node `inside` has two neighbors on either side; compilers know
/// it.
VIPER_FN void viper_chain_node(viper_access *w, viper_at at, bool inside, int uniform) {
  const bool before = inside || at > 0, after = inside || at + 1 < (viper_at)w->model->n_nodes;
  viper_node_x x = viper_get_node(w, at);
  viper_newton n =
      viper_newton_node(w->scratch->a_h2[at], x, viper_get_node_hat(w, at), VIPER_R(1));
  for (int side = 1; side >= 0; side--)
    if (side ? before : after) {
      const viper_segment_spring k = viper_get_segment_spring(w, at - side, uniform);
      viper_closed_segment_node(&n, &k, x, viper_get_node(w, at + 1 - 2 * side),
                                viper_get_axis(w, at - side), side);
    }
  if (uniform == VIPER_ALONG)
    viper_chain_scales(w, at, x.s, inside, &n);
  else
    viper_chain_scales_apart(w, at, x, &n, uniform);
  if (before && after) {
    const viper_pull pull = viper_get_pull(w, at - 1);
    n.g[3] += pull.g;
    n.h[3][3] += pull.h;
  }
  if (viper_node_pinned(w, at)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    viper_newton_pin(&n, free);
  }
  const viper_node_x step = viper_closed_step(&n);
  x.c = viper_add(x.c, step.c);
  x.s = viper_bounded(x.s + step.s);
  viper_set_node(w, at, x);
}

/// Stores the gradient over a frame, and the inverse of its block in sweeps that compute it.
VIPER_FN void viper_chain_gradient(viper_access *w, viper_at at, viper_real inv_h2, bool block,
                                   bool inside, int uniform) {
  const viper_segment_spring spring = viper_get_segment_spring(w, at, uniform);
  const viper_node_x a = viper_get_node(w, at), b = viper_get_node(w, at + 1);
  viper_vec3 axis;
  const viper_cross_axes axes = viper_quat_axes(viper_get_frame(w, at), &axis);
  viper_newton n =
      viper_closed_frame(&spring, w->scratch->hat_axes[at], axes, axis, viper_sub(b.c, a.c),
                         a.s + b.s, inv_h2 * viper_get_inertia(w, at));
  for (int side = 1; side >= 0; side--)
    if (inside || viper_adjacent_count(w, &w->adjacency->frame_joint, 2, at, side)) {
      const viper_joint_rest rest = viper_get_joint_rest(w, at - side, uniform);
      const viper_turn turn = viper_get_turn(w, at - side);
      const viper_hold hold = viper_get_hold(w, at - side);
      viper_newton_turn_gradient(&n, &rest, &turn, &hold, side);
      if (block)
        viper_newton_turn_block(&n, &rest, &turn, &hold, side);
    }
  viper_set_frame_sum(w, at, viper_vec3_make(n.g[0], n.g[1], n.g[2]));
  if (block)
    viper_set_inverse(w, at, viper_newton_invert(&n));
}

/// Moves a frame by its stored gradient and inverse.
VIPER_FN void viper_chain_move(viper_access *w, viper_at at) {
  const viper_inverse inverse = viper_get_inverse(w, at);
  const viper_vec3 half = viper_newton_apply(&inverse, viper_get_frame_sum(w, at));
  viper_set_free_frame(w, at, viper_quat_turn_twice(viper_get_frame(w, at), half));
  viper_note_axis(w, at);
}

/// A phase of frames: gradients first, then moves.
VIPER_FN void viper_chain_frames(viper_access *w, const viper_phase *phase, viper_real inv_h2,
                                 bool block, int uniform) {
  const int32_t *order = w->adjacency->frame_order + phase->first;
  const viper_at last = (viper_at)w->model->n_segments - 1;
  for (int32_t k = 0; k < phase->count; k++)
    if (order[k] > 0 && order[k] < last)
      viper_chain_gradient(w, order[k], inv_h2, block, true, uniform);
    else
      viper_chain_gradient(w, order[k], inv_h2, block, false, uniform);
  for (int32_t k = 0; k < phase->count; k++)
    viper_chain_move(w, order[k]);
}

/// A phase of nodes.
VIPER_FN void viper_chain_nodes(viper_access *w, const viper_phase *phase, int uniform) {
  const int32_t *order = w->adjacency->node_order + phase->first;
  const viper_at last = (viper_at)w->model->n_nodes - 1;
  for (int32_t k = 0; k < phase->count; k++)
    if (order[k] > 1 && order[k] < last - 1)
      viper_chain_node(w, order[k], true, uniform);
    else
      viper_chain_node(w, order[k], false, uniform);
}

VIPER_FN void viper_chain_sweep(viper_access *w, viper_real inv_h2, bool block, int uniform) {
  const int32_t *range = viper_access_phases(w);
  const viper_phase *phase = w->adjacency->phase + range[0];
  const int n = range[1] - range[0];
  const viper_at joints = (viper_at)w->model->n_joints;
  int p = 0;
  for (viper_at t = 0; t < joints; t++)
    viper_chain_pull(w, t, uniform);
  for (; p < n && !phase[p].joints; p++)
    viper_chain_nodes(w, &phase[p], uniform);
  for (viper_at t = 0; t < joints; t++)
    viper_chain_hold(w, t, uniform);
  for (const int first = p; p < n; p++) {
    for (viper_at t = 0; p > first && t < joints; t++)
      viper_note_turn(w, t, uniform);
    viper_chain_frames(w, &phase[p], inv_h2, block, uniform);
  }
}

VIPER_FN void viper_chain_descend(viper_access *w, const viper_settings *settings, int uniform) {
  const viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  for (viper_at i = 0; i < (viper_at)w->model->n_nodes; i++) {
    const viper_node_inertia a = viper_get_node_inertia(w, i, uniform);
    w->scratch->a_h2[i].mass = inv_h2 * a.mass;
    w->scratch->a_h2[i].scale = inv_h2 * a.scale;
  }
  for (viper_at j = 0; j < (viper_at)w->model->n_segments; j++) {
    viper_note_axis(w, j);
    w->scratch->hat_axes[j] =
        viper_hat_axes_of(inv_h2 * viper_get_inertia(w, j), viper_get_frame_hat(w, j));
  }
  for (int iteration = 0; iteration < settings->iterations; iteration++)
    if (iteration % VIPER_BLOCK_SWEEPS == 0)
      viper_chain_sweep(w, inv_h2, true, uniform);
    else
      viper_chain_sweep(w, inv_h2, false, uniform);
}

#endif
