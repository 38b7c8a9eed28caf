// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `block-descent`: Newton steps over the unknowns of one node or frame at a time
/// (viper/method/newton.h). Its phases, with a barrier after each, are those of the adjacency.
#ifndef VIPER_METHOD_BLOCK_DESCENT_H
#define VIPER_METHOD_BLOCK_DESCENT_H

#include "viper/method/descent_limit.h"
#include "viper/method/elements.h"
#include "viper/method/frame_chart.h"
#include "viper/method/newton.h"
#include "viper/method/ray.h"
#include "viper/method/statics.h"

/// Adds the other terms of a joint over its scale or frame `part`.
VIPER_FN void viper_descend_other_joint(const viper_access *w, viper_at at, viper_newton *n,
                                        int part, int uniform) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_joint(w, at);
  viper_newton_other_joint(n, &rest, &x, part);
}

/// The same for a segment over its node or frame.
VIPER_FN void viper_descend_other_segment(const viper_access *w, viper_at at, viper_newton *n,
                                          int part, int uniform) {
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  viper_newton_other_segment(n, &rest, &x, part);
}

/// Adds surface_bend and other terms of the joints in which a node has a role (before, at, after).
VIPER_FN void viper_descend_joints(const viper_access *w, viper_at at, viper_newton *n, int role,
                                   int uniform) {
  const viper_table *joints = &w->adjacency->node_joint;
  VIPER_ROLLED for (int32_t k = 0; k < viper_adjacent_count(w, joints, 3, at, role); k++) {
    viper_at t = viper_adjacent(w, joints, 3, at, role, k);
    viper_joint_spring spring = viper_get_joint_spring(w, t, uniform);
    viper_newton_joint_scale(n, &spring, viper_get_scale(w, viper_joint_node(w, t, 0)),
                             viper_get_scale(w, viper_joint_node(w, t, 1)),
                             viper_get_scale(w, viper_joint_node(w, t, 2)), role);
    if (VIPER_N_OTHER_JOINT_TERMS > 0)
      viper_descend_other_joint(w, t, n, role, uniform);
  }
}

/// Adds the stored turn terms of the joints at a node.
VIPER_FN void viper_descend_pulls(const viper_access *w, viper_at at, viper_newton *n) {
  const viper_table *joints = &w->adjacency->node_joint;
  VIPER_ROLLED for (int32_t k = 0; k < viper_adjacent_count(w, joints, 3, at, 1); k++) {
    viper_pull pull = viper_get_pull(w, viper_adjacent(w, joints, 3, at, 1, k));
    n->g[3] += pull.g;
    n->h[3][3] += pull.h;
  }
}

VIPER_FN viper_turn viper_find_turn(const viper_access *w, viper_at at,
                                    const viper_joint_rest *rest) {
  return viper_joint_turn(rest, viper_get_frame(w, viper_joint_segment(w, at, 0)),
                          viper_get_frame(w, viper_joint_segment(w, at, 1)));
}

/// Stores the turn of a joint, and the contribution of its turn terms to its node's scale; `bends`
/// as of viper_joint_pull.
VIPER_FN void viper_note_pull(viper_access *w, viper_at at, bool bends, int uniform) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_spring spring = viper_get_joint_spring(w, at, uniform);
  viper_turn turn = viper_find_turn(w, at, &rest);
  viper_set_turn(w, at, turn);
  viper_real s = viper_get_scale(w, viper_joint_node(w, at, 1));
  viper_set_pull(w, at, viper_joint_pull(&spring, &turn, s, bends));
}

/// Stores the contribution of a joint to its frames at its node's new scale.
VIPER_FN void viper_note_hold(viper_access *w, viper_at at, bool bends, int uniform) {
  viper_joint_spring spring = viper_get_joint_spring(w, at, uniform);
  viper_real s = viper_get_scale(w, viper_joint_node(w, at, 1));
  viper_set_hold(w, at, viper_joint_hold(&spring, s, bends));
}

