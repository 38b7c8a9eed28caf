// SPDX-License-Identifier: GPL-3.0-or-later
/// The integrator bdf2 of the viper solver: its order, what it keeps, where it starts anew.
/// Covers: src/viper/method/advance.h src/viper/method/motion.h
#include "handle.h"
#include "scenes/scenes.h"

#include <math.h>

/// So soft that all its modes are slower than 200 rad/s.
static const scenes_material jelly = {1000, {400, 500, 600, 0.4, 0.5, 3000}};

/// A free helix with a rest curvature that flies, spins about no principal axis and is bent, under
/// a force and a torque that do not change; driven at one end where `driven`.
static vb_scene *spinning(double step, double damping, bool driven) {
  vb_builder *b = scenes_begin(step, 9.81);
  scenes_helix(b, 6, 0, &jelly);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  const double spin[3] = {3, -4, 6}; // rad/s
  for (size_t i = 0; i < n; i++) {
    double *x = node[i].position;
    for (int k = 0; k < 3; k++)
      node[i].velocity[k] = spin[(k + 1) % 3] * x[(k + 2) % 3] - spin[(k + 2) % 3] * x[(k + 1) % 3];
    node[i].scale_rate = 0.5;
  }
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++)
    memcpy(segment[j].angular_velocity, spin, sizeof spin);
  scenes_push(b, 5, 0.02, -0.03, 0.01, 2e-4);
  scenes_twist(b, 3, 5e-4, 8e-4, -6e-4);
  if (driven) {
    const double keys[2][2] = {{0, 0}, {0.2, 0.3}};
    memset(node[0].velocity, 0, sizeof node[0].velocity); // as the driver's
    memset(segment[0].angular_velocity, 0, sizeof segment[0].angular_velocity);
    int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
    vb_driver hand = {"hand", {0.3, 0, 0}, {0.6, 0, 0.8}, {-1, curve, curve}, curve};
    int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
    scenes_pin_node(b, 0, VB_PIN_CENTER, driver);
    scenes_pin_frame(b, 0, driver);
  }
  vb_builder_world(b)->damping = damping;
  return fixture_freeze(b);
}

/// What is compared at the end: positions, scales, frames, velocities, angular velocities.
static const char *const compared[] = {"position", "scale", "frame", "velocity",
                                       "angular_velocity"};
enum { COMPARED = 5, MOST = 64 };

typedef struct outcome {
  double value[COMPARED][MOST];
  size_t n[COMPARED];
  double balance; ///< energy gained less work done, J
} outcome;

static double energy_of(const handle *s) {
  return handle_elastic(s) + handle_energy(s, "kinetic") + handle_energy(s, "gravity");
}

static double work_of(const handle *s) {
  double work[8] = {0}, sum = 0;
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  for (int k = 0; k < 8; k++)
    sum += work[k];
  return sum;
}

typedef struct trial {
  const char *integrator, *method, *iterations, *gyroscope;
  double damping, order;
  bool driven;
} trial;

/// The state after `duration` in `steps` steps.
static outcome run(double duration, int steps, const trial *t) {
  outcome out = {0};
  vb_scene *scene = spinning(duration / steps, t->damping, t->driven);
  handle s = handle_open(scene, "integrator", t->integrator, "method", t->method, "iterations",
                         t->iterations, "gyroscope", t->gyroscope, "tolerance", "0", "backend",
                         "cpu", NULL);
  double before = energy_of(&s);
  handle_step(&s, steps);
  out.balance = energy_of(&s) - before - work_of(&s);
  for (int f = 0; f < COMPARED; f++) {
    double *all = handle_read(&s, compared[f]);
    const vb_solver_description *d = s.solver->describe(s.solver);
    for (size_t i = 0; i < d->n_fields; i++)
      if (!strcmp(d->fields[i].name, compared[f]))
        out.n[f] = handle_numbers(&s, i);
    ck_assert_uint_le(out.n[f], MOST);
    memcpy(out.value[f], all, out.n[f] * sizeof *all);
    free(all);
  }
  handle_close(&s);
  free(scene);
  return out;
}

static double apart(const outcome *a, const outcome *b, int f) {
  double sum = 0;
  for (size_t i = 0; i < a->n[f]; i++)
    sum += pow(a->value[f][i] - b->value[f][i], 2);
  return sqrt(sum);
}

