// SPDX-License-Identifier: GPL-3.0-or-later
/// The camera of a picture: its position, direction and lens.
#ifndef VB_RENDER_CAMERA_H
#define VB_RENDER_CAMERA_H

#include "render/shapes.h"

/// How to look at things; z is up.
typedef struct vb_view {
  double azimuth;   ///< degrees; 0 looks along y with x to the right, 90 looks along -x
  double elevation; ///< degrees from -90 (from below) to 90 (from above)
  double zoom;      ///< 1 shows all; 2 its middle, twice as large
  double lens;      ///< angle of view over the picture's height, degrees; 0: parallel rays
  bool aimed;       ///< whether `look_at` is the middle of the picture
  double look_at[3];
} vb_view;

/// A camera. The ray of place (u, v), each from -1 to 1 over the picture, right and up, goes from
/// the eye along forward + u width right + v height up; parallel rays start beside the eye instead.
typedef struct vb_camera {
  double eye[3], right[3], up[3], forward[3]; ///< unit vectors but for the eye, m
  double width, height; ///< half of the picture's: over its distance, or in m for parallel rays
  bool parallel;
} vb_camera;

/// A camera that moves back until it sees all balls that were added. With those of several
/// frames, it shows each of them.
typedef struct vb_camera_fit {
  vb_view view;
  vb_camera camera;
  double reach[4]; ///< how far inside the left, right, lower and upper bound of view all balls
                   ///< are, for an eye at the origin [m]; infinite before the first
  double front;    ///< least distance of any ball along forward, m
  double slope[2]; ///< tangent of half the angle of view that balls may fill, across and up
} vb_camera_fit;

/// Begins to fit the camera of a view to a picture that is `aspect` times as wide as high.
vb_camera_fit vb_camera_fit_begin(const vb_view *view, double aspect);
void vb_camera_fit_ball(vb_camera_fit *fit, const double center[3], double radius);
void vb_camera_fit_shapes(vb_camera_fit *fit, const vb_shapes *shapes);
vb_camera vb_camera_fit_end(const vb_camera_fit *fit);

/// Thickens capsules to a radius of half a pixel in a picture of `height` rows, so that thin rods
/// are lines without gaps.
void vb_camera_thicken(const vb_camera *camera, int height, vb_shapes *shapes);

/// The ray through a place of the picture: from -1 to 1 across and up.
vb_ray vb_camera_ray(const vb_camera *camera, double u, double v);

/// Grows `low` and `high` (across, up) to hold where bounds are in the picture, as of
/// vb_camera_ray; to infinity where a part of them is not before the eye.
void vb_camera_bounds(const vb_camera *camera, const vb_bounds *bounds, double low[2],
                      double high[2]);

#endif
