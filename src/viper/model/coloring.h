// SPDX-License-Identifier: GPL-3.0-or-later
/// Greedy coloring of elements, body by body: elements of one color share no vertex. Elements are
/// colored in the order in which they are added, each with the lowest free color, so equal scenes
/// have equal colors.
#ifndef VIPER_MODEL_COLORING_H
#define VIPER_MODEL_COLORING_H

#include "viper/model/model.h"

typedef struct viper_coloring viper_coloring;

/// Allocates a coloring of at most `n_elements` elements over `n_vertices` vertices in `n_bodies`
/// bodies. Freed by viper_coloring_destroy, also after failure.
vb_status viper_coloring_create(size_t n_elements, size_t n_vertices, size_t n_bodies,
                                viper_coloring **out, vb_error *error);
void viper_coloring_destroy(viper_coloring *coloring);

/// Adds the next element: its body and the `n` vertices it touches.
vb_status viper_coloring_add(viper_coloring *coloring, int32_t body, const int32_t *vertex, int n,
                             vb_error *error);

/// The number of (body, color) pairs that hold an element.
size_t viper_coloring_n_phases(const viper_coloring *coloring);

/// Writes each element's place in the order of body, color and index to `at` [elements].
vb_status viper_coloring_place(viper_coloring *coloring, int32_t *at, vb_error *error);

/// After viper_coloring_place: writes the phases of a body and returns their number. `*first` and
/// `*count` become the range of places of its elements.
size_t viper_coloring_phases(const viper_coloring *coloring, size_t body, int32_t joints,
                             viper_phase *phase, int32_t *first, int32_t *count);

#endif
