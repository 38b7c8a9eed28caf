// SPDX-License-Identifier: GPL-3.0-or-later
/// Second derivatives of every term of the table, each alone, against differences of its gradient.
/// Needs no reference of the terms.
#ifndef VB_TESTS_SUPPORT_SECOND_CASES_H
#define VB_TESTS_SUPPORT_SECOND_CASES_H

#include "scenes/descent_cases.h"
#include "viper/energy/second.h"

#define SECOND_STEP 1e-5
/// Central differences are wrong by SECOND_STEP^2 times the fourth derivatives of numbers of order
/// one to some hundred, and by the rounding of these over SECOND_STEP.
#define SECOND_TOLERANCE 1e-7

static viper_quat turned(viper_quat q, int axis, double by) {
  return viper_quat_turn(q, viper_vec3_make(by * (axis == 0), by * (axis == 1), by * (axis == 2)));
}

/// Moves unknown `k` of a segment, and of a joint.
static void move_segment(viper_segment_state *x, int k, double by) {
  double *const plain[] = {&x->c_a.x, &x->c_a.y, &x->c_a.z, &x->s_a,
                           &x->c_b.x, &x->c_b.y, &x->c_b.z, &x->s_b};
  if (k < 8)
    *plain[k] += by;
  else
    x->q = turned(x->q, k - 8, by);
}

static void move_joint(viper_joint_state *x, int k, double by) {
  double *const plain[] = {&x->s_prev, &x->s, &x->s_next};
  viper_quat *q = k < 6 ? &x->q_j : &x->q_k;
  if (k < 3)
    *plain[k] += by;
  else
    *q = turned(*q, k % 3, by);
}

/// Of a gradient over rotations the differences between axes of a frame that moves hold half of a
/// commutator, which is antisymmetric: the mean of both orders is the second derivative.
static void second_check_symmetric(const char *what, int n, const double *h,
                                   const double *difference) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      double want = (difference[i * n + k] + difference[k * n + i]) / 2, got = h[i * n + k];
      ck_assert_msg(fabs(got - want) <= SECOND_TOLERANCE * (1 + fabs(want)),
                    "%s: second derivative over unknowns %d and %d is %.12g, not %.12g", what, i, k,
                    got, want);
    }
}

#define SECOND_DEFINE(kind, N, TERMS)                                                              \
  static void second_gradient_of_##kind(const viper_##kind##_rest *rest,                           \
                                        const viper_##kind##_state *x, double g[N]) {              \
    memset(g, 0, N * sizeof *g);                                                                   \
    TERMS(SECOND_GRADIENT)                                                                         \
  }                                                                                                \
  static void second_check_##kind(const char *what, const viper_##kind##_rest *rest,               \
                                  const viper_##kind##_state *x) {                                 \
    double g[N] = {0}, h[N][N] = {{0}}, difference[N][N], less[N], more[N];                        \
    TERMS(SECOND_BLOCK)                                                                            \
    viper_##kind##_add_second(rest, x, h);                                                         \
    for (int k = 0; k < N; k++) {                                                                  \
      viper_##kind##_state a = *x, b = *x;                                                         \
      move_##kind(&a, k, -SECOND_STEP);                                                            \
      move_##kind(&b, k, SECOND_STEP);                                                             \
      second_gradient_of_##kind(rest, &a, less);                                                   \
      second_gradient_of_##kind(rest, &b, more);                                                   \
      for (int i = 0; i < N; i++)                                                                  \
        difference[i][k] = (more[i] - less[i]) / (2 * SECOND_STEP);                                \
    }                                                                                              \
    second_check_symmetric(what, N, h[0], difference[0]);                                          \
  }
#define SECOND_GRADIENT(name, NAME) viper_##name##_add_gradient(rest, x, g);
#define SECOND_BLOCK(name, NAME)    viper_##name##_add_block(rest, x, g, h);
SECOND_DEFINE(segment, VIPER_SEGMENT_UNKNOWNS, VIPER_SEGMENT_TERMS)
SECOND_DEFINE(joint, VIPER_JOINT_UNKNOWNS, VIPER_JOINT_TERMS)

/// Each term alone: a fault names it.
#define SECOND_TERM(name_, kind)                                                                   \
  {                                                                                                \
    viper_##kind##_rest rest = kind##_rest;                                                        \
    rest.k_##name_ = descent_random(&seed, 0.5);                                                   \
    second_check_##kind(#name_, &rest, &kind);                                                     \
  }
#define SECOND_SEGMENT_TERM(name, NAME) SECOND_TERM(name, segment)
#define SECOND_JOINT_TERM(name, NAME)   SECOND_TERM(name, joint)

/// Every term at random states, every other of fused rods.
// NOLINTNEXTLINE(readability-function-size): the checks of every term, expanded from the tables
static inline void check_second_derivatives(int n_samples) {
  uint64_t seed = 21;
  for (int sample = 0; sample < n_samples; sample++) {
    DESCENT_STATES(&seed)
    joint.bending.bend[sample % 2] = joint.bending.volume_bend[sample / 2 % 2] = 0.3;
    joint.is_fused = sample % 2;
    if (joint.is_fused)
      joint.fused = descent_fused(&seed);
    VIPER_SEGMENT_TERMS(SECOND_SEGMENT_TERM)
    VIPER_JOINT_TERMS(SECOND_JOINT_TERM)
  }
}

#endif
