// SPDX-License-Identifier: GPL-3.0-or-later
/// What a recorded surface is like, frame by frame: whether it crosses itself, and its volume.
#ifndef VB_GATE_SURFACE_COLUMN_H
#define VB_GATE_SURFACE_COLUMN_H

#include "results/results.h"

/// Whether a quantity is one of "surface/crossings_within", "surface/crossings_between" and
/// "surface/volume_change", perhaps behind the prefix "runs/NAME/".
bool vb_is_surface_column(const char *quantity);

/// Reads it from a run file, or from a run of an index file, at each frame of the field vertices,
/// as vb_results_column does; the caller frees with vb_column_free. Crossings are pairs of
/// triangles that cross, of one connected part or of two (mesh/surface_checks.h); the change of
/// volume is that of all that closed parts hold, over the first frame's. VB_BAD_INPUT where no
/// surface is recorded, or where it holds no volume.
vb_status vb_surface_column(const char *path, const char *quantity, vb_column *out,
                            vb_error *error);

#endif
