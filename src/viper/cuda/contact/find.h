// SPDX-License-Identifier: GPL-3.0-or-later
/// Phase functions that find the contacts of a substep on a device.
///
/// The broad phase is that of contact/grid.h in another form: cells are as wide as a power of two,
/// which float divides by exactly, in a level for each; a sphere is in the level whose cells are
/// the least that are as wide as it. Cells are hashed into buckets, of which each has a list of its
/// spheres, in any order; a sphere looks for others in the buckets of its own cell and of those
/// around it, in its level and in the coarser ones, and knows by the cell's number whose spheres
/// are meant. So a pair is found once, at any spread and any differences of size. Pairs and
/// contacts are noted in any order, and contacts are sorted by their segments (order.h).
///
/// Contacts between capsules get colors: each gets the least color that no contact before it (in
/// the order of contact/color_turn.h) has at one of its nodes, as if they were gone through one by
/// one. In parallel: in a round those get theirs that are the first without one at each of their
/// nodes (Jones and Plassmann 1993, with that order in place of random numbers).
#ifndef VIPER_CUDA_CONTACT_FIND_H
#define VIPER_CUDA_CONTACT_FIND_H

#include "viper/contact/color_turn.h"
#include "viper/cuda/contact/order.h"

/// Exponents of the least and the greatest cells' widths: what is smaller is in the least, what is
/// larger has no pairs (5e11 m).
#define VIPER_LEAST_CELL (-24)
#define VIPER_LEVELS     64
/// Bits of a cell's coordinate: those of cells that are closer than that differ.
#define VIPER_CELL_BITS 19
#define VIPER_NO_CELL   UINT64_MAX
/// Cells around a sphere's own, with that. It is number VIPER_OWN_CELL. Those before it are looked
/// in by spheres there.
#define VIPER_CELLS    27
#define VIPER_OWN_CELL 13
/// Segments up to which a device has threads to spare: one for each cell, else one for two.
#define VIPER_FEW_SEGMENTS 16384

/// Counters and buckets are empty; driven half-planes move.
VIPER_FN void viper_contact_clear(const viper_device *d, const viper_contact_device *c, int32_t i) {
  if (i < c->n_planes && c->driven[i] >= 0)
    viper_plane_move(&c->plane[i], d->bound_value + VIPER_PLANE_VALUES * (size_t)c->driven[i]);
  if (i < VIPER_COUNT_WORDS)
    memset((char *)c->count + (size_t)i * VIPER_WORD, 0, VIPER_WORD);
  if (i < c->n_buckets) {
    c->bucket[i] = -1;
    if (i <= c->n_segments) // there are more buckets
      c->first_touch[i] = 0;
  }
}

/// A node where it is predicted; its contacts with half-planes.
VIPER_FN void viper_contact_gather_node(const viper_device *d, const viper_contact_device *c,
                                        int32_t i) {
  viper_contact_node *to = &c->node[i];
  const viper_real *x = c->workspace + 4 * (size_t)c->place[i];
  const viper_real *hat = c->workspace + 4 * (size_t)c->place_hat[i],
                   *old = d->node + 4 * (size_t)i;
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    to->x[k] = x[k];
    to->old[k] = old[k];
    to->hat[k] = d->node_hat0[4 * (size_t)i + (size_t)k] = hat[k];
    to->push[k] = 0;
  }
  c->still[i] = viper_vec4_make(0, 0, 0, 0);
  c->head[i] = c->taken[i] = 0;
  c->truncated[i] = 0;
  int32_t n = 0;
  viper_touch *rest = c->rest + (size_t)i * (size_t)c->n_planes;
  for (int32_t p = 0; p < c->n_planes; p++) {
    if (!viper_touch_plane(c->node, i, &c->plane[p], p, c->margin, &rest[n]))
      continue;
    if (c->kept_rest)
      viper_touch_recall(&rest[n], &c->kept_rest[(size_t)i * (size_t)c->n_planes + (size_t)p],
                         c->constants.warm_start);
    n++;
  }
  c->n_rests[i] = n;
  if (n > 0)
    c->rest_node[viper_atomic_add(&c->count->n_rest_nodes, 1)] = i;
  c->limit[i] = 0;
  bool watched = viper_watch_scale(to);
  c->active[i] =
      (uint8_t)((n > 0 || watched ? VIPER_ACTIVE : 0) | (watched ? VIPER_WATCHED_SCALE : 0));
}

