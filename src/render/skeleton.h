// SPDX-License-Identifier: GPL-3.0-or-later
/// How bones of a recorded run are shown: as the surface of the tetrahedra inside of them, or as
/// the box of their mass and inertia.
#ifndef VB_RENDER_SKELETON_H
#define VB_RENDER_SKELETON_H

#include "render/shapes.h"
#include "results/results_array.h"

/// What does not change from frame to frame. Nodes that a driver pins are a bone, too.
typedef struct vb_skeleton {
  vb_run_location place;
  int32_t (*side)[3]; ///< (n_sides) nodes of the triangles that bound the tetrahedra in bones
  size_t n_sides;
  double (*corner)[8][3]; ///< (n_bones) of the box about its center at rest, m
  bool *box;              ///< (n_bones) whether no tetrahedron is inside, and the box is shown
  size_t n_bones, n_box;
  size_t n_nodes;
  bool *held; ///< (n_nodes) whether a bone carries the node or a driver pins all of its position
  vb_arena memory;
} vb_skeleton;

/// Reads what `tetrahedron` (nodes) belongs to among `n_nodes` nodes with rest positions `rest`.
/// VB_BAD_INPUT where bones, ties or pins are invalid. Freed by vb_skeleton_close.
vb_status vb_skeleton_open(vb_run_location place, const vb_array *tetrahedron, const vb_array *rest,
                           vb_skeleton *out, vb_error *error);
void vb_skeleton_close(vb_skeleton *skeleton);

/// Adds room for it to `n_vertices` and `n_triangles`.
void vb_skeleton_count(const vb_skeleton *skeleton, size_t *n_vertices, size_t *n_triangles);

/// Adds frame `k` to shapes that have room for it. `position` are the nodes of the frame, or null.
/// Boxes are left out where the run does not record how bones move.
vb_status vb_skeleton_add(const vb_skeleton *skeleton, size_t k, const double *position,
                          vb_shapes *shapes, vb_error *error);

#endif
