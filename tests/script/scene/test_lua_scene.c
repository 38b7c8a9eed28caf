// SPDX-License-Identifier: GPL-3.0-or-later
/// What scripts say of scenes arrives in them as they said it.
/// Covers: src/script/scene/lua_contact.c src/script/scene/lua_curve.c
/// Covers: src/script/scene/lua_driver.c src/script/scene/lua_graph.c src/script/scene/lua_load.c
/// Covers: src/script/scene/lua_pin.c src/script/scene/lua_rod.c src/script/scene/lua_shape.c
/// Covers: src/scene/material.*
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

START_TEST(freezes_a_straight_rod) {
  vb_study *study = load_good(SCENE("s:rod{" GOOD STUFF ", name = 'bar'}"));
  const vb_scene *scene = scene_of(study, 0);
  ck_assert_str_eq(study->name, "test");
  ck_assert_str_eq(study->title, "test");
  ck_assert_str_eq(study->tier, "quick");
  ck_assert_ptr_null(study->figure);
  ck_assert_str_eq(study->runs[0].name, "test");
  ck_assert_str_eq(study->runs[0].label, "test");
  ck_assert_str_eq(study->runs[0].scenario, "test");
  ck_assert_str_eq(study->runs[0].parameters, "{}");
  ck_assert_str_eq(study->runs[0].solver, "viper");
  ck_assert_ptr_nonnull(strstr(study->runs[0].script, "s:rod{"));
  ck_assert_double_eq(vb_scene_world(scene)->step, 0.1);
  ck_assert_int_eq(vb_scene_world(scene)->n_steps, 2);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_NODE), 5);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_SEGMENT), 4);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_JOINT), 3);
  size_t n;
  ck_assert_str_eq(vb_scene_bodies(scene, &n)->name, "bar");
  ck_assert_uint_eq(n, 1);
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  for (size_t i = 0; i < n; i++) {
    check_vector(nodes[i].rest_position, 0, 0, 0.25 * (double)i);
    check_vector(nodes[i].position, 0, 0, 0.25 * (double)i);
    check_vector(nodes[i].velocity, 0, 0, 0);
    ck_assert_double_eq(nodes[i].scale, 1);
    ck_assert_double_eq(nodes[i].rest_radius, 0.1);
  }
  vb_study_destroy(study);
}
END_TEST

START_TEST(maps_materials) {
  vb_study *study = load_good(SCENE(
      "local function rod(y, material) s:rod{nodes = 2, from = {0, y, 0}, to = {0, y, 1}, "
      "radius = function(t) return 0.1 + 0.2 * t end, density = 1000, material = material} end "
      "rod(0, {E = 1e6, nu = 0.25}) rod(1, {E = 1e6, nu = 0.25, kv = 0, kbx = 7}) "
      "rod(2, {kz = 3, kby = 4})"));
  size_t n;
  const vb_segment *segments = vb_scene_segments(scene_of(study, 0), &n);
  // 2 mu = 1e6 / 1.25, lambda = 1e6 * 0.25 / (1.25 * 0.5), E r^2 at the mean radius of 0.2 m
  const double expected[3][6] = {
      {8e5, 8e5, 8e5, 4e4, 4e4, 4e5}, {8e5, 8e5, 8e5, 7, 4e4, 0}, {0, 0, 3, 0, 4, 0}};
  ck_assert_uint_eq(n, 3);
  for (size_t j = 0; j < 3; j++)
    for (int k = 0; k < 6; k++)
      ck_assert_double_eq_tol(segments[j].stiffness[k], expected[j][k], ROUNDING * 1e6);
  ck_assert_double_eq(segments[0].density, 1000);
  vb_study_destroy(study);
}
END_TEST