static const trial orders[] = {
    {"bdf2", "direct", "6", "off", 0, 2, false},
    {"bdf2", "direct", "6", "off", 5, 2, false},
    {"bdf2", "direct", "6", "off", 0, 2, true},
    {"bdf2", "direct", "6", "off", 5, 2, true},
    {"bdf2", "block-descent", "60", "off", 0, 2, false},
    {"bdf2", "block-descent", "60", "off", 5, 2, true},
    {"euler", "direct", "6", "off", 0, 1, false},
    {"euler", "direct", "6", "off", 5, 1, true},
    {"bdf2", "direct", "6", "on", 0, 2, false},
    {"bdf2", "direct", "6", "on", 5, 2, true},
    {"bdf2", "block-descent", "60", "on", 0, 2, true},
    {"euler", "direct", "6", "on", 0, 1, false},
    {"euler", "direct", "6", "on", 5, 1, true},
    {"midpoint", "direct", "6", "on", 0, 2, false},
    {"midpoint", "block-descent", "60", "on", 0, 2, false},
};

/// Of every field, by three resolutions: the finest resolves the breathing mode, of 14 ms, with 140
/// steps. A tenth is what the next order leaves (of Euler's, whose errors are larger, a quarter).
START_TEST(order_in_time) {
  const double duration = 0.05;
  outcome o[3];
  for (int k = 0; k < 3; k++)
    o[k] = run(duration, 125 << (k + (orders[_i].order > 1)), &orders[_i]);
  for (int f = 0; f < COMPARED; f++) {
    double coarse = apart(&o[0], &o[1], f), fine = apart(&o[1], &o[2], f);
    double order = log2(coarse / fine);
    ck_assert_msg(fabs(order - orders[_i].order) < (orders[_i].order > 1 ? 0.1 : 0.25),
                  "%s: order %g (%g, %g)", compared[f], order, coarse, fine);
  }
  if (orders[_i].damping > 0)
    return;
  double order = log2((o[0].balance - o[1].balance) / (o[1].balance - o[2].balance));
  ck_assert_msg(fabs(order - orders[_i].order) < 0.25, "balance: order %g (%g %g %g)", order,
                o[0].balance, o[1].balance, o[2].balance);
  // Where frames keep momentum no energy is missing as steps get shorter: by extrapolation less
  // than a hundredth of the 1.8e-3 J that are missing where they do not (the next order's part, of
  // Euler's formula 5e-6 J).
  const double factor = orders[_i].order > 1 ? 4 : 2;
  const double limit = (factor * o[2].balance - o[1].balance) / (factor - 1);
  if (strcmp(orders[_i].gyroscope, "on") == 0)
    ck_assert_msg(fabs(limit) < 1.8e-5, "balance: %g left", limit);
  else if (orders[_i].order > 1)
    ck_assert_msg(fabs(limit) > 0.9 * fabs(o[2].balance), "balance: %g left", limit);
}
END_TEST

/// A rod that falls freely, where both formulas have closed forms: a step of Euler's from a height
/// and a speed, or of bdf2's from two of each. Tolerance: rounding of heights of 1 m over h.
START_TEST(changes_of_pace_start_anew) {
  const double h = 0.01, g = 9.81;
  const struct {
    const char *option, *value;
    int substeps;
  } changes[] = {{"iterations", "7", 1}, {"substeps", "2", 2}, {"iterations", "7", 2}};
  vb_builder *b = scenes_begin(h, g);
  scenes_bar(b, 3, 0.4, 0.05, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "integrator", "bdf2", "tolerance", "0", NULL);
  double z[3] = {0}, v[3] = {0}; // before, now, next
  for (int step = 0; step < 12; step++) {
    const int change = step / 4;
    if (step % 4 == 0)
      handle_set(&s, changes[change].option, changes[change].value);
    double part = h / changes[change].substeps;
    for (int k = 0; k < changes[change].substeps; k++) {
      bool euler = step % 4 == 0 && k == 0 && change != 2; // the third is none
      if (euler) {
        v[2] = v[1] - part * g;
        z[2] = z[1] + part * v[2];
      } else {
        v[2] = (4 * v[1] - v[0] - 2 * part * g) / 3;
        z[2] = (4 * z[1] - z[0] + 2 * part * v[2]) / 3;
      }
      memmove(z, z + 1, 2 * sizeof *z);
      memmove(v, v + 1, 2 * sizeof *v);
    }
    handle_step(&s, 1);
    ck_assert_double_eq_tol(handle_value(&s, "position", 5), z[1], 1e-12);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 5), v[1], 1e-11);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// The driver's force is what the formula's derivative of the momentum, damping, gravity and loads
