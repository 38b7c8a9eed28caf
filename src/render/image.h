// SPDX-License-Identifier: GPL-3.0-or-later
/// An image of sRGB-encoded pixels, and its PNG file.
#ifndef VB_RENDER_IMAGE_H
#define VB_RENDER_IMAGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vb_image {
  int width, height;
  uint8_t *pixel; ///< (height x width x 3) red, green, blue; the upper row first
} vb_image;

/// A white picture; `*out` is freed by vb_image_clear. VB_BAD_INPUT where a side is not from 1 to
/// VB_IMAGE_MAX_SIDE.
#define VB_IMAGE_MAX_SIDE 16384
vb_status vb_image_create(int width, int height, vb_image *out, vb_error *error);
void vb_image_clear(vb_image *image);

/// Mixes an encoded color, 0xRRGGBB, into a pixel by its share, 0 to 1; nothing outside.
void vb_image_blend(vb_image *image, int x, int y, uint32_t color, double share);

/// Writes a PNG file with a text that describes it, by the rules of base/file.h (`asked`:
/// the name is the user's own). The same picture and text make the same file. VB_CANNOT_WRITE with
/// the reason.
vb_status vb_image_write_png(const vb_image *image, const char *path, bool asked,
                             const char *description, vb_error *error);

#endif
