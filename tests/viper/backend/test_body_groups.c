// SPDX-License-Identifier: GPL-3.0-or-later
/// Which bodies are worked on side by side, and which one by one.
#include "scenes/scenes.h"
#include "viper/backend/body_groups.h"

#include <math.h>

typedef struct sorted {
  vb_scene *scene;
  viper_model *model;
  viper_body_groups body_groups;
} sorted;

static sorted sort_bodies(vb_builder *b, bool none, bool eliminate) {
  sorted s = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(viper_model_create(s.scene, true, &s.model, NULL), VB_OK);
  const viper_grouping grouping = {.none = none, .direct = eliminate};
  ck_assert_int_eq(viper_body_groups_create(s.model, &grouping, &s.body_groups, NULL), VB_OK);
  return s;
}

static void sorted_free(sorted *s) {
  viper_body_groups_destroy(&s->body_groups);
  viper_model_destroy(s->model);
  free(s->scene);
}

/// The group that a body is in, or -1 where it is single; each is in one place.
static int kind_of(const sorted *s, int32_t body) {
  int found = 0, group = -1;
  for (size_t k = 0; k < s->body_groups.n_groups; k++)
    for (int32_t i = 0; i < s->body_groups.group[k].n_bodies; i++)
      if (s->body_groups.group[k].body[i] == body) {
        found++;
        group = (int)k;
      }
  for (size_t i = 0; i < s->body_groups.n_singles; i++)
    found += s->body_groups.single[i] == body;
  ck_assert_int_eq(found, 1);
  return group;
}

/// The same shape eight times: one group. Its model is the first
/// body's with indexes from 0.
START_TEST(equal_bodies_form_one_group) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_graph(b, 9, 3, 7, &scenes_rubber); // single: alone
  for (int k = 0; k < 8; k++)
    scenes_helix(b, 6, 0, &scenes_rubber); // elsewhere, lengths would differ by rounding
  sorted s = sort_bodies(b, false, true);
  ck_assert_uint_eq(s.body_groups.n_groups, 1);
  ck_assert_uint_eq(s.body_groups.n_singles, 1);
  ck_assert_int_eq(s.body_groups.single[0], 0);
  const viper_body_group *group = &s.body_groups.group[0];
  ck_assert_int_eq(group->n_bodies, 8);
  for (int i = 0; i < 8; i++)
    ck_assert_int_eq(group->body[i], i + 1);
  ck_assert_int_eq(group->uniform, VIPER_UNIFORM); // some segments are stored against the path
  ck_assert_ptr_nonnull(group->elimination);
  ck_assert_uint_eq(group->model->n_nodes, 7);
  const viper_model_body *first = &s.model->body[1];
  for (int j = 0; j < 6; j++)
    for (int i = 0; i < 2; i++)
      ck_assert_int_eq(group->model->segment[j].node[i],
                       s.model->segment[first->first_segment + j].node[i] - first->first_node);
  for (int t = 0; t < 5; t++)
    for (int i = 0; i < 3; i++)
      ck_assert_int_eq(group->model->joint[t].node[i],
                       s.model->joint[first->first_joint + t].node[i] - first->first_node);
  ck_assert_int_eq(group->adjacency->body_phase[1], 3 + 2);
  sorted_free(&s);
}
END_TEST

/// Bodies of one topology and other numbers stay one group, which is not uniform: a density, a
/// stiffness, a radius, a length, a curvature at rest.
START_TEST(other_values_do_not_split_a_group) {
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 5; k++) {
    scenes_material m = scenes_rubber;
    m.density *= _i == 0 && k == 3 ? 1 + 1e-15 : 1;
    m.stiffness[VB_KX] *= _i == 1 && k == 3 ? 2 : 1;
    m.stiffness[VB_KBX] *= _i == 2 && k == 3 ? 2 : 1;
    int32_t node = scenes_bar(b, 6, _i == 3 && k == 3 ? 2 : 1, _i == 4 && k == 3 ? 0.04 : 0.05, &m);
    size_t n;
    vb_node *all = vb_builder_elements(b, VB_SET_NODE, &n);
    all[node + 6].rest_position[1] = all[node + 6].position[1] = _i == 5 && k == 3 ? 0.1 : 0;
  }
  sorted s = sort_bodies(b, false, false);
  ck_assert_uint_eq(s.body_groups.n_groups, 1);
  ck_assert_int_eq(s.body_groups.group[0].n_bodies, 5);
  ck_assert_int_eq(s.body_groups.group[0].uniform, _i == 6 ? VIPER_ALONG : 0);
  ck_assert_ptr_null(s.body_groups.group[0].elimination);
  sorted_free(&s);
}
END_TEST