/// Whether joints add something to nodes and frames beyond their springs: with bending factors, and
/// of fused rods.
VIPER_FN bool viper_has_more(const viper_access *w) {
  return viper_has_bending(w) || viper_has_fused(w);
}

/// The isotropic part of the spring of a joint with bending factors, without twist of fused rods.
/// Nodes and frames add the rest themselves.
VIPER_FN viper_joint_spring viper_find_isotropic_spring(const viper_access *w, viper_at at,
                                                        int uniform) {
  viper_joint_spring spring = viper_get_joint_spring(w, at, uniform);
  const viper_bending same = viper_isotropic_part(viper_get_bending(w, at));
  spring.bend *= same.bend[0];
  spring.volume_bend *= same.volume_bend[0];
  if (viper_has_fused(w))
    spring = viper_joint_spring_apart(spring, viper_get_fused(w, at));
  return spring;
}

/// As viper_note_pull and viper_note_hold, for a joint that has more; out of line, so that others
/// need no registers for it.
VIPER_OUT_OF_LINE void viper_note_isotropic_pull(viper_access *w, viper_at at, int uniform) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_spring spring = viper_find_isotropic_spring(w, at, uniform);
  viper_turn turn = viper_find_turn(w, at, &rest);
  viper_set_turn(w, at, turn);
  viper_real s = viper_get_scale(w, viper_joint_node(w, at, 1));
  viper_set_pull(w, at, viper_joint_pull(&spring, &turn, s, true));
}

VIPER_OUT_OF_LINE void viper_note_isotropic_hold(viper_access *w, viper_at at, int uniform) {
  viper_joint_spring spring = viper_find_isotropic_spring(w, at, uniform);
  viper_real s = viper_get_scale(w, viper_joint_node(w, at, 1));
  viper_set_hold(w, at, viper_joint_hold(&spring, s, true));
}

/// Adds the anisotropic rest, and twist of fused rods, of the joints of a table in which an element
/// has the role `role` of `roles`, over its part `part`.
VIPER_FN void viper_descend_anisotropic(const viper_access *w, viper_at at,
                                        const viper_table *joints, int roles, int role, int part,
                                        int uniform, viper_newton *n) {
  VIPER_ROLLED for (int32_t k = 0; k < viper_adjacent_count(w, joints, roles, at, role); k++) {
    viper_at t = viper_adjacent(w, joints, roles, at, role, k);
    viper_joint_rest rest = viper_get_joint_rest(w, t, uniform);
    if (viper_has_bending(w)) {
      viper_joint_state x = viper_get_joint(w, t);
      viper_newton_anisotropic_joint(n, &rest, &x, part);
    }
    if (viper_has_fused(w)) {
      viper_joint_state x = viper_get_fused_joint(w, t);
      viper_newton_fused_joint(n, &rest, &x, part);
    }
  }
}

VIPER_OUT_OF_LINE viper_newton viper_find_anisotropic_node(const viper_access *w, viper_at at,
                                                           int uniform) {
  viper_newton n;
  viper_clear(4, n.g, &n.h[0][0]);
  viper_descend_anisotropic(w, at, &w->adjacency->node_joint, 3, 1, 1, uniform, &n);
  return n;
}

VIPER_OUT_OF_LINE viper_newton viper_find_anisotropic_frame(const viper_access *w, viper_at at,
                                                            int uniform) {
  viper_newton n;
  viper_clear(4, n.g, &n.h[0][0]);
  VIPER_UNROLL for (int side = 0; side < 2; side++)
      viper_descend_anisotropic(w, at, &w->adjacency->frame_joint, 2, side, 3 + side, uniform, &n);
  return n;
}

/// Adds a gradient, and the diagonal of a block.
VIPER_FN void viper_newton_add(viper_newton *n, viper_newton more) {
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n->g[i] += more.g[i];
    n->h[i][i] += more.h[i][i];
  }
}

