// SPDX-License-Identifier: GPL-3.0-or-later
/// Flesh in flesh: nodes inside of tetrahedra, and the consistent penetration depths of
/// Heidelberger, Teschner, Keiser, Mueller, Gross, "Consistent penetration depth estimation for
/// deformable collision response", 2004.
///
/// Edges from a node outside to one inside cross the surface: the node inside has the mean of the
/// depths below the planes of the sides that its edges cross, weighed by one over the square of the
/// distance. From there depths go on, in rounds along edges, to the nodes further inside.
#ifndef AR_OVERLAP_H
#define AR_OVERLAP_H

#include "body.h"
#include "surface.h"

/// Elements by the cells of a grid, which are hashed. No cell is smaller than an element.
typedef struct ar_cells {
  double size;    ///< of a cell, m
  size_t n;       ///< a power of two
  int32_t *first; ///< (n + 1) places of a bucket in `element`
  int32_t *element;
} ar_cells;

typedef struct ar_overlap {
  const vb_scene *scene;
  size_t n_nodes;
  bool own; ///< parts of one body meet, too
  size_t n_sides;
  ar_side *side;
  ar_cells tetrahedra, sides;
  int32_t *first; ///< (n_nodes + 1) nodes that share an edge with node i are neighbor[first[i]] on
  int32_t *neighbor;
  int32_t *inside;        ///< (n_nodes) the tetrahedron that a node of elsewhere is in, or -1
  double (*weight)[4];    ///< (n_nodes) its barycentric coordinates there
  double *depth;          ///< (n_nodes) m; 0 or less where unknown
  double (*direction)[3]; ///< (n_nodes) out of it, of unit length
  int32_t *round;         ///< (n_nodes) in which the depth was found, from 1 on; 0 where it was not
} ar_overlap;

/// For a scene that has contact. Freed by ar_overlap_clear, on failure, too.
vb_status ar_overlap_create(const vb_scene *scene, ar_overlap *out, vb_error *error);
void ar_overlap_clear(ar_overlap *overlap);

/// Finds nodes inside, their depths and directions at positions `x` (n_nodes x 3); bitwise the same
/// for any number of threads.
void ar_overlap_find(const ar_overlap *overlap, const double *x, int threads);

/// The same without depths: finds nodes inside alone; returns how many.
int32_t ar_overlap_locate(const ar_overlap *overlap, const double *x, int threads);

/// The nearest side of the body that node `i` is inside of, at positions `x`, in front of which the
/// node is not: its nodes' weights in the nearest point, its normal, and the depth below its plane
/// [m]. With positions `before` (else null) sides through which it came since, but for `slack` [m],
/// go before others. Looks at all sides. -1 where there is none.
int32_t ar_overlap_nearest(const ar_overlap *overlap, const double *x, const double *before,
                           double slack, int32_t i, double weight[3], double normal[3],
                           double *depth);

#endif
