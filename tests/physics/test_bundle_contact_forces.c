// SPDX-License-Identifier: GPL-3.0-or-later
/// The forces that are reported of scenes with bundles and contact: Newton's laws.
/// Covers: src/viper/bundle/*.[ch] src/viper/contact/forces.h src/viper/cpu/bundle_real.c
#include "cuda/cuda_bundle_cases.h"

static const char *const methods[] = {"direct", "xpbd", "block-descent"};
enum { METHODS = 3, RODS = 3, N = 5, NODES = RODS * (N + 1) };

/// A band along x whose ends a wall holds, and one across it that falls onto it at 1 m/s; bands
/// touch each other alone.
static vb_scene *held_and_falling(double damping, double friction) {
  vb_builder *b = scenes_begin(0.005, 9.81);
  vb_builder_world(b)->damping = damping;
  int32_t wall = scenes_wall(b, "wall");
  bundle_band(b, RODS, N, 0, &scenes_rubber);
  contact_move(b, 0, (double[]){-0.5, -0.15, 0}, (double[]){0, 0, 0});
  for (int32_t k = 0; k < 2 * RODS; k++)
    scenes_pin_node(b, k / 2 * (N + 1) + k % 2 * N, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  bundle_cross(b, RODS, N, 0.13, -1);
  contact_add(b, friction, false);
  return fixture_freeze(b);
}

/// What is known of either band.
typedef struct bands {
  /// kg, kg m/s; the sum of the forces on its bodies by contact, N
  double mass[2], momentum[2][3], contact[2][3];
  double wall[3]; ///< what the wall exerts, N
} bands;

static bands look(const handle *s) {
  bands out = {{0}, {{0}}, {{0}}, {0}};
  double torque[3], *mass = handle_read(s, "mass"), *velocity = handle_read(s, "velocity");
  double *force = handle_read(s, "contact_force");
  for (size_t i = 0; i < 2 * (size_t)NODES; i++) {
    out.mass[i / NODES] += mass[i];
    for (size_t k = 0; k < 3; k++)
      out.momentum[i / NODES][k] += mass[i] * velocity[3 * i + k];
  }
  for (size_t body = 0; body < 2 * (size_t)RODS; body++)
    for (size_t k = 0; k < 3; k++)
      out.contact[body / RODS][k] += force[3 * body + k];
  ck_assert_int_eq(s->solver->reactions(s->self, out.wall, torque, NULL), VB_OK);
  free(mass);
  free(velocity);
  free(force);
  return out;
}

/// In each step the contact force and the weight of the falling band change its momentum: bundles
/// exert nothing on it as a whole. Besides, what would take back penetrations is taken from
/// velocities: of what 40 iterations leave, 0.3 % of the greatest force. Between the bands forces
/// are balanced, but for the rounding of displacements of 1e-3 m between coordinates of 1 m.
START_TEST(forces_change_momentum) {
  const double h = 0.005;
  vb_scene *scene = held_and_falling(0, 0.4);
  handle s = handle_open(scene, "method", methods[_i], "iterations", "40", NULL);
  double most = 0, error = 0;
  bands before = look(&s);
  for (int step = 0; step < 40; step++) {
    handle_step(&s, 1);
    bands after = look(&s);
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(after.contact[1][k]));
    for (int k = 0; k < 3; k++) {
      double weight = k == 2 ? -9.81 * after.mass[1] : 0;
      double rate = (after.momentum[1][k] - before.momentum[1][k]) / h;
      ck_assert_double_eq_tol(after.contact[0][k], -after.contact[1][k], 1e-10 * (1 + most));
      error = fmax(error, fabs(after.contact[1][k] + weight - rate));
    }
    before = after;
  }
  ck_assert_double_gt(most, 100); // they met
  ck_assert_double_lt(error, 5e-3 * most);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(a_held_bundle_carries_another) {
  static const char *const iterations[] = {"20", "80"};
  double error[2];
  vb_scene *scene = held_and_falling(5, 0.5);
  for (int n = 0; n < 2; n++) {
    handle s = handle_open(scene, "method", methods[_i], "iterations", iterations[n], "tolerance",
                           "0", NULL);
    handle_step(&s, 800); // at 5/s the band's swinging falls to a tenth in 100 steps
    bands end = look(&s);
    double upper = 9.81 * end.mass[1], all = upper + 9.81 * end.mass[0];
    ck_assert_double_eq_tol(end.contact[1][2], upper, 5e-4 * upper);
    error[n] = fabs(end.wall[2] / all - 1);
    handle_close(&s);
  }
  printf("%s: errors of the wall's force %.2g %.2g\n", methods[_i], error[0], error[1]);
  ck_assert_double_lt(error[1], 0.1 * error[0]);
  ck_assert_double_lt(error[1], 5e-3);
  free(scene);
}
END_TEST

/// Bundles that touch nothing change no bit where others touch.
START_TEST(bundles_far_away_change_nothing) {
  static const char *const all[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
  double *end[2];
  enum { HEAP = 4 * 12 };
  for (int bundled = 0; bundled < 2; bundled++) {
    vb_builder *b = scenes_begin(0.005, 9.81);
    for (int k = 0; k < 4; k++) {
      int32_t first = scenes_octopus(b, 6, 2, 0, &scenes_rubber);
      contact_move(b, first, (double[]){0.1 * k, 0.1 * k, 0.3 + 0.13 * k},
                   (double[]){0, 0.1, -1.5});
    }
    int32_t first = bundled ? bundle_band(b, 3, 4, 0, &scenes_rubber) : 0;
    if (bundled)
      contact_move(b, first, (double[]){30, 0, 40}, (double[]){0, 0, 0});
    contact_add(b, 0.4, false);
    contact_ground(b, 0.1, 0, 0.5);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "method", all[_i], "iterations", "5", NULL);
    handle_step(&s, 30);
    ck_assert_double_gt(handle_value(&s, "contacts", 0), 5);
    end[bundled] = handle_read(&s, "position");
    handle_close(&s);
    free(scene);
  }
  ck_assert_mem_eq(end[0], end[1], 3 * HEAP * sizeof *end[0]);
  free(end[0]);
  free(end[1]);
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("forces of bundles in contact");
  tcase_set_timeout(all, 120);
  tcase_add_loop_test(all, forces_change_momentum, 0, METHODS);
  tcase_add_loop_test(all, a_held_bundle_carries_another, 0, METHODS);
  tcase_add_loop_test(all, bundles_far_away_change_nothing, 0, 4);
  return all;
}

VB_TEST_MAIN("forces of bundles in contact", make_case())