/// The remainder of Phi beyond its quadratic model after a step of a node with segments of the
/// material model solid. A lane whose node has fewer elements than that of another lane computes on
/// absent ones of stiffness 0; their change may not be finite, and is left out.
VIPER_FN viper_real viper_find_node_remainder(const viper_access *w, viper_at at,
                                              const viper_real d[4], viper_real s, int uniform) {
  const viper_table *segments = &w->adjacency->node_segment, *joints = &w->adjacency->node_joint;
  viper_real sum = VIPER_R(0), zero = VIPER_R(0), more;
  for (int side = 0; side < 2; side++)
    for (int32_t k = 0; k < viper_adjacent_count(w, segments, 2, at, side); k++) {
      viper_at j = viper_adjacent(w, segments, 2, at, side, k);
      viper_solid_rest solid = viper_get_solid(w, j, uniform);
      viper_segment_state x = viper_get_segment(w, j);
      more = viper_solid_node_remainder(&solid, &x, d, side);
      sum += VIPER_SELECT(solid.k_axial > zero, more, zero);
      if (viper_solid_of(w) == VIPER_SOME_SOLID) {
        viper_segment_rest rest = viper_get_segment_rest(w, j, uniform);
        more = viper_volume_node_remainder(&rest, &x, d, side);
        sum += VIPER_SELECT(rest.k_volume > zero, more, zero);
      }
    }
  for (int32_t k = 0; k < viper_adjacent_count(w, joints, 3, at, 1); k++) {
    viper_at t = viper_adjacent(w, joints, 3, at, 1, k);
    viper_joint_spring spring = viper_get_joint_spring(w, t, uniform);
    viper_turn turn = viper_get_turn(w, t);
    viper_bending bending = viper_get_bending(w, t);
    more = viper_volume_bend_remainder(&spring, &turn, &bending, s, d[3]);
    sum += VIPER_SELECT(spring.volume_bend > zero, more, zero);
    if (viper_has_fused(w)) {
      viper_joint_rest rest = viper_get_joint_rest(w, t, uniform);
      viper_fused fused = viper_get_fused(w, t);
      more = viper_twist_fused_remainder(&rest, &turn, fused, s, d[3]);
      sum += VIPER_SELECT(fused.part > zero, more, zero);
    }
  }
  return sum;
}

/// Such a node, now `x`, after a step that is shortened until it does not raise Phi. Arguments are
/// passed by value: data whose address is taken would be in memory instead of registers for all
/// bodies.
VIPER_OUT_OF_LINE viper_node_x viper_limit_node(const viper_access *w, viper_at at, viper_newton n,
                                                viper_node_x x, viper_node_x step, int uniform) {
  viper_real full[4] = {step.c.x, step.c.y, step.c.z, step.s}, d[4];
  viper_real part = VIPER_R(1), zero = VIPER_R(0);
  VIPER_ROLLED for (int halvings = 0; halvings <= VIPER_LIMIT_TRIALS; halvings++) {
    VIPER_UNROLL for (int i = 0; i < 4; i++) d[i] = part * full[i];
    d[3] = viper_bounded(x.s + d[3]) - x.s;
    viper_real change =
        viper_newton_change(&n, d) + viper_find_node_remainder(w, at, d, x.s, uniform);
    if (!VIPER_ANY(change > zero))
      break;
    viper_real shorter = halvings + 1 < VIPER_LIMIT_TRIALS ? VIPER_R(0.5) * part : zero;
    part = VIPER_SELECT(change > zero, shorter, part);
  }
  x.c = viper_add(x.c, viper_vec3_make(d[0], d[1], d[2]));
  x.s = viper_bounded(x.s + d[3]);
  return x;
}

