// SPDX-License-Identifier: GPL-3.0-or-later
/// The inertias of the model against the kinetic energy of moving discs, and the inertial part of
/// Phi with its derivatives.
#define VIPER_PRECISION 64
#include "scenes/energy_reference.h"
#include "scenes/model_energies.h"

#include "viper/energy/inertia.h"

#include <gsl/gsl_integration.h>

/// Sums of a few dozen products of order one.
#define ROUNDING 1e-13

#define RADIUS_A 0.35
#define RADIUS_B 0.25
#define LENGTH   0.8
#define DENSITY  1.7

/// How the discs of a rod along z move: with the velocity v, the scale and its rate, and the
/// angular velocity omega (here world and body axes are the same).
typedef struct motion {
  double v[3], s, s_rate, omega[3];
} motion;

/// Kinetic energy [J] of the rod: 1/2 rho |p'|^2 with p' = v + s' q + s omega x q over the discs.
/// Six radii by Gauss and eight angles are exact for polynomials of degree 2.
static double disc_energy(const motion *m) {
  gsl_integration_glfixed_table *radii = gsl_integration_glfixed_table_alloc(6);
  double sum = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++) {
      double r, w, angle = M_PI / 4 * j;
      gsl_integration_glfixed_point(0, (RADIUS_A + RADIUS_B) / 2, (size_t)i, &r, &w, radii);
      double x = r * cos(angle), y = r * sin(angle);
      double p[3] = {m->v[0] + m->s_rate * x - m->s * m->omega[2] * y,
                     m->v[1] + m->s_rate * y + m->s * m->omega[2] * x,
                     m->v[2] + m->s * (m->omega[0] * y - m->omega[1] * x)};
      sum += w * r * M_PI / 4 * DENSITY / 2 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
  gsl_integration_glfixed_table_free(radii);
  return LENGTH * sum;
}

/// A single segment.
static vb_scene *rod(void) {
  vb_builder *builder = new_builder();
  add(builder, VB_SET_NODE, &(vb_node){.rest_radius = RADIUS_A, .scale = 1});
  add(builder, VB_SET_NODE,
      &(vb_node){.rest_radius = RADIUS_B,
                 .scale = 1,
                 .rest_position = {0, 0, LENGTH},
                 .position = {0, 0, LENGTH}});
  add(builder, VB_SET_SEGMENT, &(vb_segment){.node = {0, 1}, .density = DENSITY});
  return finish(builder);
}

START_TEST(lumped_inertias_hold_the_kinetic_energy_of_the_discs) {
  static const motion motions[] = {
      {{0.4, -1.1, 0.9}, 1, 0, {0}}, {{0}, 1, 1.3, {0}},         {{0}, 1, 0, {0.7, -0.5, 0}},
      {{0}, 1, 0, {0, 0, 1.2}},      {{0}, 0.6, 0, {0.5, 1, 2}}, {{1, 2, 3}, 1.4, 1, {3, 2, 1}},
  };
  vb_scene *scene = rod();
  viper_model *m = new_model(scene);
  for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
    const motion *x = &motions[i];
    const double *v = x->v, *o = x->omega;
    double energy = 0;
    for (int node = 0; node < 2; node++) // either half
      energy += (m->node[node].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                 m->node[node].scale_inertia * x->s_rate * x->s_rate) /
                2;
    energy += x->s * x->s * m->segment[0].frame_inertia *
              (o[0] * o[0] + o[1] * o[1] + 2 * o[2] * o[2]) / 2;
    double want = disc_energy(x);
    ck_assert_double_eq_tol(energy, want, ROUNDING * want);
  }
  ck_assert_double_eq(m->node[0].mass, m->node[1].mass);
  ck_assert_double_eq(m->node[0].scale_inertia, m->node[1].scale_inertia);
  viper_model_destroy(m);
  free(scene);
}
END_TEST

/// Differences of fourth order over REF_STEP are right to about 1e-12 here; see
/// energy_reference.h.
#define DIFFERENCE 1e-10

static const double weights[4] = {1, -8, 8, -1}, steps[4] = {-2, -1, 1, 2};

