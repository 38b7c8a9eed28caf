// SPDX-License-Identifier: GPL-3.0-or-later
/// Curvatures, factors, frame pins, follower loads, activations, parents, follows, bones, ties,
/// links, friction and colliders in scenes: what is sound, and what is refused, in which words.
/// Covers: src/scene/check*.[ch]
#include "hostile/scene_defects.h"
#include "scenes/skeleton.h"

#include "solver/solver.h"
#include "solver/table.h"

static vb_scene *skeleton(void) {
  return fixture_freeze(skeleton_full());
}

START_TEST(every_set_survives_freezing) {
  vb_scene *scene = skeleton();
  for (vb_tag tag = VB_SET_REST_CURVATURE; tag < VB_SET_COUNT; tag++)
    ck_assert_msg(vb_scene_count(scene, tag) > 0, "there is no %s", vb_tag_name(tag));
  size_t n;
  const vb_tie *ties = vb_scene_ties(scene, &n);
  ck_assert_uint_eq(n, 11);
  for (int32_t i = 0; i < 10; i++)
    ck_assert_int_eq(ties[i].index, 8 + i);
  ck_assert_int_eq(ties[10].location, VB_AT_SEGMENT);
  const vb_activation *active = vb_scene_activations(scene, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_int_eq(active[0].index, 1);
  ck_assert_int_eq(active[3].location, VB_AT_TETRAHEDRON);
  const vb_friction *rough = vb_scene_frictions(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_double_eq(rough[1].static_friction, 0.5);
  ck_assert_int_eq(rough[1].body, 1);
  ck_assert_int_eq(vb_scene_follows(scene, &n)[0].node, 2);
  const vb_friction_pair *pair = vb_scene_friction_pairs(scene, &n);
  ck_assert(n == 1 && pair->body[0] == 0 && pair->body[1] == 1 && pair->kinetic_friction == 0.8);
  free(scene);
}
END_TEST

START_TEST(bones_and_frame_pins_count_in_degrees_of_freedom) {
  vb_scene *scene = skeleton();
  // Of the rods all but a whole node, a frame and two components of one; what bones carry is
  // theirs.
  ck_assert_int_eq(vb_scene_dofs(scene), 4 * 8 + 3 * 5 - 4 - 3 - 2 + 2 * 6);
  size_t n;
  ((vb_frame_pin *)vb_scene_frame_pins(scene, &n))[0].mask = VB_FRAME_V;
  ck_assert_int_eq(vb_scene_dofs(scene), 4 * 8 + 3 * 5 - 4 - 3 - 1 + 2 * 6);
  free(scene);
}
END_TEST

#define REST(field)      VB_SET_REST_CURVATURE, 0, IN(vb_rest_curvature, field)
#define BEND(field)      VB_SET_BENDING, 0, IN(vb_bending, field)
#define FRAME(field)     VB_SET_FRAME_PIN, 0, IN(vb_frame_pin, field)
#define TURN(field)      VB_SET_FOLLOWER_LOAD, 0, IN(vb_follower_load, field)
#define ACT(i, field)    VB_SET_ACTIVATION, i, IN(vb_activation, field)
#define FOLLOW(i, field) VB_SET_FOLLOW, i, IN(vb_follow, field)
#define BONE(field)      VB_SET_BONE, 1, IN(vb_bone, field)
#define TIE(i, field)    VB_SET_TIE, i, IN(vb_tie, field)
#define LINK(i, field)   VB_SET_LINK, i, IN(vb_link, field)
#define LOAD(i, field)   VB_SET_LOAD, i, IN(vb_load, field)
#define ROUGH(i, field)  VB_SET_FRICTION, i, IN(vb_friction, field)
#define HILL(field)      VB_SET_HILL, 0, IN(vb_hill, field)
#define PAIR(field)      VB_SET_FRICTION_PAIR, 0, IN(vb_friction_pair, field)
#define END(i, field)    VB_SET_PIN_END, i, IN(vb_pin_end, field)
#define SHAPE(i, field)  VB_SET_COLLIDER, i, IN(vb_collider, field)
#define CLAMP(field)     VB_SET_ATTACHMENT, 0, IN(vb_attachment, field)

static const defect defects[] = {
    {REST(joint), 'i', 3, "rest curvature 0: its joint 3 does not exist; there are 0 to 2"},
    {REST(darboux[1]), 'd', NAN, "rest curvature 0: Darboux vector nan is not a finite number"},
    // Segments of 1 m: |darboux| must stay under 2 1/m.
    {REST(darboux[2]), 'd', 1.99, "rest curvature 0: 2.00252 1/m over the joint's length 1 m is"},
    {BEND(segment), 'i', 6, "bending 0: its segment 6 does not exist; there are 0 to 5"},
    {BEND(factor[1]), 'd', -1, "bending 0: factor -1 is negative"},
    {BEND(factor[0]), 'd', INFINITY, "bending 0: factor inf is not a finite number"},
    {FRAME(segment), 'i', -1, "frame pin 0: its segment -1 does not exist"},
    {FRAME(segment), 'i', 0, "frame pin 0: its segment 0 has a pin already, which holds all three"},
    {FRAME(driver), 'i', 2, "frame pin 0: its driver 2 does not exist; there are 0 to 1"},
    {FRAME(mask), 'i', 0, "frame pin 0: mask 0 does not fit"},
    {FRAME(mask), 'i', 7, "frame pin 0: it holds all three components of segment 3; that is a pin"},
    {FRAME(mask), 'i', 8, "frame pin 0: mask 8 does not fit"},
    {END(0, location), 'i', VB_AT_BODY, "pin end 0: its location 7 is neither node nor segment"},
    {END(0, index), 'i', 1, "pin end 0: node 1 has no pin that could end"},
    {END(0, mask), 'i', 0,
     "pin end 0: mask 0 does not fit; it should be one or more of the bits of"},
    {END(0, mask), 'i', VB_PIN_FRAME, "pin end 0: mask 16 does not fit; it should be one or more"},
    {END(1, mask), 'i', VB_PIN_X, "pin end 1: mask 1 does not fit; it should be one or more of th"},
    {END(0, time), 'd', 0, "pin end 0: time 0 is not positive"},
    {END(1, time), 'd', 0.005, "pin end 1: the pin of segment 3 ends at 0.005 s, before the first"},
    {TURN(load), 'i', 4, "follower load 0: its load 4 does not exist; there are 0 to 3"},
    {TURN(load), 'i', 2, "follower load 0: its load 2 (lift) is on a bone; it should be on a node"},
    {TURN(load), 'i', 3, "follower load 0: its load 3 (biceps) is on a link"},
    {TURN(segment), 'i', 6, "follower load 0: its segment 6 does not exist"},
    {ACT(0, name), 'c', 0, "activation 0: its name is empty"},
    {ACT(0, location), 'i', VB_AT_NODE, "activation 0: its location 0 is neither segment nor tetr"},
    {ACT(0, index), 'i', 6, "activation 0: its segment 6 does not exist"},
    {ACT(3, index), 'i', 2, "activation 3: its tetrahedron 2 does not exist; there are 0 to 1"},
    {ACT(0, index), 'i', 2, "activation 1: segment 2 has one already, activation 0; it can have"},
    {ACT(0, index), 'i', 4, "activation 1: its segment 2 does not follow segment 4; they should"},
    {ACT(0, active), 'i', 4, "activation 0 (thin): 4 is none of strain, fiber, force and hill (0 "},
    {ACT(3, active), 'i', VB_ACTIVE_FORCE, "activation 3 (flex): a pair of forces acts on the two"},
    {ACT(0, curve), 'i', -1, "activation 0: its curve -1 does not exist; there are 0 to 2"},
    {ACT(0, curve), 'i', 0, "activation 0 (thin): its value at 0 s is 0; a ratio of lengths shou"},
    {ACT(0, direction[0]), 'd', 1, "activation 0 (thin): it has a direction; that of a segment is"},
    {ACT(3, direction[1]), 'd', 0, "activation 3 (flex): direction has the norm 0.8; it should be"},
    {ACT(3, direction[1]), 'd', NAN, "activation 3 (flex): direction has the norm nan; it should"},
    {ACT(0, active), 'i', VB_ACTIVE_HILL, "activation 0 (thin): it is of the kind hill, and has"},
    {ACT(2, active), 'i', VB_ACTIVE_FORCE,
     "activation 2 (hill): it has a hill, and is not of that"},
    {ACT(2, curve), 'i', 0,
     "activation 2 (hill): its value at 1 s is 2; an excitation is from 0 to"},
    {HILL(index), 'i', 6, "hill 0: its segment 6 does not exist; there are 0 to 5"},
    {HILL(index), 'i', 5, "hill 0: what it is of has no activation"},
    {HILL(stress), 'd', 0, "hill 0: stress 0 is not positive"},
    {HILL(velocity), 'd', NAN, "hill 0: velocity nan is not a finite number"},
    {HILL(eccentric), 'd', 1, "hill 0: its eccentric is 1; it should be greater than 1"},
    {HILL(damping), 'd', -1, "hill 0: damping -1 is negative"},
    {VB_SET_PARENT, 0, IN(vb_parent, driver), 'i', 2, "parent 0: its driver 2 does not exist"},
    {VB_SET_PARENT, 0, IN(vb_parent, parent), 'i', -1, "parent 0: its driver -1 does not exist"},
    {VB_SET_PARENT, 0, IN(vb_parent, parent), 'i', 0, "driver 0 (wall): it is its own ancestor; "},
    {FOLLOW(1, node), 'i', 18, "follow 1: its node 18 does not exist"},
    {FOLLOW(1, node), 'i', 2, "follow 1: node 2 has one already, follow 0; it can have one only"},
    {FOLLOW(0, node), 'i', 0,
     "follow 0: its node 0 is pinned; a pinned node cannot follow drivers"},
    {FOLLOW(0, driver[0]), 'i', -1, "follow 0: its driver -1 does not exist"},
    {FOLLOW(0, driver[1]), 'i', 2, "follow 0: its driver 2 does not exist"},
    {FOLLOW(0, weight[1]), 'd', 1, "follow 0: it has no second driver, but the weight 1 for it"},
    {FOLLOW(1, weight[1]), 'd', 0.5, "follow 1: its weights 0.25 and 0.5 have the sum 0.75; it sh"},
    {FOLLOW(1, weight[0]), 'd', -0.25, "follow 1: weight -0.25 is negative"},
    {BONE(name), 'c', '/', "bone 1: its name should hold no \"/\""},
    {BONE(mass), 'd', 0, "bone 1: mass 0 is not positive"},
    {BONE(center[2]), 'd', NAN, "bone 1: center nan is not a finite number"},
    {BONE(inertia[3]), 'd', INFINITY, "bone 1: inertia inf is not a finite number"},
    {BONE(inertia[0]), 'd', -1, "bone 1 (fore): its inertia is not positive definite"},
    {BONE(inertia[5]), 'd', 90, "bone 1 (fore): its inertia is not positive definite"},
    {BONE(inertia[0]), 'd', 90, "bone 1 (fore): one principal moment of its inertia is greater"},
    {BONE(position[0]), 'd', INFINITY, "bone 1: position inf is not a finite number"},
    {BONE(frame[0]), 'd', 0.5, "bone 1: frame has the norm 0.5; it should be 1"},
    {BONE(velocity[0]), 'd', NAN, "bone 1: velocity nan is not a finite number"},
    {BONE(angular_velocity[2]), 'd', NAN, "bone 1: angular velocity nan is not a finite number"},
    // The least that is seen: 1e-9 of the bone's size of 1.8 m, plus rounding 23 m away.
    {BONE(position[0]), 'd', 21.25 + 3e-9, "tie 4: at time 0 node 12 is 3e-09 m away from"},
    {TIE(0, location), 'i', VB_AT_BONE, "tie 0: its location 10 is neither node nor segment"},
    {TIE(0, index), 'i', -8, "tie 0: its node -8 does not exist"},
    {TIE(0, index), 'i', 0,
     "tie 0: node 0 is pinned; what bone 0 (upper) carries cannot be pinned"},
    {TIE(0, index), 'i', 9, "tie 1: node 9 has one already, tie 0; it can have one only"},
    {TIE(10, index), 'i', 3,
     "tie 10: segment 3 is pinned; what bone 1 (fore) carries cannot be pinned"},
    {TIE(10, index), 'i', 6, "tie 10: its segment 6 does not exist"},
    {TIE(0, bone), 'i', 2, "tie 0: its bone 2 does not exist; there are 0 to 1"},
    {VB_SET_SEGMENT, 5, IN(vb_segment, frame[0]), 'd', 0.70710678,
     "tie 10: the frame of segment 5 at time 0 is rotated by"},
    {LINK(0, name), 'c', '\n', "link 0: its name should hold no"},
    {LINK(1, type), 'i', 3, "link 1 (wrist): type 3 is none of ball, hinge and universal (0 to 2)"},
    {LINK(0, bone[0]), 'i', -1, "link 0: its bone -1 does not exist"},
    {LINK(0, bone[1]), 'i', 2, "link 0: its bone 2 does not exist"},
    {LINK(0, bone[1]), 'i', 1, "link 0 (elbow): both of its sides are bone 1; it needs two"},
    {LINK(0, driver), 'i', 1, "link 0 (elbow): its second side is bone 0, and driver 1, too"},
    {LINK(2, driver), 'i', 2, "link 2: its driver 2 does not exist; there are 0 to 1"},
    {LINK(0, at[1]), 'd', NAN, "link 0: point nan is not a finite number"},
    {LINK(0, axis[0][1]), 'd', 2, "link 0 (elbow): axis 0 has the norm 2; it should be 1"},
    {LINK(0, axis[1][1]), 'd', 1, "link 0 (elbow): axis 1 is unused here; it should be 0"},
    {LINK(1, axis[0][1]), 'd', 1, "link 1 (wrist): axis 0 is unused here; it should be 0"},
    {LINK(2, axis[1][1]), 'd', NAN, "link 2 (shoulder): axis 1 has the norm nan; it should be 1"},
    {LINK(1, limit[0]), 'd', -1, "link 1 (wrist): limits -1 and inf; only a hinge has them"},
    {LINK(0, limit[1]), 'd', -1, "link 0 (elbow): its least angle -1 is not below its greatest"},
    {LINK(0, limit[0]), 'd', NAN, "link 0 (elbow): its least angle nan is not below its greatest"},
    {LOAD(2, location), 'i', VB_AT_JOINT, "load 2: its location 2 is neither node, segment, bone"},
    {LOAD(2, index), 'i', 2, "load 2: its bone 2 does not exist; there are 0 to 1"},
    {LOAD(2, scale_force), 'd', 1,
     "load 2 (lift): a bone or link has no scale, and takes no scale"},
    {LOAD(3, index), 'i', 3, "load 3: its link 3 does not exist; there are 0 to 2"},
    {LOAD(3, index), 'i', 1, "load 3 (biceps): its link is no hinge, and takes no load"},
    {LOAD(3, torque[2]), 'd', 1, "load 3 (biceps): a hinge takes the first component of a torque"},
    {LOAD(3, force[0]), 'd', 1, "load 3 (biceps): a hinge takes the first component of a torque"},
    {ROUGH(1, body), 'i', 9, "friction 1: its body 9 does not exist"},
    {ROUGH(1, body), 'i', 0, "friction 1: body 0 has one already, friction 0; it can have one"},
    {ROUGH(0, static_friction), 'd', -1, "friction 0: static friction -1 is not a number from 0"},
    {ROUGH(0, kinetic_friction), 'd', 1, "friction 0: kinetic friction 1 is not between 0 and the"},
    {PAIR(body[1]), 'i', 9, "friction pair 0: its body 9 does not exist"},
    {PAIR(body[1]), 'i', 0, "friction pair 0: its bodies 0 and 0 should be two, the lower first"},
    {PAIR(body[0]), 'i', 2, "friction pair 0: its bodies 2 and 1 should be two, the lower first"},
    {PAIR(static_friction), 'd', 0.7, "friction pair 0: kinetic friction 0.8 is not between 0"},
    {VB_SET_PLANE_DRIVER, 0, IN(vb_plane_driver, half_plane), 'i', 1,
     "plane driver 0: its half-plane 1 does not exist; there are 0 to 0"},
    {VB_SET_PLANE_DRIVER, 0, IN(vb_plane_driver, driver), 'i', -1,
     "plane driver 0: its driver -1 does not exist"},
    {SHAPE(0, name), 'c', 0, "collider 0: its name is empty"},
    {SHAPE(0, shape), 'i', 3, "collider 0 (ball): its shape is none of sphere, cylinder and"},
    {SHAPE(0, inside), 'i', 1, "collider 0 (ball): bodies can stay inside of a cylinder alone"},
    {SHAPE(1, inside), 'i', 2, "collider 1 (tube): inside should be 0 or 1"},
    {SHAPE(2, driver), 'i', 2, "collider 2: its driver 2 does not exist"},
    {SHAPE(0, point[0][2]), 'd', NAN, "collider 0: point nan is not a finite number"},
    {SHAPE(0, point[1][2]), 'd', 1, "collider 0 (ball): a sphere has one point; the second should"},
    {SHAPE(1, point[1][2]), 'd', 0, "collider 1 (tube): its two points should differ"},
    {SHAPE(2, point[1][0]), 'd', 0, "collider 2 (bar): its two points should differ"},
    {SHAPE(0, radius), 'd', 0, "collider 0: radius 0 is not positive"},
    {SHAPE(1, static_friction), 'd', NAN, "collider 1: static friction nan is not a number from 0"},
    {SHAPE(1, kinetic_friction), 'd', 1, "collider 1: kinetic friction 1 is not between 0 and the"},
    {CLAMP(segment), 'i', 6, "attachment 0: its segment 6 does not exist; there are 0 to 5"},
    {CLAMP(segment), 'i', 4, "attachment 0: node 16 is no end of segment 4"},
    {CLAMP(node), 'i', 9, "attachment 0: node 9 is no end of segment 5"},
    {CLAMP(corner[2]), 'i', 18, "attachment 0: its node 18 does not exist"},
    {CLAMP(corner[2]), 'i', 17, "attachment 0: corner 17 of its triangle is of segment 5, too"},
    {CLAMP(corner[2]), 'i', 13, "attachment 0: corner 13 of its triangle is there twice"},
    {CLAMP(corner[2]), 'i', 8, "attachment 0: nodes 12, 13 and 8 are on a line at rest"},
    {CLAMP(corner[1]), 'i', 15, "attachment 0: at rest node 16 is 1 m off the plane of its tri"},
};

START_TEST(every_defect_is_named) {
  vb_scene *scene = skeleton();
  defect_plant(scene, &defects[_i]);
  defect_expect(scene, vb_scene_bytes(scene), defects[_i].message);
}
END_TEST

/// Calls an element of a named set, whose name it begins with, as another.
typedef struct clash {
  vb_tag tag;
  size_t index;
  const char *name;
  const char *message; ///< null where the scene stays sound
} clash;

static const clash clashes[] = {
    {VB_SET_ACTIVATION, 0, "hand", "activation 0: a driver is called \"hand\", too; their names"},
    {VB_SET_ACTIVATION, 2, "tip", "activation 2: a load is called \"tip\", too; their names shou"},
    {VB_SET_ACTIVATION, 0, "flex", NULL}, // work is summed by name
    {VB_SET_BONE, 0, "wall", "bone 0: a driver is called \"wall\", too; their names should diff"},
    {VB_SET_BONE, 0, "turn", "bone 0: a load is called \"turn\", too; their names should differ"},
    {VB_SET_BONE, 0, "fore", "two bones are called \"fore\"; each needs a name of its own"},
    {VB_SET_LINK, 1, "elbow", "two links are called \"elbow\"; each needs a name of its own"},
    {VB_SET_LINK, 1, "fore", NULL},
    {VB_SET_COLLIDER, 2, "tube", "two colliders are called \"tube\"; each needs a name of its ow"},
};

START_TEST(names_that_clash_are_refused) {
  const clash *c = &clashes[_i];
  vb_scene *scene = skeleton();
  char *name = defect_element(scene, c->tag, c->index);
  memset(name, 0, VB_NAME_SIZE);
  memcpy(name, c->name, strlen(c->name));
  vb_error error = {0};
  vb_status status = vb_scene_check(scene, vb_scene_bytes(scene), &error);
  ck_assert_int_eq(status, c->message ? VB_BAD_INPUT : VB_OK);
  ck_assert_msg(!c->message || strncmp(error.message, c->message, strlen(c->message)) == 0,
                "%s\nshould be\n%s", error.message, c->message);
  free(scene);
}
END_TEST

/// Turns a bone by a small angle about the axis through (21, 0, 0) along z, with all it carries:
/// the hinge stays closed, and its axis does not.
START_TEST(links_that_do_not_hold_are_refused) {
  static const double at[3] = {21, 0, 0};
  for (int which = 0; which < 3; which++) {
    vb_builder *b = skeleton_full();
    size_t n;
    vb_bone *bone = vb_builder_elements(b, VB_SET_BONE, &n);
    // The builder takes the center from the tetrahedron, and the rod adds nothing: 21.25 0.25 0.25.
    bone = &bone[1];
    double angle = which == 0 ? 1e-8 : 1e-10;
    bone->mass = 1; // complete, so that the pose is taken as it is
    memcpy(bone->inertia, (double[]){1, 1, 1, 0, 0, 0}, sizeof bone->inertia);
    memcpy(bone->center, at, sizeof at);
    memcpy(bone->position, at, sizeof at);
    memcpy(bone->frame, (double[]){cos(angle / 2), 0, 0, sin(angle / 2)}, sizeof bone->frame);
    if (which == 2)
      bone->position[1] += 1e-7; // 3e-9 of the scene
    vb_link *links = vb_builder_elements(b, VB_SET_LINK, &n);
    links[1].bone[0] = 0; // the wrist would be apart first
    memcpy(links[1].at, (double[]){20, 0, 0}, sizeof at);
    vb_scene *scene = NULL;
    vb_error error = {0};
    vb_status status = vb_builder_freeze(b, &scene, &error);
    vb_builder_destroy(b);
    free(scene);
    static const char *const message[] = {
        "link 0 (elbow): at time 0 its axis on one side is 1e-08 rad off that on the other", "",
        "link 0 (elbow): its two sides are 1e-07 m apart at time 0"};
    ck_assert_int_eq(status, which == 1 ? VB_OK : VB_BAD_INPUT);
    ck_assert_str_eq(error.message, message[which]);
  }
}
END_TEST

START_TEST(parents_in_a_ring_are_refused) {
  vb_builder *b = fixture_full();
  vb_driver third = {"third", {0}, {1, 0, 0}, {-1, -1, -1}, -1};
  fixture_add(b, VB_SET_DRIVER, &third);
  for (int32_t d = 2; d >= 0; d--)
    fixture_add(b, VB_SET_PARENT, &(vb_parent){d, (d + 1) % 3});
  vb_scene *scene = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message,
                   "driver 0 (wall): it is its own ancestor; parents should not form a cycle");
  vb_builder_destroy(b);
}
END_TEST

/// Pairs are sorted, and each is there once.
START_TEST(pairs_are_sorted) {
  static const vb_friction_pair PAIRS[] = {{{1, 2}, 1, 1}, {{0, 2}, 1, 1}, {{0, 1}, 1, 1}};
  static const char again[] =
      "friction pair 1: pair of body 0 and body 1 has one already, friction pair 0";
  vb_builder *b = fixture_full();
  for (int i = 0; i < 3; i++)
    fixture_add(b, VB_SET_FRICTION_PAIR, &PAIRS[i]);
  vb_scene *scene = NULL;
  size_t n;
  vb_error error = {0};
  ck_assert_msg(vb_builder_freeze(b, &scene, &error) == VB_OK, "%s", error.message);
  const vb_friction_pair *pair = vb_scene_friction_pairs(scene, &n);
  ck_assert(n == 3 && pair[0].body[1] == 1 && pair[1].body[1] == 2 && pair[2].body[0] == 1);
  free(scene);
  fixture_add(b, VB_SET_FRICTION_PAIR, &PAIRS[2]);
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, again, strlen(again)) == 0, "%s", error.message);
  vb_builder_destroy(b);
}
END_TEST

