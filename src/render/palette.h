// SPDX-License-Identifier: GPL-3.0-or-later
/// Colors of values, distinguishable with any color vision. Colors are linear red, green, blue from
/// 0 to 1, unless they are called encoded (sRGB, as in files).
#ifndef VB_RENDER_PALETTE_H
#define VB_RENDER_PALETTE_H

typedef enum vb_palette_kind {
  VB_SEQUENTIAL,  ///< from dark blue over green to light yellow: lightness grows with the value
  VB_DIVERGING,   ///< blue below, light gray in, orange above the middle of the limits
  VB_CATEGORICAL, ///< one of eight colors for each whole number, over and over
  VB_NATURAL,     ///< that of the material, where it has one, else like VB_CATEGORICAL
} vb_palette_kind;

typedef struct vb_palette {
  vb_palette_kind kind;
  double low, high; ///< limits; values beyond them have the color of the limit
} vb_palette;

/// The color of a value; where it is not a number that of bone among categories, else middle gray.
void vb_palette_color(const vb_palette *palette, double value, double color[3]);

/// A linear component as an encoded one, and back; both from 0 to 1.
double vb_encode_srgb(double linear);
double vb_decode_srgb(double encoded);

#endif
