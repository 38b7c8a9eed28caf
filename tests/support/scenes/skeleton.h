// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene with something in every set: rods, tetrahedra, bones and their links, contact.
#ifndef VB_TESTS_SUPPORT_SKELETON_H
#define VB_TESTS_SUPPORT_SKELETON_H

#include "scenes/scene_fixture.h"

#include <math.h>

/// A right-angled tetrahedron with edges of 1 m from (x, y, z), without radii. Returns its first
/// node.
static inline int32_t skeleton_corner(vb_builder *b, double x, double y, double z) {
  int32_t first = fixture_node(b, x, y, z, 0);
  fixture_node(b, x + 1, y, z, 0);
  fixture_node(b, x, y + 1, z, 0);
  fixture_node(b, x, y, z + 1, 0);
  vb_tetrahedron t = {{first, first + 1, first + 2, first + 3}, 1e6, 0.3, 600};
  fixture_add(b, VB_SET_TETRAHEDRON, &t);
  return first;
}

/// Ties `n` nodes from `first` on, or segments, to a bone, the last first: freezing sorts them.
static inline void skeleton_tie(vb_builder *b, vb_location location, int32_t first, int32_t n,
                                int32_t bone) {
  for (int32_t i = first + n; i-- > first;)
    fixture_add(b, VB_SET_TIE, &(vb_tie){.location = location, .index = i, .bone = bone});
}

/// Bones 0 "upper" and 1 "fore" of a tetrahedron each (nodes 8 to 11 and 12 to 15), fore with a rod
/// of segment 5 (nodes 16 and 17), too, which is clamped in a face of the tetrahedron. Links: 0
/// "elbow", a hinge of both about y at (21, 0, 0); 1 "wrist", a ball of fore and the world; 2
/// "shoulder", a universal of upper and driver 1.
static inline void skeleton_bones(vb_builder *b) {
  skeleton_corner(b, 20, 0, 0);
  skeleton_corner(b, 21, 0, 0);
  int32_t end = fixture_node(b, 22, 0, 0, 0.1);
  fixture_segment(b, end, fixture_node(b, 23, 0, 0, 0.1));
  fixture_add(b, VB_SET_ATTACHMENT,
              &(vb_attachment){.segment = 5, .node = end, .corner = {12, 13, 14}});
  fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "upper"});
  fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "fore", .velocity = {0, 0, 1}});
  skeleton_tie(b, VB_AT_SEGMENT, 5, 1, 1);
  skeleton_tie(b, VB_AT_NODE, 12, 6, 1);
  skeleton_tie(b, VB_AT_NODE, 8, 4, 0);
  vb_link elbow = {.name = "elbow",
                   .type = VB_LINK_HINGE,
                   .bone = {1, 0},
                   .driver = -1,
                   .at = {21, 0, 0},
                   .axis = {{0, 1, 0}},
                   .limit = {-1, 2}};
  fixture_add(b, VB_SET_LINK, &elbow);
  vb_link wrist = {.name = "wrist", .bone = {1, -1}, .driver = -1, .at = {23, 0, 0}};
  fixture_add(b, VB_SET_LINK, &wrist);
  vb_link shoulder = {.name = "shoulder",
                      .type = VB_LINK_UNIVERSAL,
                      .bone = {0, -1},
                      .driver = 1,
                      .at = {20, 0, 0},
                      .axis = {{0, 1, 0}, {1, 0, 0}}};
  fixture_add(b, VB_SET_LINK, &shoulder);
  vb_load lift = {.name = "lift",
                  .location = VB_AT_BONE,
                  .index = 1,
                  .force = {0, 0, 9},
                  .torque = {1, 2, 3},
                  .amplitude = -1};
  fixture_add(b, VB_SET_LOAD, &lift);
  vb_load biceps = {
      .name = "biceps", .location = VB_AT_LINK, .index = 0, .torque = {2.5}, .amplitude = 1};
  fixture_add(b, VB_SET_LOAD, &biceps);
}

