// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/image.h"

#include "base/file.h"
#include "base/output_policy.h"
#include "base/version.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

vb_status vb_image_create(int width, int height, vb_image *out, vb_error *error) {
  if (width < 1 || height < 1 || width > VB_IMAGE_MAX_SIDE || height > VB_IMAGE_MAX_SIDE)
    return vb_bad_input(error,
                        "a picture of %d x %d pixels cannot be made; its sides must be 1 to %d",
                        width, height, VB_IMAGE_MAX_SIDE);
  size_t bytes = 3 * (size_t)width * (size_t)height;
  vb_image image = {width, height, malloc(bytes)};
  if (!image.pixel)
    return vb_error_memory(error);
  memset(image.pixel, 0xFF, bytes);
  *out = image;
  return VB_OK;
}

void vb_image_clear(vb_image *image) {
  free(image->pixel);
  *image = (vb_image){0};
}

void vb_image_blend(vb_image *image, int x, int y, uint32_t color, double share) {
  if (x < 0 || y < 0 || x >= image->width || y >= image->height)
    return;
  uint8_t *pixel = image->pixel + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
  for (int k = 0; k < 3; k++) {
    double own = (double)((color >> (16 - 8 * k)) & 0xFF);
    pixel[k] = (uint8_t)((1 - share) * pixel[k] + share * own + 0.5);
  }
}

/// Keeps libpng's message and goes back to where writing began.
static void fail(png_structp png, png_const_charp message) {
  char *reason = png_get_error_ptr(png);
  snprintf(reason, 128, "%s", message);
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void put_texts(png_structp png, png_infop info, char *description) {
  static char software[] = "Software";
  static char subject[] = "Description";
  static char program[] = VB_MARK_PNG VB_VERSION;
  png_text texts[2] = {
      {.compression = PNG_TEXT_COMPRESSION_NONE, .key = software, .text = program},
      {.compression = PNG_ITXT_COMPRESSION_NONE, .key = subject, .text = description}};
  png_set_text(png, info, texts, 2);
}

/// All of libpng's calls, which come back by a jump where one fails.
static int put(png_structp png, png_infop info, FILE *out, const vb_image *image,
               char *description) {
  if (setjmp(png_jmpbuf(png)))
    return 0;
  png_init_io(png, out);
  png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  put_texts(png, info, description);
  png_write_info(png, info);
  for (int y = 0; y < image->height; y++)
    png_write_row(png, image->pixel + 3 * (size_t)y * (size_t)image->width);
  png_write_end(png, info);
  return 1;
}

/// Whether all was written; `reason` has room for 128 bytes.
static int write_file(const vb_image *image, FILE *out, char *description, char *reason) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, reason, fail, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  errno = 0;
  int good = out && info && put(png, info, out, image, description);
  if (!good && errno) // libpng says "Write Error" of all that stdio cannot write
    snprintf(reason, 128, "%s", strerror(errno));
  png_destroy_write_struct(&png, &info);
  if (!good && !reason[0])
    snprintf(reason, 128, "out of memory");
  if (out && fclose(out) && good) {
    snprintf(reason, 128, "%s", strerror(errno));
    good = 0;
  }
  return good;
}

vb_status vb_image_write_png(const vb_image *image, const char *path, bool asked,
                             const char *description, vb_error *error) {
  char reason[128] = "", *text = strdup(description);
  vb_output output;
  vb_status status = text ? vb_output_begin(path, asked, &output, error) : vb_error_memory(error);
  if (!status) {
    if (!write_file(image, vb_output_stream(&output), text, reason))
      status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, reason);
    status = vb_output_end(&output, status, error);
  }
  free(text);
  return status;
}
