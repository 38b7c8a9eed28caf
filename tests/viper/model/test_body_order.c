// SPDX-License-Identifier: GPL-3.0-or-later
/// The order of bodies in a model: the scene's own, or in space where they touch.
#include "scenes/scenes.h"
#include "test.h"
#include "viper/model/body_order.h"

/// Bodies of one segment at these places, with contact or without.
static vb_scene *scattered(int n, const double at[][3], const double gravity[3], bool contact) {
  vb_builder *b = fixture_builder();
  for (int k = 0; k < n; k++) {
    int32_t first = fixture_node(b, at[k][0], at[k][1], at[k][2], 0.1);
    int32_t second = fixture_node(b, at[k][0], at[k][1], at[k][2] + 0.5, 0.1);
    scenes_segment(b, first, second, &scenes_rubber);
  }
  if (contact)
    fixture_add(b, VB_SET_CONTACT, &(vb_contact){.margin = 0.01});
  vb_world *world = vb_builder_world(b);
  memcpy(world->gravity, gravity, sizeof world->gravity);
  return fixture_freeze(b);
}

static const double places[4][3] = {{3, 0, 9}, {-1, 2, 0}, {3, -1, 5}, {0, 1, 50}};
static const double down[3] = {0, 0, -10}, aside[3] = {-10, 0, 0}, none[3];

static void check_order(const double gravity[3], bool contact, const int32_t expected[4]) {
  vb_scene *scene = scattered(4, places, gravity, contact);
  int32_t place[4];
  ck_assert_int_eq(viper_body_order(scene, 4, place, NULL), VB_OK);
  for (int k = 0; k < 4; k++)
    ck_assert_int_eq(place[k], expected[k]);
  free(scene);
}

START_TEST(bodies_that_do_not_touch_keep_their_order) {
  check_order(down, false, (int32_t[]){0, 1, 2, 3});
}
END_TEST

/// Heights spread most, but bodies fall along them: x is next. Of equals the first comes first.
START_TEST(bodies_that_touch_are_sorted_across_gravity) {
  check_order(down, true, (int32_t[]){2, 0, 3, 1});
}
END_TEST

START_TEST(bodies_that_touch_are_sorted_where_they_spread_most) {
  check_order(none, true, (int32_t[]){2, 0, 1, 3});
  check_order(aside, true, (int32_t[]){2, 0, 1, 3});
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("order");
  tcase_add_test(test, bodies_that_do_not_touch_keep_their_order);
  tcase_add_test(test, bodies_that_touch_are_sorted_across_gravity);
  tcase_add_test(test, bodies_that_touch_are_sorted_where_they_spread_most);
  return test;
}

VB_TEST_MAIN("body order", make_case())
