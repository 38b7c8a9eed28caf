// SPDX-License-Identifier: GPL-3.0-or-later
/// Rest curvatures of joints that differ from the drawn shape, in viper and bergou: energies and
/// shapes known in closed form.
/// Covers: src/viper/model/bending.* src/viper/model/rest*.h reference/bergou/element.*
#include "handle.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

enum { N = 12 };
static const double radius = 0.05;

/// A ring of N straight segments that were bent to it: no joint has a rest curvature. Bit j of
/// `against`: segment j is stored against the ring. All scales are `scale`.
static vb_scene *ring(double scale, unsigned against) {
  vb_builder *b = scenes_begin(0.01, 0);
  for (int i = 0; i < N; i++) {
    double angle = 2 * M_PI * i / N;
    fixture_node(b, 0.4 * cos(angle), 0.4 * sin(angle), 0, radius);
  }
  for (int j = 0; j < N; j++) {
    int32_t ends[2] = {j, (j + 1) % N};
    bool turned = against >> j & 1;
    scenes_segment(b, ends[turned], ends[!turned], &scenes_rubber);
    scenes_curve_joint(b, j, 0, 0, 0);
  }
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].scale = scale;
  return fixture_freeze(b);
}

/// Each joint is turned by 2 pi/N: W = (2 p/lm) sin(pi/N) with p = s, and s^3 for volume_bend.
START_TEST(a_ring_of_a_straight_rod_stores_its_bending) {
  const double scale = _i % 2 ? 1.2 : 1, lm = 2 * 0.4 * sin(M_PI / N);
  const double *k = scenes_rubber.stiffness;
  vb_scene *scene = ring(scale, _i < 2 ? 0 : 0x5b3);
  handle s = handle_open(scene, NULL);
  double w = 2 / lm * sin(M_PI / N), moment = M_PI * pow(radius, 4) / 4 * lm;
  double bend = N * moment * k[VB_KZ] * pow(scale * w, 2) / 2;
  double volume = N * moment * k[VB_KV] * pow(pow(scale, 3) * w, 2) / 2;
  // A few roundings for each joint.
  ck_assert_double_eq_tol(handle_energy(&s, "bend"), bend, 1e-13 * bend);
  ck_assert_double_eq_tol(handle_energy(&s, "volume_bend"), volume, 1e-13 * volume);
  ck_assert_double_eq_tol(handle_energy(&s, "twist"), 0, 1e-13 * bend);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A rod drawn straight, clamped at its first segment, whose joints have the rest curvature
/// `darboux`; segments of `against` are stored against it.
static vb_scene *drawn_straight(const double darboux[3], unsigned against) {
  const double l = 0.05;
  vb_builder *b = scenes_begin(1e3, 0);
  for (int i = 0; i <= N; i++)
    fixture_node(b, l * i, 0, 0, radius);
  for (int j = 0; j < N; j++) {
    bool turned = against >> j & 1;
    scenes_segment(b, j + turned, j + !turned, &scenes_rubber);
  }
  for (int t = 0; t < N - 1; t++)
    scenes_curve_joint(b, t, darboux[0], darboux[1], darboux[2]);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  return fixture_freeze(b);
}

/// It relaxes to the helix of frames Q_(k+1) = Q_k P with Im P = lm/2 darboux, without any energy.
START_TEST(a_rod_drawn_straight_takes_its_rest_curvature) {
  static const double darboux[3][3] = {{2, 0, 0}, {0, -3, 0}, {1.5, 2, 2.5}};
  static const char *const solvers[] = {"viper", "bergou"};
  const double *own = darboux[_i % 3], l = 0.05;
  vb_scene *scene = drawn_straight(own, _i < 6 ? 0 : 0xa6c);
  handle s = handle_open_as(solvers[_i / 3 % 2], scene, "iterations", "100", NULL);
  handle_step(&s, 3);
  size_t n;
  double q[4], p[4] = {0}, x[3] = {0}, *position = handle_read(&s, "position");
  memcpy(q, vb_scene_segments(scene, &n)[0].rest_frame, sizeof q);
  for (int k = 0; k < 3; k++)
    p[1 + k] = l / 2 * own[k];
  p[0] = sqrt(1 - p[1] * p[1] - p[2] * p[2] - p[3] * p[3]);
  for (size_t i = 1; i <= N; i++) {
    double w[3];
    vb_frame_axis(q, 2, w);
    for (size_t k = 0; k < 3; k++) {
      x[k] += l * w[k];
      // The state is the minimizer to 1e-8 of the forces, and the rod 100 times softer in bending
      // than in stretch.
      ck_assert_double_eq_tol(position[3 * i + k], x[k], 1e-7);
    }
    vb_quaternion_multiply(q, p, q);
  }
  ck_assert_double_gt(fabs(x[1]) + fabs(x[2]), 0.1);
  ck_assert_double_lt(handle_elastic(&s), 1e-12);
  free(position);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *shapes(void) {
  TCase *t = tcase_create("shapes");
  tcase_add_loop_test(t, a_ring_of_a_straight_rod_stores_its_bending, 0, 4);
  tcase_add_loop_test(t, a_rod_drawn_straight_takes_its_rest_curvature, 0, 12);
  return t;
}

VB_TEST_MAIN("rest curvature", shapes())
