// SPDX-License-Identifier: GPL-3.0-or-later
// What is recorded stays, whatever keeps it from being read: only a damaged file is made anew, and
// it stays beside the new one.
// Covers: src/results/run_summary.* src/results/h5.* src/study/study_execute.*
// src/study/run_record.*
#include "cli_fixture.h"

#include "python_fixture.h"

#include <hdf5.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#define FILE_NAME "o/fall-fall.h5"

static struct stat before;

static char *in_folder(const char *name, char out[256]) {
  snprintf(out, 256, "%s/%s", folder, name);
  return out;
}

static struct stat look(const char *name) {
  struct stat found;
  char path[256];
  ck_assert_msg(stat(in_folder(name, path), &found) == 0, "%s is lost", name);
  return found;
}

/// Nothing was written, and nothing else has taken its name.
static void check_untouched(const char *name, const struct stat *was) {
  struct stat now = look(name);
  ck_assert(now.st_ino == was->st_ino && now.st_size == was->st_size &&
            now.st_mtim.tv_sec == was->st_mtim.tv_sec &&
            now.st_mtim.tv_nsec == was->st_mtim.tv_nsec);
}

static void set_up(void) {
  make_home();
  write_file("scenarios/fall.lua",
             "return { title = 'a', build = function()\n"
             "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
             "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
             "         material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
             "  return s\n"
             "end }\n");
  expect("run fall --out @/o --quiet", 0, "");
  before = look(FILE_NAME);
}

/// All ways to come upon the file: one sentence, the exit code of bad input, no file changed.
static void expect_left_alone(const char *words) {
  static const char *const COMMANDS[] = {"run fall --out @/o --quiet",
                                         "run fall --out @/o --quiet --jobs 2"};
  struct stat file = look(FILE_NAME), index = look("o/fall.h5");
  for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
    expect(COMMANDS[i], 2, words);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
    check_untouched(FILE_NAME, &file);
    check_untouched("o/fall.h5", &index);
    ck_assert(!exists(FILE_NAME ".damaged"));
  }
  expect("join fall --out @/o", 2, words);
  check_untouched(FILE_NAME, &file);
  check_untouched("o/fall.h5", &index);
}

