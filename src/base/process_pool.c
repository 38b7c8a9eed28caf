// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process_pool.h"

#include "base/signals.h"

#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The longest wait between two looks at the children, ns.
enum { PAUSE_NS = 100000000 };

/// A child at work.
typedef struct worker {
  pid_t pid; ///< 0 where there is none
  size_t item;
} worker;

/// A pool at work.
typedef struct pool_state {
  const vb_pool *pool;
  worker *workers; ///< (jobs)
  size_t busy;     ///< of them
  size_t done;     ///< items
  sigset_t before; ///< signals that were blocked before
} pool_state;

/// All that a child does.
static _Noreturn void be_child(const pool_state *state, pid_t parent, size_t item) {
  const vb_pool *pool = state->pool;
  // Without a parent no one would look at what this child leaves, or could end it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(EXIT_FAILURE);
  sigprocmask(SIG_SETMASK, &state->before, NULL);
  vb_signals_install_in_child();
  pool->run_item(pool->context, item);
  // The parent's buffers and what it registered for its end are not this child's.
  _exit(EXIT_SUCCESS);
}

/// Starts a child for `item`; false where the system gives none.
static bool start(pool_state *state, size_t item) {
  worker *free_worker = state->workers;
  while (free_worker->pid)
    free_worker++;
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0)
    be_child(state, parent, item);
  if (pid < 0)
    return false;
  *free_worker = (worker){pid, item};
  state->busy++;
  return true;
}

/// Notes the children that have ended; whether there was one.
static bool collect(pool_state *state) {
  const vb_pool *pool = state->pool;
  bool any = false;
  for (int i = 0; i < pool->jobs; i++) {
    worker *w = &state->workers[i];
    int ended;
    if (!w->pid || waitpid(w->pid, &ended, WNOHANG) != w->pid)
      continue;
    w->pid = 0;
    state->busy--;
    state->done++;
    any = true;
    pool->ended(pool->context, w->item, ended);
  }
  return any;
}

/// Waits until a child has ended, a signal has come, or a moment has passed.
static void pause_for_child(void) {
  const struct timespec moment = {.tv_nsec = PAUSE_NS};
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigtimedwait(&child, NULL, &moment);
}

static void end_children(const pool_state *state) {
  for (int i = 0; i < state->pool->jobs; i++)
    if (state->workers[i].pid)
      kill(state->workers[i].pid, SIGTERM);
}

/// Keeps as many children at work as there may be, until all is done.
static vb_status drive(pool_state *state, const size_t *items, size_t n, vb_error *error) {
  const vb_pool *pool = state->pool;
  vb_status status = VB_OK;
  bool stopped = false;
  for (size_t next = 0; (next < n && !stopped && !status) || state->busy;) {
    if (vb_signal_caught() && !stopped) {
      stopped = true;
      end_children(state);
    }
    while (!stopped && !status && next < n && state->busy < (size_t)pool->jobs) {
      if (start(state, items[next]))
        next++;
      else if (state->busy) // one less may do
        break;
      else
        status = vb_error_set(error, VB_UNAVAILABLE, "cannot start a process for a run: %s",
                              strerror(errno));
    }
    if (state->busy && !collect(state))
      pause_for_child();
    if (pool->report_progress)
      pool->report_progress(pool->context, state->done, n);
  }
  return status;
}

vb_status vb_pool_run(const vb_pool *pool, const size_t *items, size_t n, vb_error *error) {
  pool_state state = {.pool = pool, .workers = calloc((size_t)pool->jobs, sizeof *state.workers)};
  if (!state.workers)
    return vb_error_memory(error);
  sigset_t child;
  struct sigaction usual = {.sa_handler = SIG_DFL}, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  // Blocked, so that none is lost between a look at the children and the wait for the next; not
  // ignored, as whoever started this program may have left it, or no child could be waited for.
  sigprocmask(SIG_BLOCK, &child, &state.before);
  sigaction(SIGCHLD, &usual, &before);
  fflush(NULL);
  // A fork has none of its parent's threads: OpenMP would wait for those that idle here.
  omp_pause_resource_all(omp_pause_soft);
  vb_status status = drive(&state, items, n, error);
  sigaction(SIGCHLD, &before, NULL);
  sigprocmask(SIG_SETMASK, &state.before, NULL);
  free(state.workers);
  return status;
}

void *vb_pool_memory(size_t n, size_t size) {
  void *memory =
      mmap(NULL, (n + 1) * size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void vb_pool_memory_free(void *memory, size_t n, size_t size) {
  if (memory)
    munmap(memory, (n + 1) * size);
}
