// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms of the material model solid: W against a formula of its own, derivatives against
/// differences, what block descent makes of them, frames that must not tilt of themselves, work.
/// Covers: src/viper/energy/solid.h src/viper/energy/activation.h
#define VIPER_PRECISION 64
#include "scenes/solid_cases.h"
#include "viper/energy/activation.h"

#include <stdbool.h>

enum { N = VIPER_SEGMENT_UNKNOWNS };

/// Its ends are apart by one more along z.
static viper_segment_state random_state(uint64_t *seed) {
  viper_segment_state x = solid_random_segment(seed);
  x.c_b.z += 1;
  return x;
}

/// q by the rotation matrix of the frame.
static double stretch_of(const viper_solid_rest *rest, const viper_segment_state *x) {
  const double d[3] = {x->c_b.x - x->c_a.x, x->c_b.y - x->c_a.y, x->c_b.z - x->c_a.z};
  const viper_quat q = x->q;
  const double w[3] = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                       1 - 2 * (q.x * q.x + q.y * q.y)};
  double p = 0, m = 0;
  for (int k = 0; k < 3; k++) {
    p += d[k] * w[k] * rest->inv_l;
    m += d[k] * d[k] * rest->inv_l * rest->inv_l;
  }
  return p + rest->slant * pow(x->active.scale / x->active.stretch, 3) * m * (m - p * p);
}

START_TEST(rows_are_as_written) {
  uint64_t seed = 31;
  for (int sample = 0; sample < 200; sample++) {
    const viper_solid_rest rest = solid_random_rest(&seed);
    const viper_segment_state x = random_state(&seed);
    const double q = stretch_of(&rest, &x), s = (x.s_a + x.s_b) / 2;
    double w[1], axial[1][VIPER_AXIAL_COLUMNS], dilation[1][VIPER_DILATION_COLUMNS];
    viper_axial(&rest, &x, w, axial);
    ck_assert_double_eq_tol(w[0], q - x.active.stretch, 1e-12 * (1 + fabs(q))); // of order one
    viper_dilation(&rest, &x, w, dilation);
    ck_assert_double_eq_tol(w[0], s * s * q - 1, 1e-12 * (1 + fabs(q)));
  }
}
END_TEST

static double energy_of(const viper_solid_rest *rest, const viper_segment_state *x) {
  return viper_axial_energy(rest, x) + viper_dilation_energy(rest, x);
}

static void gradient_of(const viper_solid_rest *rest, const viper_segment_state *x, double g[N]) {
  memset(g, 0, N * sizeof *g);
  viper_axial_add_gradient(rest, x, g);
  viper_dilation_add_gradient(rest, x, g);
}

START_TEST(derivatives_are_differences) {
  uint64_t seed = 32;
  for (int sample = 0; sample < 200; sample++) {
    viper_solid_rest rest = solid_random_rest(&seed);
    viper_segment_state x = random_state(&seed);
    double g[N] = {0}, h[N][N] = {{0}}, difference[N][N], less[N], more[N];
    if (sample % 3 > 0) // each alone, and both
      *(sample % 3 > 1 ? &rest.k_axial : &rest.k_dilation) = 0;
    viper_axial_add_block(&rest, &x, g, h);
    viper_dilation_add_block(&rest, &x, g, h);
    viper_solid_add_part(&rest, &x, 1, h);
    for (int k = 0; k < N; k++) {
      viper_segment_state a = x, b = x;
      move_segment(&a, k, -SECOND_STEP);
      move_segment(&b, k, SECOND_STEP);
      const double slope = (energy_of(&rest, &b) - energy_of(&rest, &a)) / (2 * SECOND_STEP);
      // Besides, the rounding of the energy over the step, 1e-16/1e-5: it may be a million.
      const double rounding = 2e-11 * energy_of(&rest, &x);
      ck_assert_double_eq_tol(g[k], slope, SECOND_TOLERANCE * (1 + fabs(slope)) + rounding);
      gradient_of(&rest, &a, less);
      gradient_of(&rest, &b, more);
      for (int i = 0; i < N; i++)
        difference[i][k] = (more[i] - less[i]) / (2 * SECOND_STEP);
    }
    second_check_symmetric("solid", N, h[0], difference[0]);
  }
}
END_TEST

