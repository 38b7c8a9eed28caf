// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `jacobi-published`: all constraints from one state, displacements averaged. Its
/// phases, with a barrier after each, are the colors of the model, all reading one state, then all
/// unknowns.
#ifndef VIPER_METHOD_JACOBI_PUBLISHED_H
#define VIPER_METHOD_JACOBI_PUBLISHED_H

#include "viper/method/multipliers.h"

VIPER_FN void viper_add_node_sum(viper_access *w, viper_at at, const viper_real d[4]) {
  viper_node_x sum = viper_get_node_sum(w, at);
  sum.c = viper_add(sum.c, viper_vec3_make(d[0], d[1], d[2]));
  sum.s += d[3];
  viper_set_node_sum(w, at, sum);
}

VIPER_FN void viper_add_scale_sum(viper_access *w, viper_at at, viper_real ds) {
  viper_node_x sum = viper_get_node_sum(w, at);
  sum.s += ds;
  viper_set_node_sum(w, at, sum);
}

VIPER_FN void viper_add_frame_sum(viper_access *w, viper_at at, const viper_real d[3]) {
  viper_vec3 sum = viper_get_frame_sum(w, at);
  viper_set_frame_sum(w, at, viper_add(sum, viper_vec3_make(d[0], d[1], d[2])));
}

VIPER_FN void viper_jacobi_on_segment(viper_access *w, viper_at at, bool closed, bool moments,
                                      int uniform) {
  viper_real h2a[VIPER_SEGMENT_UNKNOWNS], d[VIPER_SEGMENT_UNKNOWNS];
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  viper_segment_h2a(w, at, closed, moments, h2a);
  viper_segment_lambda lambda = viper_get_segment_lambda(w, at);
  if (closed)
    viper_closed_jacobi_segment(&rest, &x, h2a, lambda.row, d);
  else
    viper_jacobi_segment(&rest, &x, h2a, lambda.row, d);
  viper_set_segment_lambda(w, at, lambda);
  viper_add_node_sum(w, viper_segment_node(w, at, 0), d);
  viper_add_node_sum(w, viper_segment_node(w, at, 1), d + 4);
  viper_add_frame_sum(w, at, d + 8);
}

VIPER_FN void viper_jacobi_on_joint(viper_access *w, viper_at at, bool closed, bool moments,
                                    int uniform) {
  viper_real h2a[VIPER_JOINT_UNKNOWNS], d[VIPER_JOINT_UNKNOWNS];
  bool outer = viper_joint_outer(w, at);
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_joint(w, at);
  viper_joint_h2a(w, at, closed, moments, h2a);
  viper_joint_lambda lambda = viper_get_joint_lambda(w, at);
  if (closed)
    viper_closed_jacobi_joint(&rest, &x, h2a, lambda.row, d);
  else
    viper_jacobi_joint(&rest, &x, h2a, lambda.row, d);
  viper_set_joint_lambda(w, at, lambda);
  if (outer) {
    viper_add_scale_sum(w, viper_joint_node(w, at, 0), d[0]);
    viper_add_scale_sum(w, viper_joint_node(w, at, 2), d[2]);
  }
  viper_add_scale_sum(w, viper_joint_node(w, at, 1), d[1]);
  viper_add_frame_sum(w, viper_joint_segment(w, at, 0), d + 3);
  viper_add_frame_sum(w, viper_joint_segment(w, at, 1), d + 6);
}

VIPER_FN void viper_clear_node_sum(viper_access *w, viper_at at) {
  const viper_real zero = VIPER_R(0);
  viper_node_x sum = {{zero, zero, zero}, zero};
  viper_set_node_sum(w, at, sum);
}

VIPER_FN void viper_clear_frame_sum(viper_access *w, viper_at at) {
  const viper_real zero = VIPER_R(0);
  viper_set_frame_sum(w, at, viper_vec3_make(zero, zero, zero));
}

