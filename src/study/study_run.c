// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_run.h"

#include "base/file_lock.h"
#include "base/process_pool.h"
#include "base/signals.h"
#include "base/text.h"
#include "gate/finding.h"
#include "results/h5_own.h"
#include "study/run.h"
#include "study/study_execute.h"

#include <fnmatch.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

vb_status vb_status_worse(vb_status a, vb_status b) {
  static const int RANK[] = {
      [VB_OK] = 0,        [VB_INCONCLUSIVE] = 1, [VB_FAILED] = 2,     [VB_UNAVAILABLE] = 3,
      [VB_BAD_INPUT] = 4, [VB_CANNOT_WRITE] = 5, [VB_INTERRUPTED] = 6};
  return RANK[a] >= RANK[b] ? a : b;
}

char *vb_study_results_path(const char *folder, const char *study, const char *run) {
  char *path = NULL;
  int length = run ? asprintf(&path, "%s/%s-%s.h5", folder, study, run)
                   : asprintf(&path, "%s/%s.h5", folder, study);
  return length < 0 ? NULL : path;
}

/// A study under way.
typedef struct course {
  const vb_study *study;
  const vb_study_run_plan *plan;
  vb_study_outcome *outcome;
  vb_run_effort effort; ///< of the runs that are begun now
  int threads;  ///< of the solver of each of them; 0: as many as that likes, for it is alone
  size_t *runs; ///< (study->n_runs) those to be begun, in order
  size_t n;     ///< of them
} course;

bool vb_study_is_chosen(const vb_study *study, size_t run, const char *only) {
  char name[300], pattern[300];
  if (!only)
    return true;
  for (size_t i = 0; i < study->n_keywords; i++)
    if (strcmp(study->keywords[i], only) == 0)
      return true;
  snprintf(name, sizeof name, "%s %s", study->name, study->runs[run].name);
  int n = snprintf(pattern, sizeof pattern, "*%s*", only);
  return n < (int)sizeof pattern && fnmatch(pattern, name, 0) == 0;
}

static vb_status mark_runs(vb_study_outcome *out, const vb_study_run_plan *plan) {
  const vb_study *study = out->study;
  bool *mine = calloc(study->n_runs + 1, sizeof *mine);
  vb_status status = mine ? VB_OK : vb_error_memory(&out->error);
  if (!status && plan->shard.count)
    status = vb_study_share(study, plan->shard, mine, &out->error);
  for (size_t i = 0; !status && i < study->n_runs; i++)
    out->runs[i].mine = (plan->shard.count == 0 || mine[i]) &&
                        vb_study_is_chosen(study, i, plan->only) &&
                        !(plan->excluded && fnmatch(plan->excluded, study->runs[i].name, 0) == 0);
  free(mine);
  return status;
}

static vb_status prepare(const vb_study *study, const vb_study_run_plan *plan,
                         vb_study_outcome *out) {
  *out = (vb_study_outcome){.study = study,
                            .index = vb_study_results_path(plan->folder, study->name, NULL),
                            .runs = vb_pool_memory(study->n_runs, sizeof *out->runs),
                            .verdicts = vb_pool_memory(study->n_gates, sizeof *out->verdicts),
                            .evaluated = vb_pool_memory(study->n_gates, sizeof *out->evaluated)};
  bool whole = out->index && out->runs && out->verdicts && out->evaluated;
  for (size_t i = 0; whole && i < study->n_runs; i++) {
    out->runs[i].dofs = vb_scene_dofs(study->runs[i].scene);
    out->runs[i].path = vb_study_results_path(plan->folder, study->name, study->runs[i].name);
    whole = out->runs[i].path != NULL;
  }
  return whole ? mark_runs(out, plan) : vb_error_memory(&out->error);
}

void vb_study_outcome_free(vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  for (size_t i = 0; study && outcome->runs && i < study->n_runs; i++)
    free(outcome->runs[i].path);
  if (study) {
    vb_pool_memory_free(outcome->runs, study->n_runs, sizeof *outcome->runs);
    vb_pool_memory_free(outcome->verdicts, study->n_gates, sizeof *outcome->verdicts);
    vb_pool_memory_free(outcome->evaluated, study->n_gates, sizeof *outcome->evaluated);
  }
  free(outcome->index);
  *outcome = (vb_study_outcome){0};
}

