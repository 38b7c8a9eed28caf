// SPDX-License-Identifier: GPL-3.0-or-later
/// A surface as a few capsules, such as a bone's.
#ifndef VB_MESH_CAPSULE_FIT_H
#define VB_MESH_CAPSULE_FIT_H

#include "mesh/mesh.h"

/// Capsules that two balls each span.
typedef struct vb_capsule_fit {
  double (*ball)[4]; ///< (n_balls) x, y, z and radius, m
  size_t n_balls;
  int32_t (*capsule)[2]; ///< (n_capsules) its balls, the lower first
  size_t n_capsules;
  double hausdorff; ///< greatest distance between the surface and that of all capsules, m
  double rms;       ///< root of the mean square, m
  size_t most; ///< capsules of the fit with most of them that was tried, up to what was asked for
  double most_hausdorff; ///< distance of that one, m; no less than `hausdorff`
} vb_capsule_fit;

/// Collapses the edges of a surface (vertices and triangles), the cheapest first, by the quadric of
/// Thiery et al. 2013 (Sphere-Meshes), until few are left: each is a capsule. Simpler than there:
/// triangles that are left count as their edges, so that a flat part is a frame of capsules. Balls
/// then move to the least squares of distances, and capsules are dropped that do not matter. Of the
/// collapses to a half to twice of `count` edges, with and without these moves, the one of at most
/// `count` capsules is kept that is nearest to the surface. Each part of the surface keeps one
/// capsule or more. Distances are of the capsules' tessellated union. VB_BAD_INPUT where the
/// surface is empty or open, with the place, or has more parts than `count`; VB_FAILED where the
/// time is over (base/time_limit.h). Freed by vb_capsule_fit_clear.
vb_status vb_capsule_fit_make(const vb_mesh *surface, size_t count, vb_capsule_fit *out,
                              vb_error *error);
void vb_capsule_fit_clear(vb_capsule_fit *fit);

/// Internal: drops capsules that do not matter, and moves the balls, of radius `thinnest` or more
/// [m], to the least squares of distances of the surface's triangles to the nearest capsule
/// (capsule_refine.c).
vb_status vb_capsule_fit_refine(const vb_mesh *surface, double thinnest, vb_capsule_fit *fit,
                                vb_error *error);

/// Internal: fills in the distances (capsule_gap.c).
vb_status vb_capsule_fit_measure(const vb_mesh *surface, vb_capsule_fit *fit, vb_error *error);

#endif
