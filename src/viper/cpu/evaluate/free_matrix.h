// SPDX-License-Identifier: GPL-3.0-or-later
/// A symmetric matrix over the free unknowns of a model (unknowns.h), and of some more that follow
/// them, in double: sparse, assembled element by element, factored to L D L^T by CHOLMOD.
#ifndef VIPER_CPU_EVALUATE_FREE_MATRIX_H
#define VIPER_CPU_EVALUATE_FREE_MATRIX_H

#include "viper/cpu/evaluate/unknowns.h"

#include <suitesparse/cholmod.h>

typedef struct viper_free_matrix {
  const viper_model *model;
  size_t n_more; ///< unknowns behind those of the model, all free
  int32_t n_free;
  int32_t *place;   ///< of each unknown among the free ones, or -1
  bool frames_held; ///< turns of frames are left out of what is added
  cholmod_common common;
  cholmod_sparse *matrix; ///< lower part, columns sorted; null before viper_free_matrix_order
  cholmod_factor *factor;
  cholmod_dense *right; ///< [n_free] room for a right side
  // Where entries were found since all were made 0, in that order: mostly they are asked for in the
  // same order again.
  int32_t *found;
  size_t n_found, found_at, found_capacity;
} viper_free_matrix;

/// Numbers the free unknowns, with `n_more` behind those of the model. To be cleared by
/// viper_free_matrix_clear, after a failure, too.
vb_status viper_free_matrix_create(viper_free_matrix *self, const viper_model *model, size_t n_more,
                                   vb_error *error);
void viper_free_matrix_clear(viper_free_matrix *self);

/// Makes the pattern of all elements, and between the unknowns of each list in `more` (a count,
/// then so many places among the free unknowns, one list after the other; `n_more` numbers in all),
/// and the order of its elimination. There must be free unknowns. False without memory.
bool viper_free_matrix_order(viper_free_matrix *self, const int32_t *more, size_t n_more);

/// Makes all entries 0.
void viper_free_matrix_zero(viper_free_matrix *self);

/// The entry in a row and a column, both places among the free unknowns, `row` no less than
/// `column`; it must be in the pattern.
double *viper_free_matrix_entry(viper_free_matrix *self, int32_t row, int32_t column);

/// Adds the block `h` [n x n] of an element; or of `n` unknowns `at` of any.
void viper_free_matrix_add(viper_free_matrix *self, const viper_unknowns *s, const double *h);
void viper_free_matrix_add_at(viper_free_matrix *self, int n, const int32_t *at, const double *h);

/// Adds the inertia of node `i` and of frame `j`, times `inv_h2`; of the frame with what its
/// inertial term has of second order, or without it.
void viper_free_matrix_add_node(viper_free_matrix *self, int32_t i, double inv_h2);
void viper_free_matrix_add_frame(viper_free_matrix *self, const viper_cpu *cpu, int32_t j,
                                 double inv_h2, bool second);

/// Factors what was assembled. False without memory; whether there are pivots of 0 is in
/// `common.status`.
bool viper_free_matrix_factor(viper_free_matrix *self);

/// Solves for the right side `x`, over all unknowns, in its place; 0 where held. Fails only for
/// want of memory.
vb_status viper_free_matrix_solve(viper_free_matrix *self, double *x, vb_error *error);

#endif
