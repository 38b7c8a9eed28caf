// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction that does work is taken back (contact/ease.h).
/// Covers: src/viper/contact/ease.h
#define VIPER_PRECISION 64
#include "viper/contact/ease.h"

#include "test.h"

#include <math.h>

/// Two capsules whose axes cross: four nodes of different masses and radii, two frames.
typedef struct crossing {
  viper_contact_node node[4];
  viper_contact_frame frame[2];
  viper_touch touch;
  uint64_t of_node[4][3], of_frame[2];
} crossing;

/// The surfaces have slid by 0.02 along y, along the friction that has `slide`.
static crossing crossed(double slide) {
  crossing c = {.touch = {.node = {0, 1, 2, 3},
                          .weight = {0.4, 0.6, -0.7, -0.3},
                          .n = {0, 0, 1},
                          .slide = {0, slide},
                          .roller = {{0, 0.1}, {1, 0.2}}}};
  for (int k = 0; k < 4; k++) {
    viper_contact_node_set(&c.node[k], 1.0 / (1 + k), 1, false);
    c.node[k].x = viper_vec4_make(k, k < 2 ? 0.02 : 0, 0.1 * k, 1);
    c.node[k].old = viper_vec4_make(k, 0, 0.1 * k, 1);
    c.node[k].radius = 0.1 * (1 + k);
  }
  for (int j = 0; j < 2; j++) {
    c.frame[j].inverse = c.frame[j].roll.yields = 3 + j;
    c.frame[j].roll.axis = viper_vec4_make(1, 0, 0, 0);
  }
  return c;
}

/// Takes the contact's friction back in a round in which as many contacts work at its nodes and
/// frames; returns what work it does then.
static double eased(crossing *c, int round, int contacts) {
  const viper_frame_rolls rolls = viper_frame_rolls_of(c->frame);
  const viper_rollers r = {c->touch.roller, 2, 1, NULL};
  const viper_vec4 still = {0};
  int32_t at_node[4], at_frame[2];
  const viper_ease_sums sums = {c->of_node[0], c->of_frame, at_node, at_frame};
  viper_vec4 step;
  for (int k = 0; k < 4; k++)
    at_node[k] = at_frame[k / 2] = contacts;
  c->touch.works =
      viper_touch_works(&c->touch, c->node, viper_touch_rolled(&c->touch, rolls, r), still, 4);
  ck_assert_double_gt(c->touch.works, 0);
  const viper_vec4 back = viper_touch_ease(&c->touch, c->node, rolls, r,
                                           (viper_ease_counts){at_node, at_frame}, round, 4);
  for (int k = 0; k < 4; k++) {
    viper_ease_add_node(sums, k, &c->node[k], c->touch.weight[k] * back);
    ck_assert(viper_ease_of_node(c->of_node[k], c->node[k].radius, &step));
    c->node[k].push += step;
    c->node[k].x += step;
  }
  for (int j = 0; j < 2; j++) {
    const viper_vec4 slope = viper_roller_slope(&c->touch, &c->frame[j].roll, r, j);
    viper_ease_add_frame(sums, j, c->frame[j].inverse, viper_vec4_sum(back * slope));
    viper_ease_roll(&c->frame[j].roll, c->of_frame[j], c->frame[j].inverse);
  }
  return viper_vec4_sum(c->touch.slide * viper_touch_slip(&c->touch, c->node, rolls, r, still, 4));
}

/// In the first rounds friction is left that does no work, in the last ones as much work is taken
/// as it did, by both rounded to quanta; and the momentum is kept. Of three contacts at its nodes
/// and frames each takes back a third. Friction that would have to turn round is 0.
START_TEST(friction_that_works_is_taken_back) {
  crossing c = crossed(0.1);
  ck_assert_double_eq_tol(eased(&c, 0, 1), 0, 1e-15);
  ck_assert_double_gt(c.touch.slide[1], 0.05);
  double momentum = 0;
  for (int k = 0; k < 4; k++)
    momentum += c.node[k].push[1] / c.node[k].inverse[1];
  ck_assert_double_eq_tol(momentum, 0, 2e-14); // a quantum of each node
  const double left = c.touch.slide[1];
  c = crossed(0.1);
  eased(&c, 0, 2);
  ck_assert_double_eq_tol(c.touch.slide[1], left, 1e-15);
  c = crossed(0.1);
  eased(&c, 0, 6);
  ck_assert_double_eq_tol(c.touch.slide[1], 0.1 - (0.1 - left) / 3, 1e-15);
  c = crossed(0.1);
  ck_assert_double_eq_tol(eased(&c, 12, 1), (2 * left - 0.1) * -0.02, 1e-15);
  c = crossed(0.001);
  ck_assert_double_eq(eased(&c, 0, 1), 0);
  ck_assert_double_eq(c.touch.slide[1], 0);
}
END_TEST

/// Sums do not depend on the order of what is added, are bounded, and take what is no number for a
/// bound.
START_TEST(sums_depend_on_no_order) {
  static const double x[] = {1e-3, -7, 0.3, 1e17, -1e17, 5e12};
  uint64_t up = 0, down = 0, most = 0, least = 0, none = 0;
  for (int k = 0; k < 6; k++) {
    viper_ease_add(&up, x[k] * 1024);
    viper_ease_add(&down, x[5 - k] * 1024);
  }
  ck_assert(up == down);
  viper_ease_add(&most, INFINITY);
  viper_ease_add(&least, -INFINITY);
  viper_ease_add(&none, NAN);
  ck_assert_double_eq(viper_ease_sum(most), 512);
  ck_assert_double_eq(viper_ease_sum(least), -512);
  ck_assert(none == least);
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("friction taken back");
  tcase_add_test(all, friction_that_works_is_taken_back);
  tcase_add_test(all, sums_depend_on_no_order);
  return all;
}

VB_TEST_MAIN("friction taken back", make_case())
