// SPDX-License-Identifier: GPL-3.0-or-later
/// Nothing passes through anything (contact/truncation.h): truncation of two segments against
/// finely sampled paths, and ropes that are thrown at each other, by every method.
/// Covers: src/viper/contact/truncation.h src/viper/cpu/contact/truncation_real.c
#define VIPER_PRECISION 64
#include "viper/contact/truncation.h"

#include "handle.h"
#include "scenes/scenes.h"

#include <math.h>

static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
static const char *const precisions[] = {"double", "float"};
enum { METHODS = 4, VARIANTS = 8 };

/// A pair of crossing capsules of radius 0.1, a above b by `above` and moving by `path`.
static viper_swept_pair crossing(double above, viper_vec3 path) {
  viper_swept_pair p = {{{-1, 0, above}, {1, 0, above}, {0, -1, 0}, {0, 1, 0}}, {path, path}, 0.2};
  return p;
}

/// Where capsules hit each other, they keep the part of the motion until they touch; beside each
/// other, parting or together, all of it.
START_TEST(the_part_of_a_motion_is_that_until_the_touch) {
  const viper_vec3 down = {0, 0, -2}, up = {0, 0, 2}, slide = {3, 3, -0.5};
  viper_swept_pair p = crossing(1, down);
  // Advancement ends between the touch and a fiftieth of the radii before it.
  ck_assert_double_le(viper_truncation_fraction(&p), 0.4);
  ck_assert_double_ge(viper_truncation_fraction(&p), 0.4 - 0.02 * 0.2 / 2);
  p = crossing(0.1, down); // from within each other: half the way to the floor of 0.05
  ck_assert_double_le(viper_truncation_fraction(&p), 0.0125);
  ck_assert_double_ge(viper_truncation_fraction(&p), 0.0125 - 0.02 * 0.075 / 2);
  p = crossing(0.1, up);
  ck_assert_double_eq(viper_truncation_fraction(&p), 1);
  p = crossing(1, slide);
  ck_assert_double_eq(viper_truncation_fraction(&p), 1);
  p = crossing(1, down);
  p.path[2] = p.path[3] = down;
  ck_assert_double_eq(viper_truncation_fraction(&p), 1);
  p = crossing(0.003, down); // sides that cannot be told
  ck_assert_double_eq(viper_truncation_fraction(&p), 1);
}
END_TEST

static viper_vec3 random_vector(uint64_t *seed, double size) {
  viper_vec3 v = {size * (2 * scenes_random(seed) - 1), size * (2 * scenes_random(seed) - 1),
                  size * (2 * scenes_random(seed) - 1)};
  return v;
}

/// The least of the axes' distances at 400 times on a part of their paths.
static double least_distance(const viper_swept_pair *p, double part) {
  double least = INFINITY;
  viper_vec3 n;
  for (int k = 0; k <= 400; k++)
    least = fmin(least, viper_truncation_distance(p, part * k / 400, &n));
  return least;
}

/// Random pairs: what is left of a motion never goes below the floor, and nothing is taken from one
/// that stays above it.
START_TEST(no_part_of_a_motion_goes_below_the_floor) {
  uint64_t seed = 11;
  int truncated = 0, whole = 0;
  for (int i = 0; i < 20000; i++) {
    viper_swept_pair p = {.reach = 0.05 + 0.5 * scenes_random(&seed)};
    for (int k = 0; k < 4; k++) {
      p.old[k] = random_vector(&seed, 1);
      p.path[k] = random_vector(&seed, 3);
    }
    viper_vec3 n;
    double d = viper_truncation_distance(&p, 0, &n), part = viper_truncation_fraction(&p);
    double floor = fmin(VIPER_TRUNCATION_RELATIVE * d, VIPER_TRUNCATION_FLOOR * p.reach);
    if (d < p.reach / 32)
      continue;
    truncated += part < 1;
    // Rounding of numbers of 1, where the floor is exact.
    ck_assert_double_ge(least_distance(&p, part), floor - 1e-12);
    // Between two samples ends move against each other by 11 / 400 at most, and back.
    if (least_distance(&p, 1) > floor * (1 + VIPER_TRUNCATION_TOLERANCE) + 11.0 / 400) {
      ck_assert_double_eq(part, 1);
      whole++;
    }
  }
  ck_assert_int_gt(truncated, 1000);
  ck_assert_int_gt(whole, 1000);
}
END_TEST

