// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_gate_columns.h"

#include "results/results_gates.h"

#include <stddef.h>

#define AT(member) offsetof(vb_gate_record, member), "1"

/// A dataset for each member of the records.
const vb_h5_column vb_gate_columns[VB_N_GATE_COLUMNS] = {
    {"name", VB_H5_TEXT, AT(name), "name of the gate", 1},
    {"runs", VB_H5_TEXT, AT(runs), "names of the runs of the gate, separated by spaces", 1},
    {"quantity", VB_H5_TEXT, AT(quantity), "series that is measured", 1},
    {"row", VB_H5_INT64, AT(row), "element of the series, or -1", 1},
    {"component", VB_H5_INT64, AT(component), "component of the series, or -1", 1},
    {"other_row", VB_H5_INT64, AT(other_row),
     "the element from which the row's distance is taken, or -1", 1},
    {"measure", VB_H5_TEXT, AT(measure), "how a number is made of the series", 1},
    {"from", VB_H5_REAL, AT(from), "begin of the window measured", 1},
    {"to", VB_H5_REAL, AT(to), "end of the window measured", 1},
    {"combination", VB_H5_TEXT, AT(combination), "how the runs' numbers are combined", 1},
    {"value", VB_H5_REAL, AT(value), "measured value, in the unit of the quantity", 1},
    {"comparator", VB_H5_TEXT, AT(comparator), "what is asked of the value", 1},
    {"reference", VB_H5_REAL, AT(reference), "what the value is compared with", 1},
    {"tolerance", VB_H5_REAL, AT(tolerance), "difference allowed", 1},
    {"relative", VB_H5_FLAG, AT(relative), "1 where the tolerance is relative", 1},
    {"passed", VB_H5_FLAG, AT(passed), "1 where the gate is passed", 1},
    {"finding", VB_H5_FLAG, AT(finding),
     "1 where a miss is a finding about the model, and fails nothing", 1},
    {"timed", VB_H5_FLAG, AT(timed), "1 where a finding depends on wall time", 1},
    {"finding_verdict", VB_H5_TEXT, AT(finding_verdict),
     "of a finding held against its band: as expected, worse, better, unmeasured, no band, not "
     "judged; or empty",
     1},
    {"band_low", VB_H5_REAL, AT(band_low), "least value expected of a finding, or NaN", 1},
    {"band_high", VB_H5_REAL, AT(band_high), "greatest value expected of a finding, or NaN", 1},
    {"reason", VB_H5_TEXT, AT(reason), "reason of the reference and the tolerance", 1},
    {"note", VB_H5_TEXT, AT(note), "why the value could not be measured, or empty", 1},
};