/// leave. Tolerance: the rounding of displacements from predictions, 1e-16 m, times the mass of 4
/// kg over h'^2.
START_TEST(reactions_balance_the_momentum) {
  const double h = 2e-3, damping = 5, load[3] = {0.02, -0.03, 0.01};
  vb_scene *scene = spinning(h, damping, true);
  handle s = handle_open(scene, "integrator", "bdf2", "tolerance", "0", NULL);
  double p[3][3], mass = 0, force[3], torque[3];
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    mass += handle_value(&s, "mass", i);
  handle_step(&s, 20);
  for (int n = 0; n < 3; n++) {
    handle_step(&s, 1);
    for (size_t k = 0; k < 3; k++)
      p[n][k] = handle_value(&s, "momentum", k);
  }
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_lt(handle_residual(&s), 1e-10);
  for (int k = 0; k < 3; k++) {
    double rate = (3 * p[2][k] - 4 * p[1][k] + p[0][k]) / (2 * h);
    double left = rate + damping * p[2][k] - load[k] + (k == 2 ? mass * 9.81 : 0);
    ck_assert_msg(fabs(force[k] - left) < 1e-9, "%g: off by %g", left, force[k] - left);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Eleven rods in batches, a driven helix and a single one.
static vb_scene *crowd(void) {
  vb_scene *scene;
  vb_builder *b = scenes_begin(0.005, 9.81);
  int32_t wall = scenes_wall(b, "wall");
  for (int k = 0; k < 11; k++) {
    int32_t first = scenes_bar(b, 5, 0.5, 0.05, &scenes_rubber);
    scenes_pin_node(b, first, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  }
  const double keys[2][2] = {{0, 0}, {0.2, 0.3}};
  int32_t curve = scenes_curve(b, VB_CUBIC, 2, keys);
  vb_driver hand = {"hand", {0, 2, 0}, {0.6, 0, 0.8}, {-1, curve, -1}, curve};
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  int32_t helix = scenes_helix(b, 6, 2, &scenes_rubber);
  scenes_pin_node(b, helix, VB_PIN_CENTER, driver);
  scenes_pin_frame(b, 55, driver);
  scenes_twist(b, 57, 0.05, 0.02, 0.01);
  scenes_push(b, helix + 3, 1, 2, 3, 0);
  scenes_graph(b, 9, 1, 3, &scenes_rubber);
  scenes_disturb(b, 0.003, 0.2, 29);
  vb_builder_world(b)->damping = 2;
  scene = fixture_freeze(b);
  return scene;
}

static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
static const char *const precisions[] = {"double", "float"};

/// For any number of threads, and after a state was restored, which has what bdf2 keeps.
START_TEST(threads_and_restarts_leave_the_bits_alone) {
  vb_scene *scene = crowd();
  const char *method = methods[_i % 4], *precision = precisions[_i / 4 % 2];
  const char *gyroscope = _i / 8 ? "on" : "off";
  handle one = handle_open(scene, "integrator", "bdf2", "method", method, "precision", precision,
                           "gyroscope", gyroscope, "threads", "1", NULL);
  handle three = handle_open(scene, "integrator", "bdf2", "method", method, "precision", precision,
                             "gyroscope", gyroscope, "threads", "3", NULL);
  handle_step(&one, 5);
  void *state = handle_save(&one);
  handle_step(&one, 5);
  handle_step(&three, 1);
  ck_assert_int_eq(three.solver->restore(three.self, state, NULL), VB_OK);
  handle_step(&three, 5);
  ck_assert(handle_same(&one, &three));
  free(state);
  handle_close(&one);
  handle_close(&three);
  free(scene);
}
END_TEST

/// A rod in a batch of five, and alone.
START_TEST(batches_leave_the_bits_alone) {
  double right[18];
  for (int n = 1; n <= 5; n += 4) {
    vb_builder *b = scenes_begin(0.005, 9.81);
    int32_t wall = scenes_wall(b, "wall");
    for (int k = 0; k < n; k++)
      scenes_pin_node(b, scenes_bar(b, 5, 0.5, 0.05, &scenes_rubber), VB_PIN_CENTER, wall);
    scenes_disturb(b, 0.003, 2, 29);
    size_t n_segments;
    vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n_segments);
    for (size_t j = 0; j < n_segments; j++)
      for (int k = 0; k < 3; k++)
        segment[j].angular_velocity[k] = k + (double)(j % 5);
    vb_builder_world(b)->damping = 2;
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "integrator", "bdf2", "method", methods[_i], NULL);
    handle_first_positions(&s, 20, n == 1, right, sizeof right);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// A stiff rod on a hinge swings for 5 s with 1 ms steps: bdf2 keeps the amplitude to 1e-5, Euler
/// loses a third. Amplitudes are of the angle, at the vertices of parabolas through three steps.
START_TEST(swings_keep_their_amplitude) {
  const bool bdf2 = _i == 0;
  vb_builder *b = scenes_begin(0.001, 9.81);
  const scenes_material stiff = {1000, {1e9, 1e9, 1e9, 1e5, 1e5, 1e9}};
  const double length = 0.5;
  int32_t wall = scenes_wall(b, "wall");
  for (int i = 0; i <= 4; i++) {
    fixture_node(b, 0, 0, -length * i / 4, 0.02);
    if (i > 0)
      scenes_segment(b, i - 1, i, &stiff);
  }
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].velocity[0] = -2 * node[i].position[2]; // 2 rad/s about -y
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++)
    segment[j].angular_velocity[1] = -2;
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "integrator", bdf2 ? "bdf2" : "euler", "iterations", "4", NULL);
  double angle[3] = {0}, first = 0, last = 0;
  for (int step = 0; step < 5000; step++) {
    handle_step(&s, 1);
    angle[0] = angle[1];
    angle[1] = angle[2];
    angle[2] = atan2(handle_value(&s, "position", 12), -handle_value(&s, "position", 14));
    if (fabs(angle[1]) <= fabs(angle[0]) || fabs(angle[1]) < fabs(angle[2]))
      continue;
    double bend = angle[0] - 2 * angle[1] + angle[2], tilt = 0.5 * (angle[2] - angle[0]);
    last = fabs(angle[1] - 0.5 * tilt * tilt / bend);
    first = first > 0 ? first : last;
  }
  ck_assert_double_gt(first, 0.3);
  if (bdf2)
    ck_assert_msg(fabs(last / first - 1) < 1e-5, "%.10g to %.10g: %g", first, last,
                  last / first - 1);
  else
    ck_assert_msg(last / first < 0.97, "%g", last / first - 1);
  handle_close(&s);
  free(scene);
}
END_TEST

