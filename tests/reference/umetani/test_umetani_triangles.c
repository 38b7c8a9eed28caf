// SPDX-License-Identifier: GPL-3.0-or-later
/// Triangles that carry position-based rods: their frames, edges that are fastened to a vertex, and
/// ends that are clamped in them.
/// Covers: reference/umetani/element.* reference/umetani/frame.h reference/umetani/pass.h
#include "scenes/umetani_rods.h"

enum { POINTS = 5 };

/// A triangle's frame (eq. 25): e1 along p1 - p0, e3 = e1 x (p2 - p0)/|..|, e2 = e3 x e1 are the
/// axes d3, d2, d1 of an edge's frame; J turns it as its vertices move. To second order in steps of
/// 1e-5.
START_TEST(triangles_have_frames) {
  for (uint64_t n = 0; n < 200; n++) {
    uint64_t seed = 31 * n + 7;
    double x[3][3], first[3], across[3], e3[3], e2[3], jacobian[3][3][3], e1_length, e3_length;
    for (int p = 0; p < 3; p++) {
      random_vector(&seed, 0.3, x[p]);
      x[p][p] += 1;
    }
    umetani_frame f;
    ck_assert(umetani_frame_of(x[0], x[1], x[2], 0, &f));
    vb_subtract(x[1], x[0], first);
    vb_subtract(x[2], x[0], across);
    vb_cross(first, across, e3);
    e1_length = sqrt(vb_dot(first, first));
    e3_length = sqrt(vb_dot(e3, e3));
    vb_cross(e3, first, e2);
    umetani_frame_jacobians(&f, jacobian);
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq_tol(f.d[2][k], first[k] / e1_length, 1e-13);
      ck_assert_double_eq_tol(f.d[1][k], e3[k] / e3_length, 1e-13);
      ck_assert_double_eq_tol(f.d[0][k], e2[k] / (e1_length * e3_length), 1e-13);
    }
    for (int p = 0; p < 3; p++)
      for (int m = 0; m < 3; m++) {
        umetani_frame moved[2];
        double q[3][3], c[3], turn[3] = {jacobian[p][0][m], jacobian[p][1][m], jacobian[p][2][m]};
        for (int side = 0; side < 2; side++) {
          double y[3][3];
          memcpy(y, x, sizeof y);
          y[p][m] += side ? 1e-5 : -1e-5;
          ck_assert(umetani_frame_of(y[0], y[1], y[2], 0, &moved[side]));
        }
        umetani_relative((const double(*)[3])moved[0].d, (const double(*)[3])moved[1].d, q);
        umetani_tangent((const double(*)[3])q, c);
        for (int i = 0; i < 3; i++)
          ck_assert_double_eq_tol(c[i] / 1e-5, vb_dot(turn, f.d[i]), 1e-6);
      }
  }
}
END_TEST

/// An edge that is fastened to a vertex of a free triangle, away from where it should be: both turn
/// until it is there, and their common center stays.
START_TEST(triangles_carry_rods) {
  double x[POINTS][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0.1}, {-0.3, 0.4, 0.8}, {0.4, 0.6, 0.4}};
  double start[POINTS][3], weights[POINTS][3], weight[POINTS], before[3] = {0}, after[3] = {0};
  umetani_frame body;
  ck_assert(umetani_frame_of(x[0], x[1], x[2], 0, &body));
  umetani_attachment tie = {.point = {0, 1, 2, 3, 4}, .lb = 0.5, .k = {1, 1, 1}};
  for (int i = 0; i < 3; i++) // the edge is to go along e3
    tie.turn[i][(i + 1) % 3] = 1;
  for (int p = 0; p < POINTS; p++)
    for (int k = 0; k < 3; k++) {
      weights[p][k] = weight[p] = 1;
      before[k] += x[p][k];
    }
  memcpy(start, x, sizeof start);
  umetani_element e;
  for (int n = 0; n < 60; n++) {
    double lambda[3] = {0};
    ck_assert(umetani_attachment_element(&tie, &plain, x, &e));
    umetani_enforce(&e, weights, weight, &plain, UMETANI_BLOCK, x, lambda, NULL, NULL);
  }
  ck_assert(umetani_attachment_element(&tie, &plain, x, &e));
  umetani_frame edge, now;
  ck_assert(umetani_frame_of(x[0], x[3], x[4], 0, &edge));
  ck_assert(umetani_frame_of(x[0], x[1], x[2], 0, &now));
  ck_assert_double_lt(fabs(e.c[0]) + fabs(e.c[1]) + fabs(e.c[2]), 1e-12);
  ck_assert_double_gt(vb_distance(now.d[2], body.d[2]), 0.01); // the triangle has turned, too
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(edge.d[2][k], now.d[1][k], 1e-12); // e3
    for (int p = 0; p < POINTS; p++)
      after[k] += x[p][k];
    ck_assert_double_eq_tol(after[k], before[k], 1e-13);
  }
  ck_assert_double_gt(vb_distance(x[3], start[3]), 0.01);
}
END_TEST

