// SPDX-License-Identifier: GPL-3.0-or-later
// Findings against their bands, and the files that hold these.
// Covers: src/gate/finding.* src/gate/band_file.*
#include "gate/band_file.h"
#include "gate/finding.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const vb_band RANGE = {VB_BAND_RANGE, 0.98, 1.02};

START_TEST(a_finding_is_held_against_its_band) {
  const struct {
    vb_comparator comparator;
    double reference;
    vb_band band;
    double value;
    vb_finding expected;
  } cases[] = {
      {VB_CLOSE_TO, 2, RANGE, 0.98, VB_FINDING_EXPECTED},
      {VB_CLOSE_TO, 2, RANGE, 1.02, VB_FINDING_EXPECTED},
      {VB_CLOSE_TO, 2, RANGE, 0.97, VB_FINDING_WORSE},
      {VB_CLOSE_TO, 2, RANGE, 1.1, VB_FINDING_BETTER},
      {VB_CLOSE_TO, 2, RANGE, 3.1, VB_FINDING_WORSE}, // beyond the reference, and farther from it
      {VB_CLOSE_TO, 1, RANGE, 1.03, VB_FINDING_WORSE},
      {VB_AT_MOST, 0.5, RANGE, 1.1, VB_FINDING_WORSE},
      {VB_AT_MOST, 0.5, RANGE, 0.9, VB_FINDING_BETTER},
      {VB_AT_MOST, 5, RANGE, 1.1, VB_FINDING_WORSE}, // it passes, and yet is nearer to the bound
      {VB_AT_LEAST, 0.5, RANGE, 0.9, VB_FINDING_WORSE},
      {VB_AT_LEAST, 5, RANGE, 1.1, VB_FINDING_BETTER},
      {VB_AT_LEAST, 5, RANGE, INFINITY, VB_FINDING_UNMEASURED},
      {VB_CLOSE_TO, 1, RANGE, NAN, VB_FINDING_UNMEASURED},
      {VB_CLOSE_TO, 1, {VB_BAND_MISSING, 0, 0}, 1, VB_FINDING_NO_BAND},
      {VB_CLOSE_TO, 1, {VB_BAND_MISSING, 0, 0}, NAN, VB_FINDING_UNMEASURED},
      {VB_CLOSE_TO, 1, {VB_BAND_NONE, 0, 0}, 1, VB_FINDING_FREE},
      {VB_CLOSE_TO, 1, {VB_BAND_NONE, 0, 0}, NAN, VB_FINDING_UNMEASURED},
      {VB_CLOSE_TO, 1, {VB_BAND_UNMEASURED, 0, 0}, NAN, VB_FINDING_EXPECTED},
      {VB_CLOSE_TO, 1, {VB_BAND_UNMEASURED, 0, 0}, 7, VB_FINDING_BETTER},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vb_gate gate = {.finding = true,
                    .comparator = cases[i].comparator,
                    .reference = cases[i].reference,
                    .band = cases[i].band};
    vb_finding found = vb_finding_evaluate(&gate, cases[i].value);
    ck_assert_msg(found == cases[i].expected, "case %zu is \"%s\"", i, vb_finding_words[found]);
    gate.finding = false;
    ck_assert_int_eq(vb_finding_evaluate(&gate, cases[i].value), VB_NO_FINDING);
  }
}
END_TEST

