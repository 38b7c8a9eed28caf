// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are started: what they get, their limits, and that nothing of them stays, whatever
// ends them or this process; temporary folders likewise.
// Covers: src/base/watchdog.* src/base/scratch.* src/base/time_limit.*
#include "base/clock.h"
#include "base/scratch.h"
#include "base/started_program.h"
#include "base/time_limit.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[512];

/// Runs a command of a shell, in limits.
static vb_program_end run_within(char *command, double wall_s, double cpu_s, uint64_t memory,
                                 int *wait_status) {
  vb_error error = {0};
  char *arguments[] = {"sh", "-c", command, NULL};
  const vb_program program = {arguments, wall_s, cpu_s, memory, said, sizeof said, NULL};
  vb_program_end end;
  vb_status status = vb_program_run(&program, &end, wait_status, &error);
  ck_assert_msg(!status, "%s", error.message);
  return end;
}

/// Runs a command that has all it wants; its exit code.
static int run(char *command) {
  int ended;
  ck_assert_int_eq(run_within(command, 60, 60, (uint64_t)4 << 30, &ended), VB_PROGRAM_DONE);
  ck_assert(WIFEXITED(ended));
  return WEXITSTATUS(ended);
}

/// Whether a process is there that has not ended.
static bool is_alive(pid_t pid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  const char *state = strrchr(text, ')');
  return state && state[2] != 'Z' && state[2] != 'X';
}

static void expect_gone(pid_t pid) {
  ck_assert_int_gt(pid, 1);
  for (int i = 0; i < 3000 && is_alive(pid); i++)
    usleep(10000);
  ck_assert_msg(!is_alive(pid), "process %d is still there", (int)pid);
}

START_TEST(how_it_ends_is_told) {
  int ended;
  ck_assert_int_eq(run("exit 0"), 0);
  ck_assert_int_eq(run("exit 7"), 7);
  ck_assert_int_eq(run_within("kill -SEGV $$", 60, 60, (uint64_t)4 << 30, &ended), VB_PROGRAM_DONE);
  ck_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGSEGV);
}
END_TEST

/// What it writes to its standard output is in the file, and that of a folder that is not there
/// keeps it from starting.
START_TEST(its_output_can_be_kept) {
  char folder[VB_SCRATCH_PATH], path[VB_SCRATCH_PATH + 16], text[32] = "";
  char *arguments[] = {"sh", "-c", "echo out; echo err >&2", NULL};
  vb_error error = {0};
  vb_program_end end;
  int ended;
  ck_assert_int_eq(vb_scratch_make(folder, &error), VB_OK);
  snprintf(path, sizeof path, "%s/out", folder);
  vb_program program = {arguments, 60, 60, (uint64_t)1 << 30, said, sizeof said, path};
  ck_assert_int_eq(vb_program_run(&program, &end, &ended, &error), VB_OK);
  ck_assert(end == VB_PROGRAM_DONE && ended == 0);
  FILE *file = fopen(path, "r");
  ck_assert(file && fgets(text, sizeof text, file));
  fclose(file);
  ck_assert_str_eq(text, "out\n");
  ck_assert_ptr_nonnull(strstr(said, "err"));
  vb_scratch_remove(folder);
  ck_assert_int_eq(vb_program_run(&program, &end, &ended, &error), VB_UNAVAILABLE);
}
END_TEST

