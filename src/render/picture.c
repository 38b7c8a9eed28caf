// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/picture.h"

#include "render/draw.h"
#include "render/legend.h"
#include "scene/rotation.h"

#include <stdio.h>
#include <stdlib.h>

/// Rays across and along a pixel where neighboring ones differ.
enum { SAMPLES = 3 };

static int legend_height(const vb_picture_plan *plan) {
  return plan->plain ? 0 : vb_legend_height(vb_legend_letters(plan->width, plan->height));
}

/// Least and greatest value of what is shown.
static void widen(const vb_shapes *s, double range[2]) {
  for (size_t i = 0; i < 2 * s->n_capsules; i++) {
    range[0] = fmin(range[0], s->capsule_value[i / 2][i % 2]);
    range[1] = fmax(range[1], s->capsule_value[i / 2][i % 2]);
  }
  for (size_t i = 0; i < s->n_vertices; i++) {
    range[0] = fmin(range[0], s->value[i]);
    range[1] = fmax(range[1], s->value[i]);
  }
}

/// Rounds a length down to 1, 2 or 5 times a power of ten.
static double round_length(double x) {
  double power = pow(10, floor(log10(x))), lead = x / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

static vb_palette choose_palette(const vb_picture_plan *plan, const double range[2]) {
  vb_palette p = {.kind = plan->coloring == VB_COLOR_BODY       ? VB_CATEGORICAL
                          : plan->coloring == VB_COLOR_MATERIAL ? VB_NATURAL
                          : plan->coloring == VB_COLOR_VOLUME   ? VB_DIVERGING
                                                                : VB_SEQUENTIAL};
  double most = fmax(fabs(range[0]), fabs(range[1]));
  p.low = plan->coloring == VB_COLOR_VOLUME ? -most : range[0];
  p.high = plan->coloring == VB_COLOR_VOLUME ? most : range[1];
  if (plan->limited) {
    p.low = plan->limits[0];
    p.high = plan->limits[1];
    return p;
  }
  if (!(p.high - p.low > 1e-6 * most)) { // all the same: a small range around it
    p.low -= 0.01;
    p.high += 0.01;
  }
  double unit = round_length((p.high - p.low) / 8);
  p.low = unit * floor(p.low / unit + 1e-9);
  p.high = unit * ceil(p.high / unit - 1e-9);
  return p;
}

static void bound(const vb_shapes *s, vb_bounds *all) {
  for (size_t i = 0; i < s->n_capsules; i++) {
    vb_bounds b = vb_capsule_bounds(&s->capsule[i]);
    vb_bounds_grow(all, b.low, 0);
    vb_bounds_grow(all, b.high, 0);
  }
  for (size_t i = 0; i < s->n_vertices; i++)
    vb_bounds_grow(all, s->vertex[i], 0);
}

vb_status vb_picture_fit_begin(const vb_picture_plan *plan, vb_picture_fit *out, vb_error *error) {
  int height = plan->height - legend_height(plan);
  if (height < 1)
    return vb_bad_input(error,
                        "a picture of %d x %d pixels has no room for its legend; make it higher or "
                        "--plain",
                        plan->width, plan->height);
  *out = (vb_picture_fit){.camera = vb_camera_fit_begin(&plan->view, (double)plan->width / height),
                          .all = vb_bounds_none(),
                          .range = {INFINITY, -INFINITY}};
  return VB_OK;
}

vb_status vb_picture_fit_frame(const vb_picture_plan *plan, const vb_recording *recording, size_t k,
                               vb_picture_fit *fit, vb_error *error) {
  vb_shapes shapes[2];
  vb_status status =
      vb_recording_shapes(recording, k, plan->coloring, &shapes[0], &shapes[1], error);
  for (int i = 0; i < 2 && !status; i++) {
    bound(&shapes[i], &fit->all);
    widen(&shapes[i], fit->range);
    vb_camera_fit_shapes(&fit->camera, &shapes[i]);
    vb_shapes_clear(&shapes[i]);
  }
  return status;
}

vb_status vb_picture_fit_end(const vb_picture_plan *plan, const vb_picture_fit *fit,
                             const char *who, vb_picture_setting *out, vb_error *error) {
  const vb_bounds *all = &fit->all;
  for (int k = 0; k < 3; k++)
    if (!isfinite(all->low[k]) || !isfinite(all->high[k]))
      return vb_bad_input(error, "%s: its frames contain nothing that can be drawn", who);
  out->camera = vb_camera_fit_end(&fit->camera);
  out->palette = choose_palette(plan, fit->range);
  for (int k = 0; k < 3; k++)
    out->middle[k] = 0.5 * (all->low[k] + all->high[k]);
  out->radius = 0.5 * vb_distance(all->low, all->high);
  return VB_OK;
}

vb_status vb_picture_prepare(const vb_picture_plan *plan, const vb_recording *recording,
                             size_t first, size_t last, size_t step, vb_picture_setting *out,
                             vb_error *error) {
  vb_picture_fit fit;
  vb_status status = vb_picture_fit_begin(plan, &fit, error);
  for (size_t k = first; !status && k <= last; k += step)
    status = vb_picture_fit_frame(plan, recording, k, &fit, error);
  return status ? status : vb_picture_fit_end(plan, &fit, recording->place.path, out, error);
}

/// Fills the upper rows of the image.
static vb_status draw_shapes(const vb_picture_plan *plan, const vb_picture_setting *setting,
                             const vb_shapes shapes[2], double line_spacing, vb_image *image,
                             vb_error *error) {
  vb_drawing drawing = {.shapes = &shapes[0],
                        .clear =
                            shapes[1].n_triangles + shapes[1].n_capsules > 0 ? &shapes[1] : NULL,
                        .camera = setting->camera,
                        .palette = setting->palette,
                        .light = plan->light,
                        .radius = setting->radius,
                        .line_spacing = line_spacing,
                        .width = image->width,
                        .height = image->height - legend_height(plan),
                        .samples = plan->samples > 0 ? plan->samples : SAMPLES};
  size_t n = (size_t)drawing.width * (size_t)drawing.height;
  float *pixel = reallocarray(NULL, 4 * n, sizeof *pixel);
  if (!pixel)
    return vb_error_memory(error);
  memcpy(drawing.middle, setting->middle, sizeof drawing.middle);
  vb_status status = vb_draw(&drawing, pixel, error);
  for (size_t i = 0; !status && i < n; i++)
    for (size_t k = 0; k < 3; k++)
      image->pixel[3 * i + k] = (uint8_t)(255 * vb_encode_srgb(pixel[4 * i + k]) + 0.5);
  free(pixel);
  return status;
}

/// Writes who is seen and when to `out`.
static vb_status write_title(const vb_recording *r, size_t k, double line_spacing, char *out,
                             size_t size, vb_error *error) {
  vb_texts study = {0}, run = {0};
  char path[512], prefix[300] = "", squares[64] = "";
  if (r->place.run)
    snprintf(prefix, sizeof prefix, "/runs/%s", r->place.run);
  snprintf(path, sizeof path, "%s/scenario/study", prefix);
  vb_status status = vb_results_texts(r->place.path, path, &study, error);
  snprintf(path, sizeof path, "%s/scenario/run", prefix);
  if (!status)
    status = vb_results_texts(r->place.path, path, &run, error);
  if (line_spacing > 0)
    snprintf(squares, sizeof squares, ", squares of %g m", line_spacing);
  if (!status) {
    const char *a = study.n ? study.texts[0] : "", *b = run.n ? run.texts[0] : "";
    snprintf(out, size, "%s%s%s, frame %zu at %.4g s%s", a, strcmp(a, b) ? " " : "",
             strcmp(a, b) ? b : "", k, r->time.values[k], squares);
  }
  vb_texts_free(&study);
  vb_texts_free(&run);
  return status;
}

static vb_status draw_legend(const vb_picture_plan *plan, const vb_picture_setting *setting,
                             const char *title, vb_image *image, bool *mute, vb_error *error) {
  static const char *const labels[] = {[VB_COLOR_SCALE] = "scale",
                                       [VB_COLOR_VOLUME] = "volume error [%]",
                                       [VB_COLOR_BODY] = NULL,
                                       [VB_COLOR_MATERIAL] = NULL};
  int letters = vb_legend_letters(plan->width, plan->height);
  vb_font *font = NULL;
  vb_legend legend = {title, labels[plan->coloring], setting->palette,
                      plan->coloring == VB_COLOR_VOLUME ? 100 : 1};
  vb_error missing = {0};
  vb_status status = vb_font_open(letters, &font, &missing);
  *mute = status == VB_UNAVAILABLE;
  if (status && !*mute)
    return vb_error_set(error, status, "%s", missing.message);
  vb_legend_draw(&legend, font, letters, image);
  vb_font_close(font);
  return VB_OK;
}

vb_status vb_picture_draw(const vb_picture_plan *plan, const vb_picture_setting *setting,
                          const vb_recording *recording, size_t k, vb_image *out, bool *mute,
                          vb_error *error) {
  vb_shapes shapes[2] = {{0}};
  vb_image image = {0};
  char title[512];
  bool silent = false;
  double line_spacing = round_length(setting->radius / 3);
  vb_status status =
      vb_recording_shapes(recording, k, plan->coloring, &shapes[0], &shapes[1], error);
  if (!status)
    for (int i = 0; i < 2; i++)
      vb_camera_thicken(&setting->camera, plan->height - legend_height(plan), &shapes[i]);
  for (int i = 0; i < 2 && !status; i++)
    status = vb_shapes_prepare(&shapes[i], error);
  if (!status)
    status = vb_image_create(plan->width, plan->height, &image, error);
  if (!status)
    status = draw_shapes(plan, setting, shapes, line_spacing, &image, error);
  if (!status && !plan->plain)
    status = write_title(recording, k, shapes[0].n_grounds ? line_spacing : 0, title, sizeof title,
                         error);
  if (!status && !plan->plain)
    status = draw_legend(plan, setting, title, &image, &silent, error);
  vb_shapes_clear(&shapes[0]);
  vb_shapes_clear(&shapes[1]);
  if (status) {
    vb_image_clear(&image);
    return status;
  }
  *out = image;
  *mute = silent;
  return VB_OK;
}
