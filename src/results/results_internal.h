// SPDX-License-Identifier: GPL-3.0-or-later
/// What the files results_*.c share among themselves.
#ifndef VB_RESULTS_RESULTS_INTERNAL_H
#define VB_RESULTS_RESULTS_INTERNAL_H

#include "results/h5_read.h"
#include "results/results.h"
#include "results/results_table.h"
#include "results/rod_measures.h"

#define VB_RESULTS_SCHEMA "viperbench-run"
#define VB_INDEX_SCHEMA   "viperbench-study"
#define VB_SCHEMA_VERSION "1.0.0"

/// Attribute of the group of a table: its rows that are surely whole.
#define VB_ROWS_ATTRIBUTE "rows"

/// Numbers noted as they come, for the end of the file.
typedef struct vb_doubles {
  double *values;
  size_t n;
  size_t capacity;
} vb_doubles;

struct vb_results {
  char *path;
  char *partial_path; ///< path of the file while it is being written
  const vb_study *study;
  const vb_run_plan *run;
  const vb_solver *solver;
  const vb_solver_description *description;
  hid_t file;
  char not_finite[96]; ///< what of the latest row is not finite, or empty
  vb_error failure;    ///< of an earlier write: nothing more is written then
  char warning[160];   ///< what the solver warns of; empty where of nothing
  double last_flush;   ///< s, monotonic
  vb_table series;
  vb_table frames;
  vb_table timing;
  vb_table convergence;
  vb_rod_measures *measures; ///< null where the solver lacks the fields for it
  size_t position_field;     ///< of the description; meaningful where measures is set
  size_t scale_field;
  double *scratch;        ///< for what is read from the solver before it is sorted into a row
  const char **work_name; ///< (works) drivers, then loads without repetition
  size_t *work_of_load;   ///< (loads) its element of work_name
  size_t n_works;
  size_t *field_count;  ///< (description->n_fields) elements of each field
  size_t *frame_field;  ///< (run->record.n_fields) of the description
  size_t *frame_count;  ///< (run->record.n_fields) elements of each
  size_t radius_column; ///< of frames; 0 where no scale is recorded
  vb_doubles frame_time;
  vb_doubles step_time;
  int64_t steps; ///< up to the last row that was handed to HDF5
};

/// Appends a number; fails only for want of memory.
vb_status vb_doubles_push(vb_doubles *list, double value, vb_error *error);

/// Monotonic time [s].
double vb_results_clock(void);

/// The field of that name in the description; false where there is none.
bool vb_results_find_field(const vb_solver_description *description, const char *name,
                           size_t *index);

/// Prepares all tables: finds fields, allocates scratch, makes the datasets.
vb_status vb_results_prepare(vb_results *results, void *instance, vb_error *error);
void vb_results_create_tables(vb_h5 *h5, vb_results *results);

/// Bytes that the static groups of a run can take at most.
size_t vb_results_static_bytes(const vb_study *study, const vb_run_plan *run);

/// Write the static groups. Those of a run:
void vb_results_write_scenario(vb_h5 *h5, hid_t file, const vb_study *study,
                               const vb_run_plan *run);
void vb_results_write_solver(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance);
void vb_results_write_topology(vb_h5 *h5, hid_t file, const vb_scene *scene);
/// Of any file:
void vb_results_write_provenance(vb_h5 *h5, hid_t file);
void vb_results_write_schema(vb_h5 *h5, hid_t file, const char *schema);
void vb_results_write_gate_group(vb_h5 *h5, hid_t file, const vb_gate *gates,
                                 const vb_verdict *verdicts, size_t n);

/// Opens a file of ours for reading; VB_BAD_INPUT where it is not one, or has names that scripts
/// may not give (see base/names.h). `*index` says whether it is the index of a study (may be null).
hid_t vb_results_open(vb_h5 *h5, bool *index);

/// Opens the root of run `name` of an index: in its own file, which must be beside the index, or in
/// the index itself where the study is packed. VB_BAD_INPUT. Released by vb_h5_release.
hid_t vb_results_open_run(vb_h5 *h5, hid_t file, const char *name);

/// Opens the dataset at `path` ("/topology/segment", or "/runs/NAME/topology/segment" in an index)
/// of a file of ours; false where there is none. `*root` and `*below`, where not null, become what
/// it was looked for in, to be released, and its path there.
bool vb_results_open_dataset(vb_h5 *h5, const char *path, vb_h5_dataset *out, hid_t *root,
                             const char **below);

/// How many of the `n` rows of the dataset at `path` below `root` count: those that were on the
/// disk when the latest flush ended. A kill in the middle of a flush leaves others behind them,
/// which say nothing.
hsize_t vb_results_whole_rows(vb_h5 *h5, hid_t root, const char *path, hsize_t n);

/// The key under which a run's recorded data may stand for a new run: 64 digits and a zero.
vb_status vb_results_run_key(const vb_study *study, const vb_run_plan *run, char hex[65],
                             vb_error *error);

/// `path` with `suffix` at its end (in place of ".h5" where `replace`); null for want of memory.
char *vb_results_path(const char *path, const char *suffix, bool replace);

#endif
