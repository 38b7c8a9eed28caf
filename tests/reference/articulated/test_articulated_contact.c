// SPDX-License-Identifier: GPL-3.0-or-later
/// Explicit contact of the solver articulated with half-planes and colliders: each node's force
/// against the distance to the shape, momentum, reactions and work of driven shapes, rest,
/// restoring. Covers: reference/articulated/contact.* reference/articulated/surface.* Covers:
/// reference/articulated/boundary.*
#include "mesh/capsule.h"
#include "scenes/arm.h"

#include "scene/rotation.h"

#define SOLVER "articulated"

enum { OBSTACLES = 6, STEPS = 4 };
static const double step = 0.01, stiffness = 300;
/// What the driver does in the time of the run: along x [m], and about the axis x [rad].
static const double moved = 0.02, turned = 0.3;

static const vb_half_plane planes[] = {{.normal = {0, 0, 1}, .offset = 0.01},
                                       {.normal = {-0.6, 0, 0.8}, .offset = -0.23}};
static const vb_collider colliders[] = {
    {.name = "ball", .driver = -1, .point = {{0.4, 0.1, 0.25}}, .radius = 0.1},
    {"rail", VB_COLLIDER_CYLINDER, 0, -1, 0, {{0, -0.02, 0.22}, {1, -0.02, 0.22}}, 0.05, 0, 0},
    {"pipe", VB_COLLIDER_CYLINDER, 1, -1, 0, {{0.3, 0.1, 0.1}, {0.4, 0.1, 0.1}}, 0.13, 0, 0},
    {"bolt", VB_COLLIDER_CAPSULE, 0, -1, 0, {{0.4, 0.05, 0}, {0.4, 0.1, 0}}, 0.06, 0, 0}};

/// A box of 0.4 x 0.2 x 0.2 m whose half of lower x is a bone, with obstacle `which` or, beyond
/// them, none; moved by a driver where `driven`.
static vb_scene *box_scene(int which, bool driven, double gravity) {
  vb_builder *b = scenes_begin(step, gravity);
  vb_builder_world(b)->damping = gravity > 0 ? 10 : 0; // to come to rest
  solid_box s = solids_box(b, (const int32_t[]){4, 2, 2}, (const double[]){0.4, 0.2, 0.2}, 0.3, 0);
  vb_bone bone = {.name = "bone"};
  fixture_add(b, VB_SET_BONE, &bone);
  for (size_t i = 0; i < s.n_nodes; i++)
    if (solids_nodes(&s)[i].rest_position[0] < 0.21)
      fixture_add(b, VB_SET_TIE, &(vb_tie){.location = VB_AT_NODE, .index = (int32_t)i});
  if (driven)
    solids_driver(b, "hand", solids_ramp(b, STEPS * step, moved),
                  solids_ramp(b, STEPS * step, turned));
  if (which < 2) {
    fixture_add(b, VB_SET_HALF_PLANE, &planes[which]);
    if (driven)
      fixture_add(b, VB_SET_PLANE_DRIVER, &(vb_plane_driver){0, 0});
  } else if (which < OBSTACLES) {
    vb_collider c = colliders[which - 2];
    c.driver = driven ? 0 : -1;
    fixture_add(b, VB_SET_COLLIDER, &c);
  }
  return fixture_freeze(b);
}

/// Where the driver carries `x` back from `time` to time 0, or forth; a direction without shift.
static void carry(double time, bool back, bool direction, const double x[3], double out[3]) {
  double part = time / (STEPS * step), c = cos(part * turned), s = sin(part * turned);
  double shift = direction ? 0 : part * moved, own[3] = {x[0], x[1], x[2]};
  if (back) {
    own[0] -= shift;
    s = -s;
  }
  out[0] = own[0] + (back ? 0 : shift);
  out[1] = c * own[1] - s * own[2];
  out[2] = s * own[1] + c * own[2];
}

