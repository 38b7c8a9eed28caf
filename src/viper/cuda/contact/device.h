// SPDX-License-Identifier: GPL-3.0-or-later
/// Device data of contact (cuda/README.md, Contact), in one precision. Indexes are the model's.
#ifndef VIPER_CUDA_CONTACT_DEVICE_H
#define VIPER_CUDA_CONTACT_DEVICE_H

#include "viper/contact/average.h"
#include "viper/contact/candidate.h"
#include "viper/contact/ease.h"
#include "viper/contact/smooth.h"
#include "viper/contact/truncation.h"
#include "viper/contact/warm_start.h"
#include "viper/cuda/contact/host.h"
#include "viper/cuda/core/bounds.h"
#include "viper/cuda/core/device.h"

#include <string.h>

/// Colors that contacts are sorted into; what needs more is handled one by one.
#define VIPER_TOUCH_COLORS 64
static_assert(VIPER_TOUCH_COLORS == 64, "colors are bits of a word");
/// What has no color yet, and what is no contact.
#define VIPER_UNCOLORED 127
/// Colors that contacts are sorted into, with that of those that have none; and contacts, in the
/// order of keys, that a warp counts by color one after the other. So many such chunks have `n`
/// contacts.
#define VIPER_ALL_COLORS     (VIPER_TOUCH_COLORS + 1)
#define VIPER_CHUNK_CONTACTS 128
VIPER_FN int32_t viper_color_parts(int32_t n) {
  return (n + VIPER_CHUNK_CONTACTS - 1) / VIPER_CHUNK_CONTACTS;
}
/// How far apart pairs count that are not near, m.
#define VIPER_FAR ((viper_scalar)1e30)

/// What is counted anew in each substep.
typedef struct viper_contact_count {
  uint64_t levels;   ///< of the grid, those that have spheres
  int32_t n_pairs;   ///< found, with those that there was no room for
  int32_t n_touches; ///< likewise
  int32_t n_colored;
  uint64_t speed;                     ///< as in viper_contact_run
  int32_t working[VIPER_EASE_ROUNDS]; ///< contacts whose friction does work, by round
  int32_t n_rest_nodes;               ///< nodes that have contacts with half-planes
  int32_t n_suspects, n_truncated;    ///< segments and nodes, see cuda/contact/truncation.h
  int32_t unsafe[VIPER_TRUNCATION_ROUNDS +
                 VIPER_TRUNCATION_STOP_ROUNDS];  ///< pairs that would pass, by round
  int32_t stopped[VIPER_TRUNCATION_STOP_ROUNDS]; ///< nodes, by round
  int32_t color_first[VIPER_TOUCH_COLORS + 1], color_end[VIPER_TOUCH_COLORS + 1];
} viper_contact_count;

/// In words, which are cleared one by one.
enum { VIPER_WORD = 4, VIPER_COUNT_WORDS = sizeof(viper_contact_count) / VIPER_WORD };

/// Report of the contacts of the latest substep.
typedef struct viper_contact_report {
  uint64_t complementarity; ///< the bits of a double, which are as large as it is; m
  int32_t n_pushing;
} viper_contact_report;

/// A segment as the search for pairs has it: the sphere about it (of radius -1 it overlaps none),
/// its cell, the next segment in the same bucket or -1, and its body as in viper_filter. All of it
/// is read at once.
typedef struct __attribute__((aligned(16))) viper_ball {
  float sphere[4];
  uint64_t cell;
  int32_t next;
  int32_t body;
} viper_ball;

/// A contact to be sorted: what from (viper_contact_touch_pair), and its number: as it was found
/// among those of its first segment, then in `found`.
typedef struct __attribute__((aligned(16))) viper_touch_key {
  uint64_t key;
  int64_t number;
} viper_touch_key;

/// A contact in the order of colors: its place in the order of keys, and its number in `found`.
typedef struct viper_touch_numbers {
  int32_t rank, number;
} viper_touch_numbers;