/// A universal's axes that are not at right angles.
START_TEST(skew_axes_are_refused) {
  vb_scene *scene = skeleton();
  vb_link *link = defect_element(scene, VB_SET_LINK, 2);
  memcpy(link->axis[1], (double[]){0.8, 0.6, 0}, sizeof link->axis[1]);
  defect_expect(scene, vb_scene_bytes(scene),
                "link 2 (shoulder): at time 0 its two axes have the cosine 0.6; they should be at");
}
END_TEST

/// A link to a driver must hold where the driver is at time 0, its parents' motion included.
START_TEST(links_to_drivers_begin_where_these_are) {
  vb_builder *b = skeleton_full();
  size_t n;
  vb_driver *driver = vb_builder_elements(b, VB_SET_DRIVER, &n);
  driver[1].translation[1] = 2; // 1 m along y, at all times
  vb_scene *scene = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "link 2 (shoulder): its two sides are 1 m apart at time 0");
  vb_builder_destroy(b);
}
END_TEST

/// What solvers of the program take of these sets, which are not for every solver.
static const struct {
  const char *solver;
  vb_tag tag;
} TAKEN[] = {
    {"articulated", VB_SET_BONE},     {"articulated", VB_SET_TIE},
    {"articulated", VB_SET_LINK},     {"articulated", VB_SET_PLANE_DRIVER},
    {"articulated", VB_SET_COLLIDER}, {"articulated", VB_SET_CONTACT},
    {"multibody", VB_SET_BONE},       {"multibody", VB_SET_TIE},
    {"multibody", VB_SET_LINK},       {"umetani", VB_SET_FRICTION},
    {"umetani", VB_SET_PLANE_DRIVER}, {"umetani", VB_SET_COLLIDER},
    {"viper", VB_SET_PLANE_DRIVER},   {"viper", VB_SET_FRICTION},
};

