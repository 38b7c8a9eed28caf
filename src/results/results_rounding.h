// SPDX-License-Identifier: GPL-3.0-or-later
/// Rounding of frames. Half of the bits of a position are far below what anyone looks at in a
/// frame, and no compression makes them smaller. So the numbers of a field are rounded to multiples
/// of one step, a power of two: 2^-20 of the power of two at or below the greatest magnitude that
/// the field reaches in the run: a pixel of a picture of all is a thousand times as large. Of
/// quaternions it is 2^-17: such a turn displaces nothing by a pixel. What is left of a number is
/// still a double.
///
/// The first and the last frame are rounded to 2^-32, and those that the plan names (what gates
/// read) to 2^-24 to 2^-32, or stay as they are where the plan does not allow the error of that.
/// Of a field that follows from others, such as the vertices of a skin, those that the plan names
/// are rounded to 2^-24, as single precision has there, and all others to 2^-20: its numbers are
/// many, and gates measure volumes and crossings of it, no differences.
#ifndef VB_RESULTS_RESULTS_ROUNDING_H
#define VB_RESULTS_RESULTS_ROUNDING_H

#include "results/results.h"

/// The attribute of a dataset that tells the greatest error of rounding.
#define VB_ROUNDING_ATTRIBUTE "rounding"

/// The greatest finite magnitude of a field in the frames so far.
typedef struct vb_field_reach {
  const char *name; ///< below /run/frames
  double greatest;
  bool follows; ///< whether the field follows from others of the same frame
  bool turns;   ///< whether its elements are quaternions
} vb_field_reach;

/// What there is to know of the frames of a run; all is borrowed.
typedef struct vb_rounding {
  const vb_record_plan *plan;
  const double *time; ///< (n_frames) s
  size_t n_frames;
  const vb_field_reach *fields; ///< (n_fields)
  size_t n_fields;
} vb_rounding;

/// Takes `n` numbers into the reach of a field.
void vb_field_reach_add(vb_field_reach *reach, const double *values, size_t n);

/// The multiples of what is rounded as in single precision: 2^-24 of the power of two at or below
/// the reach; 0 where that is 0.
double vb_rounding_step(const vb_field_reach *reach);

/// Rounds frames `first` to `first` + `n` - 1 of the dataset at `path` ("run/frames/position", a
/// slash before it or not), of `width` numbers each, where they are to be rounded.
void vb_rounding_apply(const vb_rounding *rounding, const char *path, size_t first, size_t n,
                       size_t width, double *values);

/// The greatest error that rounding makes in the dataset at `path`; 0 where nothing is rounded.
double vb_rounding_error(const vb_rounding *rounding, const char *path);

#endif