/// Depth in an obstacle at time 0, and the direction out of it, by the distance to capsules.
static double depth_at(int which, const double x[3], double normal[3]) {
  if (which < 2) {
    memcpy(normal, planes[which].normal, sizeof planes->normal);
    return planes[which].offset - vb_dot(normal, x);
  }
  const vb_collider *c = &colliders[which - 2];
  double a[3], b[3], along[3], place;
  vb_direction(c->point[0], c->point[1], along);
  bool endless = c->shape == VB_COLLIDER_CYLINDER, ball = c->shape == VB_COLLIDER_SPHERE;
  vb_add_scaled(c->point[0], endless ? -9 : 0, along, a);
  vb_add_scaled(c->point[ball ? 0 : 1], endless ? 9 : 0, along, b);
  vb_capsule capsule = vb_capsule_make(a, c->radius, b, c->radius);
  double distance = vb_capsule_distance(&capsule, x, normal, &place);
  for (int k = 0; k < 3 && c->inside; k++)
    normal[k] = -normal[k];
  return c->inside ? distance : -distance;
}

/// The force on a node at `time`.
static void force_at(int which, bool driven, double time, const double x[3], double out[3]) {
  double own[3] = {x[0], x[1], x[2]}, normal[3];
  if (driven)
    carry(time, true, false, x, own);
  double depth = depth_at(which, own, normal);
  if (driven)
    carry(time, false, true, normal, normal);
  for (int c = 0; c < 3; c++)
    out[c] = depth > 0 ? stiffness * depth * normal[c] : 0;
}

/// The lightest node of the flesh's surface, kg; a node of the bone has more.
static double lightest(const handle *s) {
  double *mass = handle_read(s, "mass"), *x = handle_read(s, "position"), least = INFINITY;
  for (size_t i = 0; i < handle_numbers(s, 0) / 3; i++) {
    bool inner = fabs(x[3 * i + 1] - 0.1) < 0.01 && fabs(x[3 * i + 2] - 0.1) < 0.01;
    if (x[3 * i] > 0.39 || (x[3 * i] > 0.29 && !inner))
      least = fmin(least, mass[i]);
  }
  free(mass);
  free(x);
  ck_assert_double_lt(least, 8.0 / 25); // the bone's mass over its nodes on the surface
  return least;
}

/// Forces of each step, the change of momentum, reactions and work.
START_TEST(forces_are_those_of_the_depth) {
  int which = _i / 2, touched = 0;
  bool driven = _i % 2;
  vb_scene *scene = box_scene(which, driven, 0);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", "contact_stiffness", "300",
                            "iterations", "400", "tolerance", "1e-13", NULL);
  double work = 0, momentum[3] = {0};
  size_t n = handle_numbers(&s, 0) / 3;
  for (int k = 0; k < STEPS; k++) {
    double *x = handle_read(&s, "position"), sum[3] = {0}, turn[3] = {0}, reaction[2][3], wrought;
    handle_step(&s, 1);
    double *push = handle_read(&s, "node_push"), *now = handle_read(&s, "momentum");
    for (size_t i = 0; i < n; i++) {
      double f[3], way[3], arm[3], moment[3], center[3] = {moved * k / STEPS, 0, 0};
      bool inner = x[3 * i + 1] > 0.09 && x[3 * i + 1] < 0.11 && x[3 * i + 2] > 0.09 &&
                   x[3 * i + 2] < 0.11 && x[3 * i] > 0.05 && x[3 * i] < 0.35;
      force_at(which, driven, k * step, x + 3 * i, f);
      for (size_t c = 0; c < 3; c++)
        ck_assert_double_eq_tol(push[3 * i + c], inner ? 0 : f[c], 1e-11);
      touched += vb_dot(push + 3 * i, push + 3 * i) > 0;
      vb_add_scaled(sum, 1, push + 3 * i, sum);
      vb_subtract(x + 3 * i, center, arm);
      vb_cross(arm, push + 3 * i, moment);
      vb_add_scaled(turn, 1, moment, turn);
      carry(k * step, true, false, x + 3 * i, way);
      carry((k + 1) * step, false, false, way, way);
      vb_subtract(way, x + 3 * i, way);
      work += vb_dot(push + 3 * i, way);
    }
    for (int c = 0; c < 3; c++) { // 2e-13 of some 10 N, summed over a hundred elements
      momentum[c] += step * sum[c];
      ck_assert_double_eq_tol(now[c], momentum[c], 1e-9);
    }
    if (driven) {
      ck_assert(!s.solver->reactions(s.self, reaction[0], reaction[1], NULL));
      ck_assert(!s.solver->work(s.self, &wrought, NULL));
      ck_assert_double_eq_tol(wrought, work, 1e-12);
      for (int c = 0; c < 3; c++) {
        ck_assert_double_eq_tol(reaction[0][c], sum[c], 1e-10);
        ck_assert_double_eq_tol(reaction[1][c], turn[c], 1e-10);
      }
    }
    free(x);
    free(push);
    free(now);
  }
  ck_assert_int_gt(touched, 0);
  handle_close(&s);
  free(scene);
}
END_TEST

