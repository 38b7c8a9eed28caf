// SPDX-License-Identifier: GPL-3.0-or-later
/// The rods with an updated radius against differences, an independent model minimized by GSL, the
/// viper solver with held scales, and closed forms.
/// Covers: reference/bergou/*.[ch]
#include "handle.h"
#include "reference/bergou/element.h"
#include "scene/rotation.h"
#include "scenes/reference_step.h"
#include "scenes/scenes.h"

#include <complex.h>

enum { N = 12 };
static const double length = 0.6, radius = 0.05, density = 1000;
/// kx + ky of scenes_rubber, and kz + kv - 4 kv^2/(kx + ky + 4 kv) in its numbers.
static const double kxy = 9e4, kz = 6e4, matched = 6e4 + 3e5 - 4 * 3e5 * 3e5 / (9e4 + 4 * 3e5);

static double random_in(uint64_t *seed, double size) {
  return size * scenes_random(seed);
}

static void random_frame(uint64_t *seed, double out[4]) {
  double norm;
  do {
    for (int k = 0; k < 4; k++)
      out[k] = scenes_random(seed);
    norm = vb_quaternion_norm(out);
  } while (norm < 0.1 || norm > 1);
  for (int k = 0; k < 4; k++)
    out[k] /= norm;
}

/// Frame turned by the rotation vector `v` in body axes.
static void turned(const double frame[4], const double v[3], double out[4]) {
  double angle = sqrt(vb_dot(v, v)), factor = angle > 0 ? sin(angle / 2) / angle : 0.5;
  double q[4] = {cos(angle / 2), factor * v[0], factor * v[1], factor * v[2]};
  vb_quaternion_multiply(frame, q, out);
}

enum { STRETCH, TURN, INERTIA, N_KINDS };

/// A random element of a kind, and its state.
typedef struct sample {
  int kind, n;
  bergou_segment segment;
  bergou_joint joint;
  double a[3], b[3], frame[2][4];
  double rest; ///< the stretch at which a segment rests
} sample;

static sample make_sample(int kind, uint64_t seed) {
  sample s = {.kind = kind, .n = kind == STRETCH ? 9 : kind == TURN ? 6 : 3, .rest = 1};
  s.segment = (bergou_segment){.length = 0.7, .k = 3, .inertia = 0.2};
  for (int k = 0; k < 3; k++) {
    s.a[k] = random_in(&seed, 1);
    s.b[k] = random_in(&seed, 1);
    s.joint.k[k] = 2 + random_in(&seed, 1);
  }
  if (seed % 2) // active
    s.rest += random_in(&seed, 0.5);
  random_frame(&seed, s.frame[0]);
  random_frame(&seed, s.frame[1]);
  random_frame(&seed, s.joint.left);
  random_frame(&seed, s.joint.right);
  return s;
}

/// Evaluates the element with its unknowns moved by `x`.
static void evaluate(const sample *s, const double *x, bergou_hessian hessian,
                     bergou_element *out) {
  double a[3], b[3], frame[2][4];
  int first = s->kind == STRETCH ? 3 : 0;
  turned(s->frame[0], x + first, frame[0]);
  turned(s->frame[1], s->kind == TURN ? x + 3 : (const double[3]){0}, frame[1]);
  for (int k = 0; k < 3; k++) {
    a[k] = s->a[k] + (s->kind == STRETCH ? x[k] : 0);
    b[k] = s->b[k] + (s->kind == STRETCH ? x[6 + k] : 0);
  }
  if (s->kind == STRETCH)
    bergou_stretch(&s->segment, s->rest, a, b, frame[0], hessian, out);
  else if (s->kind == TURN)
    bergou_turn(&s->joint, frame[0], frame[1], hessian, out);
  else
    bergou_frame_inertia(0.2, 0.5, s->frame[1], frame[0], hessian, out);
}

static double energy_at(const sample *s, double *x, int i, double di, int j, double dj) {
  bergou_element e;
  x[i] += di;
  x[j] += dj;
  evaluate(s, x, BERGOU_EXACT, &e);
  x[j] -= dj;
  x[i] -= di;
  return e.energy[0] + e.energy[1];
}