/// Copies in other places differ by rounding: they are uniform within a tolerance, not bitwise. One
/// whose radius is larger by more than that is no copy.
START_TEST(copies_elsewhere_are_uniform_within_a_tolerance) {
  const double tolerance[3] = {0, 1e-9, 1e-9};
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 8; k++)
    scenes_helix(b, 6, 0.37 * k, &scenes_rubber);
  if (_i == 2) {
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    node[n - 1].rest_radius *= 1 + 1e-8;
  }
  vb_scene *scene = fixture_freeze(b);
  viper_model *model;
  viper_body_groups body_groups;
  ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
  const viper_grouping grouping = {.tolerance = tolerance[_i]};
  ck_assert_int_eq(viper_body_groups_create(model, &grouping, &body_groups, NULL), VB_OK);
  ck_assert_uint_eq(body_groups.n_groups, 1);
  ck_assert_int_eq(body_groups.group[0].uniform, _i == 1 ? VIPER_UNIFORM : 0);
  viper_body_groups_destroy(&body_groups);
  viper_model_destroy(model);
  free(scene);
}
END_TEST

/// Rods of other radii and densities have multiples of the rest data of the first, if that is asked
/// for: of masses, and of K of stretch, as the square of the radius, of bending as its fourth
/// power. Rods that are no plain chains have, if it suffices that they are stored along. A rod of
/// which one node is thicker has not.
START_TEST(rods_of_other_radii_have_multiples) {
  static const int asked[] = {VIPER_CHAIN, 0, VIPER_CHAIN, VIPER_CHAIN, VIPER_ALONG};
  const bool colored = _i >= 3, found = _i == 0 || _i == 4;
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 5; k++) {
    scenes_material m = scenes_rubber;
    m.density *= 1 + k;
    scenes_bar(b, 6, 1, 0.05 * (1 + 0.2 * k), &m);
  }
  if (_i == 2) {
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    node[n - 2].rest_radius *= 1 + 1e-8;
  }
  vb_scene *scene = fixture_freeze(b);
  viper_model *model;
  viper_body_groups body_groups;
  ck_assert_int_eq(viper_model_create(scene, colored, &model, NULL), VB_OK);
  const viper_grouping grouping = {.tolerance = 1e-9, .multiples = asked[_i]};
  ck_assert_int_eq(viper_body_groups_create(model, &grouping, &body_groups, NULL), VB_OK);
  const viper_body_group *group = &body_groups.group[0];
  ck_assert_uint_eq(body_groups.n_groups, 1);
  ck_assert_int_eq(group->uniform, found ? VIPER_MULTIPLES : 0);
  ck_assert(group->chain == !colored);
  ck_assert((group->factor != NULL) == found);
  for (int k = 0; found && k < 5; k++) {
    const double r = 1 + 0.2 * k, *factor = group->factor[k];
    ck_assert_double_eq_tol(factor[VIPER_FACTOR_MASS], (1 + k) * r * r, 1e-12);
    ck_assert_double_eq_tol(factor[VIPER_FACTOR_FRAME], (1 + k) * pow(r, 4), 1e-12);
    ck_assert_double_eq_tol(factor[VIPER_FACTOR_SEGMENT + VIPER_TERM_STRETCH], r * r, 1e-12);
    ck_assert_double_eq_tol(factor[VIPER_FACTOR_SEGMENT + VIPER_TERM_TAPER], pow(r, 4), 1e-12);
    ck_assert_double_eq_tol(factor[VIPER_FACTOR_JOINT + VIPER_TERM_BEND], pow(r, 4), 1e-12);
    ck_assert_double_eq(factor[VIPER_FACTOR_SOLID], 1); // none is solid
  }
  viper_body_groups_destroy(&body_groups);
  viper_model_destroy(model);
  free(scene);
}
END_TEST

