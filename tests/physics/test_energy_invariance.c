// SPDX-License-Identifier: GPL-3.0-or-later
/// What must not change the energy: the way segments and joints are stored, rigid motions, and a
/// change of scale at a branch.
/// Covers: src/viper/energy/*bend.h src/viper/energy/section.h src/viper/energy/stretch.h
/// Covers: src/viper/energy/taper.h src/viper/energy/twist.h src/viper/energy/volume*.h
#define VIPER_PRECISION 64
#include "scenes/energy_reference.h"
#include "scenes/model_energies.h"

/// Energies here are sums of some forty terms of order one, from strains of order one.
#define ROUNDING 1e-12

/// A head that is a loop of three, with arms at its corners, and a lone rod: two bodies, nodes of
/// one, two and three segments.
static const int32_t graph[][2] = {{0, 1},   {1, 2},   {2, 0},   {0, 3},  {3, 4},  {4, 5},
                                   {1, 6},   {6, 7},   {7, 8},   {2, 9},  {9, 10}, {10, 11},
                                   {12, 13}, {13, 14}, {14, 15}, {15, 16}};
#define N_SEGMENTS 16
#define N_NODES    17
#define N_JOINTS   15

/// The graph at random places with frames by transport, deformed at random, far from rest.
static vb_scene *random_scene(uint64_t seed) {
  vb_builder *builder = new_builder();
  for (int i = 0; i < N_NODES; i++) {
    vb_node node = {.rest_radius = 0.3 + 0.1 * ref_random(&seed),
                    .scale = 1 + 0.3 * ref_random(&seed)};
    for (int k = 0; k < 3; k++) {
      node.rest_position[k] = ref_random(&seed);
      node.position[k] = node.rest_position[k] + 0.4 * ref_random(&seed);
    }
    add(builder, VB_SET_NODE, &node);
  }
  for (int j = 0; j < N_SEGMENTS; j++) {
    vb_segment segment = {.node = {graph[j][0], graph[j][1]}, .density = 1};
    double axis[3];
    ref_random_direction(&seed, axis);
    ref_turn(axis, 6.3 * ref_random(&seed), segment.frame);
    for (int k = 0; k < 6; k++)
      segment.stiffness[k] = 1.5 + ref_random(&seed);
    add(builder, VB_SET_SEGMENT, &segment);
  }
  return finish(builder);
}

/// What a copy of a scene does differently.
typedef struct change {
  unsigned segments; ///< bit j: segment j is stored the other way round
  unsigned joints;   ///< bit t: joint t is stored the other way round
  double turn[4];    ///< rigid motion of the state: a rotation,
  double shift[3];   ///< then a translation [m]
  bool rest_too;     ///< the rest shape moves with it
} change;

static void move_point(const change *c, double x[3]) {
  double m[3][3], y[3];
  ref_matrix(c->turn, m);
  for (int i = 0; i < 3; i++)
    y[i] = c->shift[i] + m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2];
  memcpy(x, y, sizeof y);
}

/// Swaps the nodes and turns the frames by half about u, so that w runs the other way.
static void reverse_segment(vb_segment *s) {
  static const double half_turn[4] = {0, 1, 0, 0};
  int32_t first = s->node[0];
  s->node[0] = s->node[1];
  s->node[1] = first;
  ref_quaternion_product(s->frame, half_turn, s->frame);
  ref_quaternion_product(s->rest_frame, half_turn, s->rest_frame);
}

static vb_scene *changed(const vb_scene *scene, const change *c) {
  vb_builder *builder = new_builder();
  size_t n_nodes, n_segments, n_joints;
  const vb_node *nodes = vb_scene_nodes(scene, &n_nodes);
  const vb_segment *segments = vb_scene_segments(scene, &n_segments);
  const vb_joint *joints = vb_scene_joints(scene, &n_joints);
  for (size_t i = 0; i < n_nodes; i++) {
    vb_node node = nodes[i];
    move_point(c, node.position);
    if (c->rest_too)
      move_point(c, node.rest_position);
    add(builder, VB_SET_NODE, &node);
  }
  for (size_t j = 0; j < n_segments; j++) {
    vb_segment segment = segments[j];
    ref_quaternion_product(c->turn, segment.frame, segment.frame);
    if (c->rest_too)
      ref_quaternion_product(c->turn, segment.rest_frame, segment.rest_frame);
    if (c->segments >> j & 1)
      reverse_segment(&segment);
    add(builder, VB_SET_SEGMENT, &segment);
  }
  ck_assert_uint_eq(n_joints, N_JOINTS);
  for (size_t t = 0; t < n_joints; t++) {
    vb_joint joint = joints[t];
    if (c->joints >> t & 1) {
      joint.segment[0] = joints[t].segment[1];
      joint.segment[1] = joints[t].segment[0];
    }
    add(builder, VB_SET_JOINT, &joint);
  }
  return finish(builder);
}

/// Asserts that the change leaves each term's energy as it is, for several random scenes.
static void check_change(const change *c) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    vb_scene *before = random_scene(seed), *after = changed(before, c);
    double a[N_TERMS], b[N_TERMS];
    scene_energies(before, a);
    scene_energies(after, b);
    free(before);
    free(after);
    for (int i = 0; i < N_TERMS; i++) {
      ck_assert_double_gt(a[i], 1e-3); // there is something to change
      ck_assert_msg(fabs(b[i] - a[i]) <= ROUNDING * a[i], "%s: %.17g became %.17g", term_name[i],
                    a[i], b[i]);
    }
  }
}