/// In a child process.
static void run_item(void *context, size_t i) {
  course *c = context;
  c->plan->progress->shown = false;
  vb_study_execute_run(c->outcome, i, c->plan, c->effort, c->threads);
}

/// Counts a run that is recorded or failed; not one that is looked for alone, or that another
/// process is at.
static void count_run(const course *c, size_t i) {
  const vb_run_outcome *o = &c->outcome->runs[i];
  const vb_run_plan *run = &c->study->runs[i];
  char label[160], how[40] = "kept";
  if (!o->recorded && (!o->error.status || o->error.status == VB_INTERRUPTED))
    return;
  snprintf(label, sizeof label, "%s %s", c->study->name, run->name);
  if (!o->recorded)
    strcpy(how, "failed");
  else if (!o->kept)
    snprintf(how, sizeof how, "%s%.2f s", o->summary.diverged ? "diverged after " : "",
             o->summary.wall_s);
  vb_progress_count(c->plan->progress, label, vb_run_cost(run), o->kept, how);
}

/// A child that did not end by itself could not say why.
static void note_crash(course *c, size_t i, int ended) {
  vb_run_outcome *o = &c->outcome->runs[i];
  char partial_path[4096];
  snprintf(partial_path, sizeof partial_path, "%s.part", o->path);
  vb_run_summary left;
  bool kept = vb_run_summary_read(partial_path, &left, NULL) == VB_OK;
  bool killed = WIFSIGNALED(ended);
  int number = killed ? WTERMSIG(ended) : WEXITSTATUS(ended);
  vb_error_write(&o->error, VB_FAILED, "%s, run %s: its process ended with %s %d%s%s%s%s%s",
                 c->study->name, c->study->runs[i].name, killed ? "signal" : "code", number,
                 killed ? " (" : "", killed ? strsignal(number) : "", killed ? ")" : "",
                 kept ? "; what was recorded is kept in " : "", kept ? partial_path : "");
}

static void note_end(void *context, size_t i, int ended) {
  course *c = context;
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != EXIT_SUCCESS)
    note_crash(c, i, ended);
  else if (c->outcome->runs[i].recorded && !c->outcome->runs[i].kept)
    vb_h5_note_own(c->outcome->runs[i].path);
  count_run(c, i);
}

static void report_progress(void *context, size_t done, size_t total) {
  const course *c = context;
  vb_progress_update(c->plan->progress, (int64_t)done, (int64_t)total);
}

int vb_study_most_jobs(void) {
  const char *allowed = getenv("OMP_NUM_THREADS");
  cpu_set_t set;
  CPU_ZERO(&set);
  int n = allowed ? atoi(allowed) : 0;
  if (n < 1)
    n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                    : (int)sysconf(_SC_NPROCESSORS_ONLN);
  return n > 1 ? n : 1;
}

/// The threads that each of some runs at a time may have.
static int thread_share(size_t at_a_time) {
  int share = vb_study_most_jobs() / (int)at_a_time;
  return share > 1 ? share : 1;
}

/// Begins the runs listed in the course: one after the other here, or several in children.
static vb_status run_pool(course *c) {
  const vb_study_run_plan *plan = c->plan;
  char label[128];
  if (plan->jobs == 0 || c->effort == VB_EFFORT_NONE) {
    for (size_t k = 0; k < c->n && !vb_signal_caught(); k++) {
      vb_study_execute_run(c->outcome, c->runs[k], plan, c->effort, 0);
      count_run(c, c->runs[k]);
    }
    return VB_OK;
  }
  size_t most = c->study->timed ? 1 : (size_t)plan->jobs;
  size_t at_a_time = c->n < most ? c->n : most;
  if (at_a_time == 0)
    return VB_OK;
  c->threads = at_a_time > 1 ? thread_share(at_a_time) : 0;
  vb_pool pool = {.jobs = (int)at_a_time,
                  .run_item = run_item,
                  .ended = note_end,
                  .report_progress = report_progress,
                  .context = c};
  snprintf(label, sizeof label, "%s, %zu at a time", c->study->name, at_a_time);
  vb_progress_begin(plan->progress, label, 0);
  vb_status status = vb_pool_run(&pool, c->runs, c->n, &c->outcome->error);
  vb_progress_end(plan->progress);
  return status;
}