/// As in SIMD lanes without an element.
START_TEST(no_rest_data_add_nothing) {
  uint64_t seed = 33;
  const viper_solid_rest none = {0};
  viper_segment_state x = random_state(&seed);
  double g[N] = {0}, h[N][N] = {{0}};
  viper_axial_add_block(&none, &x, g, h);
  viper_dilation_add_block(&none, &x, g, h);
  viper_solid_add_part(&none, &x, 1, h);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      ck_assert(h[i][k] == 0 && g[i] == 0);
}
END_TEST

/// Over a node the gradient and the Gauss-Newton block; over a frame the gradient and more than
/// that block.
START_TEST(block_descent_has_both_terms) {
  uint64_t seed = 34;
  for (int sample = 0; sample < 200; sample++) {
    const viper_solid_rest rest = solid_random_rest(&seed);
    const viper_segment_state x = random_state(&seed);
    double g[N] = {0}, h[N][N] = {{0}};
    viper_axial_add_block(&rest, &x, g, h);
    viper_dilation_add_block(&rest, &x, g, h);
    const viper_node_x end[2] = {{x.c_a, x.s_a}, {x.c_b, x.s_b}};
    for (int side = 0; side < 2; side++) {
      viper_newton n = {{0}, {{0}}};
      viper_newton_solid_node(&n, &rest, end[side], end[1 - side], viper_quat_w(x.q), x.active,
                              side);
      for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(n.g[i], g[4 * side + i], DESCENT_TOLERANCE);
        for (int k = 0; k <= i; k++)
          ck_assert_double_eq_tol(n.h[i][k], h[4 * side + i][4 * side + k], DESCENT_TOLERANCE);
      }
    }
    viper_newton n = {{0}, {{0}}};
    viper_newton_solid_frame(&n, &rest, &x);
    for (int i = 0; i < 2; i++)
      ck_assert_double_eq_tol(n.g[i], g[8 + i], 1e-10 * (1 + fabs(g[8 + i])));
    const double a = n.h[0][0] - h[8][8], b = n.h[1][1] - h[9][9], c = h[9][8];
    ck_assert_double_ge(a + b, -1e-10 * (h[8][8] + h[9][9]));
    ck_assert_double_ge(a * b - c * c, -1e-10 * (h[8][8] + h[9][9]) * (h[8][8] + h[9][9]));
  }
}
END_TEST

/// The solution of a node's full block, against the product.
START_TEST(nodes_are_solved) {
  uint64_t seed = 35;
  for (int sample = 0; sample < 50; sample++) {
    double root[4][4], d[4];
    viper_newton n = {{0}, {{0}}};
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++)
        root[i][k] = descent_random(&seed, -0.5) + (i == k);
    for (int i = 0; i < 4; i++) {
      n.g[i] = descent_random(&seed, -0.5);
      for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
          n.h[i][k] += root[i][j] * root[k][j];
    }
    viper_newton_solve_full_node(&n, d);
    for (int i = 0; i < 4; i++) {
      double sum = n.g[i];
      for (int k = 0; k < 4; k++)
        sum += n.h[i][k] * d[k];
      ck_assert_double_eq_tol(sum, 0, 1e-8); // condition numbers of some thousand
    }
  }
}
END_TEST

/// A segment of E = 1, its radius and length such that pi r^2 l = 1.
typedef struct segment {
  viper_segment_rest rest;
  viper_solid_rest solid;
} segment;

static segment segment_of(double nu, bool pinned, double slant) {
  const double g = 1 / (2 * (1 + nu)), shear = 6 * (1 + nu) / (7 + 6 * nu) * g;
  const double kz = pinned ? 1 : 2 * g, kv = pinned ? 0 : nu / ((1 + nu) * (1 - 2 * nu));
  return (segment){{.inv_l = 1, .k_stretch = shear, .k_section = 4 * g},
                   {1, kz - shear, kv, slant * (kz - shear) / shear}};
}