/// Every key of a rod that may be a function, a constant or a list.
START_TEST(samples_functions_of_t) {
  vb_study *study =
      load_good(SCENE("s:rod{nodes = 3, curve = function(t) return t, 0, 2 * t end, radius = {0.1, "
                      "0.2, 0.3}, " STUFF ", position = function(t, x, y, z) return x + 1, y + t, "
                      "3 * z end, scale = function(t) return 1 "
                      "+ t end, velocity = function(t) return 0, t, 0 end, scale_rate = 5, "
                      "angular_velocity = {1, 2, "
                      "3}}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  for (size_t i = 0; i < n; i++) {
    double t = (double)i / 2;
    check_vector(nodes[i].rest_position, t, 0, 2 * t);
    check_vector(nodes[i].position, t + 1, t, 6 * t);
    check_vector(nodes[i].velocity, 0, t, 0);
    ck_assert_double_eq_tol(nodes[i].rest_radius, 0.1 * (double)(i + 1), ROUNDING);
    ck_assert_double_eq(nodes[i].scale, 1 + t);
    ck_assert_double_eq(nodes[i].scale_rate, 5);
  }
  check_vector(vb_scene_segments(scene, &n)[1].angular_velocity, 1, 2, 3);
  vb_study_destroy(study);
}
END_TEST

START_TEST(twists_and_turns_frames) {
  vb_study *study = load_good(
      SCENE("local pi = math.pi\n"
            "s:rod{nodes = 2, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, " STUFF
            ", twist = function(t) return pi * t end, turn = {0, 0, pi / 3}} "
            "s:rod{nodes = 2, from = {0, 9, 0}, to = {0, 9, 1}, radius = 0.1, " STUFF
            ", frame = function(t) local h = 0.05; return math.cos(h), math.sin(h), 0, 0 end}"));
  size_t n;
  const vb_segment *segments = vb_scene_segments(scene_of(study, 0), &n);
  double u0[3], u[3], w[3];
  // The transported u of a rod along z is e_x x e_z = -e_y (or by ties e_y ..): only angles are
  // asked.
  vb_study *plain = load_good(SCENE("s:rod{" GOOD STUFF "}"));
  vb_frame_axis(vb_scene_segments(scene_of(plain, 0), &n)[0].rest_frame, 0, u0);
  vb_frame_axis(segments[0].rest_frame, 0, u); // turned by pi/2 at t = 1/2
  double across[3];
  vb_cross(u0, u, across);
  check_vector(across, 0, 0, 1);
  vb_frame_axis(segments[0].frame, 0, w); // by pi/3 more
  ck_assert_double_eq_tol(vb_dot(u, w), 0.5, ROUNDING);
  vb_cross(u, w, across);
  ck_assert_double_eq_tol(across[2], sin(M_PI / 3), ROUNDING);
  vb_frame_axis(segments[1].rest_frame, 2, w); // tilted by 0.1 rad, and put right
  check_vector(w, 0, 0, 1);
  vb_study_destroy(plain);
  vb_study_destroy(study);
}
END_TEST

START_TEST(reverses_segments_and_joints) {
  vb_study *study = load_good(
      SCENE("s:rod{" GOOD STUFF ", twist = function(t) return t end, reverse_joints = true} "
            "s:rod{nodes = 5, from = {9, 0, 0}, to = {9, 0, 1}, radius = 0.1, " STUFF
            ", twist = function(t) return t end, reverse = function(j) return j % 2 == 1 end}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_segment *segments = vb_scene_segments(scene, &n);
  for (int32_t j = 0; j < 4; j++) {
    const vb_segment *plain = &segments[j], *other = &segments[j + 4];
    ck_assert_int_eq(plain->node[0], j);
    ck_assert_int_eq(other->node[j % 2], j + 5);
    ck_assert_int_eq(other->node[1 - j % 2], j + 6);
    double a[3], b[3];
    vb_frame_axis(plain->rest_frame, 0, a); // u stays, w turns round
    vb_frame_axis(other->rest_frame, 0, b);
    check_vector(b, a[0], a[1], a[2]);
    vb_frame_axis(other->rest_frame, 2, b);
    check_vector(b, 0, 0, j % 2 ? -1 : 1);
  }
  const vb_joint *joints = vb_scene_joints(scene, &n);
  ck_assert_uint_eq(n, 6);
  for (int32_t i = 0; i < 3; i++) {
    ck_assert_int_eq(joints[i].node, i + 1);
    ck_assert_int_eq(joints[i].segment[0], i + 1);
    ck_assert_int_eq(joints[i].segment[1], i);
  }
  vb_study_destroy(study);
}
END_TEST

START_TEST(returns_zero_based_indexes) {
  vb_study *study = load_good(SCENE(
      ROD "local q = s:rod{points = {{1, 0, 0}, {1, 0, 1}, {1, 0, 2}}, radius = 1, " STUFF "}\n"
          "assert(r.first == 0 and r.last == 4 and r.first_segment == 0 and r.last_segment == 3)\n"
          "assert(#q.nodes == 3 and q.nodes[1] == 5 and q.nodes[3] == 7 and q.last == 7)\n"
          "assert(#q.segments == 2 and q.segments[2] == 5 and q.last_segment == 5)\n"
          "assert(s.n_nodes == 8 and s.n_segments == 6 and s.step == 0.1 and s.steps == 2)\n"
          "assert(s:node{position = {0, 5, 0}, radius = 1} == 8)\n"
          "assert(s:segment{nodes = {8, 0}, " STUFF "} == 6)\n"
          "assert(s:driver{} == 0 and s:load{node = 8, scale_force = 1} == 0)"));
  vb_study_destroy(study);
}
END_TEST

START_TEST(makes_graphs) {
  vb_study *study = load_good(SCENE(
      "local a = s:node{position = {0, 0, 0}, radius = 0.1, start = {1, 0, 0}, scale = 2, velocity "
      "= "
      "{3, 0, 0}, scale_rate = 4}\n"
      "local b = s:node{position = {0, 0, 1}, radius = 0.1}\n"
      "local c = s:node{position = {0, 0, 2}, radius = 0.1}\n"
      "local d = s:node{position = {0, 0, 3}, radius = 0.1}\n"
      "local j = s:segment{nodes = {a, b}, frame = {1, 0, 0, 0}, start_frame = {0, 1, 0, 0}, " STUFF
      "}\n"
      "local k = s:segment{nodes = {c, b}, angular_velocity = {5, 0, 0}, " STUFF "}\n"
      "s:segment{nodes = {c, d}, " STUFF "}\n"
      "s:joint{segments = {k, j}} s:hinge{node = c} s:name{node = d, name = 'chain'}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  check_vector(nodes[0].rest_position, 0, 0, 0);
  check_vector(nodes[0].position, 1, 0, 0);
  check_vector(nodes[0].velocity, 3, 0, 0);
  ck_assert_double_eq(nodes[0].scale, 2);
  ck_assert_double_eq(nodes[0].scale_rate, 4);
  check_vector(nodes[3].position, 0, 0, 3);
  const vb_segment *segments = vb_scene_segments(scene, &n);
  ck_assert_double_eq(segments[0].rest_frame[0], 1);
  ck_assert_double_eq(segments[0].frame[1], 1);
  check_vector(segments[1].angular_velocity, 5, 0, 0);
  const vb_joint *joints = vb_scene_joints(scene, &n);
  ck_assert_uint_eq(n, 1); // none at the hinge
  ck_assert_int_eq(joints[0].segment[0], 1);
  ck_assert_int_eq(joints[0].segment[1], 0);
  ck_assert_int_eq(joints[0].node, 1);
  ck_assert_str_eq(vb_scene_bodies(scene, &n)->name, "chain");
  vb_study_destroy(study);
}
END_TEST

START_TEST(makes_pins) {
  vb_study *study = load_good(
      SCENE(ROD "local d = s:driver{name = 'top', origin = {0, 0, 1}, axis = {0, 0, 2}, z = 0.5, "
                "angle = {{0, 0, 'cubic'}, {1, 6}, {2, 7, 'hold'}}}\n"
                "s:pin{node = 0} s:pin{node = 0, components = 's'} s:pin{segment = 0}\n"
                "s:pin{nodes = {3, 4}, segments = {2, 3}, components = 'xs', driver = d}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_driver *drivers = vb_scene_drivers(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_str_eq(drivers[0].name, "top");
  ck_assert_str_eq(drivers[1].name, "fixed");
  check_vector(drivers[0].axis, 0, 0, 1);
  check_vector(drivers[0].origin, 0, 0, 1);
  ck_assert_int_eq(drivers[0].translation[0], -1);
  ck_assert_int_eq(drivers[1].angle, -1);
  ck_assert_double_eq(vb_scene_curve(scene, drivers[0].translation[2], 3, 0), 0.5);
  ck_assert_double_eq(vb_scene_curve(scene, drivers[0].angle, 1.5, 0), 6.5);
  const vb_key *keys = vb_scene_set(scene, VB_SET_KEY, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_int_eq(keys[1].interpolation, VB_CUBIC);
  ck_assert_int_eq(keys[2].interpolation, VB_LINEAR);
  ck_assert_int_eq(keys[3].interpolation, VB_HOLD);
  static const vb_pin expected[] = {{VB_AT_NODE, 0, VB_PIN_CENTER | VB_PIN_SCALE, 1},
                                    {VB_AT_SEGMENT, 0, VB_PIN_FRAME, 1},
                                    {VB_AT_NODE, 3, VB_PIN_X | VB_PIN_SCALE, 0},
                                    {VB_AT_NODE, 4, VB_PIN_X | VB_PIN_SCALE, 0},
                                    {VB_AT_SEGMENT, 2, VB_PIN_FRAME, 0},
                                    {VB_AT_SEGMENT, 3, VB_PIN_FRAME, 0}};
  const vb_pin *pins = vb_scene_pins(scene, &n);
  ck_assert_uint_eq(n, sizeof expected / sizeof *expected);
  ck_assert_mem_eq(pins, expected, sizeof expected);
  vb_study_destroy(study);
}
END_TEST

START_TEST(makes_loads_and_worlds) {
  vb_study *study =
      load_good("return {title = 't', build = function()\n"
                "local s = vb.scene{step = 1 / 60, duration = 2, gravity = {0, 0, -9.81}, damping "
                "= 0.5}\n" ROD "s:load{node = 4, force = {1, 2, 3}, scale_force = 4, amplitude = "
                "{{0, 0}, {1, 2}}, name = 'tip'}\n"
                "s:load{segment = 2, torque = {5, 6, 7}} return s end}");
  const vb_scene *scene = scene_of(study, 0);
  const vb_world *world = vb_scene_world(scene);
  ck_assert_int_eq(world->n_steps, 120); // though 2 / (1 / 60) need not be 120 to the last bit
  check_vector(world->gravity, 0, 0, -9.81);
  ck_assert_double_eq(world->damping, 0.5);
  size_t n;
  const vb_load *loads = vb_scene_loads(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_str_eq(loads[0].name, "tip");
  ck_assert_str_eq(loads[1].name, "load1");
  check_vector(loads[0].force, 1, 2, 3);
  ck_assert_double_eq(loads[0].scale_force, 4);
  ck_assert_double_eq(vb_scene_curve(scene, loads[0].amplitude, 0.5, 0), 1);
  ck_assert_int_eq(loads[1].location, VB_AT_SEGMENT);
  ck_assert_int_eq(loads[1].index, 2);
  ck_assert_int_eq(loads[1].amplitude, -1);
  check_vector(loads[1].torque, 5, 6, 7);
  vb_study_destroy(study);
}
END_TEST

START_TEST(freezes_the_octopus) {
  vb_study *study = load_good(
      SCENE("local o = include('octopus')(s, {name = 'octopus 1', origin = {1, 2, 3}, turn = "
            "math.pi / 2, "
            "scale_size = 2})\n"
            "assert(#o.nodes == 38 and #o.segments == 38 and #o.arms == 8 and #o.feet == 8)\n"
            "assert(include('octopus') == include('octopus'))\n"
            "s:pin{nodes = o.feet}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n, n_segments;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  const vb_segment *segments = vb_scene_segments(scene, &n_segments);
  ck_assert_uint_eq(n, 38);
  ck_assert_uint_eq(n_segments, 38); // one more than a tree of 38 nodes has: one loop
  check_vector(nodes[0].rest_position, 1, 2, 3 + 2 * 0.179);
  ck_assert_double_eq_tol(nodes[0].rest_radius, 2 * 0.358, ROUNDING);
  check_vector(nodes[4].rest_position, 1 + 2 * 0.388, 2 + 2 * 0.235,
               3 + 2 * 0.881); // an eye, turned
  double softest = INFINITY, stiffest = 0;
  for (size_t j = 0; j < n_segments; j++) {
    softest = fmin(softest, segments[j].stiffness[VB_KZ]);
    stiffest = fmax(stiffest, segments[j].stiffness[VB_KZ]);
  }
  ck_assert_double_eq_tol(stiffest, 2e5 / 1.45, 1e-9); // rounding of 1e5
  // The outer piece of an arm ends at the foot's 2e4 and begins stiffer.
  ck_assert(softest > 2e4 / 1.45 && softest < 6.5e4 / 1.45);
  ck_assert_str_eq(vb_scene_bodies(scene, &n)->name, "octopus 1");
  ck_assert_uint_eq(n, 1);
  vb_study_destroy(study);
}
END_TEST

/// Lua's own tables are walked in another order, and its random numbers begin elsewhere, each time.
START_TEST(freezes_the_same_twice) {
  static const char script[] = SCENE(
      "local t = {one = 1, two = 2, three = 3, four = 4, 5, 6, [2.5] = 7} local x = 0\n"
      "for k, v in pairs(t) do x = x * 3 + v s:node{position = {x, v, math.random()}, radius = 1} "
      "end\n" ROD "include('octopus')(s, {origin = {9, 9, 9}})");
  char first[65], again[65];
  for (int i = 0; i < 5; i++) {
    vb_study *study = load_good(script);
    vb_scene_sha256(scene_of(study, 0), i ? again : first);
    vb_study_destroy(study);
    if (i)
      ck_assert_str_eq(first, again);
  }
}
END_TEST

START_TEST(frees_collected_scenes) {
  vb_study *study = NULL;
  vb_error error = {0};
  // 300 scenes of 1000 nodes each, some 50 MB, of which 4 MB are there at a time
  vb_lua_limits limits = {.memory = 4000000, .instructions = 100000000};
  vb_status status = load_with(
      SCENE("for i = 1, 300 do local x = vb.scene{step = 1, steps = 1} x:rod{nodes = 1000, "
            "from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, " STUFF "} end " ROD),
      (vb_study_request){0}, limits, &study, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  vb_study_destroy(study);
}
END_TEST

static TCase *scenes(void) {
  TCase *tcase = tcase_create("scenes");
  tcase_add_test(tcase, freezes_a_straight_rod);
  tcase_add_test(tcase, maps_materials);
  tcase_add_test(tcase, samples_functions_of_t);
  tcase_add_test(tcase, twists_and_turns_frames);
  tcase_add_test(tcase, reverses_segments_and_joints);
  tcase_add_test(tcase, returns_zero_based_indexes);
  tcase_add_test(tcase, makes_graphs);
  tcase_add_test(tcase, makes_pins);
  tcase_add_test(tcase, makes_loads_and_worlds);
  tcase_add_test(tcase, freezes_the_octopus);
  tcase_add_test(tcase, freezes_the_same_twice);
  tcase_add_test(tcase, frees_collected_scenes);
  return tcase;
}

VB_TEST_MAIN("lua scenes", scenes())
