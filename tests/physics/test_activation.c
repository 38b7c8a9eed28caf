// SPDX-License-Identifier: GPL-3.0-or-later
/// Activation of segments: where active rods settle, what they pull with, and the work done. (The
/// minimizer of a step is compared in test_viper_methods.c and test_viper_steps.c, with the scene
/// ACTIVE.)
/// Covers: src/viper/energy/activation.h src/viper/energy/hill.h src/viper/model/hill_law.h
#include "handle.h"
#include "scenes/scenes.h"

enum { N = 6 };
static const double radius = 0.05, area = M_PI * 0.05 * 0.05;
static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};

/// A bar of N segments with one activation of all of them.
static vb_builder *active_bar(double step, vb_active how, int n_keys, const double keys[][2]) {
  vb_builder *b = scenes_begin(step, 0);
  scenes_bar(b, N, 0.6, radius, &scenes_rubber);
  int32_t curve = scenes_curve(b, VB_LINEAR, n_keys, keys);
  for (int32_t j = 0; j < N; j++)
    scenes_activate(b, j, how, curve);
  return b;
}

/// Sum of the work of all activations, which are the only entries but for drivers.
static double active_work(handle *s) {
  double work[16], sum = 0;
  size_t n_drivers = vb_scene_count(s->scene, VB_SET_DRIVER);
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  for (size_t k = 0; k < vb_scene_count(s->scene, VB_SET_ACTIVATION); k++)
    sum += work[n_drivers + k];
  return sum;
}

/// A free straight rod of uniform strain a comes to dc = a w, s = a^(-1/2), and stores nothing: to
/// 1e-12, as its motion is damped by 1e-7 and more, and where W = 0 no method leaves a gap.
START_TEST(a_free_rod_takes_its_active_shape) {
  const double a = 0.7, keys[2][2] = {{0, 1}, {0.5, a}};
  vb_builder *b = active_bar(0.02, VB_ACTIVE_STRAIN, 2, keys);
  vb_builder_world(b)->damping = 40;
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i], "iterations", _i ? "100" : "10", "tolerance",
                         "0", NULL);
  handle_step(&s, 400);
  double *x = handle_read(&s, "position"), *scale = handle_read(&s, "scale");
  for (int i = 0; i < N; i++)
    ck_assert_double_eq_tol(x[3 * i + 3] - x[3 * i], a * 0.1, 1e-12);
  for (int i = 0; i <= N; i++)
    ck_assert_double_eq_tol(scale[i], 1 / sqrt(a), 1e-12);
  ck_assert_double_lt(handle_elastic(&s), 1e-12);
  free(x);
  free(scale);
  handle_close(&s);
  free(scene);
}
END_TEST

/// The scale at which a bar held at stretch 1 settles when its section rests at s0: the root of
/// (kx + ky)(s - s0) + 2 kv s (s^2 - 1) = 0.
static double held_scale(double s0) {
  const double *k = scenes_rubber.stiffness;
  double low = 0.5, high = 2;
  for (int i = 0; i < 80; i++) {
    double s = 0.5 * (low + high);
    double g = (k[VB_KX] + k[VB_KY]) * (s - s0) + 2 * k[VB_KV] * s * (s * s - 1);
    *(g > 0 ? &high : &low) = s;
  }
  return 0.5 * (low + high);
}

