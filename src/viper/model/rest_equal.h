// SPDX-License-Identifier: GPL-3.0-or-later
/// Compares rest data and inertias of elements, so that equal ones are stored and read once.
#ifndef VIPER_MODEL_REST_EQUAL_H
#define VIPER_MODEL_REST_EQUAL_H

#include "viper/model/model.h"

/// Whether the rest data of two elements differ by no more than `tolerance`: relative; of unit
/// quaternions absolute; of Omega_rest relative to 1/lm. With 0 they are bitwise the same.
bool viper_node_rest_equal(const viper_model_node *a, const viper_model_node *b, double tolerance);
bool viper_segment_rest_equal(const viper_model_segment *a, const viper_model_segment *b,
                              double tolerance);
bool viper_joint_rest_equal(const viper_model_joint *a, const viper_model_joint *b,
                            double tolerance);

/// The numbers of rest data and inertias that are other multiples in bodies of the same shape at
/// rest and another radius, material or density: mass and scale inertia of nodes, inertia of
/// frames, K of the terms of segments (published, then solid), their slant, and K of the terms of
/// joints, in their order.
enum {
  VIPER_FACTOR_MASS,
  VIPER_FACTOR_SCALE,
  VIPER_FACTOR_FRAME,
  VIPER_FACTOR_SEGMENT,
  VIPER_FACTOR_SOLID = VIPER_FACTOR_SEGMENT + VIPER_N_SEGMENT_TERMS,
  VIPER_FACTOR_SLANT = VIPER_FACTOR_SOLID + VIPER_N_SOLID_TERMS,
  VIPER_FACTOR_JOINT,
  VIPER_N_FACTORS = VIPER_FACTOR_JOINT + VIPER_N_JOINT_TERMS
};

/// Whether body `b` of a model has the rest data of `a`, but for these numbers, each of which is in
/// all its elements the same multiple `factor` of that of `a`; within `tolerance` as above. Both
/// have the same numbers of elements.
bool viper_body_rest_multiple(const viper_model *model, const viper_model_body *a,
                              const viper_model_body *b, double tolerance,
                              double factor[VIPER_N_FACTORS]);

#endif
