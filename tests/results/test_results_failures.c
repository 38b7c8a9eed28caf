// SPDX-License-Identifier: GPL-3.0-or-later
/// Covers: src/results/results_*.[ch] src/results/h5*.[ch]
#include "results/h5_own.h"
#include "results_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

START_TEST(bad_questions_are_refused) {
  write_run();
  expect_refusal(fix.path, "energy/strech", -1, -1, "it has kinetic, stretch, total");
  expect_refusal(fix.path, "nothing/there", -1, -1, "no series \"nothing/there\"");
  expect_refusal(fix.path, "energy", -1, -1, "no series");
  expect_refusal(fix.path, "", -1, -1, "no name of a recorded quantity");
  expect_refusal(fix.path, "runs/a/energy/total", -1, -1, "the file of one run");
  expect_refusal(fix.path, "energy/total", 0, -1, "leave out row or component");
  expect_refusal(fix.path, "frames/scale", -1, -1, "name one of them");
  expect_refusal(fix.path, "frames/scale", 8, -1, "there are 8");
  expect_refusal(fix.path, "frames/position", 1, 3, "there are 3");
  expect_refusal(fix.path, "frames/position", 1, -1, "3 components");
}
END_TEST

static void write_bytes(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

START_TEST(foreign_and_damaged_files_are_refused) {
  char other[160];
  snprintf(other, sizeof other, "%s/other.h5", fix.folder);
  expect_refusal(other, "energy/total", -1, -1, "No such file");
  expect_refusal(fix.folder, "energy/total", -1, -1, fix.folder);
  write_bytes(other, "hello", 5);
  expect_refusal(other, "energy/total", -1, -1, "no HDF5 file, or is truncated");
  write_bytes(other, "", 0);
  expect_refusal(other, "energy/total", -1, -1, "no HDF5 file, or is truncated");
  H5Fclose(H5Fcreate(other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_refusal(other, "energy/total", -1, -1, "no results file of this program");
  write_run();
  struct stat info;
  ck_assert(stat(fix.path, &info) == 0);
  for (int part = 1; part < 10; part++) {
    ck_assert(truncate(fix.path, info.st_size * (10 - part) / 10) == 0);
    expect_refusal(fix.path, "energy/total", -1, -1, "truncated");
    ck_assert(!vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  }
}
END_TEST

START_TEST(unknown_fields_are_refused) {
  char *wrong[] = {"position", "colour"}, *twice[] = {"scale", "scale"};
  vb_results *results = NULL;
  fix.run.record.n_fields = 2;
  fix.run.record.fields = wrong;
  ck_assert_int_eq(vb_run_record(fix.path, &fix.study, &fix.run, &fake_solver_table, fix.instance,
                                 NULL, &results, &fix.error),
                   VB_BAD_INPUT);
  ck_assert_str_eq(fix.error.message,
                   "solver \"fake\" has no field \"colour\" to record in frames; it has position, "
                   "scale, velocity, frame, ghost");
  fix.run.record.fields = twice;
  ck_assert_int_eq(vb_run_record(fix.path, &fix.study, &fix.run, &fake_solver_table, fix.instance,
                                 NULL, &results, &fix.error),
                   VB_BAD_INPUT);
  ck_assert_ptr_null(results);
  ck_assert_int_ne(access(fix.part, F_OK), 0);
}
END_TEST

START_TEST(unwritable_folders_are_refused) {
  vb_results *results = NULL;
  char file[128], path[160];
  snprintf(file, sizeof file, "%s/file", fix.folder);
  write_bytes(file, "x", 1);
  const char *const bad[] = {"file/run.h5", "no/such/folder/run.h5"};
  for (size_t i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", fix.folder, bad[i]);
    ck_assert_int_eq(vb_run_record(path, &fix.study, &fix.run, &fake_solver_table, fix.instance,
                                   NULL, &results, &fix.error),
                     VB_CANNOT_WRITE);
    ck_assert(strstr(fix.error.message, path) &&
              strstr(fix.error.message, i ? "No such" : "Not a"));
    ck_assert_int_eq(write_fixed_index(path), VB_CANNOT_WRITE);
  }
  ck_assert_ptr_null(results);
}
END_TEST

#define COMPACT_BYTES 512 ///< of an array in the header of its dataset, at most

/// The place of the first bytes of a dataset in the file: of a chunk, or in its header.
static size_t place_of(const char *path, const char *name, H5D_layout_t layout) {
  static char bytes[1 << 20];
  unsigned mask;
  hsize_t offset[3], size;
  haddr_t address = 0;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset), plist = H5Dget_create_plist(dataset);
  ck_assert_int_eq(H5Pget_layout(plist), layout);
  if (layout == H5D_CHUNKED) {
    ck_assert(H5Dget_chunk_info(dataset, space, 0, offset, &mask, &address, &size) >= 0);
  } else {
    double values[COMPACT_BYTES / sizeof(double)];
    size = H5Dget_storage_size(dataset);
    ck_assert_uint_le(size, sizeof values);
    ck_assert(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    FILE *in = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    const char *found = memmem(bytes, n, values, size);
    ck_assert_ptr_nonnull(found);
    address = (haddr_t)(found - bytes);
  }
  H5Pclose(plist);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return address + size / 2;
}

/// Flips a bit of a dataset in the file.
static void flip(const char *path, const char *name, H5D_layout_t layout) {
  long place = (long)place_of(path, name, layout);
  FILE *file = fopen(path, "r+b");
  ck_assert(file && fseek(file, place, SEEK_SET) == 0);
  int byte = fgetc(file);
  ck_assert(fseek(file, -1, SEEK_CUR) == 0 && fputc(byte ^ 4, file) != EOF && fclose(file) == 0);
}

START_TEST(flipped_bits_are_found) {
  write_run();
  flip(fix.path, "run/energy/stretch", H5D_COMPACT);
  expect_refusal(fix.path, "energy/stretch", -1, -1, "\"run/energy/stretch\" is damaged");
  flip(fix.path, "run/frames/position", H5D_CHUNKED);
  expect_refusal(fix.path, "frames/position", 0, 0, "cannot read");
  vb_column c = column(fix.path, "energy/kinetic", -1, -1);
  vb_column_free(&c);
}
END_TEST

/// Whether this program's disks say in advance that there is room.
static bool boastful_disk;

/// Stands in for the C library's, which the results files call before they write.
int posix_fallocate(int fd, off_t offset, off_t len) {
  if (boastful_disk)
    return 0;
  return fallocate(fd, 0, offset, len) == 0 ? 0 : errno;
}

/// What becomes of a child that runs `body`; its standard error is caught into `text`.
static int in_child(void (*body)(void), char *text, size_t size) {
  int pipes[2];
  ck_assert(pipe(pipes) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], STDERR_FILENO);
    close(pipes[0]);
    close(pipes[1]);
    body();
    exit(0);
  }
  close(pipes[1]);
  size_t used = 0;
  ssize_t n;
  while (used + 1 < size && (n = read(pipes[0], text + used, size - used - 1)) > 0)
    used += (size_t)n;
  text[used] = '\0';
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

static void write_beside_another(void) {
  vb_results *second = NULL;
  vb_column c = {0};
  if (vb_run_record(fix.path, &fix.study, &fix.run, &fake_solver_table, fix.instance, NULL, &second,
                    &fix.error) != VB_CANNOT_WRITE)
    _exit(10);
  if (!strstr(fix.error.message, "in use by another process"))
    _exit(11);
  if (vb_results_column(fix.part, "energy/total", -1, -1, &c, &fix.error) != VB_BAD_INPUT)
    _exit(12);
  if (!strstr(fix.error.message, "in use by another process"))
    _exit(13);
}

START_TEST(two_writers_are_kept_apart) {
  char text[4096];
  // A fork would share the descriptors of an open file, and its locks with them: it comes first.
  int ready[2], done[2];
  char token = 'x';
  ck_assert(pipe(ready) == 0 && pipe(done) == 0);
  pid_t writer = fork();
  if (writer == 0) {
    vb_results *first = create();
    if (record_step(first, 0) || vb_results_flush(first, &fix.error))
      _exit(20);
    if (write(ready[1], &token, 1) != 1 || read(done[0], &token, 1) != 1)
      _exit(21);
    _exit(vb_results_close(first, "complete", NULL, &fix.error));
  }
  ck_assert_int_eq(read(ready[0], &token, 1), 1);
  int status = in_child(write_beside_another, text, sizeof text);
  ck_assert_int_eq(write(done[1], &token, 1), 1);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_int_eq(waitpid(writer, &status, 0), writer);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  vb_column c = column(fix.path, "energy/total", -1, -1);
  ck_assert_uint_eq(c.n, 1);
  vb_column_free(&c);
}
END_TEST

static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

/// Writes frames until the disk is full; exits with 0 where that is told as it should be.
static void fill_disk(void) {
  vb_results *results = NULL;
  limit_files(4 << 20);
  if (vb_run_record(fix.path, &fix.study, &fix.run, &fake_solver_table, fix.instance, NULL,
                    &results, &fix.error))
    _exit(10);
  for (int64_t step = 0; step <= 3; step++)
    if (record_step(results, step))
      _exit(11);
  if (vb_results_flush(results, &fix.error))
    _exit(12);
  vb_status status = VB_OK;
  for (int64_t step = 4; step < 3000000 && !status; step++)
    status = record_step(results, step);
  if (status != VB_CANNOT_WRITE || !strstr(fix.error.message, "File too large") ||
      !strstr(fix.error.message, fix.part))
    _exit(13);
  if (vb_results_row(results, fix.instance, 0, &fix.error) != VB_CANNOT_WRITE)
    _exit(14);
  // The limit stands for a full disk, which would not touch files in memory.
  if (boastful_disk)
    limit_files(RLIM_INFINITY);
  if (vb_results_close(results, "complete", NULL, &fix.error) != VB_CANNOT_WRITE)
    _exit(15);
}

START_TEST(full_disk_keeps_what_was_flushed) {
  char text[4096];
  int status = in_child(fill_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
  ck_assert_int_ne(access(fix.path, F_OK), 0);
  expect_status(fix.part, "interrupted");
  vb_column c = column(fix.part, "energy/stretch", -1, -1);
  ck_assert_uint_ge(c.n, 4);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_double_eq(c.y[i], cos(c.x[i]) * cos(c.x[i]));
  vb_column_free(&c);
  c = column(fix.part, "frames/scale", 0, -1);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_double_eq(c.y[i], 1 + FAKE_AMPLITUDE * cos(2 * c.x[i]));
  vb_column_free(&c);
}
END_TEST

/// As above, where the disk only tells when it is too late.
static void fill_boastful_disk(void) {
  boastful_disk = true;
  fill_disk();
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
    _exit(16);
}

START_TEST(disk_full_without_warning) {
  char text[4096];
  int status = in_child(fill_boastful_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
  ck_assert_int_ne(access(fix.path, F_OK), 0);
}
END_TEST

static void create_on_full_disk(void) {
  vb_results *results = NULL;
  limit_files(1 << 19);
  if (vb_run_record(fix.path, &fix.study, &fix.run, &fake_solver_table, fix.instance, NULL,
                    &results, &fix.error) != VB_CANNOT_WRITE)
    _exit(10);
  if (write_fixed_index(fix.path) != VB_CANNOT_WRITE)
    _exit(11);
  if (access(fix.part, F_OK) == 0)
    _exit(12);
}

START_TEST(full_disk_refuses_new_files) {
  char text[4096];
  int status = in_child(create_on_full_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
}
END_TEST

static void gates_on_full_disk(void) {
  limit_files(4096);
  if (vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error) != VB_CANNOT_WRITE)
    _exit(10);
}

START_TEST(full_disk_keeps_a_finished_file) {
  char text[4096], command[200];
  write_run();
  int status = in_child(gates_on_full_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
  ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  snprintf(command, sizeof command, "test -z \"$(ls %s | grep part)\"", fix.folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

/// Of a file that this process wrote, and so changes itself; the disk tells when it is too late. A
/// failure leaves nothing behind that the next time would meet.
static void own_gates_on_full_disk(void) {
  struct stat found;
  vb_h5_note_own(fix.path);
  if (stat(fix.path, &found))
    _exit(9);
  boastful_disk = true;
  for (int i = 0; i < 2; i++) {
    limit_files((rlim_t)found.st_size);
    if (vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error) != VB_CANNOT_WRITE ||
        !strstr(fix.error.message, "File too large"))
      _exit(10 + i);
  }
  limit_files(RLIM_INFINITY);
  fix.verdict.value = 1;
  if (vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error))
    _exit(12);
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
    _exit(13);
}

START_TEST(full_disk_keeps_an_own_file) {
  char text[4096];
  write_run();
  int status = in_child(own_gates_on_full_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_int_gt(H5Lexists(file, "gates", H5P_DEFAULT), 0);
  ck_assert(H5Fclose(file) >= 0);
}
END_TEST

static void be_killed(void) {
  vb_results *results = create();
  for (int64_t step = 0; step <= 10; step++)
    record_step(results, step);
  vb_results_flush(results, &fix.error);
  record_step(results, 11);
  raise(SIGKILL);
}

START_TEST(kill_keeps_what_was_flushed) {
  char text[4096];
  int status = in_child(be_killed, text, sizeof text);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ck_assert_int_ne(access(fix.path, F_OK), 0);
  expect_status(fix.part, "interrupted");
  vb_column c = column(fix.part, "energy/stretch", -1, -1);
  ck_assert_uint_eq(c.n, 11);
  ck_assert_double_eq(c.y[10], cos(0.1) * cos(0.1));
  vb_column_free(&c);
  c = column(fix.part, "frames/scale", 1, -1);
  ck_assert_uint_eq(c.n, 3);
  vb_column_free(&c);
}
END_TEST

static TCase *failures_case(void) {
  TCase *c = tcase_create("failures");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, bad_questions_are_refused);
  tcase_add_test(c, foreign_and_damaged_files_are_refused);
  tcase_add_test(c, flipped_bits_are_found);
  tcase_add_test(c, two_writers_are_kept_apart);
  tcase_add_test(c, unknown_fields_are_refused);
  tcase_add_test(c, unwritable_folders_are_refused);
  tcase_add_test(c, full_disk_keeps_what_was_flushed);
  tcase_add_test(c, disk_full_without_warning);
  tcase_add_test(c, full_disk_refuses_new_files);
  tcase_add_test(c, full_disk_keeps_a_finished_file);
  tcase_add_test(c, full_disk_keeps_an_own_file);
  tcase_add_test(c, kill_keeps_what_was_flushed);
  return c;
}

VB_TEST_MAIN("results: failures", failures_case())
