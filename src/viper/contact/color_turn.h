// SPDX-License-Identifier: GPL-3.0-or-later
/// The order in which contacts between capsules are colored: that of their numbers with the bits
/// reversed. Contacts with near numbers often share a node, and are far apart in this order. In the
/// order of the numbers, threads that color contacts in parallel would wait for each other in
/// chains along the rods. In a heap of a hundred octopuses that takes 77 to 116 rounds with 41 to
/// 60 colors, this order 45 to 74 rounds with as many colors.
#ifndef VIPER_CONTACT_COLOR_TURN_H
#define VIPER_CONTACT_COLOR_TURN_H

#include "viper/energy/real.h"

#include <stdint.h>

/// The bits of `x` in reverse order: the place of contact number `x` (sorted by segments) in this
/// order. It is its own inverse; of a place with n bits, shift out 32 - n zeros.
VIPER_FN uint32_t viper_color_turn(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}

#endif
