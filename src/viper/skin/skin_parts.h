// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to fitted skins: parts of a surface around triangles that cross, as surfaces of their
/// own.
#ifndef VIPER_SKIN_SKIN_PARTS_H
#define VIPER_SKIN_SKIN_PARTS_H

#include "viper/skin/skin_crossings.h"

/// The triangles that reach into a box. Vertices outside of it are fastened: those inside have all
/// their triangles here.
typedef struct viper_skin_part {
  viper_skin skin;     ///< vertices, triangles and mesh alone
  int32_t *vertex;     ///< [skin.n_vertices] in the whole surface
  double *x;           ///< [skin.n_vertices][3] m
  double (*beyond)[3]; ///< likewise
  vb_error error;      ///< of whoever works on it
} viper_skin_part;

typedef struct viper_skin_parts {
  viper_skin_part *part;
  size_t n;
  vb_arena memory;
} viper_skin_parts;

/// Makes parts of the surface with vertices `x` (n_vertices x 3): boxes around the triangles that
/// were marked, larger by `margin` [m] on all sides; those that overlap are one. Fails only for
/// want of memory; free by viper_skin_parts_clear in any case.
vb_status viper_skin_parts_create(const viper_skin_crossings *crossings, const double *x,
                                  double margin, viper_skin_parts *out, vb_error *error);
void viper_skin_parts_clear(viper_skin_parts *parts);

#endif