/// The level of a sphere: cells 2^(level + VIPER_LEAST_CELL) wide are no less than it; -1 where it
/// is too large or no number.
VIPER_FN int viper_level_of(float radius) {
  if (!(radius >= 0 && radius < 2e11f))
    return -1;
  float least = 2 * radius;
  int exponent = (int)(viper_float_bits(least) >> 23) - 127; // 2^exponent <= least
  exponent += (viper_float_bits(least) & 0x7fffff) != 0;
  return exponent < VIPER_LEAST_CELL ? 0 : exponent - VIPER_LEAST_CELL;
}

/// One over the width of a level's cells, 1/m: exact.
VIPER_FN float viper_inverse_width(int level) {
  uint32_t bits = (uint32_t)(127 - (level + VIPER_LEAST_CELL)) << 23;
  float out;
  memcpy(&out, &bits, sizeof out);
  return out;
}

/// Coordinate of the cell that `x` is in.
VIPER_FN int64_t viper_cell_along(float x, float inverse) {
  float at = floorf(x * inverse);
  return at > -9e18f && at < 9e18f ? (int64_t)at : 0; // what is farther is alone
}

VIPER_FN uint64_t viper_cell_number(int level, int64_t x, int64_t y, int64_t z) {
  const uint64_t mask = ((uint64_t)1 << VIPER_CELL_BITS) - 1;
  return (uint64_t)level << 3 * VIPER_CELL_BITS | ((uint64_t)x & mask) << 2 * VIPER_CELL_BITS |
         ((uint64_t)y & mask) << VIPER_CELL_BITS | ((uint64_t)z & mask);
}

/// Mixes the bits of a cell's number (an odd factor, folded, twice).
VIPER_FN uint32_t viper_bucket_of(const viper_contact_device *c, uint64_t cell) {
  cell *= 0x9e3779b97f4a7c15u;
  cell ^= cell >> 32;
  cell *= 0xd6e8feb86659fd93u;
  return (uint32_t)(cell >> 32) & (uint32_t)(c->n_buckets - 1);
}

VIPER_FN bool viper_is_sound(const float s[4]) {
  bool sound = true;
  VIPER_UNROLL for (int k = 0; k < 4; k++) sound =
      sound && (viper_float_bits(s[k]) & 0x7f800000) != 0x7f800000;
  return sound;
}

/// The capsule of a segment between nodes `a` and `b`, the sphere about it and that one's cell.
VIPER_FN void viper_contact_fill_ball(const viper_contact_device *c, int32_t j,
                                      const viper_contact_node *a, const viper_contact_node *b) {
  viper_ball *ball = &c->ball[j];
  float s[4];
  viper_fill_capsule(a, b, &c->capsule[j]);
  viper_sphere_about(a, b, c->margin, s);
  int level = viper_is_sound(s) ? viper_level_of(s[3]) : -1;
  ball->cell = VIPER_NO_CELL;
  ball->next = -1;
  ball->body = c->body[j];
  c->suspect[j] = 0;
  if (level < 0) {
    s[3] = -1;
  } else {
    float inverse = viper_inverse_width(level);
    ball->cell =
        viper_cell_number(level, viper_cell_along(s[0], inverse), viper_cell_along(s[1], inverse),
                          viper_cell_along(s[2], inverse));
    ball->next = viper_atomic_set(&c->bucket[viper_bucket_of(c, ball->cell)], j);
    viper_atomic_or(&c->count->levels, (uint64_t)1 << level);
  }
  VIPER_UNROLL for (int k = 0; k < 4; k++) ball->sphere[k] = s[k];
}

