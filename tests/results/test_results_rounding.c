// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that are rounded when a run is finished, and those that are not.
// Covers: src/results/results_rounding.* src/study/exact_frames.* src/results/h5_repack.*
#include "compare/record.h"
#include "results/results_rounding.h"
#include "results_fixture.h"
#include "study/exact_frames.h"

/// What the fake solver's node 3 has for x in a frame.
static double exact_x(size_t frame) {
  double t = 0.01 * (double)frame;
  return 0.1 * 3 + FAKE_AMPLITUDE * sin(2 * t + 3);
}

/// Records all frames, `exact` or rounded; `slowly`: through a file that grows, as of a run that
/// takes seconds.
static void write_frames_as(bool slowly, bool exact) {
  fix.run.record.exact = exact;
  fix.run.record.frames_every = 1;
  vb_results *results = create();
  int64_t start = 0;
  fake_restore(fix.instance, &start, &fix.error);
  for (int64_t step = 0; step <= STEPS; step++) {
    ck_assert(!record_step(results, step));
    if (slowly && step % 7 == 3)
      ck_assert(!vb_results_flush(results, &fix.error));
  }
  ck_assert_msg(!vb_results_close(results, "complete", NULL, &fix.error), "%s", fix.error.message);
}

static void write_frames(bool slowly) {
  write_frames_as(slowly, false);
}

/// The error that the file tells of a field; 0 where it tells none.
static double told(const char *quantity) {
  vb_record record;
  vb_record_shape shape;
  ck_assert(!vb_record_open(fix.path, NULL, &record, &fix.error));
  ck_assert(vb_record_find(&record, quantity, &shape));
  vb_record_close(&record);
  return shape.rounding;
}

/// Expects the x of node 3 to be exact in frames whose bit is set in `exact`, off by no more than
/// `allowed` where it is set in `read`, almost exact at the ends, and rounded in the others.
static void expect_exact(uint32_t exact, uint32_t read, double allowed) {
  vb_column c = column(fix.path, "frames/position", 3, 0);
  double error = told("frames/position");
  ck_assert_uint_eq(c.n, STEPS + 1);
  // The other body is 1 m away, so that multiples of 2^-20 m are stored.
  ck_assert_double_eq(error, 0x1p-21);
  for (size_t k = 0; k < c.n; k++) {
    double off = fabs(c.y[k] - exact_x(k));
    ck_assert_msg((off == 0) == (exact >> k & 1), "frame %zu is off by %g", k, off);
    bool end = k == 0 || k == STEPS;
    ck_assert_double_le(off, end ? 0x1p-33 : read >> k & 1 ? allowed : error);
    ck_assert_double_eq(c.x[k], 0.01 * (double)k);
  }
  vb_column_free(&c);
}

START_TEST(the_ends_are_rounded_least) {
  write_frames(_i);
  expect_exact(0, 0, 0);
}
END_TEST

/// Errors of volume have 32 bits where frames are rounded, else more.
START_TEST(errors_have_few_bits) {
  bool more = false;
  write_frames_as(false, _i);
  vb_column c = column(fix.path, "stretch_error/rms", -1, -1);
  ck_assert_uint_gt(c.n, 2);
  for (size_t k = 0; k < c.n; k++) {
    int power;
    double whole = ldexp(frexp(c.y[k], &power), 32);
    more = more || whole != rint(whole);
  }
  vb_column_free(&c);
  ck_assert_int_eq(more, _i);
}
END_TEST

START_TEST(equal_runs_have_equal_frames) {
  double of_both[2][STEPS + 1];
  for (int slowly = 0; slowly < 2; slowly++) {
    write_frames(slowly);
    vb_column c = column(fix.path, "frames/scale", 1, -1);
    ck_assert_uint_eq(c.n, STEPS + 1);
    memcpy(of_both[slowly], c.y, sizeof of_both[slowly]);
    vb_column_free(&c);
    unlink(fix.path);
  }
  ck_assert_mem_eq(of_both[0], of_both[1], sizeof of_both[0]);
}
END_TEST

