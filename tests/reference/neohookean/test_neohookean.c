// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver neohookean on whole bodies: equilibria known in closed form, convergence, bodies
/// turned inside out, motion, reactions, and the solver interface.
/// Covers: reference/neohookean/*.[ch]
#include "reference/neohookean/assembly.h"
#include "scenes/solids.h"

#include <math.h>

#define SOLVER "neohookean"

static const int32_t cube_cells[3] = {3, 3, 3};
static const double unit_size[3] = {1, 1, 1};

/// Gradients and second derivatives of Phi against fourth-order differences of step 1e-3 in
/// directions at random.
START_TEST(derivatives_of_a_step) {
  bool quadratic = _i & 1, consistent = _i & 2;
  vb_builder *b = scenes_begin(0.1, 0);
  solids_box(b, (const int32_t[3]){2, 1, 1}, unit_size, 0.45, 0);
  vb_scene *scene = fixture_freeze(b);
  nh_solid *solid = NULL;
  nh_assembly a;
  ck_assert_int_eq(nh_solid_create(scene, quadratic, &solid, NULL), VB_OK);
  ck_assert_int_eq(nh_assembly_create(solid, &a, NULL), VB_OK);
  size_t n = 3 * solid->n_nodes;
  double *x = calloc(8 * n, sizeof *x), *hat = x + n, *load = hat + n, *g = load + n;
  double *direction = g + n, *moved = direction + n, *right = moved + n, *sum = right + n;
  int32_t *dof = calloc(n, sizeof *dof);
  uint64_t seed = 21;
  for (size_t i = 0; i < n; i++) {
    x[i] = scenes_random(&seed); // far from rest, many inverted
    hat[i] = scenes_random(&seed);
    load[i] = 1e4 * scenes_random(&seed);
    direction[i] = scenes_random(&seed);
  }
  a.threads = 2;
  a.consistent = consistent;
  a.inertia = 1e2;
  a.hat = hat;
  a.load = load;
  nh_assembly_evaluate(&a, x, dof, g);
  nh_assembly_curve(&a, x, false);
  nh_assembly_multiply(&a, direction, right);
  double slope = 0, phi = 0, size = 0, worst = 0;
  for (size_t i = 0; i < n; i++)
    slope += g[i] * direction[i];
  for (int s = 0; s < 4; s++) {
    static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
    const double h = 1e-3;
    for (size_t i = 0; i < n; i++)
      moved[i] = x[i] + h * (s < 2 ? s - 2 : s - 1) * direction[i];
    phi += weight[s] / h * nh_assembly_evaluate(&a, moved, dof, g).phi;
    for (size_t i = 0; i < n; i++)
      sum[i] += weight[s] / h * g[i];
  }
  for (size_t i = 0; i < n; i++) {
    double lumped = consistent ? 0 : a.inertia * solid->mass[i / 3] * direction[i];
    size = fmax(size, fabs(sum[i]));
    worst = fmax(worst, fabs(right[i] + lumped - sum[i]));
  }
  printf("%s, %s: slope %.1e, curvature %.1e off differences\n", quadratic ? "quadratic" : "linear",
         consistent ? "consistent" : "lumped", fabs(phi / slope - 1), worst / size);
  ck_assert_double_lt(fabs(phi / slope - 1), 1e-7);
  ck_assert_double_lt(worst / size, 1e-7);
  free(dof);
  free(x);
  nh_assembly_clear(&a);
  nh_solid_destroy(solid);
  free(scene);
}
END_TEST

