// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` in statics (README.md, Statics): Newton's method on Phi. Each step ends with
/// steps over centers and scales alone. Included by direct.h where one body at a time is solved.
///
/// Without inertia nothing bounds a step. A slender rod turns far more easily than it stretches.
/// Frames turn by an exact rotation, but centers move on straight lines instead of arcs, which
/// lengthens the rod: a line search would take a few hundredths of the step. With fixed frames, Phi
/// is quadratic in the centers and nearly so in the scales. So VIPER_SETTLE_STEPS Gauss-Newton
/// steps minimize Phi over both before it is evaluated.
#ifndef VIPER_METHOD_EQUILIBRIUM_H
#define VIPER_METHOD_EQUILIBRIUM_H

#define VIPER_SETTLE_STEPS 2
/// Fraction of a Newton step with the Hessian below which it is not halved further.
#define VIPER_LEAST_PART 0.25

/// The state of a load step.
typedef struct viper_load_step {
  VIPER_WIDE phi;         ///< of the state at the start of the present step
  VIPER_WIDE slope;       ///< gradient . move there
  VIPER_WIDE torque_work; ///< work of torques in the whole move
  VIPER_WIDE scale;       ///< see viper_phi_scale
  VIPER_PRECISE part;     ///< fraction of the move that is taken
  bool first;             ///< whether the next step is Gauss-Newton: first derivatives of W only
} viper_load_step;

VIPER_FN void viper_step_node(viper_access *w, viper_at at, viper_real part) {
  viper_real d[4];
  viper_node_x x = viper_get_node(w, at);
  viper_node_move(w, at, d);
  x.c = viper_add(x.c, viper_scale(part, viper_vec3_make(d[0], d[1], d[2])));
  x.s = viper_bounded(x.s + part * d[3]);
  viper_set_node(w, at, x);
}

VIPER_FN void viper_step_frame(viper_access *w, viper_at at, viper_real part) {
  viper_real d[3], zero = VIPER_R(0);
  viper_quat q = viper_get_frame(w, at);
  viper_frame_move(w, at, d);
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    viper_chart chart = viper_chart_of(&held, q);
    viper_chart_move(&chart, d);
  }
  viper_vec3 turn = viper_scale(part, viper_vec3_make(d[0], d[1], d[2]));
  q = viper_quat_turn(viper_quat_mul(q, viper_quat_exp(turn)), viper_vec3_make(zero, zero, zero));
  viper_real free = viper_get_frame_free(w, at);
  viper_set_free_frame(w, at, viper_quat_either(free, q, viper_get_frame(w, at)));
}

/// The work of the torque on a frame in the whole move, J: a torque constant in space, over a turn
/// about one axis.
VIPER_FN viper_real viper_torque_work(const viper_access *w, viper_at at) {
  viper_real d[3];
  viper_quat q = viper_get_frame(w, at);
  viper_frame_move(w, at, d);
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    viper_chart chart = viper_chart_of(&held, q);
    viper_chart_move(&chart, d);
  }
  viper_vec3 torque = viper_quat_unrotate(q, viper_quat_im(viper_get_frame_hat(w, at)));
  return viper_get_frame_free(w, at) * viper_dot(torque, viper_vec3_make(d[0], d[1], d[2]));
}

/// Adds `part` of the move to nodes, and to frames unless they are held.
VIPER_ON_STATE void viper_step_by(viper_access *w, VIPER_PRECISE part) {
  const viper_model_body *b = viper_access_body(w);
  viper_real narrow = viper_narrow(VIPER_WIDE_ZERO + part);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_step_node(w, at, narrow));
  if (!w->frames_held)
    VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_step_frame(w, at, narrow));
  viper_barrier(w);
}

