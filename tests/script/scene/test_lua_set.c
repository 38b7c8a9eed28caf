// SPDX-License-Identifier: GPL-3.0-or-later
/// s:set adds elements of any set by their members: the scenes are those of the functions that know
/// the sets. Materials, inertias of frames, and friction by pairs of bodies arrive, too.
#include "lua_fixture.h"

/// Two ways to say the same.
typedef struct way {
  const char *own; ///< by a function of the set
  const char *set; ///< by s:set
} way;

static const way WAYS[] = {
    {"s:node{position = {2, 0, 0}, radius = 0.1, velocity = {1, 2, 3}}",
     "s:set('node', {rest_position = {2, 0, 0}, rest_radius = 0.1, velocity = {1, 2, 3}})"},
    {"s:driver{name = 'd', origin = {1, 0, 0}, x = {{0, 0}, {1, 2, 'cubic'}}}",
     "s:set('key', {interpolation = 'linear'}) "
     "s:set('key', {time = 1, value = 2, interpolation = 'cubic'}) "
     "local c = s:set('curve', {first_key = 0, n_keys = 2}) "
     "s:set('driver', {name = 'd', origin = {1, 0, 0}, translation = {c, -1, -1}})"},
    {"s:driver{} s:pin{node = 1, components = 'xs'} s:pin{segment = 2}",
     "s:set('driver', {}) local f = s:set('driver', {name = 'fixed'}) "
     "s:set('pin', {location = 'node', index = 1, mask = 'x scale', driver = f}) "
     "s:set('pin', {location = 'segment', index = 2, mask = 16, driver = f})"},
    {"local d = s:driver{} s:pin{segments = {2}, frame = 'uw', driver = d}",
     "local d = s:set('driver', {}) s:set('frame pin', {segment = 2, mask = 'u w', driver = d})"},
    {"s:load{node = 4, force = {0, 2, 0}, amplitude = {{0, 0}, {1, 3}}, turns_with = 3}",
     "local l = s:set('load', {location = 'node', index = 4, force = {0, 2, 0}, "
     "amplitude = {{0, 0}, {1, 3}}}) s:set('follower load', {load = l, segment = 3})"},
    {"s:halfplane{normal = {0, 1, 0}, offset = -2, friction = 0.5}",
     "s:set('half-plane', {normal = {0, 1, 0}, offset = -2, static_friction = 0.5, "
     "kinetic_friction = 0.5})"},
    {"s:contact{margin = 0.01, self = true}", "s:set('contact', {margin = 0.01, self = true})"},
    {"s:filter{segments = {1}, groups = {0, 2}}", "s:set('filter', {segment = 1, groups = 5})"},
    {"s:activation{segments = {1}, kind = 'force', amount = 5}",
     "local k = s:set('key', {value = 5, interpolation = 'linear'}) "
     "s:set('activation', {location = 'segment', index = 1, active = 'force', "
     "curve = s:set('curve', {first_key = k, n_keys = 1})})"},
    {"s:collider{capsule = {{5, 0, 0}, {6, 0, 0}}, radius = 0.5}",
     "s:set('collider', {shape = 'capsule', point = {{5, 0, 0}, {6, 0, 0}}, radius = 0.5})"},
    {"local b = s:bone{mass = 2, center = {7, 0, 0}, inertia = {1, 1, 1, 0, 0, 0}} "
     "s:link{kind = 'hinge', bones = {b}, at = {7, 0, 1}, axis = {1, 0, 0}}",
     "local b = s:set('bone', {mass = 2, center = {7, 0, 0}, inertia = {1, 1, 1, 0, 0, 0}, "
     "position = {7, 0, 0}, frame = {1, 0, 0, 0}}) "
     "s:set('link', {type = 'hinge', bone = {b, -1}, at = {7, 0, 1}, "
     "axis = {{1, 0, 0}, {0, 0, 0}}})"},
    {"s:friction{node = 0, friction = 0.25}",
     "s:set('friction', {body = 0, static_friction = 0.25, kinetic_friction = 0.25})"},
};

static void write_hash(const char *statements, char hex[65]) {
  char text[2048];
  snprintf(text, sizeof text, SCENE(ROD "%s"), statements);
  vb_study *study = load_good(text);
  vb_scene_sha256(scene_of(study, 0), hex);
  vb_study_destroy(study);
}

START_TEST(both_ways_make_the_same_scene) {
  char own[65], set[65], bare[65];
  write_hash(WAYS[_i].own, own);
  write_hash(WAYS[_i].set, set);
  write_hash("", bare);
  ck_assert_str_eq(own, set);
  ck_assert_str_ne(own, bare);
}
END_TEST

