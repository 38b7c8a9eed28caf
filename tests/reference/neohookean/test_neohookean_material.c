// SPDX-License-Identifier: GPL-3.0-or-later
/// Stable Neo-Hookean elasticity at a point, against differences and linear elasticity.
/// Covers: reference/neohookean/material.*
#include "reference/neohookean/material.h"
#include "test.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static double noise(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/// Deformations near rest and far from it: every third one inverted, some flat.
static void random_f(uint64_t *seed, int kind, double f[9]) {
  for (int i = 0; i < 9; i++)
    f[i] = (i % 4 == 0) + 0.8 * noise(seed);
  if (kind % 3 == 1)
    for (int i = 0; i < 3; i++)
      f[i] = -f[i];
  if (kind % 7 == 3)
    for (int i = 0; i < 3; i++)
      f[i] = f[3 + i];
}

static const double ratios[] = {-0.5, 0, 0.3, 0.49};

/// A[9 i + j] = d2Psi/(dF_i dF_j), from the solver's form of it.
static void full_curvature(const nh_material *m, const double f[9], bool project, double out[81]) {
  nh_curvature c;
  nh_curvature_at(m, f, project, &c);
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++) {
      int i = p / 3, j = p % 3, k = q / 3, l = q % 3;
      // F (g x h) with g = e_j and h = e_l, then (e_i x e_k) . that
      double z = 0;
      int n = 3 - i - k, o = 3 - j - l;
      if (i != k && j != l)
        z = c.f[3 * n + o] * ((k - i + 3) % 3 == 1 ? 1 : -1) * ((l - j + 3) % 3 == 1 ? 1 : -1);
      double sum = (p == q) * c.a + c.b * c.f[p] * c.f[q] + c.la * c.g[p] * c.g[q] + c.c * z;
      for (int d = 0; d < c.n_lifted; d++)
        sum += c.lift[d] * c.direction[d][p] * c.direction[d][q];
      out[9 * p + q] = sum;
    }
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

/// Fourth-order differences with a step of 1e-3: their error, of 1e-12 times a fifth derivative,
/// and rounding, of 1e-16/1e-3, are both far below 1e-7.
START_TEST(stress_is_the_energys_gradient) {
  uint64_t seed = 1;
  nh_material m = nh_material_from(1e6, ratios[_i]);
  double worst = 0;
  for (int turn = 0; turn < 200; turn++) {
    double f[9], p[9], difference[9];
    random_f(&seed, turn, f);
    nh_stress(&m, f, p);
    for (int k = 0; k < 9; k++) {
      static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
      double keep = f[k], h = 1e-3, sum = 0;
      for (int s = 0; s < 4; s++) {
        f[k] = keep + h * (s < 2 ? s - 2 : s - 1);
        sum += weight[s] * nh_energy(&m, f);
      }
      f[k] = keep;
      difference[k] = p[k] - sum / h;
    }
    worst = fmax(worst, largest(difference, 9) / fmax(largest(p, 9), m.mu));
  }
  printf("nu %g: stress against differences: %.1e\n", ratios[_i], worst);
  ck_assert_double_lt(worst, 1e-7);
}
END_TEST

START_TEST(curvature_is_the_stresss_gradient) {
  uint64_t seed = 2;
  nh_material m = nh_material_from(1e6, ratios[_i]);
  double worst = 0;
  for (int turn = 0; turn < 200; turn++) {
    double f[9], a[81], difference[81];
    random_f(&seed, turn, f);
    full_curvature(&m, f, false, a);
    for (int k = 0; k < 9; k++) {
      static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
      double keep = f[k], h = 1e-3, sum[9] = {0};
      for (int s = 0; s < 4; s++) {
        double p[9];
        f[k] = keep + h * (s < 2 ? s - 2 : s - 1);
        nh_stress(&m, f, p);
        for (int i = 0; i < 9; i++)
          sum[i] += weight[s] * p[i] / h;
      }
      f[k] = keep;
      for (int i = 0; i < 9; i++)
        difference[9 * i + k] = a[9 * i + k] - sum[i];
    }
    worst = fmax(worst, largest(difference, 81) / largest(a, 81));
  }
  printf("nu %g: curvature against differences: %.1e\n", ratios[_i], worst);
  ck_assert_double_lt(worst, 1e-7);
}
END_TEST

START_TEST(small_strains_are_hookes) {
  double young = 2e5, nu = ratios[_i], a[81], p[9];
  static const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nh_material m = nh_material_from(young, nu);
  double mu = young / (2 * (1 + nu)), la = young * nu / ((1 + nu) * (1 - 2 * nu));
  ck_assert_double_eq(nh_energy(&m, rest), 0);
  nh_stress(&m, rest, p);
  ck_assert_double_lt(largest(p, 9), 1e-15 * m.mu); // la (J - alpha) with its zeros taken out
  full_curvature(&m, rest, false, a);
  double worst = 0;
  for (int r = 0; r < 9; r++)
    for (int s = 0; s < 9; s++) {
      int i = r / 3, j = r % 3, k = s / 3, l = s % 3;
      double hooke = la * (i == j) * (k == l) + mu * ((i == k) * (j == l) + (i == l) * (j == k));
      worst = fmax(worst, fabs(a[9 * r + s] - hooke) / (mu + fabs(la)));
    }
  printf("nu %g: curvature at rest against Hooke's: %.1e\n", nu, worst);
  ck_assert_double_lt(worst, 1e-9);
}
END_TEST

