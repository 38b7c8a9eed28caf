// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/muscle: slices of a muscle with several heads, each in connected parts, and how
/// many rods pass through each part.
#ifndef VB_MUSCLE_PARTS_H
#define VB_MUSCLE_PARTS_H

#include "muscle/slice.h"

/// A connected part of a slice.
typedef struct vb_part {
  vb_slice slice;
  int32_t before, after; ///< parts of neighboring slices are connected where after equals before
  int32_t n_points;      ///< rods that pass through it; a part without any is a dead end, or small
} vb_part;

/// The parts of all slices.
typedef struct vb_parts {
  vb_part *part; ///< those of slice j from first[j] to first[j + 1]
  size_t *first; ///< (n_slices + 1)
  size_t n_slices;
} vb_parts;

/// Cuts the mesh at the levels, into about `n_samples` pieces or more a slice, and distributes
/// `n_rods`: at the slice of fewest parts, and where parts divide on the way from there to either
/// end, by area; where they unite, rods are added up. Parts that do not lead to both ends get none.
/// So every rod can go from the first to the last slice through parts that are connected.
/// VB_BAD_INPUT where a slice is empty, or no part of it leads to both ends; VB_FAILED where the
/// time is over (base/time_limit.h). Freed by vb_parts_clear.
vb_status vb_parts_make(const vb_mesh *mesh, const double *field, const double *level,
                        size_t n_slices, size_t n_samples, int32_t n_rods, vb_parts *out,
                        vb_error *error);
void vb_parts_clear(vb_parts *parts);

#endif
