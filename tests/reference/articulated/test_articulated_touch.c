// SPDX-License-Identifier: GPL-3.0-or-later
/// Implicit contact of the solver articulated, at the step of 1/30 s: blocks at rest, struck and
/// sliding, driven obstacles, flesh on flesh; the compliance of the global step; forces on their
/// cones.
/// Covers: reference/articulated/touch.* reference/articulated/cone.*
/// Covers: reference/articulated/compliance.* reference/articulated/obstacle.*
#include "handle.h"
#include "reference/articulated/cone.h"
#include "reference/articulated/step.h"
#include "scenes/lua_scene.h"
#include "scenes/scenes.h"

#include "scene/rotation.h"

#define SOLVER "articulated"
#define SCENES "tests/reference/articulated/touch.lua"

static const double step = 1.0 / 30, side = 0.4, mass = 64, gravity = 9.81;
/// Contacts may be missed by 1e-9 of the scene's size of some 0.7 m; twice that, for those of a
/// last round.
static const double missed = 2e-9;

static double push_sum(const handle *s, int component) {
  double *push = handle_read(s, "node_push"), sum = 0;
  for (size_t i = 0; i < handle_numbers(s, 0) / 3; i++)
    sum += push[3 * i + (size_t)component];
  free(push);
  return sum;
}

/// A block that falls 0.1 m onto a half-plane, of flesh or with a bone below: no node is ever in
/// it, and in the end forces are the weight.
START_TEST(a_block_comes_to_rest) {
  vb_scene *scene = lua_scene(SCENES, "height=0.1 bone=%d", 2 * _i);
  handle s =
      handle_open_as(SOLVER, scene, "iterations", "60", "tolerance", "1e-10", "threads", "1", NULL);
  for (int i = 0; i < 45; i++) {
    handle_step(&s, 1);
    // Rounds for a rigid bone end when they move little, which is not how much they miss.
    ck_assert_double_le(handle_value(&s, "penetration", 0), _i ? 1e-7 : missed);
  }
  ck_assert_double_eq_tol(push_sum(&s, 2), mass * gravity, 1e-3 * mass * gravity); // still swings
  ck_assert_double_eq(handle_energy(&s, "contact"), 0);
  ck_assert_ptr_null(s.solver->warning(s.self));
  handle_close(&s);
  free(scene);
}
END_TEST