/// What a gate of a time reads: exact where its tolerance is less than 2^12 times the error of
/// 2^-33, where it makes more of the numbers than one of them, and where it is a finding, whose
/// band may be narrow.
START_TEST(what_gates_read_is_as_exact_as_they_need) {
  static const struct {
    double tolerance;
    vb_combination combination;
    bool relative, finding, exact;
  } cases[] = {{1e-6, VB_SINGLE, false, false, false}, {1e-7, VB_SINGLE, false, false, true},
               {1e-3, VB_SINGLE, true, false, true},   {1e-3, VB_RATIO, false, false, true},
               {1e-3, VB_SINGLE, false, true, true},   {1e-3, VB_DIFFERENCE, false, false, false}};
  uint32_t read = 7U << 7; // that of the time, and its neighbors
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fix.gate.quantity = "frames/position";
    fix.gate.measure = VB_MEASURE_VALUE;
    fix.gate.from = 0.08;
    fix.gate.comparator = VB_CLOSE_TO;
    fix.gate.reference = 1e-6;
    fix.gate.tolerance = cases[i].tolerance;
    fix.gate.combination = cases[i].combination;
    fix.gate.relative = cases[i].relative;
    fix.gate.finding = cases[i].finding;
    fix.run.record.exact = false;
    ck_assert(!vb_study_keep_frames(&fix.study, &fix.error));
    write_frames(_i);
    expect_exact(cases[i].exact ? read : 0, read, fmin(cases[i].tolerance * 0x1p-12, 0x1p-25));
    vb_record_plan_clear(
        &(vb_record_plan){.kept = fix.run.record.kept, .n_kept = fix.run.record.n_kept});
    fix.run.record.kept = NULL;
    fix.run.record.n_kept = 0;
    unlink(fix.path);
  }
}
END_TEST

