// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` in statics (README.md, Statics): Newton's on Phi, of which each step ends
/// with steps over centers and scales alone. Included by direct.h, where one body is worked on.
///
/// Without inertia nothing bounds a step. A slender rod turns far more easily than it stretches,
/// and while frames turn by an exact rotation, centers move straight: lengthened by what they are
/// off the arc, they would let a line search go a few hundredths of the way. With the frames held,
/// Phi is quadratic in the centers, and near it in the scales; so VIPER_SETTLE_STEPS of
/// Gauss-Newton bring both to where these frames want them, before Phi is looked at.
#ifndef VIPER_METHOD_EQUILIBRIUM_H
#define VIPER_METHOD_EQUILIBRIUM_H

#define VIPER_SETTLE_STEPS 2
/// Part of a step of the Hessian's that is not halved any more.
#define VIPER_LEAST_PART 0.25

/// A load step at work.
typedef struct viper_load_step {
  VIPER_WIDE phi;         ///< of the state that the step at work starts from
  VIPER_WIDE slope;       ///< gradient . move there
  VIPER_WIDE torque_work; ///< work of torques in the whole move
  VIPER_WIDE scale;       ///< see viper_phi_scale
  VIPER_PRECISE part;     ///< of the move that is taken
  bool first;             ///< whether the next step has first derivatives of W alone: Gauss-Newton
} viper_load_step;

VIPER_FN void viper_step_node(viper_access *w, viper_at at, viper_real part) {
  viper_real d[4];
  viper_node_x x = viper_get_node(w, at);
  viper_get_node_move(w, at, d);
  x.c = viper_add(x.c, viper_scale(part, viper_vec3_make(d[0], d[1], d[2])));
  x.s = viper_bounded(x.s + part * d[3]);
  viper_set_node(w, at, x);
}

VIPER_FN void viper_step_frame(viper_access *w, viper_at at, viper_real part) {
  viper_real d[3], zero = VIPER_R(0);
  viper_quat q = viper_get_frame(w, at);
  viper_get_frame_move(w, at, d);
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

/// The work that the torque on a frame does in the whole move, J: a torque that is constant in
/// space, over a turn about one axis.
VIPER_FN viper_real viper_torque_work(const viper_access *w, viper_at at) {
  viper_real d[3];
  viper_quat q = viper_get_frame(w, at);
  viper_get_frame_move(w, at, d);
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    viper_chart chart = viper_chart_of(&held, q);
    viper_chart_move(&chart, d);
  }
  viper_vec3 torque = viper_quat_unrotate(q, viper_quat_im(viper_get_frame_hat(w, at)));
  return viper_get_frame_free(w, at) * viper_dot(torque, viper_vec3_make(d[0], d[1], d[2]));
}

/// Adds `part` of the move; of the frames, too, but where they are held.
VIPER_ON_STATE void viper_step_by(viper_access *w, VIPER_PRECISE part) {
  const viper_model_body *b = viper_access_body(w);
  viper_real narrow = viper_narrow(VIPER_WIDE_ZERO + part);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_step_node(w, at, narrow));
  if (!w->frames_held)
    VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_step_frame(w, at, narrow));
  viper_barrier(w);
}

/// Ends a step: it is taken if Phi fell by a part of what it promised. Else the body goes back, and
/// the step is halved; after VIPER_LEAST_PART the Hessian gives way to the Gauss-Newton block.
VIPER_ON_STATE void viper_end_step(viper_access *w, viper_load_step *step, bool uniform) {
  const VIPER_WIDE trial = viper_phi(w, uniform) - step->part * step->torque_work;
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
  step->phi = trial + step->part * step->torque_work; // the next step has its own work of torques
  step->part = step->first ? 1 : 2 * step->part;
  step->first = false;
}

/// Whether the body's residual is surely at most the tolerance.
VIPER_ON_STATE bool viper_is_within_tolerance(viper_access *w, const viper_settings *settings,
                                              bool uniform) {
  const VIPER_PRECISE tolerance = VIPER_PRECISE_CONSTANT(w, settings, tolerance);
  if (!(tolerance > 0))
    return false;
  return VIPER_WIDE_ANY(viper_gradient_norm2(w, uniform) <=
                        tolerance * tolerance * viper_pull_norm2(w, uniform));
}

/// Takes the move at a step's start. Negative pivots count by their magnitudes
/// (viper/linear/factor.h): that leads away from a saddle, where nothing says how far, so that
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

/// Brings a body to an equilibrium, from the old state. The first iteration leaves the second
/// derivatives out, and a body ends early, as in viper_iterate_direct.
VIPER_ON_STATE void viper_iterate_static(viper_access *w, const viper_settings *settings,
                                         bool uniform) {
  const VIPER_PRECISE epsilon = (VIPER_PRECISE)VIPER_EPSILON;
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  viper_load_step step = {viper_phi(w, uniform), zero, zero, viper_phi_scale(w, uniform), 1, true};
  int iteration = 0, settled = VIPER_SETTLE_STEPS;
  w->part = VIPER_R(1);
  // One place to assemble and to solve: they are much code.
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
