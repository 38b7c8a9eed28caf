// SPDX-License-Identifier: GPL-3.0-or-later
/// Results files as HDF5 files: opening them to read, and the groups that all of them have.
#ifndef VB_RESULTS_RESULTS_FILE_H
#define VB_RESULTS_RESULTS_FILE_H

#include "results/h5_read.h"
#include "results/results_gates.h"
#include "results/results_gpu.h"
#include "solver/solver.h"

#define VB_RESULTS_SCHEMA "viperbench-run"
#define VB_INDEX_SCHEMA   "viperbench-study"

/// Attribute of the group of a table: its rows that are surely whole.
#define VB_ROWS_ATTRIBUTE "rows"

/// Opens a file of ours for reading; VB_BAD_INPUT where it is not one, or has names that scripts
/// may not give (see base/names.h). `*index` says whether it is the index of a study (may be null).
hid_t vb_results_open(vb_h5 *h5, bool *index);

/// The same, and `*fault` says why the file cannot be opened (see vb_h5_open_file).
hid_t vb_results_open_by(vb_h5 *h5, bool *index, vb_h5_fault *fault);

/// Opens the root of run `name` of an index: in its own file, which must be beside the index, or in
/// the index itself where the study is packed. VB_BAD_INPUT. Released by vb_h5_release.
hid_t vb_results_open_run(vb_h5 *h5, hid_t file, const char *name);

/// Opens the dataset at `path` ("/topology/segment", or "/runs/NAME/topology/segment" in an index)
/// of a file of ours; false where there is none. `*root` and `*below`, where not null, become what
/// it was looked for in, to be released, and its path there.
bool vb_results_open_dataset(vb_h5 *h5, const char *path, vb_h5_dataset *out, hid_t *root,
                             const char **below);

/// Whether the run at `root` says that other runs were executed beside it, so that its times are
/// not to be compared with others.
bool vb_results_is_shared(vb_h5 *h5, hid_t root);

/// How many of the `n` rows of the dataset at `path` below `root` count: those that were on the
/// disk when the latest flush ended. A kill in the middle of a flush leaves others behind them,
/// which say nothing. VB_BAD_INPUT in h5 where the file gives a negative number of them.
hsize_t vb_results_whole_rows(vb_h5 *h5, hid_t root, const char *path, hsize_t n);

/// `path` with `suffix` at its end (in place of ".h5" where `replace`); null for want of memory.
char *vb_results_path(const char *path, const char *suffix, bool replace);

/// Write what files of several kinds have: the version of the layout, the program and machine, the
/// group of gates, and what stays the same of a GPU into its own `group`.
void vb_results_write_schema(vb_h5 *h5, hid_t file, const char *schema);
void vb_results_write_provenance(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance);
void vb_results_write_gate_group(vb_h5 *h5, hid_t file, const vb_gate_record *gates, size_t n);
void vb_results_write_gpu(vb_h5 *h5, hid_t group, const vb_gpu *gpu);

#endif
