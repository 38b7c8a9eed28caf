// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct`: Newton's method on Phi with a line search. Each step uses an exact
/// factorization of the Hessian (viper/energy/second.h), with safeguards for pivots that are not
/// positive (viper/linear/factor.h).
///
/// Written for several bodies at once: decisions for each body (starting point, step length,
/// termination) use VIPER_WIDE numbers, one for each body. Included by sources that have defined
/// element access, the type of matrix entries, and
///   VIPER_WIDE_SELECT, VIPER_WIDE_ANY, viper_narrow   choices, and a wide number as a viper_real
///   VIPER_PRECISE                                     one of a wide number
///   VIPER_PRECISE_CONSTANT(w, settings, name)         an option as such
///   VIPER_TOTAL(w, total, first, count, value)        total += the values of elements `at`
///   VIPER_TOTALS(w, total, first, count, value, first, count, value)   that of two lists, in order
///   viper_assemble, viper_solve                       gradient and matrix; moves and their slope
///   viper_gradient_norm2                              squared norm of the gradient
#ifndef VIPER_METHOD_DIRECT_H
#define VIPER_METHOD_DIRECT_H

#include "viper/method/linearize.h"
#include "viper/method/start.h"

/// Halvings of a step before it is given up, or doublings before it is enough.
#define VIPER_MOST_TRIALS 30
/// Fraction of the decrease predicted by the slope that a step must achieve (Armijo).
#define VIPER_SUFFICIENT 1e-4
/// Upper bound of the fraction of the predicted decrease that negative pivots contribute.
#define VIPER_MOST_SHIFTED 1e-4
/// Predicted decrease beyond which a solution counts as overflow, J: where successive pivots of a
/// Hessian nearly vanish, numbers grow by 1/epsilon each time, and overflow in float.
#define VIPER_MOST_PROMISED 1e30

VIPER_ON_STATE VIPER_PRECISE viper_h2(const viper_access *w) {
  VIPER_PRECISE h = (VIPER_PRECISE)w->h;
  return h * h;
}

// Phi where it is needed. Where all else is inlined, this may be a call of it.
#ifndef VIPER_PHI
#define VIPER_PHI(w, uniform) viper_phi((w), (uniform))
#endif

/// Phi of the current state, J.
VIPER_ON_STATE VIPER_WIDE viper_phi(viper_access *w, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  VIPER_WIDE inertial = VIPER_WIDE_ZERO, elastic = VIPER_WIDE_ZERO;
  VIPER_TOTALS(w, inertial, b->first_node, b->n_nodes, viper_node_phi(w, at, uniform),
               b->first_segment, b->n_segments, viper_frame_phi(w, at));
  VIPER_TOTALS(w, elastic, b->first_segment, b->n_segments, viper_segment_phi(w, at, uniform),
               b->first_joint, b->n_joints, viper_joint_phi(w, at, uniform));
  return inertial / viper_h2(w) + elastic;
}

VIPER_FN viper_real viper_node_size(const viper_access *w, viper_at at, bool uniform) {
  viper_node_x x = viper_get_node(w, at);
  if (viper_is_static(w)) {
    viper_vec3 f = viper_get_node_hat(w, at).c;
    return VIPER_R(2) *
           ((viper_signed(f.x * x.c.x, f.x * x.c.x)) +
            (viper_signed(f.y * x.c.y, f.y * x.c.y) + viper_signed(f.z * x.c.z, f.z * x.c.z)));
  }
  return viper_get_node_inertia(w, at, uniform).mass * viper_dot(x.c, x.c);
}

VIPER_FN viper_real viper_segment_size(const viper_access *w, viper_at at, bool uniform) {
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_node_x a = viper_get_node(w, viper_segment_node(w, at, 0));
  viper_real k_on = viper_segment_k_on(&rest, VIPER_SEGMENT_CENTERS);
  if (viper_solid_of(w) != VIPER_NONE_SOLID) {
    viper_solid_rest solid = viper_get_solid(w, at, uniform);
    k_on += viper_solid_k_on(&solid, VIPER_SEGMENT_CENTERS);
  }
  return k_on * (VIPER_R(1) + rest.inv_l * rest.inv_l * viper_dot(a.c, a.c));
}

VIPER_FN viper_real viper_joint_size(const viper_access *w, viper_at at, bool uniform) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  return viper_joint_k_on(&rest, VIPER_JOINT_FRAMES) * rest.inv_lm * rest.inv_lm;
}

