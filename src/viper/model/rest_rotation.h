// SPDX-License-Identifier: GPL-3.0-or-later
/// Rest rotations of joints: from the rest frames of their segments, or from a rest curvature.
#ifndef VIPER_MODEL_REST_ROTATION_H
#define VIPER_MODEL_REST_ROTATION_H

#include "scene/rotation.h"
#include "viper/model/model.h"

#include <math.h>
#include <string.h>

/// Rest rotation P_rest, a quaternion with a non-negative real part, between two rest frames along
/// a joint's path; `against`: whether each is stored against the path.
static inline void viper_rest_rotation(const double frame_j[4], const double frame_k[4],
                                       const bool against[2], double p[4]) {
  const double half_turn[4] = {0, 1, 0, 0};
  double j[4], k[4];
  memcpy(j, frame_j, sizeof j);
  memcpy(k, frame_k, sizeof k);
  if (against[0])
    vb_quaternion_multiply(frame_j, half_turn, j);
  if (against[1])
    vb_quaternion_multiply(frame_k, half_turn, k);
  for (int i = 1; i < 4; i++)
    j[i] = -j[i];
  vb_quaternion_multiply(j, k, p);
  double sign = p[0] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++)
    p[i] *= sign;
}

/// Writes Omega_rest and conj(S) of a rest rotation P_rest (README.md, Unknowns; viper_joint_rest);
/// `branch`: whether three or more segments meet at the joint's node.
static inline void viper_set_rest_rotation(const double p[4], double lm, bool branch,
                                           viper_model_joint *out) {
  for (int i = 0; i < 3; i++)
    out->omega_rest[i] = branch ? 0 : 2 / lm * p[1 + i];
  double norm = sqrt((1 + p[0]) * (1 + p[0]) + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  out->half[0] = (p[0] + 1) / norm;
  for (int i = 1; i < 4; i++)
    out->half[i] = -p[i] / norm;
}

/// The rest rotation of the rest curvature `darboux` [1/m]: Im P_rest = lm/2 darboux, below 1.
static inline void viper_rest_rotation_of(const double darboux[3], double lm, double p[4]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    p[1 + k] = lm / 2 * darboux[k];
    square += p[1 + k] * p[1 + k];
  }
  p[0] = sqrt(1 - square);
}

#endif
