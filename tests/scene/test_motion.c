// SPDX-License-Identifier: GPL-3.0-or-later
/// Motions of drivers that ride on others, against matrices multiplied here.
#include "scenes/scene_fixture.h"

#include <math.h>

/// x -> m x, with x = (x, y, z, 1).
typedef struct matrix {
  double m[4][4];
} matrix;

static matrix product(const matrix *a, const matrix *b) {
  matrix c = {{{0}}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++)
        c.m[i][j] += a->m[i][k] * b->m[k][j];
  return c;
}

static matrix shift(const double d[3], double sign) {
  return (matrix){
      {{1, 0, 0, sign * d[0]}, {0, 1, 0, sign * d[1]}, {0, 0, 1, sign * d[2]}, {0, 0, 0, 1}}};
}

/// Rodrigues: cos I + sin [a]x + (1 - cos) a a^T.
static matrix turn(const double a[3], double angle) {
  double c = cos(angle), s = sin(angle);
  matrix r = {{{0}}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r.m[i][j] = (1 - c) * a[i] * a[j] + (i == j) * c;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r.m[j][i] += s * a[k];
    r.m[i][j] -= s * a[k];
  }
  r.m[3][3] = 1;
  return r;
}

enum { N_DRIVERS = 5 };

/// Driver 1 rides on 3, and 3 on 0; 4 on 2. All turn and move but 2, which rests.
static const vb_driver drivers[N_DRIVERS] = {
    {"shoulder", {1, 2, 3}, {0.6, 0, 0.8}, {0, 1, -1}, 2},
    {"hand", {-4, 0, 2}, {0, 1, 0}, {-1, 2, -1}, 1},
    {"rest", {7, 7, 7}, {1, 0, 0}, {-1, -1, -1}, -1},
    {"elbow", {0, -1, 5}, {0.48, 0.6, 0.64}, {1, -1, 0}, 0},
    {"still", {0, 0, 1}, {0, 0, 1}, {-1, -1, -1}, -1}};
static const int32_t parent[N_DRIVERS] = {-1, 3, -1, 0, 2};

static vb_scene *arm(void) {
  vb_builder *b = fixture_builder();
  fixture_node(b, 0, 0, 0, 1);
  const vb_key keys[6] = {{0, 0, VB_LINEAR, 0}, {1, 2, VB_LINEAR, 0},  {0, 0.5, VB_LINEAR, 0},
                          {1, 9, VB_LINEAR, 0}, {0, -1, VB_LINEAR, 0}, {1, -3, VB_LINEAR, 0}};
  for (int k = 0; k < 6; k++)
    fixture_add(b, VB_SET_KEY, &keys[k]);
  for (int c = 0; c < 3; c++)
    fixture_add(b, VB_SET_CURVE, &(vb_curve){2 * c, 2});
  for (int d = 0; d < N_DRIVERS; d++)
    fixture_add(b, VB_SET_DRIVER, &drivers[d]);
  for (int d = N_DRIVERS; d-- > 0;) // freezing sorts them
    if (parent[d] >= 0)
      fixture_add(b, VB_SET_PARENT, &(vb_parent){d, parent[d]});
  return fixture_freeze(b);
}

/// shift(origin + d) R shift(-origin), and before it all that the driver rides on.
// NOLINTNEXTLINE(misc-no-recursion): as deep as drivers ride
static matrix composed(const vb_scene *scene, int32_t d, double time) {
  double moved[3];
  for (int k = 0; k < 3; k++)
    moved[k] = drivers[d].origin[k] + vb_scene_curve(scene, drivers[d].translation[k], time, 0);
  matrix there = shift(moved, 1), back = shift(drivers[d].origin, -1);
  matrix around = turn(drivers[d].axis, vb_scene_curve(scene, drivers[d].angle, time, 0));
  matrix own = product(&around, &back);
  own = product(&there, &own);
  if (parent[d] < 0)
    return own;
  matrix above = composed(scene, parent[d], time);
  return product(&above, &own);
}

START_TEST(motions_compose) {
  vb_scene *scene = arm();
  for (int32_t d = 0; d < N_DRIVERS; d++)
    for (double time = 0; time <= 1; time += 0.125) {
      double q[4], b[3];
      vb_driver_motion(scene, d, time, q, b);
      ck_assert_double_eq_tol(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
      matrix m = composed(scene, d, time);
      // The rotation's columns from the quaternion; sizes up to 20 m, three motions: rounding.
      const double r[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                               2 * (q[1] * q[3] + q[0] * q[2])},
                              {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                               2 * (q[2] * q[3] - q[0] * q[1])},
                              {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                               1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
      for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(b[i], m.m[i][3], 1e-13);
        for (int j = 0; j < 3; j++)
          ck_assert_double_eq_tol(r[i][j], m.m[i][j], 1e-14);
      }
    }
  free(scene);
}
END_TEST

START_TEST(what_rides_on_a_moving_driver_moves) {
  vb_scene *scene = arm();
  static const bool moving[N_DRIVERS] = {true, true, false, true, false};
  for (int32_t d = 0; d < N_DRIVERS; d++)
    ck_assert_int_eq(vb_driver_moves(scene, d), moving[d]);
  free(scene);
}
END_TEST

START_TEST(a_driver_at_rest_moves_nothing_by_a_bit) {
  vb_scene *scene = arm();
  double q[4], b[3];
  vb_driver_motion(scene, 4, 0.3, q, b);
  ck_assert_mem_eq(q, ((double[]){1, 0, 0, 0}), sizeof q);
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq(b[k], 0);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("motion");
  tcase_add_test(c, motions_compose);
  tcase_add_test(c, what_rides_on_a_moving_driver_moves);
  tcase_add_test(c, a_driver_at_rest_moves_nothing_by_a_bit);
  return c;
}

VB_TEST_MAIN("motions of drivers", make_case())