START_TEST(what_moves_fails_and_what_is_missed_does_not) {
  const vb_gate finding = {.finding = true}, gate = {0};
  vb_verdict_counts counts = {0};
  for (vb_finding k = VB_FINDING_EXPECTED; k <= VB_FINDING_FREE; k++) {
    const vb_verdict passed = {.passed = true, .finding = k}, missed = {.finding = k};
    bool moved = k == VB_FINDING_WORSE || k == VB_FINDING_BETTER || k == VB_FINDING_UNMEASURED;
    ck_assert_int_eq(vb_verdict_failed(&finding, &passed), moved);
    ck_assert_int_eq(vb_verdict_failed(&finding, &missed), moved);
    vb_verdict_count(&counts, &finding, &passed);
    vb_verdict_count(&counts, &finding, &missed);
    ck_assert_str_eq(vb_verdict_word(&finding, &missed), vb_finding_words[k]);
    if (k != VB_FINDING_EXPECTED)
      ck_assert_uint_eq(counts.findings[k], 2);
  }
  ck_assert_str_eq(vb_verdict_word(&finding, &(vb_verdict){true, true, VB_FINDING_EXPECTED, ""}),
                   "passed");
  vb_verdict_count(&counts, &gate, &(vb_verdict){.passed = true});
  vb_verdict_count(&counts, &gate, &(vb_verdict){.passed = false});
  ck_assert_uint_eq(counts.gates, 14);
  ck_assert_uint_eq(counts.n_findings, 12);
  ck_assert_uint_eq(counts.passed, 2);
  ck_assert_uint_eq(counts.expected, 1);
  ck_assert_uint_eq(counts.failed, 1);
}
END_TEST

static char folder[32], path[64];

static void set_up(void) {
  strcpy(folder, "/tmp/vb_bands_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/s.findings", folder);
}

static void tear_down(void) {
  unlink(path);
  rmdir(folder);
}

