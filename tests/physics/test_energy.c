// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms in double precision, against the reference and against answers known in closed form.
#define VIPER_PRECISION 64
#include "energy_cases.h"

/// A few roundings of numbers of order one.
#define ROUNDING 1e-14

/// A straight joint.
static viper_joint_rest straight_rest(double lm) {
  return (viper_joint_rest){.half = {1, 0, 0, 0},
                            .flip_j = 1,
                            .flip_k = 1,
                            .inv_lm = 1 / lm,
                            .inv_l_j = 1 / lm,
                            .inv_l_k = 1 / lm,
                            .k_twist = 1.7};
}

/// Its second frame turned by `angle` about w.
static viper_joint_state twisted(double angle) {
  return (viper_joint_state){1, 1, 1, {1, 0, 0, 0}, {cos(angle / 2), 0, 0, sin(angle / 2)}};
}

START_TEST(a_twisted_joint_has_the_torque_of_the_torsion_bar) {
  // Energy K/2 ((2/lm) sin(D/2))^2, so the torque is K sin(D)/lm^2.
  const double lm = 0.4;
  viper_joint_rest rest = straight_rest(lm);
  for (int i = -5; i <= 5; i++) {
    double angle = 0.6 * i, g[VIPER_JOINT_UNKNOWNS] = {0};
    viper_joint_state x = twisted(angle);
    viper_twist_add_gradient(&rest, &x, g);
    ck_assert_double_eq_tol(g[8], rest.k_twist * sin(angle) / (lm * lm), 10 * ROUNDING);
    ck_assert_double_eq_tol(g[5], -g[8], 10 * ROUNDING);
  }
}
END_TEST

START_TEST(at_a_half_turn_from_rest_only_the_sign_of_omega_jumps) {
  const double lm = 0.4;
  viper_joint_rest rest = straight_rest(lm);
  viper_joint_state under = twisted(M_PI - 1e-9), over = twisted(M_PI + 1e-9);
  double a = viper_joint_darboux(&rest, &under).omega.z;
  double b = viper_joint_darboux(&rest, &over).omega.z;
  ck_assert_double_eq_tol(a, 2 / lm, 1e-13); // flat there: 1 - cos(1e-9)
  ck_assert_double_eq_tol(b, -2 / lm, 1e-13);
}
END_TEST

START_TEST(a_held_bar_settles_at_the_root_of_its_cubic) {
  // (kx + ky)(s - 1) + 2 kv s e (s^2 e - 1) = 0 at stretch e; K is pi r^2 l times the stiffnesses.
  const double kxy = 1.3, kv = 4.1, e = 1.6, l = 0.7;
  double low = 0.5, high = 1;
  for (int i = 0; i < 60; i++) {
    double s = (low + high) / 2;
    *(kxy * (s - 1) + 2 * kv * s * e * (s * s * e - 1) > 0 ? &high : &low) = s;
  }
  viper_segment_rest rest = {.inv_l = 1 / l, .k_section = kxy, .k_volume = kv};
  viper_segment_state x = {.c_b = {0, 0, e * l}, .s_a = low, .s_b = low, .q = {1, 0, 0, 0}};
  double g[VIPER_SEGMENT_UNKNOWNS] = {0};
  viper_section_add_gradient(&rest, &x, g);
  viper_volume_add_gradient(&rest, &x, g);
  ck_assert_double_eq_tol(g[3] + g[7], 0, 10 * ROUNDING);
}
END_TEST

static TCase *closed_form_cases(void) {
  TCase *c = tcase_create("closed form");
  tcase_add_test(c, a_twisted_joint_has_the_torque_of_the_torsion_bar);
  tcase_add_test(c, at_a_half_turn_from_rest_only_the_sign_of_omega_jumps);
  tcase_add_test(c, a_held_bar_settles_at_the_root_of_its_cubic);
  return c;
}

VB_TEST_MAIN("energy", energy_cases(), closed_form_cases())