/// The scale of the rounding error of Phi: its value if every W and every inertial displacement
/// were as large as the numbers of which it is the difference.
VIPER_ON_STATE VIPER_WIDE viper_phi_scale(viper_access *w, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  VIPER_WIDE inertial = VIPER_WIDE_ZERO, elastic = VIPER_WIDE_ZERO;
  VIPER_TOTAL(w, inertial, b->first_node, b->n_nodes, viper_node_size(w, at, uniform));
  VIPER_TOTALS(w, elastic, b->first_segment, b->n_segments, viper_segment_size(w, at, uniform),
               b->first_joint, b->n_joints, viper_joint_size(w, at, uniform));
  return 0.5 * (inertial / viper_h2(w) + elastic);
}

/// The rounding error of a Phi. In statics loads make Phi negative.
VIPER_ON_STATE VIPER_WIDE viper_phi_rounding(VIPER_WIDE phi, VIPER_WIDE scale) {
  const VIPER_PRECISE epsilon = (VIPER_PRECISE)VIPER_EPSILON;
  VIPER_WIDE size = VIPER_WIDE_SELECT(phi > 0, phi, -phi);
  return 4 * epsilon * (VIPER_WIDE_SQRT(size * scale) + epsilon * scale);
}

VIPER_FN void viper_inverse_node(const viper_access *w, viper_at at, bool uniform,
                                 viper_real inverse[4]) {
  viper_node_inertia a = viper_get_node_inertia(w, at, uniform);
  viper_get_free(w, at, inverse);
  VIPER_UNROLL for (int k = 0; k < 3; k++) inverse[k] /= a.mass;
  inverse[3] /= a.scale;
}

VIPER_FN void viper_inverse_frame(const viper_access *w, viper_at at, viper_real inverse[3]) {
  viper_inverse_of(w, at, viper_get_frame_free(w, at) / viper_get_inertia(w, at), inverse);
}

VIPER_FN viper_real viper_node_pull(const viper_access *w, viper_at at, bool uniform) {
  viper_real inverse[4], g[4], sum = VIPER_R(0);
  viper_inverse_node(w, at, uniform, inverse);
  viper_node_inertial_gradient(viper_get_node_inertia(w, at, uniform), viper_get_node(w, at),
                               viper_get_node_hat(w, at), g);
  if (viper_is_static(w))
    viper_node_load_gradient(viper_get_node_hat(w, at), g);
  VIPER_UNROLL for (int k = 0; k < 4; k++) sum += g[k] * g[k] * inverse[k];
  return sum;
}

VIPER_FN viper_real viper_frame_pull(const viper_access *w, viper_at at) {
  viper_real inverse[3], g[3], h[3][3], sum = VIPER_R(0);
  viper_inverse_frame(w, at, inverse);
  viper_block_of(w, at, viper_get_inertia(w, at), viper_get_frame(w, at),
                 viper_get_frame_hat(w, at), g, h);
  if (viper_is_static(w))
    viper_frame_load_gradient(viper_get_frame(w, at), viper_get_frame_hat(w, at), g);
  viper_project_frame(w, at, g);
  VIPER_UNROLL for (int k = 0; k < 3; k++) sum += g[k] * g[k] * inverse[k];
  return sum;
}

/// Squared norm of the inertial part of the gradient, loads included, or in statics of the loads.
/// The norm never exceeds the denominator of the residual (README.md), which sums the norms of
/// inertia, loads and contact forces separately.
VIPER_ON_STATE VIPER_WIDE viper_pull_norm2(viper_access *w, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  VIPER_WIDE sum = VIPER_WIDE_ZERO;
  VIPER_TOTALS(w, sum, b->first_node, b->n_nodes, viper_node_pull(w, at, uniform), b->first_segment,
               b->n_segments, viper_frame_pull(w, at));
  return sum / (viper_h2(w) * viper_h2(w));
}

VIPER_FN void viper_note_start(viper_access *w, viper_at at) {
  viper_set_node_start(w, at, viper_get_node(w, at));
}

VIPER_FN void viper_note_frame_start(viper_access *w, viper_at at) {
  viper_set_frame_start(w, at, viper_get_frame(w, at));
}

/// Stores the state as the start of a step or of a choice.
VIPER_ON_STATE void viper_note_state(viper_access *w) {
  const viper_model_body *b = viper_access_body(w);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_note_start(w, at));
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_note_frame_start(w, at));
  viper_barrier(w);
}