/// An irregular mesh whose boundary is moved affinely follows inside, from wherever it starts.
START_TEST(patch_test) {
  static const double f[9] = {1.3, 0.2, -0.1, 0.15, 0.8, 0.1, -0.2, 0.05, 1.1};
  vb_builder *b = scenes_begin(1, 0);
  solid_box s = solids_box(b, cube_cells, unit_size, 0.3, 0.25);
  int32_t driver = solids_driver(b, "wall", -1, -1);
  uint64_t seed = 4;
  size_t inner = 0;
  for (size_t i = 0; i < s.n_nodes; i++) {
    vb_node *node = &solids_nodes(&s)[i];
    bool outer = false;
    for (int c = 0; c < 6; c++)
      outer = outer || solids_on_face(&s, i, c / 2, c % 2);
    inner += !outer;
    for (int r = 0; r < 3; r++) {
      node->position[r] = outer ? 0 : 0.1 * scenes_random(&seed);
      for (int c = 0; c < 3; c++)
        node->position[r] += f[3 * r + c] * node->rest_position[c];
    }
    if (outer)
      fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, (int32_t)i, VB_PIN_CENTER, driver});
  }
  ck_assert_uint_eq(inner, 8);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "tolerance", "0", "elements",
                            _i ? "quadratic" : "linear", NULL);
  handle_step(&h, 1);
  double *x = handle_read(&h, "position"), worst = 0;
  size_t n;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  for (size_t i = 0; i < n; i++)
    for (int r = 0; r < 3; r++) {
      double right = 0;
      for (int c = 0; c < 3; c++)
        right += f[3 * r + c] * nodes[i].rest_position[c];
      worst = fmax(worst, fabs(x[3 * i + (size_t)r] - right));
    }
  printf("patch, %s: %.1e\n", _i ? "quadratic" : "linear", worst);
  ck_assert_double_lt(worst, 1e-12);
  free(x);
  handle_close(&h);
  free(scene);
}
END_TEST

/// The lateral stretch at which nothing pulls sideways, by bisection, and the stress along.
static double lateral_stretch(double nu, double e, double *stress) {
  double mu = 4.0 / 3 * 1e6 / (2 * (1 + nu));
  double la = 1e6 * nu / ((1 + nu) * (1 - 2 * nu)) + 5.0 / 8 * mu;
  double low = 0.1, high = 3, alpha = 1 + 0.75 * mu / la;
  for (int k = 0; k < 100; k++) {
    double t = 0.5 * (low + high), i = e * e + 2 * t * t;
    double side = mu * (1 - 1 / (i + 1)) + la * (e * t * t - alpha) * e;
    *(side > 0 ? &high : &low) = t;
  }
  double t = 0.5 * (low + high), i = e * e + 2 * t * t;
  *stress = mu * (1 - 1 / (i + 1)) * e + la * (e * t * t - alpha) * t * t;
  return t;
}

START_TEST(pulled_cube_against_its_root) {
  static const double ratio[3] = {0, 0.3, 0.49};
  double nu = ratio[_i % 3];
  vb_builder *b = scenes_begin(1, 0);
  solid_box s = solids_box(b, cube_cells, unit_size, nu, 0.2);
  int32_t still = solids_driver(b, "still", -1, -1);
  int32_t hand = solids_driver(b, "hand", solids_ramp(b, 1, 0.5), -1);
  for (size_t i = 0; i < s.n_nodes; i++) {
    uint32_t mask = 0;
    for (int c = 0; c < 3; c++)
      mask |= solids_on_face(&s, i, c, 0) ? 1u << c : 0;
    bool pulled = solids_on_face(&s, i, 0, 1);
    if (mask || pulled)
      fixture_add(b, VB_SET_PIN,
                  &(vb_pin){VB_AT_NODE, (int32_t)i, mask | pulled, pulled ? hand : still});
  }
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "tolerance", "0", "elements",
                            _i < 3 ? "linear" : "quadratic", NULL);
  handle_step(&h, 1);
  double stress, t = lateral_stretch(nu, 1.5, &stress), force[6], torque[6];
  // The numbers of the equations are of size one; 1e-12 allows for the elimination's rounding.
  ck_assert_double_eq_tol(handle_value(&h, "position", 3 * (s.n_nodes - 1) + 1), t, 1e-12);
  ck_assert_double_eq_tol(handle_value(&h, "volume", 0), 1.5 * t * t, 1e-12);
  ck_assert_int_eq(h.solver->reactions(h.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(force[3], stress, 1e-10 * stress);
  ck_assert_double_eq_tol(force[0], -stress, 1e-10 * stress);
  handle_close(&h);
  free(scene);
}
END_TEST

/// The last residuals of a large stretch and turn: each is about the square of the one before.
START_TEST(convergence_is_quadratic) {
  vb_scene *scene = solids_pulled_bar((const int32_t[3]){8, 2, 2}, 0.45, 0.25, 1, 0.5);
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "tolerance", "1e-6", NULL);
  for (int step = 0; step < 4; step++) {
    handle_step(&h, 1);
    double *r = handle_read(&h, "newton_residuals");
    printf("step %d: %.0f iterations, residuals %.1e %.1e %.1e\n", step + 1,
           handle_value(&h, "newton_iterations", 0), r[0], r[1], r[2]);
    ck_assert_double_eq(handle_value(&h, "projected", 0), 0);
    ck_assert_double_gt(r[2], 0); // not cut off by rounding
    ck_assert_double_lt(r[2], 1e-6);
    // Quadratic is a factor of 2 between the logarithms; a constant of up to 30 may stand before.
    ck_assert_double_lt(r[2], 30 * r[1] * r[1]);
    free(r);
  }
  handle_close(&h);
  free(scene);
}
END_TEST