/// The least eigenvalue of the Hessian over the tilts of the frame, of a segment at the stretch
/// `length` along its frame's axis, with centers held and the scale that it settles at.
static double least_tilt(const segment *s, double length, viper_contraction active, bool pinned) {
  viper_segment_state x = {{0, 0, 0}, {0, 0, length}, 1, 1, {1, 0, 0, 0}, active};
  for (int k = 0; k < 50 && !pinned; k++) { // Newton's method on the scale of both ends
    double g[N] = {0}, h[N][N] = {{0}};
    viper_section_add_block(&s->rest, &x, g, h);
    viper_dilation_add_block(&s->solid, &x, g, h);
    viper_solid_add_part(&s->solid, &x, 1, h);
    x.s_a = x.s_b = x.s_a - (g[3] + g[7]) / (h[3][3] + 2 * h[7][3] + h[7][7]);
  }
  double g[N] = {0}, h[N][N] = {{0}};
  viper_stretch_add_block(&s->rest, &x, g, h);
  viper_axial_add_block(&s->solid, &x, g, h);
  viper_dilation_add_block(&s->solid, &x, g, h);
  viper_segment_add_second(&s->rest, &x, h);
  viper_solid_add_part(&s->solid, &x, 1, h);
  const double mean = (h[8][8] + h[9][9]) / 2, off = (h[8][8] - h[9][9]) / 2;
  return mean - sqrt(off * off + h[9][8] * h[9][8]);
}

static double least_of_all(double nu, double slant) {
  double least = INFINITY;
  for (int pinned = 0; pinned < 2; pinned++) {
    const segment s = segment_of(nu, pinned, slant);
    for (int k = 0; k <= 36; k++)
      least = fmin(least, least_tilt(&s, 0.7 + 0.05 * k, viper_passive(), pinned));
    for (int k = 0; k <= 30; k++) {
      const double a = 0.4 + 0.02 * k;
      least = fmin(least, least_tilt(&s, 1, (viper_contraction){a, 1}, pinned));
      if (!pinned)
        least = fmin(least, least_tilt(&s, 1, (viper_contraction){a, 1 / sqrt(a)}, false));
    }
  }
  return least;
}

/// At stretches from 0.7 to 2.5, and where a fiber or an active strain shortens to 0.4 what is held
/// at its length. Without the slant the same states are unstable.
START_TEST(frames_do_not_tilt) {
  static const double nu[] = {0, 0.3, 0.45, 0.49, 0.499};
  for (size_t k = 0; k < sizeof nu / sizeof *nu; k++) {
    ck_assert_double_gt(least_of_all(nu[k], VIPER_SLANT), 0);
    ck_assert_double_lt(least_of_all(nu[k], 0), -0.4);
  }
}
END_TEST

/// The work of an activation is what it changes of the energy; that of a constant force around a
/// closed path is 0.
START_TEST(work_is_energy) {
  uint64_t seed = 36;
  for (int sample = 0; sample < 50; sample++) {
    const viper_solid_rest rest = solid_random_rest(&seed);
    viper_segment_state x = random_state(&seed), y = random_state(&seed), z = random_state(&seed);
    viper_segment_state now = x;
    now.active = y.active;
    const double work = viper_solid_strain_work(&rest, &x, y.active);
    const double change = energy_of(&rest, &now) - energy_of(&rest, &x);
    ck_assert_double_eq_tol(work, change, 1e-12 * (1 + fabs(energy_of(&rest, &now))));
    y.active = z.active = x.active;
    const double around = viper_solid_force_work(&rest, &x, &y) +
                          viper_solid_force_work(&rest, &y, &z) +
                          viper_solid_force_work(&rest, &z, &x);
    ck_assert_double_eq_tol(around, 0, 1e-11 * (1 + fabs(energy_of(&rest, &x))));
  }
}
END_TEST

static TCase *solid(void) {
  TCase *c = tcase_create("solid");
  tcase_add_test(c, rows_are_as_written);
  tcase_add_test(c, derivatives_are_differences);
  tcase_add_test(c, no_rest_data_add_nothing);
  tcase_add_test(c, block_descent_has_both_terms);
  tcase_add_test(c, nodes_are_solved);
  tcase_add_test(c, frames_do_not_tilt);
  tcase_add_test(c, work_is_energy);
  return c;
}

VB_TEST_MAIN("solid", solid())
