// SPDX-License-Identifier: GPL-3.0-or-later
/// Block descent against every term of the table, each alone: what the method adds over a node or a
/// frame has the term's gradient, and a block that is no less than the term's own (energy/terms.h),
/// so that steps descend. Says which term the method forgets. Needs no reference of the terms.
#ifndef VB_TESTS_SUPPORT_DESCENT_CASES_H
#define VB_TESTS_SUPPORT_DESCENT_CASES_H

#include "test.h"
#include "viper/method/newton.h"

/// All numbers below are of order one, the worst rounding some hundred of 1e-16.
#define DESCENT_TOLERANCE 1e-12

typedef struct descent_term {
  const char *name;
  double g[VIPER_SEGMENT_UNKNOWNS], h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS];
} descent_term;

/// Of order one, between `from` and `from` + 1.
static double descent_random(uint64_t *seed, double from) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return from + (double)(*seed >> 11) * 0x1p-53;
}

static viper_vec3 descent_vector(uint64_t *seed) {
  double x = descent_random(seed, -0.5), y = descent_random(seed, -0.5);
  return viper_vec3_make(x, y, descent_random(seed, -0.5));
}

static viper_quat descent_frame(uint64_t *seed) {
  return viper_quat_turn(viper_quat_make(1, 0, 0, 0), viper_scale(4, descent_vector(seed)));
}

/// Whether a part of a node (4 unknowns) or frame (3), begun with nothing, has the gradient of the
/// term from unknown `first` on, and a block that is no less in any direction. A node's block is an
/// arrow, a frame's a diagonal.
static void descent_check(const descent_term *t, const viper_newton *n, int at, int count,
                          int first, uint64_t *seed) {
  for (int i = 0; i < count; i++)
    ck_assert_msg(fabs(n->g[at + i] - t->g[first + i]) <=
                      DESCENT_TOLERANCE * (1 + fabs(t->g[first + i])),
                  "block descent forgets the term %s: its gradient over unknown %d is %g, not %g",
                  t->name, first + i, n->g[at + i], t->g[first + i]);
  for (int sample = 0; sample < 20; sample++) {
    double x[4], own = 0, bound = 0;
    for (int i = 0; i < count; i++)
      x[i] = descent_random(seed, -0.5);
    for (int i = 0; i < count; i++)
      for (int k = 0; k <= i; k++) {
        double twice = i == k ? 1 : 2;
        own += twice * t->h[first + i][first + k] * x[i] * x[k];
        if (i == k || (count == 4 && i == 3))
          bound += twice * n->h[at + i][at + k] * x[i] * x[k];
      }
    ck_assert_msg(bound >= own - DESCENT_TOLERANCE * (1 + own),
                  "block descent forgets the term %s: its block from unknown %d on is %g, below %g",
                  t->name, first, bound, own);
  }
}

static void descent_check_segment(const descent_term *t, const viper_segment_rest *rest,
                                  const viper_segment_state *x, uint64_t *seed) {
  viper_segment_spring spring = viper_segment_spring_of(rest);
  const viper_node_x end[2] = {{x->c_a, x->s_a}, {x->c_b, x->s_b}};
  for (int part = 0; part < 3; part++) {
    viper_newton n = {{0}, {{0}}};
    if (part < 2)
      viper_newton_segment_node(&n, &spring, end[part], end[1 - part], viper_quat_w(x->q),
                                x->active, true, part);
    else
      viper_newton_segment_frame(&n, &spring, x, true);
    viper_newton_other_segment(&n, rest, x, part);
    descent_check(t, &n, 0, part < 2 ? 4 : 3, 4 * part, seed);
  }
}

/// Of a frame's turn terms it is twice the diagonal that bounds the block, which is enough
/// (newton.h).
static void descent_check_joint(const descent_term *t, const viper_joint_rest *rest,
                                const viper_joint_state *x, uint64_t *seed) {
  viper_joint_spring spring = viper_joint_spring_apart(viper_joint_spring_of(rest), x->fused);
  viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  viper_pull pull = viper_joint_pull(&spring, &turn, x->s, true);
  viper_hold hold = viper_joint_hold(&spring, x->s, true);
  for (int part = 0; part < 5; part++) {
    viper_newton n = {{0}, {{0}}};
    if (part < 3) {
      viper_newton_joint_scale(&n, &spring, x->s_prev, x->s, x->s_next, part);
      n.g[3] += part == 1 ? pull.g : 0;
      n.h[3][3] += part == 1 ? pull.h : 0;
    } else {
      viper_newton_turn_gradient(&n, rest, &turn, &hold, part - 3);
      viper_newton_turn_block(&n, rest, &turn, &hold, part - 3);
      for (int i = 0; i < 3; i++)
        n.h[i][i] *= 2;
    }
    viper_newton_other_joint(&n, rest, x, part);
    if (x->is_fused && (part == 1 || part >= 3))
      viper_newton_fused_joint(&n, rest, x, part);
    if (part < 3)
      descent_check(t, &n, 3, 1, part, seed);
    else
      descent_check(t, &n, 0, 3, 3 * part - 6, seed);
  }
}

