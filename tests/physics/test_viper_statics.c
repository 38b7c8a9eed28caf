// SPDX-License-Identifier: GPL-3.0-or-later
/// Statics of the viper solver: equilibria against an independent gradient and closed forms, how
/// fast they are reached, the work of load steps, what is refused.
/// Covers: src/viper/statics.* src/viper/method/statics.h src/viper/method/equilibrium.h
/// Covers: src/viper/cpu/single/static_lanes.c src/viper/cpu/evaluate/load_path.*
/// Covers: src/viper/cpu/evaluate/static_newton.* src/viper/cpu/evaluate/load_stiffness.*
#include "scene/rotation.h"
#include "scenes/reference_scenes.h"

enum { N = 16 };
static const double length = 1, radius = 0.01;
/// kx + ky, kz + kv, kv of scenes_rubber.
static const double kxy = 9e4, kz = 6e4, kv = 3e5;

static double bending(void) {
  return (kz + kv) * M_PI * pow(radius, 4) / 4;
}

/// A slender bar along x, clamped at its first end, load steps of 1 s.
static vb_builder *begin_bar(int n, double step) {
  vb_builder *b = scenes_begin(step, 0);
  scenes_bar(b, n, length, radius, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  return b;
}

static int32_t ramp(vb_builder *b) {
  return scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 1}});
}

static void add_load(vb_builder *b, vb_location at, int32_t index, double x, double y, double z,
                     int32_t amplitude) {
  vb_load load = {.name = "load", .location = at, .index = index, .amplitude = amplitude};
  double *v = at == VB_AT_NODE ? load.force : load.torque;
  v[0] = x;
  v[1] = y;
  v[2] = z;
  fixture_add(b, VB_SET_LOAD, &load);
}

/// The part of the forces on a solver's state that does not balance, by the independent model.
static double imbalance(const handle *s, const vb_scene *scene, double time) {
  ref_problem p;
  ref_state x;
  ref_rates v;
  ref_real zero[REF_UNKNOWNS] = {0}, gradient[REF_UNKNOWNS], load[REF_UNKNOWNS];
  ref_real part[REF_TERMS + 1][REF_UNKNOWNS], sum;
  ref_result result = {.gradient = gradient, .part = part};
  ref_open(scene, 1, &p);
  ref_start(&p, &x, &v);
  ref_predict(&p, &x, &v, (ref_real)time - 1); // for activations, and what is held
  double *position = handle_read(s, "position"), *scale = handle_read(s, "scale");
  double *frame = handle_read(s, "frame");
  for (size_t i = 0; i < p.n_nodes; i++)
    for (size_t k = 0; k < 4; k++)
      x.node[i][k] = k < 3 ? position[3 * i + k] : scale[i];
  for (size_t j = 0; j < p.n_segments; j++)
    ref_matrix(frame + 4 * j, x.frame[j]);
  free(position);
  free(scale);
  free(frame);
  ref_evaluate(&p, &x, zero, &result);
  ref_loads(&p, &x, (ref_real)time, load);
  sum = ref_norm(&p, load);
  for (size_t u = 0; u < p.n_unknowns; u++)
    gradient[u] = -load[u];
  for (int k = 0; k < REF_TERMS; k++) {
    sum += ref_norm(&p, part[k]);
    for (size_t u = 0; u < p.n_unknowns; u++)
      gradient[u] += part[k][u];
  }
  return (double)(ref_norm(&p, gradient) / sum);
}