/// Where the free nodes of a clamped cube begin.
static void spoil(vb_node *node, int how, uint64_t *seed) {
  for (int c = 0; c < 3; c++)
    switch (how) {
    case 0: // anywhere
      node->position[c] = 2 * scenes_random(seed);
      break;
    case 1: // in one point
      node->position[c] = 0.3;
      break;
    case 2: // mirrored at the clamp
      node->position[c] = c == 0 ? -node->rest_position[c] : node->rest_position[c];
      break;
    case 3: // in the plane of the clamp
      node->position[c] = c == 0 ? 0 : node->rest_position[c];
      break;
    case 4: // on a line
      node->position[c] = c == 0 ? node->rest_position[c] : 0.5;
      break;
    default: // through the center
      node->position[c] = 1 - node->rest_position[c];
    }
}

/// A clamped cube finds an equilibrium from any start, its elements inverted or flat, and none of
/// them stays inverted. It is the state of rest, but for two starts of the nearly incompressible
/// cube: it ends tangled, every element upright and the second derivative positive definite.
START_TEST(bodies_inside_out_recover) {
  static const double ratio[2] = {0.3, 0.49};
  int how = _i % 6;
  vb_builder *b = scenes_begin(1, 0);
  solid_box s = solids_box(b, cube_cells, unit_size, ratio[_i / 6], 0);
  solids_pin_face(&s, 0, 0, solids_driver(b, "wall", -1, -1));
  uint64_t seed = 8;
  for (size_t i = 0; i < s.n_nodes; i++)
    if (!solids_on_face(&s, i, 0, 0))
      spoil(&solids_nodes(&s)[i], how, &seed);
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "iterations", "500", NULL);
  handle_step(&h, 1);
  double *x = handle_read(&h, "position"), worst = 0;
  size_t n;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  for (size_t i = 0; i < 3 * n; i++)
    worst = fmax(worst, fabs(x[i] - nodes[i / 3].rest_position[i % 3]));
  printf("start %d, nu %g: %.0f iterations, %.1e off rest, energy %.1e\n", how, ratio[_i / 6],
         handle_value(&h, "newton_iterations", 0), worst, handle_energy(&h, "elastic"));
  double *dilation = handle_read(&h, "dilation_range");
  ck_assert_double_gt(dilation[0], 0.05);
  ck_assert_double_le(handle_residual(&h), 1e-10);
  ck_assert_double_eq(handle_value(&h, "projected", 0), 0);
  // Forces of 1e-10 of their scale, which near rest is that of rounding.
  if (how != 0 && how != 5)
    ck_assert_double_lt(worst, 1e-8);
  free(dilation);
  free(x);
  handle_close(&h);
  free(scene);
}
END_TEST