/// Term `name` of an element alone, in its rest data `rest` without any K, and its state `x`.
#define DESCENT_CHECK(name_, kind, n)                                                              \
  {                                                                                                \
    descent_term t = {.name = #name_};                                                             \
    viper_real g[n] = {0}, h[n][n] = {{0}}, norm = 0;                                              \
    viper_##kind##_rest rest = kind##_rest;                                                        \
    rest.k_##name_ = descent_random(&seed, 0.5);                                                   \
    viper_##name_##_add_block(&rest, &kind, g, h);                                                 \
    for (int i = 0; i < n; i++) {                                                                  \
      t.g[i] = g[i];                                                                               \
      norm += g[i] * g[i];                                                                         \
      for (int k = 0; k < n; k++)                                                                  \
        t.h[i][k] = h[i][k];                                                                       \
    }                                                                                              \
    ck_assert_msg(norm > 0, "the term %s asks for nothing", t.name);                               \
    descent_check_##kind(&t, &rest, &kind, &seed);                                                 \
    memset(&rest, 0, sizeof rest);                                                                 \
    memset(g, 0, sizeof g);                                                                        \
    viper_##name_##_add_gradient(&rest, &kind, g);                                                 \
    for (int i = 0; i < n; i++)                                                                    \
      ck_assert_msg(g[i] == 0, "the term %s is not finite where rest data are 0", t.name);         \
  }
#define DESCENT_CHECK_SEGMENT(name, NAME) DESCENT_CHECK(name, segment, VIPER_SEGMENT_UNKNOWNS)
#define DESCENT_CHECK_JOINT(name, NAME)   DESCENT_CHECK(name, joint, VIPER_JOINT_UNKNOWNS)

/// A random segment and joint, without any K: segment_rest, segment, joint_rest, joint.
#define DESCENT_STATES(seed)                                                                       \
  viper_segment_rest segment_rest = {.inv_l = descent_random(seed, 0.5)};                          \
  viper_segment_state segment = {                                                                  \
      descent_vector(seed),      descent_vector(seed),                                             \
      descent_random(seed, 0.5), descent_random(seed, 0.5),                                        \
      descent_frame(seed),       {descent_random(seed, 0.5), descent_random(seed, 0.5)}};          \
  viper_joint_rest joint_rest = {.half = descent_frame(seed),                                      \
                                 .flip_j = descent_random(seed, -0.5) < 0 ? -1 : 1,                \
                                 .flip_k = descent_random(seed, -0.5) < 0 ? -1 : 1,                \
                                 .omega_rest = descent_vector(seed),                               \
                                 .inv_lm = descent_random(seed, 0.5),                              \
                                 .inv_l_j = descent_random(seed, 0.5),                             \
                                 .inv_l_k = descent_random(seed, 0.5)};                            \
  viper_joint_state joint = {descent_random(seed, 0.5),                                            \
                             descent_random(seed, 0.5),                                            \
                             descent_random(seed, 0.5),                                            \
                             descent_frame(seed),                                                  \
                             descent_frame(seed),                                                  \
                             viper_isotropic(),                                                    \
                             false,                                                                \
                             viper_apart()};

/// How fused rods twist, at random.
static viper_fused descent_fused(uint64_t *seed) {
  viper_fused out = {descent_random(seed, 0) * 0.95, descent_random(seed, 0)};
  return out;
}

/// Every term at random states, every other of fused rods.
// NOLINTNEXTLINE(readability-function-size): the checks of every term, expanded from the tables
static inline void check_descent_terms(int n_samples) {
  uint64_t seed = 13;
  for (int sample = 0; sample < n_samples; sample++) {
    DESCENT_STATES(&seed)
    joint.is_fused = sample % 2;
    if (joint.is_fused)
      joint.fused = descent_fused(&seed);
    VIPER_SEGMENT_TERMS(DESCENT_CHECK_SEGMENT)
    VIPER_JOINT_TERMS(DESCENT_CHECK_JOINT)
  }
}

#endif