static void refuses(vb_scene *scene, const char *said) {
  const vb_solver *solver;
  const vb_option option = {"integrator", "bdf2"};
  vb_error error = {0};
  void *self = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, &option, 1, &self, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, said);
  free(scene);
}

START_TEST(what_it_does_not_take_is_refused) {
  const char *said = "integrator bdf2 does not support contact, half-planes or bundles; use euler";
  for (int k = 0; k < 2; k++) {
    vb_builder *b = scenes_begin(0.01, 9.81);
    scenes_bar(b, 3, 0.4, 0.05, &scenes_rubber);
    if (k == 0)
      fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){.normal = {0, 0, 1}, .offset = -1});
    else
      fixture_add(b, VB_SET_CONTACT, &(vb_contact){.margin = 0.01});
    refuses(fixture_freeze(b), said);
  }
}
END_TEST

/// What bdf2 keeps is 8 numbers a node, 7 a segment, and of both 4 for what may hold them, whether
/// or not a pin does; Euler keeps none of it.
START_TEST(euler_keeps_no_history) {
  vb_scene *scene = crowd();
  handle euler = handle_open(scene, NULL), bdf2 = handle_open(scene, "integrator", "bdf2", NULL);
  size_t more =
      12 * vb_scene_count(scene, VB_SET_NODE) + 11 * vb_scene_count(scene, VB_SET_SEGMENT);
  ck_assert_uint_eq(bdf2.solver->state_size(bdf2.self) - euler.solver->state_size(euler.self),
                    more * sizeof(double));
  handle_close(&euler);
  handle_close(&bdf2);
  free(scene);
}
END_TEST

static TCase *motion(void) {
  TCase *t = tcase_create("motion");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, order_in_time, 0, sizeof orders / sizeof *orders);
  tcase_add_test(t, changes_of_pace_start_anew);
  tcase_add_test(t, reactions_balance_the_momentum);
  tcase_add_loop_test(t, swings_keep_their_amplitude, 0, 2);
  return t;
}

static TCase *interface(void) {
  TCase *t = tcase_create("interface");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, threads_and_restarts_leave_the_bits_alone, 0, 16);
  tcase_add_loop_test(t, batches_leave_the_bits_alone, 0, 4);
  tcase_add_test(t, what_it_does_not_take_is_refused);
  tcase_add_test(t, euler_keeps_no_history);
  return t;
}

VB_TEST_MAIN("viper bdf2", motion(), interface())
