// SPDX-License-Identifier: GPL-3.0-or-later
/// The rotational part of a covariance against a singular value decomposition by LAPACK.
#include "scene/rotation.h"
#include "test.h"
#include "viper/bundle/similarity.h"

#include <stdbool.h>
#include <stdint.h>

/// LAPACK's own name; Debian has no header for it without LAPACKE.
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info);

#define SETS       100000
#define MOST_ITEMS 8

/// The bound asked for: relative to the sum of singular values for the trace; for the rotation,
/// where it is unique, times its condition, which is that sum over the least curvature.
static const double bound = 1e-10;
/// A rotation counts as unique where the least curvature is above this share of that sum: at least
/// it follows from errors of `a` by a factor of 1e4, four of its sixteen digits.
static const double unique = 1e-4;

typedef enum kind {
  GENERAL,    ///< vectors, and their images under a similarity with some noise
  EXACT,      ///< no noise: a known similarity
  REFLECTION, ///< of all images
  COLLINEAR,
  COPLANAR,
  COINCIDENT, ///< all images are one point: nothing to fit
  HALF_TURN,  ///< the start is half a turn about a principal axis from the answer: a saddle
  FLAT,       ///< nearly collinear: lengths 1, 1e-3, 1e-6
  MATRIX,     ///< any matrix
  N_KINDS
} kind;