START_TEST(segment_orientation_does_not_matter) {
  for (int j = 0; j < N_SEGMENTS; j++)
    check_change(&(change){.segments = 1u << j, .turn = {1}});
  check_change(&(change){.segments = 0xa5c3, .turn = {1}});
}
END_TEST

START_TEST(joint_orientation_does_not_matter) {
  for (int t = 0; t < N_JOINTS; t++)
    check_change(&(change){.joints = 1u << t, .turn = {1}});
  check_change(&(change){.segments = 0x5ac3, .joints = 0x2f31, .turn = {1}});
}
END_TEST

START_TEST(rigid_motions_change_no_energy) {
  uint64_t seed = 77;
  for (int i = 0; i < 8; i++) {
    double axis[3];
    change c = {.rest_too = i % 2};
    ref_random_direction(&seed, axis);
    ref_turn(axis, 6.3 * ref_random(&seed), c.turn);
    for (int k = 0; k < 3; k++)
      c.shift[k] = ref_random(&seed);
    check_change(&c);
  }
}
END_TEST

/// A scene of three nodes in a bend, with a third branch where `branch`, all scales `scale`.
static vb_scene *swollen_scene(bool branch, double scale) {
  static const double at[4][3] = {{0, 0, 0}, {1, 0, 0}, {1.5, 0.8, 0}, {1.2, -0.3, 0.9}};
  static const int32_t ends[3][2] = {{0, 1}, {1, 2}, {1, 3}};
  vb_builder *builder = new_builder();
  for (int i = 0; i < (branch ? 4 : 3); i++) {
    vb_node node = {.rest_radius = 0.1, .scale = scale};
    memcpy(node.rest_position, at[i], sizeof at[i]);
    memcpy(node.position, at[i], sizeof at[i]);
    add(builder, VB_SET_NODE, &node);
  }
  for (int j = 0; j < (branch ? 3 : 2); j++)
    add(builder, VB_SET_SEGMENT,
        &(vb_segment){
            .node = {ends[j][0], ends[j][1]}, .density = 1, .stiffness = {1, 1, 1, 1, 1, 1}});
  return finish(builder);
}

START_TEST(a_change_of_scale_bends_a_curved_rod_but_no_branch) {
  double curved[N_TERMS], branched[N_TERMS];
  vb_scene *scene = swollen_scene(false, 1.2);
  scene_energies(scene, curved);
  free(scene);
  scene = swollen_scene(true, 1.2);
  scene_energies(scene, branched);
  free(scene);
  // W = (s - 1) Omega_rest, Omega_rest = (2/lm) sin(a/2), 58 degrees between the segments.
  double lm = (1 + sqrt(0.89)) / 2, angle = atan2(0.8, 0.5);
  double omega = 2 / lm * sin(angle / 2), k = M_PI * 1e-4 / 4 * lm;
  ck_assert_double_eq_tol(curved[BEND], k / 2 * pow(0.2 * omega, 2), ROUNDING * k);
  ck_assert_double_eq_tol(curved[VOLUME_BEND], k / 2 * pow((pow(1.2, 3) - 1) * omega, 2),
                          ROUNDING * k);
  ck_assert_double_eq_tol(branched[BEND], 0, ROUNDING * k);
  ck_assert_double_eq_tol(branched[TWIST], 0, ROUNDING * k);
  ck_assert_double_eq_tol(branched[VOLUME_BEND], 0, ROUNDING * k);
}
END_TEST

START_TEST(a_rest_curvature_takes_the_place_of_the_drawn_shape) {
  // Drawn straight, so that Im D = -Im P_rest and W = -Omega_rest at scale 1, with signs of
  // storage.
  const double darboux[3] = {0.7, -0.4, 0.9};
  for (int stored = 0; stored < 4; stored++) {
    double energy[N_TERMS];
    vb_builder *builder = new_builder();
    for (int i = 0; i < 3; i++)
      add(builder, VB_SET_NODE,
          &(vb_node){.rest_position = {i, 0, 0}, .position = {i, 0, 0}, .rest_radius = 0.1});
    for (int j = 0; j < 2; j++) {
      bool against = stored >> j & 1;
      add(builder, VB_SET_SEGMENT,
          &(vb_segment){
              .node = {j + against, j + !against}, .density = 1, .stiffness = {1, 1, 1, 1, 1, 1}});
    }
    vb_rest_curvature curvature = {.joint = 0};
    memcpy(curvature.darboux, darboux, sizeof darboux);
    add(builder, VB_SET_REST_CURVATURE, &curvature);
    vb_scene *scene = finish(builder);
    scene_energies(scene, energy);
    free(scene);
    double k = M_PI * 1e-4 / 4, across = pow(darboux[0], 2) + pow(darboux[1], 2);
    ck_assert_double_eq_tol(energy[BEND], k / 2 * across, ROUNDING * k);
    ck_assert_double_eq_tol(energy[TWIST], 2 * k / 2 * pow(darboux[2], 2), ROUNDING * k);
  }
}
END_TEST

static TCase *invariance_cases(void) {
  TCase *c = tcase_create("invariance");
  tcase_add_test(c, segment_orientation_does_not_matter);
  tcase_add_test(c, joint_orientation_does_not_matter);
  tcase_add_test(c, rigid_motions_change_no_energy);
  tcase_add_test(c, a_change_of_scale_bends_a_curved_rod_but_no_branch);
  tcase_add_test(c, a_rest_curvature_takes_the_place_of_the_drawn_shape);
  return c;
}

VB_TEST_MAIN("energy_invariance", invariance_cases())