/// Gradient and exact Hessian are those of the energy. Differences of second order over 1e-3 of
/// functions of order 10 are wrong by about 1e-6, and their rounding errors by 1e-9.
START_TEST(derivatives_are_right) {
  sample s = make_sample(_i % N_KINDS, (uint64_t)_i);
  double x[9] = {0};
  const double step = 1e-3;
  bergou_element e;
  evaluate(&s, x, BERGOU_EXACT, &e);
  for (int i = 0; i < s.n; i++) {
    double slope =
        (energy_at(&s, x, i, step, i, 0) - energy_at(&s, x, i, -step, i, 0)) / (2 * step);
    ck_assert_double_eq_tol(e.g[i], slope, 1e-5);
    for (int j = 0; j < s.n; j++) {
      double bend = (energy_at(&s, x, i, step, j, step) - energy_at(&s, x, i, step, j, -step) -
                     energy_at(&s, x, i, -step, j, step) + energy_at(&s, x, i, -step, j, -step)) /
                    (4 * step * step);
      ck_assert_double_eq_tol(e.h[i][j], bend, 1e-5);
    }
  }
}
END_TEST

/// The convex Hessian has no negative direction, whatever the state.
START_TEST(convex_matrices_are) {
  uint64_t seed = (uint64_t)_i + 99;
  sample s = make_sample(_i % N_KINDS, seed);
  double x[9] = {0};
  bergou_element e;
  evaluate(&s, x, BERGOU_CONVEX, &e);
  for (int trial = 0; trial < 200; trial++) {
    double d[9], sum = 0, size = 0;
    for (int i = 0; i < s.n; i++)
      d[i] = random_in(&seed, 1);
    for (int i = 0; i < s.n; i++)
      for (int j = 0; j < s.n; j++) {
        sum += d[i] * e.h[i][j] * d[j];
        size += fabs(d[i] * e.h[i][j] * d[j]);
      }
    ck_assert_double_ge(sum, -1e-14 * size); // rounding
  }
}
END_TEST

enum { BAR, HELIX, N_SCENES };

/// A chain in motion under gravity, held, driven and loaded. Its twin for a solver with scales: no
/// kv, kz in its place, and all scales held at 1.
static vb_scene *make_scene(int kind, double step, bool twin) {
  vb_builder *b = scenes_begin(step, 9.81);
  scenes_material m = scenes_rubber;
  if (twin) {
    m.stiffness[VB_KZ] = matched;
    m.stiffness[VB_KV] = 0;
  }
  if (kind == BAR) {
    scenes_bar(b, 5, 0.5, 0.05, &m);
    scenes_curve_joint(b, 1, 3, -2, 1); // drawn straight, curved at rest
    scenes_curve_joint(b, 3, 0, 4, -3);
  } else {
    scenes_helix(b, 5, 0, &m);
    scenes_bend(b, 5, 23);
  }
  scenes_disturb(b, 0.02, 0.3, 17);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].scale = 1, node[i].scale_rate = 0;
  const double keys[3][2] = {{0, 0}, {0.05, 0.4}, {0.2, 1}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 3, keys);
  vb_driver hand = {"hand", {0.1, -0.2, 0.3}, {0.6, 0, 0.8}, {-1, curve, -1}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  const uint32_t mask[6] = {VB_PIN_CENTER, 0, VB_PIN_Y, 0, VB_PIN_X | VB_PIN_Z, 0};
  for (int32_t i = 0; i < 6; i++)
    if (mask[i] || twin)
      scenes_pin_node(b, i, mask[i] | (twin ? VB_PIN_SCALE : 0), driver);
  scenes_pin_frame(b, 0, driver);
  scenes_push(b, 3, 1, -2, 0.5, 0);
  scenes_twist(b, 2, 0.02, 0.01, -0.03);
  vb_builder_world(b)->damping = kind == HELIX ? 3 : 0;
  return fixture_freeze(b);
}

/// Greatest difference of positions and frames (as 3x3 matrices) from a reference's.
static double difference(const handle *s, const ref_problem *p, const ref_state *x) {
  double *position = handle_read(s, "position"), *frame = handle_read(s, "frame"), most = 0;
  for (size_t i = 0; i < p->n_nodes; i++)
    for (size_t k = 0; k < 3; k++)
      most = fmax(most, fabs(position[3 * i + k] - (double)x->node[i][k]));
  for (size_t j = 0; j < p->n_segments; j++) {
    ref_real m[3][3];
    ref_matrix(frame + 4 * j, m);
    for (int a = 0; a < 3; a++)
      for (int c = 0; c < 3; c++)
        most = fmax(most, fabs((double)(m[a][c] - x->frame[j][a][c])));
  }
  free(position);
  free(frame);
  return most;
}

