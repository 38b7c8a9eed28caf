// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes a picture that gnuplot drew as SVG shorter, without a difference that can be seen.
#ifndef VB_FIGURE_SVG_SHORTEN_H
#define VB_FIGURE_SVG_SHORTEN_H

#include "base/status.h"

#include <stdio.h>

/// Writes the SVG text `data`, which gnuplot wrote, to `out`: without empty groups and attributes
/// that have their default; points of a path left out that lie within 0.05 pixels of the line that
/// remains; coordinates without zeros at their end, those of paths relative to the point before.
/// What is not as gnuplot writes it stays as it is. VB_CANNOT_WRITE for want of memory.
vb_status vb_svg_shorten(const char *data, FILE *out, vb_error *error);

/// The same of a file, in place. VB_CANNOT_WRITE.
vb_status vb_svg_shorten_file(const char *file, vb_error *error);

#endif