/// The fraction of its step that a frame of such a body may take without raising Phi; `n` is its
/// gradient and block over all terms.
VIPER_OUT_OF_LINE viper_real viper_limit_frame(const viper_access *w, viper_at at, viper_newton n,
                                               int uniform) {
  viper_segment_spring spring = viper_get_segment_spring(w, at, uniform);
  viper_solid_rest rest = viper_get_solid(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  viper_inverse inverse = viper_newton_invert(&n);
  viper_vec3 g = viper_vec3_make(n.g[0], n.g[1], n.g[2]);
  viper_vec3 half = viper_scale(viper_get_frame_free(w, at), viper_newton_apply(&inverse, g));
  viper_real slope = VIPER_R(2) * viper_dot(g, half), size = viper_dot(half, half);
  viper_real part = VIPER_R(1), zero = VIPER_R(0), least = VIPER_R(VIPER_SUFFICIENT_TURN);
  viper_newton model;
  viper_clear(4, model.g, &model.h[0][0]);
  viper_newton_segment_frame(&model, &spring, &x, viper_solid_of(w) != VIPER_ALL_SOLID);
  viper_newton_solid_frame(&model, &rest, &x);
  VIPER_ROLLED for (int halvings = 0; halvings < VIPER_LIMIT_TRIALS; halvings++) {
    viper_real remainder =
        viper_segment_frame_remainder(&spring, &rest, &x, &model, viper_scale(part, half));
    // For the whole step the model predicts half of the slope.
    viper_real change = part * (VIPER_R(1) - least - VIPER_R(0.5) * part) * slope + remainder;
    viper_real longest = part * part * size - VIPER_R(VIPER_LONGEST_TURN2);
    viper_real worst = VIPER_SELECT(longest > zero, longest, change);
    if (!VIPER_ANY(worst > zero))
      return part;
    viper_real shorter = halvings + 1 < VIPER_LIMIT_TRIALS ? VIPER_R(0.5) * part : zero;
    part = VIPER_SELECT(worst > zero, shorter, part);
  }
  return part;
}

/// Notes how a joint is turned.
VIPER_FN void viper_note_turn(viper_access *w, viper_at at, int uniform) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_set_turn(w, at, viper_find_turn(w, at, &rest));
}

/// Adds the segments of which a node, now `x`, is end `side`; `solid` is of the body.
VIPER_FN void viper_descend_segments(const viper_access *w, viper_at at, viper_node_x x,
                                     viper_newton *n, int side, int solid, int uniform) {
  const viper_table *segments = &w->adjacency->node_segment;
  VIPER_ROLLED for (int32_t k = 0; k < viper_adjacent_count(w, segments, 2, at, side); k++) {
    viper_at j = viper_adjacent(w, segments, 2, at, side, k);
    viper_segment_spring spring = viper_get_segment_spring(w, j, uniform);
    viper_node_x other = viper_get_node(w, viper_segment_node(w, j, 1 - side));
    viper_vec3 axis = viper_get_axis(w, j);
    viper_contraction active = viper_get_active(w, j);
    viper_newton_segment_node(n, &spring, x, other, axis, active, solid != VIPER_ALL_SOLID, side);
    if (solid != VIPER_NONE_SOLID) {
      viper_solid_rest rest = viper_get_solid(w, j, uniform);
      viper_newton_solid_node(n, &rest, x, other, axis, active, side);
    }
    if (VIPER_N_OTHER_SEGMENT_TERMS > 0)
      viper_descend_other_segment(w, j, n, side, uniform);
  }
}

/// In statics the step of a node begins with its load, that of a frame with its torque, without a
/// block.
VIPER_FN viper_newton viper_begin_static_node(viper_node_x load) {
  viper_newton n;
  viper_clear(4, n.g, &n.h[0][0]);
  viper_node_load_gradient(load, n.g);
  return n;
}

VIPER_FN viper_newton viper_begin_static_frame(viper_quat q, viper_quat load) {
  viper_newton n;
  viper_clear(4, n.g, &n.h[0][0]);
  viper_frame_load_gradient(q, load, n.g);
  return n;
}

/// Unknowns without a term stay in place.
VIPER_FN void viper_end_static(viper_newton *n) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) n->h[k][k] =
      VIPER_SELECT(n->h[k][k] > 0, n->h[k][k], VIPER_R(1));
}

