// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the paper's printed formulas disagree with its own derivations: each case of the energy is
/// shown, with the printed form beside the one used here.
/// Covers: src/viper/energy/*bend.h src/viper/energy/twist.h src/viper/energy/volume*.h
#define VIPER_PRECISION 64
#include "mesh/capsule.h"
#include "scene/rotation.h"
#include "scenes/continuous_rod.h"

/// Sums of a few dozen products of order one.
#define ROUNDING 1e-13

static const double stiffness[6] = {1.1, 0.8, 1.7, 0.9, 1.3, 2.3};
#define RADIUS 0.3

/// The integral of f(x, y) over the disc of radius RADIUS; exact up to degree 7 (see rod_add_disc).
static double disc_integral(double (*f)(const double *v, double x, double y), const double *v) {
  gsl_integration_glfixed_table *radii = gsl_integration_glfixed_table_alloc(6);
  double sum = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++) {
      double r, w, angle = M_PI / 4 * j;
      gsl_integration_glfixed_point(0, RADIUS, (size_t)i, &r, &w, radii);
      sum += w * r * M_PI / 4 * f(v, r * cos(angle), r * sin(angle));
    }
  gsl_integration_glfixed_table_free(radii);
  return sum;
}

/// A straight rod along z of two segments, 0.5 m and 0.7 m long, at rest; the second one's rest
/// frame is turned about w by `rest_twist`.
static vb_builder *bar(double rest_twist) {
  static const double at[3] = {0, 0.5, 1.2};
  vb_builder *builder = new_builder();
  for (int i = 0; i < 3; i++)
    add(builder, VB_SET_NODE,
        &(vb_node){.rest_radius = RADIUS,
                   .scale = 1,
                   .rest_position = {0, 0, at[i]},
                   .position = {0, 0, at[i]}});
  for (int j = 0; j < 2; j++) {
    vb_segment segment = {.node = {j, j + 1}, .density = 1};
    memcpy(segment.stiffness, stiffness, sizeof stiffness);
    ref_turn((double[]){0, 0, 1}, j * rest_twist, segment.rest_frame);
    memcpy(segment.frame, segment.rest_frame, sizeof segment.frame);
    add(builder, VB_SET_SEGMENT, &segment);
  }
  return builder;
}
#define BAR_LM 0.6

/// Density of the strain's third column for the Darboux vector v [1/m]: (v x q) weighed by kx, ky,
/// kz.
static double bending_density(const double *v, double x, double y) {
  return (stiffness[VB_KX] * pow(-v[2] * y, 2) + stiffness[VB_KY] * pow(v[2] * x, 2) +
          stiffness[VB_KZ] * pow(v[0] * y - v[1] * x, 2)) /
         2;
}

/// Density of the change of volume: det [s e_x, s e_y, e_z + s v x q] - s^2.
static double volume_bend_density(const double *v, double x, double y) {
  double s = v[3];
  double g[3][3] = {
      {s, 0, -s * v[2] * y}, {0, s, s * v[2] * x}, {0, 0, 1 + s * (v[0] * y - v[1] * x)}};
  return stiffness[VB_KV] * pow(determinant(g) - s * s, 2) / 2;
}

/// A bar bent and twisted at its middle, and swollen there, with the Darboux vector and s in v.
static vb_scene *bent_bar(double v[4]) {
  vb_builder *builder = bar(0);
  size_t n;
  vb_node *node = vb_builder_elements(builder, VB_SET_NODE, &n);
  vb_segment *segment = vb_builder_elements(builder, VB_SET_SEGMENT, &n);
  double axis[3] = {0.48, 0.6, 0.64}, angle = 0.9;
  ref_turn(axis, angle, segment[1].frame);
  for (int i = 0; i < 3; i++)
    v[i] = 2 / BAR_LM * sin(angle / 2) * axis[i];
  node[1].scale = v[3] = 1.3;
  return finish(builder);
}

