// SPDX-License-Identifier: GPL-3.0-or-later
/// The size of a picture on paper, in its file.
#ifndef VB_FIGURE_PAPER_SIZE_H
#define VB_FIGURE_PAPER_SIZE_H

#include "base/status.h"

/// Tells the picture at `path`, which gnuplot drew in the format `term`, that it is `mm` wide: an
/// SVG by its attributes width and height, a PNG by its resolution, 300 dots per inch. A PDF knows.
/// VB_CANNOT_WRITE.
vb_status vb_paper_size(const char *path, const char *term, double mm, vb_error *error);

#endif
