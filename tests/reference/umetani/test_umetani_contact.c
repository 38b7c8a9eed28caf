// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact of position-based rods: nearest places, rest and sliding on an incline, rods that lie
/// across each other, driven half-planes, what never touches, restoring.
/// Covers: reference/umetani/contact*
#include "handle.h"
#include "reference/umetani/contact.h"
#include "scenes/scenes.h"

static double distance_at(double (*x)[3], double s, double u) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double d = (1 - s) * x[0][k] + s * x[1][k] - (1 - u) * x[2][k] - u * x[3][k];
    square += d * d;
  }
  return sqrt(square);
}

/// No place of a fine grid is nearer: lines askew, parallel, crossing, of no length.
START_TEST(nearest_places_are_nearest) {
  uint64_t seed = 5;
  for (int trial = 0; trial < 300; trial++) {
    double x[4][3], at[2], least = INFINITY;
    for (int k = 0; k < 12; k++)
      x[k / 3][k % 3] = scenes_random(&seed);
    for (int k = 0; k < 3 && trial % 3 == 1; k++)
      x[3][k] = x[2][k] + (trial % 2 ? 0.7 : -0.7) * (x[1][k] - x[0][k]);
    if (trial % 30 == 2)
      memcpy(x[1], x[0], sizeof x[1]);
    if (trial % 30 == 5)
      memcpy(x[3], x[2], sizeof x[3]);
    umetani_nearest(x[0], x[1], x[2], x[3], at);
    for (int i = 0; i <= 40; i++)
      for (int j = 0; j <= 40; j++)
        least = fmin(least, distance_at(x, i / 40.0, j / 40.0));
    ck_assert_double_le(distance_at(x, at[0], at[1]), least + 1e-12);
  }
}
END_TEST

/// Reads a vector field of the first node.
static void read_first(const handle *s, const char *name, double out[3]) {
  double *all = handle_read(s, name);
  memcpy(out, all, 3 * sizeof *out);
  free(all);
}

/// A rod on an incline of 20 degrees: with a friction of 0.5 it stays, with 0.2 it slides with g
/// (sin - 0.2 cos). Ghosts carry their weight themselves in the first of 100 steps: 1 %.
START_TEST(friction_has_its_cone) {
  static const double frictions[] = {0.5, 0.2};
  const double angle = 20 * M_PI / 180, g = 9.81;
  vb_builder *b = scenes_begin(0.002, 0);
  double *gravity = vb_builder_world(b)->gravity;
  gravity[0] = g * sin(angle);
  gravity[2] = -g * cos(angle);
  scenes_bar(b, 6, 0.6, 0.05, &scenes_rubber);
  fixture_add(b, VB_SET_HALF_PLANE,
              &(vb_half_plane){{0, 0, 1}, -0.05, frictions[_i / 2], frictions[_i / 2]});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", _i % 2 ? "xpbd" : "pbd", NULL);
  handle_step(&s, 100);
  double v[3], x[3], expected = _i / 2 ? 0.2 * g * (sin(angle) - 0.2 * cos(angle)) : 0;
  read_first(&s, "velocity", v);
  read_first(&s, "position", x);
  ck_assert_double_eq_tol(v[0], expected, 0.01 * 0.2 * g * sin(angle));
  ck_assert_double_eq_tol(x[0], 0.1 * expected, 0.01 * 0.1 * 0.2 * g * sin(angle));
  ck_assert_double_eq_tol(x[2], 0, 1e-9);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A bar from (x, y, z), 0.6 m along x or y, of six segments.
static int32_t bar_at(vb_builder *b, double x, double y, double z, bool along_y) {
  int32_t first = -1;
  for (int i = 0; i <= 6; i++) {
    double along = 0.1 * i;
    int32_t node = fixture_node(b, x + (along_y ? 0 : along), y + (along_y ? along : 0), z, 0.03);
    first = i ? first : node;
    if (i)
      scenes_segment(b, node - 1, node, &scenes_rubber);
  }
  return first;
}

/// A rod falls across two that are held, and lies on them: what holds these carries all weight.
START_TEST(rods_lie_on_each_other) {
  vb_builder *b = scenes_begin(0.005, 9.81);
  vb_builder_world(b)->damping = 5;
  int32_t wall = scenes_wall(b, "wall");
  for (int k = 0; k < 2; k++) {
    int32_t first = bar_at(b, 0.12 + 0.36 * k, -0.3, 0, true);
    for (int i = 0; i <= 6; i++)
      scenes_pin_node(b, first + i, VB_PIN_CENTER, wall);
  }
  bar_at(b, 0, 0.02, 0.07, false);
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){0.01, 0.5, 0.5, 0, 0});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", NULL);
  handle_step(&s, 600);
  double *mass = handle_read(&s, "mass"), weight = 0, force[3], torque[3];
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    weight += 9.81 * mass[i];
  free(mass);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(force[2], weight, 1e-3 * weight);
  ck_assert_double_lt(fabs(force[0]) + fabs(force[1]), 1e-3 * weight);
  ck_assert_double_eq_tol(handle_value(&s, "contacts", 0), 2, 0.1);
  ck_assert_double_lt(handle_value(&s, "penetration", 0), 1e-3 * 0.03);
  void *state = handle_save(&s);
  handle other = handle_open_as("umetani", scene, "method", "xpbd", NULL);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  handle_step(&s, 2);
  handle_step(&other, 2);
  ck_assert(handle_same(&s, &other));
  free(state);
  handle_close(&other);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A driven half-plane carries a rod along and lifts it; its work is what the rod gains.
