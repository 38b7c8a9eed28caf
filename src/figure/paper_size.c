// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/paper_size.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Signature of a PNG and its first chunk, IHDR with 13 bytes.
#define PNG_HEAD 33

/// The chunk pHYs with its checksum: 11811 pixels a meter, which are 300 an inch.
static const unsigned char RESOLUTION[21] = {
    0, 0, 0, 9, 'p', 'H', 'Y', 's', 0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1, 0x78, 0xa5, 0x3f, 0x76};

static bool write_png(FILE *out, const char *data, size_t size) {
  if (size < PNG_HEAD)
    return false;
  return fwrite(data, 1, PNG_HEAD, out) == PNG_HEAD &&
         fwrite(RESOLUTION, 1, sizeof RESOLUTION, out) == sizeof RESOLUTION &&
         fwrite(data + PNG_HEAD, 1, size - PNG_HEAD, out) == size - PNG_HEAD;
}

static bool write_svg(FILE *out, const char *data, size_t size, double mm) {
  double width, height;
  const char *at = strstr(data, " width=\""), *end = at ? strchr(at, '\n') : NULL;
  if (!end || sscanf(at, " width=\"%lf\" height=\"%lf\"", &width, &height) != 2 || !(width > 0))
    return false;
  size_t rest = size - (size_t)(end - data);
  return fwrite(data, 1, (size_t)(at - data), out) == (size_t)(at - data) &&
         fprintf(out, " width=\"%gmm\" height=\"%.2fmm\"", mm, mm * height / width) > 0 &&
         fwrite(end, 1, rest, out) == rest;
}

vb_status vb_paper_size(const char *path, const char *term, double mm, vb_error *error) {
  char *data = NULL;
  size_t size = 0;
  if (strcmp(term, "pdf") == 0)
    return VB_OK;
  vb_status status = vb_file_read(path, path, (size_t)1 << 28, &data, &size, error);
  if (status)
    return status;
  FILE *out = fopen(path, "we");
  bool good = out && (term[0] == 's' ? write_svg(out, data, size, mm) : write_png(out, data, size));
  if (out && fclose(out))
    good = false;
  if (!good)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot give %s its size on paper", path);
  free(data);
  return status;
}
