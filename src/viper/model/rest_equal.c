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

/// Whether `b` is `factor` times `a`, which the first `a` that is not 0 tells.
static bool is_multiple(double a, double b, double tolerance, double *factor) {
  if (a == 0)
    return b == 0;
  if (isnan(*factor))
    *factor = b / a;
  return fabs(*factor * a - b) <= tolerance * fabs(b);
}

static bool are_multiples(const double *a, const double *b, int n, double tolerance,
                          double *factor) {
  for (int i = 0; i < n; i++)
    if (!is_multiple(a[i], b[i], tolerance, &factor[i]))
      return false;
  return true;
}

static bool node_multiple(const viper_model_node *a, const viper_model_node *b, double tolerance,
                          double *factor) {
  return is_multiple(a->mass, b->mass, tolerance, &factor[VIPER_FACTOR_MASS]) &&
         is_multiple(a->scale_inertia, b->scale_inertia, tolerance, &factor[VIPER_FACTOR_SCALE]);
}

static bool segment_multiple(const viper_model_segment *a, const viper_model_segment *b,
                             double tolerance, double *factor) {
  return each_equal_within(&a->inv_l, &b->inv_l, 1, tolerance) &&
         is_multiple(a->slant, b->slant, tolerance, &factor[VIPER_FACTOR_SLANT]) &&
         is_multiple(a->frame_inertia, b->frame_inertia, tolerance, &factor[VIPER_FACTOR_FRAME]) &&
         are_multiples(a->k, b->k, VIPER_N_SEGMENT_TERMS, tolerance,
                       &factor[VIPER_FACTOR_SEGMENT]) &&
         are_multiples(a->k_solid, b->k_solid, VIPER_N_SOLID_TERMS, tolerance,
                       &factor[VIPER_FACTOR_SOLID]);
}

static bool joint_multiple(const viper_model_joint *a, const viper_model_joint *b, double tolerance,
                           double *factor) {
  viper_model_joint same = *b;
  for (int i = 0; i < VIPER_N_JOINT_TERMS; i++)
    same.k[i] = a->k[i];
  return viper_joint_rest_equal(a, &same, tolerance) &&
         are_multiples(a->k, b->k, VIPER_N_JOINT_TERMS, tolerance, &factor[VIPER_FACTOR_JOINT]);
}

bool viper_body_rest_multiple(const viper_model *m, const viper_model_body *a,
                              const viper_model_body *b, double tolerance,
                              double factor[VIPER_N_FACTORS]) {
  for (int i = 0; i < VIPER_N_FACTORS; i++)
    factor[i] = NAN;
  for (int32_t i = 0; i < a->n_nodes; i++)
    if (!node_multiple(&m->node[a->first_node + i], &m->node[b->first_node + i], tolerance, factor))
      return false;
  for (int32_t j = 0; j < a->n_segments; j++)
    if (!segment_multiple(&m->segment[a->first_segment + j], &m->segment[b->first_segment + j],
                          tolerance, factor))
      return false;
  for (int32_t t = 0; t < a->n_joints; t++)
    if (!joint_multiple(&m->joint[a->first_joint + t], &m->joint[b->first_joint + t], tolerance,
                        factor))
      return false;
  for (int i = 0; i < VIPER_N_FACTORS; i++)
    factor[i] = isnan(factor[i]) ? 1 : factor[i];
  return true;
}