/// Moves a node by a Newton step; of the material model solid, by a shorter one where the whole
/// step raises Phi, if `limit`.
VIPER_FN void viper_descend_node(viper_access *w, viper_at at, viper_real inv_h2, bool limit,
                                 int solid, int uniform) {
  viper_node_x x = viper_get_node(w, at);
  viper_newton n = viper_is_static(w) ? viper_begin_static_node(viper_get_node_hat(w, at))
                                      : viper_newton_node(viper_get_node_inertia(w, at, uniform), x,
                                                          viper_get_node_hat(w, at), inv_h2);
  viper_descend_segments(w, at, x, &n, 1, solid, uniform);
  viper_descend_segments(w, at, x, &n, 0, solid, uniform);
  viper_descend_joints(w, at, &n, 2, uniform);
  viper_descend_joints(w, at, &n, 1, uniform);
  viper_descend_joints(w, at, &n, 0, uniform);
  viper_descend_pulls(w, at, &n);
  if (viper_has_more(w))
    viper_newton_add(&n, viper_find_anisotropic_node(w, at, uniform));
  if (viper_is_static(w))
    viper_end_static(&n);
  viper_real d[4];
  if (viper_node_pinned(w, at)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    viper_newton_pin(&n, free);
  }
  if (solid != VIPER_NONE_SOLID)
    viper_newton_solve_full_node(&n, d);
  else
    viper_newton_solve_node(&n, d);
  const viper_node_x step = {viper_vec3_make(d[0], d[1], d[2]), d[3]};
  if (solid != VIPER_NONE_SOLID && limit) {
    viper_set_node(w, at, viper_limit_node(w, at, n, x, step, uniform));
    return;
  }
  x.c = viper_add(x.c, step.c);
  x.s = viper_bounded(x.s + step.s);
  viper_set_node(w, at, x);
}

/// Adds the stored contributions of the joints of which a frame is `side`.
VIPER_FN void viper_descend_frame_joints(const viper_access *w, viper_at at, viper_newton *n,
                                         int side, bool block, int uniform) {
  const viper_table *joints = &w->adjacency->frame_joint;
  VIPER_ROLLED for (int32_t k = 0; k < viper_adjacent_count(w, joints, 2, at, side); k++) {
    viper_at t = viper_adjacent(w, joints, 2, at, side, k);
    viper_joint_rest rest = viper_get_joint_rest(w, t, uniform);
    viper_turn turn = viper_get_turn(w, t);
    viper_hold hold = viper_get_hold(w, t);
    viper_newton_turn_gradient(n, &rest, &turn, &hold, side);
    if (block)
      viper_newton_turn_block(n, &rest, &turn, &hold, side);
    if (VIPER_N_OTHER_JOINT_TERMS > 0)
      viper_descend_other_joint(w, t, n, 3 + side, uniform);
  }
}

/// The inertial part over frame `at`, which is `q`; with `moments`, it may be no disc's.
VIPER_FN viper_newton viper_begin_frame(const viper_access *w, viper_at at, viper_quat q,
                                        viper_real inv_h2, bool moments) {
  viper_real a = viper_get_inertia(w, at);
  viper_quat hat = viper_get_frame_hat(w, at);
  if (moments)
    return viper_newton_moments(a, viper_get_moments(w, at), q, hat, inv_h2);
  return viper_newton_frame(a, q, hat, inv_h2);
}