/// What those functions read of a node where it is predicted.
VIPER_FN viper_contact_node viper_contact_predicted(const viper_device *d,
                                                    const viper_contact_device *c, int32_t i) {
  const viper_real *x = c->workspace + 4 * (size_t)c->place[i], *old = d->node + 4 * (size_t)i;
  viper_contact_node out;
  out.x = viper_vec4_make(x[0], x[1], x[2], x[3]);
  out.old = viper_vec4_make(old[0], old[1], old[2], old[3]);
  out.radius = c->node[i].radius;
  return out;
}

/// Segment `j` where it is predicted: its nodes are gathered at the same time, by other threads.
VIPER_FN void viper_contact_gather_segment(const viper_device *d, const viper_contact_device *c,
                                           int32_t j) {
  const int32_t *node = c->segment_node + 2 * (size_t)j;
  const viper_contact_node a = viper_contact_predicted(d, c, node[0]),
                           b = viper_contact_predicted(d, c, node[1]);
  viper_contact_fill_ball(c, j, &a, &b);
}

/// Whether two spheres overlap, of different bodies.
VIPER_FN bool viper_balls_overlap(const viper_ball *a, const viper_ball *b) {
  float x = a->sphere[0] - b->sphere[0], y = a->sphere[1] - b->sphere[1];
  float z = a->sphere[2] - b->sphere[2], r = a->sphere[3] + b->sphere[3];
  return x * x + y * y + z * z <= r * r && !(a->body == b->body && a->body >= 0);
}

/// Whether the groups of segments i and j may touch.
VIPER_FN bool viper_groups_touch(const viper_contact_device *c, int32_t i, int32_t j) {
  return !c->groups || ((c->groups[i] & c->meets[j]) && (c->groups[j] & c->meets[i]));
}

/// Whether the spheres of segments i and j overlap and their bodies and groups may touch.
VIPER_FN bool viper_spheres_overlap(const viper_contact_device *c, int32_t i, int32_t j) {
  return viper_balls_overlap(&c->ball[i], &c->ball[j]) && viper_groups_touch(c, i, j);
}

/// The part of the search around a sphere that a thread does: in each level every so manieth cell.
typedef struct viper_search {
  int32_t segment;
  int32_t cell, cell_step;
  viper_ball ball; ///< the segment's
} viper_search;

/// Notes the pairs with those of a cell, from segment `j` of a bucket on. The next is read before
/// anything is done with one: threads wait long for it.
VIPER_FN void viper_contact_look_in(const viper_contact_device *c, const viper_search *search,
                                    uint64_t cell, int32_t j) {
  const int32_t i = search->segment;
  viper_ball next = c->ball[j < 0 ? i : j];
  while (j >= 0) {
    const viper_ball other = next;
    next = c->ball[other.next < 0 ? i : other.next];
    if (other.cell == cell && viper_balls_overlap(&search->ball, &other) &&
        viper_groups_touch(c, i, j)) {
      int32_t at = viper_atomic_add(&c->count->n_pairs, 1);
      viper_segment_pair pair = {i < j ? i : j, i < j ? j : i};
      if (at < c->rooms.pairs)
        c->pair[at] = pair;
    }
    j = other.next;
  }
}

/// Notes the pairs in a level: the sphere's own (half of the cells around its own, and behind
/// itself in that) or a coarser one.
VIPER_FN void viper_contact_look_around(const viper_contact_device *c, const viper_search *search,
                                        int level, bool own) {
  const float *s = search->ball.sphere;
  float inverse = viper_inverse_width(level);
  int64_t x = viper_cell_along(s[0], inverse), y = viper_cell_along(s[1], inverse);
  int64_t z = viper_cell_along(s[2], inverse);
  for (int32_t at = search->cell; at < VIPER_CELLS; at += search->cell_step) {
    if (own && at < VIPER_OWN_CELL)
      continue;
    uint64_t cell = viper_cell_number(level, x + at % 3 - 1, y + at / 3 % 3 - 1, z + at / 9 - 1);
    viper_contact_look_in(c, search, cell,
                          own && at == VIPER_OWN_CELL ? search->ball.next
                                                      : c->bucket[viper_bucket_of(c, cell)]);
  }
}

