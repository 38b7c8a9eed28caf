// SPDX-License-Identifier: GPL-3.0-or-later
// The process that reads a file, in the hands of the file: it can do nothing, and what becomes of
// it is one sentence.
// Covers: src/results/h5_reader.* src/results/h5_serve.* src/results/h5_message.*
// Covers: src/results/h5_descriptor.* src/results/h5_own.* src/results/h5_change.*
#include "cli_fixture.h"

#include "base/clock.h"
#include "base/confine.h"
#include "base/nearest_word.h"
#include "deny_calls.h"
#include "results/h5_own.h"
#include "results/h5_reader.h"
#include "results/results_file.h"
#include "results/results_trial.h"

#include <limits.h>
#include <sys/file.h>

#define FILE_NAME "o/fall-fall.h5"

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
}

static const char *const READERS[] = {"info @/o/fall-fall.h5",
                                      "table @/o/fall-fall.h5 energy/total",
                                      "table @/o/fall.h5",
                                      "compare @/o/fall.h5 @/o/fall.h5",
                                      "render @/o/fall-fall.h5 --out @/p.png --quiet",
                                      "plot @/o/fall.h5",
                                      "pack @/o/fall.h5 --out @",
                                      "report @/o --out @/r.html --quiet"};

enum { N_READERS = sizeof READERS / sizeof *READERS };

/// Has the program use an HDF5 that does this.
static void take_over(const char *deed) {
  char fake[PATH_MAX];
  ck_assert_ptr_nonnull(realpath("build/tests/fake_hdf5.so", fake));
  setenv("LD_PRELOAD", fake, 1);
  setenv("FAKE_HDF5", deed, 1);
  setenv("FAKE_FOLDER", folder, 1);
}

static void expect_sentence(const char *command, int code, const char *words) {
  expect(command, code, words);
  ck_assert_msg(!exists("pwned") && !strstr(error_output, "pwned"), "%s: harm was done", command);
  ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
}

static bool can_run(void) {
  const char *lacks = vb_confine_lacks();
  if (!lacks)
    return true;
  vb_skip("landlock", lacks);
  return false;
}

START_TEST(code_in_a_file_does_no_harm) {
  if (!can_run())
    return;
  take_over("attack");
  expect_sentence(READERS[_i], 2, "is damaged: HDF5 crashes on it; make it anew");
}
END_TEST

START_TEST(either_lock_will_do) {
  if (!can_run())
    return;
  ck_assert(_i ? deny_landlock() : deny_filters());
  take_over(_i ? "attack" : "crash"); // Landlock lets it write to its socket, and fork
  if (_i)
    expect_sentence(READERS[0], 2, "is damaged: HDF5 crashes on it; make it anew");
  unsetenv("LD_PRELOAD");
  expect(READERS[0], 0, "");
  ck_assert_ptr_nonnull(strstr(output, _i ? "read without Landlock, which this system lacks"
                                          : "read without a filter of system calls (seccomp)"));
}
END_TEST

START_TEST(a_confined_reader_is_not_spoken_of) {
  if (!can_run())
    return;
  expect(READERS[0], 0, "");
  ck_assert_ptr_null(strstr(output, "without"));
}
END_TEST

START_TEST(lies_are_damage) {
  take_over(_i ? "lie" : "small lie");
  expect_sentence(READERS[0], 2, "is damaged");
}
END_TEST