/// Stores the gradient over a frame, and the inverse of its block in sweeps that compute it.
VIPER_FN void viper_note_frame(viper_access *w, viper_at at, viper_real inv_h2, bool block,
                               int solid, int uniform, bool moments) {
  viper_segment_spring spring = viper_get_segment_spring(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  viper_newton n = viper_is_static(w) ? viper_begin_static_frame(x.q, viper_get_frame_hat(w, at))
                                      : viper_begin_frame(w, at, x.q, inv_h2, moments);
  viper_newton_segment_frame(&n, &spring, &x, solid != VIPER_ALL_SOLID);
  if (solid != VIPER_NONE_SOLID) {
    viper_solid_rest rest = viper_get_solid(w, at, uniform);
    viper_newton_solid_frame(&n, &rest, &x);
  }
  if (VIPER_N_OTHER_SEGMENT_TERMS > 0)
    viper_descend_other_segment(w, at, &n, 2, uniform);
  viper_descend_frame_joints(w, at, &n, 1, block, uniform);
  viper_descend_frame_joints(w, at, &n, 0, block, uniform);
  if (viper_has_more(w))
    viper_newton_add(&n, viper_find_anisotropic_frame(w, at, uniform));
  if (viper_is_static(w))
    viper_end_static(&n);
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    viper_chart chart = viper_chart_of(&held, x.q);
    viper_real diagonal[3] = {n.h[0][0], n.h[1][1], n.h[2][2]};
    viper_chart_gradient(&chart, n.g);
    viper_chart_diagonal(&chart, diagonal);
    VIPER_UNROLL for (int k = 0; k < 3; k++) n.h[k][k] = diagonal[k];
  }
  viper_vec3 sum = viper_vec3_make(n.g[0], n.g[1], n.g[2]);
  viper_set_frame_sum(w, at, sum);
  if (block)
    viper_set_inverse(w, at, viper_newton_invert(&n));
  // Last, so that no register must be saved across this call.
  if (block && solid != VIPER_NONE_SOLID)
    viper_set_frame_sum(w, at, viper_scale(viper_limit_frame(w, at, n, uniform), sum));
}

/// Moves a frame by its stored gradient and inverse.
VIPER_FN void viper_descend_frame(viper_access *w, viper_at at) {
  viper_inverse inverse = viper_get_inverse(w, at);
  viper_vec3 half = viper_newton_apply(&inverse, viper_get_frame_sum(w, at));
  viper_quat q = viper_get_frame(w, at);
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    viper_chart chart = viper_chart_of(&held, q);
    viper_real d[3] = {half.x, half.y, half.z};
    viper_chart_move(&chart, d);
    half = viper_vec3_make(d[0], d[1], d[2]);
  }
  viper_set_free_frame(w, at, viper_quat_turn_twice(q, half));
  viper_note_axis(w, at);
}

/// viper_note_frame of a phase whose frames may be no discs; out of line, so that loops of other
/// scenes stay as they are.
VIPER_OUT_OF_LINE void viper_note_moments(viper_access *w, const viper_phase *phase,
                                          viper_real inv_h2, bool block, int solid, int uniform) {
  VIPER_EACH(w, w->adjacency->frame_order, phase->first, phase->count,
             viper_note_frame(w, at, inv_h2, block, solid, uniform, true));
}

/// A phase of frames: gradients first, then moves, whose cost is memory latency.
VIPER_FN void viper_descend_frames(viper_access *w, const viper_phase *phase, viper_real inv_h2,
                                   bool block, int solid, int uniform) {
  const int32_t *order = w->adjacency->frame_order;
  // A device's compiler takes no loop out of line: there each frame looks what it is.
#ifdef __CUDACC__
  const bool apart = false, moments = viper_has_moments(w);
#else
  const bool apart = viper_has_moments(w), moments = false;
#endif
  if (apart)
    viper_note_moments(w, phase, inv_h2, block, solid, uniform);
  else if (block)
    VIPER_EACH(w, order, phase->first, phase->count,
               viper_note_frame(w, at, inv_h2, true, solid, uniform, moments));
  else
    VIPER_EACH(w, order, phase->first, phase->count,
               viper_note_frame(w, at, inv_h2, false, solid, uniform, moments));
  VIPER_EACH(w, order, phase->first, phase->count, viper_descend_frame(w, at));
  viper_barrier(w);
}

/// Whether a body begins at the drift and ends on its ray. Where contacts or bundles move it, that
/// would not be what a substep ends with; only Euler's step loses energy so.
VIPER_FN bool viper_has_ray(const viper_access *w, const viper_settings *settings) {
  return viper_solid_of(w) != VIPER_NONE_SOLID && !viper_is_static(w) && !settings->in_parts &&
         settings->integrator == VIPER_EULER;
}