static bool takes_set(const vb_solver_description *d, vb_tag tag) {
  for (size_t i = 0; i < sizeof TAKEN / sizeof *TAKEN; i++)
    if (TAKEN[i].tag == tag && strcmp(TAKEN[i].solver, d->name) == 0)
      return true;
  return false;
}

/// What a solver does not take it refuses by the set's name.
START_TEST(solvers_refuse_sets_by_name) {
  static const vb_tag tags[] = {VB_SET_BONE,     VB_SET_TIE,          VB_SET_LINK,
                                VB_SET_FRICTION, VB_SET_PLANE_DRIVER, VB_SET_COLLIDER};
  const vb_world world = {.step = 0.01, .n_steps = 1};
  char element[256] = {0};
  for (const vb_solver *const *at = vb_solver_table(); *at; at++) {
    const vb_solver_description *d = (*at)->describe(*at);
    ck_assert_msg(d->sets >> VB_SET_PARENT & 1, "solver %s lacks parents", d->name);
    for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
      vb_tag tag = tags[k];
      ck_assert_msg((d->sets >> tag & 1) == takes_set(d, tag), "solver %s, set %s", d->name,
                    vb_tag_name(tag));
      if (takes_set(d, tag))
        continue;
      const void *elements[VB_SET_COUNT] = {[VB_SET_WORLD] = &world};
      size_t count[VB_SET_COUNT] = {[VB_SET_WORLD] = 1};
      elements[tag] = element;
      count[tag] = 1;
      vb_scene *scene = NULL;
      vb_error error = {0};
      char expected[160];
      ck_assert_int_eq(vb_scene_pack(elements, count, &scene, NULL), VB_OK);
      ck_assert_int_eq(vb_solver_check_scene(d, scene, &error), VB_UNAVAILABLE);
      snprintf(expected, sizeof expected,
               "solver %s does not support the scene's set %s (1 elements)", d->name,
               vb_tag_name(tag));
      ck_assert_str_eq(error.message, expected);
      free(scene);
    }
  }
}
END_TEST

