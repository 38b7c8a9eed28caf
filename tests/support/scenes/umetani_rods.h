// SPDX-License-Identifier: GPL-3.0-or-later
/// Few position-based rods (reference/umetani) at hand: what their solver has, and steps of it.
#ifndef VB_TESTS_SUPPORT_SCENES_UMETANI_RODS_H
#define VB_TESTS_SUPPORT_SCENES_UMETANI_RODS_H

#include "reference/umetani/pass.h"
#include "reference/umetani/step.h"
#include "scenes/scenes.h"

static const umetani_law plain = {.alpha = {1, 1, 1}, .stretch = 1};

static inline void random_vector(uint64_t *seed, double size, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = size * scenes_random(seed);
}

/// The scene's rods, a state and what steps need, as a solver has them.
typedef struct small {
  vb_scene *scene;
  umetani_rods *rods;
  umetani_state state;
  umetani_scratch scratch;
} small;

static inline small begin_small(vb_builder *b, const umetani_choice *choice) {
  small s = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(umetani_rods_create(s.scene, choice, &s.rods, NULL), VB_OK);
  ck_assert_int_eq(umetani_state_create(s.rods, &s.state, NULL), VB_OK);
  ck_assert_int_eq(umetani_scratch_create(s.rods, &s.scratch, NULL), VB_OK);
  umetani_start(s.rods, &s.state);
  umetani_order_elements(s.rods, UMETANI_INTERLEAVED, &s.scratch);
  return s;
}

static inline void step_small(small *s, int steps, double h) {
  umetani_settings settings = {.law = plain, .iterations = 10, .substeps = 1, .threads = 1};
  double timer[UMETANI_PHASE_COUNT] = {0};
  for (int n = 0; n < steps; n++)
    ck_assert(umetani_step(s->rods, &settings, n * h, h, &s->state, &s->scratch, timer));
}

static inline void end_small(small *s) {
  umetani_scratch_free(&s->scratch);
  umetani_state_free(&s->state);
  umetani_rods_destroy(s->rods);
  free(s->scene);
}

#endif