/// Helices and an octopus under gravity, forces, torques, moving drivers, activations and held
/// parts of frames. 1e-9: rounding of forces some 1e4 times those that balance in the end, and the
/// differences by which the independent gradient is made.
START_TEST(forces_balance_by_the_independent_model) {
  static const int kinds[] = {HELIX, OCTOPUS, ACTIVE, HELD};
  vb_scene *scene = make_scene(kinds[_i], 0.01);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "40", "tolerance", "0", NULL);
  for (int k = 1; k <= 3; k++) {
    handle_step(&s, 1);
    double left = imbalance(&s, scene, 0.01 * k), residual = handle_residual(&s);
    ck_assert_msg(left < 1e-9 && residual < 1e-9, "%g, residual %g", left, residual);
    ck_assert_double_lt(handle_value(&s, "newton_step", 0), 1e-10);
    ck_assert_double_eq(handle_energy(&s, "kinetic"), 0);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Where one iteration leaves too much, a load step is taken again in double: to the same state as
/// 40 iterations, with the same work, of drivers, loads and activations. 1e-9 of the scene, and of
/// the sum of all works: both end at rounding.
START_TEST(what_is_taken_again_is_the_same) {
  static const int kinds[] = {HELIX, OCTOPUS, ACTIVE, HELD};
  vb_scene *scene = make_scene(kinds[_i], 0.01);
  handle s =
      handle_open(scene, "dynamics", "static", "iterations", "40", "tolerance", "1e-13", NULL);
  handle again =
      handle_open(scene, "dynamics", "static", "iterations", "1", "tolerance", "1e-13", NULL);
  double work[2][64] = {{0}}, sum = 0;
  size_t n;
  vb_scene_nodes(scene, &n);
  handle_step(&s, 3);
  handle_step(&again, 3);
  ck_assert_double_lt(imbalance(&again, scene, 0.03), 1e-9);
  double *x = handle_read(&s, "position"), *y = handle_read(&again, "position");
  for (size_t k = 0; k < 3 * n; k++)
    ck_assert_double_eq_tol(x[k], y[k], 1e-9);
  ck_assert_int_eq(s.solver->work(s.self, work[0], NULL), VB_OK);
  ck_assert_int_eq(again.solver->work(again.self, work[1], NULL), VB_OK);
  for (size_t k = 0; k < 64; k++)
    sum += fabs(work[0][k]);
  ck_assert_double_gt(sum, 0);
  for (size_t k = 0; k < 64; k++)
    ck_assert_double_eq_tol(work[0][k], work[1][k], 1e-9 * sum);
  free(x);
  free(y);
  handle_close(&s);
  handle_close(&again);
  free(scene);
}
END_TEST

/// Bars with a force at the tip: one that bends it by 0.6 of its length, and one that presses it
/// beyond its buckling load, a thousandth of it across.
static vb_scene *pushed_bar(bool pressed, double step) {
  vb_builder *b = begin_bar(N, step);
  const double force = pressed ? 1.5 * M_PI * M_PI * bending() / 4 : 3 * bending();
  add_load(b, VB_AT_NODE, N, pressed ? -force : 0, pressed ? 1e-3 * force : force, 0, -1);
  return fixture_freeze(b);
}

static double potential(const handle *s, double start) {
  double work[2];
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  return handle_elastic(s) - start - work[1];
}

/// In one load step from the straight bar: digits double at the end, and the energy less the work
/// of the (constant) load never rises with the iterations.
START_TEST(few_iterations_reach_the_equilibrium) {
  const bool pressed = _i;
  vb_scene *scene = pushed_bar(pressed, 1);
  double residual[13], before = 0;
  for (int k = 1; k <= 12; k++) {
    char iterations[8];
    snprintf(iterations, sizeof iterations, "%d", k);
    handle s =
        handle_open(scene, "dynamics", "static", "iterations", iterations, "tolerance", "0", NULL);
    handle_step(&s, 1);
    residual[k] = handle_residual(&s);
    double now = potential(&s, 0);
    ck_assert_msg(now <= before + 1e-13, "iteration %d: uphill by %g J", k, now - before);
    before = now;
    handle_close(&s);
  }
  ck_assert_double_lt(before, -1e-4);
  ck_assert_msg(residual[10] <= 1e-8, "%g after 10 iterations", residual[10]);
  for (int k = 1; k < 12 && !pressed; k++) // squared, but for a factor of 100 and rounding
    if (residual[k] < 1e-2)
      ck_assert_double_lt(residual[k + 1], 100 * residual[k] * residual[k] + 1e-11);
  free(scene);
}
END_TEST

/// The transient bar at rest after steps of 10 000 s is the static one: 1e-8 of the length.
START_TEST(a_transient_run_comes_to_rest_there) {
  vb_scene *slow = pushed_bar(false, 1e4), *scene = pushed_bar(false, 1);
  handle rest = handle_open(slow, "iterations", "300", "tolerance", "0", NULL);
  handle s = handle_open(scene, "dynamics", "static", NULL);
  handle_step(&rest, 3);
  handle_step(&s, 1);
  for (size_t k = 0; k < 3 * (N + 1); k++)
    ck_assert_double_eq_tol(handle_value(&s, "position", k), handle_value(&rest, "position", k),
                            1e-8);
  handle_close(&rest);
  handle_close(&s);
  free(slow);
  free(scene);
}
END_TEST

/// Slope at the tip of the elastica that a force across its clamped end bends: f = F L^2 / B is
/// (K(k) - F(phi, k))^2, found from the quadrature of sqrt(f) = int ds / sqrt(2 (sin a - sin t)).
/// Returns the tip's way across, over the length.
static double elastica_tip(double f) {
  double low = 0, high = M_PI / 2;
  double across = 0;
  for (int k = 0; k < 60; k++) {
    const double a = (low + high) / 2;
    enum { STEPS = 400 };
    double sum = 0;
    across = 0;
    for (int i = 0; i < STEPS; i++) { // t = a - u^2 takes the root's pole away
      const double end = sqrt(a), u = end * (i + 0.5) / STEPS, t = a - u * u;
      const double part = 2 * u / sqrt(2 * (sin(a) - sin(t))) * end / STEPS;
      sum += part;
      across += part * sin(t);
    }
    across /= sum;
    if (sum * sum < f)
      low = a;
    else
      high = a;
  }
  return across;
}

/// The bent bar tends to the elastica at first order; 1e-3 is what its stretch and shear make of
/// it, about (r/L)^2 times ten, and the second order part.
START_TEST(a_bent_bar_tends_to_the_elastica) {
  const double right = elastica_tip(3);
  double tip[3];
  for (int k = 0; k < 3; k++) {
    const int n = N << k;
    vb_builder *b = begin_bar(n, 1);
    add_load(b, VB_AT_NODE, n, 0, 3 * bending(), 0, -1);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "dynamics", "static", NULL);
    handle_step(&s, 1);
    tip[k] = handle_value(&s, "position", 3 * (size_t)n + 1);
    handle_close(&s);
    free(scene);
  }
  ck_assert_double_eq_tol((tip[0] - tip[1]) / (tip[1] - tip[2]), 2, 0.2);
  ck_assert_double_eq_tol(2 * tip[2] - tip[1], right, 1e-3);
}
END_TEST