START_TEST(flipped_bits_are_harmless) {
  vb_scene *scene = skeleton();
  size_t bytes = vb_scene_bytes(scene), valid = 0, invalid = 0;
  vb_scene *flipped = malloc(bytes);
  uint64_t random = 1;
  for (int i = 0; i < 20000; i++) {
    memcpy(flipped, scene, bytes);
    for (int flips = 0; flips <= i % 3; flips++) {
      random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      ((unsigned char *)flipped)[(random >> 33) % bytes] ^=
          (unsigned char)(1u << (random >> 30) % 8);
    }
    vb_error error = {0};
    vb_status status = vb_scene_check(flipped, bytes, &error);
    ck_assert(status == VB_OK || (status == VB_BAD_INPUT && error.message[0]));
    double q[4], b[3];
    for (int32_t d = 0; status == VB_OK && d < 2; d++)
      vb_driver_motion(flipped, d, 1, q, b);
    valid += status == VB_OK;
    invalid += status != VB_OK;
  }
  ck_assert_uint_gt(valid, 100); // both happen
  ck_assert_uint_gt(invalid, 1000);
  free(flipped);
  free(scene);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("sets");
  tcase_add_test(c, every_set_survives_freezing);
  tcase_add_test(c, bones_and_frame_pins_count_in_degrees_of_freedom);
  tcase_add_loop_test(c, every_defect_is_named, 0, sizeof defects / sizeof *defects);
  tcase_add_loop_test(c, names_that_clash_are_refused, 0, sizeof clashes / sizeof *clashes);
  tcase_add_test(c, links_that_do_not_hold_are_refused);
  tcase_add_test(c, parents_in_a_ring_are_refused);
  tcase_add_test(c, pairs_are_sorted);
  tcase_add_test(c, skew_axes_are_refused);
  tcase_add_test(c, links_to_drivers_begin_where_these_are);
  tcase_add_test(c, solvers_refuse_sets_by_name);
  tcase_add_test(c, flipped_bits_are_harmless);
  return c;
}

VB_TEST_MAIN("sets of scenes", make_case())
