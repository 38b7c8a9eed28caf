// SPDX-License-Identifier: GPL-3.0-or-later
/// Equilibria of rods by collocation and by elements: derivatives, objectivity, orders, and what is
/// refused. That both agree with closed forms and each other is tested by tests/script/problem.
/// Covers: reference/cosserat/*.[ch]
#include "reference/cosserat/collocation.h"
#include "reference/cosserat/density.h"
#include "reference/cosserat/elements.h"
#include "reference/cosserat/interval.h"
#include "scene/rotation.h"
#include "test.h"

static const double stiffness[6] = {3, 4, 5, 0.7, 0.9, 0.4};
static const double rest[6] = {0.1, -0.2, 1, 0.3, -0.1, 0.2};

/// Some numbers without symmetry, of the order 1.
static void fill(double *out, int n, double seed) {
  for (int i = 0; i < n; i++)
    out[i] = sin(seed + 1.7 * i) + (i == 2 || i == 3 ? 1.5 : 0);
}

static double energy_of(const cosserat_density *d) {
  return d->energy[0] + d->energy[1] + d->energy[2];
}

/// Differences over 1e-4 of functions of the order 10 are wrong by some 1e-7 and round at 1e-11.
START_TEST(the_density_has_the_derivatives_that_it_says) {
  const double step = 1e-4;
  double at[COSSERAT_DENSITY_SIZE];
  cosserat_density here, ahead, behind;
  fill(at, COSSERAT_DENSITY_SIZE, 0.4);
  cosserat_density_find(stiffness, rest, at, &here);
  for (int c = 0; c < COSSERAT_DENSITY_SIZE; c++) {
    double kept = at[c];
    at[c] = kept + step;
    cosserat_density_find(stiffness, rest, at, &ahead);
    at[c] = kept - step;
    cosserat_density_find(stiffness, rest, at, &behind);
    at[c] = kept;
    ck_assert_double_eq_tol(here.gradient[c], (energy_of(&ahead) - energy_of(&behind)) / (2 * step),
                            1e-5);
    for (int k = 0; k < COSSERAT_DENSITY_SIZE; k++)
      ck_assert_double_eq_tol(here.hessian[k][c],
                              (ahead.gradient[k] - behind.gradient[k]) / (2 * step), 1e-5);
  }
}
END_TEST

/// Strains are the same after everything has turned, to rounding.
START_TEST(strains_do_not_change_as_all_turns) {
  double at[COSSERAT_DENSITY_SIZE], turned[COSSERAT_DENSITY_SIZE], a[6], b[6];
  double turn[4] = {0.5, -0.1, 0.7, 0.3}, norm = vb_quaternion_norm(turn);
  for (int k = 0; k < 4; k++)
    turn[k] /= norm;
  fill(at, COSSERAT_DENSITY_SIZE, 1.1);
  vb_quaternion_rotate(turn, at, turned);
  vb_quaternion_multiply(turn, at + 3, turned + 3);
  vb_quaternion_multiply(turn, at + 7, turned + 7);
  cosserat_density_strain(at, a);
  cosserat_density_strain(turned, b);
  for (int k = 0; k < 6; k++)
    ck_assert_double_eq_tol(a[k], b[k], 1e-14);
}
END_TEST

/// A cantilever along x under a force across it, with shear and stretch.
static cosserat_rod cantilever(void) {
  return (cosserat_rod){.length = 1,
                        .flexibility = {0.01, 0.01, 0.005, 1, 1, 1},
                        .start = {.frame = {sqrt(0.5), 0, sqrt(0.5), 0}, .held = 63},
                        .finish = {.frame = {1, 0, 0, 0}},
                        .force = {0, 0, -3}};
}

static const cosserat_place tip = {.at = 1, .component = 2};

/// The order of an element's error from three meshes; that of the extrapolated value is left out by
/// taking its correction, which is a 15th of the difference of two meshes.
START_TEST(elements_converge_by_order_4) {
  cosserat_rod rod = cantilever();
  cosserat_value v[2];
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(cosserat_elements_solve(&rod, i ? 32 : 16, &tip, 1, &v[i], NULL), VB_OK);
  double rounding = 1e-9, ratio = (v[0].error - rounding) / (v[1].error - rounding);
  ck_assert_double_eq_tol(log2(ratio), 4, 0.1); // the next order is 6
}
END_TEST

