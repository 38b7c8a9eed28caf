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

/// Up to a half turn from the prediction.
START_TEST(inertia_of_frames) {
  uint64_t seed = 23;
  for (int sample = 0; sample < 200; sample++) {
    viper_quat q = descent_frame(&seed), hat = descent_frame(&seed);
    double g[2][3], h[3][3], unused[3][3], full[3][3] = {{0}}, difference[3][3];
    double a = descent_random(&seed, 0.5);
    viper_frame_inertial_block(a, q, hat, g[0], h);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < i; k++)
        full[i][k] = h[i][k];
      full[i][i] = h[i][i] + viper_frame_inertial_second(a, q, hat);
    }
    for (int k = 0; k < 3; k++) {
      viper_frame_inertial_block(a, turned(q, k, -SECOND_STEP), hat, g[0], unused);
      viper_frame_inertial_block(a, turned(q, k, SECOND_STEP), hat, g[1], unused);
      for (int i = 0; i < 3; i++)
        difference[i][k] = (g[1][i] - g[0][i]) / (2 * SECOND_STEP);
    }
    second_check_symmetric("inertia", 3, full[0], difference[0]);
  }
}
END_TEST

static TCase *second(void) {
  TCase *c = tcase_create("second");
  tcase_add_test(c, second_derivatives_are_differences_of_gradients);
  tcase_add_test(c, nothing_adds_nothing);
  tcase_add_test(c, inertia_of_frames);
  return c;
}

VB_TEST_MAIN("second", second())