/// Options of a body in motion: mass matrix and elements.
static handle open_moving(const vb_scene *scene, int i, const char *threads) {
  return handle_open_as(SOLVER, scene, "mass", i & 1 ? "consistent" : "lumped", "elements",
                        i & 2 ? "quadratic" : "linear", "threads", threads, NULL);
}

START_TEST(free_fall) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  solid_box s = solids_box(b, cube_cells, unit_size, 0.4, 0.2);
  for (size_t i = 0; i < s.n_nodes; i++)
    solids_nodes(&s)[i].velocity[0] = 2;
  vb_scene *scene = fixture_freeze(b);
  handle h = open_moving(scene, _i, "2");
  handle_step(&h, 50);
  double *p = handle_read(&h, "momentum"), mass = 1000, fall = 9.81 * 0.01 * 0.01 * 50 * 51 / 2;
  // Fifty steps of a body of a ton, with rounding of its stiffness against its inertia.
  ck_assert_double_eq_tol(p[0], 2 * mass, 1e-9 * mass);
  ck_assert_double_eq_tol(p[1], 0, 1e-9 * mass);
  ck_assert_double_eq_tol(p[2], -9.81 * 0.5 * mass, 1e-9 * mass);
  ck_assert_double_eq_tol(handle_value(&h, "position", 2), -fall, 1e-10);
  ck_assert_double_lt(handle_energy(&h, "elastic"), 1e-12 * handle_energy(&h, "kinetic"));
  free(p);
  handle_close(&h);
  free(scene);
}
END_TEST

/// Energy of a body that is shaken by a hand: what it gains is at most the work done on it, as
/// implicit Euler only takes away.
START_TEST(energy_does_not_grow) {
  vb_scene *scene = solids_pulled_bar((const int32_t[3]){6, 2, 2}, 0.4, 0.02, 1, 2);
  handle h = open_moving(scene, _i, "2");
  double before = 0, done = 0;
  for (int step = 0; step < 60; step++) {
    double work[2];
    handle_step(&h, 1);
    ck_assert_int_eq(h.solver->work(h.self, work, NULL), VB_OK);
    double energy = handle_energy(&h, "elastic") + handle_energy(&h, "kinetic");
    double now = work[0] + work[1];
    // Where the hand rests nothing must grow; while it moves, the force at the end of a step times
    // its way is more than the work, as forces of inertia and of stiffness rise within a step.
    ck_assert_double_le(energy - before, now - done + 1e-9 * energy);
    before = energy;
    done = now;
  }
  ck_assert_double_gt(before, 1);
  handle_close(&h);
  free(scene);
}
END_TEST

/// In statics the work is the energy: to second order in the steps of the hand.
START_TEST(work_is_energy_in_statics) {
  double off[2];
  for (int k = 0; k < 2; k++) {
    vb_scene *scene = solids_pulled_bar((const int32_t[3]){6, 2, 2}, 0.4, k ? 0.05 : 0.1, 1, 0);
    handle h = handle_open_as(SOLVER, scene, "dynamics", "static", NULL);
    double work[2];
    handle_step(&h, k ? 20 : 10);
    ck_assert_int_eq(h.solver->work(h.self, work, NULL), VB_OK);
    off[k] = work[1] / handle_energy(&h, "elastic") - 1;
    ck_assert_double_eq_tol(handle_value(&h, "position", 3 * 62), 5, 1e-13); // node 62: last corner
    handle_close(&h);
    free(scene);
  }
  printf("work over energy: %.3e, %.3e off one\n", off[0], off[1]);
  ck_assert_double_lt(fabs(off[0]), 0.05);
  // The first step goes by the force at its end alone and adds a part of second order, too.
  ck_assert_double_eq_tol(log2(fabs(off[0] / off[1])), 2, 0.3);
}
END_TEST