/// A bar whose ends are held settles at that root, and pulls on its walls with pi r^2 (kz (1 - a) +
/// kv s^2 (s^2 - 1)) where a is 1 of a pair of forces f, which adds f. The step is long: inertia
/// makes 1e-9 of the force. In all three ways.
START_TEST(a_held_rod_pulls) {
  const double value = _i == VB_ACTIVE_FORCE ? 40 : 0.8, keys[2][2] = {{0, value}, {1, value}};
  const double *k = scenes_rubber.stiffness;
  vb_builder *b = active_bar(1e4, (vb_active)_i, 1, keys);
  int32_t left = scenes_wall(b, "left"), right = scenes_wall(b, "right");
  scenes_pin_node(b, 0, VB_PIN_CENTER, left);
  scenes_pin_frame(b, 0, left);
  scenes_pin_node(b, N, VB_PIN_CENTER, right);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "100", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double *scale = handle_read(&s, "scale"), force[6], torque[6];
  double a = _i == VB_ACTIVE_FORCE ? 1 : value, f = _i == VB_ACTIVE_FORCE ? value : 0;
  double at = held_scale(_i == VB_ACTIVE_STRAIN ? 1 / sqrt(a) : 1);
  double pull = area * (k[VB_KZ] * (1 - a) + k[VB_KV] * at * at * (at * at - 1)) + f;
  for (int i = 0; i <= N; i++)
    ck_assert_double_eq_tol(scale[i], at, 1e-9);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_double_eq_tol(force[3], pull, 1e-8 * pull);
  ck_assert_double_eq_tol(force[0], -pull, 1e-8 * pull);
  double stored =
      0.6 * area / 2 *
      (k[VB_KZ] * (1 - a) * (1 - a) + (k[VB_KX] + k[VB_KY]) * pow(at - (_i ? 1 : 1 / sqrt(a)), 2) +
       k[VB_KV] * pow(at * at - 1, 2));
  ck_assert_double_eq_tol(handle_elastic(&s), stored, 1e-9 * stored + 1e-9);
  free(scale);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Where nothing can move the work of a strain or fiber is the energy stored, to rounding: at each
/// step's end the segments are active as the curve says then. A pair of forces does no work there.
START_TEST(work_of_what_cannot_move_is_stored) {
  const double to = _i == VB_ACTIVE_FORCE ? 40 : 0.8, from = _i == VB_ACTIVE_FORCE ? 0 : 1;
  const double keys[2][2] = {{0, from}, {0.05, to}};
  vb_builder *b = active_bar(0.01, (vb_active)_i, 2, keys);
  int32_t wall = scenes_wall(b, "wall");
  for (int32_t i = 0; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER | VB_PIN_SCALE, wall);
  for (int32_t j = 0; j < N; j++)
    scenes_pin_frame(b, j, wall);
  vb_scene *scene = fixture_freeze(b);
  const double *k = scenes_rubber.stiffness;
  handle s = handle_open(scene, "substeps", "3", NULL);
  for (int step = 1; step <= 7; step++) {
    double a = from + (to - from) * fmin(step, 5) / 5, right = 0;
    handle_step(&s, 1);
    if (_i != VB_ACTIVE_FORCE)
      right = 0.6 * area / 2 * k[VB_KZ] * (1 - a) * (1 - a);
    if (_i == VB_ACTIVE_STRAIN)
      right += 0.6 * area / 2 * (k[VB_KX] + k[VB_KY]) * pow(1 - 1 / sqrt(a), 2);
    ck_assert_double_eq_tol(handle_elastic(&s), right, 1e-13);
    ck_assert_double_eq_tol(active_work(&s), right, 1e-13);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// A bar that is activated slowly stores the work, to first order in the step: held at both ends by
/// a strain; at one by a fiber, which its section resists.
START_TEST(slow_work_is_stored) {
  double miss[2];
  for (int i = 0; i < 2; i++) {
    const double to = _i == VB_ACTIVE_FORCE ? 40 : 0.8, from = _i == VB_ACTIVE_FORCE ? 0 : 1;
    const double keys[2][2] = {{0, from}, {1000, to}};
    vb_builder *b = active_bar(i ? 25 : 50, (vb_active)_i, 2, keys);
    int32_t wall = scenes_wall(b, "wall");
    scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
    scenes_pin_frame(b, 0, wall);
    if (_i == VB_ACTIVE_STRAIN)
      scenes_pin_node(b, N, VB_PIN_CENTER, wall);
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "iterations", "40", "tolerance", "0", NULL);
    handle_step(&s, i ? 40 : 20);
    miss[i] = active_work(&s) / handle_elastic(&s) - 1;
    handle_close(&s);
    free(scene);
  }
  fprintf(stderr, "way %d: work over energy misses 1 by %.3g and %.3g\n", _i, miss[0], miss[1]);
  // 20 steps of a work that grows with the square are 1/20 of it over, which is 1/9 of what a fiber
  // stores.
  ck_assert_double_gt(miss[0], 0);
  ck_assert_double_lt(miss[0], 0.12);
  ck_assert_double_eq_tol(miss[0] / miss[1], 2, 0.1);
}
END_TEST

/// Activations keep the momentum of a free body: to rounding by `direct` and `xpbd`, at any number
/// of iterations (as test_viper_reactions.c has it), bent and in motion.
START_TEST(activations_keep_the_momentum) {
  static const char *const iterations[] = {"1", "5"};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_helix(b, 8, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.5, 4);
  for (int32_t j = 0; j < 8; j++) {
    vb_active how = (vb_active)(j % 3);
    const double keys[2][2] = {{0, how == VB_ACTIVE_FORCE ? 0 : 1},
                               {0.05, how == VB_ACTIVE_FORCE ? 20 : 0.7}};
    scenes_activate(b, j, how, scenes_curve(b, VB_LINEAR, 2, keys));
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i / 2], "iterations", iterations[_i % 2],
                         "tolerance", "0", NULL);
  double *start = handle_read(&s, "momentum");
  handle_step(&s, 10);
  double *now = handle_read(&s, "momentum");
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(now[k], start[k], 1e-10);
  free(start);
  free(now);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A saved state has the activation of its time: what is restored goes on to the same bits, and so
/// does its work. In both precisions.
START_TEST(restored_activations_go_on_alike) {
  const double keys[3][2] = {{0, 1}, {0.03, 0.8}, {0.1, 1.1}};
  vb_builder *b = active_bar(0.01, VB_ACTIVE_STRAIN, 3, keys);
  scenes_pin_node(b, 0, VB_PIN_CENTER, scenes_wall(b, "wall"));
  scenes_disturb(b, 0.002, 0.3, 9);
  vb_scene *scene = fixture_freeze(b);
  const char *method = methods[_i / 2], *precision = _i % 2 ? "float" : "double";
  handle a = handle_open(scene, "method", method, "precision", precision, NULL);
  handle other = handle_open(scene, "method", method, "precision", precision, NULL);
  handle_step(&a, 4);
  void *state = handle_save(&a);
  double energy = handle_elastic(&a);
  ck_assert_int_eq(other.solver->restore(other.self, state, NULL), VB_OK);
  ck_assert_double_eq(handle_elastic(&other), energy);
  handle_step(&a, 4);
  handle_step(&other, 4);
  ck_assert(handle_same(&a, &other));
  ck_assert_double_eq(active_work(&a), active_work(&other));
  free(state);
  handle_close(&a);
  handle_close(&other);
  free(scene);
}
END_TEST

/// In a long chain, which would be swept in tiles, one segment contracts.
START_TEST(a_segment_of_a_long_chain_contracts) {
  const double keys[1][2] = {{0, 0.5}};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 600, 6, 0.02, &scenes_rubber);
  scenes_activate(b, 300, VB_ACTIVE_STRAIN, scenes_curve(b, VB_HOLD, 1, keys));
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i], "iterations", "20", NULL);
  handle_step(&s, 3);
  double *x = handle_read(&s, "position");
  ck_assert_double_lt(x[3 * 301] - x[3 * 300], 0.0099);
  ck_assert_double_eq_tol(x[3 * 11] - x[3 * 10], 0.01, 1e-6);
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A force on a segment without kz has no term to act by.
START_TEST(a_force_needs_a_stiffness) {
  scenes_material soft = scenes_rubber;
  soft.stiffness[VB_KZ] = 0;
  const double keys[1][2] = {{0, 5}};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 0.3, 0.05, &soft);
  scenes_activate(b, 1, VB_ACTIVE_FORCE, scenes_curve(b, VB_HOLD, 1, keys));
  vb_scene *scene = fixture_freeze(b);
  const vb_solver *solver;
  vb_error error = {0};
  void *self;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, NULL, 0, &self, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "activation 'muscle 1' is a force on segment 1"));
  free(scene);
}
END_TEST

