// SPDX-License-Identifier: GPL-3.0-or-later
/// The energy of a rod per length at rest, by r', Q and Q': the derivative of the center line, and
/// a quaternion of any length, with its derivative, whose direction is the frame.
#ifndef COSSERAT_DENSITY_H
#define COSSERAT_DENSITY_H

enum { COSSERAT_DENSITY_SIZE = 11 }; ///< r' (3), Q (4), Q' (4)

typedef struct cosserat_density {
  double energy[3]; ///< of stretch and shear, of bending, of twist
  double gradient[COSSERAT_DENSITY_SIZE];
  double hessian[COSSERAT_DENSITY_SIZE][COSSERAT_DENSITY_SIZE];
} cosserat_density;

/// The strains R^T r' (3) and axial(R^T R') (3).
void cosserat_density_strain(const double at[COSSERAT_DENSITY_SIZE], double out[6]);

/// The energy, half the sum of stiffness times squared strain less that at rest, and its
/// derivatives.
void cosserat_density_find(const double stiffness[6], const double rest[6],
                           const double at[COSSERAT_DENSITY_SIZE], cosserat_density *out);

#endif
