// SPDX-License-Identifier: GPL-3.0-or-later
/// Active strain of the solver neohookean: derivatives, turns, the shape a free body takes, what a
/// held one pulls with, and the work done.
/// Covers: reference/neohookean/activation.* reference/neohookean/assembly.*
#include "reference/neohookean/activation.h"
#include "reference/neohookean/assembly.h"
#include "scenes/solids.h"

#include <math.h>

#define SOLVER "neohookean"

static const int32_t cells[3] = {3, 2, 2};
static const double unit_size[3] = {1, 1, 1};

/// Activates every tetrahedron along `direction`.
static void activate_all(vb_builder *b, vb_active how, const double direction[3], int32_t curve) {
  size_t n;
  vb_builder_elements(b, VB_SET_TETRAHEDRON, &n);
  for (size_t k = 0; k < n; k++) {
    vb_activation a = {.name = "muscle",
                       .location = VB_AT_TETRAHEDRON,
                       .index = (int32_t)k,
                       .active = how,
                       .curve = curve};
    memcpy(a.direction, direction, sizeof a.direction);
    fixture_add(b, VB_SET_ACTIVATION, &a);
  }
}

/// A curve from 1 at time 0 to `value` at 1 s.
static int32_t contraction(vb_builder *b, double value) {
  const double keys[2][2] = {{0, 1}, {1, value}};
  return scenes_curve(b, VB_LINEAR, 2, keys);
}

/// Oblique, of length one.
static const double oblique[3] = {2.0 / 3, 2.0 / 3, -1.0 / 3};

/// The parts of a step's Phi on a body whose elements have directions and stretches of their own.
typedef struct active_body {
  vb_scene *scene;
  nh_solid *solid;
  nh_assembly assembly;
  size_t n;
  double *x, *hat, *load, *gradient, *other; ///< (n) each
  int32_t *dof;
} active_body;

static active_body make_body(bool quadratic) {
  vb_builder *b = scenes_begin(0.1, 0);
  solids_box(b, (const int32_t[3]){2, 1, 1}, unit_size, 0.45, 0);
  activate_all(b, VB_ACTIVE_STRAIN, oblique, contraction(b, 0.8));
  active_body body = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(nh_solid_create(body.scene, quadratic, &body.solid, NULL), VB_OK);
  ck_assert_int_eq(nh_assembly_create(body.solid, &body.assembly, NULL), VB_OK);
  uint64_t seed = 31;
  for (size_t e = 0; e < body.solid->n_elements; e++) {
    double d[3], norm = 0;
    for (int c = 0; c < 3; c++) {
      d[c] = scenes_random(&seed);
      norm += d[c] * d[c];
    }
    for (int c = 0; c < 3; c++)
      body.solid->active[e].direction[c] = d[c] / sqrt(norm);
    body.solid->active[e].stretch = 1 + 0.4 * scenes_random(&seed);
  }
  body.n = 3 * body.solid->n_nodes;
  body.x = calloc(5 * body.n, sizeof *body.x);
  body.hat = body.x + body.n;
  body.load = body.hat + body.n;
  body.gradient = body.load + body.n;
  body.other = body.gradient + body.n;
  body.dof = calloc(body.n, sizeof *body.dof);
  for (size_t i = 0; i < body.n; i++)
    body.x[i] = scenes_random(&seed); // far from rest, many inverted
  body.assembly.threads = 2;
  body.assembly.hat = body.hat;
  body.assembly.load = body.load;
  return body;
}

static void free_body(active_body *body) {
  free(body->dof);
  free(body->x);
  nh_assembly_clear(&body->assembly);
  nh_solid_destroy(body->solid);
  free(body->scene);
}

/// Gradients and second derivatives against fourth-order differences of step 1e-3, in a direction
/// at random: their error, of 1e-12 times a fifth derivative, and rounding, of 1e-16/1e-3, are both
/// far below 1e-7.
START_TEST(derivatives_with_activation) {
  active_body body = make_body(_i);
  nh_assembly *a = &body.assembly;
  size_t n = body.n;
  double *along = calloc(4 * n, sizeof *along), *right = along + n, *moved = right + n;
  double *sum = moved + n, slope = 0, phi = 0, size = 0, worst = 0;
  uint64_t seed = 5;
  nh_assembly_evaluate(a, body.x, body.dof, body.gradient);
  nh_assembly_curve(a, body.x, false);
  for (size_t i = 0; i < n; i++) {
    along[i] = scenes_random(&seed);
    slope += body.gradient[i] * along[i];
  }
  nh_assembly_multiply(a, along, right);
  for (int s = 0; s < 4; s++) {
    static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
    const double h = 1e-3;
    for (size_t i = 0; i < n; i++)
      moved[i] = body.x[i] + h * (s < 2 ? s - 2 : s - 1) * along[i];
    phi += weight[s] / h * nh_assembly_evaluate(a, moved, body.dof, body.other).phi;
    for (size_t i = 0; i < n; i++)
      sum[i] += weight[s] / h * body.other[i];
  }
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(sum[i]));
    worst = fmax(worst, fabs(right[i] - sum[i]));
  }
  printf("slope %.1e, curvature %.1e off differences\n", fabs(phi / slope - 1), worst / size);
  ck_assert_double_lt(fabs(phi / slope - 1), 1e-7);
  ck_assert_double_lt(worst / size, 1e-7);
  free(along);
  free_body(&body);
}
END_TEST

