// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/energy/term.h"

#define VIPER_PRECISION 64
#include "viper/energy/terms.h"

#define TERM(name, NAME)                                                                           \
  {#name, VIPER_##NAME##_TEXT, VIPER_##NAME##_UNKNOWNS, viper_##name##_stiffness},
const viper_term viper_segment_term[VIPER_N_SEGMENT_TERMS] = {VIPER_SEGMENT_TERMS(TERM)};
const viper_term viper_joint_term[VIPER_N_JOINT_TERMS] = {VIPER_JOINT_TERMS(TERM)};

int32_t viper_count_acting(const viper_term *term, const double *k, int n, int32_t unknowns) {
  int32_t count = 0;
  for (int t = 0; t < n; t++)
    count += k[t] > 0 && term[t].unknowns & unknowns;
  return count;
}

double viper_k_on(const viper_term *term, const double *k, int n, int32_t unknowns) {
  double sum = 0;
  for (int t = 0; t < n; t++)
    sum += term[t].unknowns & unknowns ? k[t] : 0;
  return sum;
}