/// Tolerance: GSL's minimizer is polished to a gradient of 1e-10 relative, and the solver's to
/// 1e-12; states of order 1 agree to the conditioning (1e3) times these.
START_TEST(newton_reaches_the_minimizer) {
  vb_scene *scene = make_scene(_i, 0.01, false), *twin = make_scene(_i, 0.01, true);
  ref_problem p;
  ref_state x;
  ref_rates v;
  ref_open(twin, 0.01L, &p);
  ref_start(&p, &x, &v);
  handle s = handle_open_as("bergou", scene, "tolerance", "1e-12", NULL);
  ck_assert_double_lt(difference(&s, &p, &x), 1e-14);
  for (int k = 0; k < 3; k++) {
    ck_assert_msg(ref_step(&p, &x, &v, 0.01L * k), "no minimum");
    handle_step(&s, 1);
    ck_assert_double_lt(handle_residual(&s), 1e-12);
    ck_assert_double_lt(difference(&s, &p, &x), 1e-8);
  }
  handle_close(&s);
  free(twin);
  free(scene);
}
END_TEST

static double relative(double a, double b) {
  return fabs(a - b) / fmax(fabs(a), fabs(b));
}

/// The viper solver on the twin goes the same way: states, energies, reactions. Both converge to
/// 1e-12 in each of 50 steps, of whose differences the motion makes a thousand times as much.
START_TEST(viper_with_fixed_scales_agrees) {
  static const char *const energies[] = {"stretch", "bend", "twist", "kinetic", "gravity"};
  vb_scene *scene = make_scene(_i, 0.005, false), *twin = make_scene(_i, 0.005, true);
  handle s = handle_open_as("bergou", scene, "tolerance", "1e-12", NULL);
  handle v = handle_open(twin, "iterations", "200", "tolerance", "1e-12", NULL);
  handle_step(&s, 50);
  handle_step(&v, 50);
  double force[2][3], torque[2][3];
  ck_assert_int_eq(s.solver->reactions(s.self, force[0], torque[0], NULL), VB_OK);
  ck_assert_int_eq(v.solver->reactions(v.self, force[1], torque[1], NULL), VB_OK);
  for (size_t k = 0; k < 3; k++) {
    ck_assert_double_lt(relative(force[0][k], force[1][k]), 1e-7);
    ck_assert_double_lt(relative(torque[0][k], torque[1][k]), 1e-7);
    ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 9 + k),
                            handle_value(&v, "angular_velocity", 9 + k), 1e-6);
  }
  for (size_t k = 0; k < sizeof energies / sizeof *energies; k++)
    ck_assert_double_lt(relative(handle_energy(&s, energies[k]), handle_energy(&v, energies[k])),
                        1e-7);
  for (size_t k = 0; k < 18; k++)
    ck_assert_double_eq_tol(handle_value(&s, "position", k), handle_value(&v, "position", k), 1e-9);
  handle_close(&s);
  handle_close(&v);
  free(twin);
  free(scene);
}
END_TEST

/// Newton's last steps square the residual, times a constant of the scene that comes of its
/// curvature (12 to 65 here): 0.0045, 2.5e-4, 1.1e-6, 7e-11. A linear convergence, by even a tenth,
/// breaks the bound of 100. Below 1e-12 is rounding.
START_TEST(newton_is_quadratic) {
  vb_scene *scene = make_scene(HELIX, 0.05, false);
  double previous = 1;
  int squared = 0;
  for (int k = 1; k < 20; k++) {
    char iterations[16];
    snprintf(iterations, sizeof iterations, "%d", k);
    handle s = handle_open_as("bergou", scene, "tolerance", "0", "iterations", iterations, NULL);
    handle_step(&s, 1);
    double residual = handle_residual(&s);
    handle_close(&s);
    if (previous < 1e-2) {
      ck_assert_double_lt(residual, 100 * previous * previous + 1e-12);
      squared++;
    }
    previous = residual;
  }
  ck_assert_int_ge(squared, 3);
  ck_assert_double_lt(previous, 1e-12);
  free(scene);
}
END_TEST