START_TEST(factors_are_one_where_none_are_given) {
  vb_study *study = load_good(SCENE(
      ROD "s:set('bending', {segment = 3, factor = {1, 2}}) s:set('bending', {segment = 0})"));
  size_t n;
  const vb_bending *bending = vb_scene_bendings(scene_of(study, 0), &n);
  ck_assert(n == 2 && bending[0].segment == 0 && bending[1].segment == 3);
  ck_assert(bending[0].factor[0] == 1 && bending[0].factor[1] == 1 && bending[1].factor[1] == 2);
  vb_study_destroy(study);
}
END_TEST

START_TEST(materials_and_inertias_are_stored) {
  vb_study *study = load_good(
      SCENE("s:rod{" GOOD STUFF ", frame_inertia = function(t) return 1, 2, 2 + t end}\n"
            "local a = s:node{position = {9, 0, 0}, radius = 0.1}\n"
            "local b = s:node{position = {9, 0, 1}, radius = 0.1}\n"
            "s:segment{nodes = {a, b}, density = 1, frame_inertia = {3, 4, 5}, "
            "material = {E = 8, nu = 0.25, model = 'solid', kv = 0}}\n"
            "s:rod{nodes = 2, from = {8, 0, 0}, to = {8, 0, 1}, radius = 0.1, density = 1, "
            "material = {kx = 1}}"));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  const vb_segment *s = vb_scene_segments(scene, &n);
  ck_assert_uint_eq(n, 6);
  ck_assert_double_eq(s[1].frame_inertia[2], 2.375);
  ck_assert_double_eq(s[1].young, 1e6);
  ck_assert_double_eq(s[1].shear, 1e6 / 2.8);
  ck_assert_int_eq(s[1].model, VB_MATERIAL_PUBLISHED);
  ck_assert(s[4].young == 8 && s[4].shear == 3.2 && s[4].model == VB_MATERIAL_SOLID);
  ck_assert(s[4].frame_inertia[0] == 3 && s[4].frame_inertia[2] == 5);
  ck_assert(s[5].young == 0 && s[5].shear == 0);
  ck_assert_uint_eq(vb_scene_features(scene), VB_FEATURE_SOLID | VB_FEATURE_FRAME_INERTIA);
  vb_study_destroy(study);
}
END_TEST

START_TEST(friction_of_pairs_is_between_bodies) {
  vb_study *study = load_good(SCENE(
      ROD "local t = s:rod{nodes = 3, from = {3, 0, 0}, to = {3, 0, 1}, radius = 0.1, " STUFF "}\n"
          "s:friction_pair{nodes = {t.last, r.first}, static_friction = 0.5, "
          "kinetic_friction = 0.25}"));
  size_t n;
  const vb_friction_pair *pair = vb_scene_friction_pairs(scene_of(study, 0), &n);
  ck_assert(n == 1 && pair->body[0] == 0 && pair->body[1] == 1);
  ck_assert(pair->static_friction == 0.5 && pair->kinetic_friction == 0.25);
  vb_study_destroy(study);
}
END_TEST

START_TEST(looks_are_a_set) {
  vb_study *study =
      load_good(SCENE(ROD "s:look{node = r.last, material = 'skin', color = {0.5, 1, 0}}\n"
                          "s:set('look', {location = 'node', index = 0, material = 'glass'})"));
  size_t n;
  const vb_look *look = vb_scene_looks(scene_of(study, 0), &n);
  ck_assert(n == 2 && look[0].index == 0 && look[0].material == VB_LOOK_GLASS);
  ck_assert(look[0].color[0] == -1 && look[0].color[2] == -1); // none
  ck_assert(look[1].location == VB_AT_NODE && look[1].material == VB_LOOK_SKIN);
  ck_assert(look[1].color[0] == 0.5 && look[1].color[1] == 1 && look[1].color[2] == 0);
  // A solver that lists no other sets takes them.
  const vb_solver_description rods = {.name = "rods", .sets = ~(UINT64_C(1) << VB_SET_LOOK)};
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_check_scene(&rods, scene_of(study, 0), &error), VB_OK);
  vb_study_destroy(study);
}
END_TEST