/// A body without companions is in a group if that costs less. A rod of 6 segments and 5 joints has
/// 11 elements, in 2 and 3 phases of one vector each: they cost 5 vectors.
START_TEST(lone_bodies_are_grouped_where_that_costs_less) {
  static const double cost[] = {0, 2.1, 2.3, INFINITY};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_helix(b, 6, 0, &scenes_rubber);
  vb_scene *scene = fixture_freeze(b);
  viper_model *model;
  ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
  for (size_t k = 0; k < sizeof cost / sizeof *cost; k++) {
    const viper_grouping grouping = {.lanes = 8, .vector_cost = cost[k]};
    viper_body_groups body_groups;
    ck_assert_int_eq(viper_body_groups_create(model, &grouping, &body_groups, NULL), VB_OK);
    ck_assert_uint_eq(body_groups.n_groups, cost[k] * 5 > 11);
    ck_assert_uint_eq(body_groups.n_singles, cost[k] * 5 < 11);
    viper_body_groups_destroy(&body_groups);
  }
  viper_model_destroy(model);
  free(scene);
}
END_TEST

/// Bars are chains where their elements lie as the scene has them, not color by color; those
/// without surface_bend, with a segment stored the other way, or with nodes in another order are
/// none.
START_TEST(plain_rods_are_chains) {
  static const int uniform[5] = {VIPER_CHAIN, VIPER_ALONG, VIPER_ALONG, VIPER_UNIFORM, VIPER_ALONG};
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 4; k++) {
    int32_t node[4] = {0};
    for (int i = 0; i < 4; i++)
      node[_i == 4 ? (i + 3) % 4 : i] = fixture_node(b, _i == 4 ? (i + 3) % 4 : i, 0, 0, 0.05);
    for (int i = 0; i < 3; i++)
      scenes_segment(b, node[_i == 3 && i == 1 ? 2 : i], node[_i == 3 && i == 1 ? 1 : i + 1],
                     _i == 2 ? &scenes_no_surface : &scenes_rubber);
  }
  vb_scene *scene = fixture_freeze(b);
  viper_model *model;
  viper_body_groups body_groups;
  ck_assert_int_eq(viper_model_create(scene, _i == 1, &model, NULL), VB_OK);
  ck_assert_int_eq(viper_body_groups_create(model, &(viper_grouping){0}, &body_groups, NULL),
                   VB_OK);
  ck_assert_uint_eq(body_groups.n_groups, 1);
  ck_assert_int_eq(body_groups.group[0].uniform, uniform[_i]);
  viper_body_groups_destroy(&body_groups);
  viper_model_destroy(model);
  free(scene);
}
END_TEST

