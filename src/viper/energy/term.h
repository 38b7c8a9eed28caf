// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms of the elastic energy as data: their names, stencils and stiffness, for what goes over
/// them once, not in a loop of a method.
#ifndef VIPER_ENERGY_TERM_H
#define VIPER_ENERGY_TERM_H

#include "viper/energy/table.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct viper_material;

typedef struct viper_term {
  const char *name, *text;                                    ///< of its energy, for users
  int32_t unknowns;                                           ///< that it acts on
  double (*stiffness)(const struct viper_material *material); ///< K
} viper_term;

extern const viper_term viper_segment_term[VIPER_N_SEGMENT_TERMS];
extern const viper_term viper_joint_term[VIPER_N_JOINT_TERMS];

/// Which of the `n` terms act, K being positive: bit by bit.
static inline int32_t viper_acting(const double *k, int n) {
  int32_t acting = 0;
  for (int t = 0; t < n; t++)
    acting |= (int32_t)(k[t] > 0) << t;
  return acting;
}

/// Likewise of a segment with K `k`, and `k_solid` of the terms of the material model solid: bits
/// behind the others.
static inline int32_t viper_segment_acting(const double *k, const double *k_solid) {
  return viper_acting(k, VIPER_N_SEGMENT_TERMS) | viper_acting(k_solid, VIPER_N_SOLID_TERMS)
                                                      << VIPER_N_SEGMENT_TERMS;
}

/// Of an element's terms that act on any of these unknowns: how many they are, and the sum of K.
int32_t viper_count_acting(const viper_term *term, const double *k, int n, int32_t unknowns);
double viper_k_on(const viper_term *term, const double *k, int n, int32_t unknowns);

#ifdef __cplusplus
}
#endif

#endif