static const struct {
  const char *statements;
  const char *message; ///< a part of it
} BAD[] = {
    {"s:look{material = 'bone'}", "look: needs exactly one of \"node\", \"vertex\" and \"coll"},
    {"s:look{node = 0, collider = 0, material = 'bone'}", "\"collider\": there is no collider 0"},
    {"s:look{node = 9, material = 'bone'}", "look: \"node\": there is no node 9"},
    {"s:look{node = 0, material = 'bones'}", "unknown material \"bones\"; did you mean \"bone\"?"},
    {"s:look{node = 0, color = {0, 0, 2}}", "\"color\" has the component 2; red, green and blue"},
    {"s:look{node = 0, color = {0, 0}}", "\"color\" must be a list of 3 numbers; it has 2"},
    {"s:look{node = 0}", "look: needs \"material\", \"color\" or both"},
    {"s:look{node = 0, colour = {0, 0, 0}}", "unknown key \"colour\"; did you mean \"color\"?"},
    {"s:set('look', {location = 'node', index = 0, color = {0, 0, 2}})",
     "look 0: its color has the component 2; red, green and blue are from 0 to 1"},
    {"s:look{node = 1, material = 'bone'} s:look{node = 1, material = 'skin'}",
     "look 1: node 1 has one already, look 0"},
    {"s:set('bendin', {})", "test.lua:4: set: unknown set \"bendin\"; did you mean \"bending\"?"},
    {"s:set('body', {})", "test.lua:4: set: unknown set \"body\""},
    {"s:set{segment = 1}", "test.lua:4: set: takes the name of a set and one table of its members"},
    {"s:set('bending', 3)", "test.lua:4: set bending: takes one table of named values"},
    {"s.set('bending', {}, 1)", "test.lua:4: set: takes the name of a set"},
    {"s:set('bending', {segmnt = 1})", "set bending: unknown key \"segmnt\"; did you mean \"segm"},
    {"s:set('bending', {segment = 4})",
     "\"segment\": there is no segment 4; the scene has 4 so far"},
    {"s:set('bending', {factor = {1, 2, 3}})", "\"factor\" must be a list of 2 numbers; it has 3"},
    {"s:set('bending', {factor = {1, -1}})", "bending 0: factor -1 is negative"},
    {"s:set('joint', {segment = 1, node = 1})",
     "set joint: \"segment\" must be a list, not a number"},
    {"s:set('joint', {segment = {0}})", "\"segment\" must be a list of 2 indexes"},
    {"s:set('joint', {segment = {0, -1}})", "\"segment\": there is no segment -1"},
    {"s:set('pin', {index = 1})", "set pin: needs \"location\""},
    {"s:set('pin', {location = 'nodes'})", "unknown location \"nodes\"; did you mean \"node\"?"},
    {"s:set('pin', {location = 'node', index = 9})", "\"index\": there is no node 9"},
    {"s:driver{} s:set('pin', {location = 'node', index = 1, mask = 'x q', driver = 0})",
     "unknown mask \"q\""},
    {"s:set('link', {type = 'hing'})", "unknown type \"hing\"; did you mean \"hinge\"?"},
    {"s:set('link', {axis = {1, 0, 0}})", "\"axis\" must be a list of 2 lists"},
    {"s:set('node', {rest_radius = -1})", "node 5: radius -1 is not positive"},
    {"s:set('friction', {body = 1})", "friction 0: its body 1 does not exist; there are 0 to 0"},
    {"s:friction_pair{nodes = {0}}", "friction_pair: \"nodes\" must be a list of 2 nodes"},
    {"s:friction_pair{nodes = {0, 9}}", "\"nodes\": there is no node 9"},
    {"s:friction_pair{nodes = {0, 1}}", "friction pair 0: its bodies 0 and 0 should be two"},
    {"s:rod{" GOOD "density = 1, material = {kx = 1, model = 'solid'}}",
     "rod: material: the model \"solid\" needs \"E\" and \"nu\""},
    {"s:rod{" GOOD "density = 1, material = {E = 1, nu = 0, model = 'sold'}}",
     "rod: material: unknown model \"sold\"; did you mean \"solid\"?"},
    {"s:rod{" GOOD STUFF ", frame_inertia = {1, 1, 3}}",
     "segment 4: frame inertia (1, 1, 3): one moment is greater than the other two together"},
};

START_TEST(mistakes_are_named) {
  char text[1024];
  vb_study *study = NULL;
  vb_error error = {0};
  snprintf(text, sizeof text, SCENE(ROD "%s"), BAD[_i].statements);
  vb_status status = load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error);
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, BAD[_i].message), "%s\nshould have\n%s", error.message,
                BAD[_i].message);
}
END_TEST

static TCase *set_case(void) {
  TCase *c = tcase_create("set");
  tcase_add_loop_test(c, both_ways_make_the_same_scene, 0, sizeof WAYS / sizeof *WAYS);
  tcase_add_test(c, factors_are_one_where_none_are_given);
  tcase_add_test(c, looks_are_a_set);
  tcase_add_test(c, materials_and_inertias_are_stored);
  tcase_add_test(c, friction_of_pairs_is_between_bodies);
  tcase_add_loop_test(c, mistakes_are_named, 0, sizeof BAD / sizeof *BAD);
  return c;
}

VB_TEST_MAIN("lua set", set_case())
