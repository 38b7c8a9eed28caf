// SPDX-License-Identifier: GPL-3.0-or-later
/// Normals of smooth rods (contact/smooth.h): two arcs of circles that touch in one point, cut into
/// segments from anywhere, where the normal of the smooth arcs is known.
#define VIPER_PRECISION 64
#include "viper/contact/smooth.h"

#include "handle.h"
#include "scenes/scenes.h"

enum { NODES = 8 };
static const double RADIUS = 0.02;

/// Nodes of an arc of radius 1 through the origin, in the plane of `along` and z; it bends away
/// from z = 0 on the side `up`. Its nodes are `step` apart, shifted by `shift` steps.
static void arc(viper_contact_node *node, viper_vec3 along, double up, double step, double shift) {
  const int middle = NODES / 2;
  for (int i = 0; i < NODES; i++) {
    double angle = (i - middle + shift) * step;
    viper_vec3 x = viper_scale(sin(angle), along);
    node[i] =
        (viper_contact_node){.x = viper_vec4_make(x.x, x.y, up * (1 - cos(angle) + RADIUS), 1),
                             .inverse = viper_vec4_make(1, 1, 1, 1),
                             .free = viper_vec4_make(1, 1, 1, 1),
                             .radius = RADIUS};
  }
}

/// The segment of an arc that the contact is on, and what it meets.
static int segment_at(double shift) {
  return NODES / 2 - (shift > 0);
}

/// The contact of two such arcs as their segments have it.
static viper_touch touch_of(const viper_contact_node *node, int a, int b) {
  const int at[4] = {a, a + 1, NODES + b, NODES + b + 1};
  viper_capsule p[2];
  for (int k = 0; k < 4; k++) {
    p[k / 2].c[k % 2] = viper_center_of(&node[at[k]]);
    p[k / 2].r[k % 2] = RADIUS;
  }
  viper_closest c = viper_capsule_closest(&p[0], &p[1]);
  viper_vec3 n =
      viper_unit(viper_sub(viper_capsule_at(&p[0], c.al), viper_capsule_at(&p[1], c.be)));
  return (viper_touch){.node = {at[0], at[1], at[2], at[3]},
                       .weight = {1 - c.al, c.al, c.be - 1, -c.be},
                       .n = viper_vec4_make(n.x, n.y, n.z, 0)};
}

static viper_rod_neighbors inside(int first) {
  return (viper_rod_neighbors){{first - 1, first + 2}};
}

/// From the point on b to that on a, m.
static viper_vec3 between_points(const viper_touch *t, const viper_contact_node *node) {
  viper_vec3 sum = {0, 0, 0};
  for (int k = 0; k < 4; k++)
    sum = viper_add(sum, viper_scale(t->weight[k], viper_center_of(&node[t->node[k]])));
  return sum;
}

/// How far a normal leans from that of the smooth arcs, and whether the points lie along it.
static double lean(double step, double shift, bool smooth, double *aside) {
  viper_contact_node node[2 * NODES];
  const viper_vec3 x = {1, 0, 0}, y = {0.6, 0.8, 0};
  arc(node, x, 1, step, shift);
  arc(node + NODES, y, -1, step, shift / 2);
  int a = segment_at(shift), b = segment_at(shift / 2);
  viper_touch t = touch_of(node, a, b);
  if (smooth)
    viper_touch_smooth(&t, node, inside(a), inside(NODES + b));
  viper_vec3 n = viper_vec3_make(t.n[0], t.n[1], t.n[2]), d = between_points(&t, node);
  viper_vec3 across = viper_cross(n, d);
  *aside = sqrt(viper_dot(across, across));
  ck_assert_double_eq_tol(viper_dot(n, n), 1, 1e-14);
  ck_assert_double_eq_tol(t.weight[0] + t.weight[1], 1, 1e-14);
  ck_assert_double_eq_tol(t.weight[2] + t.weight[3], -1, 1e-14);
  return sqrt(n.x * n.x + n.y * n.y);
}

/// Wherever nodes are, the lean falls with the length of the segments and is small beside that of
/// segments: a part of it by the square of the distance of the points times the curvature, 0.04 /
/// sin(53 degrees), and what is of second order in the length.
START_TEST(the_normal_is_that_of_the_smooth_rods) {
  const double shifts[] = {0.1, 0.3, 0.5, 0.7, 0.9};
  double aside;
  for (int k = 0; k < 5; k++) {
    double coarse = lean(0.1, shifts[k], true, &aside), fine = lean(0.05, shifts[k], true, &aside);
    ck_assert_double_le(coarse, 0.1 * 0.1 / 8);
    ck_assert_double_le(fine, 0.6 * coarse + 1e-12);
    if (shifts[k] != 0.5) {
      ck_assert_double_ge(lean(0.1, shifts[k], false, &aside), 20 * coarse);
      ck_assert_double_ge(lean(0.05, shifts[k], false, &aside), 20 * fine);
    }
  }
}
END_TEST