START_TEST(planes_carry_and_lift) {
  vb_builder *b = scenes_begin(0.002, 9.81);
  const double keys[2][2] = {{0, 0}, {1, 0.5}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
  fixture_add(b, VB_SET_DRIVER, &(vb_driver){"lift", {0}, {0, 0, 1}, {curve, -1, curve}, -1});
  bar_at(b, 0, 0, 0.03, false);
  fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){{0, 0, 1}, 0, 1, 1});
  fixture_add(b, VB_SET_PLANE_DRIVER, &(vb_plane_driver){0, 0});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, "method", "xpbd", NULL);
  double before = handle_energy(&s, "gravity"), x[3], work[1];
  handle_step(&s, 500);
  read_first(&s, "position", x);
  ck_assert_double_eq_tol(x[0], 0.5, 1e-3);
  ck_assert_double_eq_tol(x[2], 0.53, 1e-3);
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  double gain = handle_energy(&s, "gravity") - before;
  ck_assert_double_eq_tol(work[0], gain, 0.01 * gain);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Segments that share a node, that overlap at rest, or that are filtered out do not touch; a rod
/// that lies in itself otherwise does.
START_TEST(some_never_touch) {
  vb_builder *b = scenes_begin(0.01, 0);
  if (_i == 0) { // segments of half a diameter
    int32_t first = fixture_node(b, 0, 0, 0, 0.1);
    for (int i = 1; i <= 8; i++)
      scenes_segment(b, first + i - 1, fixture_node(b, 0.1 * i, 0, 0, 0.1), &scenes_rubber);
  } else { // two bars in each other
    bar_at(b, 0, 0, 0, false);
    bar_at(b, 0.03, 0, 0.03, false);
  }
  for (int32_t j = 0; j < 6 && _i == 1; j++)
    fixture_add(b, VB_SET_FILTER, &(vb_filter){j, 2, 2, 0});
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){0.01, 0, 0, 1, 0});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("umetani", scene, NULL);
  handle_step(&s, 1);
  if (_i < 2)
    ck_assert_double_eq(handle_value(&s, "contacts", 0), 0);
  else
    ck_assert_double_gt(handle_value(&s, "contacts", 0), 3);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A heap of rods with friction on a half-plane: the same to the last bit with any threads.
START_TEST(threads_do_not_change_contact) {
  static const char *const threads[] = {"2", "3", "5"};
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 9; k++) {
    int row = k / 3;
    bar_at(b, 0.05 * (k % 3), 0.04 * row, 0.04 + 0.065 * k, k % 2);
  }
  fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){{0, 0, 1}, 0, 0.3, 0.3});
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){0.01, 0.5, 0.4, 0, 0});
  vb_scene *scene = fixture_freeze(b);
  const char *const method = _i ? "xpbd" : "pbd";
  handle one = handle_open_as("umetani", scene, "method", method, "threads", "1", NULL);
  handle_step(&one, 60);
  ck_assert_double_gt(handle_value(&one, "contacts", 0), 5);
  for (int k = 0; k < 3; k++) {
    handle s = handle_open_as("umetani", scene, "method", method, "threads", threads[k], NULL);
    handle_step(&s, 60);
    ck_assert(handle_same(&one, &s));
    handle_close(&s);
  }
  handle_close(&one);
  free(scene);
}
END_TEST

static TCase *contact(void) {
  TCase *t = tcase_create("contact");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, nearest_places_are_nearest);
  tcase_add_loop_test(t, friction_has_its_cone, 0, 4);
  tcase_add_test(t, rods_lie_on_each_other);
  tcase_add_test(t, planes_carry_and_lift);
  tcase_add_loop_test(t, some_never_touch, 0, 3);
  tcase_add_loop_test(t, threads_do_not_change_contact, 0, 2);
  return t;
}

VB_TEST_MAIN("umetani contact", contact())
