// SPDX-License-Identifier: GPL-3.0-or-later
/// The local step of eight elements at a time: each lane has its own, and none looks at another, so
/// that what a lane gives does not depend on its neighbors. All instruction sets give the same
/// bits: none fuses a product and a sum.
#ifndef AR_LANES_H
#define AR_LANES_H

#include "body.h"

enum { AR_LANES = 8 };

typedef double ar_lanes __attribute__((vector_size(8 * sizeof(double))));

/// Eight elements. Lanes beyond the last element repeat it with no volume.
typedef struct ar_block {
  ar_lanes gradient[3][3]; ///< of the shape functions of corners 1, 2, 3, 1/m
  ar_lanes mu;             ///< 2 mu V, J
  ar_lanes la;             ///< la V, J
  int32_t node[4][AR_LANES];
} ar_block;

/// What a block gives.
typedef struct ar_block_result {
  ar_lanes force[4][3]; ///< V P G of each corner, N
  ar_lanes energy;      ///< J
  ar_lanes norm;        ///< square of the norm of the forces, N^2
} ar_block_result;

/// Evaluates a block for positions `x` (n_nodes x 3) from the rotations `q` (AR_LANES x 4, unit
/// quaternions), which become the nearest ones, as by ar_rotation.
typedef void ar_lanes_function(const ar_block *block, const double *x, double *q,
                               ar_block_result *out);

ar_lanes_function ar_lanes_base, ar_lanes_v3, ar_lanes_v4;

/// The one for the widest instructions that this processor has.
ar_lanes_function *ar_lanes_best(void);

/// Fills blocks of the elements of a body: (n_elements + 7) / 8 of them.
void ar_lanes_fill(const ar_body *body, ar_block *block);

/// Where Newton's method ended without the greatest value: the rotations of the lanes in `lost`, a
/// bit each, from nowhere.
void ar_lanes_fresh(unsigned lost, const ar_lanes f[9], ar_lanes q[4]);

#endif
