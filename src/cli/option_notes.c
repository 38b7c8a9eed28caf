// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the command line that solvers of chosen studies do not have.
#include "cli/cli.h"
#include "solver/table.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 8 };

/// Runs that an option does not concern, and the names of their solvers.
typedef struct without_option {
  size_t n_runs, n_solvers;
  const char *solver[MOST_NAMED];
} without_option;

static bool has_option(const char *solver, const char *option) {
  const vb_solver *found;
  return vb_solver_find(solver, &found, NULL) ||
         vb_description_option(found->describe(found), option);
}

static void count_run(without_option *w, const char *solver) {
  w->n_runs++;
  for (size_t i = 0; i < w->n_solvers; i++)
    if (strcmp(w->solver[i], solver) == 0)
      return;
  if (w->n_solvers < MOST_NAMED)
    w->solver[w->n_solvers++] = solver;
}

void vb_cli_note_options(const vb_study_request *request, vb_study *const *studies,
                         size_t n_studies) {
  for (size_t o = 0; o < request->n_options; o++) {
    without_option w = {0};
    for (size_t i = 0; i < n_studies; i++)
      for (size_t r = 0; r < studies[i]->n_runs; r++)
        if (!has_option(studies[i]->runs[r].solver, request->options[o].name))
          count_run(&w, studies[i]->runs[r].solver);
    if (w.n_runs == 0)
      continue;
    fprintf(stderr, "viperbench: %zu run%s ignore%s --%s, which the solver%s", w.n_runs,
            w.n_runs == 1 ? "" : "s", w.n_runs == 1 ? "s" : "", request->options[o].name,
            w.n_solvers == 1 ? "" : "s");
    for (size_t i = 0; i < w.n_solvers; i++)
      fprintf(stderr, "%s %s", i ? "," : "", w.solver[i]);
    fprintf(stderr, " do%s not have\n", w.n_solvers == 1 ? "es" : "");
  }
}
