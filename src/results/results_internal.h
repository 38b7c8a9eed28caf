// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to results_*.c: shared types and functions.
#ifndef VB_RESULTS_RESULTS_INTERNAL_H
#define VB_RESULTS_RESULTS_INTERNAL_H

#include "base/arena.h"
#include "results/energy_gain.h"
#include "results/results.h"
#include "results/results_file.h"
#include "results/results_rounding.h"
#include "results/results_table.h"
#include "results/rod_measures.h"

/// Numbers noted as they come, for the end of the file.
typedef struct vb_doubles {
  double *values;
  size_t n;
} vb_doubles;

struct vb_results {
  char *path;
  char *partial_path; ///< path of the file while it is being written
  vb_run_facts run;
  const vb_solver *solver;
  const vb_solver_description *description;
  hid_t file;
  bool has_rows;       ///< whether the file has datasets for rows, and its name
  char not_finite[96]; ///< what of the latest row is not finite, or empty
  vb_error failure;    ///< of an earlier write: nothing more is written then
  double residual;     ///< in the latest row of the series, or NaN
  double row_energy;   ///< of all kinds in the latest row, J
  double row_gravity;  ///< of that, the energy of gravity, J
  double row_work;     ///< of all kinds in the latest row, J
  vb_energy_gain gain; ///< over the rows of the series
  vb_convergence steps_converged;
  double last_residual; ///< at the end of the last step; NaN: unknown
  bool shared;          ///< whether other runs are executed beside this one
  char warning[160];    ///< what the solver warns of; empty where of nothing
  double last_flush;    ///< s, monotonic
  vb_table series;
  vb_table frames;
  vb_table timing;
  vb_table convergence;
  vb_rod_measures *measures; ///< null where the solver lacks the fields for it
  size_t position_field;     ///< of the description; meaningful where measures is set
  size_t scale_field;
  double *scratch;        ///< for what is read from the solver before it is sorted into a row
  const char **work_name; ///< (works) drivers, then loads and activations without repetition
  size_t *work_of_row;    ///< (loads, activations) its element of work_name
  size_t n_works;
  size_t n_load_works;   ///< behind those of drivers, and before those of activations
  size_t *field_count;   ///< (description->n_fields) elements of each field
  size_t *frame_field;   ///< (run.record.n_fields) of the description
  size_t *frame_count;   ///< (run.record.n_fields) elements of each
  size_t radius_column;  ///< of frames; 0 where no scale is recorded
  vb_field_reach *reach; ///< (frames.n_columns - 1) of the fields in the columns behind the time
  size_t n_reach;
  vb_doubles frame_time;
  vb_doubles step_time;
  int64_t steps;   ///< up to the last row that was handed to HDF5
  vb_arena memory; ///< what lasts as long as it: scratch, names, counts
};

/// Appends a number; fails only for want of memory.
vb_status vb_doubles_push(vb_doubles *list, double value, vb_error *error);

/// The field of that name in the description; false where there is none.
bool vb_results_find_field(const vb_solver_description *description, const char *name,
                           size_t *index);

/// Prepares all tables: finds fields, allocates scratch, plans columns.
vb_status vb_results_prepare(vb_results *results, void *instance, vb_error *error);
vb_status vb_results_plan_tables(vb_results *results, vb_error *error);

/// Bytes that the static groups of a run can take at most.
size_t vb_results_static_bytes(const vb_run_facts *run);

/// Write the static groups of a run.
void vb_results_write_scenario(vb_h5 *h5, hid_t file, const vb_run_facts *run);
void vb_results_write_solver(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance,
                             const vb_solver_origin *origin);
/// Where frames are rounded, rest positions of surfaces are, too, to single precision: most
/// surfaces have more vertices than all else.
void vb_results_write_topology(vb_h5 *h5, hid_t file, const vb_run_facts *run);

/// Adds to /topology what vertices of a skin are made of, as far as the solver has it.
void vb_results_write_weights(vb_h5 *h5, const vb_results *results, void *instance);
void vb_results_write_device(vb_h5 *h5, hid_t file, const vb_gpu_record *gpu);

/// The columns of a solver's state at one moment (results_state.c). They are the same for series
/// over time and for convergence over iterations.

/// Finds the names of works, what the measures need, and scratch for one row.
vb_status vb_results_state_prepare(vb_results *results, vb_error *error);

/// Adds the columns of the state to `table` below `group`, with the residual if requested
/// and defined.
void vb_results_state_add(const vb_results *results, vb_table *table, const char *group,
                          bool residual);

/// Reads the state from `instance` into the row being filled, from column `first` on; all else as
/// given to vb_results_state_add.
vb_status vb_results_state_fill(vb_results *results, const vb_table *table, size_t first,
                                bool residual, void *instance, vb_error *error);

#endif