/// A bar whose center line is held at stretch e has the scale e^(-1/2), and pulls at its ends with
/// kz pi r^2 (e - 1). The center line and the frames are straight, so rounding is all.
START_TEST(a_held_bar_keeps_its_volume) {
  static const double stretches[] = {0.6, 1, 1.5, 2};
  double e = stretches[_i % 4], k = _i < 4 ? matched : kz;
  vb_builder *b = scenes_begin(1e4, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].position[0] *= e;
  int32_t wall = scenes_wall(b, "wall"), hand = scenes_wall(b, "hand");
  for (int32_t i = 0; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER, i < N ? wall : hand);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "stiffness", _i < 4 ? "matched" : "plain", NULL);
  handle_step(&s, 1);
  for (size_t i = 0; i <= N; i++)
    ck_assert_double_eq_tol(handle_value(&s, "scale", i), 1 / sqrt(e), 1e-14);
  double force[6], torque[6], right = k * M_PI * radius * radius * (e - 1);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(force[3], right, 1e-11 * k * M_PI * radius * radius);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A cantilever's tip deflects by F l^3 N (N-1) (2N-1) / (6 B) + F N l / (kz pi r^2),
/// B = kz pi r^4/4: to first order in the slope, so to 1e-6 where the deflection is 1e-4 of the
/// length.
START_TEST(a_cantilever_bends) {
  vb_builder *b = scenes_begin(1e5, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  const double force = 4e-4, l = length / N, k = _i ? matched : kz;
  scenes_push(b, N, 0, force, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "stiffness", _i ? "matched" : "plain", NULL);
  handle_step(&s, 1);
  double area = M_PI * radius * radius, bending = k * area * radius * radius / 4;
  double right =
      force * l * l * l * N * (N - 1) * (2 * N - 1) / (6 * bending) + force * N * l / (k * area);
  ck_assert_double_gt(right, 0.4e-4);
  ck_assert_double_lt(right, 1.2e-4);
  ck_assert_double_eq_tol(handle_value(&s, "position", 3 * N + 1), right, 1e-6 * right);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Bent about u and about v, each with a factor of its own on the stiffness, and others in the
/// first half of the bar than in the second. A joint at the distance x from the tip turns the rest
/// by F x lm / B: to first order in the slope, so to 1e-6 where the deflection is 1e-4 of the
/// length.
START_TEST(bending_has_two_stiffnesses) {
  static const double factor[2][2] = {{0.25, 3}, {1, 0.5}}; // about u, v of each half
  const double force = 1e-4, l = length / N, area = M_PI * radius * radius;
  vb_builder *b = scenes_begin(1e5, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  for (int32_t j = 0; j < N; j++) {
    const double *f = factor[j >= N / 2];
    fixture_add(b, VB_SET_BENDING, &(vb_bending){.segment = j, .factor = {f[0], f[1]}});
  }
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  // u is -z and v is y: the push along y bends about u.
  scenes_push(b, N, 0, _i == 0 ? force : 0, _i == 0 ? 0 : force, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "stiffness", "plain", NULL);
  handle_step(&s, 1);
  double right = force * N * l / (kz * area);
  for (int i = 1; i < N; i++) { // joint i turns the rest of the bar, of length (N - i) l
    double mean = (factor[i - 1 >= N / 2][_i] + factor[i >= N / 2][_i]) / 2;
    double bending = mean * kz * area * radius * radius / 4;
    right += force * pow((N - i) * l, 2) * l / bending;
  }
  size_t at = 3 * N + (_i == 0 ? 1 : 2);
  ck_assert_double_gt(right, 1e-5);
  ck_assert_double_eq_tol(handle_value(&s, "position", at), right, 1e-6 * right);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Both ends of a twisted bar: torque kxy pi r^4/4 sin(D)/lm, D the angle per joint; inertia makes
/// 1e-13 of it in so long a step.
START_TEST(a_twisted_bar_resists) {
  const double angle = 1.2, l = length / N;
  vb_builder *b = scenes_begin(1e5, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  const double keys[2][2] = {{0, 0}, {500, angle}};
  vb_driver turn = {
      "hand", {3, 0, 0}, {1, 0, 0}, {-1, -1, -1}, scenes_curve(b, VB_LINEAR, 2, keys)};
  int32_t wall = scenes_wall(b, "wall"), hand = fixture_add(b, VB_SET_DRIVER, &turn);
  scenes_pin_frame(b, 0, wall);
  scenes_pin_frame(b, N - 1, hand);
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_node(b, N, VB_PIN_CENTER, hand);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, NULL);
  handle_step(&s, 1);
  double force[6], torque[6], right = kxy * M_PI * pow(radius, 4) / 4 * sin(angle / (N - 1)) / l;
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(torque[3], right, 1e-9 * right);
  ck_assert_double_eq_tol(torque[0], -right, 1e-9 * right);
  handle_close(&s);
  free(scene);
}
END_TEST

/// With feedback a bar that is held at stretch e and twisted pulls in the second step with the
/// section that the first has left, pi r^2 / e, and its torque is that of r^4 / e^2. That follows a
/// restored state, too.
START_TEST(a_section_feeds_back) {
  const double e = 1.5, angle = 0.6, l = length / N;
  vb_builder *b = scenes_begin(1e5, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].position[0] *= e;
  const double keys[2][2] = {{0, 0}, {500, angle}};
  vb_driver turn = {
      "hand", {3, 0, 0}, {1, 0, 0}, {-1, -1, -1}, scenes_curve(b, VB_LINEAR, 2, keys)};
  int32_t wall = scenes_wall(b, "wall"), hand = fixture_add(b, VB_SET_DRIVER, &turn);
  for (int32_t i = 0; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER, i < N ? wall : hand);
  scenes_pin_frame(b, 0, wall);
  scenes_pin_frame(b, N - 1, hand);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "stiffness", "plain", "feedback", "section", NULL);
  double pull = kz * M_PI * radius * radius * (e - 1), force[6], torque[6];
  double twist = kxy * M_PI * pow(radius, 4) / 4 * sin(angle / (N - 1)) / l;
  handle_step(&s, 1);
  void *state = handle_save(&s);
  for (int k = 0; k < 3; k++) {
    double section = k == 0 ? 1 : 1 / e; // of the step whose forces these are
    ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
    ck_assert_double_eq_tol(force[3], section * pull, 1e-11 * pull);
    ck_assert_double_eq_tol(torque[3], section * section * twist, 1e-9 * twist);
    if (k == 1)
      ck_assert_int_eq(s.solver->restore(s.self, state, NULL), VB_OK);
    handle_step(&s, 1);
  }
  free(state);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Longitudinal waves: w = sqrt(kz/rho) kap; each step multiplies a mode by (1 - i w h)^-1. A
/// straight bar's energy is a square, so that holds to rounding at any amplitude.
START_TEST(waves_take_one_multiplier) {
  int waves = 1 + _i;
  double l = length / N, k = M_PI * waves / length, kap = 2 / l * sin(k * l / 2);
  double w = sqrt(matched / density) * kap, h = 0.3 / w, size = 0.02 / waves;
  vb_builder *b = scenes_begin(h, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].position[0] += size * sin(k * node[i].rest_position[0]);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_node(b, N, VB_PIN_CENTER, wall);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "tolerance", "1e-13", NULL);
  double complex z = 1;
  for (int step = 0; step < 5; step++) {
    handle_step(&s, 1);
    z /= 1 - I * w * h;
    for (size_t i = 0; i <= N; i++) {
      double at = length * (double)i / N;
      ck_assert_double_eq_tol(handle_value(&s, "position", 3 * i) - at,
                              creal(z) * size * sin(k * at), 1e-13);
    }
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Twist waves: w = sqrt(kxy / (2 rho)) kap; frames at segments' middles turn by cos(k z). Second
/// order in the angle, 1e-5, is 1e-10 of it.
START_TEST(twist_waves_take_their_multiplier) {
  double l = length / N, k = M_PI * 2 / length, kap = 2 / l * sin(k * l / 2);
  double w = sqrt(kxy / (2 * density)) * kap, h = 0.3 / w, size = 1e-5;
  vb_builder *b = scenes_begin(h, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  size_t n;
  vb_scene *rest = NULL;
  ck_assert_int_eq(vb_builder_freeze(b, &rest, NULL), VB_OK);
  const vb_segment *at_rest = vb_scene_segments(rest, &n);
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++) {
    const double turn[3] = {0, 0, size * cos(k * l * ((double)j + 0.5))};
    turned(at_rest[j].rest_frame, turn, segment[j].frame);
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, "tolerance", "1e-13", NULL);
  double complex z = 1;
  for (int step = 0; step < 4; step++) {
    handle_step(&s, 1);
    z /= 1 - I * w * h;
    double *frame = handle_read(&s, "frame");
    for (size_t j = 0; j < N; j++) {
      double inverse[4], d[4];
      for (int c = 0; c < 4; c++)
        inverse[c] = (c ? -1 : 1) * at_rest[j].rest_frame[c];
      vb_quaternion_multiply(inverse, frame + 4 * j, d);
      ck_assert_double_eq_tol(2 * d[3], creal(z) * size * cos(k * l * ((double)j + 0.5)), 1e-14);
    }
    free(frame);
  }
  handle_close(&s);
  free(rest);
  free(scene);
}
END_TEST

/// Each segment keeps its volume, pi r^2 l at rest, through violent motion: to the few rounding
/// errors of a root, a product and two lengths. A pulse of the initial scales is gone after a step.
START_TEST(volume_is_kept_by_construction) {
  vb_builder *b = scenes_begin(0.02, 9.81);
  scenes_helix(b, 20, 0, &scenes_rubber);
  scenes_disturb(b, 0.02, 3, 5);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, NULL);
  size_t n_nodes, n;
  const vb_node *node = vb_scene_nodes(scene, &n_nodes);
  const vb_segment *segment = vb_scene_segments(scene, &n);
  for (size_t i = 0; i < n_nodes; i++)
    ck_assert_double_eq(handle_value(&s, "scale", i), node[i].scale);
  double widest = 0;
  for (int step = 0; step < 10; step++) {
    handle_step(&s, 1);
    double *volume = handle_read(&s, "segment_volume"), *scale = handle_read(&s, "segment_scale");
    for (size_t j = 0; j < n; j++) {
      double r =
          0.5 * (node[segment[j].node[0]].rest_radius + node[segment[j].node[1]].rest_radius);
      double rest = M_PI * r * r * segment[j].rest_length;
      ck_assert_double_eq_tol(volume[j], rest, 1e-14 * rest);
      widest = fmax(widest, fabs(scale[j] - 1));
    }
    free(volume);
    free(scale);
  }
  ck_assert_double_gt(widest, 0.05); // they were stretched
  handle_close(&s);
  free(scene);
}
END_TEST

/// A node's scale is the mean of its segments', by rest length.
START_TEST(nodes_take_the_mean_scale) {
  vb_builder *b = scenes_begin(0.01, 0);
  fixture_node(b, 0, 0, 0, 0.1);
  fixture_node(b, 1, 0, 0, 0.1);
  fixture_node(b, 4, 0, 0, 0.1);
  scenes_segment(b, 0, 1, &scenes_rubber);
  scenes_segment(b, 2, 1, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  const double start[3] = {0, 2, 4.5};
  int32_t wall = scenes_wall(b, "wall");
  for (int32_t i = 0; i < 3; i++) {
    node[i].position[0] = start[i];
    scenes_pin_node(b, i, VB_PIN_CENTER, wall);
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as("bergou", scene, NULL);
  handle_step(&s, 1);
  double first = sqrt(1 / 2.0), second = sqrt(3 / 2.5);
  ck_assert_double_eq_tol(handle_value(&s, "scale", 0), first, 1e-15);
  ck_assert_double_eq_tol(handle_value(&s, "scale", 1), (first + 3 * second) / 4, 1e-15);
  ck_assert_double_eq_tol(handle_value(&s, "scale", 2), second, 1e-15);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *elements(void) {
  TCase *t = tcase_create("elements");
  tcase_add_loop_test(t, derivatives_are_right, 0, 4 * N_KINDS);
  tcase_add_loop_test(t, convex_matrices_are, 0, 4 * N_KINDS);
  return t;
}

static TCase *steps(void) {
  TCase *t = tcase_create("steps");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, newton_reaches_the_minimizer, 0, N_SCENES);
  tcase_add_loop_test(t, viper_with_fixed_scales_agrees, 0, N_SCENES);
  tcase_add_test(t, newton_is_quadratic);
  return t;
}

static TCase *closed_forms(void) {
  TCase *t = tcase_create("closed forms");
  tcase_add_loop_test(t, a_held_bar_keeps_its_volume, 0, 8);
  tcase_add_loop_test(t, a_cantilever_bends, 0, 2);
  tcase_add_loop_test(t, bending_has_two_stiffnesses, 0, 2);
  tcase_add_test(t, a_twisted_bar_resists);
  tcase_add_test(t, a_section_feeds_back);
  tcase_add_loop_test(t, waves_take_one_multiplier, 0, 3);
  tcase_add_test(t, twist_waves_take_their_multiplier);
  tcase_add_test(t, volume_is_kept_by_construction);
  tcase_add_test(t, nodes_take_the_mean_scale);
  return t;
}

VB_TEST_MAIN("bergou", elements(), steps(), closed_forms())
