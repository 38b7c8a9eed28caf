// SPDX-License-Identifier: GPL-3.0-or-later
// A file that crashes HDF5, or is damaged, is left out with one sentence, and the rest is there.
// Covers: src/results/results_trial.* src/report/report_results.* src/report/report_study.*
#include "cli_fixture.h"

#define STUDIES 5 ///< of one run each

static char *in_folder(const char *name, char out[256]) {
  snprintf(out, 256, "%s/%s", folder, name);
  return out;
}

static void set_up(void) {
  char name[64];
  make_home();
  for (int i = 0; i < STUDIES; i++) {
    snprintf(name, sizeof name, "scenarios/s%d.lua", i);
    write_file(name, "return { title = 'fall', build = function()\n"
                     "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
                     "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
                     "         material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
                     "  return s\n"
                     "end }\n");
  }
  expect("run all --out @/o --quiet", 0, "");
}

/// Makes the first text of the file longer than the file: HDF5 reads beyond its memory.
static void make_it_crash(const char *name) {
  static char bytes[1 << 20];
  char path[256];
  FILE *file = fopen(in_folder(name, path), "r+b");
  ck_assert_ptr_nonnull(file);
  size_t n = fread(bytes, 1, sizeof bytes, file);
  char *heap = memmem(bytes, n, "GCOL", 4);
  ck_assert_ptr_nonnull(heap);
  ck_assert_int_eq(fseek(file, heap - bytes + 25, SEEK_SET), 0);
  ck_assert(fputc(255, file) != EOF && fclose(file) == 0);
}

static void cut(const char *name) {
  char path[256];
  struct stat found;
  ck_assert_int_eq(stat(in_folder(name, path), &found), 0);
  ck_assert_int_eq(truncate(path, found.st_size / 2), 0);
}

static size_t count(const char *text, const char *word) {
  size_t n = 0;
  while ((text = strstr(text, word)) != NULL) {
    n++;
    text++;
  }
  return n;
}

/// The studies that the page has.
static size_t studies_of(const char *page) {
  static char text[4 << 20];
  read_file(page, text, sizeof text);
  return count(text, "<section id=\"study-s");
}

static void remove_indexes(void) {
  char name[32], path[256];
  for (int i = 0; i < STUDIES; i++) {
    snprintf(name, sizeof name, "o/s%d.h5", i);
    ck_assert_int_eq(unlink(in_folder(name, path)), 0);
  }
}

START_TEST(a_report_has_all_other_files) {
  make_it_crash("o/s2-s2.h5");
  expect("report @/o --out @/r.html --quiet", 0,
         "o/s2-s2.h5 is damaged: HDF5 crashes on it; make it anew");
  ck_assert_uint_eq(count(error_output, "\n"), 1);
  ck_assert_uint_eq(studies_of("r.html"), STUDIES); // the index tells of the run
  remove_indexes();
  expect("report @/o --out @/r.html --quiet", 0, "(left out)\n");
  ck_assert_uint_eq(count(error_output, "\n"), 1);
  ck_assert_uint_eq(studies_of("r.html"), STUDIES - 1);
  cut("o/s3-s3.h5");
  expect("report @/o/s0-s0.h5 @/o/s3-s3.h5 --out @/r.html --quiet", 0, "o/s3-s3.h5 is ");
  ck_assert_uint_eq(count(error_output, "\n"), 1);
  ck_assert_uint_eq(studies_of("r.html"), 1);
}
END_TEST

/// Commands that read one file, and have nothing left without it.
static const char *const SINGLE[] = {"info @/o/s2-s2.h5",
                                     "table @/o/s2-s2.h5",
                                     "table @/o/s2-s2.h5 energy/total",
                                     "table @/o/s2.h5 runs/s2/energy/total",
                                     "render @/o/s2-s2.h5 --out @/p.png --quiet",
                                     "render @/o/s2.h5 --run s2 --out @/p.png --quiet",
                                     "outline @/o/s2-s2.h5",
                                     "surface @/o/s2-s2.h5",
                                     "distance @/o/s2.h5 s2 s2",
                                     "plot @/o/s2-s2.h5",
                                     "pack @/o/s2.h5 --out @"};

