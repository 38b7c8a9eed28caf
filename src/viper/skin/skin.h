// SPDX-License-Identifier: GPL-3.0-or-later
/// Skinning: a surface whose vertices follow the segments (section 7.4; README.md).
///
/// A vertex is blended linearly from where the segments' similarity transforms relative to rest,
/// x -> c + s R (x - c_rest), would put it: c the segment's middle, s its mean scale, R its frame
/// times the inverse of its rest frame. With the option skin_frames=bundle a segment of a bundle
/// has the bundle's transform instead. Weights are made once, from the rest state.
#ifndef VIPER_SKIN_SKIN_H
#define VIPER_SKIN_SKIN_H

#include "base/arena.h"
#include "viper/bundle/bundle_fit.h"
#include "viper/model/model.h"
#include "viper/settings/settings.h"

/// Most segments that one vertex follows.
#define VIPER_SKIN_MOST 16

typedef struct viper_skin_weight {
  int32_t segment; ///< in the model's order
  int32_t reserved;
  double weight; ///< positive; those of a vertex sum to 1
} viper_skin_weight;

/// The rest state of a segment.
typedef struct viper_skin_rest {
  double middle[3]; ///< m
  double frame[4];
} viper_skin_rest;

struct viper_carrier;

/// The neighbors of each vertex in the mesh.
typedef struct viper_skin_mesh {
  size_t *first; ///< [n_vertices + 1]
  int32_t *neighbor;
  double edge; ///< mean length at rest, m
  vb_arena memory;
} viper_skin_mesh;

typedef struct viper_skin {
  const vb_surface_vertex *vertex; ///< of the scene
  const vb_triangle *triangle;
  viper_skin_rest *rest;         ///< by segment of the model
  viper_skin_weight *weight;     ///< [n_vertices][VIPER_SKIN_MOST], by segment
  int *n_weights;                ///< [n_vertices]
  viper_bundles bundles;         ///< those that carry; none unless they do
  viper_bundle_place *place;     ///< scratch of viper_skin_vertices, by member of the bundles
  struct viper_carrier *carrier; ///< likewise, by segment of the model
  viper_skin_mesh mesh;          ///< of a fitted skin; of others empty
  int32_t *own;                  ///< [n_vertices] of a fitted skin, the nearest pill at rest
  size_t n_vertices, n_triangles;
} viper_skin;

/// Makes the weights of the surface of the model's scene; an empty skin where that has none. The
/// settings tell whether bundles carry it, and whether these have a scale.
/// A component of the surface (what triangles connect) all of whose vertices are nearest to one
/// body, or fastened to it, follows that body alone, and so does one that has segments of that body
/// alone inside, whatever else is near (mesh/surface_owner.h); any other follows the segments of
/// all bodies. Bodies that bundles join count as one here. A vertex that is fastened to a segment
/// follows it alone. Others begin with the segments whose capsules'
/// surfaces are nearest, weighted by the inverse square of that distance, no less than a hundredth
/// of the capsule's mean radius. Then the weights are faired over the mesh: each is moved halfway
/// to its mean over the neighboring vertices, (l/h)^2 times but 4 to 64, l being the segments' mean
/// length and h the edges', so that steps as long as a segment are smoothed out. Of each vertex the
/// greatest VIPER_SKIN_MOST weights stay, of equals those of lower segments. Freed by
/// viper_skin_destroy.
vb_status viper_skin_create(const viper_model *model, const viper_settings *settings,
                            viper_skin *out, vb_error *error);
void viper_skin_destroy(viper_skin *skin);

/// Writes where the vertices are (n_vertices x 3, m), in the scene's order, for the state `node`
/// (n_nodes x 4: center, scale) and `frame` (n_segments x 4) in the model's order.
void viper_skin_vertices(const viper_skin *skin, const viper_model *model, const double *node,
                         const double *frame, double *out);

/// Whether the skin is fitted (option skin_shape).
static inline bool viper_skin_is_fitted(const viper_skin *skin) {
  return skin->own != NULL;
}

/// Moves the vertices of a fitted skin, which are where they are blended for the state `node`
/// (n_nodes x 4) and `frame` (n_segments x 4), to its shape; of any other skin none. README.md says
/// how. At rest they stay where they are, but for rounding. Fails only for want of memory, or where
/// places are not finite. The same for any number of threads.
vb_status viper_skin_fit(const viper_skin *skin, const viper_model *model, const double *node,
                         const double *frame, double *vertices, vb_error *error);

/// The volume that the triangles enclose [m^3], positive where they turn outward, for vertices
/// (n_vertices x 3). That of an open surface depends on where its first vertex is.
double viper_skin_volume(const viper_skin *skin, const double *vertices);

#endif
