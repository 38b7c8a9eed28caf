// SPDX-License-Identifier: GPL-3.0-or-later
/// Problems: the kept references agree with each other within their errors and with what is
/// computed here, and planted faults of a solver are seen by the problems that say so.
/// Covers: src/script/problem/*.[ch] src/cli/problem_*.[ch] src/script/runtime/lua_include.[ch]
#include "reference/cosserat/collocation.h"
#include "reference/cosserat/elements.h"
#include "reference/cosserat/motion.h"
#include "script/problem/problem.h"
#include "test.h"

#include <math.h>

enum { N_PROBLEMS = 42, MOST_QUESTIONS = 16 };

static vb_problems problems;

static void read_all(void) {
  vb_error error = {0};
  const char *home = getenv("VIPERBENCH_HOME");
  ck_assert_msg(vb_problems_read(home ? home : ".", NULL, 0, false, &problems, &error) == VB_OK,
                "%s", error.message);
  ck_assert_uint_eq(problems.n, N_PROBLEMS);
}

static void free_all(void) {
  vb_problems_free(&problems);
}

/// A place, a load and an angle are of the order of the length or of 1.
static double scale_of(const vb_question *q) {
  return q->critical ? q->reference.value : q->scale;
}

static void check_question(const char *name, const vb_problem_case *of, const vb_question *q) {
  cosserat_value exact = {q->exact, 0}, values[3] = {exact, q->answer[0], q->answer[1]};
  int computed = 0;
  for (int a = 0; a < 3; a++) {
    computed += !isnan(values[a].value);
    for (int b = 0; b < a; b++)
      if (!isnan(values[a].value + values[b].value))
        ck_assert_msg(
            fabs(values[a].value - values[b].value) <= values[a].error + values[b].error + 1e-15,
            "%s/%s/%s: %.15g and %.15g", name, of->name, q->name, values[a].value, values[b].value);
  }
  ck_assert_msg(computed >= 2, "%s/%s/%s has less than two computations", name, of->name, q->name);
  // What is certified is known to 1e-8, so that solvers that reach 1e-6 can be told apart; of
  // motions to 4e-6, which solvers of second order do not reach in a minute (a load with kinks, the
  // hat in space, to 2.1e-6); means over seeds to 10 %, a fifth of what a pile without friction
  // loses of its height.
  ck_assert_msg(q->reference.error <= (q->seeds    ? 0.1
                                       : of->moves ? 4e-6
                                                   : 1e-8) *
                                          scale_of(q),
                "%s/%s/%s is off by up to %g", name, of->name, q->name, q->reference.error);
  ck_assert(q->critical || of->moves || !of->has_rod ||
            of->n_elements % 8 == 0); // quarters are ends of elements
}

START_TEST(kept_references_agree_within_their_errors) {
  for (size_t i = 0; i < problems.n; i++)
    for (size_t c = 0; c < problems.list[i].n_cases; c++)
      for (size_t q = 0; q < problems.list[i].cases[c].n_questions; q++)
        check_question(problems.list[i].name, &problems.list[i].cases[c],
                       &problems.list[i].cases[c].questions[q]);
}
END_TEST

/// Answers a question quickly: strings by collocation, all else by a few elements.
static vb_status answer(const vb_problem_case *of, const vb_question *q, cosserat_value *out) {
  size_t n = of->n_elements / 4 + 16;
  if (of->rod.string)
    return cosserat_collocate(&of->rod, &q->place, 1, out, NULL);
  return q->critical ? cosserat_elements_critical(&of->rod, n, q->range[0], q->range[1], out, NULL)
                     : cosserat_elements_solve(&of->rod, n, &q->place, 1, out, NULL);
}

/// Answers all questions of a motion by elements in steps of four times the length.
static vb_status answer_motion(const vb_problem_case *of, cosserat_value *out) {
  cosserat_place place[MOST_QUESTIONS];
  ck_assert_uint_le(of->n_questions, MOST_QUESTIONS);
  for (size_t q = 0; q < of->n_questions; q++)
    place[q] = of->questions[q].place;
  cosserat_motion coarse = of->motion;
  coarse.steps /= 4;
  return cosserat_move_elements(&of->rod, &coarse, of->n_elements, place, of->n_questions, out,
                                NULL);
}

