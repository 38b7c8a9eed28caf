// SPDX-License-Identifier: GPL-3.0-or-later
/// Divides the runs of a study into shards, so that processes without communication can execute
/// them.
#ifndef VB_STUDY_STUDY_SHARD_H
#define VB_STUDY_STUDY_SHARD_H

#include "study/study.h"

/// One of several processes that share a study.
typedef struct vb_shard {
  int number; ///< 1 .. count
  int count;  ///< 0: the study is not shared
} vb_shard;

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

#endif
