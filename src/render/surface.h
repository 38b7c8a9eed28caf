// SPDX-License-Identifier: GPL-3.0-or-later
/// The surface that a ray of a drawing meets, and its color.
#ifndef VB_RENDER_SURFACE_H
#define VB_RENDER_SURFACE_H

#include "render/appearance.h"
#include "render/draw.h"

typedef struct vb_surface {
  vb_lit_point point;
  double distance; ///< along the ray, m; infinite where it meets nothing
  double color[3]; ///< diffuse
  vb_appearance_kind appearance;
  bool is_ground;
  double opacity; ///< of a ground, which fades out
} vb_surface;

/// The nearest shape or ground on a ray. `spread` is the width of a pixel: over its distance, or in
/// m for parallel rays; lines of the ground are averaged over it.
vb_surface vb_surface_find(const vb_drawing *drawing, const vb_ray *ray, double spread);

/// What of the light reaches it, by `n` sets of samples from `first` on.
vb_visibility vb_surface_visibility(const vb_drawing *drawing, const vb_light *light,
                                    const vb_surface *surface, int first, int n);

/// The color seen along the ray, before a white background. Returns whether a shape is there.
bool vb_surface_shade(const vb_drawing *drawing, const vb_light *light, const vb_ray *ray,
                      const vb_surface *surface, const vb_visibility *visibility, double color[3]);

#endif
