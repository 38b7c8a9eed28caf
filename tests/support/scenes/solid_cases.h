// SPDX-License-Identifier: GPL-3.0-or-later
/// Random segments of the material model solid, for tests of its terms in double precision.
#ifndef VB_TESTS_SUPPORT_SOLID_CASES_H
#define VB_TESTS_SUPPORT_SOLID_CASES_H

#include "scenes/second_cases.h"

/// Stiffnesses and lengths of order one, and a slant of a tenth of that.
static inline viper_solid_rest solid_random_rest(uint64_t *seed) {
  return (viper_solid_rest){descent_random(seed, 0.5), descent_random(seed, 0.5),
                            descent_random(seed, 0.5), 0.1 * descent_random(seed, 0)};
}

/// Ends anywhere about the origin, any frame, scales and an activation of order one.
static inline viper_segment_state solid_random_segment(uint64_t *seed) {
  viper_segment_state x = {descent_vector(seed),      descent_vector(seed),
                           descent_random(seed, 0.5), descent_random(seed, 0.5),
                           descent_frame(seed),       viper_passive()};
  x.active = (viper_contraction){descent_random(seed, 0.5), descent_random(seed, 0.5)};
  return x;
}

#endif
