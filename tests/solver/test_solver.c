// SPDX-License-Identifier: GPL-3.0-or-later
/// What holds of every solver: the table, and options and sets against a description.
/// Covers: src/solver/options.c src/solver/settings.* src/solver/table.h
#include "scenes/scene_fixture.h"

#include "scene/sets.h"
#include "solver/table.h"

static const vb_option_info options[] = {
    {.name = "method", .default_value = "direct", .choices = "direct|xpbd|block-descent"},
    {.name = "iterations",
     .default_value = "20",
     .minimum = 1,
     .maximum = 1000,
     .integer = true,
     .at_any_time = true},
    {.name = "tolerance", .default_value = "1e-9", .minimum = 0, .maximum = 1},
};

/// A solver of rods that knows no loads.
static const vb_solver_description rods = {
    .name = "rods",
    .sets = 1u << VB_SET_WORLD | 1u << VB_SET_BODY | 1u << VB_SET_NODE | 1u << VB_SET_SEGMENT |
            1u << VB_SET_JOINT | 1u << VB_SET_PIN | 1u << VB_SET_DRIVER | 1u << VB_SET_CURVE |
            1u << VB_SET_KEY,
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

START_TEST(valid_options_pass) {
  const vb_option given[] = {{"method", "xpbd"},   {"iterations", "1"}, {"iterations", "1000"},
                             {"tolerance", "0.5"}, {"tolerance", "0"},  {"iterations", "1e2"}};
  ck_assert_int_eq(vb_solver_check_options(&rods, given, 6, NULL), VB_OK);
  ck_assert_int_eq(vb_solver_check_options(&rods, NULL, 0, NULL), VB_OK);
}
END_TEST

static const struct {
  vb_option option;
  const char *message;
} refused[] = {
    {{"metod", "direct"}, "solver rods has no option \"metod\"; did you mean \"method\"?"},
    {{"colour", "red"},
     "solver rods has no option \"colour\"; it has: method, iterations, tolerance"},
    {{"method", "drect"},
     "option method: \"drect\" is none of direct|xpbd|block-descent; did you mean \"direct\"?"},
    {{"method", "magic"}, "option method: \"magic\" is none of direct|xpbd|block-descent"},
    {{"method", ""}, "option method: \"\" is none of direct|xpbd|block-descent"},
    {{"method", "direct|xpbd"},
     "option method: \"direct|xpbd\" is none of direct|xpbd|block-descent"},
    {{"iterations", "0"}, "option iterations: \"0\" is not a whole number from 1 to 1000"},
    {{"iterations", "1001"}, "option iterations: \"1001\" is not a whole number from 1 to 1000"},
    {{"iterations", "2.5"}, "option iterations: \"2.5\" is not a whole number from 1 to 1000"},
    {{"iterations", "3x"}, "option iterations: \"3x\" is not a whole number from 1 to 1000"},
    {{"iterations", ""}, "option iterations: \"\" is not a whole number from 1 to 1000"},
    {{"tolerance", "nan"}, "option tolerance: \"nan\" is not a number from 0 to 1"},
    {{"tolerance", "-1e-9"}, "option tolerance: \"-1e-9\" is not a number from 0 to 1"},
};

START_TEST(invalid_options_are_refused) {
  // Behind a sound one: all are looked at.
  const vb_option given[] = {{"method", "xpbd"}, refused[_i].option};
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_check_options(&rods, given, 2, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, refused[_i].message);
}
END_TEST

START_TEST(the_last_setting_of_an_option_wins) {
  const vb_option given[] = {{"method", "xpbd"}, {"iterations", "5"}, {"method", "block-descent"}};
  ck_assert_str_eq(vb_solver_option(&rods, given, 3, "method"), "block-descent");
  ck_assert_str_eq(vb_solver_option(&rods, given, 3, "iterations"), "5");
  ck_assert_str_eq(vb_solver_option(&rods, given, 3, "tolerance"), "1e-9");
}
END_TEST

START_TEST(unsupported_sets_are_named) {
  vb_builder *b = fixture_builder();
  fixture_node(b, 0, 0, 0, 0.1);
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_check_scene(&rods, scene, &error), VB_OK);
  free(scene);
  scene = fixture_freeze(fixture_full());
  ck_assert_int_eq(vb_solver_check_scene(&rods, scene, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "solver rods does not support the scene's set load (2 elements)");
  // The keys are the last set; under another tag nobody knows them.
  ((vb_set_entry *)(scene + 1))[scene->n_sets - 1].tag = 63;
  vb_solver_description more = rods;
  more.sets |= 1u << VB_SET_LOAD;
  ck_assert_int_eq(vb_solver_check_scene(&more, scene, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "solver rods does not support set 63 of the scene, which is "
                                  "unknown here");
  free(scene);
}
END_TEST

START_TEST(unsupported_features_are_named) {
  static const char *const messages[] = {
      "solver rods does not support segments of material model \"solid\", which the scene has",
      "solver rods does not support moments of inertia of frames other than a disc's, which the "
      "scene has"};
  vb_scene *scene = fixture_freeze(fixture_full());
  vb_solver_description d = rods;
  vb_error error = {0};
  size_t n;
  vb_segment *segment = (vb_segment *)vb_scene_segments(scene, &n);
  d.sets = UINT64_MAX;
  ck_assert_int_eq(vb_solver_check_scene(&d, scene, &error), VB_OK);
  segment->model = VB_MATERIAL_SOLID;
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(vb_solver_check_scene(&d, scene, &error), VB_UNAVAILABLE);
    ck_assert_str_eq(error.message, messages[i]);
    d.features |= UINT64_C(1) << i;
    ck_assert_int_eq(vb_solver_check_scene(&d, scene, &error), VB_OK);
    segment->frame_inertia[0] *= 2;
  }
  free(scene);
}
END_TEST

START_TEST(solvers_are_found_by_name) {
  size_t n = 0;
  for (const vb_solver *const *at = vb_solver_table(); *at; at++, n++) {
    const vb_solver *found = NULL;
    ck_assert_uint_eq((*at)->version, VB_SOLVER_VERSION);
    ck_assert_uint_eq((*at)->scene_version, VB_SCENE_VERSION);
    ck_assert_int_eq(vb_solver_find((*at)->describe(*at)->name, &found, NULL), VB_OK);
    ck_assert_ptr_eq(found, *at);
  }
  ck_assert_uint_gt(n, 0);
  const vb_solver *found = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &found, NULL), VB_OK);
  ck_assert_str_eq(found->describe(found)->name, "viper");
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("vyper", &found, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "unknown solver \"vyper\"; did you mean \"viper\"?");
  ck_assert_int_eq(vb_solver_find("abaqus", &found, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(
      strstr(error.message, "unknown solver \"abaqus\"; there is: viper, bergou"));
  ck_assert_str_eq(found->describe(found)->name, "viper"); // untouched
}
END_TEST

START_TEST(every_default_is_allowed) {
  for (const vb_solver *const *at = vb_solver_table(); *at; at++) {
    const vb_solver_description *description = (*at)->describe(*at);
    for (size_t i = 0; i < description->n_options; i++) {
      const vb_option_info *info = &description->options[i];
      vb_error error = {0};
      vb_status status = vb_solver_check_options(
          description, &(vb_option){info->name, info->default_value}, 1, &error);
      ck_assert_msg(status == VB_OK, "%s", error.message);
    }
  }
}
END_TEST

static TCase *options_case(void) {
  TCase *c = tcase_create("options");
  tcase_add_test(c, valid_options_pass);
  tcase_add_loop_test(c, invalid_options_are_refused, 0, sizeof refused / sizeof *refused);
  tcase_add_test(c, the_last_setting_of_an_option_wins);
  return c;
}

static TCase *table_case(void) {
  TCase *c = tcase_create("table");
  tcase_add_test(c, unsupported_sets_are_named);
  tcase_add_test(c, unsupported_features_are_named);
  tcase_add_test(c, solvers_are_found_by_name);
  tcase_add_test(c, every_default_is_allowed);
  return c;
}

VB_TEST_MAIN("solver", options_case(), table_case())