/// Sets of rods and drivers on the rods of fixture_full.
static inline void skeleton_rods(vb_builder *b) {
  ck_assert_int_eq(
      vb_builder_rest_curvature(b, (int32_t[]){0, 1}, 1, (double[]){0.1, 0.2, 0.3}, NULL), VB_OK);
  fixture_add(b, VB_SET_BENDING, &(vb_bending){.segment = 1, .factor = {2, 0.5}});
  fixture_add(b, VB_SET_FRAME_PIN,
              &(vb_frame_pin){.segment = 3, .mask = VB_FRAME_U | VB_FRAME_W, .driver = 1});
  fixture_add(b, VB_SET_PIN_END, &(vb_pin_end){VB_AT_SEGMENT, 3, VB_PIN_FRAME, 0, 0.5});
  fixture_add(b, VB_SET_PIN_END, &(vb_pin_end){VB_AT_NODE, 0, VB_PIN_X | VB_PIN_Z, 0, 0.25});
  fixture_add(b, VB_SET_FOLLOWER_LOAD, &(vb_follower_load){.load = 0, .segment = 2});
  vb_activation flex = {.name = "flex",
                        .location = VB_AT_TETRAHEDRON,
                        .index = 0,
                        .active = VB_ACTIVE_FIBER,
                        .curve = 2,
                        .direction = {0, 0.6, 0.8}};
  fixture_add(b, VB_SET_ACTIVATION, &flex);
  vb_activation pull = {
      .name = "flex", .location = VB_AT_SEGMENT, .index = 2, .active = VB_ACTIVE_FORCE, .curve = 0};
  fixture_add(b, VB_SET_ACTIVATION, &pull);
  vb_activation thin = {.name = "thin", .location = VB_AT_SEGMENT, .index = 1, .curve = 2};
  fixture_add(b, VB_SET_ACTIVATION, &thin);
  vb_activation hill = {
      .name = "hill", .location = VB_AT_SEGMENT, .index = 3, .active = VB_ACTIVE_HILL, .curve = 2};
  fixture_add(b, VB_SET_ACTIVATION, &hill);
  fixture_add(b, VB_SET_HILL,
              &(vb_hill){.location = VB_AT_SEGMENT,
                         .index = 3,
                         .stress = 1e5,
                         .velocity = 4,
                         .curvature = 0.25,
                         .eccentric = 1.4,
                         .optimum = 1,
                         .width = 0.5,
                         .passive = 0.6,
                         .damping = 10});
  fixture_add(b, VB_SET_PARENT, &(vb_parent){.driver = 0, .parent = 1});
  vb_follow follow = {.node = 4, .driver = {0, 1}, .weight = {0.25, 0.75}};
  fixture_add(b, VB_SET_FOLLOW, &follow);
  follow = (vb_follow){.node = 2, .driver = {1, -1}, .weight = {1, 0}};
  fixture_add(b, VB_SET_FOLLOW, &follow);
}

/// Friction, a driven half-plane, and colliders: a ball, a hollow cylinder, a driven capsule, which
/// has a color.
static inline void skeleton_contact(vb_builder *b) {
  ck_assert_int_eq(vb_builder_friction(b, 5, 0.5, 0.25, NULL), VB_OK);
  ck_assert_int_eq(vb_builder_friction(b, 0, 0.75, 0.5, NULL), VB_OK);
  ck_assert_int_eq(vb_builder_friction(b, 6, 0.5, 0.25, NULL), VB_OK); // the same body again
  ck_assert_int_eq(vb_builder_friction_pair(b, (int32_t[]){5, 0}, 0.9, 0.8, NULL), VB_OK);
  fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){.normal = {0, 0, 1}, .offset = -9});
  fixture_add(b, VB_SET_PLANE_DRIVER, &(vb_plane_driver){.half_plane = 0, .driver = 0});
  vb_collider ball = {.name = "ball", .driver = -1, .point = {{0, 0, 40}}, .radius = 2};
  fixture_add(b, VB_SET_COLLIDER, &ball);
  vb_collider tube = {.name = "tube",
                      .shape = VB_COLLIDER_CYLINDER,
                      .inside = 1,
                      .driver = -1,
                      .point = {{0, 0, 0}, {0, 0, 1}},
                      .radius = 90,
                      .static_friction = 0.5};
  fixture_add(b, VB_SET_COLLIDER, &tube);
  vb_collider bar = {.name = "bar",
                     .shape = VB_COLLIDER_CAPSULE,
                     .driver = 1,
                     .point = {{0, 0, 50}, {1, 0, 50}},
                     .radius = 1};
  fixture_add(b, VB_SET_COLLIDER, &bar);
  fixture_add(b, VB_SET_LOOK,
              &(vb_look){.location = VB_AT_COLLIDER, .index = 2, .color = {1, 0.5, 0}});
}

static inline vb_builder *skeleton_full(void) {
  vb_builder *b = fixture_full();
  skeleton_bones(b);
  skeleton_rods(b);
  skeleton_contact(b);
  return b;
}

#endif
