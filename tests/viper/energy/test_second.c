// SPDX-License-Identifier: GPL-3.0-or-later
/// Second derivatives of the terms and of a frame's inertia against differences of their gradients,
/// which test_energy and test_inertia check on their own.
/// Covers: src/viper/energy/inertia.h src/viper/energy/*bend.h src/viper/energy/section.h
/// Covers: src/viper/energy/stretch.h src/viper/energy/taper.h src/viper/energy/twist.h
/// Covers: src/viper/energy/volume*.h
#define VIPER_PRECISION 64
#include "scenes/second_cases.h"
#include "viper/energy/inertia.h"

START_TEST(second_derivatives_are_differences_of_gradients) {
  check_second_derivatives(200);
}
END_TEST

/// An element without any rest data, as in lanes that hold none, adds nothing.
START_TEST(nothing_adds_nothing) {
  uint64_t seed = 22;
  DESCENT_STATES(&seed)
  double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS] = {{0}};
  double hj[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS] = {{0}};
  memset(&segment_rest, 0, sizeof segment_rest);
  memset(&joint_rest, 0, sizeof joint_rest);
  viper_segment_add_second(&segment_rest, &segment, h);
  viper_joint_add_second(&joint_rest, &joint, hj);
  for (int i = 0; i < VIPER_SEGMENT_UNKNOWNS; i++)
    for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++)
      ck_assert(h[i][k] == 0);
  for (int i = 0; i < VIPER_JOINT_UNKNOWNS; i++)
    for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++)
      ck_assert(hj[i][k] == 0);
}
END_TEST

/// The gradient and block of a frame, of a disc or, with `moments`, of any.
static void frame_block(double a, const viper_moments *moments, viper_quat q, viper_quat hat,
                        double g[3], double h[3][3]) {
  if (moments)
    viper_moments_block(a, *moments, q, hat, g, h);
  else
    viper_frame_inertial_block(a, q, hat, g, h);
}

/// Up to a half turn from the prediction.
START_TEST(inertia_of_frames) {
  const viper_moments any = {0.4, 1.2}, *moments = _i > 0 ? &any : NULL;
  uint64_t seed = 23;
  for (int sample = 0; sample < 200; sample++) {
    viper_quat q = descent_frame(&seed), hat = descent_frame(&seed);
    double g[2][3], h[3][3], unused[3][3], full[3][3] = {{0}}, difference[3][3];
    double a = descent_random(&seed, 0.5);
    frame_block(a, moments, q, hat, g[0], h);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < i; k++)
        full[i][k] = h[i][k];
      full[i][i] = h[i][i] + (moments ? viper_moments_second(a, any, q, hat)
                                      : viper_frame_inertial_second(a, q, hat));
    }
    for (int k = 0; k < 3; k++) {
      frame_block(a, moments, turned(q, k, -SECOND_STEP), hat, g[0], unused);
      frame_block(a, moments, turned(q, k, SECOND_STEP), hat, g[1], unused);
      for (int i = 0; i < 3; i++)
        difference[i][k] = (g[1][i] - g[0][i]) / (2 * SECOND_STEP);
    }
    second_check_symmetric("inertia", 3, full[0], difference[0]);
  }
}
END_TEST

/// W^2 of twist of a joint of fused rods that is straight at rest, turned by `omega` = (2/lm) Im D
/// about w.
static double fused_square(double s, double omega, viper_fused f) {
  const double of_rods = pow(s, 2) * pow(omega, 2), beyond = pow(s, 8) * pow(omega, 2);
  return (1 - f.part) * of_rods + f.part * beyond * (1 + f.slant * pow(s, 6) * pow(omega, 2));
}

