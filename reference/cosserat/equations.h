// SPDX-License-Identifier: GPL-3.0-or-later
/// The equilibrium of a rod as a boundary-value problem of first order: rates of its state along
/// the rod, and what holds at its ends. In complex numbers, so that derivatives are found to
/// rounding by a step along the imaginary axis.
#ifndef COSSERAT_EQUATIONS_H
#define COSSERAT_EQUATIONS_H

#include "reference/cosserat/rod.h"

#include <complex.h>

/// Numbers of a state: position (3), frame (4), force (3) and moment (3) in fixed axes, that the
/// part beyond exerts; of a string position and force alone.
enum { COSSERAT_STATE = 13, COSSERAT_STRING_STATE = 6 };

int cosserat_state_size(const cosserat_rod *rod);

/// Conditions at the start: all of the state's less those at the finish.
int cosserat_start_conditions(const cosserat_rod *rod);

/// The derivative of the state along the rod.
void cosserat_rates(const cosserat_rod *rod, double factor, const double complex *state,
                    double complex *out);

/// What is zero at the start: 7 numbers, of a string 3; at the finish: 6, of a string 3.
void cosserat_at_start(const cosserat_rod *rod, const double complex *state, double complex *out);
void cosserat_at_finish(const cosserat_rod *rod, double factor, const double complex *state,
                        double complex *out);

/// The state at `s` where the search begins: a rod of the curvature `bent`, twisted evenly.
void cosserat_first_guess(const cosserat_rod *rod, double factor, double s, double *state);

#endif
