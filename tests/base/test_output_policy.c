// SPDX-License-Identifier: GPL-3.0-or-later
// No output replaces what is read, nor an HDF5 file, nor, unasked, what another program made.
// Covers: src/base/output_policy.* src/cli/cli_pack.c
#include "base/output_policy.h"
#include "cli_fixture.h"

#define MESHES " scenarios/meshes/"

static const char FOREIGN[] = "a letter to grandmother, about viperbench\n";

static void set_up(void) {
  char path[300];
  make_home();
  write_file("scenarios/fall.lua",
             "return { title = 'fall', build = function()\n"
             "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
             "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
             "         material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
             "  return s\n"
             "end }\n");
  expect("run fall --out @/o --quiet", 0, "");
  // Stands for ffmpeg: writes its arguments.
  write_file("ffmpeg", "#!/bin/sh\nfor last; do :; done\necho \"$@\" >\"$last\"\n");
  snprintf(path, sizeof path, "%s/ffmpeg", folder);
  ck_assert_int_eq(chmod(path, 0755), 0);
  snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
  setenv("PATH", path, 1);
}

/// Each writer, and the file that it makes.
static const struct {
  const char *words, *file;
} WRITERS[] = {
    {"report @/o --plain --quiet --out @/r.html", "r.html"},
    {"site @/o --quiet --out @/site", "site/index.html"},
    {"site @/o --quiet --out @/site", "site/fall.html"},
    {"render @/o/fall.h5 --size 30x20 --plain --quiet --out @/a.png", "a.png"},
    {"render @/o/fall.h5 --size 30x20 --plain --quiet --frames 0:1 --out @/f%d.png", "f1.png"},
    {"render @/o/fall.h5 --size 30x20 --plain --quiet --frame 0", "o/fall-fall-0000.png"},
    {"render @/o/fall.h5 --size 30x20 --plain --quiet --speed 0.01 --movie @/m.mp4", "m.mp4"},
    {"pills" MESHES "bar_bones.obj --count 2 --output @/pills.lua", "pills.lua"},
    {"viperize" MESHES "biceps.obj --source proximal --sink distal --rods 3 --slices 4 --output "
     "@/rods.lua",
     "rods.lua"},
    {"viperize" MESHES "biceps.obj --source proximal --sink distal --rods 3 --slices 4 --output "
     "@/rods.lua --picture @/rods.png",
     "rods.png"},
};
#define N_WRITERS (sizeof WRITERS / sizeof *WRITERS)

static void run(const char *words, int code) {
  int got = finish(start(words));
  ck_assert_msg(got == code, "\"%s\": exit code %d, not %d: %s", words, got, code, error_output);
}

START_TEST(only_what_this_program_made_is_replaced) {
  char text[256], forced[512];
  const char *words = WRITERS[_i].words, *file = WRITERS[_i].file;
  if (strncmp(words, "viperize", 8) == 0 && system("command -v tetgen >/dev/null 2>&1") != 0) {
    vb_skip("tetgen", "it meshes surfaces");
    return;
  }
  run(words, 0);
  run(words, 0); // its own
  write_file(file, FOREIGN);
  expect(words, 2, "was not made by this command; give another name, or --force to replace it\n");
  read_file(file, text, sizeof text);
  ck_assert_str_eq(text, FOREIGN);
  snprintf(forced, sizeof forced, "%s --force", words);
  run(forced, 0);
  read_file(file, text, sizeof text);
  ck_assert_str_ne(text, FOREIGN);
  run(words, 0);
  write_file(file, ""); // as mktemp leaves it
  run(words, 0);
}
END_TEST

/// Results stay, whatever they are called and however they are reached.
START_TEST(results_are_never_replaced) {
  char words[600], command[200];
  struct stat before, after;
  const char *file = strchr(WRITERS[_i].file, '/') ? NULL : WRITERS[_i].file;
  if (!file)
    return; // the name is not the user's
  snprintf(command, sizeof command, "cp '%s/o/fall-fall.h5' '%s/%s'", folder, folder, file);
  ck_assert_int_eq(system(command), 0);
  snprintf(command, sizeof command, "%s/%s", folder, file);
  ck_assert_int_eq(stat(command, &before), 0);
  snprintf(words, sizeof words, "%s --force", WRITERS[_i].words);
  expect(words, 2, "is an HDF5 file and is not replaced; give another name\n");
  ck_assert_int_eq(stat(command, &after), 0);
  ck_assert(before.st_ino == after.st_ino && before.st_size == after.st_size);
}
END_TEST