/// Energy of a rotation is 0, of any turn of a deformation the same.
START_TEST(rotations_change_nothing) {
  uint64_t seed = 3;
  nh_material m = nh_material_from(1e6, 0.45);
  for (int turn = 0; turn < 100; turn++) {
    double f[9], u[9], s[3], v[9], turned[9] = {0};
    random_f(&seed, turn, f);
    nh_rotation_svd(f, u, s, v);
    // Terms of Psi are of size mu |F|^2 and la J^2, each rounded a few times.
    double size = 16 * (m.mu + m.la) * 1e-15;
    ck_assert_double_lt(fabs(nh_energy(&m, u)), size);
    for (int i = 0; i < 9; i++)
      for (int k = 0; k < 3; k++)
        turned[i] += u[i / 3 * 3 + k] * f[3 * k + i % 3];
    double energy = nh_energy(&m, f);
    ck_assert_double_eq_tol(nh_energy(&m, turned), energy, size + 1e-14 * energy);
  }
}
END_TEST

static double determinant(const double f[9]) {
  return f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) +
         f[2] * (f[3] * f[7] - f[4] * f[6]);
}

static void check_svd(const double f[9]) {
  double u[9], s[3], v[9], size = fmax(largest(f, 9), 1e-300);
  nh_rotation_svd(f, u, s, v);
  // Rotations to rounding; the product to rounding of the largest number.
  ck_assert_double_eq_tol(determinant(u), 1, 1e-13);
  ck_assert_double_eq_tol(determinant(v), 1, 1e-13);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double product = 0, uu = 0, vv = 0;
      for (int k = 0; k < 3; k++) {
        product += u[3 * i + k] * s[k] * v[3 * j + k];
        uu += u[3 * i + k] * u[3 * j + k];
        vv += v[3 * i + k] * v[3 * j + k];
      }
      ck_assert_double_eq_tol(product, f[3 * i + j], 1e-14 * size);
      ck_assert_double_eq_tol(uu, i == j, 1e-14);
      ck_assert_double_eq_tol(vv, i == j, 1e-14);
    }
}

START_TEST(singular_values_of_any_matrix) {
  uint64_t seed = 4;
  static const double odd[][9] = {{0},
                                  {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  {1, 0, 0, 0, 1, 0, 0, 0, -1},
                                  {0, 0, 0, 0, 2, 0, 0, 0, 0},
                                  {1, 1, 1, 1, 1, 1, 1, 1, 1},
                                  {1, 2, 3, 2, 4, 6, 1, 0, 0},
                                  {1e-150, 0, 0, 0, 1, 0, 0, 0, 1e-20},
                                  {1, 1e-9, 0, 0, 1e-9, 0, 0, 0, 1e-18}};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
    check_svd(odd[k]);
  for (int turn = 0; turn < 2000; turn++) {
    double f[9];
    random_f(&seed, turn, f);
    check_svd(f);
  }
}
END_TEST

/// The eigenvalues of a symmetric matrix, increasing, and its vectors as columns, by GSL.
static void eigen(const double a[81], double value[9], gsl_matrix *vectors) {
  gsl_matrix *copy = gsl_matrix_alloc(9, 9);
  gsl_vector *values = gsl_vector_alloc(9);
  gsl_eigen_symmv_workspace *w = gsl_eigen_symmv_alloc(9);
  for (size_t i = 0; i < 81; i++)
    gsl_matrix_set(copy, i / 9, i % 9, 0.5 * (a[i] + a[i % 9 * 9 + i / 9]));
  gsl_eigen_symmv(copy, values, vectors, w);
  gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_ASC);
  for (size_t i = 0; i < 9; i++)
    value[i] = gsl_vector_get(values, i);
  gsl_eigen_symmv_free(w);
  gsl_vector_free(values);
  gsl_matrix_free(copy);
}

/// The projection is the one that GSL's eigenvectors give: negative eigenvalues become zero.
START_TEST(projection_lifts_negative_eigenvalues) {
  uint64_t seed = 5;
  nh_material m = nh_material_from(1e6, ratios[_i]);
  gsl_matrix *q = gsl_matrix_alloc(9, 9);
  double worst = 0;
  int lifted = 0;
  for (int turn = 0; turn < 300; turn++) {
    double f[9], a[81], projected[81], value[9], difference[81];
    random_f(&seed, turn, f);
    full_curvature(&m, f, false, a);
    full_curvature(&m, f, true, projected);
    eigen(a, value, q);
    lifted += value[0] < 0;
    for (size_t i = 0; i < 81; i++) {
      double right = 0;
      for (size_t k = 0; k < 9; k++)
        right += fmax(value[k], 0) * gsl_matrix_get(q, i / 9, k) * gsl_matrix_get(q, i % 9, k);
      difference[i] = projected[i] - right;
    }
    worst = fmax(worst, largest(difference, 81) / largest(a, 81));
  }
  gsl_matrix_free(q);
  printf("nu %g: projection against eigenvectors: %.1e (%d of 300 lifted)\n", ratios[_i], worst,
         lifted);
  ck_assert_int_gt(lifted, 100);
  // Eigenvalues below 1e-12 of the matrix are left as they are; the rest is rounding.
  ck_assert_double_lt(worst, 2e-12);
}
END_TEST

#define N_RATIOS ((int)(sizeof ratios / sizeof *ratios))

static TCase *points(void) {
  TCase *c = tcase_create("points");
  tcase_add_loop_test(c, stress_is_the_energys_gradient, 0, N_RATIOS);
  tcase_add_loop_test(c, curvature_is_the_stresss_gradient, 0, N_RATIOS);
  tcase_add_loop_test(c, small_strains_are_hookes, 0, N_RATIOS);
  tcase_add_test(c, rotations_change_nothing);
  tcase_add_test(c, singular_values_of_any_matrix);
  tcase_add_loop_test(c, projection_lifts_negative_eigenvalues, 0, N_RATIOS);
  return c;
}

VB_TEST_MAIN("neo-hookean material", points())
