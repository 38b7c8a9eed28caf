// SPDX-License-Identifier: GPL-3.0-or-later
/// What kernels do, counted, against tests/emulator/counts.txt: a change that makes them slower is
/// seen without a device. "make recount" writes that file anew; its changes are part of a commit.
/// Covers: src/bench/count_kernels.* src/bench/kernel_counts.h
#include "bench/count_kernels.h"
#include "emulator.h"
#include "script/study/study_script.h"
#include "test.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Counts are integers and exact. They may move by so much without being looked at: what the
/// counted steps begin from may come to lie a rounding apart when physics changes elsewhere.
static const double MOST_CHANGE = 0.01;

/// A number of a row that is compared: launches, instructions, barriers, accesses, cycles. What
/// follows (registers, room, a model's time) is the machine code's and the model's.
enum { COMPARED = 9, LINE = 512 };

static const struct {
  const char *study;
  vb_setting settings[2];
  size_t n_settings;
} studies[] = {{"rods", {{"bodies", "2"}, {"nodes", "17"}}, 2},
               {"octopuses", {{"octopuses", "2"}}, 1},
               {"octopuses", {{"octopuses", "20"}}, 1}, // more blocks, of bodies beside each other
               {"contact_crowd", {{"n", "2"}, {"after", "60"}}, 2},
               {"octopuses", {{NULL, NULL}}, 0}}; // a hundred, as in the paper

/// Counts depend on the compiler and on what it compiles for.
static void print_origin(FILE *out, int target) {
  fprintf(out, "PTX for sm_%d by CUDA %d.%d\n", target, CUDART_VERSION / 1000,
          CUDART_VERSION % 1000 / 10);
}

static void count_all(FILE *out) {
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
    vb_option cuda = {"backend", "cuda"};
    vb_study_request request = {.name = studies[i].study,
                                .tier = "quick",
                                .parameters = studies[i].settings,
                                .n_parameters = studies[i].n_settings,
                                .options = &cuda,
                                .n_options = 1};
    vb_study *study;
    vb_error error = {0};
    ck_assert_msg(vb_study_load(&request, &study, &error) == VB_OK, "%s", error.message);
    ck_assert_msg(vb_bench_count(out, study, "H100", &error) == VB_OK, "%s", error.message);
    vb_study_destroy(study);
  }
}

/// Splits a row of a kernel: its name and the numbers; false where the line is none.
static bool read_row(const char *line, char name[LINE], double number[COMPARED]) {
  int at = 0;
  if (strncmp(line, "  ", 2) != 0 || sscanf(line, "%511s%n", name, &at) != 1)
    return false;
  for (int k = 0; k < COMPARED; k++) {
    int length = 0;
    if (sscanf(line + at, "%lf%n", &number[k], &length) != 1)
      return false;
    at += length;
  }
  return true;
}

static bool compare_rows(const char *expected, const char *counted, const char *where) {
  static const char *const names[COMPARED] = {"launches",
                                              "instructions of the longest warp",
                                              "instructions",
                                              "barriers",
                                              "grid barriers",
                                              "sectors of global memory",
                                              "lines looked up",
                                              "accesses of shared memory",
                                              "cycles of the longest block"};
  char name[2][LINE];
  double number[2][COMPARED];
  bool same = true, row = read_row(expected, name[0], number[0]);
  if (row != read_row(counted, name[1], number[1]) || (row && strcmp(name[0], name[1]) != 0) ||
      (!row && strcmp(expected, counted) != 0)) {
    fprintf(stderr, "%s: expected \"%s\", counted \"%s\"\n", where, expected, counted);
    return false;
  }
  for (int k = 0; row && k < COMPARED; k++)
    if (!(fabs(number[1][k] - number[0][k]) <= MOST_CHANGE * number[0][k])) {
      fprintf(stderr, "%s: %s: %s: %.10g, expected %.10g\n", where, name[0], names[k], number[1][k],
              number[0][k]);
      same = false;
    }
  return same;
}

/// A line without its end; false at the end of the file.
static bool next_line(FILE *file, char line[LINE]) {
  if (!fgets(line, LINE, file))
    return false;
  line[strcspn(line, "\n")] = '\0';
  return true;
}

static void compare_files(FILE *expected, FILE *counted) {
  char e[LINE], c[LINE], where[LINE] = "";
  bool same = true, more[2];
  while (more[0] = next_line(expected, e), more[1] = next_line(counted, c), more[0] && more[1]) {
    if (e[0] && e[0] != ' ')
      memcpy(where, e, sizeof e);
    same &= compare_rows(e, c, where);
  }
  ck_assert_msg(more[0] == more[1], "there are other cases");
  ck_assert_msg(same, "kernels do other than tests/emulator/counts.txt has; \"make recount\" "
                      "writes it anew where that is meant");
}

START_TEST(kernels_do_what_they_did) {
  const char *home = getenv("VIPERBENCH_HOME"), *again = getenv("RECOUNT");
  char path[4096], had[LINE] = "", has[LINE];
  snprintf(path, sizeof path, "%s/tests/emulator/counts.txt", home ? home : ".");
  FILE *counted = tmpfile(), *file = fopen(path, "r");
  ck_assert_ptr_nonnull(counted);
  count_all(counted);
  FILE *out = again ? fopen(path, "w") : tmpfile();
  ck_assert_ptr_nonnull(out);
  print_origin(out, emulator_target());
  rewind(counted);
  if (again) {
    while (fgets(has, sizeof has, counted))
      fputs(has, out);
  } else {
    ck_assert_msg(file != NULL, "%s is missing", path);
    rewind(out);
    ck_assert(next_line(file, had) && next_line(out, has));
    if (strcmp(had, has) != 0)
      vb_skip("counts", had);
    else
      compare_files(file, counted);
  }
  if (file)
    fclose(file);
  fclose(out);
  fclose(counted);
}
END_TEST

static TCase *all(void) {
  TCase *t = tcase_create("counts");
  tcase_set_timeout(t, 300);
  tcase_add_test(t, kernels_do_what_they_did);
  return t;
}

VB_TEST_MAIN("emulator counts", all())