/// How much a free bar is shorter when all of its segments are active fibers or strains of a.
static double shortening(const char *solver, vb_active how, double a) {
  const double keys[2][2] = {{0, 1}, {0.5, a}};
  vb_builder *b = active_bar(0.02, how, 2, keys);
  vb_builder_world(b)->damping = 40;
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as(solver, scene, "tolerance", "0", NULL);
  handle_step(&s, 400);
  double out = 1 - (handle_value(&s, "position", 3 * N) - handle_value(&s, "position", 0)) / 0.6;
  if (how == VB_ACTIVE_STRAIN)
    ck_assert_double_lt(handle_elastic(&s), 1e-12);
  handle_close(&s);
  free(scene);
  return out;
}

/// `bergou` takes the same strain, exactly, and stores nothing; its fibers, whose sections follow,
/// shorten as much as VIPER's, to first order in 1 - a: 1 % of it at 1e-3.
START_TEST(bergou_contracts_likewise) {
  ck_assert_double_eq_tol(shortening("bergou", VB_ACTIVE_STRAIN, 0.7), 0.3, 1e-12);
  double viper = shortening("viper", VB_ACTIVE_FIBER, 0.999);
  double bergou = shortening("bergou", VB_ACTIVE_FIBER, 0.999);
  fprintf(stderr, "a fiber of 0.999: %.4g shorter, by bergou %.4g\n", viper, bergou);
  ck_assert_double_gt(viper, 1e-4);
  ck_assert_double_eq_tol(bergou, viper, 1e-2 * viper);
}
END_TEST