START_TEST(what_is_read_is_not_replaced) {
  char command[300];
  static const char *const CASES[] = {"pills @/in.obj --count 2 --force --output @/in.obj",
                                      "pills @/in.obj --count 2 --force --output @/./in.obj",
                                      "viperize @/in.obj --source a --sink b --output @/in.obj",
                                      "viperize @/in.obj --source a --sink b --picture @/in.obj",
                                      "report @/o/fall-fall.h5 --out @/o/../o/fall-fall.h5",
                                      "render @/o/fall-fall.h5 --out @/o/fall-fall.h5 --force",
                                      "render @/o/fall-fall.h5 --movie @/o/fall-fall.h5 --force"};
  snprintf(command, sizeof command, "cp scenarios/meshes/bar_bones.obj '%s/in.obj'", folder);
  ck_assert_int_eq(system(command), 0);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    expect(CASES[i], 2, "is the input and is not replaced; give another name\n");
  snprintf(command, sizeof command, "cmp scenarios/meshes/bar_bones.obj '%s/in.obj'", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(packed_studies_replace_nothing_unasked) {
  char path[256];
  snprintf(path, sizeof path, "%s/packed", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  expect("pack @/o/fall.h5 --out @/o/../o --force", 2, "would be packed into itself");
  expect("pack @/o/fall.h5 --out @/packed", 0, "");
  expect("pack @/o/fall.h5 --out @/packed", 2, "exists; name another folder by --out");
  expect("pack @/o/fall.h5 --out @/packed --force", 0, "");
}
END_TEST

/// Commands without --force replace figures and tables of references alone.
START_TEST(what_is_drawn_or_certified_replaces_its_kind_alone) {
  static const struct {
    const char *words, *file;
    const char *complaint;
  } CASES[] = {
      {"compare @/o/fall.h5 @/o/fall.h5 --figure @/x", "x.svg", "was not made by this command"},
      {"compare @/o/fall.h5 @/o/fall.h5 --figure @/x", "x.png", "was not made by this command"},
      {"history @/o @/o --figure @/x", "x.svg", "was not made by this command"},
      {"problem --certify @/letter", "letter", "was not made by this command"},
      {"problem --certify @/o/fall-fall.h5", NULL, "is an HDF5 file and is not replaced"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[256], path[256];
    if (CASES[i].file)
      write_file(CASES[i].file, FOREIGN);
    expect(CASES[i].words, 2, CASES[i].complaint);
    ck_assert_ptr_null(strstr(error_output, "--force"));
    if (!CASES[i].file)
      continue;
    read_file(CASES[i].file, text, sizeof text);
    ck_assert_str_eq(text, FOREIGN);
    snprintf(path, sizeof path, "%s/%s", folder, CASES[i].file);
    ck_assert_int_eq(unlink(path), 0);
  }
  write_file("x.svg", "<svg><desc>Produced by GNUPLOT 5.4</desc></svg>");
  expect("history @/o @/o --figure @/x", 2, "there is no figure \"history\""); // in this home
}
END_TEST

static TCase *output_policy(void) {
  TCase *c = tcase_create("what outputs may replace");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 120);
  tcase_add_loop_test(c, only_what_this_program_made_is_replaced, 0, (int)N_WRITERS);
  tcase_add_loop_test(c, results_are_never_replaced, 0, (int)N_WRITERS);
  tcase_add_test(c, what_is_read_is_not_replaced);
  tcase_add_test(c, packed_studies_replace_nothing_unasked);
  tcase_add_test(c, what_is_drawn_or_certified_replaces_its_kind_alone);
  return c;
}

VB_TEST_MAIN("output policy", output_policy())
