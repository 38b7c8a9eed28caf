// SPDX-License-Identifier: GPL-3.0-or-later
/// Bones that freezing completes: mass, center and inertia of the tetrahedra inside, poses, and
/// what they carry.
#include "scenes/skeleton.h"
#include "scenes/solids.h"

/// Sums of some hundred tetrahedra of a box of unit size: their rounding.
static const double rounding = 1e-13;

/// Irregular cells, so that only exact formulas give the box's own moments.
static solid_box box_with_bone(const vb_bone *bone) {
  const int32_t cells[3] = {5, 4, 3};
  const double size[3] = {2, 0.5, 1};
  solid_box s = solids_box(fixture_builder(), cells, size, 0.3, 0.3);
  fixture_add(s.builder, VB_SET_BONE, bone);
  for (int32_t i = 0; i < (int32_t)s.n_nodes; i++)
    fixture_add(s.builder, VB_SET_TIE, &(vb_tie){VB_AT_NODE, i, 0, 0});
  return s;
}

START_TEST(a_box_has_its_own_moments) {
  solid_box s = box_with_bone(&(vb_bone){.name = "box"});
  vb_scene *scene = fixture_freeze(s.builder);
  size_t n;
  const vb_bone *bone = vb_scene_bones(scene, &n);
  const double mass = 1000 * 2 * 0.5 * 1; // kg
  const double inertia[6] = {mass / 12 * (0.25 + 1), mass / 12 * (4 + 1), mass / 12 * (4 + 0.25)};
  ck_assert_double_eq_tol(bone->mass, mass, rounding * mass);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(bone->center[k], s.size[k] / 2, rounding);
    ck_assert_double_eq(bone->position[k], bone->center[k]);
  }
  for (int k = 0; k < 6; k++)
    ck_assert_double_eq_tol(bone->inertia[k], inertia[k], rounding * inertia[1]);
  ck_assert_mem_eq(bone->frame, ((double[]){1, 0, 0, 0}), sizeof bone->frame);
  free(scene);
}
END_TEST

/// The inertia of a right-angled tetrahedron with unit edges about its center, by hand: second
/// moments m 3/80 and products - m/80.
START_TEST(a_tetrahedron_has_products_of_inertia) {
  vb_scene *scene = fixture_freeze(skeleton_full());
  size_t n;
  const vb_bone *bone = vb_scene_bones(scene, &n);
  ck_assert_double_eq_tol(bone[0].mass, 100, 1e-12);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(bone[0].center[k], (k ? 0.25 : 20.25), rounding);
    // Minus the product of inertia, itself -m/80.
    ck_assert_double_eq_tol(bone[0].inertia[3 + k], 100. / 80, 1e-11);
    ck_assert_double_eq_tol(bone[0].inertia[k], 2 * 100 * 3. / 80, 1e-11);
  }
  free(scene);
}
END_TEST

START_TEST(what_is_given_stays) {
  vb_bone given = {.name = "box", .mass = 250, .frame = {0, 0, 3, 0}, .position = {0, 0, 7}};
  solid_box s = box_with_bone(&given);
  vb_scene *scene = fixture_freeze(s.builder);
  size_t n;
  const vb_bone *bone = vb_scene_bones(scene, &n);
  ck_assert_double_eq(bone->mass, 250);
  ck_assert_double_eq_tol(bone->inertia[1], 250. / 12 * 5, rounding * 250); // as if lighter
  ck_assert_double_eq(bone->frame[2], 1);
  ck_assert_double_eq(bone->position[2], 7);
  free(scene);

  // Complete at the origin: it is a center, and no gap. So is a position, where there is a frame.
  given.inertia[0] = given.inertia[1] = given.inertia[2] = 9;
  given.position[2] = 0;
  s = box_with_bone(&given);
  ((vb_bone *)vb_builder_elements(s.builder, VB_SET_BONE, &n))->velocity[0] = 3;
  scene = fixture_freeze(s.builder);
  bone = vb_scene_bones(scene, &n);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq(bone->center[k], 0);
    ck_assert_double_eq(bone->position[k], 0);
  }
  free(scene);
}
END_TEST

