// SPDX-License-Identifier: GPL-3.0-or-later
/// What the builder completes: bodies, joints, lengths, frames; and what it refuses.
/// Covers: src/scene/complete.* src/scene/complete_order.c src/scene/frames.c
#include "scenes/scene_fixture.h"

#include <math.h>
#include <stdbool.h>

/// Rounding of a short chain of rotations of unit size.
static const double rounding = 1e-14;

/// A quaternion product, conjugate and axis of this file's own, so that it checks the builder's.
static void multiply(const double p[4], const double q[4], double out[4]) {
  out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  out[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
  out[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

static void axis_of(const double q[4], int axis, double out[3]) {
  const double e[4] = {0, axis == 0, axis == 1, axis == 2};
  const double back[4] = {q[0], -q[1], -q[2], -q[3]};
  double half[4], whole[4];
  multiply(q, e, half);
  multiply(half, back, whole);
  memcpy(out, whole + 1, 3 * sizeof *out);
}

/// The rest twist at a joint: w of P = conj(Q'_j) Q'_k, as a share of its real part. It vanishes
/// where the frames differ by a rotation about an axis across w, which the least rotation does.
static double joint_twist(const vb_segment *segments, const vb_joint *joint) {
  static const double half_turn[4] = {0, 1, 0, 0};
  double q[2][4], p[4];
  for (int side = 0; side < 2; side++) {
    const vb_segment *segment = &segments[joint->segment[side]];
    bool forward = segment->node[side == 0] == joint->node;
    if (forward)
      memcpy(q[side], segment->rest_frame, sizeof q[side]);
    else
      multiply(segment->rest_frame, half_turn, q[side]);
  }
  const double back[4] = {q[0][0], -q[0][1], -q[0][2], -q[0][3]};
  multiply(back, q[1], p);
  return p[3] / p[0];
}

/// A chain through `n` points, closed where `loop`; bit j of `reversed` stores segment j backward.
static vb_scene *chain(const double (*points)[3], int n, bool loop, uint32_t reversed) {
  vb_builder *b = fixture_builder();
  for (int i = 0; i < n; i++)
    fixture_node(b, points[i][0], points[i][1], points[i][2], 0.1);
  for (int j = 0; j < n - !loop; j++) {
    int next = (j + 1) % n;
    bool back = reversed >> j & 1;
    fixture_segment(b, back ? next : j, back ? j : next);
  }
  return fixture_freeze(b);
}

enum { N_POINTS = 17 };

static void helix(double points[N_POINTS][3]) {
  for (int i = 0; i < N_POINTS; i++) {
    double angle = 0.7 * i;
    points[i][0] = cos(angle);
    points[i][1] = sin(angle);
    points[i][2] = 0.2 * i;
  }
}

START_TEST(first_frame_crosses_the_least_axis) {
  const double points[2][3] = {{0, 0, 0}, {3, 2, 6}};
  vb_scene *scene = chain(points, 2, false, 0);
  size_t n;
  const vb_segment *s = vb_scene_segments(scene, &n);
  double u[3], v[3], w[3];
  axis_of(s->rest_frame, 0, u);
  axis_of(s->rest_frame, 1, v);
  axis_of(s->rest_frame, 2, w);
  ck_assert_double_eq(s->rest_length, 7);
  // y is least: u is along e_y x w = (6, 0, -3); v = w x u completes it.
  const double expected[3][3] = {{6 / sqrt(45), 0, -3 / sqrt(45)},
                                 {-6 / (7 * sqrt(45)), 45 / (7 * sqrt(45)), -12 / (7 * sqrt(45))},
                                 {3. / 7, 2. / 7, 6. / 7}};
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(u[i], expected[0][i], rounding);
    ck_assert_double_eq_tol(v[i], expected[1][i], rounding);
    ck_assert_double_eq_tol(w[i], expected[2][i], rounding);
  }
  free(scene);
}
END_TEST

START_TEST(transport_is_free_of_twist) {
  double points[N_POINTS][3];
  helix(points);
  // Stored forward, backward, and mixed: on a helix, and flattened to a planar curve.
  const uint32_t storage[] = {0, ~0u, 0x5a5a};
  for (int flat = 0; flat < 2; flat++) {
    for (int i = 0; flat && i < N_POINTS; i++)
      points[i][2] = 0;
    for (size_t k = 0; k < 3; k++) {
      vb_scene *scene = chain((const double(*)[3])points, N_POINTS, false, storage[k]);
      size_t n, n_segments;
      const vb_segment *segments = vb_scene_segments(scene, &n_segments);
      const vb_joint *joints = vb_scene_joints(scene, &n);
      ck_assert_uint_eq(n, N_POINTS - 2);
      for (size_t i = 0; i < n; i++)
        ck_assert_double_eq_tol(joint_twist(segments, &joints[i]), 0, rounding);
      free(scene);
    }
  }
}
END_TEST

START_TEST(planar_curve_keeps_its_normal) {
  double points[N_POINTS][3];
  helix(points);
  for (int i = 0; i < N_POINTS; i++)
    points[i][2] = 0;
  vb_scene *scene = chain((const double(*)[3])points, N_POINTS, false, 0);
  size_t n;
  const vb_segment *segments = vb_scene_segments(scene, &n);
  for (size_t j = 0; j < n; j++) {
    // z is least: u starts as e_z x w, in the plane, and v = w x u is e_z for good.
    double v[3];
    axis_of(segments[j].rest_frame, 1, v);
    ck_assert_double_eq_tol(v[2], 1, rounding);
  }
  free(scene);
}
END_TEST

START_TEST(storage_of_segments_does_not_turn_u) {
  double points[N_POINTS][3], u[3], other[3];
  helix(points);
  vb_scene *forward = chain((const double(*)[3])points, N_POINTS, false, 0);
  vb_scene *mixed = chain((const double(*)[3])points, N_POINTS, false, 0xa5b6);
  vb_scene *backward = chain((const double(*)[3])points, N_POINTS, false, ~0u);
  size_t n;
  for (int j = 0; j < N_POINTS - 1; j++) {
    axis_of(vb_scene_segments(forward, &n)[j].rest_frame, 0, u);
    axis_of(vb_scene_segments(mixed, &n)[j].rest_frame, 0, other);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(u[i], other[i], rounding);
    // Where the first segment is stored backward its w, and so the first u, has the other sign.
    axis_of(vb_scene_segments(backward, &n)[j].rest_frame, 0, other);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(u[i], -other[i], rounding);
  }
  free(forward);
  free(mixed);
  free(backward);
}
END_TEST

START_TEST(a_fold_keeps_u) {
  // There and back again: any axis across would be a least rotation; u is the one that is kept.
  const double points[3][3] = {{0, 0, 0}, {0, 0, 2}, {0, 0, 1}};
  vb_scene *scene = chain(points, 3, false, 0);
  size_t n;
  double u[2][3];
  for (int j = 0; j < 2; j++)
    axis_of(vb_scene_segments(scene, &n)[j].rest_frame, 0, u[j]);
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq_tol(u[0][i], u[1][i], rounding);
  free(scene);
}
END_TEST

START_TEST(a_loop_keeps_its_twist_at_its_closing_joint) {
  // A hexagon bent out of its plane: its frames come back turned.
  const double points[6][3] = {{2, 0, 0.5}, {1, 2, 0},   {-1, 2, 0.7},
                               {-2, 0, 0},  {-1, -2, 1}, {1, -2, 0}};
  vb_scene *scene = chain(points, 6, true, 0x12);
  size_t n, n_segments;
  const vb_segment *segments = vb_scene_segments(scene, &n_segments);
  const vb_joint *joints = vb_scene_joints(scene, &n);
  ck_assert_uint_eq(n, 6);
  for (size_t i = 0; i < n; i++) {
    double twist = joint_twist(segments, &joints[i]);
    if (joints[i].node == 0) // from the last segment to the first
      ck_assert_double_gt(fabs(twist), 0.01);
    else
      ck_assert_double_eq_tol(twist, 0, rounding);
  }
  free(scene);
}
END_TEST

START_TEST(given_rest_frames_are_kept_and_carried_on) {
  vb_builder *b = fixture_builder();
  for (int i = 0; i < 4; i++)
    fixture_node(b, 0, 0, i, 0.1);
  for (int j = 0; j < 3; j++)
    fixture_segment(b, j, j + 1);
  size_t n;
  vb_segment *s = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  // Not of unit length: the builder sees to that. A turn about z with tan(angle / 2) = 1 / 2.
  memcpy(s[1].rest_frame, (double[4]){4, 0, 0, 2}, sizeof s->rest_frame);
  vb_scene *scene = fixture_freeze(b);
  const vb_segment *segments = vb_scene_segments(scene, &n);
  for (int j = 0; j < 3; j++) {
    ck_assert_double_eq_tol(segments[j].rest_frame[0], 2 / sqrt(5), rounding);
    ck_assert_double_eq_tol(segments[j].rest_frame[3], 1 / sqrt(5), rounding);
  }
  free(scene);
}
END_TEST

START_TEST(initial_frames_turn_with_their_segments) {
  vb_builder *b = fixture_builder();
  fixture_node(b, 0, 0, 0, 0.1);
  fixture_node(b, 0, 0, 1, 0.1);
  fixture_node(b, 0, 0, 2, 0.1);
  fixture_segment(b, 0, 1);
  fixture_segment(b, 1, 2);
  size_t n;
  vb_node *nodes = vb_builder_elements(b, VB_SET_NODE, &n);
  nodes[1].position[0] = 1; // turned from z to x, about y, and stretched by nothing
  nodes[1].position[2] = 0;
  vb_segment *s = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  memcpy(s[1].frame, (double[4]){0, 3, 0, 0}, sizeof s->frame);
  vb_scene *scene = fixture_freeze(b);
  const vb_segment *segment = vb_scene_segments(scene, &n);
  double rest[3], now[3];
  axis_of(segment[0].frame, 2, now);
  ck_assert_double_eq_tol(now[0], 1, rounding);
  axis_of(segment[0].rest_frame, 1, rest);
  axis_of(segment[0].frame, 1, now);
  // A turn about y takes (x, y, z) to (z, y, -x).
  ck_assert_double_eq_tol(now[0], rest[2], rounding);
  ck_assert_double_eq_tol(now[1], rest[1], rounding);
  ck_assert_double_eq_tol(now[2], -rest[0], rounding);
  ck_assert_mem_eq(segment[1].frame, ((double[4]){0, 1, 0, 0}), sizeof segment->frame);
  ck_assert_double_eq(vb_scene_nodes(scene, &n)[2].scale, 1);
  free(scene);
}
END_TEST

/// The joint of segments `a` and `b`, either way round, at `node`; whether there is one.
static bool has_joint(const vb_scene *scene, int32_t a, int32_t b, int32_t node) {
  size_t n;
  const vb_joint *joints = vb_scene_joints(scene, &n);
  for (size_t i = 0; i < n; i++)
    if (joints[i].node == node && ((joints[i].segment[0] == a && joints[i].segment[1] == b) ||
                                   (joints[i].segment[0] == b && joints[i].segment[1] == a)))
      return true;
  return false;
}

/// A star of four segments around node 0; the one to node 3, and as thick, the one to node 4.
static vb_builder *star(void) {
  vb_builder *b = fixture_builder();
  const double tips[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}};
  fixture_node(b, 0, 0, 0, 0.1);
  for (int i = 0; i < 4; i++)
    fixture_node(b, tips[i][0], tips[i][1], tips[i][2], i < 2 ? 0.1 : 0.3);
  for (int i = 0; i < 4; i++)
    fixture_segment(b, i % 2 ? 0 : i + 1, i % 2 ? i + 1 : 0);
  return b;
}

START_TEST(branch_joins_the_thickest_segment) {
  vb_scene *scene = fixture_freeze(star());
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_JOINT), 3);
  for (int32_t j = 0; j < 4; j++)
    ck_assert(j == 2 || has_joint(scene, 2, j, 0));
  free(scene);
}
END_TEST

