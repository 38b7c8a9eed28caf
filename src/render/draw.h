// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws shapes by ray casting: one ray through each pixel, and many where neighboring pixels
/// differ.
#ifndef VB_RENDER_DRAW_H
#define VB_RENDER_DRAW_H

#include "render/camera.h"
#include "render/light.h"
#include "render/palette.h"

/// What is drawn, how, and how large.
typedef struct vb_drawing {
  const vb_shapes *shapes; ///< prepared
  const vb_shapes *clear;  ///< seen through: prepared, or null for none
  vb_camera camera;
  vb_palette palette;
  vb_light_kind light;
  double middle[3];    ///< around which the ground is shown, m
  double radius;       ///< within which it is shown in full; it fades out up to three times that, m
  double line_spacing; ///< distance of the ground's lines, m
  int width, height;
  int samples; ///< rays across and along a pixel where neighbors differ
} vb_drawing;

/// Draws into `pixel` (height x width x 4): linear red, green and blue before a white background,
/// and the share of the pixel that shapes cover, without the ground. The upper row comes first.
/// Each pixel has one color, whatever the number of threads. Fails for want of memory alone.
vb_status vb_draw(const vb_drawing *drawing, float *pixel, vb_error *error);

#endif
