// SPDX-License-Identifier: GPL-3.0-or-later
/// What is told of a state: volumes, deformations, stresses, momentum, energies.
#ifndef NH_MEASURES_H
#define NH_MEASURES_H

#include "solid.h"

/// Of each element (n_elements): current volume [m^3], and over the rest volume.
void nh_measure_volumes(const nh_solid *solid, const double *x, double *out);
void nh_measure_dilations(const nh_solid *solid, const double *x, double *out);

/// Of each element (n_elements x 9): deformation gradient, first Piola stress [Pa]; means of its
/// points.
void nh_measure_deformations(const nh_solid *solid, const double *x, double *out);
void nh_measure_stresses(const nh_solid *solid, const double *x, double *out);

/// The current volume of all elements [m^3].
double nh_measure_volume(const nh_solid *solid, const double *x);

/// The least and the greatest dilation.
void nh_measure_dilation_range(const nh_solid *solid, const double *x, double out[2]);

/// Linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s]; either may be null.
/// Fails for want of memory only.
vb_status nh_measure_momentum(const nh_solid *solid, bool consistent, const double *x,
                              const double *v, double *linear, double *angular, vb_error *error);

/// Elastic, kinetic and gravity's energy [J]. Fails for want of memory only.
vb_status nh_measure_energies(const nh_solid *solid, bool consistent, const double *x,
                              const double *v, double out[3], vb_error *error);

#endif
