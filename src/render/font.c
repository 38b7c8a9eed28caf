// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/home.h"
#include "render/legend.h"

#include <ft2build.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include FT_FREETYPE_H

#define INK UINT32_C(0x303030)

/// Where Debian's package fonts-dejavu-core puts it.
static const char FONT_FILE[] = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

struct vb_font {
  FT_Library library;
  FT_Face face;
};

/// The font of the system, else the one that a portable folder or a wheel holds.
static bool open_face(vb_font *font) {
  char home[PATH_MAX], path[PATH_MAX + 32];
  vb_error unknown;
  if (!FT_New_Face(font->library, FONT_FILE, 0, &font->face))
    return true;
  if (vb_home(home, sizeof home, &unknown))
    return false;
  snprintf(path, sizeof path, "%s/fonts/DejaVuSans.ttf", home);
  return !FT_New_Face(font->library, path, 0, &font->face);
}

vb_status vb_font_open(int size, vb_font **out, vb_error *error) {
  vb_font *font = calloc(1, sizeof *font);
  if (!font)
    return vb_error_memory(error);
  if (FT_Init_FreeType(&font->library)) {
    free(font);
    return vb_error_memory(error);
  }
  if (!open_face(font) || FT_Set_Pixel_Sizes(font->face, 0, (FT_UInt)size)) {
    vb_font_close(font);
    return vb_error_set(error, VB_UNAVAILABLE,
                        "the font %s cannot be read; install fonts-dejavu-core", FONT_FILE);
  }
  *out = font;
  return VB_OK;
}

void vb_font_close(vb_font *font) {
  if (!font)
    return;
  if (font->face)
    FT_Done_Face(font->face);
  FT_Done_FreeType(font->library);
  free(font);
}

/// The next letter of UTF-8, 0 at its end; a wrong byte stands for itself.
static uint32_t next_letter(const char **text) {
  const unsigned char *c = (const unsigned char *)*text;
  uint32_t letter = *c;
  int more = *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : *c >= 0xC0 ? 1 : 0;
  letter = more ? *c & (0x3FU >> more) : letter;
  for (int i = 1; i <= more; i++) {
    if ((c[i] & 0xC0) != 0x80) {
      *text += 1;
      return *c;
    }
    letter = letter << 6 | (c[i] & 0x3FU);
  }
  *text += letter ? more + 1 : 0;
  return letter;
}

static void put_letter(const FT_GlyphSlotRec *glyph, vb_image *image, int x, int y) {
  for (unsigned j = 0; j < glyph->bitmap.rows; j++)
    for (unsigned i = 0; i < glyph->bitmap.width; i++) {
      const unsigned char *row = glyph->bitmap.buffer + (ptrdiff_t)j * glyph->bitmap.pitch;
      vb_image_blend(image, x + glyph->bitmap_left + (int)i, y - glyph->bitmap_top + (int)j, INK,
                     row[i] / 255.0);
    }
}

/// Writes where there is an image; returns the width.
static int walk(vb_font *font, vb_image *image, int x, int y, const char *text) {
  FT_Pos pen = 0; // in parts of 64 of a pixel
  for (uint32_t letter = next_letter(&text); letter; letter = next_letter(&text)) {
    if (FT_Load_Char(font->face, letter, FT_LOAD_RENDER))
      continue;
    if (image)
      put_letter(font->face->glyph, image, x + (int)(pen / 64), y);
    pen += font->face->glyph->advance.x;
  }
  return (int)((pen + 63) / 64);
}

int vb_font_width(vb_font *font, const char *text) {
  return walk(font, NULL, 0, 0, text);
}

void vb_font_write(vb_font *font, vb_image *image, int x, int y, const char *text) {
  walk(font, image, x, y, text);
}
