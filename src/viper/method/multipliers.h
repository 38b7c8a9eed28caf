// SPDX-License-Identifier: GPL-3.0-or-later
/// Shared by the methods with multipliers: h^2 over the inertias of a stencil, and the start of a
/// substep. The point-wise step of a constraint is in viper/method/constraint.h.
#ifndef VIPER_METHOD_MULTIPLIERS_H
#define VIPER_METHOD_MULTIPLIERS_H

#include "viper/method/closed_constraint.h"
#include "viper/method/elements.h"
#include "viper/method/fields.h"
#include "viper/method/frame_pin.h"
#include "viper/method/moments.h"

/// h^2 times the inverse inertias of a node, 0 where pinned. If `closed`, no center is pinned, and
/// no frame held, in part.
VIPER_FN void viper_node_h2a(const viper_access *w, viper_at at, bool closed, viper_real out[4]) {
  viper_node_inertia a = viper_get_h2a(w, at);
  out[0] = out[1] = out[2] = a.mass;
  out[3] = a.scale;
  if (!closed && viper_node_pinned(w, at)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    VIPER_UNROLL for (int k = 0; k < 3; k++) out[k] *= free[k];
  }
}

/// The same of a frame, 0 along a held component. With `moments` the frame may be no disc.
VIPER_FN void viper_frame_h2a(const viper_access *w, viper_at at, bool closed, bool moments,
                              viper_real out[3]) {
  viper_real a = viper_get_frame_h2a(w, at);
  out[0] = out[1] = a;
  out[2] = VIPER_R(0.5) * a;
  if (moments)
    viper_inverse_of(w, at, a, out);
  if (!closed && viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    out[0] *= held.free.x;
    out[1] *= held.free.y;
    out[2] *= held.free.z;
  }
}

VIPER_FN void viper_segment_h2a(const viper_access *w, viper_at at, bool closed, bool moments,
                                viper_real out[VIPER_SEGMENT_UNKNOWNS]) {
  viper_node_h2a(w, viper_segment_node(w, at, 0), closed, out);
  viper_node_h2a(w, viper_segment_node(w, at, 1), closed, out + 4);
  viper_frame_h2a(w, at, closed, moments, out + 8);
}

VIPER_FN void viper_joint_h2a(const viper_access *w, viper_at at, bool closed, bool moments,
                              viper_real out[VIPER_JOINT_UNKNOWNS]) {
  VIPER_UNROLL for (int k = 0; k < 3; k++) out[k] =
      viper_get_h2a(w, viper_joint_node(w, at, k)).scale;
  viper_frame_h2a(w, viper_joint_segment(w, at, 0), closed, moments, out + 3);
  viper_frame_h2a(w, viper_joint_segment(w, at, 1), closed, moments, out + 6);
}

/// Moves a frame unless it is pinned. `h2a` is its first number of viper_frame_h2a, which in closed
/// forms is 0 where the frame is pinned: so a device need not read that.
VIPER_FN void viper_move_frame(viper_access *w, viper_at at, bool closed, viper_real h2a,
                               viper_quat q) {
#ifdef __CUDACC__
  if (closed) {
    if (h2a > VIPER_R(0))
      viper_set_frame(w, at, q);
    return;
  }
#endif
  (void)closed;
  (void)h2a;
  viper_set_free_frame(w, at, q);
}

/// h^2 over the inertias of a node: 0 for a scale, and for a center, that is pinned.
VIPER_FN void viper_start_node(viper_access *w, viper_at at, viper_real h2, int uniform) {
  viper_node_inertia a = viper_get_node_inertia(w, at, uniform);
  a.mass = h2 / a.mass;
  a.scale = h2 / a.scale;
  if (viper_node_pinned(w, at)) {
    viper_real free[4], zero = VIPER_R(0);
    viper_get_free(w, at, free);
    a.mass = VIPER_SELECT((free[0] + free[1]) + free[2] > zero, a.mass, zero);
    a.scale *= free[3];
  }
  viper_set_h2a(w, at, a);
}

VIPER_FN void viper_start_segment(viper_access *w, viper_at at, viper_real h2, bool begins) {
  viper_segment_lambda zero;
  VIPER_UNROLL for (int k = 0; k < VIPER_SEGMENT_ROWS; k++) zero.row[k] = VIPER_R(0);
  viper_set_frame_h2a(w, at, viper_get_frame_free(w, at) * h2 / viper_get_inertia(w, at));
  if (begins)
    viper_set_segment_lambda(w, at, zero);
}

VIPER_FN void viper_start_joint(viper_access *w, viper_at at) {
  viper_joint_lambda zero;
  VIPER_UNROLL for (int k = 0; k < VIPER_JOINT_ROWS; k++) zero.row[k] = VIPER_R(0);
  viper_set_joint_lambda(w, at, zero);
}

/// Whether a center has components that are pinned in a lane, and others that are not.
VIPER_FN bool viper_pinned_in_part(const viper_access *w, viper_at at) {
  viper_real free[4];
  if (!viper_node_pinned(w, at))
    return false;
  viper_get_free(w, at, free);
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const viper_scalar *x = (const viper_scalar *)free + lane;
    if (x[0] < x[VIPER_LANES] || x[0] > x[VIPER_LANES] || x[0] < x[2 * VIPER_LANES] ||
        x[0] > x[2 * VIPER_LANES])
      return true;
  }
  return false;
}

/// Whether a body has what closed_constraint.h asks of its nodes and frames, in fast arithmetic. Of
/// a line all rows are looked at, whose model has no nodes.
VIPER_FN bool viper_has_closed_forms(const viper_access *w) {
#ifdef __CUDACC__
  (void)w;
  return VIPER_CLOSED_FORMS;
#else
  const viper_model_body *body = viper_access_body(w);
  const viper_model_node *node = w->model->node;
  bool closed = VIPER_CLOSED_FORMS && !viper_has_moments(w) && !viper_has_held_frames(w);
  if (closed && node)
    for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
      closed = closed && !viper_is_pinned_in_part(node[i].pinned);
  else if (closed)
    VIPER_EACH(w, NULL, body->first_node, body->n_nodes,
               closed = closed && !viper_pinned_in_part(w, at));
  return closed;
#endif
}

/// Sets h^2 over the inertias, and multipliers to 0 if the substep begins.
VIPER_FN void viper_start_constraints(viper_access *w, bool begins, int uniform) {
  const viper_model_body *body = viper_access_body(w);
  viper_real h2 = VIPER_R(w->h * w->h);
  VIPER_EACH(w, NULL, body->first_node, body->n_nodes, viper_start_node(w, at, h2, uniform));
  VIPER_EACH(w, NULL, body->first_segment, body->n_segments,
             viper_start_segment(w, at, h2, begins));
  if (begins)
    VIPER_EACH(w, NULL, body->first_joint, body->n_joints, viper_start_joint(w, at));
  viper_barrier(w);
}

#endif
