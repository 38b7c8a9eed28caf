// SPDX-License-Identifier: GPL-3.0-or-later
/// Least-squares fits in scripts.
#include "lua_fixture.h"

#include <time.h>

#define FIT(statements) SCENE(ROD statements)

START_TEST(a_fit_finds_the_parameters) {
  // Data without noise: the residuals end at rounding, and the parameters at its share of them.
  vb_study_destroy(load_good(
      FIT("local r = vb.fit{start = {1, 1}, residuals = function(q) local o = {} "
          "for i = 1, 10 do o[i] = q[1] * math.exp(-q[2] * i) - 3 * math.exp(-0.7 * i) end "
          "return o end} "
          "assert(math.abs(r.parameters[1] - 3) < 1e-8 and math.abs(r.parameters[2] - 0.7) < 1e-8) "
          "assert(r.rms < 1e-9 and r.iterations > 1)")));
  // A constant fits best at the mean: the rest is the standard deviation.
  vb_study_destroy(load_good(FIT("local r = vb.fit{start = {7}, residuals = function(q) "
                                 "return {q[1] - 1, q[1] - 2, q[1] - 6} end} "
                                 "assert(math.abs(r.parameters[1] - 3) < 1e-9) "
                                 "assert(math.abs(r.rms - math.sqrt(14 / 3)) < 1e-12)")));
}
END_TEST

static const struct {
  const char *text;
  const char *message;
} bad[] = {
    {FIT("vb.fit{residuals = print}"), "needs \"start\""},
    {FIT("vb.fit{start = {}, residuals = print}"), "needs \"start\""},
    {FIT("vb.fit{start = {1}}"), "needs \"residuals\", a function"},
    {FIT("vb.fit{start = {1}, residuals = function() return 1 end}"), "not a number"},
    {FIT("vb.fit{start = {1}, residuals = function() return {0 / 0} end}"), "element 1 must be a"},
    {FIT("vb.fit{start = {1, 2}, residuals = function() return {1} end}"),
     "1 residuals do not determine 2 parameters"},
    {FIT("local a = {} for i = 1, 64 do a[i] = 1 end local o = {} "
         "for i = 1, 16385 do o[i] = i end "
         "vb.fit{start = a, residuals = function() return o end}"),
     "16385 residuals are too many for 64 parameters (maximum 16384)"},
    {FIT("local n = 3 vb.fit{start = {1}, residuals = function(q) n = n - 1 local o = {} "
         "for i = 1, n do o[i] = q[1] end return o end}"),
     "must return as many numbers each time"},
    {FIT("local n = 0 vb.fit{start = {1}, residuals = function(q) n = n + 1 "
         "if n > 2 then error('late') end return {q[1], 1} end}"),
     "late"},
};

START_TEST(failed_fit_reports_why) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_status status = load_with(bad[_i].text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error);
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, bad[_i].message), "%s\nshould say\n%s", error.message,
                bad[_i].message);
  ck_assert_msg(strstr(error.message, "test.lua:"), "%s", error.message);
}
END_TEST

/// A fit ends soon after its script's time is over, not after the rest of its iterations.
START_TEST(a_fit_keeps_the_time) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_lua_limits limits = VB_LUA_LIMITS;
  struct timespec begun, ended;
  limits.seconds = 0.2;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
  vb_status status =
      load_with(FIT("local a, n = {}, 0 for i = 1, 64 do a[i] = 1 end "
                    "vb.fit{start = a, residuals = function(q) n = n + 1 local o = {} "
                    "for i = 1, 16384 do o[i] = q[i % 64 + 1] * (i + n % 7) end return o end}"),
                (vb_study_request){0}, limits, &study, &error);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, "took more than 0.2 s"), "%s", error.message);
  ck_assert_int_lt(ended.tv_sec - begun.tv_sec, 5); // 200 iterations would take a minute
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("lua fit");
  tcase_set_timeout(test, 120);
  tcase_add_test(test, a_fit_finds_the_parameters);
  tcase_add_test(test, a_fit_keeps_the_time);
  tcase_add_loop_test(test, failed_fit_reports_why, 0, sizeof bad / sizeof *bad);
  return test;
}

VB_TEST_MAIN("lua_fit", make_case())
