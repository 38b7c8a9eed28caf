// SPDX-License-Identifier: GPL-3.0-or-later
/// Where each method ends: `block-descent` at the minimizer of Phi, `jacobi-published` at that of
/// Phi with each unknown's inertia multiplied by the number of its constraints; and what becomes of
/// linear momentum. (`direct` is in test_viper_steps.c, `xpbd` in test_viper_xpbd.c.)
/// Covers: src/viper/method/block_descent.h src/viper/method/jacobi_published.h
/// Covers: src/viper/method/sweeps.h src/viper/cpu/single/sweeps_lanes.c
#include "scenes/reference_scenes.h"

static const double step_length = 0.01;

/// The first step of a scene by so many sweeps of a method.
static handle first_step(const vb_scene *scene, const char *method, const char *iterations) {
  handle s = handle_open(scene, "method", method, "iterations", iterations, NULL);
  handle_step(&s, 1);
  return s;
}

/// After enough sweeps block descent is where the independent minimizer is: to 1e-9, as `direct`
/// (test_viper_steps.c). On the way 30 sweeps are more than ten times as near as 3: better than one
/// over their number, as where errors shrink by a factor each sweep.
START_TEST(block_descent_reaches_the_minimizer) {
  static const char *const sweeps[] = {"3", "30", "1000"};
  vb_scene *scene = make_scene(_i, step_length);
  ref_problem p;
  ref_state x;
  ref_rates v;
  double apart[3];
  ref_open(scene, step_length, &p);
  ref_start(&p, &x, &v);
  ck_assert_msg(ref_step(&p, &x, &v, 0), "no minimum");
  for (int k = 0; k < 3; k++) {
    handle s = first_step(scene, "block-descent", sweeps[k]);
    apart[k] = difference(&s, &p, &x);
    handle_close(&s);
  }
  ck_assert_double_lt(apart[1], 0.1 * apart[0]);
  ck_assert_double_lt(apart[2], 1e-9);
  free(scene);
}
END_TEST

/// The unknown that stands for the whole center or frame of unknown `u`; a scale stands for itself.
static size_t counted_at(const ref_problem *p, size_t u) {
  size_t frames = 4 * p->n_nodes;
  return u >= frames ? frames + (u - frames) / 3 * 3 : u % 4 == 3 ? u : u / 4 * 4;
}

/// Multiplies inertias by the number of terms that act on an unknown, a center and a frame being
/// one each: those whose rows change with it, by differences, near the state `x` (at it, some
/// derivatives may vanish: a straight joint's by its scale).
static void multiply_inertias(ref_problem *p, const ref_state *x) {
  int count[REF_UNKNOWNS] = {0};
  ref_state near, state;
  ref_real move[REF_UNKNOWNS];
  uint64_t seed = 5;
  for (size_t u = 0; u < p->n_unknowns; u++)
    move[u] = 0.1L * scenes_random(&seed);
  ref_apply(p, x, move, &near);
  state = near;
  memset(move, 0, sizeof move);
  for (size_t e = 0; e < p->n_segments + p->n_joints; e++) {
    size_t unknown[REF_ELEMENT_UNKNOWNS];
    ref_real dw[REF_ELEMENT_UNKNOWNS][REF_ELEMENT_ROWS];
    ref_rows rows;
    int n = ref_element_unknowns(p, e, unknown);
    bool acts[REF_TERMS][REF_UNKNOWNS] = {{false}};
    ref_element_rows(p, &near, e, &rows);
    ref_derivatives(p, &near, move, &state, e, unknown, n, dw);
    for (int a = 0; a < n; a++)
      for (int i = 0; i < rows.n; i++)
        if (rows.k[i] > 0 && fabsl(dw[a][i]) > 1e-9L) // differences are wrong by 1e-13
          acts[rows.term[i]][counted_at(p, unknown[a])] = true;
    for (int t = 0; t < REF_TERMS; t++)
      for (size_t u = 0; u < p->n_unknowns; u++)
        count[u] += acts[t][u];
  }
  for (size_t u = 0; u < p->n_unknowns; u++) {
    ck_assert_int_gt(count[counted_at(p, u)], 0);
    p->inertia[u] *= count[counted_at(p, u)];
  }
}

/// The minimizer of the first step with inertias multiplied, or as they are.
static void minimizer(const vb_scene *scene, double h, bool multiplied, ref_problem *p,
                      ref_state *out) {
  ref_state x, start;
  ref_rates v;
  ref_open(scene, h, p);
  ref_start(p, &x, &v);
  ref_predict(p, &x, &v, 0); // loads act on the inertias as they are
  if (multiplied)
    multiply_inertias(p, &x);
  start = p->hat;
  ref_hold(p, h, &start);
  ck_assert_msg(ref_minimise(p, &start, out), "no minimum");
}

/// Where gradients of W are constant the published method ends at that minimizer exactly: 1e-10 is
/// what GSL's minimizer may leave. The true one is centimeters away.
START_TEST(jacobi_multiplies_the_inertia) {
  vb_scene *scene = linear_bar(5);
  ref_problem p;
  ref_state multiplied, right;
  minimizer(scene, step_length, false, &p, &right);
  minimizer(scene, step_length, true, &p, &multiplied);
  handle s = first_step(scene, "jacobi-published", "4000");
  ck_assert_double_lt(difference(&s, &p, &multiplied), 1e-10);
  ck_assert_double_gt(difference(&s, &p, &right), 1e-2);
  handle_close(&s);
  free(scene);
}
END_TEST