START_TEST(eq_14_is_four_times_too_stiff) {
  double v[4], energy[N_TERMS];
  vb_scene *scene = bent_bar(v);
  scene_energies(scene, energy);
  free(scene);
  double w[3] = {v[3] * v[0], v[3] * v[1], v[3] * v[2]};
  double integral = BAR_LM * disc_integral(bending_density, w);
  double printed = M_PI * pow(RADIUS, 4) * BAR_LM / 2 *
                   (stiffness[VB_KZ] * (w[0] * w[0] + w[1] * w[1]) +
                    (stiffness[VB_KX] + stiffness[VB_KY]) * w[2] * w[2]);
  ck_assert_double_eq_tol(energy[BEND] + energy[TWIST], integral, ROUNDING);
  ck_assert_double_eq_tol(printed, 4 * integral, ROUNDING);
}
END_TEST

START_TEST(eqs_19_20_are_twice_too_stiff) {
  double v[4], energy[N_TERMS];
  vb_scene *scene = bent_bar(v);
  scene_energies(scene, energy);
  free(scene);
  double integral = BAR_LM * disc_integral(volume_bend_density, v), s3 = pow(v[3], 3);
  double printed = M_PI * pow(RADIUS, 4) / 2 * stiffness[VB_KV] * BAR_LM / 2 * s3 * s3 *
                   (v[0] * v[0] + v[1] * v[1]);
  ck_assert_double_eq_tol(energy[VOLUME_BEND], integral, ROUNDING);
  ck_assert_double_eq_tol(printed, 2 * integral, ROUNDING);
}
END_TEST

/// Density of eqs. 10 and 17 for the third column v of the strain and the scale v[3].
static double stretch_density(const double *v, double x, double y) {
  (void)x;
  (void)y;
  return (stiffness[VB_KX] * v[0] * v[0] + stiffness[VB_KY] * v[1] * v[1] +
          stiffness[VB_KZ] * pow(v[2] - 1, 2)) /
         2;
}

static double volume_density(const double *v, double x, double y) {
  (void)x;
  (void)y;
  return stiffness[VB_KV] * pow(v[3] * v[3] * v[2] - 1, 2) / 2;
}

/// Stretch and volume energies of a bar whose frames stay while its center line goes along
/// a = (a[0], a[1], a[2]), with the scale a[3]; and the two integrals.
static void stretched_bar(const double a[4], double vectors[2], double integrals[2]) {
  vb_builder *builder = bar(0);
  double energy[N_TERMS];
  size_t n;
  vb_node *node = vb_builder_elements(builder, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      node[i].position[k] = a[k] * node[i].rest_position[2];
    node[i].scale = a[3];
  }
  vb_scene *scene = finish(builder);
  scene_energies(scene, energy);
  free(scene);
  vectors[0] = energy[STRETCH];
  vectors[1] = energy[VOLUME];
  integrals[0] = 1.2 * disc_integral(stretch_density, a);
  integrals[1] = 1.2 * disc_integral(volume_density, a);
}

START_TEST(eqs_11_18_are_the_integrals_without_shear) {
  double vectors[2], integrals[2];
  stretched_bar((double[]){0, 0, 1.4, 0.9}, vectors, integrals);
  ck_assert_double_eq_tol(vectors[0], integrals[0], ROUNDING);
  ck_assert_double_eq_tol(vectors[1], integrals[1], ROUNDING);
  // It takes the squares of the scale: at s = 1/sqrt(e) the volume is kept.
  stretched_bar((double[]){0, 0, 1.4, sqrt(1 / 1.4)}, vectors, integrals);
  ck_assert_double_eq_tol(vectors[1], 0, ROUNDING);
}
END_TEST

START_TEST(eqs_11_18_resist_shear_by_kz_and_kv_instead_of_kx_and_ky) {
  double vectors[2], integrals[2], half = M_PI * RADIUS * RADIUS * 1.2 / 2;
  stretched_bar((double[]){0.3, 0, 1, 1}, vectors, integrals);
  ck_assert_double_eq_tol(integrals[0], half * stiffness[VB_KX] * 0.09, ROUNDING);
  ck_assert_double_eq_tol(integrals[1], 0, ROUNDING);
  ck_assert_double_eq_tol(vectors[0], half * stiffness[VB_KZ] * 0.09, ROUNDING);
  ck_assert_double_eq_tol(vectors[1], half * stiffness[VB_KV] * 0.09, ROUNDING);
}
END_TEST

/// The density of the strain's third column with eq. 45 as printed, along w alone.
static double density_along_w(const double *a, double x, double y) {
  (void)x;
  (void)y;
  return stiffness[VB_KZ] * pow(a[2] - 1, 2) / 2;
}