/// A moment at the end rolls a bar, held in its plane, to a polygon: each joint turns by the angle
/// of which B sin / lm is the moment. 1e-9: rounding of the forces over the softest stiffness.
START_TEST(a_moment_rolls_a_bar_to_a_circle) {
  vb_builder *b = begin_bar(N, 1);
  const double angle = 2 * M_PI / N, moment = bending() * sin(angle) * N / length;
  for (int32_t i = 1; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_SCALE | VB_PIN_Y, 0);
  // The frames' v is along y.
  for (int32_t j = 1; j < N; j++)
    scenes_hold(b, j, VB_FRAME_U | VB_FRAME_W, 0);
  add_load(b, VB_AT_SEGMENT, N - 1, 0, moment, 0, -1);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "10", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double x = 0, z = 0;
  for (int i = 0; i <= N; i++) {
    ck_assert_double_eq_tol(handle_value(&s, "position", 3 * (size_t)i), x, 1e-9);
    ck_assert_double_eq_tol(fabs(handle_value(&s, "position", 3 * (size_t)i + 2)), fabs(z), 1e-9);
    x += cos(angle * i) * length / N;
    z += sin(angle * i) * length / N;
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// A scene's nodes and frames, turned about an axis that is none of the world's.
static void turn_scene(vb_builder *b, double q[4]) {
  const double half = 0.4, axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  q[0] = cos(half);
  for (int k = 0; k < 3; k++)
    q[k + 1] = sin(half) * axis[k];
  for (size_t i = 0; i < n; i++)
    vb_quaternion_rotate(q, node[i].position, node[i].position);
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++) {
    double frame[4];
    memcpy(frame, segment[j].frame, sizeof frame);
    vb_quaternion_multiply(q, frame, segment[j].frame);
  }
}

/// The bending stiffness B of a bar, whose segments become solid.
static double bending_of(vb_builder *b, bool solid) {
  size_t n;
  if (!solid)
    return bending();
  scenes_solidify(b, 1);
  const vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  return segment->young * M_PI * pow(radius, 4) / 4;
}

/// A free bar is rolled up by `turns` turns in load steps of a tenth: by a couple about an axis
/// that stays, or that turns with the end section. Nothing keeps it in its plane, which lies across
/// the axes, so that rounding leaves it: past half a turn a method grows that which takes the
/// symmetric part of the derivative for all of it. Each joint has the angle of which B sin / lm is
/// the moment: whole turns close the polygon. 1e-8: what is
/// left of the forces is 1e-12 of the couple, or as a force on a node, by its inertia, 1e-12 over a
/// lever of r/2, which bends a rod of 100 r by 2e-10 of that angle: some 1e-9 of the length.
/// Of the material model solid B is E I instead.
static void roll_up(int turns, bool follows, bool solid) {
  vb_builder *b = begin_bar(N, 0.1);
  const double angle = 2 * M_PI * turns / N;
  const double moment = bending_of(b, solid) * sin(angle) * N / length;
  double q[4], couple[3] = {0, moment, 0}, x[3] = {0};
  for (int32_t i = 1; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_SCALE, 0);
  turn_scene(b, q);
  vb_quaternion_rotate(q, couple, couple);
  add_load(b, VB_AT_SEGMENT, N - 1, couple[0], couple[1], couple[2], ramp(b));
  if (follows)
    fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){0, N - 1});
  vb_scene *scene = fixture_freeze(b);
  handle s =
      handle_open(scene, "dynamics", "static", "iterations", "20", "tolerance", "1e-12", NULL);
  vb_convergence c;
  double work[2], worst = 0;
  handle_step(&s, 10);
  for (int i = 0; i <= N; i++) {
    double at[3] = {x[0], 0, x[2]};
    vb_quaternion_rotate(q, at, at);
    for (size_t k = 0; k < 3; k++)
      worst = fmax(worst, fabs(handle_value(&s, "position", 3 * (size_t)i + k) - at[k]));
    x[0] += cos(angle * i) * length / N;
    x[2] -= sin(angle * i) * length / N;
  }
  fprintf(stderr, "%d turns%s%s: off by %.2g\n", turns, follows ? ", follows" : "",
          solid ? ", solid" : "", worst);
  ck_assert_double_lt(worst, 1e-8);
  ck_assert_int_eq(s.solver->convergence(s.self, &c, NULL), VB_OK);
  ck_assert_msg(c.evaluated == 10 && c.missed == 0, "%s", c.what);
  ck_assert_double_le(c.worst, 1e-12);
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  // Work is torque times the chord of a load step's turn, 0.6 rad: (0.6 turns)^2 / 24 too little.
  // Of a load that turns it is that of the torque after the step, a tenth of the energy too much.
  ck_assert_double_eq_tol(handle_elastic(&s) / work[1], 1, follows ? 0.15 : 0.02 * turns * turns);
  handle_close(&s);
  free(scene);
}

