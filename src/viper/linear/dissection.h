// SPDX-License-Identifier: GPL-3.0-or-later
/// Nested dissection, an order of elimination for parallel factorization. A few vertices in the
/// middle of a graph are put last, those in the middle of both halves before them, and so on: a
/// chain of n vertices takes some 3 log2(n) stages (schedule.h), where the order from its ends to
/// its middle takes n / 2. It has about twice the blocks.
///
/// What a device has no room for at once is cut into submatrices first: a large body is factored
/// submatrix by submatrix, each in the same room (cuda/core/direct.h).
#ifndef VIPER_LINEAR_DISSECTION_H
#define VIPER_LINEAR_DISSECTION_H

#include "viper/linear/elimination.h"

#include <stdbool.h>

/// Gives each of `n` vertices its place, from 0; `pair` [n_pairs x 2] are the neighbors. Vertices
/// that are as far from the last and do not act on each other have places side by side. Where there
/// are more than `most` (0: no matter how many) they are in several submatrices of at most so many,
/// one after the other; what was cut out between these, the top, is last. Places and `submatrices`
/// are written; what these hold is taken from `memory`. False for want of it.
bool viper_dissect(int32_t n, const int32_t *pair, size_t n_pairs, int32_t most, int32_t *place,
                   vb_arena *memory, viper_submatrices *submatrices);

/// The elimination of a model of one body in such an order; the body is not divided. Freed by
/// viper_elimination_destroy.
vb_status viper_elimination_dissect(const viper_model *model, int32_t most, viper_elimination **out,
                                    vb_error *error);

#endif
