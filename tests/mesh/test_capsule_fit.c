// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces as a few capsules: what is made of capsules is found again.
/// Covers: src/mesh/ball_quadric.* src/mesh/capsule_gap.c src/mesh/capsule_refine.c
#include "mesh/capsule_fit.h"
#include "mesh/capsule_surface.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FACES 3000

/// An arm of two capsules that share a ball, and a capsule by itself.
static const double BALL[5][4] = {{0.1, 0.2, -0.1, 0.05},
                                  {0.4, 0.3, 0.1, 0.04},
                                  {0.6, 0, 0.15, 0.025},
                                  {0, 1, 0, 0.06},
                                  {0.3, 1, 0.2, 0.03}};

static vb_mesh make_surface(const int (*ends)[2], size_t n) {
  vb_capsule capsule[4];
  vb_mesh mesh = {0};
  vb_error error = {0};
  for (size_t i = 0; i < n; i++) {
    const double *a = BALL[ends[i][0]], *b = BALL[ends[i][1]];
    capsule[i] = vb_capsule_make(a, a[3], b, b[3]);
  }
  vb_capsule_surface asked = {.capsule = capsule, .n_capsules = n, .blend = 1e-3, .n_faces = FACES};
  ck_assert_msg(vb_capsule_surface_make(&asked, &mesh, &error) == VB_OK, "%s", error.message);
  return mesh;
}

/// The ball of the fit that is nearest to `ball`, by the greatest of the four differences.
static double nearest(const vb_capsule_fit *fit, const double ball[4]) {
  double least = INFINITY;
  for (size_t i = 0; i < fit->n_balls; i++) {
    double most = 0;
    for (int k = 0; k < 4; k++)
      most = fmax(most, fabs(fit->ball[i][k] - ball[k]));
    least = fmin(least, most);
  }
  return least;
}

START_TEST(capsules_are_found_again) {
  static const int all[3][2] = {{0, 1}, {1, 2}, {3, 4}};
  static const struct { int first, n, balls; } cases[] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}};
  vb_mesh mesh = make_surface(all + cases[_i].first, (size_t)cases[_i].n);
  for (int inside_out = 0; inside_out < (_i ? 1 : 2); inside_out++) {
    vb_capsule_fit fit;
    vb_error error = {0};
    ck_assert_msg(vb_capsule_fit_make(&mesh, (size_t)cases[_i].n, &fit, &error) == VB_OK, "%s",
                  error.message);
    ck_assert_int_eq((int)fit.n_capsules, cases[_i].n);
    ck_assert_int_eq((int)fit.n_balls, cases[_i].balls);
    // A ball touches the planes of its part in the mean: about a tenth of a radius, as triangles
    // are long. A ball that two capsules share lies where the cheapest collapses let it: on the
    // axis, but along it within the size of a part; so distances are compared with radii of 0.04 m.
    for (int b = 0; b < cases[_i].balls && _i == 0; b++)
      ck_assert_double_le(nearest(&fit, BALL[b]), 0.006);
    ck_assert_double_le(fit.hausdorff, _i ? 0.012 : 0.006);
    ck_assert_double_le(fit.rms, fit.hausdorff);
    vb_capsule_fit_clear(&fit);
    for (size_t t = 0; t < mesh.n_triangles; t++) {
      int32_t first = mesh.triangle[t][0];
      mesh.triangle[t][0] = mesh.triangle[t][1];
      mesh.triangle[t][1] = first;
    }
  }
  vb_mesh_clear(&mesh);
}
END_TEST

/// The distance that is told is that of the capsules: a ball beside a bone counts.
START_TEST(distances_are_those_of_the_capsules) {
  static const int one[1][2] = {{0, 1}};
  vb_mesh mesh = make_surface(one, 1);
  double ball[2][4];
  int32_t capsule[2] = {0, 1};
  memcpy(ball, BALL, sizeof ball);
  vb_error error = {0};
  vb_capsule_fit fit = {.ball = ball, .n_balls = 2, .capsule = &capsule, .n_capsules = 1};
  ck_assert_msg(vb_capsule_fit_measure(&mesh, &fit, &error) == VB_OK, "%s", error.message);
  ck_assert_double_le(fit.hausdorff, 1e-3); // both tessellations: chords of 32 around, of triangles
  for (int b = 0; b < 2; b++)
    ball[b][3] += 0.02;
  ck_assert_msg(vb_capsule_fit_measure(&mesh, &fit, &error) == VB_OK, "%s", error.message);
  ck_assert_double_eq_tol(fit.hausdorff, 0.02, 1e-3);
  ck_assert_double_eq_tol(fit.rms, 0.02, 1e-3);
  vb_mesh_clear(&mesh);
}
END_TEST

START_TEST(what_is_no_bone_is_refused) {
  static const int parts[2][2] = {{0, 1}, {3, 4}};
  static const char *const messages[] = {
      "the surface has no triangles", "edge",
      "the surface has 2 parts, which need a pill each; 1 requested"};
  vb_mesh mesh = make_surface(parts, 2);
  vb_capsule_fit fit;
  vb_error error = {0};
  size_t n = mesh.n_triangles;
  mesh.n_triangles = _i == 0 ? 0 : _i == 1 ? n - 1 : n;
  ck_assert_int_eq(vb_capsule_fit_make(&mesh, 1, &fit, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, messages[_i]) != NULL, "%s", error.message);
  mesh.n_triangles = n;
  vb_mesh_clear(&mesh);
}
END_TEST

static TCase *capsule_fits(void) {
  TCase *c = tcase_create("pill fit");
  tcase_add_loop_test(c, capsules_are_found_again, 0, 3);
  tcase_add_test(c, distances_are_those_of_the_capsules);
  tcase_add_loop_test(c, what_is_no_bone_is_refused, 0, 3);
  return c;
}

VB_TEST_MAIN("pill fit", capsule_fits())
