// SPDX-License-Identifier: GPL-3.0-or-later
// Work in child processes, and the locks that keep processes apart.
// Covers: src/base/file_lock.* src/base/signals.*
#include "base/file_lock.h"
#include "base/process_pool.h"
#include "base/signals.h"
#include "test.h"

#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 12

/// What children and their parent share.
typedef struct board {
  atomic_int at_work, most;
  atomic_int seen[ITEMS];
  pid_t pid[ITEMS];
  int ended[ITEMS]; ///< as waitpid tells, or -1
  size_t progress;
} board;

static board *shared;
static char folder[64], path[128];

static void set_up(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(shared, MAP_FAILED);
  for (int i = 0; i < ITEMS; i++)
    shared->ended[i] = -1;
  strcpy(folder, "/tmp/vb_pool_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
  munmap(shared, sizeof *shared);
}

static void run_item(void *context, size_t item) {
  (void)context;
  int now = atomic_fetch_add(&shared->at_work, 1) + 1, most = atomic_load(&shared->most);
  while (now > most && !atomic_compare_exchange_weak(&shared->most, &most, now))
    continue;
  shared->pid[item] = getpid();
  atomic_fetch_add(&shared->seen[item], 1);
  usleep(20000);
  atomic_fetch_sub(&shared->at_work, 1);
}

static void note_end(void *context, size_t item, int ended) {
  (void)context;
  shared->ended[item] = ended;
}

static void report_progress(void *context, size_t done, size_t total) {
  (void)context;
  ck_assert_uint_le(done, total);
  shared->progress = done;
}

static vb_pool pool_of(int jobs, void (*task)(void *, size_t)) {
  return (vb_pool){
      .jobs = jobs, .run_item = task, .ended = note_end, .report_progress = report_progress};
}

static size_t all_items[ITEMS] = {3, 1, 2, 0, 4, 5, 6, 7, 8, 11, 10, 9};

START_TEST(each_item_is_done_once_in_a_process_of_its_own) {
  vb_error error = {0};
  vb_pool pool = pool_of(3, run_item);
  ck_assert_msg(!vb_pool_run(&pool, all_items, ITEMS, &error), "%s", error.message);
  for (int i = 0; i < ITEMS; i++) {
    ck_assert_int_eq(shared->seen[i], 1);
    ck_assert(WIFEXITED(shared->ended[i]) && WEXITSTATUS(shared->ended[i]) == 0);
    ck_assert_int_ne(shared->pid[i], getpid());
    for (int k = 0; k < i; k++)
      ck_assert_int_ne(shared->pid[i], shared->pid[k]);
  }
  ck_assert_int_le(shared->most, 3);
  ck_assert_int_ge(shared->most, 2);
  ck_assert_uint_eq(shared->progress, ITEMS);
}
END_TEST

static void work_in_threads(void *context, size_t item) {
  run_item(context, item);
#pragma omp parallel num_threads(3)
  atomic_fetch_add(&shared->seen[item], omp_in_parallel());
}

START_TEST(children_of_a_process_that_had_threads_have_their_own) {
  vb_error error = {0};
  vb_pool pool = pool_of(2, work_in_threads);
  for (int round = 1; round <= 2; round++) {
    work_in_threads(NULL, 0);
    ck_assert_int_eq(vb_pool_run(&pool, all_items, ITEMS, &error), VB_OK);
    for (int i = 1; i < ITEMS; i++)
      ck_assert_int_eq(shared->seen[i], 4 * round);
  }
}
END_TEST

START_TEST(empty_list_succeeds) {
  vb_error error = {0};
  vb_pool pool = pool_of(2, run_item);
  ck_assert_int_eq(vb_pool_run(&pool, NULL, 0, &error), VB_OK);
}
END_TEST

/// Programs may be started with SIGCHLD ignored: children then leave no word of their end.
START_TEST(children_are_collected_where_sigchld_is_ignored) {
  vb_error error = {0};
  vb_pool pool = pool_of(2, run_item);
  signal(SIGCHLD, SIG_IGN);
  ck_assert_int_eq(vb_pool_run(&pool, all_items, 4, &error), VB_OK);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(shared->ended[i], 0);
  ck_assert_ptr_eq(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}
END_TEST

static void work_badly(void *context, size_t item) {
  if (item == 1)
    raise(SIGKILL);
  if (item == 2) {
    signal(SIGSEGV, SIG_DFL); // a sanitizer would tell of it at length
    raise(SIGSEGV);
  }
  if (item == 3)
    _exit(7);
  run_item(context, item);
}

START_TEST(crash_affects_one_item) {
  vb_error error = {0};
  vb_pool pool = pool_of(2, work_badly);
  ck_assert_int_eq(vb_pool_run(&pool, all_items, ITEMS, &error), VB_OK);
  ck_assert(WIFSIGNALED(shared->ended[1]) && WTERMSIG(shared->ended[1]) == SIGKILL);
  ck_assert(WIFSIGNALED(shared->ended[2]) && WTERMSIG(shared->ended[2]) == SIGSEGV);
  ck_assert(WIFEXITED(shared->ended[3]) && WEXITSTATUS(shared->ended[3]) == 7);
  for (int i = 0; i < ITEMS; i++)
    ck_assert_int_eq(shared->seen[i], i < 1 || i > 3);
}
END_TEST

/// Works until a signal is noted.
static void work_on(void *context, size_t item) {
  run_item(context, item);
  while (!vb_signal_caught())
    usleep(1000);
  usleep(30000); // in which the second signal comes, which must do no harm
}

static int await(atomic_int *value, int least) {
  for (int i = 0; i < 60000 && *value < least; i++)
    usleep(1000);
  return *value;
}

START_TEST(a_signal_ends_children_in_good_order) {
  pid_t parent = fork();
  ck_assert_int_ge(parent, 0);
  if (parent == 0) {
    vb_error error = {0};
    vb_pool pool = pool_of(2, work_on);
    setpgid(0, 0);
    vb_signals_install();
    _exit(vb_pool_run(&pool, all_items, ITEMS, &error) == VB_OK ? vb_signal_caught() : 100);
  }
  ck_assert_int_ge(await(&shared->seen[3], 1), 1);
  ck_assert_int_ge(await(&shared->seen[1], 1), 1);
  // To the whole group, as a terminal or a cluster does: children get it twice.
  ck_assert_int_eq(kill(-parent, SIGTERM), 0);
  int ended;
  ck_assert_int_eq(waitpid(parent, &ended, 0), parent);
  ck_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == SIGTERM);
  ck_assert(shared->ended[3] == 0 && shared->ended[1] == 0);
  for (int i = 0; i < ITEMS; i++) // none was begun after it
    ck_assert_int_eq(shared->seen[i], i == 1 || i == 3);
}
END_TEST

START_TEST(children_die_with_their_parent) {
  pid_t parent = fork();
  ck_assert_int_ge(parent, 0);
  if (parent == 0) {
    vb_error error = {0};
    vb_pool pool = pool_of(2, work_on);
    vb_pool_run(&pool, all_items, ITEMS, &error);
    _exit(0);
  }
  ck_assert_int_ge(await(&shared->seen[3], 1), 1);
  ck_assert_int_ge(await(&shared->seen[1], 1), 1);
  ck_assert_int_eq(kill(parent, SIGKILL), 0);
  ck_assert_int_eq(waitpid(parent, NULL, 0), parent);
  int alive = 1;
  for (int i = 0; i < 60000 && alive; i++) {
    alive = 0;
    for (int k = 1; k <= 3; k += 2) {
      char stat[64], state = 'X';
      snprintf(stat, sizeof stat, "/proc/%d/stat", (int)shared->pid[k]);
      FILE *file = fopen(stat, "r"); // an orphan may stay a zombie where no one collects it
      if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
      if (file)
        fclose(file);
      alive += state != 'X' && state != 'Z';
    }
    usleep(1000);
  }
  ck_assert_int_eq(alive, 0);
}
END_TEST

static bool lock_is_there(void) {
  char name[160];
  snprintf(name, sizeof name, "%s.lock", path);
  return access(name, F_OK) == 0;
}

/// A process that holds the lock until it is killed.
static pid_t hold(void) {
  pid_t owner = fork();
  ck_assert_int_ge(owner, 0);
  if (owner == 0) {
    vb_file_lock lock = {0};
    vb_error error = {0};
    if (vb_file_lock_take(path, false, &lock, &error) || !lock.held)
      _exit(1);
    atomic_fetch_add(&shared->at_work, 1);
    for (;;)
      pause();
  }
  ck_assert_int_eq(await(&shared->at_work, 1), 1);
  return owner;
}

START_TEST(lock_belongs_to_one_process_and_ends_with_it) {
  vb_file_lock lock = {0};
  vb_error error = {0};
  pid_t owner = hold();
  ck_assert_int_eq(vb_file_lock_take(path, false, &lock, &error), VB_OK);
  ck_assert(!lock.held);
  char output[64] = "", name[160];
  int pid = 0;
  snprintf(name, sizeof name, "%s.lock", path);
  FILE *file = fopen(name, "r");
  ck_assert(file && fgets(output, sizeof output, file) &&
            sscanf(output, "process %d on", &pid) == 1);
  fclose(file);
  ck_assert_int_eq(pid, owner);
  kill(owner, SIGKILL);
  ck_assert_int_eq(waitpid(owner, NULL, 0), owner);
  ck_assert(lock_is_there()); // which means nothing
  ck_assert_int_eq(vb_file_lock_take(path, false, &lock, &error), VB_OK);
  ck_assert(lock.held);
  vb_file_lock_release(&lock);
  ck_assert(!lock.held && !lock_is_there());
  vb_file_lock_release(&lock);
}
END_TEST

/// Many processes add to a number in a file, under its lock.
START_TEST(a_lock_keeps_processes_apart) {
  enum { PROCESSES = 6, TIMES = 40 };
  pid_t child[PROCESSES];
  for (int p = 0; p < PROCESSES; p++) {
    child[p] = fork();
    ck_assert_int_ge(child[p], 0);
    if (child[p] != 0)
      continue;
    for (int i = 0; i < TIMES; i++) {
      vb_file_lock lock = {0};
      vb_error error = {0};
      while (!lock.held)
        if (vb_file_lock_take(path, false, &lock, &error))
          _exit(1);
      int inside = atomic_fetch_add(&shared->at_work, 1);
      shared->seen[0] = shared->seen[0] + 1; // two steps: no atomic addition
      atomic_fetch_sub(&shared->at_work, 1);
      vb_file_lock_release(&lock);
      if (inside != 0)
        _exit(2);
    }
    _exit(0);
  }
  for (int p = 0; p < PROCESSES; p++) {
    int ended;
    ck_assert_int_eq(waitpid(child[p], &ended, 0), child[p]);
    ck_assert_int_eq(ended, 0);
  }
  ck_assert_int_eq(shared->seen[0], PROCESSES * TIMES);
  ck_assert(!lock_is_there());
}
END_TEST

START_TEST(waiting_for_a_lock_ends_with_it_or_a_signal) {
  vb_file_lock lock = {0};
  vb_error error = {0};
  pid_t owner = hold();
  pid_t waiter = fork();
  if (waiter == 0) {
    vb_signals_install();
    _exit(vb_file_lock_take(path, true, &lock, &error) == VB_INTERRUPTED && !lock.held ? 0 : 1);
  }
  usleep(100000);
  kill(waiter, SIGTERM);
  int ended;
  ck_assert_int_eq(waitpid(waiter, &ended, 0), waiter);
  ck_assert_int_eq(ended, 0);
  kill(owner, SIGKILL);
  ck_assert_int_eq(vb_file_lock_take(path, true, &lock, &error), VB_OK);
  ck_assert(lock.held);
  vb_file_lock_release(&lock);
  waitpid(owner, NULL, 0);
}
END_TEST

START_TEST(a_lock_that_cannot_be_made_is_cannot_write) {
  vb_file_lock lock = {0};
  vb_error error = {0};
  ck_assert_int_eq(vb_file_lock_take("/nonexistent/a.h5", false, &lock, &error), VB_CANNOT_WRITE);
  ck_assert_str_eq(error.message, "cannot write /nonexistent/a.h5.lock: No such file or directory");
  ck_assert(!lock.held);
}
END_TEST

static TCase *pool_case(void) {
  TCase *c = tcase_create("pool");
  tcase_set_timeout(c, 100);
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, each_item_is_done_once_in_a_process_of_its_own);
  tcase_add_test(c, children_of_a_process_that_had_threads_have_their_own);
  tcase_add_test(c, empty_list_succeeds);
  tcase_add_test(c, children_are_collected_where_sigchld_is_ignored);
  tcase_add_test(c, crash_affects_one_item);
  tcase_add_test(c, a_signal_ends_children_in_good_order);
  tcase_add_test(c, children_die_with_their_parent);
  return c;
}

static TCase *lock_case(void) {
  TCase *c = tcase_create("lock");
  tcase_set_timeout(c, 100);
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, lock_belongs_to_one_process_and_ends_with_it);
  tcase_add_test(c, a_lock_keeps_processes_apart);
  tcase_add_test(c, waiting_for_a_lock_ends_with_it_or_a_signal);
  tcase_add_test(c, a_lock_that_cannot_be_made_is_cannot_write);
  return c;
}

VB_TEST_MAIN("process pool", pool_case(), lock_case())
