// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms in double precision, against the reference and against answers known in closed form.
/// Covers: src/viper/energy/bend.h src/viper/energy/element.h src/viper/energy/material.h
/// Covers: src/viper/energy/section.h src/viper/energy/stretch.h src/viper/energy/surface_bend.h
/// Covers: src/viper/energy/taper.h src/viper/energy/term*.h src/viper/energy/turn_form.h
/// Covers: src/viper/energy/twist.h src/viper/energy/volume*.h
#define VIPER_PRECISION 64
#include "scenes/energy_cases.h"

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
  return (viper_joint_state){1,
                             1,
                             1,
                             {1, 0, 0, 0},
                             {cos(angle / 2), 0, 0, sin(angle / 2)},
                             viper_isotropic(),
                             false,
                             viper_apart()};
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

/// A joint like those of random_joint, but turned by `angle` from rest.
static sample joint_turned_by(double angle, uint64_t *seed) {
  ref_joint ref = {.l = {about_one(seed), about_one(seed)},
                   .against = {ref_random(seed) < 0, ref_random(seed) < 0},
                   .rest_angle = M_PI / 2 * (1 + ref_random(seed)),
                   .s = {about_one(seed), about_one(seed), about_one(seed)}};
  double axis[3], turn[4];
  ref_random_direction(seed, ref.rest_axis);
  ref_random_direction(seed, axis);
  ref_turn(axis, angle, turn);
  place_joint(&ref, turn, seed);
  return joint_sample(&ref, seed);
}

/// Sum of the turn terms' energies.
static double turn_energy(const sample *s) {
  return viper_bend_energy(&s->joint_rest, &s->joint) +
         viper_twist_energy(&s->joint_rest, &s->joint) +
         viper_volume_bend_energy(&s->joint_rest, &s->joint);
}

START_TEST(energies_on_both_sides_of_half_a_turn_agree) {
  // Curved at rest and not at scale 1, where p Omega - Omega_rest jumps: by 2 K p (p - 1) (2/lm) n
  // . Omega_rest, that is by several J here.
  const double apart = 2e-6;
  double jump = 0;
  for (uint64_t i = 1; i <= N_SAMPLES; i++) {
    uint64_t seed = i, again = i;
    sample under = joint_turned_by(M_PI - apart / 2, &seed);
    sample over = joint_turned_by(M_PI + apart / 2, &again);
    const viper_joint_rest *r = &under.joint_rest;
    viper_quat d = viper_joint_turn(r, under.joint.q_j, under.joint.q_k).d;
    double p = under.joint.s, along = d.x * r->omega_rest.x + d.y * r->omega_rest.y;
    jump = fmax(jump, fabs(4 * r->k_bend * p * (p - 1) * r->inv_lm * along));
    // The energy over the angle rises by torques of up to K W dW, some 50 here; it is smooth.
    ck_assert_double_eq_tol(turn_energy(&over), turn_energy(&under), 200 * apart);
  }
  ck_assert_double_gt(jump, 3);
}
END_TEST

START_TEST(w_is_odd_in_the_quaternions) {
  // Each sign of a quaternion is the same frame: rows of W and dW change sign, bit by bit, and the
  // energy not at all.
  uint64_t seed = 4;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = random_joint(&seed), other = s;
    viper_real w[2][2], dw[2][2][7];
    viper_quat *q = i % 2 ? &other.joint.q_j : &other.joint.q_k;
    *q = viper_quat_make(-q->w, -q->x, -q->y, -q->z);
    viper_volume_bend(&s.joint_rest, &s.joint, w[0], dw[0]);
    viper_volume_bend(&other.joint_rest, &other.joint, w[1], dw[1]);
    for (int row = 0; row < 2; row++) {
      ck_assert_double_eq(w[0][row], -w[1][row]);
      for (int k = 0; k < 7; k++)
        ck_assert_double_eq(dw[0][row][k], -dw[1][row][k]);
    }
    ck_assert_double_eq(turn_energy(&s), turn_energy(&other));
  }
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
  viper_segment_state x = {
      .c_b = {0, 0, e * l}, .s_a = low, .s_b = low, .q = {1, 0, 0, 0}, .active = {1, 1}};
  double g[VIPER_SEGMENT_UNKNOWNS] = {0};
  viper_section_add_gradient(&rest, &x, g);
  viper_volume_add_gradient(&rest, &x, g);
  ck_assert_double_eq_tol(g[3] + g[7], 0, 10 * ROUNDING);
}
END_TEST

static TCase *closed_form_cases(void) {
  TCase *c = tcase_create("closed form");
  tcase_add_test(c, a_twisted_joint_has_the_torque_of_the_torsion_bar);
  tcase_add_test(c, energies_on_both_sides_of_half_a_turn_agree);
  tcase_add_test(c, w_is_odd_in_the_quaternions);
  tcase_add_test(c, a_held_bar_settles_at_the_root_of_its_cubic);
  return c;
}

VB_TEST_MAIN("energy", energy_cases(), closed_form_cases())
