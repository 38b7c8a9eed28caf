// SPDX-License-Identifier: GPL-3.0-or-later
/// The light of a picture: a sun that is a disc, and a sky that is brighter above than below. How
/// much of it reaches a point is sampled by rays in a fixed pattern.
#ifndef VB_RENDER_LIGHT_H
#define VB_RENDER_LIGHT_H

#include "render/camera.h"

typedef enum vb_light_kind {
  VB_LIGHT_SOFT, ///< shadows with penumbras, and ambient occlusion
  VB_LIGHT_HARD, ///< a sun that is a point; a sky that nothing occludes
  VB_LIGHT_FLAT, ///< the color alone, without shading
} vb_light_kind;

/// Samples: sets of rays to the sun and to the sky. The 8 sets of a group cover both evenly, as do
/// all groups together.
enum {
  VB_LIGHT_RAYS = 2,
  VB_LIGHT_GROUP = 8,
  VB_LIGHT_SETS = 4 * VB_LIGHT_GROUP,
  VB_LIGHT_SAMPLES = VB_LIGHT_SETS * VB_LIGHT_RAYS
};

typedef struct vb_light {
  vb_light_kind kind;
  double sun[3];                           ///< unit vector towards its middle
  double sun_sample[VB_LIGHT_SAMPLES][3];  ///< unit vectors towards places of its disc
  double disc_sample[VB_LIGHT_SAMPLES][2]; ///< in the unit disc; the hemisphere above it gives
                                           ///< directions with a density like their cosine
  double shift;                            ///< of a ray's origin off its surface, m
  double reach; ///< height above a ground at which half of the light from below is lost, m
} vb_light;

/// A point of a surface.
typedef struct vb_lit_point {
  double x[3];      ///< m
  double normal[3]; ///< unit vector, smoothed over triangles
  double face[3];   ///< unit vector, of the triangle itself
} vb_lit_point;

/// Shares of the light that reaches a point, from 0 to 1, of that without anything else.
typedef struct vb_visibility {
  double sun; ///< negative for a surface that faces away from the sun
  double sky;
} vb_visibility;

/// The light for a camera: the sun is above, to the left of the viewer. `radius` is that of all
/// that is shown [m].
vb_light vb_light_make(vb_light_kind kind, const vb_camera *camera, double radius);

/// Tangent of half the angle that the sun's disc subtends.
#define VB_SUN_TANGENT 0.06

/// The sky's radiance in a direction of this z component, and its irradiance of a surface whose
/// normal has it, over pi.
double vb_light_sky(double z);

/// Unit vector towards the sun's sample `i`, of which each set has VB_LIGHT_RAYS; its middle for
/// hard shadows.
const double *vb_light_sun(const vb_light *light, int i);

/// The share of the sun's light alone; negative for a surface that faces away from it.
double vb_light_sample_sun(const vb_light *light, const vb_shapes *shapes,
                           const vb_lit_point *point, int first, int n);

/// Samples what reaches a point by the sets `first` to `first + n - 1` (modulo VB_LIGHT_SETS).
/// Shapes and grounds occlude the sky; shapes cast shadows.
vb_visibility vb_light_visibility(const vb_light *light, const vb_shapes *shapes,
                                  const vb_lit_point *point, int first, int n);

#endif
