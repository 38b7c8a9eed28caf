// SPDX-License-Identifier: GPL-3.0-or-later
/// The local step: the rotation of each tetrahedron, its energy and its forces; sums by node in a
/// fixed order, so that they are bitwise the same for any number of threads.
#ifndef AR_LOCAL_H
#define AR_LOCAL_H

#include "lanes.h"

typedef struct ar_local {
  const ar_body *body;
  int threads;
  size_t n_blocks;
  ar_lanes_function *evaluate; ///< of a block
  ar_block *block;             ///< (n_blocks)
  ar_block_result *result;     ///< (n_blocks)
  double *rotation;            ///< (n_elements x 4) quaternions of the latest rotations
} ar_local;

/// Allocates the arrays, with rotations of no turn; freed by ar_local_clear.
vb_status ar_local_create(const ar_body *body, ar_local *out, vb_error *error);
void ar_local_clear(ar_local *local);

/// F of element `e` for positions `x` (n_nodes x 3).
void ar_local_deformation(const ar_body *body, size_t e, const double *x, double f[9]);

/// Writes the gradient of the elastic energy by nodes (n_nodes x 3) [N]; returns the energy [J]
/// and, in `norm`, the norm of all forces that the gradient sums.
double ar_local_evaluate(ar_local *local, const double *x, double *gradient, double *norm);

#endif