START_TEST(listed_joints_replace_the_default_ones) {
  vb_builder *b = star();
  fixture_add(b, VB_SET_JOINT, &(vb_joint){.segment = {3, 1}, .node = 0});
  vb_scene *scene = fixture_freeze(b);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_JOINT), 1);
  ck_assert(has_joint(scene, 1, 3, 0));
  free(scene);

  b = star();
  ck_assert_int_eq(vb_builder_own_joints(b, 0, NULL), VB_OK);
  scene = fixture_freeze(b);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_JOINT), 0);
  free(scene);
}
END_TEST

START_TEST(bodies_are_numbered_by_their_lowest_nodes) {
  vb_builder *b = fixture_builder();
  for (int i = 0; i < 7; i++)
    fixture_node(b, i, i * i, 0, 0.1);
  fixture_segment(b, 6, 3); // nodes 1, 3 and 6 are one body, by way of its highest
  fixture_segment(b, 5, 2);
  fixture_segment(b, 6, 1);
  ck_assert_int_eq(vb_builder_name(b, 6, "first", NULL), VB_OK);
  ck_assert_int_eq(vb_builder_name(b, 1, "second", NULL), VB_OK);
  ck_assert_int_eq(vb_builder_name(b, 4, "lone", NULL), VB_OK);
  vb_scene *scene = fixture_freeze(b);
  const int32_t expected[7] = {0, 1, 2, 1, 3, 2, 1};
  size_t n;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  for (int i = 0; i < 7; i++)
    ck_assert_int_eq(nodes[i].body, expected[i]);
  const vb_body *bodies = vb_scene_bodies(scene, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_str_eq(bodies[0].name, "body0");
  ck_assert_str_eq(bodies[1].name, "first");
  ck_assert_str_eq(bodies[2].name, "body2");
  ck_assert_str_eq(bodies[3].name, "lone");
  free(scene);
}
END_TEST

/// Root; head of three spheres in a triangle; two eyes; eight arms of hip, knee, ankle and foot.
static vb_scene *octopus(void) {
  vb_builder *b = fixture_builder();
  int32_t root = fixture_node(b, 0, 0, 0, 0.2);
  int32_t head[3] = {fixture_node(b, 0, 0, 0.5, 0.3), fixture_node(b, 0.3, 0, 1, 0.3),
                     fixture_node(b, -0.3, 0, 1, 0.3)};
  fixture_segment(b, root, head[0]);
  for (int i = 0; i < 3; i++)
    fixture_segment(b, head[i], head[(i + 1) % 3]);
  for (int i = 1; i < 3; i++)
    fixture_segment(b, head[i], fixture_node(b, i == 1 ? 0.3 : -0.3, 0.4, 1, 0.1));
  for (int arm = 0; arm < 8; arm++) {
    int32_t before = root;
    for (int i = 1; i <= 4; i++) {
      double angle = arm * acos(-1) / 4;
      int32_t next = fixture_node(b, 0.4 * i * cos(angle), 0.4 * i * sin(angle), 0.1 * i * (i - 3),
                                  0.15 - 0.03 * i);
      fixture_segment(b, i % 2 ? before : next, i % 2 ? next : before);
      before = next;
    }
  }
  return fixture_freeze(b);
}

START_TEST(an_octopus_branches_and_loops) {
  vb_scene *scene = octopus();
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_NODE), 38);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_SEGMENT), 38);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_BODY), 1);
  ck_assert_int_eq(vb_scene_dofs(scene), 266);
  // Eight at the root, two at each of the three spheres, three along each arm.
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_JOINT), 8 + 3 * 2 + 8 * 3);
  size_t n, n_segments;
  const vb_segment *segments = vb_scene_segments(scene, &n_segments);
  const vb_joint *joints = vb_scene_joints(scene, &n);
  int at_root = 0, twisted = 0;
  for (size_t i = 0; i < n; i++) {
    // The head's segment is the thickest at the root.
    at_root += joints[i].node == 0 && joints[i].segment[0] == 0;
    twisted += fabs(joint_twist(segments, &joints[i])) > rounding;
  }
  ck_assert_int_eq(at_root, 8);
  // 38 joints on 38 segments: one closes the loop. Flat as the head is, it may close without a
  // twist.
  ck_assert_int_le(twisted, 1);
  free(scene);
}
END_TEST

