// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/gate_words.h"

#include <stddef.h>

const char *const vb_measure_words[] = {
    [VB_MEASURE_FIRST] = "first",         [VB_MEASURE_FINAL] = "final",
    [VB_MEASURE_VALUE] = "value",         [VB_MEASURE_MINIMUM] = "minimum",
    [VB_MEASURE_MAXIMUM] = "maximum",     [VB_MEASURE_MAXIMUM_ABS] = "maximum_abs",
    [VB_MEASURE_MEAN] = "mean",           [VB_MEASURE_DRIFT] = "drift",
    [VB_MEASURE_FREQUENCY] = "frequency", [VB_MEASURE_DECAY] = "decay",
    [VB_MEASURE_ARRIVAL] = "arrival",     [VB_MEASURE_SLOPE] = "slope",
    [VB_MEASURE_SLOPE + 1] = NULL,
};

const char *const vb_combination_words[] = {
    [VB_SINGLE] = "single",
    [VB_DIFFERENCE] = "difference",
    [VB_RATIO] = "ratio",
    [VB_SURFACE_RMS] = "surface_rms",
    [VB_SURFACE_HAUSDORFF] = "surface_hausdorff",
    [VB_ORDER] = "order",
    [VB_ORDER + 1] = NULL,
};

const char *const vb_comparator_words[] = {
    [VB_NEAR] = "near",
    [VB_AT_MOST] = "at_most",
    [VB_AT_LEAST] = "at_least",
    [VB_AT_LEAST + 1] = NULL,
};
