// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `xpbd`: constraints one after the other, with accumulated multipliers. Its phases,
/// with a barrier after each, are the colors of the model.
#ifndef VIPER_METHOD_XPBD_H
#define VIPER_METHOD_XPBD_H

#include "viper/method/multipliers.h"

/// A segment, in a scene with frames that are no discs if `moments`, in a body with the material
/// model solid if `solid`; neither if `closed` (closed_constraint.h).
VIPER_FN void viper_xpbd_stretch(viper_access *w, viper_at at, bool solid, bool closed,
                                 bool moments, int uniform) {
  viper_real h2a[VIPER_SEGMENT_UNKNOWNS];
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  viper_segment_h2a(w, at, closed, moments, h2a);
  viper_segment_lambda lambda = viper_get_segment_lambda(w, at);
  if (solid) {
    viper_solid_rest solid_rest = viper_get_solid(w, at, uniform);
    viper_xpbd_solid_segment(&rest, &solid_rest, viper_solid_of(w) == VIPER_ALL_SOLID, &x, h2a,
                             lambda.row, VIPER_MINIMUM_SCALE);
  } else if (closed) {
    viper_closed_segment(&rest, &x, h2a, lambda.row, VIPER_MINIMUM_SCALE);
  } else {
    viper_xpbd_segment(&rest, &x, h2a, lambda.row, VIPER_MINIMUM_SCALE);
  }
  viper_node_x a = {x.c_a, x.s_a}, b = {x.c_b, x.s_b};
  viper_set_segment_lambda(w, at, lambda);
  viper_set_node(w, viper_segment_node(w, at, 0), a);
  viper_set_node(w, viper_segment_node(w, at, 1), b);
  viper_move_frame(w, at, closed, h2a[8], x.q);
}

/// A joint, in a scene with fused rods if `fused`, in a body with the term bend if `bends`, in a
/// scene with frames that are no discs if `moments`; neither fused nor with these if `closed`.
VIPER_FN void viper_xpbd_turn(viper_access *w, viper_at at, bool fused, bool bends, bool closed,
                              bool moments, int uniform) {
  viper_real h2a[VIPER_JOINT_UNKNOWNS];
  bool outer = viper_joint_outer(w, at);
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = fused ? viper_get_fused_joint(w, at) : viper_get_joint(w, at);
  viper_joint_h2a(w, at, closed, moments, h2a);
  viper_joint_lambda lambda = viper_get_joint_lambda(w, at);
  if (closed)
    viper_closed_joint_along(&rest, &x, h2a, lambda.row, bends, outer, VIPER_MINIMUM_SCALE);
  else
    viper_xpbd_joint(&rest, &x, h2a, lambda.row, bends, outer, VIPER_MINIMUM_SCALE);
  viper_set_joint_lambda(w, at, lambda);
  if (outer) {
    viper_set_scale(w, viper_joint_node(w, at, 0), x.s_prev);
    viper_set_scale(w, viper_joint_node(w, at, 2), x.s_next);
  }
  // Last: if outer scales are not moved, all three may be this one.
  viper_set_scale(w, viper_joint_node(w, at, 1), x.s);
  viper_move_frame(w, viper_joint_segment(w, at, 0), closed, h2a[3], x.q_j);
  viper_move_frame(w, viper_joint_segment(w, at, 1), closed, h2a[6], x.q_k);
}

/// A phase, whatever the body has. Kernels that are not compiled with the material model solid know
/// that it has none of these segments.
VIPER_FN void viper_xpbd_on_any(viper_access *w, const viper_phase *phase, bool closed,
                                bool moments, int uniform) {
  const bool fused = viper_has_fused(w), bends = (fused && !moments) || viper_bends(w);
  const bool solid = viper_solid_of(w) != VIPER_NONE_SOLID;
  if (phase->joints)
    VIPER_EACH(w, VIPER_ROUNDS_OF(w), phase->first, phase->count,
               viper_xpbd_turn(w, at, fused, bends, closed, moments, uniform));
  else
    VIPER_EACH(w, VIPER_ROUNDS_OF(w), phase->first, phase->count,
               viper_xpbd_stretch(w, at, solid, closed, moments, uniform));
}