/// Which frames a gate keeps, of how many windows.
START_TEST(gates_of_other_fields_keep_none) {
  const struct {
    const char *quantity;
    vb_measure measure;
    size_t n;
  } cases[] = {{"energy/stretch", VB_MEASURE_MAXIMUM, 0}, {"frames/position", VB_MEASURE_FINAL, 1},
               {"frames/position", VB_MEASURE_FIRST, 1},  {"frames/position", VB_MEASURE_DRIFT, 1},
               {"frames/vertices", VB_MEASURE_FINAL, 1},  {"frames/radius", VB_MEASURE_FIRST, 1},
               {"momentum/angular", VB_MEASURE_DRIFT, 1}, {"ribbon/writhe", VB_MEASURE_MAXIMUM, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fix.gate.quantity = (char *)cases[i].quantity;
    fix.gate.measure = cases[i].measure;
    fix.run.record.exact = false;
    ck_assert(!vb_study_keep_frames(&fix.study, &fix.error));
    ck_assert_msg(fix.run.record.n_kept == cases[i].n, "%s", cases[i].quantity);
    ck_assert(!fix.run.record.exact);
    bool end = cases[i].measure == VB_MEASURE_FIRST || cases[i].measure == VB_MEASURE_FINAL;
    if (cases[i].n > 0)
      ck_assert_int_eq(fix.run.record.kept[0].ends,
                       end && strcmp(cases[i].quantity, "frames/position") == 0);
    vb_record_plan_clear(
        &(vb_record_plan){.kept = fix.run.record.kept, .n_kept = fix.run.record.n_kept});
    fix.run.record.kept = NULL;
    fix.run.record.n_kept = 0;
  }
}
END_TEST

START_TEST(full_and_gold_runs_are_exact) {
  static char *const tiers[] = {"full", "gold"};
  fix.study.tier = tiers[_i];
  fix.run.record.exact = false;
  ck_assert(!vb_study_keep_frames(&fix.study, &fix.error));
  ck_assert(fix.run.record.exact);
}
END_TEST

/// A number that is not finite stays, and does not count.
START_TEST(numbers_that_are_not_finite_stay) {
  double values[] = {0.1, NAN, -INFINITY, 3.0 + 1e-9}, time[] = {0, 1, 2};
  vb_field_reach reach = {.name = "velocity"};
  vb_record_plan plan = {.every = 1};
  vb_field_reach_add(&reach, values, 4);
  ck_assert_double_eq(reach.greatest, 3.0 + 1e-9);
  vb_rounding rounding = {&plan, time, 3, &reach, 1};
  vb_rounding_apply(&rounding, "run/frames/velocity", 1, 1, 4, values);
  ck_assert(isnan(values[1]) && values[2] == -INFINITY && values[3] == 3.0);
  ck_assert_double_eq_tol(values[0], 0.1, 0x1p-20);
  ck_assert(values[0] != 0.1);
  values[3] = 3.0 + 1e-9;
  vb_rounding_apply(&rounding, "run/energy/velocity", 1, 1, 4, values);
  ck_assert_double_eq(values[3], 3.0 + 1e-9);
  // The last frame is rounded less, unless the field follows from others.
  for (int derived = 0; derived < 2; derived++) {
    reach.follows = derived;
    values[3] = 3.0 + 1e-9;
    vb_rounding_apply(&rounding, "run/frames/velocity", 2, 1, 4, values);
    ck_assert_double_eq(values[3], derived ? 3.0 : 3.0 + 0x1p-30);
  }
}
END_TEST

/// What gates read of a field that follows from others has 24 bits, the rest 20.
START_TEST(measured_frames_have_four_bits_more) {
  double value = 3.0 + 0x1p-23, time[] = {0, 1, 2, 3, 4, 5};
  vb_field_reach reach = {.name = "vertices", .greatest = 3.5, .follows = true};
  vb_exact_frames measured = {.field = (char[]){"vertices"}, .from = 4, .to = 4};
  vb_record_plan plan = {.every = 1, .kept = &measured, .n_kept = 1};
  vb_rounding rounding = {&plan, time, 6, &reach, 1};
  for (size_t k = 0; k < 6; k++) {
    double x = value;
    vb_rounding_apply(&rounding, "run/frames/vertices", k, 1, 1, &x);
    ck_assert_double_eq(x, k < 3 ? 3.0 : value); // frame 4 and its neighbors
  }
  ck_assert_double_eq(vb_rounding_error(&rounding, "run/frames/vertices"), 0x1p-20);
  ck_assert_double_eq(vb_rounding_step(&reach), 0x1p-23);
}
END_TEST

/// Of quaternions, frames that are looked at have 17 bits.
START_TEST(quaternions_have_three_bits_less) {
  double value = 0.7 + 1e-12, time[] = {0, 1, 2};
  vb_field_reach reach = {.name = "frame", .greatest = 1, .turns = true};
  vb_record_plan plan = {.every = 1};
  vb_rounding rounding = {&plan, time, 3, &reach, 1};
  vb_rounding_apply(&rounding, "run/frames/frame", 1, 1, 1, &value);
  ck_assert_double_eq(value, rint(0.7 * 0x1p17) * 0x1p-17);
  ck_assert_double_eq(vb_rounding_error(&rounding, "run/frames/frame"), 0x1p-18);
}
END_TEST

static TCase *rounding_case(void) {
  TCase *c = tcase_create("rounding");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, measured_frames_have_four_bits_more);
  tcase_add_test(c, quaternions_have_three_bits_less);
  tcase_add_loop_test(c, the_ends_are_rounded_least, 0, 2);
  tcase_add_loop_test(c, errors_have_few_bits, 0, 2);
  tcase_add_test(c, equal_runs_have_equal_frames);
  tcase_add_loop_test(c, what_gates_read_is_as_exact_as_they_need, 0, 2);
  tcase_add_test(c, gates_of_other_fields_keep_none);
  tcase_add_loop_test(c, full_and_gold_runs_are_exact, 0, 2);
  tcase_add_test(c, numbers_that_are_not_finite_stay);
  return c;
}

VB_TEST_MAIN("results_rounding", rounding_case())
