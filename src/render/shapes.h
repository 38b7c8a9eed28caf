// SPDX-License-Identifier: GPL-3.0-or-later
/// Shapes in a picture (capsules, triangles, a ground plane) and their intersections with rays.
#ifndef VB_RENDER_SHAPES_H
#define VB_RENDER_SHAPES_H

#include "base/arena.h"
#include "mesh/capsule.h"
#include "render/ray_tree.h"

/// A plane that is seen from the side its normal points to.
typedef struct vb_ground {
  double normal[3]; ///< unit vector
  double offset;    ///< of its points along the normal, m
} vb_ground;

/// What a surface is made of; see render/appearance.h.
typedef enum vb_appearance_kind {
  VB_APPEARANCE_SOLID, ///< of no special kind
  VB_APPEARANCE_BONE,
  VB_APPEARANCE_MUSCLE,
  VB_APPEARANCE_SKIN, ///< around bones and muscles
  VB_APPEARANCE_ROPE, ///< rods as capsules
  VB_APPEARANCE_GLASS,
} vb_appearance_kind;

/// Fibers of a muscle at a vertex.
typedef struct vb_fiber {
  double point[3];     ///< place in the muscle at rest, in sizes of fibers
  double direction[3]; ///< unit vector along them, at rest
  double tendon;       ///< 0 in a muscle, 1 in a tendon
} vb_fiber;

/// All that is shown. Items are the capsules, then the triangles.
typedef struct vb_shapes {
  vb_capsule *capsule;
  double (*capsule_value)[2]; ///< (n_capsules) what colors it, at either end
  size_t n_capsules;
  double (*vertex)[3]; ///< (n_vertices) m
  double (*normal)[3]; ///< (n_vertices) unit vectors, made by vb_shapes_prepare
  double *value;       ///< (n_vertices) what colors it
  size_t n_vertices;
  int32_t (*triangle)[3]; ///< (n_triangles) vertices
  size_t n_triangles;
  uint8_t *capsule_appearance;  ///< (n_capsules) vb_appearance_kind; null: VB_APPEARANCE_SOLID
  uint8_t *triangle_appearance; ///< (n_triangles) the same
  uint16_t *capsule_color;  ///< (n_capsules) 1 + the place in `own_color`; 0 for none; null: none
  uint16_t *triangle_color; ///< (n_triangles) the same
  const double (*own_color)[3]; ///< encoded, borrowed
  vb_fiber *fiber;              ///< (n_vertices) or null
  vb_ground *ground;
  size_t n_grounds;
  vb_ray_tree tree;       ///< of the items, made by vb_shapes_prepare
  double (*corner)[3][3]; ///< (tree.n_items) of the triangles, in the tree's order: so they are
                          ///< read together
  vb_arena memory;        ///< the arrays
} vb_shapes;

typedef struct vb_ray {
  double origin[3];    ///< m
  double direction[3]; ///< unit vector
} vb_ray;

/// The intersection of a ray with an item.
typedef struct vb_hit {
  double distance;  ///< along the ray, m
  int32_t item;     ///< the lower one if two are equally near
  double normal[3]; ///< of the surface, smoothed over triangles; towards the ray's origin
  double face[3];   ///< of the item itself, towards the ray's origin
  double share[3];  ///< of the corners of a triangle, in what is interpolated
  double value;
  vb_appearance_kind appearance;
  const double *color; ///< its own, encoded; null for that of the appearance
} vb_hit;

/// Distance [m] along the ray, at least `least`, to the capsule; infinite if they do not intersect.
double vb_capsule_intersect(const vb_capsule *capsule, const vb_ray *ray, double least);

/// Makes normals and tree. VB_BAD_INPUT where a coordinate is not finite.
vb_status vb_shapes_prepare(vb_shapes *shapes, vb_error *error);
void vb_shapes_clear(vb_shapes *shapes);

/// The first item that the ray hits; false for none.
bool vb_shapes_first(const vb_shapes *shapes, const vb_ray *ray, vb_hit *out);

/// Whether the ray hits any item.
bool vb_shapes_block(const vb_shapes *shapes, const vb_ray *ray);

#endif
