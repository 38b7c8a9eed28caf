// SPDX-License-Identifier: GPL-3.0-or-later
/// The Hessian of the augmented Lagrangian of a substep, Phi, contact rows and bundles, in double:
/// sparse, and factored exactly.
#ifndef VIPER_CPU_EVALUATE_CONTACT_MATRIX_H
#define VIPER_CPU_EVALUATE_CONTACT_MATRIX_H

#include "viper/cpu/core/cpu_real.h"
#include "viper/cpu/evaluate/bundle_rows.h"
#include "viper/cpu/evaluate/contact_rows.h"

typedef struct viper_contact_matrix viper_contact_matrix;

/// With the rows of `bundles`, which must outlive it, and their unknowns behind those of the model.
/// Freed by viper_contact_matrix_destroy; null is none.
vb_status viper_contact_matrix_create(const viper_model *model, const viper_bundle_rows *bundles,
                                      viper_contact_matrix **out, vb_error *error);
void viper_contact_matrix_destroy(viper_contact_matrix *self);

/// What is taken of the second derivatives of the energy of each element: all; what is positive of
/// its Hessian; or none, which leaves the matrix of Gauss and Newton.
typedef enum viper_curvature {
  VIPER_ALL_CURVATURE,
  VIPER_POSITIVE,
  VIPER_NO_CURVATURE
} viper_curvature;

/// Factors the Hessian at the state of `cpu`, for substep length `h` [s]. `*definite` tells whether
/// all pivots are positive: else there is no step. Fails only for want of memory.
vb_status viper_contact_matrix_factor(viper_contact_matrix *self, const viper_cpu *cpu, double h,
                                      const viper_contact_rows *rows, viper_curvature curvature,
                                      bool *definite, vb_error *error);

/// How many unknowns there are: of the model (unknowns.h) and of bundles.
size_t viper_contact_matrix_size(const viper_contact_matrix *self);

/// Solves for the right side `x`, over all unknowns, in its place; 0 where held. Fails only for
/// want of memory.
vb_status viper_contact_matrix_solve(viper_contact_matrix *self, double *x, vb_error *error);

#endif
