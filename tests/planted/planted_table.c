// SPDX-License-Identifier: GPL-3.0-or-later
// The table of solvers of a program with a fault, in place of that of src/cli/solver_table.c.
#include "cli/solvers.h"
#include "planted/planted.h"

#include <stdio.h>
#include <stdlib.h>

static int chosen = -1;

void planted_choose(int kind) {
  chosen = kind;
}

/// The kind that the environment names. This ends the program where there is none of that name, for
/// nothing that it would print could be trusted.
static int named(void) {
  const char *word = getenv("VIPERBENCH_PLANTED");
  int kind = word ? planted_find(word) : PLANTED_NONE;
  if (kind >= 0)
    return kind;
  fprintf(stderr, "VIPERBENCH_PLANTED is \"%s\"; it must be one of none", word);
  for (int i = 0; i < VB_PLANTED_COUNT; i++)
    fprintf(stderr, ", %s", vb_planted_words[i]);
  fprintf(stderr, "\n");
  exit(2);
}

const vb_solver *const *vb_solver_table(void) {
  static planted_solver solvers[PLANTED_NONE + 1][VB_MOST_SOLVERS];
  static const vb_solver *tables[PLANTED_NONE + 1][VB_MOST_SOLVERS + 1];
  if (chosen < 0)
    chosen = named();
  for (size_t i = 0; vb_program_solvers[i] && !tables[chosen][i]; i++) {
    planted_wrap(&solvers[chosen][i], vb_program_solvers[i], chosen);
    tables[chosen][i] = &solvers[chosen][i].solver;
  }
  return tables[chosen];
}