static double uniform(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void random_rotation(uint64_t *seed, double q[4]) {
  double norm;
  do {
    for (int k = 0; k < 4; k++)
      q[k] = uniform(seed);
    norm = vb_quaternion_norm(q);
  } while (!(norm > 0.1));
  for (int k = 0; k < 4; k++)
    q[k] /= norm;
}

/// The covariance of a set of that kind, and where to start.
static void make_set(kind what, uint64_t *seed, double a[3][3], double start[4]) {
  double truth[4], axis[3] = {uniform(seed), uniform(seed), uniform(seed)};
  int n = 2 + (int)((uniform(seed) + 1) / 2 * (MOST_ITEMS - 2));
  double scale = 0.1 + fabs(uniform(seed)), noise = what == GENERAL ? 0.3 : 0;
  random_rotation(seed, truth);
  random_rotation(seed, start);
  memset(a, 0, 9 * sizeof(double));
  for (int item = 0; item < n; item++) {
    double b[3] = {uniform(seed), uniform(seed), uniform(seed)}, image[3];
    double weight = 0.1 + fabs(uniform(seed));
    for (int k = 0; k < 3; k++) {
      if (what == COLLINEAR)
        b[k] = axis[k] * (item - 1.7);
      if (what == FLAT)
        b[k] *= k == 0 ? 1 : k == 1 ? 1e-3 : 1e-6;
    }
    if (what == COPLANAR)
      b[2] = 0;
    vb_quaternion_rotate(truth, b, image);
    for (int k = 0; k < 3; k++)
      image[k] = what == COINCIDENT
                     ? 0
                     : (what == REFLECTION ? -1 : 1) * scale * image[k] + noise * uniform(seed);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        a[i][j] += weight * (what == MATRIX ? uniform(seed) : image[i] * b[j]);
  }
}

/// The best rotation by LAPACK; returns the trace. `*sum` is that of the singular values, `*least`
/// the least curvature of the trace.
static double decompose(const double a[3][3], double r[3][3], double *sum, double *least,
                        double principal[3]) {
  double column[9], s[3], u[9], vt[9], work[64];
  int n = 3, lwork = 64, info = -1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      column[i + 3 * j] = a[i][j];
  dgesvd_("A", "A", &n, &n, column, &n, s, u, &n, vt, &n, work, &lwork, &info);
  ck_assert_int_eq(info, 0);
  double p[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      p[i][j] = u[i] * vt[3 * j] + u[i + 3] * vt[1 + 3 * j] + u[i + 6] * vt[2 + 3 * j];
  double cross[3];
  vb_cross(p[0], p[1], cross);
  double sign = vb_dot(cross, p[2]) < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r[i][j] = p[i][j] + (sign - 1) * u[i + 6] * vt[2 + 3 * j];
  *sum = s[0] + s[1] + s[2];
  *least = s[1] + sign * s[2];
  memcpy(principal, u, 3 * sizeof *principal);
  return s[0] + s[1] + sign * s[2];
}

/// Half a turn about the first principal axis away from the rotation `r`.
static void opposite(const double r[3][3], const double axis[3], double q[4]) {
  // The quaternion of r, by its greatest component.
  double w[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                 1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    k = w[i] > w[k] ? i : k;
  double p[4];
  p[0] = k == 0   ? w[0]
         : k == 1 ? r[2][1] - r[1][2]
         : k == 2 ? r[0][2] - r[2][0]
                  : r[1][0] - r[0][1];
  p[1] = k == 1   ? w[1]
         : k == 0 ? r[2][1] - r[1][2]
         : k == 2 ? r[0][1] + r[1][0]
                  : r[0][2] + r[2][0];
  p[2] = k == 2   ? w[2]
         : k == 0 ? r[0][2] - r[2][0]
         : k == 1 ? r[0][1] + r[1][0]
                  : r[1][2] + r[2][1];
  p[3] = k == 3   ? w[3]
         : k == 0 ? r[1][0] - r[0][1]
         : k == 1 ? r[0][2] + r[2][0]
                  : r[1][2] + r[2][1];
  double half[4] = {0, axis[0], axis[1], axis[2]}, norm = vb_quaternion_norm(p);
  for (int i = 0; i < 4; i++)
    p[i] /= norm;
  vb_quaternion_multiply(half, p, q);
}

START_TEST(fits_agree_with_a_decomposition) {
  uint64_t seed = 1 + (uint64_t)_i;
  double worst_trace = 0, worst_rotation = 0;
  int n_unique = 0;
  for (int set = 0; set < SETS / N_KINDS + 1; set++) {
    double a[3][3], q[4], best[3][3], found[3][3], sum, least, axis[3], before[4];
    make_set((kind)_i, &seed, a, q);
    double trace = decompose(a, best, &sum, &least, axis);
    if (_i == HALF_TURN)
      opposite(best, axis, q);
    memcpy(before, q, sizeof q);
    double reached = viper_rotation_fit(a, q);
    ck_assert_double_eq_tol(vb_quaternion_norm(q), 1, 1e-14); // rounding of one normalization
    if (sum == 0) {
      ck_assert_int_eq(memcmp(before, q, sizeof q), 0);
      continue;
    }
    worst_trace = fmax(worst_trace, fabs(reached - trace) / sum);
    if (least < unique * sum)
      continue;
    n_unique++;
    viper_rotation_matrix(q, found);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        worst_rotation = fmax(worst_rotation, fabs(found[i][j] - best[i][j]) * least / sum);
  }
  printf("kind %d: %d rotations unique, worst trace %.2g, worst rotation %.2g\n", _i, n_unique,
         worst_trace, worst_rotation);
  ck_assert_double_le(worst_trace, bound);
  ck_assert_double_le(worst_rotation, bound);
  if (_i != COINCIDENT && _i != COLLINEAR)
    ck_assert_int_gt(n_unique, 0);
}
END_TEST

/// Every quarter and half turn between the axes, from every other: all saddles there are.
START_TEST(saddles_are_left) {
  const double a[3][3] = {{3, 0, 0}, {0, 2, 0}, {0, 0, _i ? -1 : 1}};
  for (int axis = 1; axis < 4; axis++) {
    double q[4] = {0};
    q[axis] = 1;
    ck_assert_double_eq_tol(viper_rotation_fit(a, q), _i ? 4 : 6, 1e-14);
    ck_assert_double_eq_tol(fabs(q[0]), 1, 1e-14); // the identity, to rounding
  }
}
END_TEST

START_TEST(nonsense_changes_nothing) {
  const double zero[3][3] = {{0}}, bad[3][3] = {{NAN}}, huge[3][3] = {{INFINITY}};
  const double start[4] = {0.5, 0.5, -0.5, 0.5};
  double q[4];
  memcpy(q, start, sizeof q);
  viper_rotation_fit(zero, q);
  viper_rotation_fit(bad, q);
  viper_rotation_fit(huge, q);
  ck_assert_int_eq(memcmp(q, start, sizeof q), 0);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("similarity");
  tcase_add_loop_test(test, fits_agree_with_a_decomposition, 0, N_KINDS);
  tcase_add_loop_test(test, saddles_are_left, 0, 2);
  tcase_add_test(test, nonsense_changes_nothing);
  return test;
}

VB_TEST_MAIN("similarity", make_case())