/// A projected second derivative has no direction of negative curvature; without, this body has.
START_TEST(projection_is_positive_with_activation) {
  active_body body = make_body(false);
  uint64_t seed = 6;
  double *along = calloc(2 * body.n, sizeof *along), *right = along + body.n;
  int negative[2] = {0};
  double least = 0;
  for (int project = 0; project < 2; project++) {
    nh_assembly_curve(&body.assembly, body.x, project);
    for (int turn = 0; turn < 500; turn++) {
      double curvature = 0, size = 0;
      for (size_t i = 0; i < body.n; i++)
        along[i] = scenes_random(&seed);
      for (int power = 0; power < 3; power++) // towards the lowest of (c - H), c above all of H
        for (size_t i = 0; i < body.n; i++) {
          if (i == 0)
            nh_assembly_multiply(&body.assembly, along, right);
          along[i] = 1e7 * along[i] - right[i];
        }
      nh_assembly_multiply(&body.assembly, along, right);
      for (size_t i = 0; i < body.n; i++) {
        curvature += along[i] * right[i];
        size += fabs(along[i] * right[i]);
      }
      negative[project] += curvature < -1e-12 * size;
      least = fmin(least, project ? curvature / size : 0);
    }
  }
  printf("negative curvature: %d of 500 without projection, %d with (%.1e)\n", negative[0],
         negative[1], least);
  ck_assert_int_gt(negative[0], 0);
  ck_assert_int_eq(negative[1], 0); // rounding of sums of both signs is far below 1e-12
  free(along);
  free_body(&body);
}
END_TEST

/// Turned as a whole, a body has the same energy, and its forces turn along.
START_TEST(turns_change_nothing) {
  active_body body = make_body(_i);
  const double w = 0.5, x = 0.7, y = -0.1, z = 0.5; // a unit quaternion
  const double r[9] = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  double *turned = calloc(body.n, sizeof *turned), worst = 0, size = 0;
  nh_value before = nh_assembly_evaluate(&body.assembly, body.x, body.dof, body.gradient);
  for (size_t i = 0; i < body.n; i++)
    for (size_t c = 0; c < 3; c++)
      turned[i] += r[3 * (i % 3) + c] * body.x[i / 3 * 3 + c];
  nh_value after = nh_assembly_evaluate(&body.assembly, turned, body.dof, body.other);
  for (size_t i = 0; i < body.n; i++) {
    double right = 0;
    for (size_t c = 0; c < 3; c++)
      right += r[3 * (i % 3) + c] * body.gradient[i / 3 * 3 + c];
    size = fmax(size, fabs(right));
    worst = fmax(worst, fabs(body.other[i] - right));
  }
  ck_assert_double_eq_tol(after.phi, before.phi, 1e-13 * before.phi); // rounding of sums
  ck_assert_double_lt(worst, 1e-13 * size);
  free(turned);
  free_body(&body);
}
END_TEST