START_TEST(what_cannot_be_started_is_told) {
  vb_error error = {0};
  vb_program_end end;
  int ended;
  char *missing[] = {"viperbench-no-such-program", NULL}, *folder[] = {"/tmp", NULL};
  vb_program program = {missing, 1, 1, 1 << 30, said, sizeof said, NULL};
  ck_assert_int_eq(vb_program_run(&program, &end, &ended, &error), VB_OK);
  ck_assert_int_eq(end, VB_PROGRAM_MISSING);
  program.arguments = folder;
  ck_assert_int_eq(vb_program_run(&program, &end, &ended, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "cannot start /tmp: Permission denied");
}
END_TEST

START_TEST(what_it_says_has_no_control_characters) {
  ck_assert_int_eq(run("printf 'a\\033[2J\\000b\\233c\\rd\\n' >&2; echo lost"), 0);
  ck_assert_str_eq(said, "a?[2J?b?c?d\n");
  ck_assert_int_eq(run("head -c 100000 /dev/zero | tr '\\0' x >&2"), 0);
  ck_assert_uint_eq(strlen(said), sizeof said - 1);
}
END_TEST

START_TEST(it_has_no_file_of_this_process) {
  int file = open("/etc/passwd", O_RDONLY); // without O_CLOEXEC, as a library may open one
  ck_assert_int_ge(file, 3);
  ck_assert_int_eq(run("readlink /proc/$$/fd/* >&2; true"), 0);
  close(file);
  ck_assert_msg(strstr(said, "/dev/null") && !strstr(said, "passwd"), "%s", said);
}
END_TEST

START_TEST(signals_have_their_usual_effect) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  ck_assert_int_eq(run("sh -c 'kill -TERM $$; exit 3'; [ $? = 143 ]"), 0);
}
END_TEST

START_TEST(time_is_limited) {
  int ended;
  double begun = vb_clock();
  ck_assert_int_eq(run_within("echo $$ >&2; sleep 100", 0.3, 60, (uint64_t)1 << 30, &ended),
                   VB_PROGRAM_LATE);
  ck_assert_double_lt(vb_clock() - begun, 30); // of 100
  expect_gone(atoi(said));
  // Of the processor: a second is the least that a system takes.
  ck_assert_int_eq(run_within("while :; do :; done", 60, 1, (uint64_t)1 << 30, &ended),
                   VB_PROGRAM_LATE);
  ck_assert_double_lt(vb_clock() - begun, 55); // of 60
}
END_TEST

static bool is_over(void *context) {
  return vb_clock() > *(double *)context;
}

START_TEST(the_time_of_the_caller_is_limited) {
  int ended;
  double end = vb_clock() + 0.2;
  vb_time_limit before = vb_time_limit_set((vb_time_limit){.over = is_over, .context = &end});
  ck_assert_int_eq(run_within("sleep 100", 60, 60, (uint64_t)1 << 30, &ended), VB_PROGRAM_LATE);
  vb_time_limit_set(before);
  ck_assert_double_lt(vb_clock() - end, 30);
}
END_TEST

START_TEST(memory_is_limited) {
  int ended;
  char command[] = "dd if=/dev/zero of=/dev/null bs=200M count=1";
  ck_assert_int_eq(run(command), 0);
  run_within(command, 60, 60, 100 << 20, &ended);
  ck_assert(WIFEXITED(ended) && WEXITSTATUS(ended) != 0);
}
END_TEST

START_TEST(what_it_starts_ends_with_it) {
  ck_assert_int_eq(run("setsid sleep 100 & echo $! >&2"), 0);
  expect_gone(atoi(said));
}
END_TEST

/// What a process that is killed leaves a note of.
typedef struct note {
  char folder[VB_SCRATCH_PATH];
  char pids[64];
} note;

/// Has a temporary folder, and a program that starts another one and writes files there.
static _Noreturn void be_victim(note *shared) {
  vb_error error = {0};
  char command[VB_SCRATCH_PATH + 256];
  int ended;
  if (vb_scratch_make(shared->folder, &error))
    _exit(1);
  snprintf(command, sizeof command,
           "cd %s; exec 2>/dev/null; setsid sleep 100 & echo $$ $! >new; mv new pids; i=0; "
           "while :; do i=$((i + 1)); echo >$i; done",
           shared->folder);
  run_within(command, 60, 60, (uint64_t)1 << 30, &ended);
  _exit(0);
}

