// SPDX-License-Identifier: GPL-3.0-or-later
/// Distance between the surfaces of two recorded runs, frame by frame.
#ifndef VB_GATE_SURFACE_SERIES_H
#define VB_GATE_SURFACE_SERIES_H

#include "base/arena.h"
#include "results/results_array.h"

#include <stdio.h>

/// The gap between two surfaces (see vb_surface_gap) over time.
typedef struct vb_surface_series {
  size_t n;
  double *time; ///< (n) s; the frames' of the first run
  double *rms;  ///< (n) m
  double *hausdorff;
  vb_arena memory; ///< these arrays
} vb_surface_series;

/// Reads frames/vertices and topology/triangle of both runs, whose frames must be at the same
/// times, and measures. VB_BAD_INPUT where that cannot be done. The caller frees with
/// vb_surface_series_free.
vb_status vb_surface_series_read(vb_run_location a, vb_run_location b, vb_surface_series *out,
                                 vb_error *error);
void vb_surface_series_free(vb_surface_series *series);

/// Prints time, root mean square and greatest distance, in one line for each frame.
void vb_surface_series_print(FILE *out, const vb_surface_series *series);

#endif