/// A free body whose fibers run obliquely comes to F^T F = Fa^2 in one load step, and stores
/// nothing: 1e-10 of E times its volume, as the residual ends at 1e-10.
START_TEST(a_free_body_takes_its_active_shape) {
  const double a = 0.7, square[2] = {a * a, 1 / a};
  vb_builder *b = scenes_begin(1, 0);
  solids_box(b, cells, unit_size, _i & 2 ? 0.49 : 0.3, 0.2);
  activate_all(b, VB_ACTIVE_STRAIN, oblique, contraction(b, a));
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "elements",
                            _i & 1 ? "quadratic" : "linear", NULL);
  handle_step(&h, 1);
  double *f = handle_read(&h, "deformation"), worst = 0;
  for (size_t e = 0; e < vb_scene_count(scene, VB_SET_TETRAHEDRON); e++)
    for (size_t k = 0; k < 9; k++) {
      size_t i = k / 3, j = k % 3;
      double right = square[1] * (i == j) + (square[0] - square[1]) * oblique[i] * oblique[j];
      double *g = f + 9 * e;
      worst = fmax(worst, fabs(g[i] * g[j] + g[3 + i] * g[3 + j] + g[6 + i] * g[6 + j] - right));
    }
  printf("%.0f iterations, strain %.1e off, energy %.1e J\n",
         handle_value(&h, "newton_iterations", 0), worst, handle_energy(&h, "elastic"));
  ck_assert_double_lt(worst, 1e-8);
  ck_assert_double_lt(fabs(handle_energy(&h, "elastic")), 1e-10 * 1e6);
  ck_assert_double_eq_tol(handle_value(&h, "volume", 0), 1, 1e-8);
  free(f);
  handle_close(&h);
  free(scene);
}
END_TEST

/// The stretch across at which nothing pulls sideways, of elastic stretch `e` along, by bisection,
/// and the stress along; of E 1e6 Pa.
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

/// A cube that slides along its walls, its fibers along x, held there `pull` longer than at rest
/// by the driver 1, and contracting to 0.8 within a second.
static vb_scene *held_cube(double nu, double step, double pull) {
  static const double along[3] = {1, 0, 0};
  vb_builder *b = scenes_begin(step, 0);
  solid_box s = solids_box(b, cells, unit_size, nu, 0.2);
  int32_t still = solids_driver(b, "still", -1, -1);
  int32_t hand = solids_driver(b, "hand", pull != 0 ? solids_ramp(b, 1, pull) : -1, -1);
  for (size_t i = 0; i < s.n_nodes; i++) {
    uint32_t mask = 0;
    for (int c = 0; c < 3; c++)
      mask |= solids_on_face(&s, i, c, 0) ? 1u << c : 0;
    bool pulled = solids_on_face(&s, i, 0, 1);
    if (mask || pulled)
      fixture_add(b, VB_SET_PIN,
                  &(vb_pin){VB_AT_NODE, (int32_t)i, mask | pulled, pulled ? hand : still});
  }
  activate_all(b, VB_ACTIVE_STRAIN, along, contraction(b, 0.8));
  return fixture_freeze(b);
}

/// Held at a stretch l, its elastic stretch along is l/a; the force is dPsi/dFe/a, the stretch
/// across a^(-1/2) times the elastic one.
START_TEST(a_held_body_pulls_by_its_root) {
  static const double ratio[3] = {0, 0.3, 0.49}, pulls[3] = {-0.1, 0, 0.25};
  const double nu = ratio[_i % 3], pull = pulls[_i / 3], a = 0.8;
  vb_scene *scene = held_cube(nu, 1, pull);
  handle h = handle_open_as(SOLVER, scene, "dynamics", "static", "tolerance", "0", "elements",
                            _i % 2 ? "linear" : "quadratic", NULL);
  handle_step(&h, 1);
  double stress, t = lateral_stretch(nu, (1 + pull) / a, &stress) / sqrt(a), force[6], torque[6];
  size_t last = vb_scene_count(scene, VB_SET_NODE) - 1;
  ck_assert_int_eq(h.solver->reactions(h.self, force, torque, NULL), VB_OK);
  double *p = handle_read(&h, "stress");
  printf("nu %g, length %g: force %.9g N of %.9g N\n", nu, 1 + pull, force[3], stress / a);
  // The numbers of the equations are of size one; 1e-12 allows for the elimination's rounding.
  ck_assert_double_eq_tol(handle_value(&h, "position", 3 * last + 1), t, 1e-12);
  ck_assert_double_eq_tol(handle_value(&h, "volume", 0), (1 + pull) * t * t, 1e-12);
  ck_assert_double_eq_tol(force[3], stress / a, 1e-10 * stress);
  ck_assert_double_eq_tol(force[0], -stress / a, 1e-10 * stress);
  ck_assert_double_eq_tol(p[0], stress / a, 1e-10 * stress); // of a section of 1 m^2 at rest
  free(p);
  handle_close(&h);
  free(scene);
}
END_TEST

/// The work of all activations, and that of drivers.
static double active_work(const handle *h, double *driven) {
  double work[256], sum = 0;
  size_t n_drivers = vb_scene_count(h->scene, VB_SET_DRIVER);
  size_t n = n_drivers + vb_scene_count(h->scene, VB_SET_ACTIVATION);
  ck_assert_uint_le(n, sizeof work / sizeof *work);
  ck_assert_int_eq(h->solver->work(h->self, work, NULL), VB_OK);
  *driven = 0;
  for (size_t k = 0; k < n; k++)
    *(k < n_drivers ? driven : &sum) += work[k];
  return sum;
}

