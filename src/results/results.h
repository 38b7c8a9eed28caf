// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes results files: one HDF5 file per run, row by row, and one index per study.
///
/// A run is written to NAME.h5.part and renamed to NAME.h5 when it is done. Its status is written
/// "interrupted" at first and set at the end, so it is true even after a kill. Rows are held in
/// memory and written about once a second, in whole: a full disk is noticed before the file is
/// touched, and what was written earlier stays readable. The program should ignore SIGXFSZ, so that
/// a limit on the size of files is reported as a full disk. The layout is described in
/// results/README.md.
#ifndef VB_RESULTS_RESULTS_H
#define VB_RESULTS_RESULTS_H

#include "results/energy_gain.h"
#include "results/results_gpu.h"
#include "solver/table.h"

/// Version of the layout of results files.
#define VB_SCHEMA_VERSION "2.7.0"

/// The oldest version that is read, too. Version 1 has the stiffnesses of a segment in one dataset
/// of kx, ky, kz, kbx, kby, kv, and normal and offset of a half-plane in one.
#define VB_FIRST_SCHEMA 1

/// Frames of a field that are read for what their numbers are, as by gates.
typedef struct vb_exact_frames {
  char *field;     ///< by name; null: all fields
  bool ends;       ///< the first and the last frame; else
  double from, to; ///< s, both inclusive, with the frames next to them
  double allowed;  ///< greatest error of rounding; 0: they are stored as computed
} vb_exact_frames;

/// What is recorded of a run, and how often.
typedef struct vb_record_plan {
  int64_t every;        ///< steps between rows of the series, >= 1; row 0 is the initial state
  int64_t frames_every; ///< steps between frames, >= 1; frame 0 is the initial state
  bool residual;        ///< whether each row holds the residual (costs about an iteration)
  double converged; ///< residual at which the study takes a step as converged; 0: it states none
  char **fields;    ///< fields of a frame, by name; any but those of the whole scene
  size_t n_fields;
  double (*reference)[3]; ///< (n_reference) points of the curve that a rod should come to, m, to be
                          ///< shown beside it
  size_t n_reference;
  bool exact; ///< whether all frames are stored as they were computed; else, of a finished run,
              ///< they are rounded, the first, the last and `kept` least (results_rounding.h)
  vb_exact_frames *kept; ///< (n_kept)
  size_t n_kept;
  bool weights; ///< whether the weights of the skin are stored, once: readers make its vertices of
                ///< them (skin_record.h)
  double view[4]; ///< where pictures are seen from: azimuth and elevation [degrees], zoom, lens
  bool has_view;  ///< whether there is such a view
} vb_record_plan;

/// Where a run stands on an axis of a parameter sweep.
typedef struct vb_sweep_value {
  char *axis; ///< "method", "n", ..
  char *text;
  bool is_number;
  double number; ///< where it is one
} vb_sweep_value;

/// What a results file says of its run. All is borrowed; key, origin and gpu are used by
/// vb_results_create alone.
typedef struct vb_run_facts {
  const char *study;      ///< name of the study
  const char *tier;       ///< "quick", "full", "gold" or "show"
  const char *compare;    ///< tolerances declared for comparing records, JSON, or null
  const char *name;       ///< of the run within the study
  const char *label;      ///< for plots
  const char *scenario;   ///< name of the scenario
  const char *script;     ///< its Lua text
  const char *parameters; ///< resolved, as a JSON object
  const char *key;        ///< under which this record may stand for another run
  const vb_scene *scene;
  const char *scene_sha256; ///< vb_scene_sha256; while the file is created
  vb_record_plan record;
  size_t n_convergence;        ///< rows of /convergence; 0: there is no such group
  const vb_sweep_value *sweep; ///< its place in a parameter sweep, one per axis
  size_t n_sweep;
  const vb_solver_origin *origin; ///< of a solver in a process of its own, or null
  const vb_gpu_record *gpu;       ///< that does the work, or null
} vb_run_facts;

/// A file being written.
typedef struct vb_results vb_results;

/// Starts `path`.part for a run by `instance` of `solver`; what `run` borrows and the solver must
/// outlive the result. VB_CANNOT_WRITE where the folder cannot be written or another process writes
/// that file; VB_BAD_INPUT where the plan names a field that the solver lacks. Ended by
/// vb_results_close.
vb_status vb_results_create(const char *path, const vb_run_facts *run, const vb_solver *solver,
                            void *instance, vb_results **out, vb_error *error);

/// Appends a row to the series: reads energies, global fields, reactions, work and (if planned) the
/// residual from `instance` at `time` [s].
/// A row whose energies, work, reactions or errors of volume and stretch are not all finite is left
/// out (vb_results_not_finite).
vb_status vb_results_row(vb_results *results, void *instance, double time, vb_error *error);

/// The first quantity ("work/pull") of the latest row, of the series or of /convergence, that is
/// not finite, so that the row was left out; null where all are. Valid until the next row.
const char *vb_results_not_finite(const vb_results *results);

/// The energy that the run gained from nothing in its rows so far; written as the attribute
/// `energy_gain` when the file is finished. Valid until vb_results_close.
const vb_energy_gain *vb_results_energy_gain(const vb_results *results);

/// The residual in the latest row of the series; NaN where the row has none.
double vb_results_residual(const vb_results *results);

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

/// Notes that other runs are executed beside this one, so that its times say little: the file will
/// say so by the attribute `shared` of /timing.
void vb_results_note_shared(vb_results *results);

/// Notes what the solver warns of, to be written when the file is finished.
void vb_results_warn(vb_results *results, const char *warning);

/// Notes whether the steps converged, and the residual at the end of the last one (NaN: unknown),
/// to be written when the file is finished.
void vb_results_note_convergence(vb_results *results, const vb_convergence *convergence,
                                 double last);

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

/// Reads `quantity` ("energy/stretch", "frames/position", "convergence/..") of a run file, or of a
/// run of an index file by the prefix "runs/NAME/". `row` and `component` select on the second and
/// third axis of the dataset; where it has only a second, either does; an axis of one element needs
/// neither (-1). The caller frees with vb_column_free. VB_BAD_INPUT where the file or the dataset
/// cannot be read or the selection is wrong.
vb_status vb_results_column(const char *path, const char *quantity, int64_t row, int component,
                            vb_column *out, vb_error *error);
void vb_column_free(vb_column *column);

#endif
