// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Encoded colors, 0xRRGGBB.
static const uint32_t SEQUENTIAL[] = {0x2B3990, 0x0072B2, 0x2AA6A0, 0x9BCF6B, 0xF5E663};
static const uint32_t DIVERGING[] = {0x0B4F94, 0x63B0E3, 0xEDEDED, 0xEB9E62, 0xB4400F};
// Okabe and Ito's without black, and a gray.
static const uint32_t CATEGORICAL[] = {0x56B4E9, 0xE69F00, 0x009E73, 0xD55E00,
                                       0x0072B2, 0xF0E442, 0xCC79A7, 0x999999};

static const uint32_t BONE = 0xE4D9C0;

enum { STOPS = 5, CATEGORIES = 8 };

double vb_encode_srgb(double linear) {
  if (linear == 1) // white, which most pixels are
    return 1;
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

double vb_decode_srgb(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static double component(uint32_t color, int k) {
  return (double)((color >> (16 - 8 * k)) & 0xFF) / 255;
}

void vb_palette_color(const vb_palette *palette, double value, double color[3]) {
  bool categorical = palette->kind == VB_CATEGORICAL || palette->kind == VB_NATURAL;
  if (isnan(value) && categorical) {
    for (int k = 0; k < 3; k++)
      color[k] = vb_decode_srgb(component(BONE, k));
    return;
  }
  if (isnan(value)) {
    color[0] = color[1] = color[2] = vb_decode_srgb(0.5);
    return;
  }
  if (categorical) {
    double place = fmod(fabs(round(value)), CATEGORIES);
    for (int k = 0; k < 3; k++)
      color[k] = vb_decode_srgb(component(CATEGORICAL[(int)place], k));
    return;
  }
  const uint32_t *stop = palette->kind == VB_SEQUENTIAL ? SEQUENTIAL : DIVERGING;
  double width = palette->high - palette->low;
  double t = width > 0 ? (value - palette->low) / width : 0.5;
  t = fmin(fmax(t, 0), 1) * (STOPS - 1);
  int i = t < STOPS - 1 ? (int)t : STOPS - 2;
  for (int k = 0; k < 3; k++)
    color[k] =
        vb_decode_srgb((1 - (t - i)) * component(stop[i], k) + (t - i) * component(stop[i + 1], k));
}
