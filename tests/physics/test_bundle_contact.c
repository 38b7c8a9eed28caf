// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles and contact in one scene: momentum, forces, penetration; what does not touch changes no
/// bit; threads and saved states.
/// Covers: src/viper/bundle/*.[ch] src/viper/contact/*.h src/viper/cpu/bundle_real.c
#include "cuda/cuda_bundle_cases.h"

static const char *const methods[] = {"direct", "block-descent", "xpbd", "jacobi-published"};
enum { METHODS = 4 };

/// Two free bands across each other, 0.01 m apart, that move towards each other at 2 m/s; bands
/// touch each other alone.
static vb_scene *bands_that_meet(double friction) {
  enum { RODS = 3, N = 6 };
  vb_builder *b = scenes_begin(0.005, 0);
  bundle_band(b, RODS, N, 0, &scenes_rubber);
  contact_move(b, 0, (double[]){-0.5, -0.15, 0.06}, (double[]){0, 0, -1});
  bundle_cross(b, RODS, N, -0.07, 1);
  contact_add(b, friction, false);
  return fixture_freeze(b);
}

/// What all bodies feel by contact, N, on the first `bodies` of them and on the others.
static void add_forces(const handle *s, int bodies, double first[3], double others[3]) {
  double *force = handle_read(s, "contact_force");
  for (int k = 0; k < 3; k++)
    first[k] = others[k] = 0;
  for (int i = 0; i < 2 * bodies; i++)
    for (int k = 0; k < 3; k++)
      (i < bodies ? first : others)[k] += force[3 * i + k];
  free(force);
}

START_TEST(bundles_that_meet_keep_momentum_and_do_not_overlap) {
  vb_scene *scene = bands_that_meet(0.3);
  handle s = handle_open(scene, "method", methods[_i], "iterations", "20", "substeps", "4", NULL);
  double most = 0, pushed = 0, before = handle_energy(&s, "kinetic");
  for (int k = 0; k < 24; k++) {
    double first[3], others[3];
    handle_step(&s, 1);
    most = fmax(most, handle_value(&s, "penetration", 0));
    add_forces(&s, 3, first, others);
    pushed = fmax(pushed, first[2]);
    // Each push acts on both sides alike; sums of some tens of forces.
    for (int c = 0; c < 3; c++)
      ck_assert_double_eq_tol(first[c], -others[c], 1e-10 * (1 + pushed));
  }
  ck_assert_double_gt(pushed, 10); // they have met
  ck_assert_double_le(most, 0.05 * 0.05);
  // Displacements of bundles and contacts are balanced to rounding; there are some 1e5 of them. As
  // published, contacts are averaged node by node, which keeps neither momentum nor energy.
  for (size_t k = 0; k < 3 && _i < 3; k++)
    ck_assert_double_eq_tol(handle_value(&s, "momentum", k), 0, 1e-9);
  if (_i < 3)
    ck_assert_double_lt(handle_energy(&s, "kinetic") + handle_elastic(&s), before);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A half-plane and contact candidates that nothing comes near change no bit of a scene with
/// bundles, nor its residual; but by block-descent, which moves bodies as a whole where there is
/// contact.
START_TEST(what_is_far_away_changes_nothing) {
  int v = _i;
  if (!strcmp(case_methods[v % CASE_METHODS], "block-descent"))
    return;
  handle s[2];
  vb_scene *scene[2];
  for (int contact = 0; contact < 2; contact++) {
    vb_builder *b = scenes_begin(0.005, 9.81);
    for (int k = 0; k < 2; k++)
      bundle_band(b, 2 + k, 5, 3.0 * k, &scenes_rubber);
    scenes_disturb(b, 0.01, 0.2, 5);
    if (contact) {
      contact_add(b, 0.4, false);
      contact_ground(b, 0, -10, 0.5);
    }
    scene[contact] = fixture_freeze(b);
    s[contact] = case_open(scene[contact], v, "cpu");
    handle_step(&s[contact], 10);
  }
  static const char *const fields[] = {"position", "scale", "frame", "velocity"};
  for (int f = 0; f < 4; f++)
    ck_assert_msg(handle_same_field(&s[0], &s[1], fields[f]), "%s", fields[f]);
  // Rounding of one sum: the frames' inertia is kept as a double in one of them.
  double residual = handle_residual(&s[0]);
  ck_assert_double_eq_tol(handle_residual(&s[1]), residual, 1e-14 * (1 + residual));
  for (int k = 0; k < 2; k++) {
    handle_close(&s[k]);
    free(scene[k]);
  }
}
END_TEST

/// Twelve heaps of bands: enough for threads to share.
static vb_scene *many_heaps(void) {
  vb_builder *b = scenes_begin(0.005, 9.81);
  for (int k = 0; k < 24; k++) {
    int32_t first = bundle_band(b, 3, 8, 0, &scenes_rubber);
    contact_move(b, first, (double[]){0.1 * (k % 2), 0.3 * (k - k % 2), 0.06 + 0.11 * (k % 2)},
                 (double[]){0, 0.2, -1});
  }
  contact_add(b, 0.4, false);
  contact_ground(b, 0.1, 0, 0.5);
  return fixture_freeze(b);
}

START_TEST(threads_and_saved_states) {
  vb_scene *scene = many_heaps();
  static const char *const threads[] = {"1", "2", "3", "5"};
  handle s[4];
  for (int k = 0; k < 4; k++) {
    s[k] = handle_open(scene, "method", methods[_i % METHODS], "threads", threads[k], "iterations",
                       "4", "precision", _i < METHODS ? "double" : "float", NULL);
    handle_step(&s[k], 12);
    ck_assert(handle_same(&s[0], &s[k]));
  }
  ck_assert_double_gt(handle_value(&s[0], "contacts", 0), 10);
  void *state = handle_save(&s[1]);
  ck_assert_int_eq(s[2].solver->restore(s[2].self, state, NULL), VB_OK);
  handle_step(&s[1], 3);
  handle_step(&s[2], 3);
  ck_assert(handle_same(&s[1], &s[2]));
  free(state);
  for (int k = 0; k < 4; k++)
    handle_close(&s[k]);
  free(scene);
}
END_TEST

/// A band at rest on a half-plane presses with its weight; what is left of a step falls with
/// iterations.
START_TEST(a_bundle_rests_with_its_weight) {
  static const char *const iterations[] = {"2", "8", "32"};
  double residual[3];
  for (int k = 0; k < 3; k++) {
    vb_builder *b = scenes_begin(0.01, 9.81);
    bundle_band(b, 3, 4, 0.061, &scenes_rubber);
    contact_ground(b, 0, 0, 0);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "method", methods[_i], "iterations", iterations[k], "tolerance",
                           "0", "substeps", "4", NULL);
    handle_step(&s, 200);
    double *mass = handle_read(&s, "mass"), *force = handle_read(&s, "half_plane_force");
    double weight = 0;
    for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
      weight += 9.81 * mass[i];
    residual[k] = handle_residual(&s);
    ck_assert_double_eq_tol(-force[2], weight, 2e-3 * weight); // it still swings
    free(mass);
    free(force);
    handle_close(&s);
    free(scene);
  }
  printf("%s: residuals %.2g %.2g %.2g\n", methods[_i], residual[0], residual[1], residual[2]);
  ck_assert_double_lt(residual[1], 0.1 * residual[0]);
  ck_assert_double_lt(residual[2], 0.1 * residual[1]);
}
END_TEST

