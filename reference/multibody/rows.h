// SPDX-License-Identifier: GPL-3.0-or-later
/// Rows of the links: what stays 0, and its derivatives.
#ifndef MB_ROWS_H
#define MB_ROWS_H

#include "system.h"

/// Writes the direction a of the rows a . n of link `i`, and n of its row `k`, for both sides.
void mb_row_axes(const mb_system *system, size_t i, int k, const mb_side side[2], double a[3],
                 double n[3]);

/// Writes G to system->gradient and b to system->known.
void mb_write_rows(mb_system *system, double time, const double *state);

/// Writes the axis of a hinge, by its second side.
void mb_hinge_axis(const mb_system *system, size_t i, double time, const double *state,
                   double out[3]);

#endif