/// Segments i < j whose spheres overlap.
typedef struct viper_segment_pair {
  int32_t i, j;
} viper_segment_pair;

/// What happens to a node in this substep.
enum viper_active {
  VIPER_ACTIVE = 1, ///< something
  VIPER_WATCHED_SCALE = 2
};

typedef struct viper_contact_device {
  // The scene's
  const int32_t *segment_node;        ///< [n_segments x 2]
  const int32_t *body;                ///< [n_segments] as viper_filter's
  const uint32_t *groups, *meets;     ///< [n_segments] null where all may touch
  const int32_t *first_apart, *apart; ///< as viper_filter's; null where that has none
  const viper_rod_neighbors *beyond;  ///< [n_segments] null where normals are segments'
  viper_plane *plane;                 ///< [n_planes] those with drivers move
  viper_average *average;             ///< [n_nodes] null where contacts go color by color
  viper_constants constants;          ///< of the settings of the step at work
  int32_t follows;                    ///< whether bodies seek the minimum of Phi
  const int32_t *driven;              ///< [n_planes] number of each one's plane driver, or -1
  const int32_t *place, *place_hat;   ///< [n_nodes] rows of four in `workspace`: now; predicted
  const int64_t *workspace_first;     ///< [n_bodies] where each begins in `workspace`
  const double *mass;                 ///< [n_nodes] kg
  const double *body_mass;            ///< [n_bodies] kg; 0 where a center is pinned
  const int32_t *body_node;           ///< [n_bodies + 1] first node of each
  viper_scalar margin;                ///< m
  viper_friction friction;            ///< between capsules
  const viper_friction *of_node;      ///< [n_nodes] of bodies; null where none has its own
  // Of friction that rolls frames; null where there is none, or where contacts are averaged
  const int32_t *frame_place, *frame_place_hat; ///< [n_segments] rows of four in `workspace`
  const viper_roller *roller;                   ///< at nodes, by their shares
  const int32_t *roller_first;                  ///< [n_nodes + 1]
  const int32_t *turn;                          ///< [n_nodes] on half-planes, below n_turns
  int32_t n_turns;
  int32_t n_nodes, n_segments, n_bodies, n_planes;
  int32_t n_buckets;   ///< a power of two; 0 without contacts between capsules
  int32_t number_bits; ///< that a segment's number has
  viper_contact_rooms rooms;
  bool is_shared; ///< whether the cooperative group of a launch has its workspace in shared memory
  bool moves_hat; ///< whether predictions follow a pass
  bool begins;    ///< whether a launch begins a substep (viper_contact_clear)
  bool centers;   ///< whether an iteration puts bodies back to their momentum
  // What lasts
  viper_contact_run *run;
  viper_contact_node *node;   ///< [n_nodes] rest data are written once
  viper_contact_frame *frame; ///< [n_segments] likewise; null as above
  viper_vec4 *still;          ///< [n_nodes] of their motion in the substep velocities do not count
  viper_kept_row *kept;       ///< [n_segments] of the substep before; null without a warm start
  viper_kept *kept_rest;      ///< [n_nodes x n_planes] likewise
  double *push;               ///< [n_nodes x n_planes x VIPER_PUSH_DOUBLES] of driven half-planes
  // Of a substep
  viper_contact_report *report;
  viper_contact_count *count;
  viper_real *workspace; ///< what bodies are worked on with (viper_workspace), one after the other
  viper_moving_capsule *capsule; ///< [n_segments]
  viper_ball *ball;              ///< [n_segments]
  int32_t *bucket;               ///< [n_buckets] the first segment in it, or -1
  viper_segment_pair *pair;      ///< [rooms.pairs]
  viper_scalar *gap;             ///< [rooms.pairs] where they are predicted; VIPER_FAR if not near
  int32_t *suspect;              ///< [n_segments] whether its pairs are to be looked at
  int32_t *suspects;             ///< [n_segments] those
  uint8_t *truncated;            ///< [n_nodes] whether its motion was truncated
  uint64_t *bid;                 ///< [n_nodes] see viper_truncation_bid
  viper_touch *found;            ///< [rooms.touches]
  // In cuda/contact/order.h:
  viper_touch_key *key, *by_segment, *sorted; ///< [rooms.touches] as found; by segment; by key
  int32_t *first_touch; ///< [n_segments + 1] contacts of a segment; then those before its first
  uint32_t *color;      ///< [rooms.touches] in the order of keys
  int32_t *of_color;    ///< [VIPER_ALL_COLORS x viper_color_parts] of each color
  int32_t *order_sum;   ///< of either, by warps
  viper_touch_numbers *order;   ///< [rooms.touches] by color
  viper_touch *between;         ///< [rooms.touches] contacts of capsules, color by color
  uint64_t *head;               ///< [n_nodes] the next contact to be colored
  uint64_t *taken;              ///< [n_nodes] colors of its contacts
  int32_t *n_rests;             ///< [n_nodes] contacts with half-planes
  viper_touch *rest;            ///< [n_nodes x n_planes]
  int32_t *rest_node;           ///< [n_nodes] those that have any, in whatever order
  viper_scalar *limit;          ///< [n_nodes] what holds a scale above its limit: viper_limit
  double *plane_work;           ///< [n_planes] of driven ones in this substep, J
  viper_ease_sums ease_sums[2]; ///< of even and of odd rounds
  uint8_t *active;              ///< [n_nodes] of viper_active
  uint8_t *rolling;             ///< [n_segments] whether a frame is at an active node
} viper_contact_device;