/// Two bundles of two parallel rods of one segment each, which cross: one along x, above, and one
/// along y. By symmetry nothing turns, and what is unknown of a bundle is its height, the scale of
/// its section, and the stretch of its rods.
typedef struct crossing {
  double radius, length, off; ///< of a rod at rest; half the distance of the rods, m
  double height, speed;       ///< at the beginning, m, m/s
} crossing;

static const crossing crossings[2] = {{0.05, 0.5, 0.08, 0.0551, -2}, {0.04, 0.6, 0.07, -0.04, 1}};
enum { STEP_PARTS = 200 }; // a step is one over this, s

static vb_scene *bundles_that_cross(void) {
  vb_builder *b = scenes_begin(1.0 / STEP_PARTS, 0);
  for (int k = 0; k < 2; k++) {
    const crossing *c = &crossings[k];
    for (int side = -1; side <= 1; side += 2) {
      double from[2] = {-c->length / 2, side * c->off}, to[2] = {c->length / 2, side * c->off};
      int32_t at = fixture_node(b, from[k], from[1 - k], c->height, c->radius);
      fixture_node(b, to[k], to[1 - k], c->height, c->radius);
      scenes_segment(b, at, at + 1, &scenes_rubber);
    }
  }
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].velocity[2] = crossings[i / 4].speed;
  for (int32_t j = 0; j < 4; j++)
    fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){j / 2, j});
  for (int32_t j = 0; j < 4; j++)
    fixture_add(b, VB_SET_FILTER,
                &(vb_filter){.segment = j, .groups = j < 2 ? 1 : 2, .meets = j < 2 ? 2 : 1});
  contact_add(b, 0, false);
  return fixture_freeze(b);
}

