// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the skin: finds the segments near a vertex, and the body that a connected component
/// of the surface belongs to.
#ifndef VIPER_SKIN_SKIN_NEAREST_H
#define VIPER_SKIN_SKIN_NEAREST_H

#include "mesh/capsule.h"
#include "viper/skin/skin.h"

typedef struct viper_skin_capsules viper_skin_capsules;

/// The capsules of a model's segments at rest, in a tree of boxes. Freed by
/// viper_skin_capsules_destroy.
vb_status viper_skin_capsules_create(const viper_model *model, viper_skin_capsules **out,
                                     vb_error *error);
void viper_skin_capsules_destroy(viper_skin_capsules *capsules);

/// The capsule of segment `j` of a model at rest; its ends in the scene's order.
vb_capsule viper_skin_rest_capsule(const viper_model *model, int32_t j);

/// Writes the body of each segment; of bodies that bundles join, the first. Fails only for want of
/// memory.
vb_status viper_skin_joined_bodies(const viper_model *model, int32_t *body, vb_error *error);

/// Puts a weight among the greatest `most` of `list` (`*n` so far), sorted from the greatest, of
/// equals the lower segment first.
void viper_skin_insert(viper_skin_weight *list, int *n, int most, int32_t segment, double weight);

/// Fills `list` with the `most` segments that are nearest to `x`, of body `body` or, where that is
/// -1, of all: sorted as by viper_skin_insert, weighted by the inverse square of the distance to
/// the capsule's surface, no less than a hundredth of its mean radius. Returns how many there are.
int viper_skin_nearest(const viper_skin_capsules *capsules, const double x[3], int32_t body,
                       int most, viper_skin_weight *list);

/// Writes for each vertex of a skin whose rest state is filled the body that its component of the
/// surface belongs to, or -1 where it is nobody's alone, as vb_surface_owner_find does: a vertex is
/// nearest to the body it is fastened to, or to that of the nearest capsule; points are the middles
/// of the segments.
vb_status viper_skin_bodies(const viper_skin *skin, const viper_model *model,
                            const viper_skin_capsules *capsules, int32_t *body, vb_error *error);

#endif