static void put(const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

/// The file behind its head of comments.
static const char *get(void) {
  static char text[4096];
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  char *at = text;
  while (*at == '#')
    at = strchr(at, '\n') + 1;
  return at;
}

static char *one[] = {"a"}, *two[] = {"a", "b"};
/// Two findings, a gate, one that depends on wall time, and two findings of one name.
static vb_gate gates[] = {{.name = "x\ty", .finding = true, .runs = one, .n_runs = 1},
                          {.name = "z", .finding = true, .runs = two, .n_runs = 2},
                          {.name = "gate", .runs = one, .n_runs = 1},
                          {.name = "t", .finding = true, .timed = true, .runs = one, .n_runs = 1},
                          {.name = "same", .finding = true, .runs = one, .n_runs = 1},
                          {.name = "same", .finding = true, .runs = one, .n_runs = 1}};
enum { N = sizeof gates / sizeof *gates };

static bool write_values(const double *value, const char *tier) {
  vb_verdict verdicts[N] = {{0}};
  bool evaluated[N], changed = false;
  vb_error error = {0};
  for (size_t i = 0; i < N; i++) {
    verdicts[i].value = value[i];
    evaluated[i] = value[i] != -1;
  }
  const vb_band_source source = {tier, gates, verdicts, evaluated, N};
  ck_assert_msg(vb_bands_write(path, &source, &changed, &error) == VB_OK, "%s", error.message);
  return changed;
}

static void read_bands(const char *tier) {
  vb_error error = {0};
  ck_assert_msg(vb_bands_read(path, tier, gates, N, &error) == VB_OK, "%s", error.message);
}

START_TEST(bands_are_written_and_read_again) {
  const double first[N] = {1, -2, 5, 6, 0, 8}, inside[N] = {1.015, -2.03, 5, 7, 0, 7.9},
               other[N] = {1.1, NAN, 5, 7, 0, -1};
  static const char LINES[] = "quick\t0.98\t1.02\ta\tx y\t\n"
                              "quick\t-2.04\t-1.96\ta b\tz\t\n"
                              "quick\t0\t0\ta\tsame\t\n"
                              "quick\t7.84\t8.16\ta\tsame\t\n";
  read_bands("quick"); // there is no file
  ck_assert_int_eq(gates[0].band.kind, VB_BAND_MISSING);
  ck_assert(write_values(first, "quick"));
  ck_assert_str_eq(get(), LINES);
  ck_assert(!write_values(inside, "quick"));
  ck_assert(write_values(other, "full"));
  ck_assert(write_values(other, "quick"));
  // What was not measured or not evaluated keeps its line.
  ck_assert_str_eq(get(), "quick\t1.078\t1.122\ta\tx y\t\n"
                          "quick\t-2.04\t-1.96\ta b\tz\t\n"
                          "quick\t0\t0\ta\tsame\t\n"
                          "quick\t7.84\t8.16\ta\tsame\t\n"
                          "full\t1.078\t1.122\ta\tx y\t\n"
                          "full\t0\t0\ta\tsame\t\n");
  read_bands("quick");
  ck_assert_double_eq(gates[0].band.low, 1.078);
  ck_assert_double_eq(gates[1].band.high, -1.96);
  ck_assert_int_eq(gates[2].band.kind, VB_BAND_NONE);
  ck_assert_int_eq(gates[3].band.kind, VB_BAND_NONE);
  ck_assert_double_eq(gates[4].band.high, 0);
  ck_assert_double_eq(gates[5].band.low, 7.84);
  read_bands("full");
  ck_assert_int_eq(gates[1].band.kind, VB_BAND_MISSING);
}
END_TEST

START_TEST(a_reason_keeps_its_width) {
  const double moved[N] = {4, 0.5, 5, 6, NAN, 3};
  put("quick\t1\t3\ta\tx y\tchaos: 1 to 3 in ten runs\n"
      "quick\t-1\t0.2\ta b\tz\trounding\n"
      "quick\tunmeasured\tunmeasured\ta\tsame\tit diverges\n"
      "quick\tunmeasured\tunmeasured\ta\tsame\tit diverges\n"
      "quick\t1\t1\ta\tgone\t\n");
  read_bands("quick");
  ck_assert_int_eq(gates[4].band.kind, VB_BAND_UNMEASURED);
  ck_assert(write_values(moved, "quick"));
  ck_assert_str_eq(get(), "quick\t2\t6\ta\tx y\tchaos: 1 to 3 in ten runs\n"
                          "quick\t-0.1\t1.1\ta b\tz\trounding\n"
                          "quick\tunmeasured\tunmeasured\ta\tsame\tit diverges\n"
                          "quick\t2.94\t3.06\ta\tsame\t\n");
}
END_TEST

START_TEST(no_lines_are_no_file) {
  const double none[N] = {NAN, NAN, 5, 6, NAN, NAN};
  ck_assert(!write_values(none, "quick"));
  ck_assert_int_ne(access(path, F_OK), 0);
  put("quick\t1\t1\ta\tgone\t\n");
  ck_assert(write_values(none, "quick"));
  ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(bad_lines_are_reported_with_their_place) {
  const struct {
    const char *line, *complaint;
  } cases[] = {
      {"quick\t1\t1\ta\tx", "s.findings:2: the line has 5 of the fields"},
      {"quack\t1\t1\ta\tx\t", "s.findings:2: the tier is \"quack\"; use quick or full"},
      {"quick\t2\t1\ta\tx\t", "the band is \"2\" to \"1\"; use two numbers"},
      {"quick\t1\tnan\ta\tx\t", "the band is \"1\" to \"nan\""},
      {"quick\t1\tunmeasured\ta\tx\t", "the band is \"1\" to \"unmeasured\""},
      {"quick\tunmeasured\tunmeasured\ta\tx\t", "state the reason in the last field"},
      {"quick\t0.94\t1\ta\tx\t", "the band 0.94 to 1 is 6 % wide, more than 5 %"},
      {"quick\t-1e-9\t1e-9\ta\tx\t", "is 200 % wide"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    vb_error error = {0};
    snprintf(text, sizeof text, "# head\n%s\n", cases[i].line);
    put(text);
    ck_assert_int_eq(vb_bands_read(path, "quick", gates, N, &error), VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, cases[i].complaint) != NULL, "case %zu: %s", i,
                  error.message);
  }
}
END_TEST

static TCase *bands(void) {
  TCase *tests = tcase_create("bands");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, a_finding_is_held_against_its_band);
  tcase_add_test(tests, what_moves_fails_and_what_is_missed_does_not);
  tcase_add_test(tests, bands_are_written_and_read_again);
  tcase_add_test(tests, a_reason_keeps_its_width);
  tcase_add_test(tests, no_lines_are_no_file);
  tcase_add_test(tests, bad_lines_are_reported_with_their_place);
  return tests;
}

VB_TEST_MAIN("finding", bands())