/// Ends a step: it is accepted if Phi fell by a fraction of the predicted decrease. Otherwise the
/// body returns to the start, and the step is halved; below VIPER_LEAST_PART the Gauss-Newton block
/// replaces the Hessian.
VIPER_ON_STATE void viper_end_step(viper_access *w, viper_load_step *step, bool uniform) {
  const VIPER_WIDE trial = VIPER_PHI(w, uniform) - step->part * step->torque_work;
  const VIPER_WIDE most = step->phi + VIPER_SUFFICIENT * step->part * step->slope +
                          viper_phi_rounding(step->phi, step->scale);
  if (!VIPER_WIDE_ANY(trial <= most)) {
    viper_apply(w, VIPER_WIDE_ZERO);
    const bool shorten = step->first || VIPER_WIDE_ANY(VIPER_WIDE_ZERO + step->part >
                                                       VIPER_WIDE_ZERO + VIPER_LEAST_PART);
    step->part = shorten ? 0.5 * step->part : 1;
    step->first = step->first || !shorten;
    return;
  }
  step->phi = trial + step->part * step->torque_work; // the next step has torque work of its own
  step->part = step->first ? 1 : 2 * step->part;
  step->first = false;
}

/// Whether the body's residual is certainly at most the tolerance.
VIPER_ON_STATE bool viper_is_within_tolerance(viper_access *w, const viper_settings *settings,
                                              bool uniform) {
  const VIPER_PRECISE tolerance = VIPER_PRECISE_CONSTANT(w, settings, tolerance);
  if (!(tolerance > 0))
    return false;
  return VIPER_WIDE_ANY(viper_gradient_norm2(w, uniform) <=
                        tolerance * tolerance * viper_pull_norm2(w, uniform));
}

/// Applies the move at the start of a step. Negative pivots are replaced by their magnitudes
/// (viper/linear/factor.h), which leads away from a saddle. The step length is then unknown, so
/// steps may grow as long as there are such pivots.
VIPER_ON_STATE void viper_take_step(viper_access *w, viper_slope found, viper_load_step *step) {
  const viper_model_body *b = viper_access_body(w);
  const bool negative = VIPER_WIDE_ANY(found.shifted > -VIPER_MOST_SHIFTED * found.slope);
  if (!negative && VIPER_WIDE_ANY(VIPER_WIDE_ZERO + step->part > VIPER_WIDE_ZERO + 1))
    step->part = 1;
  step->slope = found.slope;
  step->torque_work = VIPER_WIDE_ZERO;
  VIPER_TOTAL(w, step->torque_work, b->first_segment, b->n_segments, viper_torque_work(w, at));
  viper_note_state(w);
  viper_step_by(w, step->part);
}

/// Brings a body to an equilibrium, from the old state. As in viper_iterate_direct, the first
/// iteration omits the second derivatives, and a body may end early.
VIPER_ON_STATE void viper_iterate_static(viper_access *w, const viper_settings *settings,
                                         bool uniform) {
  const VIPER_PRECISE epsilon = (VIPER_PRECISE)VIPER_EPSILON;
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  viper_load_step step = {VIPER_PHI(w, uniform), zero, zero, viper_phi_scale(w, uniform), 1, true};
  int iteration = 0, settled = VIPER_SETTLE_STEPS;
  w->part = VIPER_R(1);
  // Assembly and solution are inlined once: they are much code.
  VIPER_ROLLED while (iteration < settings->iterations) {
    w->frames_held = settled < VIPER_SETTLE_STEPS;
    w->second = !w->frames_held && !step.first;
    viper_assemble(w, uniform);
    if (!w->frames_held && viper_is_within_tolerance(w, settings, uniform))
      return;
    const viper_slope found = viper_solve(w);
    if (!w->frames_held) {
      viper_take_step(w, found, &step);
      settled = 0;
      continue;
    }
    viper_step_by(w, 1);
    if (++settled < VIPER_SETTLE_STEPS)
      continue;
    viper_end_step(w, &step, uniform);
    iteration++;
    if (VIPER_PRECISE_CONSTANT(w, settings, tolerance) > 0 &&
        VIPER_WIDE_ANY(-step.slope <= epsilon * epsilon * step.scale))
      return;
  }
}

#endif
