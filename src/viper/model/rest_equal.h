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

#endif
