// SPDX-License-Identifier: GPL-3.0-or-later
// By itself, so that a test program may be linked with another table (tests/planted/).
#include "cli/solvers.h"

const vb_solver *const *vb_solver_table(void) {
  return vb_program_solvers;
}
