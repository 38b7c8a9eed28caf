// SPDX-License-Identifier: GPL-3.0-or-later
/// Motions of rods by elements and by a staggered grid: stiff rods move as rigid bodies do, and
/// both agree on a bent and twisted flight within their errors. Covers:
/// reference/cosserat/motion*.[ch]
#include "reference/cosserat/motion.h"
#include "test.h"

#include <math.h>

/// A straight rod along x from the origin on, of length 1.
static cosserat_rod rod_of(double stiffness) {
  cosserat_rod rod = {.length = 1};
  for (int k = 0; k < 6; k++)
    rod.flexibility[k] = (k < 3 ? 0.01 : 1) / stiffness;
  rod.start.frame[0] = rod.start.frame[2] = sqrt(0.5);
  rod.finish.frame[0] = 1;
  return rod;
}

typedef vb_status move(const cosserat_rod *rod, const cosserat_motion *motion, size_t n,
                       const cosserat_place *place, size_t n_places, cosserat_value *out,
                       vb_error *error);

static move *const moves[2] = {cosserat_move_elements, cosserat_move_staggered};

/// A rod that is free turns by the moment over its inertia, m L^2/12 + J L, about its middle. It is
/// bent by some 1/stiffness.
START_TEST(a_stiff_rod_turns_as_a_body) {
  cosserat_rod rod = rod_of(1e5);
  cosserat_motion motion = {
      .mass = 1, .inertia = {0.1, 0.1, 0.2}, .course = COSSERAT_HOLD, .pulse_time = 1, .steps = 50};
  cosserat_place place[2] = {{1, 0, 1}, {1, 1, 1}};
  cosserat_value out[2];
  vb_error error = {0};
  rod.moment[2] = 0.5;
  double angle = 0.5 * 0.5 / (1 / 12.0 + 0.1);
  ck_assert_msg(moves[_i](&rod, &motion, 4, place, 2, out, &error) == VB_OK, "%s", error.message);
  ck_assert_double_eq_tol(out[0].value, 0.5 + 0.5 * cos(angle), 2e-5);
  ck_assert_double_eq_tol(out[1].value, 0.5 * sin(angle), 2e-5);
}
END_TEST

/// A clamped stiff rod goes where its start's frame takes it.
START_TEST(a_stiff_rod_is_spun_up_with_its_clamp) {
  cosserat_rod rod = rod_of(1e5);
  cosserat_motion motion = {.mass = 1,
                            .inertia = {0.1, 0.1, 0.2},
                            .course = COSSERAT_HOLD,
                            .pulse_time = 2,
                            .spin = {0, 0, 1.5},
                            .steps = 50};
  cosserat_place place[2] = {{1, 1, 1}, {1, 1, 3}};
  cosserat_value out[2];
  rod.start.held = 63;
  ck_assert_int_eq(moves[_i](&rod, &motion, 4, place, 2, out, NULL), VB_OK);
  // By 3 (x^2/2 + (cos(2 pi x) - 1)/(4 pi^2)) at x = 1/2, and 3 (x - 1/2) at x = 3/2.
  ck_assert_double_eq_tol(out[0].value, sin(3 * (0.125 - 0.5 / (M_PI * M_PI))), 1e-4);
  ck_assert_double_eq_tol(out[1].value, sin(3.0), 1e-4);
}
END_TEST

/// A rod that bends, twists, stretches and shears at once.
static void fly(move *by, size_t n, cosserat_value out[3]) {
  cosserat_rod rod = rod_of(1);
  cosserat_motion motion = {.mass = 1,
                            .inertia = {0.01, 0.02, 0.03},
                            .course = COSSERAT_PULSE,
                            .pulse_time = 0.5,
                            .steps = 100};
  const cosserat_place place[3] = {{0, 1, 1}, {0.5, 2, 1}, {1, 0, 1}};
  vb_error error = {0};
  for (int k = 0; k < 3; k++) {
    rod.force[k] = k == 1 ? 2 : 0.5;
    rod.moment[k] = 0.4 - 0.3 * k;
    rod.curvature[k] = 0.5 - 0.4 * k;
  }
  rod.flexibility[3] *= 0.7;
  ck_assert_msg(by(&rod, &motion, n, place, 3, out, &error) == VB_OK, "%s", error.message);
}

START_TEST(both_agree_within_their_errors) {
  cosserat_value elements[3], grid[3];
  fly(cosserat_move_elements, 4, elements);
  fly(cosserat_move_staggered, 20, grid);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_le(fabs(elements[k].value - grid[k].value), elements[k].error + grid[k].error);
    ck_assert_double_le(elements[k].error + grid[k].error, 2e-4);
  }
}
END_TEST

START_TEST(rigid_rods_are_refused) {
  cosserat_rod rod = rod_of(1);
  cosserat_motion motion = {.mass = 1, .inertia = {1, 1, 1}, .pulse_time = 1, .steps = 10};
  cosserat_place place = {1, 0, 1};
  cosserat_value out;
  vb_error error = {0};
  rod.flexibility[1] = 0;
  ck_assert_int_eq(moves[_i](&rod, &motion, 4, &place, 1, &out, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "finite"));
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("motion");
  tcase_set_timeout(c, 120);
  tcase_add_loop_test(c, a_stiff_rod_turns_as_a_body, 0, 2);
  tcase_add_loop_test(c, a_stiff_rod_is_spun_up_with_its_clamp, 0, 2);
  tcase_add_test(c, both_agree_within_their_errors);
  tcase_add_loop_test(c, rigid_rods_are_refused, 0, 2);
  return c;
}

VB_TEST_MAIN("motion", all())