START_TEST(eq_45_as_printed_has_no_shear) {
  double vectors[2], integrals[2], sheared[] = {0.3, -0.2, 1.4, 1}, straight[] = {0, 0, 1.4, 1};
  stretched_bar(sheared, vectors, integrals);
  double printed = 1.2 * disc_integral(density_along_w, sheared);
  double shear = M_PI * RADIUS * RADIUS * 1.2 / 2 *
                 (stiffness[VB_KX] * pow(0.3, 2) + stiffness[VB_KY] * pow(0.2, 2));
  ck_assert_double_eq_tol(integrals[0] - printed, shear, ROUNDING);
  stretched_bar(straight, vectors, integrals);
  ck_assert_double_eq_tol(integrals[0], 1.2 * disc_integral(density_along_w, straight), ROUNDING);
}
END_TEST

/// The distance of x to the ball of the capsule at t, by the vector x - c1 + t `step` j of eq. 83.
static double ball_distance(const double x[3], const double c1[3], const double j[3], double step,
                            double t) {
  double v[3];
  for (int k = 0; k < 3; k++)
    v[k] = x[k] - c1[k] + t * step * j[k];
  return sqrt(vb_dot(v, v)) - ((1 - t) * 0.3 + t * 0.2);
}

START_TEST(eq_83_lacks_a_length_and_has_a_wrong_sign) {
  const double length = 0.5, c1[3] = {0.1, 0.2, -0.3}, j[3] = {0.48, 0.6, -0.64};
  const double x[3] = {0.4, -0.4, 0.2};
  double c2[3], normal[3], at, best = INFINITY, printed = INFINITY, foot = 0, along = 0;
  for (int k = 0; k < 3; k++) {
    c2[k] = c1[k] - length * j[k];
    along += (x[k] - c1[k]) * j[k];
  }
  const int n = 100000;
  for (int i = 0; i <= n; i++) {
    best = fmin(best, ball_distance(x, c1, j, length, (double)i / n));
    printed = fmin(printed, ball_distance(x, c1, j, 1, (double)i / n));
  }
  vb_capsule capsule = vb_capsule_make(c1, 0.3, c2, 0.2);
  // The search is off by the square of its step.
  ck_assert_double_eq_tol(vb_capsule_distance(&capsule, x, normal, &at), best, 1e-9);
  ck_assert_double_gt(fabs(printed - best), 0.01);
  // p_s is to be the foot of x on the axis: from there to x nothing is along it.
  for (int sign = -1; sign <= 1; sign += 2) {
    foot = 0;
    for (int k = 0; k < 3; k++)
      foot += (x[k] - (c1[k] + sign * along * j[k])) * j[k];
    ck_assert_double_eq_tol(foot, sign > 0 ? 0 : 2 * along, ROUNDING);
  }
  ck_assert_double_gt(fabs(along), 0.1);
}
END_TEST

/// The energy of surface_bend with the printed eq. 39: W is the difference of the two slopes alone.
static double printed_surface_bend(const vb_scene *scene) {
  viper_model *m = new_model(scene);
  double sum = 0;
  for (size_t t = 0; t < m->n_joints; t++) {
    const viper_model_joint *joint = &m->joint[t];
    viper_joint_state x = model_joint_state(m, t);
    double w = (x.s_next - x.s) * joint->inv_l_k - (x.s - x.s_prev) * joint->inv_l_j;
    sum += joint->k[2] * w * w / 2;
  }
  viper_model_destroy(m);
  return sum;
}

START_TEST(eq_39_does_not_converge_without_the_division) {
  double exact[N_TERMS], error[2], printed[2];
  rod_energies(ROD_ENDS_AT_REST, exact);
  for (int mesh = 0; mesh < 2; mesh++) {
    double energy[N_TERMS];
    vb_scene *scene = rod_scene(ROD_ENDS_AT_REST, 64 << mesh);
    scene_energies(scene, energy);
    printed[mesh] = printed_surface_bend(scene);
    free(scene);
    error[mesh] = fabs(energy[SURFACE_BEND] - exact[SURFACE_BEND]);
  }
  // Half the segment length: a quarter of the error (order 2, shown within 0.1), while the printed
  // form's energy, lm^2 times the right one, itself goes to a quarter.
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, 0.1);
  ck_assert_double_eq_tol(log2(printed[0] / printed[1]), 2, 0.1);
  ck_assert_double_lt(printed[1], 0.01 * exact[SURFACE_BEND]);
}
END_TEST

