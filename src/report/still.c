// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/still.h"

#include "base/file.h"
#include "render/picture.h"
#include "report/html.h"

#include <stdlib.h>

/// Bytes of a PNG file of this size at most.
#define MOST_STILL ((size_t)8 * VB_STILL_WIDTH * VB_STILL_HEIGHT)

vb_status vb_still_render(vb_run_location place, const char *path, vb_error *error) {
  const vb_picture_plan plan = {.width = VB_STILL_WIDTH,
                                .height = VB_STILL_HEIGHT,
                                .view = {30, 20, 1, 30, false, {0}},
                                .coloring = VB_COLOR_MATERIAL,
                                .plain = true};
  vb_recording r = {.n_grounds = 0};
  vb_picture_setting setting;
  vb_image image;
  bool mute;
  vb_status status = vb_recording_open(place, false, &r, error);
  if (status)
    return status;
  size_t last = r.time.n - 1;
  status = vb_picture_prepare(&plan, &r, last, last, 1, &setting, error);
  if (!status)
    status = vb_picture_draw(&plan, &setting, &r, last, &image, &mute, error);
  vb_recording_close(&r);
  if (status)
    return status;
  status = vb_image_write_png(&image, path, false, "last frame", error);
  vb_image_clear(&image);
  return status;
}

vb_status vb_still_write(FILE *out, const vb_report_study *study, const vb_report_run *run,
                         const char *folder, vb_error *error) {
  char path[4096];
  char *bytes;
  size_t size;
  snprintf(path, sizeof path, "%s/still.png", folder);
  vb_error why = {0};
  vb_status status = vb_still_render(run->place, path, &why);
  if (status == VB_BAD_INPUT) // it has no frames
    return VB_OK;
  if (status)
    return vb_error_set(error, status, "%s", why.message);
  status = vb_file_read(path, path, MOST_STILL, &bytes, &size, error);
  if (status)
    return status;
  fputs("<figure><img alt=\"Last frame\" src=\"data:image/png;base64,", out);
  vb_html_base64(out, (const uint8_t *)bytes, size);
  vb_html_print(out, "\"><figcaption class=\"aside\">%s, %s</figcaption></figure>\n", study->name,
                run->name);
  free(bytes);
  return VB_OK;
}
