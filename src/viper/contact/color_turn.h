// SPDX-License-Identifier: GPL-3.0-or-later
/// The order in which contacts between capsules get colors: that of their numbers with the bits
/// reversed, so that contacts with near numbers, which often share a node, get theirs at different
/// times. In the order of the numbers, threads that color contacts in parallel would wait for each
/// other in chains along the rods: in a heap of a hundred octopuses for 77 to 116 rounds with 41 to
/// 60 colors; in this order for 45 to 74, with as many colors.
#ifndef VIPER_CONTACT_COLOR_TURN_H
#define VIPER_CONTACT_COLOR_TURN_H

#include "viper/energy/real.h"

#include <stdint.h>

/// The bits of `x` in the opposite order: the turn of contact number `x` (sorted by segments), and
/// of a turn the number, with as many zeros to be shifted out as 32 is above the bits of a turn.
VIPER_FN uint32_t viper_color_turn(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}

#endif
