// SPDX-License-Identifier: GPL-3.0-or-later
/// The constraint steps in closed form against those of constraint.h, on single segments and
/// joints: states, displacements and multipliers.
/// Covers: src/viper/method/closed_constraint.h
#define VIPER_PRECISION 64
#include "scenes/energy_cases.h"
#include "viper/method/closed_constraint.h"

#include <string.h>

static const double least = 0.05;

/// Inertias as closed forms ask for: centers as a whole, and frames that are discs.
static void round_segment(viper_real h2a[MOST_UNKNOWNS]) {
  h2a[1] = h2a[2] = h2a[0];
  h2a[5] = h2a[6] = h2a[4];
  h2a[9] = h2a[8];
  h2a[10] = 0.5 * h2a[8];
}

static void round_joint(viper_real h2a[MOST_UNKNOWNS]) {
  for (int first = 3; first <= 6; first += 3) {
    h2a[first + 1] = h2a[first];
    h2a[first + 2] = 0.5 * h2a[first];
  }
}

static void random_lambda(uint64_t *seed, double lambda[2][MOST_ROWS]) {
  for (int row = 0; row < MOST_ROWS; row++)
    lambda[0][row] = lambda[1][row] = ref_random(seed);
}

static void check_numbers(const char *what, int n, const void *a, const void *b) {
  double number[2][MOST_UNKNOWNS + MOST_ROWS];
  memcpy(number[0], a, (size_t)n * sizeof number[0][0]);
  memcpy(number[1], b, (size_t)n * sizeof number[1][0]);
  for (int k = 0; k < n; k++)
    check_close(what, number[0][k], number[1][k]);
}

/// Some scales end at their bound: the state has scales of order one, which terms move by as much.
START_TEST(segments_move_as_by_elimination) {
  uint64_t seed = 21;
  for (int i = 0; i < N_SAMPLES; i++) {
    double lambda[2][MOST_ROWS], d[2][MOST_UNKNOWNS];
    sample s = random_segment(&seed);
    viper_segment_state x[2] = {s.segment, s.segment};
    round_segment(s.h2a);
    random_lambda(&seed, lambda);
    viper_jacobi_segment(&s.segment_rest, x, s.h2a, lambda[0], d[0]);
    viper_closed_jacobi_segment(&s.segment_rest, x, s.h2a, lambda[1], d[1]);
    check_numbers("sum of a segment", VIPER_SEGMENT_UNKNOWNS, d[1], d[0]);
    check_numbers("lambda of a segment", VIPER_SEGMENT_ROWS, lambda[1], lambda[0]);
    viper_xpbd_segment(&s.segment_rest, &x[0], s.h2a, lambda[0], least);
    viper_closed_segment(&s.segment_rest, &x[1], s.h2a, lambda[1], least);
    check_numbers("segment", 12, &x[1], &x[0]);
    check_numbers("lambda of a segment", VIPER_SEGMENT_ROWS, lambda[1], lambda[0]);
  }
}
END_TEST

/// Multipliers as viper_closed_joint_along has them, or back: those of turn terms have the other
/// sign where frame j alone is stored against the path.
static void turn_signs(const viper_joint_rest *rest, const double in[MOST_ROWS],
                       double out[MOST_ROWS]) {
  const double sign = rest->flip_j < 0 && rest->flip_k > 0 ? -1 : 1;
  for (int row = 0; row < MOST_ROWS; row++)
    out[row] = row == VIPER_CLOSED_SURFACE ? in[row] : sign * in[row];
}

/// With bending factors in some, which single bodies have; with and without bend, and what acts on
/// outer scales.
START_TEST(joints_move_as_by_elimination) {
  uint64_t seed = 22;
  for (int i = 0; i < N_SAMPLES; i++) {
    const bool bends = i % 2, outer = i / 2 % 2;
    double lambda[2][MOST_ROWS], d[2][MOST_UNKNOWNS];
    sample s = random_joint(&seed);
    if (i % 3 == 0)
      s.joint.bending = (viper_bending){{0.25, 1}, {1, 0.5}};
    viper_joint_state x[2] = {s.joint, s.joint};
    round_joint(s.h2a);
    random_lambda(&seed, lambda);
    viper_jacobi_joint(&s.joint_rest, x, s.h2a, lambda[0], d[0]);
    viper_closed_jacobi_joint(&s.joint_rest, x, s.h2a, lambda[1], d[1]);
    check_numbers("sum of a joint", VIPER_JOINT_UNKNOWNS, d[1], d[0]);
    check_numbers("lambda of a joint", VIPER_JOINT_ROWS, lambda[1], lambda[0]);
    double along[MOST_ROWS];
    viper_joint_state y = s.joint;
    turn_signs(&s.joint_rest, lambda[1], along);
    viper_xpbd_joint(&s.joint_rest, &x[0], s.h2a, lambda[0], bends, outer, least);
    viper_closed_joint(&s.joint_rest, &x[1], s.h2a, lambda[1], bends, outer, least);
    check_numbers("joint", 11, &x[1], &x[0]);
    check_numbers("lambda of a joint", VIPER_JOINT_ROWS, lambda[1], lambda[0]);
    viper_closed_joint_along(&s.joint_rest, &y, s.h2a, along, bends, outer, least);
    turn_signs(&s.joint_rest, along, lambda[1]);
    check_numbers("joint along its path", 11, &y, &x[0]);
    check_numbers("lambda of a joint along its path", VIPER_JOINT_ROWS, lambda[1], lambda[0]);
  }
}
END_TEST

/// 1 + K dW H dW^T has no eigenvalue below 1, so without multipliers dlambda of bend is at most K
/// W: also where F . F - W^2/4 cancels, at half a turn across the rod and K of 1e20.
START_TEST(half_turns_of_stiff_joints_ask_for_bounded_forces) {
  uint64_t seed = 23;
  for (int i = 0; i < N_SAMPLES; i++) {
    double lambda[MOST_ROWS] = {0}, d[MOST_UNKNOWNS];
    sample s = random_joint(&seed);
    round_joint(s.h2a);
    double angle = 6 * ref_random(&seed);
    viper_quat across = {0, cos(angle), sin(angle), 0};
    s.joint.q_k = viper_quat_mul(s.joint.q_j, across);
    s.joint_rest.k_bend = 1e20;
    viper_turn turn = viper_joint_turn(&s.joint_rest, s.joint.q_j, s.joint.q_k);
    viper_power power = viper_bend_power(s.joint.s);
    double p = 0;
    for (int row = 0; row < 2; row++)
      p += pow(viper_closed_row_of(&s.joint_rest, &turn, power, row).w, 2);
    viper_closed_jacobi_joint(&s.joint_rest, &s.joint, s.h2a, lambda, d);
    ck_assert_double_le(hypot(lambda[0], lambda[1]), 1.01e20 * sqrt(p));
  }
}
END_TEST

static TCase *closed(void) {
  TCase *c = tcase_create("closed");
  tcase_add_test(c, segments_move_as_by_elimination);
  tcase_add_test(c, joints_move_as_by_elimination);
  tcase_add_test(c, half_turns_of_stiff_joints_ask_for_bounded_forces);
  return c;
}

VB_TEST_MAIN("closed constraint", closed())
