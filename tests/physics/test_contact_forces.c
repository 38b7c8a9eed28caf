// SPDX-License-Identifier: GPL-3.0-or-later
/// The forces that contacts are said to exert on bodies and half-planes: Newton's laws.
/// Covers: src/viper/contact/forces.h
#include "handle.h"
#include "scenes/lua_scene.h"
#include "scenes/scenes.h"

#include <math.h>

/// The methods that keep momentum, or bring a body as a whole to where its prediction keeps it;
/// `jacobi-published` does not.
static const char *const methods[] = {"direct", "xpbd", "block-descent"};
enum { METHODS = 3, HELIX = 9 };

/// Rounding of displacements of 1 mm between coordinates of 1 m, relative to forces that they make.
static const double ROUNDING = 1e-10;

/// Two helices that fly into each other's way, with friction, and a wall beside them.
static vb_scene *two_helices(void) {
  vb_builder *b = scenes_begin(0.01, 0);
  vb_contact contact = {.margin = 0.01, .static_friction = 0.5, .kinetic_friction = 0.4};
  vb_half_plane wall = {.normal = {1, 0, 0}, .offset = -0.9, .static_friction = 0.3};
  for (int k = 0; k < 2; k++) {
    int32_t first = scenes_helix(b, HELIX, k ? 0.45 : 0, &scenes_rubber);
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    for (size_t i = (size_t)first; i < n; i++) {
      node[i].velocity[0] = k ? -4 : -2;
      node[i].velocity[1] = k ? -2 : 2;
    }
  }
  fixture_add(b, VB_SET_CONTACT, &contact);
  fixture_add(b, VB_SET_HALF_PLANE, &wall);
  return fixture_freeze(b);
}

/// The momentum of each body, kg m/s.
static void momenta(const handle *s, const vb_scene *scene, double out[2][3]) {
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  double *mass = handle_read(s, "mass"), *velocity = handle_read(s, "velocity");
  memset(out, 0, 2 * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      out[node[i].body][c] += mass[i] * velocity[3 * i + (size_t)c];
  free(mass);
  free(velocity);
}

/// In each step the force on a body is the change of its momentum over the step's length; all
/// forces, that on the wall among them, add up to nothing.
START_TEST(forces_change_momentum) {
  vb_scene *scene = two_helices();
  handle s = handle_open(scene, "method", methods[_i], "iterations", "8", NULL);
  double before[2][3], after[2][3], most = 0, most_on_wall = 0;
  momenta(&s, scene, before);
  for (int step = 0; step < 40; step++) {
    handle_step(&s, 1);
    momenta(&s, scene, after);
    double *force = handle_read(&s, "contact_force"), *wall = handle_read(&s, "half_plane_force");
    double size = 1;
    for (int c = 0; c < 6; c++)
      size = fmax(size, fabs(force[c]));
    for (int c = 0; c < 3; c++) {
      ck_assert_double_eq_tol(force[c] + force[3 + c] + wall[c], 0, ROUNDING * size);
      for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(force[3 * k + c], (after[k][c] - before[k][c]) / 0.01,
                                ROUNDING * size * 1e4);
      most_on_wall = fmax(most_on_wall, fabs(wall[c]));
      most = fmax(most, fabs(force[c] + wall[c]));
    }
    memcpy(before, after, sizeof before);
    free(force);
    free(wall);
  }
  ck_assert_double_gt(most, 1);         // the helices met,
  ck_assert_double_gt(most_on_wall, 1); // and the wall
  handle_close(&s);
  free(scene);
}
END_TEST

/// A bar at rest on the ground presses on it with its weight; another beside it floats.
START_TEST(a_resting_body_presses_with_its_weight) {
  vb_builder *b = scenes_begin(0.01, 0);
  vb_world *world = vb_builder_world(b);
  world->gravity[2] = -9.81;
  world->damping = 20;
  vb_half_plane plane = {.normal = {0, 0, 1}, .static_friction = 0.5, .kinetic_friction = 0.5};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 5; i++) {
      vb_node node = {.rest_position = {0.3 * i, 2 * k, k ? 100 : 0.1}, .rest_radius = 0.1};
      memcpy(node.position, node.rest_position, sizeof node.position);
      int32_t at = fixture_add(b, VB_SET_NODE, &node);
      if (i > 0)
        scenes_segment(b, at - 1, at, &scenes_rubber);
    }
  fixture_add(b, VB_SET_HALF_PLANE, &plane);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i], "iterations", "20", NULL);
  double weight = 0;
  ck_assert_double_eq(handle_value(&s, "contact_force", 2), 0); // no step yet
  handle_step(&s, 400);
  for (size_t i = 0; i < 5; i++)
    weight += 9.81 * handle_value(&s, "mass", i);
  // What is left of its motion after 4 s at a damping of 20/s, and of 20 iterations of a step.
  ck_assert_double_eq_tol(handle_value(&s, "contact_force", 2) / weight, 1, 1e-6);
  ck_assert_double_eq_tol(handle_value(&s, "half_plane_force", 2) / weight, -1, 1e-6);
  for (size_t c = 3; c < 6; c++)
    ck_assert_double_eq(handle_value(&s, "contact_force", c), 0);
  handle_close(&s);
  free(scene);
}
END_TEST