/// The push goes through both points, so it gives no torque, as long as they stay on the segments.
START_TEST(the_points_lie_along_the_normal) {
  const double shifts[] = {0.3, 0.5, 0.7};
  double aside;
  for (int k = 0; k < 3; k++) {
    lean(0.1, shifts[k], true, &aside);
    // Damping leaves a twentieth of the eighth power of the cosine, 0.017, of what segments'
    // normals lean, 0.05 at most, times the distance of the points.
    ck_assert_double_le(aside, 0.05 * 0.017 * 0.05 * 2 * RADIUS);
  }
}
END_TEST

/// The end of a rod is a sphere: its normal stays. A straight rod's stays, too.
START_TEST(ends_and_straight_rods_are_left_alone) {
  viper_contact_node node[2 * NODES];
  const viper_vec3 x = {1, 0, 0}, y = {0, 1, 0};
  arc(node, x, 1, 0.1, 0);
  arc(node + NODES, y, -1, 0.1, 0.5);
  viper_touch t = touch_of(node, NODES / 2, segment_at(0.5)), end = t;
  ck_assert_double_le(fabs(t.weight[1]), 1e-14); // on the first node of a's segment
  const viper_rod_neighbors alone = {{-1, -1}};
  viper_touch_smooth(&end, node, alone, alone);
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(end.n[k], t.n[k], 1e-15);
  for (int i = 0; i < 2 * NODES; i++)
    node[i].x = i < NODES ? viper_vec4_make(0.1 * i - 0.42, 0, RADIUS, 1)
                          : viper_vec4_make(0, 0.1 * (i - NODES) - 0.44, -RADIUS, 1);
  t = touch_of(node, 4, 4);
  viper_touch turned = t;
  viper_touch_smooth(&turned, node, inside(4), inside(NODES + 4));
  for (int k = 0; k < 4; k++) {
    ck_assert_double_eq_tol(turned.n[k], t.n[k], 1e-15);
    ck_assert_double_eq_tol(turned.weight[k], t.weight[k], 1e-14);
  }
}
END_TEST

/// Parallel rods: the normal has no direction of its own along them, and stays finite.
START_TEST(parallel_rods_keep_their_normal) {
  viper_contact_node node[2 * NODES];
  for (int i = 0; i < 2 * NODES; i++) {
    arc(node, viper_vec3_make(1, 0, 0), 1, 0.1, 0.2);
    arc(node + NODES, viper_vec3_make(1, 0, 0), -1, 0.1, 0.2);
  }
  int a = segment_at(0.2);
  viper_touch t = touch_of(node, a, a);
  viper_touch_smooth(&t, node, inside(a), inside(NODES + a));
  ck_assert_double_ge(t.n[2], 1 - 1e-3);
  for (int k = 0; k < 4; k++)
    ck_assert(fabs(t.weight[k]) <= 1);
}
END_TEST

/// What lies beyond segments: along a rod the next nodes, nothing at its ends and at branches.
START_TEST(beyond_a_segment_lies_the_next_node) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 3, 1, 0.05, &scenes_rubber);
  int32_t tip = fixture_node(b, 0.5, 0.5, 0, 0.05);
  scenes_segment(b, 2, tip, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  viper_model *model = NULL;
  viper_rod_neighbors beyond[4];
  ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
  ck_assert_int_eq(viper_rod_neighbors_fill(model, beyond, NULL), VB_OK);
  // Node 2 is where three meet.
  const int32_t wanted[4][2] = {{-1, 2}, {0, -1}, {-1, -1}, {-1, -1}};
  for (int32_t j = 0; j < 4; j++)
    for (int end = 0; end < 2; end++) {
      int32_t to = wanted[j][end];
      ck_assert_int_eq(beyond[model->segment_at[j]].node[end], to < 0 ? -1 : model->node_at[to]);
    }
  viper_model_destroy(model);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *t = tcase_create("smooth");
  tcase_add_test(t, the_normal_is_that_of_the_smooth_rods);
  tcase_add_test(t, the_points_lie_along_the_normal);
  tcase_add_test(t, ends_and_straight_rods_are_left_alone);
  tcase_add_test(t, parallel_rods_keep_their_normal);
  tcase_add_test(t, beyond_a_segment_lies_the_next_node);
  return t;
}

VB_TEST_MAIN("smooth contact", make_case())