/// The slope of a polynomial of degree 2 is found exactly, and so is its integral.
START_TEST(an_interval_has_the_polynomial_of_its_slopes) {
  double slope[3 * COSSERAT_STATE], state[COSSERAT_STATE] = {0}, out[COSSERAT_STATE];
  const double h = 0.3, t = 0.8;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < COSSERAT_STATE; k++)
      slope[j * COSSERAT_STATE + k] = 1 + k * pow(cosserat_gauss_point[j], 2);
  cosserat_interval_slope(slope, COSSERAT_STATE, t, out);
  for (int k = 0; k < COSSERAT_STATE; k++)
    ck_assert_double_eq_tol(out[k], 1 + k * t * t, 1e-13);
  cosserat_interval_state(state, slope, COSSERAT_STATE, h, t, out);
  for (int k = 0; k < COSSERAT_STATE; k++)
    ck_assert_double_eq_tol(out[k], h * (t + k * t * t * t / 3), 1e-13);
}
END_TEST

/// Frames stay of length 1, which Gauss collocation keeps, and both agree with shear and stretch;
/// the errors that they tell are below a millionth, so this sees any term that one of them lacks.
START_TEST(both_agree_where_shear_and_stretch_count) {
  cosserat_rod rod = cantilever();
  cosserat_value a, b, rigid;
  ck_assert_int_eq(cosserat_collocate(&rod, &tip, 1, &a, NULL), VB_OK);
  ck_assert_int_eq(cosserat_elements_solve(&rod, 64, &tip, 1, &b, NULL), VB_OK);
  ck_assert_double_lt(a.error + b.error, 1e-6);
  ck_assert_double_le(fabs(a.value - b.value), a.error + b.error);
  rod.flexibility[0] = rod.flexibility[1] = 0;
  ck_assert_int_eq(cosserat_collocate(&rod, &tip, 1, &rigid, NULL), VB_OK);
  ck_assert_double_gt(fabs(rigid.value - a.value), 1e-3); // shear moves it by some 3 % of 0.6
}
END_TEST

START_TEST(what_is_not_there_is_refused) {
  vb_error error = {0};
  cosserat_value v;
  cosserat_rod rod = cantilever();
  rod.middle_plane = true;
  ck_assert_int_eq(cosserat_collocate(&rod, &tip, 1, &v, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "middle"));
  ck_assert_int_eq(cosserat_collocate_critical(&rod, 1, 2, &v, &error), VB_BAD_INPUT);
  rod = cantilever();
  rod.string = true;
  ck_assert_int_eq(cosserat_elements_solve(&rod, 8, &tip, 1, &v, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "strings"));
}
END_TEST

/// A column that is pulled never buckles: both say that nothing is critical.
START_TEST(no_critical_load_is_told) {
  vb_error error = {0};
  cosserat_value v;
  cosserat_rod rod = {.length = 1,
                      .flexibility = {0, 0, 0, 1, 1, 1},
                      .start = {.frame = {1, 0, 0, 0}, .held = 63},
                      .finish = {.frame = {1, 0, 0, 0}},
                      .force = {0, 0, 1}};
  ck_assert_int_eq(cosserat_collocate_critical(&rod, 1, 4, &v, &error), VB_FAILED);
  ck_assert_ptr_nonnull(strstr(error.message, "critical"));
  ck_assert_int_eq(cosserat_elements_critical(&rod, 16, 1, 4, &v, &error), VB_FAILED);
  ck_assert_ptr_nonnull(strstr(error.message, "negative eigenvalues"));
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("statics of rods");
  tcase_set_timeout(c, 120);
  tcase_add_test(c, the_density_has_the_derivatives_that_it_says);
  tcase_add_test(c, strains_do_not_change_as_all_turns);
  tcase_add_test(c, elements_converge_by_order_4);
  tcase_add_test(c, an_interval_has_the_polynomial_of_its_slopes);
  tcase_add_test(c, both_agree_where_shear_and_stretch_count);
  tcase_add_test(c, what_is_not_there_is_refused);
  tcase_add_test(c, no_critical_load_is_told);
  return c;
}

VB_TEST_MAIN("cosserat", all())
