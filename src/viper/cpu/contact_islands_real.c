// SPDX-License-Identifier: GPL-3.0-or-later
/// The contacts of small colors, island by island: those that share nodes, and those that share
/// nodes with these, are an island. Few contacts are left after the large colors, so that islands
/// are small, and threads need not wait for each other after every color. On an island contacts
/// keep their order: what comes of them is the same as color by color.
#include "viper/cpu/contact_real.h"

#include <stdlib.h>

/// Contacts of a color from which on all threads share it, and wait for each other after it. It
/// takes the first colors away for what is left to fall into islands: they are shared earlier.
#define SHARED       128
#define SHARED_FIRST 32
#define FIRST        6

/// Any of a node's island, the same for all its nodes.
static int32_t leader_of(int32_t *leader, int32_t node) {
  while (leader[node] != node)
    node = leader[node] = leader[leader[node]];
  return node;
}

/// Room for `n` contacts, and for as many islands.
static bool reserve(viper_islands *s, size_t n) {
  if (n <= s->capacity)
    return true;
  size_t capacity = n + n / 2 + 64;
  int32_t *touch = realloc(s->touch, (2 * capacity + 2) * sizeof *touch);
  if (!touch)
    return false;
  s->touch = touch;
  s->first = touch + capacity;
  s->capacity = capacity;
  return true;
}

/// Unites the nodes of contacts [begin, end).
static void unite(viper_islands *s, const viper_touch *touch, int32_t begin, int32_t end) {
  for (int32_t k = begin; k < end; k++)
    for (int i = 0; i < 4; i++) {
      s->leader[touch[k].node[i]] = touch[k].node[i];
      s->number[touch[k].node[i]] = -1;
    }
  for (int32_t k = begin; k < end; k++) {
    int32_t first = leader_of(s->leader, touch[k].node[0]);
    for (int i = 1; i < 4; i++)
      s->leader[leader_of(s->leader, touch[k].node[i])] = first;
  }
}

/// Puts contacts [begin, end) into the rows of their islands, which are numbered as they come.
static void fill(viper_islands *s, const viper_touch *touch, int32_t begin, int32_t end) {
  s->n = 0;
  s->first[0] = s->first[1] = 0;
  for (int32_t k = begin; k < end; k++) {
    int32_t *number = &s->number[leader_of(s->leader, touch[k].node[0])];
    if (*number < 0) {
      *number = s->n++;
      s->first[s->n + 1] = 0;
    }
    s->first[*number + 2]++;
  }
  for (int32_t k = 0; k < s->n; k++)
    s->first[k + 2] += s->first[k + 1];
  for (int32_t k = begin; k < end; k++)
    s->touch[s->first[s->number[leader_of(s->leader, touch[k].node[0])] + 1]++] = k;
}

/// How many colors, from the first on, all threads share.
static int32_t count_shared(const int32_t *color_first) {
  int32_t color = 0;
  while (color < VIPER_CONTACT_COLORS &&
         color_first[color + 1] - color_first[color] >= (color < FIRST ? SHARED_FIRST : SHARED))
    color++;
  return color;
}

bool viper_contact_partition(viper_contacts *c) {
  c->shared_colors = count_shared(c->color_first);
  int32_t n = (int32_t)c->touch.n, begin = c->color_first[c->shared_colors];
  if (!reserve(&c->islands, (size_t)(n - begin) + 1))
    return false;
  unite(&c->islands, c->touch.touch, begin, n);
  fill(&c->islands, c->touch.touch, begin, n);
  return true;
}