enum { N_SINGLE = sizeof SINGLE / sizeof *SINGLE };

START_TEST(other_commands_tell_it) {
  make_it_crash("o/s2-s2.h5");
  expect(SINGLE[_i], 2, "o/s2-s2.h5 is damaged: HDF5 crashes on it; make it anew\n");
  ck_assert_uint_eq(count(error_output, "\n"), 1);
  ck_assert(!exists("p.png") && !exists("s2.h5"));
}
END_TEST

START_TEST(other_commands_tell_of_half_a_file) {
  cut("o/s2-s2.h5");
  expect(SINGLE[_i], 2, "o/s2-s2.h5 is ");
  ck_assert_uint_eq(count(error_output, "\n"), 1);
  ck_assert(!exists("p.png") && !exists("s2.h5"));
}
END_TEST

START_TEST(compare_tells_which_it_is) {
  make_it_crash("o/s2-s2.h5");
  expect("compare @/o/s2-s2.h5 @/o/s1-s1.h5", 2, "o/s2-s2.h5 is damaged: HDF5 crashes on it");
  expect("compare @/o/s1-s1.h5 @/o/s2-s2.h5", 2, "o/s2-s2.h5 is damaged: HDF5 crashes on it");
  expect("compare @/o/s2.h5 @/o/s2.h5", 2, "o/s2-s2.h5 is damaged: HDF5 crashes on it");
  cut("o/s3-s3.h5");
  expect("compare @/o/s3-s3.h5 @/o/s1-s1.h5", 2, "o/s3-s3.h5 is ");
}
END_TEST

START_TEST(nothing_left_is_bad_input) {
  make_it_crash("o/s2-s2.h5");
  expect("report @/o/s2-s2.h5 --out @/r.html --quiet", 2, "HDF5 crashes on it; make it anew");
  ck_assert_uint_eq(count(error_output, "\n"), 1);
  ck_assert(!exists("r.html"));
}
END_TEST

START_TEST(other_commands_have_the_rest_too) {
  make_it_crash("o/s2-s2.h5");
  cut("o/s3-s3.h5");
  expect("history @/o @/o", 0, "(left out)\n");
  ck_assert_uint_eq(count(error_output, "\n"), 4); // two files, twice
  expect("site @/o --out @/site --quiet", 0, "(left out)\n");
  ck_assert_uint_eq(count(error_output, "\n"), 2);
  ck_assert(exists("site/s1.html") && exists("site/s2.html"));
  expect("join s1 s2 s3 --out @/o", 4, "o/s2-s2.h5 is damaged, and is left out\n");
  ck_assert_uint_eq(count(error_output, "left out\n"), 2);
  ck_assert_ptr_nonnull(strstr(output, "1 run of 3 studies"));
}
END_TEST

START_TEST(its_run_is_executed_again) {
  make_it_crash("o/s2-s2.h5");
  expect("run s2 --out @/o --quiet", 0, "o/s2-s2.h5 was damaged, and its run was executed again");
  ck_assert(exists("o/s2-s2.h5.damaged"));
  expect("run s2 --out @/o --quiet", 0, "");
}
END_TEST

static TCase *trials(void) {
  TCase *c = tcase_create("trials");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 120);
  tcase_add_test(c, a_report_has_all_other_files);
  tcase_add_loop_test(c, other_commands_tell_it, 0, N_SINGLE);
  tcase_add_loop_test(c, other_commands_tell_of_half_a_file, 0, N_SINGLE);
  tcase_add_test(c, compare_tells_which_it_is);
  tcase_add_test(c, nothing_left_is_bad_input);
  tcase_add_test(c, other_commands_have_the_rest_too);
  tcase_add_test(c, its_run_is_executed_again);
  return c;
}

VB_TEST_MAIN("results: trials", trials())
