// SPDX-License-Identifier: GPL-3.0-or-later
// The solvers of the program, in the order in which they are listed: a line for each, its NAME of a
// `const vb_solver NAME_solver`.
#include "solver/table.h"

#define SOLVERS(X)                                                                                 \
  X(viper)                                                                                         \
  X(bergou)                                                                                        \
  X(umetani)                                                                                       \
  X(neohookean)                                                                                    \
  X(multibody)                                                                                     \
  X(articulated)

#define DECLARE(name) extern const vb_solver name##_solver;
#define LIST(name)    &name##_solver,

SOLVERS(DECLARE)

const vb_solver *const *vb_solver_table(void) {
  static const vb_solver *const table[] = {SOLVERS(LIST) NULL};
  _Static_assert(sizeof table / sizeof *table <= VB_MOST_SOLVERS + 1, "more than VB_MOST_SOLVERS");
  return table;
}
