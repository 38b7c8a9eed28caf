// SPDX-License-Identifier: GPL-3.0-or-later
/// Contacts begin a substep with a part of what they pushed in the one before
/// (contact/warm_start.h).
/// Covers: src/viper/contact/warm_start*.h
#include "handle.h"
#include "scenes/scenes.h"
#include "viper/contact/warm_start_size.h"

#include <string.h>

static const char *const methods[] = {"direct", "xpbd", "block-descent"};
enum { METHODS = 3 };

enum { LAYERS = 6, SEGMENTS = 3, NODES = LAYERS * (SEGMENTS + 1) };

/// A pile of bars on the ground, each across the one below.
static vb_scene *pile(void) {
  vb_builder *b = scenes_begin(0.01, 10);
  for (int k = 0; k < LAYERS; k++) {
    int32_t before = -1;
    for (int i = 0; i <= SEGMENTS; i++) {
      double along = 0.6 * i / SEGMENTS - 0.3;
      int32_t node = fixture_node(b, k % 2 ? 0 : along, k % 2 ? along : 0, 0.05 + 0.1 * k, 0.05);
      if (i > 0)
        scenes_segment(b, before, node, &scenes_rubber);
      before = node;
    }
  }
  vb_half_plane plane = {.normal = {0, 0, 1}, .static_friction = 0.5, .kinetic_friction = 0.5};
  vb_contact contact = {.margin = 0.005, .static_friction = 0.5, .kinetic_friction = 0.5};
  fixture_add(b, VB_SET_HALF_PLANE, &plane);
  fixture_add(b, VB_SET_CONTACT, &contact);
  return fixture_freeze(b);
}

static handle open_pile(const vb_scene *scene, const char *method, const char *warm) {
  return handle_open(scene, "method", method, "substeps", "4", "iterations", "10", "warm_start",
                     warm, NULL);
}

/// What is lacking of the pushes that carry a pile falls to the part 1 - p of it where a contact
/// begins with the part p: to a half; the iterations that move friction take some of it.
START_TEST(half_of_the_push_halves_what_is_lacking) {
  vb_scene *scene = pile();
  double lacking[2];
  for (int k = 0; k < 2; k++) {
    handle s = open_pile(scene, methods[_i], k ? "0.5" : "0");
    handle_step(&s, 200);
    lacking[k] = handle_value(&s, "complementarity", 0);
    handle_close(&s);
  }
  ck_assert_msg(lacking[1] < 0.65 * lacking[0], "%g m, without a warm start %g m", lacking[1],
                lacking[0]);
  free(scene);
}
END_TEST

/// Substeps of another length need other pushes: contacts then begin without. What contacts keep is
/// in a saved state before 16 numbers of each node and 11 of each segment; here zeros.
START_TEST(other_substeps_begin_without) {
  const size_t kept =
      (LAYERS * SEGMENTS * VIPER_KEPT_ROW_DOUBLES + NODES * VIPER_KEPT_DOUBLES) * sizeof(double);
  vb_scene *scene = pile();
  handle a = open_pile(scene, methods[_i], "0.5"), b = open_pile(scene, methods[_i], "0.5");
  handle_step(&a, 20);
  char *state = handle_save(&a);
  const size_t after = (16 * NODES + 11 * LAYERS * SEGMENTS) * sizeof(double);
  memset(state + a.solver->state_size(a.self) - after - kept, 0, kept);
  ck_assert_int_eq(b.solver->restore(b.self, state, NULL), VB_OK);
  handle_set(&a, "substeps", "2");
  handle_set(&b, "substeps", "2");
  handle_step(&a, 1);
  handle_step(&b, 1);
  ck_assert(handle_same(&a, &b));
  // In substeps of the same length what is kept counts.
  ck_assert_int_eq(b.solver->restore(b.self, state, NULL), VB_OK);
  handle_set(&b, "substeps", "4");
  handle_step(&b, 1);
  handle c = open_pile(scene, methods[_i], "0.5");
  handle_step(&c, 21);
  ck_assert(!handle_same(&c, &b));
  free(state);
  handle_close(&a);
  handle_close(&b);
  handle_close(&c);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("warm start");
  tcase_set_timeout(all, 60);
  tcase_add_loop_test(all, half_of_the_push_halves_what_is_lacking, 0, METHODS);
  tcase_add_loop_test(all, other_substeps_begin_without, 0, METHODS);
  return all;
}

VB_TEST_MAIN("warm start", make_case())
