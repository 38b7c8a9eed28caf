// SPDX-License-Identifier: GPL-3.0-or-later
/// Every energy term by itself, in one precision (VIPER_PRECISION): evaluated by C code and on a
/// device, from the same random states.
#ifndef VB_TESTS_SUPPORT_CUDA_TERMS_H
#define VB_TESTS_SUPPORT_CUDA_TERMS_H

#include "viper/energy/terms.h"

#include <stddef.h>

typedef struct terms_input {
  viper_segment_rest segment_rest;
  viper_segment_state segment;
  viper_joint_rest joint_rest;
  viper_joint_state joint;
} terms_input;

/// Numbers of one term of n unknowns: its energy, its gradient, and both gradient and block (lower
/// triangle) as they are made together.
#define TERMS_NUMBERS(n) (1 + (n) + (n) + (n) * ((n) + 1) / 2)
/// Of all terms of a segment and of a joint.
#define TERMS_OUTPUT                                                                               \
  (VIPER_N_SEGMENT_TERMS * TERMS_NUMBERS(VIPER_SEGMENT_UNKNOWNS) +                                 \
   VIPER_N_JOINT_TERMS * TERMS_NUMBERS(VIPER_JOINT_UNKNOWNS))

#define TERMS_DEFINE(name, kind, n)                                                                \
  VIPER_FN viper_scalar *terms_##name(const viper_##kind##_rest *rest,                             \
                                      const viper_##kind##_state *x, viper_scalar *out) {          \
    viper_scalar g[n], h[n][n];                                                                    \
    *out++ = viper_##name##_energy(rest, x);                                                       \
    VIPER_UNROLL for (int i = 0; i < n; i++) g[i] = 0;                                             \
    viper_##name##_add_gradient(rest, x, g);                                                       \
    VIPER_UNROLL for (int i = 0; i < n; i++) {                                                     \
      *out++ = g[i];                                                                               \
      g[i] = 0;                                                                                    \
      VIPER_UNROLL for (int j = 0; j < n; j++) h[i][j] = 0;                                        \
    }                                                                                              \
    viper_##name##_add_block(rest, x, g, h);                                                       \
    VIPER_UNROLL for (int i = 0; i < n; i++) {                                                     \
      *out++ = g[i];                                                                               \
      VIPER_UNROLL for (int j = 0; j <= i; j++) *out++ = h[i][j];                                  \
    }                                                                                              \
    return out;                                                                                    \
  }
#define TERMS_OF_SEGMENT(name, NAME) TERMS_DEFINE(name, segment, VIPER_SEGMENT_UNKNOWNS)
#define TERMS_OF_JOINT(name, NAME)   TERMS_DEFINE(name, joint, VIPER_JOINT_UNKNOWNS)
VIPER_SEGMENT_TERMS(TERMS_OF_SEGMENT)
VIPER_JOINT_TERMS(TERMS_OF_JOINT)
#undef TERMS_OF_SEGMENT
#undef TERMS_OF_JOINT
#undef TERMS_DEFINE

/// All terms of one input.
VIPER_FN void terms_all(const terms_input *in, viper_scalar out[TERMS_OUTPUT]) {
#define EVALUATE(name, NAME) out = terms_##name(&in->segment_rest, &in->segment, out);
  VIPER_SEGMENT_TERMS(EVALUATE)
#undef EVALUATE
#define EVALUATE(name, NAME) out = terms_##name(&in->joint_rest, &in->joint, out);
  VIPER_JOINT_TERMS(EVALUATE)
#undef EVALUATE
}

#endif
