// SPDX-License-Identifier: GPL-3.0-or-later
/// How a muscle became rods, in five stages: mesh, field, slices, points, rods (Angles et al. 2019,
/// figure 11).
#ifndef VB_CLI_VIPERIZE_PICTURE_H
#define VB_CLI_VIPERIZE_PICTURE_H

#include "muscle/viperize.h"

/// Draws the stages side by side into the PNG file `path`, the source below. Where the font is not
/// installed they have no names. VB_CANNOT_WRITE with the reason.
vb_status vb_viperize_picture(const vb_mesh *mesh, const vb_muscle_rods *rods, const char *path,
                              vb_error *error);

#endif
