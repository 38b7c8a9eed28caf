// SPDX-License-Identifier: GPL-3.0-or-later
/// What is told of a state.
#ifndef AR_MEASURES_H
#define AR_MEASURES_H

#include "description.h"
#include "step.h"

/// Writes a field of tetrahedra: volumes, dilations, deformations, stresses.
void ar_measure_tetrahedra(const ar_stepper *stepper, ar_field field, double *out);

/// Writes a field of bones. Where bones are flesh, positions are those of the mean of their
/// nodes' moves, frames those of the nearest rotation of their nodes, and rates 0.
void ar_measure_bones(const ar_stepper *stepper, ar_field field, double *out);

/// Writes a field of links.
void ar_measure_links(const ar_stepper *stepper, ar_field field, double *out);

/// Momentum [kg m/s], angular momentum about the origin [kg m^2/s].
void ar_measure_momentum(const ar_stepper *stepper, double linear[3], double angular[3]);

/// Elastic, kinetic, gravity's and contact's energy [J].
void ar_measure_energies(const ar_stepper *stepper, double out[4]);

/// The greatest depth of a node in a half-plane or collider [m].
double ar_measure_penetration(const ar_stepper *stepper);

#endif
