// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a fork: what it leaves behind, its limits, and that it ends with whoever waits for it.
// Covers: src/base/child_process.* src/base/time_limit.*
#include "base/child_process.h"

#include "base/clock.h"
#include "base/signals.h"
#include "base/time_limit.h"
#include "test.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM ((size_t)64 << 20)

static vb_status count(void *context, vb_error *error) {
  int *numbers = context;
  static int own;
  (void)error;
  for (int i = 0; i < 1000; i++)
    numbers[i] += i;
  own++; // of the fork alone
  return own == 1 ? VB_OK : VB_FAILED;
}

START_TEST(shared_memory_is_left) {
  vb_error error = {0};
  int *numbers = vb_child_memory(1000 * sizeof *numbers);
  ck_assert_ptr_nonnull(numbers);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(vb_child_run(count, numbers, ROOM, &error), VB_OK);
  for (int i = 0; i < 1000; i++)
    ck_assert_int_eq(numbers[i], 2 * i);
  vb_child_memory_free(numbers, 1000 * sizeof *numbers);
}
END_TEST

static vb_status refuse(void *context, vb_error *error) {
  return vb_bad_input(error, "%s is wrong", (const char *)context);
}

static vb_status crash(void *context, vb_error *error) {
  (void)context, (void)error;
  raise(SIGKILL);
  return VB_OK;
}

START_TEST(a_failure_is_told) {
  vb_error error = {0};
  ck_assert_int_eq(vb_child_run(refuse, (void *)"it", ROOM, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "it is wrong");
  ck_assert_int_eq(vb_child_run(crash, NULL, ROOM, &error), VB_FAILED);
  ck_assert_str_eq(error.message, "the process that works on it has ended");
}
END_TEST

/// Takes so many bytes.
static vb_status take(void *context, vb_error *error) {
  void *volatile memory = malloc(*(size_t *)context); // volatile: it is not left out
  bool taken = memory != NULL;
  free(memory);
  return taken ? VB_OK : vb_error_memory(error);
}

START_TEST(memory_is_limited) {
  vb_error error = {0};
  size_t most = 2 * ROOM, fits = ROOM / 2;
  ck_assert_int_eq(vb_child_run(take, &fits, ROOM, &error), VB_OK);
#ifdef __SANITIZE_ADDRESS__
  vb_skip("asan", "the sanitizer's memory has no limit");
#else
  ck_assert_int_eq(vb_child_run(take, &most, ROOM, &error), VB_UNAVAILABLE);
  ck_assert_str_eq(error.message, "out of memory");
#endif
  (void)most;
}
END_TEST

static bool is_over(void *end) {
  return vb_clock() > *(double *)end;
}

static int waits;

static void note(void *end, bool begins) {
  (void)end;
  waits += begins ? 1 : 100;
}

static vb_status loop(void *pid, vb_error *error) {
  (void)error;
  *(pid_t *)pid = getpid();
  for (;;)
    ;
  return VB_OK;
}

START_TEST(time_is_limited) {
  vb_error error = {0};
  double end = vb_clock() + 0.2;
  pid_t *pid = vb_child_memory(sizeof *pid);
  vb_time_limit before = vb_time_limit_set((vb_time_limit){is_over, note, &end});
  ck_assert_int_eq(vb_child_run(loop, pid, ROOM, &error), VB_FAILED);
  vb_time_limit_set(before);
  ck_assert_str_eq(error.message, "it takes too long");
  ck_assert_int_eq(waits, 101);
  ck_assert_double_lt(vb_clock() - end, 30); // or for ever
  ck_assert(kill(*pid, 0) != 0);
  vb_child_memory_free(pid, sizeof *pid);
}
END_TEST

START_TEST(a_signal_ends_it) {
  vb_error error = {0};
  pid_t *pid = vb_child_memory(sizeof *pid);
  vb_signals_install();
  raise(SIGTERM);
  ck_assert_int_eq(vb_child_run(loop, pid, ROOM, &error), VB_INTERRUPTED);
  vb_child_memory_free(pid, sizeof *pid);
}
END_TEST

START_TEST(it_ends_with_its_host) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t *pid = vb_child_memory(sizeof *pid), host = fork();
  if (host == 0)
    _exit(vb_child_run(loop, pid, ROOM, NULL));
  while (!__atomic_load_n(pid, __ATOMIC_SEQ_CST))
    usleep(1000);
  kill(host, SIGKILL);
  ck_assert_int_eq(waitpid(host, NULL, 0), host);
  int ended = 0;
  ck_assert_int_eq(waitpid(*pid, &ended, 0), *pid); // which this process took over
  ck_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
  vb_child_memory_free(pid, sizeof *pid);
}
END_TEST

static TCase *make_tests(void) {
  TCase *tests = tcase_create("child process");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, shared_memory_is_left);
  tcase_add_test(tests, a_failure_is_told);
  tcase_add_test(tests, memory_is_limited);
  tcase_add_test(tests, time_is_limited);
  tcase_add_test(tests, a_signal_ends_it);
  tcase_add_test(tests, it_ends_with_its_host);
  return tests;
}

VB_TEST_MAIN("child process", make_tests())
