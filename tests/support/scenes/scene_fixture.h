// SPDX-License-Identifier: GPL-3.0-or-later
/// A small scene with something in every set, for tests of scenes.
#ifndef VB_TESTS_SUPPORT_SCENE_FIXTURE_H
#define VB_TESTS_SUPPORT_SCENE_FIXTURE_H

#include "scene/builder.h"
#include "test.h"

static inline vb_builder *fixture_builder(void) {
  vb_builder *builder = NULL;
  ck_assert_int_eq(vb_builder_create(&builder, NULL), VB_OK);
  vb_builder_world(builder)->step = 0.01;
  vb_builder_world(builder)->n_steps = 100;
  return builder;
}

static inline int32_t fixture_add(vb_builder *builder, vb_tag tag, const void *element) {
  int32_t index = -1;
  ck_assert_int_eq(vb_builder_add(builder, tag, element, &index, NULL), VB_OK);
  return index;
}

static inline int32_t fixture_node(vb_builder *builder, double x, double y, double z,
                                   double radius) {
  vb_node node = {.rest_position = {x, y, z}, .rest_radius = radius, .position = {x, y, z}};
  return fixture_add(builder, VB_SET_NODE, &node);
}

static inline int32_t fixture_segment(vb_builder *builder, int32_t a, int32_t b) {
  vb_segment segment = {
      .node = {a, b}, .density = 1000, .stiffness = {2e6, 2e6, 2e6, 2e4, 2e4, 1e7}};
  return fixture_add(builder, VB_SET_SEGMENT, &segment);
}

/// Freezes and destroys the builder.
static inline vb_scene *fixture_freeze(vb_builder *builder) {
  vb_scene *scene = NULL;
  vb_error error = {0};
  vb_status status = vb_builder_freeze(builder, &scene, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  vb_builder_destroy(builder);
  return scene;
}

/// Body 0, "arm": nodes 0 to 3 along x, segments 0 to 2. Body 1, without a name: nodes 4 to 6 along
/// z, segments 3 and 4. Body 2: node 7 alone. Joints 0 and 1 in the arm, 2 in the other. Node 0 and
/// segment 0 are pinned to driver 0, loads are on node 3 and segment 4.
static inline vb_builder *fixture_full(void) {
  vb_builder *b = fixture_builder();
  for (int i = 0; i < 4; i++)
    fixture_node(b, i, 0, 0, 0.2);
  for (int i = 0; i < 3; i++)
    fixture_node(b, 0, 5, i, 0.1);
  fixture_node(b, 9, 9, 9, 0.3);
  const int32_t ends[5][2] = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}};
  for (int j = 0; j < 5; j++)
    fixture_segment(b, ends[j][0], ends[j][1]);
  const vb_key keys[6] = {{0, 0, VB_CUBIC, 0},  {1, 2, VB_CUBIC, 0},   {2, 3, VB_CUBIC, 0},
                          {0, 0, VB_LINEAR, 0}, {4, 20, VB_LINEAR, 0}, {0, 1, VB_HOLD, 0}};
  for (int k = 0; k < 6; k++)
    fixture_add(b, VB_SET_KEY, &keys[k]);
  fixture_add(b, VB_SET_CURVE, &(vb_curve){0, 3});
  fixture_add(b, VB_SET_CURVE, &(vb_curve){3, 2});
  fixture_add(b, VB_SET_CURVE, &(vb_curve){5, 1});
  vb_driver wall = {"wall", {0, 0, 0}, {0, 0, 1}, {0, -1, -1}, 1};
  fixture_add(b, VB_SET_DRIVER, &wall);
  vb_driver hand = {"hand", {0, 0, 0}, {1, 0, 0}, {-1, -1, -1}, -1};
  fixture_add(b, VB_SET_DRIVER, &hand);
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, 0, VB_PIN_CENTER | VB_PIN_SCALE, 0});
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_SEGMENT, 0, VB_PIN_FRAME, 0});
  vb_load tip = {.name = "tip", .location = VB_AT_NODE, .index = 3, .force = {0, 0, -1}};
  tip.amplitude = 2;
  fixture_add(b, VB_SET_LOAD, &tip);
  vb_load turn = {.name = "turn", .location = VB_AT_SEGMENT, .index = 4, .torque = {0, 0, 1}};
  turn.amplitude = -1;
  fixture_add(b, VB_SET_LOAD, &turn);
  ck_assert_int_eq(vb_builder_name(b, 2, "arm", NULL), VB_OK);
  return b;
}

#endif