/// `a` where alpha > 0, else `b`.
VIPER_FN viper_node_x viper_node_either(viper_real alpha, viper_node_x a, viper_node_x b) {
  viper_node_x x;
  x.c.x = VIPER_SELECT(alpha > 0, a.c.x, b.c.x);
  x.c.y = VIPER_SELECT(alpha > 0, a.c.y, b.c.y);
  x.c.z = VIPER_SELECT(alpha > 0, a.c.z, b.c.z);
  x.s = VIPER_SELECT(alpha > 0, a.s, b.s);
  return x;
}

VIPER_FN viper_quat viper_quat_either(viper_real alpha, viper_quat a, viper_quat b) {
  return viper_quat_make(VIPER_SELECT(alpha > 0, a.w, b.w), VIPER_SELECT(alpha > 0, a.x, b.x),
                         VIPER_SELECT(alpha > 0, a.y, b.y), VIPER_SELECT(alpha > 0, a.z, b.z));
}

/// The moves of a node and of a frame. A move of 0 has no sign: that of its sums depends on which
/// zeros of the matrix are stored (viper/linear/chain.h).
VIPER_FN void viper_node_move(const viper_access *w, viper_at at, viper_real d[4]) {
  viper_get_node_move(w, at, d);
  VIPER_UNROLL for (int k = 0; k < 4; k++) d[k] += VIPER_R(0);
}

VIPER_FN void viper_frame_move(const viper_access *w, viper_at at, viper_real d[3]) {
  viper_get_frame_move(w, at, d);
  VIPER_UNROLL for (int k = 0; k < 3; k++) d[k] += VIPER_R(0);
}

VIPER_FN void viper_apply_node(viper_access *w, viper_at at, viper_real alpha) {
  viper_real d[4];
  viper_node_x start = viper_get_node_start(w, at), x;
  viper_node_move(w, at, d);
  x.c = viper_add(start.c, viper_scale(alpha, viper_vec3_make(d[0], d[1], d[2])));
  x.s = viper_bounded(start.s + alpha * d[3]);
  viper_set_node(w, at, viper_node_either(alpha, x, start));
}

VIPER_FN void viper_apply_frame(viper_access *w, viper_at at, viper_real alpha) {
  viper_real d[3];
  viper_quat start = viper_get_frame_start(w, at);
  viper_frame_move(w, at, d);
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    viper_chart chart = viper_chart_of(&held, start);
    viper_chart_move(&chart, d);
  }
  viper_quat q = viper_quat_turn(start, viper_scale(alpha, viper_vec3_make(d[0], d[1], d[2])));
  viper_set_free_frame(w, at, viper_quat_either(alpha, q, start));
}

/// State <- start + alpha move, with scales at least their lower bound; the start itself if alpha
/// is 0.
VIPER_ON_STATE void viper_apply(viper_access *w, VIPER_WIDE alpha) {
  const viper_model_body *b = viper_access_body(w);
  viper_real a = viper_narrow(alpha);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_apply_node(w, at, a));
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_apply_frame(w, at, a));
  viper_barrier(w);
}

/// Moves along the search direction until Phi falls sufficiently, and returns the new Phi. The step
/// is halved until it does. It is doubled as long as Phi falls and stays below the line of the
/// slope: there the curvature along the direction is negative, as near the saddle of a compressed
/// bar, and the step length is unknown. Changes of Phi within its rounding error count as none;
/// otherwise the last digits would never be reached. Bodies with `active` 0 do not move.
VIPER_ON_STATE VIPER_WIDE viper_line_search(viper_access *w, VIPER_WIDE active, VIPER_WIDE start,
                                            VIPER_WIDE slope, VIPER_WIDE scale, bool uniform) {
  VIPER_WIDE rounding = viper_phi_rounding(start, scale);
  VIPER_WIDE alpha = active, pending = active, zero = VIPER_WIDE_ZERO, growing = zero, kept = zero;
  VIPER_WIDE phi = start;
  viper_note_state(w);
  VIPER_ROLLED for (int trials = 0; trials < VIPER_MOST_TRIALS; trials++) {
    viper_apply(w, alpha);
    VIPER_WIDE trial = VIPER_PHI(w, uniform), line = start + alpha * slope;
    VIPER_WIDE most = start + VIPER_SUFFICIENT * alpha * slope + rounding;
    most = VIPER_WIDE_SELECT(growing > 0, phi, most);
    VIPER_WIDE taken = VIPER_WIDE_SELECT(trial <= most, pending + growing, zero);
    phi = VIPER_WIDE_SELECT(taken > 0, trial, phi);
    kept = VIPER_WIDE_SELECT(taken > 0, alpha, kept);
    growing = VIPER_WIDE_SELECT(trial + rounding < line, taken, zero);
    growing = VIPER_WIDE_SELECT(alpha < active, zero, growing);
    pending = VIPER_WIDE_SELECT(taken > 0, zero, pending);
    VIPER_WIDE next = VIPER_WIDE_SELECT(growing > 0, alpha + alpha, kept);
    if (!VIPER_WIDE_ANY(pending + growing > 0))
      break;
    alpha = VIPER_WIDE_SELECT(pending > 0, 0.5 * alpha, next);
  }
  if (VIPER_WIDE_ANY(alpha > kept))
    viper_apply(w, kept);
  return phi;
}