/// A body hung up by a face under gravity and a load: the wall carries both, and their moments.
START_TEST(reactions_carry_weight_and_load) {
  vb_builder *b = scenes_begin(1, 9.81);
  solid_box s = solids_box(b, cube_cells, unit_size, 0.4, 0.2);
  solids_pin_face(&s, 0, 0, solids_driver(b, "wall", -1, -1));
  int32_t last = (int32_t)s.n_nodes - 1;
  vb_load load = {.name = "tip", .location = VB_AT_NODE, .index = last, .force = {100, 2000, 0}};
  load.amplitude = -1;
  fixture_add(b, VB_SET_LOAD, &load);
  vb_scene *scene = fixture_freeze(b);
  handle h =
      handle_open_as(SOLVER, scene, "dynamics", "static", "mass", _i & 1 ? "consistent" : "lumped",
                     "elements", _i & 2 ? "quadratic" : "linear", NULL);
  handle_step(&h, 1);
  double force[3], torque[3], weight = 9810;
  ck_assert_int_eq(h.solver->reactions(h.self, force, torque, NULL), VB_OK);
  // Equilibrium holds to the tolerance, 1e-10 of forces of some 1e5 N.
  ck_assert_double_eq_tol(force[0], -100, 1e-4);
  ck_assert_double_eq_tol(force[1], -2000, 1e-4);
  ck_assert_double_eq_tol(force[2], weight, 1e-4);
  // About the wall's origin: x cross f of the load, and the weight at the center of mass.
  double *x = handle_read(&h, "position"), *m = handle_read(&h, "mass"), moment = 0;
  const double *at = x + 3 * last;
  if (_i == 0) { // the nodes' masses are all there is
    for (size_t i = 0; i < s.n_nodes; i++)
      moment += -x[3 * i] * m[i] * 9.81 * -1;
    ck_assert_double_eq_tol(torque[2], -(at[0] * 2000 - at[1] * 100), 1e-4);
    ck_assert_double_eq_tol(torque[1], -moment - at[2] * 100, 1e-4);
  }
  free(m);
  free(x);
  handle_close(&h);
  free(scene);
}
END_TEST

START_TEST(threads_do_not_change_results) {
  vb_scene *scene = solids_pulled_bar((const int32_t[3]){12, 3, 3}, 0.45, 0.05, 1, 2);
  handle one = open_moving(scene, _i, "1"), many = open_moving(scene, _i, "3");
  handle_step(&one, 4);
  handle_step(&many, 4);
  ck_assert_double_gt(handle_energy(&one, "elastic"), 1);
  ck_assert(handle_same(&one, &many));
  handle_close(&one);
  handle_close(&many);
  free(scene);
}
END_TEST

START_TEST(restored_states_continue_identically) {
  vb_scene *scene = solids_pulled_bar((const int32_t[3]){4, 2, 2}, 0.45, 0.05, 1, 2);
  handle a = open_moving(scene, _i, "2"), b = open_moving(scene, _i, "2");
  handle_step(&a, 3);
  void *state = handle_save(&a);
  handle_step(&a, 4);
  ck_assert_int_eq(b.solver->restore(b.self, state, NULL), VB_OK);
  handle_step(&b, 4);
  ck_assert(handle_same(&a, &b));
  free(state);
  handle_close(&a);
  handle_close(&b);
  free(scene);
}
END_TEST

