// SPDX-License-Identifier: GPL-3.0-or-later
/// What surfaces are made of: how they scatter and reflect light.
#ifndef VB_RENDER_APPEARANCE_H
#define VB_RENDER_APPEARANCE_H

#include "render/palette.h"
#include "render/shapes.h"

/// A row of the table of materials.
typedef struct vb_appearance_row {
  const char *name;
  double color[3];    ///< diffuse, encoded, for VB_NATURAL; negative: that of the palette
  double reflectance; ///< at normal incidence
  double roughness;   ///< of GGX, 0 to 1
  double scattering;  ///< below the surface: reddish light beyond the edge of shadow
} vb_appearance_row;

const vb_appearance_row *vb_appearance(vb_appearance_kind kind);

/// Fresnel's reflectance by Schlick's formula, for the cosine of the angle of incidence.
double vb_appearance_fresnel(double reflectance, double cosine);

/// The diffuse color of the place that a ray hits, `hit`, by its material, value and fibers.
void vb_appearance_color(const vb_palette *palette, const vb_shapes *shapes, const vb_hit *hit,
                         double color[3]);

#endif
