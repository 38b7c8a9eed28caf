// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws text in pictures, in the font of the figures.
#ifndef VB_RENDER_FONT_H
#define VB_RENDER_FONT_H

#include "render/image.h"

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

#endif