/// Other nodes, other ends, other pins, other terms: other kinds.
START_TEST(other_topologies_form_other_groups) {
  vb_builder *b = scenes_begin(0.01, 0);
  int32_t wall = scenes_wall(b, "wall");
  scenes_material no_volume = scenes_rubber;
  no_volume.stiffness[VB_KV] = 0;
  enum { KINDS = 8 };
  for (int k = 0; k < 4 * KINDS; k++) {
    int group = k % KINDS;
    int32_t first = group == 1   ? scenes_bar(b, 7, 1, 0.05, &scenes_rubber)
                    : group == 2 ? scenes_helix(b, 6, k, &scenes_rubber)
                    : group == 3 ? scenes_bar(b, 6, 1, 0.05, &scenes_no_surface)
                    : group == 4 ? scenes_bar(b, 6, 1, 0.05, &no_volume)
                                 : scenes_bar(b, 6, 1, 0.05, &scenes_rubber);
    if (group == 5)
      scenes_pin_node(b, first, VB_PIN_CENTER, wall);
    if (group == 6)
      scenes_pin_node(b, first, VB_PIN_SCALE, wall);
    size_t n;
    vb_builder_elements(b, VB_SET_SEGMENT, &n);
    if (group == 7)
      scenes_pin_frame(b, (int32_t)n - 1, wall);
  }
  sorted s = sort_bodies(b, false, false);
  ck_assert_uint_eq(s.body_groups.n_groups, KINDS);
  ck_assert_uint_eq(s.body_groups.n_singles, 0);
  for (int k = 0; k < 4 * KINDS; k++) {
    ck_assert_int_eq(kind_of(&s, k), kind_of(&s, k % KINDS));
    for (int other = 0; other < k % KINDS; other++)
      ck_assert_int_ne(kind_of(&s, k), kind_of(&s, other));
  }
  sorted_free(&s);
}
END_TEST

/// One by one: fewer than four of a group, what drivers move or loads push, what is large, and all
/// where asked for. A pin that stands still keeps company.
START_TEST(some_bodies_are_single) {
  enum { LONG = VIPER_BODY_GROUP_MAX_NODES };
  vb_builder *b = scenes_begin(0.01, 0);
  int32_t wall = scenes_wall(b, "wall");
  const double keys[2][2] = {{0, 0}, {1, 1}};
  vb_driver hand = {"hand", {0, 0, 0}, {0, 0, 1}, {-1, -1, -1}, -1};
  hand.translation[0] = scenes_curve(b, VB_LINEAR, 2, keys);
  int32_t moving = fixture_add(b, VB_SET_DRIVER, &hand);
  for (int k = 0; k < 16; k++) { // bodies 0 to 15: still, moved, pushed, twisted
    size_t n;
    vb_builder_elements(b, VB_SET_SEGMENT, &n);
    int32_t first = scenes_bar(b, 4, 1, 0.05, &scenes_rubber);
    if (k < 8)
      scenes_pin_node(b, first, VB_PIN_CENTER, k < 4 ? wall : moving);
    else if (k < 12)
      scenes_push(b, first + 1, 1, 0, 0, 0);
    else
      scenes_twist(b, (int32_t)n, 1, 0, 0);
  }
  for (int k = 0; k < 3; k++) // 16 to 18: three of a group
    scenes_bar(b, 5, 1, 0.05, &scenes_rubber);
  for (int k = 0; k < 8; k++) // 19 to 26: four of the most nodes, four of one more
    scenes_bar(b, k < 4 ? LONG - 1 : LONG, 100, 0.05, &scenes_rubber);
  sorted s = sort_bodies(b, _i, false);
  for (int32_t k = 0; k < 27; k++) {
    bool together = !_i && (k < 4 || (k >= 19 && k < 23));
    ck_assert_msg((kind_of(&s, k) >= 0) == together, "body %d", k);
  }
  for (size_t i = 1; i < s.body_groups.n_singles; i++)
    ck_assert_int_lt(s.body_groups.single[i - 1], s.body_groups.single[i]);
  sorted_free(&s);
}
END_TEST

static TCase *body_groups(void) {
  TCase *t = tcase_create("kinds");
  tcase_add_test(t, equal_bodies_form_one_group);
  tcase_add_loop_test(t, other_values_do_not_split_a_group, 0, 7);
  tcase_add_loop_test(t, copies_elsewhere_are_uniform_within_a_tolerance, 0, 3);
  tcase_add_loop_test(t, rods_of_other_radii_have_multiples, 0, 5);
  tcase_add_test(t, lone_bodies_are_grouped_where_that_costs_less);
  tcase_add_loop_test(t, plain_rods_are_chains, 0, 5);
  tcase_add_test(t, other_topologies_form_other_groups);
  tcase_add_loop_test(t, some_bodies_are_single, 0, 2);
  return t;
}

VB_TEST_MAIN("kinds", body_groups())