START_TEST(a_couple_rolls_a_free_bar_up) {
  roll_up(1 + _i / 2 % 2, _i % 2 == 1, _i / 4 == 1);
}
END_TEST

/// A bar that a force pulls: its stretch e and scale s are the roots of the section's and the
/// axial equation. Twice as long, with volume kept; 1e-10: rounding.
START_TEST(a_pulled_bar_keeps_its_volume) {
  double e = 2, low = 0.05, high = 1;
  for (int k = 0; k < 100; k++) {
    const double t = (low + high) / 2;
    if (kxy * (t - 1) + 2 * kv * t * e * (t * t * e - 1) > 0)
      high = t;
    else
      low = t;
  }
  const double force =
      M_PI * radius * radius * (kz * (e - 1) + kv * low * low * (low * low * e - 1));
  vb_builder *b = begin_bar(N, 1);
  add_load(b, VB_AT_NODE, N, force, 0, 0, -1);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "20", "tolerance", "0", NULL);
  handle_step(&s, 1);
  ck_assert_double_eq_tol(handle_value(&s, "position", 3 * N), e * length, 1e-10);
  for (size_t i = 0; i <= N; i++)
    ck_assert_double_eq_tol(handle_value(&s, "scale", i), low, 1e-10);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Energy gained less work in `steps` load steps: by a force (0), a torque that twists (1), or
