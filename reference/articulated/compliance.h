// SPDX-License-Identifier: GPL-3.0-or-later
/// How nodes give way to forces in the global step: entries of B H^-1 B^T, the same for x, y and z
/// but for what pins hold. Columns are solved for when they are first asked for, and kept: H is
/// constant. Bones count as affine, which gives way no less than rigid ones do.
#ifndef AR_COMPLIANCE_H
#define AR_COMPLIANCE_H

#include "reduce.h"

typedef struct ar_compliance {
  ar_reduced *reduced;
  size_t n_rows;   ///< nodes whose moves are kept
  int32_t *row;    ///< (n_nodes) of a node, or -1
  double **column; ///< (n_nodes) for a unit force at a node (systems x n_rows) [m/N], or null
  double *right;   ///< (n_nodes x 3) scratch; the arrays below follow in one block
  double *flesh;   ///< (n_nodes x 3)
  double *bones;   ///< (n_bones x 4 x 3)
} ar_compliance;

/// For the `n` nodes `node`, with a matrix that outlives it. Freed by ar_compliance_clear.
vb_status ar_compliance_create(ar_reduced *reduced, const int32_t *node, size_t n,
                               ar_compliance *out, vb_error *error);
void ar_compliance_clear(ar_compliance *compliance);

/// Finds the columns of the `n` nodes `node`, all of which are those of the creation.
vb_status ar_compliance_find(ar_compliance *compliance, const int32_t *node, size_t n,
                             vb_error *error);

/// How far node `i` moves along component `component` for a unit force there on node `j`, whose
/// column was found [m/N].
double ar_compliance_entry(const ar_compliance *compliance, int component, int32_t i, int32_t j);

#endif