/// Threads that search around a sphere: one for all cells where their number would be too large.
VIPER_FN int32_t viper_contact_search_threads(const viper_contact_device *c) {
  return c->n_segments <= VIPER_FEW_SEGMENTS       ? VIPER_CELLS
         : c->n_segments < INT32_MAX / VIPER_CELLS ? VIPER_OWN_CELL + 1
                                                   : 1;
}

/// Element `i` of `threads` (one of viper_contact_search_threads) times as many as there are
/// segments. Threads side by side search from spheres side by side in the same direction.
VIPER_FN void viper_contact_find_pairs(const viper_contact_device *c, int32_t i, int32_t threads) {
  const int32_t j = i % c->n_segments;
  const viper_search search = {j, i / c->n_segments, threads, c->ball[j]};
  if (search.ball.cell == VIPER_NO_CELL)
    return;
  int level = (int)(search.ball.cell >> 3 * VIPER_CELL_BITS);
  uint64_t coarser = c->count->levels >> level >> 1;
  viper_contact_look_around(c, &search, level, true);
  for (level++; coarser > 0; coarser >>= 1, level++)
    if (coarser & 1)
      viper_contact_look_around(c, &search, level, false);
}

/// As viper_filter_allows.
VIPER_FN bool viper_contact_allows(const viper_contact_device *c, int32_t i, int32_t j) {
  const int32_t *a = c->segment_node + 2 * (size_t)i, *b = c->segment_node + 2 * (size_t)j;
  if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
    return false;
  if (c->first_apart)
    for (int32_t k = c->first_apart[i]; k < c->first_apart[i + 1]; k++)
      if (c->apart[k] == j)
        return false;
  return true;
}

/// Notes the contact at a place of a pair, where there is one.
VIPER_FN void viper_contact_note(const viper_contact_device *c, const viper_contact_candidate *p,
                                 viper_closest place, uint64_t key, viper_scalar *speed) {
  viper_touch touch;
  if (!viper_look_at(p, c->node, place, &touch, speed))
    return;
  // A thread has no registers to keep its segments.
  const int32_t i = viper_touch_segment(c, key);
  viper_touch_name(&touch, i, (int32_t)(key >> 1 & (((uint64_t)1 << c->number_bits) - 1)));
  int32_t at = viper_atomic_add(&c->count->n_touches, 1);
  if (at < c->rooms.touches) {
    const viper_touch_key own = {key, viper_atomic_add(&c->first_touch[i], 1)};
    c->found[at] = touch;
    c->key[at] = own;
  }
}

/// The contacts of pair `k`, as viper_touch_at has them. Their keys rise with their segments,
/// and for the same segments in the order of places. Capsules that are farther apart than both
/// moved cannot have gone through each other.
VIPER_FN void viper_contact_touch_pair(const viper_contact_device *c, int32_t k) {
  int32_t i = c->pair[k].i, j = c->pair[k].j;
  uint64_t key = ((uint64_t)i << c->number_bits | (uint64_t)j) << 1;
  viper_scalar speed = 0;
  viper_contact_candidate p;
  c->gap[k] = VIPER_FAR;
  if (!viper_contact_allows(c, i, j))
    return;
  viper_contact_candidate_make(c->node, c->segment_node + 2 * (size_t)i,
                               c->segment_node + 2 * (size_t)j, &c->capsule[i], &c->capsule[j],
                               c->margin, &p);
  viper_watched watched = viper_capsule_watch(&p.a, &p.b, p.margin);
  if (!(watched.best.gap < c->margin + (c->capsule[i].displacement + c->capsule[j].displacement)))
    return;
  c->gap[k] = watched.best.gap;
  viper_contact_note(c, &p, watched.best, key, &speed);
  if (watched.apart > 0)
    viper_contact_note(c, &p, watched.other, key | 1, &speed);
  if (speed > 0)
    viper_atomic_most(&c->count->speed, viper_scalar_bits(speed));
}

