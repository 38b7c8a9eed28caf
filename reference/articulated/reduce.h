// SPDX-License-Identifier: GPL-3.0-or-later
/// The global step, prefactored: with f the free nodes of the flesh and b the bones,
///   H = M/h^2 + B^T L B = [Hff Hfb; Hbf Hbb],   Z = Hff^-1 Hfb,   S = Hbb - Hbf Z.
/// Z and S are kept for each set of bones that flesh couples: between sets they are 0.
/// It is the same for x, y and z but for what pins hold: one system for each set of free nodes.
#ifndef AR_REDUCE_H
#define AR_REDUCE_H

#include "couple.h"

#include <suitesparse/cholmod.h>

/// A set of bones that flesh couples, and the free nodes of that flesh.
typedef struct ar_part {
  size_t n_bones;
  const int32_t *bone; ///< (n_bones)
  size_t n_rows;
  int32_t *row;   ///< (n_rows) of the system
  double *spread; ///< (4 n_bones columns of n_rows) Z
  double *weight; ///< (4 n_bones x 4 n_bones) S
  double *factor; ///< (the same) its Cholesky factor
} ar_part;

/// What holds for some of the components x, y, z.
typedef struct ar_system {
  int n_components; ///< of x, y, z that it is for
  int component[3]; ///< which
  size_t n_free;
  int32_t *row;           ///< (n_nodes) of free nodes, or -1
  int32_t *node;          ///< (n_free) of each row
  ar_part *part;          ///< (the number of sets)
  int32_t *place;         ///< (n_free) of a row in its part
  double *numbers;        ///< of all parts, then scratch
  double *scratch;        ///< (3 x (4 n_bones + n_free))
  cholmod_factor *sparse; ///< of Hff; null without free nodes
  cholmod_dense *right, *solution, *work[2];
} ar_system;

typedef struct ar_reduced {
  const ar_body *body;
  cholmod_common common;
  ar_sets sets; ///< that flesh couples
  int n_systems;
  ar_system system[3];
  int of[3];         ///< the system of x, y, z
  double *bone_mass; ///< (n_bones x 4 x 4) M of bones
} ar_reduced;

/// Factorizes for steps of length h, with what `held` (n_nodes; bits 1, 2, 4 for x, y, z) holds and
/// springs of `stiffness` (n_nodes) [N/m] on single nodes. VB_UNAVAILABLE for want of memory or
/// where a matrix is not positive definite. `reduced` keeps its address; freed by ar_reduced_clear.
vb_status ar_reduced_create(const ar_body *body, const uint8_t *held, const double *stiffness,
                            double h, ar_reduced *reduced, vb_error *error);
void ar_reduced_clear(ar_reduced *reduced);

/// Solves for the change of flesh, as if bones stayed, df = Hff^-1 r_f, and of bones, dT = S^-1
/// (r_b - Z^T r_f), for `right` (n_nodes x 3, held components ignored) and `bones` (n_bones x 4 x
/// 3, overwritten by dT). Writes df to `flesh` (n_nodes x 3, 0 where nothing is free).
bool ar_reduced_solve(ar_reduced *reduced, const double *right, double *bones, double *flesh);

/// Subtracts Z c from `flesh` (n_nodes x 3), c (n_bones x 4 x 3) being a change of bones.
void ar_reduced_follow(ar_reduced *reduced, const double *bones, double *flesh);

#endif