/// In each step momentum changes by the forces on nodes, which push along the normals of any
/// shape, and no node is deeper than is allowed.
START_TEST(forces_are_the_change_of_momentum) {
  static const char *const obstacles[] = {"plane", "ball", "pipe"};
  vb_scene *scene = lua_scene(SCENES, "obstacle=%s bone=%d height=0.02 vx=0.3 vz=-1",
                              obstacles[_i / 2], 2 * (_i % 2));
  handle s = handle_open_as(SOLVER, scene, "iterations", "300", "tolerance", "1e-12", "threads",
                            "1", NULL);
  double before[3] = {mass * 0.3, 0, -mass}, touched = 0;
  for (int i = 0; i < 4; i++) { // it touches in the second
    handle_step(&s, 1);
    double *now = handle_read(&s, "momentum");
    for (int c = 0; c < 3; c++) {
      double expected = before[c] + step * (push_sum(&s, c) - (c == 2 ? mass * gravity : 0));
      ck_assert_double_eq_tol(now[c], expected, 1e-7); // 1e-12 of some 1e5 N
      before[c] = now[c];
    }
    touched = fmax(touched, push_sum(&s, 2));
    ck_assert_double_le(handle_value(&s, "penetration", 0), _i % 2 ? 1e-7 : missed);
    free(now);
  }
  ck_assert_double_gt(touched, mass * gravity);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A rigid block on a half-plane that gravity pulls along: it sticks up to the static coefficient,
/// and slides with the kinetic one, m (pull - mu g) t.
START_TEST(friction_is_coulombs) {
  static const struct {
    double pull, speed, friction[2], momentum;
  } cases[] = {
      {0.29 * 9.81, 0, {0.3, 0.3}, 0},
      {0.5 * 9.81, 0, {0.3, 0.3}, 0.2 * 9.81 * 64},
      {0.29 * 9.81, 0, {0.3, 0.2}, 0},
      {0.31 * 9.81, 0, {0.3, 0.2}, 0.11 * 9.81 * 64},
      {0, 5, {0.3, 0.2}, (5 - 0.2 * 9.81) * 64}, // one second
      {0, 1, {0.3, 0.2}, 0},
      {0, 1, {0, 0}, 64},
  };
  vb_scene *scene =
      lua_scene(SCENES, "bone=5 pull=%.17g vx=%g sticking=%g sliding=%g", cases[_i].pull,
                cases[_i].speed, cases[_i].friction[0], cases[_i].friction[1]);
  handle s = handle_open_as(SOLVER, scene, "threads", "1", NULL);
  handle_step(&s, 30);
  ck_assert_double_le(handle_value(&s, "contact_missed", 0), missed);
  // Contacts are missed by a billionth in each step, and so speeds by 1e-9 / h.
  ck_assert_double_eq_tol(handle_value(&s, "momentum", 0), cases[_i].momentum, 1e-4);
  ck_assert_double_eq_tol(handle_value(&s, "momentum", 1), 0, 1e-4);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A driven half-plane lifts a rigid block by 0.1 m: its reaction is the weight and what speeds
/// the block up, its work that times the way.
START_TEST(a_driven_floor_lifts) {
  vb_scene *scene = lua_scene(SCENES, "bone=5 driven=true");
  handle s = handle_open_as(SOLVER, scene, "threads", "1", NULL);
  double work = 0, reaction[2][3], wrought, sum = 0, speed = 0.1 / (15 * step);
  for (int i = 0; i < 15; i++) {
    handle_step(&s, 1);
    ck_assert(!s.solver->reactions(s.self, reaction[0], reaction[1], NULL));
    double expected = mass * gravity + (i == 0 ? mass * speed / step : 0);
    ck_assert_double_eq_tol(reaction[0][2], expected, 1e-3);        // 7e-10 m m/h^2 of each of 25
    ck_assert_double_eq_tol(reaction[0][2], push_sum(&s, 2), 1e-7); // sums in another order
    ck_assert_double_eq_tol(reaction[1][0], side / 2 * expected, 1e-3);
    sum += reaction[0][2] * speed * step;
  }
  ck_assert(!s.solver->work(s.self, &wrought, NULL));
  work = mass * gravity * 0.1 + mass * speed * speed;
  ck_assert_double_eq_tol(wrought, work, 1e-4);
  ck_assert_double_eq_tol(wrought, sum, 1e-9);
  handle_close(&s);
  free(scene);
}
END_TEST

/// One box on another rests on it, not in it; friction keeps it there against a pull along, and
/// the lower one is pushed back by as much.
START_TEST(a_box_rests_on_another) {
  const double weight = 1000 * 0.29 * 0.27 * 0.2 * gravity;
  vb_scene *scene = lua_scene(SCENES, "scene=boxes pull=2");
  handle s[2] = {handle_open_as(SOLVER, scene, "iterations", "20", "threads", "1", NULL),
                 handle_open_as(SOLVER, scene, "iterations", "20", "threads", "2", NULL)};
  double deepest = 0, force[3] = {0}, all[3] = {0};
  for (int i = 0; i < 30; i++) {
    handle_step(&s[0], 1);
    if (i < 5)
      handle_step(&s[1], 1);
    if (i == 4)
      ck_assert(handle_same(&s[0], &s[1]));
    deepest = fmax(deepest, handle_value(&s[0], "penetration", 0));
  }
  // A node may slide off the plane at which it was found: by a hundredth of a cell, then it is
  // found again.
  ck_assert_double_le(deepest, 2e-3);
  double *push = handle_read(&s[0], "node_push");
  for (size_t i = 0; i < handle_numbers(&s[0], 0) / 3; i++)
    for (size_t c = 0; c < 3; c++) {
      force[c] += i < 75 ? 0 : push[3 * i + c];
      all[c] += push[3 * i + c];
    }
  ck_assert_double_eq_tol(force[2], weight, 0.05 * weight); // what is left of motion
  ck_assert_double_eq_tol(force[0], -2 * weight / gravity, 0.05 * weight);
  for (int c = 0; c < 3; c++)
    ck_assert_double_eq_tol(all[c], 0, 1e-9);
  free(push);
  handle_close(&s[0]);
  handle_close(&s[1]);
  free(scene);
}
END_TEST

/// A state is restored in contact: a step depends on nothing else.
START_TEST(a_state_is_restored) {
  vb_scene *scene = lua_scene(SCENES, "scene=boxes pull=2");
  handle s = handle_open_as(SOLVER, scene, NULL), other = handle_open_as(SOLVER, scene, NULL);
  handle_step(&s, 5);
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

/// Explicit forces let the block sink, which is told.
START_TEST(what_is_too_deep_is_told) {
  vb_scene *scene = lua_scene(SCENES, "height=0");
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", NULL);
  handle_step(&s, 30);
  const char *warning = s.solver->warning(s.self);
  ck_assert(warning && strstr(warning, "more than a tenth of the mean edge of 0.1"));
  handle_close(&s);
  free(scene);
}
END_TEST

/// Steps that their iterations leave far from their end are told, by flesh a hundred times stiffer.
START_TEST(what_is_left_is_told) {
  for (int stiff = 0; stiff < 2; stiff++) {
    vb_scene *scene = lua_scene(SCENES, "height=0.005 vz=-1");
    size_t n;
    vb_tetrahedron *t = (vb_tetrahedron *)vb_scene_tetrahedra(scene, &n);
    for (size_t i = 0; i < n; i++)
      t[i].young = stiff ? 1e8 : 1e4;
    handle s =
        handle_open_as(SOLVER, scene, "threads", "1", "iterations", stiff ? "4" : "20", NULL);
    handle_step(&s, 2);
    const char *warning = s.solver->warning(s.self);
    ck_assert(stiff ? warning && strstr(warning, "after 4 iterations; each of the last")
                    : !warning);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Entries of the compliance against the solution for a force of one node, where components are
/// held alike and where they are not, of flesh and of a bone.
START_TEST(compliance_is_the_inverse) {
  vb_scene *scene = lua_scene(SCENES, "bone=2");
  ar_body body;
  ar_reduced reduced;
  ar_compliance c;
  ck_assert_int_eq(ar_body_create(scene, &(ar_choice){0}, &body, NULL), VB_OK);
  uint8_t *held = calloc(body.n_nodes, 1);
  double *stiffness = calloc(body.n_nodes, sizeof *stiffness);
  double *right = calloc(3 * body.n_nodes, sizeof *right), *x = calloc(3 * body.n_nodes, sizeof *x);
  held[body.n_nodes - 1] = 7;
  held[body.n_nodes - 2] = _i ? 2 : 7;
  ck_assert_int_eq(ar_reduced_create(&body, held, stiffness, step, &reduced, NULL), VB_OK);
  const int32_t some[] = {0, 7, 60, 93, 110, 120};
  ck_assert_int_eq(ar_compliance_create(&reduced, some, 6, &c, NULL), VB_OK);
  ck_assert_int_eq(ar_compliance_find(&c, some + 1, 5, NULL), VB_OK);
  for (int j = 1; j < 6; j++)
    for (int axis = 0; axis < 3; axis++) {
      double bones[12] = {0}, local[4];
      memset(right, 0, 3 * body.n_nodes * sizeof *right);
      right[3 * some[j] + axis] = body.bone_of[some[j]] < 0;
      if (body.bone_of[some[j]] >= 0)
        ar_body_local(&body, (size_t)some[j], local);
      for (int r = 0; r < 4 && body.bone_of[some[j]] >= 0; r++)
        bones[3 * r + axis] = local[r];
      ck_assert(ar_reduced_solve(&reduced, right, bones, x));
      ar_reduced_follow(&reduced, bones, x);
      ar_body_carry(&body, bones, x);
      for (int i = 0; i < 6; i++) {
        double entry = ar_compliance_entry(&c, axis, some[i], some[j]);
        ck_assert_double_eq_tol(entry, x[3 * some[i] + axis], 1e-12 * fabs(entry) + 1e-20);
        if (i > 0) // symmetric
          ck_assert_double_eq_tol(entry, ar_compliance_entry(&c, axis, some[j], some[i]),
                                  1e-9 * fabs(entry) + 1e-18);
      }
    }
  ar_compliance_clear(&c);
  ar_reduced_clear(&reduced);
  ar_body_clear(&body);
  free(held);
  free(stiffness);
  free(right);
  free(x);
  free(scene);
}
END_TEST

/// H of the global step on a solution is the right side, element by element: the weights 2 mu +
/// 3 la times the volume, of which less would be no bound, the masses over h^2, and springs.
START_TEST(the_matrix_is_that_of_the_bound) {
  vb_scene *scene = lua_scene(SCENES, "bone=0");
  ar_body body;
  ar_reduced reduced;
  uint64_t seed = 9;
  ck_assert_int_eq(ar_body_create(scene, &(ar_choice){0}, &body, NULL), VB_OK);
  size_t n = body.n_nodes;
  uint8_t *held = calloc(n, 1);
  double *spring = calloc(n, sizeof *spring), *right = calloc(9 * n, sizeof *right);
  double *x = right + 3 * n, *product = x + 3 * n;
  for (size_t i = 0; i < 3 * n; i++) {
    right[i] = scenes_random(&seed);
    spring[i / 3] = 100.0 * (double)(i % 7);
  }
  ck_assert_int_eq(ar_reduced_create(&body, held, spring, step, &reduced, NULL), VB_OK);
  ck_assert(ar_reduced_solve(&reduced, right, NULL, x));
  for (size_t i = 0; i < 3 * n; i++)
    product[i] = (body.mass[i / 3] / (step * step) + spring[i / 3]) * x[i];
  for (size_t e = 0; e < body.n_elements; e++) {
    const ar_element *element = &body.element[e];
    double f[9], young = 1e5, poisson = 0.3, weight;
    size_t n_tetrahedra;
    const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n_tetrahedra);
    young = t[element->tetrahedron].young;
    poisson = t[element->tetrahedron].poisson;
    weight = young / (1 + poisson) + 3 * young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    ar_local_deformation(&body, e, x, f);
    for (size_t a = 0; a < 4; a++)
      for (size_t c = 0; c < 3; c++)
        product[3 * (size_t)element->node[a] + c] +=
            weight * element->volume * vb_dot(f + 3 * c, element->gradient[a]);
  }
  for (size_t i = 0; i < 3 * n; i++)
    ck_assert_double_eq_tol(product[i], right[i], 1e-9);
  ar_reduced_clear(&reduced);
  ar_body_clear(&body);
  free(held);
  free(spring);
  free(right);
  free(scene);
}
END_TEST

/// Damping slows flesh and bones alike: v' = (v + h g) / (1 + d h).
START_TEST(damping_slows) {
  vb_scene *scene = lua_scene(SCENES, "height=9 vx=2 bone=%d", _i ? 5 : 0);
  ((vb_world *)vb_scene_world(scene))->damping = 3;
  handle s = handle_open_as(SOLVER, scene, "threads", "1", NULL);
  double v[2] = {2, 0};
  for (int i = 0; i < 5; i++) {
    handle_step(&s, 1);
    v[0] /= 1 + 3 * step;
    v[1] = (v[1] - step * gravity) / (1 + 3 * step);
    ck_assert_double_eq_tol(handle_value(&s, "momentum", 0), mass * v[0], 1e-9);
    ck_assert_double_eq_tol(handle_value(&s, "momentum", 2), mass * v[1], 1e-9);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Random contacts whose moves are coupled: each ends open without a force, stuck within its cone,
/// or sliding against a force on it.
START_TEST(forces_are_on_their_cones) {
  enum { N = 12 };
  uint64_t seed = (uint64_t)_i + 3;
  ar_touch touch[N] = {0};
  double w[3 * N * N] = {0}, u[3 * N], room[3 * N], a[N][N];
  int open = 0, stuck = 0, sliding = 0;
  for (int i = 0; i < N * N; i++)
    a[i / N][i % N] = scenes_random(&seed);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int c = 0; c < 3; c++) {
        for (int k = 0; k < N; k++)
          w[(c * N + i) * N + j] += a[i][k] * a[j][k];
        w[(c * N + i) * N + j] += i == j ? N : 0;
      }
  for (int i = 0; i < N; i++) {
    touch[i].friction[0] = touch[i].friction[1] = 0.4;
    for (int c = 0; c < 3; c++)
      touch[i].normal[c] = scenes_random(&seed);
    double norm = sqrt(vb_dot(touch[i].normal, touch[i].normal));
    for (int c = 0; c < 3; c++) {
      touch[i].normal[c] /= norm;
      touch[i].still[c] = 0.2 * scenes_random(&seed);
      u[3 * i + c] = scenes_random(&seed);
    }
  }
  for (int k = 0; k < 30; k++)
    ar_cone_solve(touch, N, w, N, u, 1e-13, room);
  for (int i = 0; i < N; i++) {
    double normal = vb_dot(touch[i].force, touch[i].normal), along[3], slip[3], across[3];
    double gap = vb_dot(u + 3 * i, touch[i].normal) - touch[i].level;
    vb_add_scaled(touch[i].force, -normal, touch[i].normal, along);
    vb_subtract(u + 3 * i, touch[i].still, slip);
    vb_add_scaled(slip, -vb_dot(slip, touch[i].normal), touch[i].normal, slip);
    vb_cross(along, slip, across);
    double size = sqrt(vb_dot(along, along)), way = sqrt(vb_dot(slip, slip));
    ck_assert_double_ge(gap, -1e-11);
    ck_assert_double_ge(normal, 0);
    ck_assert_double_eq_tol(fmin(gap, normal), 0, 1e-11);
    ck_assert_double_le(size, 0.4 * normal + 1e-11);
    if (normal > 0 && way > 1e-9) { // slides against the force
      ck_assert_double_eq_tol(size, 0.4 * normal, 1e-10);
      ck_assert_double_eq_tol(sqrt(vb_dot(across, across)), 0, 1e-10);
      ck_assert_double_lt(vb_dot(along, slip), 0);
    }
    open += normal == 0;
    sliding += normal > 0 && way > 1e-9;
    stuck += normal > 0 && way <= 1e-9;
  }
  ck_assert(open > 0 && stuck + sliding > 0);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("touch");
  tcase_set_timeout(test, 120);
  tcase_add_loop_test(test, a_block_comes_to_rest, 0, 2);
  tcase_add_loop_test(test, forces_are_the_change_of_momentum, 0, 6);
  tcase_add_loop_test(test, friction_is_coulombs, 0, 7);
  tcase_add_test(test, a_driven_floor_lifts);
  tcase_add_test(test, a_box_rests_on_another);
  tcase_add_test(test, a_state_is_restored);
  tcase_add_test(test, what_is_too_deep_is_told);
  tcase_add_test(test, what_is_left_is_told);
  tcase_add_loop_test(test, compliance_is_the_inverse, 0, 2);
  tcase_add_test(test, the_matrix_is_that_of_the_bound);
  tcase_add_loop_test(test, damping_slows, 0, 2);
  tcase_add_loop_test(test, forces_are_on_their_cones, 0, 8);
  return test;
}

VB_TEST_MAIN("articulated_touch", make_tests())
