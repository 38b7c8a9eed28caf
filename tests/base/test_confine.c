// SPDX-License-Identifier: GPL-3.0-or-later
// What a confined process cannot do, by each of the two locks alone and by both.
#include "base/confine.h"

#include "deny_calls.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char target[64]; ///< a file that is there

/// What somebody would do who has taken the process over; each returns what the system says. The
/// program ends with 1, as a deed that was done.

static int read_a_file(void) {
  return open("/etc/passwd", O_RDONLY);
}

static int write_a_file(void) {
  return open(target, O_WRONLY);
}

static int make_a_file(void) {
  char name[80];
  snprintf(name, sizeof name, "%s.new", target);
  return open(name, O_WRONLY | O_CREAT, 0666);
}

static int remove_a_file(void) {
  return unlink(target);
}

static int read_a_folder(void) {
  return open("/", O_RDONLY | O_DIRECTORY);
}

static int open_a_socket(void) {
  return socket(AF_INET, SOCK_STREAM, 0);
}

static int start_a_program(void) {
  char *arguments[] = {(char *)"false", NULL};
  return execv("/bin/false", arguments);
}

static int fork_itself(void) {
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  return child;
}

static int signal_its_parent(void) {
  return kill(getppid(), 0);
}

static int trace_its_parent(void) {
  return (int)ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
}

static int write_to_what_is_open(void) {
  return (int)pwrite(STDOUT_FILENO, "x", 1, 0);
}

static int cut_what_is_open(void) {
  return ftruncate(STDOUT_FILENO, 0);
}

static int change_rights(void) {
  return chmod(target, 0777);
}

typedef struct deed {
  const char *name;
  int (*act)(void);
  bool landlock; ///< Landlock alone keeps it from it, too
} deed;

static const deed DEEDS[] = {{"read a file", read_a_file, true},
                             {"write a file", write_a_file, true},
                             {"make a file", make_a_file, true},
                             {"remove a file", remove_a_file, true},
                             {"read a folder", read_a_folder, true},
                             {"start a program", start_a_program, true},
                             {"open a socket", open_a_socket, false},
                             {"fork", fork_itself, false},
                             {"signal its parent", signal_its_parent, false},
                             {"trace its parent", trace_its_parent, true},
                             {"change rights", change_rights, false}};

enum { N_DEEDS = sizeof DEEDS / sizeof *DEEDS };

/// In a child: 0 where the deed was refused; 100 and more where the confinement itself failed.
static int try_deed(const deed *d, bool landlock, bool filters, bool writes) {
  if ((!landlock && !deny_landlock()) || (!filters && !deny_filters()))
    return 101;
  const char *lacks = vb_confine_lacks();
  if ((lacks == NULL) != (landlock && filters) || !vb_confine(writes))
    return 102;
  // What was open before is still there.
  char byte = 0;
  if (read(STDIN_FILENO, &byte, 1) != 1 || byte != 'x')
    return 103;
  return d->act() < 0 ? 0 : 1;
}

static void expect_refused(const deed *d, bool landlock, bool filters, bool writes, bool refused) {
  int ends[2], ended;
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert_int_eq((int)write(ends[1], "x", 1), 1);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    dup2(open(target, O_RDWR), STDOUT_FILENO);
    _exit(try_deed(d, landlock, filters, writes));
  }
  close(ends[0]);
  close(ends[1]);
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert_msg(WIFEXITED(ended) && WEXITSTATUS(ended) == !refused,
                "%s with%s Landlock, with%s filter: ended as %d", d->name, landlock ? "" : "out",
                filters ? "" : "out", ended);
}

static void set_up(void) {
  strcpy(target, "/tmp/vb_confine_XXXXXX");
  int file = mkstemp(target);
  ck_assert(file >= 0);
  close(file);
}

static void tear_down(void) {
  unlink(target);
}

static bool can_run(void) {
  const char *lacks = vb_confine_lacks();
  if (!lacks)
    return true;
  vb_skip("landlock", lacks);
  return false;
}

START_TEST(both_locks_keep_it_from_everything) {
  if (can_run())
    for (int writes = 0; writes < 2; writes++)
      expect_refused(&DEEDS[_i], true, true, writes, true);
}
END_TEST

START_TEST(the_filter_alone_keeps_it_from_everything) {
  if (can_run())
    expect_refused(&DEEDS[_i], false, true, false, true);
}
END_TEST

START_TEST(landlock_alone_keeps_it_from_files) {
  if (can_run() && DEEDS[_i].landlock)
    expect_refused(&DEEDS[_i], true, false, false, true);
}
END_TEST

/// Nothing is refused by accident: without either, all goes but what the system itself refuses.
START_TEST(without_locks_nothing_is_refused) {
  if (can_run() && DEEDS[_i].act != trace_its_parent)
    expect_refused(&DEEDS[_i], false, false, false, false);
}
END_TEST

/// Who may write writes to what is open.
START_TEST(writing_is_a_right_of_its_own) {
  static const deed WRITES[] = {{"write", write_to_what_is_open, false},
                                {"cut", cut_what_is_open, false}};
  for (int i = 0; can_run() && i < 2; i++) {
    expect_refused(&WRITES[i], true, true, false, true);
    expect_refused(&WRITES[i], true, true, true, false);
  }
}
END_TEST

static TCase *locks(void) {
  TCase *c = tcase_create("locks");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_set_timeout(c, 60);
  tcase_add_loop_test(c, both_locks_keep_it_from_everything, 0, N_DEEDS);
  tcase_add_loop_test(c, the_filter_alone_keeps_it_from_everything, 0, N_DEEDS);
  tcase_add_loop_test(c, landlock_alone_keeps_it_from_files, 0, N_DEEDS);
  tcase_add_loop_test(c, without_locks_nothing_is_refused, 0, N_DEEDS);
  tcase_add_test(c, writing_is_a_right_of_its_own);
  return c;
}

VB_TEST_MAIN("confinement", locks())
