// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/rest_equal.h"

#include <math.h>

/// Whether numbers differ by no more than `tolerance` times `size`, or bitwise not at all where
/// that is 0.
static bool equal_within(const double *a, const double *b, int n, double size, double tolerance) {
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= tolerance * size))
      return false;
  return true;
}

static bool each_equal_within(const double *a, const double *b, int n, double tolerance) {
  for (int i = 0; i < n; i++)
    if (!equal_within(&a[i], &b[i], 1, fabs(a[i]), tolerance))
      return false;
  return true;
}

bool viper_node_rest_equal(const viper_model_node *a, const viper_model_node *b, double tolerance) {
  return each_equal_within(&a->mass, &b->mass, 1, tolerance) &&
         each_equal_within(&a->scale_inertia, &b->scale_inertia, 1, tolerance);
}

bool viper_segment_rest_equal(const viper_model_segment *a, const viper_model_segment *b,
                              double tolerance) {
  return each_equal_within(&a->inv_l, &b->inv_l, 1, tolerance) &&
         each_equal_within(&a->frame_inertia, &b->frame_inertia, 1, tolerance) &&
         each_equal_within(a->moments, b->moments, 2, tolerance) &&
         each_equal_within(a->k, b->k, VIPER_N_SEGMENT_TERMS, tolerance) &&
         each_equal_within(a->k_solid, b->k_solid, VIPER_N_SOLID_TERMS, tolerance) &&
         each_equal_within(&a->slant, &b->slant, 1, tolerance);
}

bool viper_joint_rest_equal(const viper_model_joint *a, const viper_model_joint *b,
                            double tolerance) {
  return equal_within(a->half, b->half, 4, 1, tolerance) &&
         equal_within(a->flip, b->flip, 2, 1, 0) &&
         equal_within(a->omega_rest, b->omega_rest, 3, a->inv_lm, tolerance) &&
         each_equal_within(a->k, b->k, VIPER_N_JOINT_TERMS, tolerance) &&
         each_equal_within(&a->inv_lm, &b->inv_lm, 1, tolerance) &&
         each_equal_within(&a->inv_l_j, &b->inv_l_j, 1, tolerance) &&
         each_equal_within(&a->inv_l_k, &b->inv_l_k, 1, tolerance);
}
