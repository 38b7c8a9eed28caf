// SPDX-License-Identifier: GPL-3.0-or-later
/// Lines for gnuplot on the recorded surface of a body that is a box at rest.
#ifndef VB_FIGURE_BOX_LINES_H
#define VB_FIGURE_BOX_LINES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// Prints lines x, y, z [m] of the surface of run `run` of the index `file` in frame `frame`, an
/// empty line before each: the four edges along z of a box that is `width` wide (x) and `thickness`
/// thick (y) at rest, or, if `sections`, those cross-sections that lie at an even number of
/// centimeters at rest. VB_BAD_INPUT where the surface cannot be read.
vb_status vb_box_lines_print(FILE *out, const char *file, const char *run, int64_t frame,
                             double width, double thickness, bool sections, vb_error *error);

#endif