/// Twist and bend energies of a scene with the printed eq. 40: Omega = (2/lm) Im P, P = conj(Q_j)
/// Q_k of the frames as they are stored.
static double printed_bending(const vb_scene *scene) {
  viper_model *m = new_model(scene);
  size_t n;
  const vb_segment *segment = vb_scene_segments(scene, &n);
  double sum = 0;
  for (size_t t = 0; t < m->n_joints; t++) {
    const viper_model_joint *joint = &m->joint[t];
    const vb_segment *j = &segment[m->segment[joint->segment[0]].scene_index];
    const vb_segment *k = &segment[m->segment[joint->segment[1]].scene_index];
    double back[4] = {j->frame[0], -j->frame[1], -j->frame[2], -j->frame[3]};
    double back_rest[4] = {j->rest_frame[0], -j->rest_frame[1], -j->rest_frame[2],
                           -j->rest_frame[3]};
    double p[4], p_rest[4];
    ref_quaternion_product(back, k->frame, p);
    ref_quaternion_product(back_rest, k->rest_frame, p_rest);
    double s = model_joint_state(m, t).s;
    for (int i = 0; i < 3; i++) {
      double w = 2 * joint->inv_lm * (s * p[1 + i] - p_rest[1 + i]);
      sum += joint->k[i == 2] * w * w / 2;
    }
  }
  viper_model_destroy(m);
  return sum;
}

/// The bar with a rest twist, turned by `angle` more about w.
static vb_scene *twisted_bar(double rest_twist, double angle) {
  vb_builder *builder = bar(rest_twist);
  size_t n;
  vb_segment *segment = vb_builder_elements(builder, VB_SET_SEGMENT, &n);
  ref_turn((double[]){0, 0, 1}, rest_twist + angle, segment[1].frame);
  return finish(builder);
}

START_TEST(eq_40_is_flat_where_the_rest_rotation_is_a_half_turn) {
  // The real part of P goes through zero with the angle, and that of P_rest with the rest twist.
  static const double twists[] = {M_PI - 1e-9, M_PI, M_PI + 1e-9};
  static const double angles[] = {-1, -0.01, 0.01, 1};
  double k = M_PI * pow(RADIUS, 4) / 4 * (stiffness[VB_KX] + stiffness[VB_KY]) * BAR_LM;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      vb_scene *scene = twisted_bar(twists[i], angles[j]);
      double energy[N_TERMS], printed = printed_bending(scene);
      scene_energies(scene, energy);
      free(scene);
      // As of a bar without rest twist: no jump.
      double want = k / 2 * pow(2 / BAR_LM * sin(angles[j] / 2), 2);
      ck_assert_double_eq_tol(energy[TWIST], want, 1e-12 * k);
      // 1 - cos(a/2) in place of sin(a/2): (a/4)^2 of the energy, that is 6 % at 1 rad.
      ck_assert_double_lt(printed, pow(angles[j] / 4, 2) * 1.1 * want);
    }
}
END_TEST

/// Twist energy of that bar with the printed W = s Omega - Omega_rest and the sign Re D >= 0, at
/// the scale `s`.
static double printed_twist(double rest_twist, double angle, double s) {
  double k = M_PI * pow(RADIUS, 4) / 4 * (stiffness[VB_KX] + stiffness[VB_KY]) * BAR_LM;
  double omega_rest = 2 / BAR_LM * sin(rest_twist / 2), sign = cos(angle / 2) < 0 ? -1 : 1;
  double omega = omega_rest + sign * 2 / BAR_LM * sin(angle / 2);
  return k / 2 * pow(s * omega - omega_rest, 2);
}

