// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "render/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Multiples of what pictures in figures have: 255 is one, no eye sees the difference of one, and
/// PNG makes a third less of them.
enum { LEVEL = 3 };

/// Rays across and along a pixel where neighbors differ: figures have small pixels.
enum { SAMPLES = 2 };

/// In a draft one ray, without shadows, is for so many pixels across and along.
enum { DRAFT = 2 };

/// Pictures of one line of a list: seen from one view, with one meaning of colors.
struct vb_plot_render {
  vb_picture_plan plan;
  int coarse; ///< pixels across and along that have one ray's color, where not 1
  vb_picture_setting setting;
  vb_recording *recordings; ///< (n) of the runs, opened
  size_t n;
};

/// Reads up to 4 numbers between commas; how many there are, or 0.
static int read_numbers(const char *text, double out[4]) {
  for (int n = 0; n < 4; n++) {
    char *end;
    out[n] = strtod(text, &end);
    if (end == text)
      return 0;
    if (!*end)
      return n + 1;
    if (*end != ',')
      return 0;
    text = end + 1;
  }
  return 0;
}

/// Reads one of the words behind size and view.
static bool read_word(const char *word, vb_picture_plan *plan, bool *capsules) {
  double v[4];
  if (strcmp(word, "pills") == 0)
    return *capsules = true;
  if (strcmp(word, "scale") == 0 || strcmp(word, "volume_error") == 0) {
    plan->coloring = word[0] == 's' ? VB_COLOR_SCALE : VB_COLOR_VOLUME;
    return true;
  }
  if (strcmp(word, "body") == 0) {
    plan->coloring = VB_COLOR_BODY;
    return true;
  }
  if (strncmp(word, "limits=", 7) == 0 && read_numbers(word + 7, v) == 2 && v[0] < v[1]) {
    plan->limited = true;
    memcpy(plan->limits, v, sizeof plan->limits);
    return true;
  }
  if (strncmp(word, "at=", 3) == 0 && read_numbers(word + 3, v) == 3) {
    plan->view.aimed = true;
    memcpy(plan->view.look_at, v, sizeof plan->view.look_at);
    return true;
  }
  return false;
}

/// Reads what a line says of its pictures.
static vb_status read_plan(const vb_plot_item *item, vb_picture_plan *plan, bool *capsules,
                           vb_error *error) {
  int end = 0;
  double v[4] = {0, 0, 1, 30};
  const char *size = item->arguments[0], *view = item->arguments[1];
  *plan = (vb_picture_plan){.coloring = VB_COLOR_MATERIAL, .plain = true, .samples = SAMPLES};
  *capsules = false;
  if (sscanf(size, "%9dx%9d%n", &plan->width, &plan->height, &end) != 2 || size[end] ||
      plan->width < 1 || plan->height < 1 || plan->width > VB_PLOT_SIDE ||
      plan->height > VB_PLOT_SIDE)
    return vb_bad_input(error, "\"%.60s\" is not a size; write WIDTHxHEIGHT, each 1 to %d pixels",
                        size, VB_PLOT_SIDE);
  if (read_numbers(view, v) < 2 || !(v[1] >= -90 && v[1] <= 90) || !(v[2] > 0) ||
      !(v[3] >= 0 && v[3] <= 150))
    return vb_bad_input(error, "\"%.60s\" is not a view; write AZIMUTH,ELEVATION[,ZOOM[,LENS]]",
                        view);
  plan->view = (vb_view){v[0], v[1], v[2], v[3], false, {0}};
  for (size_t i = 2; i < item->n_arguments; i++)
    if (!read_word(item->arguments[i], plan, capsules))
      return vb_bad_input(
          error,
          "\"%.60s\" is none of pills, body, scale, volume_error, limits=LOW,HIGH and "
          "at=X,Y,Z",
          item->arguments[i]);
  return VB_OK;
}

