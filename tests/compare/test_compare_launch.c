// SPDX-License-Identifier: GPL-3.0-or-later
/// The order of launches, and what becomes of programs that do not measure.
#include "compare/compare_launch.h"

#include "test.h"

#include <math.h>

/// Tells the order of launches; A takes 2 s, B 3 s.
typedef struct script {
  char order[64];
  size_t n;
  size_t fails_at;
} script;

static vb_status play(void *context, int which, double *seconds, vb_error *error) {
  script *s = context;
  s->order[s->n++] = which ? 'B' : 'A';
  if (s->n == s->fails_at)
    return vb_error_set(error, VB_FAILED, "no");
  *seconds = which ? 3 : 2;
  return VB_OK;
}

static vb_status launch_pairs(script *s, double ratios[5], vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < 5; i++)
    status = vb_launch_pair(play, s, i, &ratios[i], error);
  return status;
}

START_TEST(launches_alternate) {
  script s = {0};
  double ratios[5];
  ck_assert_int_eq(launch_pairs(&s, ratios, NULL), VB_OK);
  ck_assert_str_eq(s.order, "ABBAABBAAB");
  for (int i = 0; i < 5; i++)
    ck_assert_double_eq(ratios[i], log(1.5));
}
END_TEST

START_TEST(stops_at_a_launch_that_fails) {
  script s = {.fails_at = 3};
  double ratios[5];
  vb_error error = {0};
  ck_assert_int_eq(launch_pairs(&s, ratios, &error), VB_FAILED);
  ck_assert_str_eq(s.order, "ABB");
  ck_assert_str_eq(error.message, "no");
}
END_TEST

static vb_status shell(const char *command, double *seconds, vb_error *error) {
  char text[256];
  snprintf(text, sizeof text, "%s", command);
  char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, text, NULL};
  return vb_launch_program(arguments, seconds, error);
}

START_TEST(reads_what_a_program_measured) {
  double seconds = 0;
  ck_assert_int_eq(shell("echo 0.25", &seconds, NULL), VB_OK);
  ck_assert_double_eq(seconds, 0.25);
}
END_TEST

START_TEST(reports_how_a_program_ended) {
  double seconds = 7;
  vb_error error = {0};
  ck_assert_int_eq(shell("echo 0.25; exit 3", &seconds, &error), VB_FAILED);
  ck_assert_ptr_nonnull(strstr(error.message, "code 3"));
  ck_assert_int_eq(shell("kill -9 $$", &seconds, &error), VB_FAILED);
  ck_assert_ptr_nonnull(strstr(error.message, "signal 9"));
  ck_assert_int_eq(shell("echo nothing", &seconds, &error), VB_FAILED);
  ck_assert_int_eq(shell("echo -1", &seconds, &error), VB_FAILED);
  ck_assert_int_eq(shell("echo nan", &seconds, &error), VB_FAILED);
  ck_assert_double_eq(seconds, 7);
  char *missing[] = {(char[]){"/nowhere/at/all"}, NULL};
  ck_assert_int_eq(vb_launch_program(missing, &seconds, &error), VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "/nowhere/at/all"));
}
END_TEST

static TCase *launches(void) {
  TCase *tc = tcase_create("launches");
  tcase_add_test(tc, launches_alternate);
  tcase_add_test(tc, stops_at_a_launch_that_fails);
  tcase_add_test(tc, reads_what_a_program_measured);
  tcase_add_test(tc, reports_how_a_program_ended);
  return tc;
}

VB_TEST_MAIN("compare_launch", launches())