/// Leaves those in the list of runs that another process was at, or that are not recorded at all.
static void keep_unrecorded(course *c, bool busy) {
  size_t n = 0;
  for (size_t k = 0; k < c->n; k++) {
    const vb_run_outcome *o = &c->outcome->runs[c->runs[k]];
    if (busy ? o->busy : !o->recorded && !o->error.status)
      c->runs[n++] = c->runs[k];
  }
  c->n = n;
}

/// Lists the runs of this process: in the study's order, or costliest first where several are run
/// at a time.
static vb_status list_runs(course *c) {
  const vb_study *study = c->study;
  for (size_t i = 0; i < study->n_runs; i++)
    c->runs[i] = i;
  vb_status status = c->plan->jobs ? vb_study_order(study, c->runs, &c->outcome->error) : VB_OK;
  for (size_t k = 0; k < study->n_runs; k++)
    if (c->outcome->runs[c->runs[k]].mine)
      c->runs[c->n++] = c->runs[k];
  return status;
}

/// Executes the runs of this process, as far as they are not recorded.
static vb_status run_all(course *c) {
  c->runs = calloc(c->study->n_runs + 1, sizeof *c->runs);
  vb_status status = c->runs ? list_runs(c) : vb_error_memory(&c->outcome->error);
  // What is recorded needs no process of its own.
  bool collect_first = c->plan->keep || (c->plan->jobs && !c->plan->fresh);
  c->effort = VB_EFFORT_NONE;
  if (!status && collect_first)
    status = run_pool(c);
  if (!status && !c->plan->keep) {
    keep_unrecorded(c, false);
    c->effort = VB_EFFORT_TRY;
    status = run_pool(c);
  }
  if (!status) {
    keep_unrecorded(c, true);
    c->effort = c->plan->keep ? VB_EFFORT_NONE : VB_EFFORT_WAIT;
    status = run_pool(c);
  }
  free(c->runs);
  c->runs = NULL;
  return status;
}

size_t vb_study_missing(const vb_study_outcome *outcome) {
  size_t n = 0;
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    n += !outcome->runs[i].recorded;
  return n;
}

/// Looks whether the other shards have recorded all of their runs; if so, takes these in.
static void take_others(course *c) {
  const vb_study *study = c->study;
  vb_run_outcome *runs = c->outcome->runs;
  for (size_t i = 0; i < study->n_runs; i++)
    if (!runs[i].recorded &&
        (runs[i].mine || !vb_run_is_recorded(runs[i].path, study, &study->runs[i])))
      return;
  for (size_t i = 0; i < study->n_runs; i++)
    if (!runs[i].mine)
      vb_study_execute_run(c->outcome, i, c->plan, VB_EFFORT_NONE, 0);
}

/// Takes in what others than the chosen runs have recorded before.
static void take_recorded(course *c) {
  for (size_t i = 0; i < c->study->n_runs; i++)
    if (!c->outcome->runs[i].mine)
      vb_study_execute_run(c->outcome, i, c->plan, VB_EFFORT_NONE, 0);
}

/// Settles the outcome's status by its runs and gates.
static void settle_status(vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  for (size_t i = 0; i < study->n_runs; i++) {
    const vb_run_outcome *o = &outcome->runs[i];
    outcome->status = vb_status_worse(outcome->status, o->error.status);
    if (o->recorded && o->summary.diverged)
      outcome->status = vb_status_worse(outcome->status, VB_FAILED);
  }
  for (size_t g = 0; g < study->n_gates; g++)
    if (outcome->evaluated[g] && vb_verdict_failed(&study->gates[g], &outcome->verdicts[g]))
      outcome->status = vb_status_worse(outcome->status, VB_FAILED);
}