/// In statics the work of fibers, and of a hand that gives way to them, is the energy: to second
/// order in the load steps, where nothing jumps.
START_TEST(work_is_energy_in_statics) {
  double off[2];
  for (int k = 0; k < 2; k++) {
    vb_scene *scene = held_cube(0.4, k ? 0.025 : 0.05, _i ? -0.1 : 0);
    handle h = handle_open_as(SOLVER, scene, "dynamics", "static", NULL);
    handle_step(&h, k ? 40 : 20);
    double driven, active = active_work(&h, &driven), energy = handle_energy(&h, "elastic");
    ck_assert_double_gt(active, energy * (_i ? 1.1 : 0.99)); // a hand that yields takes work
    off[k] = (active + driven) / energy - 1;
    handle_close(&h);
    free(scene);
  }
  printf("work over energy: %.3e, %.3e off one\n", off[0], off[1]);
  ck_assert_double_lt(fabs(off[0]), 0.02);
  // Twice as many steps leave a quarter; terms of higher order leave the exponent within 0.3.
  ck_assert_double_eq_tol(log2(fabs(off[0] / off[1])), 2, 0.3);
}
END_TEST

/// A free body that contracts within a step: the work of activation is what its energy becomes by
/// that, and implicit Euler only takes of it.
START_TEST(energy_is_at_most_the_work) {
  vb_builder *b = scenes_begin(0.02, 0);
  solids_box(b, cells, unit_size, 0.4, 0.2);
  activate_all(b, VB_ACTIVE_STRAIN, oblique, contraction(b, 0.8));
  vb_scene *scene = fixture_freeze(b);
  handle h = handle_open_as(SOLVER, scene, NULL);
  double before = 0, done = 0, driven;
  for (int step = 0; step < 60; step++) {
    handle_step(&h, 1);
    double energy = handle_energy(&h, "elastic") + handle_energy(&h, "kinetic");
    double now = active_work(&h, &driven);
    ck_assert_double_le(energy - before,
                        now - done + 1e-9 * now); // 1e-10: the residual's tolerance
    before = energy;
    done = now;
  }
  ck_assert_double_gt(done, 1);
  handle_close(&h);
  free(scene);
}
END_TEST

START_TEST(states_and_threads) {
  vb_scene *scene = held_cube(0.45, 0.1, 0.2);
  handle a = handle_open_as(SOLVER, scene, "threads", "1", NULL);
  handle b = handle_open_as(SOLVER, scene, "threads", "3", NULL);
  handle_step(&a, 3);
  void *state = handle_save(&a);
  double energy = handle_energy(&a, "elastic");
  handle_step(&a, 4);
  ck_assert_int_eq(b.solver->restore(b.self, state, NULL), VB_OK);
  ck_assert_double_eq(handle_energy(&b, "elastic"), energy); // with the stretches of that time
  handle_step(&b, 4);
  ck_assert_double_gt(handle_energy(&a, "elastic"), 1);
  ck_assert(handle_same(&a, &b));
  free(state);
  handle_close(&a);
  handle_close(&b);
  free(scene);
}
END_TEST

START_TEST(fibers_of_passive_sections_are_refused) {
  vb_builder *b = scenes_begin(1, 0);
  solids_box(b, cells, unit_size, 0.3, 0);
  activate_all(b, VB_ACTIVE_FIBER, oblique, contraction(b, 0.8));
  vb_scene *scene = fixture_freeze(b);
  const vb_solver *solver;
  void *self = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "activation 0 (muscle) is neither a strain nor of the kind hill, "
                                  "the kinds that solver neohookean supports");
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("neohookean activation");
  tcase_add_loop_test(c, derivatives_with_activation, 0, 2);
  tcase_add_test(c, projection_is_positive_with_activation);
  tcase_add_loop_test(c, turns_change_nothing, 0, 2);
  tcase_add_loop_test(c, a_free_body_takes_its_active_shape, 0, 4);
  tcase_add_loop_test(c, a_held_body_pulls_by_its_root, 0, 9);
  tcase_add_loop_test(c, work_is_energy_in_statics, 0, 2);
  tcase_add_test(c, energy_is_at_most_the_work);
  tcase_add_test(c, states_and_threads);
  tcase_add_test(c, fibers_of_passive_sections_are_refused);
  return c;
}

VB_TEST_MAIN("neohookean_activation", make_case())
