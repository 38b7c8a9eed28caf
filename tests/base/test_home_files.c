// SPDX-License-Identifier: GPL-3.0-or-later
/// Studies and figures are found by name in any folder, and two of one name are refused.
/// Covers: src/base/figure_files.*
#include "base/home_files.h"

#include "base/figure_files.h"
#include "base/names.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static char home[64];

START_TEST(names_are_sorted_by_their_numbers) {
  char texts[][8] = {"n16", "n8", "m100", "n64"};
  char *names[] = {texts[0], texts[1], texts[2], texts[3]};
  vb_names_sort(names, 4);
  ck_assert_str_eq(names[0], "m100");
  ck_assert_str_eq(names[1], "n8");
  ck_assert_str_eq(names[2], "n16");
  ck_assert_str_eq(names[3], "n64");
}
END_TEST

static void make_folder(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", home, name);
  ck_assert_int_eq(mkdir(path, 0777), 0);
}

static void make_file(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", home, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fclose(file), 0);
}

static void set_up(void) {
  static const char *const folders[] = {"scenarios",     "scenarios/rods", "scenarios/rods/long",
                                        "scenarios/lib", "bench",          "plots",
                                        "mine",          "mine/pictures"};
  static const char *const files[] = {"scenarios/flat.lua",
                                      "scenarios/rods/bar.lua",
                                      "scenarios/rods/long/rope.lua",
                                      "bench/speed.lua",
                                      "scenarios/lib/part.lua",
                                      "scenarios/rods/bar.gp",
                                      "plots/sheet.gp",
                                      "plots/style.gp",
                                      "plots/sheet.md.lua",
                                      "scenarios/rods/bar.md.lua",
                                      "plots/none.lua",
                                      "mine/own.gp",
                                      "mine/pictures/own.gp"};
  strcpy(home, "/tmp/vb_home_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(home));
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    make_folder(folders[i]);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    make_file(files[i]);
}

static void remove_home(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", home);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(studies_are_found_at_any_depth) {
  static const char *const expected[][3] = {{"bar", "scenarios/rods/bar.lua", "scenarios"},
                                            {"flat", "scenarios/flat.lua", "scenarios"},
                                            {"rope", "scenarios/rods/long/rope.lua", "scenarios"},
                                            {"speed", "bench/speed.lua", "bench"}};
  vb_home_file *files, file;
  size_t n;
  ck_assert_int_eq(vb_home_files(home, VB_HOME_STUDY, &files, &n, NULL), VB_OK);
  ck_assert_uint_eq(n, 4); // none in lib, and none in plots
  for (size_t i = 0; i < n; i++) {
    ck_assert_str_eq(files[i].name, expected[i][0]);
    ck_assert_str_eq(files[i].shown, expected[i][1]);
    ck_assert_str_eq(files[i].folder, expected[i][2]);
    ck_assert_int_eq(vb_home_find(home, VB_HOME_STUDY, files[i].name, &file, NULL), VB_OK);
    ck_assert_str_eq(file.path, files[i].path);
    ck_assert_int_eq(access(file.path, R_OK), 0);
  }
  free(files);
}
END_TEST

static void expect_none(const char *name, const char *message) {
  vb_home_file file;
  vb_error error = {0};
  ck_assert_int_eq(vb_home_find(home, VB_HOME_STUDY, name, &file, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, message);
}

START_TEST(a_name_of_no_study_or_of_two_is_refused) {
  vb_home_file *files, file;
  vb_error error = {0};
  size_t n;
  expect_none("part", "there is no study \"part\"; list shows all");
  expect_none("roep", "there is no study \"roep\"; did you mean \"rope\"?");
  expect_none("../bar", "there is no study \"../bar\"; list shows all");
  make_file("bench/bar.lua");
  expect_none("bar", "two studies are called \"bar\": bench/bar.lua and scenarios/rods/bar.lua; "
                     "rename one");
  ck_assert_int_eq(vb_home_find(home, VB_HOME_STUDY, "rope", &file, NULL), VB_OK);
  ck_assert_int_eq(vb_home_files(home, VB_HOME_STUDY, &files, &n, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "two studies are called \"bar\""));
}
END_TEST

START_TEST(a_figure_is_installed_or_the_studys_own) {
  static const struct {
    const char *figure, *path, *message; // one of the two
  } cases[] = {
      {"bar", "scenarios/rods/bar.gp", NULL},
      {"sheet", "plots/sheet.gp", NULL},
      {"./own", "mine/own.gp", NULL},
      {"./pictures/own", "mine/pictures/own.gp", NULL},
      {"own", NULL, "there is no figure \"own\""},
      {"baar", NULL, "did you mean \"bar\"?"},
      {"./bar", NULL, "there is no figure \"./bar\": "},
      {"style", NULL, "that name is reserved for the common style"},
      {"sheet.md", NULL, "there is no figure \"sheet.md\""},
      {"../plots/sheet", NULL, "a figure must be the name of a script in"},
      {"./../plots/sheet", NULL, "a figure must be"},
      {"./", NULL, "a figure must be"},
      {"/etc/own", NULL, "a figure must be"},
      {"", NULL, "a figure must be"},
  };
  char mine[128], path[VB_FIGURE_PATH];
  snprintf(mine, sizeof mine, "%s/mine", home);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vb_error error = {0};
    vb_status status = vb_figure_find(home, mine, cases[i].figure, path, &error);
    if (cases[i].path)
      ck_assert_str_eq(path + strlen(home) + 1, cases[i].path);
    else
      ck_assert_ptr_nonnull(strstr(error.message, cases[i].message));
    ck_assert_int_eq(status, cases[i].path ? VB_OK : VB_BAD_INPUT);
  }
  ck_assert_int_eq(vb_figure_find(home, NULL, "./own", path, NULL), VB_BAD_INPUT);
}
END_TEST

/// The template of a page lies where figures do, in any folder, and is no study.
START_TEST(a_page_is_found_by_its_figure) {
  static const char *const cases[][2] = {{"sheet", "plots/sheet.md.lua"},
                                         {"bar", "scenarios/rods/bar.md.lua"},
                                         {"./own", "mine/own.md.lua"},
                                         {"none", NULL},
                                         {"./pictures/own", NULL}};
  char mine[128], path[VB_FIGURE_PATH];
  vb_home_file file;
  snprintf(mine, sizeof mine, "%s/mine", home);
  make_file("mine/own.md.lua");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_int_eq(vb_figure_find_page(home, mine, cases[i][0], path, NULL), VB_OK);
    ck_assert_str_eq(cases[i][1] ? path + strlen(home) + 1 : path, cases[i][1] ? cases[i][1] : "");
  }
  ck_assert_int_eq(vb_figure_find_page(home, NULL, "./own", path, NULL), VB_OK);
  ck_assert_str_eq(path, "");
  ck_assert_int_eq(vb_home_find(home, VB_HOME_STUDY, "bar.md", &file, NULL), VB_BAD_INPUT);
  make_file("scenarios/sheet.md.lua");
  ck_assert_int_eq(vb_figure_find_page(home, mine, "bar", path, NULL), VB_BAD_INPUT);
}
END_TEST

static TCase *files(void) {
  TCase *tests = tcase_create("files");
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, names_are_sorted_by_their_numbers);
  tcase_add_test(tests, studies_are_found_at_any_depth);
  tcase_add_test(tests, a_name_of_no_study_or_of_two_is_refused);
  tcase_add_test(tests, a_figure_is_installed_or_the_studys_own);
  tcase_add_test(tests, a_page_is_found_by_its_figure);
  return tests;
}

VB_TEST_MAIN("files of the home", files())
