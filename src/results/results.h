// SPDX-License-Identifier: GPL-3.0-or-later
/// Results files: one HDF5 file per run (written row by row), and one index per study.
///
/// A run is written to NAME.h5.part and renamed to NAME.h5 when it is done. Its status is written
/// "interrupted" at first and set at the end, so it is true even after a kill. Rows are held in
/// memory and written about once a second, in whole: a full disk is noticed before the file is
/// touched, and what was written earlier stays readable. The program should ignore SIGXFSZ, so that
/// a limit on the size of files is told as a full disk. The layout is described in
/// results/README.md.
#ifndef VB_RESULTS_RESULTS_H
#define VB_RESULTS_RESULTS_H

#include "study/study.h"

/// The verdict on a gate.
typedef struct vb_verdict {
  double value; ///< NaN where it could not be measured
  bool passed;
  char note[160]; ///< why it could not be measured, or empty
} vb_verdict;

/// A file being written.
typedef struct vb_results vb_results;

/// Starts `path`.part for a run of `study` by `instance` of `solver`; study, run, its scene and
/// solver must outlive the result. VB_CANNOT_WRITE where the folder cannot be written or another
/// process writes that file; VB_BAD_INPUT where the plan names a field that the solver lacks. Ended
/// by vb_results_close.
vb_status vb_results_create(const char *path, const vb_study *study, const vb_run_plan *run,
                            const vb_solver *solver, void *instance, vb_results **out,
                            vb_error *error);

/// Appends a row to the series: reads energies, global fields, reactions, work and (if planned) the
/// residual from `instance` at `time` [s].
/// A row whose energies, work, reactions or errors of volume and stretch are not all finite is left
/// out (vb_results_not_finite).
vb_status vb_results_row(vb_results *results, void *instance, double time, vb_error *error);

/// The first quantity ("work/pull") of the latest row, of the series or of /convergence, that is
/// not finite, so that the row was left out; null where all are. Valid until the next row.
const char *vb_results_not_finite(const vb_results *results);

/// Appends a frame: the planned fields.
vb_status vb_results_frame(vb_results *results, void *instance, double time, vb_error *error);

/// Appends a step's wall time [s] and the seconds per phase it took (description order).
vb_status vb_results_timing(vb_results *results, double wall_s, const double *phase_s,
                            vb_error *error);

/// Appends a row of /convergence for `iterations` [1] that took `wall_s`, if it is finite.
vb_status vb_results_convergence(vb_results *results, void *instance, int64_t iterations,
                                 double wall_s, vb_error *error);

/// Writes all that is buffered to the disk.
vb_status vb_results_flush(vb_results *results, vb_error *error);

/// Notes what the solver warns of, to be written when the file is finished.
void vb_results_warn(vb_results *results, const char *warning);

/// Finishes the file: status ("complete", "diverged", "interrupted"), what blew up (or null), and
/// the summary. A complete or diverged file gets its final name and its .xdmf sidecar. Frees
/// `results`, even on failure; then the .part file keeps what was flushed.
vb_status vb_results_close(vb_results *results, const char *status, const vb_divergence *divergence,
                           vb_error *error);

/// One column of a results file.
typedef struct vb_column {
  size_t n;
  double *x; ///< time [s] or iteration
  double *y;
} vb_column;

/// Reads `quantity` (see vb_gate) of a run file, or of a run of an index file by the prefix
/// "runs/NAME/". `row` and `component` select on the second and third axis of the dataset; where it
/// has only a second, either does; an axis of one element needs neither (-1). The caller frees with
/// vb_column_free. VB_BAD_INPUT where the file or the dataset cannot be read or the selection is
/// wrong.
vb_status vb_results_column(const char *path, const char *quantity, int64_t row, int component,
                            vb_column *out, vb_error *error);
void vb_column_free(vb_column *column);

/// Whether `path` holds a finished run of this very run plan by this very program, whose recorded
/// data may stand for a new run. Any doubt is a no.
bool vb_results_is_current(const char *path, const vb_study *study, const vb_run_plan *run);

/// Replaces the gates in the file of a run, by way of a copy `path`.gates.part. Leaves the file
/// alone where it has these very gates. VB_CANNOT_WRITE, or VB_BAD_INPUT where it is no run's file.
vb_status vb_results_write_gates(const char *path, const vb_gate *gates, const vb_verdict *verdicts,
                                 size_t n, vb_error *error);

/// Writes the index of a study beside its runs (by way of a .part): links, all gates (`verdicts` in
/// their order), figure, provenance. VB_CANNOT_WRITE where that fails.
vb_status vb_index_write(const char *path, const vb_study *study, const vb_verdict *verdicts,
                         vb_error *error);

/// What an index that is not of all runs says of that.
typedef struct vb_index_subset {
  char shard[16];             ///< "K/N", or empty
  const char *const *missing; ///< names of the runs that are not in it
  size_t n_missing;
} vb_index_subset;

/// The same for the runs and gates that are left in `study`, with what is not.
vb_status vb_index_write_subset(const char *path, const vb_study *study, const vb_verdict *verdicts,
                                const vb_index_subset *subset, vb_error *error);

#endif