/// Gates are put into a copy of a run that is kept, whoever made that: where it takes HDF5 over, it
/// can do no more than a reader's, and the run itself stays.
START_TEST(a_kept_run_does_no_harm) {
  char path[256];
  struct stat before, after;
  if (!can_run())
    return;
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert(H5Ldelete(file, "gates", H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
  ck_assert_int_eq(stat(path, &before), 0);
  take_over(_i ? "attack to write" : "crash to write");
  expect_sentence("run fall --out @/o --quiet", 2, "cannot be changed by HDF5");
  ck_assert(stat(path, &after) == 0 && before.st_ino == after.st_ino);
  ck_assert(!exists(FILE_NAME ".gates.part"));
  unsetenv("LD_PRELOAD");
  expect("run fall --out @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "1 kept from before"));
  ck_assert(stat(path, &after) == 0 && before.st_ino != after.st_ino);
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert(H5Lexists(file, "gates", H5P_DEFAULT) > 0 && H5Fclose(file) >= 0);
}
END_TEST

/// A reader that somebody ended says nothing about the file, which stays.
START_TEST(an_ended_reader_is_no_damage) {
  char path[256];
  struct stat before, after;
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  ck_assert_int_eq(stat(path, &before), 0);
  take_over("end");
  expect_sentence(READERS[0], 3, "the process that reads it has ended");
  expect_sentence("run fall --out @/o --quiet", 3, "the process that reads it has ended");
  ck_assert_int_eq(stat(path, &after), 0);
  ck_assert(before.st_ino == after.st_ino && !exists(FILE_NAME ".damaged"));
}
END_TEST

/// Opens the run's file; releases it.
static bool opens(const char *path) {
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  char text[64];
  hid_t file = vb_results_open(&h5, NULL);
  bool good = !h5.status && vb_h5_read_attribute(file, "schema_name", text, sizeof text);
  vb_h5_release(file);
  return good;
}

/// Open files of this process.
static size_t count_open(void) {
  size_t n = 0;
  for (int i = 0; i < 256; i++)
    n += fcntl(i, F_GETFD) >= 0;
  return n;
}

START_TEST(readers_come_and_go) {
  char path[256], copy[300], command[700];
  size_t before = count_open();
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  for (int i = 0; i < 40; i++) {
    snprintf(copy, sizeof copy, "%s.%d", path, i);
    snprintf(command, sizeof command, "cp %s %s", path, copy);
    ck_assert_int_eq(system(command), 0);
    ck_assert(opens(copy) && opens(path));
  }
  ck_assert_uint_le(count_open(), before + 10); // of five readers, two each
}
END_TEST

/// A fork does not speak in its parent's place, and has readers of its own.
START_TEST(a_fork_has_its_own) {
  char path[256], text[64];
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  int ended;
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  hid_t file = vb_results_open(&h5, NULL);
  ck_assert_int_eq(h5.status, VB_OK);
  pid_t child = fork();
  if (child == 0)
    _exit(vb_h5_read_attribute(file, "schema_name", text, sizeof text) || !opens(path));
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert_int_eq(ended, 0);
  ck_assert(vb_h5_read_attribute(file, "schema_name", text, sizeof text));
  ck_assert_str_eq(text, "viperbench-run");
  vb_h5_release(file);
}
END_TEST

/// Who reads keeps others from writing, and no longer than it reads.
START_TEST(a_file_is_locked_while_it_is_open) {
  char path[256];
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK}, writer = h5;
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  hid_t file = vb_results_open(&h5, NULL);
  hid_t group = vb_h5_open_group(&h5, file, "run");
  vb_h5_release(file);
  ck_assert(H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT) < 0);
  ck_assert(vb_h5_create_file(&writer) < 0);
  ck_assert_ptr_nonnull(strstr(error.message, "in use by another process"));
  vb_h5_release(group);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert(file >= 0);
  ck_assert(!opens(path));
  vb_h5_release(file);
  ck_assert(opens(path));
}
END_TEST

/// Whether a reader, not this process, reads the file.
static bool has_reader(const char *path) {
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  hid_t file = vb_results_open(&h5, NULL);
  ck_assert_msg(!h5.status, "%s", error.message);
  bool has = vb_reader_has(file);
  vb_h5_release(file);
  return has;
}

/// What this process wrote needs no reader, until somebody else changes or replaces it.
START_TEST(own_files_have_no_reader) {
  char path[256], command[1100];
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  ck_assert(has_reader(path));
  vb_h5_note_own(path);
  ck_assert(!has_reader(path));
  snprintf(command, sizeof command, "touch %s", path);
  ck_assert_int_eq(system(command), 0);
  ck_assert(has_reader(path));
  vb_h5_note_own(path);
  snprintf(command, sizeof command, "cp -p %s %s.new && mv %s.new %s", path, path, path, path);
  ck_assert_int_eq(system(command), 0);
  ck_assert(has_reader(path));
}
END_TEST

/// Adds a group to a file, as another program does.
static void add_group(const char *path, const char *name) {
  int ended;
  pid_t child = fork();
  if (child == 0) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    _exit(group < 0 || H5Gclose(group) < 0 || H5Fclose(file) < 0);
  }
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert_int_eq(ended, 0);
}

