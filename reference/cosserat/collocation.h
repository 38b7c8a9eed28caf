// SPDX-License-Identifier: GPL-3.0-or-later
/// Equilibria and critical loads of a rod by collocation: in each interval of the mesh the state is
/// a polynomial of degree 3 that meets the equations at the 3 Gauss points (order 6 at points of
/// the mesh, order 4 between). Newton's method; the load grows in steps; intervals in which the
/// polynomial misses the equations by too much are halved.
#ifndef COSSERAT_COLLOCATION_H
#define COSSERAT_COLLOCATION_H

#include "base/status.h"
#include "reference/cosserat/rod.h"

#include <stddef.h>

/// Writes the positions at the `n` places of the equilibrium under the full load. The error of
/// each is how much it changes as all intervals of the last mesh are halved, which is some 63 times
/// that of the value written. VB_FAILED where Newton's method or the mesh does not come to an end;
/// VB_BAD_INPUT for what collocation does not have (`middle_plane`).
vb_status cosserat_collocate(const cosserat_rod *rod, const cosserat_place *place, size_t n,
                             cosserat_value *out, vb_error *error);

/// Writes the load factor between `low` and `high` at which another equilibrium branches off the
/// one that begins at the first guess: where the linearized problem has a solution beside 0. The
/// error as above. VB_FAILED where there is none, or more than one is not told apart.
vb_status cosserat_collocate_critical(const cosserat_rod *rod, double low, double high,
                                      cosserat_value *out, vb_error *error);

#endif
