// SPDX-License-Identifier: GPL-3.0-or-later
/// Gaps of several pairs of pills at once.
#ifndef VIPER_CPU_CONTACT_GAPS_H
#define VIPER_CPU_CONTACT_GAPS_H

enum {
  VIPER_GAPS = 16,        ///< pairs in a block
  VIPER_PAIR_NUMBERS = 16 ///< of a pair: for a, then b, and each end of it: center and radius
};

/// The gap of each pair of a block [m], as viper_pill_closest has it.
void viper_pill_gaps_f32(const float pair[VIPER_PAIR_NUMBERS][VIPER_GAPS], float gap[VIPER_GAPS]);
void viper_pill_gaps_f64(const double pair[VIPER_PAIR_NUMBERS][VIPER_GAPS], double gap[VIPER_GAPS]);

#endif
