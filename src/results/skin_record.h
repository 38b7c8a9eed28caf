// SPDX-License-Identifier: GPL-3.0-or-later
/// The vertices of a skin, made of what a run recorded of its segments. Runs for show store the
/// weights of a skin once, in /topology, and no vertices in frames: these follow from the state.
#ifndef VB_RESULTS_SKIN_RECORD_H
#define VB_RESULTS_SKIN_RECORD_H

#include "results/results_array.h"

/// Whether `dataset` is that of vertices, and the run has weights and what else they need in its
/// place. VB_BAD_INPUT where the file cannot be read.
vb_status vb_skin_has(vb_run_location place, const char *dataset, bool *out, vb_error *error);

/// Makes the vertices (n x 3, m) in frame `frame`, counted from the end where negative, by linear
/// blending (the field `vertices` of the solver viper): a segment maps x to c + s R (x - c_rest),
/// and a vertex is the weighted mean of its segments' maps. The caller frees with vb_array_free.
/// VB_BAD_INPUT where the file's numbers do not fit each other.
vb_status vb_skin_vertices(vb_run_location place, int64_t frame, vb_array *out, vb_error *error);

#endif
