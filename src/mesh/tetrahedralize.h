// SPDX-License-Identifier: GPL-3.0-or-later
/// Closed surfaces to tetrahedra, by the program TetGen.
///
/// TetGen (H. Si, doi 10.1145/2629697) is under the AGPL, version 3. It is a program of its own,
/// which is started on files and is no part of this one; nothing of it is linked.
#ifndef VB_MESH_TETRAHEDRALIZE_H
#define VB_MESH_TETRAHEDRALIZE_H

#include "mesh/mesh.h"

#include <stdbool.h>

/// A surface by its name in messages.
typedef struct vb_named_surface {
  const char *name;
  const vb_mesh *mesh; ///< vertices and triangles; borrowed
} vb_named_surface;

/// What is asked.
typedef struct vb_tetrahedralize {
  vb_named_surface outside;
  const vb_named_surface *inside; ///< surfaces in it, which stay surfaces between tetrahedra
  size_t n_inside;
  double
      size; ///< m: no tetrahedron is larger than the regular one of this edge, unless the surface
  ///< is kept; 0: no limit
  double quality;    ///< greatest ratio of circumscribed radius to shortest edge, more than 1
  bool keep_surface; ///< no vertices are added to the surfaces, at the cost of quality near them
} vb_tetrahedralize;

/// Checks the surfaces: each closed, none doubled, none crossing itself or another. VB_BAD_INPUT,
/// with the surface and the place.
vb_status vb_tetrahedralize_check(const vb_tetrahedralize *asked, vb_error *error);

/// Fills the outside with tetrahedra that fit together and of which no surface cuts one. Cavities
/// of the outside stay empty. `out->region` is 0 outside of the inner surfaces, and inside one the
/// number, from 1 on, of its component: in the order of the surfaces, and in one in that of its
/// vertices; the innermost where one lies in another. Every region from 1 to `*n_regions` has
/// tetrahedra. The same input gives the same mesh. VB_BAD_INPUT as above, and where an inner
/// component is not inside or triangles touch; VB_UNAVAILABLE where TetGen is not installed;
/// VB_FAILED where it takes too long.
/// `*out` is freed by vb_mesh_clear.
vb_status vb_tetrahedralize_run(const vb_tetrahedralize *asked, vb_mesh *out, int32_t *n_regions,
                                vb_error *error);

#endif