START_TEST(eqs_66_67_are_the_gradient_of_the_inertial_potential) {
  // h^2 times m/(2 h^2) |c - chat|^2 + J/(2 h^2) (s - shat)^2: the gradient has m, not m/2.
  viper_node_inertia a = {2.3, 0.7};
  viper_node_x x = {{0.3, -0.8, 1.1}, 1.2}, hat = {{-0.2, 0.5, 0.4}, 0.7};
  viper_real g[4];
  viper_node_inertial_gradient(a, x, hat, g);
  ck_assert_double_eq_tol(g[0], 2.3 * 0.5, ROUNDING);
  ck_assert_double_eq_tol(g[3], 0.7 * 0.5, ROUNDING);
  for (int k = 0; k < 4; k++) {
    double difference = 0;
    for (int i = 0; i < 4; i++) {
      double t = steps[i] * REF_STEP;
      viper_node_x moved = {{x.c.x + t * (k == 0), x.c.y + t * (k == 1), x.c.z + t * (k == 2)},
                            x.s + t * (k == 3)};
      difference += weights[i] * viper_node_inertial(a, moved, hat) / (12 * REF_STEP);
    }
    ck_assert_double_eq_tol(g[k], difference, DIFFERENCE);
  }
}
END_TEST

/// theta = 2 sin(angle/2) axis of the rotation from `hat` to `q`, in body axes: from matrices, as
/// in ref_joint_turn.
static void rotation_between(const double hat[4], const double q[4], double theta[3]) {
  double a[3][3], b[3][3];
  ref_matrix(hat, a);
  ref_matrix(q, b);
  ref_product(true, a, b, b);
  double root = sqrt(1 + b[0][0] + b[1][1] + b[2][2]);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    theta[i] = (b[k][j] - b[j][k]) / root;
  }
}

/// d theta / d rotation of q about its own axes, by differences.
static void rotation_derivative(const double hat[4], const double q[4], double out[3][3]) {
  memset(out, 0, 9 * sizeof(double));
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 4; i++) {
      double moved[4], theta[3];
      memcpy(moved, q, sizeof moved);
      ref_turn_body(moved, axis, steps[i] * REF_STEP);
      rotation_between(hat, moved, theta);
      for (int row = 0; row < 3; row++)
        out[row][axis] += weights[i] * theta[row] / (12 * REF_STEP);
    }
}

static viper_quat real_quat(const double q[4], double sign) {
  return viper_quat_make(sign * q[0], sign * q[1], sign * q[2], sign * q[3]);
}

/// Of a disc, and of any three moments; those of a disc by the functions of any, too.
START_TEST(the_inertial_part_of_a_frame_has_its_derivatives) {
  const double inertia[3] = {0.8, _i > 1 ? 0.3 : 0.8, _i > 1 ? 0.6 : 1.6};
  const viper_moments moments = {inertia[1] / inertia[0], inertia[2] / inertia[0]};
  uint64_t seed = 5;
  for (int sample = 0; sample < 200; sample++) {
    double axis[3], hat[4], q[4], turn[4], theta[3], d[3][3];
    ref_random_direction(&seed, axis);
    ref_turn(axis, 6.3 * ref_random(&seed), hat);
    ref_random_direction(&seed, axis);
    ref_turn(axis, 170 * M_PI / 180 * ref_random(&seed), turn); // at 180 degrees theta jumps
    ref_quaternion_product(hat, turn, q);
    rotation_between(hat, q, theta);
    rotation_derivative(hat, q, d);
    viper_quat x = real_quat(q, ref_random(&seed) < 0 ? -1 : 1), x_hat = real_quat(hat, 1);
    viper_real g[3], h[3][3];
    if (_i > 0)
      viper_moments_block(inertia[0], moments, x, x_hat, g, h);
    else
      viper_frame_inertial_block(inertia[0], x, x_hat, g, h);
    double energy = 0;
    const double found = _i > 0 ? viper_moments_inertial(inertia[0], moments, x, x_hat)
                                : viper_frame_inertial(inertia[0], x, x_hat);
    for (int k = 0; k < 3; k++)
      energy += inertia[k] * theta[k] * theta[k] / 2;
    ck_assert_double_eq_tol(found, energy, DIFFERENCE);
    for (int i = 0; i < 3; i++) {
      double gradient = 0;
      for (int k = 0; k < 3; k++)
        gradient += d[k][i] * inertia[k] * theta[k];
      ck_assert_double_eq_tol(g[i], gradient, DIFFERENCE);
      for (int j = 0; j <= i; j++) {
        double block = 0;
        for (int k = 0; k < 3; k++)
          block += d[k][i] * inertia[k] * d[k][j];
        ck_assert_double_eq_tol(h[i][j], block, DIFFERENCE);
      }
    }
  }
}
END_TEST

static TCase *inertia_cases(void) {
  TCase *c = tcase_create("inertia");
  tcase_add_test(c, lumped_inertias_hold_the_kinetic_energy_of_the_discs);
  tcase_add_test(c, eqs_66_67_are_the_gradient_of_the_inertial_potential);
  tcase_add_loop_test(c, the_inertial_part_of_a_frame_has_its_derivatives, 0, 3);
  return c;
}

VB_TEST_MAIN("inertia", inertia_cases())