/// Turns contact `k` as found; all of them in a phase of their own, for want of registers.
VIPER_FN void viper_contact_smooth(const viper_contact_device *c, int32_t k) {
  viper_touch *t = &c->found[k];
  viper_touch_smooth(t, c->node, c->beyond[t->roller[0].segment], c->beyond[t->roller[1].segment]);
}

/// Contact number `r` in the order of keys.
VIPER_FN const viper_touch *viper_touch_in_order(const viper_contact_device *c, int32_t r) {
  return &c->found[c->sorted[r].number];
}

/// What a cooperative group colors contacts by: in memory of its own, or in the scene's.
typedef struct viper_coloring {
  uint64_t *head, *taken; ///< [n_nodes] as the device's
  uint32_t *own_head;     ///< [n_nodes] in place of `head`, in memory of its own; else null
  int32_t *n_colored;
} viper_coloring;

/// 0 where contacts may be too many for bids in words (viper_color_own_bid).
VIPER_FN size_t viper_coloring_bytes(const viper_contact_device *c) {
  if (c->rooms.touches > UINT16_MAX)
    return 0;
  return (size_t)c->n_nodes * (sizeof(uint64_t) + sizeof(uint32_t)) + sizeof(int32_t);
}

VIPER_FN viper_coloring viper_coloring_in(const viper_contact_device *c, void *memory) {
  viper_coloring w = {c->head, c->taken, NULL, &c->count->n_colored};
  if (memory) {
    w.taken = (uint64_t *)memory;
    w.own_head = (uint32_t *)(void *)(w.taken + c->n_nodes);
    w.n_colored = (int32_t *)(void *)(w.own_head + c->n_nodes);
  }
  return w;
}

/// Fills in memory of the group's own.
VIPER_FN void viper_coloring_begin(const viper_contact_device *c, const viper_coloring *w,
                                   const viper_coop_thread *thread) {
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    w->own_head[i] = 0, w->taken[i] = 0;
  if (thread->rank == 0)
    *w->n_colored = 0;
  viper_coop_sync(thread);
}

/// What contact `r` bids for its nodes in a round: more than any in an earlier round, and more than
/// those whose turns are later.
VIPER_FN uint64_t viper_color_bid(uint32_t round, int32_t r) {
  return (uint64_t)round << 32 | (UINT32_MAX - viper_color_turn((uint32_t)r));
}

/// The same in a word, of contacts that are colored in shared memory: they have fewer than 2^16
/// numbers, and take fewer rounds. `turn` is the bid of round 0.
VIPER_FN uint32_t viper_color_own_bid(uint32_t round, uint32_t turn) {
  return round << 16 | turn;
}

/// A contact to be colored, as a thread has it.
typedef struct viper_uncolored {
  int32_t node[4];
  int32_t number; ///< in the order of keys; -1 if it has a color
  uint32_t turn;  ///< in shared memory: its bid of round 0
} viper_uncolored;

/// Contact number `r`; none where there are fewer.
VIPER_FN viper_uncolored viper_uncolored_of(const viper_contact_device *c, int32_t r) {
  viper_uncolored out = {{0, 0, 0, 0}, -1, 0};
  if (r >= c->count->n_touches || c->color[r] != VIPER_UNCOLORED)
    return out;
  const viper_touch *t = viper_touch_in_order(c, r);
  VIPER_UNROLL for (int k = 0; k < 4; k++) out.node[k] = t->node[k];
  out.number = r;
  out.turn = (UINT32_MAX - viper_color_turn((uint32_t)r)) >> 16;
  return out;
}