/// W itself, and its derivatives, which the gradients above are made of, against its differences.
START_TEST(fused_twist_has_its_energy_and_derivatives) {
  uint64_t seed = 24;
  for (int sample = 0; sample < 200; sample++) {
    DESCENT_STATES(&seed)
    (void)segment_rest;
    (void)segment;
    double w[1], less[1], more[1], dw[1][VIPER_TWIST_COLUMNS], unused[1][VIPER_TWIST_COLUMNS];
    joint.is_fused = true;
    joint.fused = descent_fused(&seed);
    if (sample % 2)
      joint_rest.omega_rest = viper_vec3_make(0, 0, 0);
    viper_twist(&joint_rest, &joint, w, dw);
    if (sample % 2) {
      const viper_turn turn = viper_joint_turn(&joint_rest, joint.q_j, joint.q_k);
      const double right = fused_square(joint.s, 2 * joint_rest.inv_lm * turn.d.z, joint.fused);
      ck_assert_double_eq_tol(w[0] * w[0], right, 1e-13 * (1 + right));
    }
    for (int k = 0; k < VIPER_TWIST_COLUMNS; k++) {
      viper_joint_state a = joint, b = joint;
      move_joint(&a, VIPER_TWIST_COLUMN(k), -SECOND_STEP);
      move_joint(&b, VIPER_TWIST_COLUMN(k), SECOND_STEP);
      viper_twist(&joint_rest, &a, less, unused);
      viper_twist(&joint_rest, &b, more, unused);
      const double want = (more[0] - less[0]) / (2 * SECOND_STEP);
      ck_assert_msg(fabs(dw[0][k] - want) <= SECOND_TOLERANCE * (1 + fabs(want)),
                    "column %d is %.12g, not %.12g", k, dw[0][k], want);
    }
  }
}
END_TEST

/// Joints outside of sections twist as in a scene without any, to the bit.
START_TEST(rods_apart_twist_as_ever) {
  uint64_t seed = 25;
  for (int sample = 0; sample < 200; sample++) {
    DESCENT_STATES(&seed)
    (void)segment_rest;
    (void)segment;
    double w[2], dw[2][VIPER_TWIST_COLUMNS];
    for (int fused = 0; fused < 2; fused++) {
      joint.is_fused = fused;
      viper_twist(&joint_rest, &joint, w + fused, dw + fused);
    }
    ck_assert(w[0] == w[1] && memcmp(dw[0], dw[1], sizeof dw[0]) == 0);
  }
}
END_TEST

/// Fibers at the distance d from the axis of a round Neo-Hookean bar, stretched by L and twisted by
/// theta, with the shear modulus 1: of the energy (L^2 + 2/L + d^2 theta^2/L)/2 they have (q^2 +
/// 2/q)/2 by their own stretch q, and beyond that what W of fused rods has, to fourth order in the
/// slant. Their scale is q^(-1/2), and their twist theta cos alpha = theta L/q.
START_TEST(fused_twist_is_what_fibers_lack) {
  const double d = 0.3;
  for (int i = 1; i < 40; i++) {
    const double stretch = 0.7 + 0.02 * i, theta = 0.02 * i, slope = d * theta;
    const double q = sqrt(pow(stretch, 2) + pow(slope, 2) / stretch);
    const double all = (pow(stretch, 2) + 2 / stretch + pow(slope, 2) / stretch) / 2;
    const double lacking = all - (pow(q, 2) + 2 / q) / 2;
    // All of it beyond the rods, whose part is left out; with 9/4 d^2 (section_torsion.c).
    viper_fused fused = {1, 2.25 * d * d};
    const double omega = theta * stretch / q;
    const double got = d * d * fused_square(pow(q, -0.5), omega, fused) / 2;
    const double slant2 = pow(slope, 2) / pow(stretch, 3);
    ck_assert_double_eq_tol(got, lacking, lacking * 12 * slant2 * slant2 + 1e-15);
  }
}
END_TEST

static TCase *second(void) {
  TCase *c = tcase_create("second");
  tcase_add_test(c, second_derivatives_are_differences_of_gradients);
  tcase_add_test(c, nothing_adds_nothing);
  tcase_add_loop_test(c, inertia_of_frames, 0, 2);
  tcase_add_test(c, fused_twist_has_its_energy_and_derivatives);
  tcase_add_test(c, rods_apart_twist_as_ever);
  tcase_add_test(c, fused_twist_is_what_fibers_lack);
  return c;
}

VB_TEST_MAIN("second", second())
