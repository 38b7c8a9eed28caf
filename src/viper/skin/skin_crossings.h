// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to fitted skins: triangles that cross are moved until they do not.
#ifndef VIPER_SKIN_SKIN_CROSSINGS_H
#define VIPER_SKIN_SKIN_CROSSINGS_H

#include "mesh/surface_crossings.h"
#include "viper/skin/skin.h"

/// A skin in which crossings are searched for.
typedef struct viper_skin_crossings {
  const viper_skin *skin;
  int32_t *triangle; ///< [n_triangles][3]
  vb_surface_watch watch;
  bool *marked, *active; ///< [n_triangles]
  bool *moves;           ///< [n_vertices]
  int32_t *moving;       ///< [n_moving] those that move, in the order of their distance in edges
  size_t n_moving;
  const double (*beyond)[3]; ///< [n_vertices] where a vertex should be, from the mean of its
                             ///< neighbors, m
  double (*direction)[3], (*before)[3]; ///< [n_vertices], m
  vb_arena memory;
} viper_skin_crossings;

/// Begins with vertices near `x` (n_vertices x 3); `beyond` (n_vertices, borrowed) is how far a
/// vertex should be from the mean of its neighbors. Fails only for want of memory, or where places
/// are not finite; free by viper_skin_crossings_clear in any case.
vb_status viper_skin_crossings_create(const viper_skin *skin, const double *x,
                                      const double (*beyond)[3], viper_skin_crossings *out,
                                      vb_error *error);
void viper_skin_crossings_clear(viper_skin_crossings *crossings);

/// Moves the vertices `x` around triangles that cross such that the lines shorten along which they
/// do (vb_surface_watch_shorten): in all of the surface a few times, and then in parts around what
/// is left, which reach farther each time, by several kinds of smoothing (README.md). `*left` is
/// how many pairs cross then, or nearly do; where none cross nothing moves. Fastened vertices stay.
vb_status viper_skin_remove_crossings(viper_skin_crossings *crossings, double *x, size_t *left,
                                      vb_error *error);

/// Takes vertices `x` back to `apart`, where no triangles cross, around those that do: farther
/// around each time, until none do. Both are n_vertices x 3.
vb_status viper_skin_take_back(viper_skin_crossings *crossings, const double *apart, double *x,
                               vb_error *error);

#endif