/// drivers (2) that bend and pull.
static double lost(int by, int steps) {
  vb_builder *b = begin_bar(N, 1.0 / steps);
  const int32_t curve = ramp(b);
  if (by == 0)
    add_load(b, VB_AT_NODE, N, 0, 3 * bending(), 0, curve);
  else if (by == 1)
    add_load(b, VB_AT_SEGMENT, N - 1, 0.5 * bending(), 0, 0, curve);
  if (by == 2) {
    vb_driver hand = {"hand", {length, 0, 0}, {0, 0.6, 0.8}, {curve, curve, -1}, curve};
    int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
    scenes_pin_node(b, N, VB_PIN_CENTER, driver);
    scenes_pin_frame(b, N - 1, driver);
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "20", NULL);
  handle_step(&s, steps);
  double work[3] = {0}, sum = 0;
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  for (int k = 0; k < 3; k++)
    sum += work[k];
  double out = handle_elastic(&s) - sum;
  ck_assert_double_gt(handle_elastic(&s), 1e-4);
  handle_close(&s);
  free(scene);
  return out;
}

/// Work is energy to the second order of the load step: forces before and after it have a mean.
START_TEST(work_is_the_energy_gained) {
  double coarse = lost(_i, 20), fine = lost(_i, 40);
  ck_assert_msg(fabs(coarse / fine - 4) < 0.4, "%g, %g", coarse, fine);
}
END_TEST

/// Sweeps minimize the same Phi: a stout bar of four segments, to 1e-9, after as many as that
/// takes.
START_TEST(sweeps_end_there) {
  vb_builder *b = scenes_begin(1, 9.81);
  scenes_bar(b, 4, 0.4, 0.05, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  add_load(b, VB_AT_NODE, 4, 0, 20, 5, -1);
  add_load(b, VB_AT_SEGMENT, 3, 1, 0, 0, -1);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "30", "tolerance", "0", NULL);
  handle sweeps = handle_open(scene, "dynamics", "static", "method", "block-descent", "iterations",
                              "20000", NULL);
  handle_step(&s, 1);
  handle_step(&sweeps, 1);
  for (size_t k = 0; k < 15; k++)
    ck_assert_double_eq_tol(handle_value(&sweeps, "position", k), handle_value(&s, "position", k),
                            1e-9);
  handle_close(&s);
  handle_close(&sweeps);
  free(scene);
}
END_TEST

/// Threads do not count, and a saved state goes on as it did.
START_TEST(states_are_kept) {
  vb_scene *scene = make_scene(HELIX, 0.02);
  handle one = handle_open(scene, "dynamics", "static", "threads", "1", NULL);
  handle two = handle_open(scene, "dynamics", "static", "threads", "2", NULL);
  handle_step(&one, 2);
  void *state = handle_save(&one);
  handle_step(&one, 2);
  handle_step(&two, 4);
  ck_assert(handle_same(&one, &two));
  ck_assert_int_eq(two.solver->restore(two.self, state, NULL), VB_OK);
  handle_step(&two, 2);
  ck_assert(handle_same(&one, &two));
  free(state);
  handle_close(&one);
  handle_close(&two);
  free(scene);
}
END_TEST