/// The computation of the tests answers to 2e-5 of the size, motions to 1e-4, and each fault below
/// is seen where an answer is off by five times that.
static double sound(const vb_problem *p) {
  return p->cases[0].moves ? 1e-4 : 2e-5;
}

/// Faults of a solver, planted in what it is given.
static void plant(const char *fault, vb_problem_case *of) {
  cosserat_rod *rod = &of->rod;
  double *f = rod->flexibility;
  if (strcmp(fault, "mass") == 0) { // a half of a segment of 50 is missing at an end
    of->motion.mass *= 0.99;
  } else if (strcmp(fault, "bending") == 0) {
    f[3] /= 1.02;
    f[4] /= 1.02;
  } else if (strcmp(fault, "twist") == 0) {
    f[5] /= 1.02;
  } else if (strcmp(fault, "swapped") == 0) {
    double bend = f[3];
    f[3] = f[4] = f[5];
    f[5] = bend;
  } else if (strcmp(fault, "stretch") == 0) {
    f[2] /= 1.02;
  } else if (strcmp(fault, "curvature") == 0) {
    for (int k = 0; k < 3; k++)
      rod->bent[k] = rod->curvature[k] *= 1.01;
  } else {
    // Mass missing at an end is 1 % of the weight; a mixture of units, newtons taken for
    // kiloponds, all loads.
    double factor = strcmp(fault, "weight") == 0 ? 0.99 : 1 / 9.80665;
    for (int k = 0; k < 3; k++) {
      rod->weight[k] *= factor;
      rod->force[k] *= strcmp(fault, "weight") == 0 ? 1 : factor;
      rod->moment[k] *= strcmp(fault, "weight") == 0 ? 1 : factor;
    }
  }
}

/// By how much the answers of a problem are off, as a part of their size; infinite where there is
/// none. The first case and question that are off by more than `enough` end the search.
static double worst_error(const vb_problem *p, const char *fault, double enough) {
  double worst = 0;
  for (size_t c = 0; c < p->n_cases; c++) {
    vb_problem_case of = p->cases[c];
    cosserat_value all[MOST_QUESTIONS];
    if (fault)
      plant(fault, &of);
    if (worst <= enough && of.moves && answer_motion(&of, all))
      return INFINITY;
    for (size_t k = 0; k < of.n_questions && worst <= enough; k++) {
      const vb_question *q = &of.questions[k];
      if ((!of.moves && answer(&of, q, &all[k])) || isnan(q->reference.value))
        return INFINITY;
      worst = fmax(worst, fabs(all[k].value - q->reference.value) / scale_of(q));
    }
  }
  return worst;
}

/// What scripts compute anew is what is kept, to the last digits that a machine may leave open.
static void check_script(const vb_problem *p) {
  char *name = vb_arena_text(&problems.memory, p->name);
  const char *home = getenv("VIPERBENCH_HOME");
  vb_problems anew;
  ck_assert_int_eq(vb_problems_read(home ? home : ".", &name, 1, true, &anew, NULL), VB_OK);
  for (size_t c = 0; c < p->n_cases; c++)
    for (size_t q = 0; q < p->cases[c].n_questions; q++) {
      const vb_question *kept = &p->cases[c].questions[q];
      const vb_question *found = &anew.list[0].cases[c].questions[q];
      for (int k = 0; k < 2 && kept->method[k]; k++)
        ck_assert_double_eq_tol(found->answer[k].value, kept->answer[k].value,
                                kept->answer[k].error);
    }
  vb_problems_free(&anew);
}

