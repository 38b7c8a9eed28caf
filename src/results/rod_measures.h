// SPDX-License-Identifier: GPL-3.0-or-later
/// Errors of volume and length of the segments, computed from the nodes' positions and scales.
///
/// For any solver that offers the node fields "position" and "scale".
#ifndef VB_RESULTS_ROD_MEASURES_H
#define VB_RESULTS_ROD_MEASURES_H

#include "scene/scene.h"

typedef struct vb_rod_measures vb_rod_measures;

/// Where one of the two errors is put; its four parts all dimensionless.
typedef struct vb_error_norms {
  double *rms;         ///< over all segments
  double *max;         ///< greatest magnitude over all segments
  double *rms_by_body; ///< (bodies)
  double *max_by_body; ///< (bodies)
} vb_error_norms;

/// Weights from the rest shape of `scene`, which must outlive the result. Freed by
/// vb_rod_measures_destroy. Fails only for want of memory.
vb_status vb_rod_measures_create(const vb_scene *scene, vb_rod_measures **out, vb_error *error);
void vb_rod_measures_destroy(vb_rod_measures *measures);

/// From `position` (nodes x 3) [m] and `scale` (nodes): of each segment, with dc its extension over
/// its rest length and sm the mean scale of its nodes, the volume error sm^2 |dc| - 1, RMS weighted
/// by r^2 l, and the stretch error |dc| - 1, weighted by l. 0 for a body without segments; a NaN of
/// any segment shows in the norms that hold it.
void vb_rod_measures_evaluate(const vb_rod_measures *measures, const double *position,
                              const double *scale, const vb_error_norms *volume,
                              const vb_error_norms *stretch);

#endif