/// Whether this substep found more than there is room for: then it is not done.
VIPER_FN bool viper_contact_lost(const viper_contact_device *c) {
  // Both are read at once: all threads wait for them.
  return (c->count->n_pairs > c->rooms.pairs) | (c->count->n_touches > c->rooms.touches);
}

/// Whether nothing is done any more: after trouble, and where there was no room.
VIPER_FN bool viper_contact_idle(const viper_device *d, const viper_contact_device *c) {
  return (d->control->stopped | c->run->full) != 0;
}

// Atomics of integers: sums, bits and greatest values, whose results do not depend on an order.
VIPER_FN int32_t viper_atomic_add(int32_t *at, int32_t n) {
#ifdef __CUDA_ARCH__
  return atomicAdd(at, n);
#else
  int32_t old = *at;
  *at += n;
  return old;
#endif
}

VIPER_FN int32_t viper_atomic_set(int32_t *at, int32_t to) {
#ifdef __CUDA_ARCH__
  return atomicExch(at, to);
#else
  int32_t old = *at;
  *at = to;
  return old;
#endif
}

VIPER_FN void viper_atomic_most_word(uint32_t *at, uint32_t x) {
#ifdef __CUDA_ARCH__
  atomicMax(at, x);
#else
  *at = x > *at ? x : *at;
#endif
}

VIPER_FN void viper_atomic_most(uint64_t *at, uint64_t x) {
#ifdef __CUDA_ARCH__
  atomicMax((unsigned long long *)at, (unsigned long long)x);
#else
  *at = x > *at ? x : *at;
#endif
}

VIPER_FN void viper_atomic_or(uint64_t *at, uint64_t x) {
#ifdef __CUDA_ARCH__
  atomicOr((unsigned long long *)at, (unsigned long long)x);
#else
  *at |= x;
#endif
}

/// The bits of numbers.
VIPER_FN uint32_t viper_float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

VIPER_FN uint64_t viper_double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

VIPER_FN uint64_t viper_scalar_bits(viper_scalar x) {
#if VIPER_PRECISION == 32
  return viper_float_bits(x);
#else
  return viper_double_bits(x);
#endif
}

#endif