/// A load that turns is across the end where the load step ends: in one step, though it is 20 times
/// B / L^2, which bends the bar by more than half a turn. With tolerance 0, which
/// looks at no step's end, it has in each the direction before it, and steps at the same load come
/// there.
START_TEST(a_load_turns_with_its_end) {
  vb_builder *b = begin_bar(N, 1);
  const double size = (_i ? 1 : 20) * bending();
  add_load(b, VB_AT_NODE, N, 0, size, 0, -1);
  fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){0, N - 1});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", "tolerance", _i ? "0" : "1e-10", NULL);
  double force[3], torque[3], tip[3];
  handle_step(&s, _i ? 40 : 1);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  for (size_t k = 0; k < 3; k++)
    tip[k] = handle_value(&s, "position", 3 * N + k) - handle_value(&s, "position", 3 * N - 3 + k);
  ck_assert_double_lt(handle_residual(&s), 1e-10);
  ck_assert_double_eq_tol(hypot(force[0], force[1]), size, 1e-9 * size);
  double along = (force[0] * tip[0] + force[1] * tip[1]) / (size * length / N);
  ck_assert_double_lt(fabs(along), 2e-3 * size / bending()); // sheared by F / ((kz + kv) pi r^2)
  handle_close(&s);
  free(scene);
}
END_TEST

static void refuses(vb_scene *scene, vb_status status, const char *said, const char *name,
                    const char *value) {
  const vb_solver *solver;
  const vb_option options[] = {{"dynamics", "static"}, {name, value}};
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, options, 2, &self, &error), status);
  ck_assert_msg(strstr(error.message, said), "%s", error.message);
  free(scene);
}

START_TEST(what_it_does_not_take_is_refused) {
  vb_builder *b = scenes_begin(1, 0);
  scenes_bar(b, 3, 0.4, 0.05, &scenes_rubber);
  refuses(fixture_freeze(b), VB_BAD_INPUT, "pins prevent 0 of the 6 rigid motions", "iterations",
          "5");
  b = scenes_begin(1, 0);
  scenes_bar(b, 3, 0.4, 0.05, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall); // two hinges: it may turn between them
  scenes_pin_node(b, 3, VB_PIN_CENTER, wall);
  refuses(fixture_freeze(b), VB_BAD_INPUT, "pins prevent 5 of the 6 rigid motions", "iterations",
          "5");
  b = begin_bar(3, 1);
  fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){.normal = {0, 0, 1}, .offset = -1});
  refuses(fixture_freeze(b), VB_UNAVAILABLE, "does not support contact, half-planes or bundles",
          "iterations", "5");
  refuses(fixture_freeze(begin_bar(3, 1)), VB_BAD_INPUT, "leave out integrator bdf2", "integrator",
          "bdf2");
  refuses(fixture_freeze(begin_bar(3, 1)), VB_BAD_INPUT, "needs method direct or block-descent",
          "method", "xpbd");
  refuses(fixture_freeze(begin_bar(3, 1)), VB_BAD_INPUT, "needs method direct or block-descent",
          "method", "jacobi-published");
}
END_TEST

/// Three turns at once, with scales that give, are more than one search finds: the load step is
/// taken in increments, which is told, to where forces balance.
START_TEST(a_load_step_is_taken_in_increments) {
  const int n = 4 * N;
  vb_builder *b = begin_bar(n, 1);
  double q[4], couple[3] = {0, bending() * 2 * M_PI * 3 / length, 0};
  turn_scene(b, q);
  vb_quaternion_rotate(q, couple, couple);
  add_load(b, VB_AT_SEGMENT, n - 1, couple[0], couple[1], couple[2], -1);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", NULL);
  ck_assert_ptr_null(s.solver->warning(s.self));
  handle_step(&s, 1);
  const char *warning = s.solver->warning(s.self);
  vb_convergence c;
  ck_assert_int_eq(s.solver->convergence(s.self, &c, NULL), VB_OK);
  ck_assert_msg(c.missed == 0 && handle_residual(&s) <= 1e-8, "%s", c.what);
  ck_assert_ptr_nonnull(warning);
  ck_assert_msg(strstr(warning, "increments"), "%s", warning);
  handle_close(&s);
  free(scene);
}
END_TEST

