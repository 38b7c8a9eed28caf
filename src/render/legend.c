// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/legend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define FRAME UINT32_C(0x303030)

int vb_legend_letters(int width, int height) {
  int across = width / 56, down = height / 34, size = across < down ? across : down;
  return size < 10 ? 10 : size;
}

int vb_legend_height(int letters) {
  return 7 * letters / 2;
}

/// The bar in pixels.
typedef struct bar {
  int left, right, top, bottom;
} bar;

static uint32_t encode(const vb_palette *palette, double value) {
  double color[3];
  uint32_t code = 0;
  vb_palette_color(palette, value, color);
  for (int k = 0; k < 3; k++)
    code = code << 8 | (uint32_t)(255 * vb_encode_srgb(color[k]) + 0.5);
  return code;
}

static void draw_bar(const vb_palette *palette, const bar *b, vb_image *image) {
  for (int x = b->left; x < b->right; x++) {
    double share = (x + 0.5 - b->left) / (b->right - b->left);
    uint32_t color = encode(palette, palette->low + share * (palette->high - palette->low));
    for (int y = b->top; y < b->bottom; y++) {
      bool edge = x == b->left || x == b->right - 1 || y == b->top || y == b->bottom - 1;
      vb_image_blend(image, x, y, edge ? FRAME : color, 1);
    }
  }
}

/// The least step of 1, 2 or 5 times a power of ten that divides `width` into at most `most`.
static double tick_step(double width, int most) {
  static const double factors[] = {1, 2, 5, 10};
  double power = pow(10, floor(log10(width / most)));
  int i = 0;
  while (i < 3 && width / (factors[i] * power) > most + 1e-9)
    i++;
  return factors[i] * power;
}

/// Numbers below the bar, all with the decimals of their step.
static void draw_ticks(const vb_legend *legend, const bar *b, vb_font *font, int letters,
                       vb_image *image) {
  double low = legend->factor * legend->palette.low, high = legend->factor * legend->palette.high;
  if (!(high > low))
    return;
  double step = tick_step(high - low, 4);
  int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
  for (double n = ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) {
    char text[64];
    double value = n == 0 ? 0 : n * step;
    int x = b->left + (int)lround((value - low) / (high - low) * (b->right - 1 - b->left));
    snprintf(text, sizeof text, "%.*f", decimals, value);
    for (int y = b->bottom; y < b->bottom + letters / 4; y++)
      vb_image_blend(image, x, y, FRAME, 1);
    if (font)
      vb_font_write(font, image, x - vb_font_width(font, text) / 2, b->bottom + 5 * letters / 4,
                    text);
  }
}

void vb_legend_draw(const vb_legend *legend, vb_font *font, int letters, vb_image *image) {
  int top = image->height - vb_legend_height(letters), margin = 2 * letters;
  bar b = {.right = image->width - margin, .top = top + letters / 2};
  int base = b.top + letters, end = image->width - margin;
  b.left = b.right - 2 * image->width / 5;
  b.bottom = b.top + 5 * letters / 4;
  if (legend->label && b.left < b.right) {
    draw_bar(&legend->palette, &b, image);
    draw_ticks(legend, &b, font, letters, image);
    end = b.left - letters;
  }
  if (legend->label && font) {
    int width = vb_font_width(font, legend->label);
    if (width < end)
      vb_font_write(font, image, end - width, base, legend->label);
    end -= width + 2 * letters;
  }
  if (font && margin + vb_font_width(font, legend->title) <= end)
    vb_font_write(font, image, margin, base, legend->title);
}
