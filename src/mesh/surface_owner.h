// SPDX-License-Identifier: GPL-3.0-or-later
/// Which body a surface belongs to, by what is inside it.
#ifndef VB_MESH_SURFACE_OWNER_H
#define VB_MESH_SURFACE_OWNER_H

#include "mesh/surface_distance.h"

/// Points of bodies, such as the middles of their segments; borrowed.
typedef struct vb_body_points {
  const double (*point)[3]; ///< (n) m
  const int32_t *body;      ///< (n) whose, from 0 on
  size_t n;
} vb_body_points;

/// Writes for each vertex the body that its component of the surface belongs to; a component is
/// what triangles connect. It is the body that all its vertices are nearest to, by `nearest`
/// (n_vertices). Where they are nearest to several, it is the only one of which a point is inside
/// the component: a bone beside a muscle's skin is not inside. Where that holds for none or for
/// several, it is -1. A component that is not closed has nothing inside that its triangles do not
/// surround to more than a half. Fails for want of memory alone.
vb_status vb_surface_owner_find(const vb_surface *surface, const int32_t *nearest,
                                const vb_body_points *points, int32_t *owner, vb_error *error);

#endif
