// SPDX-License-Identifier: GPL-3.0-or-later
/// Writhe, twist and linking number of a rod: its center line is a polygon, and the u axes of its
/// frames make it a ribbon. For any solver of rods.
///
/// Positive is right-handed. Of a closed ribbon the sum of writhe and twist is a whole number, the
/// linking number of the center line with a line beside it along u (Calugareanu); of an open one it
/// is the sum alone. Reversal of the path changes none.
#ifndef VB_GATE_RIBBON_H
#define VB_GATE_RIBBON_H

#include "results/results.h"

/// The writhe of a polygon through `n` points [m], closed from the last to the first or open: the
/// double sum over its edges of K. Klenin and J. Langowski (Biopolymers 54, 2000, method 1a), each
/// pair's solid angle by A. van Oosterom and J. Strackee's formula. Edges must not meet but at
/// their ends. The time grows with n^2.
double vb_writhe(const double (*point)[3], size_t n, bool closed);

/// The twist, in turns, of the vectors `u` (one per edge: n of a closed polygon, n - 1 of an open
/// one) about the polygon: the sum over its inner points of the angle between u behind the point
/// and the u before it, carried along by the least rotation of one edge to the next. Each angle is
/// less than half a turn. `u` need not be perpendicular to its edge.
double vb_twist(const double (*point)[3], const double (*u)[3], size_t n, bool closed);

/// Whether a quantity is one of these, perhaps behind the prefix "runs/NAME/": "ribbon/writhe",
/// "ribbon/twist" or "ribbon/linking".
bool vb_is_ribbon(const char *quantity);

/// Reads it for body `body` (-1 where the run has only one) of a run file, or of a run of an index
/// file, at each frame, as vb_results_column does; the caller frees with vb_column_free.
/// VB_BAD_INPUT where positions or, for all but the writhe, frames are not recorded, and where the
/// body is no chain or ring of segments.
vb_status vb_ribbon_column(const char *path, const char *quantity, int64_t body, vb_column *out,
                           vb_error *error);

#endif
