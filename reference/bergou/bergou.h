// SPDX-License-Identifier: GPL-3.0-or-later
/// Elastic rods whose radius is an output: stretch, bend and twist of a center line with frames, by
/// implicit Euler; after each step a segment's scale follows from its length, so that it keeps its
/// volume (the radius update of Bergou et al. 2010, "Discrete viscous threads", that the VIPER
/// paper compares with in its appendix E). See README.md in this folder.
#ifndef BERGOU_H
#define BERGOU_H

#include "solver/solver.h"

extern const vb_solver bergou_solver;

#endif
