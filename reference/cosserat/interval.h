// SPDX-License-Identifier: GPL-3.0-or-later
/// One interval of collocation at 3 Gauss points: its equations linearized, and solved for what the
/// state at its end changes with the state at its beginning.
#ifndef COSSERAT_INTERVAL_H
#define COSSERAT_INTERVAL_H

#include "reference/cosserat/equations.h"

#include <stdbool.h>

/// The step along the imaginary axis by which derivatives are found: its square is nothing beside
/// any number.
#define COSSERAT_TINY 1e-60

/// The Gauss points of [0, 1].
extern const double cosserat_gauss_point[3];

typedef struct cosserat_interval {
  double slope[3 * COSSERAT_STATE][COSSERAT_STATE + 1]; ///< change of the slopes by each number of
                                                        ///< the state, and (last) by itself
  double transfer[COSSERAT_STATE][COSSERAT_STATE];      ///< of changes of the state to the end
  double next[COSSERAT_STATE]; ///< state at the end, the state at the beginning being as it is
} cosserat_interval;

/// Linearizes the equations of an interval of length `h` at the `state` where it begins and the
/// `slope`s (3 x state) at its Gauss points. False where its equations are singular.
bool cosserat_interval_linearize(const cosserat_rod *rod, double factor, double h,
                                 const double *state, const double *slope, cosserat_interval *out);

/// Adds to the slopes what they change as the state (of `size`) changes by `change`.
void cosserat_interval_advance(const cosserat_interval *interval, int size, const double *change,
                               double *slope);

/// The derivative of the polynomial of slopes (3 x `size`) at `t` of [0, 1].
void cosserat_interval_slope(const double *slope, int size, double t, double *out);

/// The polynomial at `t` of [0, 1], which begins at `state`.
void cosserat_interval_state(const double *state, const double *slope, int size, double h, double t,
                             double *out);

#endif
