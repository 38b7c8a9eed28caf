// SPDX-License-Identifier: GPL-3.0-or-later
/// How far block descent may go in bodies of the material model solid: what a step changes beyond
/// its quadratic model, against differences of the energies themselves.
/// Covers: src/viper/method/descent_limit.h
#define VIPER_PRECISION 64
#include "scenes/solid_cases.h"
#include "viper/method/descent_limit.h"

enum { SAMPLES = 300 };

/// Energies below are of order one to some hundred, their differences of the rounding of that.
static const double tolerance = 1e-11;

static void random_step(uint64_t *seed, double d[4]) {
  for (int i = 0; i < 4; i++)
    d[i] = descent_random(seed, -0.5);
}

static viper_segment_state moved_node(viper_segment_state x, const double d[4], int side) {
  for (int i = 0; i < 4; i++)
    move_segment(&x, 4 * side + i, d[i]);
  return x;
}

static double solid_energy(const viper_solid_rest *rest, const viper_segment_state *x) {
  return viper_axial_energy(rest, x) + viper_dilation_energy(rest, x);
}

static void check_change(const char *what, double got, double want, double size) {
  ck_assert_msg(fabs(got - want) <= tolerance * (1 + size), "%s changes by %.15g, not %.15g", what,
                got, want);
}

START_TEST(nodes_change_by_model_and_remainder) {
  uint64_t seed = 71;
  for (int sample = 0; sample < SAMPLES; sample++) {
    const int side = sample % 2;
    const viper_solid_rest solid = solid_random_rest(&seed);
    const viper_segment_rest volume = {.inv_l = descent_random(&seed, 0.5),
                                       .k_volume = descent_random(&seed, 0.5)};
    const viper_segment_state x = solid_random_segment(&seed);
    double d[4];
    random_step(&seed, d);
    const viper_segment_state y = moved_node(x, d, side);
    const viper_node_x end[2] = {{x.c_a, x.s_a}, {x.c_b, x.s_b}};
    viper_newton n = {{0}, {{0}}};
    viper_newton_solid_node(&n, &solid, end[side], end[1 - side], viper_quat_w(x.q), x.active,
                            side);
    const double before = solid_energy(&solid, &x), after = solid_energy(&solid, &y);
    check_change("the model solid",
                 viper_newton_change(&n, d) + viper_solid_node_remainder(&solid, &x, d, side),
                 after - before, before + after);
    const viper_segment_spring spring = viper_segment_spring_of(&volume);
    viper_newton m = {{0}, {{0}}};
    viper_newton_segment_node(&m, &spring, end[side], end[1 - side], viper_quat_w(x.q), x.active,
                              true, side);
    const double of_volume = viper_volume_energy(&volume, &x);
    check_change("volume",
                 viper_newton_change(&m, d) + viper_volume_node_remainder(&volume, &x, d, side),
                 viper_volume_energy(&volume, &y) - of_volume, 100 + of_volume);
  }
}
END_TEST

/// Of joints with bending factors, too, whose rows have parts of K.
START_TEST(joints_change_by_model_and_remainder) {
  uint64_t seed = 72;
  for (int sample = 0; sample < SAMPLES; sample++) {
    DESCENT_STATES(&seed)
    (void)segment_rest;
    (void)segment;
    double g[VIPER_JOINT_UNKNOWNS] = {0}, h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS] = {{0}};
    joint_rest.k_volume_bend = descent_random(&seed, 0.5);
    joint.bending.volume_bend[sample % 2] = descent_random(&seed, 0);
    const double ds = descent_random(&seed, -0.5);
    const viper_joint_spring spring = viper_joint_spring_of(&joint_rest);
    const viper_turn turn = viper_joint_turn(&joint_rest, joint.q_j, joint.q_k);
    viper_volume_bend_add_block(&joint_rest, &joint, g, h);
    const double before = viper_volume_bend_energy(&joint_rest, &joint);
    const double remainder =
        viper_volume_bend_remainder(&spring, &turn, &joint.bending, joint.s, ds);
    joint.s += ds;
    const double after = viper_volume_bend_energy(&joint_rest, &joint);
    check_change("volume_bend", g[1] * ds + h[1][1] * ds * ds / 2 + remainder, after - before,
                 before + after);
  }
}
END_TEST

