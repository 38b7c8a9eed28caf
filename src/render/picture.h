// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws a recorded frame as a picture.
#ifndef VB_RENDER_PICTURE_H
#define VB_RENDER_PICTURE_H

#include "render/camera.h"
#include "render/image.h"
#include "render/light.h"
#include "render/palette.h"
#include "render/recording.h"

/// What a picture is to show.
typedef struct vb_picture_plan {
  int width, height; ///< pixels
  vb_view view;
  vb_coloring coloring;
  vb_light_kind light;
  bool limited; ///< whether `limits` are those of the colors; otherwise those of what is shown
  double limits[2];
  bool plain;  ///< without legend
  int samples; ///< rays across and along a pixel where neighbors differ; 0: 3
} vb_picture_plan;

/// What all pictures of a sequence have in common.
typedef struct vb_picture_setting {
  vb_camera camera;
  vb_palette palette;
  double middle[3]; ///< of all that is shown, m
  double radius;    ///< around that, m
} vb_picture_setting;

/// What camera and colors are fitted to: frames of one recording or of several, seen from one view.
typedef struct vb_picture_fit {
  vb_camera_fit camera;
  vb_bounds all;   ///< of all that was added, m
  double range[2]; ///< least and greatest value that colors it
} vb_picture_fit;

/// Begins a fit to nothing. VB_BAD_INPUT where the picture has no room for its legend.
vb_status vb_picture_fit_begin(const vb_picture_plan *plan, vb_picture_fit *out, vb_error *error);

/// Adds frame `k` of a recording. VB_BAD_INPUT where it cannot be read.
vb_status vb_picture_fit_frame(const vb_picture_plan *plan, const vb_recording *recording, size_t k,
                               vb_picture_fit *fit, vb_error *error);

/// Ends it. VB_BAD_INPUT, with `who` as what was shown, where nothing was added or what was is not
/// finite.
vb_status vb_picture_fit_end(const vb_picture_plan *plan, const vb_picture_fit *fit,
                             const char *who, vb_picture_setting *out, vb_error *error);

/// Fits camera and colors to frames `first`, `first + step`, ... up to `last` of a recording.
/// VB_BAD_INPUT where a frame cannot be read or holds what is not finite.
vb_status vb_picture_prepare(const vb_picture_plan *plan, const vb_recording *recording,
                             size_t first, size_t last, size_t step, vb_picture_setting *out,
                             vb_error *error);

/// Draws frame `k`. The same recording, plan and setting make the same picture, for any number of
/// threads. Where the font is not installed the legend has no words; `*mute` says so. `*out` is
/// freed by vb_image_clear.
vb_status vb_picture_draw(const vb_picture_plan *plan, const vb_picture_setting *setting,
                          const vb_recording *recording, size_t k, vb_image *out, bool *mute,
                          vb_error *error);

#endif
