// SPDX-License-Identifier: GPL-3.0-or-later
/// The balance of a recorded run's energies: what went in as work, less what is there and what
/// damping took. For any solver that records energies and work.
#ifndef VB_GATE_BALANCE_H
#define VB_GATE_BALANCE_H

#include "results/results.h"

/// Whether a quantity is "balance/unaccounted" or "balance/energy_gain", perhaps behind the prefix
/// "runs/NAME/".
bool vb_is_balance(const char *quantity);

/// Reads it from a run file, or from a run of an index file, at each row, as vb_results_column
/// does; the caller frees with vb_column_free. "balance/energy_gain" is that of
/// results/energy_gain.h, "balance/unaccounted" is
///
///     (W - (E - E_0) - D) / max over the rows of sum |W_k|,
///
/// W the sum of the works W_k in /run/work, E the total energy, E_0 that of the first row, and D
/// the integral of 2 d times the kinetic energy (trapezoids over the rows), d the scene's damping
/// rate. Positive is energy lost: to friction, or to the time step. Bodies that are pinned are not
/// damped, but their kinetic energy counts in D; they should be light. VB_BAD_INPUT where the run
/// records no work or all works are 0; energy may be gained without any.
vb_status vb_balance_column(const char *path, const char *quantity, vb_column *out,
                            vb_error *error);

#endif
