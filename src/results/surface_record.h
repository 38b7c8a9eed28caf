// SPDX-License-Identifier: GPL-3.0-or-later
/// The surface that a run recorded: its triangles, and its vertices frame by frame.
#ifndef VB_RESULTS_SURFACE_RECORD_H
#define VB_RESULTS_SURFACE_RECORD_H

#include "results/results_array.h"

typedef struct vb_surface_record {
  vb_run_location place;
  vb_array time;     ///< (frames) s
  int32_t *triangle; ///< (n_triangles x 3) vertices
  size_t n_triangles;
} vb_surface_record;

/// Reads run/frames/time and topology/triangle. VB_BAD_INPUT where that cannot be done. To be
/// closed by vb_surface_record_close, whatever is returned.
vb_status vb_surface_record_open(vb_run_location place, vb_surface_record *out, vb_error *error);
void vb_surface_record_close(vb_surface_record *record);

/// Reads the vertices [m] (n x 3) of frame `k`, which the triangles must fit. The caller frees with
/// vb_array_free, whatever is returned.
vb_status vb_surface_record_vertices(const vb_surface_record *record, size_t k, vb_array *out,
                                     vb_error *error);

#endif
