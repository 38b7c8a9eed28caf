// SPDX-License-Identifier: GPL-3.0-or-later
/// Loops that share their closing twist, and rest curvatures that are asked for by segments.
/// Covers: src/scene/complete_requests.c src/scene/transport.h src/scene/rotation.h
#include "scenes/scene_fixture.h"

#include <math.h>
#include <stdbool.h>

/// Rounding of a chain of a dozen rotations.
static const double rounding = 1e-13;

/// A quaternion product of this file's own, so that it checks the builder's.
static void multiply(const double p[4], const double q[4], double out[4]) {
  out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  out[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
  out[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

/// Im P and Re P of two frames along the path from segment `a` by way of `node` to segment `b`, P =
/// conj(Q'_a) Q'_b with a positive real part; Q' = Q F where a segment is stored against the path.
static void path_rotation(const vb_segment *segments, int32_t a, int32_t b, int32_t node,
                          double out[4]) {
  static const double half_turn[4] = {0, 1, 0, 0};
  double q[2][4];
  for (int side = 0; side < 2; side++) {
    const vb_segment *segment = &segments[side ? b : a];
    if (segment->node[side == 0] == node)
      memcpy(q[side], segment->rest_frame, sizeof q[side]);
    else
      multiply(segment->rest_frame, half_turn, q[side]);
  }
  const double back[4] = {q[0][0], -q[0][1], -q[0][2], -q[0][3]};
  multiply(back, q[1], out);
  double sign = out[0] < 0 ? -1 : 1;
  for (int k = 0; k < 4; k++)
    out[k] *= sign;
}

/// A bent hexagon of nodes 0 to 5 whose closing twist is far from 0, of segments of unlike lengths,
/// the bits of `reversed` stored backward, and a branch of segments 6 and 7 from node 3.
static vb_builder *hexagon(uint32_t reversed) {
  static const double points[8][3] = {{2, 0, 0},    {1, 2, -2},  {-1, 2, 1}, {-2, 0, 2},
                                      {-1, -2, -2}, {1, -2, -1}, {-3, 0, 4}, {-4, 1, 4}};
  vb_builder *b = fixture_builder();
  for (int i = 0; i < 8; i++)
    fixture_node(b, points[i][0], points[i][1], points[i][2], i < 6 ? 0.1 : 0.05);
  for (int j = 0; j < 8; j++) {
    int32_t from = j == 6 ? 3 : j == 7 ? 6 : j, to = j == 6 ? 6 : j == 7 ? 7 : (j + 1) % 6;
    bool back = reversed >> j & 1;
    fixture_segment(b, back ? to : from, back ? from : to);
  }
  return b;
}

/// The angle of the twist at each of the six joints, along the loop.
static void twists(const vb_scene *scene, double out[6]) {
  size_t n;
  const vb_segment *segments = vb_scene_segments(scene, &n);
  for (int32_t i = 0; i < 6; i++) {
    double p[4];
    path_rotation(segments, (i + 5) % 6, i, i, p);
    out[i] = 2 * atan2(p[3], p[0]);
  }
}

START_TEST(a_loop_shares_its_twist) {
  static const uint32_t storage[] = {0, 0x12, 0x3f, 0x95};
  double whole = 0;
  for (size_t k = 0; k < 4; k++) {
    double kept[6], shared[6];
    vb_builder *b = hexagon(storage[k]);
    vb_scene *closing = NULL;
    ck_assert_int_eq(vb_builder_freeze(b, &closing, NULL), VB_OK);
    twists(closing, kept);
    // Named at two of its nodes: once is enough.
    ck_assert_int_eq(vb_builder_spread_loop(b, 4, NULL), VB_OK);
    ck_assert_int_eq(vb_builder_spread_loop(b, 1, NULL), VB_OK);
    vb_scene *spread = fixture_freeze(b);
    twists(spread, shared);
    if (k == 0)
      whole = kept[0];
    ck_assert_double_gt(fabs(whole), 0.2);
    // A first segment that is stored backward is walked backward, but a twist stays a twist.
    ck_assert_double_eq_tol(kept[0], whole, rounding);
    for (int i = 0; i < 6; i++) {
      ck_assert_double_eq_tol(kept[i], i ? 0 : whole, rounding);
      ck_assert_double_eq_tol(shared[i], whole / 6, rounding);
    }
    free(closing);
    free(spread);
  }
}
END_TEST

START_TEST(what_hangs_on_a_loop_turns_with_it) {
  vb_builder *b = hexagon(0x49);
  ck_assert_int_eq(vb_builder_spread_loop(b, 0, NULL), VB_OK);
  vb_scene *scene = fixture_freeze(b);
  size_t n, n_joints;
  const vb_segment *segments = vb_scene_segments(scene, &n);
  const vb_joint *joints = vb_scene_joints(scene, &n_joints);
  ck_assert_uint_eq(n_joints, 8);
  int hanging = 0;
  for (size_t i = 0; i < n_joints; i++) {
    double p[4];
    const int32_t *s = joints[i].segment;
    path_rotation(segments, s[0], s[1], joints[i].node, p);
    if (s[0] >= 6 || s[1] >= 6) {
      ck_assert_double_eq_tol(p[3], 0, rounding);
      hanging++;
    }
  }
  ck_assert_int_eq(hanging, 2);
  free(scene);
}
END_TEST

START_TEST(a_given_rest_frame_stays) {
  vb_builder *b = hexagon(0);
  size_t n;
  // The frame that transport would give, turned about w: only its node's x, y, z are needed.
  vb_scene *plain = NULL;
  ck_assert_int_eq(vb_builder_freeze(b, &plain, NULL), VB_OK);
  double given[4];
  multiply(vb_scene_segments(plain, &n)[3].rest_frame, (double[]){0.8, 0, 0, 0.6}, given);
  memcpy(((vb_segment *)vb_builder_elements(b, VB_SET_SEGMENT, &n))[3].rest_frame, given,
         sizeof given);
  ck_assert_int_eq(vb_builder_spread_loop(b, 0, NULL), VB_OK);
  vb_scene *scene = fixture_freeze(b);
  double shared[6];
  twists(scene, shared);
  const double *kept = vb_scene_segments(scene, &n)[3].rest_frame;
  for (int k = 0; k < 4; k++)
    ck_assert_double_eq_tol(kept[k], given[k], rounding);
  for (int i = 1; i < 6; i++)
    ck_assert_double_eq_tol(shared[i], shared[0], rounding);
  free(plain);
  free(scene);
}
END_TEST

/// Freezes a builder that must be refused with this message; destroys it.
static void expect_refusal(vb_builder *b, const char *message) {
  vb_scene *scene = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, message);
  vb_builder_destroy(b);
}

START_TEST(what_is_no_single_loop_is_refused) {
  vb_error error = {0};
  vb_builder *b = hexagon(0);
  ck_assert_int_eq(vb_builder_spread_loop(b, 8, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "loop: node 8 does not exist; there are 8 nodes so far");
  ck_assert_int_eq(vb_builder_spread_loop(b, 6, NULL), VB_OK);
  expect_refusal(b, "loop at node 6: no loop of joined segments passes there");

  b = hexagon(0);
  ck_assert_int_eq(vb_builder_own_joints(b, 2, NULL), VB_OK); // a hinge opens the loop
  ck_assert_int_eq(vb_builder_spread_loop(b, 0, NULL), VB_OK);
  expect_refusal(b, "loop at node 0: no loop of joined segments passes there");

  b = hexagon(0);
  fixture_segment(b, 7, 1); // closes another one by way of the branch
  ck_assert_int_eq(vb_builder_spread_loop(b, 0, NULL), VB_OK);
  expect_refusal(b, "loop at node 0: it meets another loop; give the rest frames instead");

  b = hexagon(0);
  size_t n;
  vb_scene *plain = NULL;
  ck_assert_int_eq(vb_builder_freeze(b, &plain, NULL), VB_OK);
  vb_segment *segments = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (int j = 1; j < 6; j += 3)
    memcpy(segments[j].rest_frame, vb_scene_segments(plain, &n)[j].rest_frame,
           sizeof segments[j].rest_frame);
  ck_assert_int_eq(vb_builder_spread_loop(b, 0, NULL), VB_OK);
  expect_refusal(b, "loop at node 0: the rest frame of its segment 4 is given; a loop that "
                    "distributes its twist can have only one given frame");
  free(plain);
}
END_TEST

/// The curvature of the rest frames themselves, asked for along both paths of each joint, however
/// segments are stored: what the scene then holds is (2/lm) Im P of the joint's own path.
START_TEST(rest_curvature_follows_the_path_of_its_joint) {
  for (uint32_t reversed = 0; reversed < 0x40; reversed += 7)
    for (int backward = 0; backward < 2; backward++) {
      vb_builder *b = hexagon(reversed);
      vb_scene *plain = NULL;
      size_t n;
      ck_assert_int_eq(vb_builder_freeze(b, &plain, NULL), VB_OK);
      const vb_segment *segments = vb_scene_segments(plain, &n);
      for (int32_t i = 6; i-- > 0;) { // freezing sorts them
        const int32_t path[2] = {backward ? i : (i + 5) % 6, backward ? (i + 5) % 6 : i};
        double p[4], darboux[3];
        double lm = 0.5 * (segments[path[0]].rest_length + segments[path[1]].rest_length);
        path_rotation(segments, path[0], path[1], i, p);
        for (int k = 0; k < 3; k++)
          darboux[k] = 2 / lm * p[1 + k];
        ck_assert_int_eq(vb_builder_rest_curvature(b, path, i, darboux, NULL), VB_OK);
      }
      vb_scene *scene = fixture_freeze(b);
      const vb_joint *joints = vb_scene_joints(scene, &n);
      const vb_rest_curvature *rest = vb_scene_rest_curvatures(scene, &n);
      ck_assert_uint_eq(n, 6);
      for (size_t i = 0; i < n; i++) {
        const vb_joint *joint = &joints[rest[i].joint];
        const int32_t *s = joint->segment;
        double p[4], lm = 0.5 * (segments[s[0]].rest_length + segments[s[1]].rest_length);
        path_rotation(segments, s[0], s[1], joint->node, p);
        for (int k = 0; k < 3; k++)
          ck_assert_double_eq_tol(rest[i].darboux[k], 2 / lm * p[1 + k], rounding);
      }
      free(plain);
      free(scene);
    }
}
END_TEST

START_TEST(rest_curvature_without_a_joint_is_refused) {
  vb_error error = {0};
  const double bent[3] = {0.1, 0, 0};
  vb_builder *b = hexagon(0);
  ck_assert_int_eq(vb_builder_rest_curvature(b, (int32_t[]){0, 9}, 1, bent, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message,
                   "rest curvature: segment 9 does not exist; there are 8 segments so far");
  ck_assert_int_eq(vb_builder_rest_curvature(b, (int32_t[]){0, 1}, 2, bent, NULL), VB_OK);
  expect_refusal(b, "rest curvature: segments 0 and 1 are not joined at node 2");

  b = hexagon(0);
  for (int k = 0; k < 2; k++) // the same joint along both paths
    ck_assert_int_eq(vb_builder_rest_curvature(b, (int32_t[]){k, !k}, 1, bent, NULL), VB_OK);
  expect_refusal(b, "rest curvature 1: joint 1 has one already, rest curvature 0; it can have one "
                    "only");
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("loops");
  tcase_add_test(c, a_loop_shares_its_twist);
  tcase_add_test(c, what_hangs_on_a_loop_turns_with_it);
  tcase_add_test(c, a_given_rest_frame_stays);
  tcase_add_test(c, what_is_no_single_loop_is_refused);
  tcase_add_test(c, rest_curvature_follows_the_path_of_its_joint);
  tcase_add_test(c, rest_curvature_without_a_joint_is_refused);
  return c;
}

VB_TEST_MAIN("loops and rest curvature", make_case())