/// The projection of an end's place, or of its turn.
static void project_end(const umetani_anchor *anchor, double (*x)[3], bool turn,
                        umetani_element *out) {
  if (turn)
    (void)umetani_anchor_turn(anchor, &plain, x, out);
  else
    umetani_anchor_place(anchor, x, out);
}

/// Component `i` of the projection has the gradient of differences, and its gradients have no sum
/// and no moment.
static void check_projection(const umetani_anchor *anchor, double (*x)[3], bool turn, int i) {
  double sum[3] = {0}, moment[3] = {0};
  umetani_element now, moved[2];
  project_end(anchor, x, turn, &now);
  for (int p = 0; p < 6; p++) {
    double own[3];
    vb_add_scaled(sum, 1, now.gradient[i][p], sum);
    vb_cross(x[now.point[p]], now.gradient[i][p], own);
    vb_add_scaled(moment, 1, own, moment);
    for (int k = 0; k < 3; k++) {
      double *held = &x[now.point[p]][k], before = *held;
      for (int side = 0; side < 2; side++) {
        *held = before + (side ? 1e-5 : -1e-5);
        project_end(anchor, x, turn, &moved[side]);
      }
      *held = before;
      ck_assert_double_eq_tol((moved[1].c[i] - moved[0].c[i]) / 2e-5, now.gradient[i][p][k], 1e-6);
    }
  }
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(sum[k], 0, 1e-12);
    if (turn) // a place is moved by its own component of a force, which has a moment
      ck_assert_double_eq_tol(moment[k], 0, 1e-12);
  }
}

/// The end of a bar in a free triangle, both in disorder: the projections of its place and its turn
/// have the gradients of differences, keep the sum of forces and of moments zero, and bring the end
/// to its barycentric place.
START_TEST(ends_are_clamped_in_triangles) {
  const umetani_choice choice = {.ghost_mass = 0.05};
  vb_builder *b = scenes_begin(0.01, 0);
  const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}};
  int32_t node[5];
  for (int k = 0; k < 3; k++)
    node[k] = fixture_node(b, corner[k][0], corner[k][1], corner[k][2], 0.01);
  for (int k = 0; k < 3; k++)
    scenes_segment(b, node[k], node[(k + 1) % 3], &scenes_rubber);
  node[3] = fixture_node(b, 0.4, 0.3, 0, 0.01);
  node[4] = fixture_node(b, 0.5, 0.1, 0.4, 0.01);
  int32_t bar = _i ? scenes_segment(b, node[4], node[3], &scenes_rubber)
                   : scenes_segment(b, node[3], node[4], &scenes_rubber);
  fixture_add(b, VB_SET_ATTACHMENT, &(vb_attachment){bar, node[3], {node[0], node[1], node[2]}, 0});
  small s = begin_small(b, &choice);
  ck_assert_uint_eq(s.rods->n_anchors, 1);
  const umetani_anchor *anchor = s.rods->anchor;
  double(*x)[3] = s.state.x, at[3] = {0};
  umetani_element e;
  for (int k = 0; k < 3; k++) // x = 0.4 = s1 + 0.2 s2, y = 0.3 = 0.9 s2
    vb_add_scaled(at, anchor->share[k], corner[k], at);
  ck_assert_double_eq_tol(anchor->share[2], 1.0 / 3, 1e-12);
  ck_assert_double_eq_tol(anchor->share[1], 1.0 / 3, 1e-12);
  ck_assert_double_eq_tol(at[0], 0.4, 1e-12);
  ck_assert(umetani_anchor_turn(anchor, &plain, x, &e)); // at rest nothing is turned
  ck_assert_double_lt(fabs(e.c[0]) + fabs(e.c[1]) + fabs(e.c[2]), 1e-12);
  uint64_t seed = 5;
  for (size_t p = 0; p < s.rods->n_points; p++) {
    double move[3];
    random_vector(&seed, 0.1, move);
    vb_add_scaled(x[p], 1, move, x[p]);
  }
  for (int i = 0; i < 3; i++) {
    check_projection(anchor, x, false, i);
    check_projection(anchor, x, true, i);
  }
  umetani_settings settings = {.law = plain};
  const umetani_pass pass = {s.rods, &settings, &s.state, &s.scratch};
  umetani_anchor_sweep(&pass);
  umetani_anchor_place(anchor, x, &e);
  ck_assert_double_lt(sqrt(vb_dot(e.c, e.c)), 1e-13);
  for (int n = 0; n < 60; n++)
    umetani_anchor_sweep(&pass);
  ck_assert(umetani_anchor_turn(anchor, &plain, x, &e));
  ck_assert_double_lt(fabs(e.c[0]) + fabs(e.c[1]) + fabs(e.c[2]), 1e-10);
  end_small(&s);
}
END_TEST

static TCase *triangles(void) {
  TCase *t = tcase_create("umetani triangles");
  tcase_add_test(t, triangles_have_frames);
  tcase_add_test(t, triangles_carry_rods);
  tcase_add_loop_test(t, ends_are_clamped_in_triangles, 0, 2);
  return t;
}

VB_TEST_MAIN("umetani triangles", triangles())