/// In general it shares xpbd's gap (eq. 82), which falls with the step, at least in proportion: by
/// 8 for an eighth. By then it is a twentieth, at most, of how far away the true minimizer is. It
/// stays where it is however long it iterates.
START_TEST(jacobi_multiplies_the_inertia_of_any_rod) {
  double gap[2];
  for (int k = 0; k < 2; k++) {
    double h = k ? step_length / 8 : step_length;
    vb_scene *scene = make_scene(_i, h);
    ref_problem p;
    ref_state multiplied, right;
    minimizer(scene, h, false, &p, &right);
    minimizer(scene, h, true, &p, &multiplied);
    handle s = first_step(scene, "jacobi-published", "3000");
    handle more = first_step(scene, "jacobi-published", "4000");
    gap[k] = difference(&s, &p, &multiplied);
    ck_assert_double_lt(fabs(difference(&more, &p, &multiplied) - gap[k]), 1e-6 * gap[k]);
    if (k)
      ck_assert_double_lt(gap[k], 0.05 * difference(&s, &p, &right));
    handle_close(&s);
    handle_close(&more);
    free(scene);
  }
  ck_assert_double_lt(gap[1], gap[0] / 8);
}
END_TEST

/// How far the momentum of a free body is, after ten steps, from what it began with, over that of
/// its mass at 1 m/s.
static double momentum_drift(const char *method, const char *iterations) {
  vb_builder *b = scenes_begin(step_length, 0);
  scenes_octopus(b, 6, 3, 0, &scenes_rubber);
  scenes_disturb(b, 0.03, 1, 11);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", method, "iterations", iterations, "tolerance", "0", NULL);
  double *start = handle_read(&s, "momentum"), *mass = handle_read(&s, "mass"), total = 0, sum = 0;
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    total += mass[i];
  handle_step(&s, 10);
  for (size_t k = 0; k < 3; k++)
    sum += pow(handle_value(&s, "momentum", k) - start[k], 2);
  free(start);
  free(mass);
  handle_close(&s);
  free(scene);
  return sqrt(sum) / total;
}

/// Block descent moves one node at a time and keeps momentum only as far as it has converged; then
/// to rounding (positions of order 1, over h).
START_TEST(block_descent_keeps_momentum_once_converged) {
  double some = momentum_drift("block-descent", "1");
  ck_assert_double_gt(some, 1e-2);
  ck_assert_double_lt(momentum_drift("block-descent", "100"), 1e-3 * some);
  ck_assert_double_lt(momentum_drift("block-descent", "1000"), 1e-11);
}
END_TEST

/// The published method keeps that of the multiplied masses; what it makes of the true one does not
/// vanish with iterations. `direct` and `xpbd` keep it at any count (test_viper_reactions.c).
START_TEST(jacobi_does_not_keep_momentum) {
  double some = momentum_drift("jacobi-published", "1000");
  double more = momentum_drift("jacobi-published", "3000");
  ck_assert_double_gt(some, 1e-2);
  ck_assert_double_eq_tol(more, some, 1e-6 * some);
  ck_assert_double_lt(momentum_drift("xpbd", "10"), 1e-11);
}
END_TEST

/// The scene with the other quaternion of every second frame and rest frame.
static vb_scene *other_signs(int kind) {
  vb_scene *scene = make_scene(kind, step_length);
  size_t n;
  vb_segment *segment = (vb_segment *)vb_scene_segments(scene, &n); // before any solver sees it
  for (size_t j = 0; j < n; j += 2)
    for (int k = 0; k < 4; k++) {
      segment[j].frame[k] *= -1;
      segment[j].rest_frame[k] *= -1;
    }
  return scene;
}

/// Both quaternions of a frame are as good: W and its multipliers are odd in them, and nothing else
/// changes, bit by bit.
START_TEST(signs_of_quaternions_do_not_matter) {
  static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
  const char *method = methods[_i % 4];
  vb_scene *scene = make_scene(_i / 4, step_length), *other = other_signs(_i / 4);
  handle a = handle_open(scene, "method", method, "iterations", "7", NULL);
  handle b = handle_open(other, "method", method, "iterations", "7", NULL);
  handle_step(&a, 20);
  handle_step(&b, 20);
  double *x = handle_read(&a, "position"), *y = handle_read(&b, "position");
  for (size_t i = 0; i < 3 * vb_scene_count(scene, VB_SET_NODE); i++)
    ck_assert_double_eq(x[i], y[i]);
  free(x);
  free(y);
  handle_close(&a);
  handle_close(&b);
  free(scene);
  free(other);
}
END_TEST

static TCase *ends(void) {
  TCase *t = tcase_create("where methods end");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, signs_of_quaternions_do_not_matter, 0, 4 * N_SCENES);
  tcase_add_loop_test(t, block_descent_reaches_the_minimizer, 0, N_SCENES);
  tcase_add_test(t, jacobi_multiplies_the_inertia);
  tcase_add_loop_test(t, jacobi_multiplies_the_inertia_of_any_rod, 0, N_SCENES);
  return t;
}

static TCase *momentum(void) {
  TCase *t = tcase_create("momentum");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, block_descent_keeps_momentum_once_converged);
  tcase_add_test(t, jacobi_does_not_keep_momentum);
  return t;
}

VB_TEST_MAIN("viper methods", ends(), momentum())
