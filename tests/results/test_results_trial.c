// SPDX-License-Identifier: GPL-3.0-or-later
// A file that crashes HDF5, or is damaged, is left out with one sentence, and the rest is there.
// Covers: src/results/results_trial.* src/report/report_results.* src/report/report_study.*
#include "cli_fixture.h"

#include "base/clock.h"

#include <hdf5.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>

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

/// Has HDF5 crash on a file, and on no other: no file is known by which every version does.
static void make_it_crash(const char *name) {
  char path[256], fake[PATH_MAX];
  FILE *file = fopen(in_folder(name, path), "ab");
  ck_assert_ptr_nonnull(file);
  ck_assert(fputs("PLANTED", file) != EOF && fclose(file) == 0);
  ck_assert_ptr_nonnull(realpath("build/tests/fake_hdf5.so", fake));
  setenv("LD_PRELOAD", fake, 1);
  setenv("FAKE_HDF5", "crash where planted", 1);
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

/// What lies in the folder of results beside those of five studies, and no reader gets through.
static const char *const ODD[] = {"pipe.h5",  "folder.h5", "loop.h5",   "zero.h5",
                                  "here.h5",  "sparse.h5", "huge.h5",   "dangling.h5",
                                  "empty.h5", "cut.h5",    "s1-pipe.h5"};

enum { N_ODD = sizeof ODD / sizeof *ODD };

/// Makes the n-th of them.
static void make_odd(int n) {
  static const char *const LINKS[][2] = {
      {"loop.h5", "loop.h5"}, {"/dev/zero", "zero.h5"}, {".", "here.h5"}, {"none", "dangling.h5"}};
  char name[64], path[256], run[256], command[700];
  snprintf(name, sizeof name, "o/%s", ODD[n]);
  in_folder(name, path);
  snprintf(command, sizeof command, "cp %s %s", in_folder("o/s1-s1.h5", run), path);
  for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++)
    if (strcmp(LINKS[i][1], ODD[n]) == 0) {
      ck_assert_int_eq(symlink(LINKS[i][0], path), 0);
      return;
    }
  if (strstr(ODD[n], "pipe")) {
    ck_assert_int_eq(mkfifo(path, 0600), 0);
  } else if (strcmp(ODD[n], "folder.h5") == 0) {
    ck_assert_int_eq(mkdir(path, 0700), 0);
  } else {
    bool whole = strcmp(ODD[n], "huge.h5") == 0 || strcmp(ODD[n], "cut.h5") == 0;
    if (whole)
      ck_assert_int_eq(system(command), 0);
    else
      write_file(name, "");
  }
  if (strcmp(ODD[n], "huge.h5") == 0 || strcmp(ODD[n], "sparse.h5") == 0)
    ck_assert_int_eq(truncate(path, (off_t)1 << 40), 0);
  if (strcmp(ODD[n], "cut.h5") == 0)
    cut(name);
}

static const char *const MANY[] = {"report @/o --out @/r.html --quiet", "history @/o", "gates @/o",
                                   "site @/o --out @/site --quiet"};

enum { N_MANY = sizeof MANY / sizeof *MANY };

/// Each is left out with a sentence of its own within seconds, and the rest is there.
START_TEST(odd_things_in_a_folder_are_left_out) {
  char line[128];
  for (int i = 0; i < N_ODD; i++)
    make_odd(i);
  double begun = vb_clock();
  expect(MANY[_i], 0, "(left out)\n");
  ck_assert_msg(vb_clock() - begun < 60, "it took %g s", vb_clock() - begun); // for ever, or 2 s
  ck_assert_msg(count(error_output, "\n") == N_ODD, "%s", error_output);
  for (int i = 0; i < N_ODD; i++) {
    snprintf(line, sizeof line, "/o/%s ", ODD[i]);
    snprintf(line + 64, 64, "/o/%s:", ODD[i]);
    ck_assert_msg(strstr(error_output, line) || strstr(error_output, line + 64), "%s: %s", ODD[i],
                  error_output);
  }
  if (_i == 0)
    ck_assert_uint_eq(studies_of("r.html"), STUDIES);
  expect("join s1 s2 --out @/o", 0, "");
}
END_TEST

/// Adds a list of a terabyte, of which nothing is on the disk but as much as makes the file none
/// that is refused for its holes.
static void make_long(const char *name) {
  static const char zeros[1 << 20];
  char path[256];
  hsize_t n = (hsize_t)1 << 28;
  hid_t file = H5Fopen(in_folder(name, path), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &n, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
  for (int i = 0; i < 4; i++) {
    char list[32];
    snprintf(list, sizeof list, "gates/long%d", i);
    H5Dclose(H5Dcreate2(file, list, H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
  }
  H5Pclose(plist);
  H5Sclose(space);
  H5Fclose(file);
  FILE *added = fopen(path, "ab");
  for (int i = 0; i < 160; i++)
    ck_assert_uint_eq(fwrite(zeros, sizeof zeros, 1, added), 1);
  ck_assert_int_eq(fclose(added), 0);
}

/// A signal ends the wait for a reader that is busy.
START_TEST(a_signal_ends_a_long_read) {
  make_long("o/s2-s2.h5");
  double begun = vb_clock();
  pid_t program = start("report @/o --out @/r.html --quiet");
  poll(NULL, 0, 1500);
  kill(program, SIGTERM);
  int code = finish(program);
  double took = vb_clock() - begun;
  ck_assert_msg(code == 128 + SIGTERM, "exit code %d after %g s: %s", code, took, error_output);
  ck_assert_msg(took < 30, "it took %g s", took);
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
  tcase_add_loop_test(c, odd_things_in_a_folder_are_left_out, 0, N_MANY);
  tcase_add_test(c, a_signal_ends_a_long_read);
  tcase_add_test(c, its_run_is_executed_again);
  return c;
}

VB_TEST_MAIN("results: trials", trials())
