// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/coloring.h"

#include <stdlib.h>
#include <string.h>

/// Colors taken at a vertex: a bit set of as many words as needed.
typedef struct taken {
  uint64_t *word;
  int32_t n;
} taken;

struct viper_coloring {
  taken *vertex;
  int32_t *color; ///< of each element
  int32_t *body;
  int32_t *n_colors; ///< of each body
  int32_t *first;    ///< of each (body, color), bodies one after the other; set by place
  int32_t *phase_of; ///< first entry of each body in `first`
  size_t n, n_vertices, n_bodies;
  vb_arena memory; ///< all of it, but the colors taken
};

vb_status viper_coloring_create(size_t n_elements, size_t n_vertices, size_t n_bodies,
                                viper_coloring **out, vb_error *error) {
  viper_coloring *c = calloc(1, sizeof *c);
  if (!c)
    return vb_error_memory(error);
  c->n_vertices = n_vertices;
  c->n_bodies = n_bodies;
  *out = c;
  VB_TAKE(&c->memory, c->vertex, n_vertices);
  VB_TAKE(&c->memory, c->color, n_elements);
  VB_TAKE(&c->memory, c->body, n_elements);
  VB_TAKE(&c->memory, c->n_colors, n_bodies);
  VB_TAKE(&c->memory, c->phase_of, n_bodies + 1);
  return vb_arena_status(&c->memory, error);
}

void viper_coloring_destroy(viper_coloring *c) {
  if (!c)
    return;
  for (size_t i = 0; c->vertex && i < c->n_vertices; i++)
    free(c->vertex[i].word);
  vb_arena_clear(&c->memory);
  free(c);
}

/// The lowest color that none of the vertices has taken.
static int32_t free_color(const viper_coloring *c, const int32_t *vertex, int n) {
  for (int32_t w = 0;; w++) {
    uint64_t used = 0;
    for (int i = 0; i < n; i++)
      if (w < c->vertex[vertex[i]].n)
        used |= c->vertex[vertex[i]].word[w];
    if (used != UINT64_MAX)
      return 64 * w + (int32_t)__builtin_ctzll(~used);
  }
}

static vb_status take(taken *t, int32_t color, vb_error *error) {
  if (color / 64 >= t->n) {
    uint64_t *word = reallocarray(t->word, (size_t)color / 64 + 1, sizeof *word);
    if (!word)
      return vb_error_memory(error);
    memset(word + t->n, 0, (size_t)(color / 64 + 1 - t->n) * sizeof *word);
    t->word = word;
    t->n = color / 64 + 1;
  }
  t->word[color / 64] |= UINT64_C(1) << (color % 64);
  return VB_OK;
}

vb_status viper_coloring_add(viper_coloring *c, int32_t body, const int32_t *vertex, int n,
                             vb_error *error) {
  int32_t color = free_color(c, vertex, n);
  for (int i = 0; i < n; i++) {
    vb_status status = take(&c->vertex[vertex[i]], color, error);
    if (status)
      return status;
  }
  c->color[c->n] = color;
  c->body[c->n] = body;
  c->n++;
  if (c->n_colors[body] <= color)
    c->n_colors[body] = color + 1;
  return VB_OK;
}

size_t viper_coloring_n_phases(const viper_coloring *c) {
  size_t sum = 0;
  for (size_t k = 0; k < c->n_bodies; k++)
    sum += (size_t)c->n_colors[k];
  return sum;
}

vb_status viper_coloring_place(viper_coloring *c, int32_t *at, vb_error *error) {
  size_t n_phases = viper_coloring_n_phases(c);
  int32_t *first;
  if (!VB_TAKE(&c->memory, first, n_phases + 2))
    return vb_error_memory(error);
  for (size_t k = 0; k < c->n_bodies; k++)
    c->phase_of[k + 1] = c->phase_of[k] + c->n_colors[k];
  for (size_t i = 0; i < c->n; i++)
    first[c->phase_of[c->body[i]] + c->color[i] + 2]++;
  for (size_t p = 0; p + 1 < n_phases + 2; p++)
    first[p + 1] += first[p];
  for (size_t i = 0; i < c->n; i++)
    at[i] = first[c->phase_of[c->body[i]] + c->color[i] + 1]++;
  c->first = first; // each entry p now holds the first place of phase p
  return VB_OK;
}

size_t viper_coloring_phases(const viper_coloring *c, size_t body, int32_t joints,
                             viper_phase *phase, int32_t *first, int32_t *count) {
  size_t n = 0;
  *first = c->first[c->phase_of[body]];
  *count = c->first[c->phase_of[body + 1]] - *first;
  for (int32_t p = c->phase_of[body]; p < c->phase_of[body + 1]; p++)
    phase[n++] = (viper_phase){joints, c->first[p], c->first[p + 1] - c->first[p]};
  return n;
}
