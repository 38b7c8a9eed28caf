// SPDX-License-Identifier: GPL-3.0-or-later
/// Corotated linear elasticity at a point, and its exact projective form.
///
/// With F = R S, R the rotation nearest to F, and d = R : F - 3, per rest volume
///   Psi = mu |F - R|^2 + la/2 d^2,   P = 2 mu (F - R) + la d R.
/// As a projective energy it is Psi = 1/2 (2 mu) |F - R|^2 + 1/2 (3 la) |F - D|^2, D = F - d/3 R
/// being the nearest matrix whose stretch has the trace 3; so its constant weight is 2 mu + 3 la. A
/// 3 x 3 matrix is 9 doubles, row by row.
#ifndef AR_MATERIAL_H
#define AR_MATERIAL_H

/// Lame's constants, Pa.
typedef struct ar_material {
  double mu;
  double la;
} ar_material;

/// From Young's modulus [Pa] and Poisson's ratio in [0, 0.5).
ar_material ar_material_from(double young, double poisson);

/// The rotation R nearest to F, the one that maximizes R : F, as a unit quaternion `q` (w, x, y,
/// z), from the one that `q` holds: Newton's method on rotations, or where it fails the greatest
/// eigenvector of Davenport's 4 x 4 matrix. Where det F < 0, R is a rotation, too, and the least
/// stretch negative. Writes R.
void ar_rotation(const double f[9], double q[4], double r[9]);

/// The same from nowhere.
void ar_rotation_fresh(const double f[9], double q[4], double r[9]);

/// Writes the matrix of a unit quaternion.
void ar_matrix(const double q[4], double r[9]);

/// P [Pa] for F and its rotation; returns Psi [Pa].
double ar_stress(const ar_material *material, const double f[9], const double r[9], double p[9]);

#endif
