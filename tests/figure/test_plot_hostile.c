// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: what a file or a gnuplot that is not well cannot do.
// Covers: src/figure/*.[ch] src/base/scratch.*
#include "figure/gnuplot.h"
#include "figure/plot.h"
#include "figure_fixture.h"

#include <errno.h>
#include <hdf5.h>
#include <limits.h>
#include <time.h>

// ---- files that are not well ----

/// Replaces a dataset by one of texts.
static void replace_texts(const char *file, const char *name, const char **texts, hsize_t n) {
  char path[128];
  snprintf(path, sizeof path, "%s/o/%s", folder, file);
  hid_t id = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
  hid_t plist = H5Pcreate(H5P_LINK_CREATE);
  ck_assert(id >= 0 && type >= 0 && plist >= 0);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  H5Pset_create_intermediate_group(plist, 1);
  H5E_BEGIN_TRY {
    H5Ldelete(id, name, H5P_DEFAULT); // where there is one
  }
  H5E_END_TRY
  hid_t space = H5Screate_simple(1, &n, NULL);
  hid_t data = H5Dcreate2(id, name, type, space, plist, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(plist);
  H5Tclose(type);
  ck_assert(H5Fclose(id) >= 0);
}

static void replace_figure(const char *figure) {
  char path[128];
  snprintf(path, sizeof path, "%s/o/fall.h5", folder);
  hid_t id = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
  ck_assert(id >= 0 && type >= 0);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  ck_assert(H5Adelete(id, "figure") >= 0);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(id, "figure", type, space, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(a >= 0 && H5Awrite(a, type, &figure) >= 0);
  H5Aclose(a);
  H5Sclose(space);
  H5Tclose(type);
  ck_assert(H5Fclose(id) >= 0);
}

/// Gives run "a" of the index another name, where that can be one.
static void add_run(const char *name) {
  char path[128], link[128];
  snprintf(path, sizeof path, "%s/o/fall.h5", folder);
  snprintf(link, sizeof link, "/runs/%s", name);
  hid_t id = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert(id >= 0);
  if (name[0] && !strchr(name, '/'))
    ck_assert(H5Lcopy(id, "/runs/a", id, link, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  ck_assert(H5Fclose(id) >= 0);
}

/// Names that a shell or gnuplot would run, or that are none.
START_TEST(names_in_a_file_run_nothing) {
  static const char *names[] = {"x';touch${IFS}pwned;'",
                                "x\"; system(\"touch pwned\"); \"",
                                "`touch pwned`",
                                "a b",
                                "../a",
                                "a\nb",
                                ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *runs[] = {"a", names[i]};
    add_run(names[i]);
    replace_texts("fall.h5", "/scenario/runs", runs, 2);
    expect("plot @/o/fall.h5", 2, "fall.h5");
    ck_assert_ptr_nonnull(
        strstr(error_output, "is no name; it must be of letters, digits and . _ + -"));
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
    ck_assert_int_ne(access("pwned", F_OK), 0);
    expect_clean();
  }
}
END_TEST

START_TEST(names_of_series_of_sizes_run_nothing) {
  static const char *names[] = {"x';touch${IFS}pwned;'.bodies"};
  write_file("plots/fall.gp", "#: series scaling/* size\nplot x\n");
  replace_texts("fall.h5", "/scaling/names", names, 1);
  expect("plot @/o/fall.h5", 2, "is no name; it must be of letters, digits and . _ + -");
  ck_assert_int_ne(access("pwned", F_OK), 0);
  expect_clean();
}
END_TEST

START_TEST(texts_in_a_file_are_only_drawn) {
  NEEDS_GNUPLOT
  static const char *labels[] = {"'.system('touch pwned').'`touch pwned`\"\n!touch pwned\n@runs\\"};
  replace_texts("fall-a.h5", "/scenario/label", labels, 1);
  replace_texts("fall-a.h5", "/provenance/commit", labels, 1);
  replace_texts("fall-a.h5", "/topology/body_name", labels, 1);
  replace_texts("fall.h5", "/provenance/date", labels, 1);
  write_file(
      "plots/fall.gp",
      "#: series runs/* frames/position[0,2]\n"
      "#: values runs/a topology/body_name\n"
      "set title word(names('a', 'topology/body_name'), 1)\n"
      "plot for [i=1:n_runs] series(run(i), 'frames/position[0,2]') ls i title label_of(i)\n");
  expect("plot @/o/fall.h5", 0, "");
  ck_assert(exists("o/fall.svg") && exists("o/fall.png"));
  ck_assert_int_ne(access("pwned", F_OK), 0);
  expect_clean();
}
END_TEST

START_TEST(a_figure_is_one_of_the_installed) {
  static const char *const figures[][2] = {{"../sec/evil", "is no name"},
                                           {"../../sec/evil", "is no name"},
                                           {"./../sec/evil", "is no name"},
                                           {"./sec/evil", "is beside the study's script"},
                                           {"fa*", "is no name"},
                                           {"f[a]ll", "is no name"},
                                           {"`x`", "is no name"},
                                           {"\x1b[2J", "is no name"},
                                           {"style", "there is no figure \"style\""},
                                           {"none", "there is no figure \"none\""},
                                           {"fall.md", "there is no figure \"fall.md\""},
                                           {"fall.gp", "there is no figure \"fall.gp\""}};
  char path[128];
  snprintf(path, sizeof path, "%s/sec", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("sec/evil.gp", "set print 'pwned'\nprint 1\n");
  write_file("plots/fall.md.lua", "page.put('x')\n");
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    replace_figure(figures[i][0]);
    expect("plot @/o/fall.h5", 2, figures[i][1]);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
    ck_assert_ptr_null(strchr(error_output, '\x1b'));
    ck_assert_int_ne(access("pwned", F_OK), 0);
  }
}
END_TEST

START_TEST(a_file_named_like_a_pipe_is_only_a_file) {
  NEEDS_GNUPLOT
  char command[PATH_MAX + 400], program_path[PATH_MAX];
  ck_assert_ptr_nonnull(realpath(program(), program_path));
  snprintf(command, sizeof command,
           "cd %s/o && mv fall.h5 '|touch pwned.h5' && %s plot '|touch pwned.h5'", folder,
           program_path);
  ck_assert_int_eq(system(command), 0);
  ck_assert(!exists("o/pwned") && !exists("o/pwned.svg") && exists("o/|touch pwned.svg"));
}
END_TEST

START_TEST(link_in_place_of_a_partial_file_is_not_followed) {
  NEEDS_GNUPLOT
  char path[128], target[128], kept[32];
  write_file("kept", "kept");
  snprintf(target, sizeof target, "%s/kept", folder);
  snprintf(path, sizeof path, "%s/o/fall.svg.part", folder);
  ck_assert_int_eq(symlink(target, path), 0);
  expect("plot @/o/fall.h5", 0, "");
  read_file("kept", kept, sizeof kept);
  ck_assert_str_eq(kept, "kept");
  expect_clean();
}
END_TEST

// ---- a gnuplot that hangs ----

/// Puts a gnuplot before the true one that starts another process and waits.
static void make_hanging_gnuplot(void) {
  char path[4500];
  snprintf(path, sizeof path, "%s/bin", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  snprintf(path, sizeof path,
           "#!/bin/sh\n"
           "sleep 100 &\n"
           "echo $! >%s/sleeper.new && mv %s/sleeper.new %s/sleeper\n"
           "wait\n",
           folder, folder, folder);
  write_file("bin/gnuplot", path);
  snprintf(path, sizeof path, "%s/bin/gnuplot", folder);
  ck_assert_int_eq(chmod(path, 0755), 0);
  snprintf(path, sizeof path, "%s/bin:%s", folder, old_path);
  setenv("PATH", path, 1);
}

/// Whether a process is there that has not ended.
static bool is_alive(const char *pid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", atoi(pid));
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  const char *state = strrchr(text, ')');
  return state && state[2] != 'Z' && state[2] != 'X';
}

static void expect_no_process(void) {
  char pid[32];
  read_file("sleeper", pid, sizeof pid);
  for (int i = 0; i < 3000 && is_alive(pid); i++)
    usleep(10000);
  ck_assert_msg(!is_alive(pid), "process %s is still there", pid);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

START_TEST(a_hanging_gnuplot_is_ended) {
  make_hanging_gnuplot();
  setenv("VIPERBENCH_GNUPLOT_TIME", "1.5", 1);
  double begun = seconds();
  expect("plot @/o/fall.h5", 1, "took longer than 1.5 s");
  ck_assert_double_lt(seconds() - begun, 30);
  ck_assert_ptr_nonnull(strstr(error_output, "plots/fall.gp"));
  ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  expect_no_process();
  expect_clean();
  ck_assert(!exists("o/fall.svg"));
  setenv("VIPERBENCH_GNUPLOT_TIME", "soon", 1);
  expect("plot @/o/fall.h5", 2, "VIPERBENCH_GNUPLOT_TIME is \"soon\"");
  expect_clean();
}
END_TEST

START_TEST(a_signal_ends_a_figure_at_once) {
  const int signals[] = {SIGINT, SIGTERM, SIGINT};
  make_hanging_gnuplot();
  for (int i = 0; i < 3; i++) {
    char path[128];
    pid_t child = start(i < 2 ? "plot @/o/fall.h5 @/o/fall.h5" : "report @/o/fall.h5 -o @/r.html");
    for (int k = 0; k < 3000 && !exists("sleeper"); k++)
      usleep(10000);
    ck_assert(exists("sleeper"));
    double begun = seconds();
    ck_assert_int_eq(kill(child, signals[i]), 0);
    ck_assert_int_eq(finish(child), 128 + signals[i]);
    ck_assert_double_lt(seconds() - begun, 20); // at once but for the load of the machine
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
    if (i == 2)
      ck_assert_ptr_nonnull(strstr(error_output, "r.html is not written; the same command"));
    expect_no_process();
    expect_clean();
    snprintf(path, sizeof path, "%s/sleeper", folder);
    unlink(path);
  }
}
END_TEST

static TCase *hostile(void) {
  TCase *tests = tcase_create("hostile");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, names_in_a_file_run_nothing);
  tcase_add_test(tests, names_of_series_of_sizes_run_nothing);
  tcase_add_test(tests, texts_in_a_file_are_only_drawn);
  tcase_add_test(tests, a_figure_is_one_of_the_installed);
  tcase_add_test(tests, a_file_named_like_a_pipe_is_only_a_file);
  tcase_add_test(tests, link_in_place_of_a_partial_file_is_not_followed);
  tcase_add_test(tests, a_hanging_gnuplot_is_ended);
  tcase_add_test(tests, a_signal_ends_a_figure_at_once);
  return tests;
}

VB_TEST_MAIN("plot hostile", hostile())