const vb_error *vb_study_error(const vb_study_outcome *outcome) {
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    if (outcome->runs[i].error.status)
      return &outcome->runs[i].error;
  return outcome->error.status ? &outcome->error : NULL;
}

/// Writes the index: of the study, or of a shard while others are still at work.
static vb_status write_index(course *c) {
  vb_study_outcome *outcome = c->outcome;
  const vb_study *study = c->study;
  size_t missing = vb_study_missing(outcome);
  outcome->whole = missing == 0;
  if (missing == study->n_runs && !c->plan->shard.count)
    return VB_OK;
  for (size_t i = 0; i < study->n_runs; i++)
    if (!outcome->runs[i].recorded && outcome->runs[i].found == VB_RECORD_OUT_OF_REACH)
      return VB_OK; // the index that there is tells more
  if (c->plan->shard.count && !outcome->whole) {
    free(outcome->index);
    outcome->index = vb_shard_path(c->plan->folder, study->name, c->plan->shard);
    if (!outcome->index)
      return vb_error_memory(&outcome->error);
  }
  vb_status status = vb_study_write_index(outcome, c->plan->shard, &outcome->error);
  outcome->indexed = !status;
  if (!status && outcome->whole)
    vb_shards_remove(c->plan->folder, study->name);
  return status;
}

/// VB_INTERRUPTED after a signal.
static vb_status check_signal(const course *c) {
  return vb_signal_caught()
             ? vb_error_set(&c->outcome->error, VB_INTERRUPTED, "stopped by signal %d in study %s",
                            vb_signal_caught(), c->study->name)
             : VB_OK;
}

/// Judges the gates over several runs and writes the index, one process at a time.
static vb_status finish_study(course *c) {
  vb_study_outcome *outcome = c->outcome;
  char *path = vb_study_results_path(c->plan->folder, c->study->name, NULL);
  vb_file_lock lock = {0};
  vb_status status = path ? vb_file_lock_take(path, true, &lock, &outcome->error)
                          : vb_error_memory(&outcome->error);
  if (!status) {
    if (c->plan->shard.count)
      take_others(c);
    else if (c->plan->only || c->plan->excluded)
      take_recorded(c);
    for (size_t g = 0; g < c->study->n_gates && !vb_signal_caught(); g++)
      if (!outcome->evaluated[g] && vb_study_can_evaluate(outcome, g))
        vb_study_evaluate_gate(outcome, g);
    status = check_signal(c);
    if (!status)
      status = write_index(c);
  }
  vb_file_lock_release(&lock);
  free(path);
  return status;
}

/// Says which runs a join lacks.
static vb_status report_missing(vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  char names[600] = "";
  size_t n = vb_study_missing(outcome);
  bool all = true;
  for (size_t i = 0; i < study->n_runs && all; i++)
    if (!outcome->runs[i].recorded)
      all = vb_text_add(names, sizeof names, "%s%s", *names ? ", " : "", study->runs[i].name);
  if (!all)
    strcpy(names + sizeof names - 5, " ...");
  return n == 0 ? VB_OK
                : vb_error_set(&outcome->error, VB_INCONCLUSIVE,
                               "%s: %zu of %zu runs are missing, and their gates were not "
                               "evaluated; run them, and join again: %s",
                               study->name, n, study->n_runs, names);
}

vb_status vb_study_run(const vb_study *study, const vb_study_run_plan *plan,
                       vb_study_outcome *out) {
  course c = {.study = study, .plan = plan, .outcome = out};
  vb_status status = prepare(study, plan, out);
  if (status) {
    vb_study_outcome_free(out);
    vb_error_memory(&out->error);
    return out->status = status;
  }
  status = run_all(&c);
  if (!status)
    status = check_signal(&c);
  if (!status)
    status = finish_study(&c);
  if (!status && plan->keep)
    status = report_missing(out);
  out->status = status;
  settle_status(out);
  return out->status;
}
