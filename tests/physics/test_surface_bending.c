// SPDX-License-Identifier: GPL-3.0-or-later
/// Eq. 15, the bending of the surface by the scale's second derivative, beside the integral over
/// the section that it stands for (eq. 16): the change of the second derivative along the rod of
/// all points p = c + s R q, seen from the frame.
/// Covers: src/viper/energy/surface_bend.h
#include "handle.h"
#include "scenes/scenes.h"

#include <math.h>

#define LENGTH 2.0
#define RADIUS 0.1
#define KB     1.7 ///< kbx and kby, Pa m^2
#define SWELL  0.2 ///< of the scale

/// Wave number of the scale, of one wave along the rod.
static const double wave = 2 * M_PI / LENGTH;

/// A point of the section at z of a rod of curvature `bend` about u, in the frame's u, and world
/// axes; with the scale of the deformed rod, or at rest.
static void point(double bend, bool rest, double z, const double q[2], double p[3]) {
  double s = rest ? 1 : 1 + SWELL * sin(wave * z), angle = bend * z;
  double c[2] = {bend > 0 ? (1 - cos(angle)) / bend : 0, bend > 0 ? sin(angle) / bend : z};
  p[0] = s * q[0];
  p[1] = c[0] + s * q[1] * cos(angle);
  p[2] = c[1] - s * q[1] * sin(angle);
}

/// The second derivative along z in the frame's axes, by differences of fourth order: 1e-10 of it.
static void second(double bend, bool rest, double z, const double q[2], double out[3]) {
  static const double weight[5] = {-1. / 12, 4. / 3, -5. / 2, 4. / 3, -1. / 12};
  const double h = 2e-3, angle = bend * z;
  double sum[3] = {0}, p[3];
  for (int i = 0; i < 5; i++) {
    point(bend, rest, z + (i - 2) * h, q, p);
    for (int k = 0; k < 3; k++)
      sum[k] += weight[i] * p[k] / (h * h);
  }
  out[0] = sum[0];
  out[1] = cos(angle) * sum[1] - sin(angle) * sum[2];
  out[2] = sin(angle) * sum[1] + cos(angle) * sum[2];
}

/// The energy by the midpoint rule along the rod, exact for whole waves, and by rings: the density
/// is quadratic in q, so that the mean over eight directions is exact, and its integral over the
/// disc is pi r^4/2 times that at |q| = 1.
static double integral(double bend) {
  enum { SECTIONS = 64, DIRECTIONS = 8 };
  double sum = 0;
  for (int i = 0; i < SECTIONS * DIRECTIONS; i++) {
    int section = i / DIRECTIONS;
    double z = (section + 0.5) * LENGTH / SECTIONS, turn = 2 * M_PI * (i % DIRECTIONS) / DIRECTIONS;
    double q[2] = {cos(turn), sin(turn)}, now[3], before[3];
    second(bend, false, z, q, now);
    second(bend, true, z, q, before);
    for (int k = 0; k < 3; k++)
      sum += pow(now[k] - before[k], 2);
  }
  return KB / 2 * sum * M_PI * pow(RADIUS, 4) / 2 * LENGTH / (SECTIONS * DIRECTIONS);
}

/// The solver's energy of eq. 15 of `n` segments.
static double discrete(int32_t n) {
  const scenes_material surface = {1000, {1, 1, 1, KB, KB, 1}};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, n, LENGTH, RADIUS, &surface);
  size_t count;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &count);
  for (size_t i = 0; i < count; i++)
    node[i].scale = 1 + SWELL * sin(wave * LENGTH * (double)i / n);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, NULL);
  double energy = handle_energy(&s, "surface_bend");
  handle_close(&s);
  free(scene);
  return energy;
}

START_TEST(eq_15_is_the_integral_of_a_straight_rod) {
  double exact = integral(0), error[2];
  ck_assert_double_eq_tol(
      M_PI * pow(RADIUS, 4) / 4 * KB * pow(SWELL * wave * wave, 2) * LENGTH / 2 / exact, 1, 1e-8);
  for (int i = 0; i < 2; i++)
    error[i] = fabs(discrete(64 << i) / exact - 1);
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, 0.05);
  ck_assert_double_lt(error[1], 1e-3);
}
END_TEST

/// It neglects what a curved rod's turning adds: K^2 (s - 1) to s'', and 2 K s' along the rod, for
/// a curvature K. The part grows as 3 (K / wave number)^2: 3 % where a wave of the scale takes a
/// tenth of the circle.
START_TEST(eq_15_neglects_the_curvature_of_the_rod) {
  const double straight = integral(0);
  for (int i = 1; i <= 4; i++) {
    double share = 0.1 * i, s2 = share * share;
    double whole = (1 + pow(1 + s2, 2) + 4 * s2) / 2;
    ck_assert_double_eq_tol(integral(share * wave) / straight, whole, 1e-7);
    ck_assert_double_eq_tol(whole - 1, 3 * s2, s2 * s2);
  }
}
END_TEST

static TCase *surface(void) {
  TCase *c = tcase_create("surface bending");
  tcase_add_test(c, eq_15_is_the_integral_of_a_straight_rod);
  tcase_add_test(c, eq_15_neglects_the_curvature_of_the_rod);
  return c;
}

VB_TEST_MAIN("surface_bending", surface())
