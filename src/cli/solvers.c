// SPDX-License-Identifier: GPL-3.0-or-later
// The solvers of the program, in the order in which they are listed: a line for each, its NAME of a
// `const vb_solver NAME_solver`.
#include "cli/solvers.h"

#define SOLVERS(X)                                                                                 \
  X(viper)                                                                                         \
  X(bergou)                                                                                        \
  X(cosserat)                                                                                      \
  X(umetani)                                                                                       \
  X(neohookean)                                                                                    \
  X(multibody)                                                                                     \
  X(articulated)

#define DECLARE(name) extern const vb_solver name##_solver;
#define LIST(name)    &name##_solver,

SOLVERS(DECLARE)

const vb_solver *const vb_program_solvers[] = {SOLVERS(LIST) NULL};

_Static_assert(sizeof vb_program_solvers / sizeof *vb_program_solvers <= VB_MOST_SOLVERS + 1,
               "more than VB_MOST_SOLVERS");