/// Likewise of fused rods.
START_TEST(fused_joints_change_by_model_and_remainder) {
  uint64_t seed = 75;
  for (int sample = 0; sample < SAMPLES; sample++) {
    DESCENT_STATES(&seed)
    (void)segment_rest;
    (void)segment;
    viper_newton n = {{0}, {{0}}};
    joint_rest.k_twist = descent_random(&seed, 0.5);
    joint.is_fused = true;
    joint.fused = descent_fused(&seed);
    const double ds = descent_random(&seed, -0.5) * (sample % 2 ? 1 : 1e-9);
    const viper_turn turn = viper_joint_turn(&joint_rest, joint.q_j, joint.q_k);
    viper_newton_fused_joint(&n, &joint_rest, &joint, 1);
    const double before = viper_twist_energy(&joint_rest, &joint);
    const double remainder =
        viper_twist_fused_remainder(&joint_rest, &turn, joint.fused, joint.s, ds);
    joint.s += ds;
    const double after = viper_twist_energy(&joint_rest, &joint);
    check_change("twist", n.g[3] * ds + n.h[3][3] * ds * ds / 2 + remainder, after - before,
                 before + after);
    // Third derivatives of W are some thousand: see small_steps_have_small_remainder.
    if (sample % 2 == 0)
      ck_assert_double_le(fabs(remainder), 1e-13);
  }
}
END_TEST

START_TEST(frames_change_by_model_and_remainder) {
  uint64_t seed = 73;
  for (int sample = 0; sample < SAMPLES; sample++) {
    const viper_solid_rest solid = solid_random_rest(&seed);
    const viper_segment_rest rest = {.inv_l = solid.inv_l,
                                     .k_stretch = descent_random(&seed, 0.5),
                                     .k_volume = descent_random(&seed, -0.5) > 0 ? 0.7 : 0};
    const viper_segment_state x = solid_random_segment(&seed);
    const viper_segment_spring spring = viper_segment_spring_of(&rest);
    const viper_vec3 half = viper_scale(0.5, descent_vector(&seed));
    viper_segment_state y = x;
    y.q = viper_quat_turn_twice(x.q, half);
    viper_newton n = {{0}, {{0}}};
    viper_newton_segment_frame(&n, &spring, &x, true);
    viper_newton_solid_frame(&n, &solid, &x);
    const double turn[4] = {2 * half.x, 2 * half.y, 2 * half.z, 0};
    double model = 0;
    for (int i = 0; i < 3; i++)
      model += (n.g[i] + n.h[i][i] * turn[i] / 2) * turn[i];
    const double before =
        solid_energy(&solid, &x) + viper_stretch_energy(&rest, &x) + viper_volume_energy(&rest, &x);
    const double after =
        solid_energy(&solid, &y) + viper_stretch_energy(&rest, &y) + viper_volume_energy(&rest, &y);
    check_change("a frame", model + viper_segment_frame_remainder(&spring, &solid, &x, &n, half),
                 after - before, before + after + fabs(model));
  }
}
END_TEST

/// The last steps of a descent are as small as rounding lets them be: what is beyond their model
/// falls with the square of the step and not with the rounding of the energy.
START_TEST(small_steps_have_small_remainder) {
  uint64_t seed = 74;
  for (int sample = 0; sample < SAMPLES; sample++) {
    const viper_solid_rest solid = solid_random_rest(&seed);
    const viper_segment_state x = solid_random_segment(&seed);
    double d[4];
    random_step(&seed, d);
    for (int i = 0; i < 4; i++)
      d[i] *= 1e-9;
    // Second derivatives are some ten, so 1e-17; the last digit of the step's own terms is 1e-25.
    ck_assert_double_le(fabs(viper_solid_node_remainder(&solid, &x, d, 0)), 1e-16);
  }
}
END_TEST

static TCase *descent_limit(void) {
  TCase *c = tcase_create("descent_limit");
  tcase_add_test(c, nodes_change_by_model_and_remainder);
  tcase_add_test(c, joints_change_by_model_and_remainder);
  tcase_add_test(c, fused_joints_change_by_model_and_remainder);
  tcase_add_test(c, frames_change_by_model_and_remainder);
  tcase_add_test(c, small_steps_have_small_remainder);
  return c;
}

VB_TEST_MAIN("descent_limit", descent_limit())
