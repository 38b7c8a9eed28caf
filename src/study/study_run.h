// SPDX-License-Identifier: GPL-3.0-or-later
/// Executes a study: its runs, its gates, its index file. Processes without communication may each
/// execute a shard of the runs.
#ifndef VB_STUDY_STUDY_RUN_H
#define VB_STUDY_STUDY_RUN_H

#include "base/progress.h"
#include "results/run_summary.h"
#include "study/run_viewer.h"

/// One of several processes that share a study.
typedef struct vb_shard {
  int number; ///< 1 .. count
  int count;  ///< 0: the study is not shared
} vb_shard;

/// Whether run `run` of a study is one of those that a pattern means: that have it in "STUDY RUN",
/// where "*" and "?" match any letters and any one; that are of a study with such a keyword; or
/// all, where it is null.
bool vb_study_is_chosen(const vb_study *study, size_t run, const char *only);

/// Reads "K/N". VB_BAD_INPUT where 1 <= K <= N <= 100000 does not hold.
vb_status vb_shard_parse(const char *text, vb_shard *out, vb_error *error);

/// What a run may cost, in degrees of freedom times steps, substeps and iterations: a measure to
/// share runs by, no time. A convergence plan counts with the steps that it takes.
double vb_run_cost(const vb_run_plan *run);

/// Writes the numbers of all runs of the study to `order` (n_runs), the costliest first, equal ones
/// in the study's order. Fails for want of memory.
vb_status vb_study_order(const vb_study *study, size_t *order, vb_error *error);

/// Marks in `mine` (n_runs) the runs of one shard. The rule: runs go, costliest first, each to the
/// shard that has least so far, the first of equals. Every run belongs to one shard; all processes
/// that load the same study come to the same. Fails for want of memory.
vb_status vb_study_share(const vb_study *study, vb_shard shard, bool *mine, vb_error *error);

/// The path of the index of one shard; to be freed; null for want of memory.
char *vb_shard_path(const char *folder, const char *study, vb_shard shard);

/// Removes the indexes of all shards of a study, which one index has replaced.
void vb_shards_remove(const char *folder, const char *study);

/// Put to the name of a damaged results file, which is kept beside the new one.
#define VB_DAMAGED ".damaged"

/// What became of one run of a study.
typedef struct vb_run_outcome {
  char *path;    ///< of its results file
  bool mine;     ///< whether it is of this process's shard
  bool recorded; ///< whether that file is there, finished
  bool kept;     ///< whether it was there before
  bool busy;     ///< whether another process is at it
  int64_t dofs;
  vb_record_state found;  ///< what was there before
  vb_run_summary summary; ///< where recorded
  vb_error error;         ///< why it is not recorded, where it was tried
} vb_run_outcome;

/// What became of a study. Freed by vb_study_outcome_free.
typedef struct vb_study_outcome {
  const vb_study *study; ///< borrowed; null where memory was wanting for the outcome itself
  vb_status status;      ///< VB_FAILED where a gate failed, a finding left its band, a run
                         ///< diverged or its process crashed;
                         ///< otherwise what was worst
  vb_error error;        ///< of the study as a whole, not of one of its runs
  char *index;           ///< path of the index file, or of that of a shard
  bool indexed;          ///< whether that file was written
  bool whole;            ///< whether all runs are recorded and in it
  vb_run_outcome *runs;  ///< in memory that child processes share
  vb_verdict *verdicts;  ///< one per gate, meaningful where evaluated; likewise shared
  bool *evaluated;       ///< one per gate; likewise shared
} vb_study_outcome;

/// How to run studies.
typedef struct vb_study_run_plan {
  const char *folder; ///< of the results; must exist
  bool fresh;         ///< runs again what is recorded already
  bool keep;          ///< executes nothing: joins what is recorded
  int jobs;           ///< runs at a time, each in a child process; 0: in this process. Of a study
                      ///< that is timed one at a time
  vb_shard shard;     ///< of the study that is executed; count 0: all of it
  const char *only; ///< executes only these runs (vb_study_is_chosen); null: all; what others have
                    ///< recorded before is indexed, too
  const char
      *excluded; ///< executes no runs whose names this pattern matches as a whole; null: none
  bool alone;    ///< runs again what was executed beside other runs, so that its time counts
  vb_progress *progress;         ///< is updated after each run
  vb_gpu_describe *describe_gpu; ///< tells of the GPU that a solver uses, or null
  const vb_run_viewer *viewer;   ///< of runs that are executed, or null
} vb_study_run_plan;

/// How many processors there are for runs: as many as OMP_NUM_THREADS says, or those that this
/// process may use; at least one.
int vb_study_most_jobs(void);

/// Executes the runs of `study`, but those whose recorded data may stand for them. A damaged file
/// is put aside first; one that is out of reach (vb_record_state) is left alone, as is the index
/// then, and that is its run's error. Judges the gates of each run and writes them into its file;
/// then evaluates the gates over several runs and writes the index. A gate of a diverged run fails.
/// A run that cannot be executed, or whose process crashes, is reported and does not affect the
/// others; the index then is of those that are recorded, and gates that speak of others are not
/// evaluated. A signal ends the study without an index.
///
/// Several processes may run one study in one folder at once: each run is executed by one of them.
/// A process that finds others executing all that is left waits for them. Of a shard, the
/// index is its own, unless all runs of the study are recorded by then; the study's index replaces
/// those of its shards.
///
/// Returns `out->status`; `*out` is always to be freed, and borrows `study`.
vb_status vb_study_run(const vb_study *study, const vb_study_run_plan *plan, vb_study_outcome *out);
void vb_study_outcome_free(vb_study_outcome *outcome);

/// How many runs of an outcome are not recorded.
size_t vb_study_missing(const vb_study_outcome *outcome);

/// The first error of its runs, or that of the study as a whole, or null.
const vb_error *vb_study_error(const vb_study_outcome *outcome);

/// Writes the index of `whole`, a study made of others, from the `n` outcomes of its parts: all
/// their runs and gates, a run being called PART-RUN. `path` is that of the index. VB_CANNOT_WRITE
/// where that fails.
vb_status vb_study_join(const vb_study *whole, const vb_study_outcome *const *included, size_t n,
                        const char *path, vb_error *error);

/// The path of the results of `run` of a study, or of its index where `run` is null; to be freed;
/// null for want of memory.
char *vb_study_results_path(const char *folder, const char *study, const char *run);

/// The status of the two that a caller must hear of first.
vb_status vb_status_worse(vb_status a, vb_status b);

#endif
