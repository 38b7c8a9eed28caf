// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact of the reference umetani with colliders: spheres, capsules and cylinders, at rest and
/// driven.
/// Covers: reference/umetani/contact_collider.* reference/umetani/contact.*
#include "handle.h"
#include "scenes/scenes.h"

static const double thick = 0.01; // of rods, m

/// A straight rod of `n` segments from (x, y, z) over `length` along y.
static void rod_at(vb_builder *b, int n, double x, double y, double z, double length) {
  for (int i = 0; i <= n; i++) {
    int32_t node = fixture_node(b, x, y + length * i / n, z, thick);
    if (i)
      scenes_segment(b, node - 1, node, &scenes_rubber);
  }
}

static void add_collider(vb_builder *b, vb_collider_shape shape, bool inside, int32_t driver,
                         const double p[3], const double q[3], double radius, double friction) {
  vb_collider c = {.shape = (int32_t)shape,
                   .inside = inside,
                   .driver = driver,
                   .radius = radius,
                   .static_friction = friction,
                   .kinetic_friction = friction};
  strcpy(c.name, "collider");
  memcpy(c.point[0], p, sizeof c.point[0]);
  if (shape != VB_COLLIDER_SPHERE)
    memcpy(c.point[1], q, sizeof c.point[1]);
  fixture_add(b, VB_SET_COLLIDER, &c);
}

/// A single segment, 1 m long, falls across a thin collider between its nodes, with which no node
/// ever meets: it lies on it, in balance, and its weight is carried.
START_TEST(segments_lie_on_them) {
  static const vb_collider_shape shapes[] = {VB_COLLIDER_SPHERE, VB_COLLIDER_CAPSULE};
  vb_builder *b = scenes_begin(0.005, 9.81);
  vb_builder_world(b)->damping = 5;
  rod_at(b, 1, 0, -0.5, 0.2, 1);
  add_collider(b, shapes[_i], false, -1, (double[]){0, 0, 0}, (double[]){0.3, 0, 0}, 0.1, 0.5);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", NULL);
  handle_step(&s, 400);
  for (int node = 0; node < 2; node++)
    ck_assert_double_eq_tol(handle_value(&s, "position", 3 * (size_t)node + 2), 0.1 + thick, 1e-4);
  ck_assert_double_eq(handle_value(&s, "contacts", 0), 1);
  ck_assert_double_lt(handle_value(&s, "penetration", 0), 1e-4);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A rod along the axis of a pipe falls to its bottom, with nodes alone; one that is thrown at a
/// cylinder stays outside.
START_TEST(cylinders_from_both_sides) {
  bool inside = _i == 0;
  vb_builder *b = scenes_begin(0.005, inside ? 9.81 : 0);
  vb_builder_world(b)->damping = inside ? 5 : 0;
  rod_at(b, 4, inside ? 0.05 : -0.3, -0.2, inside ? 0 : 0.01, 0.4);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n && !inside; i++)
    node[i].velocity[0] = 2;
  add_collider(b, VB_COLLIDER_CYLINDER, inside, -1, (double[]){0, 0, 0}, (double[]){0, 1, 0}, 0.1,
               0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", NULL);
  double least = INFINITY, most = 0;
  for (int k = 0; k < (inside ? 600 : 60); k++) {
    handle_step(&s, 1);
    double x = handle_value(&s, "position", 6), z = handle_value(&s, "position", 8);
    least = fmin(least, hypot(x, z));
    most = fmax(most, hypot(x, z));
  }
  if (inside) { // to where it hangs lowest
    ck_assert_double_lt(most, 0.1 - thick + 1e-4);
    ck_assert_double_eq_tol(handle_value(&s, "position", 8), thick - 0.1, 1e-3);
  } else { // past the top: it was aimed a little above the axis
    ck_assert_double_gt(least, 0.1 + thick - 1e-4);
    ck_assert_double_lt(least, 0.1 + thick + 1e-2);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// A driven capsule lifts a rod that lies across it, and its driver's work is what the rod gains; a
/// capsule that turns about its axis drags the rod along by friction, and without friction does
/// not.
START_TEST(drivers_lift_and_drag) {
  bool lifts = _i == 0;
  vb_builder *b = scenes_begin(0.002, 9.81);
  vb_builder_world(b)->damping = lifts ? 0 : 2;
  const double keys[2][2] = {{0, 0}, {1, lifts ? 0.5 : 1}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
  fixture_add(
      b, VB_SET_DRIVER,
      &(vb_driver){"hand", {0}, {1, 0, 0}, {-1, -1, lifts ? curve : -1}, lifts ? -1 : curve});
  rod_at(b, 4, 0.2, -0.05, 0.1 + thick, 0.1);
  rod_at(b, 4, 0.4, -0.05, 0.1 + thick, 0.1);
  add_collider(b, VB_COLLIDER_CAPSULE, false, 0, (double[]){0, 0, 0}, (double[]){0.6, 0, 0}, 0.1,
               _i == 2 ? 0 : 0.8);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", NULL);
  double before = handle_energy(&s, "gravity"), work[1];
  handle_step(&s, lifts ? 500 : 100);
  double y = handle_value(&s, "position", 7), z = handle_value(&s, "position", 8);
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  double gain = handle_energy(&s, "gravity") - before;
  if (lifts) {
    ck_assert_double_eq_tol(z, 0.6 + thick, 2e-3);
    ck_assert_double_eq_tol(work[0], gain, 0.02 * gain);
  } else { // by the turn of 0.104 rad after 0.2 s of a cubic start, times the radius
    double turn = 0.2 * 0.2 * (3 - 0.4);
    ck_assert_double_eq_tol(y, _i == 1 ? -0.1 * turn : 0, 0.2 * 0.1 * turn);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("collider");
  tcase_add_loop_test(test, segments_lie_on_them, 0, 2);
  tcase_add_loop_test(test, cylinders_from_both_sides, 0, 2);
  tcase_add_loop_test(test, drivers_lift_and_drag, 0, 3);
  return test;
}

VB_TEST_MAIN("umetani_collider", make_tests())