enum { EDGES = 24, NODES = EDGES + 1 };

static viper_vec3 between(const double *from, const double *to) {
  return viper_vec3_make(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
}

/// What two edges add to Gauss' linking integral, times 4 pi: the solid angle of the directions
/// from one to the other, by its sides.
static double linking_of(const double *a, const double *b, const double *c, const double *d) {
  const viper_vec3 e[4] = {between(a, c), between(a, d), between(b, d), between(b, c)};
  viper_vec3 n[4];
  double angle = 0, side = viper_dot(viper_cross(between(c, d), between(a, b)), e[0]);
  for (int k = 0; k < 4; k++) {
    n[k] = viper_cross(e[k], e[(k + 1) % 4]);
    double size = sqrt(viper_dot(n[k], n[k]));
    n[k] = viper_scale(size > 0 ? 1 / size : 0, n[k]);
  }
  for (int k = 0; k < 4; k++)
    angle += asin(fmax(-1, fmin(1, viper_dot(n[k], n[(k + 1) % 4]))));
  return side > 0 ? angle : -angle;
}

/// The integral of two ropes, which changes by 1 where they pass through each other.
static double linking(const double *p, const double *q) {
  double sum = 0;
  for (size_t i = 0; i < EDGES; i++)
    for (size_t j = 0; j < EDGES; j++)
      sum += linking_of(p + 3 * i, p + 3 * (i + 1), q + 3 * j, q + 3 * (j + 1));
  return sum / (4 * M_PI);
}

/// Two ropes across each other, the upper one thrown down at `speed`, the lower one held at its
/// ends or free.
static vb_scene *ropes(double speed, bool held) {
  vb_builder *b = scenes_begin(1.0 / 60, 0);
  const scenes_material rope = {1000, {1e6, 1e6, 1e6, 0, 5e6, 5e6}};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < NODES; i++) {
      double along = 0.6 * i / EDGES - 0.3 + 0.004 * k;
      vb_node node = {.rest_position = {k ? 0.003 : along, k ? along : 0, 0.05 * k},
                      .rest_radius = 0.01,
                      .position = {k ? 0.003 : along, k ? along : 0, 0.05 * k},
                      .velocity = {0, 0, k ? -speed : 0}};
      int32_t at = fixture_add(b, VB_SET_NODE, &node);
      if (i > 0)
        scenes_segment(b, at - 1, at, &rope);
    }
  int32_t wall = scenes_wall(b, "wall");
  for (int32_t i = 0; i < 2 * NODES; i++)
    scenes_pin_node(
        b, i, held && (i == 0 || i == EDGES) ? VB_PIN_CENTER | VB_PIN_SCALE : VB_PIN_SCALE, wall);
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){.margin = 1e-3});
  return fixture_freeze(b);
}

/// How often ropes pass through each other on the straight paths from `before` to `after`.
static int count_passes(const double *before, const double *after) {
  enum { SAMPLES = 16 };
  double x[6 * NODES], last = NAN;
  int passes = 0;
  for (int s = 0; s <= SAMPLES; s++) {
    for (int k = 0; k < 6 * NODES; k++)
      x[k] = before[k] + (after[k] - before[k]) * s / SAMPLES;
    double now = linking(x, x + 3 * NODES);
    passes += fabs(now - last) > 0.5;
    last = now;
  }
  return passes;
}

/// Where the ropes are.
static void read_positions(const handle *s, double out[6 * NODES]) {
  for (size_t k = 0; k < 6 * (size_t)NODES; k++)
    out[k] = handle_value(s, "position", k);
}

/// Whether exactly `n` steps count as ones that did not converge; by sweeps no other is looked at.
static void check_missed(const handle *s, int64_t n) {
  vb_convergence found;
  ck_assert(!s->solver->convergence(s->self, &found, NULL));
  ck_assert_int_eq(found.missed, n);
  ck_assert_int_eq(found.evaluated, n);
}