START_TEST(a_locked_file_is_left_alone) {
  char path[256];
  hid_t file = H5Fopen(in_folder(FILE_NAME, path), H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert(file >= 0);
  expect_left_alone("in use by another process; wait for its end");
  // Even a new run would take from its writer what that has.
  struct stat held = look(FILE_NAME);
  expect("run fall --out @/o --quiet --fresh", 2, "in use by another process; wait for its end");
  check_untouched(FILE_NAME, &held);
  ck_assert(H5Fclose(file) >= 0);
}
END_TEST

START_TEST(a_locked_index_is_left_alone) {
  char path[256];
  hid_t file = H5Fopen(in_folder("o/fall.h5", path), H5F_ACC_RDWR, H5P_DEFAULT);
  struct stat index = look("o/fall.h5");
  ck_assert(file >= 0);
  expect("run fall --out @/o --quiet", 5, "o/fall.h5: it is in use by another process");
  check_untouched("o/fall.h5", &index);
  check_untouched(FILE_NAME, &before);
  ck_assert(H5Fclose(file) >= 0);
  expect("run fall --out @/o --quiet", 0, "");
}
END_TEST

/// Who only reads is in nobody's way.
START_TEST(a_file_that_others_read_is_kept) {
  char path[256];
  hid_t file = H5Fopen(in_folder(FILE_NAME, path), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t index = H5Fopen(in_folder("o/fall.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert(file >= 0 && index >= 0);
  expect("run fall --out @/o --quiet", 0, "");
  check_untouched(FILE_NAME, &before);
  ck_assert(H5Fclose(file) >= 0 && H5Fclose(index) >= 0);
}
END_TEST

START_TEST(a_forbidden_file_is_left_alone) {
  char path[256], other[256];
  if (geteuid() != 0) {
    ck_assert_int_eq(chmod(in_folder(FILE_NAME, path), 0), 0);
    expect_left_alone("Permission denied");
    ck_assert_int_eq(chmod(path, 0600), 0);
  }
  // Nothing is forbidden to root, but nobody can read a folder.
  ck_assert_int_eq(rename(in_folder(FILE_NAME, path), in_folder("o/other.h5", other)), 0);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  expect_left_alone("it is a folder, not a file");
  check_untouched("o/other.h5", &before);
}
END_TEST

/// Runs the study with so few open files; the exit code.
static int run_with_files(rlim_t n) {
  char out[256], err[256];
  struct rlimit limit;
  int ended;
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = n;
  in_folder("o", out);
  in_folder("program.err", err);
  pid_t child = fork();
  if (child == 0) {
    int to = open(err, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    dup2(to, 1);
    dup2(to, 2);
    closefrom(3);
    setrlimit(RLIMIT_NOFILE, &limit);
    execl(program(), "viperbench", "run", "fall", "--out", out, "--quiet", (char *)NULL);
    _exit(127);
  }
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  read_file("program.err", error_output, sizeof error_output);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

/// Few files may be open: 16 will do, and where fewer do not, that is told.
START_TEST(a_low_limit_of_open_files_changes_nothing) {
  bool told = false;
  for (rlim_t n = 16; n > 3; n--) {
    int code = run_with_files(n);
    told = told || strstr(error_output, "h5: Too many open files") != NULL;
    ck_assert_msg(code >= 0 && (code == 0) == !error_output[0], "%d files: code %d, %s", (int)n,
                  code, error_output);
    ck_assert_msg(n < 16 || code == 0, "%s", error_output);
    ck_assert_msg(!strstr(error_output, "truncated"), "%s", error_output);
    check_untouched(FILE_NAME, &before);
  }
  ck_assert(told);
}
END_TEST

/// Starts a program of h5py's that holds a file open until its input ends.
static FILE *hold_by_h5py(const char *name, const char *mode) {
  char path[256], command[1024];
  snprintf(command, sizeof command,
           PYTHON " -c 'import h5py, sys; f = h5py.File(\"%s\", \"%s\"); "
                  "open(\"%s/held\", \"w\").close(); sys.stdin.read()'",
           in_folder(name, path), mode, folder);
  FILE *to = popen(command, "w");
  ck_assert_ptr_nonnull(to);
  for (int i = 0; i < 3000 && !exists("held"); i++)
    usleep(10000);
  ck_assert_msg(exists("held"), "h5py does not open %s", path);
  ck_assert_int_eq(unlink(in_folder("held", path)), 0);
  return to;
}

/// Two who read are in nobody's way, and one who writes is told of.
START_TEST(programs_of_h5py_hold_results) {
  if (!has_python("h5py"))
    return;
  FILE *first = hold_by_h5py(FILE_NAME, "r"), *second = hold_by_h5py("o/fall.h5", "r");
  expect("run fall --out @/o --quiet", 0, "");
  expect("info @/" FILE_NAME, 0, "");
  expect("report @/o --out @/r.html --quiet", 0, "");
  check_untouched(FILE_NAME, &before);
  pclose(first);
  pclose(second);
  first = hold_by_h5py(FILE_NAME, "r+");
  expect_left_alone("in use by another process; wait for its end");
  expect("info @/" FILE_NAME, 2, "in use by another process; wait for its end");
  pclose(first);
  expect("run fall --out @/o --quiet", 0, "");
}
END_TEST

/// A disk that is full: what is finished stays, and each command tells it.
static void expect_full(const char *words) {
  static const char *const COMMANDS[] = {
      "run fall --fresh --out @/full --quiet", "run fall --fresh --out @/full --quiet --jobs 2",
      "pack @/full/fall.h5 --out @/full/packed", "report @/full --out @/full/r.html --quiet"};
  struct stat file = look("full/fall-fall.h5"), index = look("full/fall.h5");
  for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
    expect(COMMANDS[i], 5, words);
    check_untouched("full/fall-fall.h5", &file);
    check_untouched("full/fall.h5", &index);
    ck_assert_msg(!exists("full/r.html") && !exists("full/packed/fall.h5"), "%s", COMMANDS[i]);
  }
  expect("info @/full/fall-fall.h5", 0, "");
}

static void fill(const char *name) {
  char path[256];
  static const char zeros[4096];
  int file = open(in_folder(name, path), O_WRONLY | O_CREAT, 0666);
  ck_assert(file >= 0);
  while (write(file, zeros, sizeof zeros) > 0)
    ;
  close(file);
}

START_TEST(a_full_disk_keeps_what_is_finished) {
  char full[256], packed[256], command[600];
  in_folder("full", full);
  ck_assert_int_eq(mkdir(full, 0777), 0);
  // In a space of names of its own, so that nobody else sees the disk.
  if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      mount("none", full, "tmpfs", 0, "size=2m")) {
    vb_skip("mount", "a small disk cannot be mounted here");
    return;
  }
  snprintf(command, sizeof command, "cp %s/o/* %s", folder, full);
  ck_assert_int_eq(system(command), 0);
  ck_assert_int_eq(mkdir(in_folder("full/packed", packed), 0777), 0);
  fill("full/filler");
  expect_full("No space left on device");
  // Two studies of two runs: one sentence, and a last line that tells what is missing.
  for (int i = 0; i < 2; i++)
    write_file(i ? "scenarios/more.lua" : "scenarios/two.lua",
               "return { title = 'two', build = function()\n"
               "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
               "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
               "         material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
               "  return s\n"
               "end, runs = function() return { { name = 'a' }, { name = 'b' } } end }\n");
  expect("run two more --out @/full", 5, "No space left on device");
  ck_assert_ptr_null(strstr(strstr(error_output, "No space") + 1, "No space"));
  ck_assert_ptr_nonnull(strstr(output, "4 of 4 runs are missing\n"));
  ck_assert_int_eq(umount(full), 0);
}
END_TEST

START_TEST(a_limit_of_sizes_keeps_what_is_finished) {
  char command[600], place[PATH_MAX], script[PATH_MAX + 64], limited[256];
  snprintf(command, sizeof command, "cp -r %s/o %s/full && mkdir %s/full/packed", folder, folder,
           folder);
  ck_assert_int_eq(system(command), 0);
  // Of the program alone: the test writes, too.
  ck_assert_ptr_nonnull(realpath(program(), place));
  snprintf(script, sizeof script, "#!/bin/sh\nulimit -f 4\nexec %s \"$@\"\n", place);
  write_file("limited", script);
  ck_assert_int_eq(chmod(in_folder("limited", limited), 0777), 0);
  setenv("VB_PROGRAM", limited, 1);
  expect_full("cannot write");
}
END_TEST

START_TEST(a_damaged_file_stays_beside) {
  char path[256];
  ck_assert_int_eq(truncate(in_folder(FILE_NAME, path), before.st_size / 2), 0);
  struct stat damaged = look(FILE_NAME);
  expect("join fall --out @/o", 4, FILE_NAME " is damaged, and is left out\n");
  check_untouched(FILE_NAME, &damaged);
  expect("run fall --out @/o --quiet", 0, "the damaged file is kept in");
  check_untouched(FILE_NAME ".damaged", &damaged);
  ck_assert_uint_ne(look(FILE_NAME).st_ino, damaged.st_ino);
  expect("run fall --out @/o --quiet", 0, "");
}
END_TEST

static TCase *kept(void) {
  TCase *c = tcase_create("kept");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 60);
  tcase_add_test(c, a_locked_file_is_left_alone);
  tcase_add_test(c, a_locked_index_is_left_alone);
  tcase_add_test(c, a_file_that_others_read_is_kept);
  tcase_add_test(c, a_forbidden_file_is_left_alone);
  tcase_add_test(c, a_low_limit_of_open_files_changes_nothing);
  tcase_add_test(c, programs_of_h5py_hold_results);
  tcase_add_test(c, a_full_disk_keeps_what_is_finished);
  tcase_add_test(c, a_limit_of_sizes_keeps_what_is_finished);
  tcase_add_test(c, a_damaged_file_stays_beside);
  return c;
}

VB_TEST_MAIN("results kept", kept())