#ifdef __CUDACC__
/// One code for all scenes: what a scene has is looked at for each element.
VIPER_FN void viper_xpbd_phase(viper_access *w, const viper_phase *phase, bool closed,
                               int uniform) {
  viper_xpbd_on_any(w, phase, closed, viper_has_moments(w), uniform);
}
#else
/// The segments of a phase in a body with the material model solid; out of line, so that loops of
/// other bodies stay as they are.
VIPER_OUT_OF_LINE void viper_xpbd_on_solid(viper_access *w, const viper_phase *phase, int uniform) {
  VIPER_EACH(w, NULL, phase->first, phase->count,
             viper_xpbd_stretch(w, at, true, false, false, uniform));
}

VIPER_FN void viper_xpbd_on_joint(viper_access *w, viper_at at, int uniform) {
  viper_xpbd_turn(w, at, false, true, VIPER_CLOSED_FORMS, false, uniform);
}

/// The joints of a phase in a scene with fused rods; out of line, so that loops of other scenes
/// stay as they are.
VIPER_OUT_OF_LINE void viper_xpbd_on_fused(viper_access *w, const viper_phase *phase, int uniform) {
  VIPER_EACH(w, NULL, phase->first, phase->count,
             viper_xpbd_turn(w, at, true, true, false, false, uniform));
}

/// The same in a body without the term bend.
VIPER_FN void viper_xpbd_without_bend(viper_access *w, const viper_phase *phase, int uniform) {
  VIPER_EACH(w, NULL, phase->first, phase->count,
             viper_xpbd_turn(w, at, false, false, VIPER_CLOSED_FORMS, false, uniform));
}

/// A phase in a scene with frames that are no discs.
VIPER_OUT_OF_LINE void viper_xpbd_with_moments(viper_access *w, const viper_phase *phase,
                                               int uniform) {
  viper_xpbd_on_any(w, phase, false, true, uniform);
}

/// A phase of a body without closed forms in fast arithmetic.
VIPER_OUT_OF_LINE void viper_xpbd_not_closed(viper_access *w, const viper_phase *phase,
                                             int uniform) {
  viper_xpbd_on_any(w, phase, false, false, uniform);
}

VIPER_FN void viper_xpbd_phase(viper_access *w, const viper_phase *phase, bool closed,
                               int uniform) {
  if (viper_has_moments(w))
    viper_xpbd_with_moments(w, phase, uniform);
  else if (VIPER_CLOSED_FORMS && !closed)
    viper_xpbd_not_closed(w, phase, uniform);
  else if (phase->joints && viper_has_fused(w))
    viper_xpbd_on_fused(w, phase, uniform);
  else if (phase->joints && !viper_bends(w))
    viper_xpbd_without_bend(w, phase, uniform);
  else if (phase->joints)
    VIPER_EACH(w, NULL, phase->first, phase->count, viper_xpbd_on_joint(w, at, uniform));
  else if (viper_solid_of(w) != VIPER_NONE_SOLID)
    viper_xpbd_on_solid(w, phase, uniform);
  else
    VIPER_EACH(w, NULL, phase->first, phase->count,
               viper_xpbd_stretch(w, at, false, VIPER_CLOSED_FORMS, false, uniform));
}
#endif

VIPER_FN void viper_iterate_xpbd(viper_access *w, const viper_settings *settings, int uniform) {
  const viper_model_body *body = viper_access_body(w);
  const bool closed = viper_has_closed_forms(w);
  viper_start_constraints(w, !settings->continued, uniform);
  for (int iteration = 0; iteration < settings->iterations; iteration++)
    for (int32_t p = body->first_phase; p < body->first_phase + body->n_phases; p++) {
      viper_xpbd_phase(w, &w->model->phase[p], closed, uniform);
      viper_barrier(w);
    }
}

#endif
