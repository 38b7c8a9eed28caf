// SPDX-License-Identifier: GPL-3.0-or-later
/// Steps of block descent in closed form against those of newton.h, on single segments and joints:
/// gradients, blocks and moves.
/// Covers: src/viper/method/closed_descent.h
#define VIPER_PRECISION 64
#include "scenes/energy_cases.h"
#include "viper/method/closed_descent.h"

#include <string.h>

/// Gradients, and the lower triangles of blocks over `n` unknowns; of frames the diagonal alone.
static void check_newton(const char *what, const viper_newton *a, const viper_newton *b, int n,
                         bool frame) {
  for (int i = 0; i < n; i++) {
    check_close(what, a->g[i], b->g[i]);
    for (int k = 0; k <= i; k++)
      if (!frame || k == i)
        check_close(what, a->h[i][k], b->h[i][k]);
  }
}

/// A segment without activation, as its node `side` and the springs of a chain of two nodes see it.
START_TEST(segments_pull_at_nodes_as_by_their_terms) {
  uint64_t seed = 31;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = random_segment(&seed);
    const viper_segment_spring spring = viper_segment_spring_of(&s.segment_rest);
    const viper_node_x end[2] = {{s.segment.c_a, s.segment.s_a}, {s.segment.c_b, s.segment.s_b}};
    const viper_vec3 w = viper_quat_w(s.segment.q);
    viper_node_spring chain[2] = {0};
    viper_add_segment_spring(&spring, &chain[0], &chain[1]);
    for (int side = 0; side < 2; side++) {
      viper_newton n[2] = {{{0}, {{0}}}, {{0}, {{0}}}};
      viper_newton_segment_node(&n[0], &spring, end[side], end[1 - side], w, viper_passive(), true,
                                side);
      viper_closed_segment_node(&n[1], &spring, end[side], end[1 - side], w, side);
      const viper_node_spring *k = &chain[side];
      n[1].g[3] += k->own * (end[side].s - 1) +
                   (side ? k->before[0] : k->after[0]) * (end[1 - side].s - end[side].s);
      n[1].h[3][3] += k->block;
      check_newton("node of a segment", &n[1], &n[0], 4, false);
      for (int m = 0; m < 4; m++)
        n[0].h[m][m] += 2;
      double d[4];
      viper_newton_solve_node(&n[0], d);
      const viper_node_x step = viper_closed_step(&n[0]);
      check_close("step of a node", step.c.x, d[0]);
      check_close("step of a node", step.c.y, d[1]);
      check_close("step of a node", step.c.z, d[2]);
      check_close("step of a node", step.s, d[3]);
    }
  }
}
END_TEST

START_TEST(frames_are_turned_as_by_their_terms) {
  uint64_t seed = 32;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = random_segment(&seed);
    s.segment.active = viper_passive();
    const viper_segment_spring spring = viper_segment_spring_of(&s.segment_rest);
    const viper_quat q = s.segment.q;
    const viper_vec3 half = {ref_random(&seed), ref_random(&seed), ref_random(&seed)};
    const viper_quat hat = viper_quat_turn_twice(q, half);
    const double inertia = about_one(&seed);
    viper_vec3 w;
    const viper_cross_axes axes = viper_quat_axes(q, &w);
    viper_newton a = viper_newton_frame(inertia, q, hat, 1);
    viper_newton_segment_frame(&a, &spring, &s.segment, true);
    const viper_newton b = viper_closed_frame(&spring, viper_hat_axes_of(inertia, hat), axes, w,
                                              viper_sub(s.segment.c_b, s.segment.c_a),
                                              s.segment.s_a + s.segment.s_b, inertia);
    check_newton("frame", &b, &a, 3, true);
  }
}
END_TEST

/// The springs of a chain of three nodes are those of its only joint.
START_TEST(joints_pull_and_hold_as_by_their_terms) {
  uint64_t seed = 33;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = random_joint(&seed);
    const viper_joint_spring spring = viper_joint_spring_of(&s.joint_rest);
    const viper_turn turn = viper_joint_turn(&s.joint_rest, s.joint.q_j, s.joint.q_k);
    const viper_pull pull[2] = {viper_joint_pull(&spring, &turn, s.joint.s, true),
                                viper_closed_pull(&spring, &turn, s.joint.s)};
    check_close("pull", pull[1].g, pull[0].g);
    check_close("block of a pull", pull[1].h, pull[0].h);
    viper_node_spring chain[3] = {0};
    viper_add_joint_spring(&spring, chain);
    const viper_hold hold[2] = {viper_joint_hold(&spring, s.joint.s, true),
                                viper_closed_hold(&spring, chain[1].rest, s.joint.s)};
    double number[2][VIPER_REALS(viper_hold)];
    for (int k = 0; k < 2; k++)
      memcpy(number[k], &hold[k], sizeof number[k]);
    for (size_t k = 0; k < VIPER_REALS(viper_hold); k++)
      check_close("hold", number[1][k], number[0][k]);
    const double scale[3] = {s.joint.s_prev, s.joint.s, s.joint.s_next};
    for (int role = 0; role < 3; role++) {
      viper_newton n = {{0}, {{0}}};
      viper_newton_joint_scale(&n, &spring, scale[0], scale[1], scale[2], role);
      const viper_node_spring *k = &chain[role];
      double g = k->own * (scale[role] - 1);
      for (int far = 0; far < 2; far++) {
        if (role - far - 1 >= 0)
          g += k->before[far] * (scale[role - far - 1] - scale[role]);
        if (role + far + 1 < 3)
          g += k->after[far] * (scale[role + far + 1] - scale[role]);
      }
      check_close("scale of a joint", g, n.g[3]);
      check_close("block of a scale", k->block, n.h[3][3]);
    }
  }
}
END_TEST

static TCase *closed(void) {
  TCase *c = tcase_create("closed");
  tcase_add_test(c, segments_pull_at_nodes_as_by_their_terms);
  tcase_add_test(c, frames_are_turned_as_by_their_terms);
  tcase_add_test(c, joints_pull_and_hold_as_by_their_terms);
  return c;
}

VB_TEST_MAIN("closed descent", closed())