START_TEST(freezing_leaves_the_builder_usable) {
  vb_builder *b = fixture_full();
  vb_scene *first = NULL;
  vb_scene *second = NULL;
  ck_assert_int_eq(vb_builder_freeze(b, &first, NULL), VB_OK);
  ck_assert_int_eq(vb_builder_freeze(b, &second, NULL), VB_OK);
  ck_assert_uint_eq(vb_scene_bytes(first), vb_scene_bytes(second));
  ck_assert_mem_eq(first, second, vb_scene_bytes(first));
  size_t n;
  vb_segment *segments = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  ck_assert_double_eq(segments[0].rest_length, 0);
  vb_builder_elements(b, VB_SET_JOINT, &n);
  ck_assert_uint_eq(n, 0);
  free(first);
  free(second);
  vb_builder_destroy(b);
}
END_TEST

/// Freezes a builder that must be refused with a message that begins so; destroys it.
static void expect_refusal(vb_builder *b, const char *message) {
  vb_scene *untouched = (vb_scene *)&untouched;
  vb_scene *scene = untouched;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s\nshould be\n%s",
                error.message, message);
  ck_assert_ptr_eq(scene, untouched);
  vb_builder_destroy(b);
}

START_TEST(invalid_scenes_are_refused) {
  size_t n;
  expect_refusal(fixture_builder(), "scene: it has neither node nor bone");

  vb_builder *b = fixture_full();
  fixture_segment(b, 6, 8);
  expect_refusal(b, "segment 5: its node 8 does not exist; there are 0 to 7");

  b = fixture_full();
  ((vb_node *)vb_builder_elements(b, VB_SET_NODE, &n))[6].rest_position[2] = 1;
  expect_refusal(b, "segment 4: its nodes 5 and 6 coincide at (0, 5, 1); a segment needs a length");

  b = fixture_full();
  ((vb_node *)vb_builder_elements(b, VB_SET_NODE, &n))[2].rest_position[0] = NAN;
  expect_refusal(b, "node 2 of arm: rest position nan is not a finite number");

  b = fixture_full();
  fixture_add(b, VB_SET_JOINT, &(vb_joint){.segment = {0, 2}, .node = 1});
  expect_refusal(b, "joint 0: its segment 2 does not touch its node 1");

  b = fixture_full();
  ((vb_segment *)vb_builder_elements(b, VB_SET_SEGMENT, &n))[2].rest_frame[1] = NAN;
  expect_refusal(b, "segment 2 of arm: rest frame nan is not a finite number");

  b = fixture_full();
  vb_builder_world(b)->step = 0;
  expect_refusal(b, "scene: step 0 is not positive");
}
END_TEST

