// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to fitted skins: the volume that closed components of the surface should have, and
/// how they come to it.
#ifndef VIPER_SKIN_SKIN_INSIDE_H
#define VIPER_SKIN_SKIN_INSIDE_H

#include "viper/skin/skin_pills.h"

typedef struct viper_skin_inside {
  int32_t *component;  ///< [n_vertices] as the lowest vertex of the connected part
  double *target;      ///< [n_vertices] volume of a component at its lowest vertex, m^3; of an open
                       ///< one NAN
  double (*normal)[3]; ///< scratch, by vertex
  double *volume, *area; ///< scratch, at the lowest vertex
  vb_arena memory;
} viper_skin_inside;

/// Makes what the components should enclose in the state `node` (n_nodes x 4): as much as at rest,
/// times the mean of (s^2 l / l_rest) of the segments, each weighted by the volume that vertices
/// which follow it have below them: a third of their triangles' area times the distance to the axis
/// of their pill, at rest. Fails only for want of memory; free by clearing `memory` in any case.
vb_status viper_skin_inside_create(const viper_skin_pills *pills, const double *node,
                                   viper_skin_inside *out, vb_error *error);

/// Moves the vertices (n_vertices x 3) of each closed component along their normals, all equally
/// far, such that it encloses what it should: by two steps of Newton's method. Vertices that are
/// fastened stay.
void viper_skin_restore_volume(const viper_skin *skin, const viper_skin_inside *inside,
                               double *vertices);

#endif