VIPER_FN void viper_old_frame(viper_access *w, viper_at at) {
  viper_set_free_frame(w, at, viper_get_frame_old(w, at));
}

VIPER_FN void viper_back_to_node(viper_access *w, viper_at at, viper_real keep) {
  viper_node_x start = viper_get_node_start(w, at);
  viper_set_node(w, at, viper_node_either(keep, viper_get_node(w, at), start));
}

VIPER_FN void viper_back_to_frame(viper_access *w, viper_at at, viper_real keep) {
  viper_quat start = viper_get_frame_start(w, at);
  viper_set_free_frame(w, at, viper_quat_either(keep, viper_get_frame(w, at), start));
}

/// Moves free unknowns to the drift without forces, with predicted frames, or (`back`) to the old
/// state. The body is shifted as a whole if no center is pinned. Nodes that follow drivers are then
/// moved by these.
VIPER_ON_STATE void viper_place_start(viper_access *w, bool back, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  viper_real part = back ? VIPER_R(0) : VIPER_R(w->h);
  viper_vec3 shift = viper_mean_shift(w, &part, uniform);
  if (back)
    viper_note_state(w);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_place_node(w, at, part, shift));
  viper_follow_nodes(w);
  if (back)
    VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_old_frame(w, at));
  viper_barrier(w);
}

/// Chooses the starting point: the drift without forces or the old state, whichever has the lower
/// Phi (pinned unknowns stay at their targets). The drift suits motion, the old state suits steps
/// much longer than the time scales of the motion. The prediction accelerates each node
/// independently, which tears a falling rod from its clamp. If both differ by rounding only, as for
/// a body at rest, the drift is chosen, because the last digits of the sums are not those of a
/// device. A continued substep starts at the present state. Returns Phi there.
VIPER_ON_STATE VIPER_WIDE viper_choose_start(viper_access *w, bool continued, bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  VIPER_WIDE drifted = VIPER_WIDE_ZERO, zero = VIPER_WIDE_ZERO, phi = zero;
  // A loop, because Phi is too much code to inline twice.
  VIPER_ROLLED for (int k = 0; k < 2; k++) {
    drifted = phi;
    if (!continued)
      viper_place_start(w, k == 1, uniform);
    phi = VIPER_PHI(w, uniform);
    if (continued)
      return phi;
  }
  const VIPER_WIDE less = drifted - 4 * (VIPER_PRECISE)VIPER_EPSILON * drifted;
  viper_real keep = viper_narrow(VIPER_WIDE_SELECT(phi < less, zero + 1, zero));
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_back_to_node(w, at, keep));
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_back_to_frame(w, at, keep));
  viper_barrier(w);
  return VIPER_WIDE_SELECT(phi < less, phi, drifted);
}

/// The search direction of an iteration.
typedef struct viper_newton_step {
  VIPER_WIDE slope;   ///< gradient . move
  VIPER_WIDE saddle;  ///< 1 for bodies that have been at a saddle in this substep, else 0
  VIPER_WIDE shifted; ///< 1 for bodies whose matrix has shifted pivots, else 0
} viper_newton_step;

VIPER_FN void viper_shift_node(viper_access *w, viper_at at, viper_real move, viper_vec3 shift) {
  viper_node_x x = viper_get_node(w, at), to = x;
  to.c = viper_add(x.c, shift);
  viper_set_node(w, at, viper_node_either(move, to, x));
}

/// Shifted pivots restrain nodes, and so take momentum from a body without pinned centers. Shifts
/// the body as a whole to where the step of the Hessian itself would move it. Returns Phi there.
VIPER_ON_STATE VIPER_WIDE viper_keep_momentum(viper_access *w, VIPER_WIDE shifted, VIPER_WIDE phi,
                                              bool uniform) {
  const viper_model_body *b = viper_access_body(w);
  if (!b->free_center || !VIPER_WIDE_ANY(shifted > 0))
    return phi;
  const viper_vec3 shift = viper_mean_shift(w, NULL, uniform);
  const viper_real move = viper_narrow(shifted);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_shift_node(w, at, move, shift));
  viper_barrier(w);
  return VIPER_WIDE_SELECT(shifted > 0, VIPER_PHI(w, uniform), phi);
}