START_TEST(eq_14_jumps_at_half_a_turn) {
  // 2e-6 rad apart, at scale 1.3 and with a rest twist of 1 rad.
  const double apart = 2e-6, scale = 1.3, rest_twist = 1;
  double energy[2][N_TERMS], printed[2];
  for (int side = 0; side < 2; side++) {
    double angle = M_PI + (side ? 0.5 : -0.5) * apart;
    vb_scene *scene = twisted_bar(rest_twist, angle);
    size_t n;
    vb_node *node = (vb_node *)vb_scene_nodes(scene, &n);
    for (size_t i = 0; i < n; i++)
      node[i].scale = scale;
    scene_energies(scene, energy[side]);
    printed[side] = printed_twist(rest_twist, angle, scale);
    free(scene);
  }
  // What is left is the torque times the angle: of K W dW/dangle at most.
  ck_assert_double_eq_tol(energy[1][TWIST], energy[0][TWIST], apart * energy[0][TWIST]);
  // (a + b)^2 against (a - b)^2 with b/a = 0.3/1.3 sin(1/2): 1.5 times, here.
  ck_assert_double_gt(printed[0], 1.4 * printed[1]);
}
END_TEST

START_TEST(eq_40_depends_on_how_a_segment_is_stored) {
  double v[4], energy[2], printed[2];
  vb_scene *plain = bent_bar(v);
  for (int reversed = 0; reversed < 2; reversed++) {
    vb_builder *builder = new_builder();
    size_t n_nodes, n_segments;
    const vb_node *node = vb_scene_nodes(plain, &n_nodes);
    for (size_t i = 0; i < n_nodes; i++)
      add(builder, VB_SET_NODE, &node[i]);
    vb_segment segment[2];
    memcpy(segment, vb_scene_segments(plain, &n_segments), sizeof segment);
    if (reversed) {
      static const double half_turn[4] = {0, 1, 0, 0};
      segment[1].node[0] = 2;
      segment[1].node[1] = 1;
      ref_quaternion_product(segment[1].frame, half_turn, segment[1].frame);
      ref_quaternion_product(segment[1].rest_frame, half_turn, segment[1].rest_frame);
    }
    add(builder, VB_SET_SEGMENT, &segment[0]);
    add(builder, VB_SET_SEGMENT, &segment[1]);
    vb_scene *scene = finish(builder);
    double energies[N_TERMS];
    scene_energies(scene, energies);
    energy[reversed] = energies[BEND] + energies[TWIST];
    printed[reversed] = printed_bending(scene);
    free(scene);
  }
  free(plain);
  ck_assert_double_eq_tol(printed[0], energy[0], ROUNDING); // a straight rod, all one way
  ck_assert_double_eq_tol(energy[1], energy[0], ROUNDING);
  ck_assert_double_gt(fabs(printed[1] / printed[0] - 1), 0.1);
}
END_TEST

START_TEST(curved_rest_shapes_keep_second_order) {
  static const int terms[] = {BEND, TWIST, VOLUME_BEND};
  double exact[N_TERMS], energy[2][N_TERMS];
  rod_energies(ROD_ENDS_AT_REST, exact);
  for (int mesh = 0; mesh < 2; mesh++) {
    vb_scene *scene = rod_scene(ROD_ENDS_AT_REST, 64 << mesh);
    scene_energies(scene, energy[mesh]);
    free(scene);
  }
  for (int i = 0; i < 3; i++) {
    int t = terms[i];
    double order = log2((energy[0][t] - exact[t]) / (energy[1][t] - exact[t]));
    ck_assert_double_eq_tol(order, 2, 0.1); // the next order's share at 64 segments is under 0.01
  }
}
END_TEST

static TCase *errata_cases(void) {
  TCase *c = tcase_create("errata");
  tcase_add_test(c, eq_14_is_four_times_too_stiff);
  tcase_add_test(c, eqs_19_20_are_twice_too_stiff);
  tcase_add_test(c, eqs_11_18_are_the_integrals_without_shear);
  tcase_add_test(c, eqs_11_18_resist_shear_by_kz_and_kv_instead_of_kx_and_ky);
  tcase_add_test(c, eq_45_as_printed_has_no_shear);
  tcase_add_test(c, eq_83_lacks_a_length_and_has_a_wrong_sign);
  tcase_add_test(c, eq_39_does_not_converge_without_the_division);
  tcase_add_test(c, eq_40_is_flat_where_the_rest_rotation_is_a_half_turn);
  tcase_add_test(c, eq_14_jumps_at_half_a_turn);
  tcase_add_test(c, eq_40_depends_on_how_a_segment_is_stored);
  tcase_add_test(c, curved_rest_shapes_keep_second_order);
  return c;
}

VB_TEST_MAIN("errata", errata_cases())
