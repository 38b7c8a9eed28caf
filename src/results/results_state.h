// SPDX-License-Identifier: GPL-3.0-or-later
/// The columns of a results file that describe a solver's state at one moment. They are the same
/// for series over time and for convergence over iterations.
#ifndef VB_RESULTS_RESULTS_STATE_H
#define VB_RESULTS_RESULTS_STATE_H

#include "results/results_internal.h"

/// Finds the names of works, what the measures need, and scratch for one row.
vb_status vb_results_state_prepare(vb_results *results, vb_error *error);
void vb_results_state_free(vb_results *results);

/// Adds the columns of the state to `table` below `group`, with the residual if requested
/// and defined.
void vb_results_state_add(vb_h5 *h5, const vb_results *results, vb_table *table, hid_t group,
                          bool residual);

/// Reads the state from `instance` into the row being filled, from column `first` on; all else as
/// given to vb_results_state_add.
vb_status vb_results_state_fill(vb_results *results, const vb_table *table, size_t first,
                                bool residual, void *instance, vb_error *error);

#endif
