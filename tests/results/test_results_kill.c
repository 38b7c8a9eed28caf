// SPDX-License-Identifier: GPL-3.0-or-later
// A results file after kills at many single writes to the disk (EVERY=1: at all of them): all that
// was flushed before is there, and nothing else is taken for data; before the first flush there is
// a file that can be read, or none.
// Covers: src/results/results_write.c src/results/results_series.c src/results/results_state.c
#include "results/program_id.h"
#include "results/results_array.h"
#include "results_fixture.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/// Rows between flushes, not a multiple of those in a chunk: some flushes begin new ones.
enum { FLUSHES = 3, ROWS = 37 };

/// What the process that is killed tells the one that looks at what it leaves.
typedef struct board {
  atomic_long writes;         ///< to the disk so far
  atomic_long flushed;        ///< rows that were on the disk when the latest flush had ended
  atomic_long after[FLUSHES]; ///< writes when each flush had ended
} board;

static board *shared;
static long fatal; ///< the write before which this process is killed, or 0

static void live_or_die(void) {
  if (shared && atomic_fetch_add(&shared->writes, 1) + 1 == fatal)
    raise(SIGKILL);
}

// These stand in for the C library's, which HDF5 and the results files call.
ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset) {
  live_or_die();
  return syscall(SYS_pwrite64, fd, buf, n, offset);
}

ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t offset) {
  return pwrite(fd, buf, n, offset);
}

int ftruncate(int fd, off_t length) {
  live_or_die();
  return (int)syscall(SYS_ftruncate, fd, length);
}

/// Records some rows and flushes them, time and again.
static _Noreturn void record_until_killed(void) {
  vb_results *results = create();
  for (int flush = 0; flush < FLUSHES; flush++) {
    for (int64_t step = flush * ROWS; step < (flush + 1) * ROWS; step++)
      if (record_step(results, step))
        _exit(10);
    if (vb_results_flush(results, &fix.error))
      _exit(11);
    atomic_store(&shared->flushed, (flush + 1) * ROWS);
    atomic_store(&shared->after[flush], atomic_load(&shared->writes));
  }
  raise(SIGKILL);
  _exit(12);
}

/// Runs that in a child that does not live to see write number `number`.
static void be_killed_at(long number) {
  memset((void *)shared, 0, sizeof *shared);
  unlink(fix.part);
  fatal = number;
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0)
    record_until_killed();
  int ended;
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert_msg(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL, "the child ended with %d", ended);
}

static void expect_series(long number, long flushed) {
  vb_column c = column(fix.part, "energy/stretch", -1, -1);
  ck_assert_msg((long)c.n >= flushed, "killed at write %ld: %zu rows of %ld", number, c.n, flushed);
  for (size_t i = 0; i < c.n; i++) {
    double t = (double)i * vb_scene_world(fix.run.scene)->step;
    ck_assert_msg(c.x[i] == t && c.y[i] == cos(t) * cos(t),
                  "killed at write %ld: row %zu is %g, %g", number, i, c.x[i], c.y[i]);
  }
  vb_column_free(&c);
}

/// Frames are chunks of their own.
static void expect_frames(long number, long flushed) {
  vb_column c = column(fix.part, "frames/scale", 0, -1);
  ck_assert_int_ge((long)c.n, (flushed - 1) / fix.run.record.frames_every + 1);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_msg(c.y[i] == 1 + FAKE_AMPLITUDE * cos(2 * c.x[i]),
                  "killed at write %ld: frame %zu is %g", number, i, c.y[i]);
  vb_array last = {0};
  ck_assert_msg(!vb_results_array(fix.part, "/run/frames/scale", -1, &last, &fix.error),
                "killed at write %ld: %s", number, fix.error.message);
  ck_assert_double_eq(last.values[0], c.y[c.n - 1]);
  vb_array_free(&last);
  vb_column_free(&c);
}

START_TEST(kills_lose_nothing_that_was_flushed) {
  const char *given = getenv("EVERY");
  long every = given ? strtol(given, NULL, 10) : 5, kills = 0;
  char program[65];
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(shared, MAP_FAILED);
  vb_program_id(program, NULL); // once here, not once in each child
  be_killed_at(0);
  long first = shared->after[0] + 1, last = shared->after[FLUSHES - 1];
  ck_assert_int_ge(last, first + 50);
  for (long number = first; number <= last; number += every, kills++) {
    be_killed_at(number);
    long flushed = shared->flushed;
    ck_assert_int_ge(flushed, ROWS);
    expect_series(number, flushed);
    expect_frames(number, flushed);
    vb_array all = {0};
    ck_assert(!vb_results_array(fix.part, "/timing/step", VB_NO_FRAME, &all, &fix.error));
    ck_assert_uint_ge(all.n, (size_t)flushed - 1);
    vb_array_free(&all);
    expect_status(fix.part, "interrupted");
  }
  printf("killed at %ld of %ld writes\n", kills, last - first + 1);
}
END_TEST

START_TEST(an_early_kill_leaves_a_readable_file_or_none) {
  const char *given = getenv("EVERY");
  long every = given ? strtol(given, NULL, 10) : 3, none = 0, readable = 0;
  char program[65];
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(shared, MAP_FAILED);
  vb_program_id(program, NULL);
  be_killed_at(0);
  for (long number = 1, last = shared->after[0]; number <= last; number += every) {
    be_killed_at(number);
    if (access(fix.part, F_OK) != 0) {
      none++;
      continue;
    }
    readable++;
    expect_status(fix.part, "interrupted");
  }
  printf("killed at %ld writes before there was a file and %ld after\n", none, readable);
  ck_assert(none > 0 && readable > 0);
  // What such a kill leaves is in nobody's way.
  be_killed_at(1);
  write_run();
  ck_assert_int_eq(access(fix.part, F_OK), -1);
}
END_TEST

static TCase *kills(void) {
  TCase *c = tcase_create("kills");
  tcase_set_timeout(c, 200);
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, kills_lose_nothing_that_was_flushed);
  tcase_add_test(c, an_early_kill_leaves_a_readable_file_or_none);
  return c;
}

VB_TEST_MAIN("results: kills", kills())
