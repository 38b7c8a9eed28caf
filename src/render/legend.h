// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws text in pictures, in the font of the figures, and the legend below a picture: the meaning
/// of its colors.
#ifndef VB_RENDER_LEGEND_H
#define VB_RENDER_LEGEND_H

#include "render/image.h"
#include "render/palette.h"

/// A font of one size.
typedef struct vb_font vb_font;

/// Opens the font with letters `size` pixels high. VB_UNAVAILABLE where it is not installed.
/// Closed by vb_font_close.
vb_status vb_font_open(int size, vb_font **out, vb_error *error);
void vb_font_close(vb_font *font);

/// How wide a text of UTF-8 is, in pixels.
int vb_font_width(vb_font *font, const char *text);

/// Writes a text of UTF-8 in dark gray, beginning at `x`, on the base line `y`.
void vb_font_write(vb_font *font, vb_image *image, int x, int y, const char *text);

typedef struct vb_legend {
  const char *title;  ///< on the left
  const char *label;  ///< before the bar of colors; null for no bar
  vb_palette palette; ///< of the bar
  double factor;      ///< of values in their numbers: 100 for percent
} vb_legend;

/// The size of letters that suits a picture, and the height of the strip that a legend in them
/// takes, in pixels.
int vb_legend_letters(int width, int height);
int vb_legend_height(int letters);

/// Draws the legend over the lowest vb_legend_height(letters) rows; without `font`, which may be
/// null, the bar alone. Leaves out the title, and then the label, where there is no room for them.
void vb_legend_draw(const vb_legend *legend, vb_font *font, int letters, vb_image *image);

#endif