/// Bids for the nodes of a contact, in shared memory if `near`; and whether its bid for one was the
/// highest.
VIPER_FN void viper_color_offer(const viper_coloring *w, const viper_uncolored *u, uint32_t round,
                                bool near) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) if (near)
      viper_atomic_most_word(&w->own_head[u->node[k]], viper_color_own_bid(round, u->turn));
  else viper_atomic_most(&w->head[u->node[k]], viper_color_bid(round, u->number));
}

VIPER_FN bool viper_color_is_most(const viper_coloring *w, const viper_uncolored *u, int k,
                                  uint32_t round, bool near) {
  return near ? w->own_head[u->node[k]] == viper_color_own_bid(round, u->turn)
              : w->head[u->node[k]] == viper_color_bid(round, u->number);
}

/// The place of the first bit of `x` that is 0; 64 where none is.
VIPER_FN uint32_t viper_first_zero(uint64_t x) {
#ifdef __CUDA_ARCH__
  return ~x == 0 ? 64 : (uint32_t)__ffsll((long long)~x) - 1;
#else
  return ~x == 0 ? 64 : (uint32_t)__builtin_ctzll(~x);
#endif
}

/// Whether a contact's nodes have all colors between them; then it gets none, whatever comes before
/// it.
VIPER_FN bool viper_color_none_left(const viper_contact_device *c, const viper_coloring *w,
                                    viper_uncolored *u) {
  uint64_t taken = 0;
  VIPER_UNROLL for (int k = 0; k < 4; k++) taken |= w->taken[u->node[k]];
  if (viper_first_zero(taken) < VIPER_TOUCH_COLORS)
    return false;
  c->color[u->number] = VIPER_TOUCH_COLORS;
  u->number = -1;
  return true;
}

/// Colors a contact if it is the first at each of its nodes; returns whether it was.
VIPER_FN bool viper_color_touch(const viper_contact_device *c, const viper_coloring *w,
                                viper_uncolored *u, uint32_t round, bool near) {
  uint64_t taken = 0;
  bool first = true;
  VIPER_UNROLL for (int k = 0; k < 4; k++) first &= viper_color_is_most(w, u, k, round, near);
  if (!first)
    return false;
  VIPER_UNROLL for (int k = 0; k < 4; k++) taken |= w->taken[u->node[k]];
  const uint32_t color = viper_first_zero(taken);
  for (int k = 0; k < 4 && color < VIPER_TOUCH_COLORS; k++)
    w->taken[u->node[k]] |= (uint64_t)1 << color;
  c->color[u->number] = color;
  u->number = -1;
  return true;
}

/// Contacts of a thread that it has at hand in all rounds, in shared memory; others are read anew.
#define VIPER_COLORED_KEPT 4

/// Before a round: contacts for which no color is left; returns how many the thread has. `own` are
/// those at hand, `others` is the first of the others.
VIPER_FN int32_t viper_color_left(const viper_contact_device *c, const viper_coloring *w,
                                  const viper_coop_thread *thread,
                                  viper_uncolored own[VIPER_COLORED_KEPT], int32_t others) {
  int32_t done = 0;
  VIPER_UNROLL for (int k = 0; k < VIPER_COLORED_KEPT; k++) if (own[k].number >= 0) done +=
      viper_color_none_left(c, w, &own[k]);
  VIPER_ROLLED for (int32_t r = others; r < c->count->n_touches; r += thread->size) {
    viper_uncolored u = viper_uncolored_of(c, r);
    if (u.number >= 0)
      done += viper_color_none_left(c, w, &u);
  }
  return done;
}

