// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/muscle: an isosurface of a field on tetrahedra, and points spread over it.
#ifndef VB_MUSCLE_SLICE_H
#define VB_MUSCLE_SLICE_H

#include "muscle/edges.h"
#include "muscle/viperize.h"

/// A small piece of a slice.
typedef struct vb_slice_sample {
  double x[3];      ///< its middle, m
  double normal[3]; ///< unit
  double area;      ///< m^2
} vb_slice_sample;

/// Samples of a box, which lie near each other.
enum { VB_SLICE_BLOCK = 64 };

/// Numbers of room that vb_slice_relax takes for a point.
enum { VB_SLICE_ROOM = 13 };

/// The least and the greatest coordinates of middles, m.
typedef struct vb_slice_box {
  double low[3], high[3];
} vb_slice_box;

/// A slice, or a connected part of one.
typedef struct vb_slice {
  vb_slice_sample *sample; ///< (n)
  double *middle;          ///< (3 x n) those of the samples, by component
  vb_slice_box *box;       ///< about each VB_SLICE_BLOCK of them in a row
  size_t n;
  double area;      ///< m^2
  double center[3]; ///< m
  int32_t edge;     ///< of the mesh, which it cuts
} vb_slice;

/// Cuts the mesh where the field is `level` into about `n_samples` pieces or more, and lists the
/// connected parts of this slice. `edges` are the mesh's; their parents are scratch. VB_BAD_INPUT
/// where the slice is empty. The caller frees the list, and its slices by vb_slice_clear.
vb_status vb_slice_make(const vb_mesh *mesh, const double *field, double level, size_t n_samples,
                        vb_edges *edges, vb_slice **out, size_t *n_out, vb_error *error);
void vb_slice_clear(vb_slice *slice);

/// The point of the slice nearest to `x`, to the plane of the nearest piece.
void vb_slice_project(const vb_slice *slice, const double x[3], double out[3]);

/// Moves each of `n` points to the middle of its Voronoi cell on the slice, pulled towards `target`
/// (n x 3, or null) by the weight `pull` beside the cell's 1. Points of empty cells go to the piece
/// that is farthest from its point (Lloyd 1982; restricted to the slice). `room` is for
/// VB_SLICE_ROOM n.
void vb_slice_relax(const vb_slice *slice, double (*point)[3], size_t n, const double (*target)[3],
                    double pull, double *room);

#endif
