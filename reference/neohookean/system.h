// SPDX-License-Identifier: GPL-3.0-or-later
/// The sparse matrix of a Newton iteration: gathered from element blocks in a fixed order, so that
/// it is bitwise the same for any number of threads, and factorized by CHOLMOD (Y. Chen, T. Davis,
/// W. Hager, S. Rajamanickam 2008, doi 10.1145/1391989.1391995).
#ifndef NH_SYSTEM_H
#define NH_SYSTEM_H

#include "solid.h"

#include <suitesparse/cholmod.h>

/// Which element block goes to which block of the matrix.
typedef struct nh_contribution {
  uint64_t block; ///< column node * n_nodes + row node, the row at least the column
  int32_t from;   ///< 2 * (element * pairs + pair), plus 1 where it is to be transposed
} nh_contribution;

typedef struct nh_system {
  const nh_solid *solid;
  int32_t *dof;  ///< (3 n_nodes) index of a free component, or -1
  size_t n_free; ///< free components
  size_t n_blocks;
  size_t *first; ///< (n_blocks + 1) contributions of block k are from[first[k]] to ..
  int32_t *from;
  int32_t *row;       ///< (n_blocks) node of the rows
  int32_t *column;    ///< (n_blocks)
  int32_t (*slot)[9]; ///< (n_blocks) where the block's numbers go in the matrix, or -1
  cholmod_common common;
  cholmod_sparse *matrix; ///< lower part, n_free x n_free
  cholmod_factor *factor;
  cholmod_dense *right;
  cholmod_dense *solution;
  cholmod_dense *workspace[2];
} nh_system;

/// The pattern of the matrix over the components whose bit in `held` (n_nodes, bits 1, 2, 4 for x,
/// y, z) is not set, ordered and analyzed. Freed by nh_system_destroy.
vb_status nh_system_create(const nh_solid *solid, const uint8_t *held, nh_system **out,
                           vb_error *error);
void nh_system_destroy(nh_system *system);

/// Gathers the matrix from the blocks of pairs (n_elements x pairs x 9; of nodes a <= b of an
/// element, a varying slowest) plus `diagonal` (n_nodes, or null) on the diagonal.
void nh_system_gather(nh_system *system, const double *pair_block, const double *diagonal,
                      int threads);

/// Factorizes the matrix. Where it is not positive definite, and `shifted`, the least of a series
/// of shifts is added to its diagonal that makes it so: in statics a body that is not held needs
/// one. Returns the shift, or -1 where none does or memory is wanting.
double nh_system_factorize(nh_system *system, bool shifted);

/// Solves for the free components of `right` (3 n_nodes); writes them to `out` (3 n_nodes), whose
/// other components are left alone. Returns whether there was memory.
bool nh_system_solve(nh_system *system, const double *right, double *out);

#endif
