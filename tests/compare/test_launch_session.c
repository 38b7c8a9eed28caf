// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether sessions of simulated launches call a slowdown, call equals equal, and say when they
/// cannot tell. The tries are those that the program is to stand on real machines.
/// Covers: src/compare/compare_launch.*
#include "compare/compare_launch.h"

#include "test.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/// A machine on which launches scatter.
typedef struct machine {
  gsl_rng *random;
  double slower;  ///< B's time over A's
  double scatter; ///< standard deviation of ln(time)
  double drift;   ///< of ln(time) from launch to launch, as of a machine that grows warm
  double spikes;  ///< part of the launches that take up to a fifth longer
  int64_t launches;
  size_t a, b;
  int64_t fails_at;
} machine;

static vb_status play(void *context, int which, double *seconds, vb_error *error) {
  machine *m = context;
  m->launches++;
  m->a += which == 0;
  m->b += which == 1;
  if (m->launches == m->fails_at)
    return vb_error_set(error, VB_FAILED, "no");
  double noise = gsl_ran_gaussian(m->random, m->scatter) + m->drift * (double)m->launches;
  if (gsl_rng_uniform(m->random) < m->spikes)
    noise += 0.2 * gsl_rng_uniform(m->random);
  *seconds = (which ? m->slower : 1) * exp(noise);
  return VB_OK;
}

/// How many of `tries` sessions come to each verdict.
static void count(machine about, size_t tries, size_t out[4]) {
  memset(out, 0, 4 * sizeof *out);
  about.random = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t i = 0; i < tries; i++) {
    vb_launch_session session;
    ck_assert_int_eq(vb_launch_session_run(play, &about, NULL, &session, NULL), VB_OK);
    out[session.verdict]++;
  }
  gsl_rng_free(about.random);
}

START_TEST(launches_alternate_after_warm_up) {
  machine m = {.random = gsl_rng_alloc(gsl_rng_mt19937), .slower = 1.5};
  vb_launch_session s;
  ck_assert_int_eq(vb_launch_session_run(play, &m, NULL, &s, NULL), VB_OK);
  ck_assert_int_eq(m.launches, VB_SESSION_LAUNCHES);
  ck_assert(m.a == 1 + 3 * VB_LAUNCH_PAIRS && m.b == 1 + VB_LAUNCH_PAIRS);
  for (size_t i = 0; i < VB_LAUNCH_PAIRS; i++) {
    ck_assert_double_eq(s.equal[i], 0);
    ck_assert_double_eq_tol(s.log_ratio[i], log(1.5), 1e-15);
    ck_assert(s.time[0][i] == 1 && s.time[1][i] == 1.5);
  }
  ck_assert(s.verdict == VB_COMPARED_SLOWER && s.margin == VB_MIN_MARGIN);
  gsl_rng_free(m.random);
}
END_TEST

START_TEST(finds_three_percent_and_none_between_equals) {
  static const machine quiet[] = {{.scatter = 0.003}, {.scatter = 0.002, .drift = 2e-4}};
  for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
    size_t verdicts[4];
    machine m = quiet[i];
    m.slower = 1.03;
    count(m, 200, verdicts);
    ck_assert_uint_ge(verdicts[VB_COMPARED_SLOWER], 180); // 9 of 10
    m.slower = 1 / 1.03;
    count(m, 200, verdicts);
    ck_assert_uint_ge(verdicts[VB_COMPARED_FASTER], 180);
    m.slower = 1;
    count(m, 200, verdicts);
    ck_assert_uint_le(verdicts[VB_COMPARED_SLOWER] + verdicts[VB_COMPARED_FASTER], 10); // 1 of 20
  }
}
END_TEST

START_TEST(reports_inconclusive_sessions) {
  size_t verdicts[4];
  count((machine){.scatter = 0.03, .slower = 1.03}, 200, verdicts);
  ck_assert_uint_ge(verdicts[VB_COMPARED_INCONCLUSIVE], 190);
  count((machine){.scatter = 0.03, .slower = 1}, 200, verdicts);
  ck_assert_uint_ge(verdicts[VB_COMPARED_INCONCLUSIVE], 195);
  ck_assert_uint_eq(verdicts[VB_COMPARED_SAME], 0); // not within so wide a margin
  count((machine){.scatter = 0.03, .slower = 2}, 200, verdicts);
  ck_assert_uint_eq(verdicts[VB_COMPARED_SLOWER], 200); // far beyond it
  // Now and then something else runs: a session that meets it has a wide margin and does not tell.
  count((machine){.scatter = 0.002, .spikes = 0.02, .slower = 1.03}, 200, verdicts);
  ck_assert_uint_eq(verdicts[VB_COMPARED_SLOWER] + verdicts[VB_COMPARED_INCONCLUSIVE], 200);
  ck_assert_uint_ge(verdicts[VB_COMPARED_SLOWER], 100);
}
END_TEST

START_TEST(a_launch_that_fails_ends_the_session) {
  machine m = {.random = gsl_rng_alloc(gsl_rng_mt19937), .slower = 1, .fails_at = 9};
  vb_launch_session s = {.margin = 7};
  vb_error error = {0};
  ck_assert_int_eq(vb_launch_session_run(play, &m, NULL, &s, &error), VB_FAILED);
  ck_assert_str_eq(error.message, "no");
  ck_assert(s.margin == 7 && m.launches == 9);
  gsl_rng_free(m.random);
}
END_TEST

static TCase *sessions(void) {
  TCase *tc = tcase_create("sessions");
  tcase_add_test(tc, launches_alternate_after_warm_up);
  tcase_add_test(tc, finds_three_percent_and_none_between_equals);
  tcase_add_test(tc, reports_inconclusive_sessions);
  tcase_add_test(tc, a_launch_that_fails_ends_the_session);
  return tc;
}

VB_TEST_MAIN("launch_session", sessions())
