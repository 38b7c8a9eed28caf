// SPDX-License-Identifier: GPL-3.0-or-later
/// The index of a study: one file beside those of its runs, with links to them and all gates.
#ifndef VB_RESULTS_RESULTS_INDEX_H
#define VB_RESULTS_RESULTS_INDEX_H

#include "results/results.h"
#include "results/results_gates.h"

/// A run in an index.
typedef struct vb_index_run {
  char *name;
  char *file;                  ///< that holds it, in the folder of the index
  const vb_sweep_value *sweep; ///< its place in a parameter sweep, one per axis
  size_t n_sweep;
} vb_index_run;

/// What an index says.
typedef struct vb_index {
  const char *study; ///< name
  const char *title;
  const char *tier;
  const char *settings; ///< of the command line, or null for the study as it is
  const char *script;   ///< Lua text of the study
  const char *figure;   ///< or null
  char *const *shown;   ///< names of runs for show
  size_t n_shown;
  vb_index_run *runs; ///< in the study's order
  size_t n_runs;
  vb_gate_record *gates;
  size_t n_gates;
  char shard[16];       ///< "K/N" where the index is that of a shard, or empty
  const char **missing; ///< names of runs that are not recorded and left out
  size_t n_missing;
} vb_index;

/// Writes an index, by way of a .part. VB_CANNOT_WRITE where that fails, or another process writes
/// the one that is there.
vb_status vb_index_write(const char *path, const vb_index *index, vb_error *error);

#endif
