// SPDX-License-Identifier: GPL-3.0-or-later
/// Bones, activations, colliders and what else scripts add to rods arrives in scenes as they said
/// it.
/// Covers: src/script/scene/lua_bone.c src/script/scene/lua_collider.c
/// Covers: src/script/scene/lua_link_file.c src/script/scene/lua_load.c src/script/scene/lua_pin.c
#include "lua_fixture.h"
#include "scene/rotation.h"

#include <math.h>

/// Rounding of a few operations on numbers of size 1.
#define ROUNDING 1e-14

static void check_vector(const double *got, double x, double y, double z) {
  ck_assert_double_eq_tol(got[0], x, ROUNDING);
  ck_assert_double_eq_tol(got[1], y, ROUNDING);
  ck_assert_double_eq_tol(got[2], z, ROUNDING);
}

START_TEST(drivers_ride_on_others) {
  vb_study *study =
      load_good(SCENE(ROD "local upper = s:driver{name = 'upper', angle = {{0, 0}, {1, 1}}}\n"
                          "local lower = s:driver{name = 'lower', parent = upper}\n"
                          "s:pin{node = r.first, driver = lower}\n"
                          "s:follow{nodes = {1, 2, 3}, drivers = {upper, lower}, "
                          "weights = function(t) return 1 - t, t end}\n"
                          "s:follow{nodes = {4}, drivers = {lower}}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_parent *parent = vb_scene_parents(scene, &n);
  ck_assert_uint_eq(n, 1);
  ck_assert_int_eq(parent->driver, 1);
  ck_assert_int_eq(parent->parent, 0);
  const vb_follow *follow = vb_scene_follows(scene, &n);
  ck_assert_uint_eq(n, 4);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(follow[i].node, i + 1);
    ck_assert_int_eq(follow[i].driver[0], 0);
    ck_assert_int_eq(follow[i].driver[1], 1);
    ck_assert_double_eq_tol(follow[i].weight[0], 1 - 0.5 * i, ROUNDING);
    ck_assert_double_eq_tol(follow[i].weight[1], 0.5 * i, ROUNDING);
  }
  ck_assert_int_eq(follow[3].driver[0], 1);
  ck_assert_int_eq(follow[3].driver[1], -1);
  ck_assert_double_eq(follow[3].weight[0], 1);
  vb_study_destroy(study);
}
END_TEST

START_TEST(pins_end) {
  vb_study *study = load_good(SCENE(ROD "s:pin{nodes = {r.first, 1}, components = 'xyz', "
                                        "segment = 0, frame = 'uv', ends = 0.5}\n"
                                        "s:pin{node = 1, components = 's'}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_pin_end *end = vb_scene_pin_ends(scene, &n);
  ck_assert_uint_eq(n, 3);
  for (int32_t i = 0; i < 3; i++) {
    ck_assert_int_eq(end[i].location, i < 2 ? VB_AT_NODE : VB_AT_SEGMENT);
    ck_assert_int_eq(end[i].index, i % 2);
    ck_assert_uint_eq(end[i].mask, i < 2 ? VB_PIN_CENTER : VB_PIN_FRAME);
    ck_assert_double_eq(end[i].time, 0.5);
  }
  vb_study_destroy(study);
}
END_TEST

START_TEST(pins_components_of_frames) {
  vb_study *study = load_good(SCENE(ROD "local d = s:driver{name = 'hand'}\n"
                                        "s:pin{segment = 0, frame = 'w', driver = d}\n"
                                        "s:pin{segments = {1}, frame = 'uv', driver = d}\n"
                                        "s:pin{segments = {2}, frame = 'uvw', driver = d}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_frame_pin *part = vb_scene_frame_pins(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_int_eq(part[0].segment, 0);
  ck_assert_uint_eq(part[0].mask, VB_FRAME_W);
  ck_assert_int_eq(part[1].segment, 1);
  ck_assert_uint_eq(part[1].mask, VB_FRAME_U | VB_FRAME_V);
  const vb_pin *whole = vb_scene_pins(scene, &n);
  ck_assert_uint_eq(n, 1);
  ck_assert_int_eq(whole->index, 2);
  ck_assert_uint_eq(whole->mask, VB_PIN_FRAME);
  vb_study_destroy(study);
}
END_TEST

START_TEST(loads_turn_and_segments_contract) {
  vb_study *study = load_good(
      SCENE(ROD "s:load{node = 4, force = {1, 0, 0}}\n"
                "s:load{node = 4, force = {0, 2, 0}, turns_with = 3, name = 'thrust'}\n"
                "s:activation{segments = {0, 1}, amount = {{0, 1}, {1, 0.8}}, name = 'muscle'}\n"
                "s:activation{segments = {2}, kind = 'force', amount = 5}\n"
                "local m = s:mesh{mesh = vb.box{from = {3, 0, 0}, to = {4, 1, 1}, "
                "cells = {1, 1, 1}}, material = {E = 1, nu = 0}, density = 1}\n"
                "s:activation{tetrahedra = {m.first_tetrahedron}, kind = 'fiber', amount = 0.5, "
                "direction = function(x, y, z) return 0, 0, x end}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_follower_load *turning = vb_scene_follower_loads(scene, &n);
  ck_assert_uint_eq(n, 1);
  ck_assert_int_eq(turning->load, 1);
  ck_assert_int_eq(turning->segment, 3);
  const vb_activation *a = vb_scene_activations(scene, &n);
  ck_assert_uint_eq(n, 4);
  static const int kinds[] = {VB_ACTIVE_STRAIN, VB_ACTIVE_STRAIN, VB_ACTIVE_FORCE, VB_ACTIVE_FIBER};
  static const double amounts[] = {0.8, 0.8, 5, 0.5};
  static const char *const names[] = {"muscle", "muscle", "activation2", "activation3"};
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(a[i].location, i < 3 ? VB_AT_SEGMENT : VB_AT_TETRAHEDRON);
    ck_assert_int_eq(a[i].index, i < 3 ? i : 0);
    ck_assert_int_eq(a[i].active, kinds[i]);
    ck_assert_double_eq(vb_scene_curve(scene, a[i].curve, 1, NAN), amounts[i]);
    ck_assert_str_eq(a[i].name, names[i]);
    check_vector(a[i].direction, 0, 0, i < 3 ? 0 : 1);
  }
  vb_study_destroy(study);
}
END_TEST

START_TEST(bends_differently_about_u_and_v) {
  vb_study *study = load_good(SCENE("s:rod{" GOOD STUFF ", bending = function(t) return 2, t end}\n"
                                    "local a = s:node{position = {9, 0, 0}, radius = 0.1}\n"
                                    "local b = s:node{position = {9, 0, 1}, radius = 0.1}\n"
                                    "s:segment{nodes = {a, b}, " STUFF ", bending = {0.5, 3}}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_bending *bending = vb_scene_bendings(scene, &n);
  ck_assert_uint_eq(n, 5);
  for (int j = 0; j < 4; j++) {
    ck_assert_int_eq(bending[j].segment, j);
    ck_assert_double_eq(bending[j].factor[0], 2);
    ck_assert_double_eq_tol(bending[j].factor[1], (j + 0.5) / 4, ROUNDING);
  }
  ck_assert_double_eq(bending[4].factor[0], 0.5);
  ck_assert_double_eq(bending[4].factor[1], 3);
  vb_study_destroy(study);
}
END_TEST

/// A box of unit volume and density 2, turned by a right angle about x.
START_TEST(bones_carry_nodes) {
  vb_study *study = load_good(
      SCENE("local m = s:mesh{mesh = vb.box{from = {0, 0, 0}, to = {1, 1, 1}, cells = {1, 1, 1}}, "
            "material = {E = 1, nu = 0}, density = 2}\n"
            "local bar = s:bone{name = 'bar', nodes = m.nodes, turn = {math.pi / 2, 0, 0}, "
            "position = {5, 0, 0}, velocity = {1, 2, 3}, angular_velocity = {4, 5, 6}, "
            "mass = 4}\n"
            "local ball = s:bone{mass = 3, center = {9, 0, 0}, inertia = {1, 1, 1, 0, 0, 0}}\n"
            "local a = s:node{position = {9, 0, 0}, radius = 0.1}\n"
            "s:tie{bone = ball, nodes = {a}}\n"
            "local up = s:driver{name = 'up'}\n"
            "s:bone{driver = up, nodes = {s:node{position = {8, 0, 0}, radius = 1}}}\n"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_bone *bone = vb_scene_bones(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_str_eq(bone[0].name, "bar");
  ck_assert_str_eq(bone[1].name, "bone1");
  check_vector(bone[0].center, 0.5, 0.5, 0.5); // of the box
  ck_assert_double_eq(bone[0].mass, 4);
  check_vector(bone[0].inertia, 4. / 6, 4. / 6, 4. / 6); // m (a^2 + b^2) / 12
  check_vector(bone[0].inertia + 3, 0, 0, 0);
  check_vector(bone[0].position, 5, 0, 0);
  check_vector(bone[0].velocity, 1, 2, 3);
  check_vector(bone[0].angular_velocity, 4, 5, 6);
  ck_assert_double_eq_tol(bone[0].frame[0], sqrt(0.5), ROUNDING);
  check_vector(bone[0].frame + 1, sqrt(0.5), 0, 0);
  ck_assert_double_eq(bone[1].mass, 3);
  check_vector(bone[1].position, 9, 0, 0);
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  for (int i = 0; i < 8; i++) { // x to x, y to z, z to -y
    const double *x = nodes[i].rest_position;
    check_vector(nodes[i].position, x[0] + 4.5, 0.5 - x[2], x[1] - 0.5);
  }
  const vb_tie *ties = vb_scene_ties(scene, &n);
  ck_assert_uint_eq(n, 9);
  for (int i = 0; i < 9; i++) {
    ck_assert_int_eq(ties[i].location, VB_AT_NODE);
    ck_assert_int_eq(ties[i].index, i);
    ck_assert_int_eq(ties[i].bone, i == 8);
  }
  const vb_pin *pin = vb_scene_pins(scene, &n);
  ck_assert_uint_eq(n, 1);
  ck_assert_int_eq(pin->index, 9);
  ck_assert_uint_eq(pin->mask, VB_PIN_CENTER);
  vb_study_destroy(study);
}
END_TEST

START_TEST(links_join_bones) {
  vb_study *study =
      load_good(SCENE("local up = s:driver{name = 'up'}\n"
                      "local held = s:bone{driver = up}\n"
                      "local i = {1, 1, 1, 0, 0, 0}\n"
                      "local a = s:bone{name = 'a', mass = 1, inertia = i, center = {0, 0, 0}}\n"
                      "local b = s:bone{name = 'b', mass = 1, inertia = i, center = {2, 0, 0}}\n"
                      "local l = s:link{kind = 'hinge', bones = {a, held}, at = {1, 0, 0}, "
                      "axis = {0, 0, 2}, limit = {-1, 1}, name = 'knee'}\n"
                      "s:load{link = l, torque = 7, name = 'motor'}\n"
                      "s:load{bone = b, force = {0, 0, 1}, torque = {1, 0, 0}, name = 'push'}\n"
                      "s:link{kind = 'universal', bones = {b, a}, at = {1, 0, 0}, "
                      "axes = {{0, 3, 0}, {0, 0, 1}}}\n"
                      "s:link{kind = 'ball', bones = {b}, at = {3, 0, 0}}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_link *link = vb_scene_links(scene, &n);
  ck_assert_uint_eq(n, 3);
  ck_assert_str_eq(link[0].name, "knee");
  ck_assert_int_eq(link[0].type, VB_LINK_HINGE);
  ck_assert_int_eq(link[0].bone[0], 0);
  ck_assert_int_eq(link[0].bone[1], -1);
  ck_assert_int_eq(link[0].driver, 0);
  check_vector(link[0].at, 1, 0, 0);
  check_vector(link[0].axis[0], 0, 0, 1);
  ck_assert_double_eq(link[0].limit[0], -1);
  ck_assert_double_eq(link[0].limit[1], 1);
  ck_assert_str_eq(link[1].name, "link1");
  ck_assert_int_eq(link[1].bone[0], 1);
  ck_assert_int_eq(link[1].bone[1], 0);
  ck_assert_int_eq(link[1].driver, -1);
  check_vector(link[1].axis[0], 0, 1, 0);
  check_vector(link[1].axis[1], 0, 0, 1);
  ck_assert_int_eq(link[2].bone[1], -1);
  ck_assert_int_eq(link[2].driver, -1);
  ck_assert(isinf(link[2].limit[0]) && isinf(link[2].limit[1]));
  const vb_load *load = vb_scene_loads(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_int_eq(load[0].location, VB_AT_LINK);
  ck_assert_int_eq(load[0].index, 0);
  check_vector(load[0].torque, 7, 0, 0);
  ck_assert_int_eq(load[1].location, VB_AT_BONE);
  ck_assert_int_eq(load[1].index, 1);
  check_vector(load[1].force, 0, 0, 1);
  check_vector(load[1].torque, 1, 0, 0);
  vb_study_destroy(study);
}
END_TEST

START_TEST(colliders_and_friction) {
  vb_study *study = load_good(
      SCENE("s:rod{" GOOD STUFF ", friction = 0.5}\n"
            "local a = s:node{position = {9, 0, 0}, radius = 0.1}\n"
            "s:friction{node = a, static_friction = 0.4, kinetic_friction = 0.3}\n"
            "local d = s:driver{name = 'lift'}\n"
            "s:halfplane{offset = -1} s:halfplane{offset = -2, driver = d}\n"
            "s:collider{sphere = {0, 0, 9}, radius = 2, name = 'head'}\n"
            "s:collider{cylinder = {{0, 0, 0}, {0, 0, 1}}, radius = 5, inside = true, driver = d, "
            "friction = 0.2}\n"
            "s:collider{capsule = {{0, 7, 0}, {0, 9, 1}}, radius = 1}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_friction *friction = vb_scene_frictions(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_int_eq(friction[0].body, 0);
  ck_assert_double_eq(friction[0].static_friction, 0.5);
  ck_assert_double_eq(friction[0].kinetic_friction, 0.5);
  ck_assert_int_eq(friction[1].body, 1);
  ck_assert_double_eq(friction[1].static_friction, 0.4);
  ck_assert_double_eq(friction[1].kinetic_friction, 0.3);
  const vb_plane_driver *moved = vb_scene_plane_drivers(scene, &n);
  ck_assert_uint_eq(n, 1);
  ck_assert_int_eq(moved->half_plane, 1);
  ck_assert_int_eq(moved->driver, 0);
  const vb_collider *c = vb_scene_colliders(scene, &n);
  ck_assert_uint_eq(n, 3);
  ck_assert_str_eq(c[0].name, "head");
  ck_assert_str_eq(c[1].name, "collider1");
  for (int i = 0; i < 3; i++) {
    static const int shapes[] = {VB_COLLIDER_SPHERE, VB_COLLIDER_CYLINDER, VB_COLLIDER_CAPSULE};
    ck_assert_int_eq(c[i].shape, shapes[i]);
    ck_assert_int_eq(c[i].inside, i == 1);
    ck_assert_int_eq(c[i].driver, i == 1 ? 0 : -1);
    ck_assert_double_eq(c[i].static_friction, i == 1 ? 0.2 : 0);
  }
  check_vector(c[0].point[0], 0, 0, 9);
  check_vector(c[2].point[0], 0, 7, 0);
  check_vector(c[2].point[1], 0, 9, 1);
  ck_assert_double_eq(c[2].radius, 1);
  vb_study_destroy(study);
}
END_TEST

/// Rest curvature by a constant, by a function of the joint's place, by a list, and of one joint.
START_TEST(rest_curvature_of_joints) {
  vb_study *study = load_good(SCENE(
      "s:rod{" GOOD STUFF ", rest_curvature = {1, 2, 3}}\n"
      "s:rod{nodes = 4, from = {5, 0, 0}, to = {5, 0, 1}, radius = 0.1, " STUFF
      ", rest_curvature = function(t) return t, 0, 1 - t end}\n"
      "s:rod{nodes = 4, from = {7, 0, 0}, to = {7, 0, 1}, radius = 0.1, " STUFF
      ", rest_curvature = {{1, 0, 0}, {0, 2, 0}}}\n"
      "local r = s:rod{nodes = 3, from = {9, 0, 0}, to = {9, 0, 1}, radius = 0.1, " STUFF "}\n"
      "s:joint{segments = {r.last_segment, r.first_segment}, rest_curvature = {1, 2, 3}}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_rest_curvature *rest = vb_scene_rest_curvatures(scene, &n);
  const vb_joint *joints = vb_scene_joints(scene, &n);
  vb_scene_rest_curvatures(scene, &n);
  ck_assert_uint_eq(n, 8);
  for (size_t i = 0; i < n; i++) {
    // Segments 0 to 3, 4 to 6, 7 to 9, 10 and 11.
    int32_t at = joints[rest[i].joint].segment[0] < joints[rest[i].joint].segment[1]
                     ? joints[rest[i].joint].segment[0]
                     : joints[rest[i].joint].segment[1];
    const double *d = rest[i].darboux;
    if (at >= 3 && at < 6)
      check_vector(d, at == 4 ? 1. / 3 : 2. / 3, 0, at == 4 ? 2. / 3 : 1. / 3);
    else if (at >= 6 && at < 9)
      check_vector(d, at == 7, at == 7 ? 0 : 2, 0);
    else
      check_vector(d, 1, 2, 3);
  }
  vb_study_destroy(study);
}
END_TEST

/// A ring that is not plane has a closing twist: at one joint, or the same at all.
START_TEST(spreads_the_twist_of_a_loop) {
  double least[2], most[2];
  for (int k = 0; k < 2; k++) {
    char script[1024];
    snprintf(script, sizeof script,
             SCENE("local n = 12\n"
                   "local r = s:rod{nodes = n, radius = 0.01, " STUFF ", %s curve = function(t)\n"
                   "local a = 2 * math.pi * t * (n - 1) / n\n"
                   "return math.cos(a), math.sin(a), 0.9 * math.sin(2 * a + 0.4) + "
                   "0.5 * math.sin(3 * a) end}\n"
                   "s:segment{nodes = {r.last, r.first}, " STUFF "}"),
             k ? "loop = 'spread'," : "");
    // The rod is made before its loop is closed, which freezing looks for.
    vb_study *study = load_good(script);
    const vb_scene *scene = scene_of(study, 0);
    size_t n;
    const vb_segment *segments = vb_scene_segments(scene, &n);
    least[k] = INFINITY;
    most[k] = 0;
    for (size_t j = 0; j < n; j++) {
      const vb_segment *a = &segments[j], *b = &segments[(j + 1) % n];
      double u[3], w[3], next[3], carried[4];
      vb_frame_axis(a->rest_frame, 2, w);
      vb_frame_axis(b->rest_frame, 2, next);
      vb_frame_carry(a->rest_frame, w, next, next, carried);
      vb_frame_axis(carried, 0, u);
      vb_frame_axis(b->rest_frame, 0, w);
      double angle = acos(fmin(1, vb_dot(u, w)));
      least[k] = fmin(least[k], angle);
      most[k] = fmax(most[k], angle);
    }
    vb_study_destroy(study);
  }
  ck_assert_double_lt(least[0], 1e-7); // an angle by its cosine
  ck_assert_double_gt(most[0], 0.05);
  ck_assert_double_eq_tol(most[1], most[0] / 12, 1e-7);
  ck_assert_double_eq_tol(least[1], most[0] / 12, 1e-7);
}
END_TEST

/// The vertices of a box of 2 x 2 x 2 cells in a ball of 0.6 about its center: that at the center,
/// and those in the middle of the faces.
START_TEST(finds_vertices_inside_a_capsule) {
  vb_study *study = load_good(SCENE(
      ROD "local m = vb.box{from = {0, 0, 0}, to = {1, 1, 1}, cells = {2, 2, 2}}\n"
          "local list = vb.inside{mesh = m, pill = {0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.5, 0.6}}\n"
          "assert(#list == 7)\n"
          "for _, i in ipairs(list) do local x = m.vertices[i + 1]\n"
          "assert(math.abs(x[1] - 0.5) + math.abs(x[2] - 0.5) + math.abs(x[3] - 0.5) < 0.6) end"));
  vb_study_destroy(study);
}
END_TEST

static TCase *sets(void) {
  TCase *tcase = tcase_create("sets");
  tcase_add_test(tcase, drivers_ride_on_others);
  tcase_add_test(tcase, pins_end);
  tcase_add_test(tcase, pins_components_of_frames);
  tcase_add_test(tcase, loads_turn_and_segments_contract);
  tcase_add_test(tcase, bends_differently_about_u_and_v);
  tcase_add_test(tcase, bones_carry_nodes);
  tcase_add_test(tcase, links_join_bones);
  tcase_add_test(tcase, colliders_and_friction);
  tcase_add_test(tcase, finds_vertices_inside_a_capsule);
  tcase_add_test(tcase, rest_curvature_of_joints);
  tcase_add_test(tcase, spreads_the_twist_of_a_loop);
  return tcase;
}

VB_TEST_MAIN("lua sets", sets())
