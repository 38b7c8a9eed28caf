// SPDX-License-Identifier: GPL-3.0-or-later
/// Stable Neo-Hookean elasticity at a point: B. Smith, F. de Goes, T. Kim, Stable Neo-Hookean Flesh
/// Simulation, ACM Trans. Graph. 37(2), 2018, doi 10.1145/3180491.
///
/// With I_C = F : F and J = det F, per rest volume,
///   Psi = mu/2 (I_C - 3) + la/2 (J - alpha)^2 - mu/2 log(I_C + 1), less its value at rest (eq.
///   14), P = mu (1 - 1/(I_C + 1)) F + la (J - alpha) dJ/dF (eq. 18).
/// Energy and stress are finite for any F, inverted ones included. A 3 x 3 matrix is 9 doubles, row
/// by row.
#ifndef NH_MATERIAL_H
#define NH_MATERIAL_H

#include <stdbool.h>

typedef struct nh_material {
  double mu;    ///< Pa; 4/3 of Lame's
  double la;    ///< Pa; Lame's plus 5/6 of Lame's mu, so that small strains are Hooke's
  double alpha; ///< 1 + 3 mu / (4 la): no stress at rest
} nh_material;

/// From Young's modulus [Pa] and Poisson's ratio in (-1, 0.5), where la > 0 (section 3.5).
nh_material nh_material_from(double young, double poisson);

/// Psi [Pa].
double nh_energy(const nh_material *material, const double f[9]);

/// P [Pa]; returns J.
double nh_stress(const nh_material *material, const double f[9], double p[9]);

/// The second derivative of Psi at F, in a form that is cheap to contract:
/// block(g, h)_ik = sum_jl d2Psi/(dF_ij dF_kl) g_j h_l
///   = a g.h I + b (F g)(F h)^T + la (G g)(G h)^T + c X(F (g x h)) + sum_n lift_n (D_n g)(D_n h)^T,
/// G = dJ/dF, X(z) the matrix with u . X v = (u x v) . z, and D_n the directions of negative
/// eigenvalues -lift_n, which the last sum raises to zero.
typedef struct nh_curvature {
  double f[9];
  double g[9]; ///< G
  double a;
  double b;
  double c;
  double la;
  int n_lifted;
  double lift[6];
  double direction[6][9];
} nh_curvature;

/// The second derivative at F, projected to positive semi-definite where `project`. The directions
/// are those of B. Smith, F. de Goes, T. Kim, Analytic Eigensystems for Isotropic Distortion
/// Energies, ACM Trans. Graph. 38(1), 2019: of each pair of singular values a twist and a flip, and
/// three scalings.
void nh_curvature_at(const nh_material *material, const double f[9], bool project,
                     nh_curvature *out);

/// The singular values, and rotations u and v with f = u diag(s) v^T. With a reflection in `f` the
/// least one is negative.
void nh_rotation_svd(const double f[9], double u[9], double s[3], double v[9]);

#endif