/// Solves for the moves with the assembled matrix. Once in a substep, a Hessian with negative
/// pivots is used with their magnitudes, which leaves a saddle fast. (If iterations are called one
/// by one, so that contacts or bundles move the body in between, this is not remembered: there only
/// the second iteration may.) From then on the Gauss-Newton block of the body replaces the Hessian
/// if these pivots contribute more than VIPER_MOST_SHIFTED of the predicted decrease: magnitudes
/// would turn a bent bar by large angles about its axis, about which nothing holds it. The block
/// also replaces it if the solution overflows. Returns whether the matrix must be assembled again
/// for that.
VIPER_ON_STATE bool viper_find_moves(viper_access *w, VIPER_WIDE active, viper_newton_step *step) {
  const viper_slope found = viper_solve(w);
  VIPER_WIDE zero = VIPER_WIDE_ZERO, one = zero + 1;
  VIPER_WIDE most = -VIPER_MOST_SHIFTED * found.slope;
  VIPER_WIDE again = VIPER_WIDE_SELECT(found.shifted > most, step->saddle, zero);
  again = VIPER_WIDE_SELECT(found.slope > zero - VIPER_MOST_PROMISED, again, one); // NaNs, too
  again = VIPER_WIDE_SELECT(active > zero, again, zero);
  step->slope = found.slope;
  step->shifted = VIPER_WIDE_SELECT(found.shifted > zero, active, zero);
  if (!w->second)
    return false;
  step->saddle = VIPER_WIDE_SELECT(found.shifted > most, one, step->saddle);
  step->saddle = VIPER_WIDE_SELECT(again > zero, one, step->saddle);
  w->part = viper_narrow(VIPER_WIDE_SELECT(again > zero, zero, one));
  return VIPER_WIDE_ANY(again > zero);
}

#ifndef VIPER_NO_STATICS
#include "viper/method/equilibrium.h"
#else
#define viper_iterate_static(w, settings, uniform) ((void)0)
#endif

VIPER_FN viper_newton_step viper_begin_newton(const viper_settings *settings) {
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  viper_newton_step step = {zero, settings->continued > 1 ? zero + 1 : zero, zero};
  return step;
}

/// Moves a body to near the minimum of Phi. The first iteration omits the second derivatives: they
/// are weighted by the forces at the start, most of which come from the lengthening by straight
/// motions, and Gauss-Newton removes such forces of any size. A body ends early if its residual is
/// certainly below `tolerance`, or if the predicted decrease is less than the energy of rounding
/// errors, as for a body at rest.
VIPER_ON_STATE void viper_iterate_direct(viper_access *w, const viper_settings *settings,
                                         bool uniform) {
  const VIPER_PRECISE epsilon = (VIPER_PRECISE)VIPER_EPSILON;
  const VIPER_PRECISE tolerance = VIPER_PRECISE_CONSTANT(w, settings, tolerance);
  VIPER_WIDE zero = VIPER_WIDE_ZERO, active = zero + 1;
  if (viper_is_static(w)) {
    viper_iterate_static(w, settings, uniform);
    return;
  }
  VIPER_WIDE phi = viper_choose_start(w, settings->continued, uniform);
  VIPER_WIDE scale = viper_phi_scale(w, uniform);
  viper_newton_step step = viper_begin_newton(settings);
  VIPER_ROLLED for (int iteration = 0; iteration < settings->iterations; iteration++) {
    w->second = iteration > 0 || settings->continued;
    w->part = VIPER_R(1);
    VIPER_ROLLED for (int attempt = 0; attempt < 2; attempt++) {
      viper_assemble(w, uniform);
      if (tolerance > 0 && attempt == 0) {
        VIPER_WIDE norm = viper_gradient_norm2(w, uniform);
        VIPER_WIDE most = tolerance * tolerance * viper_pull_norm2(w, uniform);
        active = VIPER_WIDE_SELECT(norm <= most, zero, active);
      }
      if (!VIPER_WIDE_ANY(active > 0))
        return;
      if (!viper_find_moves(w, active, &step))
        break;
    }
    phi = viper_line_search(w, active, phi, step.slope, scale, uniform);
    phi = viper_keep_momentum(w, step.shifted, phi, uniform);
    if (tolerance > 0)
      active = VIPER_WIDE_SELECT(-step.slope <= epsilon * epsilon * scale, zero, active);
  }
}

#endif