static bool has_group(const char *path, const char *name) {
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  hid_t file = vb_results_open(&h5, NULL);
  bool has = vb_h5_has(&h5, file, name);
  ck_assert_msg(!h5.status, "%s", error.message);
  vb_h5_release(file);
  return has;
}

/// Files stay open between two times that they are read, but nobody has to wait for that, and a
/// change is seen. The first of two files is read by a reader, the second is an own one.
START_TEST(files_that_stay_open_are_free_to_change) {
  char path[256], name[16];
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  for (int i = 0; i < 5; i++) {
    snprintf(name, sizeof name, "new_%d", i);
    if (_i)
      vb_h5_note_own(path);
    ck_assert(!has_group(path, name) && !has_group(path, name));
    add_group(path, name);
    ck_assert(has_group(path, name) && has_group(path, name));
  }
}
END_TEST

/// An own file that another process has open to write is not read.
START_TEST(lock_of_an_own_file_is_respected) {
  char path[256];
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  vb_h5_note_own(path);
  ck_assert(opens(path) && opens(path));
  int file = open(path, O_RDWR);
  ck_assert_int_eq(flock(file, LOCK_EX | LOCK_NB), 0);
  ck_assert(!opens(path));
  close(file);
  ck_assert(opens(path));
}
END_TEST

/// Only the latest own files stay open, and none in a fork.
START_TEST(few_own_files_stay_open) {
  char path[256], copy[300], command[700];
  int ended;
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  size_t before = count_open();
  for (int i = 0; i < 40; i++) {
    snprintf(copy, sizeof copy, "%s.%d", path, i % 12);
    snprintf(command, sizeof command, "cp %s %s", path, copy);
    if (i < 12)
      ck_assert_int_eq(system(command), 0);
    if (i < 12)
      vb_h5_note_own(copy);
    ck_assert(opens(copy));
  }
  size_t after = count_open();
  ck_assert_uint_gt(after, before);
  ck_assert_uint_le(after, before + 8);
  pid_t child = fork();
  if (child == 0)
    _exit(count_open() != before);
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert_int_eq(ended, 0);
}
END_TEST