/// A bundle at the minimum of its inertia and elastic energy under the push `force` [N] of the
/// other: its height, scale and stretch. Newton's method on the last two, with formulas of the
/// model for straight rods.
static void settle(int k, double force, double out[3]) {
  const crossing *c = &crossings[k];
  const double *stiffness = scenes_rubber.stiffness, h2 = 1.0 / STEP_PARTS / STEP_PARTS;
  double area = M_PI * c->radius * c->radius, mass = scenes_rubber.density * area * c->length;
  double kxy = stiffness[0] + stiffness[1], kz = stiffness[2], kv = stiffness[5];
  double spread = mass * (c->radius * c->radius / 2 + c->off * c->off) / h2;
  double along = mass * c->length * c->length / 4 / h2, bulk = area * c->length;
  double s = 1, d = 1;
  for (int i = 0; i < 50; i++) {
    double v = s * s * d - 1;
    double gs =
        2 * (spread * (s - 1) + bulk * (kxy * (s - 1) + kv * v * 2 * s * d)) + force * c->radius;
    double gd = 2 * (along * (d - 1) + bulk * (kz * (d - 1) + kv * v * s * s));
    double ss = 2 * (spread + bulk * (kxy + kv * (4 * s * s * d * d + 2 * v * d)));
    double dd = 2 * (along + bulk * (kz + kv * s * s * s * s));
    double sd = 2 * bulk * kv * (2 * s * s * s * d + 2 * s * v), det = ss * dd - sd * sd;
    s -= (dd * gs - sd * gd) / det;
    d -= (ss * gd - sd * gs) / det;
  }
  out[0] = c->height + c->speed / STEP_PARTS + (k ? -1 : 1) * force * h2 / (2 * mass);
  out[1] = s;
  out[2] = d;
}

/// The constrained minimum: the force at which the surfaces touch, by bisection.
static double touch(double out[2][3]) {
  double low = 0, high = 1e5;
  for (int i = 0; i < 200; i++) {
    double force = 0.5 * (low + high);
    for (int k = 0; k < 2; k++)
      settle(k, force, out[k]);
    double gap =
        out[0][0] - out[1][0] - crossings[0].radius * out[0][1] - crossings[1].radius * out[1][1];
    *(gap < 0 ? &low : &high) = force;
  }
  return low;
}

/// Iterations converge to the constrained minimum of the step, by the methods that seek it. What is
/// left in the end: impulses keep the directions that they had, while contacts that are processed
/// one after the other tilt bundles and let them back. A search of `direct` that compares sums of
/// Phi ends at the root of their rounding.
START_TEST(a_step_is_the_constrained_minimum) {
  static const char *const iterations[] = {"10", "100", "1000"};
  double exact[2][3], error[3], force = touch(exact);
  vb_scene *scene = bundles_that_cross();
  for (int n = 0; n < 3; n++) {
    handle s = handle_open(scene, "method", methods[_i], "iterations", iterations[n], "tolerance",
                           "0", NULL);
    handle_step(&s, 1);
    double *x = handle_read(&s, "position"), *scale = handle_read(&s, "scale"), first[3], others[3];
    error[n] = 0;
    for (int i = 0; i < 8; i++) {
      const double *at = exact[i / 4], end = (i % 2 ? 0.5 : -0.5) * crossings[i / 4].length;
      error[n] = fmax(error[n], fabs(x[3 * i + 2] - at[0]));
      error[n] = fmax(error[n], fabs(x[3 * i + i / 4] - at[2] * end));
      error[n] = fmax(error[n], fabs(scale[i] - at[1]));
    }
    add_forces(&s, 2, first, others);
    printf("%s, %s iterations: error %.2g, force %.6g of %.6g N\n", methods[_i], iterations[n],
           error[n], first[2], force);
    free(x);
    free(scale);
    handle_close(&s);
  }
  ck_assert_double_lt(error[1], 0.01 * error[0]);
  ck_assert_double_lt(error[2], _i == 0 ? 1e-6 : 1e-4);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("bundle contact");
  tcase_set_timeout(all, 120);
  tcase_add_loop_test(all, bundles_that_meet_keep_momentum_and_do_not_overlap, 0, METHODS);
  tcase_add_loop_test(all, what_is_far_away_changes_nothing, 0, CASE_VARIANTS);
  tcase_add_loop_test(all, threads_and_saved_states, 0, 2 * METHODS);
  tcase_add_loop_test(all, a_bundle_rests_with_its_weight, 0, 3);
  tcase_add_loop_test(all, a_step_is_the_constrained_minimum, 0, 2);
  return all;
}

VB_TEST_MAIN("bundle contact", make_case())
