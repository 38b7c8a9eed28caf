// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws the legend below a picture: the meaning of its colors.
#ifndef VB_RENDER_LEGEND_H
#define VB_RENDER_LEGEND_H

#include "render/font.h"
#include "render/palette.h"

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
