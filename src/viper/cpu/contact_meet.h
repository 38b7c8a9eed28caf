// SPDX-License-Identifier: GPL-3.0-or-later
/// Where several pairs of pills meet, at once.
#ifndef VIPER_CPU_CONTACT_MEET_H
#define VIPER_CPU_CONTACT_MEET_H

enum {
  VIPER_MEETINGS = 16,      ///< pairs in a block
  VIPER_PAIR_NUMBERS = 16,  ///< of a pair: for a, then b, and each end of it: center and radius
  VIPER_WATCHED_NUMBERS = 7 ///< as in viper_watched: al, be, gap of best, and of other; apart
};

/// Where the pairs of a block are watched, bitwise as viper_pill_watch has it for each, with its
/// margin [m].
void viper_pills_watch_f32(const float pair[VIPER_PAIR_NUMBERS][VIPER_MEETINGS],
                           const float margin[VIPER_MEETINGS],
                           float out[VIPER_WATCHED_NUMBERS][VIPER_MEETINGS]);
void viper_pills_watch_f64(const double pair[VIPER_PAIR_NUMBERS][VIPER_MEETINGS],
                           const double margin[VIPER_MEETINGS],
                           double out[VIPER_WATCHED_NUMBERS][VIPER_MEETINGS]);

#endif