/// The phase of joints before nodes, and that before frames; `bends` as of viper_joint_pull.
VIPER_FN void viper_note_pulls(viper_access *w, const viper_model_body *b, bool bends,
                               int uniform) {
  if (viper_has_more(w))
    VIPER_EACH(w, NULL, b->first_joint, b->n_joints, viper_note_isotropic_pull(w, at, uniform));
  else
    VIPER_EACH(w, NULL, b->first_joint, b->n_joints, viper_note_pull(w, at, bends, uniform));
  viper_barrier(w);
}

VIPER_FN void viper_note_holds(viper_access *w, const viper_model_body *b, bool bends,
                               int uniform) {
  if (viper_has_more(w))
    VIPER_EACH(w, NULL, b->first_joint, b->n_joints, viper_note_isotropic_hold(w, at, uniform));
  else
    VIPER_EACH(w, NULL, b->first_joint, b->n_joints, viper_note_hold(w, at, bends, uniform));
  viper_barrier(w);
}

// As on rays (ray.h): a device's compiler would call it.
#ifdef __CUDACC__
#define VIPER_ON_SWEEPS VIPER_ON_BODY
#else
#define VIPER_ON_SWEEPS VIPER_FN
#endif

/// Joints have phases of their own, in which they store the data that nodes and frames need; they
/// are short and independent of each other. Moves of frames of the first color change the joints of
/// the other colors. `solid` is viper_solid_of the body.
VIPER_ON_SWEEPS void viper_descend(viper_access *w, const viper_settings *settings, int solid,
                                   int uniform) {
  const viper_adjacency *l = w->adjacency;
  const viper_model_body *b = viper_access_body(w);
  const int32_t *range = viper_access_phases(w);
  const bool bends = solid == VIPER_NONE_SOLID || b->bends;
  viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  const bool rays = solid != VIPER_NONE_SOLID && viper_has_ray(w, settings);
  if (rays)
    viper_begin_descent(w, uniform);
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_note_axis(w, at));
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    // Steps of the material model solid are limited by the prediction of their own blocks; if the
    // substep ends on the ray, in sweeps with blocks only.
    bool block = iteration % VIPER_BLOCK_SWEEPS == 0 || (solid != VIPER_NONE_SOLID && !rays);
    int32_t p = range[0];
    viper_note_pulls(w, b, bends, uniform);
    for (; p < range[1] && !l->phase[p].joints; p++) {
      VIPER_EACH(w, l->node_order, l->phase[p].first, l->phase[p].count,
                 viper_descend_node(w, at, inv_h2, block, solid, uniform));
      viper_barrier(w);
    }
    viper_note_holds(w, b, bends, uniform);
    for (int32_t first = p; p < range[1]; p++) {
      if (p > first) {
        VIPER_EACH(w, NULL, b->first_joint, b->n_joints, viper_note_turn(w, at, uniform));
        viper_barrier(w);
      }
      viper_descend_frames(w, &l->phase[p], inv_h2, block, solid, uniform);
    }
  }
  if (rays)
    VIPER_END_DESCENT(w, uniform);
}

/// On a host the sweeps of each kind of body are code of their own; a device has kernels for those
/// that are not solid.
VIPER_ON_SWEEPS void viper_iterate_block_descent(viper_access *w, const viper_settings *settings,
                                                 int uniform) {
#ifdef __CUDACC__
  viper_descend(w, settings, viper_solid_of(w), uniform);
#else
  if (viper_solid_of(w) == VIPER_NONE_SOLID)
    viper_descend(w, settings, VIPER_NONE_SOLID, uniform);
  else if (viper_solid_of(w) == VIPER_ALL_SOLID)
    viper_descend(w, settings, VIPER_ALL_SOLID, uniform);
  else
    viper_descend(w, settings, VIPER_SOME_SOLID, uniform);
#endif
}

#endif