/// On a half-plane at rest the forces are the weight, each that of its depth.
START_TEST(a_box_comes_to_rest_on_its_weight) {
  vb_scene *scene = box_scene(0, false, 9.81);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", "iterations", "100", "tolerance",
                            "1e-13", NULL);
  double least = lightest(&s);
  handle_step(&s, 1200);
  double *push = handle_read(&s, "node_push"), sum = 0, square = 0, most = 0;
  for (size_t i = 0; i < handle_numbers(&s, 0) / 3; i++) {
    sum += push[3 * i + 2];
    square += push[3 * i + 2] * push[3 * i + 2];
    most = fmax(most, push[3 * i + 2]);
  }
  ck_assert_double_eq_tol(sum, 16 * 9.81, 1e-6); // what is left of motion
  // kc by the energy: sum f^2 / (2 kc), which the depth confirms.
  double energy = handle_energy(&s, "contact"), kc = square / (2 * energy);
  ck_assert_double_eq_tol(handle_value(&s, "penetration", 0), most / kc, 1e-9);
  ck_assert_double_eq_tol(kc * step * step, 0.5 * least, 1e-9); // half of the bound
  free(push);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(a_state_is_restored_in_contact) {
  vb_scene *scene = box_scene(3, true, 9.81);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", NULL),
         other = handle_open_as(SOLVER, scene, "contact", "explicit", NULL);
  handle_step(&s, 2);
  void *state = handle_save(&s);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  ck_assert(handle_same(&s, &other));
  handle_step(&s, 2);
  handle_step(&other, 2);
  ck_assert(handle_same(&s, &other));
  free(state);
  handle_close(&other);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(what_is_too_stiff_is_told) {
  vb_scene *scene = box_scene(0, false, 9.81);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", NULL);
  double bound = lightest(&s) / (step * step);
  handle_close(&s);
  for (int beyond = 0; beyond < 2; beyond++) {
    char value[32], told[64];
    snprintf(value, sizeof value, "%.9g", (beyond ? 1.01 : 0.99) * bound);
    snprintf(told, sizeof told, "unstable beyond %.4g,", bound);
    s = handle_open_as(SOLVER, scene, "contact", "explicit", "contact_stiffness", value, NULL);
    const char *warning = s.solver->warning(s.self);
    ck_assert(beyond ? warning && strstr(warning, told) : !warning);
    handle_close(&s);
  }
  free(scene);
}
END_TEST

START_TEST(friction_is_refused) {
  vb_builder *b = scenes_begin(step, 9.81);
  solids_box(b, (const int32_t[]){1, 1, 1}, (const double[]){1, 1, 1}, 0.3, 0);
  vb_half_plane plane = planes[0];
  plane.static_friction = plane.kinetic_friction = 0.2;
  fixture_add(b, VB_SET_HALF_PLANE, &plane);
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  void *self = NULL;
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(
      solver->create(solver, scene, (const vb_option[]){{"contact", "explicit"}}, 1, &self, &error),
      VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "half-plane 0 has friction"));
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("contact");
  tcase_set_timeout(test, 60);
  tcase_add_loop_test(test, forces_are_those_of_the_depth, 0, 2 * OBSTACLES);
  tcase_add_test(test, a_box_comes_to_rest_on_its_weight);
  tcase_add_test(test, a_state_is_restored_in_contact);
  tcase_add_test(test, what_is_too_stiff_is_told);
  tcase_add_test(test, friction_is_refused);
  return test;
}

VB_TEST_MAIN("articulated_contact", make_tests())
