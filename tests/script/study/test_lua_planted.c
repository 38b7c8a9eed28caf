// SPDX-License-Identifier: GPL-3.0-or-later
/// With which planted solvers the gates of a study must fail.
// Covers: src/study/planted.[ch]
#include "lua_fixture.h"

/// A study; what it says of planted solvers is on line 2.
#define STUDY(planted)                                                                             \
  "return {title = 'test',\n" planted "build = function(p)\n"                                      \
  "local s = vb.scene{step = 0.1, steps = 2}\n" ROD "return s end}"

START_TEST(by_default_every_study_must_see_five) {
  vb_study *study = load_good(STUDY(""));
  for (int i = 0; i < VB_PLANTED_COUNT; i++) {
    ck_assert_int_eq(study->planted.must[i], i <= VB_PLANTED_ZERO_ENERGIES);
    ck_assert_ptr_null(study->planted.exempt[i]);
  }
  vb_study_destroy(study);
}
END_TEST

START_TEST(adds_and_exempts) {
  vb_study *study = load_good(STUDY("planted = {must = {'friction', 'no-contact'},\n"
                                    "exempt = {still = 'it rests', stale = 'it rests, too'}},\n"));
  const vb_planted_plan *plan = &study->planted;
  ck_assert(plan->must[VB_PLANTED_FRICTION] && plan->must[VB_PLANTED_NO_CONTACT]);
  ck_assert(!plan->must[VB_PLANTED_BENDING] && plan->must[VB_PLANTED_FREE_FALL]);
  ck_assert(!plan->must[VB_PLANTED_STILL] && !plan->must[VB_PLANTED_STALE]);
  ck_assert_str_eq(plan->exempt[VB_PLANTED_STILL], "it rests");
  ck_assert_str_eq(plan->exempt[VB_PLANTED_STALE], "it rests, too");
  ck_assert_ptr_null(plan->exempt[VB_PLANTED_FREE_FALL]);
  vb_study_destroy(study);
}
END_TEST

/// What is wrong, and what is said.
static const char *const bad[][2] = {
    {"planted = 3,\n", "planted: takes one table of named values"},
    {"planted = {may = {}},\n", "planted: unknown key \"may\"; known: must, exempt"},
    {"planted = {must = {'frictoin'}},\n",
     "planted: unknown planted solver \"frictoin\"; did you mean \"friction\"?"},
    {"planted = {must = {'still'}},\n",
     "planted: \"still\" need not stand in \"must\": every study must see it"},
    {"planted = {must = {'noise', 'noise'}},\n",
     "planted: \"noise\" need not stand in \"must\": it stands there already"},
    {"planted = {exempt = {stil = 'it rests'}},\n",
     "planted: unknown planted solver \"stil\"; did you mean \"still\"?"},
    {"planted = {exempt = {'still'}},\n", "planted: \"exempt\" takes a reason for each kind"},
    {"planted = {exempt = {still = ''}},\n",
     "planted: \"exempt\" needs the reason why no gate can see \"still\""},
    {"planted = {exempt = {still = true}},\n",
     "planted: \"exempt\" needs the reason why no gate can see \"still\""},
    {"planted = {exempt = 'still'},\n",
     "planted: \"exempt\" must be a table from kinds to reasons"},
    {"planted = {must = {'noise'}, exempt = {noise = 'why'}},\n",
     "planted: \"noise\" need not be exempt: it is not among what every study must see"},
};

START_TEST(errors_tell_the_line) {
  char text[1000];
  vb_study *study = NULL;
  vb_error error = {0};
  snprintf(text, sizeof text, STUDY("%s"), bad[_i][0]);
  ck_assert_int_eq(load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, "test.lua:2: ") && strstr(error.message, bad[_i][1]),
                "\"%s\" lacks \"test.lua:2: .. %s\"", error.message, bad[_i][1]);
}
END_TEST

START_TEST(a_study_of_studies_has_none) {
  vb_study *study = NULL;
  vb_error error = {0};
  ck_assert_int_eq(load_with("return {title = 't', includes = {'helix'}, planted = {}}",
                             (vb_study_request){0}, VB_LUA_LIMITS, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "has no \"planted\" of its own"));
}
END_TEST

static TCase *all_cases(void) {
  TCase *tcase = tcase_create("planted");
  tcase_add_test(tcase, by_default_every_study_must_see_five);
  tcase_add_test(tcase, adds_and_exempts);
  tcase_add_loop_test(tcase, errors_tell_the_line, 0, sizeof bad / sizeof *bad);
  tcase_add_test(tcase, a_study_of_studies_has_none);
  return tcase;
}

VB_TEST_MAIN("planted solvers of a study", all_cases())