/// Whether figures are drawn to see whether they can be, rather than to be looked at.
static bool wants_draft(void) {
  const char *text = getenv("VIPERBENCH_DRAFT");
  return text && *text;
}

/// Fits the view to the frames that the line chooses of one run.
static vb_status fit_run(const char *index, const vb_plot_item *item, const vb_recording *r,
                         vb_picture_plan *plan, vb_picture_fit *fit, vb_error *error) {
  vb_plot_frames frames;
  vb_status status = vb_plot_frames_choose(index, r->place.run, item->frames, &frames, error);
  if (status)
    return status;
  for (size_t i = 0; !status && i < frames.n; i++)
    status = vb_picture_fit_frame(plan, r, frames.chosen[i], fit, error);
  free(frames.chosen);
  return status;
}

vb_status vb_plot_render_begin(const char *index, const vb_plot_item *item,
                               const vb_plot_groups *of, vb_plot_render **out, vb_error *error) {
  bool capsules;
  vb_picture_fit fit;
  vb_plot_render *p = calloc(1, sizeof *p);
  if (!p)
    return vb_error_memory(error);
  p->recordings = calloc(of->n + 1, sizeof *p->recordings);
  vb_status status = p->recordings ? VB_OK : vb_error_memory(error);
  if (!status)
    status = read_plan(item, &p->plan, &capsules, error);
  p->coarse = wants_draft() ? DRAFT : 1;
  if (p->coarse > 1) {
    p->plan.light = VB_LIGHT_FLAT;
    p->plan.samples = 1;
  }
  if (!status)
    status = vb_picture_fit_begin(&p->plan, &fit, error);
  for (size_t i = 0; !status && i < of->n; i++) {
    vb_recording *r = &p->recordings[i];
    status = vb_recording_open((vb_run_location){index, of->names[i]}, capsules, r, error);
    p->n += !status;
    if (!status)
      status = fit_run(index, item, r, &p->plan, &fit, error);
  }
  if (!status && of->n > 0)
    status = vb_picture_fit_end(&p->plan, &fit, index, &p->setting, error);
  if (status)
    vb_plot_render_end(p);
  else
    *out = p;
  return status;
}

/// Writes the pixels of a picture, each `coarse` times across and along, as far as the plan goes.
static bool write_pixels(const vb_plot_render *p, const vb_image *image, FILE *out) {
  for (int y = 0; y < p->plan.height; y++)
    for (int x = 0; x < p->plan.width; x++) {
      size_t at = (size_t)(y / p->coarse) * (size_t)image->width + (size_t)(x / p->coarse);
      for (size_t i = 3 * at; i < 3 * at + 3; i++)
        putc_unlocked((image->pixel[i] + LEVEL / 2) / LEVEL * LEVEL, out);
    }
  return !ferror(out);
}

vb_status vb_plot_render_write(const vb_plot_render *p, const char *run, size_t k, FILE *out,
                               vb_error *error) {
  vb_image image;
  vb_picture_plan plan = p->plan;
  bool mute;
  size_t i = 0;
  while (i < p->n && strcmp(p->recordings[i].place.run, run) != 0)
    i++;
  if (i == p->n)
    return vb_bad_input(error, "there is no run \"%.100s\" to be rendered", run);
  plan.width = (plan.width + p->coarse - 1) / p->coarse;
  plan.height = (plan.height + p->coarse - 1) / p->coarse;
  vb_status status =
      vb_picture_draw(&plan, &p->setting, &p->recordings[i], k, &image, &mute, error);
  if (status)
    return status;
  if (!write_pixels(p, &image, out))
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write a picture: %s", strerror(errno));
  vb_image_clear(&image);
  return status;
}

void vb_plot_render_end(vb_plot_render *p) {
  for (size_t i = 0; p && i < p->n; i++)
    vb_recording_close(&p->recordings[i]);
  if (p)
    free(p->recordings);
  free(p);
}