/// Moves a node by `relaxation` times the mean displacement of its terms, and clears the sum.
VIPER_FN void viper_jacobi_move_node(viper_access *w, viper_at at, viper_scalar relaxation) {
  viper_node_x x = viper_get_node(w, at), sum = viper_get_node_sum(w, at);
  viper_node_inertia weight = viper_get_node_weight(w, at);
  x.c = viper_add(x.c, viper_scale(relaxation * weight.mass, sum.c));
  x.s = viper_bounded(x.s + relaxation * weight.scale * sum.s);
  viper_set_node(w, at, x);
  viper_clear_node_sum(w, at);
}

VIPER_FN void viper_jacobi_move_frame(viper_access *w, viper_at at, viper_scalar relaxation) {
  viper_vec3 turn =
      viper_scale(relaxation * viper_get_frame_weight(w, at), viper_get_frame_sum(w, at));
  viper_set_free_frame(w, at, viper_quat_turn(viper_get_frame(w, at), turn));
  viper_clear_frame_sum(w, at);
}

/// A phase in a scene with frames that are no discs if `moments`, which has none if `closed`
/// (closed_constraint.h).
VIPER_FN void viper_jacobi_on_phase(viper_access *w, const viper_phase *phase, bool closed,
                                    bool moments, int uniform) {
  if (phase->joints)
    VIPER_EACH(w, VIPER_ROUNDS_OF(w), phase->first, phase->count,
               viper_jacobi_on_joint(w, at, closed, moments, uniform));
  else
    VIPER_EACH(w, VIPER_ROUNDS_OF(w), phase->first, phase->count,
               viper_jacobi_on_segment(w, at, closed, moments, uniform));
}

#ifdef __CUDACC__
/// A phase: one code for all scenes, as of `xpbd`.
VIPER_FN void viper_jacobi_phase(viper_access *w, const viper_phase *phase, bool closed,
                                 int uniform) {
  viper_jacobi_on_phase(w, phase, closed, viper_has_moments(w), uniform);
}
#else
/// With moments out of line, so that loops of other scenes stay as they are.
VIPER_OUT_OF_LINE void viper_jacobi_with_moments(viper_access *w, const viper_phase *phase,
                                                 int uniform) {
  viper_jacobi_on_phase(w, phase, false, true, uniform);
}

/// A phase of a body without closed forms in fast arithmetic, out of line likewise.
VIPER_OUT_OF_LINE void viper_jacobi_not_closed(viper_access *w, const viper_phase *phase,
                                               int uniform) {
  viper_jacobi_on_phase(w, phase, false, false, uniform);
}

VIPER_FN void viper_jacobi_phase(viper_access *w, const viper_phase *phase, bool closed,
                                 int uniform) {
  if (viper_has_moments(w))
    viper_jacobi_with_moments(w, phase, uniform);
  else if (VIPER_CLOSED_FORMS && !closed)
    viper_jacobi_not_closed(w, phase, uniform);
  else
    viper_jacobi_on_phase(w, phase, VIPER_CLOSED_FORMS, false, uniform);
}
#endif

VIPER_FN void viper_iterate_jacobi_published(viper_access *w, const viper_settings *settings,
                                             int uniform) {
  const viper_model_body *body = viper_access_body(w);
  const viper_scalar relaxation = viper_access_constants(w, settings).relaxation;
  const bool closed = viper_has_closed_forms(w);
  if (!settings->continued) {
    VIPER_EACH(w, NULL, body->first_node, body->n_nodes, viper_clear_node_sum(w, at));
    VIPER_EACH(w, NULL, body->first_segment, body->n_segments, viper_clear_frame_sum(w, at));
  }
  viper_start_constraints(w, !settings->continued, uniform);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    for (int32_t p = body->first_phase; p < body->first_phase + body->n_phases; p++) {
      viper_jacobi_phase(w, &w->model->phase[p], closed, uniform);
      viper_barrier(w);
    }
    VIPER_EACH(w, NULL, body->first_node, body->n_nodes, viper_jacobi_move_node(w, at, relaxation));
    VIPER_EACH(w, NULL, body->first_segment, body->n_segments,
               viper_jacobi_move_frame(w, at, relaxation));
    viper_barrier(w);
  }
}

#endif
