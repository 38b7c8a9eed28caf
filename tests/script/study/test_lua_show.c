// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs that studies name for show.
#include "lua_fixture.h"

/// A study of four runs of 60 steps of 0.01 s.
#define STUDY(more)                                                                                \
  "return {title = 'test', parameters = {m = 1}, build = function(p)\n"                            \
  "local s = vb.scene{step = 0.01, steps = 60}\n"                                                  \
  "local r = s:rod{nodes = p.m + 2, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1,\n"             \
  "density = 1000, material = {E = 1e6, nu = 0.4}}\n"                                              \
  "s:surface{vertices = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, triangles = {{0, 1, 2}}}\n"       \
  "s:record{every = 7, frames = 9, fields = {'position', 'vertices', 'velocity'}}\n"               \
  "s:gate{name = 'g', quantity = 'energy/total', at_most = 1, reason = 'r'}\n"                     \
  "return s end,\n"                                                                                \
  "runs = function(p, tier) local list = {}\n"                                                     \
  "  for i = 1, tier == 'quick' and 4 or 2 do\n"                                                   \
  "    list[i] = {name = 'r' .. i, skin_frames = i == 3 and 'bundle' or nil,\n"                    \
  "      skin_shape = i == 4 and 'fitted' or nil} end\n"                                           \
  "  return list end,\n"                                                                           \
  "gates = function() return {{name = 'x', run = 'r1', quantity = 'energy/total', at_most = 1,\n"  \
  "  reason = 'r'}} end,\n" more "}"

static bool records(const vb_run_plan *run, const char *field) {
  for (size_t i = 0; i < run->record.n_fields; i++)
    if (strcmp(run->record.fields[i], field) == 0)
      return true;
  return false;
}

START_TEST(named_runs_record_30_frames_a_second) {
  vb_study *study = load_good_with(STUDY("show = {runs = {'r3', 'r2'}, parameters = {m = 3}, "
                                         "view = {10, -20, 1.5, 40}}"),
                                   (vb_study_request){.tier = "show"});
  const vb_run_plan *run = &study->runs[0];
  ck_assert(study->n_runs == 2 && study->n_gates == 0 && study->reduced && !study->gold);
  ck_assert_str_eq(run->name, "r2"); // in the study's order
  ck_assert_int_eq(vb_scene_world(run->scene)->n_steps, 60);
  ck_assert(run->record.every == 7 && run->record.frames_every == 3);
  ck_assert_uint_eq(vb_scene_count(run->scene, VB_SET_NODE), 5);
  ck_assert(run->record.has_view && run->record.view[1] == -20 && run->record.view[3] == 40);
  ck_assert(!run->record.exact);
  vb_study_destroy(study);
}
END_TEST

/// Weights stand for vertices, but not where bundles carry these, or they are fitted.
START_TEST(weights_are_recorded_in_place_of_vertices) {
  vb_study *study = load_good_with(STUDY("show = {runs = {'r4', 'r3', 'r2'}}"),
                                   (vb_study_request){.tier = "show"});
  ck_assert_uint_eq(study->n_runs, 3);
  for (size_t i = 0; i < 3; i++) {
    ck_assert(study->runs[i].record.weights == (i == 0));
    ck_assert(records(&study->runs[i], "vertices") == (i > 0));
    ck_assert(records(&study->runs[i], "scale") && records(&study->runs[i], "frame"));
    ck_assert(records(&study->runs[i], "velocity") && !study->runs[i].record.has_view);
  }
  vb_study_destroy(study);
}
END_TEST

START_TEST(other_tiers_know_the_names_alone) {
  vb_study *study = load_good(STUDY("show = {runs = {'r2'}, parameters = {m = 3}}"));
  ck_assert(study->n_runs == 4 && study->n_gates == 5 && !study->reduced);
  ck_assert_uint_eq(study->n_shown, 1);
  ck_assert_str_eq(study->shown[0], "r2");
  ck_assert_int_eq(study->runs[0].record.frames_every, 9);
  ck_assert_uint_eq(vb_scene_count(study->runs[0].scene, VB_SET_NODE), 3);
  ck_assert(!study->runs[1].record.weights && records(&study->runs[1], "vertices"));
  vb_study_destroy(study);
}
END_TEST

START_TEST(mistakes_are_told_with_file_and_line) {
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {STUDY(""), "it names no runs for show"},
      {STUDY("show = {run = 'r1'}"), "did you mean \"runs\"?"},
      {STUDY("show = {}"), "show: there is no run \"test\" in the quick size"},
      {STUDY("show = {runs = {'r7'}}"), "show: there is no run \"r7\" in the quick size"},
      {STUDY("show = {runs = {'r1'}, parameters = {k = 1}}"), "unknown parameter \"k\""},
      {STUDY("show = {runs = {'r1'}, view = {0, 100, 1, 30}}"), "elevation from -90 to 90"},
      {STUDY("show = {runs = {'r1'}, view = {0, 10}}"), "\"view\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vb_study *study = NULL;
    vb_error error = {0};
    vb_study_request request = {.tier = "show"};
    ck_assert_int_eq(load_with(cases[i].text, request, VB_LUA_LIMITS, &study, &error),
                     VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, cases[i].complaint) != NULL, "\"%s\" lacks \"%s\"",
                  error.message, cases[i].complaint);
    ck_assert_ptr_null(study);
  }
}
END_TEST

static TCase *show(void) {
  TCase *tc = tcase_create("show");
  tcase_add_test(tc, named_runs_record_30_frames_a_second);
  tcase_add_test(tc, weights_are_recorded_in_place_of_vertices);
  tcase_add_test(tc, other_tiers_know_the_names_alone);
  tcase_add_test(tc, mistakes_are_told_with_file_and_line);
  return tc;
}

VB_TEST_MAIN("lua_show", show())
