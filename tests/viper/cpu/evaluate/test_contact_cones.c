// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact rows of the interior-point method: force and stiffness are derivatives of the objective,
/// and go to Coulomb's law.
/// Covers: src/viper/cpu/evaluate/contact_cones.*
#include "viper/cpu/evaluate/contact_cones.h"

#include "test.h"

#include <math.h>

/// A contact that has gone 1 mm apart and slid 0.2 mm; of a coefficient 0 without friction.
static viper_contact_row contact_of(double coefficient) {
  return (viper_contact_row){
      .n_nodes = 1,
      .normal = {0, 0, 1},
      .at_rest = coefficient,
      .sliding = coefficient,
      .reach = 0.1,
      .penalty = 1e7,
      .gap = 1e-3,
      .slip = {1e-4, coefficient > 0 ? 1.7e-4 : 0, 0},
  };
}

static double shifted(const viper_contact_rows *rows, int component, double by) {
  const viper_contact_row *row = rows->row;
  double slip[3] = {row->slip[0], row->slip[1], row->slip[2]};
  if (component > 0)
    slip[component - 1] += by;
  return viper_cone_objective(rows, row, row->gap + (component == 0 ? by : 0), slip);
}

/// Central differences over 1e-7 m: their error is some 1e-6 of the slope.
START_TEST(forces_are_slopes_of_the_objective) {
  viper_contact_row row = contact_of(_i == 0 ? 0 : 0.4);
  viper_contact_rows rows = {.row = &row, .n = 1, .barrier = 1e-3, .penalty_factor = 1e-2};
  const double step = 1e-7;
  viper_cones_press(&rows, true);
  for (int k = 0; k < (_i == 0 ? 1 : 3); k++) {
    const double slope = (shifted(&rows, k, step) - shifted(&rows, k, -step)) / (2 * step);
    const double force = k == 0 ? row.force : row.friction[k - 1];
    ck_assert_double_eq_tol(slope, -force, 1e-5 * row.force);
  }
}
END_TEST

/// Of a new row, whose dual is its force, the scaled stiffness is the second derivative;
/// differences as above.
START_TEST(stiffness_is_the_slope_of_forces) {
  viper_contact_row row = contact_of(_i == 0 ? 0 : 0.4);
  viper_contact_rows rows = {.row = &row, .n = 1, .barrier = 1e-3, .penalty_factor = 1e-2};
  double stiffness[4][4], force[2][4];
  const double step = 1e-7;
  viper_cones_press(&rows, true);
  viper_cone_stiffness(&rows, &row, stiffness);
  for (int k = 0; k < (_i == 0 ? 1 : 3); k++) {
    double *x = k == 0 ? &row.gap : &row.slip[k - 1];
    for (int side = 0; side < 2; side++) {
      *x += side == 0 ? -step : 2 * step;
      viper_cones_press(&rows, false);
      force[side][0] = row.force;
      for (int c = 0; c < 3; c++)
        force[side][1 + c] = row.friction[c];
    }
    *x -= step;
    for (int c = 0; c < 4; c++)
      ck_assert_double_eq_tol((force[0][c] - force[1][c]) / (2 * step), stiffness[c][k],
                              1e-5 * stiffness[0][0]);
  }
}
END_TEST

/// What is open has no force, and what is pressed and slides has friction at Coulomb's bound
/// against its slip. The barrier leaves sqrt(mu / inertia) = 1e-9 m of a force.
START_TEST(forces_go_to_coulombs_law) {
  viper_contact_row row = contact_of(0.4);
  viper_contact_rows rows = {.row = &row, .n = 1, .barrier = 1e-15, .penalty_factor = 1};
  viper_cones_press(&rows, true);
  ck_assert_double_lt(row.force, 1e-6);
  row.gap = -1e-6;
  viper_cones_press(&rows, true);
  const double slip = hypot(row.slip[0], row.slip[1]);
  ck_assert_double_gt(row.force, 1);
  for (int k = 0; k < 2; k++)
    ck_assert_double_eq_tol(row.friction[k], -0.4 * row.force * row.slip[k] / slip,
                            1e-6 * row.force);
}
END_TEST

/// A contact that slides by its static coefficient gets the kinetic one, once.
START_TEST(what_slides_has_the_kinetic_coefficient) {
  viper_contact_row row = contact_of(0.4);
  row.sliding = 0.3;
  viper_contact_rows rows = {.row = &row, .n = 1, .barrier = 1e-3, .penalty_factor = 1};
  viper_cones_press(&rows, true);
  ck_assert(viper_cones_slide(&rows));
  ck_assert(row.is_sliding);
  ck_assert(!viper_cones_slide(&rows));
  viper_cones_press(&rows, true);
  ck_assert_double_eq_tol(row.dilation, 0.3 * hypot(row.slip[0], row.slip[1]), 1e-15);
}
END_TEST

static TCase *rows_case(void) {
  TCase *t = tcase_create("rows");
  tcase_add_loop_test(t, forces_are_slopes_of_the_objective, 0, 2);
  tcase_add_loop_test(t, stiffness_is_the_slope_of_forces, 0, 2);
  tcase_add_test(t, forces_go_to_coulombs_law);
  tcase_add_test(t, what_slides_has_the_kinetic_coefficient);
  return t;
}

VB_TEST_MAIN("rows of contacts as cones", rows_case())