/// A file of a megabyte in which a list of zeros has many names: to read all of it takes minutes.
static void make_endless(const char *path) {
  hsize_t n = 4 << 20;
  char name[32];
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, &n, NULL);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  double *zeros = calloc(n, sizeof *zeros);
  H5Pset_chunk(plist, 1, &n);
  H5Pset_deflate(plist, 1);
  hid_t group = H5Gcreate2(file, "again", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t data = H5Dcreate2(group, "0", H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  ck_assert(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
  for (int i = 1; i < 3000; i++) {
    snprintf(name, sizeof name, "%d", i);
    ck_assert(H5Lcreate_hard(group, "0", group, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  free(zeros);
  H5Dclose(data);
  H5Gclose(group);
  H5Pclose(plist);
  H5Sclose(space);
  H5Fclose(file);
}

START_TEST(a_reader_has_a_time_limit) {
  char path[256], other[300], command[700];
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  snprintf(other, sizeof other, "%s.other.h5", path);
  snprintf(command, sizeof command, "cp %s %s", path, other);
  ck_assert_int_eq(system(command), 0);
  make_endless(path);
  vb_results_begin_trials();
  vb_reader_set_seconds(0.5);
  double begun = vb_clock();
  ck_assert(vb_results_open(&h5, NULL) < 0);
  ck_assert_msg(vb_clock() - begun < 60, "it took %g s", vb_clock() - begun);
  ck_assert_int_eq(h5.status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, "is damaged: HDF5 does not get through it in"), "%s",
                error.message);
  ck_assert(opens(other));
}
END_TEST

/// Commands that need little of each file read no more, so that a folder of large ones takes
/// seconds.
START_TEST(history_and_gates_read_what_they_tell) {
  char path[256];
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  make_endless(path);
  double begun = vb_clock();
  expect(_i ? "gates @/o" : "history @/o", 0, "");
  ck_assert_str_eq(error_output, "");
  ck_assert_msg(vb_clock() - begun < 20, "it took %g s",
                vb_clock() - begun); // to read all: minutes
}
END_TEST

/// Texts of 0, 1, 3, 7, .. characters, twice: with their zeros as many bytes as one binary digit
/// each.
enum { N_TEXTS = 32, N_LENGTHS = 16 };

static void write_texts(const char *path, char *const *texts) {
  hsize_t n = N_TEXTS;
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, &n, NULL);
  hid_t type = vb_h5_text_type(&h5);
  hid_t data = H5Dcreate2(file, "texts", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
  H5Dclose(data);
  H5Tclose(type);
  H5Sclose(space);
  H5Fclose(file);
}

/// A reply grows text by text, whatever their lengths.
START_TEST(texts_of_any_length_are_read) {
  char path[256], *texts[N_TEXTS];
  vb_h5_dataset d;
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  size_t n = 0;
  for (size_t i = 0; i < N_TEXTS; i++) {
    size_t length = ((size_t)1 << i % N_LENGTHS) - 1;
    ck_assert_ptr_nonnull(texts[i] = calloc(length + 1, 1));
    memset(texts[i], 'a' + (int)(i % 26), length);
  }
  snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
  write_texts(path, texts);
  hid_t file = vb_results_open(&h5, NULL);
  ck_assert(vb_h5_open_dataset(&h5, file, "texts", &d));
  char **read = vb_h5_new_texts(&h5, &d, &n);
  ck_assert_msg(!h5.status, "%s", error.message);
  ck_assert_uint_eq(n, N_TEXTS);
  for (size_t i = 0; i < n; i++) {
    ck_assert_str_eq(read[i], texts[i]);
    free(texts[i]);
  }
  vb_texts_destroy(read, n);
  vb_h5_release(d.id);
  vb_h5_release(file);
}
END_TEST

static TCase *taken_over(void) {
  TCase *c = tcase_create("taken over");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 120);
  tcase_add_loop_test(c, code_in_a_file_does_no_harm, 0, N_READERS);
  tcase_add_loop_test(c, either_lock_will_do, 0, 2);
  tcase_add_test(c, a_confined_reader_is_not_spoken_of);
  tcase_add_loop_test(c, lies_are_damage, 0, 2);
  tcase_add_test(c, an_ended_reader_is_no_damage);
  tcase_add_loop_test(c, a_kept_run_does_no_harm, 0, 2);
  return c;
}

static TCase *processes(void) {
  TCase *c = tcase_create("processes");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 120);
  tcase_add_test(c, readers_come_and_go);
  tcase_add_test(c, a_fork_has_its_own);
  tcase_add_test(c, a_file_is_locked_while_it_is_open);
  tcase_add_test(c, own_files_have_no_reader);
  tcase_add_loop_test(c, files_that_stay_open_are_free_to_change, 0, 2);
  tcase_add_test(c, lock_of_an_own_file_is_respected);
  tcase_add_test(c, few_own_files_stay_open);
  tcase_add_test(c, a_reader_has_a_time_limit);
  tcase_add_loop_test(c, history_and_gates_read_what_they_tell, 0, 2);
  tcase_add_test(c, texts_of_any_length_are_read);
  return c;
}

VB_TEST_MAIN("readers of files", taken_over(), processes())
