// SPDX-License-Identifier: GPL-3.0-or-later
/// Covers: src/results/rod_measures.*
#include "results/rod_measures.h"
#include "scene/builder.h"
#include "test.h"

#include <math.h>

/// Norms of one error, for two bodies.
typedef struct norms {
  double rms, max, rms_by_body[2], max_by_body[2];
} norms;

/// Two bodies: a tapered rod of segments 1 m and 2 m long, and a single node.
static vb_scene *make_scene(void) {
  static const struct {
    double x, y, radius;
  } at[] = {{0, 0, 0.1}, {1, 0, 0.3}, {3, 0, 0.5}, {0, 9, 0.1}};
  vb_error error = {0};
  vb_builder *b = NULL;
  vb_scene *scene = NULL;
  ck_assert(!vb_builder_create(&b, &error));
  vb_builder_world(b)->step = 0.01;
  for (int i = 0; i < 4; i++) {
    vb_node node = {.rest_position = {at[i].x, at[i].y, 0},
                    .rest_radius = at[i].radius,
                    .position = {at[i].x, at[i].y, 0}};
    ck_assert(!vb_builder_add(b, VB_SET_NODE, &node, NULL, &error));
  }
  for (int j = 0; j < 2; j++) {
    vb_segment segment = {
        .node = {j, j + 1}, .density = 1000, .stiffness = {1e6, 1e6, 1e6, 0, 0, 1e6}};
    ck_assert(!vb_builder_add(b, VB_SET_SEGMENT, &segment, NULL, &error));
  }
  vb_status status = vb_builder_freeze(b, &scene, &error);
  ck_assert_msg(!status, "%s", error.message);
  vb_builder_destroy(b);
  return scene;
}

static void evaluate(const double position[12], const double scale[4], norms *volume,
                     norms *stretch) {
  vb_scene *scene = make_scene();
  vb_rod_measures *measures = NULL;
  vb_error error = {0};
  ck_assert(!vb_rod_measures_create(scene, &measures, &error));
  vb_error_norms v = {&volume->rms, &volume->max, volume->rms_by_body, volume->max_by_body};
  vb_error_norms s = {&stretch->rms, &stretch->max, stretch->rms_by_body, stretch->max_by_body};
  vb_rod_measures_evaluate(measures, position, scale, &v, &s);
  vb_rod_measures_destroy(measures);
  free(scene);
}

START_TEST(rest_has_no_error) {
  norms volume, stretch;
  evaluate((double[]){0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 9, 0}, (double[]){1, 1, 1, 1}, &volume,
           &stretch);
  ck_assert_double_eq(volume.rms, 0);
  ck_assert_double_eq(volume.max, 0);
  ck_assert_double_eq(stretch.rms, 0);
  ck_assert_double_eq(stretch.max_by_body[1], 0);
}
END_TEST

START_TEST(errors_are_weighted) {
  // Segment 0 turned and stretched to 1.5 with mean scale 0.8; segment 1 shortened to half its
  // length with mean scale 1.1.
  norms volume, stretch;
  evaluate((double[]){0, 0, 0, 0, 1.5, 0, 0, 1.5, 1, 0, 9, 0}, (double[]){0.7, 0.9, 1.3, 1},
           &volume, &stretch);
  double e[2] = {0.5, -0.5}, v[2] = {0.8 * 0.8 * 1.5 - 1, 1.1 * 1.1 * 0.5 - 1};
  // r^2 l with mean radii 0.2 and 0.4; l.
  double wv[2] = {0.04 * 1, 0.16 * 2}, ws[2] = {1, 2};
  double rms_v = sqrt((wv[0] * v[0] * v[0] + wv[1] * v[1] * v[1]) / (wv[0] + wv[1]));
  double rms_e = sqrt((ws[0] * e[0] * e[0] + ws[1] * e[1] * e[1]) / (ws[0] + ws[1]));
  // A dozen roundings of numbers near 1.
  const double tolerance = 1e-14;
  ck_assert_double_eq_tol(volume.rms, rms_v, tolerance);
  ck_assert_double_eq_tol(stretch.rms, rms_e, tolerance);
  ck_assert_double_eq_tol(volume.rms_by_body[0], rms_v, tolerance);
  ck_assert_double_eq_tol(volume.max, fabs(v[1]), tolerance);
  ck_assert_double_eq_tol(stretch.max_by_body[0], 0.5, tolerance);
  ck_assert_double_eq(volume.rms_by_body[1], 0);
  ck_assert_double_eq(stretch.max_by_body[1], 0);
}
END_TEST

START_TEST(nan_shows) {
  norms volume, stretch;
  evaluate((double[]){0, 0, 0, NAN, 0, 0, 3, 0, 0, 0, 9, 0}, (double[]){1, 1, 1, 1}, &volume,
           &stretch);
  ck_assert(isnan(volume.rms) && isnan(volume.max) && isnan(stretch.max_by_body[0]));
  ck_assert_double_eq(stretch.max_by_body[1], 0);
  evaluate((double[]){0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 9, 0}, (double[]){NAN, 1, 1, 1}, &volume,
           &stretch);
  // The first segment's NaN outlives the second's number; lengths do not depend on scales.
  ck_assert(isnan(volume.max_by_body[0]) && isnan(volume.rms));
  ck_assert_double_eq(stretch.rms, 0);
}
END_TEST

static TCase *measures_case(void) {
  TCase *c = tcase_create("measures");
  tcase_add_test(c, rest_has_no_error);
  tcase_add_test(c, errors_are_weighted);
  tcase_add_test(c, nan_shows);
  return c;
}

VB_TEST_MAIN("measures", measures_case())
