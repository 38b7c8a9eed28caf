// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the rods of a recorded frame as polygons for gnuplot.
#ifndef VB_FIGURE_OUTLINE_FRAME_H
#define VB_FIGURE_OUTLINE_FRAME_H

#include "results/results_array.h"

#include <stdio.h>

/// All bodies, where one is to be named.
#define VB_ALL_BODIES INT64_MIN

/// What outlines are made of.
typedef struct vb_outline_frame {
  vb_array segment;
  vb_array body;
  vb_array rest_radius;
  vb_array position;
  vb_array scale;
} vb_outline_frame;

/// Axes of a plane: two of "x", "y", "z", the one to the right first, such as "xz". VB_BAD_INPUT
/// for all else.
vb_status vb_outline_plane(const char *plane, int axis[2], vb_error *error);

/// Reads frame `frame` (-1 is the last) of a run's file, or of run `run` of an index; `run` may be
/// null. VB_BAD_INPUT where it cannot be read. The caller frees with vb_outline_frame_free.
vb_status vb_outline_frame_read(const char *file, const char *run, int64_t frame,
                                vb_outline_frame *out, vb_error *error);
void vb_outline_frame_free(vb_outline_frame *frame);

/// Prints a closed polygon for each segment of body `body`, or of VB_ALL_BODIES, and an empty line
/// behind it: the two coordinates [m] of a corner in a line, and the segment's mean scale if
/// requested.
void vb_outline_frame_print(FILE *out, const vb_outline_frame *frame, const int axis[2],
                            int64_t body, bool with_scale);

/// Corners of an outline, the last equal to the first.
#define VB_OUTLINE_CORNERS 35

/// The convex hull of two discs as a closed polygon, counterclockwise: the disc of radius `ra`
/// about `a` and of radius `rb` about `b` [m]. The larger disc where it holds the other. Its
/// corners lie on the hull.
void vb_outline_hull(const double a[2], double ra, const double b[2], double rb,
                     double out[VB_OUTLINE_CORNERS][2]);

#endif