/// No joint bears more than B / lm, the moment at a right angle. Beyond it a load step has no
/// equilibrium to find, and says so; load steps before it are not blamed, and a saved state brings
/// back what was counted.
START_TEST(a_load_without_equilibrium_is_told) {
  vb_builder *b = begin_bar(4, 0.5);
  for (int32_t i = 1; i <= 4; i++)
    scenes_pin_node(b, i, VB_PIN_SCALE, 0);
  add_load(b, VB_AT_SEGMENT, 3, 0, 1.2 * bending() * 4 / length, 0, ramp(b));
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "20", NULL);
  vb_convergence half, whole, again;
  handle_step(&s, 1);
  ck_assert_int_eq(s.solver->convergence(s.self, &half, NULL), VB_OK);
  void *state = handle_save(&s);
  handle_step(&s, 1);
  ck_assert_int_eq(s.solver->convergence(s.self, &whole, NULL), VB_OK);
  ck_assert_int_eq(s.solver->restore(s.self, state, NULL), VB_OK);
  ck_assert_int_eq(s.solver->convergence(s.self, &again, NULL), VB_OK);
  ck_assert_msg(half.evaluated == 1 && half.missed == 0 && half.what[0] == 0, "%s", half.what);
  ck_assert(whole.evaluated == 2 && whole.missed == 1 && whole.worst > 1e-8);
  ck_assert_msg(strstr(whole.what, "load step 2 found no equilibrium"), "%s", whole.what);
  ck_assert(again.evaluated == 1 && again.missed == 0);
  free(state);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Two hinges, and a part of a frame that holds the turn between them, are enough.
START_TEST(a_held_turn_is_enough) {
  vb_builder *b = scenes_begin(1, 9.81);
  scenes_bar(b, 4, 0.4, 0.05, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_node(b, 4, VB_PIN_CENTER, wall);
  scenes_hold(b, 1, VB_FRAME_W, wall);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "dynamics", "static", NULL);
  handle_step(&s, 1);
  ck_assert_double_lt(handle_residual(&s), 1e-8);
  ck_assert_double_lt(handle_value(&s, "position", 3 * 2 + 2), -1e-4);
  handle_close(&s);
  free(scene);
}
END_TEST

/// In float the bent bar is the same to 1e-4: rounding, 6e-8, times the ratio of the stiffest to
/// the softest deformation, (L/r)^2 over the segments' number.
START_TEST(float_is_the_same) {
  vb_scene *scene = pushed_bar(_i, 1);
  handle s = handle_open(scene, "dynamics", "static", "iterations", "15", NULL);
  handle single =
      handle_open(scene, "dynamics", "static", "iterations", "15", "precision", "float", NULL);
  handle_step(&s, 1);
  handle_step(&single, 1);
  for (size_t k = 0; k < 3 * (N + 1); k++)
    ck_assert_double_eq_tol(handle_value(&single, "position", k), handle_value(&s, "position", k),
                            1e-4);
  handle_close(&single);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *equilibria(void) {
  TCase *t = tcase_create("equilibria");
  tcase_add_loop_test(t, forces_balance_by_the_independent_model, 0, 4);
  tcase_add_loop_test(t, what_is_taken_again_is_the_same, 0, 4);
  tcase_add_loop_test(t, few_iterations_reach_the_equilibrium, 0, 2);
  tcase_add_test(t, a_transient_run_comes_to_rest_there);
  tcase_add_test(t, a_bent_bar_tends_to_the_elastica);
  tcase_add_test(t, a_moment_rolls_a_bar_to_a_circle);
  tcase_add_loop_test(t, a_couple_rolls_a_free_bar_up, 0, 8);
  tcase_add_test(t, a_pulled_bar_keeps_its_volume);
  tcase_add_loop_test(t, work_is_the_energy_gained, 0, 3);
  tcase_add_test(t, sweeps_end_there);
  tcase_add_loop_test(t, float_is_the_same, 0, 2);
  return t;
}

static TCase *interface(void) {
  TCase *t = tcase_create("interface");
  tcase_add_test(t, states_are_kept);
  tcase_add_loop_test(t, a_load_turns_with_its_end, 0, 2);
  tcase_add_test(t, what_it_does_not_take_is_refused);
  tcase_add_test(t, a_load_step_is_taken_in_increments);
  tcase_add_test(t, a_load_without_equilibrium_is_told);
  tcase_add_test(t, a_held_turn_is_enough);
  return t;
}

VB_TEST_MAIN("viper statics", equilibria(), interface())