/// What is reported of contacts is part of a saved state: another instance that gets it reports the
/// same, and a step from there is the same step.
START_TEST(a_saved_state_holds_what_is_reported) {
  static const char *const fields[] = {"contacts",     "complementarity", "contact_speed",
                                       "contact_work", "contact_force",   "half_plane_force"};
  vb_scene *scene = two_helices();
  handle a = handle_open(scene, "method", methods[_i], "iterations", "4", NULL);
  handle b = handle_open(scene, "method", methods[_i], "iterations", "4", NULL);
  handle_step(&a, 17);
  handle_step(&b, 3);
  void *state = handle_save(&a);
  for (int step = 0; step < 2; step++) {
    if (step == 0)
      ck_assert_int_eq(b.solver->restore(b.self, state, NULL), VB_OK);
    for (int k = 0; k < 6; k++)
      ck_assert_msg(handle_same_field(&a, &b, fields[k]), "%s, step %d", fields[k], step);
    ck_assert_double_gt(handle_value(&b, "contacts", 0), 0);
    handle_step(&a, 1);
    handle_step(&b, 1);
  }
  free(state);
  handle_close(&a);
  handle_close(&b);
  free(scene);
}
END_TEST

/// Where a bar slides, friction takes its force times how far the bar and the ground slid against
/// each other; the push, across which nothing moves, does no work. With what the ground's driver
/// does that is the change of kinetic energy, and what implicit Euler takes: half the mass times
/// the square of each step's change of velocity.
START_TEST(works_are_of_surfaces_against_each_other) {
  const double grounds[3] = {0, 1.5, 4};
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = lua_scene("tests/physics/contact.lua", "scene=belt speed=%g", grounds[k]);
    handle s = handle_open(scene, "method", methods[_i], "iterations", "30", NULL);
    double mass = handle_value(&s, "mass", 0) + handle_value(&s, "mass", 1), speed = 2, worked = 0;
    double energy = handle_energy(&s, "kinetic");
    for (int step = 0; step < 5; step++) {
      handle_step(&s, 1);
      double now = handle_value(&s, "velocity", 0), friction = handle_value(&s, "contact_work", 1);
      double side = now < grounds[k] ? -1 : 1;
      ck_assert_double_eq_tol(friction, -0.5 * mass * 9.81 * 0.01 * side * (now - grounds[k]),
                              1e-9);
      ck_assert_double_eq_tol(handle_value(&s, "contact_work", 0), 0, 1e-9);
      double all[2];
      s.solver->work(s.self, all, NULL);
      double driven = all[1] - worked;
      double change = handle_energy(&s, "kinetic") - energy;
      double euler = 0.5 * mass * (now - speed) * (now - speed);
      ck_assert_double_eq_tol(change + euler, friction + driven, 1e-8);
      energy += change;
      worked = all[1];
      speed = now;
    }
    handle_close(&s);
    free(scene);
  }
}
END_TEST

START_TEST(without_contact_there_is_no_such_field) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_helix(b, HELIX, 0, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, NULL);
  const vb_solver_description *d = s.solver->describe(s.solver);
  size_t found = 0;
  for (size_t i = 0; i < d->n_fields; i++)
    if (d->fields[i].location == VB_AT_BODY || d->fields[i].location == VB_AT_HALF_PLANE) {
      ck_assert_uint_eq(handle_numbers(&s, i), 0);
      found++;
    }
  ck_assert_uint_eq(found, 2);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *forces(void) {
  TCase *c = tcase_create("contact forces");
  tcase_add_loop_test(c, forces_change_momentum, 0, METHODS);
  tcase_add_loop_test(c, a_resting_body_presses_with_its_weight, 0, METHODS);
  tcase_add_loop_test(c, a_saved_state_holds_what_is_reported, 0, METHODS);
  tcase_add_loop_test(c, works_are_of_surfaces_against_each_other, 0, METHODS);
  tcase_add_test(c, without_contact_there_is_no_such_field);
  return c;
}

VB_TEST_MAIN("contact forces", forces())
