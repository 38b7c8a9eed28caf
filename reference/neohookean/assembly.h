// SPDX-License-Identifier: GPL-3.0-or-later
/// What a step of length h minimizes, and its derivatives:
///   Phi(x) = (x - xhat)^T M (x - xhat) / (2 h^2) + sum of Psi - x^T load.
/// Statics leave out the first term. Sums run in a fixed order.
#ifndef NH_ASSEMBLY_H
#define NH_ASSEMBLY_H

#include "solid.h"

typedef struct nh_assembly {
  const nh_solid *solid;
  int threads;
  bool consistent;    ///< mass matrix; otherwise lumped
  double inertia;     ///< 1/h^2, or 0 in statics
  const double *hat;  ///< (n_nodes x 3) prediction
  const double *load; ///< (n_nodes x 3) N
  double *force;      ///< (n_elements x nodes x 3) of each element on its nodes, negative
  double *energy;     ///< (n_elements) J
  double *rounding;   ///< (n_elements) rounding error of an element's forces, N, about
  double *block;      ///< (n_elements x pairs x 9) second derivatives
  uint8_t *lifted;    ///< (n_elements) whether some of its curvature was lifted to zero
  double *scratch[2]; ///< (n_nodes x 3) each
} nh_assembly;

/// What there is to know of Phi at a point.
typedef struct nh_value {
  double phi;      ///< J
  double noise;    ///< rounding error of it, about
  double elastic;  ///< J
  double norm;     ///< of the gradient over free components, N
  double scale;    ///< of the forces that the gradient sums, N
  double rounding; ///< what of the norm may be rounding, N
} nh_value;

/// Allocates the arrays; freed by nh_assembly_clear.
vb_status nh_assembly_create(const nh_solid *solid, nh_assembly *out, vb_error *error);
void nh_assembly_clear(nh_assembly *assembly);

/// Phi and its gradient (n_nodes x 3, held components included) at `x`; norms are over the
/// components whose `dof` is not -1.
nh_value nh_assembly_evaluate(nh_assembly *assembly, const double *x, const int32_t *dof,
                              double *gradient);

/// Second derivatives at `x`, inertia with a consistent mass included, to `block`; each element's
/// elastic part projected to positive semi-definite where `project`. Returns the number of elements
/// where that changed anything.
size_t nh_assembly_curve(nh_assembly *assembly, const double *x, bool project);

/// Writes out = H v, with the blocks of the latest nh_assembly_curve; n_nodes x 3. Without the
/// inertia of lumped masses.
void nh_assembly_multiply(nh_assembly *assembly, const double *v, double *out);

#endif
