// SPDX-License-Identifier: GPL-3.0-or-later
/// Geometrically exact rods by finite elements: quadratic in position and frame, the frame of a
/// point being the normalized sum of the elements' quaternions (so that strains do not change as
/// all turns), the energy summed at two Gauss points, which keeps thin elements from locking and
/// makes nodes at the ends of elements exact to order 4. Equilibria are found by Newton's method
/// with the exact Hessian of the energy.
#ifndef COSSERAT_ELEMENTS_H
#define COSSERAT_ELEMENTS_H

#include "base/status.h"
#include "reference/cosserat/rod.h"

#include <stddef.h>

enum { COSSERAT_GAUSS = 2, COSSERAT_NODE_UNKNOWNS = 6, COSSERAT_BAND = 17 };

/// An element: nodes 2 e, 2 e + 1, 2 e + 2.
typedef struct cosserat_element {
  double length;                  ///< at rest
  double stiffness[6];            ///< shear along u and v, stretch, bending about u and v, twist
  double rest[COSSERAT_GAUSS][6]; ///< strains at rest, in the same order
} cosserat_element;

/// A chain of elements, its state, and what acts on it. Arrays have a row for each node; unknowns
/// are 6 a node: its position, and the turn of its frame in axes of the frame.
typedef struct cosserat_chain {
  size_t n_elements, n_nodes;
  cosserat_element *element;
  double (*position)[3];
  double (*frame)[4];
  unsigned *held;                      ///< bits of rod.h
  double (*force)[3], (*moment)[3];    ///< in fixed axes
  double (*gradient)[6];               ///< of the energy less the work of force and moment
  double (*matrix)[COSSERAT_BAND + 1]; ///< the lower half of its Hessian: (i, j) at [i][i - j]
  double energy[3];                    ///< of stretch and shear, of bending, of twist
  double forces;                       ///< sum of the norms of what the gradient is made of
} cosserat_chain;

/// Makes a chain of `n_elements` elements, all 0 but its frames. The caller frees with
/// cosserat_chain_free, also on failure.
vb_status cosserat_chain_create(size_t n_elements, cosserat_chain *out, vb_error *error);
void cosserat_chain_free(cosserat_chain *chain);

/// Makes the present shape of element `e`, less `curvature`, its rest strains.
void cosserat_chain_rest(cosserat_chain *chain, size_t e);

/// Finds energy, gradient and Hessian at the state.
void cosserat_chain_evaluate(cosserat_chain *chain);

/// The norm of the gradient over what is not held, as a part of `forces`.
double cosserat_chain_residual(const cosserat_chain *chain);

/// How Newton's method ended.
typedef struct cosserat_outcome {
  bool converged;
  double residual;
  int negative; ///< eigenvalues of the Hessian below 0: 0 in a stable equilibrium; not counted
                ///< with moments, which have no potential
} cosserat_outcome;

/// Newton's method for the equilibrium, from the state of the chain. It has converged where the
/// residual is at most `tolerance`, or no unknown moves but by rounding.
cosserat_outcome cosserat_chain_balance(cosserat_chain *chain, int iterations, double tolerance);

/// Makes a chain of `n_elements` elements (even) of a rod at rest, held by its ends, at the load
/// factor `factor`; what is rigid has the stiffness of a disc of that radius over the length. The
/// caller frees with cosserat_chain_free, also on failure.
vb_status cosserat_rod_chain(const cosserat_rod *rod, size_t n_elements, double radius,
                             double factor, cosserat_chain *out, vb_error *error);

/// Whether an unknown is held, of 6 a node: its displacement, and its turn.
bool cosserat_chain_holds(const cosserat_chain *chain, size_t unknown);

/// The weight of a node by Simpson's rule, over which an element's length is divided by 6: 1, 4
/// or 2.
int cosserat_chain_weight(const cosserat_chain *chain, size_t node);

/// Puts the loads of a rod and what its ends hold as they are at a load factor.
void cosserat_rod_load(const cosserat_rod *rod, double factor, cosserat_chain *chain);

/// Moves the state by `scale` times `x`, 6 numbers a node: its displacement, and its turn in axes
/// of its frame.
void cosserat_chain_move(cosserat_chain *chain, const double *x, double scale);

/// Writes the positions at the `n` places of the equilibrium of `rod` under the full load, by
/// `n_elements` elements (even), half as many, and these extrapolated. What is rigid has the
/// stiffness of a disc whose radius is 0.02, 0.01 and 0.005 of the length, extrapolated to 0. The
/// errors are what each of the last two extrapolations, of mesh and radius, changes. VB_FAILED
/// where Newton's method does not converge; VB_BAD_INPUT for strings.
vb_status cosserat_elements_solve(const cosserat_rod *rod, size_t n_elements,
                                  const cosserat_place *place, size_t n, cosserat_value *out,
                                  vb_error *error);

/// Writes the least load factor between `low` and `high` from which on the second variation of the
/// energy is negative for some motion, in the same manner.
vb_status cosserat_elements_critical(const cosserat_rod *rod, size_t n_elements, double low,
                                     double high, cosserat_value *out, vb_error *error);

#endif
