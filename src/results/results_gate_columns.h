// SPDX-License-Identifier: GPL-3.0-or-later
/// The datasets of the group /gates.
#ifndef VB_RESULTS_RESULTS_GATE_COLUMNS_H
#define VB_RESULTS_RESULTS_GATE_COLUMNS_H

#include "results/h5.h"

enum { VB_N_GATE_COLUMNS = 23 };

/// A dataset for each member of vb_gate_record, with what it means.
extern const vb_h5_column vb_gate_columns[VB_N_GATE_COLUMNS];

#endif