/// Ropes thrown at others at 1 to 30 m/s in steps of 1/60 s do not pass through them. Steps that
/// truncate did not converge.
START_TEST(ropes_never_pass_each_other) {
  const double speeds[] = {1, 5, 30};
  for (int k = 0; k < 6; k++) {
    vb_scene *scene = ropes(speeds[k / 2], k % 2);
    handle s = handle_open(scene, "method", methods[_i % METHODS], "precision",
                           precisions[_i / METHODS], "iterations", "10", NULL);
    double before[6 * NODES], after[6 * NODES], truncated = 0;
    int64_t missed = 0;
    read_positions(&s, after);
    for (int step = 0; step < 12; step++) {
      memcpy(before, after, sizeof before);
      handle_step(&s, 1);
      read_positions(&s, after);
      truncated += handle_value(&s, "contact_truncated", 0);
      missed += handle_value(&s, "contact_truncated", 0) > 0;
      ck_assert_msg(count_passes(before, after) == 0, "%g m/s, held %d: step %d", speeds[k / 2],
                    k % 2, step);
    }
    ck_assert(speeds[k / 2] < 30 || truncated > 0);
    ck_assert((s.solver->warning(s.self) != NULL) == (truncated > 0));
    check_missed(&s, missed);
    void *saved = handle_save(&s);
    ck_assert(!s.solver->restore(s.self, saved, NULL));
    check_missed(&s, missed);
    handle_step(&s, 1);
    check_missed(&s, missed + (handle_value(&s, "contact_truncated", 0) > 0));
    free(saved);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Truncation keeps momentum, by methods that do, and threads leave the bits alone.
START_TEST(truncation_keeps_momentum_and_bits) {
  vb_scene *scene = ropes(30, false);
  handle one = handle_open(scene, "method", methods[_i], "contact", "colors", "threads", "1", NULL);
  handle three =
      handle_open(scene, "method", methods[_i], "contact", "colors", "threads", "3", NULL);
  double before = handle_value(&one, "momentum", 2), truncated = 0;
  for (int step = 0; step < 12; step++) {
    handle_step(&one, 1);
    handle_step(&three, 1);
    truncated += handle_value(&one, "contact_truncated", 0);
    ck_assert(handle_same(&one, &three));
  }
  ck_assert_double_gt(truncated, 0);
  // Rounding of displacements over a step. jacobi-published averages each node by itself.
  if (strcmp(methods[_i], "jacobi-published") != 0)
    ck_assert_double_eq_tol(handle_value(&one, "momentum", 2), before, 1e-9 * fabs(before));
  handle_close(&one);
  handle_close(&three);
  free(scene);
}
END_TEST

/// Blows in whole steps: pivots below zero, as ropes have that are pressed, may throw them once in
/// a substep, not after every pass over contacts. Slow ropes never have more energy than before; of
/// faster ones the last pass of a blow may bend them, but nothing is left of that in the end.
START_TEST(direct_gains_no_energy_in_a_blow) {
  const double speeds[] = {0.25, 0.5, 1, 2};
  vb_scene *scene = ropes(speeds[_i / 2], _i % 2);
  handle s = handle_open(scene, "method", "direct", "iterations", "30", NULL);
  double before = handle_energy(&s, "kinetic"), now = before;
  for (int step = 0; step < 60; step++) {
    handle_step(&s, 1);
    now = handle_energy(&s, "kinetic") + handle_elastic(&s);
    if (_i < 2)
      ck_assert_double_le(now, before * (1 + 1e-9)); // rounding, before they touch
  }
  ck_assert_double_lt(now, before);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *passing(void) {
  TCase *t = tcase_create("passing");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, the_part_of_a_motion_is_that_until_the_touch);
  tcase_add_test(t, no_part_of_a_motion_goes_below_the_floor);
  tcase_add_loop_test(t, ropes_never_pass_each_other, 0, VARIANTS);
  tcase_add_loop_test(t, truncation_keeps_momentum_and_bits, 0, METHODS);
  tcase_add_loop_test(t, direct_gains_no_energy_in_a_blow, 0, 8);
  return t;
}

VB_TEST_MAIN("contact passing", passing())