START_TEST(what_a_bone_carries_goes_with_it) {
  vb_builder *b = skeleton_full();
  size_t n;
  vb_bone *fore = (vb_bone *)vb_builder_elements(b, VB_SET_BONE, &n) + 1;
  // A quarter turn about y: (x, y, z) goes to (z, y, -x).
  memcpy(fore->frame, (double[]){sqrt(0.5), 0, sqrt(0.5), 0}, sizeof fore->frame);
  memcpy(fore->position, (double[]){5, 6, 7}, sizeof fore->position);
  memcpy(fore->velocity, (double[]){1, 0, 0}, sizeof fore->velocity);
  memcpy(fore->angular_velocity, (double[]){0, 0, 2}, sizeof fore->angular_velocity);
  vb_link *links = vb_builder_elements(b, VB_SET_LINK, &n); // none holds any more
  for (size_t i = 0; i < n; i++)
    links[i] = links[2];
  strcpy(links[0].name, "a");
  strcpy(links[1].name, "b");
  memset((vb_load *)vb_builder_elements(b, VB_SET_LOAD, &n) + 3, 0, sizeof(vb_load));
  strcpy(((vb_load *)vb_builder_elements(b, VB_SET_LOAD, &n))[3].name, "none");
  vb_scene *scene = fixture_freeze(b);
  const vb_node *node = vb_scene_nodes(scene, &n);
  const double arm[3] = {23 - 21.25, -0.25, -0.25}; // node 17 from the center
  const double at[3] = {5 + arm[2], 6 + arm[1], 7 - arm[0]};
  const double velocity[3] = {1 - 2 * (at[1] - 6), 2 * (at[0] - 5), 0};
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(node[17].position[k], at[k], rounding);
    ck_assert_double_eq_tol(node[17].velocity[k], velocity[k], rounding);
  }
  const vb_segment *segment = vb_scene_segments(scene, &n) + 5;
  ck_assert_double_eq(segment->angular_velocity[2], 2);
  // Its axis w was along x and is along -z.
  const double *q = segment->frame;
  ck_assert_double_eq_tol(1 - 2 * (q[1] * q[1] + q[2] * q[2]), -1, rounding);
  free(scene);
}
END_TEST

START_TEST(bones_without_anything_inside_are_refused) {
  static const char *const lacks[] = {"mass", "inertia"};
  for (int given = 0; given < 2; given++) {
    vb_builder *b = fixture_full();
    fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "thin", .mass = given});
    fixture_add(b, VB_SET_TIE, &(vb_tie){VB_AT_NODE, 7, 0, 0});
    vb_scene *scene = NULL;
    vb_error error = {0};
    char expected[160];
    snprintf(expected, sizeof expected,
             "bone 0 (thin): it has no %s, and no tetrahedron whose four nodes it carries to take "
             "it from",
             lacks[given]);
    ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
    ck_assert_str_eq(error.message, expected);
    vb_builder_destroy(b);
  }
}
END_TEST

/// Two bones, each with half of the nodes: what lies between them is inside of neither.
START_TEST(tetrahedra_between_bones_are_in_none) {
  const int32_t cells[3] = {3, 1, 1};
  const double size[3] = {3, 1, 1};
  solid_box s = solids_box(fixture_builder(), cells, size, 0.3, 0);
  for (int k = 0; k < 2; k++)
    fixture_add(s.builder, VB_SET_BONE, &(vb_bone){.name = {(char)('a' + k)}});
  for (int32_t i = 0; i < (int32_t)s.n_nodes; i++)
    fixture_add(s.builder, VB_SET_TIE,
                &(vb_tie){VB_AT_NODE, i, solids_nodes(&s)[i].rest_position[0] > 1.5, 0});
  vb_scene *scene = fixture_freeze(s.builder);
  size_t n;
  const vb_bone *bone = vb_scene_bones(scene, &n);
  for (int k = 0; k < 2; k++) {
    ck_assert_double_eq_tol(bone[k].mass, 1000, rounding * 1000);
    ck_assert_double_eq_tol(bone[k].center[0], k ? 2.5 : 0.5, rounding);
  }
  ck_assert_int_eq(vb_scene_dofs(scene), 12);
  free(scene);
}
END_TEST

/// A bone with numbers of its own needs no node.
START_TEST(a_scene_of_bones_alone) {
  vb_builder *b = fixture_builder();
  vb_bone bob = {.name = "bob", .mass = 2, .center = {1, 0, 0}, .inertia = {1, 1, 1}};
  fixture_add(b, VB_SET_BONE, &bob);
  vb_link pivot = {.name = "pivot", .bone = {0, -1}, .driver = -1};
  fixture_add(b, VB_SET_LINK, &pivot);
  vb_scene *scene = fixture_freeze(b);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_NODE), 0);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_BODY), 0);
  ck_assert_int_eq(vb_scene_dofs(scene), 6);
  size_t n;
  ck_assert_double_eq(vb_scene_links(scene, &n)->limit[1], INFINITY);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("bones");
  tcase_add_test(c, a_box_has_its_own_moments);
  tcase_add_test(c, a_tetrahedron_has_products_of_inertia);
  tcase_add_test(c, what_is_given_stays);
  tcase_add_test(c, what_a_bone_carries_goes_with_it);
  tcase_add_test(c, bones_without_anything_inside_are_refused);
  tcase_add_test(c, tetrahedra_between_bones_are_in_none);
  tcase_add_test(c, a_scene_of_bones_alone);
  return c;
}

VB_TEST_MAIN("bones of scenes", make_case())