/// Why a problem is not computed anew here, or null. Waves are resolved by so many elements in so
/// many steps that they take a third of the time of all; a rope that is fed is solved anew in each
/// step in which it lies down. Three take seconds by the same computations as shorter ones,
/// flying_rod_round and whip.
static const char *why_left_to_all(const vb_problem *p) {
  const vb_problem_case *of = &p->cases[0];
  if (getenv("ALL"))
    return NULL;
  if (of->questions[0].seeds)
    return "its seeds take a minute: ALL=1, as \"make nightly\" does";
  if (strcmp(p->name, "coiled_rope") == 0)
    return "its fed rope takes a minute: ALL=1, as \"make nightly\" does";
  if (strcmp(p->name, "flying_rod_plane") == 0 || strcmp(p->name, "flying_rod_space") == 0 ||
      strcmp(p->name, "folded_chain") == 0)
    return "its like is computed: ALL=1, as \"make nightly\" does";
  return of->moves && of->n_elements * (size_t)of->motion.steps > 2000
             ? "its wave takes ten seconds: ALL=1, as \"make nightly\" does"
             : NULL;
}

static bool is_left_to_all(const vb_problem *p) {
  const char *why = why_left_to_all(p);
  if (why)
    vb_skip(p->name, why);
  return why;
}

START_TEST(what_is_computed_anew_agrees) {
  const vb_problem *p = &problems.list[_i];
  if (is_left_to_all(p))
    return;
  if (!p->cases[0].has_rod) {
    check_script(p);
    return;
  }
  ck_assert_double_le(worst_error(p, NULL, INFINITY), sound(p));
}
END_TEST

START_TEST(each_fault_is_named_by_the_problems_that_see_it) {
  const vb_problem *p = &problems.list[_i];
  if (is_left_to_all(p))
    return;
  if (!p->cases[0].has_rod) // those are planted in entries, by tests/cli/test_cli_score.c
    return;
  ck_assert_ptr_nonnull(p->sees[0]);
  for (const char *const *fault = p->sees; *fault; fault++) {
    double seen = 5 * sound(p), error = worst_error(p, *fault, seen);
    ck_assert_msg(error > seen, "%s does not see the fault \"%s\": %g", p->name, *fault, error);
  }
}
END_TEST

START_TEST(an_unknown_problem_is_told_with_the_nearest) {
  char name[] = "elastika", *names[] = {name};
  vb_problems none;
  vb_error error = {0};
  ck_assert_int_eq(vb_problems_read(getenv("VIPERBENCH_HOME"), names, 1, false, &none, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "did you mean \"elastica\""));
  vb_problems_free(&none);
}
END_TEST

/// A mean over seeds is the mean of both computations; what a solver may be off by is told by the
/// greater error, and by how far both are apart.
START_TEST(means_over_seeds_are_pooled) {
  cosserat_value pooled = vb_question_pool((cosserat_value){1, 0.25}, (cosserat_value){2, 0.5});
  ck_assert_double_eq(pooled.value, 1.5);
  ck_assert_double_eq(pooled.error, 1);
}
END_TEST

/// A closed form comes first, then the smaller error.
START_TEST(the_reference_is_the_one_that_is_known_best) {
  cosserat_value a = {1, 1e-9}, b = {1.1, 1e-8}, none = {NAN, NAN};
  ck_assert_double_eq(vb_question_choose(NAN, a, b).value, 1);
  ck_assert_double_eq(vb_question_choose(NAN, b, a).value, 1);
  ck_assert_double_eq(vb_question_choose(NAN, none, b).value, 1.1);
  ck_assert_double_eq(vb_question_choose(NAN, a, none).value, 1);
  ck_assert_double_eq(vb_question_choose(2, a, b).value, 2);
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("problems");
  tcase_set_timeout(c, 300);
  tcase_add_unchecked_fixture(c, read_all, free_all);
  tcase_add_test(c, kept_references_agree_within_their_errors);
  tcase_add_loop_test(c, what_is_computed_anew_agrees, 0, N_PROBLEMS);
  tcase_add_loop_test(c, each_fault_is_named_by_the_problems_that_see_it, 0, N_PROBLEMS);
  tcase_add_test(c, an_unknown_problem_is_told_with_the_nearest);
  tcase_add_test(c, the_reference_is_the_one_that_is_known_best);
  tcase_add_test(c, means_over_seeds_are_pooled);
  return c;
}

VB_TEST_MAIN("problem", all())
