// SPDX-License-Identifier: GPL-3.0-or-later
/// Stable Neo-Hookean tetrahedra as a solver (see ../README.md).
#ifndef NH_NEOHOOKEAN_H
#define NH_NEOHOOKEAN_H

#include "solver/solver.h"

extern const vb_solver neohookean_solver;

#endif