START_TEST(nodes_are_connected_once) {
  vb_builder *b = fixture_full();
  fixture_segment(b, 2, 1);
  vb_scene *scene = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_ptr_null(scene);
  ck_assert_ptr_nonnull(
      strstr(error.message, "segment 5: it connects nodes 1 and 2 as segment 1 does already"));
  vb_builder_destroy(b);
}
END_TEST

START_TEST(names_must_fit_and_nodes_exist) {
  vb_builder *b = fixture_full();
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_name(b, 8, "x", &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "name: node 8 does not exist; there are 8 nodes so far");
  ck_assert_int_eq(vb_builder_own_joints(b, -1, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "joints: node -1 does not exist; there are 8 nodes so far");
  char name[VB_NAME_SIZE + 1];
  memset(name, 'x', sizeof name);
  name[VB_NAME_SIZE] = '\0';
  ck_assert_int_eq(vb_builder_name(b, 4, name, &error), VB_BAD_INPUT);
  name[VB_NAME_SIZE - 1] = '\0';
  ck_assert_int_eq(vb_builder_name(b, 4, name, &error), VB_OK);
  vb_scene *scene = fixture_freeze(b);
  size_t n;
  ck_assert_str_eq(vb_scene_bodies(scene, &n)[1].name, name);
  free(scene);
}
END_TEST

static TCase *frames_case(void) {
  TCase *c = tcase_create("frames");
  tcase_add_test(c, first_frame_crosses_the_least_axis);
  tcase_add_test(c, transport_is_free_of_twist);
  tcase_add_test(c, planar_curve_keeps_its_normal);
  tcase_add_test(c, storage_of_segments_does_not_turn_u);
  tcase_add_test(c, a_fold_keeps_u);
  tcase_add_test(c, a_loop_keeps_its_twist_at_its_closing_joint);
  tcase_add_test(c, given_rest_frames_are_kept_and_carried_on);
  tcase_add_test(c, initial_frames_turn_with_their_segments);
  return c;
}

static TCase *graph_case(void) {
  TCase *c = tcase_create("graph");
  tcase_add_test(c, branch_joins_the_thickest_segment);
  tcase_add_test(c, listed_joints_replace_the_default_ones);
  tcase_add_test(c, bodies_are_numbered_by_their_lowest_nodes);
  tcase_add_test(c, an_octopus_branches_and_loops);
  return c;
}

static TCase *freeze_case(void) {
  TCase *c = tcase_create("freeze");
  tcase_add_test(c, freezing_leaves_the_builder_usable);
  tcase_add_test(c, invalid_scenes_are_refused);
  tcase_add_test(c, nodes_are_connected_once);
  tcase_add_test(c, names_must_fit_and_nodes_exist);
  return c;
}

VB_TEST_MAIN("builder", frames_case(), graph_case(), freeze_case())