static bool read_pids(note *shared) {
  char path[VB_SCRATCH_PATH + 16];
  snprintf(path, sizeof path, "%s/pids", shared->folder);
  FILE *file = fopen(path, "r");
  bool read = file && fgets(shared->pids, sizeof shared->pids, file);
  if (file)
    fclose(file);
  return read;
}

static void expect_no_folder(const char *folder) {
  for (int i = 0; i < 3000 && access(folder, F_OK) == 0; i++)
    usleep(10000);
  ck_assert_msg(access(folder, F_OK) != 0, "%s is still there", folder);
}

START_TEST(nothing_stays_when_this_process_is_killed) {
  note *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(shared, MAP_FAILED);
  pid_t victim = fork();
  if (victim == 0)
    be_victim(shared);
  for (int i = 0; i < 3000 && !(shared->folder[0] && read_pids(shared)); i++)
    usleep(10000);
  int first = 0, second = 0;
  ck_assert_int_eq(sscanf(shared->pids, "%d %d", &first, &second), 2);
  ck_assert(is_alive(first) && is_alive(second));
  ck_assert_int_eq(kill(victim, SIGKILL), 0);
  ck_assert_int_eq(waitpid(victim, NULL, 0), victim);
  expect_gone(first);
  expect_gone(second);
  expect_no_folder(shared->folder);
}
END_TEST

START_TEST(a_folder_goes_with_the_process) {
  note *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(shared, MAP_FAILED);
  pid_t child = fork();
  if (child == 0) {
    vb_error error = {0};
    _exit(vb_scratch_make(shared->folder, &error) != VB_OK || access(shared->folder, W_OK) != 0);
  }
  int ended;
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert_int_eq(ended, 0);
  expect_no_folder(shared->folder);
}
END_TEST

START_TEST(a_folder_is_made_and_removed) {
  char one[VB_SCRATCH_PATH], two[VB_SCRATCH_PATH], path[VB_SCRATCH_PATH + 8];
  vb_error error = {0};
  struct stat found;
  ck_assert_int_eq(vb_scratch_make(one, &error), VB_OK);
  ck_assert_int_eq(vb_scratch_make(two, &error), VB_OK);
  ck_assert_int_eq(stat(one, &found), 0);
  ck_assert_int_eq(found.st_mode & 0777, 0700);
  snprintf(path, sizeof path, "%s/file", one);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fclose(file);
  vb_scratch_remove(one);
  ck_assert(access(one, F_OK) != 0 && access(two, F_OK) == 0);
  vb_scratch_remove(two);
  ck_assert(access(two, F_OK) != 0);
  ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); // no keeper is left
  setenv("TMPDIR", "/nowhere", 1);
  ck_assert_int_eq(vb_scratch_make(one, &error), VB_CANNOT_WRITE);
  ck_assert_str_eq(error.message,
                   "cannot make a temporary folder in /nowhere: No such file or directory");
}
END_TEST

static TCase *programs(void) {
  TCase *tests = tcase_create("programs");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, how_it_ends_is_told);
  tcase_add_test(tests, its_output_can_be_kept);
  tcase_add_test(tests, what_cannot_be_started_is_told);
  tcase_add_test(tests, what_it_says_has_no_control_characters);
  tcase_add_test(tests, it_has_no_file_of_this_process);
  tcase_add_test(tests, signals_have_their_usual_effect);
  tcase_add_test(tests, time_is_limited);
  tcase_add_test(tests, the_time_of_the_caller_is_limited);
  tcase_add_test(tests, memory_is_limited);
  tcase_add_test(tests, what_it_starts_ends_with_it);
  tcase_add_test(tests, nothing_stays_when_this_process_is_killed);
  tcase_add_test(tests, a_folder_goes_with_the_process);
  tcase_add_test(tests, a_folder_is_made_and_removed);
  return tests;
}

VB_TEST_MAIN("started program", programs())
