// SPDX-License-Identifier: GPL-3.0-or-later
/// What is told of a state.
#ifndef MB_MEASURES_H
#define MB_MEASURES_H

#include "system.h"

#include "solver/fields.h"

/// Energies, in the order of the description: a table as in solver/fields.h.
#define MB_ENERGIES(X)                                                                             \
  X(MB_KINETIC, "kinetic", "of the bones", false)                                                  \
  X(MB_GRAVITY, "gravity", "potential of gravity, 0 at the origin", true)

enum { MB_ENERGIES(VB_ENERGY_INDEX) MB_ENERGY_COUNT };

/// Positions [m] or velocities [m/s] of the nodes (n_nodes x 3).
void mb_measure_nodes(const mb_system *system, const double *state, bool velocities, double *out);

/// Momentum [kg m/s], angular momentum about the origin [kg m^2/s], kinetic and gravity's energy
/// [J].
void mb_measure(const mb_system *system, const double *state, double momentum[3], double turning[3],
                double energy[MB_ENERGY_COUNT]);

/// Of each link (n_links): the distance of the two points that it keeps together [m].
void mb_measure_gap(const mb_system *system, double time, const double *state, double *out);

#endif