/// A bar whose segments contract by Hill's law with `stress` at most, all excited from the start.
static vb_scene *hill_bar(double stress) {
  vb_builder *b = active_bar(0.01, VB_ACTIVE_HILL, 1, (const double[][2]){{0, 1}});
  for (int32_t j = 0; j < N; j++)
    fixture_add(b, VB_SET_HILL, &(vb_hill){VB_AT_SEGMENT, j, stress, 4, 0.25, 1.4, 1, 0.5, 0.6, 0});
  vb_builder_world(b)->damping = 40;
  return fixture_freeze(b);
}

/// A free fiber shortens, no faster than its velocity, and comes to rest where it has no force, at
/// the stretch 1 - width: after four seconds to 2 %, as the force fades there.
START_TEST(a_free_fiber_shortens_by_hills_law) {
  vb_scene *scene = hill_bar(1e4);
  handle s = handle_open(scene, "method", methods[_i], "iterations", _i ? "60" : "10", "substeps",
                         "20", NULL);
  handle_step(&s, 2);
  double before = handle_value(&s, "position", 3 * N) - handle_value(&s, "position", 0);
  handle_step(&s, 1);
  double after = handle_value(&s, "position", 3 * N) - handle_value(&s, "position", 0);
  fprintf(stderr, "%s: %.4g /s of at most 4\n", methods[_i], (before - after) / (0.01 * 0.6));
  ck_assert_double_gt(before, after);
  ck_assert_double_le((before - after) / (0.01 * 0.6), 4 * 1.01);
  handle_step(&s, 400);
  ck_assert_double_eq_tol(
      (handle_value(&s, "position", 3 * N) - handle_value(&s, "position", 0)) / 0.6, 0.5, 0.01);
  handle_close(&s);
  free(scene);
}
END_TEST

/// The stretch of a muscle is part of the state.
START_TEST(restored_fibers_go_on_alike) {
  vb_scene *scene = hill_bar(1e4);
  handle s = handle_open(scene, NULL);
  handle_step(&s, 5);
  void *state = handle_save(&s);
  handle_step(&s, 5);
  double end = handle_value(&s, "position", 3 * N);
  ck_assert_int_eq(s.solver->restore(s.self, state, NULL), VB_OK);
  handle_step(&s, 5);
  ck_assert_double_eq(handle_value(&s, "position", 3 * N), end);
  free(state);
  handle_close(&s);
  free(scene);
}
END_TEST

/// What a segment cannot carry, and statics, are refused.
START_TEST(a_stress_beyond_the_segments_is_refused) {
  vb_scene *scene = hill_bar(_i ? 1e4 : 0.72 * scenes_rubber.stiffness[VB_KZ]);
  const vb_solver *solver;
  void *self = NULL;
  vb_error error = {0};
  const vb_option statics = {"dynamics", "static"};
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  vb_status status = solver->create(solver, scene, &statics, (size_t)_i, &self, &error);
  ck_assert_int_eq(status, _i ? VB_UNAVAILABLE : VB_BAD_INPUT);
  ck_assert_str_eq(
      error.message,
      _i ? "dynamics static has no velocities, on which the force of an activation of "
           "the kind hill depends; use transient"
         : "activation 'muscle 0': lengthened fast, segment 0 pulls with 6.048e+04 Pa; it "
           "should be less than kz, 6e+04 Pa");
  free(scene);
}
END_TEST

static TCase *activations(void) {
  TCase *t = tcase_create("activation");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, a_free_rod_takes_its_active_shape, 0, 4);
  tcase_add_loop_test(t, a_held_rod_pulls, 0, 3);
  tcase_add_loop_test(t, work_of_what_cannot_move_is_stored, 0, 3);
  tcase_add_loop_test(t, slow_work_is_stored, 0, 2);
  tcase_add_loop_test(t, activations_keep_the_momentum, 0, 4);
  tcase_add_loop_test(t, restored_activations_go_on_alike, 0, 8);
  tcase_add_loop_test(t, a_segment_of_a_long_chain_contracts, 0, 4);
  tcase_add_test(t, a_force_needs_a_stiffness);
  tcase_add_test(t, bergou_contracts_likewise);
  tcase_add_loop_test(t, a_free_fiber_shortens_by_hills_law, 0, 3);
  tcase_add_test(t, restored_fibers_go_on_alike);
  tcase_add_loop_test(t, a_stress_beyond_the_segments_is_refused, 0, 2);
  return t;
}

VB_TEST_MAIN("activation", activations())
