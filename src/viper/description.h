// SPDX-License-Identifier: GPL-3.0-or-later
/// The description of the viper solver that solver.h requires: its sets, fields, energies and
/// options.
#ifndef VIPER_DESCRIPTION_H
#define VIPER_DESCRIPTION_H

#include "solver/solver.h"

const vb_solver_description *viper_describe(void);

#endif
