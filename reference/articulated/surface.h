// SPDX-License-Identifier: GPL-3.0-or-later
/// The surface of a scene's tetrahedra: the sides that one of them has alone.
#ifndef AR_SURFACE_H
#define AR_SURFACE_H

#include "scene/scene.h"

#include <stddef.h>
#include <stdint.h>

/// A side of a tetrahedron: its nodes, counterclockwise seen from outside.
typedef struct ar_side {
  int32_t node[3];
  int32_t tetrahedron;
} ar_side;

/// Lists the sides (n), in an order of the nodes' numbers. The caller frees them.
vb_status ar_surface_create(const vb_scene *scene, ar_side **side, size_t *n, vb_error *error);

/// The square of the distance from the point `p` to the side, at positions `x` [m^2]; the weights
/// of its nodes in the nearest point of it, and its unit normal, outward.
double ar_side_distance(const ar_side *side, const double *x, const double p[3], double weight[3],
                        double normal[3]);

#endif
