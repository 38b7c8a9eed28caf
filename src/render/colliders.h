// SPDX-License-Identifier: GPL-3.0-or-later
/// Colliders of a recorded run as triangles.
#ifndef VB_RENDER_COLLIDERS_H
#define VB_RENDER_COLLIDERS_H

#include "render/driven.h"

/// Adds room for the colliders to `n_vertices` and `n_triangles`.
void vb_colliders_count(const vb_driven *driven, size_t *n_vertices, size_t *n_triangles);

/// Whether one of them is a cylinder, which has no ends.
bool vb_colliders_has_cylinder(const vb_driven *driven);

/// Adds collider `i` at `time` [s] to `shapes[i]`, which has room for it. A cylinder is shown as
/// long as the box `reach` is along it, and where that is empty between its points.
vb_status vb_colliders_add(const vb_driven *driven, double time, const vb_bounds *reach,
                           vb_shapes *const *shapes, vb_error *error);

#endif