/// A round; returns how many contacts of the thread got a color.
VIPER_FN int32_t viper_color_round(const viper_contact_device *c, const viper_coloring *w,
                                   const viper_coop_thread *thread, uint32_t round,
                                   viper_uncolored own[VIPER_COLORED_KEPT], int32_t others) {
  const bool near = w->own_head != NULL;
  int32_t done = 0;
#ifdef __CUDA_ARCH__ // else compilers keep the addresses of nodes in twice as many registers
  VIPER_UNROLL for (int k = 0; k < VIPER_COLORED_KEPT; k++) asm volatile(
      "" : "+r"(own[k].node[0]), "+r"(own[k].node[1]), "+r"(own[k].node[2]), "+r"(own[k].node[3]));
#endif
  VIPER_UNROLL for (int k = 0; k < VIPER_COLORED_KEPT; k++) if (own[k].number >= 0)
      viper_color_offer(w, &own[k], round, true);
  VIPER_ROLLED for (int32_t r = others; r < c->count->n_touches; r += thread->size) {
    const viper_uncolored u = viper_uncolored_of(c, r);
    if (u.number >= 0)
      viper_color_offer(w, &u, round, near);
  }
  viper_coop_sync(thread);
  VIPER_UNROLL for (int k = 0; k < VIPER_COLORED_KEPT; k++) if (own[k].number >= 0) done +=
      viper_color_touch(c, w, &own[k], round, true);
  VIPER_ROLLED for (int32_t r = others; r < c->count->n_touches; r += thread->size) {
    viper_uncolored u = viper_uncolored_of(c, r);
    if (u.number >= 0)
      done += viper_color_touch(c, w, &u, round, near);
  }
  return done;
}

/// A cooperative group sorts contacts, colors them, orders them by color, and notes which nodes
/// have any: those that a contact has bid for. `memory` is viper_coloring_bytes of its own, or
/// null.
VIPER_FN void viper_contact_color(const viper_contact_device *c, const viper_coop_thread *thread,
                                  void *memory) {
  const viper_coloring w = viper_coloring_in(c, memory);
  if (c->count->n_touches == 0)
    return;
  if (memory)
    viper_coloring_begin(c, &w, thread);
  viper_contact_sort(c, thread);
  viper_uncolored own[VIPER_COLORED_KEPT];
  int32_t others = thread->rank;
  VIPER_UNROLL for (int k = 0; k < VIPER_COLORED_KEPT; k++) {
    own[k] = viper_uncolored_of(c, memory ? others : INT32_MAX);
    others += memory ? thread->size : 0;
  }
  for (uint32_t round = 1; *w.n_colored < c->count->n_touches; round++) {
    int32_t done = 0;
    // After as many rounds as there are colors many contacts may be left at one node: a round each.
    if (round > VIPER_TOUCH_COLORS)
      done = viper_color_left(c, &w, thread, own, others);
    done += viper_color_round(c, &w, thread, round, own, others);
    if (done > 0)
      viper_atomic_add(w.n_colored, done);
    viper_coop_sync(thread);
  }
  for (int32_t i = thread->rank; i < c->n_nodes; i += thread->size)
    if ((memory ? w.own_head[i] : w.head[i]) > 0)
      c->active[i] |= VIPER_ACTIVE;
  viper_contact_sort_colors(c, thread, memory, viper_coloring_bytes(c));
}

/// What contact `r` begins with. The other one of its pair is beside it.
VIPER_FN void viper_contact_recall(const viper_contact_device *c, viper_touch *t, int32_t r) {
  const uint64_t key = c->sorted[r].key;
  int32_t other = r;
  if (r > 0 && c->sorted[r - 1].key >> 1 == key >> 1)
    other = r - 1;
  else if (r + 1 < c->count->n_touches && c->sorted[r + 1].key >> 1 == key >> 1)
    other = r + 1;
  t->place = other == r ? 0 : viper_touch_place(t, viper_touch_in_order(c, other), (int)(key & 1));
  viper_touch_recall_between(t, &c->kept[t->roller[0].segment], c->constants.warm_start);
}

/// Puts the contact at place `k` of the order by colors there, with what it begins with.
VIPER_FN void viper_contact_arrange(const viper_contact_device *c, int32_t k) {
  const viper_touch_numbers place = c->order[k];
  c->between[k] = c->found[place.number];
  if (c->kept)
    viper_contact_recall(c, &c->between[k], place.rank);
}

#endif