START_TEST(unsupported_scenes_are_refused) {
  void *self = NULL;
  const vb_solver *solver;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);

  vb_scene *rods = fixture_freeze(fixture_full());
  ck_assert_int_eq(solver->create(solver, rods, NULL, 0, &self, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message,
                   "solver neohookean does not support the scene's set segment (5 elements)");
  free(rods);

  vb_builder *b = scenes_begin(1, 0);
  fixture_node(b, 0, 0, 0, 1);
  vb_scene *none = fixture_freeze(b);
  ck_assert_int_eq(solver->create(solver, none, NULL, 0, &self, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message,
                   "the scene has no tetrahedra; solver neohookean needs at least one");
  free(none);

  b = scenes_begin(1, 0);
  solids_box(b, (const int32_t[3]){1, 1, 1}, unit_size, 0.3, 0);
  fixture_node(b, 5, 5, 5, 1);
  vb_scene *lone = fixture_freeze(b);
  ck_assert_int_eq(solver->create(solver, lone, NULL, 0, &self, &error), VB_BAD_INPUT);
  ck_assert_str_eq(
      error.message,
      "node 8 belongs to no tetrahedron; solver neohookean supports only nodes of tetrahedra");
  ck_assert_int_eq(vb_scene_dofs(lone), 8 * 3 + 4);
  free(lone);

  b = scenes_begin(1, 0);
  solids_box(b, (const int32_t[3]){1, 1, 1}, unit_size, 0.3, 0);
  vb_load load = {.name = "blow", .location = VB_AT_NODE, .scale_force = 1, .amplitude = -1};
  fixture_add(b, VB_SET_LOAD, &load);
  vb_scene *blown = fixture_freeze(b);
  ck_assert_int_eq(solver->create(solver, blown, NULL, 0, &self, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "load 0 (blow) acts on a scale; nodes of tetrahedra have none");
  free(blown);
  ck_assert_ptr_null(self);
}
END_TEST

START_TEST(reports_options_as_set) {
  vb_scene *scene = solids_pulled_bar((const int32_t[3]){1, 1, 1}, 0.3, 1, 1, 0);
  static const char *const set[][2] = {{"dynamics", "static"}, {"elements", "quadratic"},
                                       {"mass", "consistent"}, {"projection", "never"},
                                       {"iterations", "7"},    {"tolerance", "0.125"},
                                       {"threads", "2"}};
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "elements", "quadratic", "mass",
                            "consistent", "projection", "never", "iterations", "7", "tolerance",
                            "0.125", "threads", "2", NULL);
  for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
    char value[64];
    ck_assert_int_eq(h.solver->get_option(h.self, set[i][0], value, sizeof value, NULL), VB_OK);
    ck_assert_str_eq(value, set[i][1]);
  }
  vb_error error = {0};
  ck_assert_int_eq(h.solver->set_option(h.self, "mass", "lumped", &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "option mass cannot change once a run has begun");
  handle_set(&h, "iterations", "9");
  handle_close(&h);
  free(scene);
}
END_TEST

static TCase *statics(void) {
  TCase *c = tcase_create("statics");
  tcase_add_loop_test(c, derivatives_of_a_step, 0, 4);
  tcase_add_loop_test(c, patch_test, 0, 2);
  tcase_add_loop_test(c, pulled_cube_against_its_root, 0, 6);
  tcase_add_test(c, convergence_is_quadratic);
  tcase_add_loop_test(c, bodies_inside_out_recover, 0, 12);
  tcase_add_test(c, work_is_energy_in_statics);
  tcase_add_loop_test(c, reactions_carry_weight_and_load, 0, 4);
  return c;
}

static TCase *motion(void) {
  TCase *c = tcase_create("motion");
  tcase_add_loop_test(c, free_fall, 0, 4);
  tcase_add_loop_test(c, energy_does_not_grow, 0, 4);
  tcase_add_loop_test(c, threads_do_not_change_results, 0, 4);
  tcase_add_loop_test(c, restored_states_continue_identically, 0, 4);
  return c;
}

static TCase *neohookean_interface(void) {
  TCase *c = tcase_create("interface");
  tcase_add_test(c, unsupported_scenes_are_refused);
  tcase_add_test(c, reports_options_as_set);
  return c;
}

VB_TEST_MAIN("neo-hookean solver", statics(), motion(), neohookean_interface())
